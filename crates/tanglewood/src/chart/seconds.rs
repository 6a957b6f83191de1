//! The diagonal items of one layer, turned round.

use std::ops::Range;

use super::degree2::Degree2;
use super::below::Below;
use super::lanes::{LANES, NODES, PADDING, Sums, lanes, products};
use super::layout::triangle;
use super::simd::Kernel;
use super::team::Divisible;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// The items [h3, k, h3, x, j], which are second premises, by k, h3 and then x: in the chart, neighbouring x are far apart. Zero where x < k.
pub(super) struct Seconds<S> {
    nodes: usize,
    cells: Vec<S>,
    /// The same, times the fixed weight of removing h3 from the window (·, h3, x).
    with_fixed: Vec<S>,
}

impl<S: Semiring> Seconds<S> {
    pub fn new(words: usize) -> Seconds<S> {
        let nodes = words + 1;
        let cells = vec![S::ZERO; triangle(words) * nodes + PADDING];
        let with_fixed = cells.clone();
        Seconds { nodes, cells, with_fixed }
    }

    /// Where the row of (k, h3) begins.
    #[inline(always)]
    fn row(&self, k: usize, h3: usize) -> usize {
        (triangle(k - 1) + h3) * self.nodes
    }

    /// Adds the items of (k, j), when they are complete.
    pub fn add(&mut self, chart: &Degree2<S>, k: usize, j: usize, windows: &WindowWeights<S>) {
        for x in k..j {
            let row = &chart.cells[chart.layout.diagonal_row(k, j, x)..][..k];
            let mut at = self.row(k, 1) + x;
            for &weight in &row[1..] {
                self.cells[at] = weight;
                at += self.nodes;
            }
            if !self.with_fixed.is_empty() {
                let mut at = self.row(k, 1) + x;
                for h3 in 1..k {
                    self.with_fixed[at] = row[h3].times(windows.fixed(1, h3, x)[0]);
                    at += self.nodes;
                }
            }
        }
    }

    /// The items of (k, h3) for some x.
    #[inline(always)]
    pub fn some(&self, k: usize, h3: usize, x: usize) -> [S; NODES] {
        lanes(&self.cells, self.row(k, h3) + x)
    }

    /// Items [·, i, ·, x, j] for h1 and those after it, and for some x ≥ k: h4 = h3 goes and x stays.
    #[inline(always)]
    fn keep<const WIDTH: usize>(
        &self,
        chart: &Degree2<S>,
        h1: usize,
        i: usize,
        j: usize,
        x: usize,
        windows: &WindowWeights<S>,
    ) -> [Sums<S, WIDTH>; NODES] {
        let mut sums = [Sums::<S, WIDTH>::zero(); NODES];
        let mut first_row = chart.layout.diagonal_item(h1, i, i, i + 1);
        if windows.shares_rows() {
            for k in i + 1..(x + NODES).min(j) {
                let mut at = self.row(k, i) + x;
                for h3 in i..k {
                    let first: [S; WIDTH] = lanes(&chart.cells, first_row);
                    let by_h1 = products(first, lanes(windows.shared_row(1, h3), h1));
                    let weights: [S; NODES] = lanes(&self.cells, at);
                    let fixed: [S; NODES] = lanes(&self.with_fixed, at);
                    for q in 0..NODES {
                        sums[q].add_scaled(fixed[q], first);
                        sums[q].add_scaled(weights[q], by_h1);
                    }
                    first_row += i;
                    at += self.nodes;
                }
            }
            return sums;
        }
        for k in i + 1..(x + NODES).min(j) {
            for h3 in i..k {
                let first = lanes(&chart.cells, first_row);
                let weights: [S; NODES] = self.some(k, h3, x);
                let reduces = windows.rows::<WIDTH>(1, h3, x, h1);
                for q in 0..NODES {
                    sums[q].add_scaled_products(first, weights[q], reduces[q]);
                }
                first_row += i;
            }
        }
        sums
    }
}

/// The diagonal items of (i, j), where there are no others, for some x: by x, a number for each h1 in groups.
pub(super) struct FillDiagonal<'a, S> {
    pub chart: &'a Degree2<S>,
    pub below: &'a Below<S>,
    pub seconds: &'a Seconds<S>,
    pub windows: &'a WindowWeights<S>,
    pub i: usize,
    pub j: usize,
    pub kept_nodes: Range<usize>,
    pub out: &'a mut [[S; LANES]],
}

impl<S: Semiring> Kernel for FillDiagonal<'_, S> {
    #[inline(always)]
    fn run(self) {
        let FillDiagonal { chart, below, seconds, windows, i, j, kept_nodes, out } = self;
        let groups = i.div_ceil(LANES);
        let start = kept_nodes.start;
        for x in kept_nodes.step_by(NODES) {
            for group in 0..groups {
                let h1 = group * LANES;
                let mut sums = seconds.keep::<LANES>(chart, h1, i, j, x, windows);
                // x = h3 stays.
                for k in x + 1..j {
                    let first = chart.layout.diagonal_item(h1, i, x, k);
                    let hook = below.place(h1, k, x);
                    for q in 0..NODES {
                        // If x + q ≥ k, E is zero.
                        let hook = lanes(&below.cells, hook + q * below.stride);
                        sums[q].add_products(lanes(&chart.cells, first + q * i), hook);
                    }
                }
                for (row, sums) in out[(x - start) * groups..].chunks_exact_mut(groups).zip(sums) {
                    row[group] = sums.0;
                }
            }
        }
    }
}

impl<S: Semiring> Divisible for FillDiagonal<'_, S> {
    fn operations(&self) -> usize {
        let span = self.j - self.i;
        span * span * span / 6 * self.i
    }

    fn parts(self) -> Vec<Self> {
        let FillDiagonal { chart, below, seconds, windows, i, j, kept_nodes: Range { start, end }, mut out } =
            self;
        let mut parts = Vec::new();
        for x in (start..end).step_by(NODES) {
            let kept_nodes = x..end.min(x + NODES);
            let (first, rest) = out.split_at_mut(kept_nodes.len() * i.div_ceil(LANES));
            out = rest;
            parts.push(FillDiagonal { chart, below, seconds, windows, i, j, kept_nodes, out: first });
        }
        parts
    }
}
