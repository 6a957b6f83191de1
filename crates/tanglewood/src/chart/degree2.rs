//! The chart for windows of three stack nodes.
//!
//! An item [h1, i, h2, h3, j] says that some computation takes (σ|h1, i|β) to (σ|h2|h3, j|β') without touching σ. Two items
//! [h1, i, h2, h3, k] and [h3, k, h4, h5, j] combine to the window h2|h4|h5, of which one node is removed (Cohen, Gómez-Rodríguez
//! and Satta 2011; Shi, Gómez-Rodríguez and Lee 2018): s0 = h5, s1 = h4, or s2 = h2. If s2 is never removed, h2 = h1 in every item: those are the
//! *diagonal* items, four indices.
//!
//! Everything an item needs has a smaller j, or the same j and a larger i. So a chart is filled by ascending j, and for each j from right to left:
//! with all items in [`deep`], with diagonal ones only in [`shallow`].
//!
//! The root is never removed; it is the bottom of the stack. Items of h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are
//! kept apart.

use super::lanes::PADDING;
use super::layout::Layout;
use super::simd::Instructions;
use super::weights::Weights;
use super::{deep, shallow};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// A filled chart.
pub struct Degree2<S> {
    pub(super) layout: Layout,
    /// The items, and [`PADDING`].
    pub(super) cells: Vec<S>,
    /// The prefix items [ε, 0, ε, 0, j], by j.
    pub(super) prefix: Vec<S>,
}

impl<S: Semiring> Degree2<S> {
    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.prefix.last().copied().unwrap_or(S::ZERO)
    }

    /// The weight of [h1, i, h1, h3, j].
    #[inline(always)]
    pub(super) fn diagonal(&self, h1: usize, i: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.diagonal_item(h1, i, h3, j)]
    }

    /// The weight of [h1, i, h2, h3, j] with h2 ≥ i.
    #[inline(always)]
    pub(super) fn off(&self, h1: usize, i: usize, h2: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.item(h1, i, h2, h3, j)]
    }

    /// Fills a chart.
    pub(super) fn fill(
        weights: &Weights<'_, S>,
        instructions: Instructions,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout::new(words, weights.inventory.deepest_dependent() == 2);
        let cells = table(layout.items + PADDING, S::ZERO)?;
        let mut chart = Degree2 { layout, cells, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        match chart.layout.off_diagonal {
            true => deep::fill(&mut chart, weights, instructions),
            false => shallow::fill(&mut chart, weights, instructions),
        }
        Ok(chart)
    }
}
