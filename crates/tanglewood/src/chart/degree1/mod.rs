//! The chart for windows of two stack nodes.
//!
//! An item [i, h, j] says that some computation takes (σ, i|β) to (σ|h, j|β') without touching σ. Two items
//! [i, g, k] and [k, d, j] combine to the window g|d, of which one node is removed:
//!
//! * s0 = d goes: [i, g, j] = ⊕ over k of [i, g, k] ⊗ **E**[g; k], where E[g; k] = ⊕ over d of [k, d, j] ⊗
//!   weight;
//! * s1 = g goes: [i, d, j] = ⊕ over k of **F**[i, k; d] ⊗ [k, d, j], where F[i, k; d] = ⊕ over g of [i, g,
//!   k] ⊗ weight. With a head in the buffer the weight depends on j, but not on d.
//!
//! Four indices in each. Layers by ascending j, within a layer by descending h: E[h; k] needs items with
//! larger h only, and [i, h, j] needs, beside E, items with the same h and larger i. What is done for one i
//! is done for its neighbours by the same vector instruction; so rows are by i, and by *descending* i, since
//! those below some i then are at the end of the row, and what is written beyond that does no harm. Items of
//! i = 0 have h = 0 and are kept apart. For arc scores only: the items do not see what lies below.

pub(super) mod rows;

use super::lanes::triangle;
use super::lanes::{LANES, Lanes, PADDING, ROWS, add_products, lanes, product, put, sum};
use super::simd::{self, Instructions, Kernel};
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;
use crate::stop;
use crate::system::Address;

/// A filled chart.
pub(super) struct Degree1<S> {
    words: usize,
    /// By h, then j, then descending i; [`PADDING`]; [0, 0, j] by j.
    cells: Vec<S>,
    /// Where the items of h begin.
    starts: Vec<usize>,
}

impl<S: Semiring> Degree1<S> {
    /// Where the item [0, 0, j] is.
    #[inline(always)]
    fn prefix(&self, j: usize) -> usize {
        self.starts[self.words + 1] + PADDING + j
    }

    /// Numbers in the chart; none if that does not fit a machine word.
    pub(super) fn items(words: usize) -> Option<usize> {
        let n = words as u128;
        usize::try_from(n * (n + 1) * (n + 2) / 6 + n + 2).ok()
    }

    /// Where the item [i, h, j] is.
    #[inline(always)]
    fn place(&self, i: usize, h: usize, j: usize) -> usize {
        self.starts[h] + (j - h - 1) * h + h - i
    }

    /// Fills a chart.
    pub(super) fn fill(
        weights: &Weights<'_, S>,
        instructions: Instructions,
    ) -> Result<Degree1<S>, OutOfMemory> {
        let words = weights.words();
        let nodes = words + 1;
        let starts: Vec<usize> = (0..=nodes).map(|h| (1..h).map(|h| h * (nodes - h)).sum()).collect();
        let cells = table(starts[nodes] + PADDING + words + 2, S::ZERO)?;
        let mut chart = Degree1 { words, cells, starts };
        let first = chart.prefix(1);
        chart.cells[first] = weights.shift(None, 0);
        let removed_ahead = weights.inventory.reach_of_heads(1) > 0;
        let stride = nodes + 1 + ROWS;
        let mut filling = Degree1Filling {
            chart: &mut chart,
            weights,
            layer: SpanLayer::new(words)?,
            stride,
            by_s1: table(nodes * nodes, S::ZERO)?,
            by_s0: table(nodes * stride, S::ZERO)?,
            by_front: table(if removed_ahead { nodes * stride } else { 0 }, S::ZERO)?,
            by_stack: HeadHook::new(nodes)?,
            by_buffer: HeadHook::new(if removed_ahead { nodes } else { 0 })?,
            hook_e: table(nodes + PADDING, S::ZERO)?,
            tops: table(nodes, S::ZERO)?,
        };
        filling.set_weights(removed_ahead);
        simd::run(filling, instructions);
        Ok(chart)
    }

    /// s0 is removed: sets the row of h in the layer.
    #[inline(always)]
    fn remove_s0(&self, h: usize, j: usize, hook_e: &[S], layer: &mut SpanLayer<S>) {
        let row = &mut layer.cells[layer.rows[h]..][..h + LANES];
        row.fill(S::ZERO);
        // Through the chart from one end to the other: memory is slow, unless it knows what comes next.
        let mut first = self.starts[h];
        for weights in hook_e[..j - 1 - h].rchunks(ROWS) {
            match weights {
                [d, c, b, a] => add_rows(row, &self.cells[first..], h, [*a, *b, *c, *d]),
                few => {
                    for (at, &weight) in few.iter().rev().enumerate() {
                        add_rows(row, &self.cells[first + at * h..], h, [weight]);
                    }
                }
            }
            first += ROWS * h;
        }
    }
}

