//! Hook E, for windows whose deepest node stays: building it from second premises, and applying it to items
//! with h2 ≥ i.

use super::Degree2;
use super::layout::Layout;
use super::off_diagonal_layer::{OffDiagonalLayer, stride};
use super::window_weights::WindowWeights;
use crate::chart::lanes::{
    LANES, Lanes, PADDING, ROWS, array, for_each_tile, lanes, product, put, sum, times, triangle,
};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// Where E[h2; k, h3; x] is: by h2 and x > h2, then (k, h3) as in the chart, after some room that is written
/// to and never read.
pub(super) struct HookLayout {
    /// Where the row of h2 and x = 0 would begin.
    starts: Vec<usize>,
    /// Distances of the rows of h2 for neighbouring x.
    widths: Vec<usize>,
    /// Numbers in all.
    pub size: usize,
}

impl HookLayout {
    pub fn new(words: usize) -> HookLayout {
        let widths: Vec<usize> = (0..words).map(|h2| triangle(words - h2 - 1) + LANES).collect();
        let mut starts = Vec::new();
        // The first row would begin before the table, but for this.
        let mut size = widths.first().map_or(0, |width| width + LANES);
        for (h2, &width) in widths.iter().enumerate() {
            starts.push(size + LANES - (h2 + 1) * width);
            size += (words - h2) * width;
        }
        HookLayout { starts, widths, size: size + PADDING }
    }

    /// The place of E[h2; k, h3; x].
    #[inline(always)]
    pub fn place(&self, h2: usize, k: usize, h3: usize, x: usize) -> usize {
        self.row(h2, x) + Layout::rank(h2, k, h3)
    }

    /// Where E of (h2, x) begins.
    #[inline(always)]
    pub fn row(&self, h2: usize, x: usize) -> usize {
        self.starts[h2] + x * self.widths[h2]
    }
}

/// E for one layer: what a second premise [h3, k, ·, ·, j] contributes when x stays on top of h2.
///
/// Only x = h3 and x ≥ k are possible; numbers for larger k are zero for ever, so that loops may run over
/// them.
pub(super) struct HookE<S> {
    pub layout: HookLayout,
    pub cells: Vec<S>,
    /// Where E of h2 and x = k would begin for h3 = 0, for the present k.
    origins: Vec<usize>,
    /// Second premises with x on top and another node y, by y, for the last h3.
    seconds: Vec<Lanes<S>>,
}

impl<S: Semiring> HookE<S> {
    pub fn new(words: usize) -> Result<HookE<S>, OutOfMemory> {
        let layout = HookLayout::new(words);
        let cells = table(layout.size, S::ZERO)?;
        let seconds = table(words + 1, [S::ZERO; LANES])?;
        Ok(HookE { layout, cells, origins: table(words + 1, 0)?, seconds })
    }

    /// Builds E for k, when the items of (k, j) are complete; from large k to small ones.
    #[inline(always)]
    pub fn build(
        &mut self,
        chart: &Degree2<S>,
        layer: &OffDiagonalLayer<S>,
        windows: &WindowWeights<'_, S>,
        k: usize,
        j: usize,
    ) {
        for h2 in 0..k - 1 {
            self.origins[h2] = self.layout.place(h2, k, h2 + 1, k) - h2 - 1;
        }
        for h3 in 1..k {
            for h2 in (0..h3).step_by(LANES) {
                self.build_below(chart, windows, [h2, h3, k, j]);
            }
        }
        for x in k..j {
            let mut end = k;
            while end > 1 {
                self.build_above(chart, layer, windows, [end, k, x, j]);
                end = end.saturating_sub(LANES);
            }
        }
    }

    /// x = h3 for h2 and those after it: h5 is removed.
    #[inline(always)]
    fn build_below(
        &mut self,
        chart: &Degree2<S>,
        windows: &WindowWeights<'_, S>,
        [h2, h3, k, j]: [usize; 4],
    ) {
        let first = chart.layout.diagonal_item(h3, k, k, j);
        let by_others = &windows.by_others(0, h3)[LANES..];
        let (by_s2, step) = windows.rows_by_s2(0, h3);
        let mut others = S::ZERO;
        let [sums] = product!([[S::ZERO; LANES]], h5 in k..j => {
            let second = chart.cells[first + (h5 - k) * k];
            others = others.plus(second.times(by_others[h5]));
            ([second], [lanes(by_s2, h5 * step + h2)])
        });
        let sums = sum(sums, [others; LANES]);
        for (h2, &weight) in (h2..h3).zip(&sums) {
            self.cells[self.origins[h2] + h3 - (k - h3) * self.layout.widths[h2]] = weight;
        }
    }

