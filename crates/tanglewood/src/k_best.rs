//! The k best trees of any class, by partitioning (Lawler 1972; Murty 1968), where bounds say which parts
//! need a look.
//!
//! When a set of trees has given its best tree, the rest of the set falls into n parts: those that agree with
//! it on the heads of words 1..m − 1 and differ on word m. A part's best tree is found by the same solver
//! with fewer arcs. Most parts are never the next to be asked, though: by the
//! [bounds](crate::spanning::ArcBounds) of the arcs that m may have there, a part is known not to be better
//! than what was found already. So parts wait in a queue with their bounds, and a part is solved only if it
//! may hold a tree as good as the next answer. As a rule that is a few for each tree found; never more than
//! n. Memory is O(k · n²): a part is remembered by its constraints.
//!
//! Bounds are numbers with rounding errors, and compared with a tolerance. Trees are compared by the exact
//! sum of the differences between their scores, word by word, so that an offset of 10¹⁷ on all scores changes
//! no ranking.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::Tree;
use crate::scores::ArcScores;
use crate::scores::scale::{compare_trees, shifted_by_word};
use crate::spanning::ArcBounds;

/// Finds best trees of some class.
pub(crate) trait Solver {
    /// A tree, and what else is known of it.
    type Found;
    type Error;

    /// The best tree that has no forbidden arc, if there is one.
    fn best(&mut self, scores: &ArcScores) -> Result<Option<Self::Found>, Self::Error>;

    fn tree<'f>(&self, found: &'f Self::Found) -> &'f Tree;

    /// For each arc a number that no tree of the class with that arc exceeds. Without bounds, every part is
    /// solved.
    fn bounds(&mut self, scores: &ArcScores) -> Option<ArcBounds>;

    /// A number that no tree of the class with that arc exceeds, constants per word left out; −∞ if none of
    /// the k best trees has the arc. A solver may learn smaller numbers while the search goes on.
    fn ceiling(&self, _head: usize, _word: usize) -> f64 {
        f64::INFINITY
    }
}

/// A set of trees: all that have the given heads for the first words, and none of the excluded ones for the
/// word after them.
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
        self.excluded.iter().for_each(|&head| constrained.put(head, word, f64::NEG_INFINITY));
        constrained
    }

    /// A number that no tree of this part exceeds, by what the solver knows of single arcs.
    fn ceiling<S: Solver>(&self, solver: &S, words: usize) -> f64 {
        let given = self.heads.iter().zip(1..).map(|(&head, word)| solver.ceiling(head, word));
        let word = self.heads.len() + 1;
        let others = (0..=words).filter(|head| *head != word && !self.excluded.contains(head));
        let next = others.map(|head| solver.ceiling(head, word)).fold(f64::NEG_INFINITY, f64::max);
        given.fold(if word <= words { next } else { f64::INFINITY }, f64::min)
    }
}

/// A part that was not solved yet.
struct Waiting {
    /// No tree of the part has a larger score, constants per word left out.
    bound: f64,
    part: Part,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.bound.total_cmp(&other.bound)
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

/// A part and its best tree.
struct Solved<F> {
    part: Part,
    best: F,
    /// The score of the best tree, constants per word left out.
    score: f64,
}

/// The k best trees, all different, the best first; fewer if there are not as many. Of solved parts with
/// equally good trees, the one with the smaller list of heads comes first.
///
/// # Errors
/// If the solver fails.
pub(crate) fn k_best<S: Solver>(
    solver: &mut S,
    scores: &ArcScores,
    k: usize,
) -> Result<Vec<S::Found>, S::Error> {
    let mut found = Vec::new();
    let (shifted, _) = shifted_by_word(scores);
    let mut waiting = BinaryHeap::from([Waiting {
        bound: f64::INFINITY,
        part: Part { heads: Vec::new(), excluded: Vec::new() },
    }]);
    // Sorted, the best last. There are never more than k − 1 to come.
    let mut solved: Vec<Solved<S::Found>> = Vec::new();
    while found.len() < k {
        // All parts that may hold a tree as good as the best that is known.
        while let Some(next) = waiting.peek() {
            if solved.last().is_some_and(|best| best.score > next.bound) {
                break;
            }
            let Some(Waiting { part, bound }) = waiting.pop() else { break };
            // The solver may know more by now than when the part was made.
            let ceiling = part.ceiling(solver, shifted.len());
            if ceiling < bound && !part.heads.is_empty() {
                if ceiling > f64::NEG_INFINITY {
                    waiting.push(Waiting { bound: ceiling, part });
                }
                continue;
            }
            if let Some(best) = solver.best(&part.constrain(scores))? {
                let score = shifted.of_tree(solver.tree(&best));
                let place = solved.partition_point(|other| {
                    let (tree, other) = (solver.tree(&best), solver.tree(&other.best));
                    let by_score = compare_trees(scores, other, tree);
                    by_score.then_with(|| tree.heads().cmp(other.heads())) == Ordering::Less
                });
                solved.insert(place, Solved { part, best, score });
            }
        }
        let Some(next) = solved.pop() else { break };
        if found.len() + 1 < k {
            divide(solver, &shifted, &next, &mut waiting);
        }
        found.push(next.best);
    }
    // Where a solver rounds, a part's best tree may have been a bit better than that of the whole. Ties stay
    // in their order.
    found.sort_by(|one, other| compare_trees(scores, solver.tree(other), solver.tree(one)));
    Ok(found)
}

/// Puts the parts that a part falls into when its best tree is taken out into the queue.
fn divide<S: Solver>(
    solver: &mut S,
    shifted: &ArcScores,
    solved: &Solved<S::Found>,
    waiting: &mut BinaryHeap<Waiting>,
) {
    let Solved { part, best, score } = solved;
    let bounds = solver.bounds(&part.constrain(shifted));
    let best: Vec<usize> = solver.tree(best).heads().collect();
    for word in part.heads.len() + 1..=shifted.len() {
        let mut excluded = if word == part.heads.len() + 1 { part.excluded.clone() } else { Vec::new() };
        excluded.push(best[word - 1]);
        let others = (0..=shifted.len()).filter(|head| *head != word && !excluded.contains(head));
        let bound = match &bounds {
            // Not more than the best of the whole; with rounding errors on both sides.
            Some(bounds) => {
                let best = others.map(|head| bounds.get(head, word)).fold(f64::NEG_INFINITY, f64::max);
                best.min(*score) + 2.0 * bounds.rounding()
            }
            None => f64::INFINITY,
        };
        let part = Part { heads: best[..word - 1].to_vec(), excluded };
        let bound = bound.min(part.ceiling(solver, shifted.len()));
        if bound > f64::NEG_INFINITY {
            waiting.push(Waiting { bound, part });
        }
    }
}
