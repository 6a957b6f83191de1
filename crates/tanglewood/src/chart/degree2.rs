//! The chart for windows of three stack nodes.
//!
//! An item [h1, i, h2, h3, j] says that some computation takes (σ|h1, i|β) to (σ|h2|h3, j|β') without touching σ. Two items
//! [h1, i, h2, h3, k] and [h3, k, h4, h5, j] combine to the window h2|h4|h5, of which one node is removed (Cohen, Gómez-Rodríguez
//! and Satta 2011; Shi, Gómez-Rodríguez and Lee 2018, section 3). In three hooks:
//!
//! * s0 = h5 or s1 = h4 goes, x stays: [h1, i, h2, x, j] = ⊕ over h3, k of [h1, i, h2, h3, k] ⊗ **E**, where
//!   E[h2; k, h3; x] = ⊕ [h3, k, ·, ·, j] ⊗ weight, over the node that goes (see [`Hook`]);
//! * s2 = h2 goes: [h1, i, h4, h5, j] = ⊕ over h3, k of (**F**[·; h4] ⊕ F[·; h5] ⊕ F by the buffer) ⊗ [h3, k, h4, h5, j], where
//!   F[h1, i, h3, k; x] = ⊕ over h2 of [h1, i, h2, h3, k] ⊗ weight(x → h2).
//!
//! Everything an item needs has a smaller j, or the same j and a larger h1. So layers are filled by ascending j, and within a layer by
//! descending h1: then E is needed for one h2 at a time only, unless s2 is ever removed.
//!
//! If s2 is never removed, h2 = h1 in every item: those are the *diagonal* items, four indices, and the third hook is gone.
//!
//! The root is never removed; it is the bottom of the stack. Items of h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are
//! kept apart.

use super::layout::Layout;
use super::weights::{FrontWeights, Weights};
use crate::scores::TransitionScores;
use crate::semiring::Semiring;
use crate::system::Address;

/// Numbers that are combined at once; a multiple of any vector length.
pub(super) const LANES: usize = 8;
/// Rows may be read this far beyond their end: up to two groups of lanes are kept in registers.
pub(super) const PADDING: usize = 2 * LANES;

/// A filled chart.
pub struct Degree2<S> {
    pub(super) layout: Layout,
    /// Layer j at place j, followed by [`PADDING`].
    pub(super) layers: Vec<Vec<S>>,
    /// The prefix items [ε, 0, ε, 0, j], by j.
    pub(super) prefix: Vec<S>,
}

