//! Stack, buffer and arcs at one moment of a run.

use std::fmt;

use crate::Tree;
use crate::system::{Address, Inventory};

/// What a system can do in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transition {
    /// Moves b0 to the stack.
    Shift,
    /// Gives the node in a stack slot the node at `head` as its head, and removes it.
    Reduce {
        /// Where the head is.
        head: Address,
        /// Stack slot of the node that is removed.
        dependent: usize,
    },
}

/// A configuration (σ, β, A).
///
/// The buffer is only ever shifted, so it is always the nodes from [`Configuration::front`] to the last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    stack: Vec<u32>,
    front: u32,
    nodes: u32,
    /// The head of each node that has been removed; [`NONE`] for the others.
    heads: Vec<u32>,
}

/// Stands for "no head yet".
const NONE: u32 = u32::MAX;

/// A transition that cannot be carried out in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTransition {
    /// Shift with nothing to shift.
    #[error("shift, but the buffer is empty")]
    EmptyBuffer,
    /// An address that is beyond the stack or the buffer.
    #[error("reduce with {0}, but there is no node there")]
    NoSuchNode(Address),
    /// Node 0 must stay.
    #[error("reduce s{0}, but that is the root, which has no head")]
    RootRemoved(usize),
    /// Head and dependent are the same slot.
    #[error("reduce s{0} by itself")]
    OwnHead(usize),
    /// The system's inventory does not have this reduce.
    #[error("{0} is not in the inventory")]
    NotInInventory(Transition),
    /// There is no frame for it that is small enough.
    #[error("{0} fits no frame of the system")]
    OutOfFrame(Transition),
}

impl Configuration {
    /// The start: an empty stack, and all nodes 0..=n in the buffer.
    ///
    /// # Panics
    /// If there are more words than [`Tree::MAX_WORDS`].
    pub fn start(words: usize) -> Configuration {
        assert!(words <= Tree::MAX_WORDS, "a sentence of {words} words");
        let nodes = words as u32 + 1;
        Configuration { stack: Vec::new(), front: 0, nodes, heads: vec![NONE; words + 1] }
    }

    /// The stack, its top last.
    pub fn stack(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.stack.iter().map(|&node| node as usize)
    }

    /// The first node of the buffer; n + 1 when it is empty.
    pub fn front(&self) -> usize {
        self.front as usize
    }

    /// The buffer's nodes.
    pub fn buffer(&self) -> std::ops::Range<usize> {
        self.front as usize..self.nodes as usize
    }

    /// The head a node was given, if it has been removed already.
    pub fn head(&self, node: usize) -> Option<usize> {
        self.heads.get(node).filter(|&&head| head != NONE).map(|&head| head as usize)
    }

    /// The node at an address, if there is one.
    pub fn node_at(&self, address: Address) -> Option<usize> {
        match address {
            Address::Stack(place) => {
                self.stack.len().checked_sub(place + 1).map(|at| self.stack[at] as usize)
            }
            Address::Buffer(place) => Some(self.front())
                .and_then(|front| front.checked_add(place))
                .filter(|&node| node < self.nodes as usize),
        }
    }

    /// True if and only if the buffer is empty and only the root is on the stack.
    pub fn is_terminal(&self) -> bool {
        self.front == self.nodes && self.stack == [0]
    }

    /// Carries out a transition.
    ///
    /// # Errors
    /// If it is not possible here; the configuration is unchanged then.
    pub fn apply(&mut self, transition: Transition) -> Result<(), IllegalTransition> {
        match transition {
            Transition::Shift => {
                if self.front == self.nodes {
                    return Err(IllegalTransition::EmptyBuffer);
                }
                self.stack.push(self.front);
                self.front += 1;
            }
            Transition::Reduce { head, dependent } => {
                let (head, removed) = self.arc(head, dependent)?;
                self.stack.remove(self.stack.len() - 1 - dependent);
                self.heads[removed] = head as u32;
            }
        }
        Ok(())
    }

    /// The arc (head, dependent) that a reduce would add.
    ///
    /// # Errors
    /// If the reduce is not possible here.
    pub fn arc(&self, head: Address, dependent: usize) -> Result<(usize, usize), IllegalTransition> {
        let slot = Address::Stack(dependent);
        let node_at = |address| self.node_at(address).ok_or(IllegalTransition::NoSuchNode(address));
        let (from, to) = (node_at(head)?, node_at(slot)?);
        if to == 0 {
            return Err(IllegalTransition::RootRemoved(dependent));
        }
        if head == slot {
            return Err(IllegalTransition::OwnHead(dependent));
        }
        Ok((from, to))
    }

    /// Every transition an inventory permits here: shift first, then reduces in the inventory's order, the
    /// nearest buffer head first.
    pub fn permitted(&self, inventory: &Inventory) -> Vec<Transition> {
        let shift = (self.front < self.nodes).then_some(Transition::Shift);
        let mut permitted: Vec<Transition> = shift.into_iter().collect();
        for dependent in 0..=inventory.deepest_dependent() {
            let stack = (0..=inventory.depth()).map(Address::Stack);
            let buffer = (0..self.buffer().len()).map(Address::Buffer);
            for head in stack.chain(buffer).filter(|&head| inventory.permits(head, dependent)) {
                if self.arc(head, dependent).is_ok() {
                    permitted.push(Transition::Reduce { head, dependent });
                }
            }
        }
        permitted
    }

    /// The finished tree, if this configuration is terminal.
    pub fn tree(&self) -> Option<Tree> {
        self.is_terminal().then(|| {
            let heads: Vec<usize> = self.heads[1..].iter().map(|&head| head as usize).collect();
            Tree::from_heads(&heads).expect("a head outlives its dependents, so heads cannot form a cycle")
        })
    }
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Transition::Shift => f.write_str("shift"),
            Transition::Reduce { head, dependent } => write!(f, "{head}>s{dependent}"),
        }
    }
}
