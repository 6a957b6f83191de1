//! The items that can be derived, and their weights.

use std::collections::{BTreeMap, HashMap};

use super::inner::Inner;
use crate::deduction::TooManyItems;
use crate::deduction::rules::{Reduction, Rules, is_allowed};
use crate::deduction::stacks::Repeatable;
use crate::scores::TransitionScores;
use crate::semiring::Semiring;
use crate::transition::stack_nodes_needed;

/// The block and the chain with the same nodes. Its ends are those of its cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<S> {
    pub inner: Inner,
    pub weights: Weights<S>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Weights<S> {
    pub block: S,
    pub chain: S,
}

/// The items with the same ends.
pub(super) struct Cell<S> {
    /// The left end.
    pub start: usize,
    /// Ordered by their nodes, those with few nodes first.
    pub items: Vec<Item<S>>,
}

/// The cells with one right end that are not empty, by descending left end.
pub(super) type Column<S> = Vec<Cell<S>>;

/// A cell that is not complete; its chains are those of several blocks only.
type Open<S> = HashMap<Inner, Weights<S>, Repeatable>;

/// All items that can be derived for a sentence. An item's weight is that of its run, **without the shift of its left end**: what that
/// scores depends on the node below, which is not part of the item.
pub(super) struct Chart<'a, S, T: ?Sized> {
    pub rules: Rules,
    /// K
    frame: usize,
    pub scores: &'a T,
    /// Entry j: the items with right end j.
    pub columns: Vec<Column<S>>,
}

impl<S: Semiring> Weights<S> {
    const ZERO: Weights<S> = Weights { block: S::ZERO, chain: S::ZERO };
}

impl<S: Semiring> Cell<S> {
    /// Where in this cell an item is.
    pub fn find(&self, inner: Inner) -> Option<usize> {
        self.items.binary_search_by_key(&inner, |item| item.inner).ok()
    }

    /// How many items have up to so many inner nodes; they are the first ones.
    pub fn with_up_to(&self, nodes: usize) -> usize {
        self.items.partition_point(|item| item.inner.len() <= nodes)
    }
}

