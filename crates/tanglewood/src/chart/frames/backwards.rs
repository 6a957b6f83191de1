//! Posteriors for arc scores: the recurrences run backwards.
//!
//! The *outside* of an item is the weight of everything that, with the item, makes a complete derivation. Wherever the chart has a sum of products, the
//! outside of a factor is the sum, over the products it is in, of the other factors and the outside of what they were added to. So there is no
//! division, and no look at a derivation: it is the loops of `mod.rs` and `spread.rs` in the opposite order, with left ends as the innermost
//! index as there. Weights of arcs are factors, too; arc, times its outside, is the weight of all derivations that have it.
//!
//! Left ends that are too large for a frame have weight zero in it, but not always outside. What they get is stored where nothing is read, or
//! set to zero before it is.

use super::layout::{Group, Rows3, Rows4, groups};
use super::weights::{ArcTables, ArcWeights, FrameWeights};
use super::{FrameChart, OutOfMemory};
use crate::chart::lanes::LANES;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::semiring::{Additive, Semiring};

/// What the outside pass has found so far.
struct Backwards<'c, S> {
    chart: &'c FrameChart<S>,
    tables: &'c ArcTables<S>,
    nodes: usize,
    /// Of L\[a, d\], by groups of a and then d.
    pairs: Vec<Group<S>>,
    /// Of L\[a, y, d\]
    triples: Rows3<S>,
    /// Of L\[a, y, z, d\]
    quadruples: Rows4<S>,
    /// Of arcs, by groups of heads and then dependents.
    arcs: Vec<Group<S>>,
    /// Of arcs from the only root, in the last step.
    from_root: Vec<S>,
    /// Of heads in the buffer, by front and then dependent.
    by_buffer: Vec<S>,
    layer: Layer<S>,
}

/// The items of one right end: outside, where it is not said otherwise.
struct Layer<S> {
    d: usize,
    /// L\[y, d\]
    pairs: Vec<S>,
    /// L\[a, y, d\], by groups of a and then y.
    triples: Vec<Group<S>>,
    /// L\[a, y, z, d\], by groups of a, y, and then z. Empty if K < 5.
    quadruples: Vec<Group<S>>,
    /// The weights G\[x, y, d\], by x and y.
    concatenated: Vec<S>,
    /// Their outside.
    of_concatenated: Vec<S>,
    /// The weights G\[x, y, z, d\] for the x at hand, by y and z. Empty if K < 5.
    concatenated_at: Vec<S>,
    of_concatenated_at: Vec<S>,
    /// The weight of removing y right above the x at hand, without looking further down.
    near: Vec<S>,
    by_y: Vec<ByY<S>>,
    by_z: Vec<ByZ<S>>,
}

/// For frames [·, x, y, d]: a weight, and outsides that are sums over left ends, in lanes.
#[derive(Clone, Copy)]
struct ByY<S> {
    /// x goes, by y or the buffer.
    x_by_others: S,
    after_x: Group<S>,
    after_y: Group<S>,
    x_goes: Group<S>,
    y_near: Group<S>,
}

/// The same for frames [·, x, y, z, d].
#[derive(Clone, Copy)]
struct ByZ<S> {
    x_by_others: S,
    y_by_any: S,
    z_by_x: S,
    near: S,
    after_x: Group<S>,
    after_y: Group<S>,
    after_z: Group<S>,
    x_goes: Group<S>,
    y_goes: Group<S>,
    z_by_x_goes: Group<S>,
    z_near: Group<S>,
}

#[inline(always)]
fn add<S: Semiring>(sums: &mut Group<S>, terms: Group<S>) {
    for lane in 0..LANES {
        sums[lane] = sums[lane].plus(terms[lane]);
    }
}

