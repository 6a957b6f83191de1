//! The probability of the whole tree.

use tanglewood::inference::Inference;
use tanglewood::spanning::Spanning;
use tanglewood::{Direction, System};

use super::{HeadSelection, Objective};
use crate::encoding::Example;
use crate::layers::arc_scores;
use crate::network::SentenceScores;
use crate::real::Real;

/// −ln of the tree's probability among all trees with a single root (Koo et al. 2007). The derivative is that of the partition function, which is
/// the probability of each arc, less one for the tree's own.
///
/// A tree with several roots has no such probability; heads are chosen one by one there.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeLikelihood;

impl<T: Real> Objective<T> for TreeLikelihood {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let arcs = arc_scores(&scores.arcs);
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
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let arcs = arc_scores(&scores.arcs);
        let inference = Inference::new(&self.system).direction(self.direction).memory(self.memory);
        let log_probability = inference.log_probability(&arcs, &example.tree).ok();
        likelihood(example, scores, log_probability, || inference.marginals(&arcs).ok())
    }
}

fn likelihood<T: Real>(
    example: &Example,
    scores: &mut SentenceScores<T>,
    log_probability: Option<f64>,
    marginals: impl FnOnce() -> Option<Vec<Vec<f64>>>,
) -> f64 {
    let found = log_probability.filter(|log| log.is_finite()).and_then(|log| Some((log, marginals()?)));
    let Some((log_probability, marginals)) = found else {
        return HeadSelection.loss(example, scores);
    };
    scores.moves.iter_mut().for_each(|moves| moves.values_mut().fill(T::ZERO));
    for (row, &gold) in example.heads.iter().enumerate() {
        for (head, score) in scores.arcs.row_mut(row).iter_mut().enumerate() {
            *score = T::of(marginals[head][row + 1] - f64::from(u8::from(head == gold as usize)));
        }
    }
    -log_probability
}
