//! Arc scores with contexts that are sums over pairs of nodes in the window, or depend on the top of the
//! stack, the front and the slot alone: the weights of removals are those of the arcs, times factors from
//! tables.

use super::FrameSettings;
use super::layout::{Group, add, groups, sum};
use super::weights::{ArcOutside, ArcTables, FrameWeights};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::scores::{HeadKind, TransitionScores, Use, View, WindowPair};
use crate::semiring::Semiring;

/// A number for each top or pair that removals from one slot see.
struct SlotTables<S> {
    /// By front and then top.
    tops: Vec<S>,
    pairs: Option<PairTables<S>>,
}

/// A number for each pair that removals from one slot see.
struct PairTables<S> {
    /// By s1 and then s0.
    s1s0: Vec<S>,
    /// By front and then s1.
    s1b0: Vec<S>,
    /// By groups of s2, and then s0. Empty for slots whose removals do not look at s2.
    s2s0: Vec<Group<S>>,
    /// The same by s1.
    s2s1: Vec<Group<S>>,
}

impl<S: Semiring> PairTables<S> {
    fn zeros(nodes: usize, with_s2: bool) -> Result<PairTables<S>, OutOfMemory> {
        let grouped = if with_s2 { groups(nodes) * nodes } else { 0 };
        Ok(PairTables {
            s1s0: table(nodes * nodes, S::ZERO)?,
            s1b0: table((nodes + 1) * nodes, S::ZERO)?,
            s2s0: table(grouped, [S::ZERO; LANES])?,
            s2s1: table(grouped, [S::ZERO; LANES])?,
        })
    }

    /// The number of a pair, the deeper node first.
    #[inline(always)]
    fn at(&mut self, nodes: usize, pair: WindowPair, [deeper, other]: [usize; 2]) -> &mut S {
        let (row, lane) = (deeper / LANES * nodes + other, deeper % LANES);
        match pair {
            WindowPair::S1S0 => &mut self.s1s0[deeper * nodes + other],
            WindowPair::S1B0 => &mut self.s1b0[other * nodes + deeper],
            WindowPair::S2S0 => &mut self.s2s0[row][lane],
            WindowPair::S2S1 => &mut self.s2s1[row][lane],
        }
    }
}

/// A number for each context, for each slot from which nodes can be removed.
pub(super) struct ContextTables<S> {
    nodes: usize,
    slots: Vec<SlotTables<S>>,
}

impl<S: Semiring> ContextTables<S> {
    fn zeros(nodes: usize, frame: usize, with_pairs: bool) -> Result<ContextTables<S>, OutOfMemory> {
        let of_slot = |slot| {
            let pairs = with_pairs.then(|| PairTables::zeros(nodes, frame > 3 && slot < 2)).transpose()?;
            Ok(SlotTables { tops: table((nodes + 1) * nodes, S::ZERO)?, pairs })
        };
        Ok(ContextTables { nodes, slots: (0..frame - 2).map(of_slot).collect::<Result<_, OutOfMemory>>()? })
    }

    /// Calls `visit` with each context that a sentence can have, and its number.
    fn each(&mut self, mut visit: impl FnMut(Use<'_>, &mut S)) {
        let nodes = self.nodes;
        for (slot, tables) in self.slots.iter_mut().enumerate() {
            // The root is never on top of what is removed.
            for (front, top) in (1..=nodes).flat_map(|front| (1..front).map(move |top| (front, top))) {
                visit(Use::ReduceByTop { top, front, slot }, &mut tables.tops[front * nodes + top]);
            }
            let Some(pairs) = &mut tables.pairs else { continue };
            for pair in WindowPair::ALL {
                let others = match pair {
                    WindowPair::S1B0 => 1..nodes + 1,
                    WindowPair::S2S0 | WindowPair::S2S1 if pairs.s2s0.is_empty() => 0..0,
                    _ => 1..nodes,
                };
                for (other, deeper) in others.flat_map(|other| (0..other).map(move |deeper| (other, deeper)))
                {
                    let of = [deeper, other];
                    visit(Use::ReduceByPair { pair, nodes: of, slot }, pairs.at(nodes, pair, of));
                }
            }
        }
    }

    /// The product of all factors for one removal; `stack` is what it sees.
    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let weight = self.of_s1(front, stack[0], stack[1], slot);
        match (stack.get(2), &self.slots[slot].pairs) {
            (Some(&s2), Some(pairs)) if slot < 2 => {
                let (group, lane) = (s2 / LANES * self.nodes, s2 % LANES);
                weight.times(pairs.s2s0[group + stack[0]][lane]).times(pairs.s2s1[group + stack[1]][lane])
            }
            _ => weight,
        }
    }

