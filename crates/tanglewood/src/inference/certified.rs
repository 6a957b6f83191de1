//! The best tree with as little work as its proof allows.
//!
//! 1. The best of **all** trees takes O(n²). If the system can build it, no tree of the class can be better:
//!    it is the answer, certified. With trained scores that is the case for almost every sentence.
//! 2. Otherwise some tree of the class is found by a small chart: the best for `mh3+` or, if the class lacks
//!    that one, the best projective tree. It is a lower bound. Arcs that are in no tree as good as that are
//!    forbidden; upper bounds come with the best of all trees, see [`ArcBounds`](crate::spanning::ArcBounds).
//!    The best tree of the class keeps all of its arcs.
//! 3. If few arcs are left, few items can be derived, and the sparse deduction is the faster way. The number
//!    of items that it may try depends on what the dense chart would cost; if they do not suffice, or are too
//!    few to begin with, the chart is filled.
//!
//! Each step is exact, so the answer is, too.

use super::{Inference, InferenceError, Parse, Path};
use crate::System;
use crate::chart::ChartKind;
use crate::scores::{ArcScores, FewHeads};
use crate::spanning::{ArcBounds, ScoredTree, Spanning, Workspace};

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
    pub(super) fn best_certified(
        &self,
        system: &System,
        scores: &ArcScores,
    ) -> Result<Parse, InferenceError> {
        let mut workspace = Workspace::new();
        let unrestricted = self.spanning().best_with(scores, &mut workspace)?;
        if let Some(parse) = self.built(&unrestricted) {
            return Ok(parse);
        }
        let items = items_worth_trying(system, scores.len());
        if items < FEWEST_ITEMS {
            return self.best_by_chart(system, scores);
        }
        let Some(known) = self.some_tree(scores) else { return self.best_by_chart(system, scores) };
        let bounds = workspace.bounds(scores, unrestricted, self.single_root);
        let pruned = without_hopeless_arcs(scores, &bounds, known);
        match self.best_of_few(system, &pruned, items)? {
            Some(parse) => Ok(parse),
            None => {
                // What is left is not little, so what the whole would need is what counts.
                self.fits::<f64>(system, scores, 1)?;
                self.best_by_chart(system, &pruned)
            }
        }
    }

    /// The best of all trees as an answer, if the system can build it.
    pub(super) fn built(&self, found: &ScoredTree) -> Option<Parse> {
        let ScoredTree { tree, score } = found;
        let oracle = self.class.oracle.as_ref()?;
        self.direction.each().find_map(|direction| {
            let derivation = Some(oracle.derivation(&direction.read(tree.clone())).ok()?);
            Some(Parse { tree: tree.clone(), score: *score, derivation, direction, path: Path::Certificate })
        })
    }

    /// The score of a good tree of the class, if one is found soon.
    fn some_tree(&self, scores: &ArcScores) -> Option<f64> {
        let oracle = self.class.oracle.as_ref()?;
        ["mh3+", "mh3"].iter().find_map(|name| {
            let small = Inference::new(System::named(name).ok()?)
                .direction(self.direction)
                .single_root(self.single_root)
                .memory(self.memory)
                .certify(false);
            let Parse { tree, score, .. } = small.best(scores).ok()?;
            oracle.covers_in(self.direction, &tree).then_some(score)
        })
    }

    /// The best tree by sparse deduction, if few arcs are allowed; none if that would take more than `items`
    /// items.
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
        let best = self.best_of_readings(scores, |scores| {
            Parse::of_run(deduction.best(&FewHeads::new(scores))?, Path::Pruned)
        });
        match best {
            Err(InferenceError::TooManyItems(_)) => Ok(None),
            best => best.map(Some),
        }
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
