//! Products of a few rows with a matrix that many of them are multiplied with.
//!
//! A recurrent layer multiplies its weights with the states of about ten sentences, once for each time.
//! A general product would copy the weights anew for each of these products, which takes as long as the product itself.
//! Here they are copied once, into panels of as many columns as the sums of a tile have lanes.

use crate::matrix::{View, ViewMut};
use crate::real::Real;
#[cfg(target_arch = "x86_64")]
use crate::simd::Instructions;

/// Columns of a panel: two vectors of AVX-512 in single precision.
const LANES: usize = 32;

/// Most rows of a tile: with two vectors each, their sums take half of the registers of AVX-512.
const MOST: usize = 8;

/// A matrix, cut into panels of `LANES` columns, each of them row after row. Columns that are missing in the
/// last panel are zero.
#[derive(Clone, Debug)]
pub struct Panels<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

/// Some rows of a product and one panel.
#[derive(Debug)]
pub struct Tile<'a, T> {
    /// Rows on the left, `inner` columns of each, `left_step` elements apart.
    left: &'a [T],
    left_step: usize,
    inner: usize,
    panel: &'a [T],
    /// Where their sums go: rows of `columns` elements, `target_step` elements apart.
    target: &'a mut [T],
    target_step: usize,
    columns: usize,
    /// Whether sums are added to what is there.
    add: bool,
}

impl<T: Real> Panels<T> {
    /// Copies a matrix, or a transposed one.
    pub fn of(matrix: View<'_, T>) -> Panels<T> {
        let (rows, columns) = matrix.shape();
        let mut values = vec![T::ZERO; rows * columns.next_multiple_of(LANES)];
        let by_rows = matrix.is_by_rows();
        for (number, panel) in values.chunks_exact_mut((rows * LANES).max(1)).enumerate() {
            let here = number * LANES..columns.min((number + 1) * LANES);
            if by_rows {
                for (row, lanes) in panel.chunks_exact_mut(LANES).enumerate() {
                    lanes[..here.len()].copy_from_slice(&matrix.line(row)[here.clone()]);
                }
            } else {
                for (lane, column) in here.enumerate() {
                    let lanes = panel[lane..].iter_mut().step_by(LANES);
                    lanes.zip(matrix.line(column)).for_each(|(to, &from)| *to = from);
                }
            }
        }
        Panels { rows, columns, values }
    }

    /// target = left · this. Each row is summed up in the same order, whatever other rows there are.
    pub fn multiply(&self, target: ViewMut<'_, T>, left: View<'_, T>) {
        self.product(target, left, false);
    }

    /// target += left · this, likewise.
    pub fn multiply_add(&self, target: ViewMut<'_, T>, left: View<'_, T>) {
        self.product(target, left, true);
    }

    fn product(&self, target: ViewMut<'_, T>, left: View<'_, T>, add: bool) {
        let (rows, inner) = left.shape();
        assert_eq!(target.shape(), (rows, self.columns), "shapes of a product");
        assert_eq!(inner, self.rows, "shapes of a product");
        let (target, target_step) = target.into_rows();
        let (left, left_step) = left.into_rows();
        if inner == 0 {
            if !add {
                (0..rows).for_each(|row| target[row * target_step..][..self.columns].fill(T::ZERO));
            }
            return;
        }
        // Tiles of about the same height are better than a few high ones and a low one.
        let height = rows.div_ceil(rows.div_ceil(MOST).max(1)).max(1);
        for (number, panel) in self.values.chunks_exact(inner * LANES).enumerate() {
            let column = number * LANES;
            for row in (0..rows).step_by(height) {
                let tile = Tile {
                    left: &left[row * left_step..],
                    left_step,
                    inner,
                    panel,
                    target: &mut target[row * target_step + column..],
                    target_step,
                    columns: LANES.min(self.columns - column),
                    add,
                };
                T::compute(tile, height.min(rows - row));
            }
        }
    }
}

impl Tile<'_, f32> {
    /// Computes some rows, from 1 to [`MOST`], in single precision. The widest instructions give the same bits
    /// as AVX2 with fused products, which `matrixmultiply` asks the processor for, too; only a processor that
    /// has neither gives others.
    pub(crate) fn fused(self, rows: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            if Instructions::current() == Instructions::Avx512 {
                // SAFETY: instructions in use are never more than the processor has.
                return unsafe { x86::avx512_of_height(self, rows) };
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                // SAFETY: the processor has what the function needs, as was just asked.
                return unsafe { x86::avx2_of_height(self, rows) };
            }
        }
        self.plain(rows);
    }
}

