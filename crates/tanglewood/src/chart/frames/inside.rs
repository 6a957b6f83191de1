//! The inside pass for arc scores: kernels that fill a chart.
//!
//! Left ends are the lanes of vectors (`layout.rs`). Right ends d are filled in ascending order, for each of
//! them the groups of left ends in descending order. In a group, frames [a, x, …, d] whose x is beyond the
//! group come first, as all they consist of is there; then those with x in the group, by descending x, after
//! [`Items::close`] has completed the items with left end x.
//!
//! **Blocks of right ends.** For K = 4 almost all time goes into frames [a, x, y, d], which read L\[a,x,y\]
//! anew for each d. Long sentences are therefore filled for several d at once: for each group, frames with y
//! below the whole block are done for all of its right ends together, then the few others for one right end
//! after the other. The result is the same bit by bit up to the order of sums.

use std::ops::Range;

use super::arc_tables::ArcTables;
use super::layout::{Group, add, dot, groups, only_if};
use super::{Items, Layer};
use crate::chart::lanes::LANES;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::OutOfMemory;
use crate::semiring::Semiring;

/// Number of right ends in a block.
const BLOCK: usize = 8;

/// From this number of words on, charts for frames of four nodes are filled in blocks of right ends.
const LONG: usize = 192;

/// Number of y that are done for all right ends of a block before the next x: L\[·,x,y\] and the items that
/// are added to stay in the fastest cache meanwhile.
const TILE: usize = 32;

/// Number of right ends that are filled at once, if there are enough of them.
pub(super) fn layers(frame: usize, words: usize) -> usize {
    if frame == 4 && words >= LONG { BLOCK } else { 1 }
}

/// The inside pass with some instruction set.
pub(super) struct Inside<'f, S> {
    items: &'f mut Items<S>,
    arcs: &'f ArcTables<S>,
    layers: Vec<Layer<S>>,
}

impl<'f, S: Semiring> Inside<'f, S> {
    pub fn new(items: &'f mut Items<S>, arcs: &'f ArcTables<S>) -> Result<Inside<'f, S>, OutOfMemory> {
        let count = layers(items.frame, items.nodes - 1);
        let layers =
            (0..count).map(|_| Layer::new(items.nodes, items.frame, count > 1)).collect::<Result<_, _>>()?;
        Ok(Inside { items, arcs, layers })
    }

    /// Fills the chart with the instructions that suit it: without frames of four nodes nothing is done by
    /// lanes, and the widest vectors only pay off where almost all time goes into the inner loops.
    pub fn run_with(self, instructions: Instructions) {
        let widest = match self.items.frame {
            3 => Instructions::Portable,
            _ if self.layers.len() == 1 => Instructions::Avx2,
            _ => Instructions::Avx512,
        };
        simd::run(self, instructions.min(widest));
    }
}

impl<S: Semiring> Kernel for Inside<'_, S> {
    const VECTORS: bool = S::VECTORS;
    const WIDEST: bool = true;

    /// `#[inline(always)]`, as all that it calls, so that it is compiled anew for each instruction set.
    #[inline(always)]
    fn run(mut self) {
        let (mut d, nodes) = (1, self.items.nodes);
        while d <= nodes {
            let count = if self.layers.len() == BLOCK && d + BLOCK <= nodes + 1 { BLOCK } else { 1 };
            self.items.fill_block(d, &mut self.layers[..count], self.arcs);
            d += count;
        }
    }
}

impl<S: Semiring> Items<S> {
    /// Fills all items whose right end is in a block that begins with d.
    #[inline(always)]
    fn fill_block(&mut self, d: usize, block: &mut [Layer<S>], arcs: &ArcTables<S>) {
        (d..).zip(block.iter_mut()).for_each(|(d, layer)| layer.d = d);
        // Frames with y below this are done for the whole block at once.
        let done = if block.len() == BLOCK { d } else { 0 };
        for group in (0..groups(d + block.len() - 1)).rev() {
            let (first, beyond) = (group * LANES, group * LANES + LANES);
            for layer in block.iter_mut().filter(|layer| first < layer.d && self.frame > 3) {
                layer.triples[first..layer.d].fill([S::ZERO; LANES]);
                layer.quadruples.fill([S::ZERO; LANES]);
            }
            if block.len() == BLOCK {
                self.reduce4_in_block(beyond, group, block, arcs);
            }
            for layer in block.iter_mut().filter(|layer| first < layer.d) {
                for x in (beyond..if self.frame > 3 { layer.d } else { 0 }).rev() {
                    self.reduce(x, group, done, layer, arcs);
                }
                for x in (first..beyond.min(layer.d)).rev() {
                    self.close(x, layer, arcs);
                    if x > first {
                        self.reduce(x, group, 0, layer, arcs);
                    }
                }
                self.keep(group, layer);
            }
        }
    }

