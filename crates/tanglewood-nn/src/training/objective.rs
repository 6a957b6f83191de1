//! What training makes small.
//!
//! An objective sees the arc scores of a sentence and its tree, and gives a loss and its derivative with respect to the scores. Everything else — labels,
//! layers, steps — is the same for all.

use std::fmt::Debug;

use tanglewood::inference::Inference;
use tanglewood::spanning::Spanning;
use tanglewood::{Direction, System};

use crate::encoding::Example;
use crate::layers::{arc_scores, cross_entropy};
use crate::matrix::Matrix;
use crate::real::Real;

/// A loss of arc scores.
pub trait Objective<T: Real>: Debug + Send + Sync {
    /// The loss; scores become its derivative. Scores have a row for each dependent and a column for each head, the root first; the score of
    /// a word as its own head is −∞ and its derivative has to be 0.
    fn loss(&self, example: &Example, scores: &mut Matrix<T>) -> f64;
}

/// Each word chooses its head by itself: −Σ ln softmax of the right head's score.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadSelection;

impl<T: Real> Objective<T> for HeadSelection {
    fn loss(&self, example: &Example, scores: &mut Matrix<T>) -> f64 {
        let rows = example.heads.iter().enumerate();
        rows.map(|(row, &head)| cross_entropy(scores.row_mut(row), head as usize)).sum()
    }
}

/// −ln of the tree's probability among all trees with a single root (Koo et al. 2007). The derivative is that of the partition function, which is
/// the probability of each arc, less one for the tree's own.
///
/// A tree with several roots has no such probability; heads are chosen one by one there.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeLikelihood;

impl<T: Real> Objective<T> for TreeLikelihood {
    fn loss(&self, example: &Example, scores: &mut Matrix<T>) -> f64 {
        let arcs = arc_scores(scores);
        let spanning = Spanning::new();
        let log_probability = spanning.log_probability(&arcs, &example.tree).ok();
        likelihood(example, scores, log_probability, || spanning.marginals(&arcs).ok())
    }
}

/// −ln of the tree's probability among what a system can build with a single root, where a tree counts once for each run that builds it, see
/// [`tanglewood::inference`]. The derivative is as above: all runs that build the tree have its arcs.
///
/// Where the system cannot build the tree, or the chart would take too much memory, heads are chosen one by one.
#[derive(Clone, Debug)]
pub struct SystemLikelihood {
    /// The system.
    pub system: System,
    /// How it reads.
    pub direction: Direction,
    /// How many bytes a chart may take, for each thread.
    pub memory: u64,
}

impl<T: Real> Objective<T> for SystemLikelihood {
    fn loss(&self, example: &Example, scores: &mut Matrix<T>) -> f64 {
        let arcs = arc_scores(scores);
        let inference = Inference::new(&self.system).direction(self.direction).memory(self.memory);
        let log_probability = inference.log_probability(&arcs, &example.tree).ok();
        likelihood(example, scores, log_probability, || inference.marginals(&arcs).ok())
    }
}

fn likelihood<T: Real>(
    example: &Example,
    scores: &mut Matrix<T>,
    log_probability: Option<f64>,
    marginals: impl FnOnce() -> Option<Vec<Vec<f64>>>,
) -> f64 {
    let found = log_probability.filter(|log| log.is_finite()).and_then(|log| Some((log, marginals()?)));
    let Some((log_probability, marginals)) = found else {
        return HeadSelection.loss(example, scores);
    };
    for (row, &gold) in example.heads.iter().enumerate() {
        for (head, score) in scores.row_mut(row).iter_mut().enumerate() {
            *score = T::of(marginals[head][row + 1] - f64::from(u8::from(head == gold as usize)));
        }
    }
    -log_probability
}
