//! Charts for systems with bounded frames: MH_K for K = 3, 4, 5.
//!
//! An item [h₁ … h_m] says that some run takes the stack σ|h₁ with the buffer h₁+1… to the stack σ|h₁…h_{m−1} with the buffer h_m…, and that
//! everything removed on the way was removed in frames no deeper than h₁ (Gómez-Rodríguez, Carroll and Weir 2011 call it multi-headed). Items
//! that share an end are concatenated; a *frame* is an item of up to K nodes, and a reduce removes one of its inner nodes.
//!
//! To count each run once, the chart holds only items that are *whole*: not the concatenation of two. What is concatenated is whole items,
//! one after the other,
//!
//! > G\[a … d\] = L\[a … d\] ⊕ ⊕ over v of L\[a … v\] ⊗ shift v ⊗ G\[v … d\],
//!
//! and a reduce takes the smallest frame in which it fits: the first whole part of its frame reaches beyond the node below the dependent, or
//! beyond the head ([`Frames`](crate::transition::Frames) has the same in terms of runs). Its result is whole. For K = 4, with weights w:
//!
//! > L\[a,d\] = ⊕ over x of G\[a,x,d\] ⊗ w(x by a, d…)
//! >
//! > L\[a,y,d\] = ⊕ over x < y of (L\[a,x\] G\[x,y,d\] ⊕ L\[a,x,y\] L\[y,d\]) ⊗ w(x by a, y, d…)
//! > ⊕ over x > y of (L\[a,y\] G\[y,x,d\] ⊕ L\[a,y,x\] L\[x,d\]) ⊗ w(x by a) ⊕ L\[a,y,x\] L\[x,d\] ⊗ w(x by y, d…)
//!
//! Items with the same d are filled by descending left end. Given d and x, all frames [a, x, …, d] are done at once: what is needed of
//! them is there, and a is the index of the innermost loops (see `layout.rs`).

mod backwards;
mod layout;
mod outside;
mod spread;
mod unspread;
mod unwind;
mod weights;

use super::lanes::LANES;
use super::weights::Weights;
use crate::memory::OutOfMemory;
use crate::semiring::Semiring;
use crate::system::{Address, Inventory, Reduce, Slot, System};
use layout::{Group, Rows3, Rows4, groups};
use spread::ByZ;
use weights::{ArcTables, ArcWeights, FrameWeights, WindowWeights};

/// What is asked of a chart, beside the scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// K
    pub frame: usize,
    pub lookahead: bool,
    pub single_root: bool,
}

impl Question {
    /// For a system with frames of three to five nodes, or one that is as good as that. Only arc scores do not look beyond a frame.
    pub fn of(system: &System, arcs_only: bool, single_root: bool) -> Option<Question> {
        let same_as_mh3 = || (arcs_only && is_hybrid(system.inventory())).then_some(3);
        let frame = system.frame().or_else(same_as_mh3).filter(|frame| (3..=5).contains(frame))?;
        let lookahead = system.inventory().permits(Address::Buffer(1), 0);
        Some(Question { frame, lookahead, single_root })
    }
}

/// Whether only the top is ever removed, by its neighbours on both sides or by all of the buffer: every run then keeps to frames of three nodes.
pub(super) fn is_hybrid(inventory: &Inventory) -> bool {
    let top = |head| inventory.contains(Reduce { head, dependent: 0 });
    inventory.len() == 2 && top(Slot::Stack(1)) && (top(Slot::Buffer(0)) || top(Slot::Ahead))
}

/// A filled chart: the whole items.
pub(super) struct FrameChart<S> {
    pub question: Question,
    pub words: usize,
    /// For arc scores: the weights it was filled with.
    arcs: Option<ArcTables<S>>,
    /// The weight of shifting the root, with which every run begins.
    start: S,
    /// L\[a, d\], by d and then a.
    pairs: Vec<S>,
    /// L\[a, d\] ⊗ shift d, by a and then d.
    opened: Vec<S>,
    /// The same by groups of a, and then d.
    shifted: Vec<Group<S>>,
    /// L\[a, y, d\]
    triples: Rows3<S>,
    /// L\[a, y, z, d\]
    quadruples: Rows4<S>,
}

