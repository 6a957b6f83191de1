//! Scores that forbid all arcs but those of one tree.

use std::ops::Range;

use super::{ArcScores, HeadKind, TransitionScores, View};
use crate::Tree;
use crate::system::Address;

/// The scores of the runs of one tree.
pub(crate) struct WithinTree<'a> {
    scores: &'a dyn TransitionScores,
    tree: &'a Tree,
    /// The arc part of the scores, with the other arcs forbidden.
    arcs: Option<ArcScores>,
}

impl<'a> WithinTree<'a> {
    /// Scores and tree must have the same number of words.
    pub fn new(scores: &'a dyn TransitionScores, tree: &'a Tree) -> WithinTree<'a> {
        let arcs = scores.arc_part().map(|arcs| {
            let mut within = ArcScores::only(tree);
            tree.arcs().for_each(|(head, word)| within.put(head, word, arcs.get(head, word)));
            within
        });
        WithinTree { scores, tree, arcs }
    }
}

impl TransitionScores for WithinTree<'_> {
    fn words(&self) -> usize {
        self.scores.words()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.scores.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        if self.tree.head(view.stack[dependent]) == view.node(head) {
            self.scores.reduce(view, head, dependent)
        } else {
            f64::NEG_INFINITY
        }
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        self.arcs.as_ref()
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        self.scores.context(view, head, dependent)
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        let head = self.tree.head(dependent);
        if head < front { front..front } else { head..head + 1 }
    }
}