    /// The factors without s2.
    #[inline(always)]
    fn of_s1(&self, front: usize, s0: usize, s1: usize, slot: usize) -> S {
        let SlotTables { tops, pairs } = &self.slots[slot];
        let weight = tops[front * self.nodes + s0];
        match pairs {
            Some(pairs) => {
                weight.times(pairs.s1s0[s1 * self.nodes + s0]).times(pairs.s1b0[front * self.nodes + s1])
            }
            None => weight,
        }
    }

    /// [`ContextTables::one`] for a group of deepest nodes.
    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        match (above, &self.slots[slot].pairs) {
            (&[s0, s1], Some(pairs)) => {
                let with_s0 = &pairs.s2s0[group * self.nodes + s0];
                let with_s1 = &pairs.s2s1[group * self.nodes + s1];
                let weight = self.of_s1(front, s0, s1, slot);
                std::array::from_fn(|lane| with_s0[lane].times(with_s1[lane]).times(weight))
            }
            _ => [self.one(front, above, slot); LANES],
        }
    }
}

/// Weights of contexts and of shifts.
pub(super) struct Contexts<S> {
    /// By front and then top.
    shifts: Vec<S>,
    factors: ContextTables<S>,
}

impl<S: Semiring> Contexts<S> {
    /// The tables, if contexts are by top or by pairs.
    pub fn new(
        scores: &dyn TransitionScores,
        settings: FrameSettings,
    ) -> Result<Option<Contexts<S>>, OutOfMemory> {
        let by_pairs = scores.contexts_are_by_pairs();
        if !by_pairs && !scores.contexts_are_by_top() {
            return Ok(None);
        }
        let nodes = scores.words() + 1;
        let mut shifts = table(nodes * nodes, S::ZERO)?;
        for (front, top) in (1..nodes).flat_map(|front| (0..front).map(move |top| (front, top))) {
            shifts[front * nodes + top] = S::from_score(scores.shift(Some(top), front));
        }
        let mut factors = ContextTables::zeros(nodes, settings.frame, by_pairs)?;
        factors.each(|what, weight| {
            *weight = S::from_score(match what {
                Use::ReduceByPair { pair, nodes, slot } => scores.pair_context(pair, nodes, slot),
                Use::ReduceByTop { top, front, slot } => {
                    scores.context(View { stack: &[top], front }, HeadKind::Ahead, slot)
                }
                _ => 0.0,
            });
        });
        Ok(Some(Contexts { shifts, factors }))
    }
}

/// The weight of all derivations with a removal in each context, as far as it has been collected.
pub(super) struct ContextUses<S> {
    tables: ContextTables<S>,
    /// By slot and then s0, for the present front and the present nodes below s0: what is still to be added
    /// to contexts without the deepest node, in lanes.
    row: Vec<Group<S>>,
}

impl<S: Semiring> ContextUses<S> {
    /// Adds the weight of a removal to those of what it sees.
    #[inline(always)]
    fn add(&mut self, front: usize, stack: &[usize], slot: usize, weight: S) {
        let nodes = self.tables.nodes;
        let SlotTables { tops, pairs } = &mut self.tables.slots[slot];
        let [s0, s1] = [stack[0], stack[1]];
        tops[front * nodes + s0].add(weight);
        let Some(pairs) = pairs else { return };
        pairs.at(nodes, WindowPair::S1S0, [s1, s0]).add(weight);
        pairs.at(nodes, WindowPair::S1B0, [s1, front]).add(weight);
        if let Some(&s2) = stack.get(2).filter(|_| slot < 2) {
            pairs.at(nodes, WindowPair::S2S0, [s2, s0]).add(weight);
            pairs.at(nodes, WindowPair::S2S1, [s2, s1]).add(weight);
        }
    }

    /// Adds the weights of removals that differ in the deepest node they see.
    #[inline(always)]
    fn add_group(&mut self, above: &[usize], slot: usize, group: usize, weights: Group<S>) {
        let nodes = self.tables.nodes;
        add(&mut self.row[slot * nodes + above[0]], weights);
        if let (&[s0, s1], Some(pairs)) = (above, &mut self.tables.slots[slot].pairs) {
            add(&mut pairs.s2s0[group * nodes + s0], weights);
            add(&mut pairs.s2s1[group * nodes + s1], weights);
        }
    }

