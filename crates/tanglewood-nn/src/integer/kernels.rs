//! Sums of products of small integers, by the instructions of each kind of processor. All give the same
//! integers.
//!
//! This is the only module of the crate, besides the calls behind [`vectorised`](crate::simd) and the one of
//! `matrixmultiply`, that is not safe code. It reads and writes nothing but the three slices of a [`Tile`], whose
//! lengths are checked in [`Tile::sums`] before any kernel is called; and a kernel is called only if the
//! processor has its instructions.

use crate::simd::Instructions;

/// Columns in a block: the 32-bit lanes of a 512-bit vector.
pub const LANES: usize = 16;

/// Rows in a group: the products that one instruction adds up in a lane.
pub const GROUP: usize = 4;

/// The largest number of blocks of a tile.
pub const BLOCKS: usize = 4;

/// The largest number of rows of a tile: with four blocks, 24 of 32 registers hold sums.
pub const ROWS: usize = 6;

/// Bytes of weights for one group of rows and one block of columns.
pub const CELL: usize = GROUP * LANES;

/// The sums of a tile: columns of up to four blocks for up to six rows.
pub type Sums = [[i32; BLOCKS * LANES]; ROWS];

/// A few rows of activations and a few blocks of columns of weights.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// For each block and each group of rows: for each column the four weights of the group.
    pub weights: &'a [i8],
    /// For each block what its sums start with.
    pub starts: &'a [[i32; LANES]],
    /// For each row its activations, each plus 128.
    pub codes: &'a [u8],
    /// Number of groups of four.
    pub groups: usize,
}

impl Tile<'_> {
    /// For each row and each column, what the column starts with plus the sum of all products, modulo 2³².
    pub fn sums(self, sums: &mut Sums) {
        let (blocks, row_bytes) = (self.starts.len(), GROUP * self.groups);
        let rows = self.codes.len().checked_div(row_bytes).unwrap_or(0);
        assert!((1..=BLOCKS).contains(&blocks) && self.weights.len() == blocks * self.groups * CELL);
        assert!((1..=ROWS).contains(&rows) && self.codes.len() == rows * row_bytes);
        match Instructions::current() {
            // SAFETY: lengths are as asserted, which is all that the kernels read and write; and the
            // instructions in use are never more than the processor has.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { x86::vnni_of_shape(rows, blocks, self, sums) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { x86::avx2(rows, blocks, self, sums) },
            _ => portable(rows, blocks, self, sums),
        }
    }
}

/// Groups whose sums are exact in single precision: 4 · 128 products of at most 127 · 255 are below 2²⁴.
const EXACT_GROUPS: usize = 128;

