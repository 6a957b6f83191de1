//! Products of matrices in integers: most of what a model does when it parses.
//!
//! Weights are stored in a byte each with a factor for each row, as compact files have them. For a product x
//! W, the factors are multiplied into x, each row of which is then rounded to integers from −127 to 127 times
//! a factor of its own. All products and sums of them are exact in 32 bits, so that they are the same on
//! every processor, in any order; what is left of floating point is one multiplication and one addition for
//! each element of the result.
//!
//! Columns of weights are packed in blocks of sixteen, and rows in groups of four, for instructions that take
//! four products into each of sixteen sums. Sizes that are no multiples are filled up with zeros.

mod kernels;

use crate::matrix::Matrix;
use crate::quantise::Codes;
use crate::simd::vectorised;
pub use kernels::{BLOCKS, LANES, ROWS, Sums};
use kernels::{CELL, GROUP, Tile};

/// The columns that a tile has at most.
pub const TILE_COLUMNS: usize = BLOCKS * LANES;

/// Codes of activations have this added, since the instructions want one of the factors without a sign.
const MIDDLE: i32 = 128;

/// A matrix of weights in 8-bit integers, laid out for the kernels.
#[derive(Clone, Debug)]
pub struct Weights {
    columns: usize,
    groups: usize,
    /// The factor of each row.
    scales: Vec<f32>,
    codes: Vec<i8>,
    /// For each block what sums start with, so that [`MIDDLE`] makes no difference.
    starts: Vec<[i32; LANES]>,
}

/// Rows to multiply, rounded for one matrix.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    codes: Vec<u8>,
    scales: Vec<f32>,
}

impl Rows {
    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.codes.clear();
        self.scales.clear();
    }
}

impl Weights {
    /// Some rows of a matrix, with the given columns in the given order; for none there is a column of zeros.
    pub fn new(matrix: &Codes<'_>, rows: std::ops::Range<usize>, columns: &[Option<usize>]) -> Weights {
        let groups = rows.len().div_ceil(GROUP);
        let blocks = columns.len().div_ceil(LANES);
        let rows: Vec<(&[u8], f32)> = rows.map(|row| matrix.row(row)).collect();
        let mut codes = vec![0i8; blocks * groups * CELL];
        let mut starts = vec![[0i32; LANES]; blocks];
        for (group, rows) in rows.chunks(GROUP).enumerate() {
            for (block, columns) in columns.chunks(LANES).enumerate() {
                let cell = &mut codes[(block * groups + group) * CELL..][..CELL];
                let lanes = cell.chunks_exact_mut(GROUP).zip(&mut starts[block]);
                for ((codes, start), &column) in lanes.zip(columns) {
                    let Some(column) = column else { continue };
                    for (code, (row, _)) in codes.iter_mut().zip(rows) {
                        *code = row[column] as i8;
                        *start = start.wrapping_sub(MIDDLE * i32::from(*code));
                    }
                }
            }
        }
        let scales = rows.into_iter().map(|(_, scale)| scale).collect();
        Weights { columns: columns.len(), groups, scales, codes, starts }
    }

    /// Some rows of a matrix with all columns as they are.
    pub fn plain(matrix: &Codes<'_>, rows: std::ops::Range<usize>) -> Weights {
        let columns: Vec<Option<usize>> = (0..matrix.columns()).map(Some).collect();
        Weights::new(matrix, rows, &columns)
    }

    /// Number of columns of a product.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of multiplications for one row.
    pub fn products(&self) -> usize {
        self.columns * self.scales.len()
    }

