//! Diagonal items of one layer, where E is stored.
//!
//! E[h1; k, h3; x] serves the items [h1, i, h1, x, j] of every i ≤ h3. So what it contributes is added to all of them as soon as it is there, and not
//! looked for again when their turn comes.

use std::ops::Range;

use super::degree2::Degree2;
use super::kept::Kept;
use super::lanes::{LANES, Sums, lanes};
use super::layout::triangle;
use super::simd::Kernel;
use super::team::Divisible;
use crate::semiring::Semiring;

/// The items [h1, i, h1, x, j] as far as they are known: by h1 and i > h1, a row by x, padded.
pub(super) struct Diagonal<S> {
    words: usize,
    cells: Vec<S>,
}

impl<S: Semiring> Diagonal<S> {
    pub fn new(words: usize) -> Diagonal<S> {
        Diagonal { words, cells: vec![S::ZERO; triangle(words) * stride(words)] }
    }

    /// Forgets the items of the layer before.
    pub fn start_layer(&mut self) {
        self.cells.fill(S::ZERO);
    }

    /// [h1, i, h1, x, j]
    #[inline(always)]
    pub fn item(&self, h1: usize, i: usize, x: usize) -> S {
        let before = triangle(self.words) - triangle(self.words - h1);
        self.cells[(before + i - h1 - 1) * stride(self.words) + x]
    }

    /// Adds what E for k contributes.
    pub fn add<'a>(
        &'a mut self,
        chart: &'a Degree2<S>,
        kept: &'a Kept<S>,
        k: usize,
        j: usize,
    ) -> AddDiagonal<'a, S> {
        AddDiagonal { chart, kept, h1: 0..k, k, j, cells: &mut self.cells }
    }
}

/// Room for a row.
#[inline(always)]
fn stride(words: usize) -> usize {
    words + 1 + LANES
}

/// Adds what E for k contributes to the items of some h1.
pub(super) struct AddDiagonal<'a, S> {
    chart: &'a Degree2<S>,
    kept: &'a Kept<S>,
    h1: Range<usize>,
    k: usize,
    j: usize,
    /// The items of these h1.
    cells: &'a mut [S],
}

impl<S: Semiring> Kernel for AddDiagonal<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AddDiagonal { chart, kept, h1, k, j, cells } = self;
        let words = chart.layout.words;
        let mut before = 0;
        for h1 in h1 {
            let width = kept.width(h1);
            for i in h1 + 1..k {
                let row = &mut cells[(before + i - h1 - 1) * stride(words)..][..stride(words)];
                let first = chart.layout.diagonal_item(h1, i, i, k);
                // x = h3 stays.
                let mut at = kept.place(h1, k, i, i);
                for h3 in i..k {
                    row[h3].add(chart.cells[first + (h3 - i) * i].times(kept.cells[at]));
                    at += width + 1;
                }
                for x in (k..j).step_by(LANES) {
                    let mut sums = Sums::<S, LANES>(lanes(row, x));
                    let mut at = kept.place(h1, k, i, x);
                    let mut first = first;
                    for _ in i..k {
                        sums.add_scaled(chart.cells[first], lanes(&kept.cells, at));
                        first += i;
                        at += width;
                    }
                    sums.store(&mut row[x..x + LANES]);
                }
            }
            before += words - h1;
        }
    }
}

impl<S: Semiring> Divisible for AddDiagonal<'_, S> {
    fn operations(&self) -> usize {
        self.k * self.k * self.k / 6 * (self.j - self.k)
    }

    fn parts(self) -> Vec<Self> {
        let AddDiagonal { chart, kept, h1, k, j, mut cells } = self;
        let words = chart.layout.words;
        let mut parts = Vec::new();
        for h1 in h1 {
            let (first, rest) = cells.split_at_mut((words - h1) * stride(words));
            cells = rest;
            parts.push(AddDiagonal { chart, kept, h1: h1..h1 + 1, k, j, cells: first });
        }
        parts
    }
}
