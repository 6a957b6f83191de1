//! Remove what can be removed, shift otherwise.

use crate::Tree;
use crate::system::{Address, Inventory};
use crate::transition::{Frames, Transition};

/// Runs the eager rule and reports each transition; true if and only if the run ends in a terminal
/// configuration.
///
/// A stack node is complete when all its dependents are attached. If a complete node in a dependent slot has
/// its head in a matching head slot it is removed, the topmost first; otherwise the next node is shifted.
/// Linear in the number of words for a given inventory. Exact if the inventory is removal-closed and frames
/// have no bound. Otherwise a run that does not end well proves nothing.
pub(super) fn run(
    inventory: &Inventory,
    frame: Option<usize>,
    tree: &Tree,
    mut report: impl FnMut(Transition),
) -> bool {
    let heads = tree.nodes();
    let mut missing = tree.dependent_counts();
    let mut stack: Vec<u32> = Vec::with_capacity(heads.len());
    let mut front = 0u32;
    let mut frames = frame.map(Frames::new);
    loop {
        let reduce = (0..stack.len().min(inventory.deepest_dependent() + 1)).find_map(|dependent| {
            let node = stack[stack.len() - 1 - dependent] as usize;
            let head = (node != 0 && missing[node] == 0)
                .then(|| visible_head(inventory, &stack, front, heads[node], dependent))??;
            let reduce = Transition::Reduce { head, dependent };
            frames.as_ref().is_none_or(|frames| frames.permit(reduce)).then_some((reduce, dependent))
        });
        let transition = if let Some((reduce, dependent)) = reduce {
            let node = stack.remove(stack.len() - 1 - dependent);
            missing[heads[node as usize] as usize] -= 1;
            reduce
        } else if (front as usize) < heads.len() {
            stack.push(front);
            front += 1;
            Transition::Shift
        } else {
            return stack.len() == 1;
        };
        if let Some(frames) = &mut frames {
            frames.apply(transition);
        }
        report(transition);
    }
}

/// Where the head of the node in stack slot `dependent` is, if it is where the inventory permits it to be.
#[inline]
pub(super) fn visible_head(
    inventory: &Inventory,
    stack: &[u32],
    front: u32,
    head: u32,
    dependent: usize,
) -> Option<Address> {
    let address = if head >= front {
        Address::Buffer((head - front) as usize)
    } else {
        let window = stack.iter().rev().take(inventory.depth_of_heads(dependent));
        Address::Stack(window.clone().position(|&node| node == head)?)
    };
    inventory.permits(address, dependent).then_some(address)
}
