//! The hook for windows whose deepest node stays.

use std::ops::Range;

use super::degree2::Degree2;
use super::lanes::{LANES, PADDING, Sums, lanes, products, sum, tile};
use super::layer::{Layer, stride};
use super::layout::{Layout, triangle};
use super::simd::Kernel;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// How many h2 are worked on at once while E is made.
const DEEPEST: usize = 4;

/// E for one layer: what a second premise [h3, k, ·, ·, j] contributes when x stays on top of h2.
///
/// By h2 and x > h2, then (k, h3) as in the chart, after some room that is written to and never read. Only x = h3 and x ≥ k are possible; numbers for
/// larger k are zero for ever, so that loops may run over them.
pub(super) struct Kept<S> {
    pub cells: Vec<S>,
    /// Where the row of h2 and x = 0 would begin.
    starts: Vec<usize>,
    /// How far the rows of h2 are apart.
    widths: Vec<usize>,
    /// Where E of h2 and x = k would begin for h3 = 0, for the present k.
    origins: Vec<usize>,
    /// Second premises with x on top and another node y, by y.
    items: Vec<[S; LANES]>,
}

impl<S: Semiring> Kept<S> {
    pub fn new(words: usize) -> Kept<S> {
        let widths: Vec<usize> = (0..words).map(|h2| triangle(words - h2 - 1) + LANES).collect();
        let mut starts = Vec::new();
        // The first row would begin before the table, but for this.
        let mut size = widths.first().map_or(0, |width| width + LANES);
        for (h2, &width) in widths.iter().enumerate() {
            starts.push(size + LANES - (h2 + 1) * width);
            size += (words - h2) * width;
        }
        let items = vec![[S::ZERO; LANES]; words + 1];
        Kept { cells: vec![S::ZERO; size + PADDING], starts, widths, origins: Vec::new(), items }
    }

    /// Where E is.
    #[inline(always)]
    pub fn place(&self, h2: usize, k: usize, h3: usize, x: usize) -> usize {
        self.row(h2, x) + Layout::rank(h2, k, h3)
    }

    /// Where E of (h2, x) begins.
    #[inline(always)]
    pub fn row(&self, h2: usize, x: usize) -> usize {
        self.starts[h2] + x * self.widths[h2]
    }

    /// How far the rows of neighbouring x are apart.
    #[inline(always)]
    pub fn width(&self, h2: usize) -> usize {
        self.widths[h2]
    }

    /// Adds to items [·, ·, h2, x, j] for a group of pairs (h1, i) and some x: s0 or s1 goes, x stays on top of h2.
    #[inline(always)]
    fn keep<const NODES: usize>(
        &self,
        chart: &Degree2<S>,
        h2: usize,
        j: usize,
        x: usize,
        pair: usize,
        mut sums: [Sums<S, LANES>; NODES],
    ) -> [Sums<S, LANES>; NODES] {
        let (pairs, width) = (Layout::pairs(h2), self.width(h2));
        // All (k, h3) with k up to the last x. Some are too large for the first x, but for x = h3; they find zeros.
        let count = triangle((x + NODES).min(j) - h2 - 2);
        let mut weights = [&self.cells[..0]; NODES];
        for q in 0..NODES {
            let start = self.row(h2, x + q);
            weights[q] = &self.cells[start..start + count];
        }
        let mut first = chart.layout.row(h2, h2 + 2, h2 + 1) + pair;
        for at in 0..count {
            let row = lanes(&chart.cells, first);
            for q in 0..NODES {
                sums[q].add_scaled(weights[q][at], row);
            }
            first += pairs;
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

    /// How many numbers it holds.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        self.cells.len() + self.items.len() * LANES
    }
}

/// Makes E for k, when the items of (k, j) are complete; from large k to small ones.
pub(super) struct AddKept<'a, S> {
    pub kept: &'a mut Kept<S>,
    pub chart: &'a Degree2<S>,
    pub layer: &'a Layer<S>,
    pub k: usize,
    pub j: usize,
    pub windows: &'a WindowWeights<S>,
}

