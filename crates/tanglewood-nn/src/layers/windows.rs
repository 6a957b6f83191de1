//! Scores of reduces by pairs of nodes in the window, of which one is below the top of the stack: biaffine
//! tables for each pair and slot that is removed.
//!
//! Together with [`Moves`](super::Moves) they make a reduce see the top, the front and one or two nodes below
//! the top, and are tables all the same: see [`WindowPair`].

use tanglewood::scores::WindowPair;

use super::biaffine::{Biaffine, Queries};
use super::moves::{back_with_end, one_more, with_end};
use crate::matrix::{Matrix, View};
use crate::packing::Packing;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// Number of tables.
pub const WINDOWS: usize = 10;

/// The table for a pair where the node in a slot is removed; none if that pair is not looked at. Slots from
/// s2 on share theirs.
pub fn window_table(pair: WindowPair, slot: usize) -> Option<usize> {
    match pair {
        WindowPair::S1S0 => Some(slot.min(2)),
        WindowPair::S1B0 => Some(3 + slot.min(2)),
        WindowPair::S2S0 => (slot < 2).then_some(6 + slot),
        WindowPair::S2S1 => (slot < 2).then_some(8 + slot),
    }
}

/// Whether the columns of a table are fronts; if not, they are words on the stack.
pub(crate) fn is_of_fronts(table: usize) -> bool {
    (3..6).contains(&table)
}

/// The parameters of windows' scores.
#[derive(Clone, Debug)]
pub struct Windows {
    /// [`WINDOWS`] tables; rows are the deeper nodes of pairs, columns the others.
    pub(crate) pairs: Biaffine,
    /// The root as the deeper node.
    pub(crate) root: Tensor,
    /// The front of an empty buffer.
    pub(crate) end: Tensor,
}

/// What the backward pass needs.
#[derive(Clone, Debug)]
pub struct WindowsTape<T> {
    /// For each sentence its words, then the root.
    deeper: Matrix<T>,
    /// For each sentence its words, then the end.
    fronts: Matrix<T>,
    queries: Queries<T>,
}

impl Windows {
    /// For vectors of this size.
    pub fn new(layout: &mut Layout, name: &str, size: usize) -> Windows {
        Windows {
            pairs: Biaffine::new(layout, name, ["deeper", "other"], size, WINDOWS),
            root: layout.add(format!("{name}.root"), 1, size, Kind::Glorot),
            end: layout.add(format!("{name}.end"), 1, size, Kind::Glorot),
        }
    }

    /// For each sentence by rank and each table a matrix of scores: a row for each deeper node, the words and
    /// then the root; a column for each other node from the first word on, the last one for fronts only. From
    /// `column` on, `words` are vectors for tops, then for fronts, then for deeper nodes.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        words: &Matrix<T>,
        column: usize,
    ) -> (Vec<Vec<Matrix<T>>>, WindowsTape<T>) {
        let size = self.pairs.size;
        let fronts = with_end(packing, words, column + size, parameters.slice(self.end));
        let deeper = with_end(packing, words, column + 2 * size, parameters.slice(self.root));
        let queries = self.pairs.queries(parameters, deeper.view(), deeper.rows());
        let score = |rank, table| {
            let rows = one_more(packing, rank);
            let others = self.others(packing, rank, table, (words, column), &fronts);
            self.pairs.scores(&queries, table, rows, others)
        };
        let scores = (0..packing.sentences())
            .map(|rank| (0..WINDOWS).map(|table| score(rank, table)).collect())
            .collect();
        (scores, WindowsTape { deeper, fronts, queries })
    }

    /// The vectors of a table's columns, and their number.
    fn others<'a, T: Real>(
        &self,
        packing: &Packing,
        rank: usize,
        table: usize,
        (words, column): (&'a Matrix<T>, usize),
        fronts: &'a Matrix<T>,
    ) -> (View<'a, T>, usize) {
        let (rows, size) = (one_more(packing, rank), self.pairs.size);
        match is_of_fronts(table) {
            true => (fronts.part(rows.clone(), 0..size), rows.len()),
            false => (words.part(packing.rows(rank), column..column + size), rows.len() - 1),
        }
    }

    /// From the gradients of all sentences' scores to that of the words, which is added to `to`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        (words, tape): (&Matrix<T>, &WindowsTape<T>),
        scores: &[Vec<Matrix<T>>],
        (to, column): (&mut Matrix<T>, usize),
        gradients: &mut Gradients<T>,
    ) {
        let size = self.pairs.size;
        let WindowsTape { deeper, fronts, queries } = tape;
        let mut slopes = self.pairs.slopes(deeper.rows());
        let mut of_fronts = Matrix::zeros(fronts.rows(), size);
        for (rank, scores) in scores.iter().enumerate() {
            let rows = one_more(packing, rank);
            for (table, scores) in scores.iter().enumerate() {
                let others = self.others(packing, rank, table, (words, column), fronts).0;
                let of_others = match is_of_fronts(table) {
                    true => of_fronts.part_mut(rows.clone(), 0..size),
                    false => to.part_mut(packing.rows(rank), column..column + size),
                };
                let columns = (others, of_others);
                self.pairs.add_slopes((queries, &mut slopes), table, rows.clone(), columns, scores);
            }
        }
        back_with_end(packing, &of_fronts, (&mut *to, column + size), gradients.slice_mut(self.end));
        let mut of_deeper = Matrix::zeros(deeper.rows(), size);
        let all = (0..deeper.rows(), 0..size);
        self.pairs.backward(parameters, deeper.view(), slopes, &mut of_deeper, all, gradients);
        back_with_end(packing, &of_deeper, (to, column + 2 * size), gradients.slice_mut(self.root));
    }
}
