//! The chart for windows of two stack nodes.
//!
//! An item [i, h, j] says that some computation takes (σ, i|β) to (σ|h, j|β') without touching σ. Two items [i, g, k] and
//! [k, d, j] combine to the window g|d, of which one node is removed:
//!
//! * s0 = d goes: [i, g, j] = ⊕ over k of [i, g, k] ⊗ **E**[g; k], where E[g; k] = ⊕ over d of [k, d, j] ⊗ weight;
//! * s1 = g goes: [i, d, j] = ⊕ over k of **F**[i, k; d] ⊗ [k, d, j], where F[i, k; d] = ⊕ over g of [i, g, k] ⊗ weight. With a head in the
//!   buffer the weight depends on j, but not on d.
//!
//! Four indices in each. Layers by ascending j, within a layer by descending h: E[h; k] needs items with larger h only, and [i, h, j] needs, beside
//! E, items with the same h and larger i. What is done for one i is done for its neighbours by the same vector instruction; so rows are by i, and by
//! *descending* i, since those below some i then are at the end of the row, and what is written beyond that does no harm. Items of i = 0 have
//! h = 0 and are kept apart. For arc scores only: the items do not see what lies below.

use super::lanes::{LANES, NODES, PADDING, Sums, lanes, sum};
use super::layout::triangle;
use super::weights::{self, Weights};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;
use crate::system::Address;

/// A filled chart.
pub struct Degree1<S> {
    pub(super) words: usize,
    /// By h, then j, then descending i; and [`PADDING`].
    pub(super) cells: Vec<S>,
    /// Where the items of h begin.
    starts: Vec<usize>,
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

    /// Where the item [i, h, j] is.
    #[inline(always)]
    pub(super) fn place(&self, i: usize, h: usize, j: usize) -> usize {
        self.starts[h] + (j - h - 1) * h + h - i
    }

    /// The weight of [i, h, j].
    #[inline(always)]
    pub(super) fn item(&self, i: usize, h: usize, j: usize) -> S {
        self.cells[self.place(i, h, j)]
    }

