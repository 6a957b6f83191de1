//! The values of [`halving`](super::halving) from an inverse matrix, where that keeps their digits.
//!
//! With several roots, u(h) for word m is 1 − G(m, h) / G(m, m), where G is the inverse of the matrix of the
//! matrix-tree theorem. It grows as words come back in the reverse order of their
//! [elimination](super::elimination): with word k, G gets a row and a column, each a sum of those that are
//! there, by what was kept when k was taken out. All terms are positive, so G has almost full relative
//! accuracy, and only the last step may lose digits, as many as u is smaller than one. If some u is small,
//! the slower way has to be taken.

use super::elimination::{ArcWeights, Eliminated, LANES, add_products};
use super::halving::Escapes;
use crate::OutOfMemory;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::table;
use crate::semiring::{Real, Semiring};
use crate::stop;

/// The smallest u that is accurate enough: up to two decimal digits are lost.
const SMALLEST: f64 = 1.0 / 64.0;

/// With a more probable head than this, some u is almost certainly too small.
const LARGEST_SHARE: f64 = 1.0 - 2.0 * SMALLEST;

/// The values; none if digits would be lost, or there may only be a single root. The weights of a word's
/// heads have to sum to one.
pub(super) fn escapes(
    weights: &ArcWeights<Vec<Real>>,
    eliminated: &Eliminated<Real>,
) -> Result<Option<Escapes<Real>>, OutOfMemory> {
    let size = weights.size;
    let words = &weights.weights[..size * weights.stride];
    let largest = words.iter().fold(0.0, |a: f64, b| if b.0 > a { b.0 } else { a });
    if !weights.root_counts || largest > LARGEST_SHARE {
        return Ok(None);
    }
    let mut escapes = Escapes::new(size)?;
    let stride = escapes.stride;
    let mut by_word = table(size * stride, Real::ZERO)?;
    let kernel = Inverse { eliminated, by_word: &mut by_word, by_head: &mut escapes.values, stride };
    simd::run(kernel, Instructions::Avx2);
    let mut smallest = f64::INFINITY;
    for (head, row) in escapes.values.chunks_exact_mut(stride).enumerate() {
        for (word, entry) in row[..size].iter_mut().enumerate() {
            *entry = Real(1.0 - entry.0 / by_word[word * stride + word].0);
            let counts = head != word && weights.get(head, word) != Real::ZERO;
            // A number that is none is not larger either.
            smallest = if !counts || entry.0 >= smallest { smallest } else { entry.0 };
        }
        row[head] = Real::ZERO;
    }
    Ok((smallest >= SMALLEST).then_some(escapes))
}

/// Computes the inverse twice, so that sums of rows are sums of columns, too.
struct Inverse<'a> {
    eliminated: &'a Eliminated<Real>,
    /// A row for each dependent, a column for each head.
    by_word: &'a mut [Real],
    /// A row for each head, a column for each dependent.
    by_head: &'a mut [Real],
    stride: usize,
}

impl Kernel for Inverse<'_> {
    #[inline(always)]
    fn run(self) {
        let Inverse { eliminated, by_word, by_head, stride } = self;
        let left = &eliminated.left;
        if left.size > 0 {
            by_word[0] = Real(1.0 / left.get(left.size, 0).0);
            by_head[0] = by_word[0];
        }
        for word in 1..left.size {
            if stop::is_asked() {
                return;
            }
            let passed = eliminated.passed(word);
            let one_over_d = Real(1.0 / passed[left.stride + 1].0);
            for column in (0..word).step_by(LANES) {
                let (mut new_row, mut new_column) = ([Real::ZERO; LANES], [Real::ZERO; LANES]);
                for (other, &factor) in passed[..word].iter().enumerate() {
                    let at = other * stride + column;
                    let rows = (by_word[at..].first_chunk::<LANES>(), by_head[at..].first_chunk::<LANES>());
                    if let (Some(row), Some(of_column)) = rows {
                        let factors = [left.get(word, other).times(one_over_d); LANES];
                        add_products(&mut new_row, &factors, row);
                        add_products(&mut new_column, &[factor; LANES], of_column);
                    }
                }
                by_word[word * stride + column..][..LANES].copy_from_slice(&new_row);
                by_head[word * stride + column..][..LANES].copy_from_slice(&new_column);
            }
            let mut corner = one_over_d;
            for other in 0..word {
                let (row, column) = (by_word[word * stride + other], by_head[word * stride + other]);
                corner = corner.plus(left.get(word, other).times(one_over_d).times(column));
                by_head[other * stride + word] = row;
                by_word[other * stride + word] = column;
            }
            by_word[word * stride + word] = corner;
            by_head[word * stride + word] = corner;
        }
    }
}