    /// Reduces in frames [·, x, …, d] of a group; those of four nodes from this y on.
    #[inline(always)]
    fn reduce(&self, x: usize, group: usize, from: usize, layer: &mut Layer<S>, arcs: &ArcTables<S>) {
        if self.frame > 3 {
            self.reduce4(x, group, from.max(x + 1)..layer.d, layer, arcs);
        }
        if self.frame > 4 {
            (x + 1..layer.d - 1).for_each(|y| self.reduce5(x, y, group, layer, arcs));
        }
    }

    /// Reduces in frames [·, x, y, d] of several whole items, for a range of y.
    #[inline(always)]
    fn reduce4(
        &self,
        x: usize,
        group: usize,
        inner: Range<usize>,
        layer: &mut Layer<S>,
        arcs: &ArcTables<S>,
    ) {
        let (nodes, d) = (self.nodes, layer.d);
        let (from, length) = (inner.start, inner.len());
        let near = layer.near_row(x, inner);
        if layer.in_block {
            arcs.by_neighbours(d, x, from, &mut layer.near[near.clone()]);
        }
        let near = &layer.near[near];
        let rest = &layer.joined[x * nodes + from..][..length];
        let last = &layer.pairs[from..][..length];
        let (x_by_y, y_by_a) = (&arcs.to(x)[from..][..length], &arcs.group_arcs(group)[from..][..length]);
        let first = self.by_group[group * nodes + x];
        let two = &self.triples.row(group, [x])[from - x - 1..][..length];
        let (before, y_stays) = layer.triples.split_at_mut(from);
        let y_stays = &mut y_stays[..length];
        let by_ahead = arcs.ahead(d, x);
        let x_by_others = arcs.group_arcs(group)[x].map(|by_a| by_a.plus(by_ahead));
        let mut x_stays = [S::ZERO; LANES];
        for at in 0..length {
            let mut y_term = [S::ZERO; LANES];
            for lane in 0..LANES {
                let parted_at_y = two[at][lane].times(last[at]);
                let frame = first[lane].times(rest[at]).plus(parted_at_y);
                y_term[lane] = frame.times(x_by_others[lane].plus(x_by_y[at]));
                let x_term = frame.times(y_by_a[at][lane]).plus(parted_at_y.times(near[at]));
                x_stays[lane] = x_stays[lane].plus(x_term);
            }
            add(&mut y_stays[at], y_term);
        }
        add(&mut before[x], x_stays);
    }

    /// The same for a block of right ends: for all x from `beyond` on and all y that are below the first
    /// right end.
    #[inline(always)]
    fn reduce4_in_block(&self, beyond: usize, group: usize, block: &mut [Layer<S>], arcs: &ArcTables<S>) {
        let end = block[0].d;
        for tile in (beyond + 1..end).step_by(TILE) {
            let tile = tile..end.min(tile + TILE);
            for x in beyond..tile.end - 1 {
                for layer in block.iter_mut() {
                    self.reduce4(x, group, tile.start.max(x + 1)..tile.end, layer, arcs);
                }
            }
        }
    }

    /// Reduces in frames [·, x, y, z, d], for all z.
    #[inline(always)]
    fn reduce5(&self, x: usize, y: usize, group: usize, layer: &mut Layer<S>, arcs: &ArcTables<S>) {
        let (nodes, d) = (self.nodes, layer.d);
        let (from, length) = (y + 1, d - y - 1);
        let after_x = &layer.joined4[layer.row(x, y)..][..length];
        let (after_y, after_z) =
            (&layer.joined[y * nodes + from..][..length], &layer.pairs[from..][..length]);
        let (z_near, y_goes) = (&layer.near[layer.near_row(y, from..d)], &mut layer.inner_goes[..length]);
        arcs.inner_by_any(d, [x, y], from, y_goes);
        let z_by_x = &arcs.arcs_from(x)[from..][..length];
        let (x_by_z, by_a) = (&arcs.to(x)[from..][..length], arcs.group_arcs(group));
        let (y_by_a, z_by_a) = (by_a[y], &by_a[from..][..length]);
        let first = self.by_group[group * nodes + x];
        let two = self.triples.row(group, [x])[y - x - 1];
        let three = &self.quadruples.row(group, [x, y])[..length];
        let (low, high) = layer.quadruples.split_at_mut(y * nodes);
        let (before, xz_stay) = low[x * nodes..][..nodes].split_at_mut(from);
        let (xz_stay, yz_stay) = (&mut xz_stay[..length], &mut high[from..][..length]);
        let by_others = arcs.ahead(d, x).plus(arcs.to(x)[y]);
        let x_by_others = by_a[x].map(|by_a| by_a.plus(by_others));
        let mut xy_stay: Group<S> = [S::ZERO; LANES];
        for at in 0..length {
            let mut yz_term = [S::ZERO; LANES];
            let mut xz_term = [S::ZERO; LANES];
            for lane in 0..LANES {
                let parted_at_z = three[at][lane].times(after_z[at]);
                let parted_later = two[lane].times(after_y[at]).plus(parted_at_z);
                let frame = first[lane].times(after_x[at]).plus(parted_later);
                yz_term[lane] = frame.times(x_by_others[lane].plus(x_by_z[at]));
                xz_term[lane] = frame.times(y_by_a[lane]).plus(parted_later.times(y_goes[at]));
                let by_stack = frame.times(z_by_a[at][lane]).plus(parted_later.times(z_by_x[at]));
                let xy_term = by_stack.plus(parted_at_z.times(z_near[at]));
                xy_stay[lane] = xy_stay[lane].plus(xy_term);
            }
            add(&mut yz_stay[at], yz_term);
            add(&mut xz_stay[at], xz_term);
        }
        add(&mut before[y], xy_stay);
    }

