//! What objectives over runs share: a loss for each direction in which a model reads, and its derivatives.

use tanglewood::{Configuration, Derivation, Transition, Tree};

use super::transitions::walk;
use super::{HeadSelection, Objective};
use crate::encoding::Example;
use crate::layers::{RunTables, arc_scores};
use crate::learned::{Part, RunScores, parts, window_place};
use crate::matrix::Matrix;
use crate::network::SentenceScores;
use crate::real::Real;

/// The mean of the losses of all directions in which the model reads, so that trees count as much beside
/// labels and tags as they do for one. `loss` gets tree and scores in reading order, and gives nothing where
/// it would take too much memory: then heads are chosen one by one, as for a model without transitions.
pub(super) fn over_readings<T: Real>(
    example: &Example,
    scores: &mut SentenceScores<T>,
    loss: impl Fn(&Tree, RunScores<'_, T>, &mut Slopes<'_, T>) -> Option<f64>,
) -> f64 {
    if scores.runs.is_empty() {
        return HeadSelection.loss(example, scores);
    }
    let arcs = arc_scores(&scores.arcs);
    let mut found = scores.clone();
    found.values_mut().for_each(|value| *value = T::ZERO);
    let SentenceScores { arcs: of_arcs, runs: of_runs } = &mut found;
    let mut total = 0.0;
    for (tables, of_tables) in scores.runs.iter().zip(of_runs) {
        let tree = tables.direction.read(example.tree.clone());
        let mut slopes = Slopes { arcs: of_arcs, tables: of_tables };
        match loss(&tree, RunScores::new(&arcs, tables), &mut slopes) {
            Some(loss) => total += loss,
            None => return HeadSelection.loss(example, scores),
        }
    }
    let share = 1.0 / scores.runs.len() as f64;
    found.values_mut().for_each(|value| *value *= T::of(share));
    *scores = found;
    total * share
}

/// The derivative of a loss, put together from parts, for words in reading order.
pub(super) struct Slopes<'a, T> {
    /// In the order of the sentence, since all directions share them.
    pub arcs: &'a mut Matrix<T>,
    pub tables: &'a mut RunTables<T>,
}

impl<T: Real> Slopes<'_, T> {
    /// As many zeros, in double precision.
    pub fn zeros(&self) -> (Matrix<f64>, RunTables<f64>) {
        let zeros = |table: &Matrix<T>| Matrix::zeros(table.rows(), table.columns());
        let RunTables { direction, moves, windows } = &*self.tables;
        let (moves, windows) = (moves.iter().map(zeros).collect(), windows.iter().map(zeros).collect());
        (zeros(self.arcs), RunTables { direction: *direction, moves, windows })
    }

    /// Adds numbers for all that there is.
    pub fn add_all(&mut self, arcs: &Matrix<f64>, tables: &RunTables<f64>) {
        let of_tables = tables.moves.iter().chain(&tables.windows).flat_map(Matrix::values);
        let numbers = arcs.values().iter().chain(of_tables);
        let slopes = self.arcs.values_mut().iter_mut().chain(self.tables.values_mut());
        slopes.zip(numbers).for_each(|(slope, &number)| *slope += T::of(number));
    }

    pub fn arc(&mut self, head: usize, dependent: usize, slope: f64) {
        let words = self.arcs.rows();
        let place = |node| self.tables.direction.place(words, node);
        self.arcs.row_mut(place(dependent) - 1)[place(head)] += T::of(slope);
    }

    pub fn part(&mut self, part: Part, slope: f64) {
        match part {
            Part::Arc { head, dependent } => self.arc(head, dependent, slope),
            Part::Move { this, top, front } => {
                if let Some(moves) = self.tables.moves.get_mut(this) {
                    moves.row_mut(top - 1)[front - 1] += T::of(slope);
                }
            }
            Part::Window { table, nodes } => {
                if let Some(windows) = self.tables.windows.get_mut(table) {
                    let (row, column) = window_place(windows, nodes);
                    windows.row_mut(row)[column] += T::of(slope);
                }
            }
        }
    }

    pub fn transition(&mut self, configuration: &Configuration, transition: Transition, slope: f64) {
        parts(configuration, transition).for_each(|part| self.part(part, slope));
    }

    pub fn run(&mut self, run: &Derivation, slope: f64) {
        walk(run, |configuration, transition| self.transition(configuration, transition, slope));
    }
}
