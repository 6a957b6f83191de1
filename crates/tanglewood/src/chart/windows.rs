//! Weights of reduces in windows of three stack nodes.
//!
//! For every window a chart needs rows by s2. With arc scores such a row is that of one dependent's heads, ⊕ what the other heads give, one number
//! for each window; with other scores every row is a table of its own. Both are read in the same way: a row at a place that depends on
//! s1 and s0, ⊕ a number.

use super::lanes::{LANES, NODES, PADDING, lanes, padded};
use super::weights::Weights;
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
    /// Removing s1 with s2 as the head, by head and then s1, where that does not depend on other nodes; rows begin with [`LANES`] zeros.
    second_by_head: Vec<S>,
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
    /// The same by other node and dependent, where s2 is ever removed; rows begin with [`LANES`] zeros.
    fixed_by_other: Vec<S>,
}

impl<S: Semiring> Top<S> {
    fn new(weights: &Weights<'_, S>, slot: usize) -> Top<S> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let fixed = vec![S::ZERO; nodes * nodes + PADDING];
        let removes_deepest = weights.inventory.deepest_dependent() == 2;
        let fixed_by_other = vec![S::ZERO; if removes_deepest { nodes * (LANES + nodes) } else { 0 }];
        let Some(arcs) = &weights.arcs else {
            let steps = [nodes * stride, stride];
            return Top {
                rows: vec![S::ZERO; (nodes * nodes + NODES) * stride],
                steps,
                fixed,
                fixed_by_other,
            };
        };
        if !weights.inventory.permits(Address::Stack(2), slot) {
            return Top { rows: vec![S::ZERO; stride], steps: [0, 0], fixed, fixed_by_other };
        }
        let mut rows = vec![S::ZERO; nodes * stride];
        for dependent in 0..nodes {
            rows[dependent * stride..][..nodes].copy_from_slice(&arcs[dependent * nodes..][..nodes]);
        }
        Top { rows, steps: [stride, 0], fixed, fixed_by_other }
    }
}

impl<S: Semiring> WindowWeights<S> {
    pub fn new(weights: &Weights<'_, S>) -> WindowWeights<S> {
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
        let mut second_by_head = Vec::new();
        if let Some(arcs) = weights.arcs.as_deref().filter(|_| removes_deepest) {
            second_by_head = vec![S::ZERO; nodes * stride + PADDING];
            for s1 in 1..nodes {
                for head in (0..s1).filter(|_| weights.inventory.permits(Address::Stack(2), 1)) {
                    second_by_head[head * stride + LANES + s1] = arcs[s1 * nodes + head];
                }
            }
        }
        WindowWeights {
            second_by_head,
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
    pub fn move_to(&mut self, weights: &Weights<'_, S>, front: usize) {
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
    fn fill(&mut self, weights: &Weights<'_, S>) {
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
    fn fill_from_arcs(&mut self, weights: &Weights<'_, S>, arcs: &[S]) {
        for slot in [0, 1] {
            let buffer = weights.by_buffer(arcs, self.front, slot);
            let by_other = weights.inventory.permits(Address::Stack(1 - slot), slot);
            for s1 in 1..self.front {
                for s0 in s1 + 1..self.front {
                    let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
                    let by_stack = if by_other { arcs[dependent * self.nodes + other] } else { S::ZERO };
                    let weight = buffer[dependent].plus(by_stack);
                    self.top[slot].fixed[dependent * self.nodes + other] = weight;
                    let place = other * (LANES + self.nodes) + LANES + dependent;
                    if let Some(cell) = self.top[slot].fixed_by_other.get_mut(place) {
                        *cell = weight;
                    }
                }
            }
        }
    }

    /// The row of a dependent by s2 beside one other node, without what [`WindowWeights::fixed`] adds.
    #[inline(always)]
    pub fn by_s2(&self, slot: usize, dependent: usize, other: usize) -> &[S] {
        let top = &self.top[slot];
        &top.rows[dependent * top.steps[0] + other * top.steps[1]..][..self.stride]
    }

    /// Whether that row is the same beside all other nodes, which it is for arc scores.
    #[inline(always)]
    pub fn shares_rows(&self) -> bool {
        self.top[0].steps[1] == 0
    }

    /// What is added to the rows of a dependent beside some other nodes.
    #[inline(always)]
    pub fn fixed(&self, slot: usize, dependent: usize, other: usize) -> [S; NODES] {
        lanes(&self.top[slot].fixed, dependent * self.nodes + other)
    }

    /// Removing the dependent, which is in slot 0 or 1, beside one other node, for s2 and those after it. What is given where s2 is not the lowest
    /// node has no meaning.
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

    /// Whether that is nothing.
    #[inline(always)]
    pub fn context_free(&self) -> bool {
        self.context.is_empty()
    }

    /// Reduces of a node in slot 0 or 1 beside another node.
    #[inline(always)]
    pub fn beside(&self, slot: usize, other: usize) -> Beside<'_, S> {
        let top = &self.top[slot];
        Beside {
            rows: &top.rows,
            start: other * top.steps[1],
            step: top.steps[0],
            others: &top.fixed_by_other[other * (LANES + self.nodes)..][..LANES + self.nodes],
        }
    }

    /// Removing each of the last nodes before `end`, which are in slot 1, beside another node with this s2 as the head.
    #[inline(always)]
    pub fn removed_by(&self, end: usize, other: usize, s2: usize) -> [S; LANES] {
        if self.shares_rows() {
            return lanes(&self.second_by_head, s2 * self.stride + end);
        }
        let mut weights = [S::ZERO; LANES];
        for lane in LANES.saturating_sub(end)..LANES {
            [weights[lane]] = self.beside(1, other).by_s2(end + lane - LANES, s2);
        }
        weights
    }

    /// Whether s2 may remove the node in slot 0 or 1, as far as is known.
    #[inline(always)]
    pub fn has_s2(&self, slot: usize) -> bool {
        self.top[slot].steps != [0, 0]
    }
}

/// Reduces of any node in slot 0 or 1 beside a certain other node.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a, S> {
    rows: &'a [S],
    start: usize,
    step: usize,
    others: &'a [S],
}

impl<'a, S: Semiring> Beside<'a, S> {
    /// Removing it with s2 as the head, for s2 and those after it.
    #[inline(always)]
    pub fn by_s2<const WIDTH: usize>(&self, dependent: usize, s2: usize) -> [S; WIDTH] {
        lanes(self.rows, self.start + dependent * self.step + s2)
    }

    /// Removing it with any other head, by node.
    #[inline(always)]
    pub fn by_others(&self) -> &'a [S] {
        &self.others[LANES..]
    }

    /// The same for the last nodes before `end`.
    #[inline(always)]
    pub fn last_by_others(&self, end: usize) -> [S; LANES] {
        lanes(self.others, end)
    }
}