    /// Completes the items with left end x: frames that are one whole item, and G.
    #[inline(always)]
    fn close(&mut self, x: usize, layer: &mut Layer<S>, arcs: &ArcTables<S>) {
        let (nodes, d, lane) = (self.nodes, layer.d, x % LANES);
        for y in only_if(self.frame > 4, x + 1..d) {
            let length = d - y - 1;
            let (z_near, y_goes) =
                (&layer.near[layer.near_row(y, y + 1..d)], &mut layer.inner_goes[..length]);
            arcs.inner_by_any(d, [x, y], y + 1, y_goes);
            let z_by_x = &arcs.arcs_from(x)[y + 1..][..length];
            for at in 0..length {
                let whole = layer.quadruples[y * nodes + y + 1 + at][lane];
                layer.triples[y + 1 + at][lane].add(whole.times(y_goes[at]));
                layer.triples[y][lane].add(whole.times(z_by_x[at].plus(z_near[at])));
            }
        }
        self.join(x, layer);
        let row = layer.inner(x);
        if self.frame > 3 {
            let (joined, triples) = (&mut layer.joined[row.clone()], &layer.triples[x + 1..d]);
            for at in 0..d - x - 1 {
                joined[at] = joined[at].plus(triples[at][lane]);
            }
        }
        let near = layer.near_row(x, x + 1..d);
        let near = &mut layer.near[near];
        arcs.by_neighbours(d, x, x + 1, near);
        let pair = if x + 1 == d { S::ONE } else { dot(&layer.joined[row], near) };
        layer.pairs[x] = pair;
        self.set_pair(x, d, pair);
        for y in only_if(self.frame > 4, x + 1..d) {
            self.join4(x, y, layer);
            let row = layer.row(x, y);
            for z in y + 1..d {
                layer.joined4[row + z - y - 1].add(layer.quadruples[y * nodes + z][lane]);
            }
        }
    }

    /// G\[x, y, d\] for all y, but for what is one whole item.
    #[inline(always)]
    pub(super) fn join(&self, x: usize, layer: &mut Layer<S>) {
        let (row, inner) = (layer.inner(x), x + 1..layer.d);
        let (first, second) = (&self.by_left[x * self.nodes..][inner.clone()], &layer.pairs[inner]);
        let joined = &mut layer.joined[row];
        for at in 0..joined.len() {
            joined[at] = first[at].times(second[at]);
        }
    }

    /// G\[x, y, z, d\] for all z, but for what is one whole item.
    #[inline(always)]
    pub(super) fn join4(&self, x: usize, y: usize, layer: &mut Layer<S>) {
        let (nodes, row, first) = (self.nodes, layer.row(x, y), self.by_left[x * self.nodes + y]);
        for z in y + 1..layer.d {
            let parted_at_y = first.times(layer.joined[y * nodes + z]);
            let parted_at_z = self.triples.get(x, [y], z).times(layer.pairs[z]);
            layer.joined4[row + z - y - 1] = parted_at_y.plus(parted_at_z);
        }
    }

    /// Stores the items of a group.
    #[inline(always)]
    fn keep(&mut self, group: usize, layer: &Layer<S>) {
        for x in only_if(self.frame > 3, group * LANES + 1..layer.d) {
            self.triples.row_mut(group, [x])[layer.d - x - 1] = layer.triples[x];
            for y in only_if(self.frame > 4, x + 1..layer.d) {
                self.quadruples.row_mut(group, [x, y])[layer.d - y - 1] =
                    layer.quadruples[x * self.nodes + y];
            }
        }
    }
}