/// For all other processors. Every compiler finds vectors in products of floating-point numbers, and these
/// are exact: integers below 2²⁴, in whatever order they are added up.
fn portable(rows: usize, blocks: usize, tile: Tile<'_>, sums: &mut Sums) {
    let row_bytes = tile.groups * GROUP;
    for block in 0..blocks {
        let weights = &tile.weights[block * tile.groups * CELL..][..tile.groups * CELL];
        let mut totals = [tile.starts[block]; ROWS];
        for (part, cells) in weights.as_chunks::<CELL>().0.chunks(EXACT_GROUPS).enumerate() {
            let mut lanes = [[0.0f32; LANES]; ROWS];
            for (at, cell) in cells.iter().enumerate() {
                let columns: [[f32; LANES]; GROUP] = std::array::from_fn(|within| {
                    std::array::from_fn(|lane| f32::from(cell[lane * GROUP + within]))
                });
                let group = part * EXACT_GROUPS + at;
                for (row, lanes) in lanes.iter_mut().enumerate().take(rows) {
                    let codes = &tile.codes[row * row_bytes + group * GROUP..][..GROUP];
                    let mut sum = *lanes;
                    for (column, &code) in columns.iter().zip(codes) {
                        let code = f32::from(code);
                        for (sum, weight) in sum.iter_mut().zip(column) {
                            *sum += weight * code;
                        }
                    }
                    *lanes = sum;
                }
            }
            for (totals, lanes) in totals.iter_mut().zip(&lanes) {
                for (total, &lane) in totals.iter_mut().zip(lanes) {
                    *total = total.wrapping_add(lane as i32);
                }
            }
        }
        for (sums, totals) in sums.iter_mut().zip(&totals).take(rows) {
            sums[block * LANES..][..LANES].copy_from_slice(totals);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCKS, CELL, GROUP, LANES, ROWS, Sums, Tile};

    /// Calls the kernel for this number of rows and blocks, so that all sums stay in registers.
    ///
    /// # Safety
    /// The processor has AVX-512F and VNNI. The tile has `rows` rows of codes, from 1 to [`ROWS`], and
    /// `blocks` blocks, from 1 to [`BLOCKS`], each slice in full length.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub unsafe fn vnni_of_shape(rows: usize, blocks: usize, tile: Tile<'_>, sums: &mut Sums) {
        macro_rules! shapes {
            ($($rows:literal)*) => {
                // SAFETY: passed on.
                match (rows, blocks) {
                    $(
                        ($rows, 1) => unsafe { vnni::<$rows, 1>(tile, sums) },
                        ($rows, 2) => unsafe { vnni::<$rows, 2>(tile, sums) },
                        ($rows, 3) => unsafe { vnni::<$rows, 3>(tile, sums) },
                        ($rows, 4) => unsafe { vnni::<$rows, 4>(tile, sums) },
                    )*
                    _ => unreachable!("checked by the caller"),
                }
            };
        }
        shapes!(1 2 3 4 5 6);
    }

    /// One instruction multiplies four codes of a row with four weights of each of sixteen columns and adds
    /// everything up.
    ///
    /// # Safety
    /// As [`vnni_of_shape`], for R rows and B blocks.
    #[allow(clippy::needless_range_loop)] // Plain loops over constants: they are unrolled, and sums stay in registers.
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn vnni<const R: usize, const B: usize>(tile: Tile<'_>, sums: &mut Sums) {
        const { assert!(R <= ROWS && B <= BLOCKS) };
        let (weights, codes, groups) = (tile.weights.as_ptr(), tile.codes.as_ptr(), tile.groups);
        // SAFETY: a start has sixteen numbers; cells of weights and groups of codes are within their slices,
        // since there are `groups` of them for each block and each row; a row of sums has room for all
        // blocks.
        unsafe {
            let mut lanes = [[_mm512_setzero_si512(); B]; R];
            for row in 0..R {
                for block in 0..B {
                    lanes[row][block] = _mm512_loadu_si512(tile.starts[block].as_ptr().cast());
                }
            }
            for group in 0..groups {
                let mut cells = [_mm512_setzero_si512(); B];
                for block in 0..B {
                    cells[block] = _mm512_loadu_si512(weights.add((block * groups + group) * CELL).cast());
                }
                for row in 0..R {
                    let four = codes.add((row * groups + group) * GROUP).cast::<i32>().read_unaligned();
                    let four = _mm512_set1_epi32(four);
                    for block in 0..B {
                        lanes[row][block] = _mm512_dpbusd_epi32(lanes[row][block], four, cells[block]);
                    }
                }
            }
            for row in 0..R {
                for block in 0..B {
                    let to = sums[row].as_mut_ptr().add(block * LANES);
                    _mm512_storeu_si512(to.cast(), lanes[row][block]);
                }
            }
        }
    }

    /// Two rows at a time. Codes and weights are extended to sixteen bits, so that sums of two products are
    /// exact; a vector has the sums of four columns, two for each, which are added at the end.
    ///
    /// # Safety
    /// The processor has AVX2; the tile as for [`vnni_of_shape`].
    #[target_feature(enable = "avx2")]
    pub unsafe fn avx2(rows: usize, blocks: usize, tile: Tile<'_>, sums: &mut Sums) {
        for block in 0..blocks {
            for row in (0..rows).step_by(2) {
                // The last row of an odd number is computed twice.
                let pair = [row, (row + 1).min(rows - 1)];
                // SAFETY: both rows and the block are within the tile.
                let lanes = unsafe { avx2_pair(pair, block, tile) };
                for (row, lanes) in pair.into_iter().zip(lanes) {
                    let sums = &mut sums[row][block * LANES..][..LANES];
                    for ((sum, lane), start) in sums.iter_mut().zip(lanes).zip(tile.starts[block]) {
                        *sum = start.wrapping_add(lane);
                    }
                }
            }
        }
    }

    /// # Safety
    /// The processor has AVX2; the rows and the block are within the tile.
    #[allow(clippy::needless_range_loop)] // As above.
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_pair(rows: [usize; 2], block: usize, tile: Tile<'_>) -> [[i32; LANES]; 2] {
        const QUARTERS: usize = 4;
        let (weights, codes, groups) = (tile.weights.as_ptr(), tile.codes.as_ptr(), tile.groups);
        let mut halves = [[_mm256_setzero_si256(); QUARTERS]; 2];
        for group in 0..groups {
            // SAFETY: the cell and the groups of codes are within their slices.
            unsafe {
                let cell = weights.add((block * groups + group) * CELL);
                let mut cells = [_mm256_setzero_si256(); QUARTERS];
                for quarter in 0..QUARTERS {
                    cells[quarter] = _mm256_cvtepi8_epi16(_mm_loadu_si128(cell.add(quarter * LANES).cast()));
                }
                for row in 0..2 {
                    let four = codes.add((rows[row] * groups + group) * GROUP).cast::<i32>().read_unaligned();
                    let four = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
                    for quarter in 0..QUARTERS {
                        let products = _mm256_madd_epi16(four, cells[quarter]);
                        halves[row][quarter] = _mm256_add_epi32(halves[row][quarter], products);
                    }
                }
            }
        }
        let mut lanes = [[0; LANES]; 2];
        for row in 0..2 {
            for quarter in 0..QUARTERS {
                let mut pairs = [0i32; 8];
                // SAFETY: the array has the length of the vector.
                unsafe { _mm256_storeu_si256(pairs.as_mut_ptr().cast(), halves[row][quarter]) };
                for lane in 0..LANES / QUARTERS {
                    lanes[row][quarter * LANES / QUARTERS + lane] =
                        pairs[2 * lane].wrapping_add(pairs[2 * lane + 1]);
                }
            }
        }
        lanes
    }
}
