//! The workspace of the kernels for one right end.

use std::ops::Range;

use super::layout::Group;
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// What kernels need for one right end d: items of the group at hand, and frames that begin with any x, by x,
/// y and z.
pub(super) struct Layer<S> {
    pub d: usize,
    pub nodes: usize,
    /// L\[·, y, d\] of the group at hand, by y.
    pub triples: Vec<Group<S>>,
    /// L\[·, y, z, d\] of the group at hand, by y and z. Empty if K < 5, as [`Layer::joined4`].
    pub quadruples: Vec<Group<S>>,
    /// L\[y, d\]
    pub pairs: Vec<S>,
    /// G\[x, y, d\]
    pub joined: Vec<S>,
    /// G\[x, y, z, d\], packed: see [`Layer::row`].
    pub joined4: Vec<S>,
    /// The weight of removing y right above x, by x or by the buffer: by x and y.
    pub near: Vec<S>,
    /// Whether there is one row of that only, for the x at hand.
    pub in_block: bool,
    /// For the frames at hand, by their last inner node: the weight of removing the one before it by its
    /// neighbours or by x.
    pub inner_goes: Vec<S>,
}

impl<S: Semiring> Layer<S> {
    /// For blocks of right ends, one row of [`Layer::near`] has to do, so that caches hold what is read more
    /// often.
    pub fn new(nodes: usize, frame: usize, in_block: bool) -> Result<Layer<S>, OutOfMemory> {
        let near_rows = if in_block { 1 } else { nodes };
        let only5 = |size| if frame > 4 { size } else { 0 };
        Ok(Layer {
            d: 0,
            nodes,
            triples: table(nodes, [S::ZERO; LANES])?,
            quadruples: table(only5(nodes * nodes), [S::ZERO; LANES])?,
            pairs: table(nodes, S::ZERO)?,
            joined: table(nodes * nodes, S::ZERO)?,
            joined4: table(only5(triangles(nodes)), S::ZERO)?,
            near: table(near_rows * nodes, S::ZERO)?,
            in_block,
            inner_goes: table(nodes, S::ZERO)?,
        })
    }

    /// Where numbers of (x, y) are, for all y.
    #[inline(always)]
    pub fn inner(&self, x: usize) -> Range<usize> {
        x * self.nodes + x + 1..x * self.nodes + self.d
    }

    /// Where the weights of removing nodes right above x are, for some of these nodes.
    #[inline(always)]
    pub fn near_row(&self, x: usize, inner: Range<usize>) -> Range<usize> {
        let row = if self.in_block { 0 } else { x * self.nodes };
        row + inner.start..row + inner.end
    }

    /// Where numbers of (x, y, z) begin, by z from y + 1 on, in tables with three nodes x < y < z.
    #[inline(always)]
    pub fn row(&self, x: usize, y: usize) -> usize {
        // Triples of nodes with a smaller x, and those with the same x and a smaller y.
        let after_x = self.nodes - x;
        triangles(self.nodes) - triangles(after_x) + triangle(after_x - 1) - triangle(self.nodes - y)
    }
}

/// Number of pairs and of triples of nodes.
#[inline(always)]
fn triangle(nodes: usize) -> usize {
    nodes * nodes.saturating_sub(1) / 2
}

#[inline(always)]
fn triangles(nodes: usize) -> usize {
    triangle(nodes) * nodes.saturating_sub(2) / 3
}
