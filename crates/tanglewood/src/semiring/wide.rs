//! What is the total weight of all derivations, whatever scores are mixed?

use std::sync::LazyLock;

use super::{Additive, Divide, Semiring};

/// (ℝ≥0, +, ·) as mantissa · e^exponent, with exponents that are whole numbers of 128 bits.
///
/// [`Log`](super::Log) has one number for both. Beside a logarithm of 10³⁰ it loses ordinary scores, and with
/// them the shares of derivations in which that 10³⁰ cancels. Here products add exponents without rounding,
/// so that every sum and share has almost full relative accuracy, for scores of up to 10³⁵ in size. It takes
/// four times the room of [`Log`](super::Log).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide {
    /// From [`SMALLEST`] to [`LARGEST`], or zero.
    mantissa: f64,
    /// For zero, [`OF_ZERO`].
    exponent: i128,
}

/// Larger mantissas give some of their size to the exponent, so that products of two are within the range of
/// floats.
const LARGEST: f64 = 1e100;

/// Smaller mantissas take some size from the exponent.
const SMALLEST: f64 = 1e-100;

/// Summands whose exponents are apart by this much cannot be seen in the sum: mantissas are apart by less
/// than e⁴⁶¹.
const APART: usize = 512;

/// The exponent of zero, not above that of any other number. Sums with zero then need no case of their own.
const OF_ZERO: i128 = i128::MIN;

/// e^−apart.
static POWERS: LazyLock<[f64; APART]> =
    LazyLock::new(|| std::array::from_fn(|apart| (-(apart as f64)).exp()));

impl Wide {
    /// A weight beside which all that come from scores without gaps are large, and so are their products and
    /// quotients; see [`gaps`](crate::scores::gaps).
    pub(crate) const VANISHING: Wide = Wide { mantissa: 1.0, exponent: -(1 << 124) };

    /// The whole part of the weight's logarithm, or a number near it.
    pub(crate) fn exponent(self) -> i128 {
        self.exponent
    }

    /// e^−exponent times the weight.
    pub(crate) fn mantissa(self) -> f64 {
        self.mantissa
    }

    /// From a mantissa that is positive or zero.
    #[inline(always)]
    fn new(mantissa: f64, exponent: i128) -> Wide {
        if (SMALLEST..=LARGEST).contains(&mantissa) {
            return Wide { mantissa, exponent };
        }
        Wide::rescaled(mantissa, exponent)
    }

    #[cold]
    fn rescaled(mantissa: f64, exponent: i128) -> Wide {
        if mantissa == 0.0 {
            return Wide::ZERO;
        }
        let whole = mantissa.ln().floor();
        Wide { mantissa: mantissa * (-whole).exp(), exponent: exponent.saturating_add(whole as i128) }
    }
}

impl Semiring for Wide {
    const ZERO: Wide = Wide { mantissa: 0.0, exponent: OF_ZERO };
    const ONE: Wide = Wide { mantissa: 1.0, exponent: 0 };
    const VECTORS: bool = false;

    #[inline(never)]
    fn plus(self, other: Wide) -> Wide {
        self.sum(other)
    }

    #[inline(never)]
    fn plus_product(self, a: Wide, b: Wide) -> Wide {
        self.sum(a.times(b))
    }

    #[inline]
    fn add(&mut self, term: Wide) {
        *self = self.sum(term);
    }

    #[inline]
    fn times(self, other: Wide) -> Wide {
        Wide::new(self.mantissa * other.mantissa, self.exponent.saturating_add(other.exponent))
    }

    fn from_score(score: f64) -> Wide {
        if score == f64::NEG_INFINITY {
            return Wide::ZERO;
        }
        let whole = score.floor();
        Wide { mantissa: (score - whole).exp(), exponent: whole as i128 }
    }
}

impl Wide {
    #[inline(always)]
    fn sum(self, other: Wide) -> Wide {
        let (low, high) = if self.exponent < other.exponent { (self, other) } else { (other, self) };
        let apart = high.exponent.wrapping_sub(low.exponent) as u128;
        if apart >= APART as u128 {
            return high;
        }
        Wide::new(high.mantissa + low.mantissa * POWERS[apart as usize], high.exponent)
    }
}

impl Additive for Wide {
    fn share(part: Wide, whole: Wide) -> f64 {
        if part.mantissa == 0.0 || whole.mantissa == 0.0 {
            return 0.0;
        }
        let above = part.exponent.saturating_sub(whole.exponent) as f64;
        part.mantissa / whole.mantissa * above.exp()
    }

    fn ln(self) -> f64 {
        if self.mantissa == 0.0 { f64::NEG_INFINITY } else { self.exponent as f64 + self.mantissa.ln() }
    }

    fn widened(self) -> Wide {
        self
    }
}

impl Divide for Wide {
    #[inline]
    fn over(self, other: Wide) -> Wide {
        Wide::new(self.mantissa / other.mantissa, self.exponent.saturating_sub(other.exponent))
    }
}
