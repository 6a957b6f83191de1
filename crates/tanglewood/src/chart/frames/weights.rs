//! Weights of reduces in frames.
//!
//! A reduce sees the stack down to its head or to the node below its dependent, whichever is deeper, and no further. So there are six kinds: those
//! that see two stack nodes (s0 goes, by s1 or by the buffer), three (s0 by s2; s1 by anything) and four (s0 by s3, s1 by s3, s2 by anything).
//! Charts ask for a kind in one window, or in all windows that differ in the deepest node, as groups.

use super::layout::{Group, groups};
use crate::chart::lanes::LANES;
use crate::scores::{ArcScores, TransitionScores, View};
use crate::semiring::Semiring;
use crate::system::Address;

/// The weights of reduces with a given front of the buffer. Nodes are given from the top of the stack: s0, s1, ….
pub(super) trait FrameWeights<S: Semiring> {
    /// Goes on to another front.
    fn move_to(&mut self, front: usize);

    /// Shifting `node` onto `top`.
    fn shift(&self, top: Option<usize>, node: usize) -> S;

    /// s0 goes, by s1 or by the buffer.
    fn near(&self, s0: usize, s1: usize) -> S;

    /// [`FrameWeights::near`] for all s0 from s1 + 1 on.
    fn near_row(&self, s1: usize, row: &mut [S]) {
        for (s0, weight) in (s1 + 1..).zip(row) {
            *weight = self.near(s0, s1);
        }
    }

    /// s0 goes, by s2.
    fn s0_by_s2(&self, s0: usize, s1: usize, s2: usize) -> S;

    /// s1 goes, by s0, s2 or the buffer.
    fn s1_by_any(&self, s0: usize, s1: usize, s2: usize) -> S;

    /// [`FrameWeights::s0_by_s2`] for a group of s2; whatever it likes from s1 on. The same for the following ones.
    fn s0_by_s2_group(&self, s0: usize, s1: usize, group: usize) -> Group<S>;

    /// [`FrameWeights::s1_by_any`] for a group of s2.
    fn s1_by_any_group(&self, s0: usize, s1: usize, group: usize) -> Group<S>;

    /// s0 goes, by s3, for a group of s3.
    fn s0_by_s3_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S>;

    /// s1 goes, by s3.
    fn s1_by_s3_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S>;

    /// s2 goes, by s0, s1, s3 or the buffer.
    fn s2_by_any_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S>;
}

/// Weights that depend on head and dependent only.
pub(super) struct ArcTables<S> {
    words: usize,
    pub single_root: bool,
    /// For each group of heads, by dependent. Without the root if it may be a head in the last step only.
    pub arcs: Vec<Group<S>>,
    /// For each head, by dependent. Without the root if it may be a head in the last step only.
    pub from: Vec<S>,
    /// The root's arcs.
    pub from_root: Vec<S>,
    /// For each front a row by dependent: the sum over permitted heads in the buffer.
    by_buffer: Vec<S>,
}

impl<S: Semiring> ArcTables<S> {
    pub fn new(scores: &ArcScores, lookahead: bool, single_root: bool) -> ArcTables<S> {
        let words = scores.len();
        let nodes = words + 1;
        let weights = |head| scores.row(head).iter().map(|&score| S::from_score(score));
        let from_root: Vec<S> = weights(0).collect();
        let mut from = if single_root { vec![S::ZERO; nodes] } else { from_root.clone() };
        (1..nodes).for_each(|head| from.extend(weights(head)));
        let mut arcs = vec![[S::ZERO; LANES]; groups(nodes) * nodes];
        for head in 0..nodes {
            let groups = &mut arcs[head / LANES * nodes..][..nodes];
            for (group, &weight) in groups.iter_mut().zip(&from[head * nodes..]) {
                group[head % LANES] = weight;
            }
        }
        let mut by_buffer = vec![S::ZERO; (nodes + 1) * nodes];
        for front in (1..nodes).rev() {
            let (here, ahead) = by_buffer[front * nodes..].split_at_mut(nodes);
            for dependent in 1..front {
                let ahead = if lookahead { ahead[dependent] } else { S::ZERO };
                here[dependent] = from[front * nodes + dependent].plus(ahead);
            }
        }
        ArcTables { words, single_root, arcs, from, from_root, by_buffer }
    }
}

