//! What is the best derivation's score?

use super::Semiring;

/// (ℝ ∪ {−∞}, max, +), in single or double precision.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Viterbi<F>(pub F);

macro_rules! viterbi {
    ($float:ty) => {
        impl Semiring for Viterbi<$float> {
            const ZERO: Self = Viterbi(<$float>::NEG_INFINITY);
            const ONE: Self = Viterbi(0.0);
            const IDEMPOTENT: bool = true;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // A selection, not a branch, compiles to one vector instruction. There are no NaNs: scores
                // are checked when they come in.
                std::hint::select_unpredictable(self.0 > other.0, self, other)
            }

            #[inline(always)]
            fn add(&mut self, term: Self) {
                // Selecting between the number in memory and another one would compile to a masked store,
                // which takes some processors dozens of cycles. Adding zero changes no number, costs one
                // instruction, and keeps the compiler from that idea.
                self.0 = self.plus(term).0 + 0.0;
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                Viterbi(self.0 + other.0)
            }

            fn from_score(score: f64) -> Self {
                Viterbi(score as $float)
            }
        }
    };
}

viterbi!(f32);
viterbi!(f64);