impl<'a, S: Semiring, T: TransitionScores + ?Sized> Chart<'a, S, T> {
    /// Derives everything that can be derived in frames of so many nodes.
    ///
    /// # Errors
    /// If that is more than `limit` items.
    pub fn fill(
        rules: Rules,
        frame: usize,
        scores: &'a T,
        limit: usize,
    ) -> Result<Chart<'a, S, T>, TooManyItems> {
        let words = rules.words();
        let mut chart = Chart { rules, frame, scores, columns: vec![Column::new()] };
        let mut items = 0;
        for end in 1..=words + 1 {
            let column = chart.column(end, limit.saturating_sub(items));
            chart.columns.push(column.ok_or(TooManyItems { words, limit })?);
            items += chart.columns[end].iter().map(|cell| cell.items.len()).sum::<usize>();
        }
        Ok(chart)
    }

    /// The items with right end `end`, if there are no more than `limit`.
    ///
    /// The cell (v, end) is complete when the cells to its right have been used as second premises. It then is the second premise of what
    /// goes into the cells (i, end) for all i < v.
    fn column(&self, end: usize, limit: usize) -> Option<Column<S>> {
        let axiom = Weights { block: S::ONE, chain: S::ZERO };
        let mut open: BTreeMap<usize, Open<S>> =
            BTreeMap::from([(end - 1, Open::from_iter([(Inner::NONE, axiom)]))]);
        let (mut column, mut size) = (Column::new(), 0);
        let mut window = Vec::new();
        while let Some((middle, found)) = open.pop_last() {
            if found.is_empty() {
                continue;
            }
            let seconds = self.complete(middle, end, found);
            size += seconds.items.len();
            for firsts in &self.columns[middle] {
                let target = open.entry(firsts.start).or_default();
                for first in &firsts.items {
                    let Some(shifted) = self.shifted(firsts.start, first, middle) else { continue };
                    for second in &seconds.items[..self.fitting(first, &seconds)] {
                        let frame = shifted.times(second.weights.chain);
                        let above = write_window([first, second], [firsts.start, middle], &mut window);
                        for link in self.links(&window, end, above) {
                            let block = Inner::without(&window[..window.len() - 1], link.dependent);
                            target.entry(block).or_insert(Weights::ZERO).block.add(linked(frame, link));
                        }
                        if let Some(chain) = self.chain(&window) {
                            target.entry(chain).or_insert(Weights::ZERO).chain.add(frame);
                        }
                    }
                    if size + target.len() > limit {
                        return None;
                    }
                }
            }
            column.push(seconds);
        }
        (size <= limit).then_some(column)
    }

    /// Links in frames of a single block, those with many nodes first; and every block is a chain.
    fn complete(&self, start: usize, end: usize, mut found: Open<S>) -> Cell<S> {
        let mut window = Vec::new();
        for nodes in (1..self.frame - 2).rev() {
            let with_so_many =
                found.iter().filter(|(inner, weights)| inner.len() == nodes && weights.block != S::ZERO);
            let mut blocks: Vec<(Inner, S)> =
                with_so_many.map(|(&inner, weights)| (inner, weights.block)).collect();
            blocks.sort_unstable_by_key(|&(inner, _)| inner);
            for (inner, weight) in blocks {
                write_block(inner, start, &mut window);
                for link in self.links(&window, end, 0) {
                    let block = Inner::without(&window[..nodes], link.dependent);
                    found.entry(block).or_insert(Weights::ZERO).block.add(linked(weight, link));
                }
            }
        }
        let whole = |Weights { block, chain }: Weights<S>| Weights { block, chain: chain.plus(block) };
        let items = found.into_iter().map(|(inner, weights)| Item { inner, weights: whole(weights) });
        let mut cell = Cell { start, items: items.collect() };
        cell.items.sort_unstable_by_key(|item| item.inner);
        cell
    }

    /// The links that can be made in a frame with the stack nodes of `window` (the top first) and front `end`, and in no smaller one. `above` of the
    /// nodes belong to what follows the first block.
    pub fn links<'w>(
        &'w self,
        window: &'w [usize],
        end: usize,
        above: usize,
    ) -> impl Iterator<Item = Reduction> + 'w {
        let smallest = move |head, dependent| stack_nodes_needed(head, dependent) > above;
        self.rules.reductions_if(window, end, smallest, self.scores)
    }

    /// The chain with these stack nodes, the top first, if it is an item: the largest frames are not.
    pub fn chain(&self, window: &[usize]) -> Option<Inner> {
        (window.len() + 1 < self.frame).then(|| Inner::collect(window[..window.len() - 1].iter().copied()))
    }

    /// How many of the chains that can follow a block have so few nodes that the two are a frame.
    pub fn fitting(&self, block: &Item<S>, chains: &Cell<S>) -> usize {
        (self.frame - 3).checked_sub(block.inner.len()).map_or(0, |nodes| chains.with_up_to(nodes))
    }

    /// The weight of a block's run, and of the shift of `middle` after it; nothing if there is none, or the shift is forbidden.
    pub fn shifted(&self, start: usize, block: &Item<S>, middle: usize) -> Option<S> {
        if block.weights.block == S::ZERO {
            return None;
        }
        let top = block.inner.nodes().next().unwrap_or(start);
        let score = self.scores.shift(Some(top), middle);
        is_allowed(score).then(|| block.weights.block.times(S::from_score(score)))
    }

    /// Where the goal is, if it was derived: column, cell, item.
    pub fn goal(&self) -> Option<[usize; 3]> {
        let end = self.rules.words() + 1;
        let cell = self.cell(0, end).filter(|_| self.rules.can_finish())?;
        Some([end, cell, self.columns[end][cell].find(Inner::NONE)?])
    }

    /// Which cell of its column has this left end.
    pub fn cell(&self, start: usize, end: usize) -> Option<usize> {
        self.columns[end].binary_search_by(|cell| start.cmp(&cell.start)).ok()
    }

    /// The weight of all complete runs together.
    pub fn total(&self) -> S {
        let first_shift = self.scores.shift(None, 0);
        match self.goal() {
            Some([column, cell, item]) if is_allowed(first_shift) => {
                S::from_score(first_shift).times(self.columns[column][cell].items[item].weights.block)
            }
            _ => S::ZERO,
        }
    }
}

/// The weight of a block from that of the frame it is linked in. Every pass over the chart computes it in this way, so that floating-point results can be recognised.
#[inline]
pub(super) fn linked<S: Semiring>(frame: S, link: Reduction) -> S {
    frame.times(S::from_score(link.score))
}

/// Writes down the stack nodes of a frame that is a single block, the top first.
#[inline]
pub(super) fn write_block(inner: Inner, start: usize, window: &mut Vec<usize>) {
    window.clear();
    window.extend(inner.nodes());
    window.push(start);
}

/// Writes down the stack nodes of a frame, the top first; they come from a block and the chain after it, which have these left ends. Returns how many are
/// the chain's.
#[inline]
pub(super) fn write_window<S>(
    [block, chain]: [&Item<S>; 2],
    [start, middle]: [usize; 2],
    window: &mut Vec<usize>,
) -> usize {
    write_block(chain.inner, middle, window);
    let above = window.len();
    window.extend(block.inner.nodes());
    window.push(start);
    above
}
