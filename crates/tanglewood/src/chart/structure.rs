//! A dense chart as a structure of items: derivations and entropies, written once for all of them.
//!
//! A chart that is filled says of each item how it can be derived: its *candidates*, each with at most two
//! premises and at most one transition after them. Hooks are items like others. A candidate's weight is the
//! product of its factors, an item's weight the sum over its candidates. From that follow
//!
//! * the best derivation and random ones, from the goal down: charts hold no back-pointers, a candidate is
//!   chosen again by its weight;
//! * the entropy, as the sum over items of what is open when one of their candidates is drawn. It compares
//!   the weights of candidates of the same item only, and so keeps its digits whatever the scores are. The
//!   probability of an item takes its *outside* weight, which is found by going through the items in the
//!   opposite of the order in which they were filled: what is outside of a premise is what is outside of the
//!   conclusion, times the other factors. No division is needed.
//!
//! Charts of windows describe whole rows of items at once, see [`rows`](super::rows).

use std::ops::ControlFlow;

use super::choice::Choice;
use crate::memory::{OutOfMemory, table};
use crate::semiring::{Additive, Semiring};
use crate::system::Address;
use crate::transition::Transition;

/// The transition after the premises of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<S> {
    None,
    /// No transition, but a further factor.
    Weight(S),
    /// A shift of this weight.
    Shift(S),
    /// Removing the node in a stack slot.
    Reduce {
        head: Address,
        slot: usize,
        /// The nodes (head, dependent).
        arc: (usize, usize),
        weight: S,
    },
}

/// A way to derive an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<I, S> {
    /// In the order of the run.
    pub premises: [Option<I>; 2],
    /// The weights of the premises; one where there is none.
    pub factors: [S; 2],
    pub step: Step<S>,
}

/// A filled chart whose items can be taken apart.
pub(super) trait Structure<S: Semiring> {
    /// What names an item.
    type Item: Copy;

    /// The item of all complete derivations.
    fn goal(&self) -> Self::Item;

    /// The weight of an item.
    fn weight(&self, item: Self::Item) -> S;

