//! Biaffine scores of pairs, several tables of them: for each table, score = rᵀ U c + bᵀ c + wᵀ r + e, where
//! r is the vector of the row, c that of the column.

use std::ops::Range;

use crate::matrix::{Matrix, View, ViewMut, add_rows, multiply, multiply_add};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// The parameters of several tables over the same rows.
#[derive(Clone, Debug)]
pub struct Biaffine {
    pub(crate) size: usize,
    pub(crate) tables: usize,
    /// U: a row for each column of a row's vector; columns by table, then by column of a column's vector.
    pub(crate) weights: Tensor,
    pub(crate) column_bias: Tensor,
    pub(crate) row_weights: Tensor,
    pub(crate) bias: Tensor,
}

/// What rows contribute.
#[derive(Clone, Debug)]
pub struct Queries<T> {
    /// For the product with columns: by table.
    products: Matrix<T>,
    /// What rows score by themselves: by table.
    alone: Matrix<T>,
}

/// The derivatives of what rows contribute, as far as they have been added up.
#[derive(Clone, Debug)]
pub struct QuerySlopes<T>(Queries<T>);

impl Biaffine {
    /// For vectors of this size; `[row, column]` names what they stand for.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        [row, column]: [&str; 2],
        size: usize,
        tables: usize,
    ) -> Biaffine {
        Biaffine {
            size,
            tables,
            weights: layout.add(format!("{name}.weights"), size, tables * size, Kind::Zero),
            column_bias: layout.add(format!("{name}.{column}_bias"), 1, tables * size, Kind::Zero),
            row_weights: layout.add(format!("{name}.{row}_weights"), size, tables, Kind::Zero),
            bias: layout.add(format!("{name}.bias"), 1, tables, Kind::Zero),
        }
    }

    /// What `count` rows contribute.
    pub fn queries<T: Real>(
        &self,
        parameters: &Parameters<T>,
        rows: View<'_, T>,
        count: usize,
    ) -> Queries<T> {
        let mut products = Matrix::repeated(parameters.slice(self.column_bias), count);
        multiply_add(products.view_mut(), rows, parameters.view(self.weights));
        let mut alone = Matrix::repeated(parameters.slice(self.bias), count);
        multiply_add(alone.view_mut(), rows, parameters.view(self.row_weights));
        Queries { products, alone }
    }

    fn part(&self, table: usize) -> Range<usize> {
        table * self.size..(table + 1) * self.size
    }

    /// One table for some rows and `count` columns.
    pub fn scores<T: Real>(
        &self,
        queries: &Queries<T>,
        table: usize,
        rows: Range<usize>,
        (columns, count): (View<'_, T>, usize),
    ) -> Matrix<T> {
        let mut scores = Matrix::zeros(rows.len(), count);
        for (at, row) in rows.clone().enumerate() {
            scores.row_mut(at).fill(queries.alone.row(row)[table]);
        }
        multiply_add(scores.view_mut(), queries.products.part(rows, self.part(table)), columns.transposed());
        scores
    }

    /// No derivatives yet.
    pub fn slopes<T: Real>(&self, rows: usize) -> QuerySlopes<T> {
        let (products, alone) =
            (Matrix::zeros(rows, self.tables * self.size), Matrix::zeros(rows, self.tables));
        QuerySlopes(Queries { products, alone })
    }

    /// Adds the derivatives of one table, which is visited once, and those of its columns.
    pub fn add_slopes<T: Real>(
        &self,
        (queries, slopes): (&Queries<T>, &mut QuerySlopes<T>),
        table: usize,
        rows: Range<usize>,
        (columns, of_columns): (View<'_, T>, ViewMut<'_, T>),
        scores: &Matrix<T>,
    ) {
        let part = self.part(table);
        multiply(slopes.0.products.part_mut(rows.clone(), part.clone()), scores.view(), columns);
        multiply_add(of_columns, scores.view().transposed(), queries.products.part(rows.clone(), part));
        for (at, row) in rows.enumerate() {
            let sum = &mut slopes.0.alone.row_mut(row)[table];
            scores.row(at).iter().for_each(|&score| *sum += score);
        }
    }

    /// From all derivatives to those of parameters, and of rows, which are added to `of_rows`.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        rows: View<'_, T>,
        QuerySlopes(Queries { products, alone }): QuerySlopes<T>,
        of_rows: &mut Matrix<T>,
        (range, columns): (Range<usize>, Range<usize>),
        gradients: &mut Gradients<T>,
    ) {
        multiply_add(gradients.view_mut(self.weights), rows.transposed(), products.view());
        multiply_add(gradients.view_mut(self.row_weights), rows.transposed(), alone.view());
        add_rows(gradients.slice_mut(self.column_bias), &products);
        add_rows(gradients.slice_mut(self.bias), &alone);
        let weights = parameters.view(self.weights).transposed();
        multiply_add(of_rows.part_mut(range.clone(), columns.clone()), products.view(), weights);
        let weights = parameters.view(self.row_weights).transposed();
        multiply_add(of_rows.part_mut(range, columns), alone.view(), weights);
    }
}
