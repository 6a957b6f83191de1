//! Weights of removals for arc scores with contexts that are sums over pairs of nodes in the window: those by
//! top, times factors from tables of pairs.

use super::FrameSettings;
use super::by_top::ByTop;
use super::layout::{Group, add, groups, sum};
use super::weights::{ArcOutside, FrameWeights};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::scores::{TransitionScores, Use, WindowPair};
use crate::semiring::Semiring;

/// Numbers for the pairs that removals from one slot see.
struct SlotPairs<S> {
    /// By s1 and then s0.
    s1s0: Vec<S>,
    /// By front and then s1.
    s1b0: Vec<S>,
    /// By groups of s2, and then s0. Empty for slots whose removals do not look at s2.
    s2s0: Vec<Group<S>>,
    /// The same by s1.
    s2s1: Vec<Group<S>>,
}

impl<S: Semiring> SlotPairs<S> {
    fn zeros(nodes: usize, with_s2: bool) -> Result<SlotPairs<S>, OutOfMemory> {
        let grouped = if with_s2 { groups(nodes) * nodes } else { 0 };
        Ok(SlotPairs {
            s1s0: table(nodes * nodes, S::ZERO)?,
            s1b0: table((nodes + 1) * nodes, S::ZERO)?,
            s2s0: table(grouped, [S::ZERO; LANES])?,
            s2s1: table(grouped, [S::ZERO; LANES])?,
        })
    }

    /// The number of a pair, the deeper node first.
    #[inline(always)]
    fn at(&mut self, nodes: usize, pair: WindowPair, [deeper, other]: [usize; 2]) -> &mut S {
        let grouped = (deeper / LANES * nodes + other, deeper % LANES);
        match pair {
            WindowPair::S1S0 => &mut self.s1s0[deeper * nodes + other],
            WindowPair::S1B0 => &mut self.s1b0[other * nodes + deeper],
            WindowPair::S2S0 => &mut self.s2s0[grouped.0][grouped.1],
            WindowPair::S2S1 => &mut self.s2s1[grouped.0][grouped.1],
        }
    }

    /// Calls `visit` with each pair that a sentence can have, its nodes and its number.
    fn each(&mut self, nodes: usize, mut visit: impl FnMut(WindowPair, [usize; 2], &mut S)) {
        for pair in WindowPair::ALL {
            let others = match pair {
                WindowPair::S1B0 => 1..nodes + 1,
                WindowPair::S2S0 | WindowPair::S2S1 if self.s2s0.is_empty() => 0..0,
                _ => 1..nodes,
            };
            for (other, deeper) in others.flat_map(|other| (0..other).map(move |deeper| (other, deeper))) {
                visit(pair, [deeper, other], self.at(nodes, pair, [deeper, other]));
            }
        }
    }
}

/// Weights of contexts of pairs, for each slot from which nodes can be removed.
pub(super) struct PairContexts<S> {
    nodes: usize,
    slots: Vec<SlotPairs<S>>,
}

impl<S: Semiring> PairContexts<S> {
    /// The tables, if contexts are by pairs.
    pub fn new(
        scores: &dyn TransitionScores,
        settings: FrameSettings,
    ) -> Result<Option<PairContexts<S>>, OutOfMemory> {
        if !scores.contexts_are_by_pairs() {
            return Ok(None);
        }
        let nodes = scores.words() + 1;
        let mut slots = Vec::new();
        for slot in 0..settings.frame - 2 {
            let mut pairs = SlotPairs::zeros(nodes, settings.frame > 3 && slot < 2)?;
            pairs.each(nodes, |pair, of, weight| {
                *weight = S::from_score(scores.pair_context(pair, of, slot));
            });
            slots.push(pairs);
        }
        Ok(Some(PairContexts { nodes, slots }))
    }

    /// The factor for one removal; `stack` is what it sees.
    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let pairs = &self.slots[slot];
        let weight = self.of_s1(front, stack[0], stack[1], slot);
        match stack.get(2) {
            Some(&s2) if slot < 2 => {
                let place = |other: usize| (s2 / LANES * self.nodes + other, s2 % LANES);
                let (with_s0, with_s1) = (place(stack[0]), place(stack[1]));
                weight.times(pairs.s2s0[with_s0.0][with_s0.1]).times(pairs.s2s1[with_s1.0][with_s1.1])
            }
            _ => weight,
        }
    }

    #[inline(always)]
    fn of_s1(&self, front: usize, s0: usize, s1: usize, slot: usize) -> S {
        let pairs = &self.slots[slot];
        pairs.s1s0[s1 * self.nodes + s0].times(pairs.s1b0[front * self.nodes + s1])
    }

    /// [`PairContexts::one`] for a group of deepest nodes.
    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        match *above {
            [s0, s1] => {
                let pairs = &self.slots[slot];
                let with_s0 = &pairs.s2s0[group * self.nodes + s0];
                let with_s1 = &pairs.s2s1[group * self.nodes + s1];
                let weight = self.of_s1(front, s0, s1, slot);
                std::array::from_fn(|lane| with_s0[lane].times(with_s1[lane]).times(weight))
            }
            [_, _, ..] => [self.one(front, above, slot); LANES],
            // Kernels ask for groups with at least two nodes above the deepest.
            _ => [S::ZERO; LANES],
        }
    }
}

/// The weight of all derivations with a removal that sees a pair, as far as it has been collected.
pub(super) struct PairUses<S> {
    slots: Vec<SlotPairs<S>>,
    /// By slot and then s0, for the present front and the present nodes below s0: what is still to be added
    /// to pairs without the deepest node, in lanes.
    row: Vec<Group<S>>,
}

