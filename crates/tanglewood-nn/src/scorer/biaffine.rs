//! Scores of arcs and labels: see [`Arcs`] and [`Labels`].
//!
//! The large products are in integers. What is left for each pair of words are scalar products of two
//! vectors, in single precision.

use std::ops::Range;

use crate::integer::{BLOCKS, LANES, ROWS, Rows, Sums, TILE_COLUMNS, Weights};
use crate::layers::{Arcs, Labels};
use crate::matrix::Matrix;
use crate::simd::vectorised;
use crate::store::Store;

/// Scores of arcs.
#[derive(Clone, Debug)]
pub struct ArcScorer {
    size: usize,
    weights: Weights,
    bias: Vec<f32>,
    root: Vec<f32>,
}

impl ArcScorer {
    /// Prepares the layer from the parameters in `store`.
    pub fn new(arcs: &Arcs, store: &Store) -> ArcScorer {
        ArcScorer {
            size: arcs.weights.rows,
            weights: Weights::plain(&store.codes(arcs.weights), 0..arcs.weights.rows),
            bias: store.values(arcs.bias).into_owned(),
            root: store.values(arcs.root).into_owned(),
        }
    }

    /// Number of multiplications for a word.
    pub fn products(&self) -> usize {
        self.weights.products()
    }

    /// Half of the product: see [`Arcs::queries`].
    pub fn queries(&self, words: &Matrix<f32>, rounded: &mut Rows) -> Matrix<f32> {
        self.weights.round((0..words.rows()).map(|row| &words.row(row)[..self.size]), rounded);
        self.weights.product(rounded, |_| &self.bias)
    }

    /// The scores of one sentence: see [`Arcs::scores`].
    pub fn scores(&self, words: &Matrix<f32>, queries: &Matrix<f32>, rows: Range<usize>) -> Matrix<f32> {
        let n = rows.len();
        let mut scores = Matrix::zeros(n, n + 1);
        if n == 0 {
            return scores;
        }
        let heads = &words.values()[rows.start * words.columns() + self.size..];
        for (at, row) in rows.enumerate() {
            let query = queries.row(row);
            let scores = scores.row_mut(at);
            scalar_products(query, &self.root, self.size, &mut scores[..1]);
            scalar_products(query, heads, words.columns(), &mut scores[1..]);
            scores[at + 1] = f32::NEG_INFINITY;
        }
        scores
    }
}

/// Scores of labels.
///
/// Columns of the large product are ordered by labels, sixteen at a time, and then by columns of a head, four
/// at a time: a tile has a part of the sums of sixteen labels, which is multiplied with the head at once.
#[derive(Clone, Debug)]
pub struct LabelScorer {
    size: usize,
    /// Where dependents begin among the columns of words.
    column: usize,
    weights: Weights,
    head_bias: Vec<f32>,
    dependent_weights: Weights,
    bias: Vec<f32>,
    /// Filled up with zeros, as heads are.
    root: Vec<f32>,
}

impl LabelScorer {
    /// Prepares the layer from the parameters in `store`.
    pub fn new(labels: &Labels, column: usize, store: &Store) -> LabelScorer {
        let (size, count) = (labels.size, labels.bias.columns);
        let tiles_of_labels = size.div_ceil(BLOCKS);
        let columns: Vec<Option<usize>> = (0..count.div_ceil(LANES) * tiles_of_labels * TILE_COLUMNS)
            .map(|at| {
                let (tile, block, lane) = (at / TILE_COLUMNS, at % TILE_COLUMNS / LANES, at % LANES);
                let label = tile / tiles_of_labels * LANES + lane;
                let of_head = tile % tiles_of_labels * BLOCKS + block;
                (label < count && of_head < size).then_some(label * size + of_head)
            })
            .collect();
        let head_bias = store.values(labels.head_bias);
        let mut root = store.values(labels.root).into_owned();
        root.resize(tiles_of_labels * BLOCKS, 0.0);
        LabelScorer {
            size,
            column,
            weights: Weights::new(&store.codes(labels.weights), 0..size, &columns),
            head_bias: columns.iter().map(|column| column.map_or(0.0, |column| head_bias[column])).collect(),
            dependent_weights: Weights::plain(&store.codes(labels.dependent_weights), 0..size),
            bias: store.values(labels.bias).into_owned(),
            root,
        }
    }

