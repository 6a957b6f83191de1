//! The chart for windows of three stack nodes.
//!
//! An item [h1, i, h2, h3, j] says that some computation takes (σ|h1, i|β) to (σ|h2|h3, j|β') without touching σ. Two items
//! [h1, i, h2, h3, k] and [h3, k, h4, h5, j] combine to the window h2|h4|h5, of which one node is removed (Cohen, Gómez-Rodríguez
//! and Satta 2011; Shi, Gómez-Rodríguez and Lee 2018). In three hooks:
//!
//! * s0 = h5 or s1 = h4 goes, x stays: [h1, i, h2, x, j] = ⊕ over h3, k of [h1, i, h2, h3, k] ⊗ **E**, where
//!   E[h2; k, h3; x] = ⊕ [h3, k, ·, ·, j] ⊗ weight, over the node that goes (see [`Kept`]);
//! * s2 = h2 goes: [h1, i, h4, h5, j] = ⊕ over h3, k of (**F**[·; h4] ⊕ F[·; h5] ⊕ F by the buffer) ⊗ [h3, k, h4, h5, j], where
//!   F[h1, i, h3, k; x] = ⊕ over h2 of [h1, i, h2, h3, k] ⊗ weight(x → h2) (see [`Removed`]).
//!
//! Everything an item needs has a smaller j, or the same j and a larger i. So the chart is filled by ascending j, and for each j by descending
//! i. E does not depend on h1 and i: items over one h2 are computed for all pairs (h1, i) at once, as soon as E for that h2 is complete. F with
//! a head on the stack does not depend on j: it is computed once, and stored.
//!
//! If s2 is never removed, h2 = h1 in every item: those are the *diagonal* items, four indices, and the third hook is gone (see
//! [`shallow`]).
//!
//! The root is never removed; it is the bottom of the stack. Items of h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are
//! kept apart.

use super::diagonal::Diagonal;
use super::kept::{AddKept, Keep, Kept};
use super::lanes::PADDING;
use super::layout::{Layout, triangle};
use super::removed::{AddRemoved, Remove, Removed};
use super::seconds::Seconds;
use super::shallow;
use super::simd::Instructions;
use super::team::Team;
use super::turned::Turned;
use super::weights::Weights;
use super::windows::WindowWeights;
use crate::scores::TransitionScores;
use crate::semiring::Semiring;

/// A filled chart.
pub struct Degree2<S> {
    pub(super) layout: Layout,
    /// The items, and [`PADDING`].
    pub(super) cells: Vec<S>,
    /// The prefix items [ε, 0, ε, 0, j], by j.
    pub(super) prefix: Vec<S>,
}

