//! The items of one right end that have h2 ≥ i, while they are computed.

use super::Degree2;
use super::layout::Layout;
use crate::chart::lanes::{LANES, PADDING};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// The items [h1, i, h2, h3, j] of one j, in the order of the chart, by h2, h3 and then pair (h1, i). Here
/// rows are padded, so that whole groups of pairs can be read and written, also from a little before their
/// beginning.
pub(super) struct OffDiagonalLayer<S> {
    words: usize,
    /// Where the rows of h2 begin.
    starts: Vec<usize>,
    /// Where the row of two nodes begins, in either order.
    places: Vec<usize>,
    pub cells: Vec<S>,
}

impl<S: Semiring> OffDiagonalLayer<S> {
    pub fn new(words: usize) -> Result<OffDiagonalLayer<S>, OutOfMemory> {
        let nodes = words + 1;
        let mut starts = vec![0; 2];
        let mut size = LANES;
        for h2 in 2..=words {
            starts.push(size);
            size += (words - h2) * stride(h2);
        }
        let mut places = table(nodes * nodes, 0)?;
        for h2 in 2..nodes {
            for h3 in h2 + 1..nodes {
                let place = starts[h2] + (h3 - h2 - 1) * stride(h2);
                places[h2 * nodes + h3] = place;
                places[h3 * nodes + h2] = place;
            }
        }
        Ok(OffDiagonalLayer { words, starts, places, cells: table(size + PADDING, S::ZERO)? })
    }

    /// Where the row of (h2, h3) begins, given one of them, by the other.
    #[inline(always)]
    pub fn places(&self, node: usize) -> &[usize] {
        &self.places[node * (self.words + 1)..][..self.words + 1]
    }

    /// The rows of h2 with h3 < j.
    #[inline(always)]
    pub fn rows(&mut self, h2: usize, j: usize) -> &mut [S] {
        &mut self.cells[self.starts[h2]..][..(j - h2 - 1) * stride(h2)]
    }

    /// Moves the items to the chart when they are complete.
    pub fn finish(&mut self, chart: &mut Degree2<S>, j: usize) {
        for h2 in 2..j.saturating_sub(1) {
            let pairs = Layout::pairs(h2);
            let mut at = chart.layout.row(h2, j, h2 + 1);
            let rows = self.rows(h2, j);
            for row in rows.chunks_exact(stride(h2)) {
                chart.cells[at..at + pairs].copy_from_slice(&row[..pairs]);
                at += pairs;
            }
            rows.fill(S::ZERO);
        }
    }
}

/// Distance of the rows of h2.
#[inline(always)]
pub(super) fn stride(h2: usize) -> usize {
    Layout::pairs(h2).next_multiple_of(LANES)
}
