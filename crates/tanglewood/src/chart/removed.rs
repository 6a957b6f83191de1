//! The hook for windows whose deepest node goes.

use std::ops::Range;

use super::degree2::{Degree2, OutOfMemory, table};
use super::lanes::{LANES, NODES, Sums, lanes, sum};
use super::layout::{Layout, triangle};
use super::seconds::Seconds;
use super::simd::Kernel;
use super::team::Divisible;
use super::turned::Turned;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// Which head is which.
const BY_NONE: usize = 0;
const BY_H3: usize = 1;
const BY_K: usize = 2;

/// F: what a first premise [h1, i, h2, h3, k] contributes when h2 goes.
///
/// With a head on the stack it is the same for every layer, and kept for all of them. By i, group of h1, k and h3, then by head: none, which is
/// zero; h3 itself; and each x ≥ k.
pub(super) struct Removed<S> {
    words: usize,
    /// Where i begins.
    starts: Vec<usize>,
    /// A number for each h1 of a group.
    rows: Vec<[S; LANES]>,
    /// With a head in the buffer, for one (i, j), if there are several: by group of h1, k and h3.
    by_buffer: Vec<[S; LANES]>,
}

impl<S: Semiring> Removed<S> {
    pub fn new(words: usize) -> Result<Removed<S>, OutOfMemory> {
        let mut starts = vec![0; 2];
        let mut size = 0;
        for i in 2..=words {
            starts.push(size);
            size += rows_before(words, i, words + 1) * (i - 1).div_ceil(LANES);
        }
        let rows = table(size + NODES, [S::ZERO; LANES])?;
        Ok(Removed { words, starts, rows, by_buffer: Vec::new() })
    }

    /// Where the rows of (h1 and its group, i, k, h3) begin.
    #[inline(always)]
    fn place(&self, h1: usize, i: usize, k: usize, h3: usize) -> usize {
        let before = (h1 - 1) / LANES * rows_before(self.words, i, self.words + 1);
        self.starts[i] + before + rows_before(self.words, i, k) + (h3 - i) * heads(self.words, k)
    }

    /// Computes F with heads in the buffer for (i, j), if there are several.
    pub fn look_ahead(&mut self, chart: &Degree2<S>, i: usize, j: usize, windows: &WindowWeights<S>) {
        self.by_buffer.clear();
        if windows.buffer_heads.len() < 2 {
            return;
        }
        let weights = &windows.deepest_by_buffer;
        for group in (1..i).step_by(LANES) {
            for k in i + 1..j {
                for h3 in i..k {
                    let mut row = [S::ZERO; LANES];
                    for (sum, h1) in row.iter_mut().zip(group..i) {
                        *sum = chart.diagonal(h1, i, h3, k).times(weights[h1]);
                        for h2 in i..h3 {
                            sum.add(chart.off(h1, i, h2, h3, k).times(weights[h2]));
                        }
                    }
                    self.by_buffer.push(row);
                }
            }
        }
    }

    /// Items [·, i, h4, h5, j] for h1 and those after it and for some h5, but for the context of the window.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one step of a loop nest, cut out to be read by itself")]
    fn remove(
        &self,
        turned: &Turned<S>,
        seconds: &Seconds<S>,
        h1: usize,
        i: usize,
        h4: usize,
        h5: usize,
        j: usize,
        windows: &WindowWeights<S>,
    ) -> [Sums<S, LANES>; NODES] {
        let mut sums = [Sums::<S, LANES>::zero(); NODES];
        let zeros = [[S::ZERO; LANES]; NODES];
        // Empty, unless there are several heads in the buffer.
        let ahead = self.by_buffer.get((h1 - 1) / LANES * triangle(j - i - 1)..).unwrap_or(&[]);
        let stride = turned.stride(h4);
        let mut at = self.place(h1, i, i + 1, i);
        let mut count = 0;
        for k in i + 1..=h4 {
            let heads = heads(self.words, k);
            let by_s1 = if windows.by_s1 { BY_K + h4 - k } else { BY_NONE };
            let by_buffer = buffer_row(k, windows);
            let mut second = turned.place(h4, Layout::first_pair(k) + i - 1, h5);
            for _ in i..k {
                let rows = &self.rows[at..at + heads + NODES];
                let fixed = sum(*ahead.get(count).unwrap_or(&rows[by_buffer]), rows[by_s1]);
                let weights: [S; NODES] = lanes(&turned.cells, second);
                let rows = if windows.by_s0 { &rows[BY_K + h5 - k..][..NODES] } else { &zeros };
                for q in 0..NODES {
                    sums[q].add_scaled_sum(weights[q], fixed, rows[q]);
                }
                at += heads;
                second += stride;
                count += 1;
            }
        }
        // h3 = h4, whose second premise is a diagonal item; zero for those of the h5 that are below k.
        for k in h4 + 1..(h5 + NODES).min(j) {
            let at = self.place(h1, i, k, h4);
            let by_buffer = &self.rows[at + buffer_row(k, windows)];
            let by_buffer = ahead.get(triangle(k - i - 1) + h4 - i).unwrap_or(by_buffer);
            let by_s1 = self.rows[at + if windows.by_s1 { BY_H3 } else { BY_NONE }];
            let fixed = sum(*by_buffer, by_s1);
            let weights: [S; NODES] = seconds.some(k, h4, h5);
            let rows = if windows.by_s0 { &self.rows[at + BY_K + h5 - k..][..NODES] } else { &zeros };
            for q in 0..NODES {
                sums[q].add_scaled_sum(weights[q], fixed, rows[q]);
            }
        }
        sums
    }
}

