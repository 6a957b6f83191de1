//! Filling a chart whose s2 is never removed: there are diagonal items only, [h1, i, h1, x, j].
//!
//! * s0 goes, x = h3 stays: [h1, i, x, j] = ⊕ over k of [h1, i, x, k] ⊗ **E**[h1; x, k], where E[h1; x, k] = ⊕ over h5 of
//!   [x, k, h5, j] ⊗ weight;
//! * s1 = h3 goes, x ≥ k stays: [h1, i, x, j] = ⊕ over h3, k of [h1, i, h3, k] ⊗ ([h3, k, x, j] ⊗ weight).
//!
//! Five and six indices. For each j, all that has a given h3 is done at once, by descending h3: the second premises have k > h3 and are complete,
//! and items have i ≤ h3. So one vector instruction serves neighbouring pairs (h1, i) with i ≤ h3, which stand together in the chart. There are
//! many of them even in short sentences, where a row by h1 alone would leave most lanes empty.

use super::degree2::Degree2;
use super::lanes::{LANES, NODES, PADDING, Sums, lanes, padded, sum};
use super::layout::{Layout, triangle};
use super::simd::{self, Instructions, Kernel};
use super::weights::Weights;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// Fills an empty chart.
pub(super) fn fill<S: Semiring>(
    chart: &mut Degree2<S>,
    weights: &Weights<'_, S>,
    instructions: Instructions,
) {
    let words = chart.layout.words;
    let mut windows = WindowWeights::new(weights);
    let mut layer = Layer::new(words);
    let mut seconds =
        Seconds { items: Vec::new(), hooks: vec![S::ZERO; words * padded(words)], reduces: Vec::new() };
    for j in 2..=words + 1 {
        windows.move_to(weights, j);
        layer.start(j, |h1| weights.shift(Some(h1), j - 1));
        for h3 in (1..j - 1).rev() {
            simd::run(
                Prepare { chart, windows: &windows, layer: &mut layer, seconds: &mut seconds, h3, j },
                instructions,
            );
            let (chart, windows, seconds) = (&*chart, &windows, &seconds);
            let (rows, out) = layer.above(h3, j);
            simd::run(Reduce { chart, windows, seconds, h3, j, x: h3 + 1, rows, out }, instructions);
        }
        for x in 1..j {
            let at = chart.layout.pair_row(x, j);
            chart.cells[at..at + triangle(x)].copy_from_slice(&layer.cells[layer.rows[x]..][..triangle(x)]);
        }
        for k in 1..j {
            for h5 in k..j {
                let second = layer.cells[layer.rows[h5] + Layout::pair(0, k, h5)];
                let extended = chart.prefix[k].times(second.times(windows.bottom[h5]));
                chart.prefix[j].add(extended);
            }
        }
    }
}

/// The items [·, ·, ·, x, j] of one layer as far as they are known: a row of pairs for each x as in the chart, but padded.
struct Layer<S> {
    cells: Vec<S>,
    /// Where the row of x begins; one more for the end.
    rows: Vec<usize>,
}

impl<S: Semiring> Layer<S> {
    fn new(words: usize) -> Layer<S> {
        let mut rows = vec![0];
        rows.extend((0..=words).scan(0, |end, x| {
            *end += triangle(x) + PADDING;
            Some(*end)
        }));
        Layer { cells: vec![S::ZERO; rows[words + 1]], rows }
    }

    /// The last row has but what was shifted. The others are not read before they are set.
    fn start(&mut self, j: usize, shift: impl Fn(usize) -> S) {
        let row = &mut self.cells[self.rows[j - 1]..self.rows[j]];
        row.fill(S::ZERO);
        row.iter_mut().take(j - 1).enumerate().for_each(|(h1, cell)| *cell = shift(h1));
    }