impl<T: Real> Tile<'_, T> {
    /// Computes some rows, from 1 to [`MOST`].
    pub(crate) fn plain(self, rows: usize) {
        for row in 0..rows {
            let left = &self.left[row * self.left_step..][..self.inner];
            let mut sums = [T::ZERO; LANES];
            for (&factor, weights) in left.iter().zip(self.panel.as_chunks::<LANES>().0) {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += factor * weight;
                }
            }
            let target = &mut self.target[row * self.target_step..][..self.columns];
            for (to, &sum) in target.iter_mut().zip(&sums) {
                *to = if self.add { *to + sum } else { sum };
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{LANES, Tile};

    /// Calls the kernel for this number of rows, so that all sums stay in registers.
    #[target_feature(enable = "avx512f")]
    pub fn avx512_of_height(tile: Tile<'_, f32>, rows: usize) {
        match rows {
            1 => avx512::<1>(tile),
            2 => avx512::<2>(tile),
            3 => avx512::<3>(tile),
            4 => avx512::<4>(tile),
            5 => avx512::<5>(tile),
            6 => avx512::<6>(tile),
            7 => avx512::<7>(tile),
            8 => avx512::<8>(tile),
            _ => unreachable!("no tile is higher"),
        }
    }

    #[allow(clippy::needless_range_loop)] // Plain loops over constants: they are unrolled.
    #[target_feature(enable = "avx512f")]
    fn avx512<const R: usize>(tile: Tile<'_, f32>) {
        let rows: [&[f32]; R] = std::array::from_fn(|row| &tile.left[row * tile.left_step..][..tile.inner]);
        let mut sums = [[_mm512_setzero_ps(); 2]; R];
        for (at, weights) in tile.panel.as_chunks::<LANES>().0.iter().take(tile.inner).enumerate() {
            let (low, high) = weights.split_at(16);
            // SAFETY: both halves have sixteen numbers.
            let weights = unsafe { [_mm512_loadu_ps(low.as_ptr()), _mm512_loadu_ps(high.as_ptr())] };
            for row in 0..R {
                // SAFETY: `at` is less than `inner`, the length of the row.
                let factor = _mm512_set1_ps(unsafe { *rows[row].get_unchecked(at) });
                for half in 0..2 {
                    sums[row][half] = _mm512_fmadd_ps(factor, weights[half], sums[row][half]);
                }
            }
        }
        for row in 0..R {
            let mut lanes = [0.0; LANES];
            // SAFETY: there is room for twice sixteen numbers.
            unsafe {
                _mm512_storeu_ps(lanes.as_mut_ptr(), sums[row][0]);
                _mm512_storeu_ps(lanes.as_mut_ptr().add(16), sums[row][1]);
            }
            let target = &mut tile.target[row * tile.target_step..][..tile.columns];
            finish(target, &lanes, tile.add);
        }
    }

    /// Four rows at a time, and half of the columns, which is what there are registers for.
    #[target_feature(enable = "avx2,fma")]
    pub fn avx2_of_height(tile: Tile<'_, f32>, rows: usize) {
        let Tile { left, left_step, inner, panel, target, target_step, columns, add } = tile;
        for first in (0..rows).step_by(4) {
            let tile = Tile {
                left: &left[first * left_step..],
                left_step,
                inner,
                panel,
                target: &mut target[first * target_step..],
                target_step,
                columns,
                add,
            };
            match rows - first {
                1 => avx2::<1>(tile),
                2 => avx2::<2>(tile),
                3 => avx2::<3>(tile),
                _ => avx2::<4>(tile),
            }
        }
    }

    #[allow(clippy::needless_range_loop)] // As above.
    #[target_feature(enable = "avx2,fma")]
    fn avx2<const R: usize>(tile: Tile<'_, f32>) {
        let rows: [&[f32]; R] = std::array::from_fn(|row| &tile.left[row * tile.left_step..][..tile.inner]);
        let mut lanes = [[0.0; LANES]; R];
        for half in [0, 16] {
            let mut sums = [[_mm256_setzero_ps(); 2]; R];
            for (at, weights) in tile.panel.as_chunks::<LANES>().0.iter().take(tile.inner).enumerate() {
                let (low, high) = weights[half..half + 16].split_at(8);
                // SAFETY: both have eight numbers.
                let weights = unsafe { [_mm256_loadu_ps(low.as_ptr()), _mm256_loadu_ps(high.as_ptr())] };
                for row in 0..R {
                    // SAFETY: `at` is less than `inner`, the length of the row.
                    let factor = _mm256_set1_ps(unsafe { *rows[row].get_unchecked(at) });
                    for part in 0..2 {
                        sums[row][part] = _mm256_fmadd_ps(factor, weights[part], sums[row][part]);
                    }
                }
            }
            for row in 0..R {
                let (low, high) = lanes[row][half..half + 16].split_at_mut(8);
                // SAFETY: both have room for eight numbers.
                unsafe {
                    _mm256_storeu_ps(low.as_mut_ptr(), sums[row][0]);
                    _mm256_storeu_ps(high.as_mut_ptr(), sums[row][1]);
                }
            }
        }
        for row in 0..R {
            let target = &mut tile.target[row * tile.target_step..][..tile.columns];
            finish(target, &lanes[row], tile.add);
        }
    }

    #[inline(always)]
    fn finish(target: &mut [f32], sums: &[f32; LANES], add: bool) {
        for (to, &sum) in target.iter_mut().zip(sums) {
            *to = if add { *to + sum } else { sum };
        }
    }
}
