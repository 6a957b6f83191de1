//! Biaffine scores of what to do next, given the top of the stack and the front of the buffer: for each move, score = tᵀ U f + bᵀ f + cᵀ t + e.
//!
//! With the root on top there is no choice but to shift, which needs no score. A transition's score is that of its move plus that of its arc, if it makes one. Top and front are visible to every transition of every system, and
//! the head is not looked at here: so exact inference takes no longer than with arcs alone, wherever [`tanglewood::scores`] allows for that.

use std::ops::Range;

use crate::matrix::{Matrix, add, add_rows, multiply, multiply_add};
use crate::packing::Packing;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// Shift; or remove the top of the stack, the node below it, or one that is deeper.
pub const MOVES: usize = 4;

/// The parameters of moves' scores.
#[derive(Clone, Debug)]
pub struct Moves {
    pub(crate) size: usize,
    /// U: a row for each column of a top; columns by move, then by column of a front.
    pub(crate) weights: Tensor,
    pub(crate) front_bias: Tensor,
    pub(crate) top_weights: Tensor,
    pub(crate) bias: Tensor,
    /// The front of an empty buffer.
    pub(crate) end: Tensor,
}

/// Values of the forward pass that the backward pass reads.
#[derive(Clone, Debug)]
pub struct MovesTape<T> {
    /// For each sentence its words, then the end.
    fronts: Matrix<T>,
    queries: Matrix<T>,
}

impl Moves {
    /// Creates the layer for vectors of `size` numbers.
    pub fn new(layout: &mut Layout, name: &str, size: usize) -> Moves {
        Moves {
            size,
            weights: layout.add(format!("{name}.weights"), size, MOVES * size, Kind::Zero),
            front_bias: layout.add(format!("{name}.front_bias"), 1, MOVES * size, Kind::Zero),
            top_weights: layout.add(format!("{name}.top_weights"), size, MOVES, Kind::Zero),
            bias: layout.add(format!("{name}.bias"), 1, MOVES, Kind::Zero),
            end: layout.add(format!("{name}.end"), 1, size, Kind::Glorot),
        }
    }

    /// For each sentence by rank and each move a matrix of scores: a row for each word on top, a column for each front from the first word on. From
    /// `column` on, `words` are vectors for tops, then for fronts.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        words: &Matrix<T>,
        column: usize,
    ) -> (Vec<Vec<Matrix<T>>>, MovesTape<T>) {
        let size = self.size;
        let tops = words.part(0..words.rows(), column..column + size);
        let mut fronts = Matrix::zeros(packing.words() + packing.sentences(), size);
        for rank in 0..packing.sentences() {
            let (rows, end) = (front_rows(packing, rank), packing.rows(rank).len());
            for (row, word) in rows.clone().zip(packing.rows(rank)) {
                fronts.row_mut(row).copy_from_slice(&words.row(word)[column + size..][..size]);
            }
            fronts.row_mut(rows.start + end).copy_from_slice(parameters.slice(self.end));
        }
        let mut queries = Matrix::repeated(parameters.slice(self.front_bias), words.rows());
        multiply_add(queries.view_mut(), tops, parameters.view(self.weights));
        let mut of_tops = Matrix::repeated(parameters.slice(self.bias), words.rows());
        multiply_add(of_tops.view_mut(), tops, parameters.view(self.top_weights));
        let score = |rank, this: usize| {
            let (tops, rows) = (packing.rows(rank), front_rows(packing, rank));
            let mut scores = Matrix::zeros(tops.len(), rows.len());
            for (at, top) in tops.clone().enumerate() {
                scores.row_mut(at).fill(of_tops.row(top)[this]);
            }
            let queries = queries.part(tops, this * size..(this + 1) * size);
            multiply_add(scores.view_mut(), queries, fronts.part(rows, 0..size).transposed());
            scores
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
        let size = self.size;
        let MovesTape { fronts, queries } = tape;
        let all = 0..words.rows();
        let mut of_queries = Matrix::zeros(all.end, MOVES * size);
        let mut of_fronts = Matrix::zeros(fronts.rows(), size);
        // The sum over fronts, for what depends on tops alone.
        let mut sums = Matrix::zeros(all.end, MOVES);
        for (rank, scores) in scores.iter().enumerate() {
            let (tops, rows) = (packing.rows(rank), front_rows(packing, rank));
            for (this, scores) in scores.iter().enumerate() {
                let columns = this * size..(this + 1) * size;
                multiply(
                    of_queries.part_mut(tops.clone(), columns.clone()),
                    scores.view(),
                    fronts.part(rows.clone(), 0..size),
                );
                multiply_add(
                    of_fronts.part_mut(rows.clone(), 0..size),
                    scores.view().transposed(),
                    queries.part(tops.clone(), columns),
                );
                for (at, top) in tops.clone().enumerate() {
                    scores.row(at).iter().for_each(|&score| sums.row_mut(top)[this] += score);
                }
            }
            for (row, word) in rows.clone().zip(tops) {
                add(&mut to.row_mut(word)[column + size..][..size], of_fronts.row(row));
            }
            add(gradients.slice_mut(self.end), of_fronts.row(rows.end - 1));
        }
        let columns = column..column + size;
        let tops = words.part(all.clone(), columns.clone()).transposed();
        multiply_add(gradients.view_mut(self.weights), tops, of_queries.view());
        multiply_add(gradients.view_mut(self.top_weights), tops, sums.view());
        add_rows(gradients.slice_mut(self.front_bias), &of_queries);
        add_rows(gradients.slice_mut(self.bias), &sums);
        let weights = parameters.view(self.weights).transposed();
        multiply_add(to.part_mut(all.clone(), columns.clone()), of_queries.view(), weights);
        let weights = parameters.view(self.top_weights).transposed();
        multiply_add(to.part_mut(all, columns), sums.view(), weights);
    }
}

/// Where the fronts of a sentence are: each sentence has one more than it has words.
fn front_rows(packing: &Packing, rank: usize) -> Range<usize> {
    let words = packing.rows(rank);
    words.start + rank..words.end + rank + 1
}
