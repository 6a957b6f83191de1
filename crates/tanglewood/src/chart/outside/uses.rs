//! How much each use of a transition weighs, for scores that see the window.

use super::{Pass, Table};
use crate::chart::rows::Rows;
use crate::chart::simd::Instructions;
use crate::memory::OutOfMemory;
use crate::scores::Use;
use crate::semiring::Semiring;

/// For each arc the weight of all derivations that have it; `uses` gets that of all derivations with each use
/// of a transition. For scores other than arc scores.
///
/// # Errors
/// If memory does not suffice.
pub(in crate::chart) fn transition_weights<S: Semiring, R: Rows<S>>(
    rows: &R,
    instructions: Instructions,
    uses: &mut dyn FnMut(Use<'_>, S),
) -> Result<Vec<S>, OutOfMemory> {
    uses(Use::Shift { top: None, front: 0 }, rows.cells()[rows.place(rows.goal()).start]);
    let mut pass = Pass::new(rows, instructions, Some(uses))?;
    pass.run();
    pass.report_shifts();
    Ok(pass.arcs.finish(rows.weights()))
}

impl<S: Semiring, R: Rows<S>> Pass<'_, '_, S, R> {
    /// Reports shifts. What is outside of stored items is complete.
    fn report_shifts(&mut self) {
        let (rows, Some(uses)) = (self.rows, &mut self.uses) else { return };
        for front in 1..=rows.weights().words() {
            let Some(place) = rows.shifts(front).map(|row| rows.place(row)) else { continue };
            let weights = self.outside[place.clone()].iter().zip(&rows.cells()[place]);
            for (top, (outside, &weight)) in weights.enumerate() {
                uses(Use::Shift { top: Some(top), front }, outside.times(weight));
            }
        }
    }

    /// Reports the context of the listed products of a row, given what is outside of its lanes.
    pub(super) fn report_context(&mut self, row: R::Row) {
        let (Some(uses), Some((others, front))) = (&mut self.uses, self.rows.context(row)) else { return };
        let table = Table { cells: self.rows.cells(), hooks: &self.hooks };
        let mut sum = S::ZERO;
        for product in self.products.iter().filter(|product| product.in_context) {
            let one = product.weight.times(table.at(product.one));
            let lanes = table.lanes(product.many, product.lanes).iter().zip(&self.row[product.lane..]);
            lanes.for_each(|(&many, &outside)| sum.add(one.times(many).times(outside)));
        }
        uses(Use::Deepest { others, front }, sum);
    }
}
