//! The recurrence of a degree-2 chart, over rows: see [`degree2`](super).
//!
//! Lanes of diagonal items are by h1, those of others by pairs (h1, i), those of E by h2. Hooks are those of
//! one h3 and one layer j; an outside pass goes through a layer by ascending h3: what is outside of items
//! with i ≤ h3 is complete then, since a second premise [h1, i, ·, ·, j] belongs to hooks of h3 = h1 < i.

use std::ops::{ControlFlow, Range};

use super::Degree2;
use super::layout::Layout;
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
    /// j: [ε, 0, ε, 0, j]
    Prefix(usize),
    /// k, j: an item [0, k, 0, h5, j] whose h5 is removed above the root.
    Last(usize, usize),
    /// i, h3, j: [·, i, ·, h3, j] with h2 = h1
    Diagonal(usize, usize, usize),
    /// h3, j: the same for all i, of a chart that has no other items.
    AllDiagonal(usize, usize),
    /// h2, h3, j: [·, ·, h2, h3, j] with h2 ≥ i
    OffDiagonal(usize, usize, usize),
    /// h3, k, x, j: E[·; k, h3; x], an item [h3, k, ·, ·, j] of which s0 or s1 is removed, and x stays.
    HookE(usize, usize, usize, usize),
    /// h3, k: F, an item [·, ·, h2, h3, k] and the removal of its h2.
    HookF(usize, usize, Removal),
    Remove(Removal),
}

use Row::*;

/// A degree-2 chart with the weights it was filled from.
pub(in crate::chart) struct Degree2Rows<'a, S> {
    chart: Degree2<S>,
    weights: Weights<'a, S>,
    /// Whether s0, and whether s1, may be the head of s2; whether a node in the buffer may.
    by_stack: [bool; 2],
    by_buffer: bool,
    /// Where the places of E, F, removals and [`Last`] begin.
    starts: [usize; 4],
}

/// The lane of the pair (h1, i).
#[inline(always)]
fn pair(h1: usize, i: usize) -> usize {
    Layout::first_pair(i) + h1 - 1
}

/// Removing s0 or s1 in a window of three.
#[inline(always)]
fn remove(slot: usize, s0: usize, s1: usize, front: usize) -> Row {
    Remove(AnyHead { above: [s0, s1], depth: 2, slot, front, lanes: s1 })
}

impl<'a, S: Semiring> Degree2Rows<'a, S> {
    /// Fills a chart.
    pub fn fill(
        weights: Weights<'a, S>,
        instructions: Instructions,
    ) -> Result<Degree2Rows<'a, S>, OutOfMemory> {
        let chart = Degree2::fill(&weights, instructions)?;
        let nodes = weights.words() + 1;
        let by_stack = [0, 1].map(|slot| weights.inventory.permits(Address::Stack(slot), 2));
        let by_buffer = weights.inventory.reach_of_heads(2) > 0;
        let hooks_e = (1..nodes).map(|h3| (nodes - h3).pow(2) * h3).max();
        let hooks_f = (1..nodes).map(|h3| (nodes - h3) * (nodes - h3 + 2) * Layout::pairs(h3)).max();
        let sizes = [
            hooks_e,
            hooks_f.filter(|_| chart.layout.off_diagonal),
            Some(Removal::rows(nodes, true) * nodes),
        ];
        let mut starts = [chart.cells.len(); 4];
        for (at, size) in sizes.into_iter().enumerate() {
            starts[at + 1] = starts[at] + size.unwrap_or(0);
        }
        Ok(Degree2Rows { chart, weights, by_stack, by_buffer, starts })
    }

    /// Calls `visit` with each removal.
    fn each_removal(&self, j: usize, mut visit: impl FnMut(Row)) {
        for s0 in 1..j {
            visit(Remove(AnyHead { above: [s0, 0], depth: 1, slot: 0, front: j, lanes: 1 }));
            for s1 in 1..s0 {
                (0..2).for_each(|slot| visit(remove(slot, s0, s1, j)));
            }
        }
        if self.chart.layout.off_diagonal {
            (2..=self.weights.words()).for_each(|head| visit(Remove(ByStack { head, place: 0, slot: 2 })));
            visit(Remove(ByBuffer { front: j, slot: 2 }));
        }
    }

    /// Calls `visit` with each hook of h3.
    fn each_hook(&self, h3: usize, j: usize, mut visit: impl FnMut(Row)) {
        for k in h3 + 1..j {
            visit(HookE(h3, k, h3, j));
            (k..j).for_each(|x| visit(HookE(h3, k, x, j)));
            if self.by_buffer {
                visit(HookF(h3, k, ByBuffer { front: j, slot: 2 }));
            }
            for head in [h3].into_iter().chain(k..j).filter(|_| self.by_stack != [false, false]) {
                visit(HookF(h3, k, ByStack { head, place: 0, slot: 2 }));
            }
        }
    }

    /// Shows the products of a second premise [h3, k, h2, x, j] and F, of which s2 is removed.
    #[inline(always)]
    fn removing_deepest(
        &self,
        [h3, k, h2, x, j]: [usize; 5],
        second: (Row, usize),
        context: S,
        visitor: &mut impl Visitor<Row, S>,
    ) -> ControlFlow<()> {
        let [by_s0, by_s1] = self.by_stack;
        let removing =
            |removal| Product::scaled(0, Layout::pairs(h3), HookF(h3, k, removal), second).with(context);
        if by_s1 {
            visitor.see(removing(ByStack { head: h2, place: 1, slot: 2 }))?;
        }
        if by_s0 {
            visitor.see(removing(ByStack { head: x, place: 0, slot: 2 }))?;
        }
        if !self.by_buffer {
            return ControlFlow::Continue(());
        }
        visitor.see(removing(ByBuffer { front: j, slot: 2 }))
    }
}

