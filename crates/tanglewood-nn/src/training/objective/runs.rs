//! The probability of a tree, with its runs summed out.

use tanglewood::inference::Inference;
use tanglewood::scores::{HeadKind, Use, View};
use tanglewood::{Oracle, System, Tree};

use super::transitions::target;
use super::{HeadSelection, Objective};
use crate::encoding::Example;
use crate::layers::{MOVES, WINDOWS, window_table};
use crate::learned::{LearnedScores, Part, SHIFT, removing, window_parts};
use crate::network::SentenceScores;
use crate::real::Real;

/// −ln of the tree's probability among what a system can build from left to right with a single root: −ln Σ
/// over the runs of the tree + ln Σ over all runs. The derivative is how often a run uses each score, on
/// average over all runs, less the same over the runs of the tree. No run of the tree is preferred.
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
        let learned = LearnedScores::new(scores);
        let tree = target(&inference, &self.oracle, &example.tree).map(|(_, tree)| tree);
        match tree.and_then(|tree| likelihood(&inference, &learned, &tree)) {
            Some((loss, uses)) => {
                uses.write(scores);
                loss
            }
            None => HeadSelection.loss(example, scores),
        }
    }
}

/// −ln of the tree's probability, and its derivative; nothing if that would take too much memory.
fn likelihood<T: Real>(
    inference: &Inference,
    learned: &LearnedScores<T>,
    tree: &Tree,
) -> Option<(f64, Uses)> {
    let mut uses = Uses::new(tree.len());
    uses.sign = -1.0;
    let of_tree =
        inference.log_total_of(tree, learned, Some(&mut |what, count| uses.add(what, count))).ok()?;
    uses.sign = 1.0;
    let of_all = inference.log_total(learned, Some(&mut |what, count| uses.add(what, count))).ok()?;
    // Rounding makes nothing more than certain.
    Some(((of_all - of_tree).max(0.0), uses))
}

/// How often each score is used. In double precision, since many small numbers are added.
struct Uses {
    words: usize,
    sign: f64,
    /// A row for each dependent, by head.
    arcs: Vec<f64>,
    /// For each move a matrix: rows are tops of the stack, columns fronts of the buffer.
    moves: Vec<f64>,
    /// For each table of windows a row for each deeper node, the root last, by the other node.
    windows: Vec<f64>,
}

impl Uses {
    fn new(words: usize) -> Uses {
        let size = words * (words + 1);
        let windows = WINDOWS * (words + 1) * (words + 1);
        Uses {
            words,
            sign: 1.0,
            arcs: vec![0.0; size],
            moves: vec![0.0; MOVES * size],
            windows: vec![0.0; windows],
        }
    }

    fn use_move(&mut self, this: usize, top: usize, front: usize, count: f64) {
        // With the root on top there is no choice, and no score.
        if top > 0 {
            let row = this * self.words + top - 1;
            self.moves[row * (self.words + 1) + front - 1] += self.sign * count;
        }
    }

    fn use_window(&mut self, table: usize, [deeper, other]: [usize; 2], count: f64) {
        let rows = self.words + 1;
        let row = deeper.checked_sub(1).unwrap_or(self.words);
        self.windows[(table * rows + row) * rows + other - 1] += self.sign * count;
    }

    /// What is looked at besides top and front.
    fn use_windows(&mut self, view: View<'_>, head: HeadKind, dependent: usize, count: f64) {
        for part in window_parts(view, head, dependent) {
            if let Part::Window { table, nodes } = part {
                self.use_window(table, nodes, count);
            }
        }
    }

    /// Replaces the scores by the derivatives.
    fn write<T: Real>(&self, scores: &mut SentenceScores<T>) {
        let columns = self.words + 1;
        let set = |row: &mut [T], uses: &[f64]| {
            row.iter_mut().zip(uses).for_each(|(slope, &count)| *slope = T::of(count));
        };
        for (row, uses) in self.arcs.chunks_exact(columns).enumerate() {
            set(scores.arcs.row_mut(row), uses);
        }
        for (moves, uses) in scores.moves.iter_mut().zip(self.moves.chunks_exact(self.words * columns)) {
            uses.chunks_exact(columns).enumerate().for_each(|(row, uses)| set(moves.row_mut(row), uses));
        }
        for (windows, uses) in scores.windows.iter_mut().zip(self.windows.chunks_exact(columns * columns)) {
            uses.chunks_exact(columns).enumerate().for_each(|(row, uses)| set(windows.row_mut(row), uses));
        }
    }
}

impl Uses {
    fn add(&mut self, what: Use<'_>, count: f64) {
        match what {
            Use::Shift { top, front } => self.use_move(SHIFT, top.unwrap_or(0), front, count),
            Use::Reduce { view, head, slot } => {
                self.use_move(removing(slot), view.stack[0], view.front, count);
                self.use_windows(view, head, slot, count);
            }
            Use::ReduceByTop { top, front, slot } => self.use_move(removing(slot), top, front, count),
            Use::ReduceByPair { pair, nodes, slot } => {
                if let Some(table) = window_table(pair, slot) {
                    self.use_window(table, nodes, count);
                }
            }
            Use::Deepest { others, front } => {
                self.use_move(removing(others.len()), others[0], front, count);
                self.use_windows(View { stack: &others, front }, HeadKind::Ahead, others.len(), count);
            }
            Use::Arc { head, dependent } => {
                self.arcs[(dependent - 1) * (self.words + 1) + head] += self.sign * count;
            }
        }
    }
}