/// Weights of arcs, and of contexts by pairs.
pub(super) struct ByPairs<'t, S> {
    pub tops: ByTop<'t, S>,
    pub pairs: &'t PairContexts<S>,
}

impl<S: Semiring> ByPairs<'_, S> {
    /// Nothing collected yet.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn no_uses(&self) -> Result<PairUses<S>, OutOfMemory> {
        let (nodes, slots) = (self.pairs.nodes, &self.pairs.slots);
        let zeros = |pairs: &SlotPairs<S>| SlotPairs::zeros(nodes, !pairs.s2s0.is_empty());
        Ok(PairUses {
            slots: slots.iter().map(zeros).collect::<Result<_, _>>()?,
            row: table(slots.len() * nodes, [S::ZERO; LANES])?,
        })
    }
}

impl<S: Semiring> FrameWeights<S> for ByPairs<'_, S> {
    #[inline(always)]
    fn shift(&self, top: Option<usize>, node: usize) -> S {
        self.tops.shift(top, node)
    }

    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        self.tops.one(front, stack, slot).times(self.pairs.one(front, stack, slot))
    }

    #[inline(always)]
    fn near_row(&self, front: usize, s1: usize, row: &mut [S]) {
        self.tops.near_row(front, s1, row);
        let (nodes, pairs) = (self.pairs.nodes, &self.pairs.slots[0]);
        let with_s0 = &pairs.s1s0[s1 * nodes + s1 + 1..][..row.len()];
        let with_front = pairs.s1b0[front * nodes + s1];
        for at in 0..row.len() {
            row[at] = row[at].times(with_s0[at].times(with_front));
        }
    }

    #[inline(always)]
    fn base(&self, front: usize, below: &[usize], group: usize) -> Group<S> {
        self.tops.base(front, below, group)
    }

    #[inline(always)]
    fn by_any(&self, base: Group<S>, front: usize, above: &[usize], group: usize) -> Group<S> {
        let weights = self.tops.by_any(base, front, above, group);
        product(weights, self.pairs.group(front, above, above.len() - 1, group))
    }

    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        product(self.tops.group(front, above, slot, group), self.pairs.group(front, above, slot, group))
    }

    #[inline(always)]
    fn collect(&self, arcs: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        let of_tops = term.times(self.pairs.one(front, stack, slot));
        if let Some(uses) = &mut arcs.pairs {
            let weight = of_tops.times(self.tops.one(front, stack, slot));
            uses.add(self.pairs.nodes, front, stack, slot, weight);
        }
        self.tops.collect(arcs, front, stack, slot, of_tops);
    }

    #[inline(always)]
    fn collect_group(
        &self,
        arcs: &mut ArcOutside<'_, S>,
        front: usize,
        above: &[usize],
        slot: usize,
        group: usize,
        terms: Group<S>,
    ) {
        let of_tops = product(terms, self.pairs.group(front, above, slot, group));
        if let Some(uses) = &mut arcs.pairs {
            let nodes = self.pairs.nodes;
            let weights = product(of_tops, self.tops.group(front, above, slot, group));
            add(&mut uses.row[slot * nodes + above[0]], weights);
            if let [s0, s1] = *above {
                let pairs = &mut uses.slots[slot];
                add(&mut pairs.s2s0[group * nodes + s0], weights);
                add(&mut pairs.s2s1[group * nodes + s1], weights);
            }
        }
        self.tops.collect_group(arcs, front, above, slot, group, of_tops);
    }

    #[inline(always)]
    fn flush(&self, arcs: &mut ArcOutside<'_, S>, front: usize, below: &[usize], slot: usize) {
        if let Some(uses) = &mut arcs.pairs {
            let mut stack = [0; 4];
            let size = below.len() + 1;
            stack[1..size].copy_from_slice(below);
            for (slot, s0) in (0..=slot).flat_map(|slot| (below[0] + 1..front).map(move |s0| (slot, s0))) {
                let place = slot * self.pairs.nodes + s0;
                let weight = sum(std::mem::replace(&mut uses.row[place], [S::ZERO; LANES]));
                stack[0] = s0;
                uses.add(self.pairs.nodes, front, &stack[..size], slot, weight);
            }
        }
        self.tops.flush(arcs, front, below, slot);
    }

    fn end_layer(&self, arcs: &mut ArcOutside<'_, S>, front: usize) {
        self.tops.end_layer(arcs, front);
    }

    fn end(&self, arcs: &mut ArcOutside<'_, S>) {
        let Some(mut uses) = arcs.pairs.take() else { return };
        for (slot, pairs) in uses.slots.iter_mut().enumerate() {
            pairs.each(self.pairs.nodes, |pair, nodes, weight| {
                arcs.used(Use::ReduceByPair { pair, nodes, slot }, || *weight);
            });
        }
    }
}

impl<S: Semiring> PairUses<S> {
    /// Adds the weight of a removal to those of the pairs in `stack` and the front.
    #[inline(always)]
    fn add(&mut self, nodes: usize, front: usize, stack: &[usize], slot: usize, weight: S) {
        let pairs = &mut self.slots[slot];
        let [s0, s1] = [stack[0], stack[1]];
        pairs.at(nodes, WindowPair::S1S0, [s1, s0]).add(weight);
        pairs.at(nodes, WindowPair::S1B0, [s1, front]).add(weight);
        if let Some(&s2) = stack.get(2).filter(|_| slot < 2) {
            pairs.at(nodes, WindowPair::S2S0, [s2, s0]).add(weight);
            pairs.at(nodes, WindowPair::S2S1, [s2, s1]).add(weight);
        }
    }
}

#[inline(always)]
fn product<S: Semiring>(one: Group<S>, other: Group<S>) -> Group<S> {
    std::array::from_fn(|lane| one[lane].times(other[lane]))
}
