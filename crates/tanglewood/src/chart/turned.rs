//! The items of one layer that have h2 ≥ i, turned round.

use super::degree2::Degree2;
use super::lanes::{NODES, PADDING};
use super::layout::Layout;
use crate::semiring::Semiring;

/// The items [h3, k, h4, h5, j], which are second premises, by h4, pair (h3, k) and then h5: in the chart, neighbouring h5 are far apart. Each row
/// begins with zeros, so that loops over several h5 at once may begin before h4 + 1.
pub(super) struct Turned<S> {
    words: usize,
    /// Where the rows of h4 begin.
    starts: Vec<usize>,
    pub cells: Vec<S>,
}

/// How many zeros there are.
const ZEROS: usize = NODES - 1;

impl<S: Semiring> Turned<S> {
    pub fn new(words: usize) -> Turned<S> {
        let mut starts = vec![0];
        let mut size = 0;
        for h4 in 1..=words + NODES {
            starts.push(size);
            size += Layout::pairs(h4.min(words).max(1)) * (words.saturating_sub(h4) + ZEROS);
        }
        Turned { words, starts, cells: vec![S::ZERO; size + PADDING] }
    }

    /// The place of h4, a pair and h5, which may be up to two below h4.
    #[inline(always)]
    pub fn place(&self, h4: usize, pair: usize, h5: usize) -> usize {
        self.starts[h4] + pair * self.stride(h4) + h5 + ZEROS - h4 - 1
    }

    /// How far the rows of neighbouring pairs are apart.
    #[inline(always)]
    pub fn stride(&self, h4: usize) -> usize {
        self.words.saturating_sub(h4) + ZEROS
    }

    /// Adds the items of (k, j), when they are complete.
    pub fn add(&mut self, chart: &Degree2<S>, k: usize, j: usize) {
        if k == 1 {
            return;
        }
        let pair = Layout::first_pair(k);
        for h4 in k..j - 1 {
            let stride = self.stride(h4);
            for h5 in h4 + 1..j {
                let from = chart.layout.row(h4, j, h5) + pair;
                let mut to = self.place(h4, pair, h5);
                for &weight in &chart.cells[from..from + k - 1] {
                    self.cells[to] = weight;
                    to += stride;
                }
            }
        }
    }
}
