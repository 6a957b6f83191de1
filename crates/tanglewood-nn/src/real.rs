//! Single and double precision behind one trait.
//!
//! Models run in `f32`. The same code runs in `f64` in tests, where finite differences are sharp enough to
//! check every gradient.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::panels::Tile;

/// C ← α A B + β C for matrices at any distances between rows and between columns: numbers of rows of A, of its
/// columns and of columns of B; α; A, B; β; C.
pub type Gemm<T> = unsafe fn(
    usize,
    usize,
    usize,
    T,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    *mut T,
    isize,
    isize,
);

/// `f32` or `f64`.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// The product of matrices of `matrixmultiply`.
    const GEMM: Gemm<Self>;

    /// The nearest number.
    fn of(value: f64) -> Self;

    /// The same number in double precision.
    fn wide(self) -> f64;

    /// The exponential. For `f32` it has no branches, so that loops over it become vector code; see
    /// [`fast_exp`].
    fn exp(self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// Computes some rows of a product, as many as a [`Tile`] may have.
    fn compute(tile: Tile<'_, Self>, rows: usize);

    /// The logistic function.
    #[inline(always)]
    fn sigmoid(self) -> Self {
        Self::ONE / (Self::ONE + (-self).exp())
    }

    /// The hyperbolic tangent, to a small absolute error: below 3·10⁻⁷ for `f32`.
    #[inline(always)]
    fn tanh(self) -> Self {
        Self::ONE - (Self::ONE + Self::ONE) / ((self + self).exp() + Self::ONE)
    }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const GEMM: Gemm<f32> = matrixmultiply::sgemm;

    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn exp(self) -> f32 {
        fast_exp(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }

    fn compute(tile: Tile<'_, f32>, rows: usize) {
        tile.fused(rows);
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const GEMM: Gemm<f64> = matrixmultiply::dgemm;

    #[inline(always)]
    fn of(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn exp(self) -> f64 {
        f64::exp(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    fn compute(tile: Tile<'_, f64>, rows: usize) {
        tile.plain(rows);
    }
}

/// exp(x) with a relative error below 3·10⁻⁷; below −87 and above 88 it stays where it is there.
///
/// x = n ln 2 + r with a whole n and |r| ≤ ln 2 / 2; then exp(x) = 2ⁿ exp(r), where exp(r) is its Taylor
/// polynomial of degree 6: the first term left out is below r⁷/5040 < 1.3·10⁻⁷.
#[inline(always)]
pub fn fast_exp(x: f32) -> f32 {
    // Adding it leaves no room for fractions: the low bits of the sum are the nearest whole number.
    const ROUNDING: f32 = 12_582_912.0;
    // The leading bits of ln 2, so that their product with n is exact, and the rest.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let r = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    let mut sum = 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    sum * power
}