    /// Fills a chart. `#[inline(always)]`, so that it is compiled anew for each instruction set.
    #[inline(always)]
    pub(super) fn fill(weights: &Weights<'_, S>) -> Result<Degree1<S>, OutOfMemory> {
        let words = weights.words();
        let nodes = words + 1;
        let starts: Vec<usize> = (0..=nodes).map(|h| (1..h).map(|h| h * (nodes - h)).sum()).collect();
        let cells = table(starts[nodes] + PADDING, S::ZERO)?;
        let mut chart = Degree1 { words, cells, starts, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        let reduces = Reduces::new(weights);
        let mut by_stack = Removed::new(nodes)?;
        let mut by_buffer = Removed::new(if reduces.buffer_removes_s1 { nodes } else { 0 })?;
        let mut layer = Layer::new(words);
        // E, by descending k, for one g; and the weights of removing s0 beside it, by s0.
        let mut kept = vec![S::ZERO; nodes + PADDING];
        let mut tops = vec![S::ZERO; nodes];
        for j in 2..=nodes {
            let buffer = weights.by_buffer(weights.arcs.as_deref().unwrap_or_default(), j, 0);
            for h in (1..j).rev() {
                let by_s1 = &reduces.by_s1[h * nodes..][..j];
                for ((top, &by_buffer), &by_s1) in tops[..j].iter_mut().zip(&buffer).zip(by_s1) {
                    *top = by_buffer.plus(by_s1);
                }
                layer.combine_one(j, h + 1, &tops, &mut kept);
                chart.keep(h, j, &kept, &mut layer);
                if h + 1 == j {
                    layer.cells[layer.rows[h]] = weights.shift(None, h);
                }
                let by_stack = by_stack.rows(h, h);
                if reduces.buffer_removes_s1 {
                    let by_buffer = by_buffer.rows(j, h);
                    layer.remove_s1(h, |at| sum(lanes(by_stack, at), lanes(by_buffer, at)));
                } else {
                    layer.remove_s1(h, |at| lanes(by_stack, at));
                }
                let at = chart.place(h, h, j);
                chart.cells[at..at + h].copy_from_slice(&layer.cells[layer.rows[h]..][..h]);
            }
            layer.combine_one(j, 1, &weights.at_bottom(j), &mut kept);
            for k in 1..j {
                let extended = chart.prefix[k].times(kept[j - 1 - k]);
                chart.prefix[j].add(extended);
            }
            if j < nodes {
                by_stack.add(&layer, j, j..nodes, &reduces.by_s0, reduces.stride);
                if reduces.buffer_removes_s1 {
                    by_buffer.add(&layer, j, j + 1..nodes + 1, &reduces.by_front, reduces.stride);
                }
            }
        }
        Ok(chart)
    }

    /// s0 goes: sets the row of h in the layer.
    #[inline(always)]
    fn keep(&self, h: usize, j: usize, kept: &[S], layer: &mut Layer<S>) {
        let row = &mut layer.cells[layer.rows[h]..][..h + LANES];
        row.fill(S::ZERO);
        // Through the chart from one end to the other: memory is slow, unless it knows what comes next.
        let mut first = self.starts[h];
        let kept = kept[..j - 1 - h].rchunks(NODES);
        for kept in kept {
            match kept {
                [d, c, b, a] => add_rows(row, &self.cells[first..], h, [*a, *b, *c, *d]),
                few => few.iter().rev().enumerate().for_each(|(at, &kept)| {
                    add_rows(row, &self.cells[first + at * h..], h, [kept]);
                }),
            }
            first += NODES * h;
        }
    }
}

/// sums ⊕= each of some rows ⊗ its weight; there is room for some lanes beyond the end.
#[inline(always)]
fn add_rows<S: Semiring, const ROWS: usize>(sums: &mut [S], rows: &[S], length: usize, weights: [S; ROWS]) {
    for at in (0..length).step_by(LANES) {
        let mut some = Sums::<S, LANES>(lanes(sums, at));
        for q in 0..ROWS {
            some.add_scaled(weights[q], lanes(rows, q * length + at));
        }
        some.store(&mut sums[at..at + LANES]);
    }
}

/// Weights of removing nodes.
struct Reduces<S> {
    /// Removing s0 with s1 as head, by s1 and then s0.
    by_s1: Vec<S>,
    /// How far rows of the next ones are apart.
    stride: usize,
    /// Removing s1 with s0 as head, by s1 and then s0; rows are padded.
    by_s0: Vec<S>,
    /// Removing s1 with a head in the buffer, by s1 and then front; rows are padded.
    by_front: Vec<S>,
    /// Whether there may be such a head.
    buffer_removes_s1: bool,
}

impl<S: Semiring> Reduces<S> {
    fn new(weights: &Weights<'_, S>) -> Reduces<S> {
        let nodes = weights.words() + 1;
        let stride = nodes + 1 + NODES;
        let buffer_removes_s1 = weights.inventory.reach_of_heads(1) > 0;
        let arcs = weights.arcs.as_deref().unwrap_or_default();
        let mut by_s1 = vec![S::ZERO; nodes * nodes];
        if weights.inventory.permits(Address::Stack(1), 0) {
            for s1 in 0..nodes {
                (0..nodes).for_each(|s0| by_s1[s1 * nodes + s0] = arcs[s0 * nodes + s1]);
            }
        }
        let mut by_s0 = vec![S::ZERO; nodes * stride];
        for (row, arcs) in by_s0.chunks_exact_mut(stride).zip(weights::by_s0(weights).chunks_exact(nodes)) {
            row[..nodes].copy_from_slice(arcs);
        }
        let mut by_front = vec![S::ZERO; if buffer_removes_s1 { nodes * stride } else { 0 }];
        if buffer_removes_s1 {
            for front in 1..nodes {
                let weights = weights.by_buffer(arcs, front, 1);
                weights.iter().enumerate().for_each(|(s1, &weight)| by_front[s1 * stride + front] = weight);
            }
        }
        Reduces { by_s1, stride, by_s0, by_front, buffer_removes_s1 }
    }
}

/// The items [·, h, j] of one layer as far as they are known: a row by descending i for each h. Before a row are zeros, for larger i.
struct Layer<S> {
    cells: Vec<S>,
    /// Where the row of h begins.
    rows: Vec<usize>,
}

impl<S: Semiring> Layer<S> {
    fn new(words: usize) -> Layer<S> {
        let rows: Vec<usize> = (0..=words).map(|h| LANES + triangle(h) + h * 2 * LANES).collect();
        Layer { cells: vec![S::ZERO; rows[words] + words + 2 * LANES], rows }
    }

