//! What training makes small.
//!
//! An objective sees the arc scores of a sentence and its tree, and gives a loss and its derivative with respect to the scores. Everything else — labels,
//! layers, steps — is the same for all.

use tanglewood::spanning::Spanning;

use crate::encoding::Example;
use crate::layers::{arc_scores, cross_entropy};
use crate::matrix::Matrix;
use crate::real::Real;

/// A loss of arc scores.
pub trait Objective<T: Real>: Sync {
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
        let Ok(log_probability) = spanning.log_probability(&arcs, &example.tree) else {
            return HeadSelection.loss(example, scores);
        };
        let Ok(marginals) = spanning.marginals(&arcs) else {
            return HeadSelection.loss(example, scores);
        };
        if !log_probability.is_finite() {
            return HeadSelection.loss(example, scores);
        }
        for (row, &gold) in example.heads.iter().enumerate() {
            for (head, score) in scores.row_mut(row).iter_mut().enumerate() {
                *score = T::of(marginals[head][row + 1] - f64::from(u8::from(head == gold as usize)));
            }
        }
        -log_probability
    }
}
