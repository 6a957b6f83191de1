//! The hook for windows whose deepest node goes: making it.

use std::ops::Range;

use super::degree2::Degree2;
use super::lanes::{LANES, Sums, lanes, tile};
use super::layout::Layout;
use super::simd::{self, Instructions, Kernel};
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// Numbers for some pairs (h1, i).
pub(super) type Group<S> = [S; LANES];

/// Which head is which.
pub(super) const NONE: usize = 0;
const BUFFER: usize = 1;
pub(super) const H3: usize = 2;
pub(super) const FROM_K: usize = 3;

/// So many numbers are stored beside any chart: they fit into a cache.
const SMALL: usize = 1 << 17;

/// How many numbers may be stored beside a chart.
pub(super) fn room(words: usize) -> usize {
    SMALL + Layout::items(words, true).unwrap_or(0) / 4
}

/// F: what a first premise [h1, i, h2, h3, k] contributes when h2 goes.
///
/// With a head on the stack it is the same in every layer. For small k, where it takes little room and is used by many layers, it is stored; for the
/// others, which would take more room than the chart, it is made anew.
pub(super) struct Removed<S> {
    words: usize,
    /// For each group of pairs the smallest h3 over which it has any.
    lowest: Vec<usize>,
    /// The smallest h2 over which all its pairs are.
    full: Vec<usize>,
    /// By k, then group of pairs, head and h3. Heads: none, which is zero; the buffer, if there are several in it; h3 itself; each node from k on. Zero
    /// where i > h3.
    rows: Vec<Vec<Group<S>>>,
    /// The first k that is not stored.
    stored: usize,
    /// Where each group begins, for the present k.
    starts: Vec<usize>,
    /// The diagonal items [h1, i, h1, h3, k] of the layers before, by k, then h3 and pair.
    diagonal: Vec<Vec<Group<S>>>,
    /// How many groups there are over smaller h3.
    groups_before: Vec<usize>,
    /// The weight of removing h1 with a stack node as head, by head and pair.
    by_stack: Vec<Group<S>>,
    /// The same with a head in the buffer.
    by_buffer: Vec<Group<S>>,
    /// Where the items [·, ·, h2, h3, k] of the present k would begin for h3 = 0, by h2.
    origins: Vec<usize>,
}

impl<S: Semiring> Removed<S> {
    /// Stores up to so many numbers.
    pub fn new(words: usize, windows: &WindowWeights<S>, room: usize) -> Removed<S> {
        let (mut lowest, mut full) = (Vec::new(), Vec::new());
        let mut groups_before = vec![0];
        for h3 in 0..=words {
            groups_before.push(groups_before[h3] + groups(h3));
            lowest.resize(groups(h3), h3);
            full.resize(Layout::pairs(h3.max(1)) / LANES, h3);
        }
        full.resize(lowest.len(), words + 1);
        let mut room = room / LANES;
        let mut stored = 0;
        while stored <= words {
            let size = groups_before[stored] * heads(words, stored);
            if size > room {
                break;
            }
            room -= size;
            stored += 1;
        }
        let mut by_stack = vec![[S::ZERO; LANES]; (words + 1) * groups(words)];
        for (head, row) in by_stack.chunks_exact_mut(groups(words).max(1)).enumerate().skip(2) {
            spread(windows.deepest_row(head), words, row);
        }
        Removed {
            words,
            lowest,
            full,
            rows: vec![Vec::new(); words + 2],
            stored,
            starts: Vec::new(),
            diagonal: vec![Vec::new(); words + 2],
            groups_before,
            by_stack,
            by_buffer: vec![[S::ZERO; LANES]; groups(words)],
            origins: Vec::new(),
        }
    }

    /// Begins a layer.
    pub fn start_layer(&mut self, windows: &WindowWeights<S>) {
        spread(&windows.deepest_by_buffer, self.words, &mut self.by_buffer);
    }

    /// Ends a layer, whose items are complete.
    pub fn finish_layer(&mut self, chart: &Degree2<S>, k: usize) {
        let mut diagonal = vec![[S::ZERO; LANES]; self.groups_before[k]];
        for h3 in 2..k {
            let row = diagonal[self.groups_before[h3]..].as_flattened_mut();
            for i in 2..=h3 {
                let items = &chart.cells[chart.layout.diagonal_row(i, k, h3)..][1..i];
                row[Layout::first_pair(i)..][..i - 1].copy_from_slice(items);
            }
        }
        self.diagonal[k] = diagonal;
    }

