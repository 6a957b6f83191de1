//! Transition systems as tables.
//!
//! A system of this family reads words from left to right onto a stack and removes stack words by giving them
//! a head that is visible nearby. Its *inventory* says which (head slot, dependent slot) pairs are visible;
//! everything else about the system is computed from that table: what is applicable, what an oracle does,
//! what exact inference costs, the diagram, the documentation.

mod catalogue;
mod class;
mod closure;
mod complexity;
mod diagram;
mod direction;
mod inventory;
mod slot;

pub use catalogue::{FAMILIES, Family, NameError, System};
pub use class::TreeClass;
pub use complexity::{Complexity, Degree};
pub use direction::{Direction, DirectionError};
pub use inventory::{Inventory, InventoryError, Reduce};
pub use slot::{Address, Slot, SlotError};
