//! Posteriors: the recurrences, run backwards.
//!
//! The posterior of an item is the share of all derivations' weight in which it occurs; that of an arc likewise. The goal's is 1. Going
//! through the chart in the opposite order, each item hands its posterior to the premises of each way to derive it, in proportion to that
//! way's weight. Hooks are items, too: they collect posteriors and hand them on. So the outside pass of a degree-2 chart has the same
//! exponents as the inside pass; the one of a degree-1 chart, which is fast anyway, does without hooks and takes O(n⁵). Shares are ratios of
//! weights, which do not overflow where the weights themselves are fine.

mod degree1;
mod degree2;

use super::weights::Weights;
use crate::scores::TransitionScores;
use crate::semiring::Additive;

/// Posteriors of arcs: `[head][dependent]`.
pub(super) struct ArcPosteriors {
    nodes: usize,
    pub arcs: Vec<f64>,
}

impl ArcPosteriors {
    fn new(words: usize) -> ArcPosteriors {
        ArcPosteriors { nodes: words + 1, arcs: vec![0.0; (words + 1) * (words + 1)] }
    }

    fn add(&mut self, head: usize, dependent: usize, posterior: f64) {
        self.arcs[head * self.nodes + dependent] += posterior;
    }

    /// Hands the posterior of removing the node in a slot to the arcs from its possible heads.
    fn split<S: Additive, T: TransitionScores + ?Sized>(
        &mut self,
        posterior: f64,
        weights: &Weights<'_, S, T>,
        stack: &[usize],
        front: usize,
        slot: usize,
    ) {
        if posterior == 0.0 {
            return;
        }
        let whole = weights.heads(stack, front, slot).fold(S::ZERO, |sum, (_, _, weight)| sum.plus(weight));
        for (_, head, weight) in weights.heads(stack, front, slot) {
            self.add(head, stack[slot], posterior * S::share(weight, whole));
        }
    }
}
