//! From numbers back to runs, and to the parts that items are made of.
//!
//! Charts keep no back-pointers. Which reduce an item came from is found again in three steps: the frame and the node removed, with the
//! weights of its possible heads summed; the whole items the frame consists of; the head.

use super::weights::{ArcWeights, FrameWeights, WindowWeights};
use super::{FrameChart, Question};
use crate::chart::lanes::LANES;
use crate::scores::TransitionScores;
use crate::semiring::Semiring;
use crate::system::Address;
use crate::transition::Transition;

/// Up to five nodes, the last one the front of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    nodes: [usize; 5],
    length: usize,
}

impl Frame {
    pub fn of(nodes: &[usize]) -> Frame {
        let mut frame = Frame { nodes: [0; 5], length: nodes.len() };
        frame.nodes[..nodes.len()].copy_from_slice(nodes);
        frame
    }

    pub fn nodes(&self) -> &[usize] {
        &self.nodes[..self.length]
    }

    pub fn front(&self) -> usize {
        self.nodes[self.length - 1]
    }

    /// With one more node at a place.
    #[inline(always)]
    fn with(&self, place: usize, node: usize) -> Frame {
        let mut frame = Frame { nodes: [0; 5], length: self.length + 1 };
        frame.nodes[..place].copy_from_slice(&self.nodes[..place]);
        frame.nodes[place] = node;
        frame.nodes[place + 1..=self.length].copy_from_slice(&self.nodes[place..self.length]);
        frame
    }
}

/// Reduces of one node in a frame with heads that need the same part of the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub frame: Frame,
    /// Which node of the frame goes.
    pub removed: usize,
    /// The deepest node of the frame that is needed: the one below the node that goes, or a head further down.
    pub deepest: usize,
}

impl Way {
    /// The stack as the reduce sees it, its top first, and how much there is of it.
    #[inline(always)]
    fn view(&self) -> ([usize; 4], usize) {
        let stack = &self.frame.nodes()[self.deepest..self.frame.length - 1];
        let mut view = [0; 4];
        for (seen, &node) in view.iter_mut().zip(stack.iter().rev()) {
            *seen = node;
        }
        (view, stack.len())
    }

    /// The stack slot of the node that goes.
    pub fn slot(&self) -> usize {
        self.frame.length - 2 - self.removed
    }

    pub fn dependent(&self) -> usize {
        self.frame.nodes[self.removed]
    }

    /// The weight, summed over heads.
    #[inline(always)]
    fn weight<S: Semiring>(&self, weights: &impl FrameWeights<S>) -> S {
        let ([s0, s1, s2, s3], seen) = self.view();
        match (self.slot(), seen) {
            (0, 2) => weights.near(s0, s1),
            (0, 3) => weights.s0_by_s2(s0, s1, s2),
            (1, 3) => weights.s1_by_any(s0, s1, s2),
            (0, _) => weights.s0_by_s3_group(s0, s1, s2, s3 / LANES)[s3 % LANES],
            (1, _) => weights.s1_by_s3_group(s0, s1, s2, s3 / LANES)[s3 % LANES],
            (_, _) => weights.s2_by_any_group(s0, s1, s2, s3 / LANES)[s3 % LANES],
        }
    }

    /// Each head: where it is, which node it is, and the weight of the reduce.
    pub fn heads<S: Semiring, T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
        question: Question,
    ) -> impl Iterator<Item = (Address, usize, S)> {
        let front = self.frame.front();
        let Question { lookahead, single_root, .. } = question;
        let weights = WindowWeights { scores, lookahead, single_root, front };
        let (view, seen) = self.view();
        let slot = self.slot();
        let any = seen == slot + 2;
        let stack = (0..seen).filter(move |&place| if any { place != slot } else { place + 1 == seen });
        let buffer = weights.buffer_heads().filter(move |_| any);
        stack.map(Address::Stack).chain(buffer).map(move |head| {
            let node = match head {
                Address::Stack(place) => view[place],
                Address::Buffer(place) => front + place,
            };
            (head, node, weights.reduce(&view[..seen], head, slot))
        })
    }
}

impl<S: Semiring> FrameChart<S> {
    /// The weight of a whole item.
    #[inline(always)]
    pub(super) fn whole(&self, item: &[usize]) -> S {
        match *item {
            [a, d] => self.pair(a, d),
            [a, y, d] if self.question.frame > 3 => self.triples.get(a, y, d),
            [a, y, z, d] if self.question.frame > 4 => self.quadruples.get(a, y, z, d),
            _ => S::ZERO,
        }
    }

    /// A whole item and the shift of its last node.
    #[inline(always)]
    pub(super) fn shifted_whole(&self, item: &[usize], weights: &impl FrameWeights<S>) -> S {
        match *item {
            [a, d] => self.shifted(a, d),
            [.., top, node] => self.whole(item).times(weights.shift(Some(top), node)),
            _ => S::ZERO,
        }
    }

    /// The weight of a frame as a row of whole items of which the first reaches beyond node number `deepest`.
    #[inline(always)]
    pub(super) fn joined(&self, frame: &[usize], deepest: usize, weights: &impl FrameWeights<S>) -> S {
        let mut sum = self.whole(frame);
        for end in deepest + 1..frame.len() - 1 {
            let first = self.shifted_whole(&frame[..=end], weights);
            // At most three nodes are left after the first part of four, and so on down: the recursion is spelled out for the compiler.
            let rest = match frame[end..] {
                [a, d] => self.pair(a, d),
                [a, y, d] => self.whole(&[a, y, d]).plus(self.shifted(a, y).times(self.pair(y, d))),
                _ => self.joined_rest(&frame[end..], weights),
            };
            sum.add(first.times(rest));
        }
        sum
    }

