//! Biaffine scores of arcs (Dozat and Manning 2017): score(h → d) = dᵀ U h + bᵀ h.
//!
//! Words as dependents and as heads are different vectors. The root is a learned vector and only a head.

use tanglewood::scores::ArcScores;

use crate::matrix::{Matrix, View, add_rows, add_scaled, dot, multiply, multiply_add};
use crate::packing::Packing;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// The parameters of arc scores.
#[derive(Clone, Debug)]
pub struct Arcs {
    pub(crate) weights: Tensor,
    pub(crate) bias: Tensor,
    pub(crate) root: Tensor,
}

impl Arcs {
    /// Creates the layer for head and dependent vectors of `size` numbers.
    pub fn new(layout: &mut Layout, name: &str, size: usize) -> Arcs {
        Arcs {
            weights: layout.add(format!("{name}.weights"), size, size, Kind::Zero),
            bias: layout.add(format!("{name}.bias"), 1, size, Kind::Zero),
            root: layout.add(format!("{name}.root"), 1, size, Kind::Glorot),
        }
    }

    /// Half of the product: for each dependent the vector d U + b. Dependents are the columns of `words` from
    /// 0 on.
    pub fn queries<T: Real>(&self, parameters: &Parameters<T>, words: &Matrix<T>) -> Matrix<T> {
        let size = self.weights.rows;
        let mut queries = Matrix::repeated(parameters.slice(self.bias), words.rows());
        multiply_add(queries.view_mut(), words.part(0..words.rows(), 0..size), parameters.view(self.weights));
        queries
    }

    /// The scores of one sentence: a row for each dependent, a column for each head, the root first. A word
    /// as its own head scores −∞.
    pub fn scores<T: Real>(
        &self,
        parameters: &Parameters<T>,
        words: &Matrix<T>,
        queries: &Matrix<T>,
        rows: std::ops::Range<usize>,
    ) -> Matrix<T> {
        let n = rows.len();
        let mut scores = Matrix::zeros(n, n + 1);
        multiply(
            scores.part_mut(0..n, 1..n + 1),
            queries.part(rows.clone(), 0..self.weights.columns),
            self.heads(words, rows.clone()).transposed(),
        );
        for (at, row) in rows.enumerate() {
            let scores = scores.row_mut(at);
            scores[0] = dot(queries.row(row), parameters.slice(self.root));
            scores[at + 1] = T::of(f64::NEG_INFINITY);
        }
        scores
    }

    /// Heads are the second half of the first columns of `words`.
    fn heads<'a, T: Real>(&self, words: &'a Matrix<T>, rows: std::ops::Range<usize>) -> View<'a, T> {
        words.part(rows, self.weights.rows..2 * self.weights.rows)
    }

    /// From the gradients of all sentences' scores to that of the words, which is added to the first columns
    /// of `to`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        (words, queries): (&Matrix<T>, &Matrix<T>),
        scores: &[Matrix<T>],
        to: &mut Matrix<T>,
        gradients: &mut Gradients<T>,
    ) {
        let size = self.weights.rows;
        let mut of_queries = Matrix::zeros(queries.rows(), size);
        for (rank, scores) in scores.iter().enumerate() {
            let (rows, n) = (packing.rows(rank), scores.rows());
            let of_arcs = scores.part(0..n, 1..n + 1);
            multiply(of_queries.part_mut(rows.clone(), 0..size), of_arcs, self.heads(words, rows.clone()));
            multiply_add(
                to.part_mut(rows.clone(), size..2 * size),
                of_arcs.transposed(),
                queries.part(rows.clone(), 0..size),
            );
            for (at, row) in rows.enumerate() {
                let of_root = scores.row(at)[0];
                add_scaled(of_queries.row_mut(row), of_root, parameters.slice(self.root));
                add_scaled(gradients.slice_mut(self.root), of_root, queries.row(row));
            }
        }
        let all = 0..words.rows();
        add_rows(gradients.slice_mut(self.bias), &of_queries);
        let dependents = words.part(all.clone(), 0..size);
        multiply_add(gradients.view_mut(self.weights), dependents.transposed(), of_queries.view());
        multiply_add(
            to.part_mut(all, 0..size),
            of_queries.view(),
            parameters.view(self.weights).transposed(),
        );
    }
}

/// Scores as the exact decoders take them. What is not a number, which only a damaged model gives, scores as
/// badly as possible.
pub fn arc_scores<T: Real>(scores: &Matrix<T>) -> ArcScores {
    let mut arcs = ArcScores::new(scores.rows());
    for row in 0..scores.rows() {
        for (head, score) in scores.row(row).iter().enumerate().filter(|&(head, _)| head != row + 1) {
            let score = score.wide();
            // It is an arc, and the number is finite.
            let _ = arcs.set(head, row + 1, if score.is_finite() { score } else { -1e30 });
        }
    }
    arcs
}