impl<S: Semiring> Rows<S> for Degree2Rows<'_, S> {
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
        self.starts[3] + self.weights.words() + 1
    }

    #[inline(always)]
    fn place(&self, row: Row) -> Range<usize> {
        let (layout, nodes) = (&self.chart.layout, self.weights.words() + 1);
        let [hooks_e, hooks_f, removals, last] = self.starts;
        let (start, lanes) = match row {
            Prefix(j) => (self.chart.prefix(j), 1),
            Last(k, _) => (last + k, 1),
            Diagonal(i, h3, j) => (layout.diagonal_item(0, i, h3, j), i),
            AllDiagonal(h3, j) => (layout.pair_row(h3, j), triangle(h3)),
            OffDiagonal(h2, h3, j) => (layout.row(h2, j, h3), Layout::pairs(h2)),
            HookE(h3, k, x, _) => {
                let x = if x == h3 { 0 } else { x - k + 1 };
                (hooks_e + ((k - h3 - 1) * (nodes - h3) + x) * h3, h3)
            }
            HookF(h3, k, removal) => {
                let removal = match removal {
                    ByStack { head, .. } if head == h3 => 1,
                    ByStack { head, .. } => head - k + 2,
                    _ => 0,
                };
                let pairs = Layout::pairs(h3);
                (hooks_f + ((k - h3 - 1) * (nodes - h3 + 2) + removal) * pairs, pairs)
            }
            Remove(removal) => (removals + removal.row(nodes) * nodes, removal.lanes()),
        };
        start..start + lanes
    }

    #[inline(always)]
    fn is_hook(&self, row: Row) -> bool {
        !matches!(row, Prefix(_) | Diagonal(..) | AllDiagonal(..) | OffDiagonal(..))
    }

    #[inline(always)]
    fn products(
        &self,
        row: Row,
        middle: Range<usize>,
        visitor: &mut impl Visitor<Row, S>,
    ) -> ControlFlow<()> {
        let off_diagonal = self.chart.layout.off_diagonal;
        let between = |from: usize, to: usize| middle.start.max(from)..middle.end.min(to);
        match row {
            Prefix(j) => {
                for k in 1..j {
                    visitor.see(Product::scaled(0, 1, Prefix(k), (Last(k, j), 0)))?;
                }
            }
            Last(k, j) => {
                for h5 in k..j {
                    let removal = AnyHead { above: [h5, 0], depth: 1, slot: 0, front: j, lanes: 1 };
                    visitor.see(Product::scaled(0, 1, Diagonal(k, h5, j), (Remove(removal), 0)))?;
                }
            }
            Diagonal(i, x, j) => {
                let keeping = |h3, k| Product::each(0, i, [Diagonal(i, h3, k), HookE(h3, k, x, j)], 0);
                for k in x + 1..if middle.contains(&x) { j } else { 0 } {
                    visitor.see(keeping(x, k))?;
                }
                for k in middle.start.max(i) + 1..=x {
                    for h3 in between(i, k) {
                        visitor.see(keeping(h3, k))?;
                    }
                }
            }
            AllDiagonal(x, j) => {
                for h3 in between(1, x + 1) {
                    for k in h3 + 1..if h3 == x { j } else { x + 1 } {
                        let rows = [AllDiagonal(h3, k), HookE(h3, k, x, j)];
                        visitor.see(Product::triangle(triangle(x) - triangle(h3), h3, rows))?;
                    }
                }
            }
            OffDiagonal(h2, x, j) => {
                let pairs = Layout::pairs(h2);
                let keeping =
                    |h3, k| Product::scaled(0, pairs, OffDiagonal(h2, h3, k), (HookE(h3, k, x, j), h2));
                for k in x + 1..if middle.contains(&x) { j } else { 0 } {
                    visitor.see(keeping(x, k))?;
                }
                for k in middle.start.max(h2 + 1) + 1..=x {
                    for h3 in between(h2 + 1, k) {
                        visitor.see(keeping(h3, k))?;
                    }
                }
                let context = match self.weights.arcs {
                    Some(_) => S::ONE,
                    None => S::from_score(self.weights.scores.deepest_context(&[x, h2], j)),
                };
                for k in middle.start.max(2) + 1..=h2 {
                    for h3 in between(2, k) {
                        let second = (OffDiagonal(h2, x, j), pair(h3, k));
                        self.removing_deepest([h3, k, h2, x, j], second, context, visitor)?;
                    }
                }
                for k in h2 + 1..=if middle.contains(&h2) { x } else { 0 } {
                    let second = (Diagonal(k, x, j), h2);
                    self.removing_deepest([h2, k, h2, x, j], second, context, visitor)?;
                }
            }
            HookE(h3, k, x, j) => {
                let removing = |second, removal| Product::scaled(0, h3, removal, second).swapped();
                if x == h3 {
                    for h5 in k..j {
                        visitor.see(removing((Diagonal(k, h5, j), h3), remove(0, h5, h3, j)))?;
                    }
                    return ControlFlow::Continue(());
                }
                visitor.see(removing((Diagonal(k, x, j), h3), remove(1, x, h3, j)))?;
                for h4 in k..if off_diagonal { x } else { 0 } {
                    visitor.see(removing((OffDiagonal(h4, x, j), pair(h3, k)), remove(1, x, h4, j)))?;
                }
                for h5 in x + 1..if off_diagonal { j } else { 0 } {
                    visitor.see(removing((OffDiagonal(x, h5, j), pair(h3, k)), remove(0, h5, x, j)))?;
                }
            }
            HookF(h3, k, removal) => {
                for i in 2..=h3 {
                    let rows = [Diagonal(i, h3, k), Remove(removal)];
                    visitor.see(Product::each(Layout::first_pair(i), i - 1, rows, 1))?;
                }
                for h2 in 2..h3 {
                    let pairs = Layout::pairs(h2);
                    visitor.see(Product::scaled(0, pairs, OffDiagonal(h2, h3, k), (Remove(removal), h2)))?;
                }
            }
            Remove(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn shift(&self, row: Row, lane: usize) -> Option<S> {
        match row {
            Prefix(1) => Some(self.weights.shift(None, 0)),
            Diagonal(i, _, j) if i + 1 == j => Some(self.weights.shift(Some(lane), i)),
            _ => None,
        }
    }

    fn shifts(&self, front: usize) -> Option<Row> {
        Some(Diagonal(front, front, front + 1))
    }

    fn context(&self, row: Row) -> Option<([usize; 2], usize)> {
        if let OffDiagonal(h2, x, j) = row { Some(([x, h2], j)) } else { None }
    }

    #[inline(always)]
    fn removal(&self, row: Row) -> Option<Removal> {
        if let Remove(removal) = row { Some(removal) } else { None }
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Task<Row>)) {
        self.each_removal(j, |row| visit(Task::Sum(row)));
        (1..j).for_each(|k| visit(Task::Sum(Last(k, j))));
        visit(Task::Divide(Prefix(j)));
        (1..j).for_each(|k| visit(Task::Divide(Last(k, j))));
        for h3 in 1..j - 1 {
            self.each_hook(h3, j, |row| visit(Task::Sum(row)));
            for x in h3..j {
                let mut divide = |row| visit(Task::DivideAt(row, h3..h3 + 1));
                if self.chart.layout.off_diagonal {
                    (1..=h3).for_each(|i| divide(Diagonal(i, x, j)));
                    (2..x.min(j - 1)).for_each(|h2| divide(OffDiagonal(h2, x, j)));
                } else {
                    divide(AllDiagonal(x, j));
                }
            }
            self.each_hook(h3, j, |row| visit(Task::Divide(row)));
        }
        self.each_removal(j, |row| visit(Task::Divide(row)));
    }
}