/// The items of one right end while they are filled.
struct Layer<S> {
    d: usize,
    nodes: usize,
    /// L\[a, y, d\], by groups of a and then y.
    triples: Vec<Group<S>>,
    /// L\[a, y, z, d\], by groups of a, y, and then z. Empty if K < 5.
    quadruples: Vec<Group<S>>,
    /// L\[y, d\]
    pairs: Vec<S>,
    /// G\[x, y, d\], by x and y.
    concatenated: Vec<S>,
    /// G\[x, y, z, d\] for the x at hand, by y and z. Empty if K < 5.
    concatenated_at: Vec<S>,
    /// The weight of removing y right above the x at hand, without looking further down.
    near: Vec<S>,
    by_z: Vec<ByZ<S>>,
}

impl<S: Semiring> FrameChart<S> {
    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub fn fill(weights: &Weights<'_, S>) -> Result<FrameChart<S>, OutOfMemory> {
        let scores = weights.scores;
        let question = weights.frames.expect("a system with frames");
        let Question { lookahead, single_root, .. } = question;
        match scores.as_arcs() {
            Some(arcs) => {
                let tables = ArcTables::new(arcs, lookahead, single_root);
                let mut weights = ArcWeights { tables: &tables, front: 0 };
                let chart = FrameChart::fill_with(arcs.len(), question, &mut weights)?;
                Ok(FrameChart { arcs: Some(tables), ..chart })
            }
            None => {
                let mut weights = WindowWeights { scores, lookahead, single_root, front: 0 };
                FrameChart::fill_with(scores.words(), question, &mut weights)
            }
        }
    }

    #[inline(always)]
    fn fill_with(
        words: usize,
        question: Question,
        weights: &mut impl FrameWeights<S>,
    ) -> Result<FrameChart<S>, OutOfMemory> {
        let nodes = words + 1;
        let mut chart = FrameChart {
            question,
            words,
            arcs: None,
            start: weights.shift(None, 0),
            pairs: vec![S::ZERO; (nodes + 1) * nodes],
            opened: vec![S::ZERO; nodes * nodes],
            shifted: vec![[S::ZERO; LANES]; groups(nodes) * nodes],
            triples: Rows3::new(if question.frame > 3 { words } else { 0 })?,
            quadruples: Rows4::new(if question.frame > 4 { words } else { 0 })?,
        };
        let mut layer = Layer::new(nodes, question.frame);
        for d in 1..=nodes {
            weights.move_to(d);
            layer.start(d);
            for x in (0..d).rev() {
                chart.close(x, &mut layer, weights);
                if x > 0 && question.frame > 3 {
                    chart.spread4(x, &mut layer, weights);
                }
                if x > 0 && question.frame > 4 {
                    chart.spread5(x, &mut layer, weights);
                }
            }
            chart.keep(&layer);
        }
        Ok(chart)
    }

    /// L\[a, d\]
    #[inline(always)]
    fn pair(&self, a: usize, d: usize) -> S {
        self.pairs[d * (self.words + 1) + a]
    }

    /// L\[a, d\] ⊗ shift d
    #[inline(always)]
    fn shifted(&self, a: usize, d: usize) -> S {
        self.opened[a * (self.words + 1) + d]
    }

    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.start.times(self.pair(0, self.words + 1))
    }

    /// Completes the items with left end x: frames that are one whole item, and G.
    #[inline(always)]
    fn close(&mut self, x: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        let d = layer.d;
        if self.question.frame > 4 {
            for y in x + 1..d {
                for z in y + 1..d {
                    let whole = layer.quadruple(x, y, z);
                    layer.add_triple(x, z, whole.times(weights.s1_by_any(z, y, x)));
                    let s0_goes = weights.s0_by_s2(z, y, x).plus(weights.near(z, y));
                    layer.add_triple(x, y, whole.times(s0_goes));
                }
            }
        }
        let (nodes, inner) = (layer.nodes, x + 1..d);
        let near = &mut layer.near[inner.clone()];
        weights.near_row(x, near);
        let row = x * nodes + x + 1..x * nodes + d;
        let (opened, second) = (&self.opened[row.clone()], &layer.pairs[inner.clone()]);
        let concatenated = &mut layer.concatenated[row];
        for at in 0..d - x - 1 {
            concatenated[at] = opened[at].times(second[at]);
        }
        if self.question.frame > 3 {
            let triples = &layer.triples[x / LANES * nodes..][inner];
            for at in 0..d - x - 1 {
                concatenated[at] = concatenated[at].plus(triples[at][x % LANES]);
            }
        }
        let pair = if x + 1 == d { S::ONE } else { dot(concatenated, near) };
        layer.pairs[x] = pair;
        self.pairs[d * nodes + x] = pair;
        if d < nodes {
            let opened = pair.times(weights.shift(Some(x), d));
            self.opened[x * nodes + d] = opened;
            self.shifted[x / LANES * nodes + d][x % LANES] = opened;
        }
        if self.question.frame > 4 {
            for y in x + 1..d {
                for z in y + 1..d {
                    let first_two = self.shifted(x, y).times(layer.concatenated[y * layer.nodes + z]);
                    let first_three = self.triples.get(x, y, z).times(weights.shift(Some(y), z));
                    layer.concatenated_at[y * layer.nodes + z] =
                        layer.quadruple(x, y, z).plus(first_two).plus(first_three.times(layer.pairs[z]));
                }
            }
        }
    }

    /// Stores what a layer has that is not stored yet.
    #[inline(always)]
    fn keep(&mut self, layer: &Layer<S>) {
        let (nodes, d) = (layer.nodes, layer.d);
        for y in (1..d).filter(|_| self.question.frame > 3) {
            for group in 0..groups(y) {
                *self.triples.group(group, y, d) = layer.triples[group * nodes + y];
                for z in (y + 1..d).filter(|_| self.question.frame > 4) {
                    *self.quadruples.group(group, y, z, d) =
                        layer.quadruples[(group * nodes + y) * nodes + z];
                }
            }
        }
    }
}

