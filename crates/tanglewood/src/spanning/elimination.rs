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
//! of the sum, divided by t, when t goes to 0. [`Wide`] numbers have room for a t that is small enough to
//! vanish beside everything else. In plain numbers the root is left out of D(k) instead, and only the last
//! word, which has nothing else, has the root weight it has collected. Where forbidden arcs leave another
//! word without a head, that is a division by zero, and plain numbers do not serve.
//!
//! **Range.** If weights of heads sum to one for each word, they sum to at most one ever after, and D(k) ≤ 1:
//! what went from k to its heads is passed on, and loops are dropped. A term that is lost to underflow is
//! below 10⁻³⁰⁸; the sum over trees of the words that are left would have been at most its multiple by 1 (or
//! by the root weight collected, which is at most 1/∏D for a single root). So if the product and the sum over
//! all trees are above 10⁻¹⁰⁰, the loss is far below rounding errors. Otherwise [`Wide`] numbers are used.

use std::ops::{DerefMut, Range};

use crate::OutOfMemory;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::{room, table};
use crate::semiring::{Divide, Entropic, Real, Wide};
use crate::stop;

/// Loops go over this number of words at a time.
pub(super) const LANES: usize = 8;

/// Weights that trees are summed in.
pub(crate) trait TreeWeight: Divide {
    /// What root arcs are multiplied by where a tree may have only one; none if numbers lack the range.
    const ROOT_PRICE: Option<Self>;

    /// Whether a product of factors of at most one is so far from the end of the range that nothing of
    /// importance was lost on the way.
    fn is_safe(self) -> bool {
        self != Self::ZERO
    }
}

impl TreeWeight for Real {
    const ROOT_PRICE: Option<Real> = None;

    fn is_safe(self) -> bool {
        self.0 > 1e-100
    }
}

impl TreeWeight for Wide {
    const ROOT_PRICE: Option<Wide> = Some(Wide::VANISHING);
}

impl TreeWeight for Entropic<Wide> {
    const ROOT_PRICE: Option<Entropic<Wide>> = Some(Entropic { weight: Wide::VANISHING, entropy: 0.0 });
}

/// Weights of arcs among some words, numbered from 0, and from the root, which is the last row.
pub(crate) struct ArcWeights<W> {
    /// Number of words.
    pub size: usize,
    /// Length of a row, a multiple of [`LANES`].
    pub stride: usize,
    /// Whether the root counts in D as other heads do.
    pub root_counts: bool,
    /// A row for each head, by dependent: a vector, or a part of one.
    pub weights: W,
}

/// The length of a row for a number of words.
pub(super) fn stride(size: usize) -> usize {
    size.max(1).next_multiple_of(LANES)
}

impl<S: TreeWeight> ArcWeights<Vec<S>> {
    /// Weights of `size` words, from a row for each head, by dependent.
    pub fn new<R: Iterator<Item = S>>(
        size: usize,
        single_root: bool,
        row: impl Fn(usize) -> R,
    ) -> Result<Self, OutOfMemory> {
        let stride = stride(size);
        let mut weights = room((size + 1) * stride)?;
        for head in (1..=size).chain([0]) {
            weights.extend(row(head));
            weights.extend(std::iter::repeat_n(S::ZERO, stride - size));
        }
        let price = S::ROOT_PRICE.filter(|_| single_root);
        if let Some(price) = price {
            weights[size * stride..].iter_mut().for_each(|weight| *weight = weight.times(price));
        }
        Ok(ArcWeights { size, stride, root_counts: !single_root || price.is_some(), weights })
    }

    /// The same weights in other numbers.
    pub fn converted<T: TreeWeight>(
        &self,
        single_root: bool,
        convert: impl Fn(S) -> T,
    ) -> Result<ArcWeights<Vec<T>>, OutOfMemory> {
        let mut weights = table(self.weights.len(), T::ZERO)?;
        weights.iter_mut().zip(&self.weights).for_each(|(to, &from)| *to = convert(from));
        // A price that the numbers could not have before is paid now.
        if let (Some(price), true, false) = (T::ROOT_PRICE, single_root, self.root_counts) {
            weights[self.size * self.stride..].iter_mut().for_each(|weight| *weight = weight.times(price));
        }
        Ok(ArcWeights { size: self.size, stride: self.stride, root_counts: true, weights })
    }
}

impl<S: TreeWeight, W: DerefMut<Target = [S]>> ArcWeights<W> {
    #[inline(always)]
    pub fn get(&self, head: usize, word: usize) -> S {
        self.weights[head * self.stride + word]
    }

    /// Takes out a word. `left` are the words that stay; rows and columns of others are not looked at. Gives
    /// D, and in `passed`, by head, w(h → word) / D: where the walk goes on; the root is the last one.
    #[inline(always)]
    fn eliminate(&mut self, word: usize, left: Range<usize>, passed: &mut [S], row: &mut [S]) -> S {
        let (size, stride) = (self.size, self.stride);
        let mut sum = S::ZERO;
        for head in left.clone() {
            passed[head] = self.get(head, word);
            sum.add(passed[head]);
        }
        let from_root = self.get(size, word);
        if self.root_counts {
            sum.add(from_root);
        }
        let inverse = S::ONE.over(sum);
        // Whole groups of lanes, where that costs nothing.
        let columns = match S::VECTORS {
            true => left.start / LANES * LANES..left.end.next_multiple_of(LANES),
            false => left.clone(),
        };
        let weights = &mut *self.weights;
        let row = &mut row[..columns.len()];
        row.copy_from_slice(&weights[word * stride..][columns.clone()]);
        passed[stride] = from_root;
        for (head, at) in left.map(|head| (head, head)).chain([(size, stride)]) {
            let factor = passed[at].times(inverse);
            passed[at] = factor;
            if factor != S::ZERO {
                add_scaled(&mut weights[head * stride..][columns.clone()], factor, row);
            }
        }
        sum
    }
}

