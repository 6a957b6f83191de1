//! How the items of a degree-2 chart are derived, hooks among them: see [`degree2`](super::degree2).

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use super::degree2::Degree2;
use super::hook_e::HookLayout;
use super::structure::{Candidate, Layered, Step, Structure};
use super::weights::Weights;
use super::windows::WindowWeights;
use crate::memory::{OutOfMemory, table};
use crate::scores::View;
use crate::semiring::Semiring;
use crate::system::Address;

/// An item, or a hook. Hooks and removals are those of the layer at hand, whose front is j.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item2 {
    /// [ε, 0, ε, 0, j]
    Prefix { j: usize },
    /// [0, k, 0, h5, j] whose h5 is removed above the root.
    Last { k: usize, j: usize },
    /// [h1, i, h1, h3, j]
    Diagonal { h1: usize, i: usize, h3: usize, j: usize },
    /// [h1, i, h2, h3, j] with h2 ≥ i
    Row { h1: usize, i: usize, h2: usize, h3: usize, j: usize },
    /// E[h2; k, h3; x]: an item [h3, k, ·, ·, j] of which s0 or s1 is removed above h2, and x stays.
    HookE { h2: usize, h3: usize, k: usize, x: usize, j: usize },
    /// F[h1, i, h3, k; head]: an item [h1, i, h2, h3, k] whose h2 is removed by the node `head`, which is in this slot.
    HookF { h1: usize, i: usize, h3: usize, k: usize, head: usize, slot: usize, j: usize },
    /// The same with a head in the buffer.
    HookFAhead { h1: usize, i: usize, h3: usize, k: usize, j: usize },
    /// Removing s0 or s1 with any head.
    Remove { slot: usize, s2: usize, s1: usize, s0: usize, j: usize },
    /// Removing s2 with a head in the buffer.
    RemoveAhead { s2: usize, j: usize },
}

/// A degree-2 chart with the weights it was filled from.
pub(super) struct Items2<'c, S> {
    chart: &'c Degree2<S>,
    weights: &'c Weights<'c, S>,
    /// For an outside pass; otherwise the weights of hooks are computed where they are asked for.
    tables: Option<Tables<S>>,
}

/// Weights of the layer at hand.
struct Tables<S> {
    windows: RefCell<WindowWeights<S>>,
    /// Of E.
    hook_e: Vec<Cell<S>>,
    /// Where E is, if there are others than diagonal items.
    layout: Option<HookLayout>,
    /// Of F, for one (h1, i).
    hook_f: Vec<Cell<S>>,
    /// Of removals.
    removals: Vec<Cell<S>>,
}

use Item2::{Diagonal, HookE, HookF, HookFAhead, Last, Prefix, Remove, RemoveAhead, Row};

impl<'c, S: Semiring> Items2<'c, S> {
    pub fn new(chart: &'c Degree2<S>, weights: &'c Weights<'c, S>) -> Items2<'c, S> {
        Items2 { chart, weights, tables: None }
    }

    /// The same, prepared for an outside pass.
    pub fn tabulated(
        chart: &'c Degree2<S>,
        weights: &'c Weights<'c, S>,
    ) -> Result<Items2<'c, S>, OutOfMemory> {
        let words = chart.layout.words;
        let nodes = words + 1;
        let layout = chart.layout.off_diagonal.then(|| HookLayout::new(words));
        let hooks_e = layout.as_ref().map_or(nodes * nodes * nodes, |layout| layout.size);
        let hooks_f = if chart.layout.off_diagonal { nodes * nodes * (nodes + 1) } else { 0 };
        let tables = Tables {
            windows: RefCell::new(WindowWeights::new(weights)?),
            hook_e: table(hooks_e, Cell::new(S::ZERO))?,
            layout,
            hook_f: table(hooks_f, Cell::new(S::ZERO))?,
            removals: table(nodes * (2 * nodes * nodes + 1), Cell::new(S::ZERO))?,
        };
        Ok(Items2 { chart, weights, tables: Some(tables) })
    }

    /// What the other nodes of the window contribute when s2 is removed.
    fn context(&self, s1: usize, s0: usize, j: usize) -> Step<S> {
        match self.weights.arcs {
            Some(_) => Step::None,
            None => Step::Weight(S::from_score(self.weights.scores.deepest_context(&[s0, s1], j))),
        }
    }

    /// The item [h1, i, h2, h3, k], diagonal or not.
    #[inline(always)]
    fn any(h1: usize, i: usize, h2: usize, h3: usize, k: usize) -> Item2 {
        if h2 == h1 { Diagonal { h1, i, h3, j: k } } else { Row { h1, i, h2, h3, j: k } }
    }