    /// x ≥ k, for the last h3 < `end`: another node y is removed, which was s0 if it is above x, and s1
    /// below. Or it is h3 itself, as s1.
    #[inline(always)]
    fn build_above(
        &mut self,
        chart: &Degree2<S>,
        layer: &OffDiagonalLayer<S>,
        windows: &WindowWeights<'_, S>,
        [end, k, x, j]: [usize; 4],
    ) {
        // There may be fewer than eight h3. What is read then belongs to other items, and is thrown away.
        let row = chart.layout.diagonal_row(k, j, x) + end;
        let mut diagonal = [S::ZERO; LANES];
        match row.checked_sub(LANES) {
            Some(start) => diagonal = lanes(&chart.cells, start),
            None => diagonal[LANES - row..].copy_from_slice(&chart.cells[..row]),
        }
        let pair = Layout::first_pair(k) + end - 1;
        let places = &layer.places(x)[..j];
        for y in (k..x).chain(x + 1..j) {
            self.seconds[y] = lanes(&layer.cells, places[y] + pair - LANES);
        }
        let [by_others_0, by_others_1] = [0, 1].map(|slot| windows.by_others(slot, x));
        let HookE { cells, origins, layout, seconds } = self;
        let mut store = Store { cells, origins, layout, windows, diagonal, place: [end, k, x] };
        let seconds = &seconds[..j];
        let others = [times(diagonal, lanes(by_others_1, end))];
        let others = product!(others, y in k..x => ([by_others_1[LANES + y]], [seconds[y]]));
        let [others] = product!(others, y in x + 1..j => ([by_others_0[LANES + y]], [seconds[y]]));
        let below = if windows.has_s2(1) { k..x } else { 0..0 };
        let above = if windows.has_s2(0) { x + 1..j } else { 0..0 };
        let [(rows_0, step_0), (rows_1, step_1)] = [0, 1].map(|slot| windows.rows_by_s2(slot, x));
        for h2 in (0..end - 1).step_by(ROWS) {
            let sums = product!([others; ROWS], y in below.clone() => {
                (lanes(rows_1, y * step_1 + h2), [seconds[y]; ROWS])
            });
            let sums = product!(sums, y in above.clone() => {
                (lanes(rows_0, y * step_0 + h2), [seconds[y]; ROWS])
            });
            // One by one: in a loop they would leave their registers.
            let [first, second, third, fourth] = sums;
            store.put(h2, first);
            store.put(h2 + 1, second);
            store.put(h2 + 2, third);
            store.put(h2 + 3, fourth);
        }
    }

    /// Adds to the items [·, ·, h2, x, j] of all x, given their rows: s0 or s1 is removed and x stays.
    #[inline(always)]
    pub fn apply(&self, chart: &Degree2<S>, h2: usize, j: usize, rows: &mut [S]) {
        for_each_tile!(h2 + 1..j, x, COUNT => self.apply_tile::<COUNT>(chart, [h2, x, j], rows));
    }

    #[inline(always)]
    fn apply_tile<const COUNT: usize>(&self, chart: &Degree2<S>, [h2, x, j]: [usize; 3], rows: &mut [S]) {
        let (pairs, width) = (Layout::pairs(h2), self.layout.widths[h2]);
        // All (k, h3) with k up to the last x. Some are too large for the first x, but for x = h3; they find
        // zeros.
        let count = triangle((x + COUNT).min(j) - h2 - 2);
        let weights: [&[S]; COUNT] = array!(COUNT, q => &self.cells[self.layout.row(h2, x + q)..][..count]);
        for pair in (0..pairs).step_by(LANES) {
            let at = |q| (x - h2 - 1 + q) * stride(h2) + pair;
            let first = chart.layout.row(h2, h2 + 2, h2 + 1) + pair;
            let sums = product!(array!(COUNT, q => lanes(rows, at(q))), term in 0..count => {
                (array!(COUNT, q => weights[q][term]), [lanes(&chart.cells, first + term * pairs); COUNT])
            });
            // x = h3 stays, for larger k.
            let sums = product!(sums, k in x + COUNT..j => {
                let first = chart.layout.row(h2, k, x) + pair;
                let hook = self.layout.place(h2, k, x, x);
                (
                    array!(COUNT, q => self.cells[hook + q * (width + 1)]),
                    array!(COUNT, q => lanes(&chart.cells, first + q * pairs)),
                )
            });
            for q in 0..COUNT {
                put(sums[q], rows, at(q));
            }
        }
    }
}

/// Stores E for x ≥ k and the last h3 < end.
struct Store<'a, S> {
    cells: &'a mut [S],
    origins: &'a [usize],
    layout: &'a HookLayout,
    windows: &'a WindowWeights<'a, S>,
    /// The second premises of which h3 is removed.
    diagonal: Lanes<S>,
    /// (end, k, x)
    place: [usize; 3],
}

impl<S: Semiring> Store<'_, S> {
    /// For one h2, if it is below one of the h3.
    #[inline(always)]
    fn put(&mut self, h2: usize, sums: Lanes<S>) {
        let [end, k, x] = self.place;
        if h2 + 1 < end {
            let by_s2 = times(self.diagonal, self.windows.last_by_s2(end, x, h2));
            // What is written for h3 ≤ h2 is overwritten by smaller k.
            let at = self.origins[h2] + (x - k) * self.layout.widths[h2] + end - LANES;
            put(sum(sums, by_s2), self.cells, at);
        }
    }
}
