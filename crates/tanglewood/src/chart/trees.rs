//! A chart with one derivation per tree, for frames of three nodes: sums over it are sums over **trees**.
//!
//! In `mh3` and `mh3+` only the top of the stack is removed, by the node below it or by the buffer. A tree
//! has several runs only because a word may stay on the stack for a while after it took its last dependent.
//! So let it go at once. Call an item [a, d] *tight* if a has just taken a dependent, or has just been
//! shifted (d = a + 1). With b the heads in the buffer, b0 for `mh3` and b0… for `mh3+`:
//!
//! > tight\[a, d\] = ⊕ over x of any\[a, x\] ⊗ tight\[x, d\] ⊗ w(a → x)
//! >
//! > gone\[x, d\] = right\[x, d\] ⊗ ⊕ over b of w(b → x), where right is tight for `mh3+`, and any for `mh3`
//! >
//! > any\[a, d\] = tight\[a, d\] ⊕ ⊕ over x of any\[a, x\] ⊗ gone\[x, d\]
//!
//! *Each tree of the class has one such run.* Take a word x whose head is a on the left. While x is on the
//! stack, the node below it is always the same, since only tops are removed; it is a, or x can never go. So x
//! can go as soon as it is complete, which is when [x, d] is tight, and going earlier is impossible. If the
//! head of x is ahead and any word ahead may be a head, the same holds. In `mh3` a head on the right must be
//! b0, which fixes the moment when x goes; its item is then whatever it has become. In all cases the tree
//! determines the time at which each word is removed, and words that go at the same time go from the top
//! down. Letting words go at once leaves no tree out: it only changes when, and the words above x at a later
//! time are removed by heads they see as well without x.
//!
//! Time is O(n³), space O(n²). For arc scores. An item begins with the shift of its left end. Derivations,
//! outside weights and entropies are those of [`structure`](super::structure).

use std::ops::ControlFlow;

use super::frames::{ArcTables, FrameSettings, dot, is_hybrid};
use super::lanes::LANES;
use super::simd::{self, Instructions, Kernel};
use super::structure::{Candidate, Layered, Step, Structure};
use crate::memory::{OutOfMemory, table};
use crate::scores::ArcScores;
use crate::semiring::Semiring;
use crate::system::{Address, System};

/// A filled chart.
pub(super) struct TreeChart<S> {
    nodes: usize,
    settings: FrameSettings,
    arcs: ArcTables<S>,
    /// Three tables, one for each kind of item; [`TreeChart::place`] says where an item is.
    cells: Vec<S>,
}

/// What names an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum TreeItem {
    Any(usize, usize),
    Tight(usize, usize),
    Gone(usize, usize),
}

use TreeItem::{Any, Gone, Tight};

/// The frames of a system with such a chart: one with frames of three nodes, or one that has the same runs
/// without frames.
pub(super) fn settings(system: &System) -> Option<FrameSettings> {
    let serves = system.frame().map_or_else(|| is_hybrid(system.inventory()), |nodes| nodes == 3);
    let lookahead = system.inventory().permits(Address::Buffer(1), 0);
    serves.then_some(FrameSettings { frame: 3, lookahead })
}

/// Number of bytes that a chart takes, for numbers of a given size; saturates.
pub(super) fn bytes(words: usize, bytes_per_number: usize) -> u64 {
    let n = words as u128 + 2;
    u64::try_from((7 * n * n + n * (n + LANES as u128)) * bytes_per_number as u128).unwrap_or(u64::MAX)
}

/// Number of items of a chart.
pub(super) fn items(words: usize) -> Option<usize> {
    words.checked_add(2)?.checked_mul(words + 1).map(|pairs| pairs / 2 * 3)
}

impl<S: Semiring> TreeChart<S> {
    /// Fills a chart.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn fill(
        settings: FrameSettings,
        scores: &ArcScores,
        single_root: bool,
        instructions: Instructions,
    ) -> Result<TreeChart<S>, OutOfMemory> {
        let nodes = scores.len() + 1;
        let arcs = ArcTables::new(scores, settings, single_root)?;
        let cells = table(3 * (nodes + 1) * nodes, S::ZERO)?;
        let mut chart = TreeChart { nodes, settings, arcs, cells };
        // Without words there is nothing that could be the single root.
        if nodes > 1 || !single_root {
            simd::run(Filling(&mut chart), instructions);
        }
        Ok(chart)
    }

    /// The weight of all trees.
    pub fn total(&self) -> S {
        self.weight(self.goal())
    }

    /// Any items by left end and then right end, the others by right end and then left end: the order in
    /// which rows are read.
    #[inline(always)]
    fn place(&self, item: TreeItem) -> usize {
        let size = (self.nodes + 1) * self.nodes;
        match item {
            Any(a, d) => a * (self.nodes + 1) + d,
            Tight(a, d) => size + d * self.nodes + a,
            Gone(a, d) => 2 * size + d * self.nodes + a,
        }
    }

    /// The weights of neighbouring items, from this one on.
    #[inline(always)]
    fn row(&self, first: TreeItem, length: usize) -> &[S] {
        &self.cells[self.place(first)..][..length]
    }

    /// The item that has to be reached before x can be removed by the buffer.
    #[inline(always)]
    fn before_gone(&self, x: usize, d: usize) -> TreeItem {
        if self.settings.lookahead { Tight(x, d) } else { Any(x, d) }
    }

    fn candidate(&self, first: TreeItem, second: Option<TreeItem>, step: Step<S>) -> Candidate<TreeItem, S> {
        let factors = [self.weight(first), second.map_or(S::ONE, |second| self.weight(second))];
        Candidate { premises: [Some(first), second], factors, step }
    }
}

