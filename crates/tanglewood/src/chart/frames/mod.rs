//! Charts for systems with bounded frames: MH_K for K = 3, 4, 5.
//!
//! An item [h₁ … h_m] says that some run takes the stack σ|h₁ with the buffer h₁+1… to the stack σ|h₁…h_{m−1}
//! with the buffer h_m…, and that everything removed on the way was removed in frames no deeper than h₁
//! (Gómez-Rodríguez, Carroll and Weir 2011 call it multi-headed). Items that share an end are concatenated; a
//! *frame* is an item of up to K nodes, and a reduce removes one of its inner nodes.
//!
//! To count each run once, the chart holds only items that are *whole*: not the concatenation of two. A frame
//! consists of whole items,
//!
//! > G\[a … d\] = L\[a … d\] ⊕ ⊕ over v of L\[a … v\] ⊗ shift v ⊗ G\[v … d\],
//!
//! and a reduce takes the smallest frame in which it fits: the first whole part of its frame reaches beyond
//! the node below the dependent, or beyond the head ([`Frames`](crate::transition::Frames) has the same in
//! terms of runs). Its result is whole. For K = 4, with weights w:
//!
//! > L\[a,d\] = ⊕ over x of G\[a,x,d\] ⊗ w(x by a, d…)
//! >
//! > L\[a,y,d\] = ⊕ over x < y of (L\[a,x\] G\[x,y,d\] ⊕ L\[a,x,y\] L\[y,d\]) ⊗ w(x by a, y, d…)
//! > ⊕ over x > y of (L\[a,y\] G\[y,x,d\] ⊕ L\[a,y,x\] L\[x,d\]) ⊗ w(x by a) ⊕ L\[a,y,x\] L\[x,d\] ⊗ w(x by y, d…)
//!
//! Left ends are the lanes of vectors (`layout.rs`). Right ends d are filled in ascending order, for each of
//! them the groups of left ends in descending order. In a group, frames [a, x, …, d] whose x is beyond the
//! group come first, as all they consist of is there; then those with x in the group, by descending x, after
//! [`Items::close`] has completed the items with left end x.
//!
//! Long sentences are filled for several d at once: for each group, frames with y below the whole
//! [block](block) are done for all of its right ends together, then the few others for one right end after
//! the other. The result is the same bit by bit up to the order of sums.

mod any_scores;
mod backwards;
mod block;
mod contexts;
mod frame;
mod items;
mod layer;
mod layout;
mod settings;
mod size;
mod spread;
mod unspread;
mod weights;

use super::lanes::LANES;
use super::simd::{self, Instructions, Kernel};
use crate::memory::{OutOfMemory, table};
use crate::scores::KeptScores;
use crate::semiring::Semiring;
use crate::stop;
use any_scores::WindowWeights;
use block::{BLOCK, Block};
use contexts::InContext;
use layer::Layer;
use layout::{Group, Rows, groups};
use weights::FrameWeights;

pub(super) use layout::dot;
pub(super) use settings::FrameSettings;
pub(super) use size::{bytes, items};
pub(super) use weights::ArcTables;

/// A filled chart, with the scores it was filled from.
pub(super) struct FrameChart<'a, S> {
    settings: FrameSettings,
    weights: WindowWeights<'a, S>,
    /// The weight of shifting the root, with which every run begins.
    start: S,
    items: Items<S>,
}

/// What the right ends of a block share, for arc scores, and these.
type ArcBlock<'b, S> = Option<(&'b mut Block<S>, &'b ArcTables<S>)>;

/// The weights of whole items.
struct Items<S> {
    frame: usize,
    nodes: usize,
    /// L\[a, d\], by d and then a.
    pairs: Vec<S>,
    /// L\[a, d\] ⊗ shift d, by a and then d.
    opened: Vec<S>,
    /// The same by groups of a, and then d.
    shifted: Vec<Group<S>>,
    /// L\[a, y, d\]
    triples: Rows<S>,
    /// L\[a, y, z, d\]
    quadruples: Rows<S>,
}