    fn joined_rest(&self, frame: &[usize], weights: &impl FrameWeights<S>) -> S {
        let &[a, y, z, d] = frame else { return S::ZERO };
        let tail = self.whole(&[y, z, d]).plus(self.shifted(y, z).times(self.pair(z, d)));
        let parted_late = self.shifted_whole(&[a, y, z], weights).times(self.pair(z, d));
        self.whole(frame).plus(self.shifted(a, y).times(tail)).plus(parted_late)
    }

    /// Calls `visit` for every way to derive a whole item, with its weight.
    #[inline(always)]
    pub(super) fn ways(&self, item: Frame, weights: &impl FrameWeights<S>, mut visit: impl FnMut(Way, S)) {
        for removed in 1..item.length {
            for node in item.nodes[removed - 1] + 1..item.nodes[removed] {
                let frame = item.with(removed, node);
                for deepest in (0..removed).rev() {
                    let way = Way { frame, removed, deepest };
                    let joined = self.joined(frame.nodes(), deepest, weights);
                    visit(way, joined.times(way.weight(weights)));
                }
            }
        }
    }

    /// Calls `visit` for every row of whole items that a frame may consist of, the first of them beyond node number `deepest`. A row is given by the
    /// numbers of the nodes at which it is parted, as bits.
    pub(super) fn partings(
        &self,
        frame: &[usize],
        deepest: usize,
        weights: &impl FrameWeights<S>,
        mut visit: impl FnMut(usize, S),
    ) {
        let inner = ((1 << (frame.len() - 2)) - 1) << 1;
        for parting in (0..=inner).step_by(2).filter(|parting| parting & ((2 << deepest) - 1) == 0) {
            let mut weight = S::ONE;
            each_part(frame, parting, |part, last| {
                weight =
                    weight.times(if last { self.whole(part) } else { self.shifted_whole(part, weights) });
            });
            visit(parting, weight);
        }
    }

    /// A run, from its first to its last transition; `pick` chooses one of several weights, none if all are zero.
    pub fn derivation<T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
        pick: impl FnMut(&[S]) -> Option<usize>,
    ) -> Option<Vec<Transition>> {
        let Question { lookahead, single_root, .. } = self.question;
        match &self.arcs {
            Some(tables) => self.unwind(scores, &mut ArcWeights { tables, front: 0 }, pick),
            None => {
                let mut weights = WindowWeights { scores, lookahead, single_root, front: 0 };
                self.unwind(scores, &mut weights, pick)
            }
        }
    }

    fn unwind<T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
        weights: &mut impl FrameWeights<S>,
        mut pick: impl FnMut(&[S]) -> Option<usize>,
    ) -> Option<Vec<Transition>> {
        if self.start == S::ZERO {
            return None;
        }
        let mut backwards = Vec::with_capacity(2 * self.words + 1);
        // What is still to be written, from right to left: items, and shifts between them.
        let mut open = vec![Some(Frame::of(&[0, self.words + 1]))];
        let (mut ways, mut heads, mut partings) = (Vec::new(), Vec::new(), Vec::new());
        let mut candidates = Vec::new();
        while let Some(next) = open.pop() {
            let Some(item) = next else {
                backwards.push(Transition::Shift);
                continue;
            };
            if item.length == 2 && item.nodes[0] + 1 == item.nodes[1] {
                continue;
            }
            weights.move_to(item.front());
            ways.clear();
            candidates.clear();
            self.ways(item, weights, |way, weight| {
                ways.push((way.removed, way.dependent(), way.deepest));
                candidates.push(weight);
            });
            let (removed, node, deepest) = ways[pick(&candidates)?];
            let way = Way { frame: item.with(removed, node), removed, deepest };

            heads.clear();
            candidates.clear();
            for (head, _, weight) in way.heads::<S, T>(scores, self.question) {
                heads.push(head);
                candidates.push(weight);
            }
            let head = heads[pick(&candidates)?];
            backwards.push(Transition::Reduce { head, dependent: way.slot() });

            partings.clear();
            candidates.clear();
            self.partings(way.frame.nodes(), way.deepest, weights, |parting, weight| {
                partings.push(parting);
                candidates.push(weight);
            });
            each_part(way.frame.nodes(), partings[pick(&candidates)?], |part, last| {
                open.push(Some(Frame::of(part)));
                if !last {
                    open.push(None);
                }
            });
        }
        // The root is shifted first of all.
        backwards.push(Transition::Shift);
        backwards.reverse();
        Some(backwards)
    }
}

/// Calls `visit` with each part of a frame that is parted at some of its nodes, and whether it is the last one.
pub(super) fn each_part(frame: &[usize], parting: usize, mut visit: impl FnMut(&[usize], bool)) {
    let mut start = 0;
    for end in 1..frame.len() {
        let last = end + 1 == frame.len();
        if last || parting >> end & 1 == 1 {
            visit(&frame[start..=end], last);
            start = end;
        }
    }
}
