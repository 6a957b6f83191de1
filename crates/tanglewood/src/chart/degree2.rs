//! The chart for windows of three stack nodes.
//!
//! An item [h1, i, h2, h3, j] says that some computation takes (σ|h1, i|β) to (σ|h2|h3, j|β') without touching σ. Two items
//! [h1, i, h2, h3, k] and [h3, k, h4, h5, j] combine to the window h2|h4|h5, of which one node is removed (Cohen, Gómez-Rodríguez
//! and Satta 2011; Shi, Gómez-Rodríguez and Lee 2018). In three hooks:
//!
//! * s0 = h5 or s1 = h4 goes, x stays: [h1, i, h2, x, j] = ⊕ over h3, k of [h1, i, h2, h3, k] ⊗ **E**, where
//!   E[h2; k, h3; x] = ⊕ [h3, k, ·, ·, j] ⊗ weight, over the node that goes (see [`Kept`]);
//! * s2 = h2 goes: [h1, i, h4, h5, j] = ⊕ over h3, k of (**F**[·; h4] ⊕ F[·; h5] ⊕ F by the buffer) ⊗ [h3, k, h4, h5, j], where
//!   F[h1, i, h3, k; x] = ⊕ over h2 of [h1, i, h2, h3, k] ⊗ weight(x → h2) (see [`Removed`]).
//!
//! Everything an item needs has a smaller j, or the same j and a larger i. So the chart is filled by ascending j, and for each j by descending
//! i; for one (i, j), items of different h1 do not depend on each other, and the innermost loops are over h1.
//!
//! If s2 is never removed, h2 = h1 in every item: those are the *diagonal* items, four indices, and the third hook is gone.
//!
//! The root is never removed; it is the bottom of the stack. Items of h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are
//! kept apart.

use super::kept::Kept;
use super::lanes::{Four, LANES, PADDING, Sums, lanes};
use super::layout::Layout;
use super::removed::Removed;
use super::weights::{Weights, WindowWeights};
use crate::scores::TransitionScores;
use crate::semiring::Semiring;

/// A filled chart.
pub struct Degree2<S> {
    pub(super) layout: Layout,
    /// The items, and [`PADDING`].
    pub(super) cells: Vec<S>,
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