/// The chart did not fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl<S: Semiring> Degree2<S> {
    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.prefix.last().copied().unwrap_or(S::ZERO)
    }

    /// The diagonal row of (h1, i) in layer j, by h3 from i on.
    #[inline(always)]
    pub(super) fn diagonal(&self, j: usize, h1: usize, i: usize) -> &[S] {
        &self.layers[j][self.layout.start(j, h1, i)..][..j - i]
    }

    /// The row of (h1, i, h2) with h2 ≥ i in layer j, by h3 from h2 + 1 on.
    #[inline(always)]
    pub(super) fn row(&self, j: usize, h1: usize, i: usize, h2: usize) -> &[S] {
        let start = self.layout.start(j, h1, i) + self.layout.row(j, i, h2);
        &self.layers[j][start..][..j - 1 - h2]
    }

    pub(super) fn deepest<T: TransitionScores + ?Sized>(&self, weights: &Weights<'_, S, T>) -> Deepest<S> {
        Deepest {
            weights: if self.layout.off_diagonal { weights.deepest_by_stack() } else { Vec::new() },
            nodes: self.layout.words + 1,
            by_s0: weights.inventory.permits(Address::Stack(0), 2),
            by_s1: weights.inventory.permits(Address::Stack(1), 2),
        }
    }

    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub(super) fn fill<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout { words, off_diagonal: weights.inventory.deepest_dependent() == 2 };
        let mut chart =
            Degree2 { layout, layers: vec![Vec::new(); words + 2], prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        let deepest = chart.deepest(weights);
        for j in 2..=words + 1 {
            let front = weights.at_front(j, 2);
            let mut layer = Vec::new();
            layer.try_reserve_exact(layout.layer(j) + PADDING).map_err(|_| OutOfMemory)?;
            layer.resize(layout.layer(j) + PADDING, S::ZERO);
            chart.layers[j] = layer;
            chart.fill_layer(j, weights, &front, &deepest);
            chart.extend_prefix(j, &front);
        }
        Ok(chart)
    }

    #[inline(always)]
    fn fill_layer<T: TransitionScores + ?Sized>(
        &mut self,
        j: usize,
        weights: &Weights<'_, S, T>,
        front: &FrontWeights<S>,
        deepest: &Deepest<S>,
    ) {
        let layout = self.layout;
        // hooks[h2] is E for h2; one is enough if only the diagonal is there.
        let mut hooks: Vec<Hook<S>> =
            (0..if layout.off_diagonal { j } else { 1 }).map(|_| Hook::default()).collect();
        let mut turned = Turned::new(layout, j);
        let mut removals = Removals::default();
        let mut first = First::default();
        let mut row: Vec<S> = Vec::new();
        for h1 in (0..=j - 2).rev() {
            let at = if layout.off_diagonal { h1 } else { 0 };
            hooks[at].build(self, j, h1, front, &turned);
            for i in (h1 + 1..j).rev() {
                let start = layout.start(j, h1, i);
                if i + 1 == j {
                    self.layers[j][start] = weights.shift(Some(h1), i);
                    continue;
                }
                first.set(layout, j, h1, i);
                hooks[at].apply(self, &first, None, &mut row);
                self.layers[j][start..][..j - i].copy_from_slice(&row[..j - i]);
                if layout.off_diagonal && h1 != 0 {
                    removals.build(self, j, &first, h1, front, deepest);
                    for h2 in i..j - 1 {
                        hooks[h2].apply(self, &first, Some(h2), &mut row);
                        removals.apply(self, &mut row, h2, front, deepest);
                        let start = start + layout.row(j, i, h2);
                        self.layers[j][start..][..j - 1 - h2].copy_from_slice(&row[..j - 1 - h2]);
                    }
                }
            }
            turned.add(self, j, h1);
        }
    }

    /// [ε, 0, ε, 0, j] from [ε, 0, ε, 0, k] and [0, k, 0, h5, j], removing h5.
    #[inline(always)]
    fn extend_prefix(&mut self, j: usize, front: &FrontWeights<S>) {
        for k in 1..j {
            let removed = dot(self.diagonal(j, 0, k), &front.bottom[k..j]);
            let extended = self.prefix[k].times(removed);
            self.prefix[j].add(extended);
        }
    }
}

/// ⊕ of products.
#[inline(always)]
pub(super) fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::ZERO, |sum, (&a, &b)| sum.plus(a.times(b)))
}

/// out ⊕= a ⊗ b, element by element.
#[inline(always)]
fn add_products<S: Semiring>(out: &mut [S], a: &[S], b: &[S]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        out.add(a.times(b));
    }
}

/// Sums that stay in registers while terms are added: taken out of a row, added to, and put back.
#[derive(Clone, Copy)]
struct Sums<S, const WIDTH: usize>([S; WIDTH]);

impl<S: Semiring, const WIDTH: usize> Sums<S, WIDTH> {
    #[inline(always)]
    fn take(row: &[S]) -> Sums<S, WIDTH> {
        Sums(lanes(row))
    }

    #[inline(always)]
    fn put(self, row: &mut [S]) {
        row[..WIDTH].copy_from_slice(&self.0);
    }

    /// sums ⊕= weight ⊗ row
    #[inline(always)]
    fn add_scaled(&mut self, weight: S, row: &[S]) {
        let row: [S; WIDTH] = lanes(row);
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(weight.times(row[lane]));
        }
    }

    /// sums ⊕= a ⊗ b
    #[inline(always)]
    fn add_products(&mut self, a: &[S], b: &[S]) {
        let (a, b): ([S; WIDTH], [S; WIDTH]) = (lanes(a), lanes(b));
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(a[lane].times(b[lane]));
        }
    }

    /// sums ⊕= a ⊗ (fixed ⊕ b)
    #[inline(always)]
    fn add_products_of_sum(&mut self, a: &[S], fixed: S, b: &[S]) {
        let (a, b): ([S; WIDTH], [S; WIDTH]) = (lanes(a), lanes(b));
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(a[lane].times(fixed.plus(b[lane])));
        }
    }
}

/// The beginning of a row.
#[inline(always)]
fn lanes<S: Semiring, const WIDTH: usize>(row: &[S]) -> [S; WIDTH] {
    row[..WIDTH].try_into().expect("rows are padded")
}

