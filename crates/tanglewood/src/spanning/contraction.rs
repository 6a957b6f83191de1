//! The best tree by contracting cycles, O(n²) (Chu and Liu 1965, Edmonds 1967, Bock 1971; O(n²) by Tarjan
//! 1977).
//!
//! Every word takes its best head. If that is a tree, it is the best one, and nothing else is done: with
//! trained scores that is the rule. Otherwise there is a cycle. Some arc has to enter it, and opens it at the
//! word that it enters; so the cycle becomes one node, and the arcs into it are worth their score less that
//! of the arc they replace. The new node takes its best head, and so on until there is no cycle.
//!
//! What makes it fast on a full matrix:
//!
//! * Only *rows* are merged. Where arcs come from stays a word for ever; that a source belongs to a set is
//!   looked up. Merging two rows is a subtraction and a maximum over contiguous numbers, and each merge makes
//!   one node of two: n − 1 merges of O(n).
//! * Rows do not remember which word an arc enters. It is found again for the chosen arc only: the word of
//!   the set with the largest score less what was taken from its scores so far.
//! * A word's row is copied out of the matrix when it is first part of a cycle; most never are.
//! * Arcs are added one by one. A new arc closes a cycle if and only if the heads of its node lead back to
//!   it, which takes O(n) to see.

use super::rows::{EnteringRows, largest};
use crate::Tree;
use crate::scores::ArcScores;

/// A word or a contracted set, with the arc that was chosen to enter it when it was on top.
///
/// The values of those arcs are the dual variables of the problem (see [`bounds`](super::bounds)).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The set that contains the node; 0 if there is none.
    pub parent: u32,
    /// The last node of the cycle that was contracted, and for each of its nodes the one before; 0 at the
    /// end.
    last_child: u32,
    previous_sibling: u32,
    /// Where the chosen arc comes from: a word or 0.
    pub source: u32,
    /// The word that the chosen arc enters.
    target: u32,
    /// The place of the node's row.
    place: u32,
    /// The score of the chosen arc, less what the sets inside had paid already.
    pub value: f64,
}

/// Memory for finding best trees, to be used again and again.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) words: usize,
    /// The root of the sentence, the words, then sets, each after what it contains. Empty if there was no
    /// cycle.
    pub(super) nodes: Vec<Node>,
    /// For each node the word from which on arcs were followed when its arc was added; 0 if it was not yet.
    added_from: Vec<u32>,
    pub(super) rows: EnteringRows,
    /// The outermost node around each word.
    top: Vec<u32>,
    /// What was taken from the scores of each word's arcs.
    taken: Vec<f64>,
    /// What an arc from the root costs beyond its score, so that there is only one.
    pub(super) root_price: f64,
    /// The best head of each word, and its score.
    heads: Vec<u32>,
    scores: Vec<f64>,
    cycle: Vec<u32>,
    pending: Vec<u32>,
}

impl Workspace {
    /// Memory that grows with the first sentences.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// The best tree, if there is one. The nodes then hold the reasons for it.
    pub(super) fn solve(&mut self, scores: &ArcScores, single_root: bool) -> Option<Tree> {
        self.words = scores.len();
        self.root_price = 0.0;
        if !self.take_best_heads(scores) || (single_root && self.words == 0) {
            return None;
        }
        self.nodes.clear();
        let at_root = self.heads[1..].iter().filter(|&&head| head == 0).count();
        if (!single_root || at_root == 1)
            && let Ok(tree) = Tree::from_nodes(self.heads.clone().into_boxed_slice())
        {
            return Some(tree);
        }
        self.make_nodes();
        self.added_from.clear();
        self.added_from.resize(self.words + 1, 0);
        self.rows.reset(self.words);
        self.top.clear();
        self.top.extend(0..=self.words as u32);
        self.taken.clear();
        self.taken.resize(self.words + 1, 0.0);
        for word in 1..=self.words {
            // Where arcs lead comes next, so that most new arcs have a short way to where no arc is yet.
            let mut node = word;
            while node != 0 && self.added_from[node] == 0 {
                node = self.add_arc(node, scores, word as u32)?;
                node = self.head_of(node);
            }
        }
        if single_root && !self.leave_one_root(scores) {
            return None;
        }
        Tree::from_nodes(self.unwind()).ok()
    }

