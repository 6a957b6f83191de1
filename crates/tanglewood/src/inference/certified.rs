//! The best tree with as little work as its proof allows.
//!
//! 1. The best of **all** trees takes O(n²). If the system can build it, no tree of the class can be better: it is the answer, certified.
//!    With trained scores that is the case for almost every sentence.
//! 2. Otherwise some tree of the class is found by a small chart: the best for `mh3+` or, if the class lacks that one, the best projective
//!    tree. It is a lower bound. Arcs that are in no tree as good as that are forbidden; upper bounds come with the best of all trees,
//!    see [`ArcBounds`](crate::spanning::ArcBounds). The best tree of the class keeps all of its arcs.
//! 3. If few arcs are left, few items can be derived, and the sparse deduction is the faster way. The number of items that it may try
//!    depends on what the dense chart would cost; if they do not suffice, or are too few to begin with, the chart is filled.
//!
//! Each step is exact, so the answer is, too.

use super::{Inference, InferenceError, Parse, Path};
use crate::System;
use crate::chart::ChartKind;
use crate::scores::ArcScores;
use crate::scores::scale::{compare_trees, shifted_by_word};
use crate::spanning::{ArcBounds, ScoredTree, Spanning, Workspace};
use crate::system::Direction;

/// The time that an item of the sparse deduction takes, in nanoseconds; measured, roughly.
const SPARSE_ITEM: f64 = 500.0;

/// A budget of fewer items than this is not worth the attempt.
pub(super) const FEWEST_ITEMS: f64 = 1000.0;

/// With more possible heads per word than this, the sparse deduction runs out of its budget.
const MOST_HEADS: usize = 8;

/// Items that take a few seconds.
const MOST_ITEMS: f64 = 5e6;

impl Inference {
    pub(super) fn spanning(&self) -> Spanning {
        Spanning::new().single_root(self.single_root)
    }

    /// The best tree of the system.
    pub(super) fn best_certified(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let Some(system) = self.class().system() else { return self.best_spanning(scores) };
        let mut workspace = Workspace::new();
        let spanning = self.spanning();
        let unrestricted = spanning.best_with(scores, &mut workspace).map_err(|_| InferenceError::NoTree)?;
        if let Some(parse) = self.built(&unrestricted, Path::Certificate) {
            return Ok(parse);
        }
        let items = items_worth_trying(system, scores.len());
        if items < FEWEST_ITEMS {
            return self.best_by_chart(system, scores);
        }
        let Some(known) = self.some_tree(scores) else { return self.best_by_chart(system, scores) };
        let bounds = workspace.bounds(scores, unrestricted, self.single_root);
        let pruned = without_hopeless_arcs(scores, &bounds, known.score);
        match self.best_of_few(system, &pruned, items)? {
            Some(parse) => Ok(parse),
            None => {
                // What is left is not little, so what the whole would need is what counts.
                self.fits::<f64>(system, scores, 1)?;
                self.best_by_chart(system, &pruned)
            }
        }
    }

    /// A tree as an answer, if the system can build it.
    pub(super) fn built(&self, found: &ScoredTree, path: Path) -> Option<Parse> {
        let ScoredTree { tree, score } = found;
        let oracle = self.class.oracle.as_ref()?;
        let read = |direction| {
            let derivation = match direction {
                Direction::Rtl => oracle.derivation(&tree.mirrored()),
                _ => oracle.derivation(tree),
            };
            let derivation = Some(derivation.ok()?);
            Some(Parse { tree: tree.clone(), score: *score, derivation, direction, path })
        };
        let forward = self.direction.reads_forward().then(|| read(Direction::Ltr)).flatten();
        forward.or_else(|| self.direction.reads_backward().then(|| read(Direction::Rtl)).flatten())
    }

    /// A good tree of the class, if one is found soon.
    fn some_tree(&self, scores: &ArcScores) -> Option<ScoredTree> {
        let oracle = self.class.oracle.as_ref()?;
        ["mh3+", "mh3"].iter().find_map(|name| {
            let small = Inference::new(System::named(name).ok()?)
                .direction(self.direction)
                .single_root(self.single_root)
                .memory(self.memory)
                .certify(false);
            let Parse { tree, score, .. } = small.best(scores).ok()?;
            oracle.covers_in(self.direction, &tree).then_some(ScoredTree { tree, score })
        })
    }

    /// The best tree by sparse deduction, if few arcs are allowed; none if that would take more than `items` items.
    pub(super) fn best_of_few(
        &self,
        system: &System,
        scores: &ArcScores,
        items: f64,
    ) -> Result<Option<Parse>, InferenceError> {
        let allowed =
            scores.arcs().filter(|&(head, word)| scores.get(head, word) > f64::NEG_INFINITY).count();
        if allowed > MOST_HEADS * scores.len() {
            return Ok(None);
        }
        let deduction = self.deduction(system).at_most(items as usize);
        let mut best: Option<Parse> = None;
        // As for a chart: sums of huge scores would round away what distinguishes trees.
        let (shifted, _) = shifted_by_word(scores);
        for reading in self.readings(&shifted) {
            let Ok(found) = deduction.best(&reading.scores) else { return Ok(None) };
            let Some((_, derivation)) = found else { continue };
            let tree = reading.in_sentence(derivation.tree().map_err(|_| InferenceError::NoTree)?);
            if best.as_ref().is_none_or(|best| compare_trees(scores, &tree, &best.tree).is_gt()) {
                let (score, direction) = (scores.of_tree(&tree), reading.direction);
                best =
                    Some(Parse { tree, score, derivation: Some(derivation), direction, path: Path::Pruned });
            }
        }
        best.map(Some).ok_or(InferenceError::NoTree)
    }
}

/// Scores that forbid the arcs that are in no tree as good as one that is known.
fn without_hopeless_arcs(scores: &ArcScores, bounds: &ArcBounds, known: f64) -> ArcScores {
    let mut pruned = scores.clone();
    for (head, word) in scores.arcs() {
        if !bounds.may_reach(head, word, known) {
            pruned.put(head, word, f64::NEG_INFINITY);
        }
    }
    pruned
}

/// The number of items of the sparse deduction that take as long as the dense chart.
pub(super) fn items_worth_trying(system: &System, words: usize) -> f64 {
    let dense = ChartKind::of(system, true).map(|kind| nanoseconds(kind, words));
    dense.map_or(MOST_ITEMS, |dense| f64::min(dense / SPARSE_ITEM, MOST_ITEMS))
}

/// The time that a dense chart takes, in nanoseconds; fitted to the benchmarks, roughly.
fn nanoseconds(kind: ChartKind, words: usize) -> f64 {
    let n = words as f64;
    match kind {
        ChartKind::Trees | ChartKind::Frames(3) => 0.2 * n.powi(3),
        ChartKind::Frames(4) => 0.04 * n.powi(4),
        ChartKind::Frames(_) => 0.03 * n.powi(5),
        ChartKind::Degree1 => 0.2 * n.powi(4),
        ChartKind::Diagonal => 0.001 * n.powi(6),
        ChartKind::Degree2 => 0.0004 * n.powi(7),
    }
}