    /// Where E is among the hooks of a layer.
    #[inline(always)]
    fn place_of_e(&self, tables: &Tables<S>, [h2, k, h3, x]: [usize; 4]) -> usize {
        match &tables.layout {
            Some(layout) => layout.place(h2, k, h3, x),
            None => {
                let nodes = self.chart.layout.words + 1;
                (k * nodes + h3) * nodes + h2
            }
        }
    }

    /// Where F is among those of (h1, i); a head in the buffer counts as the front.
    #[inline(always)]
    fn place_of_f(i: usize, j: usize, h3: usize, k: usize, head: usize) -> usize {
        let span = j - i;
        ((k - i) * span + h3 - i) * (span + 1) + head - i
    }

    /// Calls `visit` with (h2, h3, x) of each hook E of k that has a place.
    fn each_hook_e(&self, k: usize, j: usize, mut visit: impl FnMut(usize, usize, usize)) {
        for h3 in 1..k {
            for h2 in 0..h3 {
                visit(h2, h3, h3);
                if self.chart.layout.off_diagonal {
                    (k..j).for_each(|x| visit(h2, h3, x));
                }
            }
        }
    }

    /// Where the outside weights of removals begin.
    fn first_removal(&self) -> usize {
        let hooks = self.tables.as_ref().map_or(0, |tables| tables.hook_e.len() + tables.hook_f.len());
        self.chart.cells.len() + self.chart.prefix.len() + hooks
    }

    /// Where a removal is among them.
    #[inline(always)]
    fn place_of_removal(&self, slot: usize, [s2, s1, s0]: [usize; 3]) -> usize {
        let nodes = self.chart.layout.words + 1;
        ((slot * nodes + s1) * nodes + s0) * nodes + s2
    }

    /// Sets the weights of F for (h1, i).
    fn tabulate_hooks_f(&self, h1: usize, i: usize, j: usize) {
        let Some(Tables { windows, hook_f, .. }) = &self.tables else { return };
        let windows = windows.borrow();
        let span = j - i;
        hook_f[..span * span * (span + 1)].iter().for_each(|cell| cell.set(S::ZERO));
        for k in i + 1..j {
            for h3 in i..k {
                for h2 in std::iter::once(h1).chain(i..h3) {
                    let first = self.weight(Self::any(h1, i, h2, h3, k));
                    let by_head = windows.deepest_heads(h2);
                    let row = &hook_f[Self::place_of_f(i, j, h3, k, i)..][..=span];
                    let add = |at: usize, weight: S| row[at].set(row[at].get().plus(first.times(weight)));
                    add(h3 - i, by_head[h3]);
                    (k..j).for_each(|head| add(head - i, by_head[head]));
                    add(span, windows.deepest_ahead()[h2]);
                }
            }
        }
    }
}

