//! Matrices, views of parts of them, and their product.
//!
//! A view may be any regular grid of a slice: some rows, some columns, or the transpose. That it lies within
//! its slice is checked where it is made, which is all that the one call to foreign code below relies on.

use std::ops::Range;

use crate::real::Real;
use crate::simd::vectorised;

/// A matrix, row after row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

/// A matrix to read: part of another one, perhaps transposed.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T> {
    values: &'a [T],
    grid: Grid,
}

/// A matrix to write: part of another one.
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    values: &'a mut [T],
    grid: Grid,
}

/// Shape and strides of a matrix within a slice.
#[derive(Clone, Copy, Debug)]
struct Grid {
    rows: usize,
    columns: usize,
    row_step: usize,
    column_step: usize,
}

impl Grid {
    /// How long a slice has to be to hold the grid.
    fn extent(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return 0;
        }
        (self.rows - 1) * self.row_step + (self.columns - 1) * self.column_step + 1
    }
}

impl<T: Real> Matrix<T> {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Matrix<T> {
        Matrix { rows, columns, values: vec![T::ZERO; rows * columns] }
    }

    /// A matrix of `rows` copies of one row.
    pub fn repeated(row: &[T], rows: usize) -> Matrix<T> {
        let mut values = Vec::with_capacity(rows * row.len());
        (0..rows).for_each(|_| values.extend_from_slice(row));
        Matrix { rows, columns: row.len(), values }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Two matrices side by side.
    pub fn beside(&self, right: &Matrix<T>) -> Matrix<T> {
        let mut both = Matrix::zeros(self.rows, self.columns + right.columns);
        for row in 0..self.rows {
            let (to_left, to_right) = both.row_mut(row).split_at_mut(self.columns);
            to_left.copy_from_slice(self.row(row));
            to_right.copy_from_slice(right.row(row));
        }
        both
    }

    /// The rows of these numbers, in this order.
    pub fn gathered(&self, rows: &[u32]) -> Matrix<T> {
        let mut values = Vec::with_capacity(rows.len() * self.columns);
        rows.iter().for_each(|&row| values.extend_from_slice(self.row(row as usize)));
        Matrix { rows: rows.len(), columns: self.columns, values }
    }

    /// Splits the matrix into its first `columns` columns and the remaining ones.
    pub fn split(&self, columns: usize) -> (Matrix<T>, Matrix<T>) {
        let mut left = Matrix::zeros(self.rows, columns);
        let mut right = Matrix::zeros(self.rows, self.columns - columns);
        for row in 0..self.rows {
            let (from_left, from_right) = self.row(row).split_at(columns);
            left.row_mut(row).copy_from_slice(from_left);
            right.row_mut(row).copy_from_slice(from_right);
        }
        (left, right)
    }

    /// All elements, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All elements, row after row.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// A row.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.columns..][..self.columns]
    }

    /// A view of the whole matrix.
    pub fn view(&self) -> View<'_, T> {
        self.part(0..self.rows, 0..self.columns)
    }

    /// A view of the whole matrix.
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.part_mut(0..self.rows, 0..self.columns)
    }

    /// A view of some rows and columns.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>) -> View<'_, T> {
        View::of(&self.values, self.columns, rows, columns)
    }

    /// A view of some rows and columns.
    pub fn part_mut(&mut self, rows: Range<usize>, columns: Range<usize>) -> ViewMut<'_, T> {
        ViewMut::of(&mut self.values, self.columns, rows, columns)
    }
}

impl<'a, T> View<'a, T> {
    /// Some rows and columns of a matrix that is stored row after row.
    pub fn of(values: &'a [T], width: usize, rows: Range<usize>, columns: Range<usize>) -> View<'a, T> {
        assert!(columns.end <= width, "columns {columns:?} of {width}");
        let grid = Grid { rows: rows.len(), columns: columns.len(), row_step: width, column_step: 1 };
        let start = if grid.extent() == 0 { 0 } else { rows.start * width + columns.start };
        View { values: &values[start..start + grid.extent()], grid }
    }

    /// Numbers of rows and columns.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.grid.rows, self.grid.columns)
    }

    /// Whether elements of a row are beside each other; otherwise those of a column are.
    pub(crate) fn is_by_rows(&self) -> bool {
        self.grid.column_step == 1
    }

    /// A row, or a column if elements of columns are beside each other.
    pub(crate) fn line(&self, number: usize) -> &'a [T] {
        let Grid { rows, columns, row_step, column_step } = self.grid;
        if self.is_by_rows() {
            &self.values[number * row_step..][..columns]
        } else {
            &self.values[number * column_step..][..rows]
        }
    }

    /// The slice with all rows, and how many elements they are apart.
    pub(crate) fn into_rows(self) -> (&'a [T], usize) {
        assert!(self.is_by_rows(), "a transposed view has no rows");
        (self.values, self.grid.row_step)
    }

    /// The transposed view.
    pub fn transposed(self) -> View<'a, T> {
        let Grid { rows, columns, row_step, column_step } = self.grid;
        let grid = Grid { rows: columns, columns: rows, row_step: column_step, column_step: row_step };
        View { values: self.values, grid }
    }
}

