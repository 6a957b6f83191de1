//! The items of degree-2 charts in the order of an outside pass, and the places where outside weights are collected.

use super::items2::Item2::{
    self, Diagonal, HookE, HookF, HookFAhead, Last, Layer, Prefix, Remove, RemoveAhead, RemoveBy, RemoveTop,
    Row, RowsOf,
};
use super::items2::Items2;
use super::structure::{Layered, Structure};
use crate::semiring::Semiring;
use crate::system::Address;

impl<S: Semiring> Items2<'_, S> {
    /// The number of places for E.
    #[inline(always)]
    fn hooks_e(&self) -> usize {
        self.layout.as_ref().map_or(self.nodes().pow(3), |layout| layout.size)
    }

    /// The number of places for F, which are those of one (h1, i).
    #[inline(always)]
    fn hooks_f(&self) -> usize {
        if self.chart.layout.off_diagonal { self.nodes().pow(2) * (self.nodes() + 1) } else { 0 }
    }

    /// The place of E[h2; k, h3; x] among hooks; if there are diagonal items only, x = h3.
    #[inline(always)]
    pub(super) fn hook_e(&self, h2: usize, h3: usize, k: usize, x: usize) -> usize {
        match &self.layout {
            Some(layout) => layout.place(h2, k, h3, x),
            None => (k * self.nodes() + h3) * self.nodes() + h2,
        }
    }

    /// The place of F among hooks; a head in the buffer counts as the front j.
    #[inline(always)]
    pub(super) fn hook_f(&self, [_, i, h3, k]: [usize; 4], head: usize, j: usize) -> usize {
        self.hooks_e() + ((head - i) * (j - i) + k - i) * (j - i) + h3 - i
    }

    /// The place of removing s0 or s1 in the window (s0, s1, s2), among hooks.
    #[inline(always)]
    pub(super) fn removal(&self, slot: usize, [s0, s1, s2]: [usize; 3]) -> usize {
        let nodes = self.nodes();
        self.hooks_e() + self.hooks_f() + ((slot * nodes + s1) * nodes + s0) * nodes + s2
    }

    /// The place of removing s2 with a head in the buffer, among hooks.
    #[inline(always)]
    pub(super) fn removal_ahead(&self, s2: usize) -> usize {
        self.removal(2, [0, 0, s2])
    }

    /// The place of removing s2 with a given head on the stack, among hooks.
    #[inline(always)]
    pub(super) fn removal_by(&self, head: usize, s2: usize) -> usize {
        self.removal(2, [head + 1, 0, s2])
    }

    /// The place of removing a node from slot 0 or 1 with a head in the buffer, among hooks.
    #[inline(always)]
    pub(super) fn removal_top(&self, slot: usize, node: usize) -> usize {
        self.removal(2, [self.nodes() + 1 + slot, 0, node])
    }

    /// Whether s0, and whether s1, may be the head of s2.
    #[inline(always)]
    pub(super) fn deepest_by_stack(&self) -> [bool; 2] {
        [0, 1].map(|slot| self.weights.inventory.permits(Address::Stack(slot), 2))
    }

    /// Calls `visit` with each hook E of k that has a place.
    fn each_hook_e(&self, k: usize, j: usize, mut visit: impl FnMut(Item2)) {
        for (h2, h3) in (1..k).flat_map(|h3| (0..h3).map(move |h2| (h2, h3))) {
            visit(HookE(h2, h3, k, h3, j));
            if self.chart.layout.off_diagonal {
                (k..j).for_each(|x| visit(HookE(h2, h3, k, x, j)));
            }
        }
    }

    /// Calls `visit` with each hook F of (h1, i).
    fn each_hook_f(&self, h1: usize, i: usize, j: usize, mut visit: impl FnMut(Item2)) {
        for (h3, k) in (i + 1..j).flat_map(|k| (i..k).map(move |h3| (h3, k))) {
            let first = [h1, i, h3, k];
            visit(HookFAhead(first, j));
            std::iter::once(h3).chain(k..j).for_each(|head| visit(HookF(first, (head, 0), j)));
        }
    }

    /// Calls `visit` with each removal.
    fn each_removal(&self, j: usize, mut visit: impl FnMut(Item2)) {
        for s1 in 1..j {
            for (s0, s2) in (s1 + 1..j).flat_map(|s0| (0..s1).map(move |s2| (s0, s2))) {
                (0..2).for_each(|slot| visit(Remove(slot, [s0, s1, s2], j)));
            }
            visit(RemoveAhead(s1, j));
            (0..2).for_each(|slot| visit(RemoveTop(slot, s1, j)));
        }
        for (head, node) in (0..self.nodes()).flat_map(|head| (1..j).map(move |node| (head, node))) {
            if node != head {
                visit(RemoveBy(0, head, node));
            }
        }
    }
}