/// Where the first premises of one (h1, i) are.
#[derive(Default)]
pub(super) struct First {
    pub i: usize,
    /// By k: where the items of (h1, i) begin in layer k.
    pub starts: Vec<usize>,
}

impl First {
    #[inline(always)]
    pub(super) fn set(&mut self, layout: Layout, j: usize, h1: usize, i: usize) {
        self.i = i;
        self.starts.clear();
        self.starts.resize(j, 0);
        for k in i + 1..j {
            self.starts[k] = layout.start(k, h1, i);
        }
    }

    /// The diagonal row by h3 from i on, or the row of an h2 ≥ i by h3 from h2 + 1 on, in layer k; and whatever follows it.
    #[inline(always)]
    fn row<'c, S: Semiring>(&self, chart: &'c Degree2<S>, k: usize, h2: Option<usize>) -> &'c [S] {
        &chart.layers[k][self.start(chart.layout, k, h2)..]
    }

    /// Where that row begins.
    #[inline(always)]
    pub(super) fn start(&self, layout: Layout, k: usize, h2: Option<usize>) -> usize {
        self.starts[k] + h2.map_or(0, |h2| layout.row(k, self.i, h2))
    }
}

/// The rows [h3, k, ·, h5, j] of one layer, by h5 and then h4 ≥ k: the other way round than in the chart.
pub(super) struct Turned<S> {
    j: usize,
    /// By h3 and k.
    blocks: Vec<Vec<S>>,
}

impl<S: Semiring> Turned<S> {
    pub(super) fn new(layout: Layout, j: usize) -> Turned<S> {
        let blocks = if layout.off_diagonal { j * j } else { 0 };
        Turned { j, blocks: vec![Vec::new(); blocks] }
    }

    /// Turns the rows of one h3, when they are complete.
    #[inline(always)]
    pub(super) fn add(&mut self, chart: &Degree2<S>, j: usize, h3: usize) {
        if self.blocks.is_empty() || h3 == 0 {
            return;
        }
        for k in h3 + 1..j {
            let span = j - k;
            let block = &mut self.blocks[h3 * j + k];
            block.resize(span * span + PADDING, S::ZERO);
            for h4 in k..j - 1 {
                for (h5, &weight) in (h4 + 1..j).zip(chart.row(j, h3, k, h4)) {
                    block[(h5 - k) * span + (h4 - k)] = weight;
                }
            }
        }
    }

    /// The row of h5, by h4 from k on; zero for h4 ≥ h5.
    #[inline(always)]
    fn row(&self, h3: usize, k: usize, h5: usize) -> &[S] {
        &self.blocks[h3 * self.j + k][(h5 - k) * (self.j - k)..]
    }
}

/// E[h2; k, h3; x] for one h2 and one layer: what a second premise [h3, k, ·, ·, j] contributes when x stays on top of h2.
pub(super) struct Hook<S> {
    h2: usize,
    j: usize,
    /// Distance between rows; there is one for each (k, h3) with h2 < h3 < k < j, by k, then h3.
    stride: usize,
    /// By x from h2 + 1 on; zero for x < k.
    pub(super) rows: Vec<S>,
    /// For x = h3, by k and then h3; zero for h3 ≥ k. Rows are as far apart as the others.
    pub(super) kept: Vec<S>,
}

impl<S> Default for Hook<S> {
    fn default() -> Hook<S> {
        Hook { h2: 0, j: 0, stride: 0, rows: Vec::new(), kept: Vec::new() }
    }
}

impl<S: Semiring> Hook<S> {
    pub(super) fn j(&self) -> usize {
        self.j
    }

    /// Where the number for (k, h3) and x is in `rows`.
    pub(super) fn place(&self, k: usize, h3: usize, x: usize) -> usize {
        self.row_of(k, h3) * self.stride + x - self.h2 - 1
    }

    /// Where the number for (k, h3) is in `kept`.
    #[inline(always)]
    pub(super) fn kept_place(&self, k: usize, h3: usize) -> usize {
        (k - self.h2 - 2) * self.stride + h3 - self.h2 - 1
    }

    /// Which row belongs to (k, h3).
    #[inline(always)]
    fn row_of(&self, k: usize, h3: usize) -> usize {
        (k - self.h2 - 2) * (k - self.h2 - 1) / 2 + (h3 - self.h2 - 1)
    }

