//! Head selection: the head of each word is learned by itself.

use super::Objective;
use crate::encoding::Example;
use crate::layers::{cross_entropy, soft_cross_entropy};
use crate::network::SentenceScores;
use crate::real::Real;

/// Each word chooses its head by itself: −Σ ln softmax of the right head's score, or its mean over the heads
/// that a teacher considers. Moves, if there are any, learn nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadSelection;

impl<T: Real> Objective<T> for HeadSelection {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        scores.without_transitions();
        let rows = example.heads.iter().enumerate();
        rows.map(|(row, &head)| {
            let scores = scores.arcs.row_mut(row);
            match &example.taught {
                None => cross_entropy(scores, head as usize),
                Some(taught) => soft_cross_entropy(scores, taught.of_word(row)),
            }
        })
        .sum()
    }
}
