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
//! > ⊕ over x > y of (L\[a,y\] G\[y,x,d\] ⊕ L\[a,y,x\] L\[x,d\]) ⊗ w(x by a)
//! > ⊕ over x > y of L\[a,y,x\] L\[x,d\] ⊗ w(x by y, d…)
//!
//! The kernels (`inside.rs`, `outside.rs`) are for arc scores. For other scores of transitions a chart is
//! filled, and taken apart, item by item (`items.rs`): to ask for scores takes most of the time then.

mod arc_tables;
mod frame;
mod inside;
mod items;
mod layer;
mod layout;
mod outside;
mod outside_reduce;
mod removals;

use super::lanes::LANES;
use super::simd::Instructions;
use super::structure;
use crate::memory::{OutOfMemory, table};
use crate::scores::KeptScores;
use crate::semiring::{Boolean, Semiring};
use crate::system::{Address, Inventory, Reduce, Slot, System};
use inside::Inside;
use layer::Layer;
use layout::{Group, Rows, groups};
use removals::Removals;

pub(super) use arc_tables::ArcTables;
pub(super) use layout::dot;

/// Which frames a chart is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameSettings {
    /// K, the largest number of nodes of a frame: 3, 4 or 5.
    pub frame: usize,
    /// Whether all of the buffer may be heads, or its first node only.
    pub lookahead: bool,
}

impl FrameSettings {
    /// For a system with frames of three to five nodes, or one that has the same runs as such a system.
    /// Scores other than arc scores can tell the two apart, since windows without frames show more of the
    /// stack.
    pub fn of(system: &System, arcs_only: bool) -> Option<FrameSettings> {
        let same_as_mh3 = || (arcs_only && is_hybrid(system.inventory())).then_some(3);
        let frame = system.frame().or_else(same_as_mh3).filter(|frame| (3..=5).contains(frame))?;
        Some(FrameSettings { frame, lookahead: system.inventory().permits(Address::Buffer(1), 0) })
    }
}

/// True if and only if the top alone is ever removed, by its neighbours on both sides or by all of the
/// buffer: every run then keeps to frames of three nodes.
pub(super) fn is_hybrid(inventory: &Inventory) -> bool {
    let top = |head| inventory.contains(Reduce { head, dependent: 0 });
    inventory.len() == 2 && top(Slot::Stack(1)) && (top(Slot::Buffer(0)) || top(Slot::Ahead))
}

/// A filled chart, with the scores it was filled from.
pub(super) struct FrameChart<'a, S> {
    settings: FrameSettings,
    weights: Removals<'a, S>,
    /// The weight of shifting the root, with which every run begins.
    start: S,
    items: Items<S>,
}

/// The weights of whole items.
struct Items<S> {
    frame: usize,
    nodes: usize,
    /// L\[a, d\], by d and then a.
    pairs: Vec<S>,
    /// The same by a and then d, for d that are nodes.
    by_left: Vec<S>,
    /// The same by groups of a, and then d.
    by_group: Vec<Group<S>>,
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
        let weights = Removals::new(scores, settings, single_root)?;
        let mut items = Items::new(settings.frame, words)?;
        match weights.arcs_alone() {
            Some(arcs) => Inside::new(&mut items, arcs)?.run_with(instructions),
            None => items.fill_one_by_one(&weights)?,
        }
        Ok(FrameChart { settings, weights, start, items })
    }

    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.start.times(self.items.pair(0, self.items.nodes))
    }

    /// For each arc the weight of all derivations that have it, `[head][dependent]`, row by row.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory> {
        match self.weights.arcs_alone() {
            Some(arcs) => outside::arc_weights(&self.items, arcs, self.settings, instructions),
            None => structure::arc_weights(self),
        }
    }
}

impl<S: Semiring> Items<S> {
    fn new(frame: usize, words: usize) -> Result<Items<S>, OutOfMemory> {
        let nodes = words + 1;
        Ok(Items {
            frame,
            nodes,
            pairs: table((nodes + 1) * nodes, S::ZERO)?,
            by_left: table(nodes * nodes, S::ZERO)?,
            by_group: table(groups(nodes) * nodes, [S::ZERO; LANES])?,
            triples: Rows::new(if frame > 3 { words } else { 0 }, 1)?,
            quadruples: Rows::new(if frame > 4 { words } else { 0 }, 2)?,
        })
    }

    /// L\[a, d\]
    #[inline(always)]
    fn pair(&self, a: usize, d: usize) -> S {
        self.pairs[d * self.nodes + a]
    }

    /// L\[a, d\] = `weight`
    #[inline(always)]
    fn set_pair(&mut self, a: usize, d: usize, weight: S) {
        self.pairs[d * self.nodes + a] = weight;
        if d < self.nodes {
            self.by_left[a * self.nodes + d] = weight;
            self.by_group[a / LANES * self.nodes + d][a % LANES] = weight;
        }
    }
}

/// Number of bytes that a chart takes, with the workspace of filling it, for numbers of a given size;
/// saturates. The outside pass takes no more than that once again.
pub(super) fn bytes(frame: usize, words: usize, bytes_per_number: usize) -> u64 {
    let n = words as u128 + 1;
    let left_ends = n.next_multiple_of(LANES as u128);
    let lanes = LANES as u128;
    let pairs = 2 * left_ends * n + 6 * (n + 1) * n;
    let triples = if frame > 3 { Rows::<Boolean>::numbers(words, 1) } else { 0 };
    let quadruples = if frame > 4 { Rows::<Boolean>::numbers(words, 2) } else { 0 };
    let fourth = if frame > 4 { n * n * (lanes.max(left_ends) + n / 2) } else { 0 };
    let layer = 2 * n * n + (lanes + 3) * n + fourth;
    let outside = (3 + left_ends / n) * n * n + 7 * lanes * n + fourth;
    let workspace = (inside::layers(frame, words) as u128 * layer).max(outside);
    u64::try_from((pairs + triples + quadruples + workspace) * bytes_per_number as u128).unwrap_or(u64::MAX)
}

/// Number of items of a chart; none if that does not fit a machine word.
pub(super) fn items(frame: usize, words: usize) -> Option<usize> {
    let n = words as u128;
    // Two, three, four of 0..=n + 1.
    let pairs = (n + 2) * (n + 1) / 2;
    let triples = if frame > 3 { pairs * n / 3 } else { 0 };
    let quadruples = if frame > 4 { pairs * n / 3 * n.saturating_sub(1) / 4 } else { 0 };
    usize::try_from(pairs + triples + quadruples).ok()
}