    /// Calls `visit` with each way to derive an item, until it says stop; the order is fixed. Ways of weight
    /// zero may be left out.
    fn candidates(
        &self,
        item: Self::Item,
        visit: impl FnMut(Candidate<Self::Item, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Whether the transition in an item's candidates comes after all premises of the item that it is a
    /// premise of.
    fn is_hook(&self, _item: Self::Item) -> bool {
        false
    }

    /// The sum over an item's candidates: its weight, if the chart does not store it.
    fn sum(&self, item: Self::Item) -> S {
        let mut sum = S::ZERO;
        let _ = self.candidates(item, |candidate| {
            sum.add(candidate.weight());
            ControlFlow::Continue(())
        });
        sum
    }

    /// The candidate of two premises and a step. If one of them is a hook, its weight may have to be computed:
    /// it is left at zero if the other one is zero.
    #[inline(always)]
    fn pair(&self, first: Self::Item, second: Self::Item, step: Step<S>) -> Candidate<Self::Item, S> {
        let is_hook = self.is_hook(first);
        let (stored, hook) = if is_hook { (second, first) } else { (first, second) };
        let stored = self.weight(stored);
        let hook = if stored == S::ZERO { S::ZERO } else { self.weight(hook) };
        let factors = if is_hook { [hook, stored] } else { [stored, hook] };
        Candidate { premises: [Some(first), Some(second)], factors, step }
    }
}

/// A structure whose items can be gone through backwards, layer by layer.
pub(super) trait Layered<S: Semiring>: Structure<S> {
    /// Number of words; layers are numbered from 1 to one more.
    fn words(&self) -> usize;

    /// Visits the items of a layer that have a [place](Layered::place), hooks among them, each before all of
    /// its premises.
    fn backwards(&self, layer: usize, visit: impl FnMut(Self::Item));

    /// Number of places. Hooks of different layers may share a place: it is empty again when an item has been
    /// visited.
    fn places(&self) -> usize;

    /// Where the outside weight of an item is collected; nothing for items that are taken apart as soon as
    /// they are reached.
    fn place(&self, item: Self::Item) -> Option<usize>;
}

impl<S: Semiring> Step<S> {
    #[inline(always)]
    pub fn weight(&self) -> S {
        match *self {
            Step::None => S::ONE,
            Step::Weight(weight) | Step::Shift(weight) | Step::Reduce { weight, .. } => weight,
        }
    }

    fn transition(&self) -> Option<Transition> {
        match *self {
            Step::None | Step::Weight(_) => None,
            Step::Shift(_) => Some(Transition::Shift),
            Step::Reduce { head, slot, .. } => Some(Transition::Reduce { head, dependent: slot }),
        }
    }
}

impl<I, S: Semiring> Candidate<I, S> {
    /// A step without premises.
    pub fn axiom(step: Step<S>) -> Candidate<I, S> {
        Candidate { premises: [None, None], factors: [S::ONE, S::ONE], step }
    }

    /// The weight of this way to derive the item.
    #[inline(always)]
    pub fn weight(&self) -> S {
        self.factors[0].times(self.factors[1].times(self.step.weight()))
    }
}

/// A candidate of an item by a choice.
fn chosen<S: Semiring, C: Structure<S>>(
    chart: &C,
    item: C::Item,
    choice: &mut dyn Choice<S>,
) -> Option<Candidate<C::Item, S>> {
    let mut chosen = None;
    choice.start(chart.weight(item));
    let _ = chart.candidates(item, |candidate| {
        let (better, more) = choice.see(candidate.weight());
        if better {
            chosen = Some(candidate);
        }
        more
    });
    chosen
}

/// The transitions of a derivation of the goal; none if there is no derivation.
pub(super) fn derivation<S: Semiring, C: Structure<S>>(
    chart: &C,
    choice: &mut dyn Choice<S>,
) -> Option<Vec<Transition>> {
    let mut backwards = Vec::new();
    let mut open = Vec::new();
    let mut next = Some(chart.goal());
    while let Some(item) = next {
        // The item makes room for its premises, and each hook among them for its own.
        let mut at = open.len();
        open.push(item);
        let mut is_open = true;
        while at < open.len() {
            if is_open || chart.is_hook(open[at]) {
                let chosen = chosen(chart, open[at], choice)?;
                backwards.extend(chosen.step.transition());
                open.splice(at..=at, chosen.premises.into_iter().flatten());
                is_open = false;
            } else {
                at += 1;
            }
        }
        next = open.pop();
    }
    backwards.reverse();
    Some(backwards)
}

/// The entropy, in nats, of the distribution over derivations. There has to be a derivation.
///
/// # Errors
/// If memory does not suffice.
pub(super) fn entropy<S: Additive, C: Layered<S>>(chart: &C) -> Result<f64, OutOfMemory> {
    let mut outside = table(chart.places(), S::ZERO)?;
    if let Some(goal) = chart.place(chart.goal()) {
        outside[goal] = S::ONE;
    }
    let mut pass = OutsidePass { outside, entropy: Entropy::new(chart.weight(chart.goal())) };
    for layer in (1..=chart.words() + 1).rev() {
        chart.backwards(layer, |item| {
            let Some(place) = chart.place(item) else { return };
            let outside = std::mem::replace(&mut pass.outside[place], S::ZERO);
            pass.divide(chart, item, outside);
        });
    }
    Ok(pass.entropy.nats)
}

/// What is known of the entropy so far: what is open when a candidate of an item is drawn, summed over items.
pub(super) struct Entropy<S> {
    share: fn(S, S) -> f64,
    total: S,
    pub nats: f64,
}

impl<S: Semiring> Entropy<S> {
    pub fn new(total: S) -> Entropy<S>
    where
        S: Additive,
    {
        Entropy { share: S::share, total, nats: 0.0 }
    }

    /// Adds a candidate of an item of weight `whole`, given what is outside of that item.
    pub fn add(&mut self, whole: S, outside: S, candidate: S) {
        let probability = (self.share)(outside.times(candidate), self.total);
        if probability > 0.0 {
            self.nats -= probability * (self.share)(candidate, whole).min(1.0).ln();
        }
    }
}

/// Outside weights that have been collected so far.
struct OutsidePass<S> {
    outside: Vec<S>,
    entropy: Entropy<S>,
}

impl<S: Semiring> OutsidePass<S> {
    /// Hands what is outside of an item to the premises of its candidates.
    fn divide<C: Layered<S>>(&mut self, chart: &C, item: C::Item, outside: S) {
        if outside == S::ZERO {
            return;
        }
        let whole = chart.weight(item);
        let _ = chart.candidates(item, |candidate| {
            self.entropy.add(whole, outside, candidate.weight());
            let [first, second] = candidate.factors;
            let around = outside.times(candidate.step.weight());
            for (premise, other) in candidate.premises.into_iter().zip([second, first]) {
                let Some(premise) = premise else { continue };
                match chart.place(premise) {
                    Some(place) => self.outside[place].add(around.times(other)),
                    None => self.divide(chart, premise, around.times(other)),
                }
            }
            ControlFlow::Continue(())
        });
    }
}
