//! Biaffine scores of labels for given arcs (Dozat and Manning 2017): score(l) = dᵀ U_l h + b_lᵀ h + c_lᵀ d + e_l.

use crate::matrix::{Matrix, add, add_rows, add_scaled, dot, multiply, multiply_add};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// The parameters of label scores.
#[derive(Clone, Debug)]
pub struct Labels {
    size: usize,
    labels: usize,
    /// U and b: a row for each column of a dependent; columns by label, then by column of a head.
    weights: Tensor,
    head_bias: Tensor,
    dependent_weights: Tensor,
    bias: Tensor,
    root: Tensor,
}

/// What the backward pass needs.
#[derive(Clone, Debug)]
pub struct LabelTape<T> {
    queries: Matrix<T>,
}

impl Labels {
    /// For vectors of this size, and so many labels.
    pub fn new(layout: &mut Layout, name: &str, size: usize, labels: usize) -> Labels {
        Labels {
            size,
            labels,
            weights: layout.add(format!("{name}.weights"), size, labels * size, Kind::Zero),
            head_bias: layout.add(format!("{name}.head_bias"), 1, labels * size, Kind::Zero),
            dependent_weights: layout.add(format!("{name}.dependent_weights"), size, labels, Kind::Zero),
            bias: layout.add(format!("{name}.bias"), 1, labels, Kind::Zero),
            root: layout.add(format!("{name}.root"), 1, size, Kind::Glorot),
        }
    }

    /// How large vectors are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A row of scores for each row of `dependents`; `heads[row]` is the head's row, or none for the root.
    ///
    /// Dependents are the columns of `words` from 2a on, heads follow, where `column` is 2a.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        words: &Matrix<T>,
        column: usize,
        heads: &[Option<usize>],
    ) -> (Matrix<T>, LabelTape<T>) {
        let n = words.rows();
        let dependents = words.part(0..n, column..column + self.size);
        let mut queries = Matrix::zeros(n, self.labels * self.size);
        multiply(queries.view_mut(), dependents, parameters.view(self.weights));
        let mut scores = Matrix::zeros(n, self.labels);
        multiply(scores.view_mut(), dependents, parameters.view(self.dependent_weights));
        for row in 0..n {
            let head = self.head(parameters, words, column, heads[row]);
            let queries = queries.row_mut(row);
            add(queries, parameters.slice(self.head_bias));
            let scores = scores.row_mut(row);
            add(scores, parameters.slice(self.bias));
            for (score, query) in scores.iter_mut().zip(queries.chunks_exact(self.size)) {
                *score += dot(query, head);
            }
        }
        (scores, LabelTape { queries })
    }

    fn head<'a, T: Real>(
        &self,
        parameters: &'a Parameters<T>,
        words: &'a Matrix<T>,
        column: usize,
        head: Option<usize>,
    ) -> &'a [T] {
        match head {
            Some(row) => &words.row(row)[column + self.size..][..self.size],
            None => parameters.slice(self.root),
        }
    }

    /// From the gradient of the scores to that of the words, which is added to `to`.
    #[expect(
        clippy::too_many_arguments,
        reason = "what the forward pass had, its result, and two places to add to"
    )]
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        words: &Matrix<T>,
        column: usize,
        heads: &[Option<usize>],
        tape: &LabelTape<T>,
        scores: &Matrix<T>,
        to: &mut Matrix<T>,
        gradients: &mut Gradients<T>,
    ) {
        let n = words.rows();
        let mut of_queries = Matrix::zeros(n, self.labels * self.size);
        for row in 0..n {
            let head = self.head(parameters, words, column, heads[row]);
            let of_head = match heads[row] {
                Some(row) => &mut to.row_mut(row)[column + self.size..][..self.size],
                None => gradients.slice_mut(self.root),
            };
            let queries = tape.queries.row(row).chunks_exact(self.size);
            let of_queries = of_queries.row_mut(row).chunks_exact_mut(self.size);
            for ((&score, query), of_query) in scores.row(row).iter().zip(queries).zip(of_queries) {
                add_scaled(of_query, score, head);
                add_scaled(of_head, score, query);
            }
        }
        let dependents = words.part(0..n, column..column + self.size);
        multiply_add(gradients.view_mut(self.weights), dependents.transposed(), of_queries.view());
        multiply_add(gradients.view_mut(self.dependent_weights), dependents.transposed(), scores.view());
        add_rows(gradients.slice_mut(self.head_bias), &of_queries);
        add_rows(gradients.slice_mut(self.bias), scores);
        let columns = column..column + self.size;
        let weights = parameters.view(self.weights).transposed();
        multiply_add(to.part_mut(0..n, columns.clone()), of_queries.view(), weights);
        let weights = parameters.view(self.dependent_weights).transposed();
        multiply_add(to.part_mut(0..n, columns), scores.view(), weights);
    }
}
