//! Weights of reduces in frames, and the collection of their outside weights.
//!
//! A reduce sees the stack down to its head or to the node below its dependent, whichever is deeper, and no
//! further. All reduces of one node that see the same part of the stack are one *removal*: if that part ends
//! right below the dependent, by any other node of it or by the buffer; if it goes deeper, by its deepest
//! node. Kernels ask for the weight of a removal for one deepest node, or for a group.

use super::FrameSettings;
use super::contexts::ContextUses;
use super::layout::{Group, add, groups, sum};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::scores::{ArcScores, OnUse, Use};
use crate::semiring::Semiring;

/// Weights as kernels ask for them. `stack` is what a removal sees, the top first; `above` is that without
/// the deepest node. Whatever is given for a group of deepest nodes that are not all below the others has no
/// meaning for those that are not.
pub(super) trait FrameWeights<S: Semiring> {
    /// Shifting `node` onto `top`.
    fn shift(&self, top: Option<usize>, node: usize) -> S;

    /// Removing the node in a slot.
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S;

    /// Removing s0 right above `s1`, for each s0 from s1 + 1 on.
    fn near_row(&self, front: usize, s1: usize, row: &mut [S]) {
        row.iter_mut().zip(s1 + 1..).for_each(|(weight, s0)| *weight = self.one(front, &[s0, s1], 0));
    }

    /// [`FrameWeights::one`] for a group of deepest nodes.
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        let mut weights = [S::ZERO; LANES];
        each_deepest(above, group, |lane, stack| weights[lane] = self.one(front, stack, slot));
        weights
    }

    /// The part of [`FrameWeights::group`] that does not depend on s0, where the node right above the deepest
    /// is removed; `below` is `above` without s0.
    fn base(&self, _front: usize, _below: &[usize], _group: usize) -> Group<S> {
        [S::ZERO; LANES]
    }

    /// [`FrameWeights::group`] where the node right above the deepest is removed, with their
    /// [base](FrameWeights::base).
    fn by_any(&self, _base: Group<S>, front: usize, above: &[usize], group: usize) -> Group<S> {
        self.group(front, above, above.len() - 1, group)
    }

    /// Adds the outside weight of a removal to those of its arcs.
    fn collect(&self, arcs: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S);

    /// [`FrameWeights::collect`] for a group of deepest nodes; terms are zero for those that are not below
    /// the others.
    fn collect_group(
        &self,
        arcs: &mut ArcOutside<'_, S>,
        front: usize,
        above: &[usize],
        slot: usize,
        group: usize,
        terms: Group<S>,
    ) {
        each_deepest(above, group, |lane, stack| self.collect(arcs, front, stack, slot, terms[lane]));
    }

    /// Called after [`FrameWeights::collect_group`] for all groups and for all s0 above `s1`, which `below`
    /// begins with.
    fn flush(&self, _arcs: &mut ArcOutside<'_, S>, _front: usize, _below: &[usize], _slot: usize) {}
}

/// Calls `visit` with each lane of a group of deepest nodes and the stack with that node, as far as it is
/// below the others.
fn each_deepest(above: &[usize], group: usize, mut visit: impl FnMut(usize, &[usize])) {
    let count = above.len();
    let mut stack = [0; 4];
    stack[..count].copy_from_slice(above);
    for (lane, deepest) in (group * LANES..above[count - 1]).take(LANES).enumerate() {
        stack[count] = deepest;
        visit(lane, &stack[..=count]);
    }
}

/// Outside weights of arcs, as far as they have been collected.
pub(super) struct ArcOutside<'u, S> {
    pub nodes: usize,
    /// By groups of heads and then dependents.
    arcs: Vec<Group<S>>,
    /// Of arcs from the only root, by dependent.
    pub from_root: Vec<S>,
    /// Of the sum over heads in the buffer, by front and then dependent.
    pub ahead: Vec<S>,
    /// By s0: what is still to be handed to all heads but the deepest, summed over groups.
    others: Vec<Group<S>>,
    /// The weight of all derivations with a removal in each context, if there are tables of contexts and
    /// anyone asks.
    pub contexts: Option<ContextUses<S>>,
    /// Takes the weight of all derivations with each use of a transition, if anyone asks.
    pub uses: OnUse<'u, S>,
}

