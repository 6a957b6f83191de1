//! The semiring product that the kernels of window charts are made of: C[q, lanes] ⊕= A[q, k] ⊗ B[k, lanes].
//!
//! Tiles of four, two or one rows q and eight lanes stay in registers while k runs. They never go back to
//! memory in between: a maximum that is written where one of its two arguments came from compiles to a masked
//! store, which takes some processors dozens of cycles.

use crate::semiring::Semiring;

/// The number of neighbours that one vector instruction combines.
pub(super) const LANES: usize = 8;

/// Numbers beside each other.
pub(super) type Lanes<S> = [S; LANES];

/// The number of rows of the largest tile.
pub(super) const ROWS: usize = 4;

/// Rows may be read this far beyond their end.
pub(super) const PADDING: usize = 2 * LANES;

/// Room for a row that is read in groups of lanes from any place in it.
pub(super) fn padded(length: usize) -> usize {
    length.next_multiple_of(LANES) + PADDING
}

/// The number of rows of the next tile, if `left` are left.
#[inline(always)]
pub(super) fn tile(left: usize) -> usize {
    match left {
        1 => 1,
        2 | 3 => 2,
        _ => ROWS,
    }
}

/// Cuts a range of rows into tiles: evaluates the expression for the first row of each, with the number of
/// rows as a constant.
macro_rules! for_each_tile {
    ($rows:expr, $row:ident, $count:ident => $body:expr) => {{
        let std::ops::Range { start: mut $row, end } = $rows;
        while $row < end {
            let count = $crate::chart::lanes::tile(end - $row);
            match count {
                1 => {
                    const $count: usize = 1;
                    $body
                }
                2 => {
                    const $count: usize = 2;
                    $body
                }
                _ => {
                    const $count: usize = $crate::chart::lanes::ROWS;
                    $body
                }
            }
            $row += count;
        }
    }};
}
pub(super) use for_each_tile;

/// sums\[q\] ⊕= a\[q\] ⊗ b\[q\] for each k, where the expression gives the a and b of k. This and
/// [`array!`](array) are macros, since closures are not always inlined into functions with other
/// instructions.
macro_rules! product {
    ($sums:expr, $k:ident in $range:expr => $term:expr) => {{
        let mut sums = $sums;
        for $k in $range {
            let (a, b) = $term;
            sums = $crate::chart::lanes::add_products(sums, a, b);
        }
        sums
    }};
}
pub(super) use product;

/// sums\[q\] ⊕ a\[q\] ⊗ b\[q\]
#[inline(always)]
pub(super) fn add_products<S: Semiring, const COUNT: usize>(
    mut sums: [Lanes<S>; COUNT],
    a: [S; COUNT],
    b: [Lanes<S>; COUNT],
) -> [Lanes<S>; COUNT] {
    for q in 0..COUNT {
        for lane in 0..LANES {
            sums[q][lane] = sums[q][lane].plus_product(a[q], b[q][lane]);
        }
    }
    sums
}

/// An array of a given length by index.
macro_rules! array {
    ($count:expr, $q:ident => $of:expr) => {{
        let $q = 0;
        let mut array = [$of; $count];
        // An array of one has no further element.
        #[allow(clippy::reversed_empty_ranges)]
        for $q in 1..$count {
            array[$q] = $of;
        }
        array
    }};
}
pub(super) use array;

/// The numbers at a place and after it.
#[inline(always)]
pub(super) fn lanes<S: Semiring, const COUNT: usize>(row: &[S], at: usize) -> [S; COUNT] {
    row[at..at + COUNT].try_into().expect("a slice of that length")
}

/// The numbers of a row at a place and after it = `numbers`.
#[inline(always)]
pub(super) fn put<S: Semiring>(numbers: Lanes<S>, row: &mut [S], at: usize) {
    row[at..at + LANES].copy_from_slice(&numbers);
}

/// a ⊕ b
#[inline(always)]
pub(super) fn sum<S: Semiring>(a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
    array!(LANES, lane => a[lane].plus(b[lane]))
}

/// a ⊗ b
#[inline(always)]
pub(super) fn times<S: Semiring>(a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
    array!(LANES, lane => a[lane].times(b[lane]))
}

/// m(m + 1)/2
#[inline(always)]
pub(super) fn triangle(m: usize) -> usize {
    m * (m + 1) / 2
}
