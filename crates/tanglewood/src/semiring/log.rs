//! What is the total weight of all derivations, for any range of scores?

use super::{Additive, Semiring};

/// (ℝ ∪ {−∞}, log-add-exp, +): weights by their logarithms.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Log(pub f64);

impl Semiring for Log {
    const ZERO: Log = Log(f64::NEG_INFINITY);
    const ONE: Log = Log(0.0);
    const VECTORS: bool = false;

    /// Not inlined: beside the exponential and the logarithm a call costs little, and loops stay small.
    #[inline(never)]
    fn plus(self, other: Log) -> Log {
        let (low, high) = if self.0 > other.0 { (other.0, self.0) } else { (self.0, other.0) };
        if low == f64::NEG_INFINITY { Log(high) } else { Log(high + (low - high).exp().ln_1p()) }
    }

    #[inline(never)]
    fn plus_product(self, a: Log, b: Log) -> Log {
        self.plus(a.times(b))
    }

    #[inline]
    fn times(self, other: Log) -> Log {
        Log(self.0 + other.0)
    }

    fn from_score(score: f64) -> Log {
        Log(score)
    }
}

impl Additive for Log {
    fn share(part: Log, whole: Log) -> f64 {
        // Between logarithms of 10³⁰, rounding errors are large numbers, too; a part is not larger than the
        // whole for all that.
        if part.0 == f64::NEG_INFINITY { 0.0 } else { (part.0 - whole.0).min(0.0).exp() }
    }

    fn ln(self) -> f64 {
        self.0
    }
}
