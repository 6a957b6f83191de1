//! Rows of numbers, several at a time.

use crate::semiring::Semiring;

/// The fewest numbers that are combined at once.
pub(super) const LANES: usize = 8;
/// How many nodes that stay, or that are heads, are worked on at once. Where there are fewer, the rest is computed from whatever is stored there,
/// and thrown away: a loop without conditions takes less time than it saves.
pub(super) const NODES: usize = 4;
/// How many of so many nodes to work on at once, where it pays to take fewer at the end.
#[inline(always)]
pub(super) fn tile(left: usize) -> usize {
    match left {
        1 => 1,
        2 | 3 => 2,
        _ => 4,
    }
}

/// Rows may be read this far beyond their end.
pub(super) const PADDING: usize = 2 * LANES;

/// Room for a row that is read in groups of lanes from any place in it.
pub(super) fn padded(length: usize) -> usize {
    length.next_multiple_of(LANES) + PADDING
}

/// Sums that stay in registers while terms are added. They never go back to memory in between: a maximum that is
/// written where one of its two arguments came from compiles to a masked store, which takes some processors dozens of cycles.
#[derive(Clone, Copy)]
pub(super) struct Sums<S, const WIDTH: usize>(pub [S; WIDTH]);

impl<S: Semiring, const WIDTH: usize> Sums<S, WIDTH> {
    #[inline(always)]
    pub fn zero() -> Sums<S, WIDTH> {
        Sums([S::ZERO; WIDTH])
    }

    /// The numbers of a row at a place and after it = sums
    #[inline(always)]
    pub fn put(self, row: &mut [S], at: usize) {
        row[at..at + WIDTH].copy_from_slice(&self.0);
    }

    /// row = sums, as far as the row goes
    #[inline(always)]
    pub fn store(self, row: &mut [S]) {
        let length = row.len().min(WIDTH);
        row[..length].copy_from_slice(&self.0[..length]);
    }

    /// sums ⊕= weight ⊗ row
    #[inline(always)]
    pub fn add_scaled(&mut self, weight: S, row: [S; WIDTH]) {
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(weight.times(row[lane]));
        }
    }

    /// sums ⊕= a ⊗ b
    #[inline(always)]
    pub fn add_products(&mut self, a: [S; WIDTH], b: [S; WIDTH]) {
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(a[lane].times(b[lane]));
        }
    }

    /// sums ⊕= a ⊗ (weight ⊗ b)
    #[inline(always)]
    pub fn add_scaled_products(&mut self, a: [S; WIDTH], weight: S, b: [S; WIDTH]) {
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].plus(a[lane].times(weight.times(b[lane])));
        }
    }
}

/// The numbers at a place and after it.
#[inline(always)]
pub(super) fn lanes<S: Semiring, const WIDTH: usize>(row: &[S], at: usize) -> [S; WIDTH] {
    row[at..at + WIDTH].try_into().expect("a slice of that length")
}

/// a ⊕ b
#[inline(always)]
pub(super) fn sum<S: Semiring, const WIDTH: usize>(a: [S; WIDTH], b: [S; WIDTH]) -> [S; WIDTH] {
    let mut sum = a;
    for lane in 0..WIDTH {
        sum[lane] = a[lane].plus(b[lane]);
    }
    sum
}

/// a ⊗ b
#[inline(always)]
pub(super) fn products<S: Semiring, const WIDTH: usize>(a: [S; WIDTH], b: [S; WIDTH]) -> [S; WIDTH] {
    let mut products = a;
    for lane in 0..WIDTH {
        products[lane] = a[lane].times(b[lane]);
    }
    products
}
