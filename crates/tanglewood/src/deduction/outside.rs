//! How probable each arc is, when derivations are drawn by their weights.
//!
//! The goal is in every derivation. An item's probability is divided among the rule applications that lead to
//! it, each by its share of the item's weight, and each application passes its part on to its premises, and
//! to its arc. Going through the cells in the opposite of the order in which they were filled, an item has
//! received everything before it is divided. Time is that of filling the chart, space a number per item.
//!
//! A derivation is drawn by drawing one rule application after the other, so the entropy is −Σ part ·
//! ln(share). Only weights of the same item are compared, which keeps its digits whatever the scores are.

use std::ops::ControlFlow;

use super::engine::{Application, SparseChart};
use super::rules::Reduction;
use crate::Marginals;
use crate::memory::{OutOfMemory, table};
use crate::scores::{Use, View};
use crate::semiring::Additive;
use crate::stop;
use crate::transition::stack_nodes_needed;

impl<S: Additive> SparseChart<'_, S> {
    /// For each arc, the share of derivations that have it, by weight; nothing if there is no derivation.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn marginals(&self) -> Result<Option<Marginals>, OutOfMemory> {
        Ok(self.posteriors()?.map(|(marginals, _)| marginals))
    }

    /// The entropy, in nats, of the distribution over derivations; 0 if there is none.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn entropy(&self) -> Result<f64, OutOfMemory> {
        Ok(self.posteriors()?.map_or(0.0, |(_, entropy)| entropy))
    }

    /// Reports how often a derivation uses each score, on average; nothing if there is no derivation.
    ///
    /// # Errors
    /// If memory does not suffice.
    pub fn count(&self, uses: &mut dyn FnMut(Use<'_>, f64)) -> Result<(), OutOfMemory> {
        let mut window = Vec::new();
        let found = self.divide(|step, cells, part, _| {
            let premise = |at: usize| {
                let cell = &self.columns[cells[at][0]][cells[at][1]];
                (cell.items[step.premises[at]].0, cell.start)
            };
            let (first, start) = premise(0);
            if cells.len() == 2 {
                let (second, middle) = premise(1);
                uses(Use::Shift { top: self.system.top(first, start), front: middle }, part);
                self.system.window(&mut window, [first, second], [start, middle]);
            } else {
                self.system.window_of_block(&mut window, first, start);
            }
            let Some(Reduction { head, dependent, arc, .. }) = step.reduction else { return };
            // A rule application leads to items of the column in which its last premise ends.
            let front = cells[cells.len() - 1][0];
            let is_deepest = self.system.frame.is_none() && window.len() == 3 && dependent == 2;
            if self.system.frame.is_some() {
                window.truncate(stack_nodes_needed(head, dependent));
            }
            let (stack, slot) = (&window[..], dependent);
            let what = match is_deepest {
                true => Use::Deepest { others: [stack[0], stack[1]], front },
                false => Use::Reduce { view: View { stack, front }, head: head.into(), slot },
            };
            uses(what, part);
            uses(Use::Arc { head: arc.0, dependent: arc.1 }, part);
        })?;
        if found {
            uses(Use::Shift { top: None, front: 0 }, 1.0);
        }
        Ok(())
    }

    fn posteriors(&self) -> Result<Option<(Marginals, f64)>, OutOfMemory> {
        let mut arcs = Marginals::zero(self.columns.len() - 2)?;
        let mut entropy = 0.0;
        let found = self.divide(|step, _, part, share| {
            entropy -= part * share.min(1.0).ln();
            if let Some(Reduction { arc, .. }) = step.reduction {
                arcs.add(arc, part);
            }
        })?;
        Ok(found.then_some((arcs, entropy)))
    }

    /// Calls `visit` with each rule application, the places of its premises' cells, its probability, and its
    /// share of the item it leads to. False if there is no derivation.
    fn divide(
        &self,
        mut visit: impl FnMut(&Application<S>, &[[usize; 2]], f64, f64),
    ) -> Result<bool, OutOfMemory> {
        let Some([column, cell, item]) = self.goal().filter(|_| self.total() != S::ZERO) else {
            return Ok(false);
        };
        let mut posteriors = table(self.items(), 0.0)?;
        posteriors[self.columns[column][cell].offset + item] = 1.0;
        for (end, column) in self.columns.iter().enumerate().rev() {
            for (at, targets) in column.iter().enumerate().rev() {
                if stop::is_asked() {
                    return Ok(true);
                }
                let _ = self.ways_into([end, at], None, |step, cells| {
                    let Some(target) = targets.find(step.conclusion) else {
                        return ControlFlow::Continue(());
                    };
                    let share = S::share(step.weight, targets.items[target].1);
                    let part = posteriors[targets.offset + target] * share;
                    if part > 0.0 {
                        visit(&step, cells, part, share);
                        for (&[end, at], premise) in cells.iter().zip(step.premises) {
                            posteriors[self.columns[end][at].offset + premise] += part;
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        Ok(true)
    }
}