    #[inline(always)]
    pub(super) fn build(
        &mut self,
        chart: &Degree2<S>,
        j: usize,
        h2: usize,
        front: &FrontWeights<S>,
        turned: &Turned<S>,
    ) {
        let span = j - 1 - h2;
        (self.h2, self.j, self.stride) = (h2, j, span + PADDING);
        let rows = span * (span - 1) / 2;
        self.rows.clear();
        self.rows.resize(rows * self.stride, S::ZERO);
        self.kept.clear();
        self.kept.resize((span - 1) * self.stride, S::ZERO);
        for k in h2 + 2..j {
            for h3 in h2 + 1..k {
                let (at, kept) = (self.row_of(k, h3), self.kept_place(k, h3));
                let row = &mut self.rows[at * self.stride..][..self.stride];
                // h4 = h3 stays below, or goes.
                let second = chart.diagonal(j, h3, k);
                self.kept[kept] = dot(second, &front.row(0, h2, h3)[k..]);
                add_products(&mut row[k - h2 - 1..], second, &front.row(1, h2, h3)[k..]);
                if chart.layout.off_diagonal {
                    let mut x = k;
                    while x + 1 < j {
                        if j - x <= LANES {
                            Self::add_off_diagonal::<LANES>(row, chart, j, h2, h3, k, x, front, turned);
                            x += LANES;
                        } else {
                            Self::add_off_diagonal::<{ 2 * LANES }>(
                                row, chart, j, h2, h3, k, x, front, turned,
                            );
                            x += 2 * LANES;
                        }
                    }
                }
            }
        }
    }

    /// From second premises with h4 ≥ k, for x and some nodes after it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one step of a loop nest, cut out to be read by itself")]
    fn add_off_diagonal<const WIDTH: usize>(
        row: &mut [S],
        chart: &Degree2<S>,
        j: usize,
        h2: usize,
        h3: usize,
        k: usize,
        x: usize,
        front: &FrontWeights<S>,
        turned: &Turned<S>,
    ) {
        let mut sums = Sums::<S, WIDTH>::take(&row[x - h2 - 1..]);
        let end = j.min(x + WIDTH);
        // x = h4 stays, h5 goes. Turned rows and weights are zero for h4 ≥ h5.
        for h5 in x + 1..j {
            sums.add_products(&turned.row(h3, k, h5)[x - k..], &front.turned_row(h2, h5)[x..]);
        }
        // x = h5 stays, h4 goes. For x ≤ h4 what is read is some other item's, but the weight is zero.
        let start = chart.layout.start(j, h3, k);
        for h4 in k..end - 1 {
            let at = start + chart.layout.row(j, k, h4) + x - h4 - 1;
            sums.add_products(&chart.layers[j][at..], &front.row(1, h2, h4)[x..]);
        }
        sums.put(&mut row[x - h2 - 1..]);
    }

    /// out[x] = ⊕ over k, h3 of first(k)[h3] ⊗ E[k, h3; x], by x from i on, or from h2 + 1 on; `out` gets padding.
    #[inline(always)]
    fn apply(&self, chart: &Degree2<S>, first: &First, h2: Option<usize>, out: &mut Vec<S>) {
        let low = h2.map_or(first.i, |h2| h2 + 1);
        let j = self.j;
        out.clear();
        out.resize(j - low + PADDING, S::ZERO);
        let mut x = low;
        while x < j {
            if j - x <= LANES {
                self.apply_tiles::<LANES>(chart, first, h2, low, x, out);
                x += LANES;
            } else {
                self.apply_tiles::<{ 2 * LANES }>(chart, first, h2, low, x, out);
                x += 2 * LANES;
            }
        }
    }

    #[inline(always)]
    fn apply_tiles<const WIDTH: usize>(
        &self,
        chart: &Degree2<S>,
        first: &First,
        h2: Option<usize>,
        low: usize,
        x: usize,
        out: &mut [S],
    ) {
        let mut sums = Sums::<S, WIDTH>::take(&out[x - low..]);
        // h4 = h3 = x stays. Weights are zero for h3 ≥ k.
        for k in x + 1..self.j {
            let kept = &self.kept[self.kept_place(k, x)..];
            sums.add_products(&first.row(chart, k, h2)[x - low..], kept);
        }
        // Rows of k come after those of k − 1; the first ones of each k, with h3 < low, are passed over.
        let mut at = x - self.h2 - 1 + self.row_of(low + 1, low) * self.stride;
        for k in low + 1..self.j.min(x + WIDTH) {
            for &weight in &first.row(chart, k, h2)[..k - low] {
                sums.add_scaled(weight, &self.rows[at..at + WIDTH]);
                at += self.stride;
            }
            at += (low - self.h2 - 1) * self.stride;
        }
        sums.put(&mut out[x - low..]);
    }
}

