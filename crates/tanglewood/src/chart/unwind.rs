//! From numbers back to derivations.
//!
//! Charts keep no back-pointers. Which premises an item came from is found again by looking at candidates, which costs O(n³) for each of the
//! 2n + 1 steps of a derivation: little beside filling the chart. The candidates come in a fixed order and the first of the best is
//! taken, so that ties are always broken in the same way.

use std::ops::{ControlFlow, Range};

use super::degree1::Degree1;
use super::degree2::Degree2;
use super::weights::Weights;
use crate::scores::TransitionScores;
use crate::semiring::{Additive, Semiring};
use crate::transition::Transition;

/// A way to derive an item: its premises and the transition that follows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<I, S> {
    pub premises: [Option<I>; 2],
    pub transition: Transition,
    pub weight: S,
}

/// A chart whose items can be taken apart.
pub(super) trait Unwind<S: Semiring> {
    /// What names an item.
    type Item: Copy;

    /// The item of all complete derivations.
    fn goal(&self) -> Self::Item;

    /// The weight of an item.
    fn weight(&self, item: Self::Item) -> S;

    /// Calls `visit` for every way to derive an item whose premises are not zero, until it says stop. Weights are computed exactly as when the chart was
    /// filled.
    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Self::Item,
        weights: &Weights<'_, S, T>,
        visit: impl FnMut(Candidate<Self::Item, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// A derivation of the goal; `choice` picks one of an item's candidates, none if there is none.
    fn derivation<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
        mut choice: impl Choice<S>,
    ) -> Option<Vec<Transition>> {
        let mut backwards = Vec::new();
        let mut open = vec![self.goal()];
        while let Some(item) = open.pop() {
            let chosen = choice.choose(self, item, weights)?;
            backwards.push(chosen.transition);
            open.extend(chosen.premises.into_iter().flatten());
        }
        backwards.reverse();
        Some(backwards)
    }
}

/// A way to pick one of an item's candidates.
pub(super) trait Choice<S: Semiring> {
    /// None if there is none.
    fn choose<C: Unwind<S> + ?Sized, T: TransitionScores + ?Sized>(
        &mut self,
        chart: &C,
        item: C::Item,
        weights: &Weights<'_, S, T>,
    ) -> Option<Candidate<C::Item, S>>;
}

/// The first candidate of largest weight that is not zero. The largest weight is that of the item, so nothing behind the first one that has it is
/// looked at; should rounding hide it, all are.
pub(super) struct Best;

impl<S: Semiring + PartialOrd> Choice<S> for Best {
    fn choose<C: Unwind<S> + ?Sized, T: TransitionScores + ?Sized>(
        &mut self,
        chart: &C,
        item: C::Item,
        weights: &Weights<'_, S, T>,
    ) -> Option<Candidate<C::Item, S>> {
        let whole = chart.weight(item);
        let mut largest = S::ZERO;
        let mut best = None;
        let _ = chart.candidates(item, weights, |candidate| {
            if candidate.weight > largest {
                largest = candidate.weight;
                best = Some(candidate);
            }
            if largest == whole { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best
    }
}

/// A candidate drawn with probability proportional to its weight, by numbers that are at least 0 and below 1.
pub(super) struct Drawn<'u>(pub &'u mut dyn FnMut() -> f64);

impl<S: Additive> Choice<S> for Drawn<'_> {
    fn choose<C: Unwind<S> + ?Sized, T: TransitionScores + ?Sized>(
        &mut self,
        chart: &C,
        item: C::Item,
        weights: &Weights<'_, S, T>,
    ) -> Option<Candidate<C::Item, S>> {
        let mut whole = S::ZERO;
        let _ = chart.candidates(item, weights, |candidate| {
            whole = whole.plus(candidate.weight);
            ControlFlow::Continue(())
        });
        let mut left = (self.0)();
        let mut drawn = None;
        let _ = chart.candidates(item, weights, |candidate| {
            // Rounding may leave a little over at the end: then it is the last one that has any weight.
            if candidate.weight != S::ZERO && left >= 0.0 {
                drawn = Some(candidate);
                left -= S::share(candidate.weight, whole);
            }
            ControlFlow::Continue(())
        });
        drawn
    }
}

/// The first of the largest weights; none if all are zero.
pub(super) fn pick_best<S: Semiring + PartialOrd>(weights: &[S]) -> Option<usize> {
    let mut best = None;
    for (at, &weight) in weights.iter().enumerate() {
        if weight > best.map_or(S::ZERO, |best: usize| weights[best]) {
            best = Some(at);
        }
    }
    best
}

/// One of several weights, drawn in proportion; none if all are zero.
pub(super) fn pick_drawn<S: Additive>(weights: &[S], uniform: &mut dyn FnMut() -> f64) -> Option<usize> {
    let whole = weights.iter().fold(S::ZERO, |sum, &weight| sum.plus(weight));
    let mut left = uniform();
    let mut drawn = None;
    for (at, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != S::ZERO) {
        // Rounding may leave a little over at the end: then it is the last one that has any weight.
        if left >= 0.0 {
            drawn = Some(at);
            left -= S::share(weight, whole);
        }
    }
    drawn
}

/// Two premises with their weights, and the window they make.
struct Pair<'s, I, S> {
    premises: [I; 2],
    /// The premise that is multiplied last, and the one that is multiplied with the weight of the transition first.
    weights: [S; 2],
    stack: &'s [usize],
    front: usize,
}

