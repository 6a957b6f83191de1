//! The inner loops of the outside pass: reduces in frames of several whole items, as in
//! [`inside`](super::inside), for all groups of left ends.

use super::layout::{add, groups, sum};
use super::outside::Outside;
use crate::chart::lanes::LANES;
use crate::semiring::Semiring;

impl<S: Semiring> Outside<'_, S> {
    /// Frames [·, x, y, d] of several whole items.
    #[inline(always)]
    pub(super) fn reduce4(&mut self, x: usize) {
        let (items, weights, here, layer) = (self.items, self.weights, &mut self.here, &mut self.layer);
        let (nodes, d) = (items.nodes, layer.d);
        let (from, length) = (x + 1, d - x - 1);
        let near = &layer.near[layer.near_row(x, from..d)];
        let rest = &layer.joined[x * nodes + from..][..length];
        let (last, x_by_y) = (&layer.pairs[from..][..length], &weights.to(x)[from..][..length]);
        let by_ahead = weights.ahead(d, x);
        let none = [S::ZERO; LANES];
        let sums = &mut here.sums[..length];
        sums.fill([none; 7]);
        for group in 0..groups(x) {
            let first = items.by_group[group * nodes + x];
            let two = &items.triples.row(group, [x])[..length];
            let of_two = &mut self.triples.row_mut(group, [x])[..length];
            let x_stays = here.triples[group * nodes + x];
            let y_stays = &here.triples[group * nodes + from..][..length];
            let y_by_a = &weights.group_arcs(group)[from..][..length];
            let x_by_others = weights.group_arcs(group)[x].map(|by_a| by_a.plus(by_ahead));
            let of_y_by_a = &mut self.arcs[group * nodes + from..][..length];
            let (mut of_first, mut of_x_by_a) = (none, none);
            for at in 0..length {
                // Everything is read first and written last: the compiler could not rule out that it is the
                // same memory.
                let (rest, near, last, x_by_y) = (rest[at], near[at], last[at], x_by_y[at]);
                let (two, y_stays, y_by_a) = (two[at], y_stays[at], y_by_a[at]);
                let (mut of_two_here, mut y_went) = (of_two[at], of_y_by_a[at]);
                let [mut after_x, mut after_y, mut y_near, mut x_went, ..] = sums[at];
                for lane in 0..LANES {
                    let parted_at_y = two[lane].times(last);
                    let frame = first[lane].times(rest).plus(parted_at_y);
                    let by_x_goes = y_stays[lane].times(x_by_others[lane].plus(x_by_y));
                    let of_frame = by_x_goes.plus(x_stays[lane].times(y_by_a[lane]));
                    let of_parted = of_frame.plus(x_stays[lane].times(near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(rest));
                    after_x[lane] = after_x[lane].plus(of_frame.times(first[lane]));
                    of_two_here[lane] = of_two_here[lane].plus(of_parted.times(last));
                    after_y[lane] = after_y[lane].plus(of_parted.times(two[lane]));
                    let of_x_goes = y_stays[lane].times(frame);
                    of_x_by_a[lane] = of_x_by_a[lane].plus(of_x_goes);
                    x_went[lane] = x_went[lane].plus(of_x_goes);
                    y_went[lane] = y_went[lane].plus(x_stays[lane].times(frame));
                    y_near[lane] = y_near[lane].plus(x_stays[lane].times(parted_at_y));
                }
                (of_two[at], of_y_by_a[at]) = (of_two_here, y_went);
                sums[at][..4].copy_from_slice(&[after_x, after_y, y_near, x_went]);
            }
            add(&mut self.by_group[group * (nodes + 1) + x], of_first);
            add(&mut self.arcs[group * nodes + x], of_x_by_a);
        }
        for y in from..d {
            let [after_x, after_y, y_near, x_went, ..] = self.here.sums[y - from].map(sum);
            self.here.joined[x * nodes + y].add(after_x);
            self.here.pairs[y].add(after_y);
            self.add_near(x, y, y_near);
            self.add_arc(y, x, x_went);
            self.add_ahead(x, x_went);
        }
    }

    /// Frames [·, x, y, z, d] of several whole items.
    #[inline(always)]
    pub(super) fn reduce5(&mut self, x: usize, y: usize) {
        let (items, weights, here, layer) = (self.items, self.weights, &mut self.here, &mut self.layer);
        let (nodes, d) = (items.nodes, layer.d);
        let (from, length) = (y + 1, d - y - 1);
        let after_x = &layer.joined4[layer.row(x, y)..][..length];
        let (after_y, after_z) =
            (&layer.joined[y * nodes + from..][..length], &layer.pairs[from..][..length]);
        let (z_near, y_goes) = (&layer.near[layer.near_row(y, from..d)], &mut layer.inner_goes[..length]);
        weights.inner_by_any(d, [x, y], from, y_goes);
        let (z_by_x, x_by_z) = (&weights.arcs_from(x)[from..][..length], &weights.to(x)[from..][..length]);
        let by_others = weights.ahead(d, x).plus(weights.to(x)[y]);
        let none = [S::ZERO; LANES];
        let sums = &mut here.sums[..length];
        sums.fill([none; 7]);
        for group in 0..groups(x) {
            let first = items.by_group[group * nodes + x];
            let two = items.triples.row(group, [x])[y - x - 1];
            let three = &items.quadruples.row(group, [x, y])[..length];
            let of_three = &mut self.quadruples.row_mut(group, [x, y])[..length];
            let table = &here.quadruples[group * nodes * nodes..][..nodes * nodes];
            let xy_stay = table[x * nodes + y];
            let xz_stay = &table[x * nodes + from..][..length];
            let yz_stay = &table[y * nodes + from..][..length];
            let by_a = weights.group_arcs(group);
            let (y_by_a, z_by_a) = (by_a[y], &by_a[from..][..length]);
            let x_by_others = by_a[x].map(|by_a| by_a.plus(by_others));
            let of_z_by_a = &mut self.arcs[group * nodes + from..][..length];
            let (mut of_first, mut of_two, mut of_x_by_a, mut of_y_by_a) = (none, none, none, none);
            for at in 0..length {
                let (after_x, after_y, after_z) = (after_x[at], after_y[at], after_z[at]);
                let (z_near, y_goes, z_by_x, x_by_z) = (z_near[at], y_goes[at], z_by_x[at], x_by_z[at]);
                let (three, xz_stay, yz_stay, z_by_a) = (three[at], xz_stay[at], yz_stay[at], z_by_a[at]);
                let (mut sums_here, mut of_three_here, mut z_went) = (sums[at], of_three[at], of_z_by_a[at]);
                for lane in 0..LANES {
                    let (xy, xz, yz) = (xy_stay[lane], xz_stay[lane], yz_stay[lane]);
                    let parted_at_z = three[lane].times(after_z);
                    let parted_later = two[lane].times(after_y).plus(parted_at_z);
                    let frame = first[lane].times(after_x).plus(parted_later);
                    let by_x_goes = yz.times(x_by_others[lane].plus(x_by_z));
                    let of_frame = by_x_goes.plus(xz.times(y_by_a[lane])).plus(xy.times(z_by_a[lane]));
                    let of_later = of_frame.plus(xz.times(y_goes)).plus(xy.times(z_by_x));
                    let of_parted = of_later.plus(xy.times(z_near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(after_x));
                    of_two[lane] = of_two[lane].plus(of_later.times(after_y));
                    of_three_here[lane] = of_three_here[lane].plus(of_parted.times(after_z));
                    let x_went = yz.times(frame);
                    let terms = [
                        of_frame.times(first[lane]),
                        of_later.times(two[lane]),
                        of_parted.times(three[lane]),
                        xz.times(parted_later),
                        xy.times(parted_later),
                        xy.times(parted_at_z),
                        x_went,
                    ];
                    for (sum, term) in sums_here.iter_mut().zip(terms) {
                        sum[lane] = sum[lane].plus(term);
                    }
                    of_x_by_a[lane] = of_x_by_a[lane].plus(x_went);
                    of_y_by_a[lane] = of_y_by_a[lane].plus(xz.times(frame));
                    z_went[lane] = z_went[lane].plus(xy.times(frame));
                }
                (sums[at], of_three[at], of_z_by_a[at]) = (sums_here, of_three_here, z_went);
            }
            add(&mut self.by_group[group * (nodes + 1) + x], of_first);
            add(&mut self.triples.row_mut(group, [x])[y - x - 1], of_two);
            add(&mut self.arcs[group * nodes + x], of_x_by_a);
            add(&mut self.arcs[group * nodes + y], of_y_by_a);
        }
        for z in from..d {
            let [after_x, after_y, after_z, y_goes, z_by_x, z_near, x_went] =
                self.here.sums[z - from].map(sum);
            self.here.joined4[y * nodes + z].add(after_x);
            self.here.joined[y * nodes + z].add(after_y);
            self.here.pairs[z].add(after_z);
            self.add_inner([x, y, z], y_goes);
            self.add_arc(x, z, z_by_x);
            self.add_near(y, z, z_near);
            self.add_arc(z, x, x_went);
            self.add_arc(y, x, x_went);
            self.add_ahead(x, x_went);
        }
    }
}
