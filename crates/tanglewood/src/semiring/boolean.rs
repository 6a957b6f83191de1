//! Is there a derivation?

use super::Semiring;

/// ({false, true}, ∨, ∧).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boolean(pub bool);

impl Semiring for Boolean {
    const ZERO: Boolean = Boolean(false);
    const ONE: Boolean = Boolean(true);
    const IDEMPOTENT: bool = true;

    #[inline]
    fn plus(self, other: Boolean) -> Boolean {
        Boolean(self.0 | other.0)
    }

    #[inline]
    fn times(self, other: Boolean) -> Boolean {
        Boolean(self.0 & other.0)
    }

    fn from_score(score: f64) -> Boolean {
        Boolean(score != f64::NEG_INFINITY)
    }
}
