//! Trees in systems with bounded frames.
//!
//! Removing a word as soon as possible is not exact here. A finished word that stays on the stack can be the
//! node below another one, which then is removed in a smaller frame than it would be otherwise. But often it
//! works; and where even the inventory without the bound cannot build the tree, frames cannot. In between,
//! the deduction decides. All of this is done on the tree's [core](super::contraction), which is small.

use super::contraction::Core;
use super::eager;
use crate::Tree;
use crate::deduction::Deduction;
use crate::system::Inventory;
use crate::transition::Transition;

/// True if and only if there is a run.
pub(super) fn covers(inventory: &Inventory, deduction: &Deduction, tree: &Tree) -> bool {
    let core = Core::of(tree).tree;
    core.is_empty()
        || eager::run(inventory, None, &core, |_| ())
            && (eager::run(inventory, deduction.frame(), &core, |_| ())
                || deduction.recognises(&core).expect("no limit on items"))
}

/// A run; if there is none, what removing words as soon as possible comes to.
pub(super) fn derivation(
    inventory: &Inventory,
    deduction: &Deduction,
    tree: &Tree,
) -> Result<Vec<Transition>, Vec<Transition>> {
    let core = Core::of(tree);
    let mut eagerly = Vec::with_capacity(2 * core.tree.len() + 1);
    if eager::run(inventory, deduction.frame(), &core.tree, |transition| eagerly.push(transition)) {
        return Ok(core.lifted(&eagerly));
    }
    let possible = eager::run(inventory, None, &core.tree, |_| ());
    let proof = possible.then(|| deduction.proof_of_tree(&core.tree).expect("no limit on items")).flatten();
    match proof {
        Some(proof) => Ok(core.lifted(proof.derivation().transitions())),
        None => Err(core.lifted(&eagerly)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Oracle, System};

    #[test]
    fn removing_words_as_soon_as_possible_is_not_exact() {
        let system = System::named("mh4").unwrap();
        // When 3 is in front, 1 and 2 can be removed. To remove 1 ties 2 to the root, which is then in the
        // way when 2 is to take 4: the frame [2, 3, 4, 5] has no room for it.
        let tree = Tree::from_heads(&[3, 3, 0, 2]).unwrap();
        assert!(Oracle::new(&system).covers(&tree));
        assert!(!eager::run(system.inventory(), system.frame(), &tree, |_| ()));
    }
}
