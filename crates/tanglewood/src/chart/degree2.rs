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
//! If s2 is never removed, h2 = h1 in every item: those are the *diagonal* items, four indices, and the third hook is gone.
//!
//! The root is never removed; it is the bottom of the stack. Items of h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are
//! kept apart.

use super::below::{AddBelow, Below};
use super::diagonal::Diagonal;
use super::kept::{AddKept, Keep, Kept};
use super::lanes::{LANES, PADDING};
use super::layer::Layer;
use super::layout::Layout;
use super::removed::{MakeRemoved, Remove, Removed};
use super::seconds::{FillDiagonal, Seconds};
use super::simd::Instructions;
use super::team::Team;
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
        let windows = WindowWeights::new(weights);
        let team = Team::new(instructions, threads);
        if weights.inventory.deepest_dependent() == 2 {
            let hooks = AllHooks::new(words, &windows);
            Degree2::fill_with(weights, windows, hooks, team)
        } else {
            Degree2::fill_with(weights, windows, DiagonalHooks::new(words), team)
        }
    }

    fn fill_with<T: TransitionScores + ?Sized, H: Hooks<S>>(
        weights: &Weights<'_, S, T>,
        mut windows: WindowWeights<S>,
        mut hooks: H,
        team: Team,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout::new(words, H::OFF_DIAGONAL);
        let cells = table(layout.items + PADDING, S::ZERO)?;
        let mut chart = Degree2 { layout, cells, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        for j in 2..=words + 1 {
            windows.move_to(weights, j);
            hooks.start_layer(&windows);
            for i in (1..j).rev() {
                if i + 1 == j {
                    for h1 in 0..i {
                        let place = chart.layout.diagonal_item(h1, i, i, j);
                        chart.cells[place] = weights.shift(Some(h1), i);
                    }
                } else {
                    hooks.make_items(&mut chart, i, j, &windows, &team);
                }
                hooks.use_items(&chart, i, j, &windows, &team);
            }
            for k in 1..j {
                for h5 in k..j {
                    let extended =
                        chart.prefix[k].times(chart.diagonal(0, k, h5, j).times(windows.bottom[h5]));
                    chart.prefix[j].add(extended);
                }
            }
            hooks.finish_layer(&mut chart, j);
        }
        Ok(chart)
    }
}

/// What is kept beside a chart while it is filled, and how one (i, j) follows from the others.
trait Hooks<S> {
    /// Whether there are items with h2 ≠ h1.
    const OFF_DIAGONAL: bool;

    /// Begins layer j.
    fn start_layer(&mut self, _windows: &WindowWeights<S>) {}

    /// Makes the items of (i, j), i + 1 < j.
    fn make_items(&mut self, chart: &mut Degree2<S>, i: usize, j: usize, windows: &WindowWeights<S>, team: &Team);

    /// Makes what other items need of those of (i, j).
    fn use_items(&mut self, chart: &Degree2<S>, i: usize, j: usize, windows: &WindowWeights<S>, team: &Team);

    /// Ends layer j.
    fn finish_layer(&mut self, _chart: &mut Degree2<S>, _j: usize) {}
}

/// So many numbers of hooks are stored beside any chart.
const ALWAYS_STORED: usize = 1 << 17;

/// For inventories that remove s2.
struct AllHooks<S> {
    kept: Kept<S>,
    removed: Removed<S>,
    layer: Layer<S>,
    diagonal: Diagonal<S>,
}

impl<S: Semiring> AllHooks<S> {
    fn new(words: usize, windows: &WindowWeights<S>) -> AllHooks<S> {
        let items = Layout::items(words, true).unwrap_or(0);
        let removed = Removed::new(words, windows, items / 4 + ALWAYS_STORED);
        AllHooks { kept: Kept::new(words), removed, layer: Layer::new(words), diagonal: Diagonal::new(words) }
    }
}

impl<S: Semiring> Hooks<S> for AllHooks<S> {
    const OFF_DIAGONAL: bool = true;

    fn start_layer(&mut self, windows: &WindowWeights<S>) {
        self.removed.start_layer(windows);
    }

    fn make_items(&mut self, chart: &mut Degree2<S>, i: usize, j: usize, _: &WindowWeights<S>, team: &Team) {
        let AllHooks { kept, layer, diagonal, .. } = self;
        if i > 1 {
            team.share(Keep { kept, chart, h2: i, j, kept_nodes: i + 1..j, layer: layer.rows(i, j) });
        }
        diagonal.finish(chart, i, j);
    }

    fn use_items(&mut self, chart: &Degree2<S>, k: usize, j: usize, windows: &WindowWeights<S>, team: &Team) {
        let AllHooks { kept, removed, layer, diagonal } = self;
        team.run(AddKept { kept, chart, layer, k, j, windows });
        if k + 1 == j {
            team.run(diagonal.begin(kept, k, j));
        }
        team.share(diagonal.add(kept, k, j));
        if k > 1 {
            team.run(diagonal.begin(kept, k - 1, j));
        }
        if k > 2 {
            team.run(MakeRemoved { removed, chart, k, j, windows });
            team.share(Remove { removed, chart, k, j, windows, h4: 2..j - 1, layer: layer.all() });
            removed.forget(k);
        }
    }

    fn finish_layer(&mut self, chart: &mut Degree2<S>, j: usize) {
        self.layer.finish(chart, j);
        if j <= chart.layout.words {
            self.removed.finish_layer(chart, j);
            self.diagonal.finish_layer(chart, j);
        }
    }
}

/// For inventories that do not.
struct DiagonalHooks<S> {
    below: Below<S>,
    seconds: Seconds<S>,
    out: Vec<[S; LANES]>,
}

impl<S: Semiring> DiagonalHooks<S> {
    fn new(words: usize) -> DiagonalHooks<S> {
        DiagonalHooks { below: Below::new(words), seconds: Seconds::new(words), out: Vec::new() }
    }
}

impl<S: Semiring> Hooks<S> for DiagonalHooks<S> {
    const OFF_DIAGONAL: bool = false;

    fn make_items(
        &mut self,
        chart: &mut Degree2<S>,
        i: usize,
        j: usize,
        windows: &WindowWeights<S>,
        team: &Team,
    ) {
        let DiagonalHooks { below, seconds, out } = self;
        let groups = i.div_ceil(LANES);
        out.resize((j - i) * groups, [S::ZERO; LANES]);
        team.share(FillDiagonal { chart, below, seconds, windows, i, j, kept_nodes: i..j, out });
        for (x, row) in (i..j).zip(out.chunks_exact(groups)) {
            let at = chart.layout.diagonal_row(i, j, x);
            chart.cells[at..at + i].copy_from_slice(&row.as_flattened()[..i]);
        }
    }

    fn use_items(&mut self, chart: &Degree2<S>, k: usize, j: usize, windows: &WindowWeights<S>, team: &Team) {
        let DiagonalHooks { below, seconds, .. } = self;
        seconds.add(chart, k, j, windows);
        team.run(AddBelow { below, chart, k, j, windows });
    }
}

/// A large table.
pub(super) fn table<V: Copy>(size: usize, value: V) -> Result<Vec<V>, OutOfMemory> {
    let mut table = Vec::new();
    table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    table.resize(size, value);
    Ok(table)
}
