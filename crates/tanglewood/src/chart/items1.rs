//! How the items of a degree-1 chart are derived, hooks among them: see [`degree1`](super::degree1).

use std::cell::Cell;
use std::ops::ControlFlow;

use super::degree1::Degree1;
use super::structure::{Candidate, Layered, Step, Structure};
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::scores::View;
use crate::semiring::Semiring;

/// An item, or a hook.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item1 {
    /// [0, 0, j]
    Prefix { j: usize },
    /// [i, h, j]
    Span { i: usize, h: usize, j: usize },
    /// E[g; k] for the front j: an item [k, d, j] whose d is removed above g.
    HookE { g: usize, k: usize, j: usize },
    /// F[i, k; head]: an item [i, g, k] whose g is removed by `head` above it.
    HookF { i: usize, k: usize, head: usize },
    /// The same with a head in the buffer, whose front is j.
    HookFAhead { i: usize, k: usize, j: usize },
    /// Removing s0, with any head.
    RemoveTop { s1: usize, s0: usize, j: usize },
    /// Removing s1, with a head in the buffer.
    RemoveAhead { s1: usize, j: usize },
}

/// A degree-1 chart with the weights it was filled from.
pub(super) struct Items1<'c, S> {
    chart: &'c Degree1<S>,
    weights: &'c Weights<'c, S>,
    /// The weights of hooks and removals, for an outside pass; otherwise they are computed where they are asked for.
    tables: Option<Vec<Cell<S>>>,
}

impl<'c, S: Semiring> Items1<'c, S> {
    pub fn new(chart: &'c Degree1<S>, weights: &'c Weights<'c, S>) -> Items1<'c, S> {
        Items1 { chart, weights, tables: None }
    }

    /// The same, prepared for an outside pass.
    pub fn tabulated(
        chart: &'c Degree1<S>,
        weights: &'c Weights<'c, S>,
    ) -> Result<Items1<'c, S>, OutOfMemory> {
        let mut items = Items1::new(chart, weights);
        items.tables = Some(table(items.places() - items.first_hook(), Cell::new(S::ZERO))?);
        for k in 2..=chart.words {
            for head in k..=chart.words {
                (1..k).for_each(|i| items.tabulate(Item1::HookF { i, k, head }));
            }
        }
        Ok(items)
    }

    fn first_hook(&self) -> usize {
        self.chart.cells.len() + self.chart.prefix.len()
    }

    /// Puts the weight of a hook or removal into the table.
    fn tabulate(&self, item: Item1) {
        if let (Some(tables), Some(place)) = (&self.tables, self.place(item)) {
            tables[place - self.first_hook()].set(self.sum(item));
        }
    }
}

