//! Charts for frames as structures of items, for derivations.
//!
//! A whole item comes from a removal in a frame that has one node more. The frame is a row of whole items,
//! taken apart from its left end; the removal is a sum over heads. These sums are items, too, but are taken
//! apart as soon as they are reached.

use std::ops::ControlFlow;

use super::any_scores::Summand;
use super::frame::Frame;
use super::weights::FrameWeights;
use super::{FrameChart, Items};
use crate::chart::instances::FilledChart;
use crate::chart::structure::{Candidate, Step, Structure};
use crate::scores::View;
use crate::semiring::Semiring;
use crate::system::Address;

/// What names an item of a chart for frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chart) enum FrameItem {
    /// All complete derivations.
    Goal,
    /// The shift of the root.
    Root,
    /// A whole item.
    Whole(Frame),
    /// A whole item and the shift of its last node.
    Shifted(Frame),
    /// A row of whole items of which the first reaches beyond the node with this number.
    Joined(Frame, u32),
    /// All reduces of the node with the first number that see the frame down to the node with the second
    /// number.
    Removal(Frame, u32, u32),
    /// All arcs to a dependent in a slot from heads in the buffer.
    Ahead { front: u32, dependent: u32, slot: u32 },
}

impl<S: Semiring> Items<S> {
    /// The weight of a whole item.
    #[inline(always)]
    fn whole(&self, item: Frame) -> S {
        let node = |number| item.node(number);
        match item.length {
            2 => self.pair(node(0), node(1)),
            3 if self.frame > 3 => self.triples.get(node(0), [node(1)], node(2)),
            4 if self.frame > 4 => self.quadruples.get(node(0), [node(1), node(2)], node(3)),
            _ => S::ZERO,
        }
    }

    /// The weight of a whole item and the shift of its last node.
    #[inline(always)]
    fn whole_shifted(&self, item: Frame, weights: &(impl FrameWeights<S> + ?Sized)) -> S {
        match item.length() {
            2 => self.shifted(item.node(0), item.node(1)),
            length => {
                self.whole(item).times(weights.shift(Some(item.node(length - 2)), item.node(length - 1)))
            }
        }
    }

    /// The weight of a row of whole items of which the first reaches beyond a node.
    #[inline(always)]
    fn joined(&self, frame: Frame, deepest: usize, weights: &(impl FrameWeights<S> + ?Sized)) -> S {
        let last = frame.length() - 1;
        (deepest + 1..last).fold(self.whole(frame), |sum, end| {
            let first = self.whole_shifted(frame.part(0, end), weights);
            let rest = match last - end {
                1 => self.pair(frame.node(end), frame.node(last)),
                _ => self.joined_rest(frame.part(end, last), weights),
            };
            sum.plus(first.times(rest))
        })
    }

    /// [`Items::joined`] for what is left after the first part.
    fn joined_rest(&self, frame: Frame, weights: &(impl FrameWeights<S> + ?Sized)) -> S {
        self.joined(frame, 0, weights)
    }

