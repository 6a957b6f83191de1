//! Weights of reduces in windows of three stack nodes.
//!
//! For every window a chart needs rows by s2. With arc scores such a row is that of one dependent's heads, ⊕
//! what the other heads give, one number for each window; with other scores every row is a table of its own.
//! Both are read in the same way: a row at a place that depends on s1 and s0, ⊕ a number.

use crate::chart::lanes::{LANES, Lanes, PADDING, ROWS, array, lanes, padded};
use crate::chart::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;
use crate::system::Address;

/// Weights in windows of three stack nodes with one front; filled anew for each.
pub(super) struct WindowWeights<'w, S> {
    pub weights: &'w Weights<'w, S>,
    front: usize,
    nodes: usize,
    /// Distance of rows, which are padded.
    stride: usize,
    /// Removing s0 and s1.
    top: [Top<S>; 2],
    /// Removing s1 with s2 as the head, by head and then s1, where that does not depend on other nodes; rows
    /// begin with [`LANES`] zeros.
    second_by_head: Vec<S>,
    /// Removing s2 with a head in the buffer, by front and then s2.
    deepest_ahead: Vec<S>,
    /// The buffer heads that may remove s2.
    pub buffer_heads: Vec<usize>,
    /// What the other nodes of the window contribute when s2 is removed, by (s1, s0); empty for arc scores,
    /// where that is nothing.
    context: Vec<S>,
    /// Removing s0 where the root is s1, by s0.
    pub bottom: Vec<S>,
    /// Whether s0, and s1, may remove s2.
    pub removed_by_stack: [bool; 2],
}

/// Removing s0, with s1 as the other node, or the other way round: rows by s2, and what is added to each.
struct Top<S> {
    rows: Vec<S>,
    /// Distances of the rows of neighbouring dependents, and of neighbouring other nodes; 0 if they are the
    /// same.
    steps: [usize; 2],
    /// By dependent and other node: the weight that does not depend on s2; padded.
    fixed: Vec<S>,
    /// The same by other node and dependent, where s2 is ever removed; rows begin with [`LANES`] zeros.
    fixed_by_other: Vec<S>,
}

impl<S: Semiring> Top<S> {
    fn new(weights: &Weights<'_, S>, slot: usize, removes_deepest: bool) -> Result<Top<S>, OutOfMemory> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let (size, steps) = match &weights.arcs {
            None => ((nodes * nodes + ROWS) * stride, [nodes * stride, stride]),
            Some(_) if weights.inventory.permits(Address::Stack(2), slot) => (nodes * stride, [stride, 0]),
            Some(_) => (stride, [0, 0]),
        };
        let mut rows = table(size, S::ZERO)?;
        if let Some(arcs) = weights.arcs.as_ref().filter(|_| steps[0] > 0) {
            for (row, arcs) in rows.chunks_exact_mut(stride).zip(arcs.chunks_exact(nodes)) {
                row[..nodes].copy_from_slice(arcs);
            }
        }
        let fixed = table(nodes * nodes + PADDING, S::ZERO)?;
        let by_other = if removes_deepest { nodes * (LANES + nodes) } else { 0 };
        Ok(Top { rows, steps, fixed, fixed_by_other: table(by_other, S::ZERO)? })
    }
}

