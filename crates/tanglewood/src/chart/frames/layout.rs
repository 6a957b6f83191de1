//! Rows of items by their left end, cut into groups of lanes.
//!
//! What is done for one left end a is done for its neighbours by the same instruction. So eight left ends are a *group*; the group of a has number
//! a / 8. Within a group number, items [·, x, d] stand together by x and then d, as they are read when x is the first inner node of a frame; items
//! [·, x, y, d] by x, y and then d. Left ends that are too large for an item have weight zero, so that no lane has to be treated specially.

use crate::chart::lanes::LANES;
use crate::memory::OutOfMemory;
use crate::semiring::Semiring;

/// Numbers for as many left ends as there are lanes.
pub(super) type Group<S> = [S; LANES];

/// How many groups there are for left ends below x.
#[inline(always)]
pub(super) fn groups(x: usize) -> usize {
    x.div_ceil(LANES)
}

fn allocate<S: Semiring>(size: usize) -> Result<Vec<Group<S>>, OutOfMemory> {
    let mut cells = Vec::new();
    cells.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    cells.resize(size, [S::ZERO; LANES]);
    Ok(cells)
}

/// Items of three nodes.
pub(super) struct Rows3<S> {
    words: usize,
    /// Where the groups of x begin.
    starts: Vec<usize>,
    cells: Vec<Group<S>>,
}

impl<S: Semiring> Rows3<S> {
    pub fn new(words: usize) -> Result<Rows3<S>, OutOfMemory> {
        let mut starts = vec![0; words + 1];
        let mut size = 0;
        for x in 1..=words {
            starts[x] = size;
            size += (words + 1 - x) * groups(x);
        }
        Ok(Rows3 { words, starts, cells: allocate(size)? })
    }

    /// How many numbers there are.
    pub fn numbers(words: usize) -> u128 {
        (1..=words).map(|x| ((words + 1 - x) * groups(x) * LANES) as u128).sum()
    }

    /// The items [·, x, d] of a group, by d from x + 1 on.
    #[inline(always)]
    pub fn row(&self, group: usize, x: usize) -> &[Group<S>] {
        let length = self.words + 1 - x;
        &self.cells[self.starts[x] + group * length..][..length]
    }

    /// The same, to change them.
    #[inline(always)]
    pub fn row_mut(&mut self, group: usize, x: usize) -> &mut [Group<S>] {
        let length = self.words + 1 - x;
        &mut self.cells[self.starts[x] + group * length..][..length]
    }

    /// The place of the items [·, x, d] of a group.
    #[inline(always)]
    pub fn group(&mut self, group: usize, x: usize, d: usize) -> &mut Group<S> {
        &mut self.cells[self.starts[x] + group * (self.words + 1 - x) + d - x - 1]
    }

    /// [a, x, d]
    #[inline(always)]
    pub fn get(&self, a: usize, x: usize, d: usize) -> S {
        self.row(a / LANES, x)[d - x - 1][a % LANES]
    }

    /// The place of [a, x, d].
    pub fn at(&mut self, a: usize, x: usize, d: usize) -> &mut S {
        &mut self.group(a / LANES, x, d)[a % LANES]
    }
}

/// Items of four nodes.
pub(super) struct Rows4<S> {
    words: usize,
    /// Where the groups of x begin.
    starts: Vec<usize>,
    cells: Vec<Group<S>>,
}

impl<S: Semiring> Rows4<S> {
    pub fn new(words: usize) -> Result<Rows4<S>, OutOfMemory> {
        let mut starts = vec![0; words + 1];
        let mut size = 0;
        for x in 1..=words {
            starts[x] = size;
            size += Self::pairs_above(words, x) * groups(x);
        }
        Ok(Rows4 { words, starts, cells: allocate(size)? })
    }

    /// How many numbers there are.
    pub fn numbers(words: usize) -> u128 {
        (1..=words).map(|x| (Self::pairs_above(words, x) * groups(x) * LANES) as u128).sum()
    }

    /// How many y and d there are with x < y < d.
    #[inline(always)]
    fn pairs_above(words: usize, x: usize) -> usize {
        (words + 1 - x) * (words - x) / 2
    }

    /// Where the groups of (x, y) begin.
    #[inline(always)]
    fn start(&self, group: usize, x: usize, y: usize) -> usize {
        let pairs = Self::pairs_above(self.words, x);
        self.starts[x] + group * pairs + pairs - Self::pairs_above(self.words, y - 1)
    }

    /// The items [·, x, y, d] of a group, by d from y + 1 on.
    #[inline(always)]
    pub fn row(&self, group: usize, x: usize, y: usize) -> &[Group<S>] {
        &self.cells[self.start(group, x, y)..][..self.words + 1 - y]
    }

    /// The same, to change them.
    #[inline(always)]
    pub fn row_mut(&mut self, group: usize, x: usize, y: usize) -> &mut [Group<S>] {
        let start = self.start(group, x, y);
        &mut self.cells[start..][..self.words + 1 - y]
    }

    /// The place of the items [·, x, y, d] of a group.
    #[inline(always)]
    pub fn group(&mut self, group: usize, x: usize, y: usize, d: usize) -> &mut Group<S> {
        let start = self.start(group, x, y);
        &mut self.cells[start + d - y - 1]
    }

    /// [a, x, y, d]
    #[inline(always)]
    pub fn get(&self, a: usize, x: usize, y: usize, d: usize) -> S {
        self.row(a / LANES, x, y)[d - y - 1][a % LANES]
    }

    /// The place of [a, x, y, d].
    pub fn at(&mut self, a: usize, x: usize, y: usize, d: usize) -> &mut S {
        &mut self.group(a / LANES, x, y, d)[a % LANES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Count;

    /// Every item has a place of its own, and there are no more places than said.
    #[test]
    fn items_do_not_share_places() {
        for words in 0..20 {
            let mut triples = Rows3::<Count>::new(words).expect("little memory");
            let mut quadruples = Rows4::<Count>::new(words).expect("little memory");
            for x in 1..=words {
                for d in x + 1..=words + 1 {
                    for a in 0..x {
                        triples.at(a, x, d).0 += 1;
                        (x + 1..d).for_each(|y| quadruples.at(a, x, y, d).0 += 1);
                    }
                }
            }
            let n = words as u128;
            for (cells, items, numbers) in [
                (&triples.cells, n * (n + 1) * (n + 2) / 6, Rows3::<Count>::numbers(words)),
                (
                    &quadruples.cells,
                    (n + 2) * (n + 1) * n * n.saturating_sub(1) / 24,
                    Rows4::<Count>::numbers(words),
                ),
            ] {
                assert!(cells.iter().flatten().all(|cell| cell.0 <= 1), "{words}");
                assert_eq!(cells.iter().flatten().map(|cell| cell.0).sum::<u128>(), items, "{words}");
                assert_eq!(cells.len() as u128 * LANES as u128, numbers, "{words}");
            }
        }
    }
}