/// The chart did not fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl<S: Semiring> Degree2<S> {
    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        self.prefix.last().copied().unwrap_or(S::ZERO)
    }

    /// The weight of [h1, i, h1, h3, j].
    #[inline(always)]
    pub(super) fn diagonal(&self, h1: usize, i: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.diagonal_item(h1, i, h3, j)]
    }

    /// The weight of [h1, i, h2, h3, j] with h2 ≥ i.
    #[inline(always)]
    pub(super) fn off(&self, h1: usize, i: usize, h2: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.item(h1, i, h2, h3, j)]
    }

    /// Fills a chart.
    pub(super) fn fill<T: TransitionScores + ?Sized>(
        weights: &Weights<'_, S, T>,
        instructions: Instructions,
        threads: usize,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout::new(words, weights.inventory.deepest_dependent() == 2);
        let cells = table(layout.items + PADDING, S::ZERO)?;
        let mut chart = Degree2 { layout, cells, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        if !chart.layout.off_diagonal {
            shallow::fill(&mut chart, weights, instructions, threads);
            return Ok(chart);
        }
        let mut work = Work {
            windows: WindowWeights::new(weights),
            kept: Kept::new(words),
            removed: Removed::new(words)?,
            turned: Turned::new(words),
            diagonal: Diagonal::new(words),
            seconds: Seconds::new(words),
            out: Vec::new(),
            team: Team::new(instructions, threads),
        };
        for j in 2..=words + 1 {
            work.windows.move_to(weights, j);
            work.diagonal.start_layer();
            for i in (1..j).rev() {
                if i + 1 == j {
                    for h1 in 0..i {
                        let place = chart.layout.diagonal_item(h1, i, i, j);
                        chart.cells[place] = weights.shift(Some(h1), i);
                    }
                } else {
                    chart.keep(i, j, &mut work);
                    chart.remove(i, j, &mut work);
                    chart.keep_diagonal(i, j, &work.diagonal);
                }
                work.turned.add(&chart, i, j);
                work.seconds.add(&chart, i, j);
                let Work { kept, turned, seconds, windows, diagonal, team, .. } = &mut work;
                team.run(AddKept { kept, chart: &chart, turned, seconds, k: i, j, windows });
                team.share(diagonal.add(&chart, kept, i, j));
            }
            for k in 1..j {
                for h5 in k..j {
                    let extended =
                        chart.prefix[k].times(chart.diagonal(0, k, h5, j).times(work.windows.bottom[h5]));
                    chart.prefix[j].add(extended);
                }
            }
            if j <= words {
                let Work { removed, windows, team, .. } = &mut work;
                team.run(AddRemoved { removed, chart: &chart, k: j, windows });
            }
        }
        Ok(chart)
    }

    /// s0 or s1 goes from windows over h2: for all pairs (h1, i) at once.
    fn keep(&mut self, h2: usize, j: usize, work: &mut Work<S>) {
        let Work { kept, out, team, .. } = work;
        let size = (j - h2 - 1) * Layout::pairs(h2);
        let out = with_size(out, size);
        team.share(Keep { kept, chart: self, h2, j, kept_nodes: h2 + 1..j, out });
        let start = self.layout.row(h2, j, h2 + 1);
        self.cells[start..start + size].copy_from_slice(out);
    }

    /// s2 goes: adds to the items of (i, j).
    fn remove(&mut self, i: usize, j: usize, work: &mut Work<S>) {
        let Work { windows, removed, turned, seconds, out, team, .. } = work;
        let length = i - 1;
        if length == 0 {
            return;
        }
        removed.look_ahead(self, i, j, windows);
        let out = with_size(out, triangle(j - i - 1) * length);
        team.share(Remove { removed, turned, seconds, i, j, h4: i..j - 1, windows, out });
        let mut rows = out.chunks_exact(length);
        for h4 in i..j - 1 {
            for (h5, row) in (h4 + 1..j).zip(&mut rows) {
                let context = windows.context(h4, h5);
                let at = self.layout.item(1, i, h4, h5, j);
                for (cell, &term) in self.cells[at..at + length].iter_mut().zip(row) {
                    cell.add(context.times(term));
                }
            }
        }
    }

    /// The diagonal items of (i, j), where E is stored: they are known by now.
    fn keep_diagonal(&mut self, i: usize, j: usize, diagonal: &Diagonal<S>) {
        for x in i..j {
            let row = self.layout.diagonal_row(i, j, x);
            for h1 in 0..i {
                self.cells[row + h1] = diagonal.item(h1, i, x);
            }
        }
    }
}

/// What is needed while a chart is filled.
struct Work<S> {
    windows: WindowWeights<S>,
    kept: Kept<S>,
    removed: Removed<S>,
    turned: Turned<S>,
    diagonal: Diagonal<S>,
    seconds: Seconds<S>,
    /// Where kernels leave their results.
    out: Vec<S>,
    team: Team,
}

/// A large table.
pub(super) fn table<V: Copy>(size: usize, value: V) -> Result<Vec<V>, OutOfMemory> {
    let mut table = Vec::new();
    table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    table.resize(size, value);
    Ok(table)
}

/// The beginning of a workspace.
fn with_size<S: Semiring>(space: &mut Vec<S>, size: usize) -> &mut [S] {
    if space.len() < size {
        space.resize(size, S::ZERO);
    }
    &mut space[..size]
}