impl<'u, S: Semiring> ArcOutside<'u, S> {
    pub fn new(nodes: usize, uses: OnUse<'u, S>) -> Result<ArcOutside<'u, S>, OutOfMemory> {
        let none = [S::ZERO; LANES];
        let (arcs, others) = (table(groups(nodes) * nodes, none)?, table(nodes, none)?);
        let (from_root, ahead) = (table(nodes, S::ZERO)?, table((nodes + 1) * nodes, S::ZERO)?);
        Ok(ArcOutside { nodes, arcs, from_root, ahead, others, contexts: None, uses })
    }

    /// Reports a transition, if anyone asks, with the weight of all derivations that have it there.
    #[inline(always)]
    pub fn used(&mut self, what: Use<'_>, weight: impl FnOnce() -> S) {
        if let Some(uses) = &mut self.uses {
            uses(what, weight());
        }
    }

    #[inline(always)]
    pub fn add(&mut self, head: usize, dependent: usize, term: S) {
        self.arcs[head / LANES * self.nodes + dependent][head % LANES].add(term);
    }

    /// The weight of all derivations with an arc, `[head][dependent]`. Without tables, what was collected has
    /// the arcs' weights in it.
    pub fn finish(
        mut self,
        tables: Option<&ArcTables<S>>,
        settings: FrameSettings,
    ) -> Result<Vec<S>, OutOfMemory> {
        let nodes = self.nodes;
        for dependent in 1..nodes {
            let mut outside = S::ZERO;
            for head in dependent + 1..nodes {
                let here = self.ahead[head * nodes + dependent];
                outside = if settings.lookahead { outside.plus(here) } else { here };
                self.add(head, dependent, outside);
            }
        }
        let mut weights = table(nodes * nodes, S::ZERO)?;
        for (at, weight) in weights.iter_mut().enumerate() {
            let (head, dependent) = (at / nodes, at % nodes);
            let outside = self.arcs[head / LANES * nodes + dependent][head % LANES];
            *weight = outside.times(tables.map_or(S::ONE, |tables| tables.from[at]));
            if head == 0 {
                let root = tables.map_or(S::ONE, |tables| tables.from_root[dependent]);
                weight.add(self.from_root[dependent].times(root));
            }
        }
        Ok(weights)
    }
}

/// Weights of arcs, and their sums over the buffer.
pub(in crate::chart) struct ArcTables<S> {
    pub(super) nodes: usize,
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

    /// The weights of arcs to a node, by head.
    #[inline(always)]
    pub(super) fn to(&self, dependent: usize) -> &[S] {
        &self.to[dependent * self.nodes..][..self.nodes]
    }

    /// The weights of arcs from a group, by dependent.
    #[inline(always)]
    pub(super) fn by_group(&self, group: usize) -> &[Group<S>] {
        &self.groups[group * self.nodes..][..self.nodes]
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
    fn only_root(&self, front: usize, s1: usize) -> bool {
        self.single_root && s1 == 0 && front == self.nodes
    }
}

/// Arc scores alone.
impl<S: Semiring> FrameWeights<S> for ArcTables<S> {
    #[inline(always)]
    fn shift(&self, _: Option<usize>, _: usize) -> S {
        S::ONE
    }

    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let (dependent, deepest) = (stack[slot], stack[stack.len() - 1]);
        if stack.len() == 2 && self.only_root(front, deepest) {
            return self.from_root[dependent];
        }
        let by_deepest = self.from[deepest * self.nodes + dependent];
        if stack.len() > slot + 2 {
            return by_deepest;
        }
        let by_stack = stack[..slot].iter().map(|&head| self.to[dependent * self.nodes + head]);
        by_stack.fold(by_deepest, S::plus).plus(self.ahead(front, dependent))
    }

    #[inline(always)]
    fn near_row(&self, front: usize, s1: usize, row: &mut [S]) {
        let (nodes, length) = (self.nodes, row.len());
        let from = if self.only_root(front, s1) { &self.from_root } else { &self.from[s1 * nodes..] };
        let from = &from[s1 + 1..][..length];
        let ahead = &self.ahead[front * nodes + s1 + 1..][..length];
        for at in 0..length {
            row[at] = from[at].plus(ahead[at]);
        }
    }

    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        match above.len() == slot + 1 {
            true => self.by_any(self.base(front, &above[1..], group), front, above, group),
            false => self.groups[group * self.nodes + above[slot]],
        }
    }

    #[inline(always)]
    fn base(&self, front: usize, below: &[usize], group: usize) -> Group<S> {
        let [heads @ .., dependent] = below else { return [S::ZERO; LANES] };
        let by_stack = heads.iter().map(|&head| self.to[dependent * self.nodes + head]);
        let others = by_stack.fold(self.ahead(front, *dependent), S::plus);
        self.groups[group * self.nodes + dependent].map(|weight| weight.plus(others))
    }

    #[inline(always)]
    fn by_any(&self, base: Group<S>, _: usize, above: &[usize], _: usize) -> Group<S> {
        let by_s0 = self.to[above[above.len() - 1] * self.nodes + above[0]];
        base.map(|weight| weight.plus(by_s0))
    }

    #[inline(always)]
    fn collect(&self, arcs: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        let (dependent, deepest) = (stack[slot], stack[stack.len() - 1]);
        if stack.len() == 2 && self.only_root(front, deepest) {
            arcs.from_root[dependent].add(term);
        } else {
            arcs.add(deepest, dependent, term);
        }
        if stack.len() == slot + 2 {
            stack[..slot].iter().for_each(|&head| arcs.add(head, dependent, term));
            arcs.ahead[front * self.nodes + dependent].add(term);
        }
    }

    #[inline(always)]
    fn collect_group(
        &self,
        arcs: &mut ArcOutside<'_, S>,
        _: usize,
        above: &[usize],
        slot: usize,
        group: usize,
        terms: Group<S>,
    ) {
        add(&mut arcs.arcs[group * self.nodes + above[slot]], terms);
        if above.len() == slot + 1 {
            add(&mut arcs.others[above[0]], terms);
        }
    }

    #[inline(always)]
    fn flush(&self, arcs: &mut ArcOutside<'_, S>, front: usize, below: &[usize], slot: usize) {
        let dependent = below[slot - 1];
        for s0 in below[0] + 1..front {
            let term = sum(std::mem::replace(&mut arcs.others[s0], [S::ZERO; LANES]));
            arcs.add(s0, dependent, term);
            below[..slot - 1].iter().for_each(|&head| arcs.add(head, dependent, term));
            arcs.ahead[front * self.nodes + dependent].add(term);
        }
    }
}
