//! Scores of what to do next, given the top of the stack and the front of the buffer: a biaffine table for
//! each move.
//!
//! With the root on top there is no choice but to shift, which needs no score. A transition's score is that
//! of its move plus that of its arc, if it makes one. Top and front are visible to every transition of every
//! system, and the head is not looked at here: so exact inference takes no longer than with arcs alone,
//! wherever [`tanglewood::scores`] allows for that.

use std::ops::Range;

use super::biaffine::{Biaffine, Queries};
use crate::matrix::{Matrix, add};
use crate::packing::Packing;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// Shift; or remove the top of the stack, the node below it, or one that is deeper.
pub const MOVES: usize = 4;

/// The parameters of moves' scores.
#[derive(Clone, Debug)]
pub struct Moves {
    /// A table for each move; rows are tops, columns fronts.
    pub(crate) pairs: Biaffine,
    /// The front of an empty buffer.
    pub(crate) end: Tensor,
}

/// Values of the forward pass that the backward pass reads.
#[derive(Clone, Debug)]
pub struct MovesTape<T> {
    /// For each sentence its words, then the end.
    fronts: Matrix<T>,
    queries: Queries<T>,
}

impl Moves {
    /// Creates the layer for vectors of `size` numbers.
    pub fn new(layout: &mut Layout, name: &str, size: usize) -> Moves {
        Moves {
            pairs: Biaffine::new(layout, name, ["top", "front"], size, MOVES),
            end: layout.add(format!("{name}.end"), 1, size, Kind::Glorot),
        }
    }

    /// For each sentence by rank and each move a matrix of scores: a row for each word on top, a column for
    /// each front from the first word on. From `column` on, `words` are vectors for tops, then for fronts.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        words: &Matrix<T>,
        column: usize,
    ) -> (Vec<Vec<Matrix<T>>>, MovesTape<T>) {
        let size = self.pairs.size;
        let fronts = with_end(packing, words, column + size, parameters.slice(self.end));
        let tops = words.part(0..words.rows(), column..column + size);
        let queries = self.pairs.queries(parameters, tops, words.rows());
        let score = |rank, this: usize| {
            let rows = one_more(packing, rank);
            let fronts = (fronts.part(rows.clone(), 0..size), rows.len());
            self.pairs.scores(&queries, this, packing.rows(rank), fronts)
        };
        let scores =
            (0..packing.sentences()).map(|rank| (0..MOVES).map(|this| score(rank, this)).collect()).collect();
        (scores, MovesTape { fronts, queries })
    }

    /// From the gradients of all sentences' scores to that of the words, which is added to `to`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        (words, tape): (&Matrix<T>, &MovesTape<T>),
        scores: &[Vec<Matrix<T>>],
        (to, column): (&mut Matrix<T>, usize),
        gradients: &mut Gradients<T>,
    ) {
        let size = self.pairs.size;
        let MovesTape { fronts, queries } = tape;
        let mut slopes = self.pairs.slopes(words.rows());
        let mut of_fronts = Matrix::zeros(fronts.rows(), size);
        for (rank, scores) in scores.iter().enumerate() {
            let rows = one_more(packing, rank);
            for (this, scores) in scores.iter().enumerate() {
                let columns = (fronts.part(rows.clone(), 0..size), of_fronts.part_mut(rows.clone(), 0..size));
                self.pairs.add_slopes((queries, &mut slopes), this, packing.rows(rank), columns, scores);
            }
        }
        back_with_end(packing, &of_fronts, (to, column + size), gradients.slice_mut(self.end));
        let (all, columns) = (0..words.rows(), column..column + size);
        let tops = words.part(all.clone(), columns.clone());
        self.pairs.backward(parameters, tops, slopes, to, (all, columns), gradients);
    }
}

/// Where vectors of a sentence are if it has one more than it has words.
pub(super) fn one_more(packing: &Packing, rank: usize) -> Range<usize> {
    let words = packing.rows(rank);
    words.start + rank..words.end + rank + 1
}

/// For each sentence the vectors of its words from `column` on, then the given one.
pub(super) fn with_end<T: Real>(packing: &Packing, words: &Matrix<T>, column: usize, end: &[T]) -> Matrix<T> {
    let mut vectors = Matrix::zeros(packing.words() + packing.sentences(), end.len());
    for rank in 0..packing.sentences() {
        let rows = one_more(packing, rank);
        for (row, word) in rows.clone().zip(packing.rows(rank)) {
            vectors.row_mut(row).copy_from_slice(&words.row(word)[column..][..end.len()]);
        }
        vectors.row_mut(rows.end - 1).copy_from_slice(end);
    }
    vectors
}

/// [`with_end`] backwards: adds to the derivatives of words from `column` on, and to those of the end.
pub(super) fn back_with_end<T: Real>(
    packing: &Packing,
    vectors: &Matrix<T>,
    (to, column): (&mut Matrix<T>, usize),
    of_end: &mut [T],
) {
    for rank in 0..packing.sentences() {
        let rows = one_more(packing, rank);
        for (row, word) in rows.clone().zip(packing.rows(rank)) {
            add(&mut to.row_mut(word)[column..][..vectors.columns()], vectors.row(row));
        }
        add(of_end, vectors.row(rows.end - 1));
    }
}
