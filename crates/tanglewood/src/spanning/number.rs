//! Positive numbers to calculate with: plain ones, and ones that never leave their range.
//!
//! All sums over trees here add, multiply and divide positive numbers and never subtract. Each operation then adds a relative error of 2⁻⁵³ to what
//! came in, so every result, however small beside others, has almost all its digits, as long as nothing leaves the range of the numbers.

use crate::semiring::{Additive, Semiring, Wide};

/// A number that is zero or positive.
pub(super) trait Number: Copy {
    const ZERO: Self;
    const ONE: Self;

    /// The exponential of a finite number or −∞.
    fn exp(logarithm: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// The number itself; 0 if it is too small for that.
    fn to_f64(self) -> f64;

    /// Whether a product of factors of at most one is so far from the end of the range that nothing of importance was lost on the way.
    fn is_safe(self) -> bool;

    /// row += factor · other
    fn add_scaled(row: &mut [Self], factor: Self, other: &[Self]) {
        for (sum, &term) in row.iter_mut().zip(other) {
            *sum = sum.plus(factor.times(term));
        }
    }

    /// Σ a · b
    fn dot(a: &[Self], b: &[Self]) -> Self {
        a.iter().zip(b).fold(Self::ZERO, |sum, (&a, &b)| sum.plus(a.times(b)))
    }
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn exp(logarithm: f64) -> f64 {
        logarithm.exp()
    }

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn times(self, other: f64) -> f64 {
        self * other
    }

    #[inline(always)]
    fn over(self, other: f64) -> f64 {
        self / other
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn to_f64(self) -> f64 {
        self
    }

    /// What underflow took is below 10⁻³⁰⁸, and was to be multiplied by no more than 1/self; see [`elimination`](super::elimination).
    fn is_safe(self) -> bool {
        self > 1e-100
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        const LANES: usize = 8;
        let mut sums = [0.0; LANES];
        let (a, b) = (a.chunks_exact(LANES), b[..a.len()].chunks_exact(LANES));
        let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(&a, &b)| a * b).sum();
        for (a, b) in a.zip(b) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * b[lane];
            }
        }
        sums.iter().sum::<f64>() + rest
    }
}

impl Number for Wide {
    const ZERO: Wide = <Wide as Semiring>::ZERO;
    const ONE: Wide = <Wide as Semiring>::ONE;

    fn exp(logarithm: f64) -> Wide {
        Wide::from_score(logarithm)
    }

    #[inline]
    fn plus(self, other: Wide) -> Wide {
        Semiring::plus(self, other)
    }

    #[inline]
    fn times(self, other: Wide) -> Wide {
        Semiring::times(self, other)
    }

    #[inline]
    fn over(self, other: Wide) -> Wide {
        self.over(other)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == <Wide as Semiring>::ZERO
    }

    fn to_f64(self) -> f64 {
        Wide::share(self, Number::ONE)
    }

    fn is_safe(self) -> bool {
        !self.is_zero()
    }
}