/// The same, with a front of the buffer.
#[derive(Clone, Copy)]
pub(super) struct ArcWeights<'a, S> {
    pub tables: &'a ArcTables<S>,
    pub front: usize,
}

impl<'a, S: Semiring> ArcWeights<'a, S> {
    /// s1 goes, by s0 or the buffer.
    #[inline(always)]
    pub fn others(&self, s0: usize, s1: usize) -> S {
        self.arc(s0, s1).plus(self.buffer(s1))
    }

    #[inline(always)]
    pub fn arc(&self, head: usize, dependent: usize) -> S {
        self.tables.from[head * (self.tables.words + 1) + dependent]
    }

    #[inline(always)]
    fn buffer(&self, dependent: usize) -> S {
        self.tables.by_buffer[self.front * (self.tables.words + 1) + dependent]
    }

    #[inline(always)]
    fn arcs_of_group(&self, group: usize, dependent: usize) -> Group<S> {
        self.tables.arcs[group * (self.tables.words + 1) + dependent]
    }
}

#[inline(always)]
fn plus_all<S: Semiring>(mut row: Group<S>, term: S) -> Group<S> {
    for lane in 0..LANES {
        row[lane] = row[lane].plus(term);
    }
    row
}

impl<S: Semiring> FrameWeights<S> for ArcWeights<'_, S> {
    fn move_to(&mut self, front: usize) {
        self.front = front;
    }

    #[inline(always)]
    fn shift(&self, _: Option<usize>, _: usize) -> S {
        S::ONE
    }

    #[inline(always)]
    fn near(&self, s0: usize, s1: usize) -> S {
        if s1 == 0 && self.tables.single_root {
            // An arc from the root is the last step.
            return if self.front > self.tables.words { self.tables.from_root[s0] } else { self.buffer(s0) };
        }
        self.arc(s1, s0).plus(self.buffer(s0))
    }

    #[inline(always)]
    fn near_row(&self, s1: usize, row: &mut [S]) {
        let nodes = self.tables.words + 1;
        let length = row.len();
        let from = &self.tables.from[s1 * nodes + s1 + 1..][..length];
        let buffer = &self.tables.by_buffer[self.front * nodes + s1 + 1..][..length];
        // An arc from the only root is the last step.
        let last_step = s1 == 0 && self.tables.single_root && self.front > self.tables.words;
        let from = if last_step { &self.tables.from_root[1..][..length] } else { from };
        for at in 0..length {
            row[at] = from[at].plus(buffer[at]);
        }
    }

    #[inline(always)]
    fn s0_by_s2(&self, s0: usize, _: usize, s2: usize) -> S {
        self.arc(s2, s0)
    }

    #[inline(always)]
    fn s1_by_any(&self, s0: usize, s1: usize, s2: usize) -> S {
        self.arc(s2, s1).plus(self.arc(s0, s1).plus(self.buffer(s1)))
    }

    #[inline(always)]
    fn s0_by_s2_group(&self, s0: usize, _: usize, group: usize) -> Group<S> {
        self.arcs_of_group(group, s0)
    }

    #[inline(always)]
    fn s1_by_any_group(&self, s0: usize, s1: usize, group: usize) -> Group<S> {
        plus_all(self.arcs_of_group(group, s1), self.others(s0, s1))
    }

    #[inline(always)]
    fn s0_by_s3_group(&self, s0: usize, _: usize, _: usize, group: usize) -> Group<S> {
        self.arcs_of_group(group, s0)
    }

    #[inline(always)]
    fn s1_by_s3_group(&self, _: usize, s1: usize, _: usize, group: usize) -> Group<S> {
        self.arcs_of_group(group, s1)
    }

    #[inline(always)]
    fn s2_by_any_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S> {
        let others = self.arc(s0, s2).plus(self.arc(s1, s2));
        plus_all(self.arcs_of_group(group, s2), others.plus(self.buffer(s2)))
    }
}

