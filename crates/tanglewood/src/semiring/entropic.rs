//! What is the entropy of the distribution over derivations?

use super::{Additive, Divide, Semiring};

/// A weight together with the entropy of the distribution over what was added up to it (Hwa 2000; Li and
/// Eisner 2009).
///
/// For a sum X of weights that depend on a temperature as w^β, the entropy of the distribution over its
/// summands is ln X − d ln X / dβ at β = 1. So a step has entropy 0, entropies add up in products and are
/// subtracted in quotients, and a sum has the mean entropy of its two parts plus that of the choice between
/// them. No score is ever added to another one: scores of 10³⁰ cost no digit of the entropy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entropic<S> {
    /// The summed weight.
    pub weight: S,
    /// The entropy in nats.
    pub entropy: f64,
}

impl<S: Additive> Semiring for Entropic<S> {
    const ZERO: Entropic<S> = Entropic { weight: S::ZERO, entropy: 0.0 };
    const ONE: Entropic<S> = Entropic { weight: S::ONE, entropy: 0.0 };
    const VECTORS: bool = false;

    #[inline(never)]
    fn plus(self, other: Entropic<S>) -> Entropic<S> {
        if self.weight == S::ZERO || other.weight == S::ZERO {
            return if self.weight == S::ZERO { other } else { self };
        }
        let weight = self.weight.plus(other.weight);
        let part = |of: Entropic<S>| {
            let share = S::share(of.weight, weight);
            if share > 0.0 { share * (of.entropy - share.ln()) } else { 0.0 }
        };
        Entropic { weight, entropy: part(self) + part(other) }
    }

    #[inline(never)]
    fn plus_product(self, a: Entropic<S>, b: Entropic<S>) -> Entropic<S> {
        self.plus(a.times(b))
    }

    fn times(self, other: Entropic<S>) -> Entropic<S> {
        match self.weight.times(other.weight) {
            weight if weight == S::ZERO => Entropic::ZERO,
            weight => Entropic { weight, entropy: self.entropy + other.entropy },
        }
    }

    fn from_score(score: f64) -> Entropic<S> {
        Entropic { weight: S::from_score(score), entropy: 0.0 }
    }
}

impl<S: Additive> Additive for Entropic<S> {
    fn share(part: Entropic<S>, whole: Entropic<S>) -> f64 {
        S::share(part.weight, whole.weight)
    }

    fn ln(self) -> f64 {
        self.weight.ln()
    }
}

impl<S: Divide> Divide for Entropic<S> {
    fn over(self, other: Entropic<S>) -> Entropic<S> {
        Entropic { weight: self.weight.over(other.weight), entropy: self.entropy - other.entropy }
    }
}
