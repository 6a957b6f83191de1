//! The hook for windows whose deepest node stays.

use super::degree2::Degree2;
use super::lanes::{LANES, PADDING, Sums, lanes, padded};
use super::layout::Layout;
use super::weights::WindowWeights;
use crate::semiring::Semiring;

/// E for one layer: what a second premise [h3, k, ·, ·, j] contributes when x stays on top of h2.
pub(super) struct Kept<S> {
    nodes: usize,
    /// For x = h3, by k, h3 and then h2; rows are padded.
    pub below: Vec<S>,
    below_stride: usize,
    /// For x ≥ k, by k, h3, x and then h2; only where s2 is ever removed, since otherwise it is a single product.
    pub above: Vec<S>,
    /// Where the rows of (k, h3) begin, and how far apart they are.
    starts: Vec<(usize, usize)>,
}

impl<S: Semiring> Kept<S> {
    pub fn new(words: usize) -> Kept<S> {
        let nodes = words + 1;
        let below_stride = padded(nodes);
        Kept {
            nodes,
            below: vec![S::ZERO; nodes * nodes * below_stride],
            below_stride,
            above: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Makes room for the rows of a layer.
    pub fn start_layer(&mut self, layout: &Layout, j: usize) {
        if layout.off_diagonal {
            self.starts.clear();
            self.starts.resize(self.nodes * self.nodes, (0, 0));
            let mut size = 0;
            for k in 2..j {
                for h3 in 1..k {
                    let stride = h3.next_multiple_of(LANES);
                    self.starts[k * self.nodes + h3] = (size, stride);
                    size += (j - k) * stride;
                }
            }
            self.above.resize(size + PADDING, S::ZERO);
        }
    }

    /// Where the row for x = h3 is in `below`.
    #[inline(always)]
    pub fn place_below(&self, k: usize, h3: usize) -> usize {
        (k * self.nodes + h3) * self.below_stride
    }

    /// Where the row for x ≥ k is in `above`.
    pub fn place_above(&self, k: usize, h3: usize, x: usize) -> usize {
        let (start, stride) = self.starts[k * self.nodes + h3];
        start + (x - k) * stride
    }

    /// For x = h3, by h2.
    #[inline(always)]
    pub fn row(&self, k: usize, h3: usize) -> &[S] {
        &self.below[self.place_below(k, h3)..][..self.below_stride]
    }

    /// For x ≥ k: a row by h2 for each x, and how far they are apart.
    #[inline(always)]
    pub fn rows(&self, k: usize, h3: usize) -> (&[S], usize) {
        let (start, stride) = self.starts[k * self.nodes + h3];
        (&self.above[start..], stride)
    }

    /// Adds the rows of k, when the items of (k, j) are complete.
    #[inline(always)]
    pub fn add(&mut self, chart: &Degree2<S>, k: usize, j: usize, windows: &WindowWeights<S>) {
        for h3 in 1..k {
            for h2 in (0..h3).step_by(LANES) {
                self.add_lanes::<LANES>(chart, k, j, h3, h2, windows);
            }
        }
    }

    #[inline(always)]
    fn add_lanes<const WIDTH: usize>(
        &mut self,
        chart: &Degree2<S>,
        k: usize,
        j: usize,
        h3: usize,
        h2: usize,
        windows: &WindowWeights<S>,
    ) {
        let mut below = Sums::<S, WIDTH>::zero();
        for h5 in k..j {
            below.add_scaled(chart.diagonal(h3, k, h5, j), lanes(windows.row(0, h3, h5), h2));
        }
        let at = self.place_below(k, h3) + h2;
        below.store(&mut self.below[at..at + WIDTH]);
        if !chart.layout.off_diagonal {
            return;
        }
        let (start, stride) = self.starts[k * self.nodes + h3];
        for x in k..j {
            // h4 = h3 goes.
            let mut sums = Sums::<S, WIDTH>::zero();
            sums.add_scaled(chart.diagonal(h3, k, x, j), lanes(windows.row(1, h3, x), h2));
            // h4 goes and x = h5 stays.
            for h4 in k..x {
                sums.add_scaled(chart.off(h3, k, h4, x, j), lanes(windows.row(1, h4, x), h2));
            }
            // h5 goes and x = h4 stays.
            for h5 in x + 1..j {
                sums.add_scaled(chart.off(h3, k, x, h5, j), lanes(windows.row(0, x, h5), h2));
            }
            let at = start + (x - k) * stride + h2;
            sums.store(&mut self.above[at..at + WIDTH]);
        }
    }
}