    /// Rounds rows for a product with this matrix; a row that is too short counts as filled up with zeros.
    pub fn round<'a>(&self, rows: impl Iterator<Item = &'a [f32]>, to: &mut Rows) {
        to.clear();
        rows.for_each(|row| self.round_one(row, to));
    }

    /// Rounds one more row of activations to 8-bit integers.
    pub fn round_one(&self, row: &[f32], to: &mut Rows) {
        let start = to.codes.len();
        to.codes.resize(start + self.groups * GROUP, MIDDLE as u8);
        to.scales.push(round(row, &self.scales, &mut to.codes[start..]));
    }

    /// Visits the product tile by tile: its first row, its first column, and the sums and factors of its
    /// rows. Element by element the product is the sum times the factor of its row.
    pub fn each_tile(&self, rows: &Rows, mut visit: impl FnMut(usize, usize, &Sums, &[f32])) {
        let width = self.groups * GROUP;
        let mut sums: Sums = [[0; TILE_COLUMNS]; ROWS];
        for (at, starts) in self.starts.chunks(BLOCKS).enumerate() {
            let weights =
                &self.codes[at * BLOCKS * self.groups * CELL..][..starts.len() * self.groups * CELL];
            for (part, scales) in rows.scales.chunks(ROWS).enumerate() {
                let first = part * ROWS;
                if width > 0 {
                    let codes = &rows.codes[first * width..][..scales.len() * width];
                    Tile { weights, starts, codes, groups: self.groups }.sums(&mut sums);
                }
                visit(first, at * TILE_COLUMNS, &sums, scales);
            }
        }
    }

    /// The product, each row plus `base` of its number.
    pub fn product<'b>(&self, rows: &Rows, base: impl Fn(usize) -> &'b [f32]) -> Matrix<f32> {
        let mut to = Matrix::zeros(rows.scales.len(), self.columns);
        self.multiply(rows, base, &mut to, 0);
        to
    }

    /// The product, each row plus `base` of its number, into the columns of `to` from `first_column` on.
    pub fn multiply<'b>(
        &self,
        rows: &Rows,
        base: impl Fn(usize) -> &'b [f32],
        to: &mut Matrix<f32>,
        first_column: usize,
    ) {
        self.each_tile(rows, |first, column, sums, scales| {
            let end = self.columns.min(column + TILE_COLUMNS);
            let bases: [&[f32]; ROWS] = std::array::from_fn(|at| match at < scales.len() {
                true => &base(first + at)[column..end],
                false => &[],
            });
            let (width, start) = (to.columns(), first_column + column);
            finish(sums, scales, bases, &mut to.values_mut()[first * width..], width, start);
        });
    }
}

vectorised! {
    /// The codes of a row times the factors of the matrix, and the factor of the row.
    fn round(row: &[f32], factors: &[f32], codes: &mut [u8]) -> f32 {
        let mut largest = [0.0f32; LANES];
        let (values, value_rest) = row.as_chunks::<LANES>();
        let (scales, scale_rest) = factors.as_chunks::<LANES>();
        for (values, scales) in values.iter().zip(scales) {
            for lane in 0..LANES {
                let size = (values[lane] * scales[lane]).abs();
                largest[lane] = if size > largest[lane] { size } else { largest[lane] };
            }
        }
        for (value, scale) in value_rest.iter().zip(scale_rest) {
            let size = (value * scale).abs();
            largest[0] = if size > largest[0] { size } else { largest[0] };
        }
        let largest = largest.into_iter().fold(0.0f32, |most, size| if size > most { size } else { most });
        let factor = 127.0 / largest;
        let factor = if factor.is_finite() { factor } else { 0.0 };
        // Adding it leaves no room for fractions: the low byte of the sum is the nearest integer plus 128.
        const ROUNDING: f32 = 12_582_912.0 + MIDDLE as f32;
        for ((code, value), scale) in codes.iter_mut().zip(row).zip(factors) {
            *code = (value * scale * factor + ROUNDING).to_bits() as u8;
        }
        largest / 127.0
    }
}

vectorised! {
    /// Rows of a product, each plus its base, into the columns from `start` on of rows of `width` columns.
    fn finish(
        sums: &Sums,
        scales: &[f32],
        bases: [&[f32]; ROWS],
        to: &mut [f32],
        width: usize,
        start: usize,
    ) {
        for (((sums, &scale), base), to) in sums.iter().zip(scales).zip(bases).zip(to.chunks_mut(width)) {
            let to = &mut to[start..start + base.len()];
            match (base.first_chunk::<TILE_COLUMNS>(), to.first_chunk_mut::<TILE_COLUMNS>()) {
                (Some(base), Some(to)) => {
                    for lane in 0..TILE_COLUMNS {
                        to[lane] = base[lane] + sums[lane] as f32 * scale;
                    }
                }
                _ => {
                    for ((to, base), &sum) in to.iter_mut().zip(base).zip(sums) {
                        *to = base + sum as f32 * scale;
                    }
                }
            }
        }
    }
}
