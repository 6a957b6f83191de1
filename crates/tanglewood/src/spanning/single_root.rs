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
use super::rows::largest;
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
        let tops = (1..self.forest.len()).filter(|&node| self.forest.parent[node] == 0);
        let mut at_root: Vec<AtRoot> = Vec::new();
        for node in tops.filter(|&node| self.forest.source[node] == 0) {
            at_root.push(self.at_root(node, scores));
        }
        while at_root.len() > 1 {
            let mut first = 0;
            for place in 1..at_root.len() {
                if at_root[place].leaves_at < at_root[first].leaves_at {
                    first = place;
                }
            }
            let leaving = at_root.swap_remove(first);
            if !leaving.leaves_at.is_finite() {
                return false;
            }
            self.root_price = self.root_price.max(leaving.leaves_at);
            self.choose_for(leaving.node, leaving.instead, scores);
            match self.follow(leaving.node, scores) {
                Followed::ToTheRoot => {}
                Followed::NewAtRoot(node) => at_root.push(self.at_root(node, scores)),
                Followed::Nowhere => return false,
            }
        }
        true
    }

    fn at_root(&self, node: usize, scores: &ArcScores) -> AtRoot {
        match self.best_from_word(node, scores) {
            Some(instead) => AtRoot { node, leaves_at: self.forest.value[node] - instead.0, instead },
            None => AtRoot { node, leaves_at: f64::INFINITY, instead: (f64::NEG_INFINITY, 0) },
        }
    }

    /// The best arc into a node that comes from a word.
    fn best_from_word(&self, node: usize, scores: &ArcScores) -> Option<(f64, usize)> {
        if node > self.words {
            let row = self.rows.row(self.place[node] as usize);
            return largest(&row[1..]).map(|(value, place)| (value, place + 1));
        }
        let mut best = None;
        for head in 1..=self.words {
            let score = scores.get(head, node);
            if score > best.map_or(f64::NEG_INFINITY, |(value, _)| value) {
                best = Some((score, head));
            }
        }
        best
    }

    fn choose_for(&mut self, node: usize, arc: (f64, usize), scores: &ArcScores) {
        if node > self.words {
            self.choose(node, arc, scores);
        } else {
            (self.forest.value[node], self.forest.source[node]) = (arc.0, arc.1 as u32);
        }
    }

    /// Follows heads from a node with a new arc, and contracts cycles.
    fn follow(&mut self, start: usize, scores: &ArcScores) -> Followed {
        let mut node = start;
        loop {
            let mut path = std::mem::take(&mut self.path);
            let is_cycle = self.walk(node, &mut path);
            if is_cycle {
                node = self.contract(&path, scores);
            }
            self.path = path;
            if !is_cycle {
                return Followed::ToTheRoot;
            }
            let from_root = self.rows.row(self.place[node] as usize)[0];
            match self.best_from_word(node, scores) {
                Some(arc) if arc.0 >= from_root - self.root_price => self.choose(node, arc, scores),
                _ if from_root > f64::NEG_INFINITY => {
                    self.choose(node, (from_root, 0), scores);
                    return Followed::NewAtRoot(node);
                }
                _ => return Followed::Nowhere,
            }
        }
    }

    /// The nodes from one to where its heads lead; true if that is the node itself. Anything else that is
    /// closed was contracted before.
    fn walk(&self, start: usize, path: &mut Vec<u32>) -> bool {
        path.clear();
        let mut node = start as u32;
        loop {
            path.push(node);
            node = self.top[self.forest.source[node as usize] as usize];
            if node == 0 || node as usize == start {
                return node != 0;
            }
        }
    }
}

/// Where heads lead after a change.
enum Followed {
    /// To a node that hangs from the root.
    ToTheRoot,
    /// Into a cycle, and the node it was contracted to hangs from the root.
    NewAtRoot(usize),
    /// Into a cycle that nothing enters.
    Nowhere,
}
