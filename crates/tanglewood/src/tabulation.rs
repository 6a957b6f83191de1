//! The sparse deduction of any system, whichever of the two it needs.

use crate::deduction::{Deduction, Marginals, Proof, TooManyItems};
use crate::multi_headed::MultiHeaded;
use crate::scores::TransitionScores;
use crate::semiring::{Additive, Semiring};
use crate::system::{Direction, System};
use crate::{Derivation, Tree};

/// A deduction for windows, or one for frames. What the methods mean is said there.
#[derive(Clone, Debug)]
pub enum Tabulation {
    /// For systems without a bound on frames.
    Windows(Deduction),
    /// For systems with one.
    Frames(MultiHeaded),
}

/// The same call for either.
macro_rules! either {
    ($self:expr, $deduction:ident => $call:expr) => {
        match $self {
            Tabulation::Windows($deduction) => $call,
            Tabulation::Frames($deduction) => $call,
        }
    };
}

impl Tabulation {
    /// The deduction of a system. With `single_root`, exactly one word hangs from the root.
    pub fn new(system: &System, single_root: bool) -> Tabulation {
        match system.frame() {
            None => Tabulation::Windows(Deduction::new(system.inventory(), single_root)),
            Some(_) => Tabulation::Frames(MultiHeaded::new(system, single_root)),
        }
    }

    /// The same with another bound on the number of items, and so on memory.
    pub fn with_limit(self, limit: usize) -> Tabulation {
        match self {
            Tabulation::Windows(deduction) => Tabulation::Windows(deduction.with_limit(limit)),
            Tabulation::Frames(deduction) => Tabulation::Frames(deduction.with_limit(limit)),
        }
    }

    /// The summed weight of all derivations.
    ///
    /// # Errors
    /// If there are too many items. So for all methods below.
    pub fn total<S: Semiring>(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<S, TooManyItems> {
        either!(self, deduction => deduction.total(scores))
    }

    /// The logarithm of the summed weights of all derivations.
    pub fn log_partition(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<f64, TooManyItems> {
        either!(self, deduction => deduction.log_partition(scores))
    }

    /// True if and only if the tree has a derivation in that direction.
    pub fn recognises_in(&self, direction: Direction, tree: &Tree) -> Result<bool, TooManyItems> {
        either!(self, deduction => deduction.recognises_in(direction, tree))
    }

    /// The best score and a derivation that has it, if there is any derivation.
    pub fn best(
        &self,
        scores: &(impl TransitionScores + ?Sized),
    ) -> Result<Option<(f64, Derivation)>, TooManyItems> {
        either!(self, deduction => deduction.best(scores))
    }

    /// A proof that the tree has a derivation, if it has one.
    pub fn proof_of_tree(&self, tree: &Tree) -> Result<Option<Proof>, TooManyItems> {
        either!(self, deduction => deduction.proof_of_tree(tree))
    }

    /// For each arc, the share of derivations that have it, by weight; nothing if there is no derivation.
    pub fn marginals<S: Additive>(
        &self,
        scores: &(impl TransitionScores + ?Sized),
    ) -> Result<Option<Marginals>, TooManyItems> {
        either!(self, deduction => deduction.marginals::<S>(scores))
    }
}
