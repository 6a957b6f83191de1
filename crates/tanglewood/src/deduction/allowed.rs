//! Scores that only say which arcs there may be.

use std::ops::Range;

use crate::Tree;
use crate::scores::{TransitionScores, View};
use crate::system::Address;

/// The arcs of one tree, each when it can still lead to the tree.
///
/// To remove a word while it waits for a dependent is a dead end. Where the window or the buffer shows that
/// dependent, the reduce is forbidden. That changes no result, as no complete run of the tree does it; but
/// what is not derived costs nothing, and without such dead ends there are few items even for long sentences.
pub(super) struct ArcsOf<'a> {
    tree: &'a Tree,
    /// The last dependent of each node; 0 if it has none.
    last_dependents: Vec<usize>,
}

impl ArcsOf<'_> {
    pub fn new(tree: &Tree) -> ArcsOf<'_> {
        let mut last_dependents = vec![0; tree.len() + 1];
        for (head, dependent) in tree.arcs() {
            last_dependents[head] = dependent;
        }
        ArcsOf { tree, last_dependents }
    }
}

impl TransitionScores for ArcsOf<'_> {
    fn words(&self) -> usize {
        self.tree.len()
    }

    fn shift(&self, _: Option<usize>, _: usize) -> f64 {
        0.0
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let head = view.node(head);
        let dependent = view.stack[dependent];
        let waits_for = |&node: &usize| node != 0 && self.tree.head(node) == dependent;
        let allowed = self.tree.head(dependent) == head
            && self.last_dependents[dependent] < view.front
            && !view.stack.iter().any(waits_for);
        if allowed { 0.0 } else { f64::NEG_INFINITY }
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        match self.tree.head(dependent) {
            head if head >= front => head..head + 1,
            _ => front..front,
        }
    }
}
