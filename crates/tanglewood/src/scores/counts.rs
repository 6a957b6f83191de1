//! How often runs use each score.

use super::{HeadKind, View, WindowPair};

/// A transition in the course of a run, as far as it matters to its score. The variants mirror the methods of
/// [`TransitionScores`](super::TransitionScores). Each reduce is an arc, and what its context was asked for.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the fields are explained with their variants")]
pub enum Use<'v> {
    /// `front` is shifted onto a stack with this top.
    Shift { top: Option<usize>, front: usize },
    /// The node in stack slot `slot` is removed by a head of this kind, in this view.
    Reduce { view: View<'v>, head: HeadKind, slot: usize },
    /// The node in stack slot `slot` is removed, by any head, with this top of the stack. Charts of bounded
    /// frames report this in the place of [`Use::Reduce`] if
    /// [contexts are by top](super::TransitionScores::contexts_are_by_top) or
    /// [by pairs](super::TransitionScores::contexts_are_by_pairs).
    ReduceByTop { top: usize, front: usize, slot: usize },
    /// The node in stack slot `slot` is removed, by any head, where the reduce sees this pair. Charts of
    /// bounded frames report this besides [`Use::ReduceByTop`] if
    /// [contexts are by pairs](super::TransitionScores::contexts_are_by_pairs).
    ReduceByPair { pair: WindowPair, nodes: [usize; 2], slot: usize },
    /// The node in the deepest slot of a full window is removed, by any head. `others` are the other stack
    /// nodes, the top first. Systems with bounded frames have no such slot: it is [`Use::Reduce`] there.
    Deepest { others: [usize; 2], front: usize },
    /// The arc from `head` to `dependent` is added.
    Arc { head: usize, dependent: usize },
}

/// Takes the weight of all runs with each use, if anyone asks; with numbers, the expected number of times
/// that a run has it, which is the derivative of the logarithm of the partition function with respect to that
/// score. The same use may be reported in parts.
pub type OnUse<'u, S> = Option<&'u mut dyn FnMut(Use<'_>, S)>;
