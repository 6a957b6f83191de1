//! Weights of reduces in frames, for any scores of transitions.
//!
//! A reduce sees the stack down to its head or to the node below its dependent, whichever is deeper, and no
//! further. All reduces of one node that see the same part of the stack are one *removal*: if that part ends
//! right below the dependent, by any other node of it or by the buffer; if it goes deeper, by its deepest
//! node. In what follows, `stack` is what a removal sees, the top first.

use std::ops::Range;

use super::FrameSettings;
use super::arc_tables::ArcTables;
use crate::memory::{OutOfMemory, table};
use crate::scores::{HeadKind, KeptScores, View};
use crate::semiring::Semiring;
use crate::system::Address;

/// Any scores. If they have an arc part, heads in the buffer are summed over once for the whole sentence; if
/// not, each is asked for.
pub(super) struct Removals<'a, S> {
    scores: KeptScores<'a>,
    pub arcs: Option<ArcTables<S>>,
    /// The weight of shifting a node onto another, by the lower one and then the node; empty if there are
    /// only arc scores.
    shifts: Vec<S>,
    /// Whether there are no contexts.
    arcs_alone: bool,
    settings: FrameSettings,
    single_root: bool,
}

impl<'a, S: Semiring> Removals<'a, S> {
    pub fn new(
        scores: KeptScores<'a>,
        settings: FrameSettings,
        single_root: bool,
    ) -> Result<Removals<'a, S>, OutOfMemory> {
        let arcs_alone = scores.as_arcs().is_some();
        let arcs = scores.arc_part().map(|arcs| ArcTables::new(arcs, settings, single_root)).transpose()?;
        let nodes = scores.words() + 1;
        let mut shifts = table(if arcs_alone { 0 } else { nodes * nodes }, S::ZERO)?;
        for (at, shift) in shifts.iter_mut().enumerate().filter(|(at, _)| at / nodes < at % nodes) {
            *shift = S::from_score(scores.shift(Some(at / nodes), at % nodes));
        }
        Ok(Removals { scores, arcs, shifts, arcs_alone, settings, single_root })
    }

    /// The tables, if there is nothing but arc scores.
    #[inline(always)]
    pub fn arcs_alone(&self) -> Option<&ArcTables<S>> {
        self.arcs.as_ref().filter(|_| self.arcs_alone)
    }

    /// The weight of shifting `node` onto `top`.
    #[inline(always)]
    pub fn shift(&self, top: usize, node: usize) -> S {
        if self.arcs_alone { S::ONE } else { self.shifts[top * (self.scores.words() + 1) + node] }
    }

    /// The weight of removing the node in a slot.
    #[inline(always)]
    pub fn removal(&self, front: usize, stack: &[usize], slot: usize) -> S {
        match self.arcs_alone() {
            Some(arcs) => arcs.removal(front, stack, slot),
            None => self.by_any_head(View { stack, front }, slot),
        }
    }

    fn by_any_head(&self, view: View<'_>, slot: usize) -> S {
        let View { stack, front } = view;
        let by_stack =
            Self::stack_heads(stack, slot).map(|place| self.reduce(view, Address::Stack(place), slot));
        let by_stack = by_stack.fold(S::ZERO, S::plus);
        match &self.arcs {
            _ if stack.len() > slot + 2 || front > self.scores.words() => by_stack,
            Some(arcs) => by_stack.plus(arcs.ahead(front, stack[slot]).times(self.context_ahead(view, slot))),
            None => self
                .heads_ahead(stack[slot], front)
                .map(|head| self.reduce(view, Address::Buffer(head - front), slot))
                .fold(by_stack, S::plus),
        }
    }

    /// The weight of one reduce; zero if its head is the single root and this is not the last step.
    pub fn reduce(&self, view: View<'_>, head: Address, slot: usize) -> S {
        let last_step = view.stack.len() == 2 && view.front > self.scores.words();
        if self.single_root && view.node(head) == 0 && !last_step {
            return S::ZERO;
        }
        S::from_score(self.scores.reduce(view, head, slot))
    }

    /// What the window adds to the weight of an arc from the buffer.
    pub fn context_ahead(&self, view: View<'_>, slot: usize) -> S {
        S::from_score(self.scores.context(view, HeadKind::Ahead, slot))
    }

    /// The heads in the buffer to ask for, one by one.
    pub fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        let nodes = self.scores.words() + 1;
        let heads = self.scores.heads_ahead(dependent, front);
        let reach = if self.settings.lookahead { nodes } else { nodes.min(front + 1) };
        heads.start.max(front)..heads.end.min(reach)
    }

    /// The stack slots of the heads of a removal.
    #[inline(always)]
    pub fn stack_heads(stack: &[usize], slot: usize) -> impl Iterator<Item = usize> + use<S> {
        let deepest = stack.len() - 1;
        (if deepest == slot + 1 { 0 } else { slot }..slot).chain([deepest])
    }
}
