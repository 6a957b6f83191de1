//! Semirings: what a chart computes.
//!
//! A deduction says which items follow from which; a semiring says what is added up (⊕) over the ways to
//! derive an item and multiplied (⊗) along one way. The same chart so answers *is there a tree*
//! ([`Boolean`]), *how many derivations* ([`Count`]), *which is best* ([`Viterbi`]), *what is their total
//! weight* ([`Log`], [`Real`] where the range of a float is enough, or [`Wide`] where a float's digits are
//! not), and *how uncertain is the choice* ([`Entropic`]).
//!
//! Sums are over **derivations**. Unless a deduction derives each tree in one way only, that is not the same
//! as summing over trees; only where ⊕ is idempotent does it make no difference.

mod boolean;
mod count;
mod entropic;
mod log;
mod real;
mod viterbi;
mod wide;

pub use boolean::Boolean;
pub use count::Count;
pub use entropic::Entropic;
pub use log::Log;
pub use real::Real;
pub(crate) use real::exponentials;
pub use viterbi::Viterbi;
pub use wide::Wide;

use std::fmt::Debug;

/// A commutative semiring.
///
/// Laws: ⊕ and ⊗ are associative and commutative with neutral elements `ZERO` and `ONE`, ⊗ distributes over
/// ⊕, and `ZERO` annihilates; for floats, up to rounding. `ZERO` is exact: what cannot be derived has weight
/// zero, never a very small number.
pub trait Semiring: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Neutral for ⊕; the weight of what cannot be derived.
    const ZERO: Self;
    /// Neutral for ⊗.
    const ONE: Self;
    /// False if ⊕ is a function call or has branches, so that compilers make no vector code of it. Charts
    /// then are compiled for one instruction set only, which saves much of the time to build the library.
    const VECTORS: bool = true;
    /// Whether a ⊕ a = a, so that it makes no difference how often something is derived.
    const IDEMPOTENT: bool = false;

    /// ⊕
    fn plus(self, other: Self) -> Self;

    /// ⊗
    fn times(self, other: Self) -> Self;

    /// self ⊕ a ⊗ b. Where ⊕ has branches this is one function that is not inlined, so that the unrolled loops
    /// of charts stay small and compile soon.
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self.plus(a.times(b))
    }

    /// self ⊕= term, where `self` is in memory.
    #[inline(always)]
    fn add(&mut self, term: Self) {
        *self = self.plus(term);
    }

    /// The weight of a step with a given score. −∞ gives [`Semiring::ZERO`].
    fn from_score(score: f64) -> Self;
}

/// A semiring whose ⊕ is a sum of non-negative weights, so that each summand has a share of the whole.
pub trait Additive: Semiring {
    /// `part / whole` as an ordinary number from 0 to 1; 0 if the whole is zero.
    fn share(part: Self, whole: Self) -> f64;

    /// The logarithm of the weight; −∞ for zero.
    fn ln(self) -> f64;

    /// The same weight, for comparison with others.
    fn widened(self) -> Wide {
        Wide::from_score(self.ln())
    }
}

/// Additive weights that can be divided.
pub trait Divide: Additive {
    /// self / other. The result means nothing if `other` is zero.
    fn over(self, other: Self) -> Self;
}
