//! One word at the root, at no more than O(n²) (Gabow and Tarjan 1984; for parsing, Zmigrod, Vieira and
//! Cotterell 2020).
//!
//! Contraction has found the best tree with any number of words at the root. Now arcs from the root get a
//! price λ that rises from 0. For every λ the best tree is the one that maximises score − λ · (words at the
//! root). A tree that does so and has one word at the root is the best of all with one word at the root:
//! those all pay the same λ, so the one that is best after paying it was best before.
//!
//! How does the best tree change while λ rises? Root arcs are never part of a cycle, so inside contracted
//! sets nothing changes, and of all arcs into a set the one from the root loses λ exactly. So a node whose
//! chosen arc comes from the root keeps it until λ is the difference to its best arc from a word; then both
//! are equally good, and it takes the other one. The next node to do so is the one with the smallest
//! difference. Its new arc may close a cycle, which is contracted as always; the new node takes the better of
//! its best root arc less λ and its best arc from a word. When one node with a root arc is left, the tree has
//! one word at the root. When several are left and none has an arc from a word, there is no such tree.
//!
//! Each node changes once, there are fewer than 2n nodes, and each change takes O(n): a walk along the heads,
//! and merging rows. λ is a difference of scores, no larger than it has to be, and is only ever compared; it
//! is added to nothing.

use super::contraction::Workspace;
use crate::scores::ArcScores;

/// A node that hangs from the root, and what it could have instead.
struct AtRoot {
    node: usize,
    /// The price at which it leaves the root; +∞ if it cannot.
    leaves_at: f64,
    /// The value and the source of its best arc from a word.
    instead: (f64, usize),
}

impl Workspace {
    /// Raises the price of root arcs until one is left. False if that cannot be.
    pub(super) fn leave_one_root(&mut self, scores: &ArcScores) -> bool {
        let from_root = self.outermost().filter(|&node| self.nodes[node].source == 0);
        let mut at_root: Vec<AtRoot> = from_root.map(|node| self.at_root(node, scores)).collect();
        while at_root.len() > 1 {
            let mut first = 0;
            for place in 1..at_root.len() {
                if at_root[place].leaves_at < at_root[first].leaves_at {
                    first = place;
                }
            }
            let AtRoot { node, leaves_at, instead } = at_root.swap_remove(first);
            if !leaves_at.is_finite() {
                return false;
            }
            self.root_price = self.root_price.max(leaves_at);
            self.choose(node, instead, scores);
            match self.add_arc(node, scores, 0) {
                Some(node) if self.nodes[node].source == 0 => at_root.push(self.at_root(node, scores)),
                Some(_) => {}
                None => return false,
            }
        }
        true
    }

    fn at_root(&self, node: usize, scores: &ArcScores) -> AtRoot {
        match self.best_from_word(node, scores) {
            Some(instead) => AtRoot { node, leaves_at: self.nodes[node].value - instead.0, instead },
            None => AtRoot { node, leaves_at: f64::INFINITY, instead: (f64::NEG_INFINITY, 0) },
        }
    }
}
