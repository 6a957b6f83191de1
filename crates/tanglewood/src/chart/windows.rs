//! Weights of reduces in windows of three stack nodes.
//!
//! For every window a chart needs rows by s2. With arc scores such a row is that of one dependent's heads, ⊕ what the other heads give, one number
//! for each window; with other scores every row is a table of its own. Both are read in the same way: a row at a place that depends on
//! s1 and s0, ⊕ a number.

use super::lanes::{NODES, PADDING, lanes, padded};
use super::weights::Weights;
use crate::scores::TransitionScores;
use crate::semiring::Semiring;
use crate::system::Address;

/// Weights in windows of three stack nodes with one front; filled anew for each.
pub(super) struct WindowWeights<S> {
    front: usize,
    nodes: usize,
    /// How far rows are apart, which are padded.
    stride: usize,
    /// Removing s0 and s1.
    top: [Top<S>; 2],
    /// The buffer heads that may remove s2.
    pub buffer_heads: Vec<usize>,
    /// Removing s2 with one of them, by s2; padded.
    pub deepest_by_buffer: Vec<S>,
    /// Removing s2 with a stack node as head, by head and then s2; rows are padded. The same for every front.
    deepest: Vec<S>,
    /// The same by s2 and then head.
    deepest_by_head: Vec<S>,
    /// What the other nodes of the window contribute when s2 is removed, by (s1, s0); empty if nothing.
    context: Vec<S>,
    /// Removing s0 where the root is s1, by s0.
    pub bottom: Vec<S>,
    /// Whether s0 may remove s2.
    pub by_s0: bool,
    /// Whether s1 may remove s2.
    pub by_s1: bool,
}

/// Removing s0, with s1 as the other node, or the other way round: rows by s2, and what is added to each.
struct Top<S> {
    rows: Vec<S>,
    /// How far the rows of neighbouring dependents, and of neighbouring other nodes, are apart; 0 if they are the same.
    steps: [usize; 2],
    /// By dependent and other node: the weight that does not depend on s2; padded.
    fixed: Vec<S>,
}

impl<S: Semiring> Top<S> {
    fn new<T: TransitionScores + ?Sized>(weights: &Weights<'_, S, T>, slot: usize) -> Top<S> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let fixed = vec![S::ZERO; nodes * nodes + PADDING];
        let Some(arcs) = &weights.arcs else {
            let steps = [nodes * stride, stride];
            return Top { rows: vec![S::ZERO; (nodes * nodes + NODES) * stride], steps, fixed };
        };
        if !weights.inventory.permits(Address::Stack(2), slot) {
            return Top { rows: vec![S::ZERO; stride], steps: [0, 0], fixed };
        }
        let mut rows = vec![S::ZERO; nodes * stride];
        for dependent in 0..nodes {
            rows[dependent * stride..][..nodes].copy_from_slice(&arcs[dependent * nodes..][..nodes]);
        }
        Top { rows, steps: [stride, 0], fixed }
    }
}

impl<S: Semiring> WindowWeights<S> {
    pub fn new<T: TransitionScores + ?Sized>(weights: &Weights<'_, S, T>) -> WindowWeights<S> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let removes_deepest = weights.inventory.deepest_dependent() == 2;
        let size = if removes_deepest { (nodes + NODES) * stride } else { 0 };
        let (mut deepest, mut deepest_by_head) = (vec![S::ZERO; size], vec![S::ZERO; size]);
        if removes_deepest {
            for head in 2..nodes {
                for s2 in 1..head {
                    let weight = S::from_score(weights.scores.deepest(head, s2));
                    deepest[head * stride + s2] = weight;
                    deepest_by_head[s2 * stride + head] = weight;
                }
            }
        }
        WindowWeights {
            front: 0,
            nodes,
            stride,
            top: [Top::new(weights, 0), Top::new(weights, 1)],
            buffer_heads: Vec::new(),
            deepest_by_buffer: vec![S::ZERO; if removes_deepest { stride } else { 0 }],
            deepest,
            deepest_by_head,
            context: Vec::new(),
            bottom: Vec::new(),
            by_s0: weights.inventory.permits(Address::Stack(0), 2),
            by_s1: weights.inventory.permits(Address::Stack(1), 2),
        }
    }

