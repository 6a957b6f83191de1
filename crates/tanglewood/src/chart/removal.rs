//! Rows of removals: reduces of one node, summed over heads where these need not be told apart.

use std::ops::ControlFlow;

use super::structure::Step;
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::scores::View;
use crate::semiring::Semiring;
use crate::system::Address;

/// Removals that differ in one node, the lane.
#[derive(Clone, Copy, Debug)]
pub(super) enum Removal {
    /// Removing the node in a slot, with any head. The lane is the stack node below the first `depth` of
    /// `above`; the others are 0.
    AnyHead { above: [usize; 2], depth: usize, slot: usize, front: usize, lanes: usize },
    /// Removing the lane, which is in the deepest slot of a window, with this node in slot `place` as its
    /// head; without the part of the weight that depends on the other nodes.
    ByStack { head: usize, place: usize, slot: usize },
    /// The same with a head in the buffer.
    ByBuffer { front: usize, slot: usize },
}

use Removal::{AnyHead, ByBuffer, ByStack};

impl Removal {
    /// Number of rows, with windows of two stack nodes, or also with those of three.
    pub fn rows(nodes: usize, three: bool) -> usize {
        2 * nodes + if three { 2 * nodes * nodes } else { 0 }
    }

    /// The number of a row.
    pub fn row(self, nodes: usize) -> usize {
        match self {
            AnyHead { above: [s0, _], depth: 1, .. } => s0,
            AnyHead { above: [s0, s1], slot, .. } => 2 * nodes + (slot * nodes + s0) * nodes + s1,
            ByStack { head, .. } => nodes + head,
            ByBuffer { .. } => nodes,
        }
    }

    pub fn lanes(self) -> usize {
        match self {
            AnyHead { lanes, .. } => lanes,
            ByStack { head: lanes, .. } | ByBuffer { front: lanes, .. } => lanes,
        }
    }

    /// The weight of a lane.
    pub fn weight<S: Semiring>(self, weights: &Weights<'_, S>, lane: usize) -> S {
        match self {
            AnyHead { above: [s0, s1], depth, slot, front, .. } => match depth {
                1 => weights.reduce(&[s0, lane], front, slot),
                _ => weights.reduce(&[s0, s1, lane], front, slot),
            },
            _ if lane == 0 => S::ZERO,
            ByStack { head, .. } => weights.deepest(head, lane),
            ByBuffer { front, slot } => {
                weights.deepest_reduces(lane, front, slot).fold(S::ZERO, |sum, step| sum.plus(step.weight()))
            }
        }
    }

    /// Calls `visit` with the reduces of a lane.
    pub fn steps<S: Semiring>(
        self,
        weights: &Weights<'_, S>,
        lane: usize,
        mut visit: impl FnMut(Step<S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            AnyHead { slot, .. } => {
                self.in_view(lane, |view| weights.reduces(view, slot).try_for_each(visit))
            }
            _ if lane == 0 => ControlFlow::Continue(()),
            ByStack { head, place, slot } => {
                let (arc, weight) = ((head, lane), weights.deepest(head, lane));
                visit(Step::Reduce { head: Address::Stack(place), slot, arc, weight })
            }
            ByBuffer { front, slot } => weights.deepest_reduces(lane, front, slot).try_for_each(visit),
        }
    }

    /// Calls `visit` with the view of a lane, unless it is the deepest node of a window that is removed.
    pub fn in_view(self, lane: usize, visit: impl FnOnce(View<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let AnyHead { above: [s0, s1], depth, front, .. } = self else { return ControlFlow::Continue(()) };
        let mut stack = [s0, s1, lane];
        stack[depth] = lane;
        visit(View { stack: &stack[..=depth], front })
    }
}

/// Weights of arcs, as far as an outside pass has collected them.
pub(super) struct ArcOutside<S> {
    nodes: usize,
    /// By head and then dependent.
    whole: Vec<S>,
    /// By dependent and then head: what is outside of arcs, to be multiplied by their weights.
    around: Vec<S>,
    /// The same for the sums over heads in the buffer in the layer at hand, for s0 and s1, by dependent.
    ahead: [Vec<S>; 2],
}

impl<S: Semiring> ArcOutside<S> {
    pub fn new(nodes: usize) -> Result<ArcOutside<S>, OutOfMemory> {
        let (whole, around) = (table(nodes * nodes, S::ZERO)?, table(nodes * nodes, S::ZERO)?);
        Ok(ArcOutside { nodes, whole, around, ahead: [table(nodes, S::ZERO)?, table(nodes, S::ZERO)?] })
    }

    /// Adds all derivations with a transition, given what is outside of it.
    pub fn add(&mut self, step: Step<S>, outside: S) {
        if let Step::Reduce { arc: (head, dependent), weight, .. } = step {
            self.whole[head * self.nodes + dependent].add(outside.times(weight));
        }
    }

    /// Adds what is outside of the lanes of a removal but the first one, the root: in loops over lanes where
    /// there are arc scores only. False if there is no such loop.
    pub fn add_lanes(&mut self, weights: &Weights<'_, S>, removal: Removal, outside: &[S]) -> bool {
        let AnyHead { above, depth, slot, .. } = removal else { return false };
        if weights.arcs.is_none() {
            return false;
        }
        let permits = |place| weights.inventory.permits(Address::Stack(place), slot);
        let around = &mut self.around[above[slot] * self.nodes..][..self.nodes];
        let mut sum = S::ZERO;
        for (lane, &outside) in outside.iter().enumerate().skip(1) {
            sum = sum.plus(outside);
            if permits(depth) {
                around[lane].add(outside);
            }
        }
        for place in (0..depth).filter(|&place| place != slot && permits(place)) {
            around[above[place]].add(sum);
        }
        self.ahead[slot][above[slot]].add(sum);
        true
    }

    /// Hands sums over heads in the buffer to these, at the end of a layer.
    pub fn finish_layer(&mut self, weights: &Weights<'_, S>, front: usize) {
        for (slot, dependent) in [0, 1].into_iter().flat_map(|slot| (1..front).map(move |node| (slot, node)))
        {
            let outside = std::mem::replace(&mut self.ahead[slot][dependent], S::ZERO);
            if outside != S::ZERO {
                let view = View { stack: &[dependent; 3], front };
                weights.by_buffer(view, slot).for_each(|step| self.add(step, outside));
            }
        }
    }

    /// The weights of all derivations with each arc.
    pub fn finish(mut self, weights: &Weights<'_, S>) -> Vec<S> {
        let arcs = weights.arcs.as_deref().unwrap_or_default();
        for (at, (&around, &weight)) in self.around.iter().zip(arcs).enumerate() {
            self.whole[at % self.nodes * self.nodes + at / self.nodes].add(around.times(weight));
        }
        self.whole
    }
}
