//! Scores of transitions.
//!
//! Everything that searches — exact charts, greedy and beam search — asks for scores through one trait, so
//! that one model serves all of them. What a transition's score may depend on is what exact inference sees:
//! the nodes in the slots of the window.

mod arcs;
mod counts;
mod few;
pub(crate) mod gaps;
mod pairs;
pub(crate) mod scale;

mod within;

pub use arcs::{ArcScores, ScoresError};
pub use counts::{OnUse, Use};
pub(crate) use few::FewHeads;
pub use pairs::WindowPair;
pub(crate) use within::WithinTree;

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::system::Address;

/// What a transition can see: the topmost stack nodes and the front of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'a> {
    /// Stack nodes, the top first: max(D, 2) + 1 of them, where D is the depth of the system's
    /// [inventory](crate::system::Inventory::depth), or all if there are fewer.
    ///
    /// With bounded [frames](crate::system::System::frame) it is those that the reduce cannot do without:
    /// down to the node below the dependent, or to the head if that is deeper. Frames for the same reduce may
    /// have more nodes, but these are what they have in common: `s1>s0` and `b0>s0` see s0 and s1, `s2>s0`
    /// and `b0>s1` see s0, s1 and s2.
    ///
    /// So it is for exact inference, sparse and dense, for greedy and for beam search.
    pub stack: &'a [usize],
    /// The first node of the buffer; n + 1 when it is empty.
    pub front: usize,
}

impl View<'_> {
    /// The node at a place in the window or in the buffer.
    #[inline]
    pub fn node(&self, address: Address) -> usize {
        match address {
            Address::Stack(place) => self.stack[place],
            Address::Buffer(place) => self.front + place,
        }
    }
}

/// Where the head of a reduce is, as far as a [context](TransitionScores::context) may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadKind {
    /// In this slot of the stack.
    Stack(usize),
    /// Somewhere in the buffer.
    Ahead,
}

impl From<Address> for HeadKind {
    fn from(address: Address) -> HeadKind {
        match address {
            Address::Stack(place) => HeadKind::Stack(place),
            Address::Buffer(_) => HeadKind::Ahead,
        }
    }
}

/// Scores for the transitions of a sentence. −∞ forbids.
///
/// A score may be any function of the visible window, the head and the dependent. Two kinds of scores cost
/// exact inference less:
///
/// * **Arc scores with a context that does not know the head.** If [`TransitionScores::arc_part`] gives a
///   matrix, a reduce scores the arc's entry plus [`TransitionScores::context`], which sees the window and
///   the *kind* of head. The heads ahead are then summed over once for the whole sentence. Without an arc
///   part, each of them is asked for in each window, which costs a factor n in systems with lookahead heads.
/// * **Arc scores alone**, [`TransitionScores::as_arcs`]: charts prepare their tables in a shorter way.
///
/// In systems that remove the deepest node of their window (s2, for the paper's family), exact inference in
/// the promised time needs the score of such a reduce to be a function of head and dependent plus a function
/// of the rest of the window; that is what [`TransitionScores::deepest`] and
/// [`TransitionScores::deepest_context`] are. Only dense charts ask for the two parts; the sparse deduction,
/// greedy and beam search ask for [`TransitionScores::reduce`] always, and agree with dense charts if it is
/// the sum of the two.
pub trait TransitionScores: Sync {
    /// Number of words of the sentence.
    fn words(&self) -> usize;

    /// The score of shifting `front` onto a stack with this top; only the top of the stack is visible.
    fn shift(&self, top: Option<usize>, front: usize) -> f64;

    /// The score of removing the node in stack slot `dependent` with the given head.
    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64;

    /// The matrix these scores come from, if they depend on head and dependent alone and shifting scores 0.
    fn as_arcs(&self) -> Option<&ArcScores> {
        None
    }

    /// The scores of arcs, if [`TransitionScores::reduce`] is the arc's score plus
    /// [`TransitionScores::context`] for every reduce.
    fn arc_part(&self) -> Option<&ArcScores> {
        self.as_arcs()
    }

    /// What the window and the kind of head add to the score of the arc. Only asked for if there is an [arc
    /// part](TransitionScores::arc_part).
    fn context(&self, _view: View<'_>, _head: HeadKind, _dependent: usize) -> f64 {
        0.0
    }

    /// Whether [`TransitionScores::context`] depends on the top of the stack, the front and the slot alone,
    /// so that a view with no other stack node is enough to ask for it. Charts of bounded frames then keep
    /// tables of contexts, which makes them about as fast as for arc scores.
    fn contexts_are_by_top(&self) -> bool {
        false
    }

    /// Whether [`TransitionScores::context`] is what it is for a view with no stack node but the top, plus
    /// [`TransitionScores::pair_context`] for each [pair that the reduce sees](WindowPair::of_reduce). Charts
    /// of bounded frames then keep tables of all of these.
    fn contexts_are_by_pairs(&self) -> bool {
        false
    }

    /// What a pair of nodes, the deeper one first, adds to the context of removing the node in a slot. Only
    /// asked for if [contexts are by pairs](TransitionScores::contexts_are_by_pairs).
    fn pair_context(&self, _pair: WindowPair, _nodes: [usize; 2], _dependent: usize) -> f64 {
        0.0
    }

    /// A range of buffer nodes, `front` the first of the buffer, outside of which every head of this node is
    /// forbidden. All of the buffer, unless it is known to be less, which saves asking.
    fn heads_ahead(&self, _dependent: usize, front: usize) -> Range<usize> {
        front..self.words() + 1
    }

    /// For the deepest slot of a full window: the part that depends on head and dependent.
    ///
    /// Together with [`TransitionScores::deepest_context`] it must be what `reduce` gives there.
    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.arc_part().map_or(0.0, |arcs| arcs.get(head, dependent))
    }

    /// For the deepest slot of a full window: the part that depends on the other stack nodes, the top first,
    /// and the front, not on the head.
    fn deepest_context(&self, _others: &[usize], _front: usize) -> f64 {
        0.0
    }
}

/// Scores that a chart keeps for later questions: borrowed from whoever asks, or shared.
#[derive(Clone)]
pub enum KeptScores<'a> {
    /// Any scores, which live longer than the chart.
    Borrowed(&'a dyn TransitionScores),
    /// Arc scores that live as long as they are needed.
    Shared(Arc<ArcScores>),
}

impl<'a> Deref for KeptScores<'a> {
    type Target = dyn TransitionScores + 'a;

    #[inline]
    fn deref(&self) -> &(dyn TransitionScores + 'a) {
        match self {
            KeptScores::Borrowed(scores) => *scores,
            KeptScores::Shared(scores) => &**scores,
        }
    }
}

impl<'a> From<&'a dyn TransitionScores> for KeptScores<'a> {
    fn from(scores: &'a dyn TransitionScores) -> KeptScores<'a> {
        KeptScores::Borrowed(scores)
    }
}

impl<'a, T: TransitionScores> From<&'a T> for KeptScores<'a> {
    fn from(scores: &'a T) -> KeptScores<'a> {
        KeptScores::Borrowed(scores)
    }
}

impl From<Arc<ArcScores>> for KeptScores<'_> {
    fn from(scores: Arc<ArcScores>) -> Self {
        KeptScores::Shared(scores)
    }
}
