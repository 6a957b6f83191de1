//! The outside pass: the recurrences run backwards.
//!
//! The *outside* of an item is the weight of everything that, with the item, makes a complete derivation.
//! Wherever the chart has a sum of products, the outside of a factor is the sum, over the products it is in,
//! of the other factors and the outside of what they were added to. So there is no division, and no look at a
//! derivation: it is the loops of `mod.rs` in the opposite order, and in [`unspread`](super::unspread) those
//! of `spread.rs`, with left ends as lanes as there. The weights of removals are factors, too; what their
//! outsides mean for arcs is known to the [weights](FrameWeights::collect).
//!
//! Left ends that are too large for a frame have weight zero in it, but not always outside. What they get is
//! stored where nothing is read, or set to zero before it is.

use super::layout::{Group, Rows, groups};
use super::weights::{ArcOutside, FrameWeights};
use super::{FrameChart, Items, Layer};
use crate::chart::choice::Choice;
use crate::chart::instances::FilledChart;
use crate::chart::lanes::LANES;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::chart::structure::derivation;
use crate::memory::{OutOfMemory, table};
use crate::scores::{OnUse, Use};
use crate::semiring::Semiring;
use crate::stop;
use crate::transition::Transition;

/// What the outside pass has found so far.
pub(super) struct Backwards<'c, 'u, S> {
    pub(super) items: &'c Items<S>,
    /// Of L\[a, d\] ⊗ shift d, by groups of a and then d.
    pub(super) shifted: Vec<Group<S>>,
    /// Of L\[a, y, d\]
    pub(super) triples: Rows<S>,
    /// Of L\[a, y, z, d\]
    pub(super) quadruples: Rows<S>,
    pub(super) arcs: ArcOutside<'u, S>,
    /// Weights for one right end.
    pub(super) layer: Layer<S>,
    pub(super) outside: OutsideLayer<S>,
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
    pub(super) sums: Vec<[Group<S>; 6]>,
}

/// The outside pass with some instruction set.
struct Pass<'p, 'c, 'u, S, W>(&'p mut Backwards<'c, 'u, S>, &'p W);

impl<S: Semiring, W: FrameWeights<S>> Kernel for Pass<'_, '_, '_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.0.run(self.1);
    }
}

impl<S: Semiring> FilledChart<S> for FrameChart<'_, S> {
    fn total(&self) -> S {
        self.start.times(self.items.pair(0, self.items.nodes))
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(self, choice)
    }

    fn arc_weights(&self, instructions: Instructions, uses: OnUse<'_, S>) -> Result<Vec<S>, OutOfMemory> {
        let mut backwards = Backwards::new(&self.items, self.start, uses)?;
        let in_context = self.weights.in_context();
        if let (Some(in_context), true) = (&in_context, backwards.arcs.uses.is_some()) {
            backwards.arcs.contexts = Some(in_context.no_uses()?);
        }
        match (self.weights.arcs_alone(), &in_context) {
            (Some(arcs), _) if S::VECTORS => simd::run(Pass(&mut backwards, arcs), instructions),
            // Arcs in contexts are counted to learn their scores, always in sums.
            (None, Some(in_context)) if S::VECTORS && !S::IDEMPOTENT => {
                simd::run(Pass(&mut backwards, in_context), instructions);
            }
            _ => self.weights.behind_one_type(|weights| backwards.run(weights)),
        }
        backwards.report_uses();
        backwards.arcs.finish(self.weights.arcs.as_ref(), self.settings)
    }
}

impl<'c, 'u, S: Semiring> Backwards<'c, 'u, S> {
    fn new(items: &'c Items<S>, start: S, uses: OnUse<'u, S>) -> Result<Backwards<'c, 'u, S>, OutOfMemory> {
        let (nodes, frame) = (items.nodes, items.frame);
        let grouped = |size| table(groups(nodes) * size, [S::ZERO; LANES]);
        let squares = |wanted: bool| table(if wanted { nodes * nodes } else { 0 }, S::ZERO);
        let mut shifted = grouped(nodes + 1)?;
        shifted[nodes][0] = start;
        Ok(Backwards {
            items,
            shifted,
            triples: Rows::new(if frame > 3 { nodes - 1 } else { 0 }, 1)?,
            quadruples: Rows::new(if frame > 4 { nodes - 1 } else { 0 }, 2)?,
            arcs: ArcOutside::new(nodes, uses)?,
            layer: Layer::new(nodes, frame)?,
            outside: OutsideLayer {
                pairs: table(nodes, S::ZERO)?,
                triples: grouped(if frame > 3 { nodes } else { 0 })?,
                quadruples: grouped(if frame > 4 { nodes * nodes } else { 0 })?,
                joined: squares(true)?,
                joined4: squares(frame > 4)?,
                sums: table(nodes, [[S::ZERO; LANES]; 6])?,
            },
        })
    }

    #[inline(always)]
    fn run(&mut self, weights: &(impl FrameWeights<S> + ?Sized)) {
        let frame = self.items.frame;
        for d in (2..=self.items.nodes).rev() {
            self.start(d, weights);
            for x in 0..d {
                if stop::is_asked() {
                    return;
                }
                self.outside.joined4.fill(S::ZERO);
                if x > 0 && frame > 4 {
                    (x + 1..d - 1).for_each(|y| self.unspread5(x, y, weights));
                }
                if x > 0 && frame > 3 {
                    self.unspread4(x, weights);
                }
                self.unclose(x, weights);
            }
        }
    }

