//! Scores of reduces, prepared for a chart.
//!
//! Charts do not ask for the score of one transition after the other; they combine whole rows of numbers, summed over the heads the
//! inventory permits. Here is what such rows are made of, and the rows for windows of two stack nodes; [`windows`](super::windows) has
//! those for three.

use super::{ChartKind, OutOfMemory};
use super::structure::Step;
use crate::memory::table;
use crate::scores::{TransitionScores, View};
use crate::semiring::Semiring;
use crate::system::{Address, Inventory, System};

/// A sentence's scores as seen through an inventory.
pub struct Weights<'a, S> {
    pub(super) inventory: &'a Inventory,
    pub(super) scores: &'a dyn TransitionScores,
    /// Whether exactly one word hangs from the root. All others are then its descendants and gone when it is removed, so **an arc
    /// from the root is the last step of the run**, with nothing else on the stack and an empty buffer; it is forbidden everywhere else.
    pub(super) single_root: bool,
    /// For arc scores: the weight of each arc, a row per dependent, by head. Without the root if it may be a head in the last step only.
    pub(super) arcs: Option<Vec<S>>,
}

impl<'a, S: Semiring> Weights<'a, S> {
    pub(super) fn new(
        system: &'a System,
        scores: &'a dyn TransitionScores,
        single_root: bool,
        kind: ChartKind,
    ) -> Result<Weights<'a, S>, OutOfMemory> {
        let of_windows = !matches!(kind, ChartKind::Frames(_) | ChartKind::Trees);
        let mut arcs = None;
        if let Some(scores) = scores.as_arcs().filter(|_| of_windows) {
            let nodes = scores.len() + 1;
            let mut weights = table(nodes * nodes, S::ZERO)?;
            for (head, word) in scores.arcs().filter(|&(head, _)| head > 0 || !single_root) {
                weights[word * nodes + head] = S::from_score(scores.get(head, word));
            }
            arcs = Some(weights);
        }
        Ok(Weights { inventory: system.inventory(), scores, single_root, arcs })
    }

    pub(super) fn words(&self) -> usize {
        self.scores.words()
    }

    /// The weight of shifting.
    pub(super) fn shift(&self, top: Option<usize>, front: usize) -> S {
        S::from_score(self.scores.shift(top, front))
    }

    /// Every permitted way to remove the node in stack slot `slot`. Stack heads come first, from the top, then the buffer.
    pub(super) fn reduces<'v>(
        &'v self,
        stack: &'v [usize],
        front: usize,
        slot: usize,
    ) -> impl Iterator<Item = Step<S>> + 'v {
        let view = View { stack, front };
        let window = (0..stack.len()).filter(move |&place| place != slot).map(Address::Stack);
        let ahead = (self.words() + 1).saturating_sub(front).min(self.inventory.reach_of_heads(slot));
        let heads = window.chain((0..ahead).map(Address::Buffer));
        let permitted = heads.filter(move |&head| self.inventory.permits(head, slot));
        let last_step = front > self.words() && stack.len() == 2;
        let possible = move |&head: &Address| {
            !self.single_root || (view.node(head) == 0) == last_step || stack[stack.len() - 1] != 0
        };
        permitted.filter(possible).map(move |head| {
            let arc = (view.node(head), stack[slot]);
            let weight = match &self.arcs {
                Some(arcs) if arc.0 != 0 => arcs[arc.1 * (self.words() + 1) + arc.0],
                _ => S::from_score(self.scores.reduce(view, head, slot)),
            };
            Step::Reduce { head, slot, arc, weight }
        })
    }

    /// The weight of removing the node in a stack slot, summed over heads.
    pub(super) fn reduce(&self, stack: &[usize], front: usize, slot: usize) -> S {
        self.reduces(stack, front, slot).fold(S::ZERO, |sum, step| sum.plus(step.weight()))
    }

    /// The weight of removing s0 where the root is s1, by s0.
    pub(super) fn at_bottom(&self, front: usize) -> Vec<S> {
        match &self.arcs {
            Some(arcs) if front <= self.words() => {
                let nodes = self.words() + 1;
                let by_root = self.inventory.permits(Address::Stack(1), 0);
                let mut weights = self.by_buffer(arcs, front, 0);
                for (s0, weight) in weights.iter_mut().enumerate().filter(|_| by_root) {
                    *weight = weight.plus(arcs[s0 * nodes]);
                }
                weights
            }
            _ => {
                (0..front).map(|s0| if s0 == 0 { S::ZERO } else { self.reduce(&[s0, 0], front, 0) }).collect()
            }
        }
    }

    /// The weight of removing each node from a slot with any permitted buffer head, for arc scores.
    pub(super) fn by_buffer(&self, arcs: &[S], front: usize, slot: usize) -> Vec<S> {
        let nodes = self.words() + 1;
        let permits = |head: usize| self.inventory.permits(Address::Buffer(head - front), slot);
        let permitted: Vec<usize> = (front..nodes).filter(|&head| permits(head)).collect();
        let weight = |row: &[S]| permitted.iter().fold(S::ZERO, |sum, &head| sum.plus(row[head]));
        (0..front).map(|node| weight(&arcs[node * nodes..][..nodes])).collect()
    }

    /// Every way to remove s2 with a head in the buffer, without the part of the weight that depends on the other nodes.
    pub(super) fn deepest_reduces(&self, s2: usize, front: usize) -> impl Iterator<Item = Step<S>> + '_ {
        let ahead = (0..(self.words() + 1).saturating_sub(front)).map(Address::Buffer);
        ahead.filter(|&head| self.inventory.permits(head, 2)).map(move |head| {
            let arc = (View { stack: &[], front }.node(head), s2);
            Step::Reduce { head, slot: 2, arc, weight: S::from_score(self.scores.deepest(arc.0, s2)) }
        })
    }
}

/// The weight of s0 removing s1, by (s1, s0): the same for every front. Only for arc scores.
pub(super) fn by_s0<S: Semiring>(weights: &Weights<'_, S>) -> Vec<S> {
    match &weights.arcs {
        Some(arcs) if weights.inventory.permits(Address::Stack(0), 1) => arcs.clone(),
        _ => vec![S::ZERO; (weights.words() + 1) * (weights.words() + 1)],
    }
}
