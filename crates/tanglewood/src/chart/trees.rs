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
//! Time is O(n³), space O(n²). For arc scores. An item begins with the shift of its left end.

use std::ops::ControlFlow;

use super::choice::Choice;
use super::frames::{ArcTables, FrameSettings, dot};
use super::instances::FilledChart;
use super::lanes::LANES;
use super::simd::{self, Instructions, Kernel};
use super::structure::{Candidate, Step, Structure, derivation};
use crate::memory::{OutOfMemory, table};
use crate::scores::{ArcScores, OnUse};
use crate::semiring::Semiring;
use crate::stop;
use crate::system::{Address, System};
use crate::transition::Transition;

/// A filled chart.
pub(super) struct TreeChart<S> {
    nodes: usize,
    settings: FrameSettings,
    arcs: ArcTables<S>,
    /// any\[a, d\], by a and then d.
    any: Vec<S>,
    /// tight\[a, d\], by d and then a.
    tight: Vec<S>,
    /// gone\[a, d\], by d and then a.
    gone: Vec<S>,
}

/// What names an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum TreeItem {
    Any(usize, usize),
    Tight(usize, usize),
    Gone(usize, usize),
}

/// The frames of a system with such a chart: one with frames of three nodes, or one that has the same runs
/// without frames.
pub(super) fn settings(system: &System) -> Option<FrameSettings> {
    FrameSettings::of(system, true).filter(|settings| settings.frame == 3)
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
    pub fn fill(
        settings: FrameSettings,
        scores: &ArcScores,
        single_root: bool,
        instructions: Instructions,
    ) -> Result<TreeChart<S>, OutOfMemory> {
        let nodes = scores.len() + 1;
        let squares = || table((nodes + 1) * nodes, S::ZERO);
        let arcs = ArcTables::new(scores, settings, single_root)?;
        let (any, tight, gone) = (table(nodes * (nodes + 1), S::ZERO)?, squares()?, squares()?);
        let mut chart = TreeChart { nodes, settings, arcs, any, tight, gone };
        simd::run(TreeFilling(&mut chart), instructions);
        Ok(chart)
    }
}

impl<S: Semiring> FilledChart<S> for TreeChart<S> {
    fn total(&self) -> S {
        self.weight(self.goal())
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(self, choice)
    }

    /// The recurrences run backwards.
    fn arc_weights(&self, instructions: Instructions, _: OnUse<'_, S>) -> Result<Vec<S>, OutOfMemory> {
        let squares = || table((self.nodes + 1) * (self.nodes + 1), S::ZERO);
        let [any, tight, gone] = [squares()?, squares()?, squares()?];
        let mut outside = TreeOutside { any, tight, gone, arcs: table(self.nodes * self.nodes, S::ZERO)? };
        simd::run(TreePass(self, &mut outside), instructions);
        Ok(outside.arcs)
    }
}

/// Outside weights: any\[a, d\] by a and then d, the others by d and then a; the weights of all trees with an
/// arc.
struct TreeOutside<S> {
    any: Vec<S>,
    tight: Vec<S>,
    gone: Vec<S>,
    arcs: Vec<S>,
}

/// The outside pass with some instruction set.
struct TreePass<'p, S>(&'p TreeChart<S>, &'p mut TreeOutside<S>);

impl<S: Semiring> Kernel for TreePass<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let TreePass(chart, outside) = self;
        let nodes = chart.nodes;
        outside.any[nodes] = if chart.weight(chart.goal()) == S::ZERO { S::ZERO } else { S::ONE };
        for d in (1..=nodes).rev() {
            if stop::is_asked() {
                return;
            }
            for a in 0..d {
                let (inner, row) = (a + 1..d, a * (nodes + 1));
                let end = if chart.settings.lookahead { nodes } else { nodes.min(d + 1) };
                let of_gone = outside.gone[d * (nodes + 1) + a];
                let right =
                    if chart.settings.lookahead { chart.tight[d * nodes + a] } else { chart.any[row + d] };
                for head in d..end {
                    outside.arcs[head * nodes + a].add(of_gone.times(right.times(chart.arcs.arc(head, a))));
                }
                let of_right = of_gone.times(chart.arcs.ahead(d, a));
                let (mut of_any, mut of_tight) = (outside.any[row + d], outside.tight[d * (nodes + 1) + a]);
                if chart.settings.lookahead {
                    of_tight.add(of_right)
                } else {
                    of_any.add(of_right)
                }
                of_tight.add(of_any);
                let first = &chart.any[row..][inner.clone()];
                let of_first = &mut outside.any[row..][inner.clone()];
                let gone = &chart.gone[d * nodes..][inner.clone()];
                let of_gone = &mut outside.gone[d * (nodes + 1)..][inner.clone()];
                for at in 0..first.len() {
                    of_first[at].add(of_any.times(gone[at]));
                    of_gone[at].add(of_any.times(first[at]));
                }
                let Some(arcs) = chart.arcs.from(a, d) else { continue };
                let (arcs, tight) = (&arcs[inner.clone()], &chart.tight[d * nodes..][inner.clone()]);
                let second = &mut outside.tight[d * (nodes + 1)..][inner.clone()];
                let of_arcs = &mut outside.arcs[a * nodes..][inner];
                for at in 0..first.len() {
                    let (with_arc, both) = (of_tight.times(arcs[at]), first[at].times(tight[at]));
                    of_first[at].add(with_arc.times(tight[at]));
                    second[at].add(with_arc.times(first[at]));
                    of_arcs[at].add(with_arc.times(both));
                }
            }
        }
    }
}