/// Computes what the items of layer k contribute, when they are complete.
pub(super) struct AddRemoved<'a, S> {
    pub removed: &'a mut Removed<S>,
    pub chart: &'a Degree2<S>,
    pub k: usize,
    pub windows: &'a WindowWeights<S>,
}

impl<S: Semiring> Kernel for AddRemoved<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AddRemoved { removed, chart, k, windows } = self;
        for i in 2..k {
            for h3 in i..k {
                for h1 in (1..i).step_by(LANES) {
                    let at = removed.place(h1, i, k, h3);
                    let rows = &mut removed.rows[at..at + heads(removed.words, k)];
                    rows[BY_H3] = with_heads::<S, LANES>(chart, h1, i, h3, k, h3, windows)[0].0;
                    for x in (k..=removed.words).step_by(NODES) {
                        let sums = with_heads::<S, LANES>(chart, h1, i, h3, k, x, windows);
                        for (row, sums) in rows[BY_K + x - k..].iter_mut().zip(sums) {
                            *row = sums.0;
                        }
                    }
                }
            }
        }
    }
}

/// Items [·, i, h4, h5, j] for some h4, as far as s2 goes and but for the context of the window: by h4 and h5, a row by h1.
pub(super) struct Remove<'a, S> {
    pub removed: &'a Removed<S>,
    pub turned: &'a Turned<S>,
    pub seconds: &'a Seconds<S>,
    pub i: usize,
    pub j: usize,
    pub h4: Range<usize>,
    pub windows: &'a WindowWeights<S>,
    pub out: &'a mut [S],
}

impl<S: Semiring> Kernel for Remove<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Remove { removed, turned, seconds, i, j, h4, windows, out } = self;
        let length = i - 1;
        // Group by group, so that F of one group stays in the cache.
        for h1 in (1..i).step_by(LANES) {
            let mut rows = 0;
            for h4 in h4.clone() {
                for h5 in (h4 + 1..j).step_by(NODES) {
                    let sums = removed.remove(turned, seconds, h1, i, h4, h5, j, windows);
                    let rows = (rows + h5 - h4 - 1) * length..(rows + j - h4 - 1) * length;
                    for (row, sums) in out[rows].chunks_exact_mut(length).zip(sums) {
                        sums.store(&mut row[h1 - 1..]);
                    }
                }
                rows += j - h4 - 1;
            }
        }
    }
}

impl<S: Semiring> Divisible for Remove<'_, S> {
    fn operations(&self) -> usize {
        let span = self.j - self.i;
        span * span * span / 24 * span * (self.i - 1)
    }

    fn parts(self) -> Vec<Self> {
        let Remove { removed, turned, seconds, i, j, h4, windows, mut out } = self;
        let mut parts = Vec::new();
        for h4 in h4 {
            let (first, rest) = out.split_at_mut((j - h4 - 1) * (i - 1));
            out = rest;
            parts.push(Remove { removed, turned, seconds, i, j, h4: h4..h4 + 1, windows, out: first });
        }
        parts
    }
}

/// Which row has F with a single head in the buffer: it is on the stack later on, and in the table already.
#[inline(always)]
fn buffer_row<S>(k: usize, windows: &WindowWeights<S>) -> usize {
    windows.buffer_heads.first().map_or(BY_NONE, |head| BY_K + head - k)
}

/// How many heads there are for k.
#[inline(always)]
fn heads(words: usize, k: usize) -> usize {
    BY_K + words + 1 - k
}

/// How many (k', h3, head) there are with k' < k.
#[inline(always)]
fn rows_before(words: usize, i: usize, k: usize) -> usize {
    // The sum of d·(w − d) for all d = k' − i from 1 to k − i − 1, where w = words + 3 − i.
    let last = k - i - 1;
    (words + 1 + BY_K - i) * triangle(last) - last * (last + 1) * (2 * last + 1) / 6
}

/// F of (i, k, h3) with some stack nodes as heads, for h1 and those after it.
#[inline(always)]
fn with_heads<S: Semiring, const WIDTH: usize>(
    chart: &Degree2<S>,
    h1: usize,
    i: usize,
    h3: usize,
    k: usize,
    head: usize,
    windows: &WindowWeights<S>,
) -> [Sums<S, WIDTH>; NODES] {
    let mut sums = [Sums::<S, WIDTH>::zero(); NODES];
    let first = lanes(&chart.cells, chart.layout.diagonal_item(h1, i, h3, k));
    for q in 0..NODES {
        sums[q].add_products(first, lanes(windows.deepest_row(head + q), h1));
    }
    for h2 in i..h3 {
        let first = lanes(&chart.cells, chart.layout.item(h1, i, h2, h3, k));
        let weights: [S; NODES] = lanes(windows.deepest_heads(h2), head);
        for q in 0..NODES {
            sums[q].add_scaled(weights[q], first);
        }
    }
    sums
}
