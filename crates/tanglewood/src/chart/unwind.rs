//! From numbers back to derivations.
//!
//! Charts keep no back-pointers. Which premises an item came from is found again by looking at all candidates, which costs O(n³) for each of the
//! 2n + 1 steps of a derivation: nothing beside filling the chart. The candidates come in a fixed order and the first of the best is
//! taken, so that ties are always broken in the same way.

use super::degree1::Degree1;
use super::degree2::Degree2;
use super::weights::Weights;
use crate::scores::TransitionScores;
use crate::semiring::{Additive, Semiring};
use crate::system::Address;
use crate::transition::Transition;

/// A way to derive an item: its premises and the transition that follows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<I, S> {
    pub premises: [Option<I>; 2],
    pub transition: Transition,
    pub weight: S,
}

/// Goes through all candidates of an item, in order; as often as it is called.
pub(super) type Candidates<'c, I, S> = &'c mut dyn FnMut(&mut dyn FnMut(Candidate<I, S>));

/// A chart whose items can be taken apart.
pub(super) trait Unwind<S: Semiring> {
    /// What names an item.
    type Item: Copy;

    /// The item of all complete derivations.
    fn goal(&self) -> Self::Item;

    /// Calls `visit` for every way to derive an item. Weights are computed exactly as when the chart was filled.
    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Self::Item,
        weights: &Weights<'_, S, T>,
        visit: &mut dyn FnMut(Candidate<Self::Item, S>),
    );

    /// A derivation of the goal; `choose` picks one of an item's candidates, none if there is none.
    fn derivation<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
        mut choose: impl FnMut(Candidates<'_, Self::Item, S>) -> Option<Candidate<Self::Item, S>>,
    ) -> Option<Vec<Transition>> {
        let mut backwards = Vec::new();
        let mut open = vec![self.goal()];
        while let Some(item) = open.pop() {
            let chosen = choose(&mut |visit| self.candidates(item, weights, visit))?;
            backwards.push(chosen.transition);
            open.extend(chosen.premises.into_iter().flatten());
        }
        backwards.reverse();
        Some(backwards)
    }
}

/// The first candidate of largest weight that is not zero.
pub(super) fn best<I: Copy, S: Semiring + PartialOrd>(
    candidates: Candidates<'_, I, S>,
) -> Option<Candidate<I, S>> {
    let mut best: Option<Candidate<I, S>> = None;
    candidates(&mut |candidate| {
        if candidate.weight > best.map_or(S::ZERO, |best| best.weight) {
            best = Some(candidate);
        }
    });
    best
}

/// A candidate drawn with probability proportional to its weight.
pub(super) fn draw<I: Copy, S: Additive>(
    candidates: Candidates<'_, I, S>,
    uniform: &mut dyn FnMut() -> f64,
) -> Option<Candidate<I, S>> {
    let mut whole = S::ZERO;
    candidates(&mut |candidate| whole = whole.plus(candidate.weight));
    let mut left = uniform();
    let mut drawn = None;
    candidates(&mut |candidate| {
        // Rounding may leave a little over at the end: then it is the last one that has any weight.
        if candidate.weight != S::ZERO && left >= 0.0 {
            drawn = Some(candidate);
            left -= S::share(candidate.weight, whole);
        }
    });
    drawn
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

/// The transition that removes a slot with a head.
fn reduce(head: Address, dependent: usize) -> Transition {
    Transition::Reduce { head, dependent }
}

const SHIFT: Transition = Transition::Shift;

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
    pub(super) fn weight(&self, item: Item2) -> S {
        match item {
            Item2::Prefix { j } => self.prefix[j],
            Item2::Diagonal { h1, i, h3, j } => self.diagonal(h1, i, h3, j),
            Item2::Row { h1, i, h2, h3, j } => self.off(h1, i, h2, h3, j),
        }
    }

    /// Items [h3, k, ·, ·, j] that leave x on top when s0 or s1 of the window over `h2` goes: (item, removed slot, stack).
    fn seconds_keeping(
        &self,
        h2: usize,
        h3: usize,
        k: usize,
        x: usize,
        j: usize,
    ) -> Vec<(Item2, usize, [usize; 3])> {
        let diagonal = |h5| Item2::Diagonal { h1: h3, i: k, h3: h5, j };
        let row = |h4, h5| Item2::Row { h1: h3, i: k, h2: h4, h3: h5, j };
        let off = self.layout.off_diagonal;
        let mut seconds = Vec::new();
        if x == h3 {
            seconds.extend((k..j).map(|h5| (diagonal(h5), 0, [h5, h3, h2])));
        } else if x >= k {
            seconds.push((diagonal(x), 1, [x, h3, h2]));
            if off {
                seconds.extend((x + 1..j).map(|h5| (row(x, h5), 0, [h5, x, h2])));
                seconds.extend((k..x).map(|h4| (row(h4, x), 1, [x, h4, h2])));
            }
        }
        seconds
    }
}

impl<S: Semiring> Unwind<S> for Degree2<S> {
    type Item = Item2;

