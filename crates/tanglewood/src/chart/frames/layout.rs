//! Rows of items, by their left end.
//!
//! The items [a, x, d] with the same x and d are a row by a < x, padded with zeros to whole lanes; rows with the same x stand together by d, and so
//! are read one after the other when x is the first inner node of a frame. Items [a, x, y, d] likewise, by x, y and then d.

use crate::chart::degree2::OutOfMemory;
use crate::chart::lanes::{LANES, PADDING};
use crate::semiring::Semiring;

/// The room for a < x.
#[inline(always)]
fn length(x: usize) -> usize {
    x.next_multiple_of(LANES)
}

fn allocate<S: Semiring>(size: usize) -> Result<Vec<S>, OutOfMemory> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    cells.resize(size, S::ZERO);
    Ok(cells)
}

/// Items of three nodes.
pub(super) struct Rows3<S> {
    /// Where the rows of x begin.
    starts: Vec<usize>,
    cells: Vec<S>,
}

impl<S: Semiring> Rows3<S> {
    pub fn new(words: usize) -> Result<Rows3<S>, OutOfMemory> {
        let mut starts = vec![0; words + 1];
        let mut size = 0;
        for x in 1..=words {
            starts[x] = size;
            size += (words + 1 - x) * length(x);
        }
        Ok(Rows3 { starts, cells: allocate(size + PADDING)? })
    }

    /// How many numbers there are.
    pub fn numbers(words: usize) -> u128 {
        (1..=words).map(|x| ((words + 1 - x) * length(x)) as u128).sum()
    }

    /// Where the row [·, x, d] begins.
    #[inline(always)]
    pub fn row(&self, x: usize, d: usize) -> usize {
        self.starts[x] + (d - x - 1) * length(x)
    }

    /// From one row of x to the next.
    #[inline(always)]
    pub fn step(x: usize) -> usize {
        length(x)
    }

    #[inline(always)]
    pub fn cells(&self) -> &[S] {
        &self.cells
    }

    /// [a, x, d]
    #[inline(always)]
    pub fn get(&self, a: usize, x: usize, d: usize) -> S {
        self.cells[self.row(x, d) + a]
    }

    /// The place of [a, x, d].
    pub fn at(&mut self, a: usize, x: usize, d: usize) -> &mut S {
        let place = self.row(x, d) + a;
        &mut self.cells[place]
    }

    #[inline(always)]
    pub fn store(&mut self, x: usize, d: usize, row: &[S]) {
        let start = self.row(x, d);
        self.cells[start..start + length(x)].copy_from_slice(&row[..length(x)]);
    }
}

/// Items of four nodes.
pub(super) struct Rows4<S> {
    words: usize,
    /// Where the rows of x begin.
    starts: Vec<usize>,
    cells: Vec<S>,
}

impl<S: Semiring> Rows4<S> {
    pub fn new(words: usize) -> Result<Rows4<S>, OutOfMemory> {
        let mut starts = vec![0; words + 1];
        let mut size = 0;
        for x in 1..=words {
            starts[x] = size;
            let above = words + 1 - x;
            size += above * (above - 1) / 2 * length(x);
        }
        Ok(Rows4 { words, starts, cells: allocate(size + PADDING)? })
    }

    /// How many numbers there are.
    pub fn numbers(words: usize) -> u128 {
        let rows = |x: usize| ((words + 1 - x) * (words - x) / 2) as u128;
        (1..=words).map(|x| rows(x) * length(x) as u128).sum()
    }

    /// Where the row [·, x, y, d] begins.
    #[inline(always)]
    pub fn row(&self, x: usize, y: usize, d: usize) -> usize {
        // Rows of y' < y: as many as there are right ends beyond y'.
        let (above, skipped) = (self.words - x, y - x - 1);
        let before = skipped * above - skipped * skipped.wrapping_sub(1) / 2;
        self.starts[x] + (before + d - y - 1) * length(x)
    }

    #[inline(always)]
    pub fn cells(&self) -> &[S] {
        &self.cells
    }

    /// [a, x, y, d]
    #[inline(always)]
    pub fn get(&self, a: usize, x: usize, y: usize, d: usize) -> S {
        self.cells[self.row(x, y, d) + a]
    }

    /// The place of [a, x, y, d].
    pub fn at(&mut self, a: usize, x: usize, y: usize, d: usize) -> &mut S {
        let place = self.row(x, y, d) + a;
        &mut self.cells[place]
    }

    #[inline(always)]
    pub fn store(&mut self, x: usize, y: usize, d: usize, row: &[S]) {
        let start = self.row(x, y, d);
        self.cells[start..start + length(x)].copy_from_slice(&row[..length(x)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Count;

    /// Every item has a place of its own, within bounds.
    #[test]
    fn rows_do_not_overlap() {
        for words in 0..12 {
            let mut triples = Rows3::<Count>::new(words).expect("little memory");
            let mut quadruples = Rows4::<Count>::new(words).expect("little memory");
            let mut next = 1;
            let mut expected = Vec::new();
            for x in 1..=words {
                for d in x + 1..=words + 1 {
                    let row: Vec<Count> = (next..).take(length(x)).map(Count).collect();
                    next += length(x) as u128;
                    triples.store(x, d, &row);
                    expected.push((x, None, d, row));
                    for y in x + 1..d {
                        let row: Vec<Count> = (next..).take(length(x)).map(Count).collect();
                        next += length(x) as u128;
                        quadruples.store(x, y, d, &row);
                        expected.push((x, Some(y), d, row));
                    }
                }
            }
            for (x, y, d, row) in expected {
                for a in 0..x {
                    let found = match y {
                        None => triples.get(a, x, d),
                        Some(y) => quadruples.get(a, x, y, d),
                    };
                    assert_eq!(found, row[a], "{words} words: {a} {x} {y:?} {d}");
                }
            }
            let used = |cells: &[Count]| cells.iter().filter(|cell| cell.0 > 0).count() as u128;
            assert_eq!(used(triples.cells()), Rows3::<Count>::numbers(words));
            assert_eq!(used(quadruples.cells()), Rows4::<Count>::numbers(words));
        }
    }
}