/// Any scores of transitions, asked for as they are needed: each of them once, so nothing would be gained by a table.
pub(super) struct WindowWeights<'a, T: ?Sized> {
    pub scores: &'a T,
    pub lookahead: bool,
    pub single_root: bool,
    pub front: usize,
}

impl<T: TransitionScores + ?Sized> WindowWeights<'_, T> {
    /// The weight of one reduce. `stack` is what it sees.
    pub fn reduce<S: Semiring>(&self, stack: &[usize], head: Address, dependent: usize) -> S {
        let root_is_head = matches!(head, Address::Stack(place) if stack[place] == 0);
        let last_step = stack.len() == 2 && self.front > self.scores.words();
        if root_is_head && self.single_root && !last_step {
            return S::ZERO;
        }
        S::from_score(self.scores.reduce(View { stack, front: self.front }, head, dependent))
    }

    /// Where buffer heads may be.
    pub fn buffer_heads(&self) -> impl Iterator<Item = Address> + use<T> {
        let there = (self.scores.words() + 1).saturating_sub(self.front);
        (0..if self.lookahead { there } else { there.min(1) }).map(Address::Buffer)
    }

    /// The sum over all heads in the given stack places and in the buffer.
    fn by_any<S: Semiring>(&self, stack: &[usize], places: &[usize], dependent: usize) -> S {
        let heads = places.iter().copied().map(Address::Stack).chain(self.buffer_heads());
        heads.fold(S::ZERO, |sum, head| sum.plus(self.reduce(stack, head, dependent)))
    }

    /// `weight` for the nodes of a group that are below `end`.
    fn each<S: Semiring>(group: usize, end: usize, weight: impl Fn(usize) -> S) -> Group<S> {
        let mut weights = [S::ZERO; LANES];
        for (lane, node) in weights.iter_mut().zip(group * LANES..end) {
            *lane = weight(node);
        }
        weights
    }
}

impl<S: Semiring, T: TransitionScores + ?Sized> FrameWeights<S> for WindowWeights<'_, T> {
    fn move_to(&mut self, front: usize) {
        self.front = front;
    }

    fn shift(&self, top: Option<usize>, node: usize) -> S {
        S::from_score(self.scores.shift(top, node))
    }

    fn near(&self, s0: usize, s1: usize) -> S {
        self.by_any(&[s0, s1], &[1], 0)
    }

    fn s0_by_s2(&self, s0: usize, s1: usize, s2: usize) -> S {
        self.reduce(&[s0, s1, s2], Address::Stack(2), 0)
    }

    fn s1_by_any(&self, s0: usize, s1: usize, s2: usize) -> S {
        self.by_any(&[s0, s1, s2], &[0, 2], 1)
    }

    fn s0_by_s2_group(&self, s0: usize, s1: usize, group: usize) -> Group<S> {
        Self::each(group, s1, |s2| self.s0_by_s2(s0, s1, s2))
    }

    fn s1_by_any_group(&self, s0: usize, s1: usize, group: usize) -> Group<S> {
        Self::each(group, s1, |s2| self.s1_by_any(s0, s1, s2))
    }

    fn s0_by_s3_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S> {
        Self::each(group, s2, |s3| self.reduce(&[s0, s1, s2, s3], Address::Stack(3), 0))
    }

    fn s1_by_s3_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S> {
        Self::each(group, s2, |s3| self.reduce(&[s0, s1, s2, s3], Address::Stack(3), 1))
    }

    fn s2_by_any_group(&self, s0: usize, s1: usize, s2: usize, group: usize) -> Group<S> {
        Self::each(group, s2, |s3| self.by_any(&[s0, s1, s2, s3], &[0, 1, 3], 2))
    }
}
