//! Exhaustive search with memory, for inventories where being eager could be wrong.

use std::collections::HashSet;

use super::eager::visible_head;
use crate::Tree;
use crate::deduction::Deduction;
use crate::system::{Inventory, System};
use crate::transition::Transition;

/// How many dead ends are remembered before the search is given up for the deduction.
const PATIENCE: usize = 1000;

/// A derivation of the tree; if there is none, the transitions of the attempt that removed most words.
///
/// Depth-first, reduces before shift. A configuration is its stack and the front of the buffer; which words
/// have been removed follows from them. Those known to lead nowhere are not entered again. That is quick
/// where it is easy, but there may be exponentially many configurations; when there turn out to be many, the
/// deduction decides, in polynomial time.
pub(super) fn derivation(inventory: &Inventory, tree: &Tree) -> Result<Vec<Transition>, Vec<Transition>> {
    let mut search = Search::new(inventory, tree);
    match search.succeeds(PATIENCE) {
        Some(true) => return Ok(search.path),
        Some(false) => return Err(search.best),
        None => {}
    }
    match Deduction::new(&System::from(inventory.clone())).limit(usize::MAX).proof_of_tree(tree) {
        Ok(Some(proof)) => Ok(proof.derivation().transitions().to_vec()),
        Ok(None) => Err(search.best),
        // More items than can be numbered: then the search has to go on to its end.
        Err(_) => {
            let mut search = Search::new(inventory, tree);
            if search.succeeds(usize::MAX) == Some(true) { Ok(search.path) } else { Err(search.best) }
        }
    }
}

struct Search<'a> {
    inventory: &'a Inventory,
    heads: &'a [u32],
    missing: Vec<u32>,
    stack: Vec<u32>,
    front: u32,
    path: Vec<Transition>,
    dead: HashSet<(u32, Vec<u32>)>,
    best: Vec<Transition>,
    best_removed: usize,
}

/// A choice point: what can still be tried, and the node that the step taken from here removed, if it removed
/// one.
struct Choice {
    untried: Vec<Transition>,
    removed: Option<u32>,
}

impl<'a> Search<'a> {
    fn new(inventory: &'a Inventory, tree: &'a Tree) -> Search<'a> {
        Search {
            inventory,
            heads: tree.nodes(),
            missing: tree.dependent_counts(),
            stack: Vec::new(),
            front: 0,
            path: Vec::new(),
            dead: HashSet::new(),
            best: Vec::new(),
            best_removed: 0,
        }
    }

    /// Searches from the start, with an explicit stack of choices, so that long sentences cannot exhaust the
    /// thread's. None if there are more dead ends than there is patience.
    fn succeeds(&mut self, patience: usize) -> Option<bool> {
        let mut choices = vec![Choice { untried: self.options(), removed: None }];
        while let Some(choice) = choices.last_mut() {
            let Some(transition) = choice.untried.pop() else {
                if self.dead.len() >= patience {
                    return None;
                }
                self.dead.insert((self.front, self.stack.clone()));
                choices.pop();
                if let Some(before) = choices.last() {
                    self.undo(before.removed);
                }
                continue;
            };
            choice.removed = self.make(transition);
            if self.front as usize == self.heads.len() && self.stack.len() == 1 {
                return Some(true);
            }
            if self.dead.contains(&(self.front, self.stack.clone())) {
                let removed = choice.removed;
                self.undo(removed);
                continue;
            }
            self.note_progress();
            let untried = self.options();
            choices.push(Choice { untried, removed: None });
        }
        Some(false)
    }

    /// What can be done here without losing the tree, the most promising last.
    fn options(&self) -> Vec<Transition> {
        let mut options = Vec::new();
        if (self.front as usize) < self.heads.len() {
            options.push(Transition::Shift);
        }
        for dependent in (0..self.stack.len().min(self.inventory.deepest_dependent() + 1)).rev() {
            let node = self.stack[self.stack.len() - 1 - dependent] as usize;
            if node != 0 && self.missing[node] == 0 {
                let head = visible_head(self.inventory, &self.stack, self.front, self.heads[node], dependent);
                options.extend(head.map(|head| Transition::Reduce { head, dependent }));
            }
        }
        options
    }

    /// Carries a transition out; the node it removed, if any.
    fn make(&mut self, transition: Transition) -> Option<u32> {
        self.path.push(transition);
        match transition {
            Transition::Shift => {
                self.stack.push(self.front);
                self.front += 1;
                None
            }
            Transition::Reduce { dependent, .. } => {
                let node = self.stack.remove(self.stack.len() - 1 - dependent);
                self.missing[self.heads[node as usize] as usize] -= 1;
                Some(node)
            }
        }
    }

    /// Takes the last transition back.
    fn undo(&mut self, removed: Option<u32>) {
        match (self.path.pop(), removed) {
            (Some(Transition::Reduce { dependent, .. }), Some(node)) => {
                self.stack.insert(self.stack.len() - dependent, node);
                self.missing[self.heads[node as usize] as usize] += 1;
            }
            _ => {
                self.stack.pop();
                self.front -= 1;
            }
        }
    }

    fn note_progress(&mut self) {
        let removed = self.front as usize - self.stack.len();
        if removed > self.best_removed || self.path.len() > self.best.len() {
            self.best_removed = removed;
            self.best.clone_from(&self.path);
        }
    }
}
