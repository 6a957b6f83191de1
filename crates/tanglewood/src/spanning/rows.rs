//! The arcs that enter a word or a contracted set: a row of numbers by source, the best word inside already
//! chosen.

use crate::scores::ArcScores;

/// From this number of nodes on the matrix is larger than caches, and columns are copied many at a time.
const LARGE: usize = 1000;
/// Number of columns that are copied together, then.
const NEIGHBOURS: usize = 64;
/// Heads that are copied together, a line of the cache for each column.
const TILE: usize = 8;

/// Rows of the nodes that arcs enter, and the words in them. A word has a place of its own; a set has that of
/// one of its words.
#[derive(Clone, Debug, Default)]
pub(super) struct EnteringRows {
    nodes: usize,
    values: Vec<f64>,
    members: Vec<Vec<u32>>,
    /// Whether a word's column of the matrix was copied to its row.
    copied: Vec<bool>,
}

impl EnteringRows {
    /// Room for as many rows as there are words.
    pub fn reset(&mut self, words: usize) {
        self.nodes = words + 1;
        let needed = self.nodes * self.nodes;
        if self.values.len() < needed {
            // Fresh zeroed memory is not touched before it is used.
            self.values = vec![0.0; needed];
        }
        if self.members.len() < self.nodes {
            self.members.resize(self.nodes, Vec::new());
        }
        self.copied.clear();
        self.copied.resize(self.nodes, false);
    }

    /// Gets a word's row ready: the scores of its heads.
    pub fn copy(&mut self, word: usize, scores: &ArcScores) {
        if self.copied[word] {
            return;
        }
        let copied = if self.nodes < LARGE {
            word..word + 1
        } else {
            let first = word - word % NEIGHBOURS;
            first..(first + NEIGHBOURS).min(self.nodes)
        };
        for tile in (0..self.nodes).step_by(TILE) {
            let heads = tile..(tile + TILE).min(self.nodes);
            for neighbour in copied.clone() {
                let row = &mut self.values[neighbour * self.nodes..][heads.clone()];
                row.iter_mut()
                    .zip(heads.clone())
                    .for_each(|(value, head)| *value = scores.get(head, neighbour));
            }
        }
        for neighbour in copied {
            self.members[neighbour].clear();
            self.members[neighbour].push(neighbour as u32);
            self.copied[neighbour] = true;
        }
    }

    /// The value of the best arc from each node into the node at a place; −∞ from inside.
    #[inline]
    pub fn row(&self, place: usize) -> &[f64] {
        &self.values[place * self.nodes..(place + 1) * self.nodes]
    }

    /// The words of the node at a place.
    #[inline]
    pub fn members(&self, place: usize) -> &[u32] {
        &self.members[place]
    }

    /// Takes a constant from all arcs into a node.
    pub fn lower(&mut self, place: usize, less: f64) {
        let row = &mut self.values[place * self.nodes..(place + 1) * self.nodes];
        row.iter_mut().for_each(|value| *value -= less);
    }

    /// Adds the words of another node, its arcs less a constant.
    pub fn merge(&mut self, place: usize, other: usize, less: f64) {
        let (one, two) = (place * self.nodes, other * self.nodes);
        let rows = [one..one + self.nodes, two..two + self.nodes];
        if let Ok([into, from]) = self.values.get_disjoint_mut(rows) {
            for (value, of_other) in into.iter_mut().zip(from) {
                *value = larger(*value, *of_other - less);
            }
        }
        if let Ok([into, from]) = self.members.get_disjoint_mut([place, other]) {
            into.extend_from_slice(from);
        }
    }

    /// Forbids the arcs between words of a set.
    pub fn close(&mut self, place: usize) {
        let row = &mut self.values[place * self.nodes..(place + 1) * self.nodes];
        self.members[place].iter().for_each(|&member| row[member as usize] = f64::NEG_INFINITY);
    }
}

/// The larger of two numbers: one instruction, unlike `f64::max`, which minds NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest number and the first place that has it; nothing if all are −∞.
pub(super) fn largest(row: &[f64]) -> Option<(f64, usize)> {
    const LANES: usize = 8;
    let mut lanes = [f64::NEG_INFINITY; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = larger(lanes[lane], chunk[lane]);
        }
    }
    let largest = lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, larger);
    if largest == f64::NEG_INFINITY {
        return None;
    }
    row.iter().position(|&value| value == largest).map(|place| (largest, place))
}