    /// Forgets F for k, if it is not to be stored.
    pub fn forget(&mut self, k: usize) {
        if k >= self.stored {
            let rows = std::mem::take(&mut self.rows[k]);
            self.rows[self.words + 1] = rows;
        }
    }

    /// F of a group.
    #[inline(always)]
    pub fn group(&self, group: usize, k: usize, windows: &WindowWeights<S>) -> Rows<'_, S> {
        let lowest = self.lowest[group];
        let count = k - lowest;
        let rows = &self.rows[k][self.starts[group]..][..count * heads(self.words, k)];
        // A single head in the buffer is a node like others, and later on the stack.
        let head = match windows.buffer_heads[..] {
            [] => NONE,
            [head] => FROM_K + head - k,
            _ => BUFFER,
        };
        Rows { lowest, count, pair: group * LANES, rows, by_buffer: &rows[head * count..][..count] }
    }

    /// F of a group and one h3 for some heads, given their weights by pair, and by h2.
    #[inline(always)]
    fn with_heads<const HEADS: usize>(
        &self,
        chart: &Degree2<S>,
        k: usize,
        h3: usize,
        group: usize,
        by_pair: [Group<S>; HEADS],
        by_h2: impl Fn(usize) -> [S; HEADS],
    ) -> [Group<S>; HEADS] {
        let mut sums = [Sums::<S, LANES>::zero(); HEADS];
        let diagonal = self.diagonal[k][self.groups_before[h3] + group];
        for q in 0..HEADS {
            sums[q].add_products(diagonal, by_pair[q]);
        }
        let pair = group * LANES;
        let full = self.full[group].min(h3);
        for h2 in self.lowest[group]..full {
            let row = lanes(&chart.cells, self.origins[h2] + h3 * Layout::pairs(h2) + pair);
            let row = first_of(row, Layout::pairs(h2) - pair);
            let weights = by_h2(h2);
            for q in 0..HEADS {
                sums[q].add_scaled(weights[q], row);
            }
        }
        for h2 in full..h3 {
            let row = lanes(&chart.cells, self.origins[h2] + h3 * Layout::pairs(h2) + pair);
            let weights = by_h2(h2);
            for q in 0..HEADS {
                sums[q].add_scaled(weights[q], row);
            }
        }
        let mut groups = [[S::ZERO; LANES]; HEADS];
        for q in 0..HEADS {
            groups[q] = sums[q].0;
        }
        groups
    }

    /// How many numbers it holds.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        let tables = self.rows.iter().chain(&self.diagonal).map(Vec::len).sum::<usize>();
        (tables + self.by_stack.len() + self.by_buffer.len()) * LANES
    }
}

/// F of one group of pairs, by head and h3.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, S> {
    /// The smallest h3.
    pub lowest: usize,
    /// How many there are.
    pub count: usize,
    /// The first pair.
    pub pair: usize,
    pub rows: &'a [Group<S>],
    /// With a head in the buffer, by h3.
    pub by_buffer: &'a [Group<S>],
}

impl<'a, S> Rows<'a, S> {
    /// F with one head, by h3.
    #[inline(always)]
    pub fn with_head(&self, head: usize) -> &'a [Group<S>] {
        &self.rows[head * self.count..][..self.count]
    }
}

/// A group of which only the first numbers count.
#[inline(always)]
fn first_of<S: Semiring>(row: Group<S>, count: usize) -> Group<S> {
    let mut first = row;
    for lane in 0..LANES {
        first[lane] = if lane < count { row[lane] } else { S::ZERO };
    }
    first
}

/// A number for each pair from one for each h1.
fn spread<S: Semiring>(by_h1: &[S], words: usize, by_pair: &mut [Group<S>]) {
    let by_pair = by_pair.as_flattened_mut();
    for i in 2..=words {
        by_pair[Layout::first_pair(i)..][..i - 1].copy_from_slice(&by_h1[1..i]);
    }
}

/// How many heads there are for k.
#[inline(always)]
fn heads(words: usize, k: usize) -> usize {
    FROM_K + words + 1 - k
}

/// How many groups the pairs over h3 make.
#[inline(always)]
pub(super) fn groups(h3: usize) -> usize {
    if h3 < 2 { 0 } else { Layout::pairs(h3).div_ceil(LANES) }
}

