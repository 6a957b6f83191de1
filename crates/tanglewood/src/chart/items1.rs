//! How the items of a degree-1 chart are derived, hooks among them: see [`degree1`](super::degree1).

use std::cell::Cell;
use std::ops::ControlFlow;

use super::degree1::Degree1;
use super::structure::{Candidate, Layered, Step, Structure};
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::scores::View;
use crate::semiring::Semiring;
use crate::system::Address;

/// An item, or a hook. Hooks other than F with a head on the stack are those of the layer at hand, whose
/// front j is their last index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item1 {
    /// j: [0, 0, j]
    Prefix(usize),
    /// i, h, j: [i, h, j]
    Span(usize, usize, usize),
    /// g, k, j: E[g; k], an item [k, d, j] whose d is removed above g.
    HookE(usize, usize, usize),
    /// i, k, head: F[i, k; head], an item [i, g, k] whose g is removed by `head` above it.
    HookF(usize, usize, usize),
    /// i, k, j: the same with a head in the buffer.
    HookFAhead(usize, usize, usize),
    /// s0, s1, j: removing s0 with any head.
    RemoveTop(usize, usize, usize),
    /// s1, j: removing s1 with a head in the buffer.
    RemoveAhead(usize, usize),
}

use Item1::{HookE, HookF, HookFAhead, Prefix, RemoveAhead, RemoveTop, Span};

/// A degree-1 chart with the weights it was filled from.
pub(super) struct Items1<'c, S> {
    chart: &'c Degree1<S>,
    weights: &'c Weights<'c, S>,
    /// The weights of hooks and removals, for an outside pass; otherwise they are computed where they are
    /// asked for.
    hooks: Vec<Cell<S>>,
}

impl<'c, S: Semiring> Items1<'c, S> {
    pub fn new(chart: &'c Degree1<S>, weights: &'c Weights<'c, S>) -> Items1<'c, S> {
        Items1 { chart, weights, hooks: Vec::new() }
    }

    /// The same, prepared for an outside pass.
    pub fn tabulated(
        chart: &'c Degree1<S>,
        weights: &'c Weights<'c, S>,
    ) -> Result<Items1<'c, S>, OutOfMemory> {
        let mut items = Items1::new(chart, weights);
        items.hooks = table(items.places() - items.first_hook(), Cell::new(S::ZERO))?;
        (2..=chart.words).for_each(|k| items.each_hook_f(k, |item| items.tabulate(item)));
        Ok(items)
    }

    /// The place of the first hook, after those of items.
    fn first_hook(&self) -> usize {
        self.chart.cells.len() + self.chart.prefix.len()
    }

    /// The weight of a hook in an outside pass.
    #[inline(always)]
    fn hook(&self, item: Item1) -> &Cell<S> {
        &self.hooks[self.place(item).map_or(0, |place| place - self.first_hook())]
    }

    fn tabulate(&self, item: Item1) {
        self.hook(item).set(self.sum(item));
    }

    /// Calls `visit` with F of k for each head on the stack.
    fn each_hook_f(&self, k: usize, mut visit: impl FnMut(Item1)) {
        for head in k..=self.chart.words {
            (1..k).for_each(|i| visit(HookF(i, k, head)));
        }
    }

    /// Calls `visit` with each removal.
    fn each_removal(&self, j: usize, mut visit: impl FnMut(Item1)) {
        for s1 in 0..j {
            (s1 + 1..j).for_each(|s0| visit(RemoveTop(s0, s1, j)));
            visit(RemoveAhead(s1, j));
        }
    }
}

