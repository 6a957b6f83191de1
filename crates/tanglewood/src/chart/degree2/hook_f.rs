//! Hook F, for windows whose deepest node is removed: building it from first premises, and applying it to
//! second ones.

use super::Degree2;
use super::layout::Layout;
use super::off_diagonal_layer::{OffDiagonalLayer, stride};
use super::window_weights::WindowWeights;
use crate::chart::lanes::{
    LANES, Lanes, add_products, array, for_each_tile, lanes, product, put, sum, times,
};
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// Heads by number: none, which is zero; the buffer, if there are several heads in it; h3 itself; each node
/// from k on.
const NONE: usize = 0;
const BUFFER: usize = 1;
const H3: usize = 2;
const FROM_K: usize = 3;

/// F: what a first premise [h1, i, h2, h3, k] contributes when h2 is removed, for groups of pairs (h1, i).
///
/// With a head on the stack it is the same in every layer, so it is stored: that takes a little more room than
/// the chart.
pub(super) struct HookF<S> {
    words: usize,
    /// For each group of pairs the smallest h3 over which it has any.
    lowest: Vec<usize>,
    /// For each group the smallest h2 over which all its pairs are.
    full: Vec<usize>,
    /// By k, then group of pairs, head and h3. Zero where i > h3. Empty for layers that are still to come.
    rows: Vec<Vec<Lanes<S>>>,
    /// Where each group begins, for the present k.
    starts: Vec<usize>,
    /// The diagonal items [h1, i, h1, h3, k] of the layers before, by k, then h3 and pair.
    diagonal: Vec<Vec<Lanes<S>>>,
    /// The number of groups over smaller h3.
    groups_before: Vec<usize>,
    /// The weight of removing h1 with a stack node as head, by head and pair.
    by_stack: Vec<Lanes<S>>,
    /// The same with a head in the buffer.
    by_buffer: Vec<Lanes<S>>,
    /// Where the items [·, ·, h2, h3, k] of the present k would begin for h3 = 0, by h2.
    origins: Vec<usize>,
}

/// The number of heads for k.
#[inline(always)]
fn heads(words: usize, k: usize) -> usize {
    FROM_K + words + 1 - k
}

/// The number of groups that the pairs over h3 make.
#[inline(always)]
fn groups(h3: usize) -> usize {
    if h3 < 2 { 0 } else { Layout::pairs(h3).div_ceil(LANES) }
}

impl<S: Semiring> HookF<S> {
    pub fn new(words: usize, windows: &WindowWeights<'_, S>) -> Result<HookF<S>, OutOfMemory> {
        let (mut lowest, mut full) = (Vec::new(), Vec::new());
        let mut groups_before = vec![0];
        for h3 in 0..=words {
            groups_before.push(groups_before[h3] + groups(h3));
            lowest.resize(groups(h3), h3);
            full.resize(Layout::pairs(h3.max(1)) / LANES, h3);
        }
        full.resize(lowest.len(), words + 1);
        let zero = [S::ZERO; LANES];
        let rows = vec![Vec::new(); words + 1];
        let mut diagonal = vec![Vec::new(); words + 1];
        for k in 2..=words {
            diagonal[k] = table(groups_before[k], zero)?;
        }
        let mut by_stack = table((words + 1) * groups(words), zero)?;
        for (head, row) in by_stack.chunks_exact_mut(groups(words).max(1)).enumerate().skip(2) {
            Layout::spread(|h1| windows.weights.deepest_heads(h1)[head], words, row.as_flattened_mut());
        }
        let (starts, origins) = (table(groups(words), 0)?, table(words + 1, 0)?);
        let by_buffer = table(groups(words), zero)?;
        Ok(HookF { words, lowest, full, rows, starts, diagonal, groups_before, by_stack, by_buffer, origins })
    }

    /// Begins a layer.
    pub fn start_layer(&mut self, windows: &WindowWeights<'_, S>) {
        let by_h1 = windows.deepest_ahead();
        Layout::spread(|h1| by_h1[h1], self.words, self.by_buffer.as_flattened_mut());
    }

    /// Ends a layer, whose items are complete.
    pub fn finish_layer(&mut self, chart: &Degree2<S>, k: usize) {
        for h3 in 2..k {
            let row = self.diagonal[k][self.groups_before[h3]..].as_flattened_mut();
            for i in 2..=h3 {
                let items = &chart.cells[chart.layout.diagonal_row(i, k, h3)..][1..i];
                row[Layout::first_pair(i)..][..i - 1].copy_from_slice(items);
            }
        }
    }