impl<S: Semiring> Layered<S> for Items2<'_, S> {
    fn words(&self) -> usize {
        self.chart.layout.words
    }

    fn enter(&self, j: usize) {
        self.each_removal(j, |item| {
            self.hook(item).set(match item {
                Remove(slot, stack, front) => self.weights.reduce(&stack, front, slot),
                RemoveBy(_, head, node) => self.weights.removal_by(head, node),
                _ => self.sum(item),
            });
        });
        (2..j).for_each(|k| self.each_hook_e(k, j, |item| self.hook(item).set(self.hook_sum(item))));
    }

    fn backwards(&self, j: usize, mut visit: impl FnMut(Item2)) {
        visit(Prefix(j));
        if !self.chart.layout.off_diagonal {
            visit(Layer(j));
        }
        for i in 1..j {
            // E of k = i is used by items of smaller i only.
            self.each_hook_e(i, j, &mut visit);
            if i + 1 == j {
                continue;
            }
            for h1 in 0..i {
                (i..j).for_each(|h3| visit(Diagonal(h1, i, h3, j)));
            }
            for h1 in (1..i).filter(|_| self.chart.layout.off_diagonal) {
                for (h3, k) in (i + 1..j).flat_map(|k| (i..k).map(move |h3| (h3, k))) {
                    self.set_hooks_f([h1, i, h3, k], j);
                }
                for h2 in i..j {
                    (h2 + 1..j).for_each(|h3| visit(Row(h1, i, h2, h3, j)));
                }
                self.each_hook_f(h1, i, j, &mut visit);
            }
            if self.chart.layout.off_diagonal {
                visit(RowsOf(i, j));
            }
        }
        self.each_removal(j, visit);
    }

    fn places(&self) -> usize {
        self.first_hook() + self.removal_top(2, 0)
    }

    fn divide(&self, item: Item2, outside: S, places: &mut [S]) -> bool {
        self.divide_pairs(item, outside, places)
    }

    #[inline(always)]
    fn place(&self, item: Item2) -> Option<usize> {
        let hook = match item {
            Diagonal(h1, i, h3, j) => return Some(self.chart.layout.diagonal_item(h1, i, h3, j)),
            Row(h1, i, h2, h3, j) => return Some(self.chart.layout.item(h1, i, h2, h3, j)),
            Prefix(j) => return Some(self.chart.cells.len() + j),
            HookE(h2, h3, k, x, _) if x == h3 || self.layout.is_some() => self.hook_e(h2, h3, k, x),
            HookF(first, (head, _), j) => self.hook_f(first, head, j),
            HookFAhead(first, j) => self.hook_f(first, j, j),
            Remove(slot, stack, _) => self.removal(slot, stack),
            RemoveAhead(s2, _) => self.removal_ahead(s2),
            RemoveTop(slot, node, _) => self.removal_top(slot, node),
            Layer(_) | RowsOf(..) => self.removal_top(0, 0),
            RemoveBy(_, head, s2) => self.removal_by(head, s2),
            HookE(..) | Last(..) => return None,
        };
        Some(self.first_hook() + hook)
    }
}
