//! The chart for windows of two stack nodes.
//!
//! An item [i, h, j] says that some computation takes (σ, i|β) to (σ|h, j|β') without touching σ. Two items [i, g, k] and
//! [k, d, j] combine to the window g|d, of which one node is removed:
//!
//! * s0 = d goes: [i, g, j] = ⊕ over k of [i, g, k] ⊗ **E**[g; k], where E[g; k] = ⊕ over d of [k, d, j] ⊗ weight;
//! * s1 = g goes: [i, d, j] = ⊕ over k of **F**[i, k; d] ⊗ [k, d, j], where F[i, k; d] = ⊕ over g of [i, g, k] ⊗ weight.
//!
//! Four indices in each. Layers by ascending j, within a layer by descending i. Items of i = 0 have h = 0 and are kept apart.

use super::degree2::{OutOfMemory, dot};
use super::weights::{FrontWeights, Weights};
use crate::scores::TransitionScores;
use crate::semiring::Semiring;

/// A filled chart.
pub struct Degree1<S> {
    pub(super) words: usize,
    /// Layer j at place j: for i from 1 on, a row by h from i on.
    pub(super) layers: Vec<Vec<S>>,
    /// [0, 0, j] by j.
    pub(super) prefix: Vec<S>,
}

impl<S: Semiring> Degree1<S> {
    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.prefix.last().copied().unwrap_or(S::ZERO)
    }

    /// Numbers in the chart; none if that does not fit a machine word.
    pub(super) fn items(words: usize) -> Option<usize> {
        let n = words as u128;
        usize::try_from(n * (n + 1) * (n + 2) / 6 + n + 2).ok()
    }

    /// The items of (i, j) by h from i on, for i from 1 on.
    #[inline(always)]
    pub(super) fn row(&self, i: usize, j: usize) -> &[S] {
        let length = j - i;
        &self.layers[j][length * (length - 1) / 2..][..length]
    }

    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub(super) fn fill<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
    ) -> Result<Degree1<S>, OutOfMemory> {
        let words = weights.words();
        let mut chart =
            Degree1 { words, layers: vec![Vec::new(); words + 2], prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        for j in 2..=words + 1 {
            let front = weights.at_front(j, 1);
            let mut layer: Vec<S> = Vec::new();
            layer.try_reserve_exact(j * (j - 1) / 2).map_err(|_| OutOfMemory)?;
            chart.layers[j] = layer;
            // E[g; k] for this layer, by k and g; a row of k is there as soon as the items of (k, j) are.
            let mut kept = vec![S::ZERO; j * j];
            for i in (1..j).rev() {
                let row = chart.new_row(i, j, weights, &front, &kept);
                chart.layers[j].extend_from_slice(&row);
                for g in 1..i {
                    kept[i * j + g] = dot(&row, &front.pair_row(0, g)[i..]);
                }
            }
            chart.extend_prefix(j, &front);
        }
        Ok(chart)
    }

    #[inline(always)]
    fn new_row<T: TransitionScores + ?Sized>(
        &self,
        i: usize,
        j: usize,
        weights: &Weights<'_, S, T>,
        front: &FrontWeights<S>,
        kept: &[S],
    ) -> Vec<S> {
        let mut out = vec![S::ZERO; j - i];
        if i + 1 == j {
            // Which node is below does not matter: degree-1 items do not see it when they shift.
            out[0] = weights.shift(None, i);
            return out;
        }
        let mut removed = vec![S::ZERO; j];
        for k in i + 1..j {
            let (first, second) = (self.row(i, k), self.row(k, j));
            removed[k..].fill(S::ZERO);
            for ((out, &first), &kept) in out.iter_mut().zip(first).zip(&kept[k * j + i..]) {
                out.add(first.times(kept));
            }
            for (g, &first) in (i..k).zip(first) {
                for (sum, &weight) in removed[k..].iter_mut().zip(&front.pair_row(1, g)[k..]) {
                    sum.add(first.times(weight));
                }
            }
            for ((out, &second), &removed) in out[k - i..].iter_mut().zip(second).zip(&removed[k..]) {
                out.add(second.times(removed));
            }
        }
        out
    }

    #[inline(always)]
    fn extend_prefix(&mut self, j: usize, front: &FrontWeights<S>) {
        for k in 1..j {
            let removed = dot(self.row(k, j), &front.bottom[k..j]);
            let extended = self.prefix[k].times(removed);
            self.prefix[j].add(extended);
        }
    }
}
