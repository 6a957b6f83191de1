//! Scores of transitions.
//!
//! Everything that searches — exact charts, greedy and beam search — asks for scores through one trait, so that one model serves
//! all of them. What a transition's score may depend on is what exact inference sees: the nodes in the slots of the window.

mod arcs;
pub(crate) mod gaps;

pub use arcs::{ArcScores, ScoresError};

use std::ops::Range;

use crate::system::Address;

/// What a transition can see: the topmost stack nodes and the front of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'a> {
    /// Stack nodes, the top first: max(D, 2) + 1 of them, where D is the depth of the system's
    /// [inventory](crate::system::Inventory::depth), or all if there are fewer.
    ///
    /// With bounded [frames](crate::system::System::frame) it is those that the reduce cannot do without: down to the node below the dependent, or to
    /// the head if that is deeper. Frames for the same reduce may have more nodes, but these are what they have in common: `s1>s0` and `b0>s0` see s0 and s1,
    /// `s2>s0` and `b0>s1` see s0, s1 and s2.
    ///
    /// So it is for exact inference, sparse and dense, for greedy and for beam search.
    pub stack: &'a [usize],
    /// The first node of the buffer; n + 1 when it is empty.
    pub front: usize,
}

/// Scores for the transitions of a sentence. −∞ forbids.
///
/// In systems that remove the deepest node of their window (s2, for the paper's family), exact inference in the promised time
/// needs the score of such a reduce to be a function of head and dependent plus a function of the rest of the window; that is
/// what [`TransitionScores::deepest`] and [`TransitionScores::deepest_context`] are. All other reduces may be scored by any
/// function of the whole window. Only dense charts ask for the two parts; the sparse deduction, greedy and beam search ask for
/// [`TransitionScores::reduce`] always, and agree with dense charts if it is the sum of the two.
pub trait TransitionScores: Sync {
    /// How many words the sentence has.
    fn words(&self) -> usize;

    /// The matrix these scores come from, if they depend on head and dependent alone and shifting scores 0. Charts then prepare
    /// their tables in a shorter way; results are the same.
    fn as_arcs(&self) -> Option<&ArcScores> {
        None
    }

    /// The score of shifting `front` onto a stack with this top; only the top of the stack is visible.
    fn shift(&self, top: Option<usize>, front: usize) -> f64;

    /// The score of removing the node in stack slot `dependent` with the given head.
    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64;

    /// A range of buffer nodes, `front` the first of the buffer, outside of which every head of this node is forbidden. All of the buffer, unless
    /// it is known to be less, which saves asking.
    fn heads_ahead(&self, _dependent: usize, front: usize) -> Range<usize> {
        front..self.words() + 1
    }

    /// For the deepest slot of a full window: the part that depends on head and dependent.
    ///
    /// Together with [`TransitionScores::deepest_context`] it must be what `reduce` gives there.
    fn deepest(&self, head: usize, dependent: usize) -> f64;

    /// For the deepest slot of a full window: the part that depends on the other stack nodes, the top first, and the front, not on the
    /// head.
    fn deepest_context(&self, others: &[usize], front: usize) -> f64;
}
