//! Scores of transitions for reading in one direction: see [`Reader`], [`Moves`] and [`Windows`].

use tanglewood::Direction;

use super::biaffine::scalar_products;
use crate::integer::{Rows, Weights};
use crate::layers::{Biaffine, MOVES, Moves, Reader, RunTables, WINDOWS, Windows, is_of_fronts};
use crate::matrix::Matrix;
use crate::packing::Packing;
use crate::store::Store;

/// Several biaffine tables over the same rows: see [`Biaffine`].
#[derive(Clone, Debug)]
struct PairScorer {
    size: usize,
    weights: Weights,
    column_bias: Vec<f32>,
    row_weights: Weights,
    bias: Vec<f32>,
}

/// What rows contribute to the product with columns, and by themselves; by table.
struct Queries {
    products: Matrix<f32>,
    alone: Matrix<f32>,
}

impl PairScorer {
    fn new(pairs: &Biaffine, store: &Store) -> PairScorer {
        let plain = |tensor| Weights::plain(&store.codes(tensor), 0..pairs.size);
        PairScorer {
            size: pairs.size,
            weights: plain(pairs.weights),
            column_bias: store.values(pairs.column_bias).into_owned(),
            row_weights: plain(pairs.row_weights),
            bias: store.values(pairs.bias).into_owned(),
        }
    }

    fn queries<'a, R: Iterator<Item = &'a [f32]>>(
        &self,
        rows: impl Fn() -> R,
        rounded: &mut Rows,
    ) -> Queries {
        self.row_weights.round(rows(), rounded);
        let alone = self.row_weights.product(rounded, |_| &self.bias);
        self.weights.round(rows(), rounded);
        let products = self.weights.product(rounded, |_| &self.column_bias);
        Queries { products, alone }
    }

    /// A row of scores: columns are vectors from the start of `columns` on, `step` apart, and perhaps one
    /// more.
    fn score(
        &self,
        queries: &Queries,
        (row, table): (usize, usize),
        (columns, step): (&[f32], usize),
        end: Option<&[f32]>,
        to: &mut [f32],
    ) {
        let query = &queries.products.row(row)[table * self.size..][..self.size];
        let (of_words, of_end) = to.split_at_mut(to.len() - usize::from(end.is_some()));
        scalar_products(query, columns, step, of_words);
        if let Some(end) = end {
            scalar_products(query, end, self.size, of_end);
        }
        to.iter_mut().for_each(|score| *score += queries.alone.row(row)[table]);
    }
}

/// Scores of transitions for one direction.
#[derive(Clone, Debug)]
pub struct ReaderScorer {
    direction: Direction,
    moves: MoveScorer,
    windows: Option<WindowScorer>,
}

impl ReaderScorer {
    /// Prepares the layer from the parameters in `store`.
    pub fn new(reader: &Reader, store: &Store) -> ReaderScorer {
        let windows = reader.windows.as_ref();
        ReaderScorer {
            direction: reader.direction,
            moves: MoveScorer::new(&reader.moves, reader.column, store),
            windows: windows.map(|windows| WindowScorer::new(windows, reader.column, store)),
        }
    }

    /// The tables of each sentence by rank: see [`Reader::forward`].
    pub fn scores(&self, packing: &Packing, words: &Matrix<f32>, rounded: &mut Rows) -> Vec<RunTables<f32>> {
        let of_moves = self.moves.scores(packing, words, rounded);
        let of_windows = match &self.windows {
            None => vec![Vec::new(); of_moves.len()],
            Some(windows) => windows.scores(packing, words, rounded),
        };
        let tables = of_moves.into_iter().zip(of_windows);
        tables.map(|(moves, windows)| RunTables::read(self.direction, moves, windows)).collect()
    }
}

/// Scores of moves.
#[derive(Clone, Debug)]
struct MoveScorer {
    /// Where tops begin among the columns of words.
    column: usize,
    pairs: PairScorer,
    end: Vec<f32>,
}

impl MoveScorer {
    /// Prepares the layer from the parameters in `store`.
    fn new(moves: &Moves, column: usize, store: &Store) -> MoveScorer {
        let (pairs, end) = (PairScorer::new(&moves.pairs, store), store.values(moves.end).into_owned());
        MoveScorer { column, pairs, end }
    }

    /// For each sentence by rank and each move a matrix of scores: see [`Moves::forward`].
    fn scores(&self, packing: &Packing, words: &Matrix<f32>, rounded: &mut Rows) -> Vec<Vec<Matrix<f32>>> {
        let size = self.pairs.size;
        let tops = || (0..words.rows()).map(|row| &words.row(row)[self.column..][..size]);
        let queries = self.pairs.queries(tops, rounded);
        let score = |rank, this: usize| {
            let rows = packing.rows(rank);
            let n = rows.len();
            let mut scores = Matrix::zeros(n, n + 1);
            for (at, row) in rows.clone().enumerate() {
                let fronts = &words.values()[rows.start * words.columns() + self.column + size..];
                let (fronts, to) = ((fronts, words.columns()), scores.row_mut(at));
                self.pairs.score(&queries, (row, this), fronts, Some(&self.end), to);
            }
            scores
        };
        (0..packing.sentences()).map(|rank| (0..MOVES).map(|this| score(rank, this)).collect()).collect()
    }
}

/// Scores of windows.
#[derive(Clone, Debug)]
struct WindowScorer {
    /// Where tops begin among the columns of words; fronts and deeper nodes follow.
    column: usize,
    pairs: PairScorer,
    root: Vec<f32>,
    end: Vec<f32>,
}

impl WindowScorer {
    /// Prepares the layer from the parameters in `store`.
    fn new(windows: &Windows, column: usize, store: &Store) -> WindowScorer {
        let values = |tensor| store.values(tensor).into_owned();
        let pairs = PairScorer::new(&windows.pairs, store);
        WindowScorer { column, pairs, root: values(windows.root), end: values(windows.end) }
    }

    /// For each sentence by rank and each table a matrix of scores: see [`Windows::forward`].
    fn scores(&self, packing: &Packing, words: &Matrix<f32>, rounded: &mut Rows) -> Vec<Vec<Matrix<f32>>> {
        let (size, column) = (self.pairs.size, self.column);
        let root = std::iter::once(self.root.as_slice());
        // The words of all sentences, and then the root, which is the same for all.
        let deeper =
            || (0..words.rows()).map(|row| &words.row(row)[column + 2 * size..][..size]).chain(root.clone());
        let queries = self.pairs.queries(deeper, rounded);
        let score = |rank, table: usize| {
            let rows = packing.rows(rank);
            let n = rows.len();
            let (skip, end) = match is_of_fronts(table) {
                true => (size, Some(self.end.as_slice())),
                false => (0, None),
            };
            let mut scores = Matrix::zeros(n + 1, n + usize::from(end.is_some()));
            for (at, row) in rows.clone().chain([words.rows()]).enumerate().filter(|_| n > 0) {
                let others = &words.values()[rows.start * words.columns() + column + skip..];
                let (others, to) = ((others, words.columns()), scores.row_mut(at));
                self.pairs.score(&queries, (row, table), others, end, to);
            }
            scores
        };
        (0..packing.sentences()).map(|rank| (0..WINDOWS).map(|table| score(rank, table)).collect()).collect()
    }
}
