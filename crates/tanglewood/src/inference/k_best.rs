//! The k best trees, by partitioning (Lawler 1972; Murty 1968).
//!
//! When a set of trees has given its best tree, the rest of the set falls into n parts: those that agree with it on the heads of words
//! 1..m − 1 and differ on word m. Each part is described by required and forbidden arcs, so the exact decoder finds its best tree; the best
//! of all parts' best is the next tree. No tree comes twice, since parts are disjoint. One decoding per part: O(k · n) in all.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Inference, InferenceError, Parse};
use crate::scores::ArcScores;

/// A set of trees and the best of them.
struct Part {
    best: Parse,
    /// The scores, with all arcs that the set excludes forbidden.
    scores: ArcScores,
    /// The heads of words before this one are fixed in the set.
    first_free: usize,
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
    parts.push(Part { best: inference.best(scores)?, scores: scores.clone(), first_free: 1 });
    while let Some(Part { best, mut scores, first_free }) = parts.pop() {
        for word in first_free..=scores.len() {
            let head = best.tree.head(word);
            let mut without = scores.clone();
            without.set(head, word, f64::NEG_INFINITY);
            match inference.best(&without) {
                Ok(best) => parts.push(Part { best, scores: without, first_free: word }),
                Err(InferenceError::NoTree) => {}
                Err(error) => return Err(error),
            }
            scores.require(head, word);
        }
        found.push(best);
        if found.len() == k {
            break;
        }
    }
    Ok(found)
}
