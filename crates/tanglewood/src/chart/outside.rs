//! The outside pass of charts of windows: the products of their [rows](super::rows) backwards.
//!
//! What is outside of a factor is what is outside of C, times the other factor. Hooks and removals, which
//! charts do not store, are summed up again before. From outside weights follow the weights of all
//! derivations with an arc.

use std::ops::{ControlFlow, Range};

use super::lanes::{LANES, triangle};
use super::removal::{ArcOutside, Removal};
use super::rows::{Product, Rows, Task, Visitor};
use super::simd::{self, Instructions, Kernel};
use super::structure::Step;
use crate::memory::{OutOfMemory, table};
use crate::scores::{OnUse, Use};
use crate::semiring::Semiring;
use crate::stop;

/// For each arc the weight of all derivations that have it, `[head][dependent]`, row by row; `uses` gets that
/// of all derivations with each use of a transition.
pub(super) fn arc_weights<S: Semiring, R: Rows<S>>(
    rows: &R,
    instructions: Instructions,
    uses: OnUse<'_, S>,
) -> Result<Vec<S>, OutOfMemory> {
    let mut pass = Pass::new(rows, instructions, uses)?;
    pass.run();
    pass.report_shifts();
    Ok(pass.arcs.finish(rows.weights()))
}

/// A [`Product`] by places, with `one` factor for all lanes unless `each` has its own.
#[derive(Clone, Copy)]
struct Placed<S> {
    lane: usize,
    lanes: usize,
    smallest: usize,
    one: usize,
    each: bool,
    many: usize,
    weight: S,
    in_context: bool,
}

impl<S> Placed<S> {
    /// Where each block of lanes begins, and the number of its lanes.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + use<S> {
        let (lanes, smallest) = (self.lanes, self.smallest);
        (smallest..lanes + 1).rev().map(move |size| (triangle(lanes) - triangle(size), size))
    }
}

/// Lists products by places.
struct List<'l, S, R> {
    rows: &'l R,
    products: &'l mut Vec<Placed<S>>,
}

impl<S: Semiring, R: Rows<S>> Visitor<R::Row, S> for List<'_, S, R> {
    #[inline(always)]
    fn see(&mut self, product: Product<R::Row, S>) -> ControlFlow<()> {
        let Product { lane, lanes, factors: [first, second], weight, smallest, in_context } = product;
        let a = self.rows.place(first.row).start + first.lane;
        let b = self.rows.place(second.row).start + second.lane;
        // Of two rows, the one that is stored comes first.
        let (one, many) = if second.step == 0 { (b, a) } else { (a, b) };
        let each = first.step * second.step == 1;
        self.products.push(Placed { lane, lanes, smallest, one, each, many, weight, in_context });
        ControlFlow::Continue(())
    }
}

/// An outside pass.
struct Pass<'r, 'u, S, R> {
    rows: &'r R,
    instructions: Instructions,
    /// The weights of hooks and removals, whose places come after those of stored items.
    hooks: Vec<S>,
    outside: Vec<S>,
    /// What is outside of the row at hand, or its weights, and its products.
    row: Vec<S>,
    products: Vec<Placed<S>>,
    arcs: ArcOutside<S>,
    /// Takes the weight of all derivations with each use of a transition, if anyone asks.
    uses: OnUse<'u, S>,
}

impl<'r, 'u, S: Semiring, R: Rows<S>> Pass<'r, 'u, S, R> {
    fn new(
        rows: &'r R,
        instructions: Instructions,
        uses: OnUse<'u, S>,
    ) -> Result<Pass<'r, 'u, S, R>, OutOfMemory> {
        let nodes = rows.weights().words() + 1;
        let mut outside = table(rows.places(), S::ZERO)?;
        outside[rows.place(rows.goal()).start] = S::ONE;
        let hooks = table(rows.places() - rows.cells().len(), S::ZERO)?;
        let (row, arcs) = (table(nodes * nodes, S::ZERO)?, ArcOutside::new(nodes)?);
        Ok(Pass { rows, instructions, hooks, outside, row, products: Vec::new(), arcs, uses })
    }

    fn run(&mut self) {
        let rows = self.rows;
        for layer in (2..=rows.weights().words() + 1).rev() {
            rows.backwards(layer, |task| match task {
                _ if stop::is_asked() => {}
                Task::Sum(row) => self.sum(row),
                Task::Divide(row) => self.divide(row, 0..usize::MAX),
                Task::DivideAt(row, middle) => self.divide(row, middle),
            });
            self.arcs.finish_layer(rows.weights(), layer);
        }
    }

    /// Lists the products of a row.
    fn list(&mut self, row: R::Row, middle: Range<usize>) {
        self.products.clear();
        let _ = self.rows.products(row, middle, &mut List { rows: self.rows, products: &mut self.products });
    }

    /// Computes the weights of a hook or a removal.
    fn sum(&mut self, row: R::Row) {
        let (place, first) = (self.rows.place(row), self.rows.cells().len());
        let place = place.start - first..place.end - first;
        if let Some(removal) = self.rows.removal(row) {
            for (lane, weight) in self.hooks[place].iter_mut().enumerate() {
                *weight = removal.weight(self.rows.weights(), lane);
            }
            return;
        }
        self.list(row, 0..usize::MAX);
        let row = &mut self.row[..place.len()];
        row.fill(S::ZERO);
        let table = Table { cells: self.rows.cells(), hooks: &self.hooks };
        simd::run(SumProducts { table, products: &self.products, row }, self.instructions);
        self.hooks[place.clone()].copy_from_slice(&self.row[..place.len()]);
    }