/// to += factor · row
#[inline(always)]
pub(super) fn add_scaled<S: TreeWeight>(to: &mut [S], factor: S, row: &[S]) {
    let (groups, rest) = to.as_chunks_mut::<LANES>();
    let (row_groups, row_rest) = row.as_chunks::<LANES>();
    for (to, row) in groups.iter_mut().zip(row_groups) {
        add_products(to, &[factor; LANES], row);
    }
    for (to, &number) in rest.iter_mut().zip(row_rest) {
        to.add(factor.times(number));
    }
}

/// to += a · b, lane by lane.
#[inline(always)]
pub(super) fn add_products<S: TreeWeight>(to: &mut [S; LANES], a: &[S; LANES], b: &[S; LANES]) {
    // All numbers are read before any is written; only then does the compiler know that lanes are
    // independent.
    let (mut sums, a, b) = (*to, *a, *b);
    for lane in 0..LANES {
        sums[lane].add(a[lane].times(b[lane]));
    }
    *to = sums;
}

/// Takes out all words but those that are kept, which are the first or the last ones, from the far end.
pub(super) struct Eliminate<'a, S> {
    pub weights: ArcWeights<&'a mut [S]>,
    pub kept: Range<usize>,
    /// For each word that is taken out, in that order: by head, w(h → word) / D, then the same for the root.
    /// A row has the length of [`passed_stride`].
    pub passed: &'a mut [S],
    /// Room for a row.
    pub row: &'a mut [S],
    /// The product of all D.
    pub product: &'a mut S,
}

/// The length of a row of [`Eliminate::passed`] for a number of words.
pub(super) fn passed_stride(size: usize) -> usize {
    stride(size) + LANES
}

/// The words to take out, in that order, each with those that are left then.
#[inline(always)]
pub(super) fn taken_out(
    size: usize,
    kept: &Range<usize>,
) -> impl DoubleEndedIterator<Item = (usize, Range<usize>)> + ExactSizeIterator + use<> {
    let first = kept.start == 0;
    (0..size - kept.len()).map(move |at| match first {
        true => (size - 1 - at, 0..size - 1 - at),
        false => (at, at + 1..size),
    })
}

impl<S: TreeWeight> Kernel for Eliminate<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(mut self) {
        let size = self.weights.size;
        let rows = self.passed.chunks_exact_mut(passed_stride(size));
        for ((word, left), passed) in taken_out(size, &self.kept).zip(rows) {
            let divisor = self.weights.eliminate(word, left, passed, self.row);
            *self.product = self.product.times(divisor);
            // Factors are at most one: what is lost does not come back.
            if !self.product.is_safe() || stop::is_asked() {
                return;
            }
        }
    }
}

/// Weights after taking out all words, the last one first.
pub(crate) struct Eliminated<S> {
    /// Row k: weights of the arcs from word k at the time when it was taken out.
    pub left: ArcWeights<Vec<S>>,
    /// As in [`Eliminate`]; the last word's row is the first.
    passed: Vec<S>,
    /// The summed weight of all trees.
    pub total: S,
    /// Whether nothing of importance was lost to underflow.
    pub is_safe: bool,
}

impl<S: TreeWeight> Eliminated<S> {
    pub fn new(weights: &ArcWeights<Vec<S>>, single_root: bool) -> Result<Eliminated<S>, OutOfMemory> {
        let ArcWeights { size, stride, root_counts, .. } = *weights;
        let mut left = room(weights.weights.len())?;
        left.extend_from_slice(&weights.weights);
        let mut passed = table(size.saturating_sub(1) * passed_stride(size), S::ZERO)?;
        let (mut row, mut product) = (table(stride, S::ZERO)?, S::ONE);
        let kernel = Eliminate {
            weights: ArcWeights { size, stride, root_counts, weights: &mut left[..] },
            kept: 0..size.min(1),
            passed: &mut passed,
            row: &mut row,
            product: &mut product,
        };
        simd::run(kernel, Instructions::Avx2);
        let left = ArcWeights { size, stride, root_counts, weights: left };
        let mut total = if size == 0 { S::ONE } else { product.times(left.get(size, 0)) };
        if let (Some(price), true) = (S::ROOT_PRICE, single_root) {
            total = total.over(price);
        }
        Ok(Eliminated { left, passed, total, is_safe: product.is_safe() && total.is_safe() })
    }

    /// Where the walk goes on from a word, by head: w(h → word) / D; then the same for the root. The first
    /// word was not taken out.
    #[inline(always)]
    pub fn passed(&self, word: usize) -> &[S] {
        let width = passed_stride(self.left.size);
        &self.passed[(self.left.size - 1 - word) * width..][..width]
    }
}
