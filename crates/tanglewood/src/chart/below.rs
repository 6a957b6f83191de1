//! The hook for windows whose deepest node stays, where there are diagonal items only.

use super::degree2::Degree2;
use super::lanes::{LANES, NODES, PADDING, Sums, padded};
use super::simd::Kernel;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// E for one layer: what a second premise [h3, k, h3, ·, j] contributes when s0 goes and x = h3 stays on top of h2, by k, h3 and then h2. For x ≥ k it
/// is a single product, and made on the way.
pub(super) struct Below<S> {
    words: usize,
    /// How far the rows of neighbouring h3 are apart.
    pub stride: usize,
    pub cells: Vec<S>,
}

impl<S: Semiring> Below<S> {
    pub fn new(words: usize) -> Below<S> {
        let stride = padded(words + 1);
        let size = ((words + 1) * (words + 1) + NODES) * stride;
        Below { words, stride, cells: vec![S::ZERO; size + PADDING] }
    }

    /// Where E is.
    #[inline(always)]
    pub fn place(&self, h2: usize, k: usize, h3: usize) -> usize {
        (k * (self.words + 1) + h3) * self.stride + h2
    }
}

/// Makes E for k, when the items of (k, j) are complete.
pub(super) struct AddBelow<'a, S> {
    pub below: &'a mut Below<S>,
    pub chart: &'a Degree2<S>,
    pub k: usize,
    pub j: usize,
    pub windows: &'a WindowWeights<S>,
}

impl<S: Semiring> Kernel for AddBelow<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AddBelow { below, chart, k, j, windows } = self;
        for h3 in 1..k {
            for h2 in (0..h3).step_by(LANES) {
                let mut sums = Sums::<S, LANES>::zero();
                for h5 in k..j {
                    sums.add_scaled(chart.diagonal(h3, k, h5, j), windows.row(0, h5, h3, h2));
                }
                let at = below.place(h2, k, h3);
                sums.store(&mut below.cells[at..at + LANES]);
            }
        }
    }
}