/// sums ⊕= each of some rows ⊗ its weight; there is room for some lanes beyond the end.
#[inline(always)]
fn add_rows<S: Semiring, const COUNT: usize>(sums: &mut [S], rows: &[S], length: usize, weights: [S; COUNT]) {
    for at in (0..length).step_by(LANES) {
        let [sum] =
            product!([lanes(sums, at)], q in 0..COUNT => ([weights[q]], [lanes(rows, q * length + at)]));
        put(sum, sums, at);
    }
}

/// A chart while it is filled, and the workspace for that.
struct Degree1Filling<'a, S> {
    chart: &'a mut Degree1<S>,
    weights: &'a Weights<'a, S>,
    layer: SpanLayer<S>,
    /// Removing s0 with s1 as head, by s1 and then s0.
    by_s1: Vec<S>,
    /// Distance of the rows of the next two.
    stride: usize,
    /// Removing s1 with s0 as head, by s1 and then s0; rows are padded.
    by_s0: Vec<S>,
    /// Removing s1 with a head in the buffer, by s1 and then front; rows are padded. Empty if there may be no
    /// such head.
    by_front: Vec<S>,
    /// F with a head on the stack, and in the buffer.
    by_stack: HeadHook<S>,
    by_buffer: HeadHook<S>,
    /// E by descending k, for one g.
    hook_e: Vec<S>,
    /// The weights of removing s0 above it, by s0.
    tops: Vec<S>,
}

impl<S: Semiring> Degree1Filling<'_, S> {
    /// Sets the weights of removing s0 and s1.
    fn set_weights(&mut self, removed_ahead: bool) {
        let nodes = self.weights.words() + 1;
        let arcs = self.weights.arcs.as_deref().unwrap_or_default();
        if self.weights.inventory.permits(Address::Stack(0), 1) {
            for (row, arcs) in self.by_s0.chunks_exact_mut(self.stride).zip(arcs.chunks_exact(nodes)) {
                row[..nodes].copy_from_slice(arcs);
            }
        }
        if self.weights.inventory.permits(Address::Stack(1), 0) {
            for (s0, arcs) in arcs.chunks_exact(nodes).enumerate() {
                (0..s0).for_each(|s1| self.by_s1[s1 * nodes + s0] = arcs[s1]);
            }
        }
        for front in (1..nodes).filter(|_| removed_ahead) {
            for (s1, &weight) in self.weights.ahead(1, front)[..front].iter().enumerate() {
                self.by_front[s1 * self.stride + front] = weight;
            }
        }
    }

    /// The weights of removing s0 above g with the front j, by s0.
    #[inline(always)]
    fn set_tops(&mut self, g: usize, j: usize) {
        let by_s1 = &self.by_s1[g * (self.chart.words + 1)..][..j];
        for ((top, &ahead), &by_s1) in self.tops[..j].iter_mut().zip(self.weights.ahead(0, j)).zip(by_s1) {
            *top = ahead.plus(by_s1);
        }
    }
}

impl<S: Semiring> Kernel for Degree1Filling<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(mut self) {
        let nodes = self.chart.words + 1;
        for j in 2..=nodes {
            if stop::is_asked() {
                return;
            }
            for h in (1..j).rev() {
                self.set_tops(h, j);
                self.layer.combine_one(j, h + 1, &self.tops, &mut self.hook_e);
                self.chart.remove_s0(h, j, &self.hook_e, &mut self.layer);
                if h + 1 == j {
                    self.layer.cells[self.layer.rows[h]] = self.weights.shift(None, h);
                }
                let by_stack = self.by_stack.rows(h, h);
                if self.by_front.is_empty() {
                    self.layer.remove_s1(h, |at| lanes(by_stack, at));
                } else {
                    let by_buffer = self.by_buffer.rows(j, h);
                    self.layer.remove_s1(h, |at| sum(lanes(by_stack, at), lanes(by_buffer, at)));
                }
                let at = self.chart.place(h, h, j);
                self.chart.cells[at..at + h].copy_from_slice(&self.layer.cells[self.layer.rows[h]..][..h]);
            }
            (1..j).for_each(|s0| self.tops[s0] = self.weights.reduce(&[s0, 0], j, 0));
            self.layer.combine_one(j, 1, &self.tops, &mut self.hook_e);
            for k in 1..j {
                let extended = self.chart.cells[self.chart.prefix(k)].times(self.hook_e[j - 1 - k]);
                let at = self.chart.prefix(j);
                self.chart.cells[at].add(extended);
            }
            if j < nodes {
                self.by_stack.add(&self.layer, j, j..nodes, &self.by_s0, self.stride);
                if !self.by_front.is_empty() {
                    self.by_buffer.add(&self.layer, j, j + 1..nodes + 1, &self.by_front, self.stride);
                }
            }
        }
    }
}

/// The items [·, h, j] of one layer as far as they are known: a row by descending i for each h. Before a row
/// are zeros, for larger i.
struct SpanLayer<S> {
    cells: Vec<S>,
    /// Where the row of h begins.
    rows: Vec<usize>,
}

