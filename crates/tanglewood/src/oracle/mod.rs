//! Static oracles: can this system build this tree, and how?

mod contraction;
mod eager;
mod frames;
mod search;

use crate::Tree;
use crate::deduction::Deduction;
use crate::system::{Direction, Inventory, System};
use crate::transition::{Configuration, Derivation, Transition};

/// Finds derivations of given trees in one system; exact for every system.
///
/// For removal-closed inventories (all named systems; see [`Inventory::is_removal_closed`]) it removes each
/// word as soon as possible, in time linear in the sentence. For the others it searches, remembering
/// configurations that lead nowhere, and leaves what is not decided soon to the
/// [`deduction`](crate::deduction). With bounded frames it first takes out what cannot matter, in linear
/// time; what is left is small, and is decided eagerly where that is possible, by the deduction otherwise.
///
/// ```
/// use tanglewood::{Oracle, System, Tree};
/// let crossing = Tree::from_heads(&[3, 4, 0, 3])?;
/// assert!(!Oracle::new(&System::named("arc-standard")?).covers(&crossing));
/// assert!(Oracle::new(&System::named("attardi")?).covers(&crossing));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    inventory: Inventory,
    method: Method,
}

/// How to find out.
#[derive(Clone, Debug)]
enum Method {
    Eager,
    Search,
    Frames(Deduction),
}

/// Why a tree has no derivation: how far the attempt got.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system cannot build this tree: after {} steps no word can be removed and the buffer is empty", .transitions.len())]
pub struct NotCovered {
    /// The transitions of the attempt that got furthest.
    pub transitions: Vec<Transition>,
    /// Where it ended.
    pub stuck: Configuration,
}

impl Oracle {
    /// The oracle of a system.
    pub fn new(system: &System) -> Oracle {
        let unbounded = Oracle::for_inventory(system.inventory());
        match system.frame() {
            None => unbounded,
            Some(_) => {
                let deduction = Deduction::new(system).limit(usize::MAX);
                Oracle { method: Method::Frames(deduction), ..unbounded }
            }
        }
    }

    /// The oracle of an inventory.
    pub fn for_inventory(inventory: &Inventory) -> Oracle {
        let method = if inventory.is_removal_closed() { Method::Eager } else { Method::Search };
        Oracle { inventory: inventory.clone(), method }
    }

    /// True if and only if the system has a derivation of the tree, from left to right.
    pub fn covers(&self, tree: &Tree) -> bool {
        match &self.method {
            Method::Eager => eager::run(&self.inventory, None, tree, |_| ()),
            Method::Search => search::derivation(&self.inventory, tree).is_ok(),
            Method::Frames(deduction) => frames::covers(&self.inventory, deduction, tree),
        }
    }

    /// True if and only if the system has a derivation of the tree in that direction.
    pub fn covers_in(&self, direction: Direction, tree: &Tree) -> bool {
        (direction.reads_forward() && self.covers(tree))
            || (direction.reads_backward() && self.covers(&tree.mirrored()))
    }

    /// A derivation of the tree from left to right. For right to left, give it the mirrored tree.
    ///
    /// # Errors
    /// If there is none.
    pub fn derivation(&self, tree: &Tree) -> Result<Derivation, NotCovered> {
        let result = match &self.method {
            Method::Eager => {
                let mut transitions = Vec::with_capacity(2 * tree.len() + 1);
                let covered =
                    eager::run(&self.inventory, None, tree, |transition| transitions.push(transition));
                if covered { Ok(transitions) } else { Err(transitions) }
            }
            Method::Search => search::derivation(&self.inventory, tree),
            Method::Frames(deduction) => frames::derivation(&self.inventory, deduction, tree),
        };
        match result {
            Ok(transitions) => Ok(Derivation::new(tree.len(), transitions)),
            Err(transitions) => {
                let mut stuck = Configuration::start(tree.len());
                for &transition in &transitions {
                    stuck.apply(transition).expect("an oracle only makes transitions that are possible");
                }
                Err(NotCovered { transitions, stuck })
            }
        }
    }
}