    /// Hands what is outside of a row to its factors.
    fn divide(&mut self, row: R::Row, middle: Range<usize>) {
        let (rows, place) = (self.rows, self.rows.place(row));
        let outside = &mut self.outside[place.clone()];
        if outside.iter().all(|&outside| outside == S::ZERO) {
            return;
        }
        self.row[..place.len()].copy_from_slice(outside);
        // Another hook may have the same place afterwards.
        if rows.is_hook(row) {
            outside.fill(S::ZERO);
        }
        if let Some(removal) = rows.removal(row) {
            return self.divide_removal(removal, place);
        }
        self.list(row, middle);
        self.report_context(row);
        let table = Table { cells: rows.cells(), hooks: &self.hooks };
        let (products, row, outside) = (&self.products[..], &self.row[..place.len()], &mut self.outside[..]);
        simd::run(DivideProducts { table, products, row, outside }, self.instructions);
    }

    /// Hands what is outside of removals to their arcs.
    fn divide_removal(&mut self, removal: Removal, place: Range<usize>) {
        let weights = self.rows.weights();
        let by_lanes = self.arcs.add_lanes(weights, removal, &self.row[..place.len()]);
        for lane in 0..if by_lanes { 1 } else { place.len() } {
            let outside = self.row[lane];
            let _ = removal.steps(weights, lane, |step| {
                if let (Some(uses), Step::Reduce { head, slot, weight, .. }) = (&mut self.uses, step) {
                    let _ = removal.in_view(lane, |view| {
                        uses(Use::Reduce { view, head: head.into(), slot }, outside.times(weight));
                        ControlFlow::Continue(())
                    });
                }
                self.arcs.add(step, outside);
                ControlFlow::Continue(())
            });
        }
    }

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
    fn report_context(&mut self, row: R::Row) {
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

/// Evaluates the expression for each lane, and its number in a block: blocks have a fixed size as far as
/// possible, since rows often are short.
macro_rules! in_blocks {
    ($lanes:expr, $lane:ident, $at:ident => $body:expr) => {{
        let (eights, fours) = ($lanes - $lanes % LANES, $lanes - $lanes % (LANES / 2));
        for block in (0..eights).step_by(LANES) {
            for $at in 0..LANES {
                let $lane = block + $at;
                $body
            }
        }
        if eights < fours {
            for $at in 0..LANES / 2 {
                let $lane = eights + $at;
                $body
            }
        }
        for $at in 0..$lanes - fours {
            let $lane = fours + $at;
            $body
        }
    }};
}

/// The weights at all places.
#[derive(Clone, Copy)]
struct Table<'t, S> {
    cells: &'t [S],
    hooks: &'t [S],
}

impl<'t, S: Semiring> Table<'t, S> {
    #[inline(always)]
    fn lanes(self, place: usize, lanes: usize) -> &'t [S] {
        match place.checked_sub(self.cells.len()) {
            None => &self.cells[place..][..lanes],
            Some(hook) => &self.hooks[hook..][..lanes],
        }
    }

    #[inline(always)]
    fn at(self, place: usize) -> S {
        self.lanes(place, 1)[0]
    }
}

/// Adds products up.
struct SumProducts<'p, S> {
    table: Table<'p, S>,
    products: &'p [Placed<S>],
    row: &'p mut [S],
}

impl<S: Semiring> Kernel for SumProducts<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        for product in self.products {
            let many = self.table.lanes(product.many, product.lanes);
            let row = &mut self.row[product.lane..][..product.lanes];
            if product.each {
                let each = self.table.lanes(product.one, product.lanes);
                in_blocks!(product.lanes, lane, _at => {
                    row[lane].add(product.weight.times(each[lane].times(many[lane])));
                });
                continue;
            }
            let one = product.weight.times(self.table.at(product.one));
            if one != S::ZERO {
                in_blocks!(product.lanes, lane, _at => row[lane].add(one.times(many[lane])));
            }
        }
    }
}

/// Hands what is outside of a row to the factors of its products.
struct DivideProducts<'p, S> {
    table: Table<'p, S>,
    products: &'p [Placed<S>],
    row: &'p [S],
    outside: &'p mut [S],
}

impl<S: Semiring> Kernel for DivideProducts<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let cells = self.table.cells.len();
        for product in self.products {
            let many = self.table.lanes(product.many, product.lanes);
            if product.each {
                let (items, hooks) = self.outside.split_at_mut(cells);
                let of_many = &mut hooks[product.many - cells..][..product.lanes];
                for (start, lanes) in product.blocks() {
                    let row = &self.row[product.lane + start..][..lanes];
                    let each = self.table.lanes(product.one + start, lanes);
                    let of_each = &mut items[product.one + start..][..lanes];
                    let (many, of_many) = (&many[..lanes], &mut of_many[..lanes]);
                    in_blocks!(lanes, lane, _at => {
                        let outside = row[lane].times(product.weight);
                        of_each[lane].add(outside.times(many[lane]));
                        of_many[lane].add(outside.times(each[lane]));
                    });
                }
                continue;
            }
            let row = &self.row[product.lane..][..product.lanes];
            let one = product.weight.times(self.table.at(product.one));
            // What is outside of nothing is in no derivation.
            if one == S::ZERO {
                continue;
            }
            let of_many = &mut self.outside[product.many..][..product.lanes];
            let mut sums = [S::ZERO; LANES];
            in_blocks!(product.lanes, lane, at => {
                sums[at] = sums[at].plus_product(row[lane], many[lane]);
                of_many[lane].add(row[lane].times(one));
            });
            let sum = sums.into_iter().fold(S::ZERO, S::plus);
            self.outside[product.one].add(product.weight.times(sum));
        }
    }
}
