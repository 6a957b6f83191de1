//! What is the total weight of all derivations, where it is known to fit?

use super::{Additive, Divide, Semiring};
use crate::chart::simd::{self, Instructions, Kernel};

/// (ℝ≥0, +, ·) in double precision: as [`Log`](super::Log), some ten times faster, for weights that neither
/// overflow nor vanish.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Real(pub f64);

impl Semiring for Real {
    const ZERO: Real = Real(0.0);
    const ONE: Real = Real(1.0);

    #[inline(always)]
    fn plus(self, other: Real) -> Real {
        Real(self.0 + other.0)
    }

    #[inline(always)]
    fn times(self, other: Real) -> Real {
        Real(self.0 * other.0)
    }

    fn from_score(score: f64) -> Real {
        Real(score.exp())
    }
}

impl Additive for Real {
    #[inline]
    fn share(part: Real, whole: Real) -> f64 {
        if whole.0 == 0.0 { 0.0 } else { part.0 / whole.0 }
    }

    fn ln(self) -> f64 {
        self.0.ln()
    }
}

impl Divide for Real {
    #[inline(always)]
    fn over(self, other: Real) -> Real {
        Real(self.0 / other.0)
    }
}

/// Replaces numbers that are not positive by their exponentials, many at a time.
pub(crate) fn exponentials(numbers: &mut [f64]) {
    struct Exponentials<'a>(&'a mut [f64]);

    impl Kernel for Exponentials<'_> {
        #[inline(always)]
        fn run(self) {
            self.0.iter_mut().for_each(|number| *number = exp(*number));
        }
    }
    simd::run(Exponentials(numbers), Instructions::Avx2);
}

/// exp(x) for x ≤ 0, without branches, so that loops over it become vector code; 0 from about 10⁻³⁰⁷
/// downwards. The error is about one unit in the last place: x = k · ln 2 + r, and the Taylor series of
/// exp(r) up to r¹³ is off by less than 10⁻¹⁷.
#[inline(always)]
fn exp(x: f64) -> f64 {
    const SMALLEST: f64 = -708.0;
    // Adding this number rounds to a whole number, which is then found in the last bits.
    const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
    /// ln 2 in two parts; products of the first with whole numbers up to 2¹¹ are exact.
    const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
    const INVERSE_FACTORIALS: [f64; 14] = {
        let mut inverse = [1.0; 14];
        let (mut factorial, mut at) = (1.0, 1);
        while at < 14 {
            factorial *= at as f64;
            inverse[at] = 1.0 / factorial;
            at += 1;
        }
        inverse
    };
    let clamped = if x > SMALLEST { x } else { SMALLEST };
    let shifted = clamped * std::f64::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = (clamped - whole * LN_2.0) - whole * LN_2.1;
    let mut sum = INVERSE_FACTORIALS[13];
    for at in (0..13).rev() {
        sum = sum * rest + INVERSE_FACTORIALS[at];
    }
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    if x > SMALLEST { sum * power } else { 0.0 }
}
