//! The outside pass for arc scores: the loops of [`inside`](super::inside) in the opposite order, the inner
//! ones in [`outside_reduce`](super::outside_reduce).
//!
//! The *outside* of an item is the weight of everything that, with the item, makes a complete derivation.
//! Wherever the chart has a sum of products, the outside of a factor is the sum, over the products it is in,
//! of the other factors and the outside of what they were added to. So there is no division, and no look at a
//! derivation. The weights of arcs are factors, too. Left ends are lanes, as in the inside pass; the pass of
//! [`structure`](crate::chart::structure) gives the same numbers and takes some 40 times as long.
//!
//! Left ends that are too large for a frame have weight zero in it, but not always outside. What they get is
//! stored where nothing is read, or set to zero before it is.

use super::arc_tables::ArcTables;
use super::layout::{Group, Rows, groups, only_if};
use super::{FrameSettings, Items, Layer};
use crate::chart::lanes::LANES;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// Outside weights, as far as they have been found; names are those of the inside weights.
pub(super) struct Outside<'c, S> {
    pub(super) items: &'c Items<S>,
    pub(super) weights: &'c ArcTables<S>,
    /// Inside weights for the right end at hand.
    pub(super) layer: Layer<S>,
    /// Of L\[a, d\], by groups of a and then d, from later right ends.
    pub(super) by_group: Vec<Group<S>>,
    /// Of L\[a, y, d\] and of L\[a, y, z, d\], from later right ends.
    pub(super) triples: Rows<S>,
    pub(super) quadruples: Rows<S>,
    /// Of arcs, by groups of heads and then dependents.
    pub(super) arcs: Vec<Group<S>>,
    /// Of arcs from the only root, by dependent.
    pub(super) from_root: Vec<S>,
    /// Of the sum over heads in the buffer, by front and then dependent.
    pub(super) ahead: Vec<S>,
    pub(super) here: OutsideLayer<S>,
}

/// Outsides for one right end.
pub(super) struct OutsideLayer<S> {
    /// Of L\[y, d\]
    pub(super) pairs: Vec<S>,
    /// Of L\[a, y, d\], by groups of a and then y.
    pub(super) triples: Vec<Group<S>>,
    /// Of L\[a, y, z, d\], by groups of a, y, and then z. Empty if K < 5.
    pub(super) quadruples: Vec<Group<S>>,
    /// Of G\[x, y, d\], by x and y.
    pub(super) joined: Vec<S>,
    /// Of G\[x, y, z, d\] for the x at hand, by y and z. Empty if K < 5.
    pub(super) joined4: Vec<S>,
    /// Sums over left ends, in lanes, for the frames at hand by their last inner node.
    pub(super) sums: Vec<[Group<S>; 7]>,
}

/// For each arc the weight of all derivations that have it, `[head][dependent]`, row by row.
///
/// # Errors
/// If memory does not suffice.
pub(super) fn arc_weights<S: Semiring>(
    items: &Items<S>,
    weights: &ArcTables<S>,
    settings: FrameSettings,
    instructions: Instructions,
) -> Result<Vec<S>, OutOfMemory> {
    let mut outside = Outside::new(items, weights)?;
    simd::run(&mut outside, instructions);
    outside.finish(settings)
}

impl<S: Semiring> Kernel for &mut Outside<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let frame = self.items.frame;
        for d in (2..=self.items.nodes).rev() {
            self.start(d);
            for x in 0..d {
                self.here.joined4.fill(S::ZERO);
                if x > 0 && frame > 4 {
                    (x + 1..d - 1).for_each(|y| self.reduce5(x, y));
                }
                if x > 0 && frame > 3 {
                    self.reduce4(x);
                }
                self.close(x);
            }
        }
    }
}

