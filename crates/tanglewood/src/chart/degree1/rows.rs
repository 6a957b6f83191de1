//! The recurrence of a degree-1 chart, over rows: see [`degree1`](super).
//!
//! Lanes of items and of F are by descending i, those of E by g. An outside pass goes through a layer by
//! ascending h, and for each h by ascending k: what is outside of [i, h, j] is complete for i < k then.

use std::ops::{ControlFlow, Range};

use super::Degree1;
use crate::chart::lanes::triangle;
use crate::chart::removal::Removal::{self, AnyHead, ByBuffer, ByStack};
use crate::chart::rows::{Product, Rows, Task, Visitor};
use crate::chart::simd::Instructions;
use crate::chart::weights::Weights;
use crate::memory::OutOfMemory;
use crate::semiring::Semiring;
use crate::system::Address;

/// A row of items, hooks or removals.
#[derive(Clone, Copy, Debug)]
pub(in crate::chart) enum Row {
    /// j: [0, 0, j]
    Prefix(usize),
    /// h, j: [·, h, j]
    Span(usize, usize),
    /// k, j: E[·; k], an item [k, d, j] whose d is removed.
    HookE(usize, usize),
    /// k: F[·, k; head], an item [·, g, k] and the removal of its g; the same in all layers if the head is on
    /// the stack.
    HookF(usize, Removal),
    Remove(Removal),
}

use Row::*;

/// A degree-1 chart with the weights it was filled from.
pub(in crate::chart) struct Degree1Rows<'a, S> {
    chart: Degree1<S>,
    weights: Weights<'a, S>,
    /// Whether s0 may be the head of s1, and whether a node in the buffer may.
    by_stack: bool,
    by_buffer: bool,
}

/// Removing s0 with any head.
#[inline(always)]
fn remove_top(s0: usize, front: usize) -> Row {
    Remove(AnyHead { above: [s0, 0], depth: 1, slot: 0, front, lanes: s0 })
}

/// F with a head on the stack, and with one in the buffer.
#[inline(always)]
fn hook_f(k: usize, head: usize) -> Row {
    HookF(k, ByStack { head, place: 0, slot: 1 })
}

#[inline(always)]
fn hook_f_ahead(k: usize, front: usize) -> Row {
    HookF(k, ByBuffer { front, slot: 1 })
}

impl<'a, S: Semiring> Degree1Rows<'a, S> {
    /// Fills a chart.
    pub fn fill(
        weights: Weights<'a, S>,
        instructions: Instructions,
    ) -> Result<Degree1Rows<'a, S>, OutOfMemory> {
        let chart = Degree1::fill(&weights, instructions)?;
        let by_stack = weights.inventory.permits(Address::Stack(0), 1);
        let by_buffer = weights.inventory.reach_of_heads(1) > 0;
        Ok(Degree1Rows { chart, weights, by_stack, by_buffer })
    }

    /// Calls `visit` with each removal.
    fn each_removal(&self, j: usize, mut visit: impl FnMut(Row)) {
        (1..j).for_each(|s0| visit(remove_top(s0, j)));
        (1..=self.weights.words()).for_each(|head| visit(Remove(ByStack { head, place: 0, slot: 1 })));
        visit(Remove(ByBuffer { front: j, slot: 1 }));
    }
}

