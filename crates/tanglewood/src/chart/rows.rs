//! Charts of windows as rows of neighbouring items, and their recurrence as sums of products of rows.
//!
//! Items that differ in their left end only stand side by side and are derived alike; so do hooks, and the
//! weights of removals. The recurrence of a whole row, its *lanes*, is a sum of products
//!
//! > C\[lane\] ⊕= A ⊗ B\[lane\], or A\[lane\] ⊗ B\[lane\].
//!
//! [`Rows::products`] says which. Candidates of single items follow from that, for
//! [derivations](super::structure::derivation), and the [outside pass](super::outside).

use std::ops::{ControlFlow, Range};

use super::removal::Removal;
use super::structure::{Candidate, Step, Structure};
use super::weights::Weights;
use crate::semiring::Semiring;

/// A factor of a product: an item of a row. `step` is 1 if the lanes after it are the factors of the lanes
/// after the product's first one, and 0 if it is the same factor for all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor<R> {
    pub row: R,
    pub lane: usize,
    pub step: usize,
}

/// One of the products that neighbouring lanes of a row are sums over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product<R, S> {
    /// The first of these lanes, and their number.
    pub lane: usize,
    pub lanes: usize,
    /// In the order of the run; at most one of them has step 0.
    pub factors: [Factor<R>; 2],
    /// A third factor, which is no item.
    pub weight: S,
    /// There are further blocks of lanes, each shorter by one, down to this number. Those of the product and
    /// of its first factor stand one behind the other, the second factor begins anew with each.
    pub smallest: usize,
    /// Whether the third factor is the context in which the deepest node of a window is removed.
    pub in_context: bool,
}

impl<R: Copy, S: Semiring> Product<R, S> {
    /// The product of the first lanes of a row and one item of another, which comes later in the run, for
    /// `lanes` lanes from `lane` on.
    #[inline(always)]
    pub fn scaled(lane: usize, lanes: usize, many: R, one: (R, usize)) -> Product<R, S> {
        let factors = [Factor { row: many, lane: 0, step: 1 }, Factor { row: one.0, lane: one.1, step: 0 }];
        Product { lane, lanes, factors, weight: S::ONE, smallest: lanes, in_context: false }
    }

    /// The product of the lanes of two rows from `from` on, of which the first is stored and the second is
    /// not.
    #[inline(always)]
    pub fn each(lane: usize, lanes: usize, rows: [R; 2], from: usize) -> Product<R, S> {
        let [first, second] = rows;
        let factors =
            [Factor { row: first, lane: from, step: 1 }, Factor { row: second, lane: from, step: 1 }];
        Product { lane, lanes, factors, weight: S::ONE, smallest: lanes, in_context: false }
    }

    /// The same for a triangle of lanes.
    #[inline(always)]
    pub fn triangle(lane: usize, lanes: usize, rows: [R; 2]) -> Product<R, S> {
        Product { smallest: 1, ..Product::each(lane, lanes, rows, 0) }
    }

    /// The same, with the factors in the opposite order in the run.
    #[inline(always)]
    pub fn swapped(mut self) -> Product<R, S> {
        self.factors.swap(0, 1);
        self
    }

    /// The same, with the context in which the deepest node of a window is removed as a third factor.
    #[inline(always)]
    pub fn with(self, context: S) -> Product<R, S> {
        Product { weight: context, in_context: true, ..self }
    }
}

/// Sees the products of a row. Not a closure, since it has to be inlined for speed.
pub(super) trait Visitor<R, S> {
    fn see(&mut self, product: Product<R, S>) -> ControlFlow<()>;
}

/// What an outside pass does with a row.
#[derive(Clone, Debug)]
pub(super) enum Task<R> {
    /// Computes its weights: it is a hook or a removal, and what it is made of is there.
    Sum(R),
    /// Hands what is outside of it to its factors.
    Divide(R),
    /// The same for products whose premises meet in this range.
    DivideAt(R, Range<usize>),
}

/// A filled chart as rows.
pub(super) trait Rows<S: Semiring> {
    /// What names a row.
    type Row: Copy;

    fn weights(&self) -> &Weights<'_, S>;

    /// The row whose first lane is the item of all complete derivations.
    fn goal(&self) -> Self::Row;

