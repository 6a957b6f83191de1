//! The probability of a tree, with its runs summed out.

use tanglewood::inference::Inference;
use tanglewood::scores::{HeadKind, Use, View};
use tanglewood::{Oracle, System, Tree};

use super::Objective;
use super::readings::{Slopes, over_readings};
use super::transitions::target;
use crate::encoding::Example;
use crate::layers::window_table;
use crate::learned::{Part, RunScores, SHIFT, removing, window_parts};
use crate::network::SentenceScores;
use crate::real::Real;

/// −ln of the tree's probability among what a system can build with a single root: −ln Σ over the runs of the
/// tree + ln Σ over all runs. The derivative is how often a run uses each score, on average over all runs,
/// less the same over the runs of the tree. No run of the tree is preferred.
///
/// Where the system cannot build the tree, the nearest one that it can build takes its place. Where the chart
/// would take too much memory, heads are chosen one by one.
#[derive(Clone, Debug)]
pub struct RunLikelihood {
    system: System,
    oracle: Oracle,
    memory: u64,
}

impl RunLikelihood {
    /// For a system; a chart may take `memory` bytes, for each thread.
    pub fn new(system: System, memory: u64) -> RunLikelihood {
        let oracle = Oracle::new(&system);
        RunLikelihood { system, oracle, memory }
    }
}

impl<T: Real> Objective<T> for RunLikelihood {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let inference = Inference::new(&self.system).memory(self.memory);
        over_readings(example, scores, |tree, learned, slopes| {
            let (_, tree) = target(&inference, &self.oracle, tree)?;
            likelihood(&inference, &learned, &tree, slopes)
        })
    }
}

/// −ln of the tree's probability, and its derivative; nothing if that would take too much memory.
fn likelihood<T: Real>(
    inference: &Inference,
    learned: &RunScores<'_, T>,
    tree: &Tree,
    slopes: &mut Slopes<'_, T>,
) -> Option<f64> {
    // In double precision, since many small numbers are added.
    let (mut arcs, mut tables) = slopes.zeros();
    let mut uses = Slopes { arcs: &mut arcs, tables: &mut tables };
    let of_tree =
        inference.log_total_of(tree, learned, Some(&mut |what, count| uses.add(what, -count))).ok()?;
    let of_all = inference.log_total(learned, Some(&mut |what, count| uses.add(what, count))).ok()?;
    slopes.add_all(&arcs, &tables);
    // Rounding makes nothing more than certain.
    Some((of_all - of_tree).max(0.0))
}

impl Slopes<'_, f64> {
    /// Counts what a run uses.
    fn add(&mut self, what: Use<'_>, count: f64) {
        match what {
            Use::Shift { top, front } => self.add_move(SHIFT, top.unwrap_or(0), front, count),
            Use::Reduce { view, head, slot } => self.add_reduce(view, head, slot, count),
            Use::ReduceByTop { top, front, slot } => self.add_move(removing(slot), top, front, count),
            Use::ReduceByPair { pair, nodes, slot } => {
                if let Some(table) = window_table(pair, slot) {
                    self.part(Part::Window { table, nodes }, count);
                }
            }
            Use::Deepest { others, front } => {
                self.add_reduce(View { stack: &others, front }, HeadKind::Ahead, others.len(), count);
            }
            Use::Arc { head, dependent } => self.arc(head, dependent, count),
        }
    }

    /// With the root on top there is no choice, and no score.
    fn add_move(&mut self, this: usize, top: usize, front: usize, count: f64) {
        if top > 0 {
            self.part(Part::Move { this, top, front }, count);
        }
    }

    fn add_reduce(&mut self, view: View<'_>, head: HeadKind, slot: usize, count: f64) {
        self.add_move(removing(slot), view.stack[0], view.front, count);
        window_parts(view, head, slot).for_each(|part| self.part(part, count));
    }
}