    /// Adds what was left over; `below` are the nodes below s0 but for the deepest.
    #[inline(always)]
    fn flush(&mut self, front: usize, below: &[usize], slot: usize) {
        let mut stack = [0; 4];
        let size = below.len() + 1;
        stack[1..size].copy_from_slice(below);
        for (slot, s0) in (0..=slot).flat_map(|slot| (below[0] + 1..front).map(move |s0| (slot, s0))) {
            let row = &mut self.row[slot * self.tables.nodes + s0];
            let weight = sum(std::mem::replace(row, [S::ZERO; LANES]));
            stack[0] = s0;
            self.add(front, &stack[..size], slot, weight);
        }
    }

    /// Reports all weights.
    pub fn report(mut self, uses: &mut dyn FnMut(Use<'_>, S)) {
        self.tables.each(|what, weight| uses(what, *weight));
    }
}

/// Weights of arcs and of contexts.
pub(super) struct InContext<'t, S> {
    pub arcs: &'t ArcTables<S>,
    pub contexts: &'t Contexts<S>,
}

impl<S: Semiring> InContext<'_, S> {
    /// Nothing collected yet.
    pub fn no_uses(&self) -> Result<ContextUses<S>, OutOfMemory> {
        let ContextTables { nodes, slots } = &self.contexts.factors;
        let with_pairs = slots.iter().any(|slot| slot.pairs.is_some());
        Ok(ContextUses {
            tables: ContextTables::zeros(*nodes, slots.len() + 2, with_pairs)?,
            row: table(slots.len() * nodes, [S::ZERO; LANES])?,
        })
    }
}

impl<S: Semiring> FrameWeights<S> for InContext<'_, S> {
    #[inline(always)]
    fn shift(&self, top: Option<usize>, node: usize) -> S {
        top.map_or(S::ONE, |top| self.contexts.shifts[node * self.arcs.nodes + top])
    }

    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        self.arcs.one(front, stack, slot).times(self.contexts.factors.one(front, stack, slot))
    }

    #[inline(always)]
    fn near_row(&self, front: usize, s1: usize, row: &mut [S]) {
        self.arcs.near_row(front, s1, row);
        for (weight, s0) in row.iter_mut().zip(s1 + 1..) {
            *weight = weight.times(self.contexts.factors.of_s1(front, s0, s1, 0));
        }
    }

    #[inline(always)]
    fn base(&self, front: usize, below: &[usize], group: usize) -> Group<S> {
        self.arcs.base(front, below, group)
    }

    #[inline(always)]
    fn by_any(&self, base: Group<S>, front: usize, above: &[usize], group: usize) -> Group<S> {
        let factors = self.contexts.factors.group(front, above, above.len() - 1, group);
        product(self.arcs.by_any(base, front, above, group), factors)
    }

    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        let factors = self.contexts.factors.group(front, above, slot, group);
        product(self.arcs.group(front, above, slot, group), factors)
    }

    #[inline(always)]
    fn collect(&self, outside: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        let of_arcs = term.times(self.contexts.factors.one(front, stack, slot));
        if let Some(uses) = &mut outside.contexts {
            uses.add(front, stack, slot, of_arcs.times(self.arcs.one(front, stack, slot)));
        }
        self.arcs.collect(outside, front, stack, slot, of_arcs);
    }

    #[inline(always)]
    fn collect_group(
        &self,
        outside: &mut ArcOutside<'_, S>,
        front: usize,
        above: &[usize],
        slot: usize,
        group: usize,
        terms: Group<S>,
    ) {
        let of_arcs = product(terms, self.contexts.factors.group(front, above, slot, group));
        if let Some(uses) = &mut outside.contexts {
            let weights = product(of_arcs, self.arcs.group(front, above, slot, group));
            uses.add_group(above, slot, group, weights);
        }
        self.arcs.collect_group(outside, front, above, slot, group, of_arcs);
    }

    #[inline(always)]
    fn flush(&self, outside: &mut ArcOutside<'_, S>, front: usize, below: &[usize], slot: usize) {
        if let Some(uses) = &mut outside.contexts {
            uses.flush(front, below, slot);
        }
        self.arcs.flush(outside, front, below, slot);
    }
}

#[inline(always)]
fn product<S: Semiring>(one: Group<S>, other: Group<S>) -> Group<S> {
    std::array::from_fn(|lane| one[lane].times(other[lane]))
}
