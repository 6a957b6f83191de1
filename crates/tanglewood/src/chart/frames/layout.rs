//! Tables of items whose left ends are the lanes of vectors.
//!
//! What is done for one left end a is done for its neighbours by the same instruction. So eight left ends are
//! a *group*; the group of a has number a / 8. For each group, the items [·, x, d] stand together by x and
//! then d, the items [·, x, y, d] by x, y and then d: the order in which kernels read them when x is the
//! first inner node of a frame. Left ends that are too large for an item have weight zero, so that no lane
//! has to be treated specially.

use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// Numbers for as many left ends as there are lanes.
pub(super) type Group<S> = [S; LANES];

/// Number of groups that the left ends below `end` need.
#[inline(always)]
pub(super) fn groups(end: usize) -> usize {
    end.div_ceil(LANES)
}

/// sums ⊕= terms
#[inline(always)]
pub(super) fn add<S: Semiring>(sums: &mut Group<S>, terms: Group<S>) {
    for lane in 0..LANES {
        sums[lane].add(terms[lane]);
    }
}

/// ⊕ of all lanes
#[inline(always)]
pub(super) fn sum<S: Semiring>(lanes: Group<S>) -> S {
    lanes.into_iter().fold(S::ZERO, S::plus)
}

/// ⊕ of products. Lanes have sums of their own: one would wait for itself.
#[inline(always)]
pub(in crate::chart) fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [S::ZERO; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].plus_product(a[lane], b[lane]);
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] = sums[lane].plus_product(*a, *b);
    }
    sum(sums)
}

/// Items with one inner node (three nodes) or two (four nodes).
pub(super) struct Rows<S> {
    words: usize,
    /// By group and x: where the items [·, x, …] begin.
    starts: Vec<usize>,
    cells: Vec<Group<S>>,
}

/// Number of pairs y < d above x.
#[inline(always)]
fn pairs_above(words: usize, x: usize) -> usize {
    (words + 1 - x) * (words - x) / 2
}

/// Number of cells of one group and one x.
fn cells_of(words: usize, inner: usize, x: usize) -> usize {
    if inner == 1 { words + 1 - x } else { pairs_above(words, x) }
}

impl<S: Semiring> Rows<S> {
    /// Tables of weight zero for items with one or two inner nodes.
    pub fn new(words: usize, inner: usize) -> Result<Rows<S>, OutOfMemory> {
        let mut starts = table(groups(words + 1) * (words + 1), 0)?;
        let mut size = 0;
        for group in 0..groups(words) {
            for x in group * LANES + 1..=words {
                starts[group * (words + 1) + x] = size;
                size += cells_of(words, inner, x);
            }
        }
        Ok(Rows { words, starts, cells: table(size, [S::ZERO; LANES])? })
    }

    /// Number of numbers in such a table.
    pub fn numbers(words: usize, inner: usize) -> u128 {
        (1..=words).map(|x| (groups(x) * LANES) as u128 * cells_of(words, inner, x) as u128).sum()
    }

    #[inline(always)]
    fn start<const INNER: usize>(&self, group: usize, inner: [usize; INNER]) -> usize {
        let start = self.starts[group * (self.words + 1) + inner[0]];
        if INNER == 1 {
            return start;
        }
        start + pairs_above(self.words, inner[0]) - pairs_above(self.words, inner[1] - 1)
    }

    /// The items [·, …, d] of a group with these inner nodes, by d from the last of these on.
    #[inline(always)]
    pub fn row<const INNER: usize>(&self, group: usize, inner: [usize; INNER]) -> &[Group<S>] {
        &self.cells[self.start(group, inner)..][..self.words + 1 - inner[INNER - 1]]
    }

    /// [`Rows::row`], to be changed.
    #[inline(always)]
    pub fn row_mut<const INNER: usize>(&mut self, group: usize, inner: [usize; INNER]) -> &mut [Group<S>] {
        let start = self.start(group, inner);
        &mut self.cells[start..][..self.words + 1 - inner[INNER - 1]]
    }

    /// The weight of one item [a, …, d].
    #[inline(always)]
    pub fn get<const INNER: usize>(&self, a: usize, inner: [usize; INNER], d: usize) -> S {
        self.cells.as_flattened()[self.place(a, inner, d)]
    }

    #[inline(always)]
    fn place<const INNER: usize>(&self, a: usize, inner: [usize; INNER], d: usize) -> usize {
        (self.start(a / LANES, inner) + d - inner[INNER - 1] - 1) * LANES + a % LANES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semiring::Count;

    #[test]
    fn items_do_not_share_places_and_there_are_no_more_places_than_announced() {
        for words in 0..20 {
            let (triples, quadruples) = (Rows::<Count>::new(words, 1), Rows::<Count>::new(words, 2));
            let (triples, quadruples) = (triples.expect("little memory"), quadruples.expect("little memory"));
            let mut seen = [&triples.cells, &quadruples.cells].map(|cells| vec![false; cells.len() * LANES]);
            for x in 1..=words {
                for (a, d) in (0..x).flat_map(|a| (x + 1..=words + 1).map(move |d| (a, d))) {
                    assert!(!std::mem::replace(&mut seen[0][triples.place(a, [x], d)], true));
                    for y in x + 1..d {
                        assert!(!std::mem::replace(&mut seen[1][quadruples.place(a, [x, y], d)], true));
                    }
                }
            }
            for (inner, seen) in (1..).zip(&seen) {
                assert_eq!(seen.len() as u128, Rows::<Count>::numbers(words, inner), "{words}");
            }
        }
    }
}
