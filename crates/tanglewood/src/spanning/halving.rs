//! Probabilities of all arcs, in O(n³) and without a subtraction.
//!
//! Let u(h) be the weight with which the walk from word h to head to head (see
//! [`elimination`](super::elimination)) ends at the root before it comes to word m: u(root) = 1, u(m) = 0.
//! Then the trees in which m has head h weigh w(h → m) · u(h), times the product of all D: h must lead to the
//! root and not to m. (This is the all-minors form of the matrix-tree theorem; G(m, m) − G(m, h) in terms of
//! the inverse matrix, where the difference is what loses digits. Here all terms are positive.) For words k
//! that were eliminated, the last one first,
//!
//! > u(k) = Σ u(h) · w(h → k) / D(k) over the heads that were left when k was taken out.
//!
//! To take out all words but m, for each m, would take O(n⁴) one by one. But half of the words can be taken
//! out for all m of the other half at once, then half of what is left, and so on: about 4/5 n³
//! multiplications, and another 1/2 n³ for u, where inverting a matrix takes n³.

use std::ops::Range;

use super::elimination::{
    ArcWeights, Eliminate, LANES, TreeWeight, add_products, add_scaled, passed_stride, stride, taken_out,
};
use crate::OutOfMemory;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::table;
use crate::stop;

/// For each word m, whether the walk from any word h ends at the root before it comes to m.
pub(crate) struct Escapes<S> {
    /// u(h), with a row for each word h and a column for each m.
    pub values: Vec<S>,
    /// The length of a row.
    pub stride: usize,
    /// For each m the product of D over the other words.
    pub products: Vec<S>,
}

impl<S: TreeWeight> Escapes<S> {
    /// Room for all values.
    pub fn new(size: usize) -> Result<Escapes<S>, OutOfMemory> {
        // Loops over lanes may begin at any word.
        let stride = stride(size) + LANES;
        Ok(Escapes { values: table(size * stride, S::ZERO)?, stride, products: table(size, S::ONE)? })
    }

    /// The values by halving.
    pub fn by_halving(weights: &ArcWeights<Vec<S>>) -> Result<Escapes<S>, OutOfMemory> {
        let ArcWeights { size, stride, root_counts, .. } = *weights;
        let mut escapes = Escapes::new(size)?;
        let mut room = table(weights.weights.len() + room_for(size), S::ZERO)?;
        let (whole, room) = room.split_at_mut(weights.weights.len());
        whole.copy_from_slice(&weights.weights);
        escapes.divide(ArcWeights { size, stride, root_counts, weights: whole }, 0, S::ONE, room);
        Ok(escapes)
    }

    /// Computes u for all h and m among some words, of which `first` is the first one, when the others were
    /// taken out with that product of D.
    fn divide(&mut self, whole: ArcWeights<&mut [S]>, first: usize, product: S, room: &mut [S]) {
        let ArcWeights { size, stride: width, root_counts, weights: whole } = whole;
        if size <= 1 {
            self.products[first..].iter_mut().take(size).for_each(|of_word| *of_word = product);
            return;
        }
        let middle = middle(size);
        for kept in [0..middle, middle..size] {
            let (copy, room) = room.split_at_mut(whole.len());
            let (row, room) = room.split_at_mut(width);
            let (passed, room) = room.split_at_mut((size - kept.len()) * passed_stride(size));
            // The second half is the last to need these weights.
            let weights = if kept.start == 0 {
                copy.copy_from_slice(whole);
                copy
            } else {
                &mut *whole
            };
            let mut reduced = product;
            let kernel = Eliminate {
                weights: ArcWeights { size, stride: width, root_counts, weights: &mut *weights },
                kept: kept.clone(),
                passed,
                row,
                product: &mut reduced,
            };
            simd::run(kernel, Instructions::Avx2);
            // What is kept moves to the front.
            let (count, part_stride) = (kept.len(), stride(kept.len()));
            for (at, head) in kept.clone().chain([size]).enumerate() {
                let from = head * width + kept.start;
                weights.copy_within(from..from + count, at * part_stride);
                weights[at * part_stride + count..(at + 1) * part_stride].fill(S::ZERO);
            }
            let part = &mut weights[..(count + 1) * part_stride];
            let part = ArcWeights { size: count, stride: part_stride, root_counts, weights: part };
            self.divide(part, first + kept.start, reduced, room);
            simd::run(Extend { escapes: self, first, size, kept, passed }, Instructions::Avx2);
        }
    }
}

/// The place where words are divided, a multiple of [`LANES`] if there are as many.
fn middle(size: usize) -> usize {
    if size > LANES { size.div_ceil(LANES) / 2 * LANES } else { size / 2 }
}

/// The numbers that there has to be room for, to divide a number of words.
fn room_for(size: usize) -> usize {
    if size <= 1 {
        return 0;
    }
    let half = middle(size).max(size - middle(size));
    (size + 2) * stride(size) + half * passed_stride(size) + room_for(half)
}

/// Computes u for the words that were taken out, the last one first, where m is among those that were kept.
struct Extend<'a, S> {
    escapes: &'a mut Escapes<S>,
    first: usize,
    size: usize,
    kept: Range<usize>,
    /// As in [`Eliminate`].
    passed: &'a [S],
}

impl<S: TreeWeight> Kernel for Extend<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let Extend { escapes, first, size, kept, passed } = self;
        let rows = passed.chunks_exact(passed_stride(size));
        for ((word, left), passed) in taken_out(size, &kept).zip(rows).rev() {
            if stop::is_asked() {
                return;
            }
            for column in kept.clone().step_by(LANES) {
                let count = LANES.min(kept.end - column);
                let mut sums = [passed[stride(size)]; LANES];
                let heads = &escapes.values[(first + left.start) * escapes.stride..];
                for (&factor, row) in passed[left.clone()].iter().zip(heads.chunks_exact(escapes.stride)) {
                    match row[first + column..].first_chunk::<LANES>() {
                        Some(row) if S::VECTORS || count == LANES => {
                            add_products(&mut sums, &[factor; LANES], row);
                        }
                        _ => add_scaled(&mut sums[..count], factor, &row[first + column..][..count]),
                    }
                }
                let to = (first + word) * escapes.stride + first + column;
                escapes.values[to..][..count].copy_from_slice(&sums[..count]);
            }
        }
    }
}