    /// Reports contexts, and shifts after a pair, L\[a, d\] ⊗ shift d. Those after larger items are reported
    /// where they are multiplied.
    fn report_uses(&mut self) {
        if let (Some(uses), Some(contexts)) = (&mut self.arcs.uses, self.arcs.contexts.take()) {
            contexts.report(uses);
        }
        let nodes = self.items.nodes;
        for (a, d) in (1..nodes).flat_map(|d| (0..d).map(move |a| (a, d))) {
            let outside = self.shifted[a / LANES * (nodes + 1) + d][a % LANES];
            let weight = outside.times(self.items.shifted(a, d));
            self.arcs.used(Use::Shift { top: Some(a), front: d }, || weight);
        }
    }

    /// Weights for a right end, and outsides of its items, as far as they come from later right ends.
    #[inline(always)]
    fn start(&mut self, d: usize, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (items, nodes, frame) = (self.items, self.items.nodes, self.items.frame);
        let (layer, outside) = (&mut self.layer, &mut self.outside);
        layer.d = d;
        outside.joined.fill(S::ZERO);
        for x in (0..d).rev() {
            layer.pairs[x] = items.pair(x, d);
            layer.ask(x, frame, weights);
            items.join(x, layer);
            for y in (x + 1..d).filter(|_| frame > 3) {
                layer.joined[x * nodes + y].add(items.triples.get(x, [y], d));
            }
            for y in (x + 1..d).filter(|_| frame > 4) {
                items.join4(x, y, layer, weights);
                let row = layer.row(x, y);
                for z in y + 1..d {
                    layer.joined4[row + z - y - 1].add(items.quadruples.get(x, [y, z], d));
                }
            }
            let shift = if d < nodes { weights.shift(Some(x), d) } else { S::ONE };
            outside.pairs[x] = self.shifted[x / LANES * (nodes + 1) + d][x % LANES].times(shift);
            for group in (0..groups(x)).filter(|_| frame > 3) {
                let place = group * nodes + x;
                outside.triples[place] = below(self.triples.row(group, [x])[d - x - 1], group, x);
                for y in (x + 1..d).filter(|_| frame > 4) {
                    outside.quadruples[place * nodes + y] =
                        below(self.quadruples.row(group, [x, y])[d - y - 1], group, x);
                }
            }
        }
    }

    /// [`Items::close`] backwards.
    #[inline(always)]
    fn unclose(&mut self, x: usize, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (items, nodes, frame) = (self.items, self.items.nodes, self.items.frame);
        let (layer, outside, d) = (&self.layer, &mut self.outside, self.layer.d);
        let (group, lane) = (x / LANES, x % LANES);
        for y in (x + 1..d).filter(|_| frame > 4) {
            for z in y + 1..d {
                let (at, of_joined) = (y * nodes + z, outside.joined4[y * nodes + z]);
                outside.quadruples[(group * nodes + y) * nodes + z][lane].add(of_joined);
                self.shifted[group * (nodes + 1) + y][lane].add(of_joined.times(layer.joined[at]));
                outside.joined[at].add(of_joined.times(items.shifted(x, y)));
                let of_parted = of_joined.times(weights.shift(Some(y), z));
                self.triples.row_mut(group, [y])[z - y - 1][lane].add(of_parted.times(layer.pairs[z]));
                let of_last = of_parted.times(items.triples.get(x, [y], z));
                outside.pairs[z].add(of_last);
                self.arcs.used(Use::Shift { top: Some(y), front: z }, || of_last.times(layer.pairs[z]));
            }
        }
        let pair = if x + 1 == d { S::ZERO } else { outside.pairs[x] };
        for y in x + 1..d {
            let at = x * nodes + y;
            weights.collect(&mut self.arcs, d, &[y, x], 0, pair.times(layer.joined[at]));
            let of_joined = outside.joined[at].plus(pair.times(layer.near[at]));
            self.shifted[group * (nodes + 1) + y][lane].add(of_joined.times(layer.pairs[y]));
            outside.pairs[y].add(of_joined.times(items.shifted(x, y)));
            if frame > 3 {
                outside.triples[group * nodes + y][lane].add(of_joined);
            }
        }
        for y in (x + 1..d).filter(|_| frame > 4) {
            let row = layer.row(x, y);
            for z in y + 1..d {
                let (at, whole) = (row + z - y - 1, items.quadruples.get(x, [y, z], d));
                let y_stays = outside.triples[group * nodes + y][lane];
                let z_stays = outside.triples[group * nodes + z][lane];
                let z_goes = layer.z_by_x[at].plus(layer.near[y * nodes + z]);
                let of_whole = z_stays.times(layer.y_by_any[at]).plus(y_stays.times(z_goes));
                outside.quadruples[(group * nodes + y) * nodes + z][lane].add(of_whole);
                weights.collect(&mut self.arcs, d, &[z, y, x], 1, z_stays.times(whole));
                weights.collect(&mut self.arcs, d, &[z, y, x], 0, y_stays.times(whole));
                weights.collect(&mut self.arcs, d, &[z, y], 0, y_stays.times(whole));
            }
        }
    }
}

/// Zero for left ends that are not below x.
#[inline(always)]
fn below<S: Semiring>(mut lanes: Group<S>, group: usize, x: usize) -> Group<S> {
    lanes[(x - group * LANES).min(LANES)..].fill(S::ZERO);
    lanes
}
