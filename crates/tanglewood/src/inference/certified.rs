//! The best tree with as little work as its proof allows.
//!
//! 1. The best of **all** trees takes O(n²). If the system can build it, no tree of the class can be better: it is the answer, certified. With
//!    trained scores that is the case for almost every sentence.
//! 2. Otherwise some tree of the class is found by a small chart: the best for `mh3+` or, if the class lacks that one, the best projective
//!    tree. It is a lower bound. Arcs that are in no tree as good as that are forbidden; bounds come with the best of all trees, see
//!    [`ArcBounds`](crate::spanning::ArcBounds). The best tree of the class keeps all of its arcs.
//! 3. If few arcs are left, few items can be derived, and the sparse deduction is the faster way. How many items it may try depends on
//!    what the dense chart would cost; if they do not suffice, or there were no use in trying, the chart it is.
//!
//! Each step is exact, so the answer is, too.

use super::{Inference, InferenceError, Parse, Path};
use crate::chart::Kind;
use crate::deduction::Deduction;
use crate::scores::ArcScores;
use crate::semiring::Float;
use crate::spanning::{ScoredTree, Spanning};
use crate::system::Direction;
use crate::{System, Tree};

/// What an item of the sparse deduction costs, in nanoseconds; measured, roughly.
const SPARSE_ITEM: f64 = 500.0;

/// With fewer items it would hardly get anywhere.
const FEWEST_ITEMS: f64 = 1000.0;

/// With more heads per word that are still possible, it would not get anywhere, either.
const MOST_HEADS: usize = 8;

/// A few seconds' worth.
const MOST_ITEMS: f64 = 5e6;

impl Inference<'_> {
    /// The best tree.
    pub(super) fn best_certified<F: Float>(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let spanning = Spanning::new().single_root(self.single_root);
        let unrestricted = spanning.best(scores).map_err(|_| InferenceError::NoTree)?;
        if let Some(parse) = self.built(&unrestricted, Path::Certificate) {
            return Ok(parse);
        }
        let dense = Kind::of(self.system, true).map(|kind| nanoseconds(kind, scores.len()));
        let items = dense.map_or(MOST_ITEMS, |dense| f64::min(dense / SPARSE_ITEM, MOST_ITEMS));
        if items >= FEWEST_ITEMS
            && let Some(known) = self.some_tree(scores)
        {
            let bounds = spanning.bounds(scores).map_err(|_| InferenceError::NoTree)?;
            let mut pruned = scores.clone();
            let mut left = 0;
            for head in 0..=scores.len() {
                for word in (1..=scores.len()).filter(|&word| word != head) {
                    if bounds.may_reach(head, word, known.score) {
                        left += 1;
                    } else {
                        pruned.set(head, word, f64::NEG_INFINITY);
                    }
                }
            }
            if left <= MOST_HEADS * scores.len()
                && let Some(parse) = self.best_of_few(&pruned, items as usize)?
            {
                return Ok(parse);
            }
            return self.best_by_chart::<F>(&pruned);
        }
        self.best_by_chart::<F>(scores)
    }

    /// A tree as an answer, if the system can build it.
    fn built(&self, found: &ScoredTree, path: Path) -> Option<Parse> {
        let ScoredTree { tree, score } = found;
        let read = |direction| {
            let derivation = match direction {
                Direction::Rtl => self.oracle.derivation(&tree.mirrored()),
                _ => self.oracle.derivation(tree),
            };
            Some(Parse { tree: tree.clone(), score: *score, derivation: derivation.ok()?, direction, path })
        };
        let forward = self.direction.reads_forward().then(|| read(Direction::Ltr)).flatten();
        forward.or_else(|| self.direction.reads_backward().then(|| read(Direction::Rtl)).flatten())
    }

    /// A good tree of the class, if one is found soon.
    fn some_tree(&self, scores: &ArcScores) -> Option<ScoredTree> {
        ["mh3+", "mh3"].iter().find_map(|name| {
            let small = System::named(name).ok()?;
            let inference = Inference::new(&small)
                .direction(self.direction)
                .single_root(self.single_root)
                .memory(self.memory);
            let Parse { tree, score, .. } = inference.best_by_chart::<f64>(scores).ok()?;
            self.oracle.covers_in(self.direction, &tree).then_some(ScoredTree { tree, score })
        })
    }

    /// The best tree by sparse deduction; nothing if that takes too many items.
    fn best_of_few(&self, scores: &ArcScores, items: usize) -> Result<Option<Parse>, InferenceError> {
        let limit = usize::try_from(self.memory / Deduction::BYTES_PER_ITEM).unwrap_or(usize::MAX);
        let deduction = self.deduction().limit(items.min(limit));
        let mut best: Option<Parse> = None;
        for reading in self.readings(scores) {
            let Ok(found) = deduction.best(&reading.scores) else { return Ok(None) };
            let Some((_, derivation)) = found else { continue };
            let tree: Tree = derivation.tree().map_err(|_| InferenceError::NoTree)?;
            let tree = reading.in_sentence(tree);
            let score = scores.of_tree(&tree);
            if best.as_ref().is_none_or(|best| score > best.score) {
                best =
                    Some(Parse { tree, score, derivation, direction: reading.direction, path: Path::Pruned });
            }
        }
        Ok(best)
    }
}

/// What a dense chart takes, in nanoseconds; fitted to the benchmarks, roughly.
fn nanoseconds(kind: Kind, words: usize) -> f64 {
    let n = words as f64;
    match kind {
        Kind::Frames(3) => 0.2 * n.powi(3),
        Kind::Frames(4) => 0.04 * n.powi(4),
        Kind::Frames(_) => 0.03 * n.powi(5),
        Kind::Degree1 => 0.2 * n.powi(4),
        Kind::Diagonal => 0.001 * n.powi(6),
        Kind::Degree2 => 0.0004 * n.powi(7),
    }
}
