//! What is the best derivation's score?

use super::{Float, Semiring};

/// (ℝ ∪ {−∞}, max, +).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Viterbi<F>(pub F);

impl<F: Float> Semiring for Viterbi<F> {
    const ZERO: Viterbi<F> = Viterbi(F::NEG_INFINITY);
    const ONE: Viterbi<F> = Viterbi(F::NOTHING);
    const IDEMPOTENT: bool = true;

    #[inline(always)]
    fn plus(self, other: Viterbi<F>) -> Viterbi<F> {
        // A selection, not a branch, compiles to one vector instruction. There are no NaNs: scores are
        // checked when they come in.
        std::hint::select_unpredictable(self.0 > other.0, self, other)
    }

    #[inline(always)]
    fn add(&mut self, term: Viterbi<F>) {
        // Selecting between the number in memory and another one would compile to a masked store, which takes
        // some processors dozens of cycles. Adding nothing changes no number, costs one instruction, and
        // keeps the compiler from that idea.
        self.0 = self.plus(term).0 + F::NOTHING;
    }

    #[inline(always)]
    fn times(self, other: Viterbi<F>) -> Viterbi<F> {
        Viterbi(self.0 + other.0)
    }

    fn from_score(score: f64) -> Viterbi<F> {
        Viterbi(F::from_f64(score))
    }
}