    fn goal(&self) -> Item2 {
        Item2::Prefix { j: self.layout.words + 1 }
    }

    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Item2,
        weights: &Weights<'_, S, T>,
        visit: &mut dyn FnMut(Candidate<Item2, S>),
    ) {
        let leaf = |weight| Candidate { premises: [None, None], transition: SHIFT, weight };
        match item {
            Item2::Prefix { j: 1 } => visit(leaf(weights.shift(None, 0))),
            Item2::Prefix { j } => {
                for k in 1..j {
                    for h5 in k..j {
                        let first = Item2::Prefix { j: k };
                        let second = Item2::Diagonal { h1: 0, i: k, h3: h5, j };
                        for (head, _, weight) in weights.heads(&[h5, 0], j, 0) {
                            let weight = self.weight(first).times(self.weight(second).times(weight));
                            visit(Candidate {
                                premises: [Some(first), Some(second)],
                                transition: reduce(head, 0),
                                weight,
                            });
                        }
                    }
                }
            }
            Item2::Diagonal { h1, i, h3: _, j } if i + 1 == j => visit(leaf(weights.shift(Some(h1), i))),
            Item2::Diagonal { h1, i, h3: x, j } => {
                for k in i + 1..j {
                    for h3 in i..k {
                        let first = Item2::Diagonal { h1, i, h3, j: k };
                        for (second, slot, stack) in self.seconds_keeping(h1, h3, k, x, j) {
                            for (head, _, weight) in weights.heads(&stack, j, slot) {
                                let weight = self.weight(first).times(self.weight(second).times(weight));
                                visit(Candidate {
                                    premises: [Some(first), Some(second)],
                                    transition: reduce(head, slot),
                                    weight,
                                });
                            }
                        }
                    }
                }
            }
            Item2::Row { h1, i, h2, h3: x, j } => {
                for k in h2 + 2..j {
                    for h3 in h2 + 1..k {
                        let first = Item2::Row { h1, i, h2, h3, j: k };
                        for (second, slot, stack) in self.seconds_keeping(h2, h3, k, x, j) {
                            for (head, _, weight) in weights.heads(&stack, j, slot) {
                                let weight = self.weight(first).times(self.weight(second).times(weight));
                                visit(Candidate {
                                    premises: [Some(first), Some(second)],
                                    transition: reduce(head, slot),
                                    weight,
                                });
                            }
                        }
                    }
                }
                for k in i + 1..j {
                    for h3 in i..k {
                        let second = match h3 == h2 {
                            true if k <= x => Item2::Diagonal { h1: h2, i: k, h3: x, j },
                            false if k <= h2 => Item2::Row { h1: h3, i: k, h2, h3: x, j },
                            _ => continue,
                        };
                        for removed in std::iter::once(h1).chain(i..h3) {
                            let first = match removed == h1 {
                                true => Item2::Diagonal { h1, i, h3, j: k },
                                false => Item2::Row { h1, i, h2: removed, h3, j: k },
                            };
                            for (head, _, weight) in weights.heads(&[x, h2, removed], j, 2) {
                                let weight = self.weight(second).times(self.weight(first).times(weight));
                                visit(Candidate {
                                    premises: [Some(first), Some(second)],
                                    transition: reduce(head, 2),
                                    weight,
                                });
                            }
                        }
                    }
                }
            }
        }
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

impl<S: Semiring> Degree1<S> {
    fn weight(&self, item: Item1) -> S {
        match item {
            Item1::Prefix { j } => self.prefix[j],
            Item1::Item { i, h, j } => self.row(i, j)[h - i],
        }
    }
}

impl<S: Semiring> Unwind<S> for Degree1<S> {
    type Item = Item1;

    fn goal(&self) -> Item1 {
        Item1::Prefix { j: self.words + 1 }
    }

    fn candidates<T: TransitionScores + ?Sized>(
        &self,
        item: Item1,
        weights: &Weights<'_, S, T>,
        visit: &mut dyn FnMut(Candidate<Item1, S>),
    ) {
        let leaf = |weight| Candidate { premises: [None, None], transition: SHIFT, weight };
        match item {
            Item1::Prefix { j: 1 } => visit(leaf(weights.shift(None, 0))),
            Item1::Prefix { j } => {
                for k in 1..j {
                    for d in k..j {
                        let second = Item1::Item { i: k, h: d, j };
                        let first = Item1::Prefix { j: k };
                        for (head, _, weight) in weights.heads(&[d, 0], j, 0) {
                            let weight = self.weight(first).times(self.weight(second).times(weight));
                            visit(Candidate {
                                premises: [Some(first), Some(second)],
                                transition: reduce(head, 0),
                                weight,
                            });
                        }
                    }
                }
            }
            Item1::Item { i, j, .. } if i + 1 == j => visit(leaf(weights.shift(None, i))),
            Item1::Item { i, h: x, j } => {
                for k in i + 1..j {
                    // s0 goes, g = x stays.
                    if x < k {
                        let first = Item1::Item { i, h: x, j: k };
                        for d in k..j {
                            let second = Item1::Item { i: k, h: d, j };
                            for (head, _, weight) in weights.heads(&[d, x], j, 0) {
                                let weight = self.weight(first).times(self.weight(second).times(weight));
                                visit(Candidate {
                                    premises: [Some(first), Some(second)],
                                    transition: reduce(head, 0),
                                    weight,
                                });
                            }
                        }
                    } else {
                        // s1 goes, d = x stays.
                        let second = Item1::Item { i: k, h: x, j };
                        for g in i..k {
                            let first = Item1::Item { i, h: g, j: k };
                            for (head, _, weight) in weights.heads(&[x, g], j, 1) {
                                let weight = self.weight(second).times(self.weight(first).times(weight));
                                visit(Candidate {
                                    premises: [Some(first), Some(second)],
                                    transition: reduce(head, 1),
                                    weight,
                                });
                            }
                        }
                    }
                }
            }
        }
    }
}
