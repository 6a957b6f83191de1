//! Derivations from a filled chart.
//!
//! A chart holds no pointers from conclusions to premises: the rule applications that lead to an item are
//! enumerated again, and one of them is chosen by its share of the item's weight. A derivation of n words
//! asks for that some 2n times, each time at a fraction of what filling the chart cost.

use std::ops::ControlFlow;

use super::engine::SparseChart;
use super::proof::{Item, Proof, ProofStep, Rule};
use super::rules::Reduction;
use crate::Derivation;
use crate::semiring::{Additive, Semiring, Viterbi};
use crate::transition::Transition;

/// Column, cell and place in the cell of an item.
type Place = [usize; 3];

/// The premises of the last rule application of a derivation, none for an axiom, and its reduce.
type Last = (Vec<Place>, Option<Reduction>);

impl SparseChart<'_, Viterbi<f64>> {
    /// How the best derivation is deduced, if there is any derivation; see
    /// [`Deduction::proof`](super::Deduction::proof).
    pub fn proof(&self) -> Option<Proof> {
        let is_best = |weight, whole| if weight == whole { 1.0 } else { 0.0 };
        let steps = self.steps(is_best, &mut || 0.0)?;
        Some(Proof::from_goal_to_axioms(self.total().0, self.system.rules.words(), steps))
    }
}

impl<S: Additive> SparseChart<'_, S> {
    /// A derivation drawn with probability proportional to its weight, by numbers that are at least 0 and
    /// below 1; nothing if there is no derivation.
    pub fn sample(&self, draw: &mut dyn FnMut() -> f64) -> Option<Derivation> {
        let steps = self.steps(S::share, draw)?;
        Some(Proof::from_goal_to_axioms(self.total().ln(), self.system.rules.words(), steps).derivation())
    }
}

impl<S: Semiring> SparseChart<'_, S> {
    /// The steps of a derivation, conclusions first: each is followed by the proof of its second premise,
    /// then of its first. Nothing if there is no derivation.
    ///
    /// For each item, `draw` gives a number that is at least 0 and below 1, and the rule application is taken
    /// with which the sum of shares exceeds it. With all shares zero but those of the best weight, this finds
    /// the first best derivation.
    fn steps(&self, share: fn(S, S) -> f64, draw: &mut dyn FnMut() -> f64) -> Option<Vec<ProofStep>> {
        let goal = self.goal().filter(|_| self.total() != S::ZERO)?;
        let mut steps: Vec<ProofStep> = Vec::new();
        let mut open: Vec<(Place, Option<[usize; 2]>)> = vec![(goal, None)];
        while let Some((place, needed_for)) = open.pop() {
            let (premises, reduction) = self.last(place, share, draw())?;
            if let ([same], None) = (&premises[..], reduction) {
                // The block that a chain is: another name for the same run.
                open.push((*same, needed_for));
                continue;
            }
            let number = steps.len();
            if let Some([conclusion, premise]) = needed_for {
                steps[conclusion].premises[premise] = number;
            }
            let rule = match reduction {
                Some(reduction) => Rule::Step(reduction.transition()),
                None if premises.is_empty() => Rule::Step(Transition::Shift),
                None => Rule::Combine,
            };
            steps.push(ProofStep { item: self.item(place), rule, premises: vec![0; premises.len()] });
            if let ([first, second], Some(_)) = (&premises[..], reduction)
                && let Some(item) = Item::combined(self.item(*first), self.item(*second))
            {
                steps[number].premises = vec![number + 1];
                steps.push(ProofStep { item, rule: Rule::Combine, premises: vec![0; 2] });
            }
            let conclusion = steps.len() - 1;
            open.extend((0..).zip(premises).map(|(at, premise)| (premise, Some([conclusion, at]))));
        }
        Some(steps)
    }

    /// The rule application with which the sum of shares exceeds `drawn`; should rounding hide it, the last
    /// with any share.
    fn last(&self, [end, at, item]: Place, share: fn(S, S) -> f64, drawn: f64) -> Option<Last> {
        let cell = &self.columns[end][at];
        let (key, whole) = cell.items[item];
        let (mut left, mut last) = (drawn, None);
        let _ = self.ways_into([end, at], Some(key), |application, cells| {
            let share = if application.conclusion == key { share(application.weight, whole) } else { 0.0 };
            if share > 0.0 {
                left -= share;
                let premises = cells.iter().zip(application.premises);
                let premises = premises.map(|(&[end, at], item)| [end, at, item]).collect();
                last = Some((premises, application.reduction));
            }
            if left < 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        last.or_else(|| (end == cell.start + 1).then(|| (Vec::new(), None)))
    }

    fn item(&self, [end, cell, item]: Place) -> Item {
        let cell = &self.columns[end][cell];
        self.system.item(cell.items[item].0, [cell.start, end])
    }
}