impl<S: Semiring> SpanLayer<S> {
    fn new(words: usize) -> Result<SpanLayer<S>, OutOfMemory> {
        let rows: Vec<usize> = (0..=words).map(|h| LANES + triangle(h) + h * 2 * LANES).collect();
        Ok(SpanLayer { cells: table(rows[words] + words + 2 * LANES, S::ZERO)?, rows })
    }

    /// ⊕ over h of [i, h, j] ⊗ weight, for `top` ≥ i and those below it and for some rows of weights, which
    /// are by h. What is given for i below `from`, which is the smallest h, has no meaning.
    #[inline(always)]
    fn combine<const COUNT: usize>(
        &self,
        top: usize,
        from: usize,
        j: usize,
        weights: impl Fn(usize) -> [S; COUNT],
    ) -> [Lanes<S>; COUNT] {
        let from = from.max((top + 1).saturating_sub(LANES));
        product!([[S::ZERO; LANES]; COUNT], h in from..j => {
            (weights(h), [lanes(&self.cells, self.rows[h] + h - top); COUNT])
        })
    }

    /// The same for one row of weights and all i from `from` on, by descending i from j − 1 on.
    #[inline(always)]
    fn combine_one(&self, j: usize, from: usize, weights: &[S], out: &mut [S]) {
        for at in (0..j - from).step_by(LANES) {
            let [sums] = self.combine(j - 1 - at, from, j, |h| [weights[h]]);
            put(sums, out, at);
        }
    }

    /// s1 is removed: completes the row of h, which stays. `hook_f` gives F by descending k from h on and,
    /// for each k, descending i; where it is asked for what lies [`LANES`] or less before that, or behind it,
    /// any number will do.
    #[inline(always)]
    fn remove_s1(&mut self, h: usize, hook_f: impl Fn(usize) -> Lanes<S>) {
        let row = &mut self.cells[self.rows[h]..][..h + 2 * LANES];
        for at in (0..h).step_by(LANES) {
            let k = h - at;
            let place = |q: usize| LANES + triangle(h - 1) - triangle((k - 1).saturating_sub(q)) - q - 1;
            // One item after the other is complete, and contributes to the next ones. What becomes of it by
            // that is thrown away.
            let mut open = [lanes(row, at)];
            let mut complete = [S::ZERO; LANES];
            for q in 0..LANES {
                complete[q] = open[0][q];
                let second = if q + 1 < k { complete[q] } else { S::ZERO };
                open = add_products(open, [second], [hook_f(place(q))]);
            }
            put(complete, row, at);
            for below in (at + LANES..h).step_by(LANES) {
                let sums = [lanes(row, below)];
                let [sums] =
                    product!(sums, q in 0..LANES => ([complete[q]], [hook_f(place(q) + below - at)]));
                put(sums, row, below);
            }
        }
    }
}

/// F, by the head or the front, then descending k, then descending i from k − 1 on.
struct HeadHook<S> {
    cells: Vec<S>,
    /// Where the rows of each head or front begin; one more for the end.
    starts: Vec<usize>,
}

impl<S: Semiring> HeadHook<S> {
    /// For heads or fronts up to `last`.
    fn new(last: usize) -> Result<HeadHook<S>, OutOfMemory> {
        let mut starts = vec![LANES];
        for head in 0..=last {
            starts.push(starts[head] + triangle(head) + PADDING);
        }
        Ok(HeadHook { cells: table(starts[last + 1], S::ZERO)?, starts })
    }

    /// Where the row of k begins.
    #[inline(always)]
    fn row(&self, head: usize, k: usize) -> usize {
        self.starts[head] + triangle(head - 1) - triangle(k - 1)
    }

    /// The rows of a head or front for k and those below it, and [`LANES`] numbers before them.
    #[inline(always)]
    fn rows(&self, head: usize, k: usize) -> &[S] {
        &self.cells[self.row(head, k) - LANES..self.starts[head + 1]]
    }

    /// Adds the rows of k for some heads or fronts, when the items of layer k are complete. Weights are by
    /// s1, then by head or front.
    #[inline(always)]
    fn add(
        &mut self,
        layer: &SpanLayer<S>,
        k: usize,
        heads: std::ops::Range<usize>,
        weights: &[S],
        stride: usize,
    ) {
        for at in (0..k - 1).step_by(LANES) {
            let count = LANES.min(k - 1 - at);
            for head in heads.clone().step_by(ROWS) {
                let sums: [_; ROWS] = layer.combine(k - 1 - at, 1, k, |g| lanes(weights, g * stride + head));
                for (head, sums) in (head..heads.end).zip(sums) {
                    let place = self.row(head, k) + at;
                    self.cells[place..place + count].copy_from_slice(&sums[..count]);
                }
            }
        }
    }
}
