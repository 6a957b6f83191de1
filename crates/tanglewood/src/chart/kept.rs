//! The hook for windows whose deepest node stays.

use std::ops::Range;

use super::degree2::Degree2;
use super::lanes::{LANES, NODES, PADDING, Sums, lanes};
use super::layout::{Layout, triangle};
use super::seconds::Seconds;
use super::simd::Kernel;
use super::team::Divisible;
use super::turned::Turned;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// E for one layer: what a second premise [h3, k, ·, ·, j] contributes when x stays on top of h2.
///
/// It is stored by h2, then (k, h3) as in the chart, then x from h2 + 1 on. Only x = h3 and x ≥ k are possible; the other numbers are zero for
/// ever, so that loops may run over them.
pub(super) struct Kept<S> {
    words: usize,
    pub cells: Vec<S>,
    /// Where the rows of h2 begin.
    starts: Vec<usize>,
}

impl<S: Semiring> Kept<S> {
    pub fn new(words: usize) -> Kept<S> {
        let mut starts = Vec::new();
        let mut size = 0;
        for h2 in 0..words {
            starts.push(size);
            size += triangle(words - h2 - 1) * (words - h2);
        }
        Kept { words, cells: vec![S::ZERO; size + PADDING], starts }
    }

    /// Where E is.
    #[inline(always)]
    pub fn place(&self, h2: usize, k: usize, h3: usize, x: usize) -> usize {
        self.starts[h2] + Layout::rank(h2, k, h3) * (self.words - h2) + x - h2 - 1
    }

    /// How far the rows of neighbouring h3 are apart for h2.
    #[inline(always)]
    pub fn width(&self, h2: usize) -> usize {
        self.words - h2
    }

    /// Stores E of (k, h3) for some x and some h2.
    #[inline(always)]
    fn store<const WIDTH: usize>(
        &mut self,
        k: usize,
        h3: usize,
        x: usize,
        h2: usize,
        sums: &[Sums<S, WIDTH>],
    ) {
        for lane in 0..WIDTH.min(h3 - h2) {
            let at = self.place(h2 + lane, k, h3, x);
            for (cell, sums) in self.cells[at..].iter_mut().zip(sums) {
                *cell = sums.0[lane];
            }
        }
    }

    /// Items [·, ·, h2, x, j] for some pairs (h1, i) and some x: s0 or s1 goes, x stays on top of h2.
    #[inline(always)]
    fn keep<const WIDTH: usize>(
        &self,
        chart: &Degree2<S>,
        h2: usize,
        j: usize,
        x: usize,
        pair: usize,
    ) -> [Sums<S, WIDTH>; NODES] {
        let mut sums = [Sums::<S, WIDTH>::zero(); NODES];
        let (pairs, width) = (Layout::pairs(h2), self.words - h2);
        let mut first = chart.layout.row(h2, h2 + 2, h2 + 1) + pair;
        let mut at = self.starts[h2] + x - h2 - 1;
        // All (k, h3) with k up to the last x. Some are too large for the first x, but for x = h3; they find zeros.
        for _ in 0..triangle((x + NODES).min(j) - h2 - 2) {
            let row = lanes(&chart.cells, first);
            let weights: [S; NODES] = lanes(&self.cells, at);
            for q in 0..NODES {
                sums[q].add_scaled(weights[q], row);
            }
            first += pairs;
            at += width;
        }
        // x = h3 stays, for larger k.
        for k in x + NODES..j {
            let first = chart.layout.row(h2, k, x) + pair;
            let at = self.place(h2, k, x, x);
            for q in 0..NODES {
                sums[q].add_scaled(self.cells[at + q * (width + 1)], lanes(&chart.cells, first + q * pairs));
            }
        }
        sums
    }
}

/// Adds what there is for k, when the items of (k, j) are complete.
pub(super) struct AddKept<'a, S> {
    pub kept: &'a mut Kept<S>,
    pub chart: &'a Degree2<S>,
    pub turned: &'a Turned<S>,
    pub seconds: &'a Seconds<S>,
    pub k: usize,
    pub j: usize,
    pub windows: &'a WindowWeights<S>,
}

impl<S: Semiring> Kernel for AddKept<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AddKept { kept, chart, turned, seconds, k, j, windows } = self;
        for h3 in 1..k {
            for h2 in (0..h3).step_by(LANES) {
                let mut below = Sums::<S, LANES>::zero();
                for h5 in k..j {
                    let reduces = windows.row(0, h5, h3, h2);
                    below.add_scaled(chart.diagonal(h3, k, h5, j), reduces);
                }
                kept.store(k, h3, h3, h2, &[below]);
                for x in (k..j).step_by(NODES) {
                    let sums = above::<S, LANES>(turned, seconds, k, j, h3, x, h2, windows);
                    kept.store(k, h3, x, h2, &sums[..NODES.min(j - x)]);
                }
            }
        }
    }
}

