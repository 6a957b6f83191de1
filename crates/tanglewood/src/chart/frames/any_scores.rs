//! Weights of removals for any scores of transitions, asked for as they are needed.

use std::ops::Range;

use super::FrameSettings;
use super::contexts::{Contexts, InContext};
use super::weights::{ArcOutside, ArcTables, FrameWeights};
use crate::memory::OutOfMemory;
use crate::scores::{HeadKind, KeptScores, Use, View};
use crate::semiring::Semiring;
use crate::system::Address;

/// Any scores. If they have an arc part, heads in the buffer are summed over once for the whole sentence; if
/// not, each is asked for.
pub(super) struct WindowWeights<'a, S> {
    pub scores: KeptScores<'a>,
    pub arcs: Option<ArcTables<S>>,
    /// Whether there are no contexts.
    arcs_alone: bool,
    /// Contexts, if they are by top or by pairs.
    contexts: Option<Contexts<S>>,
    settings: FrameSettings,
    single_root: bool,
}

impl<'a, S: Semiring> WindowWeights<'a, S> {
    pub fn new(
        scores: KeptScores<'a>,
        settings: FrameSettings,
        single_root: bool,
    ) -> Result<WindowWeights<'a, S>, OutOfMemory> {
        let arcs_alone = scores.as_arcs().is_some();
        let arcs = scores.arc_part().map(|arcs| ArcTables::new(arcs, settings, single_root)).transpose()?;
        let contexts = if arcs_alone { None } else { Contexts::new(&*scores, settings)? };
        Ok(WindowWeights { scores, arcs, arcs_alone, contexts, settings, single_root })
    }

    /// The tables, if there is nothing but arc scores.
    pub fn arcs_alone(&self) -> Option<&ArcTables<S>> {
        self.arcs.as_ref().filter(|_| self.arcs_alone)
    }

    /// The tables, if there are arc scores and contexts that are by top or by pairs.
    pub fn in_context(&self) -> Option<InContext<'_, S>> {
        Some(InContext { arcs: self.arcs.as_ref()?, contexts: self.contexts.as_ref()? })
    }

    /// The weights, in whatever tables there are, behind one type: for semirings whose ⊕ takes so long that
    /// asking for a weight does not matter.
    pub fn behind_one_type<R>(&self, run: impl FnOnce(&dyn FrameWeights<S>) -> R) -> R {
        match (self.arcs_alone(), self.in_context()) {
            (Some(arcs), _) => run(arcs),
            (None, Some(in_context)) => run(&in_context),
            (None, None) => run(self),
        }
    }

    /// Whether a node is a head in this window only if it is not the single root, or this is the last step.
    fn forbids(&self, view: View<'_>, head: usize) -> bool {
        self.single_root && head == 0 && (view.stack.len() > 2 || view.front <= self.scores.words())
    }

    /// The weight of one reduce.
    pub fn reduce(&self, view: View<'_>, head: Address, slot: usize) -> S {
        match self.forbids(view, view.node(head)) {
            true => S::ZERO,
            false => S::from_score(self.scores.reduce(view, head, slot)),
        }
    }

    /// What the window adds to the weight of an arc.
    pub fn context(&self, view: View<'_>, head: HeadKind, slot: usize) -> S {
        S::from_score(self.scores.context(view, head, slot))
    }

    /// The heads in the buffer to ask for, one by one.
    pub fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        let nodes = self.scores.words() + 1;
        let heads = self.scores.heads_ahead(dependent, front);
        heads.start.max(front)..heads.end.min(if self.settings.lookahead {
            nodes
        } else {
            nodes.min(front + 1)
        })
    }

    /// The stack slots of the heads of a removal.
    pub fn stack_heads(stack: &[usize], slot: usize) -> impl Iterator<Item = usize> + use<S> {
        let deepest = stack.len() - 1;
        (if deepest == slot + 1 { 0 } else { slot }..slot).chain([deepest])
    }
}

impl<S: Semiring> FrameWeights<S> for WindowWeights<'_, S> {
    fn shift(&self, top: Option<usize>, node: usize) -> S {
        S::from_score(self.scores.shift(top, node))
    }

    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let (view, dependent) = (View { stack, front }, stack[slot]);
        let by_stack =
            Self::stack_heads(stack, slot).map(|place| self.reduce(view, Address::Stack(place), slot));
        let by_stack = by_stack.fold(S::ZERO, S::plus);
        if stack.len() > slot + 2 {
            return by_stack;
        }
        match &self.arcs {
            Some(_) if front > self.scores.words() => by_stack,
            Some(arcs) => {
                by_stack.plus(arcs.ahead(front, dependent).times(self.context(view, HeadKind::Ahead, slot)))
            }
            None => self
                .heads_ahead(dependent, front)
                .map(|head| self.reduce(view, Address::Buffer(head - front), slot))
                .fold(by_stack, S::plus),
        }
    }

    fn collect(&self, arcs: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        if term == S::ZERO {
            return;
        }
        let (view, dependent) = (View { stack, front }, stack[slot]);
        for place in Self::stack_heads(stack, slot).filter(|&place| !self.forbids(view, stack[place])) {
            arcs.used(Use::Reduce { view, head: HeadKind::Stack(place), slot }, || {
                term.times(self.reduce(view, Address::Stack(place), slot))
            });
            let around = match &self.arcs {
                Some(_) => self.context(view, HeadKind::Stack(place), slot),
                None => self.reduce(view, Address::Stack(place), slot),
            };
            match stack[place] {
                0 if self.single_root => arcs.from_root[dependent].add(term.times(around)),
                head => arcs.add(head, dependent, term.times(around)),
            }
        }
        if stack.len() > slot + 2 || front > self.scores.words() {
            return;
        }
        let ahead = Use::Reduce { view, head: HeadKind::Ahead, slot };
        if let Some(tables) = &self.arcs {
            let around = term.times(self.context(view, HeadKind::Ahead, slot));
            arcs.ahead[front * arcs.nodes + dependent].add(around);
            arcs.used(ahead, || around.times(tables.ahead(front, dependent)));
            return;
        }
        for head in self.heads_ahead(dependent, front) {
            let weight = term.times(self.reduce(view, Address::Buffer(head - front), slot));
            arcs.add(head, dependent, weight);
            arcs.used(ahead, || weight);
        }
    }
}