impl<S: Semiring> Layer<S> {
    fn new(nodes: usize, frame: usize) -> Layer<S> {
        let table = |size| vec![S::ZERO; size];
        let grouped = |size| vec![[S::ZERO; LANES]; groups(nodes) * size];
        Layer {
            d: 0,
            nodes,
            triples: grouped(if frame > 3 { nodes } else { 0 }),
            quadruples: grouped(if frame > 4 { nodes * nodes } else { 0 }),
            pairs: table(nodes),
            concatenated: table(nodes * nodes),
            concatenated_at: table(if frame > 4 { nodes * nodes } else { 0 }),
            near: table(nodes),
            by_z: Vec::new(),
        }
    }

    fn start(&mut self, d: usize) {
        self.d = d;
        self.triples.fill([S::ZERO; LANES]);
        self.quadruples.fill([S::ZERO; LANES]);
    }

    #[inline(always)]
    fn add_triple(&mut self, a: usize, y: usize, term: S) {
        self.triples[a / LANES * self.nodes + y][a % LANES].add(term);
    }

    #[inline(always)]
    fn quadruple(&self, a: usize, y: usize, z: usize) -> S {
        self.quadruples[(a / LANES * self.nodes + y) * self.nodes + z][a % LANES]
    }
}

/// ⊕ of products. Lanes have sums of their own: one would wait for itself.
#[inline(always)]
fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [S::ZERO; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].plus(a[lane].times(b[lane]));
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] = sums[lane].plus(a.times(*b));
    }
    sums.into_iter().fold(S::ZERO, S::plus)
}

/// How many bytes a chart takes with its workspace, with numbers of that size; saturates.
pub(super) fn bytes(frame: usize, words: usize, bytes_per_number: usize) -> u64 {
    let n = words as u128 + 1;
    let left_ends = n.next_multiple_of(LANES as u128);
    let pairs = 3 * (n + 1) * left_ends + 4 * (n + 1) * n;
    let triples = if frame > 3 { Rows3::<S0>::numbers(words) + n * left_ends } else { 0 };
    let quadruples = if frame > 4 { Rows4::<S0>::numbers(words) + n * n * (left_ends + 1) } else { 0 };
    u64::try_from((pairs + triples + quadruples) * bytes_per_number as u128).unwrap_or(u64::MAX)
}

/// How many items there are; none if that does not fit a machine word.
pub(super) fn items(frame: usize, words: usize) -> Option<usize> {
    let n = words as u128;
    // Two, three, four of 0..=n + 1.
    let pairs = (n + 2) * (n + 1) / 2;
    let triples = if frame > 3 { pairs * n / 3 } else { 0 };
    let quadruples = if frame > 4 { pairs * n / 3 * n.saturating_sub(1) / 4 } else { 0 };
    usize::try_from(pairs + triples + quadruples).ok()
}

/// Any semiring, where it does not matter which.
type S0 = crate::semiring::Boolean;
