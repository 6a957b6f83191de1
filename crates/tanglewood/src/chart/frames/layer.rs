//! What is there for one right end while kernels run.

use std::ops::Range;

use super::layout::Group;
use super::weights::FrameWeights;
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// What kernels need for one right end: items of the group at hand, weights, and frames that begin with any
/// x, by x, y and z.
pub(super) struct Layer<S> {
    pub d: usize,
    pub nodes: usize,
    /// L\[·, y, d\] of the group at hand, by y.
    pub triples: Vec<Group<S>>,
    /// L\[·, y, z, d\] of the group at hand, by y and z. Empty if K < 5, as all that follow with three nodes.
    pub quadruples: Vec<Group<S>>,
    /// L\[y, d\]
    pub pairs: Vec<S>,
    /// The weight of removing y right above x.
    pub near: Vec<S>,
    /// G\[x, y, d\]
    pub joined: Vec<S>,
    /// G\[x, y, z, d\], packed: see [`Layer::row`].
    pub joined4: Vec<S>,
    /// The weight of removing z by x, where the stack is x, y, z.
    pub z_by_x: Vec<S>,
    /// The weight of removing y by any, where the stack is x, y, z.
    pub y_by_any: Vec<S>,
}

impl<S: Semiring> Layer<S> {
    pub fn new(nodes: usize, frame: usize) -> Result<Layer<S>, OutOfMemory> {
        let packed = table(if frame > 4 { triangles(nodes) } else { 0 }, S::ZERO)?;
        Ok(Layer {
            d: 0,
            nodes,
            triples: table(nodes, [S::ZERO; LANES])?,
            quadruples: table(if frame > 4 { nodes * nodes } else { 0 }, [S::ZERO; LANES])?,
            pairs: table(nodes, S::ZERO)?,
            near: table(nodes * nodes, S::ZERO)?,
            joined: table(nodes * nodes, S::ZERO)?,
            joined4: table(packed.len(), S::ZERO)?,
            z_by_x: table(packed.len(), S::ZERO)?,
            y_by_any: packed,
        })
    }

    /// Where numbers of (x, y) are, for all y.
    #[inline(always)]
    pub fn inner(&self, x: usize) -> Range<usize> {
        x * self.nodes + x + 1..x * self.nodes + self.d
    }

    /// Where numbers of (x, y, z) begin, by z from y + 1 on, in tables with three nodes x < y < z.
    #[inline(always)]
    pub fn row(&self, x: usize, y: usize) -> usize {
        // Triples of nodes with a smaller x, and those with the same x and a smaller y.
        let after_x = self.nodes - x;
        triangles(self.nodes) - triangles(after_x) + triangle(after_x - 1) - triangle(self.nodes - y)
    }

    /// The weights that frames [x, …, d] need, whatever is below x.
    #[inline(always)]
    pub fn ask(&mut self, x: usize, frame: usize, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (d, near) = (self.d, self.inner(x));
        weights.near_row(d, x, &mut self.near[near]);
        for y in x + 1..if frame > 4 { d } else { 0 } {
            let row = self.row(x, y);
            for z in y + 1..d {
                self.z_by_x[row + z - y - 1] = weights.one(d, &[z, y, x], 0);
                self.y_by_any[row + z - y - 1] = weights.one(d, &[z, y, x], 1);
            }
        }
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
