//! When removing a finished word at once can do no harm.

use super::inventory::{Inventory, Reduce};
use super::slot::Slot;

impl Inventory {
    /// True if the eager oracle is exact for this inventory.
    ///
    /// Let x be a stack node that has all its dependents and could be removed now. Any run that leaves x on the stack
    /// can be imitated without x, provided that each reduce the run makes around x is still permitted when x's slot is
    /// gone and the slots below it have moved up by one. That is the first condition: **deleting a stack slot other
    /// than its own two maps every reduce of the table to one in the table.**
    ///
    /// The second condition saves tables such as `s0>s1 s1>s0 b0>s1`, where deleting s0 maps b0→s1 to the missing
    /// b0→s0. When the run makes that reduce, x is s0, and the removed d lies right below it. Suppose no reduce takes
    /// its head from two or more slots further down (so x's head is not below d), and all buffer heads are b0. Then
    /// x's head is b0, too: had it been on the stack above x, it would still be there. Until b0 is shifted, the run
    /// without x keeps d in the place where the other has x, so all slots agree; after the shift it removes d by s0→s1. So
    /// **a missing b0→s0 is made good by s0→s1** under those two suppositions.
    pub fn is_removal_closed(&self) -> bool {
        self.reduces().iter().all(|&reduce| {
            (0..=Slot::DEEPEST)
                .filter(|&slot| slot != reduce.dependent && Slot::Stack(slot) != reduce.head)
                .all(|slot| self.covers(without_slot(reduce, slot)) || self.waits_for_shift(reduce, slot))
        })
    }

    /// True if and only if the table has this reduce, or the same one with `ahead` for its buffer slot.
    fn covers(&self, reduce: Reduce) -> bool {
        let ahead = Reduce { head: Slot::Ahead, ..reduce };
        self.contains(reduce) || (!matches!(reduce.head, Slot::Stack(_)) && self.contains(ahead))
    }

    /// The second condition above, for deleting `slot` under `reduce`.
    fn waits_for_shift(&self, reduce: Reduce, slot: u8) -> bool {
        let front = Slot::Buffer(0);
        reduce == Reduce { dependent: 1, head: front }
            && slot == 0
            && self.contains(Reduce { dependent: 1, head: Slot::Stack(0) })
            && self.reduces().iter().all(|other| match other.head {
                Slot::Stack(head) => head <= other.dependent + 1,
                buffer => buffer == front,
            })
    }
}

/// The same two nodes as seen after another stack slot has been deleted.
fn without_slot(reduce: Reduce, deleted: u8) -> Reduce {
    let moved = |place: u8| if place > deleted { place - 1 } else { place };
    let head = match reduce.head {
        Slot::Stack(place) => Slot::Stack(moved(place)),
        buffer => buffer,
    };
    Reduce { dependent: moved(reduce.dependent), head }
}
