//! Positive numbers to calculate with: plain ones, and ones that never leave their range.
//!
//! All sums over trees here add, multiply and divide positive numbers and never subtract. Each operation then adds a relative error of 2⁻⁵³ to what
//! came in, so every result, however small beside others, has almost all its digits, as long as nothing leaves the range of the numbers.

use crate::semiring::{self, Additive, Semiring};

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
    /// The logarithm.
    fn ln(self) -> f64;
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

    fn ln(self) -> f64 {
        f64::ln(self)
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

/// mantissa · 2^exponent, with a mantissa from 1 to 2, or 0: as accurate as a plain number, with room for any exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    mantissa: f64,
    exponent: i64,
}

/// ln 2 in two parts. The first has so few digits that its product with an exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
const MANTISSA_BITS: u32 = 52;
const EXPONENT_OF_ONE: u64 = 1023;

impl Wide {
    /// From a mantissa in the middle of the range of plain numbers.
    #[inline]
    fn new(mantissa: f64, exponent: i64) -> Wide {
        if mantissa == 0.0 {
            return Wide::ZERO;
        }
        let bits = mantissa.to_bits();
        let own = (bits >> MANTISSA_BITS) as i64 - EXPONENT_OF_ONE as i64;
        let digits = bits & ((1 << MANTISSA_BITS) - 1);
        let mantissa = f64::from_bits(digits | EXPONENT_OF_ONE << MANTISSA_BITS);
        Wide { mantissa, exponent: exponent + own }
    }
}

/// 2^−exponent, for exponents from 0 to 1000.
#[inline]
fn power_of_half(exponent: i64) -> f64 {
    f64::from_bits((EXPONENT_OF_ONE - exponent as u64) << MANTISSA_BITS)
}

impl Number for Wide {
    const ZERO: Wide = Wide { mantissa: 0.0, exponent: i64::MIN / 4 };
    const ONE: Wide = Wide { mantissa: 1.0, exponent: 0 };

    fn exp(logarithm: f64) -> Wide {
        if logarithm == f64::NEG_INFINITY {
            return Wide::ZERO;
        }
        let exponent = (logarithm / std::f64::consts::LN_2).round();
        let rest = (logarithm - exponent * LN_2_HIGH) - exponent * LN_2_LOW;
        Wide::new(rest.exp(), exponent as i64)
    }

    #[inline]
    fn plus(self, other: Wide) -> Wide {
        let (low, high) = if self.exponent < other.exponent { (self, other) } else { (other, self) };
        let apart = high.exponent - low.exponent;
        if apart > 60 {
            return high;
        }
        Wide::new(high.mantissa + low.mantissa * power_of_half(apart), high.exponent)
    }

    #[inline]
    fn times(self, other: Wide) -> Wide {
        Wide::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    #[inline]
    fn over(self, other: Wide) -> Wide {
        Wide::new(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn ln(self) -> f64 {
        self.mantissa.ln() + self.exponent as f64 * LN_2_LOW + self.exponent as f64 * LN_2_HIGH
    }

    fn to_f64(self) -> f64 {
        match self.exponent {
            ..-1022 => 0.0,
            1024.. => f64::INFINITY,
            exponent => self.mantissa * f64::from_bits((exponent + 1023) as u64 * (1 << MANTISSA_BITS)),
        }
    }

    fn is_safe(self) -> bool {
        self.mantissa > 0.0
    }
}

/// For scores of any size: slower, and exact also where scores are so large that their differences would be rounded.
impl Number for semiring::Wide {
    const ZERO: semiring::Wide = <semiring::Wide as Semiring>::ZERO;
    const ONE: semiring::Wide = <semiring::Wide as Semiring>::ONE;

    fn exp(logarithm: f64) -> semiring::Wide {
        semiring::Wide::from_score(logarithm)
    }

    #[inline]
    fn plus(self, other: semiring::Wide) -> semiring::Wide {
        Semiring::plus(self, other)
    }

    #[inline]
    fn times(self, other: semiring::Wide) -> semiring::Wide {
        Semiring::times(self, other)
    }

    #[inline]
    fn over(self, other: semiring::Wide) -> semiring::Wide {
        self.over(other)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == Number::ZERO
    }

    fn ln(self) -> f64 {
        Additive::ln(self)
    }

    fn to_f64(self) -> f64 {
        Additive::share(self, Number::ONE)
    }

    fn is_safe(self) -> bool {
        !self.is_zero()
    }
}