impl<'a, S: Semiring> FrameChart<'a, S> {
    /// Fills a chart.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn fill(
        settings: FrameSettings,
        scores: KeptScores<'a>,
        single_root: bool,
        instructions: Instructions,
    ) -> Result<FrameChart<'a, S>, OutOfMemory> {
        let (words, start) = (scores.words(), S::from_score(scores.shift(None, 0)));
        let weights = WindowWeights::new(scores, settings, single_root)?;
        let mut items = Items::new(settings.frame, words)?;
        let layers = |count: usize| -> Result<Vec<Layer<S>>, OutOfMemory> {
            (0..count).map(|_| Layer::new(words + 1, settings.frame)).collect()
        };
        match (weights.arcs_alone(), weights.in_context()) {
            (Some(weights), _) if S::VECTORS => {
                let in_blocks = block::numbers(settings.frame, words).is_some();
                let block = in_blocks.then(|| Block::new(words + 1)).transpose()?;
                let layers = layers(if in_blocks { BLOCK } else { 1 })?;
                simd::run(Filling { items: &mut items, layers, block, weights }, instructions);
            }
            (None, Some(weights)) if S::VECTORS => {
                let (layers, block) = (layers(1)?, None);
                simd::run(Filling { items: &mut items, layers, block, weights: &weights }, instructions);
            }
            // Wide vectors would gain nothing here: ⊕, or asking for scores, takes most of the time.
            _ => {
                let mut layers = layers(1)?;
                weights.behind_one_type(|weights| items.fill(&mut layers, None, weights));
            }
        }
        Ok(FrameChart { settings, weights, start, items })
    }
}

/// Filling a chart with some instruction set. Maxima gain by the registers that come with vectors of 512 bits;
/// sums of products take 5 % longer with them.
struct Filling<'f, S, W> {
    items: &'f mut Items<S>,
    layers: Vec<Layer<S>>,
    block: Option<Block<S>>,
    weights: &'f W,
}

impl<S: Semiring> Kernel for Filling<'_, S, ArcTables<S>> {
    const WIDE: bool = S::IDEMPOTENT;

    #[inline(always)]
    fn run(mut self) {
        let block = self.block.as_mut().map(|block| (block, self.weights));
        self.items.fill(&mut self.layers, block, self.weights);
    }
}

impl<S: Semiring> Kernel for Filling<'_, S, InContext<'_, S>> {
    const WIDE: bool = S::IDEMPOTENT;

    #[inline(always)]
    fn run(mut self) {
        self.items.fill(&mut self.layers, None, self.weights);
    }
}

impl<S: Semiring> Items<S> {
    fn new(frame: usize, words: usize) -> Result<Items<S>, OutOfMemory> {
        let nodes = words + 1;
        Ok(Items {
            frame,
            nodes,
            pairs: table((nodes + 1) * nodes, S::ZERO)?,
            opened: table(nodes * nodes, S::ZERO)?,
            shifted: table(groups(nodes) * nodes, [S::ZERO; LANES])?,
            triples: Rows::new(if frame > 3 { words } else { 0 }, 1)?,
            quadruples: Rows::new(if frame > 4 { words } else { 0 }, 2)?,
        })
    }

    /// L\[a, d\]
    #[inline(always)]
    fn pair(&self, a: usize, d: usize) -> S {
        self.pairs[d * self.nodes + a]
    }

    /// L\[a, d\] ⊗ shift d
    #[inline(always)]
    fn shifted(&self, a: usize, d: usize) -> S {
        self.opened[a * self.nodes + d]
    }

    /// `#[inline(always)]`, as all that it calls, so that it is compiled anew for each instruction set.
    #[inline(always)]
    fn fill(
        &mut self,
        layers: &mut [Layer<S>],
        mut block: ArcBlock<'_, S>,
        weights: &(impl FrameWeights<S> + ?Sized),
    ) {
        let mut d = 1;
        while d <= self.nodes && !stop::is_asked() {
            let is_block = block.is_some() && d + BLOCK <= self.nodes + 1;
            let (count, block) = if is_block { (BLOCK, &mut block) } else { (1, &mut None) };
            self.fill_layers(d, &mut layers[..count], block, weights);
            d += count;
        }
    }

    /// Fills all items with one of several right ends, of which d is the first; if there is a block, it is
    /// theirs.
    #[inline(always)]
    fn fill_layers(
        &mut self,
        d: usize,
        layers: &mut [Layer<S>],
        block: &mut ArcBlock<'_, S>,
        weights: &(impl FrameWeights<S> + ?Sized),
    ) {
        (d..).zip(layers.iter_mut()).for_each(|(d, layer)| layer.d = d);
        // Frames with y below this are done for the whole block at once.
        let done = if block.is_some() { d } else { 0 };
        if let Some((block, _)) = block {
            block.start(d);
        }
        for group in (0..groups(d + layers.len() - 1)).rev() {
            if self.frame > 4 && stop::is_asked() {
                return;
            }
            let (first, beyond) = (group * LANES, group * LANES + LANES);
            for layer in layers.iter_mut().filter(|layer| first < layer.d && self.frame > 3) {
                layer.triples[first..layer.d].fill([S::ZERO; LANES]);
                layer.quadruples.fill([S::ZERO; LANES]);
            }
            if let Some((block, arcs)) = block {
                self.spread4_block(beyond, group, block, arcs);
                block.give(beyond, layers);
            }
            for layer in layers.iter_mut().filter(|layer| first < layer.d) {
                for x in (beyond..if self.frame > 3 { layer.d } else { 0 }).rev() {
                    self.spread(x, group, done, layer, weights);
                }
                for x in (first..beyond.min(layer.d)).rev() {
                    self.close(x, layer, weights);
                    if let Some((block, _)) = block {
                        block.take(x, layer);
                    }
                    if x > first {
                        self.spread(x, group, 0, layer, weights);
                    }
                }
                self.keep(group, layer);
            }
        }
    }

