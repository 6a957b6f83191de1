//! How probable each arc is, when derivations are drawn by their weights.
//!
//! The goal is in every derivation. An item's probability is divided among the rule applications that derive it, each by its share
//! of the item's weight, and each application passes its part on to both premises, and to its arc. Going through the cells in the
//! opposite of the order in which they were filled, an item has received everything before it is divided. Time is that of
//! filling the chart, space a number per item.

use super::chart::{Chart, Column, Key, joined, without};
use crate::scores::TransitionScores;
use crate::semiring::Additive;

/// A probability for each arc.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    nodes: usize,
    /// A row per head.
    probabilities: Vec<f64>,
}

impl Marginals {
    /// Nothing is probable yet.
    pub(crate) fn zero(words: usize) -> Marginals {
        let nodes = words + 1;
        Marginals { nodes, probabilities: vec![0.0; nodes * nodes] }
    }

    /// Makes an arc (head, dependent) more probable.
    pub(crate) fn add(&mut self, (head, dependent): (usize, usize), part: f64) {
        self.probabilities[head * self.nodes + dependent] += part;
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.nodes - 1
    }

    /// The share of derivations in which `dependent` has that head.
    ///
    /// # Panics
    /// If a node is out of range.
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        assert!(
            head < self.nodes && dependent < self.nodes,
            "{head} → {dependent} in {} words",
            self.words()
        );
        self.probabilities[head * self.nodes + dependent]
    }
}

impl<S: Additive, T: TransitionScores + ?Sized> Chart<'_, S, T> {
    /// The probabilities of all arcs, if there is a derivation.
    pub fn marginals(&self) -> Option<Marginals> {
        let mut arcs = Marginals::zero(self.rules.words());
        let [column, cell, item] = self.goal().filter(|_| self.total() != S::ZERO)?;
        let zeros = |column: &Column<S>| column.iter().map(|cell| vec![0.0; cell.items.len()]).collect();
        let mut posteriors: Vec<Vec<Vec<f64>>> = self.columns.iter().map(zeros).collect();
        posteriors[column][cell][item] = 1.0;
        for end in (1..self.columns.len()).rev() {
            for second_cell in (0..self.columns[end].len()).rev() {
                self.divide(end, second_cell, &mut posteriors, &mut arcs);
            }
        }
        Some(arcs)
    }

    /// For all rule applications whose second premise is in this cell: passes the conclusion's probability on.
    fn divide(&self, end: usize, second_cell: usize, posteriors: &mut [Vec<Vec<f64>>], arcs: &mut Marginals) {
        let seconds = &self.columns[end][second_cell];
        let middle = seconds.start;
        let mut window = Vec::new();
        for (first_cell, firsts) in self.columns[middle].iter().enumerate() {
            let Some(target_cell) = self.cell(firsts.start, end) else { continue };
            let targets = &self.columns[end][target_cell];
            for (at_first, &(first, weight)) in firsts.items.iter().enumerate() {
                let Some(extended) = self.extended(first, weight, middle) else { continue };
                for at_second in seconds.with_left(self.stacks.top(first.right)) {
                    let (second, weight) = seconds.items[at_second];
                    self.stacks.write_window(first.right, second.right, &mut window);
                    for reduction in self.rules.reductions(&window, end, self.scores) {
                        let right = self.stacks.find(&without(&window, reduction));
                        let key = right.map(|right| Key { left: first.left, right });
                        let Some(target) = key.and_then(|key| targets.find(key)) else { continue };
                        let share = S::share(joined(extended, weight, reduction), targets.items[target].1);
                        let part = posteriors[end][target_cell][target] * share;
                        posteriors[middle][first_cell][at_first] += part;
                        posteriors[end][second_cell][at_second] += part;
                        arcs.add(reduction.arc, part);
                    }
                }
            }
        }
    }
}
