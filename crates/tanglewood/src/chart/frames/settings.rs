//! Which systems frames are for.

use crate::system::{Address, Inventory, Reduce, Slot, System};

/// Which frames a chart is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chart) struct FrameSettings {
    /// K, the largest number of nodes of a frame: 3, 4 or 5.
    pub frame: usize,
    /// Whether all of the buffer may be heads, or its first node only.
    pub lookahead: bool,
}

impl FrameSettings {
    /// For a system with frames of three to five nodes, or one that has the same runs as such a system.
    /// Scores other than arc scores can tell the two apart, since windows without frames show more of the
    /// stack.
    pub fn of(system: &System, arcs_only: bool) -> Option<FrameSettings> {
        let same_as_mh3 = || (arcs_only && is_hybrid(system.inventory())).then_some(3);
        let frame = system.frame().or_else(same_as_mh3).filter(|frame| (3..=5).contains(frame))?;
        Some(FrameSettings { frame, lookahead: system.inventory().permits(Address::Buffer(1), 0) })
    }
}

/// True if and only if the top alone is ever removed, by its neighbours on both sides or by all of the
/// buffer: every run then keeps to frames of three nodes.
fn is_hybrid(inventory: &Inventory) -> bool {
    let top = |head| inventory.contains(Reduce { head, dependent: 0 });
    inventory.len() == 2 && top(Slot::Stack(1)) && (top(Slot::Buffer(0)) || top(Slot::Ahead))
}
