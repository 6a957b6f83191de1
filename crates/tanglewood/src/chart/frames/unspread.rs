//! The hot loops of [`backwards`](super::backwards): those of `spread.rs` in the opposite order.

use super::backwards::Backwards;
use super::layout::{Group, groups};
use super::weights::{ArcWeights, FrameWeights};
use crate::chart::lanes::LANES;
use crate::semiring::Semiring;

/// For frames [·, x, y, d]: a weight, and outsides that are sums over left ends, in lanes.
#[derive(Clone, Copy)]
pub(super) struct ByY<S> {
    /// x goes, by y or the buffer.
    x_by_others: S,
    after_x: Group<S>,
    after_y: Group<S>,
    x_goes: Group<S>,
    y_near: Group<S>,
}

/// The same for frames [·, x, y, z, d].
#[derive(Clone, Copy)]
pub(super) struct ByZ<S> {
    x_by_others: S,
    y_by_any: S,
    z_by_x: S,
    near: S,
    after_x: Group<S>,
    after_y: Group<S>,
    after_z: Group<S>,
    x_goes: Group<S>,
    y_goes: Group<S>,
    z_by_x_goes: Group<S>,
    z_near: Group<S>,
}

impl<S: Semiring> Backwards<'_, S> {
    /// `spread4` backwards.
    #[inline(always)]
    pub(super) fn unspread4(&mut self, x: usize, weights: &ArcWeights<'_, S>) {
        let (chart, nodes, layer) = (self.chart, self.nodes, &mut self.layer);
        let length = layer.d - x - 1;
        let none = [S::ZERO; LANES];
        let mut sums = std::mem::take(&mut layer.by_y);
        sums.clear();
        sums.extend((x + 1..layer.d).map(|y| ByY {
            x_by_others: weights.others(y, x),
            after_x: none,
            after_y: none,
            x_goes: none,
            y_near: none,
        }));
        let by_y = &mut sums[..length];
        let rest = &layer.concatenated[x * nodes + x + 1..][..length];
        let near = &layer.near[x + 1..][..length];
        let last = &chart.pairs[layer.d * nodes + x + 1..][..length];
        for group in 0..groups(x) {
            let first = chart.shifted[group * nodes + x];
            let two = &chart.triples.row(group, x)[..length];
            let of_two = &mut self.triples.row_mut(group, x)[..length];
            let x_by_a = self.tables.arcs[group * nodes + x];
            let y_by_a = &self.tables.arcs[group * nodes + x + 1..][..length];
            let (before, after) = self.arcs[group * nodes..].split_at_mut(x + 1);
            let of_y_by_a = &mut after[..length];
            let x_stays = layer.triples[group * nodes + x];
            let y_stays = &layer.triples[group * nodes + x + 1..][..length];
            let (mut of_first, mut of_x_by_a) = (none, none);
            for at in 0..length {
                // Everything is read first and written last: the compiler could not rule out that it is the same memory.
                let (last, rest, near) = (last[at], rest[at], near[at]);
                let (two, y_by_a, y_stays) = (two[at], y_by_a[at], y_stays[at]);
                let (mut sums, mut of_two_here, mut of_y_by_a_here) = (by_y[at], of_two[at], of_y_by_a[at]);
                for lane in 0..LANES {
                    let parted_at_y = two[lane].times(last);
                    let frame = first[lane].times(rest).plus(parted_at_y);
                    let x_goes = x_by_a[lane].plus(sums.x_by_others);
                    let y_goes = x_stays[lane].times(y_by_a[lane]);
                    let of_frame = y_stays[lane].times(x_goes).plus(y_goes);
                    let of_parted = of_frame.plus(x_stays[lane].times(near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(rest));
                    sums.after_x[lane] = sums.after_x[lane].plus(of_frame.times(first[lane]));
                    of_two_here[lane] = of_two_here[lane].plus(of_parted.times(last));
                    sums.after_y[lane] = sums.after_y[lane].plus(of_parted.times(two[lane]));
                    let x_went = y_stays[lane].times(frame);
                    of_x_by_a[lane] = of_x_by_a[lane].plus(x_went);
                    sums.x_goes[lane] = sums.x_goes[lane].plus(x_went);
                    of_y_by_a_here[lane] = of_y_by_a_here[lane].plus(x_stays[lane].times(frame));
                    sums.y_near[lane] = sums.y_near[lane].plus(x_stays[lane].times(parted_at_y));
                }
                (by_y[at], of_two[at], of_y_by_a[at]) = (sums, of_two_here, of_y_by_a_here);
            }
            add(&mut self.pairs[group * (nodes + 1) + x], of_first);
            add(&mut before[x], of_x_by_a);
        }
        for (y, of_y) in (x + 1..).zip(&sums) {
            self.layer.of_concatenated[x * nodes + y].add(sum(of_y.after_x));
            self.layer.pairs[y].add(sum(of_y.after_y));
            self.add_removal(x, &[y], sum(of_y.x_goes));
            self.add_removal(y, &[x], sum(of_y.y_near));
        }
        self.layer.by_y = sums;
    }

    /// `spread5` backwards, for one y.
    #[inline(always)]
    pub(super) fn unspread5(&mut self, x: usize, y: usize, weights: &ArcWeights<'_, S>) {
        let (chart, nodes, layer) = (self.chart, self.nodes, &mut self.layer);
        let length = layer.d - y - 1;
        let none = [S::ZERO; LANES];
        let mut sums = std::mem::take(&mut layer.by_z);
        sums.clear();
        let x_by_y = weights.others(y, x);
        sums.extend((y + 1..layer.d).map(|z| ByZ {
            x_by_others: x_by_y.plus(weights.arc(z, x)),
            y_by_any: weights.s1_by_any(z, y, x),
            z_by_x: weights.s0_by_s2(z, y, x),
            near: weights.near(z, y),
            after_x: none,
            after_y: none,
            after_z: none,
            x_goes: none,
            y_goes: none,
            z_by_x_goes: none,
            z_near: none,
        }));
        let by_z = &mut sums[..length];
        let after_x = &layer.concatenated_at[y * nodes + y + 1..][..length];
        let after_y = &layer.concatenated[y * nodes + y + 1..][..length];
        let after_z = &chart.pairs[layer.d * nodes + y + 1..][..length];
        for group in 0..groups(x) {
            let first = chart.shifted[group * nodes + x];
            let two = chart.triples.row(group, x)[y - x - 1];
            let three = &chart.quadruples.row(group, x, y)[..length];
            let of_three = &mut self.quadruples.row_mut(group, x, y)[..length];
            let (x_by_a, y_by_a) = (self.tables.arcs[group * nodes + x], self.tables.arcs[group * nodes + y]);
            let z_by_a = &self.tables.arcs[group * nodes + y + 1..][..length];
            let (before, after) = self.arcs[group * nodes..].split_at_mut(y + 1);
            let of_z_by_a = &mut after[..length];
            let table = &layer.quadruples[group * nodes * nodes..][..nodes * nodes];
            let xy_stay = table[x * nodes + y];
            let xz_stay = &table[x * nodes + y + 1..][..length];
            let yz_stay = &table[y * nodes + y + 1..][..length];
            let (mut of_first, mut of_two, mut of_x_by_a, mut of_y_by_a) = (none, none, none, none);
            for at in 0..length {
                let (after_x, after_y, after_z) = (after_x[at], after_y[at], after_z[at]);
                let (three, z_by_a, xz_stay, yz_stay) = (three[at], z_by_a[at], xz_stay[at], yz_stay[at]);
                let (mut sums, mut of_three_here, mut of_z_by_a_here) =
                    (by_z[at], of_three[at], of_z_by_a[at]);
                for lane in 0..LANES {
                    let (xy, xz, yz) = (xy_stay[lane], xz_stay[lane], yz_stay[lane]);
                    let parted_at_z = three[lane].times(after_z);
                    let parted_later = two[lane].times(after_y).plus(parted_at_z);
                    let frame = first[lane].times(after_x).plus(parted_later);
                    let x_goes = yz.times(x_by_a[lane].plus(sums.x_by_others));
                    let z_goes = xy.times(z_by_a[lane]);
                    let of_frame = x_goes.plus(xz.times(y_by_a[lane])).plus(z_goes);
                    let of_later = of_frame.plus(xz.times(sums.y_by_any)).plus(xy.times(sums.z_by_x));
                    let of_parted = of_later.plus(xy.times(sums.near));
                    of_first[lane] = of_first[lane].plus(of_frame.times(after_x));
                    sums.after_x[lane] = sums.after_x[lane].plus(of_frame.times(first[lane]));
                    of_two[lane] = of_two[lane].plus(of_later.times(after_y));
                    sums.after_y[lane] = sums.after_y[lane].plus(of_later.times(two[lane]));
                    of_three_here[lane] = of_three_here[lane].plus(of_parted.times(after_z));
                    sums.after_z[lane] = sums.after_z[lane].plus(of_parted.times(three[lane]));
                    let x_went = yz.times(frame);
                    of_x_by_a[lane] = of_x_by_a[lane].plus(x_went);
                    sums.x_goes[lane] = sums.x_goes[lane].plus(x_went);
                    of_y_by_a[lane] = of_y_by_a[lane].plus(xz.times(frame));
                    sums.y_goes[lane] = sums.y_goes[lane].plus(xz.times(parted_later));
                    of_z_by_a_here[lane] = of_z_by_a_here[lane].plus(xy.times(frame));
                    sums.z_by_x_goes[lane] = sums.z_by_x_goes[lane].plus(xy.times(parted_later));
                    sums.z_near[lane] = sums.z_near[lane].plus(xy.times(parted_at_z));
                }
                (by_z[at], of_three[at], of_z_by_a[at]) = (sums, of_three_here, of_z_by_a_here);
            }
            add(&mut self.pairs[group * (nodes + 1) + x], of_first);
            add(self.triples.group(group, x, y), of_two);
            add(&mut before[x], of_x_by_a);
            add(&mut before[y], of_y_by_a);
        }
        for (z, of_z) in (y + 1..).zip(&sums) {
            self.layer.of_concatenated_at[y * nodes + z].add(sum(of_z.after_x));
            self.layer.of_concatenated[y * nodes + z].add(sum(of_z.after_y));
            self.layer.pairs[z].add(sum(of_z.after_z));
            self.add_removal(x, &[y, z], sum(of_z.x_goes));
            self.add_removal(y, &[x, z], sum(of_z.y_goes));
            self.add_to_arc(x, z, sum(of_z.z_by_x_goes));
            self.add_removal(z, &[y], sum(of_z.z_near));
        }
        self.layer.by_z = sums;
    }
}

/// sums ⊕= terms
#[inline(always)]
fn add<S: Semiring>(sums: &mut Group<S>, terms: Group<S>) {
    for lane in 0..LANES {
        sums[lane] = sums[lane].plus(terms[lane]);
    }
}

/// ⊕ of all lanes
#[inline(always)]
fn sum<S: Semiring>(lanes: Group<S>) -> S {
    lanes.into_iter().fold(S::ZERO, S::plus)
}
