//! The diagonal items of one layer, turned round.

use super::degree2::Degree2;
use super::lanes::{NODES, PADDING, lanes};
use super::layout::triangle;
use crate::semiring::Semiring;

/// The items [h3, k, h3, x, j], which are second premises, by k, h3 and then x: in the chart, neighbouring x are far apart. Zero where x < k.
pub(super) struct Seconds<S> {
    nodes: usize,
    cells: Vec<S>,
}

impl<S: Semiring> Seconds<S> {
    pub fn new(words: usize) -> Seconds<S> {
        let nodes = words + 1;
        Seconds { nodes, cells: vec![S::ZERO; triangle(words) * nodes + PADDING] }
    }

    /// Where the row of (k, h3) begins.
    #[inline(always)]
    fn row(&self, k: usize, h3: usize) -> usize {
        (triangle(k - 1) + h3) * self.nodes
    }

    /// Adds the items of (k, j), when they are complete.
    pub fn add(&mut self, chart: &Degree2<S>, k: usize, j: usize) {
        for x in k..j {
            let row = &chart.cells[chart.layout.diagonal_row(k, j, x)..][..k];
            let mut at = self.row(k, 1) + x;
            for &weight in &row[1..] {
                self.cells[at] = weight;
                at += self.nodes;
            }
        }
    }

    /// The items of (k, h3) for some x.
    #[inline(always)]
    pub fn some(&self, k: usize, h3: usize, x: usize) -> [S; NODES] {
        lanes(&self.cells, self.row(k, h3) + x)
    }
}