    /// A row of scores for each word, given the row of its head; none for the root.
    pub fn scores(&self, words: &Matrix<f32>, heads: impl Iterator<Item = Option<usize>>) -> Matrix<f32> {
        let mut rounded = Rows::default();
        let dependents = || (0..words.rows()).map(|row| &words.row(row)[self.column..][..self.size]);
        self.dependent_weights.round(dependents(), &mut rounded);
        let mut scores = self.dependent_weights.product(&rounded, |_| &self.bias);
        let mut of_heads = Matrix::zeros(words.rows(), self.root.len());
        for (row, head) in heads.enumerate() {
            match head {
                Some(head) => {
                    let head = &words.row(head)[self.column + self.size..][..self.size];
                    of_heads.row_mut(row)[..self.size].copy_from_slice(head);
                }
                None => of_heads.row_mut(row).copy_from_slice(&self.root),
            }
        }
        let (labels, tiles_of_labels) = (scores.columns(), self.root.len() / BLOCKS);
        self.weights.round(dependents(), &mut rounded);
        self.weights.each_tile(&rounded, |first, column, sums, scales| {
            let tile = column / TILE_COLUMNS;
            let part = tile % tiles_of_labels * BLOCKS;
            let heads: [&[f32]; ROWS] = std::array::from_fn(|at| match at < scales.len() {
                true => &of_heads.row(first + at)[part..part + BLOCKS],
                false => &[],
            });
            let mut parts = [[0.0; LANES]; ROWS];
            parts_of_labels(sums, scales, &self.head_bias[column..column + TILE_COLUMNS], heads, &mut parts);
            let lanes = tile / tiles_of_labels * LANES..labels.min((tile / tiles_of_labels + 1) * LANES);
            for (at, parts) in parts.iter().enumerate().take(scales.len()) {
                let to = &mut scores.row_mut(first + at)[lanes.clone()];
                to.iter_mut().zip(parts).for_each(|(score, part)| *score += part);
            }
        });
        scores
    }
}

vectorised! {
    /// What four columns of heads contribute to the scores of sixteen labels.
    fn parts_of_labels(
        sums: &Sums,
        scales: &[f32],
        bias: &[f32],
        heads: [&[f32]; ROWS],
        parts: &mut [[f32; LANES]; ROWS],
    ) {
        for (((sums, &scale), head), parts) in sums.iter().zip(scales).zip(heads).zip(parts) {
            let blocks = sums.as_chunks::<LANES>().0.iter().zip(bias.as_chunks::<LANES>().0);
            for ((sums, bias), &of_head) in blocks.zip(head) {
                for lane in 0..LANES {
                    parts[lane] += (bias[lane] + sums[lane] as f32 * scale) * of_head;
                }
            }
        }
    }
}

vectorised! {
    /// The scalar products of a vector with some others, which begin `step` apart, in a fixed order: sixteen
    /// sums for each, then their sum by halves.
    pub(super) fn scalar_products(left: &[f32], right: &[f32], step: usize, to: &mut [f32]) {
        let (left_chunks, left_rest) = left.as_chunks::<LANES>();
        for (at, to) in to.iter_mut().enumerate() {
            let right = &right[at * step..][..left.len()];
            let (right_chunks, right_rest) = right.as_chunks::<LANES>();
            let mut sums = [0.0f32; LANES];
            for (left, right) in left_chunks.iter().zip(right_chunks) {
                for lane in 0..LANES {
                    sums[lane] += left[lane] * right[lane];
                }
            }
            let mut half = LANES / 2;
            while half > 0 {
                for lane in 0..half {
                    sums[lane] += sums[lane + half];
                }
                half /= 2;
            }
            let mut total = sums[0];
            for (left, right) in left_rest.iter().zip(right_rest) {
                total += left * right;
            }
            *to = total;
        }
    }
}
