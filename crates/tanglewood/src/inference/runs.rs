//! Sums over runs for scores of transitions: all runs of a system, or all runs of one tree, with the expected
//! number of times that a run uses each score.
//!
//! ln p(tree) = ln Σ over the runs of the tree − ln Σ over all runs, and its derivative with respect to a
//! score is the difference of the two expectations. So nothing has to choose one of the runs of a tree.

use std::ops::Range;

use super::{Inference, InferenceError, Over, Parse, Path};
use crate::chart::ChartSemiring;
use crate::deduction::SparseSemiring;
use crate::scores::{ArcScores, HeadKind, OnUse, TransitionScores, View, WindowPair, WithinTree};
use crate::semiring::{Additive, Real, Semiring, Wide};
use crate::system::Address;
use crate::{System, Tree};

/// Totals of plain numbers that neither overflowed nor lost anything that matters.
const SAFE: Range<f64> = 1e-100..1e200;

impl Inference {
    /// The logarithm of the summed weights of all runs from left to right, exp(score) each. `uses` gets the
    /// expected number of times that a run uses each score.
    ///
    /// # Errors
    /// If there is no run, or the chart would take too much memory.
    ///
    /// ```
    /// use tanglewood::System;
    /// use tanglewood::inference::Inference;
    /// use tanglewood::scores::{ArcScores, Use};
    ///
    /// let mut shifts = 0.0;
    /// let mut uses = |what: Use<'_>, count: f64| {
    ///     if matches!(what, Use::Shift { .. }) {
    ///         shifts += count;
    ///     }
    /// };
    /// Inference::new(System::named("mh4")?).log_total(&ArcScores::new(3), Some(&mut uses))?;
    /// // Every run shifts the root and each word once.
    /// assert!((shifts - 4.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_total(
        &self,
        scores: &dyn TransitionScores,
        uses: OnUse<'_, f64>,
    ) -> Result<f64, InferenceError> {
        let system = self.own_system()?;
        if !self.can_have_tree(scores) {
            return Err(InferenceError::NoTree);
        }
        let levelled = Levelled::new(scores);
        let is_dense = self.fits::<f64>(system, &levelled, 2)?;
        self.total(&levelled, is_dense, &levelled, uses)
    }

    /// The same over the runs of one tree.
    ///
    /// # Errors
    /// If the tree has no run, or there are too many items.
    pub fn log_total_of(
        &self,
        tree: &Tree,
        scores: &dyn TransitionScores,
        uses: OnUse<'_, f64>,
    ) -> Result<f64, InferenceError> {
        self.check_lengths(tree, scores)?;
        let levelled = Levelled::new(scores);
        self.total(&WithinTree::new(Some(&levelled), tree), false, &levelled, uses)
    }

    /// The best run of one tree.
    ///
    /// # Errors
    /// As [`Inference::log_total_of`].
    pub fn best_run_of(&self, tree: &Tree, scores: &dyn TransitionScores) -> Result<Parse, InferenceError> {
        self.check_lengths(tree, scores)?;
        let run = self.deduction(self.own_system()?).best(&WithinTree::new(Some(scores), tree))?;
        Parse::of_run(run, Path::Deduction)
    }

    fn own_system(&self) -> Result<&System, InferenceError> {
        self.class().system().ok_or(InferenceError::ArcScoresOnly)
    }

    fn check_lengths(&self, tree: &Tree, scores: &dyn TransitionScores) -> Result<(), InferenceError> {
        match (tree.len(), scores.words()) {
            (tree, words) if tree == words => Ok(()),
            (tree, scores) => Err(InferenceError::Lengths { tree, scores }),
        }
    }

    /// The logarithm of the summed weights of all runs for these scores, which are the levelled ones or
    /// fewer.
    fn total(
        &self,
        scores: &dyn TransitionScores,
        is_dense: bool,
        levelled: &Levelled<'_>,
        mut uses: OnUse<'_, f64>,
    ) -> Result<f64, InferenceError> {
        let is_safe = |total: Real| SAFE.contains(&total.0);
        let log = match self.total_in::<Real>(scores, is_dense, is_safe, &mut uses)? {
            Some(log) => log,
            None => {
                if is_dense {
                    self.fits::<Wide>(self.own_system()?, scores, 2)?;
                }
                let log = self.total_in::<Wide>(scores, is_dense, |total| total != Wide::ZERO, &mut uses)?;
                log.ok_or(InferenceError::NoTree)?
            }
        };
        Ok(log + levelled.constant)
    }

    /// The same in given numbers; nothing if these do not serve.
    fn total_in<S: Additive + ChartSemiring + SparseSemiring>(
        &self,
        scores: &dyn TransitionScores,
        is_dense: bool,
        serves: impl Fn(S) -> bool,
        uses: &mut OnUse<'_, f64>,
    ) -> Result<Option<f64>, InferenceError> {
        let filled = self.fill::<S>(self.own_system()?, scores.into(), is_dense, Over::Derivations)?;
        let total = filled.total();
        if let (true, Some(uses)) = (serves(total), uses) {
            filled.count(*uses)?;
        }
        Ok(serves(total).then(|| total.ln()))
    }
}

/// Scores less constants that all runs have in common: every node is shifted once, and every word gets one
/// head. The weights of runs then are numbers of moderate size.
struct Levelled<'a> {
    scores: &'a dyn TransitionScores,
    /// By front.
    of_shift: Vec<f64>,
    /// By dependent.
    of_arc: Vec<f64>,
    arcs: Option<ArcScores>,
    constant: f64,
}

impl<'a> Levelled<'a> {
    fn new(scores: &'a dyn TransitionScores) -> Levelled<'a> {
        let words = scores.words();
        let largest = |values: &mut dyn Iterator<Item = f64>| {
            let largest = values.fold(f64::NEG_INFINITY, f64::max);
            if largest.is_finite() { largest } else { 0.0 }
        };
        let of_shift: Vec<f64> = (0..=words)
            .map(|front| match front {
                0 => largest(&mut std::iter::once(scores.shift(None, 0))),
                _ => largest(&mut (0..front).map(|top| scores.shift(Some(top), front))),
            })
            .collect();
        let mut of_arc = vec![0.0; words + 1];
        let arcs = scores.arc_part().map(|given| {
            for (word, of_arc) in of_arc.iter_mut().enumerate().skip(1) {
                *of_arc = largest(&mut (0..=words).map(|head| given.get(head, word)));
            }
            let mut arcs = given.clone();
            arcs.arcs().for_each(|(head, word)| arcs.put(head, word, given.get(head, word) - of_arc[word]));
            arcs
        });
        let constant = of_shift.iter().chain(&of_arc).sum();
        Levelled { scores, of_shift, of_arc, arcs, constant }
    }
}

impl TransitionScores for Levelled<'_> {
    fn words(&self) -> usize {
        self.scores.words()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.scores.shift(top, front) - self.of_shift[front]
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.scores.reduce(view, head, dependent) - self.of_arc[view.stack[dependent]]
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        self.arcs.as_ref()
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        self.scores.context(view, head, dependent)
    }

    fn contexts_are_by_top(&self) -> bool {
        self.scores.contexts_are_by_top()
    }

    fn contexts_are_by_pairs(&self) -> bool {
        self.scores.contexts_are_by_pairs()
    }

    fn pair_context(&self, pair: WindowPair, nodes: [usize; 2], dependent: usize) -> f64 {
        self.scores.pair_context(pair, nodes, dependent)
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        self.scores.heads_ahead(dependent, front)
    }

    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.scores.deepest(head, dependent) - self.of_arc[dependent]
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        self.scores.deepest_context(others, front)
    }
}
