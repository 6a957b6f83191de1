//! Posteriors for arc scores: the recurrences run backwards.
//!
//! The *outside* of an item is the weight of everything that, with the item, makes a complete derivation. Wherever the chart has a sum of products, the
//! outside of a factor is the sum, over the products it is in, of the other factors and the outside of what they were added to. So there is no
//! division, and no look at a derivation: it is the loops of `mod.rs` in the opposite order, and in [`unspread`](super::unspread) those of `spread.rs`, with left ends as the innermost
//! index as there. Weights of arcs are factors, too; arc, times its outside, is the weight of all derivations that have it.
//!
//! Left ends that are too large for a frame have weight zero in it, but not always outside. What they get is stored where nothing is read, or
//! set to zero before it is.

use super::layout::{Group, Rows3, Rows4, groups};
use super::unspread::{ByY, ByZ};
use super::weights::{ArcTables, ArcWeights, FrameWeights};
use super::{FrameChart, OutOfMemory};
use crate::chart::lanes::LANES;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::semiring::{Additive, Semiring};

/// What the outside pass has found so far.
pub(super) struct Backwards<'c, S> {
    pub(super) chart: &'c FrameChart<S>,
    pub(super) tables: &'c ArcTables<S>,
    pub(super) nodes: usize,
    /// Of L\[a, d\], by groups of a and then d.
    pub(super) pairs: Vec<Group<S>>,
    /// Of L\[a, y, d\]
    pub(super) triples: Rows3<S>,
    /// Of L\[a, y, z, d\]
    pub(super) quadruples: Rows4<S>,
    /// Of arcs, by groups of heads and then dependents.
    pub(super) arcs: Vec<Group<S>>,
    /// Of arcs from the only root, in the last step.
    pub(super) from_root: Vec<S>,
    /// Of heads in the buffer, by front and then dependent.
    pub(super) by_buffer: Vec<S>,
    pub(super) layer: Layer<S>,
}

/// The items of one right end: outside, where it is not said otherwise.
pub(super) struct Layer<S> {
    pub(super) d: usize,
    /// L\[y, d\]
    pub(super) pairs: Vec<S>,
    /// L\[a, y, d\], by groups of a and then y.
    pub(super) triples: Vec<Group<S>>,
    /// L\[a, y, z, d\], by groups of a, y, and then z. Empty if K < 5.
    pub(super) quadruples: Vec<Group<S>>,
    /// The weights G\[x, y, d\], by x and y.
    pub(super) concatenated: Vec<S>,
    /// Their outside.
    pub(super) of_concatenated: Vec<S>,
    /// The weights G\[x, y, z, d\] for the x at hand, by y and z. Empty if K < 5.
    pub(super) concatenated_at: Vec<S>,
    pub(super) of_concatenated_at: Vec<S>,
    /// The weight of removing y right above the x at hand, without looking further down.
    pub(super) near: Vec<S>,
    pub(super) by_y: Vec<ByY<S>>,
    pub(super) by_z: Vec<ByZ<S>>,
}

/// The outside pass with some instruction set.
struct Pass<'p, 'c, S>(&'p mut Backwards<'c, S>);

impl<S: Semiring> Kernel for Pass<'_, '_, S> {
    #[inline(always)]
    fn run(self) {
        self.0.run();
    }
}

impl<S: Additive> FrameChart<S> {
    /// Posteriors of arcs, `[head][dependent]`, for the tables that the chart was filled from. The chart's total must not be zero.
    pub(super) fn posteriors_of_arcs(
        &self,
        tables: &ArcTables<S>,
        instructions: Instructions,
    ) -> Result<Vec<f64>, OutOfMemory> {
        let mut backwards = Backwards::new(self, tables)?;
        simd::run(Pass(&mut backwards), instructions);
        backwards.hand_to_buffer();
        let (nodes, total) = (backwards.nodes, self.total());
        let posterior = |head: usize, dependent: usize| {
            let outside = backwards.arcs[head / LANES * nodes + dependent][head % LANES];
            let weight = tables.from[head * nodes + dependent].times(outside);
            let last_step = tables.from_root[dependent].times(backwards.from_root[dependent]);
            S::share(if head == 0 { weight.plus(last_step) } else { weight }, total)
        };
        Ok((0..nodes * nodes).map(|at| posterior(at / nodes, at % nodes)).collect())
    }
}