    /// Adds to the items of layer j what second premises [h3, k, h4, h5, j] of one k contribute when s2 is
    /// removed.
    #[inline(always)]
    pub fn remove_deepest(
        &mut self,
        chart: &Degree2<S>,
        layer: &mut OffDiagonalLayer<S>,
        windows: &WindowWeights<'_, S>,
        [k, j]: [usize; 2],
    ) -> Result<(), OutOfMemory> {
        let mut size = 0;
        for group in 0..groups(k - 1) {
            self.starts[group] = size;
            size += (k - self.lowest[group]) * heads(self.words, k);
        }
        for h2 in 2..k - 1 {
            self.origins[h2] = chart.layout.row(h2, k, h2 + 1) - (h2 + 1) * Layout::pairs(h2);
        }
        let mut rows = std::mem::take(&mut self.rows[k]);
        let known = !rows.is_empty();
        if !known {
            rows = table(size, [S::ZERO; LANES])?;
        }
        // Group by group, so that F of one group stays in the cache.
        for group in 0..groups(k - 1) {
            let count = k - self.lowest[group];
            let rows = &mut rows[self.starts[group]..][..count * heads(self.words, k)];
            self.build(chart, windows, [group, k], known, rows);
            // A single head in the buffer is a node like others, and later on the stack.
            let ahead = match windows.buffer_heads[..] {
                [] => NONE,
                [head] => FROM_K + head - k,
                _ => BUFFER,
            };
            let (rows, by_buffer) = (&*rows, &rows[ahead * count..][..count]);
            let (lowest, pair) = (self.lowest[group], group * LANES);
            let hook = GroupOfF { chart, windows, k, j, lowest, pair, count, rows, by_buffer };
            match windows.context_free() {
                true => hook.apply::<false>(layer),
                false => hook.apply::<true>(layer),
            }
        }
        self.rows[k] = rows;
        Ok(())
    }

    /// Builds F for k and one group, as far as it is not known from layers before.
    #[inline(always)]
    fn build(
        &self,
        chart: &Degree2<S>,
        windows: &WindowWeights<'_, S>,
        [group, k]: [usize; 2],
        known: bool,
        rows: &mut [Lanes<S>],
    ) {
        let lowest = self.lowest[group];
        let count = k - lowest;
        let all = groups(self.words);
        if windows.buffer_heads.len() > 1 {
            let by_buffer = windows.deepest_ahead();
            for h3 in lowest..k {
                let weights = |h2: usize| [by_buffer[h2]];
                [rows[BUFFER * count + h3 - lowest]] =
                    self.with_heads(chart, [k, h3, group], [self.by_buffer[group]], weights);
            }
        }
        if known {
            return;
        }
        for h3 in lowest..k {
            if windows.removed_by_stack[1] {
                let weights = |h2: usize| [windows.weights.deepest_heads(h2)[h3]];
                [rows[H3 * count + h3 - lowest]] =
                    self.with_heads(chart, [k, h3, group], [self.by_stack[h3 * all + group]], weights);
            }
            for_each_tile!(k..self.words + 1, head, COUNT => {
                let weights = |h2: usize| lanes::<S, COUNT>(windows.weights.deepest_heads(h2), head);
                let by_pair = array!(COUNT, q => self.by_stack[(head + q) * all + group]);
                let built = self.with_heads(chart, [k, h3, group], by_pair, weights);
                for q in 0..COUNT {
                    rows[(FROM_K + head + q - k) * count + h3 - lowest] = built[q];
                }
            });
        }
    }

    /// F of a group and one h3 for some heads, given their weights by pair, and by h2.
    #[inline(always)]
    fn with_heads<const COUNT: usize>(
        &self,
        chart: &Degree2<S>,
        [k, h3, group]: [usize; 3],
        by_pair: [Lanes<S>; COUNT],
        by_h2: impl Fn(usize) -> [S; COUNT],
    ) -> [Lanes<S>; COUNT] {
        let diagonal = self.diagonal[k][self.groups_before[h3] + group];
        let pair = group * LANES;
        let full = self.full[group].min(h3);
        let sums = array!(COUNT, q => times(diagonal, by_pair[q]));
        // Of the first ones only some pairs count.
        let sums = product!(sums, h2 in self.lowest[group]..full => {
            let row: Lanes<S> = lanes(&chart.cells, self.origins[h2] + h3 * Layout::pairs(h2) + pair);
            let count = Layout::pairs(h2) - pair;
            (by_h2(h2), [array!(LANES, lane => if lane < count { row[lane] } else { S::ZERO }); COUNT])
        });
        product!(sums, h2 in full..h3 => {
            (by_h2(h2), [lanes(&chart.cells, self.origins[h2] + h3 * Layout::pairs(h2) + pair); COUNT])
        })
    }