/// How s2 may be removed.
pub(super) struct Deepest<S> {
    /// The weight of a stack node as head, by (s2, head), and [`PADDING`].
    pub weights: Vec<S>,
    pub nodes: usize,
    pub by_s0: bool,
    pub by_s1: bool,
}

/// F[h1, i, h3, k; x] for one (h1, i) and all k < j: what a first premise contributes when its h2 goes, with head x.
pub(super) struct Removals<S> {
    i: usize,
    j: usize,
    stride: usize,
    /// A row for each (k, h3) with i ≤ h3 < k < j, by x from i on. Only x = h3 and x ≥ k are meant; zero if no stack node may be
    /// the head.
    pub(super) rows: Vec<S>,
    /// With a head in the buffer, by the same (k, h3).
    pub(super) by_buffer: Vec<S>,
    /// Where the second premises [h3, k, ·, ·, j] begin, by k and h3.
    second_starts: Vec<usize>,
}

impl<S> Default for Removals<S> {
    fn default() -> Removals<S> {
        Removals { i: 0, j: 0, stride: 0, rows: Vec::new(), by_buffer: Vec::new(), second_starts: Vec::new() }
    }
}

impl<S: Semiring> Removals<S> {
    /// (i, j)
    pub(super) fn span(&self) -> (usize, usize) {
        (self.i, self.j)
    }

    /// Where the number for a row and head x is in `rows`.
    pub(super) fn place(&self, row: usize, x: usize) -> usize {
        row * self.stride + x - self.i
    }

    #[inline(always)]
    pub(super) fn row_of(&self, k: usize, h3: usize) -> usize {
        (k - self.i - 1) * (k - self.i) / 2 + (h3 - self.i)
    }

