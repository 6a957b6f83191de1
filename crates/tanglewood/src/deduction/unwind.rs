//! Finding the best derivation again.
//!
//! A chart holds no pointers from conclusions to premises. The best weight of an item is the very number that one of its rule
//! applications gives, so looking for an application that gives it finds the premises. A derivation of n words asks for that n
//! times, each time at a fraction of what filling the chart cost.

use super::chart::{Chart, Key, joined, without};
use super::proof::{Item, Proof, ProofStep, Rule};
use super::stacks::Stack;
use crate::scores::TransitionScores;
use crate::semiring::{Semiring, Viterbi};
use crate::transition::Transition;

/// An item of the chart with its cell and weight.
#[derive(Clone, Copy)]
struct Derived {
    start: usize,
    end: usize,
    key: Key,
    weight: Viterbi<f64>,
}

impl<T: TransitionScores + ?Sized> Chart<'_, Viterbi<f64>, T> {
    /// The best derivation, if there is one.
    pub fn proof(&self) -> Option<Proof> {
        let score = self.total();
        let [column, cell, item] = self.goal().filter(|_| score != Viterbi::ZERO)?;
        let (key, weight) = self.columns[column][cell].items[item];
        // From the goal to the axioms: each conclusion is followed by the proof of its second premise, then of its first.
        let mut steps: Vec<ProofStep> = Vec::new();
        let mut pending = vec![(Derived { start: 0, end: column, key, weight }, None)];
        while let Some((derived, needed_for)) = pending.pop() {
            let number = steps.len();
            if let Some((conclusion, place)) = needed_for {
                let conclusion: &mut ProofStep = &mut steps[conclusion];
                conclusion.premises[place] = number;
            }
            let item = self.spelled_out(derived);
            // A run from j to j + 1 is a shift: a reduce would take the stack back to the size it had before.
            let (rule, premises) = if derived.end == derived.start + 1 {
                (Transition::Shift, 0)
            } else {
                let (first, second, reduce) = self.last_step(derived)?;
                pending.extend([(first, Some((number, 0))), (second, Some((number, 1)))]);
                (reduce, 2)
            };
            steps.push(ProofStep { item, rule: Rule::Step(rule), premises: vec![0; premises] });
        }
        Some(Proof::from_goal_to_axioms(score.0, self.rules.words(), steps))
    }

    /// The premises and the reduce that give an item the weight it has.
    fn last_step(&self, item: Derived) -> Option<(Derived, Derived, Transition)> {
        let Derived { start, end, key, weight } = item;
        let mut window = Vec::new();
        for seconds in self.columns[end].iter().take_while(|seconds| seconds.start > start) {
            let middle = seconds.start;
            let Some(cell) = self.cell(start, middle) else { continue };
            let firsts = &self.columns[middle][cell];
            for &(first, of_first) in &firsts.items[firsts.with_left(key.left)] {
                let Some(extended) = self.extended(first, of_first, middle) else { continue };
                for &(second, of_second) in &seconds.items[seconds.with_left(self.stacks.top(first.right))] {
                    self.stacks.write_window(first.right, second.right, &mut window);
                    let found = self.rules.reductions(&window, end, self.scores).find(|&reduction| {
                        joined(extended, of_second, reduction) == weight
                            && without(&window, reduction) == self.stacks.nodes(key.right)
                    });
                    if let Some(reduction) = found {
                        let first = Derived { start, end: middle, key: first, weight: of_first };
                        let second = Derived { start: middle, end, key: second, weight: of_second };
                        return Some((first, second, reduction.transition()));
                    }
                }
            }
        }
        None
    }

    fn spelled_out(&self, item: Derived) -> Item {
        let degree = self.rules.degree();
        let nodes = |stack: Stack, len: usize| {
            let nodes = self.stacks.nodes(stack);
            let missing = std::iter::repeat_n(None, len - nodes.len());
            missing.chain(nodes.iter().rev().copied().map(Some)).collect()
        };
        Item::Window {
            left: nodes(item.key.left, degree - 1),
            start: item.start,
            right: nodes(item.key.right, degree),
            end: item.end,
        }
    }
}