/// Filling a chart with some instruction set.
struct TreeFilling<'f, S>(&'f mut TreeChart<S>);

impl<S: Semiring> Kernel for TreeFilling<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let chart = self.0;
        let nodes = chart.nodes;
        for d in 1..=nodes {
            if stop::is_asked() {
                return;
            }
            for a in (0..d).rev() {
                let inner = a + 1..d;
                let first = &chart.any[a * (nodes + 1)..][inner.clone()];
                let (tight, gone) =
                    (&chart.tight[d * nodes..][inner.clone()], &chart.gone[d * nodes..][inner]);
                let by_left =
                    chart.arcs.from(a, d).map_or(S::ZERO, |arcs| dot3(first, tight, &arcs[a + 1..d]));
                let tight = if a + 1 == d { S::ONE } else { by_left };
                let any = tight.plus(dot(first, gone));
                chart.tight[d * nodes + a] = tight;
                chart.any[a * (nodes + 1) + d] = any;
                let right = if chart.settings.lookahead { tight } else { any };
                chart.gone[d * nodes + a] = right.times(chart.arcs.ahead(d, a));
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
        TreeItem::Any(0, self.nodes)
    }

    fn weight(&self, item: TreeItem) -> S {
        match item {
            // Without words there is nothing that could be the single root.
            TreeItem::Any(0, 1) if self.nodes == 1 && self.arcs.single_root => S::ZERO,
            TreeItem::Any(a, d) => self.any[a * (self.nodes + 1) + d],
            TreeItem::Tight(a, d) => self.tight[d * self.nodes + a],
            TreeItem::Gone(a, d) => self.gone[d * self.nodes + a],
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: TreeItem,
        mut visit: impl FnMut(Candidate<TreeItem, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let reduce = |head, slot, arc, weight| Step::Reduce { head, slot, arc, weight };
        match item {
            TreeItem::Any(a, d) => {
                let tight = TreeItem::Tight(a, d);
                let factors = [self.weight(tight), S::ONE];
                visit(Candidate { premises: [Some(tight), None], factors, step: Step::None })?;
                (a + 1..d).try_for_each(|x| {
                    let premises = [TreeItem::Any(a, x), TreeItem::Gone(x, d)];
                    let factors = premises.map(|premise| self.weight(premise));
                    visit(Candidate { premises: premises.map(Some), factors, step: Step::None })
                })
            }
            TreeItem::Tight(a, d) if a + 1 == d => {
                visit(Candidate { premises: [None, None], factors: [S::ONE; 2], step: Step::Shift(S::ONE) })
            }
            TreeItem::Tight(a, d) => {
                let Some(arcs) = self.arcs.from(a, d) else { return ControlFlow::Continue(()) };
                (a + 1..d).try_for_each(|x| {
                    let premises = [TreeItem::Any(a, x), TreeItem::Tight(x, d)];
                    let factors = premises.map(|premise| self.weight(premise));
                    let step = reduce(Address::Stack(1), 0, (a, x), arcs[x]);
                    visit(Candidate { premises: premises.map(Some), factors, step })
                })
            }
            TreeItem::Gone(x, d) => {
                let tight = self.settings.lookahead;
                let right = if tight { TreeItem::Tight(x, d) } else { TreeItem::Any(x, d) };
                let factors = [self.weight(right), S::ONE];
                let end = if tight { self.nodes } else { (d + 1).min(self.nodes) };
                (d..end).try_for_each(|head| {
                    let step = reduce(Address::Buffer(head - d), 0, (head, x), self.arcs.arc(head, x));
                    visit(Candidate { premises: [Some(right), None], factors, step })
                })
            }
        }
    }
}