    /// Reduces in frames [·, x, …, d] of a group; those of four nodes from this y on.
    #[inline(always)]
    fn spread(
        &self,
        x: usize,
        group: usize,
        from: usize,
        layer: &mut Layer<S>,
        weights: &(impl FrameWeights<S> + ?Sized),
    ) {
        if self.frame > 3 {
            self.spread4(x, group, from.max(x + 1)..layer.d, layer, weights);
        }
        if self.frame > 4 {
            (x + 1..layer.d - 1).for_each(|y| self.spread5(x, y, group, layer, weights));
        }
    }

    /// Completes the items with left end x: frames that are one whole item, and G.
    #[inline(always)]
    fn close(&mut self, x: usize, layer: &mut Layer<S>, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (nodes, d, lane) = (self.nodes, layer.d, x % LANES);
        layer.ask(x, self.frame, weights);
        if self.frame > 4 {
            for y in x + 1..d {
                let row = layer.row(x, y);
                for z in y + 1..d {
                    let whole = layer.quadruples[y * nodes + z][lane];
                    let at = row + z - y - 1;
                    layer.triples[z][lane].add(whole.times(layer.y_by_any[at]));
                    let z_goes = layer.z_by_x[at].plus(layer.near[y * nodes + z]);
                    layer.triples[y][lane].add(whole.times(z_goes));
                }
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
        let pair = if x + 1 == d { S::ONE } else { dot(&layer.joined[row.clone()], &layer.near[row]) };
        layer.pairs[x] = pair;
        self.pairs[d * nodes + x] = pair;
        if d < nodes {
            let opened = pair.times(weights.shift(Some(x), d));
            self.opened[x * nodes + d] = opened;
            self.shifted[x / LANES * nodes + d][lane] = opened;
        }
        for y in x + 1..if self.frame > 4 { d } else { 0 } {
            self.join4(x, y, layer, weights);
            let row = layer.row(x, y);
            for z in y + 1..d {
                layer.joined4[row + z - y - 1].add(layer.quadruples[y * nodes + z][lane]);
            }
        }
    }

    /// G\[x, y, d\] for all y, but for what is one whole item.
    #[inline(always)]
    fn join(&self, x: usize, layer: &mut Layer<S>) {
        let (row, inner) = (layer.inner(x), x + 1..layer.d);
        let (first, second) = (&self.opened[x * self.nodes..][inner.clone()], &layer.pairs[inner]);
        let joined = &mut layer.joined[row];
        for at in 0..joined.len() {
            joined[at] = first[at].times(second[at]);
        }
    }

    /// G\[x, y, z, d\] for all z, but for what is one whole item.
    #[inline(always)]
    fn join4(&self, x: usize, y: usize, layer: &mut Layer<S>, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (nodes, row, first) = (self.nodes, layer.row(x, y), self.shifted(x, y));
        for z in y + 1..layer.d {
            let parted_at_y = first.times(layer.joined[y * nodes + z]);
            let last = weights.shift(Some(y), z).times(layer.pairs[z]);
            let parted_at_z = self.triples.get(x, [y], z).times(last);
            layer.joined4[row + z - y - 1] = parted_at_y.plus(parted_at_z);
        }
    }

    /// Stores the items of a group.
    #[inline(always)]
    fn keep(&mut self, group: usize, layer: &Layer<S>) {
        for x in group * LANES + 1..if self.frame > 3 { layer.d } else { 0 } {
            self.triples.row_mut(group, [x])[layer.d - x - 1] = layer.triples[x];
            for y in x + 1..if self.frame > 4 { layer.d } else { 0 } {
                self.quadruples.row_mut(group, [x, y])[layer.d - y - 1] =
                    layer.quadruples[x * self.nodes + y];
            }
        }
    }
}
