//! Weights of removals for arc scores with contexts that depend on the top of the stack, the front and the
//! slot alone: those of the arcs, times a factor from a table.

use super::FrameSettings;
use super::layout::{Group, sum};
use super::weights::{ArcOutside, ArcTables, FrameWeights};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::scores::{HeadKind, TransitionScores, Use, View};
use crate::semiring::Semiring;

/// Weights of contexts and of shifts, by front and then top.
pub(super) struct TopContexts<S> {
    shifts: Vec<S>,
    /// A table for each slot from which nodes can be removed.
    slots: Vec<Vec<S>>,
}

impl<S: Semiring> TopContexts<S> {
    /// The tables, if contexts are by top or by pairs.
    pub fn new(
        scores: &dyn TransitionScores,
        settings: FrameSettings,
    ) -> Result<Option<TopContexts<S>>, OutOfMemory> {
        if !scores.contexts_are_by_top() && !scores.contexts_are_by_pairs() {
            return Ok(None);
        }
        let nodes = scores.words() + 1;
        let by_front = |weight: &dyn Fn(usize, usize) -> f64, fronts: std::ops::RangeInclusive<usize>| {
            let mut weights = table((nodes + 1) * nodes, S::ZERO)?;
            for (front, top) in fronts.flat_map(|front| (0..front).map(move |top| (front, top))) {
                weights[front * nodes + top] = S::from_score(weight(front, top));
            }
            Ok(weights)
        };
        let shifts = by_front(&|front, top| scores.shift(Some(top), front), 1..=nodes - 1)?;
        let of_slot = |slot: usize| {
            let context = |front, top| match top {
                // The root is never on top of what is removed.
                0 => f64::NEG_INFINITY,
                _ => scores.context(View { stack: &[top], front }, HeadKind::Ahead, slot),
            };
            by_front(&context, 1..=nodes)
        };
        let slots = (0..settings.frame - 2).map(of_slot).collect::<Result<_, OutOfMemory>>()?;
        Ok(Some(TopContexts { shifts, slots }))
    }
}

/// Weights of arcs and of contexts.
pub(super) struct ByTop<'t, S> {
    pub arcs: &'t ArcTables<S>,
    pub contexts: &'t TopContexts<S>,
}

impl<S: Semiring> ByTop<'_, S> {
    #[inline(always)]
    fn context(&self, front: usize, top: usize, slot: usize) -> S {
        self.contexts.slots[slot][front * self.arcs.nodes + top]
    }
}

impl<S: Semiring> FrameWeights<S> for ByTop<'_, S> {
    #[inline(always)]
    fn shift(&self, top: Option<usize>, node: usize) -> S {
        top.map_or(S::ONE, |top| self.contexts.shifts[node * self.arcs.nodes + top])
    }

    #[inline(always)]
    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        self.arcs.one(front, stack, slot).times(self.context(front, stack[0], slot))
    }

    #[inline(always)]
    fn near_row(&self, front: usize, s1: usize, row: &mut [S]) {
        self.arcs.near_row(front, s1, row);
        let contexts = &self.contexts.slots[0][front * self.arcs.nodes + s1 + 1..][..row.len()];
        for at in 0..row.len() {
            row[at] = row[at].times(contexts[at]);
        }
    }

    #[inline(always)]
    fn base(&self, front: usize, below: &[usize], group: usize) -> Group<S> {
        self.arcs.base(front, below, group)
    }

    #[inline(always)]
    fn by_any(&self, base: Group<S>, front: usize, above: &[usize], group: usize) -> Group<S> {
        let context = self.context(front, above[0], above.len() - 1);
        self.arcs.by_any(base, front, above, group).map(|weight| weight.times(context))
    }

    #[inline(always)]
    fn group(&self, front: usize, above: &[usize], slot: usize, group: usize) -> Group<S> {
        let context = self.context(front, above[0], slot);
        self.arcs.group(front, above, slot, group).map(|weight| weight.times(context))
    }

    #[inline(always)]
    fn collect(&self, arcs: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        let of_arcs = term.times(self.context(front, stack[0], slot));
        if arcs.uses.is_some() {
            arcs.tops[slot * self.arcs.nodes + stack[0]][0]
                .add(of_arcs.times(self.arcs.one(front, stack, slot)));
        }
        self.arcs.collect(arcs, front, stack, slot, of_arcs);
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
        let context = self.context(front, above[0], slot);
        let of_arcs = terms.map(|term| term.times(context));
        if arcs.uses.is_some() {
            let weights = self.arcs.group(front, above, slot, group);
            let sums = &mut arcs.tops[slot * self.arcs.nodes + above[0]];
            for lane in 0..LANES {
                sums[lane] = sums[lane].plus(of_arcs[lane].times(weights[lane]));
            }
        }
        self.arcs.collect_group(arcs, front, above, slot, group, of_arcs);
    }

    #[inline(always)]
    fn flush(&self, arcs: &mut ArcOutside<'_, S>, front: usize, below: &[usize], slot: usize) {
        self.arcs.flush(arcs, front, below, slot);
    }

    fn end_layer(&self, arcs: &mut ArcOutside<'_, S>, front: usize) {
        for slot in 0..self.contexts.slots.len() {
            for top in 1..front {
                let place = slot * self.arcs.nodes + top;
                let weight = sum(std::mem::replace(&mut arcs.tops[place], [S::ZERO; LANES]));
                arcs.used(Use::ReduceByTop { top, front, slot }, || weight);
            }
        }
    }
}