    /// Calls `visit` with each frame and removal that a whole item comes from, the number of the removed
    /// node, that of the deepest node it sees, and the weights of both.
    #[inline(always)]
    fn ways(
        &self,
        item: Frame,
        weights: &(impl FrameWeights<S> + ?Sized),
        mut visit: impl FnMut(Frame, usize, usize, [S; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for removed in 1..item.length() {
            for node in item.node(removed - 1) + 1..item.node(removed) {
                let frame = item.with(removed, node);
                for deepest in (0..removed).rev() {
                    let (stack, size) = frame.stack(deepest);
                    let removal = weights.one(frame.front(), &stack[..size], frame.length() - 2 - removed);
                    visit(frame, removed, deepest, [self.joined(frame, deepest, weights), removal])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S: Semiring> FrameChart<'_, S> {
    /// The heads of a removal.
    fn heads(
        &self,
        (frame, removed, deepest): (Frame, usize, usize),
        mut visit: impl FnMut(Candidate<FrameItem, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (stack, size) = frame.stack(deepest);
        let (view, slot) =
            (View { stack: &stack[..size], front: frame.front() }, frame.length() - 2 - removed);
        let dependent = stack[slot];
        self.weights.summands(view, slot, |summand| {
            visit(match summand {
                Summand::One(head, weight) => {
                    Candidate::axiom(Step::Reduce { head, slot, arc: (view.node(head), dependent), weight })
                }
                Summand::Ahead { arcs, context } => {
                    let [front, dependent, slot] = [view.front, dependent, slot].map(|number| number as u32);
                    let ahead = FrameItem::Ahead { front, dependent, slot };
                    Candidate { premises: [Some(ahead), None], factors: [arcs, context], step: Step::None }
                }
            })
        })
    }

    fn weight_with(&self, item: FrameItem, weights: &(impl FrameWeights<S> + ?Sized)) -> S {
        match item {
            FrameItem::Goal => self.total(),
            FrameItem::Root => self.start,
            FrameItem::Whole(item) => self.items.whole(item),
            FrameItem::Shifted(item) => self.items.whole_shifted(item, weights),
            FrameItem::Joined(frame, deepest) => self.items.joined(frame, deepest as usize, weights),
            FrameItem::Removal(frame, removed, deepest) => {
                let (stack, size) = frame.stack(deepest as usize);
                weights.one(frame.front(), &stack[..size], frame.length() - 2 - removed as usize)
            }
            FrameItem::Ahead { front, dependent, .. } => self
                .weights
                .arcs
                .as_ref()
                .map_or(S::ZERO, |arcs| arcs.ahead(front as usize, dependent as usize)),
        }
    }

    fn candidates_with(
        &self,
        item: FrameItem,
        weights: &(impl FrameWeights<S> + ?Sized),
        mut visit: impl FnMut(Candidate<FrameItem, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let items = &self.items;
        let premise = |item, weight| (Some(item), weight);
        let none = (None, S::ONE);
        let mut derive = |first: (_, S), second: (_, S), step| {
            visit(Candidate { premises: [first.0, second.0], factors: [first.1, second.1], step })
        };
        match item {
            FrameItem::Goal => {
                let whole = Frame::of([0, items.nodes]);
                let root = premise(FrameItem::Root, self.start);
                derive(root, premise(FrameItem::Whole(whole), items.whole(whole)), Step::None)
            }
            FrameItem::Root => derive(none, none, Step::Shift(self.start)),
            FrameItem::Whole(whole) if whole.length == 2 && whole.nodes[0] + 1 == whole.nodes[1] => {
                derive(none, none, Step::None)
            }
            FrameItem::Whole(whole) => {
                items.ways(whole, weights, |frame, removed, deepest, [joined, removal]| {
                    let joined = premise(FrameItem::Joined(frame, deepest as u32), joined);
                    let way = FrameItem::Removal(frame, removed as u32, deepest as u32);
                    derive(joined, premise(way, removal), Step::None)
                })
            }
            FrameItem::Shifted(whole) => {
                let [top, node] = [2, 1].map(|back| whole.node(whole.length() - back));
                let shift = Step::Shift(weights.shift(Some(top), node));
                derive(premise(FrameItem::Whole(whole), items.whole(whole)), none, shift)
            }
            FrameItem::Joined(frame, deepest) => {
                if frame.length() < items.frame {
                    derive(premise(FrameItem::Whole(frame), items.whole(frame)), none, Step::None)?;
                }
                let last = frame.length() - 1;
                (deepest as usize + 1..last).try_for_each(|end| {
                    let (first, rest) = (frame.part(0, end), frame.part(end, last));
                    let first = premise(FrameItem::Shifted(first), items.whole_shifted(first, weights));
                    let weight = items.joined(rest, 0, weights);
                    let rest =
                        if rest.length == 2 { FrameItem::Whole(rest) } else { FrameItem::Joined(rest, 0) };
                    derive(first, premise(rest, weight), Step::None)
                })
            }
            FrameItem::Removal(frame, removed, deepest) => {
                self.heads((frame, removed as usize, deepest as usize), visit)
            }
            FrameItem::Ahead { front, dependent, slot } => {
                let [front, dependent, slot] = [front, dependent, slot].map(|number| number as usize);
                let Some(arcs) = &self.weights.arcs else { return ControlFlow::Continue(()) };
                let end = if self.settings.lookahead { items.nodes } else { front + 1 };
                (front..end).try_for_each(|head| {
                    let (arc, weight) = ((head, dependent), arcs.arc(head, dependent));
                    visit(Candidate::axiom(Step::Reduce {
                        head: Address::Buffer(head - front),
                        slot,
                        arc,
                        weight,
                    }))
                })
            }
        }
    }
}

impl<S: Semiring> Structure<S> for FrameChart<'_, S> {
    type Item = FrameItem;

    fn goal(&self) -> FrameItem {
        FrameItem::Goal
    }

    fn weight(&self, item: FrameItem) -> S {
        match self.weights.arcs_alone() {
            Some(arcs) if S::VECTORS => self.weight_with(item, arcs),
            _ => self.weights.behind_one_type(|weights| self.weight_with(item, weights)),
        }
    }

    fn candidates(
        &self,
        item: FrameItem,
        visit: impl FnMut(Candidate<FrameItem, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.weights.arcs_alone() {
            Some(arcs) if S::VECTORS => self.candidates_with(item, arcs, visit),
            _ => self.weights.behind_one_type(|weights| self.candidates_with(item, weights, visit)),
        }
    }
}
