//! How many derivations are there?

use super::Semiring;

/// (ℕ, +, ·) with 128 bits.
///
/// The systems here have some 25ⁿ derivations for n words, so that the numbers are exact up to about 27
/// words. Beyond 2¹²⁸ − 1 they stay there: that value means "at least that many", and arithmetic never wraps
/// around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u128);

impl Count {
    /// False if and only if the true number may be larger.
    pub fn is_exact(self) -> bool {
        self.0 != u128::MAX
    }
}

impl Semiring for Count {
    const ZERO: Count = Count(0);
    const ONE: Count = Count(1);

    #[inline]
    fn plus(self, other: Count) -> Count {
        Count(self.0.saturating_add(other.0))
    }

    #[inline]
    fn times(self, other: Count) -> Count {
        Count(self.0.saturating_mul(other.0))
    }

    fn from_score(score: f64) -> Count {
        Count(u128::from(score != f64::NEG_INFINITY))
    }
}
