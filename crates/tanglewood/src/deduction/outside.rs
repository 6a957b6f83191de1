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

use super::engine::SparseChart;
use super::rules::Reduction;
use crate::Marginals;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Additive;

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

    fn posteriors(&self) -> Result<Option<(Marginals, f64)>, OutOfMemory> {
        let Some([column, cell, item]) = self.goal().filter(|_| self.total() != S::ZERO) else {
            return Ok(None);
        };
        let mut arcs = Marginals::zero(self.columns.len() - 2)?;
        let mut posteriors = table(self.items(), 0.0)?;
        posteriors[self.columns[column][cell].offset + item] = 1.0;
        let mut entropy = 0.0;
        for (end, column) in self.columns.iter().enumerate().rev() {
            for (at, targets) in column.iter().enumerate().rev() {
                let _ = self.ways_into([end, at], None, |step, cells| {
                    let Some(target) = targets.find(step.conclusion) else {
                        return ControlFlow::Continue(());
                    };
                    let share = S::share(step.weight, targets.items[target].1);
                    let part = posteriors[targets.offset + target] * share;
                    if part > 0.0 {
                        entropy -= part * share.min(1.0).ln();
                        if let Some(Reduction { arc, .. }) = step.reduction {
                            arcs.add(arc, part);
                        }
                        for (&[end, at], premise) in cells.iter().zip(step.premises) {
                            posteriors[self.columns[end][at].offset + premise] += part;
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        Ok(Some((arcs, entropy)))
    }
}
