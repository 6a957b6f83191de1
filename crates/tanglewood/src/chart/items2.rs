//! How the items of a degree-2 chart are derived, hooks among them: see [`degree2`](super::degree2).

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use super::degree2::Degree2;
use super::hook_e::HookLayout;
use super::structure::{Candidate, Layered, Step, Structure};
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::scores::View;
use crate::semiring::Semiring;
use crate::system::Address;

/// An item, or a hook. Hooks and removals are those of the layer at hand, whose front j is their last index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item2 {
    /// j: [ε, 0, ε, 0, j]
    Prefix(usize),
    /// k, j: an item [0, k, 0, h5, j] whose h5 is removed above the root.
    Last(usize, usize),
    /// h1, i, h3, j: [h1, i, h1, h3, j]
    Diagonal(usize, usize, usize, usize),
    /// h1, i, h2, h3, j: [h1, i, h2, h3, j] with h2 ≥ i
    Row(usize, usize, usize, usize, usize),
    /// h2, h3, k, x, j: E[h2; k, h3; x], an item [h3, k, ·, ·, j] of which s0 or s1 is removed above h2, and
    /// x stays.
    HookE(usize, usize, usize, usize, usize),
    /// (h1, i, h3, k), (head, slot), j: F, an item [h1, i, h2, h3, k] whose h2 is removed by the node `head`
    /// in this slot.
    HookF([usize; 4], (usize, usize), usize),
    /// (h1, i, h3, k), j: the same with a head in the buffer.
    HookFAhead([usize; 4], usize),
    /// slot, (s0, s1, s2), j: removing s0 or s1 with any head.
    Remove(usize, [usize; 3], usize),
    /// s2, j: removing s2 with a head in the buffer.
    RemoveAhead(usize, usize),
    /// j: all items of a layer, of a chart with diagonal items only. It has no weight of its own, nor has the next one.
    Layer(usize),
    /// h2, j: all items [·, ·, h2, ·, j] with h2 ≥ i.
    RowsOf(usize, usize),
    /// slot, node, j: for arc scores, removing a node from slot 0 or 1 with a head in the buffer.
    RemoveTop(usize, usize, usize),
    /// slot, head, node: removing s2 with this node in this stack slot as its head; for arc scores, removing any node.
    RemoveBy(usize, usize, usize),
}

use Item2::{
    Diagonal, HookE, HookF, HookFAhead, Last, Layer, Prefix, Remove, RemoveAhead, RemoveBy, RemoveTop, Row,
    RowsOf,
};

/// A degree-2 chart with the weights it was filled from.
pub(super) struct Items2<'c, S> {
    pub(super) chart: &'c Degree2<S>,
    pub(super) weights: &'c Weights<'c, S>,
    /// Where E is, if there are others than diagonal items.
    pub(super) layout: Option<HookLayout>,
    /// The weights of the hooks and removals of one layer, for an outside pass; otherwise they are computed
    /// where they are asked for.
    pub(super) hooks: Vec<Cell<S>>,
    /// For slots 0 and 1, whether each of s0, s1, s2 may be the head.
    pub(super) permits: [[bool; 3]; 2],
    /// Room for the weights of first premises, and for what is outside of them.
    pub(super) firsts: RefCell<Vec<S>>,
    pub(super) outsides: RefCell<Vec<S>>,
}

/// The item [h1, i, h2, h3, k], diagonal or not.
#[inline(always)]
fn with_h2([h1, i, h3, k]: [usize; 4], h2: usize) -> Item2 {
    if h2 == h1 { Diagonal(h1, i, h3, k) } else { Row(h1, i, h2, h3, k) }
}

impl<'c, S: Semiring> Items2<'c, S> {
    pub fn new(chart: &'c Degree2<S>, weights: &'c Weights<'c, S>) -> Items2<'c, S> {
        let (firsts, outsides) = (RefCell::default(), RefCell::default());
        let permits =
            [0, 1].map(|slot| [0, 1, 2].map(|head| weights.inventory.permits(Address::Stack(head), slot)));
        Items2 { chart, weights, layout: None, hooks: Vec::new(), permits, firsts, outsides }
    }

    /// The same, prepared for an outside pass.
    pub fn tabulated(
        chart: &'c Degree2<S>,
        weights: &'c Weights<'c, S>,
    ) -> Result<Items2<'c, S>, OutOfMemory> {
        let mut items = Items2::new(chart, weights);
        items.layout = chart.layout.off_diagonal.then(|| HookLayout::new(chart.layout.words));
        items.hooks = table(items.places() - items.first_hook(), Cell::new(S::ZERO))?;
        Ok(items)
    }

    pub(super) fn nodes(&self) -> usize {
        self.chart.layout.words + 1
    }

    /// The place of the first hook, after those of items.
    #[inline(always)]
    pub(super) fn first_hook(&self) -> usize {
        self.chart.cells.len() + self.chart.prefix.len()
    }

    /// The weight of a hook in an outside pass.
    #[inline(always)]
    pub(super) fn hook(&self, item: Item2) -> &Cell<S> {
        &self.hooks[self.place(item).map_or(0, |place| place - self.first_hook())]
    }
}

