//! Filling a chart whose s2 is never removed: there are diagonal items only, [h1, i, h1, x, j].
//!
//! * s0 is removed, x = h3 stays: [h1, i, x, j] = ⊕ over k of [h1, i, x, k] ⊗ **E**[h1; x, k], where E[h1; x,
//!   k] = ⊕ over h5 of [x, k, h5, j] ⊗ weight;
//! * s1 = h3 is removed, x ≥ k stays: [h1, i, x, j] = ⊕ over h3 of (⊕ over k of [h1, i, h3, k] ⊗ [h3, k, x,
//!   j]) ⊗ weight.
//!
//! Five and six indices. For each j, all that has a given h3 is done at once, by descending h3: the second
//! premises have k > h3 and are complete, and items have i ≤ h3. So one vector instruction serves
//! neighbouring pairs (h1, i) with i ≤ h3, which stand together in the chart. There are many of them even in
//! short sentences, where a row by h1 alone would leave most lanes empty.

use super::Degree2;
use super::layout::Layout;
use super::window_weights::WindowWeights;
use crate::chart::lanes::{LANES, PADDING, ROWS, array, lanes, padded, product, put, sum, times, triangle};
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;
use crate::stop;

/// The number of pairs that are worked on for all x before the next ones: their first premises stay in the
/// nearest cache.
const BLOCK: usize = 8 * LANES;

/// Fills an empty chart.
pub(super) fn fill<S: Semiring>(
    chart: &mut Degree2<S>,
    windows: &mut WindowWeights<'_, S>,
    instructions: Instructions,
) -> Result<(), OutOfMemory> {
    let (words, weights) = (chart.layout.words, windows.weights);
    let mut layer = PairLayer::new(words, windows.shares_rows())?;
    for j in 2..=words + 1 {
        windows.move_to(j);
        layer.start(j, |h1| weights.shift(Some(h1), j - 1));
        simd::run(FillPairs { chart, windows, layer: &mut layer, j }, instructions);
        for x in 1..j {
            let at = chart.layout.pair_row(x, j);
            chart.cells[at..at + triangle(x)].copy_from_slice(&layer.items[layer.rows[x]..][..triangle(x)]);
        }
        chart.extend_prefix(windows, j);
    }
    Ok(())
}

/// The items [·, ·, ·, x, j] of one layer as far as they are known, and the second premises of one h3.
struct PairLayer<S> {
    /// A row of pairs for each x as in the chart, but padded.
    items: Vec<S>,
    /// Where the row of x begins; one more for the end.
    rows: Vec<usize>,
    /// [h3, k, x, j] for x > h3 in tiles: by tile, k and then x. Zero where x < k.
    seconds: Vec<S>,
    /// E by k and then h1; rows are padded.
    hooks: Vec<S>,
    /// The part of the weight of removing s1 = h3 that depends on s2 = h1, by pairs (h1, i); for each x, if
    /// it depends on x.
    by_s2: Vec<S>,
}

impl<S: Semiring> PairLayer<S> {
    fn new(words: usize, shares_rows: bool) -> Result<PairLayer<S>, OutOfMemory> {
        let mut rows = vec![0];
        for x in 0..=words {
            rows.push(rows[x] + room(x));
        }
        let by_s2 = (0..=words).map(|h3| room(h3) * if shares_rows { 1 } else { words - h3 + ROWS }).max();
        Ok(PairLayer {
            items: table(rows[words + 1], S::ZERO)?,
            rows,
            seconds: table(words.next_multiple_of(ROWS) * words + PADDING, S::ZERO)?,
            hooks: table((words + ROWS) * padded(words), S::ZERO)?,
            by_s2: table(by_s2.unwrap_or(0), S::ZERO)?,
        })
    }

    /// The last row has but what was shifted. The others are not read before they are set.
    fn start(&mut self, j: usize, shift: impl Fn(usize) -> S) {
        let row = &mut self.items[self.rows[j - 1]..self.rows[j]];
        row.fill(S::ZERO);
        row.iter_mut().take(j - 1).enumerate().for_each(|(h1, cell)| *cell = shift(h1));
    }
}

/// Room for a number for each pair (h1, i) with i ≤ h3.
#[inline(always)]
fn room(h3: usize) -> usize {
    triangle(h3) + PADDING
}

/// Computes the items of layer j.
struct FillPairs<'a, S> {
    chart: &'a Degree2<S>,
    windows: &'a WindowWeights<'a, S>,
    layer: &'a mut PairLayer<S>,
    j: usize,
}

impl<S: Semiring> Kernel for FillPairs<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(mut self) {
        for h3 in (1..self.j - 1).rev() {
            if stop::is_asked() {
                return;
            }
            self.gather(h3);
            self.spread(h3);
            self.build_hooks(h3);
            self.remove_s0(h3);
            self.remove_s1(h3);
        }
    }
}