impl<'c, S: Semiring> Backwards<'c, S> {
    fn new(chart: &'c FrameChart<S>, tables: &'c ArcTables<S>) -> Result<Backwards<'c, S>, OutOfMemory> {
        let (words, frame) = (chart.words, chart.question.frame);
        let nodes = words + 1;
        let table = |size| vec![S::ZERO; size];
        let grouped = |size| vec![[S::ZERO; LANES]; groups(nodes) * size];
        let mut pairs = grouped(nodes + 1);
        pairs[nodes][0] = chart.start;
        Ok(Backwards {
            chart,
            tables,
            nodes,
            pairs,
            triples: Rows3::new(if frame > 3 { words } else { 0 })?,
            quadruples: Rows4::new(if frame > 4 { words } else { 0 })?,
            arcs: grouped(nodes),
            from_root: table(nodes),
            by_buffer: table((nodes + 1) * nodes),
            layer: Layer {
                d: 0,
                pairs: table(nodes),
                triples: grouped(if frame > 3 { nodes } else { 0 }),
                quadruples: grouped(if frame > 4 { nodes * nodes } else { 0 }),
                concatenated: table(nodes * nodes),
                of_concatenated: table(nodes * nodes),
                concatenated_at: table(if frame > 4 { nodes * nodes } else { 0 }),
                of_concatenated_at: table(if frame > 4 { nodes * nodes } else { 0 }),
                near: table(nodes),
                by_y: Vec::new(),
                by_z: Vec::new(),
            },
        })
    }

    #[inline(always)]
    fn run(&mut self) {
        let frame = self.chart.question.frame;
        for d in (2..=self.nodes).rev() {
            let weights = ArcWeights { tables: self.tables, front: d };
            self.start(d);
            for x in 0..d {
                if frame > 4 {
                    self.concatenate_at(x);
                }
                weights.near_row(x, &mut self.layer.near[x + 1..d]);
                if x > 0 && frame > 4 {
                    (x + 1..d - 1).for_each(|y| self.unspread5(x, y, &weights));
                }
                if x > 0 && frame > 3 {
                    self.unspread4(x, &weights);
                }
                self.unclose(x, &weights);
            }
        }
    }

    /// Outsides of a layer's items, as far as they come from later layers, and the weights of rows of items.
    #[inline(always)]
    fn start(&mut self, d: usize) {
        let (chart, nodes, frame) = (self.chart, self.nodes, self.chart.question.frame);
        let layer = &mut self.layer;
        layer.d = d;
        for y in 0..d {
            layer.pairs[y] = self.pairs[y / LANES * (nodes + 1) + d][y % LANES];
            for group in (0..groups(y)).filter(|_| frame > 3) {
                layer.triples[group * nodes + y] = below(*self.triples.group(group, y, d), group, y);
                for z in (y + 1..d).filter(|_| frame > 4) {
                    layer.quadruples[(group * nodes + y) * nodes + z] =
                        below(*self.quadruples.group(group, y, z, d), group, y);
                }
            }
            for x in 0..y {
                let two = chart.shifted(x, y).times(chart.pair(y, d));
                let whole = if frame > 3 { chart.triples.get(x, y, d) } else { S::ZERO };
                layer.concatenated[x * nodes + y] = two.plus(whole);
                layer.of_concatenated[x * nodes + y] = S::ZERO;
            }
        }
    }

    /// The weights G\[x, y, z, d\] of one x.
    #[inline(always)]
    fn concatenate_at(&mut self, x: usize) {
        let (chart, nodes) = (self.chart, self.nodes);
        let layer = &mut self.layer;
        let d = layer.d;
        for y in x + 1..d {
            for z in y + 1..d {
                let first_two = chart.shifted(x, y).times(layer.concatenated[y * nodes + z]);
                let first_three = chart.triples.get(x, y, z).times(chart.pair(z, d));
                let whole = chart.quadruples.get(x, y, z, d);
                layer.concatenated_at[y * nodes + z] = whole.plus(first_two).plus(first_three);
                layer.of_concatenated_at[y * nodes + z] = S::ZERO;
            }
        }
    }

    #[inline(always)]
    pub(super) fn add_to_arc(&mut self, head: usize, dependent: usize, term: S) {
        self.arcs[head / LANES * self.nodes + dependent][head % LANES].add(term);
    }

    #[inline(always)]
    fn add_to_buffer(&mut self, dependent: usize, term: S) {
        self.by_buffer[self.layer.d * self.nodes + dependent].add(term);
    }

    /// `close` backwards.
    #[inline(always)]
    fn unclose(&mut self, x: usize, weights: &ArcWeights<'_, S>) {
        let (chart, nodes, d) = (self.chart, self.nodes, self.layer.d);
        let frame = chart.question.frame;
        let row = x / LANES * (nodes + 1);
        if frame > 4 {
            for y in x + 1..d {
                for z in y + 1..d {
                    let outside = self.layer.of_concatenated_at[y * nodes + z];
                    let rest = self.layer.concatenated[y * nodes + z];
                    self.layer.quadruple(x, y, z, nodes).add(outside);
                    self.pairs[row + y][x % LANES].add(outside.times(rest));
                    self.layer.of_concatenated[y * nodes + z].add(outside.times(chart.shifted(x, y)));
                    self.triples.at(x, y, z).add(outside.times(chart.pair(z, d)));
                    self.layer.pairs[z].add(outside.times(chart.triples.get(x, y, z)));
                }
            }
        }
        let pair = if x + 1 == d { S::ZERO } else { self.layer.pairs[x] };
        let last_step = x == 0 && self.tables.single_root && d == nodes;
        for y in x + 1..d {
            let at = x * nodes + y;
            let removed = pair.times(self.layer.concatenated[at]);
            if last_step {
                self.from_root[y].add(removed);
            } else {
                self.add_to_arc(x, y, removed);
            }
            self.add_to_buffer(y, removed);
            let outside = self.layer.of_concatenated[at].plus(pair.times(self.layer.near[y]));
            self.pairs[row + y][x % LANES].add(outside.times(chart.pair(y, d)));
            self.layer.pairs[y].add(outside.times(chart.shifted(x, y)));
            if frame > 3 {
                self.layer.triples[x / LANES * nodes + y][x % LANES].add(outside);
            }
        }
        if frame > 4 {
            for y in x + 1..d {
                for z in y + 1..d {
                    let whole = chart.quadruples.get(x, y, z, d);
                    let y_stays = self.layer.triples[x / LANES * nodes + y][x % LANES];
                    let z_stays = self.layer.triples[x / LANES * nodes + z][x % LANES];
                    let z_goes = weights.s0_by_s2(z, y, x).plus(weights.near(z, y));
                    let outside = z_stays.times(weights.s1_by_any(z, y, x)).plus(y_stays.times(z_goes));
                    self.layer.quadruple(x, y, z, nodes).add(outside);
                    self.add_removal(y, &[x, z], z_stays.times(whole));
                    self.add_removal(z, &[x, y], y_stays.times(whole));
                }
            }
        }
    }

    /// To the outsides of arcs to a dependent, from some nodes and from the buffer.
    #[inline(always)]
    pub(super) fn add_removal(&mut self, dependent: usize, heads: &[usize], term: S) {
        heads.iter().for_each(|&head| self.add_to_arc(head, dependent, term));
        self.add_to_buffer(dependent, term);
    }

    /// Outsides of heads in the buffer become outsides of arcs.
    fn hand_to_buffer(&mut self) {
        let nodes = self.nodes;
        for dependent in 1..nodes {
            let mut outside = S::ZERO;
            for head in dependent + 1..nodes {
                let here = self.by_buffer[head * nodes + dependent];
                outside = if self.chart.question.lookahead { outside.plus(here) } else { here };
                self.add_to_arc(head, dependent, outside);
            }
        }
    }
}

impl<S: Semiring> Layer<S> {
    #[inline(always)]
    fn quadruple(&mut self, a: usize, y: usize, z: usize, nodes: usize) -> &mut S {
        &mut self.quadruples[(a / LANES * nodes + y) * nodes + z][a % LANES]
    }
}

/// Zero for left ends that are not below y.
#[inline(always)]
fn below<S: Semiring>(mut lanes: Group<S>, group: usize, y: usize) -> Group<S> {
    (y.saturating_sub(group * LANES)..LANES).for_each(|lane| lanes[lane] = S::ZERO);
    lanes
}
