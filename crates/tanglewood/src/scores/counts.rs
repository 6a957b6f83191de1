//! How often runs use each score.

use super::{HeadKind, View, WindowPair};

/// Takes the expected number of times that a run uses each score of a sentence: the derivative of the
/// logarithm of the partition function with respect to that score.
///
/// The methods mirror those of [`TransitionScores`](super::TransitionScores), and the same use may be
/// reported in parts. Each reduce is reported twice: as an arc, and as what its context was asked for.
pub trait TransitionCounts {
    /// `front` is shifted onto a stack with this top.
    fn shift(&mut self, top: Option<usize>, front: usize, count: f64);

    /// The node in stack slot `dependent` is removed by a head of this kind, in this view.
    fn reduce(&mut self, view: View<'_>, head: HeadKind, dependent: usize, count: f64);

    /// The node in stack slot `dependent` is removed, by any head, with this top of the stack. Charts of
    /// bounded frames report this in the place of [`TransitionCounts::reduce`] if
    /// [contexts are by top](super::TransitionScores::contexts_are_by_top) or
    /// [by pairs](super::TransitionScores::contexts_are_by_pairs).
    fn reduce_by_top(&mut self, _top: usize, _front: usize, _dependent: usize, _count: f64) {}

    /// The node in stack slot `dependent` is removed, by any head, where the reduce sees this pair. Charts of
    /// bounded frames report this besides [`TransitionCounts::reduce_by_top`] if
    /// [contexts are by pairs](super::TransitionScores::contexts_are_by_pairs).
    fn reduce_by_pair(&mut self, _pair: WindowPair, _nodes: [usize; 2], _dependent: usize, _count: f64) {}

    /// The node in the deepest slot of a full window is removed, by any head. `others` are the other stack
    /// nodes, the top first. Systems with bounded frames have no such slot: [`TransitionCounts::reduce`] gets
    /// everything there.
    fn deepest(&mut self, others: &[usize], front: usize, count: f64);

    /// The arc from `head` to `dependent` is added.
    fn arc(&mut self, head: usize, dependent: usize, count: f64);
}

/// A transition in the course of a run, as far as it matters to its score.
#[derive(Clone, Copy, Debug)]
pub enum Use<'v> {
    /// See [`TransitionCounts::shift`].
    Shift { top: Option<usize>, front: usize },
    /// See [`TransitionCounts::reduce`].
    Reduce { view: View<'v>, head: HeadKind, slot: usize },
    /// See [`TransitionCounts::reduce_by_top`].
    ReduceByTop { top: usize, front: usize, slot: usize },
    /// See [`TransitionCounts::reduce_by_pair`].
    ReduceByPair { pair: WindowPair, nodes: [usize; 2], slot: usize },
    /// See [`TransitionCounts::deepest`].
    Deepest { others: [usize; 2], front: usize },
}

/// What takes the weight of each use, if anyone asks.
pub type OnUse<'u, S> = Option<&'u mut dyn FnMut(Use<'_>, S)>;

impl Use<'_> {
    /// Reports this use.
    pub fn report(self, counts: &mut dyn TransitionCounts, count: f64) {
        match self {
            Use::Shift { top, front } => counts.shift(top, front, count),
            Use::Reduce { view, head, slot } => counts.reduce(view, head, slot, count),
            Use::ReduceByTop { top, front, slot } => counts.reduce_by_top(top, front, slot, count),
            Use::ReduceByPair { pair, nodes, slot } => counts.reduce_by_pair(pair, nodes, slot, count),
            Use::Deepest { others, front } => counts.deepest(&others, front, count),
        }
    }
}