impl<S: Semiring> Structure<S> for Items2<'_, S> {
    type Item = Item2;

    fn goal(&self) -> Item2 {
        Prefix(self.nodes())
    }

    #[inline(always)]
    fn is_hook(&self, item: Item2) -> bool {
        !matches!(item, Prefix(..) | Diagonal(..) | Row(..))
    }

    #[inline(always)]
    fn weight(&self, item: Item2) -> S {
        match item {
            Prefix(j) => self.chart.prefix[j],
            Diagonal(h1, i, h3, j) => self.chart.diagonal(h1, i, h3, j),
            Row(h1, i, h2, h3, j) => self.chart.cells[self.chart.layout.item(h1, i, h2, h3, j)],
            Remove(slot, stack, j) if self.hooks.is_empty() => self.weights.reduce(&stack, j, slot),
            RemoveBy(_, head, node) => self.weights.removal_by(head, node),
            hook if self.hooks.is_empty() => self.sum(hook),
            Last(..) => self.sum(item),
            HookE(h2, h3, k, x, j) if x != h3 && self.layout.is_none() => {
                self.chart.diagonal(h3, k, x, j).times(self.hook(Remove(1, [x, h3, h2], j)).get())
            }
            hook => self.hook(hook).get(),
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        item: Item2,
        mut visit: impl FnMut(Candidate<Item2, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let weights = self.weights;
        match item {
            Prefix(1) => visit(Candidate::axiom(Step::Shift(weights.shift(None, 0))))?,
            Prefix(j) => {
                for k in 1..j {
                    visit(self.both(Prefix(k), Last(k, j)))?;
                }
            }
            Last(k, j) => {
                for h5 in k..j {
                    for step in weights.reduces(View { stack: &[h5, 0], front: j }, 0) {
                        visit(self.single(Diagonal(0, k, h5, j), step))?;
                    }
                }
            }
            Diagonal(h1, i, _, j) if i + 1 == j => {
                visit(Candidate::axiom(Step::Shift(weights.shift(Some(h1), i))))?;
            }
            Diagonal(h1, i, x, j) => {
                for k in x + 1..j {
                    visit(self.both(Diagonal(h1, i, x, k), HookE(h1, x, k, x, j)))?;
                }
                for k in i + 1..=x {
                    for h3 in i..k {
                        visit(self.both(Diagonal(h1, i, h3, k), HookE(h1, h3, k, x, j)))?;
                    }
                }
            }
            Row(h1, i, h2, x, j) => {
                for k in x + 1..j {
                    visit(self.both(Row(h1, i, h2, x, k), HookE(h2, x, k, x, j)))?;
                }
                for k in h2 + 2..=x {
                    for h3 in h2 + 1..k {
                        visit(self.both(Row(h1, i, h2, h3, k), HookE(h2, h3, k, x, j)))?;
                    }
                }
                let context = match weights.arcs {
                    Some(_) => Step::None,
                    None => Step::Weight(S::from_score(weights.scores.deepest_context(&[x, h2], j))),
                };
                let [by_s0, by_s1] = self.deepest_by_stack();
                let ahead = weights.inventory.reach_of_heads(2) > 0;
                let mut remove = |h3, k, second| {
                    let first = [h1, i, h3, k];
                    if by_s1 {
                        visit(self.pair(HookF(first, (h2, 1), j), second, context))?;
                    }
                    if by_s0 {
                        visit(self.pair(HookF(first, (x, 0), j), second, context))?;
                    }
                    if !ahead {
                        return ControlFlow::Continue(());
                    }
                    visit(self.pair(HookFAhead(first, j), second, context))
                };
                for k in i + 1..=h2 {
                    for h3 in i..k {
                        remove(h3, k, Row(h3, k, h2, x, j))?;
                    }
                }
                for k in h2 + 1..=x {
                    remove(h2, k, Diagonal(h2, k, x, j))?;
                }
            }
            HookE(h2, h3, k, x, j) if x == h3 => {
                for h5 in k..j {
                    visit(self.both(Diagonal(h3, k, h5, j), Remove(0, [h5, h3, h2], j)))?;
                }
            }
            HookE(h2, h3, k, x, j) => {
                visit(self.both(Diagonal(h3, k, x, j), Remove(1, [x, h3, h2], j)))?;
                if self.chart.layout.off_diagonal {
                    for h4 in k..x {
                        visit(self.both(Row(h3, k, h4, x, j), Remove(1, [x, h4, h2], j)))?;
                    }
                    for h5 in x + 1..j {
                        visit(self.both(Row(h3, k, x, h5, j), Remove(0, [h5, x, h2], j)))?;
                    }
                }
            }
            HookF(first, (head, slot), _) => {
                for h2 in std::iter::once(first[0]).chain(first[1]..first[2]) {
                    visit(self.both(with_h2(first, h2), RemoveBy(slot, head, h2)))?;
                }
            }
            HookFAhead(first, j) => {
                for h2 in std::iter::once(first[0]).chain(first[1]..first[2]) {
                    visit(self.both(with_h2(first, h2), RemoveAhead(h2, j)))?;
                }
            }
            Remove(slot, stack, front) => {
                for step in weights.reduces(View { stack: &stack, front }, slot) {
                    visit(Candidate::axiom(step))?;
                }
            }
            RemoveTop(..) | Layer(_) | RowsOf(..) => {}
            RemoveBy(slot, head, s2) => {
                let (arc, weight) = ((head, s2), weights.removal_by(head, s2));
                let head = Address::Stack(slot);
                visit(Candidate::axiom(Step::Reduce { head, slot: 2, arc, weight }))?;
            }
            RemoveAhead(s2, j) => {
                for step in weights.deepest_reduces(s2, j) {
                    visit(Candidate::axiom(step))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