impl<I: Copy, S: Semiring> Pair<'_, I, S> {
    /// Calls `visit` for every head of the node in a slot.
    #[inline(always)]
    fn reduce<T: TransitionScores + ?Sized>(
        self,
        slot: usize,
        weights: &Weights<'_, S, T>,
        visit: &mut impl FnMut(Candidate<I, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [outer, inner] = self.weights;
        if outer == S::ZERO || inner == S::ZERO {
            return ControlFlow::Continue(());
        }
        for (head, _, weight) in weights.heads(self.stack, self.front, slot) {
            visit(Candidate {
                premises: self.premises.map(Some),
                transition: Transition::Reduce { head, dependent: slot },
                weight: outer.times(inner.times(weight)),
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// An item that is there from a shift on.
fn shifted<I, S>(weight: S) -> Candidate<I, S> {
    Candidate { premises: [None, None], transition: Transition::Shift, weight }
}

/// An item of a degree-2 chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item2 {
    /// [ε, 0, ε, 0, j]
    Prefix { j: usize },
    /// [h1, i, h1, h3, j]
    Diagonal { h1: usize, i: usize, h3: usize, j: usize },
    /// [h1, i, h2, h3, j] with h2 ≥ i
    Row { h1: usize, i: usize, h2: usize, h3: usize, j: usize },
}

impl<S: Semiring> Degree2<S> {
    /// Every way in which s0 or s1 goes and x stays on top of h2, with a given first premise [·, ·, h2, h3, k].
    #[inline(always)]
    fn keeping<T: TransitionScores + ?Sized>(
        &self,
        first: Item2,
        [h2, h3, k, x, j]: [usize; 5],
        weights: &Weights<'_, S, T>,
        visit: &mut impl FnMut(Candidate<Item2, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let outer = self.weight(first);
        if outer == S::ZERO {
            return ControlFlow::Continue(());
        }
        let mut keep = |second, slot, stack: [usize; 3]| {
            let weights_of_premises = [outer, self.weight(second)];
            Pair { premises: [first, second], weights: weights_of_premises, stack: &stack, front: j }
                .reduce(slot, weights, visit)
        };
        let diagonal = |h5| Item2::Diagonal { h1: h3, i: k, h3: h5, j };
        let row = |h4, h5| Item2::Row { h1: h3, i: k, h2: h4, h3: h5, j };
        if x == h3 {
            for h5 in k..j {
                keep(diagonal(h5), 0, [h5, h3, h2])?;
            }
        } else if x >= k {
            keep(diagonal(x), 1, [x, h3, h2])?;
            if self.layout.off_diagonal {
                for h5 in x + 1..j {
                    keep(row(x, h5), 0, [h5, x, h2])?;
                }
                for h4 in k..x {
                    keep(row(h4, x), 1, [x, h4, h2])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The h3 of first premises with front k, from i on, that may leave x on top.
fn kept_over(x: usize, i: usize, k: usize) -> Range<usize> {
    if x < k { x..x + 1 } else { i..k }
}

impl<S: Semiring> Unwind<S> for Degree2<S> {
    type Item = Item2;

    fn goal(&self) -> Item2 {
        Item2::Prefix { j: self.layout.words + 1 }
    }

    #[inline(always)]
    fn weight(&self, item: Item2) -> S {
        match item {
            Item2::Prefix { j } => self.prefix[j],
            Item2::Diagonal { h1, i, h3, j } => self.diagonal(h1, i, h3, j),
            Item2::Row { h1, i, h2, h3, j } => self.off(h1, i, h2, h3, j),
        }
    }

    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Item2,
        weights: &Weights<'_, S, T>,
        mut visit: impl FnMut(Candidate<Item2, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match item {
            Item2::Prefix { j: 1 } => visit(shifted(weights.shift(None, 0)))?,
            Item2::Prefix { j } => {
                for k in 1..j {
                    for h5 in k..j {
                        let premises = [Item2::Prefix { j: k }, Item2::Diagonal { h1: 0, i: k, h3: h5, j }];
                        let pair = premises.map(|premise| self.weight(premise));
                        Pair { premises, weights: pair, stack: &[h5, 0], front: j }
                            .reduce(0, weights, &mut visit)?;
                    }
                }
            }
            Item2::Diagonal { h1, i, j, .. } if i + 1 == j => visit(shifted(weights.shift(Some(h1), i)))?,
            Item2::Diagonal { h1, i, h3: x, j } => {
                for k in i + 1..j {
                    for h3 in kept_over(x, i, k) {
                        let first = Item2::Diagonal { h1, i, h3, j: k };
                        self.keeping(first, [h1, h3, k, x, j], weights, &mut visit)?;
                    }
                }
            }
            Item2::Row { h1, i, h2, h3: x, j } => {
                for k in h2 + 2..j {
                    for h3 in kept_over(x, h2 + 1, k) {
                        let first = Item2::Row { h1, i, h2, h3, j: k };
                        self.keeping(first, [h2, h3, k, x, j], weights, &mut visit)?;
                    }
                }
                for k in i + 1..j {
                    for h3 in i..k {
                        let second = match h3 == h2 {
                            true if k <= x => Item2::Diagonal { h1: h2, i: k, h3: x, j },
                            false if k <= h2 => Item2::Row { h1: h3, i: k, h2, h3: x, j },
                            _ => continue,
                        };
                        let outer = self.weight(second);
                        if outer == S::ZERO {
                            continue;
                        }
                        for removed in std::iter::once(h1).chain(i..h3) {
                            let first = match removed == h1 {
                                true => Item2::Diagonal { h1, i, h3, j: k },
                                false => Item2::Row { h1, i, h2: removed, h3, j: k },
                            };
                            let pair = [outer, self.weight(first)];
                            Pair {
                                premises: [first, second],
                                weights: pair,
                                stack: &[x, h2, removed],
                                front: j,
                            }
                            .reduce(2, weights, &mut visit)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// An item of a degree-1 chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item1 {
    /// [0, 0, j]
    Prefix { j: usize },
    /// [i, h, j]
    Item { i: usize, h: usize, j: usize },
}

impl<S: Semiring> Unwind<S> for Degree1<S> {
    type Item = Item1;

    fn goal(&self) -> Item1 {
        Item1::Prefix { j: self.words + 1 }
    }

    #[inline(always)]
    fn weight(&self, item: Item1) -> S {
        match item {
            Item1::Prefix { j } => self.prefix[j],
            Item1::Item { i, h, j } => self.item(i, h, j),
        }
    }

    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Item1,
        weights: &Weights<'_, S, T>,
        mut visit: impl FnMut(Candidate<Item1, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match item {
            Item1::Prefix { j: 1 } => visit(shifted(weights.shift(None, 0)))?,
            Item1::Prefix { j } => {
                for k in 1..j {
                    for d in k..j {
                        let premises = [Item1::Prefix { j: k }, Item1::Item { i: k, h: d, j }];
                        let pair = premises.map(|premise| self.weight(premise));
                        Pair { premises, weights: pair, stack: &[d, 0], front: j }
                            .reduce(0, weights, &mut visit)?;
                    }
                }
            }
            Item1::Item { i, j, .. } if i + 1 == j => visit(shifted(weights.shift(None, i)))?,
            Item1::Item { i, h: x, j } => {
                for k in i + 1..j {
                    // s0 goes and g = x stays, or s1 goes and d = x stays.
                    let slot = usize::from(x >= k);
                    for goes in if slot == 0 { k..j } else { i..k } {
                        let (g, d) = if slot == 0 { (x, goes) } else { (goes, x) };
                        let premises = [Item1::Item { i, h: g, j: k }, Item1::Item { i: k, h: d, j }];
                        let mut pair = premises.map(|premise| self.weight(premise));
                        if slot == 1 {
                            pair.reverse();
                        }
                        Pair { premises, weights: pair, stack: &[d, g], front: j }
                            .reduce(slot, weights, &mut visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