    /// Fills the tables for a front.
    pub fn move_to<T: TransitionScores + ?Sized>(&mut self, weights: &Weights<'_, S, T>, front: usize) {
        self.front = front;
        self.bottom = weights.at_bottom(front);
        match &weights.arcs {
            Some(arcs) => self.fill_from_arcs(weights, arcs),
            None => self.fill(weights),
        }
        if weights.inventory.deepest_dependent() == 2 {
            let permits = |head: usize| weights.inventory.permits(Address::Buffer(head - front), 2);
            self.buffer_heads = (front..self.nodes).filter(|&head| permits(head)).collect();
            for s2 in 1..front {
                let weight = |&head: &usize| S::from_score(weights.scores.deepest(head, s2));
                self.deepest_by_buffer[s2] = self.buffer_heads.iter().map(weight).fold(S::ZERO, S::plus);
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
                        let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
                        let at = (dependent * self.nodes + other) * self.stride + s2;
                        self.top[slot].rows[at] = weights.reduce(&[s0, s1, s2], self.front, slot);
                    }
                }
            }
        }
    }

    /// Only what does not depend on s2: the rest is in place.
    fn fill_from_arcs<T: TransitionScores + ?Sized>(&mut self, weights: &Weights<'_, S, T>, arcs: &[S]) {
        for slot in [0, 1] {
            let buffer = weights.by_buffer(arcs, self.front, slot);
            let by_other = weights.inventory.permits(Address::Stack(1 - slot), slot);
            for s1 in 1..self.front {
                for s0 in s1 + 1..self.front {
                    let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
                    let by_stack = if by_other { arcs[dependent * self.nodes + other] } else { S::ZERO };
                    self.top[slot].fixed[dependent * self.nodes + other] = buffer[dependent].plus(by_stack);
                }
            }
        }
    }

    /// Removing the dependent, which is in slot 0 or 1, beside some other nodes, for s2 and those after it. What is given where s2 is not the lowest
    /// node has no meaning.
    #[inline(always)]
    pub fn rows<const WIDTH: usize>(
        &self,
        slot: usize,
        dependent: usize,
        other: usize,
        s2: usize,
    ) -> [[S; WIDTH]; NODES] {
        let top = &self.top[slot];
        let fixed: [S; NODES] = lanes(&top.fixed, dependent * self.nodes + other);
        let place = dependent * top.steps[0] + other * top.steps[1] + s2;
        let mut rows = [[S::ZERO; WIDTH]; NODES];
        for q in 0..NODES {
            let row: [S; WIDTH] = lanes(&top.rows, place + q * top.steps[1]);
            for lane in 0..WIDTH {
                rows[q][lane] = row[lane].plus(fixed[q]);
            }
        }
        rows
    }

    /// The row of a dependent by s2 if it is the same beside all other nodes, which it is for arc scores: then sums of products with it and with
    /// [`WindowWeights::fixed`] are cheaper than with [`WindowWeights::rows`].
    #[inline(always)]
    pub fn shared_row(&self, slot: usize, dependent: usize) -> &[S] {
        let top = &self.top[slot];
        &top.rows[dependent * top.steps[0]..][..self.stride]
    }

    /// The row of a dependent by s2 beside one other node, without what [`WindowWeights::fixed`] adds.
    #[inline(always)]
    pub fn by_s2(&self, slot: usize, dependent: usize, other: usize) -> &[S] {
        let top = &self.top[slot];
        &top.rows[dependent * top.steps[0] + other * top.steps[1]..][..self.stride]
    }

    /// Whether there are such rows.
    #[inline(always)]
    pub fn shares_rows(&self) -> bool {
        self.top[0].steps[1] == 0
    }

    /// What is added to the rows of a dependent beside some other nodes.
    #[inline(always)]
    pub fn fixed(&self, slot: usize, dependent: usize, other: usize) -> [S; NODES] {
        lanes(&self.top[slot].fixed, dependent * self.nodes + other)
    }

    /// The same beside one other node.
    #[inline(always)]
    pub fn row<const WIDTH: usize>(
        &self,
        slot: usize,
        dependent: usize,
        other: usize,
        s2: usize,
    ) -> [S; WIDTH] {
        let top = &self.top[slot];
        let mut row: [S; WIDTH] = lanes(&top.rows, dependent * top.steps[0] + other * top.steps[1] + s2);
        for lane in 0..WIDTH {
            row[lane] = row[lane].plus(top.fixed[dependent * self.nodes + other]);
        }
        row
    }

    /// Removing slot 0 or 1 of the window (s2, s1, s0).
    pub fn one(&self, slot: usize, s1: usize, s0: usize, s2: usize) -> S {
        let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
        let [weight] = self.row::<1>(slot, dependent, other, s2);
        weight
    }

    /// Removing s2 with this stack node as head, by s2.
    #[inline(always)]
    pub fn deepest_row(&self, head: usize) -> &[S] {
        &self.deepest[head * self.stride..][..self.stride]
    }

    /// Removing this s2 with a stack node as head, by head.
    #[inline(always)]
    pub fn deepest_heads(&self, s2: usize) -> &[S] {
        &self.deepest_by_head[s2 * self.stride..][..self.stride]
    }

    /// What (s1, s0) contribute when s2 is removed.
    #[inline(always)]
    pub fn context(&self, s1: usize, s0: usize) -> S {
        if self.context.is_empty() { S::ONE } else { self.context[s1 * self.front + s0] }
    }
}