impl<'c, S: Semiring> Outside<'c, S> {
    fn new(items: &'c Items<S>, weights: &'c ArcTables<S>) -> Result<Outside<'c, S>, OutOfMemory> {
        let (nodes, frame) = (items.nodes, items.frame);
        let grouped = |size| table(groups(nodes) * size, [S::ZERO; LANES]);
        let numbers = |size| table(size, S::ZERO);
        let mut by_group = grouped(nodes + 1)?;
        by_group[nodes][0] = S::ONE;
        Ok(Outside {
            items,
            weights,
            layer: Layer::new(nodes, frame, false)?,
            by_group,
            triples: Rows::new(if frame > 3 { nodes - 1 } else { 0 }, 1)?,
            quadruples: Rows::new(if frame > 4 { nodes - 1 } else { 0 }, 2)?,
            arcs: grouped(nodes)?,
            from_root: numbers(nodes)?,
            ahead: numbers((nodes + 1) * nodes)?,
            here: OutsideLayer {
                pairs: numbers(nodes)?,
                triples: grouped(if frame > 3 { nodes } else { 0 })?,
                quadruples: grouped(if frame > 4 { nodes * nodes } else { 0 })?,
                joined: numbers(nodes * nodes)?,
                joined4: numbers(if frame > 4 { nodes * nodes } else { 0 })?,
                sums: table(nodes, [[S::ZERO; LANES]; 7])?,
            },
        })
    }

    /// Inside weights for a right end, and outsides of its items, as far as they come from later right ends.
    #[inline(always)]
    fn start(&mut self, d: usize) {
        let (items, nodes, frame) = (self.items, self.items.nodes, self.items.frame);
        let (layer, here) = (&mut self.layer, &mut self.here);
        layer.d = d;
        here.joined.fill(S::ZERO);
        for x in (0..d).rev() {
            layer.pairs[x] = items.pair(x, d);
            let near = layer.near_row(x, x + 1..d);
            self.weights.by_neighbours(d, x, x + 1, &mut layer.near[near]);
            items.join(x, layer);
            for y in only_if(frame > 3, x + 1..d) {
                layer.joined[x * nodes + y].add(items.triples.get(x, [y], d));
            }
            for y in only_if(frame > 4, x + 1..d) {
                items.join4(x, y, layer);
                let row = layer.row(x, y);
                for z in y + 1..d {
                    layer.joined4[row + z - y - 1].add(items.quadruples.get(x, [y, z], d));
                }
            }
            here.pairs[x] = self.by_group[x / LANES * (nodes + 1) + d][x % LANES];
            for group in only_if(frame > 3, 0..groups(x)) {
                let place = group * nodes + x;
                here.triples[place] = below(self.triples.row(group, [x])[d - x - 1], group, x);
                for y in only_if(frame > 4, x + 1..d) {
                    here.quadruples[place * nodes + y] =
                        below(self.quadruples.row(group, [x, y])[d - y - 1], group, x);
                }
            }
        }
    }

    /// Adds to the outside of an arc.
    #[inline(always)]
    pub(super) fn add_arc(&mut self, head: usize, dependent: usize, term: S) {
        self.arcs[head / LANES * self.items.nodes + dependent][head % LANES].add(term);
    }

    /// Adds to the outside of the sum over heads in the buffer.
    #[inline(always)]
    pub(super) fn add_ahead(&mut self, dependent: usize, term: S) {
        self.ahead[self.layer.d * self.items.nodes + dependent].add(term);
    }

    /// Adds to the outside of removing s0 by the node below it or by the buffer.
    #[inline(always)]
    pub(super) fn add_near(&mut self, s1: usize, s0: usize, term: S) {
        match self.weights.only_root(self.layer.d, s1) {
            true => self.from_root[s0].add(term),
            false => self.add_arc(s1, s0, term),
        }
        self.add_ahead(s0, term);
    }

    /// Adds to the outside of removing y between x and z, by any of them or by the buffer.
    #[inline(always)]
    pub(super) fn add_inner(&mut self, [x, y, z]: [usize; 3], term: S) {
        self.add_arc(x, y, term);
        self.add_arc(z, y, term);
        self.add_ahead(y, term);
    }

    /// Items with left end x: G, and frames that are one whole item.
    #[inline(always)]
    fn close(&mut self, x: usize) {
        let (items, weights, d) = (self.items, self.weights, self.layer.d);
        let (nodes, frame, group, lane) = (items.nodes, items.frame, x / LANES, x % LANES);
        for y in only_if(frame > 4, x + 1..d) {
            for z in y + 1..d {
                let (here, at) = (&mut self.here, y * nodes + z);
                let of_joined = here.joined4[at];
                here.quadruples[(group * nodes + y) * nodes + z][lane].add(of_joined);
                self.by_group[group * (nodes + 1) + y][lane].add(of_joined.times(self.layer.joined[at]));
                here.joined[at].add(of_joined.times(items.by_left[x * nodes + y]));
                let of_two = of_joined.times(self.layer.pairs[z]);
                self.triples.row_mut(group, [y])[z - y - 1][lane].add(of_two);
                here.pairs[z].add(of_joined.times(items.triples.get(x, [y], z)));
            }
        }
        let pair = if x + 1 == d { S::ZERO } else { self.here.pairs[x] };
        for y in x + 1..d {
            let at = x * nodes + y;
            self.add_near(x, y, pair.times(self.layer.joined[at]));
            let here = &mut self.here;
            let of_joined = here.joined[at].plus(pair.times(self.layer.near[at]));
            self.by_group[group * (nodes + 1) + y][lane].add(of_joined.times(self.layer.pairs[y]));
            here.pairs[y].add(of_joined.times(items.by_left[at]));
            if frame > 3 {
                here.triples[group * nodes + y][lane].add(of_joined);
            }
        }
        for y in only_if(frame > 4, x + 1..d) {
            weights.inner_by_any(d, [x, y], y + 1, &mut self.layer.inner_goes[..d - y - 1]);
            for z in y + 1..d {
                let whole = items.quadruples.get(x, [y, z], d);
                let [y_stays, z_stays] = [y, z].map(|stays| self.here.triples[group * nodes + stays][lane]);
                let z_goes = weights.arc(x, z).plus(self.layer.near[y * nodes + z]);
                let of_whole = z_stays.times(self.layer.inner_goes[z - y - 1]).plus(y_stays.times(z_goes));
                self.here.quadruples[(group * nodes + y) * nodes + z][lane].add(of_whole);
                self.add_inner([x, y, z], z_stays.times(whole));
                self.add_arc(x, z, y_stays.times(whole));
                self.add_near(y, z, y_stays.times(whole));
            }
        }
    }

    /// The weight of all derivations with an arc, `[head][dependent]`.
    fn finish(mut self, settings: FrameSettings) -> Result<Vec<S>, OutOfMemory> {
        let nodes = self.items.nodes;
        for dependent in 1..nodes {
            let mut outside = S::ZERO;
            for head in dependent + 1..nodes {
                let here = self.ahead[head * nodes + dependent];
                outside = if settings.lookahead { outside.plus(here) } else { here };
                self.add_arc(head, dependent, outside);
            }
        }
        let mut weights = table(nodes * nodes, S::ZERO)?;
        for (at, weight) in weights.iter_mut().enumerate() {
            let (head, dependent) = (at / nodes, at % nodes);
            let outside = self.arcs[head / LANES * nodes + dependent][head % LANES];
            *weight = outside.times(self.weights.arc(head, dependent));
            if head == 0 {
                weight.add(self.from_root[dependent].times(self.weights.root_arcs()[dependent]));
            }
        }
        Ok(weights)
    }
}

/// Zero for left ends that are not below x.
#[inline(always)]
fn below<S: Semiring>(mut lanes: Group<S>, group: usize, x: usize) -> Group<S> {
    lanes[(x - group * LANES).min(LANES)..].fill(S::ZERO);
    lanes
}