    /// ⊕ over h of [i, h, j] ⊗ weight, for `top` ≥ i and those below it and for some rows of weights, which are by h. What is given for
    /// i below `from`, which is the smallest h, has no meaning.
    #[inline(always)]
    fn combine<const ROWS: usize>(
        &self,
        top: usize,
        from: usize,
        j: usize,
        weights: impl Fn(usize) -> [S; ROWS],
    ) -> [Sums<S, LANES>; ROWS] {
        let mut sums = [Sums::zero(); ROWS];
        for h in from.max((top + 1).saturating_sub(LANES))..j {
            let row = lanes(&self.cells, self.rows[h] + h - top);
            let weights = weights(h);
            for q in 0..ROWS {
                sums[q].add_scaled(weights[q], row);
            }
        }
        sums
    }

    /// The same for one row of weights and all i from `from` on, by descending i from j − 1 on.
    #[inline(always)]
    fn combine_one(&self, j: usize, from: usize, weights: &[S], out: &mut [S]) {
        for at in (0..j - from).step_by(LANES) {
            let [sums] = self.combine(j - 1 - at, from, j, |h| [weights[h]]);
            sums.store(&mut out[at..at + LANES]);
        }
    }

    /// s1 goes: completes the row of h, which stays. `removed` gives F by descending k from h on and, for each k, descending i; where it is asked for
    /// what lies [`LANES`] or less before that, or behind it, any number will do.
    #[inline(always)]
    fn remove_s1(&mut self, h: usize, removed: impl Fn(usize) -> [S; LANES]) {
        let row = &mut self.cells[self.rows[h]..][..h + 2 * LANES];
        for at in (0..h).step_by(LANES) {
            let k = h - at;
            let place = |q: usize| LANES + triangle(h - 1) - triangle((k - 1).saturating_sub(q));
            // One item after the other is complete, and contributes to the next ones. What becomes of it by that is thrown away.
            let mut open = Sums::<S, LANES>(lanes(row, at));
            let mut complete = [S::ZERO; LANES];
            for q in 0..LANES {
                complete[q] = open.0[q];
                let second = if q + 1 < k { complete[q] } else { S::ZERO };
                open.add_scaled(second, removed(place(q) - q - 1));
            }
            row[at..at + LANES].copy_from_slice(&complete);
            for below in (at + LANES..h).step_by(LANES) {
                let mut sums = Sums::<S, LANES>(lanes(row, below));
                for q in 0..LANES {
                    sums.add_scaled(complete[q], removed(place(q) + below - at - q - 1));
                }
                sums.store(&mut row[below..below + LANES]);
            }
        }
    }
}

/// F, by the head or the front, then descending k, then descending i from k − 1 on.
struct Removed<S> {
    cells: Vec<S>,
    /// Where the rows of each head or front begin; one more for the end.
    starts: Vec<usize>,
}

impl<S: Semiring> Removed<S> {
    /// For heads or fronts up to `last`.
    fn new(last: usize) -> Result<Removed<S>, OutOfMemory> {
        let before = |head| LANES + (0..head).map(|head| triangle(head) + PADDING).sum::<usize>();
        let starts: Vec<usize> = (0..=last + 1).map(before).collect();
        Ok(Removed { cells: table(starts[last + 1], S::ZERO)?, starts })
    }

    /// The rows of a head or front for k and those below it, and [`LANES`] numbers before them.
    #[inline(always)]
    fn rows(&self, head: usize, k: usize) -> &[S] {
        &self.cells[self.starts[head] + triangle(head - 1) - triangle(k - 1) - LANES..self.starts[head + 1]]
    }

    /// Adds the rows of k for some heads or fronts, when the items of layer k are complete. Weights are by s1, then by head or front.
    #[inline(always)]
    fn add(
        &mut self,
        layer: &Layer<S>,
        k: usize,
        heads: std::ops::Range<usize>,
        weights: &[S],
        stride: usize,
    ) {
        for at in (0..k - 1).step_by(LANES) {
            for head in heads.clone().step_by(NODES) {
                let sums: [_; NODES] = layer.combine(k - 1 - at, 1, k, |g| lanes(weights, g * stride + head));
                for (head, sums) in (head..heads.end).zip(sums) {
                    let place = self.starts[head] + triangle(head - 1) - triangle(k - 1) + at;
                    sums.store(&mut self.cells[place..place + LANES.min(k - 1 - at)]);
                }
            }
        }
    }
}