impl<S: Semiring> Removed<S> {
    /// Makes F for k in layer j, as far as it is not there.
    pub fn make(
        &mut self,
        chart: &Degree2<S>,
        k: usize,
        j: usize,
        windows: &WindowWeights<S>,
        instructions: Instructions,
    ) {
        self.starts.clear();
        let mut size = 0;
        for group in 0..groups(k - 1) {
            self.starts.push(size);
            size += (k - self.lowest[group]) * heads(self.words, k);
        }
        self.origins.clear();
        for h2 in 0..k - 1 {
            let before = if h2 < 2 { 0 } else { (h2 + 1) * Layout::pairs(h2) };
            self.origins.push(if h2 < 2 { 0 } else { chart.layout.row(h2, k, h2 + 1) - before });
        }
        let known = !self.rows[k].is_empty();
        // What was made for a k that is not stored makes room for the next one.
        let place = if known || k < self.stored { k } else { self.words + 1 };
        let mut rows = std::mem::take(&mut self.rows[place]);
        if rows.len() < size {
            rows.resize(size, [S::ZERO; LANES]);
        }
        let groups = 0..groups(k - 1);
        simd::run(
            MakeRemoved { removed: self, chart, k, j, windows, known, groups, rows: &mut rows[..size] },
            instructions,
        );
        self.rows[k] = rows;
    }
}

/// Makes F for some groups of pairs.
struct MakeRemoved<'a, S> {
    removed: &'a Removed<S>,
    chart: &'a Degree2<S>,
    k: usize,
    j: usize,
    windows: &'a WindowWeights<S>,
    /// Whether all is there that does not depend on the layer.
    known: bool,
    groups: Range<usize>,
    /// F of these groups.
    rows: &'a mut [Group<S>],
}

impl<S: Semiring> Kernel for MakeRemoved<'_, S> {
    #[inline(always)]
    fn run(self) {
        let MakeRemoved { removed, chart, k, j, windows, known, groups, rows } = self;
        let apart = heads(removed.words, k);
        let end = if k < removed.stored { removed.words + 1 } else { j.min(removed.words) + 1 };
        let first = removed.starts[groups.start];
        for group in groups {
            let lowest = removed.lowest[group];
            let count = k - lowest;
            let rows = &mut rows[removed.starts[group] - first..][..apart * count];
            if windows.buffer_heads.len() > 1 {
                let weight = |h2: usize| [windows.deepest_by_buffer[h2]];
                for (h3, row) in (lowest..k).zip(&mut rows[BUFFER * count..]) {
                    [*row] = removed.with_heads(chart, k, h3, group, [removed.by_buffer[group]], weight);
                }
            }
            if known {
                continue;
            }
            rows[NONE * count..][..count].fill([S::ZERO; LANES]);
            for h3 in lowest..k {
                let heads = Heads { removed, chart, k, h3, group, windows };
                if windows.by_s1 {
                    [rows[H3 * count + h3 - lowest]] = heads.some(h3);
                }
                let mut x = k;
                while x < end {
                    let rows = &mut rows[(FROM_K + x - k) * count + h3 - lowest..];
                    let nodes = tile(end - x);
                    match nodes {
                        1 => store(heads.some::<1>(x), rows, count),
                        2 => store(heads.some::<2>(x), rows, count),
                        _ => store(heads.some::<4>(x), rows, count),
                    }
                    x += nodes;
                }
            }
        }
    }
}

/// Stores some groups, so far apart.
#[inline(always)]
fn store<S: Semiring, const COUNT: usize>(groups: [Group<S>; COUNT], rows: &mut [Group<S>], apart: usize) {
    for q in 0..COUNT {
        rows[q * apart] = groups[q];
    }
}

/// A group and h3 for which heads on the stack are wanted.
struct Heads<'a, S> {
    removed: &'a Removed<S>,
    chart: &'a Degree2<S>,
    k: usize,
    h3: usize,
    group: usize,
    windows: &'a WindowWeights<S>,
}

impl<S: Semiring> Heads<'_, S> {
    /// F with a head and those after it.
    #[inline(always)]
    fn some<const HEADS: usize>(&self, head: usize) -> [Group<S>; HEADS] {
        let all = groups(self.removed.words);
        let mut by_pair = [[S::ZERO; LANES]; HEADS];
        for q in 0..HEADS {
            by_pair[q] = self.removed.by_stack[(head + q) * all + self.group];
        }
        let weights = |h2: usize| lanes(self.windows.deepest_heads(h2), head);
        self.removed.with_heads(self.chart, self.k, self.h3, self.group, by_pair, weights)
    }
}