impl<S: Semiring> FillPairs<'_, S> {
    /// The number of second premises of h3 in a tile of x.
    #[inline(always)]
    fn tile_size(&self, h3: usize) -> usize {
        (self.j - h3 - 1) * ROWS
    }

    /// Gathers the second premises of h3, which are complete.
    #[inline(always)]
    fn gather(&mut self, h3: usize) {
        let (j, size) = (self.j, self.tile_size(h3));
        let PairLayer { items, rows, seconds, .. } = &mut *self.layer;
        for (x, tile) in (h3 + 1..j).step_by(ROWS).zip(seconds.chunks_exact_mut(size)) {
            tile.fill(S::ZERO);
            for q in 0..ROWS.min(j - x) {
                let row = &items[rows[x + q]..];
                for k in h3 + 1..=x + q {
                    tile[(k - h3 - 1) * ROWS + q] = row[Layout::pair(h3, k, x + q)];
                }
            }
        }
    }

    /// Spreads the weights of removing s1 = h3 with s2 = h1 as the head over all pairs.
    #[inline(always)]
    fn spread(&mut self, h3: usize) {
        let others = if self.windows.shares_rows() { 1 } else { self.j - h3 - 1 };
        for (other, row) in self.layer.by_s2.chunks_exact_mut(room(h3)).take(others).enumerate() {
            let by_h1 = self.windows.by_s2(1, h3, h3 + 1 + other);
            // A group of lanes reaches into what comes next, and is written over.
            for i in (1..=h3).rev() {
                for h1 in (0..i).step_by(LANES) {
                    put(lanes(by_h1, h1), row, Layout::pair(h1, i, h3));
                }
            }
        }
    }

    /// E.
    #[inline(always)]
    fn build_hooks(&mut self, h3: usize) {
        let (j, size, stride) = (self.j, self.tile_size(h3), padded(self.chart.layout.words));
        let PairLayer { seconds, hooks, .. } = &mut *self.layer;
        for k in (h3 + 1..j).step_by(ROWS) {
            for h1 in (0..h3).step_by(LANES) {
                let sums = product!([[S::ZERO; LANES]; ROWS], h5 in k..j => {
                    let at = (h5 - h3 - 1) / ROWS * size + (k - h3 - 1) * ROWS + (h5 - h3 - 1) % ROWS;
                    (array!(ROWS, q => seconds[at + q * ROWS]), [self.windows.row(0, h5, h3, h1); ROWS])
                });
                for q in 0..ROWS {
                    put(sums[q], hooks, (k + q - h3 - 1) * stride + h1);
                }
            }
        }
    }

    /// s0 is removed and h3 stays: nothing else comes before it in the row of x = h3.
    #[inline(always)]
    fn remove_s0(&mut self, h3: usize) {
        let (j, stride) = (self.j, padded(self.chart.layout.words));
        let PairLayer { items, rows, hooks, .. } = &mut *self.layer;
        let row = &mut items[rows[h3]..rows[h3 + 1]];
        // A group of lanes reaches into what comes next, and is written over.
        for i in (1..=h3).rev() {
            for h1 in (0..i).step_by(LANES) {
                let pair = Layout::pair(h1, i, h3);
                let mut sums = [S::ZERO; LANES];
                let mut first = self.chart.layout.pair_row(h3, h3 + 1) + pair;
                for k in 0..j - h3 - 1 {
                    sums = sum(sums, times(lanes(&self.chart.cells, first), lanes(hooks, k * stride + h1)));
                    first += triangle(h3);
                }
                put(sums, row, pair);
            }
        }
    }

    /// s1 = h3 is removed and x stays: adds to the rows of x > h3.
    #[inline(always)]
    fn remove_s1(&mut self, h3: usize) {
        let (j, size, windows) = (self.j, self.tile_size(h3), self.windows);
        let PairLayer { items, rows, seconds, by_s2, .. } = &mut *self.layer;
        let pairs = triangle(h3);
        let step = if windows.shares_rows() { 0 } else { room(h3) };
        let firsts = &self.chart.cells[self.chart.layout.pair_row(h3, h3 + 1)..];
        for block in (0..pairs).step_by(BLOCK) {
            for x in (h3 + 1..j).step_by(ROWS) {
                let seconds = &seconds[(x - h3 - 1) / ROWS * size..][..ROWS * (j.min(x + ROWS) - h3 - 1)];
                let seconds = seconds.as_chunks::<ROWS>().0;
                let by_s2 = &by_s2[(x - h3 - 1) * step..];
                for pair in (block..pairs.min(block + BLOCK)).step_by(LANES) {
                    let sums = product!([[S::ZERO; LANES]; ROWS], k in 0..seconds.len() => {
                        (seconds[k], [lanes(firsts, k * pairs + pair); ROWS])
                    });
                    for q in 0..ROWS.min(j - x) {
                        let fixed = [windows.fixed(1, h3, x + q); LANES];
                        let weight = sum(lanes(by_s2, q * step + pair), fixed);
                        // The pairs of i ≤ h3 are the last ones of each row.
                        let at = rows[x + q] + triangle(x + q) - pairs + pair;
                        for (cell, term) in items[at..at + LANES].iter_mut().zip(times(sums[q], weight)) {
                            cell.add(term);
                        }
                    }
                }
            }
        }
    }
}