impl<S: Semiring> Structure<S> for Items1<'_, S> {
    type Item = Item1;

    fn goal(&self) -> Item1 {
        Item1::Prefix { j: self.chart.words + 1 }
    }

    fn is_hook(&self, item: Self::Item) -> bool {
        !matches!(item, Item1::Prefix { .. } | Item1::Span { .. })
    }

    #[inline(always)]
    fn weight(&self, item: Item1) -> S {
        match (item, &self.tables) {
            (Item1::Prefix { j }, _) => self.chart.prefix[j],
            (Item1::Span { i, h, j }, _) => self.chart.item(i, h, j),
            (hook, Some(tables)) => {
                self.place(hook).map_or(S::ZERO, |at| tables[at - self.first_hook()].get())
            }
            (hook, None) => self.sum(hook),
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: Item1,
        mut visit: impl FnMut(Candidate<Item1, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pair = |first, second| self.pair(first, second, Step::None);
        match item {
            Item1::Prefix { j: 1 } => visit(Candidate::axiom(Step::Shift(self.weights.shift(None, 0))))?,
            Item1::Prefix { j } => {
                for k in 1..j {
                    visit(pair(Item1::Prefix { j: k }, Item1::HookE { g: 0, k, j }))?;
                }
            }
            Item1::Span { i, j, .. } if i + 1 == j => {
                visit(Candidate::axiom(Step::Shift(self.weights.shift(None, i))))?;
            }
            Item1::Span { i, h, j } => {
                for k in h + 1..j {
                    visit(pair(Item1::Span { i, h, j: k }, Item1::HookE { g: h, k, j }))?;
                }
                for k in i + 1..=h {
                    let second = Item1::Span { i: k, h, j };
                    visit(pair(Item1::HookF { i, k, head: h }, second))?;
                    visit(pair(Item1::HookFAhead { i, k, j }, second))?;
                }
            }
            Item1::HookE { g, k, j } => {
                for d in k..j {
                    visit(pair(Item1::Span { i: k, h: d, j }, Item1::RemoveTop { s1: g, s0: d, j }))?;
                }
            }
            Item1::HookF { i, k, head } => {
                for g in i..k {
                    for step in
                        self.weights.reduces(View { stack: &[head, g], front: self.chart.words + 1 }, 1)
                    {
                        visit(self.single(Item1::Span { i, h: g, j: k }, step))?;
                    }
                }
            }
            Item1::HookFAhead { i, k, j } => {
                for g in i..k {
                    visit(pair(Item1::Span { i, h: g, j: k }, Item1::RemoveAhead { s1: g, j }))?;
                }
            }
            Item1::RemoveTop { s1, s0, j } => {
                for step in self.weights.reduces(View { stack: &[s0, s1], front: j }, 0) {
                    visit(Candidate::axiom(step))?;
                }
            }
            Item1::RemoveAhead { s1, j } => {
                for step in self.weights.by_buffer(View { stack: &[s1, s1], front: j }, 1) {
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
        // From the last to be visited to the first: each is a sum over the ones before it.
        for s1 in 0..j {
            (s1 + 1..j).for_each(|s0| self.tabulate(Item1::RemoveTop { s1, s0, j }));
            self.tabulate(Item1::RemoveAhead { s1, j });
        }
        for k in 1..j {
            (0..k).for_each(|g| self.tabulate(Item1::HookE { g, k, j }));
            (1..k).for_each(|i| self.tabulate(Item1::HookFAhead { i, k, j }));
        }
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Item1)) {
        if j <= self.chart.words {
            for head in j..=self.chart.words {
                (1..j).for_each(|i| visit(Item1::HookF { i, k: j, head }));
            }
        }
        visit(Item1::Prefix { j });
        for i in 1..j {
            // E of k = i is used by smaller i only.
            (0..i).for_each(|g| visit(Item1::HookE { g, k: i, j }));
            if i + 1 < j {
                (i..j).for_each(|h| visit(Item1::Span { i, h, j }));
            }
        }
        for k in 1..j {
            (1..k).for_each(|i| visit(Item1::HookFAhead { i, k, j }));
        }
        for s1 in 0..j {
            (s1 + 1..j).for_each(|s0| visit(Item1::RemoveTop { s1, s0, j }));
            visit(Item1::RemoveAhead { s1, j });
        }
    }

    fn places(&self) -> usize {
        let nodes = self.chart.words + 1;
        self.first_hook() + nodes * nodes * (nodes + 3) + nodes
    }

    #[inline(always)]
    fn place(&self, item: Item1) -> Option<usize> {
        let nodes = self.chart.words + 1;
        let hooks = self.first_hook();
        Some(match item {
            Item1::Span { i, h, j } => self.chart.place(i, h, j),
            Item1::Prefix { j } => self.chart.cells.len() + j,
            Item1::HookE { g, k, .. } => hooks + g * nodes + k,
            Item1::HookFAhead { i, k, .. } => hooks + (nodes + i) * nodes + k,
            Item1::RemoveTop { s1, s0, .. } => hooks + (2 * nodes + s1) * nodes + s0,
            Item1::RemoveAhead { s1, .. } => hooks + 3 * nodes * nodes + s1,
            Item1::HookF { i, k, head } => hooks + 3 * nodes * nodes + nodes + (i * nodes + k) * nodes + head,
        })
    }
}
