//! Weights of removals for any scores of transitions, asked for as they are needed.

use std::ops::{ControlFlow, Range};

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
    fn reduce(&self, view: View<'_>, head: Address, slot: usize) -> S {
        match self.forbids(view, view.node(head)) {
            true => S::ZERO,
            false => S::from_score(self.scores.reduce(view, head, slot)),
        }
    }

    /// What the window adds to the weight of an arc.
    fn context(&self, view: View<'_>, head: HeadKind, slot: usize) -> S {
        S::from_score(self.scores.context(view, head, slot))
    }

    /// The heads in the buffer to ask for, one by one.
    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        let nodes = self.scores.words() + 1;
        let heads = self.scores.heads_ahead(dependent, front);
        heads.start.max(front)..heads.end.min(if self.settings.lookahead {
            nodes
        } else {
            nodes.min(front + 1)
        })
    }

    /// Calls `visit` with each summand of the weight of a removal; the view is what it sees.
    pub fn summands(
        &self,
        view: View<'_>,
        slot: usize,
        mut visit: impl FnMut(Summand<S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let View { stack, front } = view;
        let (dependent, deepest) = (stack[slot], stack.len() - 1);
        let mut reduce = |head| visit(Summand::One(head, self.reduce(view, head, slot)));
        (if deepest == slot + 1 { 0 } else { slot }..slot).map(Address::Stack).try_for_each(&mut reduce)?;
        reduce(Address::Stack(deepest))?;
        if deepest > slot + 1 || front > self.scores.words() {
            return ControlFlow::Continue(());
        }
        match &self.arcs {
            Some(arcs) => visit(Summand::Ahead {
                arcs: arcs.ahead(front, dependent),
                context: self.context(view, HeadKind::Ahead, slot),
            }),
            None => self
                .heads_ahead(dependent, front)
                .map(|head| Address::Buffer(head - front))
                .try_for_each(reduce),
        }
    }
}

/// A summand of the weight of a removal.
pub(super) enum Summand<S> {
    /// The reduce with this head.
    One(Address, S),
    /// All heads in the buffer: their arcs, and what the window adds.
    Ahead { arcs: S, context: S },
}

impl<S: Semiring> FrameWeights<S> for WindowWeights<'_, S> {
    fn shift(&self, top: Option<usize>, node: usize) -> S {
        S::from_score(self.scores.shift(top, node))
    }

    fn one(&self, front: usize, stack: &[usize], slot: usize) -> S {
        let mut sum = S::ZERO;
        let _ = self.summands(View { stack, front }, slot, |summand| {
            sum.add(match summand {
                Summand::One(_, weight) => weight,
                Summand::Ahead { arcs, context } => arcs.times(context),
            });
            ControlFlow::Continue(())
        });
        sum
    }

    fn collect(&self, outside: &mut ArcOutside<'_, S>, front: usize, stack: &[usize], slot: usize, term: S) {
        if term == S::ZERO {
            return;
        }
        let (view, dependent) = (View { stack, front }, stack[slot]);
        let _ = self.summands(view, slot, |summand| {
            match summand {
                Summand::One(_, weight) if weight == S::ZERO => {}
                Summand::One(address, weight) => {
                    let head = HeadKind::from(address);
                    outside.used(Use::Reduce { view, head, slot }, || term.times(weight));
                    // What was collected is multiplied by the arcs' weights where there is a table of these.
                    let around = if self.arcs.is_some() { self.context(view, head, slot) } else { weight };
                    match view.node(address) {
                        0 if self.single_root => outside.from_root[dependent].add(term.times(around)),
                        head => outside.add(head, dependent, term.times(around)),
                    }
                }
                Summand::Ahead { arcs, context } => {
                    let around = term.times(context);
                    outside.ahead[front * outside.nodes + dependent].add(around);
                    let ahead = Use::Reduce { view, head: HeadKind::Ahead, slot };
                    outside.used(ahead, || around.times(arcs));
                }
            }
            ControlFlow::Continue(())
        });
    }
}
