//! Scores of reduces, prepared for a chart.
//!
//! Charts do not ask for the score of one transition after the other; they combine whole rows of numbers, summed over the heads the
//! inventory permits. Here is what such rows are made of, and the rows for windows of two stack nodes; [`windows`](super::windows) has
//! those for three.

use crate::scores::{TransitionScores, View};
use crate::semiring::{Additive, Semiring};
use crate::system::{Address, Inventory, System};

/// A sentence's scores as seen through an inventory.
pub(super) struct Weights<'a, S, T: ?Sized> {
    pub inventory: &'a Inventory,
    pub scores: &'a T,
    /// Whether exactly one word hangs from the root. All others are then its descendants and gone when it is removed, so **an arc
    /// from the root is the last step of the run**, with nothing else on the stack and an empty buffer; it is forbidden everywhere else.
    pub single_root: bool,
    /// For arc scores: the weight of each arc, a row per dependent, by head. Without the root if it may be a head in the last step only.
    pub arcs: Option<Vec<S>>,
}

impl<'a, S: Semiring, T: TransitionScores + ?Sized> Weights<'a, S, T> {
    pub fn new(system: &'a System, scores: &'a T, single_root: bool) -> Weights<'a, S, T> {
        let frames = super::FrameSettings::of(system, scores.as_arcs().is_some());
        let arcs = scores.as_arcs().filter(|_| frames.is_none()).map(|arcs| {
            let nodes = arcs.len() + 1;
            let weight = |dependent, head| match head {
                0 if single_root => S::ZERO,
                _ => S::from_score(arcs.get(head, dependent)),
            };
            (0..nodes).flat_map(|dependent| (0..nodes).map(move |head| weight(dependent, head))).collect()
        });
        Weights { inventory: system.inventory(), scores, single_root, arcs }
    }

    pub fn words(&self) -> usize {
        self.scores.words()
    }

    /// The weight of shifting.
    pub fn shift(&self, top: Option<usize>, front: usize) -> S {
        S::from_score(self.scores.shift(top, front))
    }

    /// Every permitted head of the node in stack slot `dependent`, the weight of taking it, and where it is. Stack slots first,
    /// from the top, then the buffer.
    pub fn heads<'v>(
        &'v self,
        stack: &'v [usize],
        front: usize,
        dependent: usize,
    ) -> impl Iterator<Item = (Address, usize, S)> + 'v {
        let window = (0..stack.len()).filter(move |&place| place != dependent).map(Address::Stack);
        let ahead = (self.words() + 1).saturating_sub(front).min(self.inventory.reach_of_heads(dependent));
        let buffer = (0..ahead).map(Address::Buffer);
        let permitted = window.chain(buffer).filter(move |&head| self.inventory.permits(head, dependent));
        let last_step = front > self.words() && stack.len() == 2;
        permitted.filter_map(move |head| {
            let node = match head {
                Address::Stack(place) => stack[place],
                Address::Buffer(place) => front + place,
            };
            let possible = !self.single_root || (node == 0) == last_step || stack[stack.len() - 1] != 0;
            let score = || self.scores.reduce(View { stack, front }, head, dependent);
            possible.then(|| (head, node, S::from_score(score())))
        })
    }

    /// The weight of removing the node in a stack slot, summed over heads.
    pub fn reduce(&self, stack: &[usize], front: usize, dependent: usize) -> S {
        self.heads(stack, front, dependent).fold(S::ZERO, |sum, (_, _, weight)| sum.plus(weight))
    }

    /// The weight of removing s0 where the root is s1, by s0.
    pub fn at_bottom(&self, front: usize) -> Vec<S> {
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
    pub fn by_buffer(&self, arcs: &[S], front: usize, slot: usize) -> Vec<S> {
        let nodes = self.words() + 1;
        let permits = |head: usize| self.inventory.permits(Address::Buffer(head - front), slot);
        let permitted: Vec<usize> = (front..nodes).filter(|&head| permits(head)).collect();
        let weight = |row: &[S]| permitted.iter().fold(S::ZERO, |sum, &head| sum.plus(row[head]));
        (0..front).map(|node| weight(&arcs[node * nodes..][..nodes])).collect()
    }

    /// Calls `visit` with each buffer head that may remove s2, and its share of them all.
    pub fn split_deepest_by_buffer(&self, front: usize, s2: usize, mut visit: impl FnMut(usize, f64))
    where
        S: Additive,
    {
        let permits = |head: usize| self.inventory.permits(Address::Buffer(head - front), 2);
        let heads = || (front..=self.words()).filter(|&head| permits(head));
        let weight = |head| S::from_score(self.scores.deepest(head, s2));
        let whole = heads().fold(S::ZERO, |sum, head| sum.plus(weight(head)));
        heads().for_each(|head| visit(head, S::share(weight(head), whole)));
    }
}

/// Weights in windows of two stack nodes with one front.
pub(super) struct PairWeights<S> {
    front: usize,
    /// Removing s0, by (s1, s0).
    top: Vec<S>,
    /// Removing s1 with a buffer head, by s1.
    pub by_buffer: Vec<S>,
}

impl<S: Semiring> PairWeights<S> {
    /// Only for arc scores: other ones need to see more than two nodes.
    pub fn at_front<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
        front: usize,
    ) -> PairWeights<S> {
        let arcs = weights.arcs.as_deref().unwrap_or_default();
        let nodes = weights.words() + 1;
        let by_buffer = weights.by_buffer(arcs, front, 0);
        let by_s1 = weights.inventory.permits(Address::Stack(1), 0);
        let mut top = vec![S::ZERO; front * front];
        for s1 in 0..front {
            for s0 in s1 + 1..front {
                let by_stack = if by_s1 { arcs[s0 * nodes + s1] } else { S::ZERO };
                top[s1 * front + s0] = by_buffer[s0].plus(by_stack);
            }
        }
        PairWeights { front, top, by_buffer: weights.by_buffer(arcs, front, 1) }
    }

    /// Removing s0 in windows (s1, ·), by s0.
    #[inline(always)]
    pub fn row(&self, s1: usize) -> &[S] {
        &self.top[s1 * self.front..][..self.front]
    }

    /// The weight of s0 removing s1, by (s1, s0): the same for every front.
    pub fn by_s0<T: TransitionScores + ?Sized>(weights: &Weights<'_, S, T>) -> Vec<S> {
        match &weights.arcs {
            Some(arcs) if weights.inventory.permits(Address::Stack(0), 1) => arcs.clone(),
            _ => vec![S::ZERO; (weights.words() + 1) * (weights.words() + 1)],
        }
    }
}
