//! All frames with the same first inner node and the same end.

use super::weights::FrameWeights;
use super::{FrameChart, Layer, Rows3};
use crate::chart::lanes::{LANES, lanes};
use crate::semiring::Semiring;

/// row ⊕= terms
#[inline(always)]
fn add_lanes<S: Semiring, const WIDTH: usize>(row: &mut [S], terms: [S; WIDTH]) {
    let mut sums: [S; WIDTH] = lanes(row, 0);
    for lane in 0..WIDTH {
        sums[lane] = sums[lane].plus(terms[lane]);
    }
    row[..WIDTH].copy_from_slice(&sums);
}

impl<S: Semiring> FrameChart<S> {
    /// Reduces in frames [a, x, y, d] of several whole items, for all a and y.
    #[inline(always)]
    pub(super) fn spread4(&self, x: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        let mut a = 0;
        while a < x {
            if x - a <= LANES {
                self.spread4_lanes::<LANES>(x, a, layer, weights);
                a += LANES;
            } else {
                self.spread4_lanes::<{ 2 * LANES }>(x, a, layer, weights);
                a += 2 * LANES;
            }
        }
    }

    #[inline(always)]
    fn spread4_lanes<const WIDTH: usize>(
        &self,
        x: usize,
        a: usize,
        layer: &mut Layer<S>,
        weights: &impl FrameWeights<S>,
    ) {
        let first: [S; WIDTH] = lanes(&self.shifted, x * self.stride + a);
        let mut x_stays = [S::ZERO; WIDTH];
        let mut row = self.triples.row(x, x + 1) + a;
        for y in x + 1..layer.d {
            let rest = layer.concatenated[x * layer.nodes + y];
            let last = weights.shift(Some(x), y).times(layer.pairs[y]);
            let near = weights.near(y, x);
            let two: [S; WIDTH] = lanes(self.triples.cells(), row);
            row += Rows3::<S>::step(x);
            let x_goes: [S; WIDTH] = weights.s1_by_any_lanes(y, x, a);
            let y_goes: [S; WIDTH] = weights.s0_by_s2_lanes(y, x, a);
            let mut y_stays = [S::ZERO; WIDTH];
            for lane in 0..WIDTH {
                let parted_at_y = two[lane].times(last);
                let frame = first[lane].times(rest).plus(parted_at_y);
                y_stays[lane] = frame.times(x_goes[lane]);
                let x_term = frame.times(y_goes[lane]).plus(parted_at_y.times(near));
                x_stays[lane] = x_stays[lane].plus(x_term);
            }
            add_lanes(&mut layer.triples[y * layer.stride + a..], y_stays);
        }
        add_lanes(&mut layer.triples[x * layer.stride + a..], x_stays);
    }

    /// Reduces in frames [a, x, y, z, d], for all a, y and z.
    #[inline(always)]
    pub(super) fn spread5(&self, x: usize, layer: &mut Layer<S>, weights: &impl FrameWeights<S>) {
        for a in (0..x).step_by(LANES) {
            for y in x + 1..layer.d {
                self.spread5_lanes::<LANES>(x, y, a, layer, weights);
            }
        }
    }

    #[inline(always)]
    fn spread5_lanes<const WIDTH: usize>(
        &self,
        x: usize,
        y: usize,
        a: usize,
        layer: &mut Layer<S>,
        weights: &impl FrameWeights<S>,
    ) {
        if y + 1 == layer.d {
            return;
        }
        let (nodes, stride) = (layer.nodes, layer.stride);
        let first: [S; WIDTH] = lanes(&self.shifted, x * self.stride + a);
        let two: [S; WIDTH] = lanes(self.triples.cells(), self.triples.row(x, y) + a);
        let shift_y = weights.shift(Some(x), y);
        let mut xy_stay = [S::ZERO; WIDTH];
        let mut row = self.quadruples.row(x, y, y + 1) + a;
        for z in y + 1..layer.d {
            let after_x = layer.concatenated_at[y * nodes + z];
            let after_y = shift_y.times(layer.concatenated[y * nodes + z]);
            let after_z = weights.shift(Some(y), z).times(layer.pairs[z]);
            let (near, z_by_x) = (weights.near(z, y), weights.s0_by_s2(z, y, x));
            let y_by_x_or_later = weights.s1_by_any(z, y, x);
            let three: [S; WIDTH] = lanes(self.quadruples.cells(), row);
            row += Rows3::<S>::step(x);
            let x_goes: [S; WIDTH] = weights.s2_by_any_lanes(z, y, x, a);
            let y_by_a: [S; WIDTH] = weights.s1_by_s3_lanes(z, y, x, a);
            let z_by_a: [S; WIDTH] = weights.s0_by_s3_lanes(z, y, x, a);
            let mut yz_stay = [S::ZERO; WIDTH];
            let mut xz_stay = [S::ZERO; WIDTH];
            for lane in 0..WIDTH {
                let parted_at_z = three[lane].times(after_z);
                let parted_later = two[lane].times(after_y).plus(parted_at_z);
                let frame = first[lane].times(after_x).plus(parted_later);
                yz_stay[lane] = frame.times(x_goes[lane]);
                xz_stay[lane] = frame.times(y_by_a[lane]).plus(parted_later.times(y_by_x_or_later));
                let by_stack = frame.times(z_by_a[lane]).plus(parted_later.times(z_by_x));
                xy_stay[lane] = xy_stay[lane].plus(by_stack.plus(parted_at_z.times(near)));
            }
            add_lanes(&mut layer.quadruples[(y * nodes + z) * stride + a..], yz_stay);
            add_lanes(&mut layer.quadruples[(x * nodes + z) * stride + a..], xz_stay);
        }
        add_lanes(&mut layer.quadruples[(x * nodes + y) * stride + a..], xy_stay);
    }
}