    /// Numbers stored.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        let tables = self.rows.iter().chain(&self.diagonal).map(Vec::len).sum::<usize>();
        (tables + self.by_stack.len() + self.by_buffer.len()) * LANES
    }
}

/// F of one group of pairs, to be applied to the second premises [h3, k, ·, ·, j].
struct GroupOfF<'a, S> {
    chart: &'a Degree2<S>,
    windows: &'a WindowWeights<'a, S>,
    k: usize,
    j: usize,
    /// The smallest h3.
    lowest: usize,
    /// The first pair.
    pair: usize,
    /// The number of h3.
    count: usize,
    /// F by head and h3.
    rows: &'a [Lanes<S>],
    /// F with a head in the buffer, by h3.
    by_buffer: &'a [Lanes<S>],
}

impl<'a, S: Semiring> GroupOfF<'a, S> {
    /// F with one head, by h3; none if the head is not permitted.
    #[inline(always)]
    fn with_head(&self, head: usize, permitted: bool) -> &'a [Lanes<S>] {
        let head = if permitted { head } else { NONE };
        &self.rows[head * self.count..][..self.count]
    }

    /// Adds what it contributes to the items of layer j. `CONTEXT`: whether the other nodes of the window
    /// contribute anything.
    #[inline(always)]
    fn apply<const CONTEXT: bool>(&self, layer: &mut OffDiagonalLayer<S>) {
        for h4 in self.lowest..self.k {
            self.apply_below::<CONTEXT>(h4, layer.rows(h4, self.j));
        }
        for h4 in self.k..self.j - 1 {
            let rows = layer.rows(h4, self.j);
            for_each_tile!(h4 + 1..self.j, h5, COUNT => self.apply_above::<COUNT, CONTEXT>(h4, h5, rows));
        }
    }

    /// For h4 ≥ k and some h5, with the rows of h4.
    #[inline(always)]
    fn apply_above<const COUNT: usize, const CONTEXT: bool>(&self, h4: usize, h5: usize, rows: &mut [S]) {
        let [by_s0, by_s1] = self.windows.removed_by_stack;
        let row = |q| (h5 + q - h4 - 1) * stride(h4);
        let by_buffer = &self.by_buffer[..self.count];
        let by_s1 = self.with_head(FROM_K + h4 - self.k, by_s1);
        let by_s0: [&[Lanes<S>]; COUNT] = array!(COUNT, q => self.with_head(FROM_K + h5 + q - self.k, by_s0));
        let second = Layout::first_pair(self.k) + self.lowest - 1;
        let seconds: [&[S]; COUNT] = array!(COUNT, q => &rows[row(q) + second..][..self.count]);
        let before: [Lanes<S>; COUNT] = array!(COUNT, q => lanes(rows, row(q) + self.pair));
        let sums = if CONTEXT { [[S::ZERO; LANES]; COUNT] } else { before };
        let sums = product!(sums, at in 0..self.count => {
            let fixed = sum(by_buffer[at], by_s1[at]);
            (array!(COUNT, q => seconds[q][at]), array!(COUNT, q => sum(fixed, by_s0[q][at])))
        });
        for q in 0..COUNT {
            let mut sums = [sums[q]];
            if CONTEXT {
                let context = self.windows.context(h4, h5 + q);
                sums = add_products([before[q]], [context], sums);
            }
            put(sums[0], rows, row(q) + self.pair);
        }
    }

    /// For h4 = h3 < k, where second premises are diagonal items, with the rows of h4.
    #[inline(always)]
    fn apply_below<const CONTEXT: bool>(&self, h4: usize, rows: &mut [S]) {
        let GroupOfF { chart, windows, k, j, .. } = *self;
        let [by_s0, by_s1] = windows.removed_by_stack;
        let h3 = h4 - self.lowest;
        let fixed = sum(self.by_buffer[h3], self.with_head(H3, by_s1)[h3]);
        let (by_s0, step) = if by_s0 { (FROM_K * self.count + h3, self.count) } else { (h3, 0) };
        let second = chart.layout.diagonal_item(h4, k, k, j);
        for h5 in k..j {
            let mut weight = chart.cells[second + (h5 - k) * k];
            if CONTEXT {
                weight = windows.context(h4, h5).times(weight);
            }
            let at = (h5 - h4 - 1) * stride(h4) + self.pair;
            // Not at once, since a maximum of three would be stored with a mask.
            let sums = add_products([lanes(rows, at)], [weight], [fixed]);
            let [sums] = add_products(sums, [weight], [self.rows[by_s0 + (h5 - k) * step]]);
            put(sums, rows, at);
        }
    }
}