    /// The weights of stored items, which have the first places.
    fn cells(&self) -> &[S];

    /// Number of places of items, hooks and removals. Hooks that are not needed at the same time may share
    /// places.
    fn places(&self) -> usize;

    /// The places of the lanes of a row.
    fn place(&self, row: Self::Row) -> Range<usize>;

    /// Whether the lanes of a row are hooks or removals, which charts do not store.
    fn is_hook(&self, row: Self::Row) -> bool;

    /// Shows each product that a row is the sum over, in a fixed order, as far as the premises of its items
    /// meet in the range `middle`. Hooks do not depend on that.
    fn products(
        &self,
        row: Self::Row,
        middle: Range<usize>,
        visitor: &mut impl Visitor<Self::Row, S>,
    ) -> ControlFlow<()>;

    /// Where the premises of an item can meet.
    fn middle(&self, _row: Self::Row, _lane: usize) -> Range<usize> {
        0..usize::MAX
    }

    /// The weight of the shift that an item is, if it is one.
    fn shift(&self, row: Self::Row, lane: usize) -> Option<S>;

    /// The row of shifts of a node, by the top of the stack.
    fn shifts(&self, _front: usize) -> Option<Self::Row> {
        None
    }

    /// The stack nodes s0, s1 and the front that the context of a row's products is that of.
    fn context(&self, _row: Self::Row) -> Option<([usize; 2], usize)> {
        None
    }

    /// The removals that a row is, if it is one of these.
    fn removal(&self, row: Self::Row) -> Option<Removal>;

    /// Calls `visit` with the tasks of an outside pass in a layer, in order.
    fn backwards(&self, layer: usize, visit: impl FnMut(Task<Self::Row>));
}

/// A row and a lane of it as an item of a [`Structure`].
pub(super) struct Items<'r, R>(pub &'r R);

impl<S: Semiring, R: Rows<S>> Structure<S> for Items<'_, R> {
    type Item = (R::Row, usize);

    fn goal(&self) -> Self::Item {
        (self.0.goal(), 0)
    }

    #[inline(always)]
    fn is_hook(&self, (row, _): Self::Item) -> bool {
        self.0.is_hook(row)
    }

    #[inline(always)]
    fn weight(&self, (row, lane): Self::Item) -> S {
        if let Some(removal) = self.0.removal(row) {
            removal.weight(self.0.weights(), lane)
        } else if self.0.is_hook(row) {
            self.hook(row, lane)
        } else {
            self.0.cells()[self.0.place(row).start + lane]
        }
    }

    #[inline(always)]
    fn candidates(
        &self,
        (row, lane): Self::Item,
        mut visit: impl FnMut(Candidate<Self::Item, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(removal) = self.0.removal(row) {
            return removal.steps(self.0.weights(), lane, |step| visit(Candidate::axiom(step)));
        }
        if let Some(weight) = self.0.shift(row, lane) {
            return visit(Candidate::axiom(Step::Shift(weight)));
        }
        let middle = self.0.middle(row, lane);
        self.0.products(row, middle, &mut CandidatesOfLane { items: self, lane, visit })
    }
}

impl<R> Items<'_, R> {
    /// The weight of a hook.
    #[inline(never)]
    fn hook<S: Semiring>(&self, row: R::Row, lane: usize) -> S
    where
        R: Rows<S>,
    {
        self.sum((row, lane))
    }
}

/// Calls `visit` with the candidates of a lane.
struct CandidatesOfLane<'i, 'r, R, V> {
    items: &'i Items<'r, R>,
    lane: usize,
    visit: V,
}

impl<S: Semiring, R: Rows<S>, V> Visitor<R::Row, S> for CandidatesOfLane<'_, '_, R, V>
where
    V: FnMut(Candidate<(R::Row, usize), S>) -> ControlFlow<()>,
{
    #[inline(always)]
    fn see(&mut self, product: Product<R::Row, S>) -> ControlFlow<()> {
        let at = self.lane.wrapping_sub(product.lane);
        if at >= product.lanes {
            return ControlFlow::Continue(());
        }
        let [first, second] = product.factors;
        let first = (first.row, first.lane + at * first.step);
        let second = (second.row, second.lane + at * second.step);
        (self.visit)(self.items.pair(first, second, Step::Weight(product.weight)))
    }
}
