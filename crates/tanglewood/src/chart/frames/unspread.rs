//! The inner loops of [`backwards`](super::backwards): those of `spread.rs` in the opposite order.

use super::backwards::Backwards;
use super::layout::{add, groups, sum};
use super::weights::FrameWeights;
use crate::chart::lanes::LANES;
use crate::scores::Use;
use crate::semiring::Semiring;

impl<S: Semiring> Backwards<'_, '_, S> {
    /// `spread4` backwards, for all groups.
    #[inline(always)]
    pub(super) fn unspread4(&mut self, x: usize, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (items, layer, outside) = (self.items, &self.layer, &mut self.outside);
        let (nodes, d) = (items.nodes, layer.d);
        let (length, row) = (d - x - 1, x * nodes + x + 1);
        let (rest, near) = (&layer.joined[row..][..length], &layer.near[row..][..length]);
        let last = &layer.pairs[x + 1..][..length];
        let none = [S::ZERO; LANES];
        let sums = &mut outside.sums[..length];
        sums.fill([none; 6]);
        for group in 0..groups(x) {
            let first = items.shifted[group * nodes + x];
            let two = &items.triples.row(group, [x])[..length];
            let of_two = &mut self.triples.row_mut(group, [x])[..length];
            let x_stays = outside.triples[group * nodes + x];
            let y_stays = &outside.triples[group * nodes + x + 1..][..length];
            let base = weights.base(d, &[x], group);
            let mut of_first = none;
            for at in 0..length {
                // Everything is read first and written last: the compiler could not rule out that it is the
                // same memory.
                let above = [x + 1 + at, x];
                let (x_goes, y_goes) =
                    (weights.by_any(base, d, &above, group), weights.group(d, &above, 0, group));
                let (rest, near) = (rest[at], near[at]);
                let last = weights.shift(Some(x), above[0]).times(last[at]);
                let (two, y_stays, mut of_two_here) = (two[at], y_stays[at], of_two[at]);
                let [mut after_x, mut after_y, mut y_near, ..] = sums[at];
                let (mut x_went, mut y_went) = (none, none);
                for lane in 0..LANES {
                    let parted_at_y = two[lane].times(last);
                    let frame = first[lane].times(rest).plus(parted_at_y);
                    let by_y_goes = x_stays[lane].times(y_goes[lane]);
                    let of_frame = y_stays[lane].times(x_goes[lane]).plus(by_y_goes);
                    let of_parted = of_frame.plus(x_stays[lane].times(near));
                    of_first[lane] = of_first[lane].plus_product(of_frame, rest);
                    after_x[lane] = after_x[lane].plus_product(of_frame, first[lane]);
                    of_two_here[lane] = of_two_here[lane].plus_product(of_parted, last);
                    after_y[lane] = after_y[lane].plus_product(of_parted, two[lane]);
                    x_went[lane] = y_stays[lane].times(frame);
                    y_went[lane] = x_stays[lane].times(frame);
                    y_near[lane] = y_near[lane].plus_product(x_stays[lane], parted_at_y);
                }
                of_two[at] = of_two_here;
                sums[at][..3].copy_from_slice(&[after_x, after_y, y_near]);
                weights.collect_group(&mut self.arcs, d, &above, 1, group, x_went);
                weights.collect_group(&mut self.arcs, d, &above, 0, group, y_went);
            }
            add(&mut self.shifted[group * (nodes + 1) + x], of_first);
        }
        weights.flush(&mut self.arcs, d, &[x], 1);
        for (y, &[after_x, after_y, y_near, ..]) in (x + 1..).zip(&*sums) {
            outside.joined[x * nodes + y].add(sum(after_x));
            let of_last = sum(after_y).times(weights.shift(Some(x), y));
            outside.pairs[y].add(of_last);
            self.arcs.used(Use::Shift { top: Some(x), front: y }, || of_last.times(layer.pairs[y]));
            weights.collect(&mut self.arcs, d, &[y, x], 0, sum(y_near));
        }
    }

