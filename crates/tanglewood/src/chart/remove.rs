//! The hook for windows whose deepest node goes: using it.

use std::ops::Range;

use super::degree2::Degree2;
use super::lanes::{LANES, Sums, lanes, sum, tile};
use super::layer::stride;
use super::layout::Layout;
use super::removed::{FROM_K, Group, H3, NONE, Removed, Rows, groups};
use super::simd::Kernel;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// Adds to the items of layer j what second premises [h3, k, h4, h5, j] of one k contribute when s2 goes, for some h4.
pub(super) struct Remove<'a, S> {
    pub removed: &'a Removed<S>,
    pub chart: &'a Degree2<S>,
    pub k: usize,
    pub j: usize,
    pub windows: &'a WindowWeights<S>,
    pub h4: Range<usize>,
    /// The rows of these h4.
    pub layer: &'a mut [S],
}

impl<S: Semiring> Remove<'_, S> {
    /// How much room the rows of h4 take.
    #[inline(always)]
    fn room(&self, h4: usize) -> usize {
        (self.chart.layout.words - h4) * stride(h4)
    }

    /// Adds it all; whether the other nodes of the window contribute anything.
    #[inline(always)]
    fn add<const CONTEXT: bool>(mut self) {
        // Group by group, so that F of one group stays in the cache.
        for group in 0..groups(self.k - 1) {
            let removed = self.removed.group(group, self.k, self.windows);
            let mut start = 0;
            for h4 in self.h4.clone() {
                if h4 >= self.k {
                    let by_s1 = if self.windows.by_s1 { FROM_K + h4 - self.k } else { NONE };
                    let by_s1 = removed.with_head(by_s1);
                    let mut row = start;
                    let mut h5 = h4 + 1;
                    while h5 < self.j {
                        let nodes = tile(self.j - h5);
                        match nodes {
                            1 => self.above::<1, CONTEXT>(removed, by_s1, h4, h5, row),
                            2 => self.above::<2, CONTEXT>(removed, by_s1, h4, h5, row),
                            _ => self.above::<4, CONTEXT>(removed, by_s1, h4, h5, row),
                        }
                        h5 += nodes;
                        row += nodes * stride(h4);
                    }
                } else if h4 >= removed.lowest {
                    self.below::<CONTEXT>(removed, h4, start);
                }
                start += self.room(h4);
            }
        }
    }

    /// For h4 ≥ k and some h5, the first of which has its row at `row`; with F by s1, and by the first s0.
    #[inline(always)]
    fn above<const NODES: usize, const CONTEXT: bool>(
        &mut self,
        removed: Rows<'_, S>,
        by_s1: &[Group<S>],
        h4: usize,
        h5: usize,
        row: usize,
    ) {
        let Remove { k, windows, .. } = *self;
        let apart = stride(h4);
        let by_buffer = removed.by_buffer;
        let mut by_s0 = [by_buffer; NODES];
        let mut seconds = [&self.layer[..0]; NODES];
        let mut start = row + Layout::first_pair(k) + removed.lowest - 1;
        let (mut head, step) = if windows.by_s0 { (FROM_K + h5 - k, 1) } else { (NONE, 0) };
        for q in 0..NODES {
            by_s0[q] = removed.with_head(head);
            seconds[q] = &self.layer[start..start + removed.count];
            head += step;
            start += apart;
        }
        let first = row + removed.pair;
        let mut sums = [Sums::<S, LANES>::zero(); NODES];
        if !CONTEXT {
            for q in 0..NODES {
                sums[q].0 = lanes(self.layer, first + q * apart);
            }
        }
        for at in 0..removed.count {
            let fixed = sum(by_buffer[at], by_s1[at]);
            for q in 0..NODES {
                sums[q].add_scaled(seconds[q][at], sum(fixed, by_s0[q][at]));
            }
        }
        for q in 0..NODES {
            let at = first + q * apart;
            if CONTEXT {
                let mut row = Sums(lanes(self.layer, at));
                row.add_scaled(windows.context(h4, h5 + q), sums[q].0);
                sums[q] = row;
            }
            sums[q].put(self.layer, at);
        }
    }

    /// For h4 = h3 < k, where second premises are diagonal items.
    #[inline(always)]
    fn below<const CONTEXT: bool>(&mut self, removed: Rows<'_, S>, h4: usize, row: usize) {
        let Remove { chart, k, j, windows, .. } = *self;
        let h3 = h4 - removed.lowest;
        let by_s1 = removed.with_head(if windows.by_s1 { H3 } else { NONE })[h3];
        let fixed = sum(removed.by_buffer[h3], by_s1);
        let (mut head, step) = if windows.by_s0 { (FROM_K * removed.count, removed.count) } else { (0, 0) };
        head += h3;
        let apart = stride(h4);
        let mut second = chart.layout.diagonal_item(h4, k, k, j);
        let mut at = row + (k - h4 - 1) * apart + removed.pair;
        let (seconds, rows, layer) = (&chart.cells[..], removed.rows, &mut *self.layer);
        for h5 in k..j {
            let mut weight = seconds[second];
            if CONTEXT {
                weight = windows.context(h4, h5).times(weight);
            }
            let mut sums = Sums(lanes(layer, at));
            // Not at once: see [`Sums`].
            sums.add_scaled(weight, fixed);
            sums.add_scaled(weight, rows[head]);
            sums.put(layer, at);
            at += apart;
            second += k;
            head += step;
        }
    }
}

impl<S: Semiring> Kernel for Remove<'_, S> {
    #[inline(always)]
    fn run(self) {
        if self.windows.context_free() { self.add::<false>() } else { self.add::<true>() }
    }
}