    /// Makes the nodes of all words, if there are none.
    pub(super) fn make_nodes(&mut self) {
        if self.nodes.is_empty() {
            let heads = self.heads.iter().zip(&self.scores).zip(0..);
            self.nodes.extend(heads.map(|((&source, &value), word)| Node {
                source,
                value,
                target: word,
                place: word,
                ..Node::default()
            }));
        }
    }

    /// Every word takes its best head, the first of several. False if a word has none.
    fn take_best_heads(&mut self, scores: &ArcScores) -> bool {
        /// Words that are looked at together. Their best heads seldom change once a few were seen, and
        /// whether any does is one test.
        const LANES: usize = 8;
        self.heads.clear();
        self.heads.resize(self.words + 1, 0);
        self.scores.clear();
        self.scores.resize(self.words + 1, f64::NEG_INFINITY);
        for head in 0..=self.words {
            let (rows, rest) = scores.row(head).as_chunks::<LANES>();
            let (values, rest_values) = self.scores.as_chunks_mut::<LANES>();
            let (sources, rest_sources) = self.heads.as_chunks_mut::<LANES>();
            for ((row, values), sources) in rows.iter().zip(values).zip(sources) {
                if (0..LANES).fold(false, |any, lane| any | (row[lane] > values[lane])) {
                    take_better(head, row, values, sources);
                }
            }
            take_better(head, rest, rest_values, rest_sources);
        }
        self.scores[1..].iter().all(|&score| score > f64::NEG_INFINITY)
    }

    /// Adds the arc of a node, and contracts cycles until there is none: the outermost node around it then,
    /// or none if nothing can enter it. Arcs are followed from the word `from` on; from 0 while roots are
    /// given up. A tie then is one between a word and the root at its price, and the word wins.
    pub(super) fn add_arc(&mut self, node: usize, scores: &ArcScores, from: u32) -> Option<usize> {
        let mut node = node;
        self.added_from[node] = from;
        while self.closes_cycle(node, from) {
            node = self.contract(node, scores);
            self.added_from.push(from);
            let from_root = self.rows.row(self.nodes[node].place as usize)[0];
            let arc = match self.best_from_word(node, scores) {
                Some(arc) if arc.0 > from_root - self.root_price => arc,
                Some(arc) if from == 0 && arc.0 == from_root - self.root_price => arc,
                _ if from_root > f64::NEG_INFINITY => (from_root, 0),
                _ => return None,
            };
            self.choose(node, arc, scores);
        }
        Some(node)
    }

    /// The outermost node that the arc of a node comes from.
    fn head_of(&self, node: usize) -> usize {
        self.top[self.nodes[node].source as usize] as usize
    }

    /// Whether heads lead from a node, whose arc was just added, back to it.
    fn closes_cycle(&self, start: usize, from: u32) -> bool {
        let mut node = self.head_of(start);
        // Arcs that were added from another word on lead to the root.
        while node != start && node != 0 && (from == 0 || self.added_from[node] == from) {
            node = self.head_of(node);
        }
        node == start
    }

