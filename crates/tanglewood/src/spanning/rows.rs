//! The arcs that enter a contracted set: a row of numbers by source, the best word inside already chosen.

use crate::scores::ArcScores;

/// Rows of the sets that were contracted and the words in them. A set has the place of one of its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    nodes: usize,
    values: Vec<f64>,
    members: Vec<Vec<u32>>,
}

impl Rows {
    /// Room for as many rows as there are words. What is in them is undefined.
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
    }

    /// The value of the best arc from each node into a set; −∞ from inside.
    #[inline]
    pub fn row(&self, place: usize) -> &[f64] {
        &self.values[place * self.nodes..(place + 1) * self.nodes]
    }

    #[inline]
    fn row_mut(&mut self, place: usize) -> &mut [f64] {
        &mut self.values[place * self.nodes..(place + 1) * self.nodes]
    }

    /// The words of a set.
    #[inline]
    pub fn members(&self, place: usize) -> &[u32] {
        &self.members[place]
    }

    /// Begins a set with one word, less a constant.
    pub fn begin(&mut self, word: usize, scores: &ArcScores, less: f64) {
        self.members[word].clear();
        self.members[word].push(word as u32);
        for (head, value) in self.row_mut(word).iter_mut().enumerate() {
            *value = scores.get(head, word) - less;
        }
    }

    /// Takes a constant from all arcs into a set.
    pub fn lower(&mut self, place: usize, less: f64) {
        self.row_mut(place).iter_mut().for_each(|value| *value -= less);
    }

    /// Adds a word to a set, its arcs less a constant.
    pub fn add_word(&mut self, place: usize, word: usize, scores: &ArcScores, less: f64) {
        self.members[place].push(word as u32);
        for (head, value) in self.row_mut(place).iter_mut().enumerate() {
            *value = larger(*value, scores.get(head, word) - less);
        }
    }

    /// Adds the words of another set, its arcs less a constant.
    pub fn add_set(&mut self, place: usize, other: usize, less: f64) {
        let (into, from) = two_rows(&mut self.values, self.nodes, place, other);
        for (value, &of_other) in into.iter_mut().zip(from) {
            *value = larger(*value, of_other - less);
        }
        let others = std::mem::take(&mut self.members[other]);
        self.members[place].extend_from_slice(&others);
        self.members[other] = others;
    }

    /// Forbids the arcs between words of a set.
    pub fn close(&mut self, place: usize) {
        let row = &mut self.values[place * self.nodes..(place + 1) * self.nodes];
        self.members[place].iter().for_each(|&member| row[member as usize] = f64::NEG_INFINITY);
    }
}

fn two_rows(values: &mut [f64], nodes: usize, into: usize, from: usize) -> (&mut [f64], &[f64]) {
    if into < from {
        let (low, high) = values.split_at_mut(from * nodes);
        (&mut low[into * nodes..(into + 1) * nodes], &high[..nodes])
    } else {
        let (low, high) = values.split_at_mut(into * nodes);
        (&mut high[..nodes], &low[from * nodes..(from + 1) * nodes])
    }
}

/// The larger of two numbers: one instruction, unlike `f64::max`, which minds NaN.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
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