impl<'w, S: Semiring> WindowWeights<'w, S> {
    pub fn new(weights: &'w Weights<'w, S>) -> Result<WindowWeights<'w, S>, OutOfMemory> {
        let nodes = weights.words() + 1;
        let stride = padded(nodes);
        let removes_deepest = weights.inventory.deepest_dependent() == 2;
        let size = |size| if removes_deepest { size } else { 0 };
        let mut deepest_ahead = Vec::new();
        if removes_deepest {
            deepest_ahead = weights.sums_ahead(2, |head, s2| weights.deepest(head, s2))?;
        }
        let mut second_by_head = Vec::new();
        if let Some(arcs) = weights.arcs.as_deref().filter(|_| removes_deepest) {
            second_by_head = table(nodes * stride + PADDING, S::ZERO)?;
            for s1 in (1..nodes).filter(|_| weights.inventory.permits(Address::Stack(2), 1)) {
                (0..s1).for_each(|head| second_by_head[head * stride + LANES + s1] = arcs[s1 * nodes + head]);
            }
        }
        Ok(WindowWeights {
            weights,
            front: 0,
            nodes,
            stride,
            top: [Top::new(weights, 0, removes_deepest)?, Top::new(weights, 1, removes_deepest)?],
            second_by_head,
            deepest_ahead,
            buffer_heads: Vec::new(),
            context: table(if weights.arcs.is_some() { 0 } else { size(nodes * nodes) }, S::ZERO)?,
            bottom: table(nodes, S::ZERO)?,
            removed_by_stack: [0, 1].map(|slot| weights.inventory.permits(Address::Stack(slot), 2)),
        })
    }

    /// Fills the tables for a front.
    pub fn move_to(&mut self, front: usize) {
        let weights = self.weights;
        self.front = front;
        (1..front).for_each(|s0| self.bottom[s0] = weights.reduce(&[s0, 0], front, 0));
        let permits = |head: &usize| weights.inventory.permits(Address::Buffer(head - front), 2);
        self.buffer_heads.clear();
        self.buffer_heads.extend((front..self.nodes).filter(permits));
        (0..2).for_each(|slot| self.set_top(slot));
        for s1 in 1..if self.context_free() { 0 } else { front } {
            for s0 in s1 + 1..front {
                let context = weights.scores.deepest_context(&[s0, s1], front);
                self.context[s1 * self.nodes + s0] = S::from_score(context);
            }
        }
    }

    /// Sets the weights of removing slot 0 or 1. For arc scores it is only what does not depend on s2: the
    /// rest is in place.
    fn set_top(&mut self, slot: usize) {
        let weights = self.weights;
        let (top, nodes, front) = (&mut self.top[slot], self.nodes, self.front);
        let by_other = weights.inventory.permits(Address::Stack(1 - slot), slot);
        let ahead = weights.ahead(slot, front);
        for (s1, s0) in (1..front).flat_map(|s1| (s1 + 1..front).map(move |s0| (s1, s0))) {
            let (dependent, other) = if slot == 0 { (s0, s1) } else { (s1, s0) };
            let Some(arcs) = &weights.arcs else {
                let row = dependent * top.steps[0] + other * top.steps[1];
                for s2 in 0..s1 {
                    top.rows[row + s2] = weights.reduce(&[s0, s1, s2], front, slot);
                }
                continue;
            };
            let by_stack = if by_other { arcs[dependent * nodes + other] } else { S::ZERO };
            let weight = ahead[dependent].plus(by_stack);
            top.fixed[dependent * nodes + other] = weight;
            if let Some(cell) = top.fixed_by_other.get_mut(other * (LANES + nodes) + LANES + dependent) {
                *cell = weight;
            }
        }
    }

    /// The row of a dependent by s2 beside one other node, without what [`WindowWeights::fixed`] adds.
    #[inline(always)]
    pub fn by_s2(&self, slot: usize, dependent: usize, other: usize) -> &[S] {
        let top = &self.top[slot];
        &top.rows[dependent * top.steps[0] + other * top.steps[1]..][..self.stride]
    }

    /// These rows for all dependents beside one other node, and their distance.
    #[inline(always)]
    pub fn rows_by_s2(&self, slot: usize, other: usize) -> (&[S], usize) {
        let top = &self.top[slot];
        (&top.rows[other * top.steps[1]..], top.steps[0])
    }

    /// Whether that row is the same beside all other nodes, which it is for arc scores.
    #[inline(always)]
    pub fn shares_rows(&self) -> bool {
        self.top[0].steps[1] == 0
    }

    /// What is added to the row of a dependent beside an other node.
    #[inline(always)]
    pub fn fixed(&self, slot: usize, dependent: usize, other: usize) -> S {
        self.top[slot].fixed[dependent * self.nodes + other]
    }

    /// Removing the dependent, which is in slot 0 or 1, beside one other node, for s2 and those after it.
    /// What is given where s2 is not the lowest node has no meaning.
    #[inline(always)]
    pub fn row<const COUNT: usize>(
        &self,
        slot: usize,
        dependent: usize,
        other: usize,
        s2: usize,
    ) -> [S; COUNT] {
        let row: [S; COUNT] = lanes(self.by_s2(slot, dependent, other), s2);
        let fixed = self.fixed(slot, dependent, other);
        array!(COUNT, lane => row[lane].plus(fixed))
    }

    /// Removing s2 with a head in the buffer, by s2.
    #[inline(always)]
    pub fn deepest_ahead(&self) -> &[S] {
        &self.deepest_ahead[self.front * self.nodes..][..self.nodes]
    }

    /// What (s1, s0) contribute when s2 is removed.
    #[inline(always)]
    pub fn context(&self, s1: usize, s0: usize) -> S {
        self.context.get(s1 * self.nodes + s0).copied().unwrap_or(S::ONE)
    }

    /// Whether that is nothing.
    #[inline(always)]
    pub fn context_free(&self) -> bool {
        self.context.is_empty()
    }

    /// Removing a node in slot 0 or 1, by node, beside another node with any head but s2, after [`LANES`]
    /// zeros.
    #[inline(always)]
    pub fn by_others(&self, slot: usize, other: usize) -> &[S] {
        &self.top[slot].fixed_by_other[other * (LANES + self.nodes)..][..LANES + self.nodes]
    }

    /// Removing each of the last nodes before `end`, which are in slot 1, beside another node with this s2 as
    /// the head.
    #[inline(always)]
    pub fn last_by_s2(&self, end: usize, other: usize, s2: usize) -> Lanes<S> {
        if self.shares_rows() {
            return lanes(&self.second_by_head, s2 * self.stride + end);
        }
        array!(LANES, lane => match (end + lane).checked_sub(LANES) {
            Some(node) => self.by_s2(1, node, other)[s2],
            None => S::ZERO,
        })
    }

    /// Whether s2 may remove the node in slot 0 or 1, as far as is known.
    #[inline(always)]
    pub fn has_s2(&self, slot: usize) -> bool {
        self.top[slot].steps != [0, 0]
    }
}