    /// The weight of [h1, i, h1, h3, j].
    #[inline(always)]
    pub(super) fn diagonal(&self, h1: usize, i: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.diagonal_item(h1, i, h3, j)]
    }

    /// The weight of [h1, i, h2, h3, j] with h2 ≥ i.
    #[inline(always)]
    pub(super) fn off(&self, h1: usize, i: usize, h2: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.item(h1, i, h2, h3, j)]
    }

    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub(super) fn fill<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout::new(words, weights.inventory.deepest_dependent() == 2);
        let mut cells = Vec::new();
        cells.try_reserve_exact(layout.items + PADDING).map_err(|_| OutOfMemory)?;
        cells.resize(layout.items + PADDING, S::ZERO);
        let mut chart = Degree2 { layout, cells, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        let mut windows = WindowWeights::new(weights);
        let mut kept = Kept::new(words);
        let mut removed = Removed::default();
        for j in 2..=words + 1 {
            windows.move_to(weights, j);
            kept.start_layer(&chart.layout, j);
            for i in (1..j).rev() {
                if i + 1 == j {
                    for h1 in 0..i {
                        let place = chart.layout.diagonal_item(h1, i, i, j);
                        chart.cells[place] = weights.shift(Some(h1), i);
                    }
                } else {
                    chart.fill_diagonal(i, j, &windows, &kept);
                    if chart.layout.off_diagonal {
                        chart.fill_off_diagonal(i, j, &windows, &kept, &mut removed);
                    }
                }
                kept.add(&chart, i, j, &windows);
            }
            for k in 1..j {
                for h5 in k..j {
                    let extended =
                        chart.prefix[k].times(chart.diagonal(0, k, h5, j).times(windows.bottom[h5]));
                    chart.prefix[j].add(extended);
                }
            }
        }
        Ok(chart)
    }

    #[inline(always)]
    fn fill_diagonal(&mut self, i: usize, j: usize, windows: &WindowWeights<S>, kept: &Kept<S>) {
        let mut h1 = 0;
        while h1 < i {
            if i - h1 <= LANES {
                self.fill_diagonal_lanes::<LANES>(i, j, h1, windows, kept);
                h1 += LANES;
            } else {
                self.fill_diagonal_lanes::<{ 2 * LANES }>(i, j, h1, windows, kept);
                h1 += 2 * LANES;
            }
        }
    }

    /// The diagonal items of (i, j) for h1 and some after it, four x at a time.
    #[inline(always)]
    fn fill_diagonal_lanes<const WIDTH: usize>(
        &mut self,
        i: usize,
        j: usize,
        h1: usize,
        windows: &WindowWeights<S>,
        kept: &Kept<S>,
    ) {
        for x in (i..j).step_by(4) {
            let four = Four::from(x, j);
            let mut sums = if self.layout.off_diagonal {
                self.keep_through_table::<WIDTH>(i, h1, four, kept)
            } else {
                self.keep_directly::<WIDTH>(i, j, h1, four, windows)
            };
            // x = h3 stays.
            for k in x + 1..j {
                for q in 0..4 {
                    if four.0[q] < k {
                        let first = lanes(&self.cells, self.layout.diagonal_row(i, k, four.0[q]) + h1);
                        sums[q].add_products(first, lanes(kept.row(k, four.0[q]), h1));
                    }
                }
            }
            for (x, sums) in (x..j).zip(sums) {
                let row = self.layout.diagonal_row(i, j, x);
                sums.store(&mut self.cells[row + h1..row + i]);
            }
        }
    }

    /// h4 = h3 goes and x stays, where there are diagonal items only: E is one product, and made on the way.
    #[inline(always)]
    fn keep_directly<const WIDTH: usize>(
        &self,
        i: usize,
        j: usize,
        h1: usize,
        four: Four,
        windows: &WindowWeights<S>,
    ) -> [Sums<S, WIDTH>; 4] {
        let mut sums = [Sums::<S, WIDTH>::zero(); 4];
        let mut first_row = self.layout.diagonal_row(i, i + 1, i) + h1;
        for k in i + 1..=four.0[3] {
            // Only x ≥ k. For the others, a place that exists and a weight of zero.
            let second = four.map(|x| self.layout.diagonal_row(k, j, x.max(k)));
            let counts = four.map(|x| x >= k);
            for h3 in i..k {
                let first: [S; WIDTH] = lanes(&self.cells, first_row);
                for q in 0..4 {
                    let weight = if counts[q] { self.cells[second[q] + h3] } else { S::ZERO };
                    sums[q].add_scaled_products(first, weight, lanes(windows.row(1, h3, four.0[q]), h1));
                }
                first_row += i;
            }
        }
        sums
    }

    /// x stays and a node next to it goes, with E from the table.
    #[inline(always)]
    fn keep_through_table<const WIDTH: usize>(
        &self,
        i: usize,
        h1: usize,
        four: Four,
        kept: &Kept<S>,
    ) -> [Sums<S, WIDTH>; 4] {
        let mut sums = [Sums::<S, WIDTH>::zero(); 4];
        let mut first_row = self.layout.diagonal_row(i, i + 1, i) + h1;
        for k in i + 1..=four.0[3] {
            for h3 in i..k {
                let first: [S; WIDTH] = lanes(&self.cells, first_row);
                let (rows, stride) = kept.rows(k, h3);
                for q in 0..4 {
                    if four.0[q] >= k {
                        sums[q].add_products(first, lanes(rows, (four.0[q] - k) * stride + h1));
                    }
                }
                first_row += i;
            }
        }
        sums
    }

    #[inline(always)]
    fn fill_off_diagonal(
        &mut self,
        i: usize,
        j: usize,
        windows: &WindowWeights<S>,
        kept: &Kept<S>,
        removed: &mut Removed<S>,
    ) {
        let mut h1 = 1;
        while h1 < i {
            if i - h1 <= LANES {
                self.fill_off_diagonal_lanes::<LANES>(i, j, h1, windows, kept, removed);
                h1 += LANES;
            } else {
                self.fill_off_diagonal_lanes::<{ 2 * LANES }>(i, j, h1, windows, kept, removed);
                h1 += 2 * LANES;
            }
        }
    }

    /// The items of (i, j) with h2 ≥ i for h1 and some after it, four x at a time.
    #[inline(always)]
    fn fill_off_diagonal_lanes<const WIDTH: usize>(
        &mut self,
        i: usize,
        j: usize,
        h1: usize,
        windows: &WindowWeights<S>,
        kept: &Kept<S>,
        removed: &mut Removed<S>,
    ) {
        removed.build::<WIDTH>(self, i, j, h1, windows);
        for h2 in i..j - 1 {
            for x in (h2 + 1..j).step_by(4) {
                let four = Four::from(x, j);
                let sums = self.keep::<WIDTH>(i, j, h1, h2, four, kept);
                let sums = removed.add(self, h2, four, sums, windows);
                for (x, sums) in (x..j).zip(sums) {
                    let row = self.layout.row(i, h2, j, x);
                    sums.store(&mut self.cells[row + h1 - 1..row + i - 1]);
                }
            }
        }
    }

    /// s0 or s1 goes, x stays on top of h2.
    #[inline(always)]
    fn keep<const WIDTH: usize>(
        &self,
        i: usize,
        j: usize,
        h1: usize,
        h2: usize,
        four: Four,
        kept: &Kept<S>,
    ) -> [Sums<S, WIDTH>; 4] {
        let mut sums = [Sums::<S, WIDTH>::zero(); 4];
        let length = i - 1;
        let mut first_row = if h2 + 2 < j { self.layout.row(i, h2, h2 + 2, h2 + 1) + h1 - 1 } else { 0 };
        for k in h2 + 2..=four.0[3] {
            let offsets = four.map(|x| x.max(k) - k);
            let counts = four.map(|x| x >= k);
            for h3 in h2 + 1..k {
                let first: [S; WIDTH] = lanes(&self.cells, first_row);
                let (rows, stride) = kept.rows(k, h3);
                for q in 0..4 {
                    let weight = if counts[q] { rows[offsets[q] * stride + h2] } else { S::ZERO };
                    sums[q].add_scaled(weight, first);
                }
                first_row += length;
            }
        }
        for k in four.0[0] + 1..j {
            for q in 0..4 {
                if four.0[q] < k {
                    let first = lanes(&self.cells, self.layout.row(i, h2, k, four.0[q]) + h1 - 1);
                    sums[q].add_scaled(kept.row(k, four.0[q])[h2], first);
                }
            }
        }
        sums
    }
}
