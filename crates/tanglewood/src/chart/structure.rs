//! A dense chart as a structure of items: derivations, written once for all of them.
//!
//! A chart that is filled says of each item how it can be derived: its *candidates*, each with at most two
//! premises and at most one transition after them. Hooks are items like others. A candidate's weight is the
//! product of its factors, an item's weight the sum over its candidates. From that follow the best derivation
//! and random ones, from the goal down: charts hold no back-pointers, a candidate is chosen again by its
//! weight.
//!
//! Charts of windows describe whole rows of items at once, see [`rows`](super::rows).

use std::ops::ControlFlow;

use super::choice::Choice;
use crate::semiring::Semiring;
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

    /// The candidate of two premises and a step. If one of them is a hook, its weight may have to be
    /// computed: it is left at zero if the other one is zero.
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
