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
//! * Chosen heads are followed from one node to the next; when the walk meets itself, what it has met is the
//!   cycle, and it goes on from the contracted node. No search for cycles starts again.

use super::forest::Forest;
use super::rows::{Rows, largest};
use crate::Tree;
use crate::scores::ArcScores;

/// A node whose head has not been followed.
const FRESH: u8 = 0;
/// A node on the path that is being followed.
const ON_PATH: u8 = 1;
/// A node from which heads lead to the root.
const FINISHED: u8 = 2;

/// Memory for finding best trees, to be used again and again.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) words: usize,
    pub(super) forest: Forest,
    pub(super) rows: Rows,
    /// The place of each node's row.
    pub(super) place: Vec<u32>,
    /// The outermost node around each word.
    pub(super) top: Vec<u32>,
    /// What was taken from the scores of each word's arcs.
    pub(super) taken: Vec<f64>,
    /// What an arc from the root costs beyond its score, so that there is only one.
    pub(super) root_price: f64,
    state: Vec<u8>,
    pub(super) path: Vec<u32>,
}

impl Workspace {
    /// Memory that grows with the first sentences.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// The best tree, if there is one. The forest then holds the reasons for it.
    pub(super) fn solve(&mut self, scores: &ArcScores, single_root: bool) -> Option<Tree> {
        self.words = scores.len();
        self.root_price = 0.0;
        if self.words == 0 {
            self.forest.reset(0);
            return if single_root { None } else { Tree::from_nodes(Box::new([0])).ok() };
        }
        if !self.take_best_heads(scores) {
            return None;
        }
        let at_root = self.forest.source[1..].iter().filter(|&&source| source == 0).count();
        if (!single_root || at_root == 1)
            && let Ok(tree) = Tree::from_nodes(self.forest.source.clone().into_boxed_slice())
        {
            return Some(tree);
        }
        self.prepare_contraction();
        if !self.contract_cycles(scores) || (single_root && !self.leave_one_root(scores)) {
            return None;
        }
        Tree::from_nodes(self.forest.unwind(self.words)).ok()
    }

    /// Every word takes its best head, the first of several. False if a word has none.
    fn take_best_heads(&mut self, scores: &ArcScores) -> bool {
        /// Words that are looked at together. Their best heads seldom change once a few were seen, and
        /// whether any does is one test.
        const LANES: usize = 8;
        self.forest.reset(self.words);
        let Forest { source, value, .. } = &mut self.forest;
        for head in 0..=self.words {
            let (rows, rest) = scores.row(head).as_chunks::<LANES>();
            let (values, rest_values) = value.as_chunks_mut::<LANES>();
            let (sources, rest_sources) = source.as_chunks_mut::<LANES>();
            for ((row, values), sources) in rows.iter().zip(values).zip(sources) {
                if (0..LANES).fold(false, |any, lane| any | (row[lane] > values[lane])) {
                    take_better(head, row, values, sources);
                }
            }
            take_better(head, rest, rest_values, rest_sources);
        }
        value[1..].iter().all(|&value| value > f64::NEG_INFINITY)
    }

    fn prepare_contraction(&mut self) {
        let nodes = self.words + 1;
        self.rows.reset(self.words);
        self.place.clear();
        self.place.extend(0..nodes as u32);
        self.top.clear();
        self.top.extend(0..nodes as u32);
        self.taken.clear();
        self.taken.resize(nodes, 0.0);
        self.state.clear();
        self.state.resize(nodes, FRESH);
        self.state[0] = FINISHED;
    }

    /// Contracts until all chosen heads lead to the root. False if that cannot be.
    fn contract_cycles(&mut self, scores: &ArcScores) -> bool {
        let mut path = std::mem::take(&mut self.path);
        let mut possible = true;
        for word in 1..=self.words {
            path.clear();
            let mut next = self.top[word];
            while possible {
                match self.state[next as usize] {
                    FINISHED => break,
                    ON_PATH => {
                        let begin = path.iter().rposition(|&node| node == next).unwrap_or(0);
                        let node = self.contract(&path[begin..], scores);
                        path.truncate(begin);
                        path.push(node as u32);
                        match largest(self.rows.row(self.place[node] as usize)) {
                            Some(arc) => self.choose(node, arc, scores),
                            None => possible = false,
                        }
                    }
                    _ => {
                        self.state[next as usize] = ON_PATH;
                        path.push(next);
                    }
                }
                let last = path.last().map_or(0, |&node| node as usize);
                next = self.top[self.forest.source[last] as usize];
            }
            path.iter().for_each(|&node| self.state[node as usize] = FINISHED);
        }
        self.path = path;
        possible
    }

    /// Makes one node of the nodes of a cycle. It has no head yet.
    pub(super) fn contract(&mut self, cycle: &[u32], scores: &ArcScores) -> usize {
        for &part in cycle {
            let (place, value) = (self.place[part as usize] as usize, self.forest.value[part as usize]);
            if part as usize <= self.words {
                self.rows.copy(part as usize, scores);
            }
            for &member in self.rows.members(place) {
                self.taken[member as usize] += value;
            }
        }
        // The largest set grows by the others, so that words seldom move.
        let size = |&part: &u32| self.rows.members(self.place[part as usize] as usize).len();
        let first = cycle.iter().copied().max_by_key(size).unwrap_or(0) as usize;
        let place = self.place[first] as usize;
        self.rows.lower(place, self.forest.value[first]);
        for part in cycle.iter().map(|&part| part as usize).filter(|&part| part != first) {
            self.rows.merge(place, self.place[part] as usize, self.forest.value[part]);
        }
        self.rows.close(place);
        let node = self.forest.contract(cycle);
        self.place.push(place as u32);
        self.state.push(ON_PATH);
        for &member in self.rows.members(place) {
            self.top[member as usize] = node as u32;
        }
        node
    }

    /// Gives a contracted node the arc of that value and source, and finds the word it enters.
    pub(super) fn choose(&mut self, node: usize, (value, source): (f64, usize), scores: &ArcScores) {
        let row = scores.row(source);
        let mut target = (f64::NEG_INFINITY, 0);
        for &member in self.rows.members(self.place[node] as usize) {
            let score = row[member as usize];
            let candidate = score - self.taken[member as usize];
            // Words of a set are in no order of use; the smaller one wins a tie.
            let better = candidate > target.0 || (candidate == target.0 && member < target.1);
            if score > f64::NEG_INFINITY && (better || target.1 == 0) {
                target = (candidate, member);
            }
        }
        self.forest.value[node] = value;
        self.forest.source[node] = source as u32;
        self.forest.target[node] = target.1;
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
