//! The values of [`escape`](super::escape) from an inverse matrix, where that keeps their digits.
//!
//! With several roots, u(h) for word m is 1 − G(m, h) / G(m, m), where G is the inverse of the matrix of the
//! matrix-tree theorem. Gauss and Jordan's method computes it in n³ multiplications, in long loops, and as in
//! [`elimination`](super::elimination) it needs no subtraction if pivots are summed anew: the matrix has
//! negative numbers off its diagonal only, so that every entry of what stands for G, for G times a block of
//! the matrix, or for what is left of the matrix keeps its sign, and all that is added to it has the same
//! one. So G has almost full relative accuracy, and only the last step may lose digits, as many as u is
//! smaller than one. If some u is small, the slower way has to be taken.

use super::elimination::{System, add_scaled};
use super::escape::Escapes;
use crate::semiring::{Real, Semiring};

/// The smallest u that is accurate enough: up to two decimal digits are lost.
const SMALLEST: f64 = 1.0 / 64.0;

/// With a more probable head than this, some u is almost certainly too small.
const LARGEST_SHARE: f64 = 1.0 - 2.0 * SMALLEST;

/// The values, and the sum over all trees; nothing if digits would be lost, or there is but a single root.
/// The weights of a word's heads have to sum to one.
#[inline(always)]
pub(super) fn escapes<const LANES: usize>(whole: &System<Real, LANES>) -> Option<(Escapes<Real>, Real)> {
    let System { size, stride, .. } = *whole;
    let largest = whole.weights[..size * stride].iter().fold(0.0, |a: f64, b| if b.0 > a { b.0 } else { a });
    if !whole.several_roots || largest > LARGEST_SHARE {
        return None;
    }
    let mut inverse = whole.clone();
    let total = invert(&mut inverse);
    let mut values = vec![Real::ZERO; size * stride];
    let mut products = vec![Real::ONE; stride];
    let mut smallest = f64::INFINITY;
    for (word, row) in inverse.weights.chunks_exact(stride).take(size).enumerate() {
        let own = row[word].0;
        products[word] = Real(total.0 * own);
        for (head, entry) in row[..size].iter().enumerate() {
            let value = 1.0 - entry.0 / own;
            values[head * stride + word] = Real(value);
            let counts = head != word && whole.weights[head * stride + word] != Real::ZERO;
            // A number that is none is not larger either.
            smallest = if !counts || value >= smallest { smallest } else { value };
        }
        values[word * stride + word] = Real::ZERO;
    }
    (smallest >= SMALLEST).then_some((Escapes { values, products }, total))
}

/// Replaces the weights by the inverse, and gives the determinant. Words are taken out in the same order as
/// where only the determinant is asked for, with the same rounding.
#[inline(always)]
fn invert<const LANES: usize>(system: &mut System<Real, LANES>) -> Real {
    let System { size, stride, .. } = *system;
    let mut pivot_row = vec![Real::ZERO; stride];
    let mut product = Real::ONE;
    for word in (0..size).rev() {
        let left = (0..word).chain([size]);
        let sum = left.fold(Real::ZERO, |sum, head| sum.plus(system.get(head, word)));
        product = product.times(sum);
        let inverse = Real(1.0 / sum.0);
        pivot_row.copy_from_slice(&system.weights[word * stride..][..stride]);
        pivot_row[word] = Real::ZERO;
        for (head, row) in system.weights.chunks_exact_mut(stride).enumerate() {
            let factor = row[word].times(inverse);
            if head == word {
                row.iter_mut().zip(&pivot_row).for_each(|(to, from)| *to = from.times(inverse));
                row[word] = inverse;
            } else {
                add_scaled::<Real, LANES>(row, factor, &pivot_row);
                row[word] = factor;
            }
        }
    }
    product
}
