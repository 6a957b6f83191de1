//! The engine: derives items column by column, in any semiring.
//!
//! Items belong to cells (i, j). Rules combine a *first* item of cell (i, k) with a *second* item of cell (k,
//! j) to items of cell (i, j); there may also be steps from one item to another of the same cell. So columns
//! j are computed from left to right, and the cells (i, j) of a column with descending i.
//!
//! Filling enumerates rule applications by [`SparseChart::pairs`] and [`SparseChart::inside`], posteriors and
//! derivations by [`SparseChart::ways_into`], which calls these. So the weight of a conclusion is computed in
//! one way, and floating-point weights can be recognised.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use super::items::{ItemSystem, Key, Nodes, Pair};
use super::rules::{Reduction, is_allowed};
use super::stacks::Repeatable;
use crate::scores::KeptScores;
use crate::semiring::Semiring;
use crate::stop;

/// All items that can be derived for a sentence, with their weights, for several questions about the same
/// scores.
///
/// ```
/// use tanglewood::System;
/// use tanglewood::deduction::Deduction;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::semiring::Log;
///
/// let scores = ArcScores::new(3);
/// let chart = Deduction::new(&System::named("mh5")?).fill::<Log>(&scores)?;
/// // All derivations weigh the same, so the entropy is the logarithm of their number.
/// let marginals = chart.marginals()?.expect("no arc is forbidden");
/// assert!((chart.entropy()? - chart.total().0).abs() < 1e-12);
/// assert!(chart.sample(&mut || 0.5).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// The weight of an item is that of its run without the first shift. What a shift scores depends on the node
// it covers, which need not be part of the item. So the shift is paid for where the item is used as a second
// premise.
pub struct SparseChart<'a, S> {
    pub(super) system: ItemSystem,
    scores: KeptScores<'a>,
    /// Entry j: the cells (i, j) that are not empty, by descending i.
    pub(super) columns: Vec<Vec<Cell<S>>>,
    /// Number of items.
    pub(super) size: usize,
}

/// The items with one i and one j.
pub(super) struct Cell<S> {
    /// i
    pub start: usize,
    /// Number of items in the cells before.
    pub offset: usize,
    /// Ordered by key.
    pub items: Vec<(Key, S)>,
}

/// A way to derive an item.
pub(super) struct Application<S> {
    pub conclusion: Key,
    /// The places of the premises in their cells; a step inside a cell has only one.
    pub premises: [usize; 2],
    pub weight: S,
    pub reduction: Option<Reduction>,
}

/// The number of items and steps that there still may be. Steps are pairs of premises, and conclusions from
/// them.
pub(super) struct Budget {
    pub items: usize,
    pub steps: u64,
    /// Whether they are over where the work of this thread is to stop.
    pub watched: bool,
}

impl<S> Cell<S> {
    /// Where in this cell an item is.
    pub fn find(&self, key: Key) -> Option<usize> {
        self.items.binary_search_by_key(&key, |&(key, _)| key).ok()
    }
}

/// Adds to the weight of an item in a cell that is not complete.
fn add<S: Semiring>(
    cell: &mut HashMap<Key, S, Repeatable>,
    step: Application<S>,
    items: &mut usize,
) -> ControlFlow<()> {
    match cell.entry(step.conclusion) {
        Entry::Occupied(mut known) => known.get_mut().add(step.weight),
        Entry::Vacant(_) if *items == 0 => return ControlFlow::Break(()),
        Entry::Vacant(new) => {
            *items -= 1;
            new.insert(step.weight);
        }
    }
    ControlFlow::Continue(())
}

/// In the order of keys.
fn sorted<S: Copy>(items: impl Iterator<Item = (Key, S)>) -> Vec<(Key, S)> {
    let mut items: Vec<(Key, S)> = items.collect();
    items.sort_unstable_by_key(|&(key, _)| key);
    items
}

/// The weight of a run and of the reduce after it, if there is one.
#[inline]
fn followed_by<S: Semiring>(weight: S, reduction: Option<Reduction>) -> S {
    reduction.map_or(weight, |reduction| weight.times(S::from_score(reduction.score)))
}

impl<'a, S: Semiring> SparseChart<'a, S> {
    /// Derives everything that can be derived; nothing if that is more than the budget allows.
    pub(super) fn within(system: ItemSystem, scores: KeptScores<'a>, mut budget: Budget) -> Option<Self> {
        let words = system.rules.words();
        let mut chart = SparseChart { system, scores, columns: vec![Vec::new()], size: 0 };
        for end in 1..=words + 1 {
            let column = chart.column(end, &mut budget)?;
            chart.size += column.iter().map(|cell| cell.items.len()).sum::<usize>();
            chart.columns.push(column);
        }
        Some(chart)
    }