#[inline(always)]
fn sum<S: Semiring>(lanes: Group<S>) -> S {
    lanes.into_iter().fold(S::ZERO, S::plus)
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
    fn add_to_arc(&mut self, head: usize, dependent: usize, term: S) {
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
    fn add_removal(&mut self, dependent: usize, heads: &[usize], term: S) {
        heads.iter().for_each(|&head| self.add_to_arc(head, dependent, term));
        self.add_to_buffer(dependent, term);
    }

    /// `spread4` backwards.
    #[inline(always)]
    fn unspread4(&mut self, x: usize, weights: &ArcWeights<'_, S>) {
        let (chart, nodes, layer) = (self.chart, self.nodes, &mut self.layer);
        let length = layer.d - x - 1;
        let none = [S::ZERO; LANES];
        let mut sums = std::mem::take(&mut layer.by_y);
        sums.clear();
        sums.extend((x + 1..layer.d).map(|y| ByY {
            x_by_others: weights.others(y, x),
            after_x: none,
            after_y: none,
            x_goes: none,
            y_near: none,
        }));
        let by_y = &mut sums[..length];
        let rest = &layer.concatenated[x * nodes + x + 1..][..length];
        let near = &layer.near[x + 1..][..length];
        let last = &chart.pairs[layer.d * nodes + x + 1..][..length];
        for group in 0..groups(x) {
            let first = chart.shifted[group * nodes + x];
            let two = &chart.triples.row(group, x)[..length];
            let of_two = &mut self.triples.row_mut(group, x)[..length];
            let x_by_a = self.tables.arcs[group * nodes + x];
            let y_by_a = &self.tables.arcs[group * nodes + x + 1..][..length];
            let (before, after) = self.arcs[group * nodes..].split_at_mut(x + 1);
            let of_y_by_a = &mut after[..length];
            let x_stays = layer.triples[group * nodes + x];
            let y_stays = &layer.triples[group * nodes + x + 1..][..length];
            let (mut of_first, mut of_x_by_a) = (none, none);
            for at in 0..length {
                // Everything is read first and written last: the compiler could not rule out that it is the same memory.
                let (last, rest, near) = (last[at], rest[at], near[at]);
                let (two, y_by_a, y_stays) = (two[at], y_by_a[at], y_stays[at]);
                let (mut sums, mut of_two_here, mut of_y_by_a_here) = (by_y[at], of_two[at], of_y_by_a[at]);
                for lane in 0..LANES {
                    let parted_at_y = two[lane].times(last);
                    let frame = first[lane].times(rest).plus(parted_at_y);
                    let x_goes = x_by_a[lane].plus(sums.x_by_others);
                    let y_goes = x_stays[lane].times(y_by_a[lane]);
                    let of_frame = y_stays[lane].times(x_goes).plus(y_goes);
                    let of_parted = of_frame.plus(x_stays[lane].times(near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(rest));
                    sums.after_x[lane] = sums.after_x[lane].plus(of_frame.times(first[lane]));
                    of_two_here[lane] = of_two_here[lane].plus(of_parted.times(last));
                    sums.after_y[lane] = sums.after_y[lane].plus(of_parted.times(two[lane]));
                    let x_went = y_stays[lane].times(frame);
                    of_x_by_a[lane] = of_x_by_a[lane].plus(x_went);
                    sums.x_goes[lane] = sums.x_goes[lane].plus(x_went);
                    of_y_by_a_here[lane] = of_y_by_a_here[lane].plus(x_stays[lane].times(frame));
                    sums.y_near[lane] = sums.y_near[lane].plus(x_stays[lane].times(parted_at_y));
                }
                (by_y[at], of_two[at], of_y_by_a[at]) = (sums, of_two_here, of_y_by_a_here);
            }
            add(&mut self.pairs[group * (nodes + 1) + x], of_first);
            add(&mut before[x], of_x_by_a);
        }
        for (y, of_y) in (x + 1..).zip(&sums) {
            self.layer.of_concatenated[x * nodes + y].add(sum(of_y.after_x));
            self.layer.pairs[y].add(sum(of_y.after_y));
            self.add_removal(x, &[y], sum(of_y.x_goes));
            self.add_removal(y, &[x], sum(of_y.y_near));
        }
        self.layer.by_y = sums;
    }

    /// `spread5` backwards, for one y.
    #[inline(always)]
    fn unspread5(&mut self, x: usize, y: usize, weights: &ArcWeights<'_, S>) {
        let (chart, nodes, layer) = (self.chart, self.nodes, &mut self.layer);
        let length = layer.d - y - 1;
        let none = [S::ZERO; LANES];
        let mut sums = std::mem::take(&mut layer.by_z);
        sums.clear();
        let x_by_y = weights.others(y, x);
        sums.extend((y + 1..layer.d).map(|z| ByZ {
            x_by_others: x_by_y.plus(weights.arc(z, x)),
            y_by_any: weights.s1_by_any(z, y, x),
            z_by_x: weights.s0_by_s2(z, y, x),
            near: weights.near(z, y),
            after_x: none,
            after_y: none,
            after_z: none,
            x_goes: none,
            y_goes: none,
            z_by_x_goes: none,
            z_near: none,
        }));
        let by_z = &mut sums[..length];
        let after_x = &layer.concatenated_at[y * nodes + y + 1..][..length];
        let after_y = &layer.concatenated[y * nodes + y + 1..][..length];
        let after_z = &chart.pairs[layer.d * nodes + y + 1..][..length];
        for group in 0..groups(x) {
            let first = chart.shifted[group * nodes + x];
            let two = chart.triples.row(group, x)[y - x - 1];
            let three = &chart.quadruples.row(group, x, y)[..length];
            let of_three = &mut self.quadruples.row_mut(group, x, y)[..length];
            let (x_by_a, y_by_a) = (self.tables.arcs[group * nodes + x], self.tables.arcs[group * nodes + y]);
            let z_by_a = &self.tables.arcs[group * nodes + y + 1..][..length];
            let (before, after) = self.arcs[group * nodes..].split_at_mut(y + 1);
            let of_z_by_a = &mut after[..length];
            let table = &layer.quadruples[group * nodes * nodes..][..nodes * nodes];
            let xy_stay = table[x * nodes + y];
            let xz_stay = &table[x * nodes + y + 1..][..length];
            let yz_stay = &table[y * nodes + y + 1..][..length];
            let (mut of_first, mut of_two, mut of_x_by_a, mut of_y_by_a) = (none, none, none, none);
            for at in 0..length {
                let (after_x, after_y, after_z) = (after_x[at], after_y[at], after_z[at]);
                let (three, z_by_a, xz_stay, yz_stay) = (three[at], z_by_a[at], xz_stay[at], yz_stay[at]);
                let (mut sums, mut of_three_here, mut of_z_by_a_here) =
                    (by_z[at], of_three[at], of_z_by_a[at]);
                for lane in 0..LANES {
                    let (xy, xz, yz) = (xy_stay[lane], xz_stay[lane], yz_stay[lane]);
                    let parted_at_z = three[lane].times(after_z);
                    let parted_later = two[lane].times(after_y).plus(parted_at_z);
                    let frame = first[lane].times(after_x).plus(parted_later);
                    let x_goes = yz.times(x_by_a[lane].plus(sums.x_by_others));
                    let z_goes = xy.times(z_by_a[lane]);
                    let of_frame = x_goes.plus(xz.times(y_by_a[lane])).plus(z_goes);
                    let of_later = of_frame.plus(xz.times(sums.y_by_any)).plus(xy.times(sums.z_by_x));
                    let of_parted = of_later.plus(xy.times(sums.near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(after_x));
                    sums.after_x[lane] = sums.after_x[lane].plus(of_frame.times(first[lane]));
                    of_two[lane] = of_two[lane].plus(of_later.times(after_y));
                    sums.after_y[lane] = sums.after_y[lane].plus(of_later.times(two[lane]));
                    of_three_here[lane] = of_three_here[lane].plus(of_parted.times(after_z));
                    sums.after_z[lane] = sums.after_z[lane].plus(of_parted.times(three[lane]));
                    let x_went = yz.times(frame);
                    of_x_by_a[lane] = of_x_by_a[lane].plus(x_went);
                    sums.x_goes[lane] = sums.x_goes[lane].plus(x_went);
                    of_y_by_a[lane] = of_y_by_a[lane].plus(xz.times(frame));
                    sums.y_goes[lane] = sums.y_goes[lane].plus(xz.times(parted_later));
                    of_z_by_a_here[lane] = of_z_by_a_here[lane].plus(xy.times(frame));
                    sums.z_by_x_goes[lane] = sums.z_by_x_goes[lane].plus(xy.times(parted_later));
                    sums.z_near[lane] = sums.z_near[lane].plus(xy.times(parted_at_z));
                }
                (by_z[at], of_three[at], of_z_by_a[at]) = (sums, of_three_here, of_z_by_a_here);
            }
            add(&mut self.pairs[group * (nodes + 1) + x], of_first);
            add(self.triples.group(group, x, y), of_two);
            add(&mut before[x], of_x_by_a);
            add(&mut before[y], of_y_by_a);
        }
        for (z, of_z) in (y + 1..).zip(&sums) {
            self.layer.of_concatenated_at[y * nodes + z].add(sum(of_z.after_x));
            self.layer.of_concatenated[y * nodes + z].add(sum(of_z.after_y));
            self.layer.pairs[z].add(sum(of_z.after_z));
            self.add_removal(x, &[y, z], sum(of_z.x_goes));
            self.add_removal(y, &[x, z], sum(of_z.y_goes));
            self.add_to_arc(x, z, sum(of_z.z_by_x_goes));
            self.add_removal(z, &[y], sum(of_z.z_near));
        }
        self.layer.by_z = sums;
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