impl<'a, T> ViewMut<'a, T> {
    /// Some rows and columns of a matrix that is stored row after row.
    pub fn of(
        values: &'a mut [T],
        width: usize,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> ViewMut<'a, T> {
        assert!(columns.end <= width, "columns {columns:?} of {width}");
        let grid = Grid { rows: rows.len(), columns: columns.len(), row_step: width, column_step: 1 };
        let start = if grid.extent() == 0 { 0 } else { rows.start * width + columns.start };
        ViewMut { values: &mut values[start..start + grid.extent()], grid }
    }
}

impl<'a, T> ViewMut<'a, T> {
    /// Numbers of rows and columns.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.grid.rows, self.grid.columns)
    }

    /// The slice with all rows, and how many elements they are apart.
    pub(crate) fn into_rows(self) -> (&'a mut [T], usize) {
        (self.values, self.grid.row_step)
    }
}

/// target = left · right.
pub fn multiply<T: Real>(target: ViewMut<'_, T>, left: View<'_, T>, right: View<'_, T>) {
    product(target, left, right, false);
}

/// target += left · right.
pub fn multiply_add<T: Real>(target: ViewMut<'_, T>, left: View<'_, T>, right: View<'_, T>) {
    product(target, left, right, true);
}

fn product<T: Real>(target: ViewMut<'_, T>, left: View<'_, T>, right: View<'_, T>, add: bool) {
    let (to, a, b) = (target.grid, left.grid, right.grid);
    assert_eq!((to.rows, to.columns, a.columns), (a.rows, b.columns, b.rows), "shapes of a product");
    if to.rows == 1 {
        return product_of_row(target, left, right, add);
    }
    assert!(to.extent() <= target.values.len() && to.row_step >= to.columns && to.column_step == 1);
    assert!(a.extent() <= left.values.len() && b.extent() <= right.values.len());
    // SAFETY: each of the three grids lies within its slice, as was just checked; no two elements of the
    // target's are the same; and the target cannot overlap with what is read, since it is borrowed mutably.
    // All steps are far below isize::MAX, as indices into slices.
    unsafe {
        T::GEMM(
            to.rows,
            a.columns,
            to.columns,
            T::ONE,
            left.values.as_ptr(),
            a.row_step as isize,
            a.column_step as isize,
            right.values.as_ptr(),
            b.row_step as isize,
            b.column_step as isize,
            if add { T::ONE } else { T::ZERO },
            target.values.as_mut_ptr(),
            to.row_step as isize,
            to.column_step as isize,
        );
    }
}

/// A product with one row. Alone, it would be added up in another order than among others, and a sentence's
/// scores would depend on what it is batched with: it gets a second one for company.
fn product_of_row<T: Real>(target: ViewMut<'_, T>, left: View<'_, T>, right: View<'_, T>, add: bool) {
    let (columns, inner) = (target.grid.columns, left.grid.columns);
    let mut rows = Matrix::zeros(2, inner);
    let values = left.values.iter().step_by(left.grid.column_step.max(1));
    rows.row_mut(0).iter_mut().zip(values).for_each(|(to, &from)| *to = from);
    let mut products = Matrix::zeros(2, columns);
    let row = &mut target.values[..columns];
    if add {
        products.row_mut(0).copy_from_slice(row);
    }
    product(products.view_mut(), rows.view(), right, add);
    row.copy_from_slice(products.row(0));
}

vectorised! {
    /// target += source.
    pub fn add<T: Real>(target: &mut [T], source: &[T]) {
        for (target, &source) in target.iter_mut().zip(source) {
            *target += source;
        }
    }
}

vectorised! {
    /// target += factor · source.
    pub fn add_scaled<T: Real>(target: &mut [T], factor: T, source: &[T]) {
        for (target, &source) in target.iter_mut().zip(source) {
            *target += factor * source;
        }
    }
}

vectorised! {
    /// target *= source, element by element.
    pub fn multiply_elements<T: Real>(target: &mut [T], source: &[T]) {
        for (target, &source) in target.iter_mut().zip(source) {
            *target *= source;
        }
    }
}

vectorised! {
    /// The scalar product, in a fixed order: eight sums, then their sum.
    pub fn dot<T: Real>(left: &[T], right: &[T]) -> T {
        let mut sums = [T::ZERO; 8];
        let (left_chunks, right_chunks) = (left.chunks_exact(8), right.chunks_exact(8));
        let rest = left_chunks.remainder().iter().zip(right_chunks.remainder());
        for (left, right) in left_chunks.zip(right_chunks) {
            for lane in 0..8 {
                sums[lane] += left[lane] * right[lane];
            }
        }
        let mut total = T::ZERO;
        for sum in sums {
            total += sum;
        }
        for (&left, &right) in rest {
            total += left * right;
        }
        total
    }
}

/// target += the sum of all rows.
pub fn add_rows<T: Real>(target: &mut [T], matrix: &Matrix<T>) {
    for row in 0..matrix.rows() {
        add(target, matrix.row(row));
    }
}
