//! Scores of reduces, prepared for a chart.
//!
//! Charts do not ask for the score of one transition after the other; they combine whole rows of numbers. For each front of the
//! buffer, tables hold the weights of all reduces in all windows, summed over the heads the inventory permits. Computing them
//! takes O(n⁴) altogether, which disappears beside any chart but the smallest, and makes arc scores and transition scores the same thing
//! to a chart.

use super::frames::Question;
use super::lanes::padded;
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
    arcs: Option<Vec<S>>,
    /// For systems with frames, which make do without everything below.
    pub frames: Option<Question>,
}

impl<'a, S: Semiring, T: TransitionScores + ?Sized> Weights<'a, S, T> {
    pub fn new(system: &'a System, scores: &'a T, single_root: bool) -> Weights<'a, S, T> {
        let frames = Question::of(system, scores.as_arcs().is_some(), single_root);
        let arcs = scores.as_arcs().filter(|_| frames.is_none()).map(|arcs| {
            let nodes = arcs.len() + 1;
            let weight = |dependent, head| match head {
                0 if single_root => S::ZERO,
                _ => S::from_score(arcs.get(head, dependent)),
            };
            (0..nodes).flat_map(|dependent| (0..nodes).map(move |head| weight(dependent, head))).collect()
        });
        Weights { inventory: system.inventory(), scores, single_root, arcs, frames }
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
        let buffer = (0..(self.words() + 1).saturating_sub(front)).map(Address::Buffer);
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
    fn reduce(&self, stack: &[usize], front: usize, dependent: usize) -> S {
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
    fn by_buffer(&self, arcs: &[S], front: usize, slot: usize) -> Vec<S> {
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

/// Weights in windows of three stack nodes with one front; filled anew for each.
pub(super) struct WindowWeights<S> {
    front: usize,
    nodes: usize,
    stride: usize,
    /// Removing s0 and s1, by s1, s0 and then s2; zero where s2 ≥ s1. Rows are padded.
    top: [Vec<S>; 2],
    /// Removing s2 with a buffer head, by s2; padded.
    pub deepest_by_buffer: Vec<S>,
    /// Removing s2 with a stack node as head, by head and then s2; rows are padded. The same for every front.
    deepest: Vec<S>,
    /// What the other nodes of the window contribute when s2 is removed, by (s1, s0); empty if nothing.
    context: Vec<S>,
    /// Removing s0 where the root is s1, by s0.
    pub bottom: Vec<S>,
    /// Whether s0 may remove s2.
    pub by_s0: bool,
    /// Whether s1 may remove s2.
    pub by_s1: bool,
}

impl<S: Semiring> WindowWeights<S> {
    pub fn new<T: TransitionScores + ?Sized>(weights: &Weights<'_, S, T>) -> WindowWeights<S> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let table = || vec![S::ZERO; nodes * nodes * stride];
        let removes_deepest = weights.inventory.deepest_dependent() == 2;
        let mut deepest = vec![S::ZERO; if removes_deepest { nodes * stride } else { 0 }];
        if removes_deepest {
            for head in 2..nodes {
                for s2 in 1..head {
                    deepest[head * stride + s2] = S::from_score(weights.scores.deepest(head, s2));
                }
            }
        }
        WindowWeights {
            front: 0,
            nodes,
            stride,
            top: [table(), table()],
            deepest_by_buffer: vec![S::ZERO; if removes_deepest { stride } else { 0 }],
            deepest,
            context: Vec::new(),
            bottom: Vec::new(),
            by_s0: weights.inventory.permits(Address::Stack(0), 2),
            by_s1: weights.inventory.permits(Address::Stack(1), 2),
        }
    }

    /// Fills the tables for a front.
    #[inline(always)]
    pub fn move_to<T: TransitionScores + ?Sized>(&mut self, weights: &Weights<'_, S, T>, front: usize) {
        self.front = front;
        self.bottom = weights.at_bottom(front);
        match &weights.arcs {
            Some(arcs) => self.fill_from_arcs(weights, arcs),
            None => self.fill(weights),
        }
        if weights.inventory.deepest_dependent() == 2 {
            let permits = |head: usize| weights.inventory.permits(Address::Buffer(head - front), 2);
            let heads: Vec<usize> = (front..self.nodes).filter(|&head| permits(head)).collect();
            for s2 in 1..front {
                let weight = |&head: &usize| S::from_score(weights.scores.deepest(head, s2));
                self.deepest_by_buffer[s2] = heads.iter().map(weight).fold(S::ZERO, S::plus);
            }
            if weights.arcs.is_none() {
                self.context = vec![S::ZERO; front * front];
                for s1 in 0..front {
                    for s0 in s1 + 1..front {
                        let score = weights.scores.deepest_context(&[s0, s1], front);
                        self.context[s1 * front + s0] = S::from_score(score);
                    }
                }
            }
        }
    }

    /// Asks for every score.
    fn fill<T: TransitionScores + ?Sized>(&mut self, weights: &Weights<'_, S, T>) {
        for s1 in 1..self.front {
            for s0 in s1 + 1..self.front {
                for s2 in 0..s1 {
                    for slot in [0, 1] {
                        let at = (s1 * self.nodes + s0) * self.stride + s2;
                        self.top[slot][at] = weights.reduce(&[s0, s1, s2], self.front, slot);
                    }
                }
            }
        }
    }

    /// Row by row; buffer heads are summed once per front.
    #[inline(always)]
    fn fill_from_arcs<T: TransitionScores + ?Sized>(&mut self, weights: &Weights<'_, S, T>, arcs: &[S]) {
        let permits = |head, dependent| weights.inventory.permits(Address::Stack(head), dependent);
        let when = |permitted: bool, weight: S| if permitted { weight } else { S::ZERO };
        for slot in [0, 1] {
            let buffer = weights.by_buffer(arcs, self.front, slot);
            let (by_other, by_s2) = (permits(1 - slot, slot), permits(2, slot));
            for s1 in 1..self.front {
                for s0 in s1 + 1..self.front {
                    let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
                    let heads = &arcs[dependent * self.nodes..][..self.nodes];
                    let fixed = buffer[dependent].plus(when(by_other, heads[other]));
                    let row = &mut self.top[slot][(s1 * self.nodes + s0) * self.stride..][..s1];
                    for (weight, &by_stack) in row.iter_mut().zip(heads) {
                        *weight = if by_s2 { fixed.plus(by_stack) } else { fixed };
                    }
                }
            }
        }
    }

    /// Removing slot 0 or 1 of windows (·, s1, s0), by s2.
    #[inline(always)]
    pub fn row(&self, slot: usize, s1: usize, s0: usize) -> &[S] {
        &self.top[slot][(s1 * self.nodes + s0) * self.stride..][..self.stride]
    }

    /// Removing s2 with this stack node as head, by s2.
    #[inline(always)]
    pub fn deepest_row(&self, head: usize) -> &[S] {
        &self.deepest[head * self.stride..][..self.stride]
    }

    /// What (s1, s0) contribute when s2 is removed.
    #[inline(always)]
    pub fn context(&self, s1: usize, s0: usize) -> S {
        if self.context.is_empty() { S::ONE } else { self.context[s1 * self.front + s0] }
    }
}
