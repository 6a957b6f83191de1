//! Biaffine scores of labels for given arcs (Dozat and Manning 2017): score(l) = dᵀ U_l h + b_lᵀ h + c_lᵀ d +
//! e_l.

use crate::matrix::{Matrix, add_rows, add_scaled, dot, multiply_add};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;
use crate::simd::vectorised;

/// The parameters of label scores.
#[derive(Clone, Debug)]
pub struct Labels {
    pub(crate) size: usize,
    labels: usize,
    /// U and b: a row for each column of a dependent; columns by label, then by column of a head.
    pub(crate) weights: Tensor,
    pub(crate) head_bias: Tensor,
    pub(crate) dependent_weights: Tensor,
    pub(crate) bias: Tensor,
    pub(crate) root: Tensor,
}

/// Arcs to be labelled: one into each word.
#[derive(Clone, Copy, Debug)]
pub struct LabelledArcs<'a, T> {
    /// A row for each word. From `column` on it is the word as a dependent, then as a head.
    pub words: &'a Matrix<T>,
    /// First column of the dependent vectors.
    pub column: usize,
    /// The row of each word's head; none for the root.
    pub heads: &'a [Option<usize>],
}

/// Values of the forward pass that the backward pass reads.
#[derive(Clone, Debug)]
pub struct LabelTape<T> {
    queries: Matrix<T>,
}

impl Labels {
    /// Creates the layer for vectors of `size` numbers and `labels` labels.
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

    /// Length of head and dependent vectors.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A row of scores for each arc.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        arcs: LabelledArcs<'_, T>,
    ) -> (Matrix<T>, LabelTape<T>) {
        let n = arcs.words.rows();
        let dependents = arcs.words.part(0..n, arcs.column..arcs.column + self.size);
        let mut queries = Matrix::repeated(parameters.slice(self.head_bias), n);
        multiply_add(queries.view_mut(), dependents, parameters.view(self.weights));
        let mut scores = Matrix::repeated(parameters.slice(self.bias), n);
        multiply_add(scores.view_mut(), dependents, parameters.view(self.dependent_weights));
        for (row, &head) in arcs.heads.iter().enumerate() {
            let head = self.head(parameters, arcs, head);
            add_products(scores.row_mut(row), queries.row(row), head);
        }
        (scores, LabelTape { queries })
    }

    fn head<'a, T: Real>(
        &self,
        parameters: &'a Parameters<T>,
        arcs: LabelledArcs<'a, T>,
        head: Option<usize>,
    ) -> &'a [T] {
        match head {
            Some(row) => &arcs.words.row(row)[arcs.column + self.size..][..self.size],
            None => parameters.slice(self.root),
        }
    }

    /// From the gradient of the scores to that of the words, which is added to `to`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        arcs: LabelledArcs<'_, T>,
        tape: &LabelTape<T>,
        scores: &Matrix<T>,
        to: &mut Matrix<T>,
        gradients: &mut Gradients<T>,
    ) {
        let LabelledArcs { words, column, heads } = arcs;
        let n = words.rows();
        let mut of_queries = Matrix::zeros(n, self.labels * self.size);
        for (row, &head_row) in heads.iter().enumerate() {
            let head = self.head(parameters, arcs, head_row);
            let of_head = match head_row {
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

vectorised! {
    /// Adds to each score the product of its part of `queries` with the head.
    fn add_products<T: Real>(scores: &mut [T], queries: &[T], head: &[T]) {
        for (score, query) in scores.iter_mut().zip(queries.chunks_exact(head.len())) {
            *score += dot(query, head);
        }
    }
}
