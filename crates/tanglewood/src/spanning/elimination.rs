//! Sums over trees by taking out one word after the other, without a subtraction.
//!
//! The matrix-tree theorem (Tutte 1948; for parsing: Koo, Globerson, Carreras and Collins 2007, McDonald and
//! Satta 2007, Smith and Smith 2007) says that the weights of all trees sum to the determinant of a matrix
//! with −w(h → m) off the diagonal and the sum of all w(h → m) into m on it. Gaussian elimination computes
//! it, but subtracts: where weights differ much, the diagonal is left with nothing but rounding errors. It
//! need not (Grassmann, Taksar and Heyman 1985, for Markov chains). Eliminating word k turns w(h → m) into
//!
//! > w(h → m) + w(h → k) · w(k → m) / D(k), with D(k) = Σ w(h → k) over the root and the words that are left.
//!
//! Column sums are then zero again when the root is counted in, so the new diagonal is again the sum over the
//! new heads; it is never computed in the way that subtracts. What comes out as h = m is a loop and is never
//! looked at. The product of all D(k) is the determinant. In the picture of a walk from word to head, drawn
//! by weight: word k is skipped, and the walk goes on to where it would have gone from k. The number of
//! operations is that of an LU decomposition.
//!
//! **Single root.** Let all root weights be multiplied by t. Trees with one word at the root are what is left
//! of the sum, divided by t, when t goes to 0. In D(k) the root then vanishes beside other heads, so it is
//! left out; only the last word has nothing else, and its D is the root weight it has collected. This needs
//! another head for each word that is eliminated; [`weights`](super::weights) makes sure of that.
//!
//! **Range.** If weights of heads sum to one for each word, they sum to at most one ever after, and D(k) ≤ 1:
//! what went from k to its heads is passed on, and loops are dropped. A term that is lost to underflow is
//! below 10⁻³⁰⁸; the sum over trees of the words that are left would have been at most its multiple by 1 (or
//! by the root weight collected, which is at most 1/∏D for a single root). So if the product and the sum over
//! all trees are above 10⁻¹⁰⁰, the loss is far below rounding errors. Otherwise
//! [`Wide`](crate::semiring::Wide) numbers are used.

use std::ops::Range;

use super::escape::Escapes;
use super::inverse;
use crate::semiring::{Divide, Real};

/// Weights that trees are summed in.
pub(super) trait TreeWeight: Divide {
    /// Whether a product of factors of at most one is so far from the end of the range that nothing of
    /// importance was lost on the way.
    fn is_safe(self) -> bool {
        self != Self::ZERO
    }

    /// The values of [`escape`](super::escape) and the sum over all trees, if there is a faster way to them.
    #[inline(always)]
    fn quick_escapes<const LANES: usize>(_: &System<Self, LANES>) -> Option<(Escapes<Self>, Self)> {
        None
    }
}

impl TreeWeight for Real {
    fn is_safe(self) -> bool {
        self.0 > 1e-100
    }

    #[inline(always)]
    fn quick_escapes<const LANES: usize>(system: &System<Real, LANES>) -> Option<(Escapes<Real>, Real)> {
        inverse::escapes(system)
    }
}

impl TreeWeight for crate::semiring::Wide {}
impl TreeWeight for crate::semiring::Entropic<crate::semiring::Wide> {}

/// Weights of arcs among some words, numbered from 0, and from the root, which is the last row. Loops go over
/// `LANES` words at a time.
#[derive(Clone, Debug)]
pub(super) struct System<S, const LANES: usize> {
    /// Number of words.
    pub size: usize,
    /// Whether the root is a head like others; otherwise only one word may have it.
    pub several_roots: bool,
    /// Length of a row, a multiple of `LANES`.
    pub stride: usize,
    /// A row for each head, by dependent.
    pub weights: Vec<S>,
}

impl<S: TreeWeight, const LANES: usize> System<S, LANES> {
    /// A system without any arc.
    pub fn new(size: usize, several_roots: bool) -> System<S, LANES> {
        let stride = size.max(1).next_multiple_of(LANES);
        System { size, several_roots, stride, weights: vec![S::ZERO; (size + 1) * stride] }
    }

    #[inline(always)]
    pub fn get(&self, head: usize, word: usize) -> S {
        self.weights[head * self.stride + word]
    }

    /// Takes out a word. `left` are the words that stay; rows and columns of others are not looked at. Gives
    /// D, and in `passed`, by head, w(h → word) / D: where the walk goes on. `row` is workspace.
    #[inline(always)]
    pub fn eliminate(&mut self, word: usize, left: Range<usize>, passed: &mut [S], row: &mut [S]) -> S {
        let mut sum = S::ZERO;
        for head in left.clone() {
            passed[head] = self.get(head, word);
            sum.add(passed[head]);
        }
        passed[self.size] = self.get(self.size, word);
        if self.several_roots {
            sum.add(passed[self.size]);
        }
        let inverse = S::ONE.over(sum);
        let columns = left.start / LANES * LANES..left.end.next_multiple_of(LANES);
        let row = &mut row[..columns.len()];
        row.copy_from_slice(&self.weights[word * self.stride..][columns.clone()]);
        for head in left.chain([self.size]) {
            let factor = passed[head].times(inverse);
            passed[head] = factor;
            if factor != S::ZERO {
                let to = &mut self.weights[head * self.stride..][columns.clone()];
                add_scaled::<S, LANES>(to, factor, row);
            }
        }
        sum
    }
}

/// to += factor · row
#[inline(always)]
pub(super) fn add_scaled<S: TreeWeight, const LANES: usize>(to: &mut [S], factor: S, row: &[S]) {
    let (to, _) = to.as_chunks_mut::<LANES>();
    let (row, _) = row.as_chunks::<LANES>();
    for (to, row) in to.iter_mut().zip(row) {
        // All numbers are read before any is written; only then does the compiler know that lanes are independent.
        let (mut sums, terms) = (*to, *row);
        for lane in 0..LANES {
            sums[lane].add(factor.times(terms[lane]));
        }
        *to = sums;
    }
}

/// A system after taking out all words, the last one first.
#[derive(Clone, Debug)]
pub(super) struct Eliminated<S, const LANES: usize> {
    /// Row k: weights of the arcs from word k at the time when it was taken out.
    pub system: System<S, LANES>,
    /// Row k: w(h → k) / D(k) by head, for the heads that were left then.
    pub passed: Vec<S>,
    /// The summed weight of all trees.
    pub total: S,
    /// Whether nothing of importance was lost to underflow.
    pub is_safe: bool,
}

impl<S: TreeWeight, const LANES: usize> Eliminated<S, LANES> {
    /// To be compiled for vectors: see [`run`](crate::chart::simd::run).
    #[inline(always)]
    pub fn new(mut system: System<S, LANES>) -> Eliminated<S, LANES> {
        let width = system.size + 1;
        let mut passed = vec![S::ZERO; system.size * width];
        let mut row = vec![S::ZERO; system.stride];
        let mut product = S::ONE;
        for word in (1..system.size).rev() {
            product = product.times(system.eliminate(word, 0..word, &mut passed[word * width..], &mut row));
        }
        let last = if system.size == 0 { S::ONE } else { system.get(system.size, 0) };
        let total = product.times(last);
        Eliminated { system, passed, total, is_safe: product.is_safe() && total.is_safe() }
    }
}
