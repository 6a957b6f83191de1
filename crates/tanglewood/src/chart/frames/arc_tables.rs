//! Weights of arcs, laid out as the kernels read them.

use super::FrameSettings;
use super::layout::{Group, groups};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::scores::ArcScores;
use crate::semiring::Semiring;

/// Weights of arcs, and their sums over the buffer.
pub(in crate::chart) struct ArcTables<S> {
    nodes: usize,
    pub single_root: bool,
    /// By head and then dependent. Without the root if it may be a head in the last step only.
    from: Vec<S>,
    /// The same by dependent and then head.
    to: Vec<S>,
    /// The same by groups of heads and then dependent.
    groups: Vec<Group<S>>,
    /// The root's arcs, by dependent.
    from_root: Vec<S>,
    /// By front and then dependent: the sum over permitted heads in the buffer.
    ahead: Vec<S>,
}

impl<S: Semiring> ArcTables<S> {
    pub fn new(
        scores: &ArcScores,
        settings: FrameSettings,
        single_root: bool,
    ) -> Result<ArcTables<S>, OutOfMemory> {
        let nodes = scores.len() + 1;
        let mut tables = ArcTables {
            nodes,
            single_root,
            from: table(nodes * nodes, S::ZERO)?,
            to: table(nodes * nodes, S::ZERO)?,
            groups: table(groups(nodes) * nodes, [S::ZERO; LANES])?,
            from_root: table(nodes, S::ZERO)?,
            ahead: table((nodes + 1) * nodes, S::ZERO)?,
        };
        for (dependent, &score) in scores.row(0).iter().enumerate() {
            tables.from_root[dependent] = S::from_score(score);
        }
        for head in usize::from(single_root)..nodes {
            let groups = &mut tables.groups[head / LANES * nodes..][..nodes];
            for (dependent, &score) in scores.row(head).iter().enumerate() {
                let weight = S::from_score(score);
                tables.from[head * nodes + dependent] = weight;
                tables.to[dependent * nodes + head] = weight;
                groups[dependent][head % LANES] = weight;
            }
        }
        for front in (1..nodes).rev() {
            let (here, ahead) = tables.ahead[front * nodes..].split_at_mut(nodes);
            for dependent in 1..front {
                let ahead = if settings.lookahead { ahead[dependent] } else { S::ZERO };
                here[dependent] = tables.from[front * nodes + dependent].plus(ahead);
            }
        }
        Ok(tables)
    }

    /// The weight of all heads in the buffer.
    #[inline(always)]
    pub fn ahead(&self, front: usize, dependent: usize) -> S {
        self.ahead[front * self.nodes + dependent]
    }

    /// The weight of an arc from a node other than the only root.
    #[inline(always)]
    pub fn arc(&self, head: usize, dependent: usize) -> S {
        self.from[head * self.nodes + dependent]
    }

    /// The weights of arcs from the root, by dependent.
    pub fn root_arcs(&self) -> &[S] {
        &self.from_root
    }

    /// The weights of arcs to a node, by head.
    #[inline(always)]
    pub(super) fn to(&self, dependent: usize) -> &[S] {
        &self.to[dependent * self.nodes..][..self.nodes]
    }

    /// The weights of arcs from a group of heads, by dependent.
    #[inline(always)]
    pub(super) fn group_arcs(&self, group: usize) -> &[Group<S>] {
        &self.groups[group * self.nodes..][..self.nodes]
    }

    /// The weights of arcs from the node below the top, by dependent; none if it is the single root, and this
    /// is not the last step.
    #[inline(always)]
    pub fn from(&self, s1: usize, front: usize) -> Option<&[S]> {
        match self.single_root && s1 == 0 {
            true => (front == self.nodes).then_some(&self.from_root[..]),
            false => Some(&self.from[s1 * self.nodes..][..self.nodes]),
        }
    }

    /// With one root, an arc from it is the last step: nothing but it and its dependent is left.
    #[inline(always)]
    pub(super) fn only_root(&self, front: usize, s1: usize) -> bool {
        self.single_root && s1 == 0 && front == self.nodes
    }

    /// The weight of removing s0 by the node `s1` below it or by the buffer, for each s0 from `first` on.
    #[inline(always)]
    pub(super) fn by_neighbours(&self, front: usize, s1: usize, first: usize, row: &mut [S]) {
        let (nodes, length) = (self.nodes, row.len());
        let from = if self.only_root(front, s1) { &self.from_root } else { &self.from[s1 * nodes..] };
        let (from, ahead) = (&from[first..][..length], &self.ahead[front * nodes + first..][..length]);
        for at in 0..length {
            row[at] = from[at].plus(ahead[at]);
        }
    }

    /// The weights of arcs from an inner node of the stack, by dependent.
    #[inline(always)]
    pub(super) fn arcs_from(&self, head: usize) -> &[S] {
        &self.from[head * self.nodes..][..self.nodes]
    }

    /// The weight of removing s1 between s0 and the node below it, \[x, s1\], by any of them or the buffer,
    /// for each s0 from `first` on.
    #[inline(always)]
    pub(super) fn inner_by_any(&self, front: usize, [x, s1]: [usize; 2], first: usize, row: &mut [S]) {
        let (others, by_s0) =
            (self.arc(x, s1).plus(self.ahead(front, s1)), &self.to(s1)[first..][..row.len()]);
        for at in 0..row.len() {
            row[at] = others.plus(by_s0[at]);
        }
    }

    /// The weight of a removal; see [`Removals`](super::removals::Removals).
    #[inline(always)]
    pub(super) fn removal(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let (dependent, deepest) = (stack[slot], stack[stack.len() - 1]);
        if stack.len() == 2 && self.only_root(front, deepest) {
            return self.from_root[dependent];
        }
        let by_deepest = self.arc(deepest, dependent);
        if stack.len() > slot + 2 {
            return by_deepest;
        }
        let by_stack = stack[..slot].iter().map(|&head| self.to(dependent)[head]);
        by_stack.fold(by_deepest, S::plus).plus(self.ahead(front, dependent))
    }
}