    /// The rows of x > h3, and where they and their end are.
    fn above(&mut self, h3: usize, j: usize) -> (&[usize], &mut [S]) {
        let rows = &self.rows[h3 + 1..=j];
        (rows, &mut self.cells[rows[0]..rows[j - h3 - 1]])
    }
}

/// Second premises of one h3, and what goes with them.
struct Seconds<S> {
    /// [h3, k, x, j] for x > h3 in groups: by group, k and then x. Zero where x < k.
    items: Vec<S>,
    /// E by k and then h1; rows are padded.
    hooks: Vec<S>,
    /// The part of the weight of removing s1 = h3 that depends on s2 = h1, by pairs (h1, i); for each x, if it depends on x.
    reduces: Vec<S>,
}

/// How many second premises of h3 there are in a group of x.
#[inline(always)]
fn group_size(h3: usize, j: usize) -> usize {
    (j - h3 - 1) * NODES
}

/// Gathers the second premises of h3, and sets the row of x = h3.
struct Prepare<'a, S> {
    chart: &'a Degree2<S>,
    windows: &'a WindowWeights<S>,
    layer: &'a mut Layer<S>,
    seconds: &'a mut Seconds<S>,
    h3: usize,
    j: usize,
}

impl<S: Semiring> Kernel for Prepare<'_, S> {
    #[inline(always)]
    fn run(mut self) {
        self.gather();
        self.spread();
        self.add_hooks();
        self.pop();
    }
}

impl<S: Semiring> Prepare<'_, S> {
    /// Second premises, which are complete.
    #[inline(always)]
    fn gather(&mut self) {
        let (h3, j) = (self.h3, self.j);
        let items = &mut self.seconds.items;
        items.clear();
        items.resize((j - h3 - 1).div_ceil(NODES) * group_size(h3, j) + PADDING, S::ZERO);
        for (x, group) in (h3 + 1..j).step_by(NODES).zip(items.chunks_exact_mut(group_size(h3, j))) {
            for q in 0..NODES.min(j - x) {
                let row = &self.layer.cells[self.layer.rows[x + q]..];
                for k in h3 + 1..=x + q {
                    group[(k - h3 - 1) * NODES + q] = row[Layout::pair(h3, k, x + q)];
                }
            }
        }
    }

    /// Weights of removing h3 by h1, for all pairs.
    #[inline(always)]
    fn spread(&mut self) {
        let (h3, size) = (self.h3, spread_size(self.h3));
        let others = if self.windows.shares_rows() { 1 } else { self.j - h3 - 1 };
        if self.seconds.reduces.len() < (others + NODES) * size {
            self.seconds.reduces.resize((others + NODES) * size, S::ZERO);
        }
        for (other, row) in self.seconds.reduces.chunks_exact_mut(size).take(others).enumerate() {
            let by_h1 = self.windows.by_s2(1, h3, h3 + 1 + other);
            // A group reaches into what comes next, and is written over.
            for i in (1..=h3).rev() {
                for h1 in (0..i).step_by(LANES) {
                    let at = Layout::pair(h1, i, h3);
                    row[at..at + LANES].copy_from_slice(&by_h1[h1..h1 + LANES]);
                }
            }
        }
    }

    /// E.
    #[inline(always)]
    fn add_hooks(&mut self) {
        let (h3, j) = (self.h3, self.j);
        let Seconds { items, hooks, .. } = &mut *self.seconds;
        let stride = padded(self.chart.layout.words);
        for k in (h3 + 1..j).step_by(NODES) {
            for h1 in (0..h3).step_by(LANES) {
                let mut sums = [Sums::<S, LANES>::zero(); NODES];
                for h5 in k..j {
                    let reduces = self.windows.row(0, h5, h3, h1);
                    let (group, place) = ((h5 - h3 - 1) / NODES, (h5 - h3 - 1) % NODES);
                    let at = group * group_size(h3, j) + (k - h3 - 1) * NODES + place;
                    for q in 0..NODES {
                        sums[q].add_scaled(items[at + q * NODES], reduces);
                    }
                }
                for (k, sums) in (k..j).zip(sums) {
                    sums.store(&mut hooks[(k - h3 - 1) * stride + h1..][..LANES]);
                }
            }
        }
    }

    /// s0 goes and h3 stays: nothing else comes before it in the row of x = h3.
    #[inline(always)]
    fn pop(&mut self) {
        let (h3, j, layout) = (self.h3, self.j, &self.chart.layout);
        let stride = padded(layout.words);
        let row = &mut self.layer.cells[self.layer.rows[h3]..self.layer.rows[h3 + 1]];
        // A group reaches into what comes next, and is written over.
        for i in (1..=h3).rev() {
            for h1 in (0..i).step_by(LANES) {
                let pair = Layout::pair(h1, i, h3);
                let mut sums = Sums::<S, LANES>::zero();
                let (mut first, mut hook) = (layout.pair_row(h3, h3 + 1) + pair, h1);
                for _ in h3 + 1..j {
                    sums.add_products(lanes(&self.chart.cells, first), lanes(&self.seconds.hooks, hook));
                    first += triangle(h3);
                    hook += stride;
                }
                sums.store(&mut row[pair..pair + LANES]);
            }
        }
    }
}

