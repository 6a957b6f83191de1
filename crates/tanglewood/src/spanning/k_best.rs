//! The k best trees, by partitioning (Lawler 1972; Murty 1968), where bounds say which parts need a look.
//!
//! When a set of trees has given its best tree, the rest of the set falls into n parts: those that agree with it on the heads of words
//! 1..m − 1 and differ on word m. A part's best tree is found by the same algorithm with fewer arcs. Most parts are never the next to be asked, though,
//! and the [bounds](super::ArcBounds) of the arcs that m may have there say how good a part can be. So parts wait in a queue with their bounds,
//! and only the one in front is solved. As a rule, a few are for each tree found, and k trees take about O(k · n²); never more than n are, which makes
//! O(k · n³) at worst. Memory is O(k · n²): a part is remembered by its constraints.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::contraction::Workspace;
use super::{NoTree, ScoredTree, Spanning};
use crate::scores::ArcScores;

/// A set of trees: all that have the given heads for the first words, and none of the excluded ones for the word after them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    heads: Vec<usize>,
    excluded: Vec<usize>,
}

impl Part {
    /// Scores that allow the trees of this part only.
    fn constrain(&self, scores: &ArcScores) -> ArcScores {
        let mut constrained = scores.clone();
        self.heads.iter().zip(1..).for_each(|(&head, word)| constrained.require(head, word));
        let word = self.heads.len() + 1;
        self.excluded.iter().for_each(|&head| constrained.set(head, word, f64::NEG_INFINITY));
        constrained
    }
}

/// A part in the queue: as good as its best tree, or as it might be.
struct Waiting {
    score: f64,
    part: Part,
    /// Its best tree, once that is known.
    best: Option<ScoredTree>,
}

/// By score. What is not solved yet goes first, so that all trees of a score are known when the first of them is taken; of those, the smaller list of heads
/// goes first.
impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        let heads =
            |waiting: &Waiting| waiting.best.as_ref().map(|best| best.tree.heads().collect::<Vec<_>>());
        let by_score = self.score.total_cmp(&other.score);
        let unsolved_first = self.best.is_none().cmp(&other.best.is_none());
        let by_heads = || heads(other).cmp(&heads(self)).then_with(|| other.part.cmp(&self.part));
        by_score.then(unsolved_first).then_with(by_heads)
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl Spanning {
    /// The k best trees, all different, the best first; fewer if there are not so many.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn k_best(&self, scores: &ArcScores, k: usize) -> Result<Vec<ScoredTree>, NoTree> {
        let mut found: Vec<ScoredTree> = Vec::new();
        if k == 0 {
            return Ok(found);
        }
        let mut workspace = Workspace::new();
        let all = Part { heads: Vec::new(), excluded: Vec::new() };
        let best = self.best_with(scores, &mut workspace)?;
        let mut queue = BinaryHeap::from([Waiting { score: best.score, part: all, best: Some(best) }]);
        while let Some(Waiting { part, best, .. }) = queue.pop() {
            let Some(best) = best else {
                if let Ok(best) = self.best_with(&part.constrain(scores), &mut workspace) {
                    queue.push(Waiting { score: best.score, part, best: Some(best) });
                }
                continue;
            };
            if found.len() + 1 < k {
                self.divide(scores, &part, &mut workspace, &mut queue);
            }
            found.push(best);
            if found.len() == k {
                break;
            }
        }
        // Where scores differ by rounding errors only, a part's best may have been a bit better than its whole's.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(found)
    }

    /// Puts the parts that a part falls into when its best tree is taken out into the queue.
    fn divide(
        &self,
        scores: &ArcScores,
        part: &Part,
        workspace: &mut Workspace,
        queue: &mut BinaryHeap<Waiting>,
    ) {
        let constrained = part.constrain(scores);
        let Ok(bounds) = self.bounds_with(&constrained, workspace) else { return };
        let best: Vec<usize> = bounds.best().tree.heads().collect();
        for word in part.heads.len() + 1..=scores.len() {
            let mut excluded = if word == part.heads.len() + 1 { part.excluded.clone() } else { Vec::new() };
            excluded.push(best[word - 1]);
            let others = (0..=scores.len()).filter(|head| !excluded.contains(head));
            let bound = others.map(|head| bounds.get(head, word)).fold(f64::NEG_INFINITY, f64::max);
            if bound > f64::NEG_INFINITY {
                let part = Part { heads: best[..word - 1].to_vec(), excluded };
                queue.push(Waiting { score: bound + bounds.rounding(), part, best: None });
            }
        }
    }
}
