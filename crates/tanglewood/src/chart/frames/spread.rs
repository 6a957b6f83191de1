//! The inner loops: all frames with the same first inner node x and the same right end, for a group of left
//! ends.

use std::ops::Range;

use super::layout::{Group, add};
use super::weights::FrameWeights;
use super::{Items, Layer};
use crate::chart::lanes::LANES;
use crate::semiring::Semiring;

impl<S: Semiring> Items<S> {
    /// Reduces in frames [·, x, y, d] of several whole items, for a range of y.
    #[inline(always)]
    pub(super) fn spread4(
        &self,
        x: usize,
        group: usize,
        inner: Range<usize>,
        layer: &mut Layer<S>,
        weights: &(impl FrameWeights<S> + ?Sized),
    ) {
        let (nodes, d) = (self.nodes, layer.d);
        let (from, length) = (inner.start, inner.len());
        let row = x * nodes + from;
        let (rest, near) = (&layer.joined[row..][..length], &layer.near[row..][..length]);
        let last = &layer.pairs[from..][..length];
        let first = self.shifted[group * nodes + x];
        let two = &self.triples.row(group, [x])[from - x - 1..][..length];
        let (before, y_stays) = layer.triples.split_at_mut(from);
        let y_stays = &mut y_stays[..length];
        let base = weights.base(d, &[x], group);
        let mut x_stays = [S::ZERO; LANES];
        for at in 0..length {
            let above = [from + at, x];
            let (x_goes, y_goes) =
                (weights.by_any(base, d, &above, group), weights.group(d, &above, 0, group));
            let last = weights.shift(Some(x), from + at).times(last[at]);
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

    /// Reduces in frames [·, x, y, z, d], for all z.
    #[inline(always)]
    pub(super) fn spread5(
        &self,
        x: usize,
        y: usize,
        group: usize,
        layer: &mut Layer<S>,
        weights: &(impl FrameWeights<S> + ?Sized),
    ) {
        let (nodes, d) = (self.nodes, layer.d);
        let (length, packed, row) = (d - y - 1, layer.row(x, y), y * nodes + y + 1);
        let (after_x, z_by_x) = (&layer.joined4[packed..][..length], &layer.z_by_x[packed..][..length]);
        let (after_y, after_z) = (&layer.joined[row..][..length], &layer.pairs[y + 1..][..length]);
        let (near, y_by_any) = (&layer.near[row..][..length], &layer.y_by_any[packed..][..length]);
        let shift_y = weights.shift(Some(x), y);
        let first = self.shifted[group * nodes + x];
        let two = self.triples.row(group, [x])[y - x - 1].map(|two| two.times(shift_y));
        let three = &self.quadruples.row(group, [x, y])[..length];
        let (low, high) = layer.quadruples.split_at_mut(y * nodes);
        let (before, xz_stay) = low[x * nodes..][..nodes].split_at_mut(y + 1);
        let (xz_stay, yz_stay) = (&mut xz_stay[..length], &mut high[y + 1..][..length]);
        let base = weights.base(d, &[y, x], group);
        let mut xy_stay: Group<S> = [S::ZERO; LANES];
        for at in 0..length {
            let above = [y + 1 + at, y, x];
            let x_goes = weights.by_any(base, d, &above, group);
            let y_by_a = weights.group(d, &above, 1, group);
            let z_by_a = weights.group(d, &above, 0, group);
            let mut yz_term = [S::ZERO; LANES];
            let mut xz_term = [S::ZERO; LANES];
            let after_z = weights.shift(Some(y), above[0]).times(after_z[at]);
            for lane in 0..LANES {
                let parted_at_z = three[at][lane].times(after_z);
                let parted_later = two[lane].times(after_y[at]).plus(parted_at_z);
                let frame = first[lane].times(after_x[at]).plus(parted_later);
                yz_term[lane] = frame.times(x_goes[lane]);
                xz_term[lane] = frame.times(y_by_a[lane]).plus(parted_later.times(y_by_any[at]));
                let by_stack = frame.times(z_by_a[lane]).plus(parted_later.times(z_by_x[at]));
                let xy_term = by_stack.plus(parted_at_z.times(near[at]));
                xy_stay[lane] = xy_stay[lane].plus(xy_term);
            }
            add(&mut yz_stay[at], yz_term);
            add(&mut xz_stay[at], xz_term);
        }
        add(&mut before[y], xy_stay);
    }
}
