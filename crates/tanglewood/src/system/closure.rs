//! When removing a finished word at once can do no harm, and what follows from that.

use super::inventory::{Inventory, Reduce};
use super::slot::Slot;

impl Inventory {
    /// True if the eager oracle is exact for this inventory.
    ///
    /// Let x be a stack node that has all its dependents and could be removed now. Any run that leaves x on
    /// the stack can be imitated without x, provided that each reduce the run makes around x is still
    /// permitted when x's slot is gone and the slots below it have moved up by one. That is the first
    /// condition: **deleting a stack slot other than its own two maps every reduce of the table to one in the
    /// table.**
    ///
    /// The second condition saves tables such as `s0>s1 s1>s0 b0>s1`, where deleting s0 maps b0→s1 to the
    /// missing b0→s0. When the run makes that reduce, x is s0, and the removed d lies right below it. Suppose
    /// no reduce takes its head from two or more slots further down (so x's head is not below d), and all
    /// buffer heads are b0. Then x's head is b0, too: had it been on the stack above x, it would still be
    /// there. Until b0 is shifted, the run without x keeps d in the place where the other has x, so all slots
    /// agree; after the shift it removes d by s0→s1. So **a missing b0→s0 is made good by s0→s1** under those
    /// two suppositions.
    pub fn is_removal_closed(&self) -> bool {
        self.reduces().iter().all(|&reduce| {
            (0..=Slot::DEEPEST)
                .filter(|&slot| slot != reduce.dependent && Slot::Stack(slot) != reduce.head)
                .all(|slot| self.covers(without_slot(reduce, slot)) || self.waits_for_shift(reduce, slot))
        })
    }

    /// A smaller table with the same trees: without removals from the deepest slot sD, where they add
    /// nothing. Runs are fewer, and exact inference is faster by a factor n. None if that cannot be told.
    ///
    /// It holds if finished words may be removed at once, all words ahead are heads for s0..s(D−1), and each
    /// of s0..s(D−1) may be removed by every slot above it. Take a run that removes x from sD. Its head is
    /// ahead, or above x, and so was shifted after x. Let x have become complete when its last dependent was
    /// removed, or when it was shifted. Right then **x is not in sD**: a dependent above x was in the window
    /// together with it, and is gone; one below x was, too, so x was not the deepest; and what has just been
    /// shifted is s0. Its head was ahead or above x at that moment, too. So x can be removed then, and what
    /// the run does later can be done without x, since the table is removal-closed. That makes one removal
    /// from sD less, and no new one: nodes only move up.
    ///
    /// So `all+` has the trees of `all-s0s1+`.
    pub fn without_needless_removals(&self) -> Option<Inventory> {
        let deepest = u8::try_from(self.depth()).ok().filter(|&depth| depth > 0)?;
        let has = |head, dependent| self.contains(Reduce { head, dependent });
        let by_all_above =
            |slot: u8| has(Slot::Ahead, slot) && (0..slot).all(|head| has(Slot::Stack(head), slot));
        let needless = self.deepest_dependent() == usize::from(deepest)
            && (0..deepest).all(by_all_above)
            && self.is_removal_closed();
        let kept = self.reduces().iter().filter(|reduce| reduce.dependent < deepest);
        needless.then(|| Inventory::new(kept.copied()).ok()).flatten()
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