    /// The best arc into a node that comes from a word: its value and its source.
    pub(super) fn best_from_word(&self, node: usize, scores: &ArcScores) -> Option<(f64, usize)> {
        if node > self.words {
            let row = self.rows.row(self.nodes[node].place as usize);
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

    /// Makes one node of the cycle that a node is part of. It has no head yet.
    fn contract(&mut self, start: usize, scores: &ArcScores) -> usize {
        let mut cycle = std::mem::take(&mut self.cycle);
        cycle.clear();
        cycle.push(start as u32);
        let mut next = self.head_of(start);
        while next != start {
            cycle.push(next as u32);
            next = self.head_of(next);
        }
        let node = self.nodes.len();
        let mut last_child = 0;
        for &child in &cycle {
            if child as usize <= self.words {
                self.rows.copy(child as usize, scores);
            }
            let part = &mut self.nodes[child as usize];
            (part.parent, part.previous_sibling) = (node as u32, last_child);
            last_child = child;
            for &member in self.rows.members(part.place as usize) {
                self.taken[member as usize] += part.value;
            }
        }
        // The largest set grows by the others, so that words seldom move.
        let size = |&part: &u32| self.rows.members(self.nodes[part as usize].place as usize).len();
        let first = cycle.iter().copied().max_by_key(size).unwrap_or(0);
        let Node { place, value, .. } = self.nodes[first as usize];
        self.rows.lower(place as usize, value);
        for part in cycle.iter().filter(|&&part| part != first).map(|&part| self.nodes[part as usize]) {
            self.rows.merge(place as usize, part.place as usize, part.value);
        }
        self.rows.close(place as usize);
        for &member in self.rows.members(place as usize) {
            self.top[member as usize] = node as u32;
        }
        self.nodes.push(Node { last_child, place, ..Node::default() });
        self.cycle = cycle;
        node
    }

    /// Gives a node the arc of that value and source, and finds the word it enters.
    pub(super) fn choose(&mut self, node: usize, (value, source): (f64, usize), scores: &ArcScores) {
        let mut target = (f64::NEG_INFINITY, 0);
        if node > self.words {
            let row = scores.row(source);
            for &member in self.rows.members(self.nodes[node].place as usize) {
                let score = row[member as usize];
                let candidate = score - self.taken[member as usize];
                // Words of a set are in no order of use; the smaller one wins a tie.
                let better = candidate > target.0 || (candidate == target.0 && member < target.1);
                if score > f64::NEG_INFINITY && (better || target.1 == 0) {
                    target = (candidate, member);
                }
            }
            self.nodes[node].target = target.1;
        }
        (self.nodes[node].value, self.nodes[node].source) = (value, source as u32);
    }

    /// The nodes right below a set.
    pub(super) fn children(&self, set: usize) -> impl Iterator<Item = usize> + '_ {
        let known = |node: u32| (node != 0).then_some(node as usize);
        let last = known(self.nodes[set].last_child);
        std::iter::successors(last, move |&child| known(self.nodes[child].previous_sibling))
    }

    /// The nodes that no set contains, but for the root of the sentence.
    pub(super) fn outermost(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.nodes.len()).filter(|&node| self.nodes[node].parent == 0)
    }

    /// The head of each word: an arc that enters a set opens the cycle inside it at one place; all else in
    /// the cycle stays. Linear time, since each node is left alone, or opened once.
    fn unwind(&mut self) -> Box<[u32]> {
        let mut heads = vec![0; self.words + 1].into_boxed_slice();
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.extend(self.outermost().map(|node| node as u32));
        while let Some(entered) = pending.pop() {
            let Node { target, source, .. } = self.nodes[entered as usize];
            heads[target as usize] = source;
            let mut node = target;
            while node != entered {
                let set = self.nodes[node as usize].parent;
                let others = self.children(set as usize).map(|other| other as u32);
                pending.extend(others.filter(|&other| other != node));
                node = set;
            }
        }
        self.pending = pending;
        heads
    }
}

/// Takes a head for those words for which it is better.
fn take_better(head: usize, scores: &[f64], values: &mut [f64], sources: &mut [u32]) {
    for ((&score, value), source) in scores.iter().zip(values).zip(sources) {
        if score > *value {
            (*value, *source) = (score, head as u32);
        }
    }
}
