//! Choosing one of several ways to derive an item: the best, or one drawn at random.

use std::ops::ControlFlow;

use crate::semiring::{Additive, Semiring};

/// Chooses one of an item's candidates by their weights, which it is shown one after the other.
pub trait Choice<S> {
    /// Begins with the candidates of an item of this weight.
    fn start(&mut self, whole: S);

    /// Shows the next candidate: whether it takes the place of the one chosen so far, and whether no other
    /// can any more.
    fn see(&mut self, weight: S) -> (bool, ControlFlow<()>);
}

/// The first candidate of largest weight. That weight is the item's, so nothing behind the first candidate
/// that has it is looked at; should rounding hide it, all are.
pub(super) struct Best<S> {
    whole: S,
    largest: S,
}

impl<S: Semiring> Best<S> {
    pub fn new() -> Best<S> {
        Best { whole: S::ZERO, largest: S::ZERO }
    }
}

impl<S: Semiring + PartialOrd> Choice<S> for Best<S> {
    fn start(&mut self, whole: S) {
        *self = Best { whole, largest: S::ZERO };
    }

    fn see(&mut self, weight: S) -> (bool, ControlFlow<()>) {
        let better = weight > self.largest;
        if better {
            self.largest = weight;
        }
        (better, if self.largest == self.whole { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// A candidate drawn with probability proportional to its weight, by numbers that are at least 0 and below 1.
pub(super) struct Drawn<'u, S> {
    uniform: &'u mut dyn FnMut() -> f64,
    whole: S,
    left: f64,
}

impl<'u, S: Semiring> Drawn<'u, S> {
    pub fn by(uniform: &'u mut dyn FnMut() -> f64) -> Drawn<'u, S> {
        Drawn { uniform, whole: S::ZERO, left: 0.0 }
    }
}

impl<S: Additive> Choice<S> for Drawn<'_, S> {
    fn start(&mut self, whole: S) {
        self.whole = whole;
        self.left = (self.uniform)();
    }

    fn see(&mut self, weight: S) -> (bool, ControlFlow<()>) {
        if weight == S::ZERO {
            return (false, ControlFlow::Continue(()));
        }
        self.left -= S::share(weight, self.whole);
        // Rounding may leave a little over at the end: then it is the last candidate that has any weight.
        (true, if self.left < 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