/// Filling a chart with some instruction set.
struct Filling<'f, S>(&'f mut TreeChart<S>);

impl<S: Semiring> Kernel for Filling<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let chart = self.0;
        for d in 1..=chart.nodes {
            for a in (0..d).rev() {
                let (x, length) = (a + 1, d - a - 1);
                let (first, second) = (chart.row(Any(a, x), length), chart.row(Tight(x, d), length));
                let by_left = chart.arcs.from(a, d).map(|arcs| dot3(first, second, &arcs[x..d]));
                let tight = if x == d { S::ONE } else { by_left.unwrap_or(S::ZERO) };
                let any = tight.plus(dot(first, chart.row(Gone(x, d), length)));
                let right = if chart.settings.lookahead { tight } else { any };
                let gone = right.times(chart.arcs.ahead(d, a));
                for (item, weight) in [(Any(a, d), any), (Tight(a, d), tight), (Gone(a, d), gone)] {
                    let place = chart.place(item);
                    chart.cells[place] = weight;
                }
            }
        }
    }
}

/// ⊕ of products of three. Lanes have sums of their own.
#[inline(always)]
fn dot3<S: Semiring>(a: &[S], b: &[S], c: &[S]) -> S {
    let mut sums = [S::ZERO; LANES];
    for ((a, b), c) in a.chunks(LANES).zip(b.chunks(LANES)).zip(c.chunks(LANES)) {
        for (sum, ((a, b), c)) in sums.iter_mut().zip(a.iter().zip(b).zip(c)) {
            *sum = sum.plus(a.times(*b).times(*c));
        }
    }
    sums.into_iter().fold(S::ZERO, S::plus)
}

impl<S: Semiring> Structure<S> for TreeChart<S> {
    type Item = TreeItem;

    fn goal(&self) -> TreeItem {
        Any(0, self.nodes)
    }

    #[inline(always)]
    fn weight(&self, item: TreeItem) -> S {
        self.cells[self.place(item)]
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: TreeItem,
        mut visit: impl FnMut(Candidate<TreeItem, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let reduce = |head, arc: (usize, usize), weight| Step::Reduce { head, slot: 0, arc, weight };
        match item {
            Any(a, d) => {
                visit(self.candidate(Tight(a, d), None, Step::None))?;
                (a + 1..d).try_for_each(|x| visit(self.candidate(Any(a, x), Some(Gone(x, d)), Step::None)))
            }
            Tight(a, d) if a + 1 == d => visit(Candidate::axiom(Step::Shift(S::ONE))),
            Tight(a, d) => {
                let Some(arcs) = self.arcs.from(a, d) else { return ControlFlow::Continue(()) };
                (a + 1..d).try_for_each(|x| {
                    let step = reduce(Address::Stack(1), (a, x), arcs[x]);
                    visit(self.candidate(Any(a, x), Some(Tight(x, d)), step))
                })
            }
            Gone(x, d) => {
                let end = if self.settings.lookahead { self.nodes } else { (d + 1).min(self.nodes) };
                (d..end).try_for_each(|head| {
                    let step = reduce(Address::Buffer(head - d), (head, x), self.arcs.arc(head, x));
                    visit(self.candidate(self.before_gone(x, d), None, step))
                })
            }
        }
    }
}

impl<S: Semiring> Layered<S> for TreeChart<S> {
    fn words(&self) -> usize {
        self.nodes - 1
    }

    fn backwards(&self, d: usize, mut visit: impl FnMut(TreeItem)) {
        for a in 0..d {
            [Gone(a, d), Any(a, d), Tight(a, d)].into_iter().for_each(&mut visit);
        }
    }

    fn places(&self) -> usize {
        self.cells.len()
    }

    fn place(&self, item: TreeItem) -> Option<usize> {
        Some(TreeChart::place(self, item))
    }
}
