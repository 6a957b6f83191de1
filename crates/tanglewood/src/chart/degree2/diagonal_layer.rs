//! Diagonal items of one layer, where there are others, too.
//!
//! E[h1; k, h3; x] serves the items [h1, i, h1, x, j] of every i ≤ h3. So what it contributes is added to all
//! of them as soon as it is there.

use super::Degree2;
use super::hook_e::HookE;
use crate::chart::lanes::{LANES, Lanes, array, for_each_tile, product, triangle};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// First premises and results, by i from h1 + 1 on in groups of lanes.
pub(super) struct DiagonalLayer<S> {
    words: usize,
    /// The items [h1, i, h1, x, j] of one layer as far as they are known, by h1, x and i.
    items: Vec<Lanes<S>>,
    /// The items [h1, i, h1, h3, k] of the layers before by k, then h1, h3 and i; zero where i > h3.
    firsts: Vec<Vec<Lanes<S>>>,
    /// Room that the rows of the last h1 take, by their number.
    rooms: Vec<usize>,
}

/// Number of groups of lanes for `count` values of i.
#[inline(always)]
fn groups(count: usize) -> usize {
    count.div_ceil(LANES)
}

impl<S: Semiring> DiagonalLayer<S> {
    pub fn new(words: usize) -> Result<DiagonalLayer<S>, OutOfMemory> {
        let mut rooms = vec![0];
        for count in 1..=words {
            rooms.push(rooms[count - 1] + count * groups(count));
        }
        let items = table(rooms[words], [S::ZERO; LANES])?;
        let mut firsts = vec![Vec::new(); words + 1];
        for k in 2..=words {
            firsts[k] = table(rooms[k - 1], [S::ZERO; LANES])?;
        }
        Ok(DiagonalLayer { words, items, firsts, rooms })
    }

    /// Where the row of (h1, x) begins in a table for `nodes` nodes above the root.
    #[inline(always)]
    fn row(&self, nodes: usize, h1: usize, x: usize) -> usize {
        self.rooms[nodes] - self.rooms[nodes - h1] + (x - h1 - 1) * groups(nodes - h1)
    }

    /// Begins the items of x in layer j, when E is there for all k > x: x = h3 stays.
    #[inline(always)]
    pub fn begin(&mut self, hook: &HookE<S>, x: usize, j: usize) {
        for h1 in 0..x {
            let row = self.row(self.words, h1, x);
            let weights = hook.layout.row(h1, x) + x - h1 - 1;
            for group in 0..groups(self.words - h1) {
                let above = if group < groups(x - h1) { x + 1..j } else { 0..0 };
                [self.items[row + group]] = product!([[S::ZERO; LANES]], k in above => {
                    let first = self.row(k - 1, h1, x) + group;
                    ([hook.cells[weights + triangle(k - h1 - 2)]], [self.firsts[k][first]])
                });
            }
        }
    }

    /// Adds what E for k contributes.
    #[inline(always)]
    pub fn apply(&mut self, hook: &HookE<S>, k: usize, j: usize) {
        for h1 in 0..k.saturating_sub(1) {
            for_each_tile!(k..j, x, COUNT => self.apply_tile::<COUNT>(hook, [h1, k, x]));
        }
    }

    #[inline(always)]
    fn apply_tile<const COUNT: usize>(&mut self, hook: &HookE<S>, [h1, k, x]: [usize; 3]) {
        let (count, apart) = (groups(k - 1 - h1), groups(self.words - h1));
        let firsts = &self.firsts[k][self.row(k - 1, h1, h1 + 1)..][..(k - 1 - h1) * count];
        let row = self.row(self.words, h1, x);
        let items = &mut self.items[row..][..(COUNT - 1) * apart + count];
        let weights: [&[S]; COUNT] =
            array!(COUNT, q => &hook.cells[hook.layout.place(h1, k, h1 + 1, x + q)..][..k - 1 - h1]);
        for group in 0..count {
            let sums = array!(COUNT, q => items[q * apart + group]);
            let sums = product!(sums, at in group * LANES..k - 1 - h1 => {
                (array!(COUNT, q => weights[q][at]), [firsts[at * count + group]; COUNT])
            });
            for q in 0..COUNT {
                items[q * apart + group] = sums[q];
            }
        }
    }

    /// Moves the items of (i, j) to the chart, when they are complete.
    #[inline(always)]
    pub fn finish(&self, chart: &mut Degree2<S>, i: usize, j: usize) {
        let items = self.items.as_flattened();
        for h1 in 0..i {
            let mut from = self.row(self.words, h1, i) * LANES + i - h1 - 1;
            let mut to = chart.layout.diagonal_item(h1, i, i, j);
            for _ in i..j {
                chart.cells[to] = items[from];
                to += i;
                from += groups(self.words - h1) * LANES;
            }
        }
    }

    /// Keeps the items of layer k, when they are complete.
    pub fn finish_layer(&mut self, chart: &Degree2<S>, k: usize) {
        let mut firsts = std::mem::take(&mut self.firsts[k]);
        for h1 in 0..k - 1 {
            let count = groups(k - 1 - h1);
            for h3 in h1 + 1..k {
                let (from, to) = (self.row(self.words, h1, h3), self.row(k - 1, h1, h3));
                firsts[to..to + count].copy_from_slice(&self.items[from..from + count]);
            }
            // A shift, which is made without E.
            let last = self.row(k - 1, h1, k - 1);
            firsts[last..].as_flattened_mut()[k - 2 - h1] = chart.diagonal(h1, k - 1, k - 1, k);
        }
        self.firsts[k] = firsts;
    }

    /// Numbers stored.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        (self.items.len() + self.firsts.iter().map(Vec::len).sum::<usize>()) * LANES
    }
}