impl<S: Semiring> Rows<S> for Degree1Rows<'_, S> {
    type Row = Row;

    fn weights(&self) -> &Weights<'_, S> {
        &self.weights
    }

    fn goal(&self) -> Row {
        Prefix(self.weights.words() + 1)
    }

    fn cells(&self) -> &[S] {
        &self.chart.cells
    }

    fn places(&self) -> usize {
        let nodes = self.weights.words() + 1;
        self.chart.cells.len() + (Removal::rows(nodes, false) + 2 * nodes + triangle(nodes)) * nodes
    }

    #[inline(always)]
    fn place(&self, row: Row) -> Range<usize> {
        let nodes = self.weights.words() + 1;
        let hook = |row: usize| self.chart.cells.len() + row * nodes;
        let first = Removal::rows(nodes, false);
        let (start, lanes) = match row {
            Prefix(j) => (self.chart.prefix(j), 1),
            Span(h, j) => (self.chart.place(h, h, j), h),
            HookE(k, _) => (hook(first + k), k),
            HookF(k, ByStack { head, .. }) => (hook(first + 2 * nodes + triangle(head) + k), k - 1),
            HookF(k, _) => (hook(first + nodes + k), k - 1),
            Remove(removal) => (hook(removal.row(nodes)), removal.lanes()),
        };
        start..start + lanes
    }

    #[inline(always)]
    fn is_hook(&self, row: Row) -> bool {
        !matches!(row, Prefix(_) | Span(..))
    }

    #[inline(always)]
    fn products(
        &self,
        row: Row,
        middle: Range<usize>,
        visitor: &mut impl Visitor<Row, S>,
    ) -> ControlFlow<()> {
        match row {
            Prefix(j) => {
                for k in 1..j {
                    visitor.see(Product::scaled(0, 1, Prefix(k), (HookE(k, j), 0)))?;
                }
            }
            Span(h, j) => {
                for k in middle.start.max(h + 1)..middle.end.min(j) {
                    visitor.see(Product::scaled(0, h, Span(h, k), (HookE(k, j), h)))?;
                }
                for k in middle.start.max(2)..middle.end.min(h + 1) {
                    let removing = |hook| Product::scaled(h + 1 - k, k - 1, hook, (Span(h, j), h - k));
                    if self.by_stack {
                        visitor.see(removing(hook_f(k, h)))?;
                    }
                    if self.by_buffer {
                        visitor.see(removing(hook_f_ahead(k, j)))?;
                    }
                }
            }
            HookE(k, j) => {
                for d in k..j {
                    visitor.see(Product::scaled(0, k, remove_top(d, j), (Span(d, j), d - k)).swapped())?;
                }
            }
            HookF(k, removal) => {
                for g in 1..k {
                    visitor.see(Product::scaled(k - 1 - g, g, Span(g, k), (Remove(removal), g)))?;
                }
            }
            Remove(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn middle(&self, row: Row, lane: usize) -> Range<usize> {
        if let Span(h, _) = row { h - lane + 1..usize::MAX } else { 0..usize::MAX }
    }

    fn shift(&self, row: Row, lane: usize) -> Option<S> {
        match row {
            Prefix(1) => Some(self.weights.shift(None, 0)),
            Span(h, j) if h + 1 == j && lane == 0 => Some(self.weights.shift(None, h)),
            _ => None,
        }
    }

    #[inline(always)]
    fn removal(&self, row: Row) -> Option<Removal> {
        if let Remove(removal) = row { Some(removal) } else { None }
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Task<Row>)) {
        let words = self.weights.words();
        self.each_removal(j, |row| visit(Task::Sum(row)));
        for k in 2..if j > words { j } else { 0 } {
            (k..=words).for_each(|head| visit(Task::Sum(hook_f(k, head))));
        }
        (j..=words).for_each(|head| visit(Task::Divide(hook_f(j, head))));
        for k in 1..j {
            visit(Task::Sum(HookE(k, j)));
            visit(Task::Sum(hook_f_ahead(k, j)));
        }
        visit(Task::Divide(Prefix(j)));
        for h in 1..j {
            visit(Task::Divide(HookE(h, j)));
            (2..=h).for_each(|k| visit(Task::DivideAt(Span(h, j), k..k + 1)));
            visit(Task::DivideAt(Span(h, j), h + 1..j));
        }
        (1..j).for_each(|k| visit(Task::Divide(hook_f_ahead(k, j))));
        self.each_removal(j, |row| visit(Task::Divide(row)));
    }
}