    #[inline(always)]
    pub(super) fn build(
        &mut self,
        chart: &Degree2<S>,
        j: usize,
        first: &First,
        h1: usize,
        front: &FrontWeights<S>,
        deepest: &Deepest<S>,
    ) {
        let i = first.i;
        let span = j - i;
        if self.second_starts.is_empty() {
            self.second_starts = vec![0; j * j];
            for k in 2..j {
                for h3 in 1..k {
                    self.second_starts[k * j + h3] = chart.layout.start(j, h3, k);
                }
            }
        }
        (self.i, self.j, self.stride) = (i, j, span + PADDING);
        let rows = span * (span - 1) / 2;
        self.rows.clear();
        self.rows.resize(rows * self.stride, S::ZERO);
        self.by_buffer.clear();
        self.by_buffer.resize(rows, S::ZERO);
        for k in i + 1..j {
            let layer = &chart.layers[k];
            for h3 in i..k {
                let at = self.row_of(k, h3);
                let diagonal = layer[first.starts[k] + h3 - i];
                let mut by_buffer = diagonal.times(front.deepest_by_buffer[h1]);
                let mut by_h3 = diagonal.times(deepest.weights[h1 * deepest.nodes + h3]);
                let mut place = first.starts[k] + chart.layout.row(k, i, i) + h3 - i;
                for h2 in i..h3 {
                    // One row further down, one place less far in it: the next h2's number for h3.
                    let weight = layer[place - 1];
                    place += k - 2 - h2;
                    by_buffer = by_buffer.plus(weight.times(front.deepest_by_buffer[h2]));
                    by_h3 = by_h3.plus(weight.times(deepest.weights[h2 * deepest.nodes + h3]));
                }
                self.by_buffer[at] = by_buffer;
                if deepest.by_s0 || deepest.by_s1 {
                    let row = &mut self.rows[at * self.stride..][..self.stride];
                    row[h3 - i] = by_h3;
                    let mut x = k;
                    while x < j {
                        if j - x <= LANES {
                            Self::build_tiles::<LANES>(row, chart, first, h1, k, h3, x, deepest);
                            x += LANES;
                        } else {
                            Self::build_tiles::<{ 2 * LANES }>(row, chart, first, h1, k, h3, x, deepest);
                            x += 2 * LANES;
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one step of a loop nest, cut out to be read by itself")]
    fn build_tiles<const WIDTH: usize>(
        row: &mut [S],
        chart: &Degree2<S>,
        first: &First,
        h1: usize,
        k: usize,
        h3: usize,
        x: usize,
        deepest: &Deepest<S>,
    ) {
        let (i, layer) = (first.i, &chart.layers[k]);
        let mut sums = Sums::<S, WIDTH>::take(&row[x - i..]);
        sums.add_scaled(layer[first.starts[k] + h3 - i], &deepest.weights[h1 * deepest.nodes + x..]);
        let mut place = first.starts[k] + chart.layout.row(k, i, i) + h3 - i;
        for h2 in i..h3 {
            sums.add_scaled(layer[place - 1], &deepest.weights[h2 * deepest.nodes + x..]);
            place += k - 2 - h2;
        }
        sums.put(&mut row[x - i..]);
    }

    /// out[h5] ⊕= ⊕ over k, h3 of F ⊗ [h3, k, h4, h5, j], for h5 from h4 + 1 on.
    #[inline(always)]
    fn apply(
        &self,
        chart: &Degree2<S>,
        out: &mut [S],
        h4: usize,
        front: &FrontWeights<S>,
        deepest: &Deepest<S>,
    ) {
        let (i, j) = (self.i, self.j);
        let mut sums_start = 0;
        let length = j - 1 - h4;
        let mut sums: Vec<S> = Vec::new();
        if front.context_row(h4).is_some() {
            sums.resize(length + PADDING, S::ZERO);
        }
        // Without context, add to `out` directly; with it, to a row of its own that is multiplied at the end.
        let target: &mut [S] = if sums.is_empty() { out } else { &mut sums };
        while sums_start < length {
            if length - sums_start <= LANES {
                self.apply_tiles::<LANES>(chart, target, h4, h4 + 1 + sums_start, deepest);
                sums_start += LANES;
            } else {
                self.apply_tiles::<{ 2 * LANES }>(chart, target, h4, h4 + 1 + sums_start, deepest);
                sums_start += 2 * LANES;
            }
        }
        for k in h4 + 1..j {
            let at = self.row_of(k, h4);
            let row = &self.rows[at * self.stride..][..self.stride];
            let fixed = self.fixed(at, h4, deepest);
            let second = chart.diagonal(j, h4, k);
            for ((sum, &second), &head) in target[k - h4 - 1..].iter_mut().zip(second).zip(&row[k - i..]) {
                let removed = if deepest.by_s0 { fixed.plus(head) } else { fixed };
                sum.add(second.times(removed));
            }
        }
        if let Some(context) = front.context_row(h4).filter(|_| !sums.is_empty()) {
            add_products(&mut out[..length], &sums[..length], &context[h4 + 1..]);
        }
    }

    /// What does not depend on h5: heads in the buffer, and h4.
    #[inline(always)]
    fn fixed(&self, at: usize, h4: usize, deepest: &Deepest<S>) -> S {
        if deepest.by_s1 {
            self.by_buffer[at].plus(self.rows[at * self.stride + h4 - self.i])
        } else {
            self.by_buffer[at]
        }
    }

    /// For h5 and some nodes after it, with k ≤ h4.
    #[inline(always)]
    fn apply_tiles<const WIDTH: usize>(
        &self,
        chart: &Degree2<S>,
        out: &mut [S],
        h4: usize,
        h5: usize,
        deepest: &Deepest<S>,
    ) {
        let (i, j) = (self.i, self.j);
        let layer = &chart.layers[j];
        let mut sums = Sums::<S, WIDTH>::take(&out[h5 - h4 - 1..]);
        let mut at = 0;
        for k in i + 1..=h4 {
            let offset = chart.layout.row(j, k, h4) + h5 - h4 - 1;
            for &start in &self.second_starts[k * j + i..k * j + k] {
                let row = &self.rows[at * self.stride..][..self.stride];
                let by_buffer = self.by_buffer[at];
                at += 1;
                let fixed = if deepest.by_s1 { by_buffer.plus(row[h4 - i]) } else { by_buffer };
                let second = &layer[start + offset..][..WIDTH];
                if deepest.by_s0 {
                    sums.add_products_of_sum(second, fixed, &row[h5 - i..]);
                } else {
                    sums.add_scaled(fixed, second);
                }
            }
        }
        sums.put(&mut out[h5 - h4 - 1..]);
    }
}
