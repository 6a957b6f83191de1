//! The k best trees, by partitioning (Lawler 1972; Murty 1968).
//!
//! When a set of trees has given its best tree, the rest of the set falls into n parts: those that agree with it on the heads of words
//! 1..m − 1 and differ on word m. Each part is described by required and forbidden arcs, so the exact decoder finds its best tree; the best
//! of all parts' best is the next tree. No tree comes twice, since parts are disjoint. One decoding per part: 1 + (k − 1) · n in all. A part is
//! remembered by its constraints, not by a matrix of its own, so that memory is that of one chart and O(k · n²).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Inference, InferenceError, Parse};
use crate::scores::ArcScores;

/// A set of trees and the best of them: all that agree with it on the words before `first_free`, and give that word none of the
/// excluded heads.
struct Part {
    best: Parse,
    first_free: usize,
    excluded: Vec<usize>,
}

/// By score; for equal scores the smaller list of heads comes first.
impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        let heads = |part: &Part| part.best.tree.heads().collect::<Vec<_>>();
        self.best.score.total_cmp(&other.best.score).then_with(|| heads(other).cmp(&heads(self)))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl Part {
    /// The heads that this word may not have in the part of those trees that agree with the best on the words before it, and not on it.
    fn excluded_at(&self, word: usize) -> Vec<usize> {
        let before = if word == self.first_free { &self.excluded[..] } else { &[] };
        before.iter().copied().chain([self.best.tree.head(word)]).collect()
    }
}

pub(super) fn k_best(
    inference: &Inference<'_>,
    scores: &ArcScores,
    k: usize,
) -> Result<Vec<Parse>, InferenceError> {
    let mut found = Vec::new();
    if k == 0 {
        return Ok(found);
    }
    let mut parts = BinaryHeap::new();
    parts.push(Part { best: inference.best(scores)?, first_free: 1, excluded: Vec::new() });
    while let Some(part) = parts.pop() {
        if found.len() + 1 < k {
            let mut allowed = scores.clone();
            for word in 1..=scores.len() {
                if word >= part.first_free {
                    let excluded = part.excluded_at(word);
                    let mut without = allowed.clone();
                    excluded.iter().for_each(|&head| without.put(head, word, f64::NEG_INFINITY));
                    match inference.best(&without) {
                        Ok(best) => parts.push(Part { best, first_free: word, excluded }),
                        Err(InferenceError::NoTree) => {}
                        Err(error) => return Err(error),
                    }
                }
                allowed.require(part.best.tree.head(word), word);
            }
        }
        found.push(part.best);
        if found.len() == k {
            break;
        }
    }
    Ok(found)
}
