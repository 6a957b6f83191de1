//! Probabilities for any scores of transitions, from left to right: over derivations, each weighted by exp(score).

use super::{Inference, InferenceError};
use crate::Tree;
use crate::scores::{ArcScores, HeadKind, TransitionScores, View};
use crate::semiring::{Additive, Log};
use crate::system::Address;

impl Inference<'_> {
    /// For each arc the share, by weight, of the derivations that have it; `[head][dependent]` for nodes 0..=n. What scores may depend on is said at
    /// [`TransitionScores`].
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn derivation_marginals<T: TransitionScores>(
        &self,
        scores: &T,
    ) -> Result<Vec<Vec<f64>>, InferenceError> {
        if !self.can_have_tree(scores) {
            return Err(InferenceError::NoTree);
        }
        let nodes = scores.words() + 1;
        let rows = |of: &dyn Fn(usize, usize) -> f64| {
            (0..nodes).map(|head| (0..nodes).map(|dependent| of(head, dependent)).collect()).collect()
        };
        if self.fits::<f64>(scores, 2)?.is_some() {
            let posteriors = self.chart::<Log, T>(scores)?.arc_posteriors().ok_or(InferenceError::NoTree)?;
            return Ok(rows(&|head, dependent| posteriors[head * nodes + dependent]));
        }
        let marginals = self.deduction().marginals::<Log>(scores)?.ok_or(InferenceError::NoTree)?;
        Ok(rows(&|head, dependent| marginals.get(head, dependent)))
    }

    /// The logarithm of a tree's probability: that of all its derivations together; −∞ if it has none.
    ///
    /// # Errors
    /// As [`Inference::best`].
    ///
    /// # Panics
    /// If the tree has another number of words than the scores.
    pub fn derivation_log_probability<T: TransitionScores>(
        &self,
        scores: &T,
        tree: &Tree,
    ) -> Result<f64, InferenceError> {
        assert_eq!(tree.len(), scores.words(), "tree and scores differ in length");
        let whole = self.log_sum(scores)?;
        if whole == f64::NEG_INFINITY {
            return Err(InferenceError::NoTree);
        }
        // Rounding makes nothing more than certain.
        Ok((self.log_sum(&Within::new(scores, tree))? - whole).min(0.0))
    }

    /// The logarithm of the summed weights of all derivations.
    fn log_sum<T: TransitionScores>(&self, scores: &T) -> Result<f64, InferenceError> {
        if !self.can_have_tree(scores) {
            return Ok(f64::NEG_INFINITY);
        }
        if self.fits::<f64>(scores, 1)?.is_some() {
            return Ok(self.chart::<Log, T>(scores)?.total().ln());
        }
        Ok(self.deduction().log_partition(scores)?)
    }
}

/// Scores that forbid all arcs but those of a tree.
struct Within<'a, T: ?Sized> {
    scores: &'a T,
    tree: &'a Tree,
    /// The arc part, if the scores have one.
    arcs: Option<ArcScores>,
}

impl<'a, T: TransitionScores + ?Sized> Within<'a, T> {
    fn new(scores: &'a T, tree: &'a Tree) -> Within<'a, T> {
        let arcs = scores.arc_part().map(|arcs| {
            let mut within = ArcScores::only(tree);
            tree.arcs().for_each(|(head, word)| within.set(head, word, arcs.get(head, word)));
            within
        });
        Within { scores, tree, arcs }
    }
}

impl<T: TransitionScores> TransitionScores for Within<'_, T> {
    fn words(&self) -> usize {
        self.scores.words()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.scores.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let node = view.node(head);
        match self.tree.head(view.stack[dependent]) == node {
            true => self.scores.reduce(view, head, dependent),
            false => f64::NEG_INFINITY,
        }
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        self.arcs.as_ref()
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        self.scores.context(view, head, dependent)
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> std::ops::Range<usize> {
        let head = self.tree.head(dependent);
        if head < front { front..front } else { head..head + 1 }
    }

    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        if self.tree.head(dependent) == head {
            self.scores.deepest(head, dependent)
        } else {
            f64::NEG_INFINITY
        }
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        self.scores.deepest_context(others, front)
    }
}