impl<S: Semiring> Structure<S> for Items1<'_, S> {
    type Item = Item1;

    fn goal(&self) -> Item1 {
        Prefix(self.chart.words + 1)
    }

    #[inline(always)]
    fn is_hook(&self, item: Item1) -> bool {
        !matches!(item, Prefix(..) | Span(..))
    }

    #[inline(always)]
    fn weight(&self, item: Item1) -> S {
        match item {
            Prefix(j) => self.chart.prefix[j],
            Span(i, h, j) => self.chart.item(i, h, j),
            RemoveTop(s0, s1, j) if self.hooks.is_empty() => self.weights.reduce(&[s0, s1], j, 0),
            hook if self.hooks.is_empty() => self.sum(hook),
            hook => self.hook(hook).get(),
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: Item1,
        mut visit: impl FnMut(Candidate<Item1, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let weights = self.weights;
        match item {
            Prefix(1) => visit(Candidate::axiom(Step::Shift(weights.shift(None, 0))))?,
            Prefix(j) => {
                for k in 1..j {
                    visit(self.both(Prefix(k), HookE(0, k, j)))?;
                }
            }
            Span(i, _, j) if i + 1 == j => visit(Candidate::axiom(Step::Shift(weights.shift(None, i))))?,
            Span(i, h, j) => {
                for k in h + 1..j {
                    visit(self.both(Span(i, h, k), HookE(h, k, j)))?;
                }
                let ahead = weights.inventory.reach_of_heads(1) > 0;
                for k in i + 1..=h {
                    visit(self.both(HookF(i, k, h), Span(k, h, j)))?;
                    if ahead {
                        visit(self.both(HookFAhead(i, k, j), Span(k, h, j)))?;
                    }
                }
            }
            HookE(g, k, j) => {
                for d in k..j {
                    visit(self.both(Span(k, d, j), RemoveTop(d, g, j)))?;
                }
            }
            HookF(i, k, head) => {
                for g in i..k {
                    let view = View { stack: &[head, g], front: self.chart.words + 1 };
                    if let Some(step) = weights.step(view, Address::Stack(0), 1) {
                        visit(self.single(Span(i, g, k), step))?;
                    }
                }
            }
            HookFAhead(i, k, j) => {
                for g in i..k {
                    visit(self.both(Span(i, g, k), RemoveAhead(g, j)))?;
                }
            }
            RemoveTop(s0, s1, front) => {
                for step in weights.reduces(View { stack: &[s0, s1], front }, 0) {
                    visit(Candidate::axiom(step))?;
                }
            }
            RemoveAhead(s1, front) => {
                for step in weights.by_buffer(View { stack: &[s1, s1], front }, 1) {
                    visit(Candidate::axiom(step))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S: Semiring> Layered<S> for Items1<'_, S> {
    fn words(&self) -> usize {
        self.chart.words
    }

    fn enter(&self, j: usize) {
        self.each_removal(j, |item| self.tabulate(item));
        for k in 1..j {
            (0..k).for_each(|g| self.tabulate(HookE(g, k, j)));
            (1..k).for_each(|i| self.tabulate(HookFAhead(i, k, j)));
        }
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Item1)) {
        self.each_hook_f(j, &mut visit);
        visit(Prefix(j));
        for i in 1..j {
            // E of k = i is used by items of smaller i only.
            (0..i).for_each(|g| visit(HookE(g, i, j)));
            if i + 1 < j {
                (i..j).for_each(|h| visit(Span(i, h, j)));
            }
        }
        for k in 1..j {
            (1..k).for_each(|i| visit(HookFAhead(i, k, j)));
        }
        self.each_removal(j, visit);
    }

    fn places(&self) -> usize {
        let nodes = self.chart.words + 1;
        self.first_hook() + nodes * nodes * (nodes + 3) + nodes
    }

    #[inline(always)]
    fn place(&self, item: Item1) -> Option<usize> {
        let nodes = self.chart.words + 1;
        Some(match item {
            Span(i, h, j) => self.chart.place(i, h, j),
            Prefix(j) => self.chart.cells.len() + j,
            HookE(g, k, _) => self.first_hook() + g * nodes + k,
            HookFAhead(i, k, _) => self.first_hook() + (nodes + i) * nodes + k,
            RemoveTop(s0, s1, _) => self.first_hook() + (2 * nodes + s1) * nodes + s0,
            RemoveAhead(s1, _) => self.first_hook() + 3 * nodes * nodes + s1,
            HookF(i, k, head) => self.first_hook() + ((i + 3) * nodes + k + 1) * nodes + head,
        })
    }
}