impl<S: Semiring> AddKept<'_, S> {
    /// x = h3: h5 goes.
    #[inline(always)]
    fn below(&mut self, h3: usize, h2: usize) {
        let AddKept { chart, k, j, windows, .. } = *self;
        let as_s0 = windows.beside(0, h3);
        let mut sums = Sums::<S, LANES>::zero();
        let mut others = S::ZERO;
        let mut at = chart.layout.diagonal_item(h3, k, k, j);
        for (h5, &weight) in (k..j).zip(&as_s0.by_others()[k..]) {
            let item = chart.cells[at];
            sums.add_scaled(item, as_s0.by_s2(h5, h2));
            others = others.plus(item.times(weight));
            at += k;
        }
        sums.add_scaled(others, [S::ONE; LANES]);
        let Kept { cells, origins, widths, .. } = &mut *self.kept;
        for ((&weight, &origin), &width) in sums.0.iter().zip(&origins[h2..h3]).zip(&widths[h2..h3]) {
            cells[origin + h3 - (k - h3) * width] = weight;
        }
    }

    /// x ≥ k, for the last h3 < `end`: another node y goes, which was s0 if it is above x, and s1 below. Or it is h3 that goes, as s1.
    #[inline(always)]
    fn above(&mut self, x: usize, end: usize, items: &mut [[S; LANES]]) {
        let AddKept { chart, layer, k, j, windows, .. } = *self;
        let [as_s0, as_s1] = [windows.beside(0, x), windows.beside(1, x)];
        // There may be fewer than so many h3. What is read then belongs to other items, and is thrown away.
        let row = chart.layout.diagonal_row(k, j, x) + end;
        let mut diagonal = [S::ZERO; LANES];
        if row >= LANES {
            diagonal = lanes(&chart.cells, row - LANES);
        } else {
            diagonal[LANES - row..].copy_from_slice(&chart.cells[..row]);
        }
        let mut others = Sums(products(diagonal, as_s1.last_by_others(end)));
        let pair = Layout::first_pair(k) + end - 1;
        let places = &layer.places(x)[..j];
        let (below, above) = items.split_at_mut(x - k);
        let above = &mut above[1..];
        let weights = &as_s1.by_others()[k..x];
        for ((items, place), &weight) in below.iter_mut().zip(&places[k..x]).zip(weights) {
            *items = lanes(&layer.cells, place + pair - LANES);
            others.add_scaled(weight, *items);
        }
        let weights = &as_s0.by_others()[x + 1..j];
        for ((items, place), &weight) in above.iter_mut().zip(&places[x + 1..]).zip(weights) {
            *items = lanes(&layer.cells, place + pair - LANES);
            others.add_scaled(weight, *items);
        }
        let mut finish = Finish { kept: &mut *self.kept, windows, diagonal, k, x, end };
        let below = if windows.has_s2(1) { &*below } else { &[] };
        let above = if windows.has_s2(0) { &*above } else { &[] };
        for h2 in (0..end - 1).step_by(DEEPEST) {
            let mut sums = [others; DEEPEST];
            for (y, &items) in (k..).zip(below) {
                let weights: [S; DEEPEST] = as_s1.by_s2(y, h2);
                for q in 0..DEEPEST {
                    sums[q].add_scaled(weights[q], items);
                }
            }
            for (y, &items) in (x + 1..).zip(above) {
                let weights: [S; DEEPEST] = as_s0.by_s2(y, h2);
                for q in 0..DEEPEST {
                    sums[q].add_scaled(weights[q], items);
                }
            }
            // One by one: in a loop they would leave their registers.
            let [first, second, third, fourth] = sums;
            finish.put(h2, first);
            finish.put(h2 + 1, second);
            finish.put(h2 + 2, third);
            finish.put(h2 + 3, fourth);
        }
    }
}

/// Stores E for x ≥ k and the last h3 < `end`.
struct Finish<'a, S> {
    kept: &'a mut Kept<S>,
    windows: &'a WindowWeights<S>,
    /// The items where h3 goes.
    diagonal: [S; LANES],
    k: usize,
    x: usize,
    end: usize,
}

impl<S: Semiring> Finish<'_, S> {
    /// For one h2, if it is below one of the h3.
    #[inline(always)]
    fn put(&mut self, h2: usize, sums: Sums<S, LANES>) {
        let Finish { windows, diagonal, k, x, end, .. } = *self;
        if h2 + 1 < end {
            let last = products(diagonal, windows.removed_by(end, x, h2));
            // What is written for h3 ≤ h2 is overwritten by smaller k.
            let at = self.kept.origins[h2] + (x - k) * self.kept.widths[h2] + end - LANES;
            Sums(sum(sums.0, last)).put(&mut self.kept.cells, at);
        }
    }
}

impl<S: Semiring> Kernel for AddKept<'_, S> {
    #[inline(always)]
    fn run(mut self) {
        let kept = &mut *self.kept;
        kept.origins.clear();
        for h2 in 0..self.k - 1 {
            let origin = kept.place(h2, self.k, h2 + 1, self.k) - h2 - 1;
            kept.origins.push(origin);
        }
        for h3 in 1..self.k {
            for h2 in (0..h3).step_by(LANES) {
                self.below(h3, h2);
            }
        }
        let mut items = std::mem::take(&mut self.kept.items);
        for x in self.k..self.j {
            let mut end = self.k;
            while end > 1 {
                self.above(x, end, &mut items[..self.j - self.k]);
                end = end.saturating_sub(LANES);
            }
        }
        self.kept.items = items;
    }
}

/// Adds to the items [·, ·, h2, x, j] for some x, as far as s0 or s1 goes and x stays.
pub(super) struct Keep<'a, S> {
    pub kept: &'a Kept<S>,
    pub chart: &'a Degree2<S>,
    pub h2: usize,
    pub j: usize,
    pub kept_nodes: Range<usize>,
    /// Their rows.
    pub layer: &'a mut [S],
}

impl<S: Semiring> Keep<'_, S> {
    /// For some x, whose rows begin at `row`.
    #[inline(always)]
    fn some<const NODES: usize>(&mut self, x: usize, row: usize) {
        let apart = stride(self.h2);
        for pair in (0..Layout::pairs(self.h2)).step_by(LANES) {
            let mut sums = [Sums::<S, LANES>::zero(); NODES];
            for q in 0..NODES {
                sums[q].0 = lanes(self.layer, row + q * apart + pair);
            }
            sums = self.kept.keep(self.chart, self.h2, self.j, x, pair, sums);
            for q in 0..NODES {
                sums[q].put(self.layer, row + q * apart + pair);
            }
        }
    }
}

impl<S: Semiring> Kernel for Keep<'_, S> {
    #[inline(always)]
    fn run(mut self) {
        let mut row = 0;
        let Range { start: mut x, end } = self.kept_nodes;
        while x < end {
            let nodes = tile(end - x);
            match nodes {
                1 => self.some::<1>(x, row),
                2 => self.some::<2>(x, row),
                _ => self.some::<4>(x, row),
            }
            x += nodes;
            row += nodes * stride(self.h2);
        }
    }
}