impl<S: Semiring> Structure<S> for Items2<'_, S> {
    type Item = Item2;

    fn goal(&self) -> Item2 {
        Prefix { j: self.chart.layout.words + 1 }
    }

    fn is_hook(&self, item: Self::Item) -> bool {
        !matches!(item, Prefix { .. } | Diagonal { .. } | Row { .. })
    }

    #[inline(always)]
    fn weight(&self, item: Item2) -> S {
        match (item, &self.tables) {
            (Prefix { j }, _) => self.chart.prefix[j],
            (Diagonal { h1, i, h3, j }, _) => self.chart.diagonal(h1, i, h3, j),
            (Row { h1, i, h2, h3, j }, _) => self.chart.cells[self.chart.layout.item(h1, i, h2, h3, j)],
            (HookE { h2, h3, k, x, .. }, Some(tables)) if x == h3 || tables.layout.is_some() => {
                tables.hook_e[self.place_of_e(tables, [h2, k, h3, x])].get()
            }
            (HookE { h2, h3, k, x, j }, Some(tables)) => {
                let removal = tables.removals[self.place_of_removal(1, [h2, h3, x])].get();
                self.chart.diagonal(h3, k, x, j).times(removal)
            }
            (HookF { i, h3, k, head, j, .. }, Some(tables)) => {
                tables.hook_f[Self::place_of_f(i, j, h3, k, head)].get()
            }
            (HookFAhead { i, h3, k, j, .. }, Some(tables)) => {
                tables.hook_f[Self::place_of_f(i, j, h3, k, j)].get()
            }
            (Remove { slot, s2, s1, s0, .. }, Some(tables)) => {
                tables.removals[self.place_of_removal(slot, [s2, s1, s0])].get()
            }
            (RemoveAhead { s2, .. }, Some(tables)) => {
                tables.removals[self.place_of_removal(2, [s2, 0, 0])].get()
            }
            (hook, _) => self.sum(hook),
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: Item2,
        mut visit: impl FnMut(Candidate<Item2, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let off_diagonal = self.chart.layout.off_diagonal;
        let pair = |first, second| self.pair(first, second, Step::None);
        match item {
            Prefix { j: 1 } => visit(Candidate::axiom(Step::Shift(self.weights.shift(None, 0))))?,
            Prefix { j } => {
                for k in 1..j {
                    visit(pair(Prefix { j: k }, Last { k, j }))?;
                }
            }
            Last { k, j } => {
                for h5 in k..j {
                    for step in self.weights.reduces(View { stack: &[h5, 0], front: j }, 0) {
                        visit(self.single(Diagonal { h1: 0, i: k, h3: h5, j }, step))?;
                    }
                }
            }
            Diagonal { h1, i, j, .. } if i + 1 == j => {
                visit(Candidate::axiom(Step::Shift(self.weights.shift(Some(h1), i))))?;
            }
            Diagonal { h1, i, h3: x, j } => {
                for k in x + 1..j {
                    visit(pair(Diagonal { h1, i, h3: x, j: k }, HookE { h2: h1, h3: x, k, x, j }))?;
                }
                for k in i + 1..=x {
                    for h3 in i..k {
                        visit(pair(Diagonal { h1, i, h3, j: k }, HookE { h2: h1, h3, k, x, j }))?;
                    }
                }
            }
            Row { h1, i, h2, h3: x, j } => {
                for k in x + 1..j {
                    visit(pair(Row { h1, i, h2, h3: x, j: k }, HookE { h2, h3: x, k, x, j }))?;
                }
                for k in h2 + 2..=x {
                    for h3 in h2 + 1..k {
                        visit(pair(Row { h1, i, h2, h3, j: k }, HookE { h2, h3, k, x, j }))?;
                    }
                }
                let context = self.context(h2, x, j);
                let permits = |slot| self.weights.inventory.permits(Address::Stack(slot), 2);
                let [by_s0, by_s1] = [permits(0), permits(1)];
                let mut remove = |h3, k, second| {
                    if by_s1 {
                        visit(self.pair(HookF { h1, i, h3, k, head: h2, slot: 1, j }, second, context))?;
                    }
                    if by_s0 {
                        visit(self.pair(HookF { h1, i, h3, k, head: x, slot: 0, j }, second, context))?;
                    }
                    visit(self.pair(HookFAhead { h1, i, h3, k, j }, second, context))
                };
                for k in i + 1..=h2 {
                    for h3 in i..k {
                        remove(h3, k, Row { h1: h3, i: k, h2, h3: x, j })?;
                    }
                }
                for k in h2 + 1..=x {
                    remove(h2, k, Diagonal { h1: h2, i: k, h3: x, j })?;
                }
            }
            HookE { h2, h3, k, x, j } if x == h3 => {
                for h5 in k..j {
                    let removal = Remove { slot: 0, s2: h2, s1: h3, s0: h5, j };
                    visit(pair(Diagonal { h1: h3, i: k, h3: h5, j }, removal))?;
                }
            }
            HookE { h2, h3, k, x, j } => {
                let removal = Remove { slot: 1, s2: h2, s1: h3, s0: x, j };
                visit(pair(Diagonal { h1: h3, i: k, h3: x, j }, removal))?;
                if off_diagonal {
                    for h4 in k..x {
                        let removal = Remove { slot: 1, s2: h2, s1: h4, s0: x, j };
                        visit(pair(Row { h1: h3, i: k, h2: h4, h3: x, j }, removal))?;
                    }
                    for h5 in x + 1..j {
                        let removal = Remove { slot: 0, s2: h2, s1: x, s0: h5, j };
                        visit(pair(Row { h1: h3, i: k, h2: x, h3: h5, j }, removal))?;
                    }
                }
            }
            HookF { h1, i, h3, k, head, slot, .. } => {
                let windows = self.tables.as_ref().map(|tables| tables.windows.borrow());
                for h2 in std::iter::once(h1).chain(i..h3) {
                    let weight = match &windows {
                        Some(windows) => windows.deepest_heads(h2)[head],
                        None => S::from_score(self.weights.scores.deepest(head, h2)),
                    };
                    let step = Step::Reduce { head: Address::Stack(slot), slot: 2, arc: (head, h2), weight };
                    visit(self.single(Self::any(h1, i, h2, h3, k), step))?;
                }
            }
            HookFAhead { h1, i, h3, k, j } => {
                for h2 in std::iter::once(h1).chain(i..h3) {
                    visit(pair(Self::any(h1, i, h2, h3, k), RemoveAhead { s2: h2, j }))?;
                }
            }
            Remove { slot, s2, s1, s0, j } => {
                for step in self.weights.reduces(View { stack: &[s0, s1, s2], front: j }, slot) {
                    visit(Candidate::axiom(step))?;
                }
            }
            RemoveAhead { s2, j } => {
                for step in self.weights.deepest_reduces(s2, j) {
                    visit(Candidate::axiom(step))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S: Semiring> Layered<S> for Items2<'_, S> {
    fn words(&self) -> usize {
        self.chart.layout.words
    }

    fn enter(&self, j: usize) {
        let Some(tables) = self.tables.as_ref().filter(|_| j > 1) else { return };
        let mut windows = tables.windows.borrow_mut();
        windows.move_to(self.weights, j);
        let set = |slot, window, weight| tables.removals[self.place_of_removal(slot, window)].set(weight);
        for s1 in 1..j {
            for (s0, s2) in (s1 + 1..j).flat_map(|s0| (0..s1).map(move |s2| (s0, s2))) {
                (0..2).for_each(|slot| set(slot, [s2, s1, s0], windows.one(slot, s1, s0, s2)));
            }
            if self.chart.layout.off_diagonal {
                set(2, [s1, 0, 0], windows.deepest_ahead()[s1]);
            }
        }
        drop(windows);
        for k in 2..j {
            self.each_hook_e(k, j, |h2, h3, x| {
                let at = self.place_of_e(tables, [h2, k, h3, x]);
                tables.hook_e[at].set(self.sum(HookE { h2, h3, k, x, j }));
            });
        }
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Item2)) {
        visit(Prefix { j });
        for i in 1..j {
            // E of k = i is used by items of smaller i only.
            self.each_hook_e(i, j, |h2, h3, x| visit(HookE { h2, h3, k: i, x, j }));
            if i + 1 == j {
                continue;
            }
            for h1 in 0..i {
                (i..j).for_each(|h3| visit(Diagonal { h1, i, h3, j }));
            }
            for h1 in (1..i).filter(|_| self.chart.layout.off_diagonal) {
                self.tabulate_hooks_f(h1, i, j);
                for h2 in i..j {
                    (h2 + 1..j).for_each(|h3| visit(Row { h1, i, h2, h3, j }));
                }
                for k in i + 1..j {
                    for h3 in i..k {
                        visit(HookFAhead { h1, i, h3, k, j });
                        visit(HookF { h1, i, h3, k, head: h3, slot: 0, j });
                        (k..j).for_each(|head| visit(HookF { h1, i, h3, k, head, slot: 0, j }));
                    }
                }
            }
        }
        for s1 in 1..j {
            for (s0, s2) in (s1 + 1..j).flat_map(|s0| (0..s1).map(move |s2| (s0, s2))) {
                (0..2).for_each(|slot| visit(Remove { slot, s2, s1, s0, j }));
            }
            visit(RemoveAhead { s2: s1, j });
        }
    }

    fn places(&self) -> usize {
        let nodes = self.chart.layout.words + 1;
        self.first_removal() + nodes * (2 * nodes * nodes + 1)
    }

    #[inline(always)]
    fn place(&self, item: Item2) -> Option<usize> {
        let tables = self.tables.as_ref()?;
        let hooks = self.chart.cells.len() + self.chart.prefix.len();
        Some(match item {
            Diagonal { h1, i, h3, j } => self.chart.layout.diagonal_item(h1, i, h3, j),
            Row { h1, i, h2, h3, j } => self.chart.layout.item(h1, i, h2, h3, j),
            Prefix { j } => self.chart.cells.len() + j,
            HookE { h2, h3, k, x, .. } if x == h3 || tables.layout.is_some() => {
                hooks + self.place_of_e(tables, [h2, k, h3, x])
            }
            HookF { i, h3, k, head, j, .. } => {
                hooks + tables.hook_e.len() + Self::place_of_f(i, j, h3, k, head)
            }
            HookFAhead { i, h3, k, j, .. } => hooks + tables.hook_e.len() + Self::place_of_f(i, j, h3, k, j),
            Remove { slot, s2, s1, s0, .. } => {
                self.first_removal() + self.place_of_removal(slot, [s2, s1, s0])
            }
            RemoveAhead { s2, .. } => self.first_removal() + self.place_of_removal(2, [s2, 0, 0]),
            HookE { .. } | Last { .. } => return None,
        })
    }
}