/// Room for a number for each pair (h1, i) with i ≤ h3.
#[inline(always)]
fn spread_size(h3: usize) -> usize {
    triangle(h3) + PADDING
}

/// Adds to the rows of some x > h3: s1 = h3 goes and x stays.
struct Reduce<'a, S> {
    chart: &'a Degree2<S>,
    windows: &'a WindowWeights<S>,
    seconds: &'a Seconds<S>,
    h3: usize,
    j: usize,
    /// The first x.
    x: usize,
    /// Where the rows begin; one more for the end.
    rows: &'a [usize],
    /// The rows.
    out: &'a mut [S],
}

/// How many pairs are worked on for all x before the next ones: their first premises stay in the nearest cache.
const BLOCK: usize = 8 * LANES;

impl<S: Semiring> Kernel for Reduce<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Reduce { chart, windows, seconds, h3, j, x: start, rows, out } = self;
        let (pairs, end) = (triangle(h3), start + rows.len() - 1);
        let step = if windows.shares_rows() { 0 } else { spread_size(h3) };
        let firsts = &chart.cells[chart.layout.pair_row(h3, h3 + 1)..];
        for block in (0..pairs).step_by(BLOCK) {
            for x in (start..end).step_by(NODES) {
                let group = (x - h3 - 1) / NODES * group_size(h3, j);
                let seconds_of_x =
                    &seconds.items[group..][..NODES * (j.min(x + NODES) - h3 - 1)].as_chunks::<NODES>().0;
                let reduces = &seconds.reduces[(x - h3 - 1) * step..];
                let fixed = windows.fixed(1, h3, x);
                for pair in (block..pairs.min(block + BLOCK)).step_by(LANES) {
                    let mut by_h1 = [[S::ZERO; LANES]; NODES];
                    for q in 0..NODES {
                        by_h1[q] = sum(lanes(reduces, q * step + pair), [fixed[q]; LANES]);
                    }
                    let mut sums = [Sums::<S, LANES>::zero(); NODES];
                    let mut at = pair;
                    for second in *seconds_of_x {
                        let first = lanes(firsts, at);
                        for q in 0..NODES {
                            sums[q].add_scaled_products(first, second[q], by_h1[q]);
                        }
                        at += pairs;
                    }
                    for (x, sums) in (x..end).zip(sums) {
                        // The pairs of i ≤ h3 are the last ones of each row.
                        let at = rows[x - start] - rows[0] + triangle(x) - pairs + pair;
                        let row = &mut out[at..at + LANES];
                        row.iter_mut().zip(sums.0).for_each(|(cell, sum)| cell.add(sum));
                    }
                }
            }
        }
    }
}
