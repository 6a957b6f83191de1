//! Scores of transitions for reading in one direction: moves, and windows if the network has them.

use tanglewood::Direction;

use super::moves::{Moves, MovesTape};
use super::windows::{Windows, WindowsTape};
use crate::matrix::Matrix;
use crate::packing::Packing;
use crate::parameters::{Gradients, Layout, Parameters};
use crate::real::Real;

/// The scores of a sentence's transitions for one direction, or their derivatives.
///
/// Words are in the order in which they are read: from right to left, these are the tables of the mirrored
/// sentence. So whatever takes them need not know the direction.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTables<T> {
    /// One of the two.
    pub direction: Direction,
    /// See [`Moves::forward`].
    pub moves: Vec<Matrix<T>>,
    /// See [`Windows::forward`]; empty if the network has none.
    pub windows: Vec<Matrix<T>>,
}

impl<T: Real> RunTables<T> {
    /// From tables with words in the order of the sentence.
    pub(crate) fn read(direction: Direction, moves: Vec<Matrix<T>>, windows: Vec<Matrix<T>>) -> RunTables<T> {
        RunTables { direction, moves, windows }.turned()
    }

    /// From reading order to the order of the sentence, or the other way round. What is beyond the words, the
    /// root or the end of the buffer, stays where it is.
    fn turned(mut self) -> RunTables<T> {
        if self.direction == Direction::Rtl {
            let words = self.moves.first().map_or(0, Matrix::rows);
            let place = |at: usize| self.direction.place(words, at + 1) - 1;
            for table in self.moves.iter_mut().chain(&mut self.windows) {
                let mut turned = Matrix::zeros(table.rows(), table.columns());
                for row in 0..table.rows() {
                    let to = turned.row_mut(place(row));
                    table.row(row).iter().enumerate().for_each(|(column, &value)| to[place(column)] = value);
                }
                *table = turned;
            }
        }
        self
    }

    /// All numbers.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.moves.iter_mut().chain(&mut self.windows).flat_map(|table| table.values_mut())
    }
}

/// The parameters of one direction's scores.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) direction: Direction,
    pub(crate) moves: Moves,
    pub(crate) windows: Option<Windows>,
    /// Where its vectors begin among the columns of words: tops, fronts and, for windows, deeper nodes.
    pub(crate) column: usize,
}

/// What the backward pass needs.
#[derive(Clone, Debug)]
pub struct ReaderTape<T> {
    moves: MovesTape<T>,
    windows: Option<WindowsTape<T>>,
}

impl Reader {
    /// For vectors of this size, which begin at this column.
    pub fn new(
        layout: &mut Layout,
        direction: Direction,
        size: usize,
        has_windows: bool,
        column: usize,
    ) -> Reader {
        // A program that knows of no direction finds no scores of the other one, instead of taking these
        // for what they are not.
        let prefix = if direction == Direction::Rtl { "rtl." } else { "" };
        let moves = Moves::new(layout, &format!("{prefix}moves"), size);
        let windows = has_windows.then(|| Windows::new(layout, &format!("{prefix}windows"), size));
        Reader { direction, moves, windows, column }
    }

    /// The tables of each sentence by rank.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        words: &Matrix<T>,
    ) -> (Vec<RunTables<T>>, ReaderTape<T>) {
        let (of_moves, moves) = self.moves.forward(parameters, packing, words, self.column);
        let windows = self.windows.as_ref();
        let windows = windows.map(|windows| windows.forward(parameters, packing, words, self.column));
        let (of_windows, windows) = windows.unzip();
        let of_windows = of_windows.unwrap_or_else(|| vec![Vec::new(); of_moves.len()]);
        let tables = of_moves.into_iter().zip(of_windows);
        let tables = tables.map(|(moves, windows)| RunTables::read(self.direction, moves, windows)).collect();
        (tables, ReaderTape { moves, windows })
    }

    /// From the gradients of all sentences' tables to that of the words, which is added to `to`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        (words, tape): (&Matrix<T>, &ReaderTape<T>),
        tables: Vec<RunTables<T>>,
        to: &mut Matrix<T>,
        gradients: &mut Gradients<T>,
    ) {
        let tables = tables.into_iter().map(RunTables::turned);
        let (of_moves, of_windows): (Vec<_>, Vec<_>) =
            tables.map(|tables| (tables.moves, tables.windows)).unzip();
        let of_words = (&mut *to, self.column);
        self.moves.backward(parameters, packing, (words, &tape.moves), &of_moves, of_words, gradients);
        if let (Some(windows), Some(tape)) = (&self.windows, &tape.windows) {
            windows.backward(parameters, packing, (words, tape), &of_windows, (to, self.column), gradients);
        }
    }
}
