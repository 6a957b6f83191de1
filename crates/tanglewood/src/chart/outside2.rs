//! The outside pass of degree-2 charts in loops over places.
//!
//! Most of an outside pass is spent on items and hooks that are sums over pairs of a stored item and a hook. Here such sums are written
//! over places instead of names, which takes a tenth of the time of [`Structure::candidates`](super::structure::Structure::candidates) or
//! less. Tests compare the results with enumeration and with the sparse deduction.

use super::items2::Item2::{self, Diagonal, HookE, HookFAhead, Layer, Remove, RemoveTop, Row, RowsOf};
use super::items2::Items2;
use super::layout::{Layout, triangle};
use crate::semiring::Semiring;
use crate::system::Address;

impl<S: Semiring> Items2<'_, S> {
    /// Calls `visit` with the places of each pair that an item is the sum over: that of a stored item, and that of a hook among hooks.
    /// For diagonal items and hooks E of charts that have other items, too.
    #[inline(always)]
    fn pairs(&self, item: Item2, mut visit: impl FnMut(usize, usize)) {
        let layout = &self.chart.layout;
        match item {
            Diagonal(h1, i, x, j) => {
                for k in x + 1..j {
                    visit(layout.diagonal_item(h1, i, x, k), self.hook_e(h1, x, k, x));
                }
                for k in i + 1..=x {
                    for h3 in i..k {
                        visit(layout.diagonal_item(h1, i, h3, k), self.hook_e(h1, h3, k, x));
                    }
                }
            }
            HookE(h2, h3, k, x, j) if x == h3 => {
                for h5 in k..j {
                    visit(layout.diagonal_item(h3, k, h5, j), self.removal(0, [h5, h3, h2]));
                }
            }
            HookE(h2, h3, k, x, j) => {
                visit(layout.diagonal_item(h3, k, x, j), self.removal(1, [x, h3, h2]));
                for h4 in k..x {
                    visit(layout.item(h3, k, h4, x, j), self.removal(1, [x, h4, h2]));
                }
                for h5 in x + 1..j {
                    visit(layout.item(h3, k, x, h5, j), self.removal(0, [h5, x, h2]));
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` with each hook F of (h1, i, h3, k): its place among hooks, and that of removing h2 = 0.
    #[inline(always)]
    fn hooks_of(&self, first: [usize; 4], j: usize, mut visit: impl FnMut(usize, usize)) {
        visit(self.hook_f(first, j, j), self.removal_ahead(0));
        let [_, _, h3, k] = first;
        std::iter::once(h3).chain(k..j).for_each(|head| {
            visit(self.hook_f(first, head, j), self.removal_by(head, 0));
        });
    }

    /// The weights of the items [h1, i, h2, h3, k]: for h2 = h1, then by h2 from i on.
    #[inline(always)]
    fn first_premises(&self, [h1, i, h3, k]: [usize; 4], weights: &mut Vec<S>) {
        weights.clear();
        weights.push(self.chart.diagonal(h1, i, h3, k));
        weights.extend((i..h3).map(|h2| self.chart.cells[self.chart.layout.item(h1, i, h2, h3, k)]));
    }

    /// Computes the weights of the hooks F of (h1, i, h3, k).
    pub(super) fn set_hooks_f(&self, first: [usize; 4], j: usize) {
        let [h1, i, h3, _] = first;
        let mut firsts = self.firsts.borrow_mut();
        self.first_premises(first, &mut firsts);
        self.hooks_of(first, j, |hook, removal| {
            let mut sum = firsts[0].times(self.hooks[removal + h1].get());
            for (weight, removal) in firsts[1..].iter().zip(&self.hooks[removal + i..removal + h3]) {
                sum.add(weight.times(removal.get()));
            }
            self.hooks[hook].set(sum);
        });
    }

    /// Hands what is outside of the hooks F of (h1, i, h3, k) to the items they are made of, and to removals.
    fn divide_hooks_f(&self, first: [usize; 4], j: usize, places: &mut [S]) {
        let [h1, i, h3, k] = first;
        let (mut firsts, mut outsides) = (self.firsts.borrow_mut(), self.outsides.borrow_mut());
        self.first_premises(first, &mut firsts);
        outsides.clear();
        outsides.resize(firsts.len(), S::ZERO);
        let (items, hooks) = places.split_at_mut(self.first_hook());
        self.hooks_of(first, j, |hook, removal| {
            let outside = std::mem::replace(&mut hooks[hook], S::ZERO);
            if outside == S::ZERO {
                return;
            }
            hooks[removal + h1].add(outside.times(firsts[0]));
            outsides[0].add(outside.times(self.hooks[removal + h1].get()));
            let removals =
                hooks[removal + i..removal + h3].iter_mut().zip(&self.hooks[removal + i..removal + h3]);
            for ((sum, &weight), (of_removal, removal)) in
                outsides[1..].iter_mut().zip(&firsts[1..]).zip(removals)
            {
                of_removal.add(outside.times(weight));
                sum.add(outside.times(removal.get()));
            }
        });
        items[self.chart.layout.diagonal_item(h1, i, h3, k)].add(outsides[0]);
        for (h2, &outside) in (i..h3).zip(&outsides[1..]) {
            items[self.chart.layout.item(h1, i, h2, h3, k)].add(outside);
        }
    }

    /// The weight of a hook from those of what it is the sum over.
    pub(super) fn hook_sum(&self, hook: Item2) -> S {
        let mut sum = S::ZERO;
        self.pairs(hook, |item, hook| sum.add(self.chart.cells[item].times(self.hooks[hook].get())));
        sum
    }

    /// Hands what is outside of an item to what it is the sum over; false if the item is not a sum of that kind.
    pub(super) fn divide_pairs(&self, item: Item2, outside: S, places: &mut [S]) -> bool {
        let is_sum = match item {
            Layer(j) => {
                self.divide_layer(j, places);
                return true;
            }
            RowsOf(h2, j) => {
                self.divide_rows(h2, j, places);
                return true;
            }
            _ if outside == S::ZERO && !matches!(item, HookFAhead(..)) => return true,
            Diagonal(_, i, _, j) => i + 1 < j && self.chart.layout.off_diagonal,
            Row(h1, i, h2, x, j) if self.weights.arcs.is_some() => {
                self.divide_row([h1, i, h2, x, j], outside, places);
                return true;
            }
            HookE(_, h3, _, x, _) => x == h3 || self.chart.layout.off_diagonal,
            HookFAhead(first, j) => {
                // This hook is visited before the others of the same first premise, which are done with it.
                places[self.first_hook() + self.hook_f(first, j, j)] = outside;
                self.divide_hooks_f(first, j, places);
                return true;
            }
            Remove(slot, stack, _) if self.weights.arcs.is_some() => {
                self.divide_removal(slot, stack, outside, places);
                return true;
            }
            RemoveTop(slot, node, j) => {
                for head in (j..=self.chart.layout.words).filter(|&head| self.reaches(head - j, slot)) {
                    places[self.first_hook() + self.removal_by(head, node)].add(outside);
                }
                return true;
            }
            _ => false,
        };
        if !is_sum {
            return false;
        }
        let first_hook = self.first_hook();
        self.pairs(item, |item, hook| {
            let (of_item, of_hook) = (self.chart.cells[item], self.hooks[hook].get());
            places[item].add(outside.times(of_hook));
            places[first_hook + hook].add(outside.times(of_item));
        });
        true
    }

    /// An item with h2 ≥ i, as far as s2 is removed, for arc scores: from second premises of neighbouring h3, and F with the same heads.
    fn divide_row(&self, [h1, i, h2, x, j]: [usize; 5], outside: S, places: &mut [S]) {
        let (layout, cells) = (&self.chart.layout, &self.chart.cells[..]);
        let (items, hooks) = places.split_at_mut(self.first_hook());
        let [by_s0, by_s1] = self.deepest_by_stack();
        for head in [by_s0.then_some(x), by_s1.then_some(h2), Some(j)].into_iter().flatten() {
            let mut divide = |second: usize, hook: usize, count: usize| {
                let items = items[second..second + count].iter_mut().zip(&cells[second..second + count]);
                let hooks = hooks[hook..hook + count].iter_mut().zip(&self.hooks[hook..hook + count]);
                for ((of_item, &item), (of_hook, hook)) in items.zip(hooks) {
                    *of_item = of_item.plus(outside.times(hook.get()));
                    *of_hook = of_hook.plus(outside.times(item));
                }
            };
            for k in i + 1..=h2 {
                divide(layout.item(i, k, h2, x, j), self.hook_f([h1, i, i, k], head, j), k - i);
            }
            for k in h2 + 1..=x {
                divide(layout.diagonal_item(h2, k, x, j), self.hook_f([h1, i, h2, k], head, j), 1);
            }
        }
        // What s0 or s1 is removed from is left to `RowsOf`.
        items[layout.item(h1, i, h2, x, j)] = outside;
    }

    /// The items [·, ·, h2, ·, j] with h2 ≥ i, as far as s0 or s1 is removed and x stays on top of h2: when all of them are complete.
    fn divide_rows(&self, h2: usize, j: usize, places: &mut [S]) {
        let (layout, cells, pairs) = (&self.chart.layout, &self.chart.cells[..], Layout::pairs(h2.max(1)));
        let (items, hooks) = places.split_at_mut(self.first_hook());
        let mut rows = self.outsides.borrow_mut();
        for x in (h2 + 1..j).filter(|_| pairs > 0) {
            let row = layout.row(h2, j, x);
            rows.clear();
            rows.extend_from_slice(&items[row..row + pairs]);
            items[row..row + pairs].fill(S::ZERO);
            let mut product = |first: usize, hook: usize| {
                let (of_hook, mut sum) = (self.hooks[hook].get(), S::ZERO);
                let firsts = items[first..first + pairs].iter_mut().zip(&cells[first..first + pairs]);
                for ((of_first, &first), &outside) in firsts.zip(rows.iter()) {
                    *of_first = of_first.plus(outside.times(of_hook));
                    sum = sum.plus(outside.times(first));
                }
                hooks[hook].add(sum);
            };
            for k in h2 + 2..=x {
                (h2 + 1..k).for_each(|h3| product(layout.row(h2, k, h3), self.hook_e(h2, h3, k, x)));
            }
            (x + 1..j).for_each(|k| product(layout.row(h2, k, x), self.hook_e(h2, x, k, x)));
        }
    }

    /// Hands what is outside of removing s0 or s1 in a window to its heads, for arc scores.
    #[inline(always)]
    fn divide_removal(&self, slot: usize, stack: [usize; 3], outside: S, places: &mut [S]) {
        let (node, hooks) = (stack[slot], &mut places[self.first_hook()..]);
        for head in (0..3).filter(|&head| head != slot && self.permits[slot][head]) {
            hooks[self.removal_by(stack[head], node)].add(outside);
        }
        hooks[self.removal_top(slot, node)].add(outside);
    }

    /// Whether the buffer node in this place may be the head of the node in a slot.
    fn reaches(&self, place: usize, slot: usize) -> bool {
        self.weights.inventory.permits(Address::Buffer(place), slot)
    }

    /// A whole layer of a chart with diagonal items only, by ascending h3: what is outside of the items of i ≤ h3 is complete then. For
    /// neighbouring pairs (h1, i), everything is at neighbouring places.
    fn divide_layer(&self, j: usize, places: &mut [S]) {
        let (layout, cells, nodes) = (&self.chart.layout, &self.chart.cells[..], self.nodes());
        let (items, hooks) = places.split_at_mut(self.first_hook());
        let (mut around, mut both) = (self.firsts.borrow_mut(), self.outsides.borrow_mut());
        for h3 in 1..j - 1 {
            let count = triangle(h3);
            // s1 = h3 is removed and x stays.
            for x in h3 + 1..j {
                let (row, removal) =
                    (layout.pair_row(x, j) + triangle(x) - count, self.removal(1, [x, h3, 0]));
                around.clear();
                for (i, at) in blocks(h3) {
                    let weights = self.hooks[removal..removal + i].iter();
                    around.extend(
                        weights.zip(&items[row + at..]).map(|(weight, item)| item.times(weight.get())),
                    );
                }
                both.clear();
                both.resize(count, S::ZERO);
                for k in h3 + 1..=x {
                    let (first, second) = (layout.pair_row(h3, k), layout.diagonal_item(h3, k, x, j));
                    let (of_second, mut sum) = (cells[second], S::ZERO);
                    let firsts = items[first..first + count].iter_mut().zip(&cells[first..first + count]);
                    for ((of_first, &first), (&around, both)) in firsts.zip(around.iter().zip(&mut *both)) {
                        *of_first = of_first.plus(around.times(of_second));
                        sum = sum.plus(around.times(first));
                        *both = both.plus(first.times(of_second));
                    }
                    items[second].add(sum);
                }
                for (i, at) in blocks(h3) {
                    for h1 in 0..i {
                        hooks[removal + h1].add(items[row + at + h1].times(both[at + h1]));
                    }
                }
            }
            // s0 is removed and h3 stays.
            let row = layout.pair_row(h3, j);
            for k in h3 + 1..j {
                let (first, hook) = (layout.pair_row(h3, k), (k * nodes + h3) * nodes);
                for (i, at) in blocks(h3) {
                    for h1 in 0..i {
                        let outside = items[row + at + h1];
                        items[first + at + h1].add(outside.times(self.hooks[hook + h1].get()));
                        hooks[hook + h1].add(outside.times(cells[first + at + h1]));
                    }
                }
                for h2 in 0..h3 {
                    let outside = std::mem::replace(&mut hooks[hook + h2], S::ZERO);
                    for h5 in (k..j).filter(|_| outside != S::ZERO) {
                        let (second, removal) =
                            (layout.diagonal_item(h3, k, h5, j), self.removal(0, [h5, h3, h2]));
                        items[second].add(outside.times(self.hooks[removal].get()));
                        hooks[removal].add(outside.times(cells[second]));
                    }
                }
            }
        }
        for x in 1..j {
            let row = layout.pair_row(x, j);
            items[row..row + triangle(x)].fill(S::ZERO);
        }
    }
}

/// The pairs (h1, i) with i ≤ h3 in the order of the chart: i, and where its pairs begin.
#[inline(always)]
fn blocks(h3: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=h3).rev().map(move |i| (i, triangle(h3) - triangle(i)))
}
