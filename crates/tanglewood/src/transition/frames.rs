//! What a bound on frames permits.

use super::configuration::Transition;
use crate::system::Address;

/// How the stack of a run is held together, and so which reduces fit into a frame of at most K nodes.
///
/// A *frame* is a number of topmost stack nodes, and b0. A reduce needs a frame with the head, the dependent
/// and the node below the dependent. A frame must be *closed*: what has been removed between its nodes was
/// removed in frames that reach no deeper than it does. So each reduce has a smallest frame, found by going
/// down from what it needs until nothing reaches deeper; it is permitted if that frame has K nodes at most.
///
/// To tell, it is enough to know for each stack node how far down the frames reached in which something right
/// above it was removed. A reduce in a frame ties everything above the node below the dependent to the
/// frame's deepest node: whatever is done there later needs the whole frame again.
///
/// ```
/// use tanglewood::system::Address;
/// use tanglewood::transition::{Frames, Transition};
/// let mut frames = Frames::new(4);
/// let shift = Transition::Shift;
/// let by_s2 = Transition::Reduce { head: Address::Stack(2), dependent: 0 };
/// for transition in [shift, shift, shift, shift, by_s2, shift, shift] {
///     assert!(frames.permit(transition));
///     frames.apply(transition);
/// }
/// // The stack is 0 1 2 4 5. Node 3 was removed above 2, with head 1: to remove 4, the node below it and that head have to be in the frame.
/// assert!(!frames.permit(Transition::Reduce { head: Address::Stack(0), dependent: 1 }));
/// assert!(frames.permit(Transition::Reduce { head: Address::Stack(1), dependent: 0 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    nodes: usize,
    /// For each place on the stack, from the bottom: the deepest place in reach of what was removed right
    /// above it; itself if nothing was.
    deepest: Vec<usize>,
}

impl Frames {
    /// At the start of a run, with the number of nodes a frame may have.
    pub fn new(nodes: usize) -> Frames {
        Frames { nodes, deepest: Vec::new() }
    }

    /// True if and only if a transition fits into a frame. That it is possible at all is for the
    /// configuration to say.
    pub fn permit(&self, transition: Transition) -> bool {
        match transition {
            Transition::Shift => true,
            Transition::Reduce { head, dependent } => {
                self.frame(head, dependent).is_some_and(|deepest| self.deepest.len() - deepest < self.nodes)
            }
        }
    }

    /// Follows a transition.
    ///
    /// # Panics
    /// If it removes the bottom of the stack, or what is not there.
    pub fn apply(&mut self, transition: Transition) {
        match transition {
            Transition::Shift => self.deepest.push(self.deepest.len()),
            Transition::Reduce { head, dependent } => {
                let frame = self.frame(head, dependent).expect("a node above the bottom of the stack");
                let removed = self.deepest.len() - 1 - dependent;
                self.deepest.remove(removed);
                self.deepest[removed - 1..].fill(frame);
            }
        }
    }

    /// The place of the deepest node of the smallest frame for a reduce; none if there is no node below the
    /// dependent, or no such head.
    fn frame(&self, head: Address, dependent: usize) -> Option<usize> {
        let mut deepest = self.deepest.len().checked_sub(stack_nodes_needed(head, dependent))?;
        let mut above = self.deepest.len() - 1;
        while above >= deepest {
            deepest = deepest.min(self.deepest[above]);
            if above == 0 {
                break;
            }
            above -= 1;
        }
        Some(deepest)
    }
}

/// How many of the topmost stack nodes a reduce cannot do without in a system with frames: head, dependent,
/// and the node below the dependent. They are in every frame for it.
#[inline]
pub(crate) fn stack_nodes_needed(head: Address, dependent: usize) -> usize {
    match head {
        Address::Stack(head) => (dependent + 2).max(head + 1),
        Address::Buffer(_) => dependent + 2,
    }
}
