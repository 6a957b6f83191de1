//! The items that can be derived, and their weights.

use std::collections::{BTreeMap, HashMap};

use super::rules::{Reduction, Rules, is_allowed};
use super::stacks::{Repeatable, Stack, Stacks};
use crate::scores::TransitionScores;
use crate::semiring::Semiring;

/// The nodes of an item: h₁…h_{D−1} and g₁…g_D. Its i and j are those of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub left: Stack,
    pub right: Stack,
}

/// The items with one i and one j.
pub(super) struct Cell<S> {
    /// i
    pub start: usize,
    /// Ordered, so that items with equal left nodes are neighbours.
    pub items: Vec<(Key, S)>,
}

/// The cells with one j that are not empty, by descending i.
pub(super) type Column<S> = Vec<Cell<S>>;

/// All items that can be derived for a sentence.
///
/// The weight of an item is that of its run **without the first shift**. What a shift scores depends on the node it covers; for
/// D = 1 that node is not part of the item. So the shift is paid for where the item is used, by [`Chart::extended`].
pub(super) struct Chart<'a, S, T: ?Sized> {
    pub rules: Rules,
    pub scores: &'a T,
    pub stacks: Stacks,
    /// Entry j.
    pub columns: Vec<Column<S>>,
}

/// A deduction outgrew its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the deduction for {words} words has more than {limit} items; forbid arcs, raise the limit, or use a smaller inventory"
)]
pub struct TooManyItems {
    /// Length of the sentence.
    pub words: usize,
    /// How many items would have been fine.
    pub limit: usize,
}

impl<S> Cell<S> {
    /// Where in this cell the items with these left nodes are.
    pub fn with_left(&self, left: Stack) -> std::ops::Range<usize> {
        let from = self.items.partition_point(|(key, _)| key.left < left);
        from..from + self.items[from..].partition_point(|(key, _)| key.left == left)
    }

    /// Where in this cell an item is.
    pub fn find(&self, key: Key) -> Option<usize> {
        self.items.binary_search_by_key(&key, |&(key, _)| key).ok()
    }
}

impl<'a, S: Semiring, T: TransitionScores + ?Sized> Chart<'a, S, T> {
    /// Derives everything that can be derived.
    ///
    /// # Errors
    /// If that is more than `limit` items.
    pub fn fill(rules: Rules, scores: &'a T, limit: usize) -> Result<Chart<'a, S, T>, TooManyItems> {
        let (words, stacks) = (rules.words(), Stacks::new(rules.degree()));
        let mut chart = Chart { rules, scores, stacks, columns: vec![Column::new()] };
        let mut items = 0;
        for end in 1..=words + 1 {
            let column = chart.column(end, limit.saturating_sub(items));
            chart.columns.push(column.ok_or(TooManyItems { words, limit })?);
            items += chart.columns[end].iter().map(|cell| cell.items.len()).sum::<usize>();
        }
        Ok(chart)
    }

    /// The column for j = `end`, if it has no more than `limit` items.
    ///
    /// The cell (k, j) is complete when the cells to its right have been used as second premises. It is then the second premise
    /// of what goes into the cells (i, j) for all i < k.
    fn column(&mut self, end: usize, limit: usize) -> Option<Column<S>> {
        let mut open = BTreeMap::from([(end - 1, self.shifts(end - 1))]);
        let mut size = open[&(end - 1)].len();
        let mut column = Column::new();
        let mut window = Vec::new();
        while let Some((middle, complete)) = open.pop_last() {
            if complete.is_empty() {
                continue;
            }
            let mut items: Vec<(Key, S)> = complete.into_iter().collect();
            items.sort_unstable_by_key(|&(key, _)| key);
            let seconds = Cell { start: middle, items };
            for firsts in &self.columns[middle] {
                let target: &mut HashMap<Key, S, Repeatable> = open.entry(firsts.start).or_default();
                size -= target.len();
                for &(first, weight) in &firsts.items {
                    let Some(extended) = self.extended(first, weight, middle) else { continue };
                    for &(second, weight) in &seconds.items[seconds.with_left(self.stacks.top(first.right))] {
                        self.stacks.write_window(first.right, second.right, &mut window);
                        for reduction in self.rules.reductions(&window, end, self.scores) {
                            let right = self.stacks.number(&without(&window, reduction));
                            let sum = target.entry(Key { left: first.left, right }).or_insert(S::ZERO);
                            *sum = sum.plus(joined(extended, weight, reduction));
                        }
                    }
                    if size + target.len() > limit {
                        return None;
                    }
                }
                size += target.len();
            }
            column.push(seconds);
        }
        (size <= limit).then_some(column)
    }

    /// sh: the items \[h₁…h_{D−1}, j, h₁…h_{D−1} j, j+1\], for the stack tops that items can end with at j.
    fn shifts(&mut self, position: usize) -> HashMap<Key, S, Repeatable> {
        let ends = self.columns[position].iter().flat_map(|cell| &cell.items);
        let mut tops: Vec<Stack> = ends.map(|&(key, _)| self.stacks.top(key.right)).collect();
        if position == 0 {
            tops.push(Stacks::EMPTY);
        }
        tops.sort_unstable();
        tops.dedup();
        let shifted = tops.into_iter().map(|left| {
            let nodes: Vec<usize> = [position].into_iter().chain(self.stacks.nodes(left).to_vec()).collect();
            (Key { left, right: self.stacks.number(&nodes) }, S::ONE)
        });
        shifted.collect()
    }

    /// The weight of an item's run, and of the shift of `middle` after it; nothing if that shift is forbidden.
    pub fn extended(&self, item: Key, weight: S, middle: usize) -> Option<S> {
        let top = self.stacks.nodes(item.right).first().copied();
        let score = self.scores.shift(top, middle);
        is_allowed(score).then(|| weight.times(S::from_score(score)))
    }

    /// Where the goal is, if it was derived: column, cell, item.
    pub fn goal(&self) -> Option<[usize; 3]> {
        let end = self.rules.words() + 1;
        if !self.rules.can_finish() {
            return None;
        }
        let goal = Key { left: Stacks::EMPTY, right: self.stacks.find(&[0])? };
        let cell = self.cell(0, end)?;
        Some([end, cell, self.columns[end][cell].find(goal)?])
    }

    /// Which cell of its column has this i.
    pub fn cell(&self, start: usize, end: usize) -> Option<usize> {
        self.columns[end].binary_search_by(|cell| start.cmp(&cell.start)).ok()
    }

    /// The weight of all complete runs together.
    pub fn total(&self) -> S {
        let first_shift = self.scores.shift(None, 0);
        match self.goal() {
            Some([column, cell, item]) if is_allowed(first_shift) => {
                S::from_score(first_shift).times(self.columns[column][cell].items[item].1)
            }
            _ => S::ZERO,
        }
    }
}

/// The weight of a conclusion from those of its premises. Every pass over the chart computes it in this order, so that
/// floating-point results can be recognised.
#[inline]
pub(super) fn joined<S: Semiring>(extended_first: S, second: S, reduction: Reduction) -> S {
    extended_first.times(second).times(S::from_score(reduction.score))
}

/// What a reduce leaves of a window.
#[inline]
pub(super) fn without(window: &[usize], reduction: Reduction) -> Vec<usize> {
    let mut rest = window.to_vec();
    rest.remove(reduction.dependent);
    rest
}
