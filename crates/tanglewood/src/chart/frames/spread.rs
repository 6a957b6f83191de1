//! All frames with the same first inner node and the same end.

use super::layout::{Group, groups};
use super::weights::FrameWeights;
use super::{FrameChart, Layer};
use crate::chart::lanes::LANES;
use crate::semiring::Semiring;

/// sums ⊕= terms
#[inline(always)]
fn add<S: Semiring>(sums: &mut Group<S>, terms: Group<S>) {
    for lane in 0..LANES {
        sums[lane].add(terms[lane]);
    }
}

impl<S: Semiring> FrameChart<S> {
    /// Reduces in frames [a, x, y, d] of several whole items, for all a and y.
    #[inline(always)]
    pub(super) fn spread4(&self, x: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        let (nodes, d) = (layer.nodes, layer.d);
        let length = d - x - 1;
        let rest = &layer.concatenated[x * nodes + x + 1..][..length];
        let (near, last) = (&layer.near[x + 1..][..length], &layer.pairs[x + 1..][..length]);
        for group in 0..groups(x) {
            let first = self.shifted[group * nodes + x];
            let two = &self.triples.row(group, x)[..length];
            let (before, after) = layer.triples[group * nodes..].split_at_mut(x + 1);
            let y_stays = &mut after[..length];
            let mut x_stays = [S::ZERO; LANES];
            for at in 0..length {
                let y = x + 1 + at;
                let last = weights.shift(Some(x), y).times(last[at]);
                let x_goes = weights.s1_by_any_group(y, x, group);
                let y_goes = weights.s0_by_s2_group(y, x, group);
                let mut y_term = [S::ZERO; LANES];
                for lane in 0..LANES {
                    let parted_at_y = two[at][lane].times(last);
                    let frame = first[lane].times(rest[at]).plus(parted_at_y);
                    y_term[lane] = frame.times(x_goes[lane]);
                    let x_term = frame.times(y_goes[lane]).plus(parted_at_y.times(near[at]));
                    x_stays[lane] = x_stays[lane].plus(x_term);
                }
                add(&mut y_stays[at], y_term);
            }
            add(&mut before[x], x_stays);
        }
    }

    /// Reduces in frames [a, x, y, z, d], for all a, y and z.
    #[inline(always)]
    pub(super) fn spread5(&self, x: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        for y in x + 1..layer.d.saturating_sub(1) {
            self.spread5_at(x, y, layer, weights);
        }
    }

    #[inline(always)]
    fn spread5_at(&self, x: usize, y: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        let (nodes, d) = (layer.nodes, layer.d);
        let length = d - y - 1;
        let shift_y = weights.shift(Some(x), y);
        // What depends on z alone.
        let mut by_z = std::mem::take(&mut layer.by_z);
        by_z.clear();
        by_z.extend((y + 1..d).map(|z| ByZ {
            after_x: layer.concatenated_at[y * nodes + z],
            after_y: shift_y.times(layer.concatenated[y * nodes + z]),
            after_z: weights.shift(Some(y), z).times(layer.pairs[z]),
            near: weights.near(z, y),
            z_by_x: weights.s0_by_s2(z, y, x),
            y_by_any: weights.s1_by_any(z, y, x),
        }));
        for group in 0..groups(x) {
            let first = self.shifted[group * nodes + x];
            let two = self.triples.row(group, x)[y - x - 1];
            let three = &self.quadruples.row(group, x, y)[..length];
            let table = &mut layer.quadruples[group * nodes * nodes..][..nodes * nodes];
            let (low, high) = table.split_at_mut(y * nodes);
            let (row_x, row_y) = (&mut low[x * nodes..][..nodes], &mut high[..nodes]);
            let (before, xz_stay) = row_x.split_at_mut(y + 1);
            let (xz_stay, yz_stay) = (&mut xz_stay[..length], &mut row_y[y + 1..][..length]);
            let by_z = &by_z[..length];
            let mut xy_stay = [S::ZERO; LANES];
            for at in 0..length {
                let (z, scalars) = (y + 1 + at, by_z[at]);
                let x_goes = weights.s2_by_any_group(z, y, x, group);
                let y_by_a = weights.s1_by_s3_group(z, y, x, group);
                let z_by_a = weights.s0_by_s3_group(z, y, x, group);
                let mut yz_term = [S::ZERO; LANES];
                let mut xz_term = [S::ZERO; LANES];
                for lane in 0..LANES {
                    let parted_at_z = three[at][lane].times(scalars.after_z);
                    let parted_later = two[lane].times(scalars.after_y).plus(parted_at_z);
                    let frame = first[lane].times(scalars.after_x).plus(parted_later);
                    yz_term[lane] = frame.times(x_goes[lane]);
                    xz_term[lane] = frame.times(y_by_a[lane]).plus(parted_later.times(scalars.y_by_any));
                    let by_stack = frame.times(z_by_a[lane]).plus(parted_later.times(scalars.z_by_x));
                    let xy_term = by_stack.plus(parted_at_z.times(scalars.near));
                    xy_stay[lane] = xy_stay[lane].plus(xy_term);
                }
                add(&mut yz_stay[at], yz_term);
                add(&mut xz_stay[at], xz_term);
            }
            add(&mut before[y], xy_stay);
        }
        layer.by_z = by_z;
    }
}

/// For a frame [·, x, y, z, d]: the rest after its first part, and the weights of reduces that do not see the deepest node.
#[derive(Clone, Copy)]
pub(super) struct ByZ<S> {
    after_x: S,
    after_y: S,
    after_z: S,
    near: S,
    z_by_x: S,
    y_by_any: S,
}