/// Items [·, ·, h2, x, j] for some x, as far as s0 or s1 goes and x stays: a row of pairs (h1, i) for each x.
pub(super) struct Keep<'a, S> {
    pub kept: &'a Kept<S>,
    pub chart: &'a Degree2<S>,
    pub h2: usize,
    pub j: usize,
    pub kept_nodes: Range<usize>,
    pub out: &'a mut [S],
}

impl<S: Semiring> Kernel for Keep<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Keep { kept, chart, h2, j, kept_nodes, out } = self;
        let pairs = Layout::pairs(h2);
        let start = kept_nodes.start;
        for x in kept_nodes.step_by(NODES) {
            for pair in (0..pairs).step_by(LANES) {
                let sums = kept.keep::<LANES>(chart, h2, j, x, pair);
                for (row, sums) in out[(x - start) * pairs..].chunks_exact_mut(pairs).zip(sums) {
                    sums.store(&mut row[pair..]);
                }
            }
        }
    }
}

impl<S: Semiring> Divisible for Keep<'_, S> {
    fn operations(&self) -> usize {
        let span = self.j - self.h2;
        span * span * span / 6 * Layout::pairs(self.h2)
    }

    fn parts(self) -> Vec<Self> {
        let Keep { kept, chart, h2, j, kept_nodes: Range { start, end }, mut out } = self;
        let mut parts = Vec::new();
        for x in (start..end).step_by(NODES) {
            let kept_nodes = x..end.min(x + NODES);
            let (first, rest) = out.split_at_mut(kept_nodes.len() * Layout::pairs(h2));
            out = rest;
            parts.push(Keep { kept, chart, h2, j, kept_nodes, out: first });
        }
        parts
    }
}

/// E of (k, h3) for some x ≥ k, and for h2 and those after it.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one step of a loop nest, cut out to be read by itself")]
fn above<S: Semiring, const WIDTH: usize>(
    turned: &Turned<S>,
    seconds: &Seconds<S>,
    k: usize,
    j: usize,
    h3: usize,
    x: usize,
    h2: usize,
    windows: &WindowWeights<S>,
) -> [Sums<S, WIDTH>; NODES] {
    let mut sums = [Sums::<S, WIDTH>::zero(); NODES];
    let pair = Layout::first_pair(k) + h3 - 1;
    if windows.shares_rows() {
        // What does not depend on h2, for all x at once.
        let mut fixed = Sums::<S, NODES>::zero();
        let row = lanes(windows.shared_row(1, h3), h2);
        let diagonal: [S; NODES] = seconds.some(k, h3, x);
        fixed.add_products(diagonal, windows.fixed(1, h3, x));
        for q in 0..NODES {
            sums[q].add_scaled(diagonal[q], row);
        }
        for h4 in k..(x + NODES - 1).min(j - 1) {
            let row = lanes(windows.shared_row(1, h4), h2);
            let second: [S; NODES] = lanes(&turned.cells, turned.place(h4, pair, x));
            fixed.add_products(second, windows.fixed(1, h4, x));
            for q in 0..NODES {
                sums[q].add_scaled(second[q], row);
            }
        }
        let mut places = [0; NODES];
        for q in 0..NODES {
            places[q] = turned.place(x + q, pair, x + 1);
        }
        for h5 in x + 1..j {
            let row = lanes(windows.shared_row(0, h5), h2);
            let mut second = [S::ZERO; NODES];
            for q in 0..NODES {
                second[q] = turned.cells[places[q] + h5 - x - 1];
            }
            fixed.add_products(second, windows.fixed(0, h5, x));
            for q in 0..NODES {
                sums[q].add_scaled(second[q], row);
            }
        }
        for q in 0..NODES {
            sums[q].add_scaled(fixed.0[q], [S::ONE; WIDTH]);
        }
        return sums;
    }
    // h4 = h3 goes.
    let reduces = windows.rows::<WIDTH>(1, h3, x, h2);
    let diagonal = seconds.some(k, h3, x);
    for q in 0..NODES {
        sums[q].add_scaled(diagonal[q], reduces[q]);
    }
    // h4 goes and x = h5 stays; where h4 is one of the x, there are zeros for it and those below.
    for h4 in k..(x + NODES - 1).min(j - 1) {
        let second: [S; NODES] = lanes(&turned.cells, turned.place(h4, pair, x));
        let reduces = windows.rows::<WIDTH>(1, h4, x, h2);
        for q in 0..NODES {
            sums[q].add_scaled(second[q], reduces[q]);
        }
    }
    // h5 goes and x = h4 stays; likewise.
    for h5 in x + 1..j {
        let reduces = windows.rows::<WIDTH>(0, h5, x, h2);
        for q in 0..NODES {
            sums[q].add_scaled(turned.cells[turned.place(x + q, pair, h5)], reduces[q]);
        }
    }
    sums
}
