//! The runs of one tree.

use std::ops::Range;

use super::{TransitionScores, View};
use crate::Tree;
use crate::system::Address;

/// Scores that allow the arcs of one tree only, each when it can still lead to the tree. They serve the
/// sparse deduction, which asks for nothing but what is here.
///
/// To remove a word while it waits for a dependent is a dead end. Where the window or the buffer shows that
/// dependent, the reduce is forbidden. That changes no result, as no complete run of the tree does it; but
/// what is not derived costs nothing, and without such dead ends there are few items even for long sentences.
pub(crate) struct WithinTree<'a> {
    /// If there are none, all that is allowed scores 0.
    scores: Option<&'a dyn TransitionScores>,
    tree: &'a Tree,
    /// The last dependent of each node; 0 if it has none.
    last_dependents: Vec<usize>,
}

impl<'a> WithinTree<'a> {
    /// Scores and tree must have the same number of words.
    pub fn new(scores: Option<&'a dyn TransitionScores>, tree: &'a Tree) -> WithinTree<'a> {
        let mut last_dependents = vec![0; tree.len() + 1];
        for (head, dependent) in tree.arcs() {
            last_dependents[head] = dependent;
        }
        WithinTree { scores, tree, last_dependents }
    }
}

impl TransitionScores for WithinTree<'_> {
    fn words(&self) -> usize {
        self.tree.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.scores.map_or(0.0, |scores| scores.shift(top, front))
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let node = view.stack[dependent];
        let waits_for = |&other: &usize| other != 0 && self.tree.head(other) == node;
        let allowed = self.tree.head(node) == view.node(head)
            && self.last_dependents[node] < view.front
            && !view.stack.iter().any(waits_for);
        match self.scores {
            _ if !allowed => f64::NEG_INFINITY,
            Some(scores) => scores.reduce(view, head, dependent),
            None => 0.0,
        }
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        match self.tree.head(dependent) {
            head if head >= front => head..head + 1,
            _ => front..front,
        }
    }
}
