//! How probable each arc is, when derivations are drawn by their weights.
//!
//! As in [`deduction`](crate::deduction): the goal has probability one, an item's probability is divided among the rule applications that derive it, each by
//! its share of the item's weight, and each passes its part on to its premises and to its arc. Everything happens in the opposite of the order in which
//! the chart was filled, so that an item has received all it gets before it is divided.

use super::chart::{Cell, Chart, linked, write_block, write_window};
use super::inner::Inner;
use crate::deduction::Marginals;
use crate::scores::TransitionScores;
use crate::semiring::Additive;

/// The probabilities of the block and the chain with the same nodes.
#[derive(Clone, Copy, Default)]
struct Posterior {
    block: f64,
    chain: f64,
}

/// An entry per item of each cell of a column.
type Posteriors = Vec<Vec<Posterior>>;

impl<S: Additive, T: TransitionScores + ?Sized> Chart<'_, S, T> {
    /// The probabilities of all arcs, if there is a derivation.
    pub fn marginals(&self) -> Option<Marginals> {
        let mut arcs = Marginals::zero(self.rules.words());
        let [column, cell, item] = self.goal().filter(|_| self.total() != S::ZERO)?;
        let zeros = |cell: &Cell<S>| vec![Posterior::default(); cell.items.len()];
        let mut posteriors: Vec<Posteriors> =
            self.columns.iter().map(|column| column.iter().map(zeros).collect()).collect();
        posteriors[column][cell][item].block = 1.0;
        for end in (1..self.columns.len()).rev() {
            let (before, from_here) = posteriors.split_at_mut(end);
            for at in (0..self.columns[end].len()).rev() {
                let (seconds, conclusions) = from_here[0][at..].split_first_mut()?;
                self.divide_among_pairs(end, at, conclusions, before, seconds, &mut arcs);
                self.divide_in_cell(end, at, seconds, &mut arcs);
            }
        }
        Some(arcs)
    }

    /// For all frames whose chain, after the first block, is in this cell: passes the probability of what follows from them on. Conclusions are in the cells after
    /// this one, first premises in the columns before.
    fn divide_among_pairs(
        &self,
        end: usize,
        at: usize,
        conclusions: &[Vec<Posterior>],
        before: &mut [Posteriors],
        chains: &mut [Posterior],
        arcs: &mut Marginals,
    ) {
        let seconds = &self.columns[end][at];
        let middle = seconds.start;
        let mut window = Vec::new();
        for (firsts, blocks) in self.columns[middle].iter().zip(&mut before[middle]) {
            let Some(target) = self.cell(firsts.start, end) else { continue };
            let (targets, of_targets) = (&self.columns[end][target], &conclusions[target - at - 1]);
            for (first, block) in firsts.items.iter().zip(blocks) {
                let Some(shifted) = self.shifted(firsts.start, first, middle) else { continue };
                let fitting = self.fitting(first, seconds);
                for (second, chain) in seconds.items[..fitting].iter().zip(&mut *chains) {
                    let frame = shifted.times(second.weights.chain);
                    let above = write_window([first, second], [firsts.start, middle], &mut window);
                    let inner = &window[..window.len() - 1];
                    let mut part = 0.0;
                    for link in self.links(&window, end, above) {
                        let Some(item) = targets.find(Inner::without(inner, link.dependent)) else {
                            continue;
                        };
                        let share = S::share(linked(frame, link), targets.items[item].weights.block);
                        arcs.add(link.arc, share * of_targets[item].block);
                        part += share * of_targets[item].block;
                    }
                    if let Some(item) = self.chain(&window).and_then(|chain| targets.find(chain)) {
                        part += S::share(frame, targets.items[item].weights.chain) * of_targets[item].chain;
                    }
                    block.block += part;
                    chain.chain += part;
                }
            }
        }
    }

    /// A chain's probability goes to the block it may be; that of a block to the blocks with one node more, and so on.
    fn divide_in_cell(&self, end: usize, at: usize, posteriors: &mut [Posterior], arcs: &mut Marginals) {
        let cell = &self.columns[end][at];
        let mut window = Vec::new();
        for (at, item) in cell.items.iter().enumerate() {
            let weights = item.weights;
            posteriors[at].block += S::share(weights.block, weights.chain) * posteriors[at].chain;
            if weights.block == S::ZERO || item.inner.len() == 0 {
                continue;
            }
            write_block(item.inner, cell.start, &mut window);
            for link in self.links(&window, end, 0) {
                let block = Inner::without(&window[..window.len() - 1], link.dependent);
                let Some(conclusion) = cell.find(block) else { continue };
                let share = S::share(linked(weights.block, link), cell.items[conclusion].weights.block);
                let part = share * posteriors[conclusion].block;
                arcs.add(link.arc, part);
                posteriors[at].block += part;
            }
        }
    }
}
