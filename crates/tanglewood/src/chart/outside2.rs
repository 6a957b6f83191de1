//! The outside pass of degree-2 charts in loops over places.
//!
//! Most of an outside pass is spent on items and hooks that are sums over pairs of a stored item and a hook. Here such sums are written
//! over places instead of names, which is some twenty times faster than [`Structure::candidates`](super::structure::Structure::candidates);
//! tests compare the two.

use super::items2::Item2::{self, Diagonal, HookE, HookF, HookFAhead, Row};
use super::items2::Items2;
use super::layout::{Layout, triangle};
use crate::semiring::Semiring;

impl<S: Semiring> Items2<'_, S> {
    /// Calls `visit` with the places of each pair that an item is the sum over: that of a stored item, and that of a hook among hooks.
    /// For diagonal items, without those where s1 is removed if there are no other items; for items with h2 ≥ i, for arc scores.
    #[inline(always)]
    fn pairs(&self, item: Item2, mut visit: impl FnMut(usize, usize)) {
        let layout = &self.chart.layout;
        match item {
            Diagonal(h1, i, x, j) => {
                for k in x + 1..j {
                    visit(layout.diagonal_item(h1, i, x, k), self.hook_e(h1, x, k, x));
                }
                for k in (i + 1..=x).filter(|_| layout.off_diagonal) {
                    for h3 in i..k {
                        visit(layout.diagonal_item(h1, i, h3, k), self.hook_e(h1, h3, k, x));
                    }
                }
            }
            Row(h1, i, h2, x, j) => {
                for k in x + 1..j {
                    visit(layout.item(h1, i, h2, x, k), self.hook_e(h2, x, k, x));
                }
                if x > h2 + 1 {
                    // All (k, h3) with h2 < h3 < k ≤ x, which are neighbours in both tables.
                    let (first, hook) =
                        (layout.item(h1, i, h2, h2 + 1, h2 + 2), self.hook_e(h2, h2 + 1, h2 + 2, x));
                    for at in 0..triangle(x - h2 - 1) {
                        visit(first + at * Layout::pairs(h2), hook + at);
                    }
                }
                let [by_s0, by_s1] = self.deepest_by_stack();
                let mut removed = |h3: usize, k: usize, second: usize| {
                    let hook = |head| self.hook_f([h1, i, h3, k], head, j);
                    if by_s1 {
                        visit(second, hook(h2));
                    }
                    if by_s0 {
                        visit(second, hook(x));
                    }
                    visit(second, hook(j));
                };
                for k in i + 1..=h2 {
                    (i..k).for_each(|h3| removed(h3, k, layout.item(h3, k, h2, x, j)));
                }
                (h2 + 1..=x).for_each(|k| removed(h2, k, layout.diagonal_item(h2, k, x, j)));
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
            HookF(first, (head, _), _) => {
                self.firsts(first, |item, h2| visit(item, self.removal_by(head, h2)))
            }
            HookFAhead(first, _) => self.firsts(first, |item, h2| visit(item, self.removal_ahead(h2))),
            _ => {}
        }
    }

    /// Calls `visit` with the place of each item [h1, i, h2, h3, k], and h2.
    #[inline(always)]
    fn firsts(&self, [h1, i, h3, k]: [usize; 4], mut visit: impl FnMut(usize, usize)) {
        visit(self.chart.layout.diagonal_item(h1, i, h3, k), h1);
        (i..h3).for_each(|h2| visit(self.chart.layout.item(h1, i, h2, h3, k), h2));
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
            Diagonal(_, i, _, j) => i + 1 < j,
            Row(..) => self.weights.arcs.is_some(),
            HookE(_, h3, _, x, _) => x == h3 || self.chart.layout.off_diagonal,
            HookF(..) | HookFAhead(..) => true,
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
        if let Diagonal(h1, i, x, j) = item
            && !self.chart.layout.off_diagonal
        {
            self.divide_removals_of_s1([h1, i, x, j], outside, places);
        }
        true
    }

    /// The part of a diagonal item where s1 = h3 is removed, if there are no other items: three factors.
    fn divide_removals_of_s1(&self, [h1, i, x, j]: [usize; 4], outside: S, places: &mut [S]) {
        let (layout, cells) = (&self.chart.layout, &self.chart.cells);
        for h3 in i..x {
            let removal = self.removal(1, [x, h3, h1]);
            let around = outside.times(self.hooks[removal].get());
            let mut both = S::ZERO;
            for k in h3 + 1..=x {
                let (first, second) = (layout.diagonal_item(h1, i, h3, k), layout.diagonal_item(h3, k, x, j));
                both.add(cells[first].times(cells[second]));
                places[first].add(around.times(cells[second]));
                places[second].add(around.times(cells[first]));
            }
            places[self.first_hook() + removal].add(outside.times(both));
        }
    }
}