    /// `spread5` backwards, for all groups.
    #[inline(always)]
    pub(super) fn unspread5(&mut self, x: usize, y: usize, weights: &(impl FrameWeights<S> + ?Sized)) {
        let (items, layer, outside) = (self.items, &self.layer, &mut self.outside);
        let (nodes, d) = (items.nodes, layer.d);
        let (length, packed, row) = (d - y - 1, layer.row(x, y), y * nodes + y + 1);
        let (after_x, z_by_x) = (&layer.joined4[packed..][..length], &layer.z_by_x[packed..][..length]);
        let (after_y, after_z) = (&layer.joined[row..][..length], &layer.pairs[y + 1..][..length]);
        let (near, y_by_any) = (&layer.near[row..][..length], &layer.y_by_any[packed..][..length]);
        let shift_y = weights.shift(Some(x), y);
        let none = [S::ZERO; LANES];
        let sums = &mut outside.sums[..length];
        sums.fill([none; 6]);
        for group in 0..groups(x) {
            let first = items.shifted[group * nodes + x];
            let two = items.triples.row(group, [x])[y - x - 1].map(|two| two.times(shift_y));
            let three = &items.quadruples.row(group, [x, y])[..length];
            let of_three = &mut self.quadruples.row_mut(group, [x, y])[..length];
            let table = &outside.quadruples[group * nodes * nodes..][..nodes * nodes];
            let xy_stay = table[x * nodes + y];
            let xz_stay = &table[x * nodes + y + 1..][..length];
            let yz_stay = &table[y * nodes + y + 1..][..length];
            let base = weights.base(d, &[y, x], group);
            let (mut of_first, mut of_two) = (none, none);
            for at in 0..length {
                let above = [y + 1 + at, y, x];
                let x_goes = weights.by_any(base, d, &above, group);
                let y_by_a = weights.group(d, &above, 1, group);
                let z_by_a = weights.group(d, &above, 0, group);
                let after_z = weights.shift(Some(y), above[0]).times(after_z[at]);
                let (after_x, after_y) = (after_x[at], after_y[at]);
                let (near, y_by_any, z_by_x) = (near[at], y_by_any[at], z_by_x[at]);
                let (three, xz_stay, yz_stay) = (three[at], xz_stay[at], yz_stay[at]);
                let (mut sums_here, mut of_three_here) = (sums[at], of_three[at]);
                let (mut x_went, mut y_went, mut z_went) = (none, none, none);
                for lane in 0..LANES {
                    let (xy, xz, yz) = (xy_stay[lane], xz_stay[lane], yz_stay[lane]);
                    let parted_at_z = three[lane].times(after_z);
                    let parted_later = two[lane].times(after_y).plus(parted_at_z);
                    let frame = first[lane].times(after_x).plus(parted_later);
                    let by_x_goes = yz.times(x_goes[lane]);
                    let of_frame = by_x_goes.plus(xz.times(y_by_a[lane])).plus(xy.times(z_by_a[lane]));
                    let of_later = of_frame.plus(xz.times(y_by_any)).plus(xy.times(z_by_x));
                    let of_parted = of_later.plus(xy.times(near));
                    of_first[lane] = of_first[lane].plus_product(of_frame, after_x);
                    of_two[lane] = of_two[lane].plus_product(of_later, after_y);
                    of_three_here[lane] = of_three_here[lane].plus_product(of_parted, after_z);
                    let terms = [
                        of_frame.times(first[lane]),
                        of_later.times(two[lane]),
                        of_parted.times(three[lane]),
                        xz.times(parted_later),
                        xy.times(parted_later),
                        xy.times(parted_at_z),
                    ];
                    for (sum, term) in sums_here.iter_mut().zip(terms) {
                        sum[lane] = sum[lane].plus(term);
                    }
                    x_went[lane] = yz.times(frame);
                    y_went[lane] = xz.times(frame);
                    z_went[lane] = xy.times(frame);
                }
                (sums[at], of_three[at]) = (sums_here, of_three_here);
                for (slot, went) in [z_went, y_went, x_went].into_iter().enumerate() {
                    weights.collect_group(&mut self.arcs, d, &above, slot, group, went);
                }
            }
            add(&mut self.shifted[group * (nodes + 1) + x], of_first);
            self.arcs.used(Use::Shift { top: Some(x), front: y }, || {
                (0..LANES).fold(S::ZERO, |sum, lane| sum.plus(of_two[lane].times(two[lane])))
            });
            let of_two = of_two.map(|of_two| of_two.times(shift_y));
            add(&mut self.triples.row_mut(group, [x])[y - x - 1], of_two);
        }
        weights.flush(&mut self.arcs, d, &[y, x], 2);
        for (z, sums) in (y + 1..).zip(&*sums) {
            let [after_x, after_y, after_z, y_goes, z_by_x, z_near] = sums.map(sum);
            outside.joined4[y * nodes + z].add(after_x);
            outside.joined[y * nodes + z].add(after_y);
            let of_last = after_z.times(weights.shift(Some(y), z));
            outside.pairs[z].add(of_last);
            self.arcs.used(Use::Shift { top: Some(y), front: z }, || of_last.times(layer.pairs[z]));
            weights.collect(&mut self.arcs, d, &[z, y, x], 1, y_goes);
            weights.collect(&mut self.arcs, d, &[z, y, x], 0, z_by_x);
            weights.collect(&mut self.arcs, d, &[z, y], 0, z_near);
        }
    }
}
