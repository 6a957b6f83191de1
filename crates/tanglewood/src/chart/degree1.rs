//! The chart for windows of two stack nodes.
//!
//! An item [i, h, j] says that some computation takes (σ, i|β) to (σ|h, j|β') without touching σ. Two items [i, g, k] and
//! [k, d, j] combine to the window g|d, of which one node is removed:
//!
//! * s0 = d goes: [i, g, j] = ⊕ over k of [i, g, k] ⊗ **E**[g; k], where E[g; k] = ⊕ over d of [k, d, j] ⊗ weight;
//! * s1 = g goes: [i, d, j] = ⊕ over k of **F**[i, k; d] ⊗ [k, d, j], where F[i, k; d] = ⊕ over g of [i, g, k] ⊗ weight. With a head in the
//!   buffer the weight depends on j, but not on d.
//!
//! Four indices in each. Layers by ascending j, within a layer by descending i. Items of i = 0 have h = 0 and are kept apart. For arc scores
//! only: the items do not see what lies below.

use super::degree2::OutOfMemory;
use super::weights::{PairWeights, Weights};
use crate::scores::TransitionScores;
use crate::semiring::Semiring;

/// A filled chart.
pub struct Degree1<S> {
    pub(super) words: usize,
    /// Layer j at place j: by descending i, a row by h from i on.
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

    /// Where the item [i, h, j] is in layer j.
    #[inline(always)]
    pub(super) fn place(i: usize, h: usize, j: usize) -> usize {
        (j - i) * (j - i - 1) / 2 + (h - i)
    }

    /// The items of (i, j) by h from i on, for i from 1 on.
    #[inline(always)]
    pub(super) fn row(&self, i: usize, j: usize) -> &[S] {
        &self.layers[j][Self::place(i, i, j)..][..j - i]
    }

    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub(super) fn fill<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
    ) -> Result<Degree1<S>, OutOfMemory> {
        let words = weights.words();
        let nodes = words + 1;
        let mut chart =
            Degree1 { words, layers: vec![Vec::new(); words + 2], prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        let by_s0 = PairWeights::by_s0(weights);
        // F with a head on the stack, by i and k, a row by d from k on.
        let mut removed: Vec<Vec<S>> = vec![Vec::new(); nodes * nodes];
        for j in 2..=nodes {
            let pairs = PairWeights::at_front(weights, j);
            let bottom = weights.at_bottom(j);
            let mut layer: Vec<S> = Vec::new();
            layer.try_reserve_exact(j * (j - 1) / 2).map_err(|_| OutOfMemory)?;
            chart.layers[j] = layer;
            // E for this layer, by k and g; a row of k is there as soon as the items of (k, j) are.
            let mut kept = vec![S::ZERO; j * j];
            for i in (1..j).rev() {
                let row = chart.new_row(i, j, weights, &pairs, &kept, &removed);
                for g in 1..i {
                    kept[i * j + g] = dot(&row, &pairs.row(g)[i..]);
                }
                if j < nodes {
                    let mut heads = vec![S::ZERO; nodes - j];
                    for (g, &first) in (i..j).zip(&row) {
                        for (sum, &weight) in heads.iter_mut().zip(&by_s0[g * nodes + j..(g + 1) * nodes]) {
                            sum.add(first.times(weight));
                        }
                    }
                    removed[i * nodes + j] = heads;
                }
                chart.layers[j].extend_from_slice(&row);
            }
            for k in 1..j {
                let extended = chart.prefix[k].times(dot(chart.row(k, j), &bottom[k..]));
                chart.prefix[j].add(extended);
            }
        }
        Ok(chart)
    }

    #[inline(always)]
    fn new_row<T: TransitionScores + ?Sized>(
        &self,
        i: usize,
        j: usize,
        weights: &Weights<'_, S, T>,
        pairs: &PairWeights<S>,
        kept: &[S],
        removed: &[Vec<S>],
    ) -> Vec<S> {
        let mut out = vec![S::ZERO; j - i];
        if i + 1 == j {
            out[0] = weights.shift(None, i);
            return out;
        }
        for k in i + 1..j {
            let (first, second) = (self.row(i, k), self.row(k, j));
            for ((out, &first), &kept) in out.iter_mut().zip(first).zip(&kept[k * j + i..]) {
                out.add(first.times(kept));
            }
            let by_buffer = dot(first, &pairs.by_buffer[i..]);
            let heads = &removed[i * (self.words + 1) + k];
            for ((out, &second), &head) in out[k - i..].iter_mut().zip(second).zip(heads) {
                out.add(second.times(by_buffer.plus(head)));
            }
        }
        out
    }
}

/// ⊕ of products, as far as the shorter row goes.
#[inline(always)]
fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    // Four sums side by side: one would wait for itself.
    let mut sums = [S::ZERO; 4];
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let whole = length - length % 4;
    for at in (0..whole).step_by(4) {
        for q in 0..4 {
            sums[q] = sums[q].plus(a[at + q].times(b[at + q]));
        }
    }
    let rest = (whole..length).fold(S::ZERO, |sum, at| sum.plus(a[at].times(b[at])));
    sums[0].plus(sums[1]).plus(sums[2].plus(sums[3])).plus(rest)
}
