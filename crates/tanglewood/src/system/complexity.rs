//! What exact inference costs, and how far apart head and dependent may be.

use std::fmt;

use super::inventory::{Inventory, Reduce};
use super::slot::Slot;

/// Exponents of sentence length in the time and space of exact inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complexity {
    /// Time is O(n^time).
    pub time: u32,
    /// Space is O(n^space).
    pub space: u32,
}

/// The largest distance between head slot and dependent slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// At most this many slots apart.
    Bounded(u32),
    /// Heads may be anywhere in the buffer.
    Unbounded,
}

impl Inventory {
    /// The cost of the tabulation of Cohen, Gómez-Rodríguez and Satta (2011), with the improvements of Shi,
    /// Gómez-Rodríguez and Lee (2018).
    ///
    /// With stack slots s0..sD an item has 2D + 1 indices and a deduction step, with the hook trick, 3D + 1.
    /// If sD is never removed, the node in it is the same at both ends of an item and one index goes away in
    /// each. Heads in the buffer cost nothing: the buffer is known from the item's right end.
    pub fn complexity(&self) -> Complexity {
        let depth = self.depth().max(1) as u32;
        let saved = u32::from(self.deepest_dependent() < depth as usize);
        Complexity { time: 3 * depth + 1 - saved, space: 2 * depth + 1 - saved }
    }

    /// The largest distance between the two slots of a reduce; s0 and b0 are neighbours.
    pub fn degree(&self) -> Degree {
        let distance = |reduce: &Reduce| match reduce.head {
            Slot::Stack(head) => Degree::Bounded(head.abs_diff(reduce.dependent).into()),
            Slot::Buffer(head) => Degree::Bounded(u32::from(head) + u32::from(reduce.dependent) + 1),
            Slot::Ahead => Degree::Unbounded,
        };
        self.reduces().iter().map(distance).max().unwrap_or(Degree::Bounded(0))
    }
}

impl fmt::Display for Degree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Degree::Bounded(slots) => write!(f, "{slots}"),
            Degree::Unbounded => write!(f, "∞"),
        }
    }
}
