//! Diagonal items of one layer, where there are others, too.
//!
//! E[h1; k, h3; x] serves the items [h1, i, h1, x, j] of every i ≤ h3. So what it contributes is added to all of them as soon as it is there.

use std::ops::Range;

use super::degree2::Degree2;
use super::kept::Kept;
use super::lanes::{LANES, Sums, tile};
use super::layout::triangle;
use super::simd::Kernel;
use crate::semiring::Semiring;

/// Numbers for some i.
type Group<S> = [S; LANES];

/// First premises and results, by i from h1 + 1 on in groups.
pub(super) struct Diagonal<S> {
    words: usize,
    /// The items [h1, i, h1, x, j] of one layer as far as they are known, by h1, x and i.
    layer: Vec<Group<S>>,
    /// The items [h1, i, h1, h3, k] of the layers before by k, then h1, h3 and i; zero where i > h3.
    firsts: Vec<Vec<Group<S>>>,
    /// How much room the first premises of the last so many h1 take.
    rooms: Vec<usize>,
}

/// How many groups so many i make.
#[inline(always)]
fn groups(count: usize) -> usize {
    count.div_ceil(LANES)
}

impl<S: Semiring> Diagonal<S> {
    pub fn new(words: usize) -> Diagonal<S> {
        let mut rooms = vec![0];
        for count in 1..=words {
            rooms.push(rooms[count - 1] + count * groups(count));
        }
        Diagonal {
            words,
            layer: vec![[S::ZERO; LANES]; rooms[words]],
            firsts: vec![Vec::new(); words + 1],
            rooms,
        }
    }

    /// Begins the items of x in layer j, when E is there for all k > x: x = h3 stays.
    pub fn begin<'a>(&'a mut self, kept: &'a Kept<S>, x: usize, j: usize) -> BeginDiagonal<'a, S> {
        BeginDiagonal { diagonal: self, kept, x, j }
    }

    /// Moves the items of (i, j) to the chart, when they are complete.
    pub fn finish(&self, chart: &mut Degree2<S>, i: usize, j: usize) {
        let items = self.layer.as_flattened();
        for h1 in 0..i {
            let mut from = self.row(h1, i) * LANES + i - h1 - 1;
            let mut to = chart.layout.diagonal_item(h1, i, i, j);
            for _ in i..j {
                chart.cells[to] = items[from];
                to += i;
                from += groups(self.words - h1) * LANES;
            }
        }
    }

    /// Where the items of (h1, x) begin.
    #[inline(always)]
    fn row(&self, h1: usize, x: usize) -> usize {
        self.rooms[self.words] - self.rooms[self.words - h1] + (x - h1 - 1) * groups(self.words - h1)
    }

    /// Keeps the items of layer k, when they are complete.
    pub fn finish_layer(&mut self, chart: &Degree2<S>, k: usize) {
        let mut firsts = Vec::with_capacity(self.rooms[k - 1]);
        for h1 in 0..k - 1 {
            let count = groups(k - 1 - h1);
            for h3 in h1 + 1..k {
                let row = self.row(h1, h3);
                firsts.extend_from_slice(&self.layer[row..row + count]);
            }
            // A shift, which is made without E.
            let last = firsts.len() - count;
            firsts[last..].as_flattened_mut()[k - 2 - h1] = chart.diagonal(h1, k - 1, k - 1, k);
        }
        self.firsts[k] = firsts;
    }

    /// Adds what E for k contributes.
    pub fn add<'a>(&'a mut self, kept: &'a Kept<S>, k: usize, j: usize) -> AddDiagonal<'a, S> {
        let firsts = self.firsts.get(k).map_or(&[][..], |firsts| firsts);
        AddDiagonal {
            words: self.words,
            firsts,
            kept,
            h1: 0..k.saturating_sub(1),
            k,
            j,
            layer: &mut self.layer,
        }
    }

    /// How many numbers it holds.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        (self.layer.len() + self.firsts.iter().map(Vec::len).sum::<usize>()) * LANES
    }
}

/// Begins the items of x in layer j.
pub(super) struct BeginDiagonal<'a, S> {
    diagonal: &'a mut Diagonal<S>,
    kept: &'a Kept<S>,
    x: usize,
    j: usize,
}

impl<S: Semiring> Kernel for BeginDiagonal<'_, S> {
    #[inline(always)]
    fn run(self) {
        let BeginDiagonal { diagonal, kept, x, j } = self;
        for h1 in 0..x {
            let row = diagonal.row(h1, x);
            for group in 0..groups(diagonal.words - h1) {
                let mut sums = Sums::<S, LANES>::zero();
                if group < groups(x - h1) {
                    let at = kept.row(h1, x) + x - h1 - 1;
                    for k in x + 1..j {
                        let rooms = [diagonal.rooms[k - 1], diagonal.rooms[k - 1 - h1]];
                        let first = rooms[0] - rooms[1] + (x - h1 - 1) * groups(k - 1 - h1);
                        sums.add_scaled(
                            kept.cells[at + triangle(k - h1 - 2)],
                            diagonal.firsts[k][first + group],
                        );
                    }
                }
                diagonal.layer[row + group] = sums.0;
            }
        }
    }
}

/// Adds what E for k contributes to the items of some h1.
pub(super) struct AddDiagonal<'a, S> {
    words: usize,
    /// The first premises of these h1.
    firsts: &'a [Group<S>],
    kept: &'a Kept<S>,
    h1: Range<usize>,
    k: usize,
    j: usize,
    /// The items of these h1.
    layer: &'a mut [Group<S>],
}

impl<S: Semiring> AddDiagonal<'_, S> {
    /// For one h1 and some x ≥ k, with the first premises of h1 and the items of these x.
    #[inline(always)]
    fn above<const NODES: usize>(
        kept: &Kept<S>,
        firsts: &[Group<S>],
        items: &mut [Group<S>],
        h1: usize,
        k: usize,
        x: usize,
    ) {
        let apart = items.len() / NODES;
        let rows = groups(k - 1 - h1);
        let mut weights = [&kept.cells[..0]; NODES];
        for q in 0..NODES {
            let start = kept.place(h1, k, h1 + 1, x + q);
            weights[q] = &kept.cells[start..start + k - 1 - h1];
        }
        for group in 0..rows {
            let mut sums = [Sums::<S, LANES>::zero(); NODES];
            for q in 0..NODES {
                sums[q].0 = items[q * apart + group];
            }
            let mut first = group * LANES * rows + group;
            for at in group * LANES..k - 1 - h1 {
                for q in 0..NODES {
                    sums[q].add_scaled(weights[q][at], firsts[first]);
                }
                first += rows;
            }
            for q in 0..NODES {
                items[q * apart + group] = sums[q].0;
            }
        }
    }
}

impl<S: Semiring> Kernel for AddDiagonal<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AddDiagonal { words, mut firsts, kept, h1, k, j, mut layer } = self;
        for h1 in h1 {
            let apart = groups(words - h1);
            let (own_firsts, rest) = firsts.split_at((k - 1 - h1) * groups(k - 1 - h1));
            firsts = rest;
            let (items, rest) = layer.split_at_mut((words - h1) * apart);
            layer = rest;
            let mut x = k;
            while x < j {
                let nodes = tile(j - x);
                let items = &mut items[(x - h1 - 1) * apart..][..nodes * apart];
                match nodes {
                    1 => Self::above::<1>(kept, own_firsts, items, h1, k, x),
                    2 => Self::above::<2>(kept, own_firsts, items, h1, k, x),
                    _ => Self::above::<4>(kept, own_firsts, items, h1, k, x),
                }
                x += nodes;
            }
        }
    }
}