    /// The column for j = `end`.
    ///
    /// The cell (k, j) is complete when the cells to its right have been used for second premises. It is then
    /// itself the cell of second premises for all cells (i, j) with i < k.
    fn column(&self, end: usize, budget: &mut Budget) -> Option<Vec<Cell<S>>> {
        let mut open: BTreeMap<usize, HashMap<Key, S, Repeatable>> = BTreeMap::new();
        let before = self.columns[end - 1].iter().flat_map(|cell| &cell.items).map(|&(key, _)| key);
        for conclusion in self.system.axioms(end - 1, before) {
            let axiom = Application { conclusion, premises: [0, 0], weight: S::ONE, reduction: None };
            add(open.entry(end - 1).or_default(), axiom, &mut budget.items).continue_value()?;
        }
        let (mut column, mut offset, mut nodes) = (Vec::new(), self.size, Nodes::default());
        while let Some((start, mut found)) = open.pop_last() {
            for left in self.system.inside_order().rev() {
                let items =
                    found.iter().filter(|(key, _)| key.left == left).map(|(&key, &weight)| (key, weight));
                let premises = Cell { start, offset, items: sorted(items) };
                let conclude = |step| add(&mut found, step, &mut budget.items);
                self.inside(&mut nodes, end, &premises, None, conclude).continue_value()?;
            }
            if found.is_empty() {
                continue;
            }
            let seconds = Cell { start, offset, items: sorted(found.into_iter()) };
            offset += seconds.items.len();
            for firsts in &self.columns[start] {
                if budget.watched && stop::is_asked() {
                    return None;
                }
                let cell = open.entry(firsts.start).or_default();
                let conclude = |step| add(cell, step, &mut budget.items);
                let pairs =
                    self.pairs(&mut nodes, end, [firsts, &seconds], None, &mut budget.steps, conclude);
                pairs.continue_value()?;
            }
            column.push(seconds);
        }
        Some(column)
    }

    /// Visits all rule applications to a first premise in `firsts` and a second one in `seconds`, a cell that
    /// ends at `end`; if a conclusion is given, at least those that lead to it. Stops early where `visit`
    /// says so, or when there have been `steps` steps.
    fn pairs(
        &self,
        nodes: &mut Nodes,
        end: usize,
        [firsts, seconds]: [&Cell<S>; 2],
        conclusion: Option<Key>,
        steps: &mut u64,
        mut visit: impl FnMut(Application<S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (start, middle) = (firsts.start, seconds.start);
        for at_first in self.system.firsts(&firsts.items, conclusion) {
            let (first, weight) = firsts.items[at_first];
            let fitting = self.system.seconds(first, &seconds.items);
            if fitting.is_empty() {
                continue;
            }
            let shift = self.scores.shift(self.system.top(first, start), middle);
            if !is_allowed(shift) {
                continue;
            }
            let shifted = weight.times(S::from_score(shift));
            for at_second in fitting {
                let (second, weight) = seconds.items[at_second];
                let both = shifted.times(weight);
                let mut conclusions = 0;
                let pair = Pair { first, second, start, middle, end };
                self.system.combine(nodes, pair, &*self.scores, |conclusion, reduction| {
                    conclusions += 1;
                    let weight = followed_by(both, reduction);
                    visit(Application { conclusion, premises: [at_first, at_second], weight, reduction })
                })?;
                let Some(left) = steps.checked_sub(1 + conclusions) else { return ControlFlow::Break(()) };
                *steps = left;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits all steps inside a cell that ends at `end`; if a conclusion is given, at least those that lead
    /// to it.
    fn inside(
        &self,
        nodes: &mut Nodes,
        end: usize,
        cell: &Cell<S>,
        conclusion: Option<Key>,
        mut visit: impl FnMut(Application<S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for at in self.system.inside_premises(&cell.items, conclusion) {
            let (premise, of_premise) = cell.items[at];
            self.system.inside(
                nodes,
                premise,
                [cell.start, end],
                &*self.scores,
                |conclusion, reduction| {
                    let weight = followed_by(of_premise, reduction);
                    visit(Application { conclusion, premises: [at, at], weight, reduction })
                },
            )?;
        }
        ControlFlow::Continue(())
    }

    /// Visits all rule applications that lead to items of the cell at a place, with the places of their
    /// premises' cells; if a conclusion is given, at least those that lead to it. Steps inside the cell come
    /// first, from those with few nodes to those with many, then pairs with ever longer second premises.
    pub(super) fn ways_into(
        &self,
        [end, at]: [usize; 2],
        conclusion: Option<Key>,
        mut visit: impl FnMut(Application<S>, &[[usize; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut nodes, mut unlimited, cell) = (Nodes::default(), u64::MAX, &self.columns[end][at]);
        self.inside(&mut nodes, end, cell, conclusion, |step| visit(step, &[[end, at]]))?;
        for (second, seconds) in self.columns[end][..at].iter().enumerate() {
            let Some(first) = self.cell(cell.start, seconds.start) else { continue };
            let cells = [[seconds.start, first], [end, second]];
            let pair = [&self.columns[seconds.start][first], seconds];
            self.pairs(&mut nodes, end, pair, conclusion, &mut unlimited, |step| visit(step, &cells))?;
        }
        ControlFlow::Continue(())
    }

    /// Where the goal is, if it was derived: column, cell, item.
    pub(super) fn goal(&self) -> Option<[usize; 3]> {
        let end = self.columns.len() - 1;
        let cell = self.cell(0, end).filter(|_| self.system.rules.can_finish())?;
        Some([end, cell, self.columns[end][cell].find(self.system.goal())?])
    }

    /// Which cell of its column has this i.
    pub(super) fn cell(&self, start: usize, end: usize) -> Option<usize> {
        self.columns[end].binary_search_by(|cell| start.cmp(&cell.start)).ok()
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.size
    }

    /// The sum of the weights of all derivations.
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
