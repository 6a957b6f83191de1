//! The hook for windows whose deepest node goes.

use super::degree2::Degree2;
use super::lanes::{Four, Sums, lanes, sum};
use super::weights::WindowWeights;
use crate::semiring::Semiring;

/// F for one (i, j) and some h1: what a first premise [h1, i, h2, h3, k] contributes when h2 goes.
#[derive(Debug)]
pub(super) struct Removed<S> {
    i: usize,
    j: usize,
    /// For each k and h3 in [i, k): with head h3, with a head in the buffer, and with each head x from k to j − 1; each a group of lanes.
    groups: Vec<S>,
    /// Where the groups of k begin.
    starts: Vec<usize>,
}

impl<S> Default for Removed<S> {
    fn default() -> Removed<S> {
        Removed { i: 0, j: 0, groups: Vec::new(), starts: Vec::new() }
    }
}

/// Which group is which.
const BY_H3: usize = 0;
const BY_BUFFER: usize = 1;
const BY_K: usize = 2;

impl<S: Semiring> Removed<S> {
    /// How many groups there are for (k, h3).
    #[inline(always)]
    fn heads(&self, k: usize) -> usize {
        BY_K + self.j - k
    }

    /// Computes F for h1 and those after it, as many as there are lanes.
    #[inline(always)]
    pub fn build<const WIDTH: usize>(
        &mut self,
        chart: &Degree2<S>,
        i: usize,
        j: usize,
        h1: usize,
        windows: &WindowWeights<S>,
    ) {
        (self.i, self.j) = (i, j);
        self.starts.clear();
        self.starts.resize(j, 0);
        let mut size = 0;
        for k in i + 1..j {
            self.starts[k] = size;
            size += (k - i) * self.heads(k) * WIDTH;
        }
        self.groups.resize(size.max(self.groups.len()), S::ZERO);
        for k in i + 1..j {
            for h3 in i..k {
                let mut to = self.starts[k] + (h3 - i) * self.heads(k) * WIDTH;
                // Head h3 and the buffer, then four heads from k on at a time.
                let by_buffer = &windows.deepest_by_buffer[..];
                let pair = [windows.deepest_row(h3), by_buffer, by_buffer, by_buffer];
                to = self.store::<WIDTH>(chart, h1, k, h3, to, 2, pair);
                if windows.by_s0 || windows.by_s1 {
                    for x in (k..j).step_by(4) {
                        let heads = Four::from(x, j).map(|x| windows.deepest_row(x));
                        to = self.store::<WIDTH>(chart, h1, k, h3, to, (j - x).min(4), heads);
                    }
                }
            }
        }
    }

    /// Computes and stores up to four groups; where the next one goes.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one step of a loop nest, cut out to be read by itself")]
    fn store<const WIDTH: usize>(
        &mut self,
        chart: &Degree2<S>,
        h1: usize,
        k: usize,
        h3: usize,
        to: usize,
        count: usize,
        heads: [&[S]; 4],
    ) -> usize {
        let i = self.i;
        let mut sums = [Sums::<S, WIDTH>::zero(); 4];
        let first = lanes(&chart.cells, chart.layout.diagonal_row(i, k, h3) + h1);
        for q in 0..4 {
            sums[q].add_products(first, lanes(heads[q], h1));
        }
        for h2 in i..h3 {
            let first = lanes(&chart.cells, chart.layout.row(i, h2, k, h3) + h1 - 1);
            for q in 0..4 {
                sums[q].add_scaled(heads[q][h2], first);
            }
        }
        for (q, sums) in sums.into_iter().enumerate().take(count) {
            sums.store(&mut self.groups[to + q * WIDTH..to + (q + 1) * WIDTH]);
        }
        to + count * WIDTH
    }

    /// Adds to items [·, i, h4, h5, j] for four h5.
    #[inline(always)]
    pub fn add<const WIDTH: usize>(
        &self,
        chart: &Degree2<S>,
        h4: usize,
        h5: Four,
        mut sums: [Sums<S, WIDTH>; 4],
        windows: &WindowWeights<S>,
    ) -> [Sums<S, WIDTH>; 4] {
        let (i, j, layout) = (self.i, self.j, &chart.layout);
        let contexts = h5.map(|h5| windows.context(h4, h5));
        for k in i + 1..=h4 {
            let size = self.heads(k) * WIDTH;
            let second = h5.map(|h5| layout.row(k, h4, j, h5) - 1);
            let heads = h5.map(|h5| (BY_K + h5 - k) * WIDTH);
            let mut at = self.starts[k];
            for h3 in i..k {
                let groups = &self.groups[at..at + size];
                at += size;
                let mut fixed: [S; WIDTH] = lanes(groups, BY_BUFFER * WIDTH);
                if windows.by_s1 {
                    fixed = sum(fixed, lanes(groups, (BY_K + h4 - k) * WIDTH));
                }
                for q in 0..4 {
                    let weight = chart.cells[second[q] + h3].times(contexts[q]);
                    if windows.by_s0 {
                        sums[q].add_scaled_sum(weight, fixed, lanes(groups, heads[q]));
                    } else {
                        sums[q].add_scaled(weight, fixed);
                    }
                }
            }
        }
        // h3 = h4, whose second premise is a diagonal item.
        for k in h4 + 1..=h5.0[3] {
            let size = self.heads(k) * WIDTH;
            let groups = &self.groups[self.starts[k] + (h4 - i) * size..][..size];
            let mut fixed: [S; WIDTH] = lanes(groups, BY_BUFFER * WIDTH);
            if windows.by_s1 {
                fixed = sum(fixed, lanes(groups, BY_H3 * WIDTH));
            }
            for q in 0..4 {
                if h5.0[q] >= k {
                    let weight = chart.diagonal(h4, k, h5.0[q], j).times(contexts[q]);
                    if windows.by_s0 {
                        sums[q].add_scaled_sum(weight, fixed, lanes(groups, (BY_K + h5.0[q] - k) * WIDTH));
                    } else {
                        sums[q].add_scaled(weight, fixed);
                    }
                }
            }
        }
        sums
    }
}
