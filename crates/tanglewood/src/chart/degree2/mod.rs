//! The chart for windows of three stack nodes.
//!
//! An item [h1, i, h2, h3, j] says that some computation takes (σ|h1, i|β) to (σ|h2|h3, j|β') without
//! touching σ. Two items [h1, i, h2, h3, k] and [h3, k, h4, h5, j] combine to the window h2|h4|h5, of which
//! one node is removed (Cohen, Gómez-Rodríguez and Satta 2011; Shi, Gómez-Rodríguez and Lee 2018):
//!
//! * s0 = h5 or s1 = h4, and x stays: [h1, i, h2, x, j] = ⊕ over h3, k of [h1, i, h2, h3, k] ⊗ **E**, where
//!   E[h2; k, h3; x] = ⊕ [h3, k, ·, ·, j] ⊗ weight, over the node that is removed;
//! * s2 = h2: [h1, i, h4, h5, j] = ⊕ over h3, k of (**F**[·; h4] ⊕ F[·; h5] ⊕ F by the buffer) ⊗ [h3, k, h4,
//!   h5, j], where F[h1, i, h3, k; x] = ⊕ over h2 of [h1, i, h2, h3, k] ⊗ weight(x → h2).
//!
//! Seven indices in each. If s2 is never removed, h2 = h1 in every item: those are the *diagonal* items, four
//! indices; [`diagonal_chart`] fills such charts. E does not depend on h1 and i, nor F on h4 and h5.
//! So whatever is done for one pair (h1, i) is done for its neighbours by the same vector instruction, and
//! pairs stand together in the chart: there are many of them even in short sentences, where a row by h1 alone
//! would leave most lanes empty.
//!
//! Everything an item needs has a smaller j, or the same j and a larger i. So a chart is filled by ascending
//! j, and for each j from right to left; what second premises of one k contribute is added to items of
//! smaller i as soon as they are complete. The root is never removed; it is the bottom of the stack. Items of
//! h1 = 0 are diagonal, and the prefix items [ε, 0, ε, 0, j] are kept apart.

mod diagonal_chart;
mod diagonal_layer;
mod hook_e;
mod hook_f;
pub(super) mod layout;
mod off_diagonal_layer;
pub(super) mod rows;
mod window_weights;

use diagonal_layer::DiagonalLayer;
use hook_e::HookE;
use hook_f::HookF;
use layout::Layout;
use off_diagonal_layer::OffDiagonalLayer;
use window_weights::WindowWeights;

use super::lanes::PADDING;
use super::simd::{self, Instructions, Kernel};
use super::weights::Weights;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;
use crate::stop;

/// A filled chart.
pub(super) struct Degree2<S> {
    pub(super) layout: Layout,
    /// The items, [`PADDING`], and the prefix items [ε, 0, ε, 0, j] by j.
    cells: Vec<S>,
}

impl<S: Semiring> Degree2<S> {
    /// The place of the prefix item of j.
    #[inline(always)]
    fn prefix(&self, j: usize) -> usize {
        self.layout.items + PADDING + j
    }

    /// The weight of [h1, i, h1, h3, j].
    #[inline(always)]
    fn diagonal(&self, h1: usize, i: usize, h3: usize, j: usize) -> S {
        self.cells[self.layout.diagonal_item(h1, i, h3, j)]
    }

    /// An empty chart.
    fn new(weights: &Weights<'_, S>) -> Result<Degree2<S>, OutOfMemory> {
        let words = weights.words();
        let layout = Layout::new(words, weights.inventory.deepest_dependent() == 2);
        let cells = table(layout.items + PADDING + words + 2, S::ZERO)?;
        let mut chart = Degree2 { layout, cells };
        let first = chart.prefix(1);
        chart.cells[first] = weights.shift(None, 0);
        Ok(chart)
    }

    /// Fills a chart.
    pub(super) fn fill(
        weights: &Weights<'_, S>,
        instructions: Instructions,
    ) -> Result<Degree2<S>, OutOfMemory> {
        let mut chart = Degree2::new(weights)?;
        let words = weights.words();
        let mut windows = WindowWeights::new(weights)?;
        if chart.layout.off_diagonal {
            let mut hooks = Hooks::new(words, &windows)?;
            hooks.fill(&mut chart, &mut windows, instructions)?;
        } else {
            diagonal_chart::fill(&mut chart, &mut windows, instructions)?;
        }
        Ok(chart)
    }

    /// Adds to the prefix item of j what its items contribute, which are complete.
    fn extend_prefix(&mut self, windows: &WindowWeights<'_, S>, j: usize) {
        for k in 1..j {
            for h5 in k..j {
                let second = self.diagonal(0, k, h5, j).times(windows.bottom[h5]);
                let (at, extended) = (self.prefix(j), self.cells[self.prefix(k)].times(second));
                self.cells[at].add(extended);
            }
        }
    }
}

/// Number of numbers that are kept beside a chart with items of h2 ≠ h1, but for tables of the third order; a
/// little more than that.
pub(super) fn workspace(words: usize) -> u128 {
    let n = words as u128;
    // F takes fewer than there are choices of five out of n + 5.
    (n + 12).pow(4) / 3 + (n + 5) * (n + 4) * (n + 3) * (n + 2) * (n + 1) / 120
}

/// The workspace for charts with items of h2 ≠ h1.
struct Hooks<S> {
    hook_e: HookE<S>,
    hook_f: HookF<S>,
    /// The items of the present layer: diagonal ones, and the others.
    diagonal: DiagonalLayer<S>,
    rows: OffDiagonalLayer<S>,
}

impl<S: Semiring> Hooks<S> {
    fn new(words: usize, windows: &WindowWeights<'_, S>) -> Result<Hooks<S>, OutOfMemory> {
        Ok(Hooks {
            hook_e: HookE::new(words)?,
            hook_f: HookF::new(words, windows)?,
            diagonal: DiagonalLayer::new(words)?,
            rows: OffDiagonalLayer::new(words)?,
        })
    }

    /// Fills an empty chart.
    fn fill(
        &mut self,
        chart: &mut Degree2<S>,
        windows: &mut WindowWeights<'_, S>,
        instructions: Instructions,
    ) -> Result<(), OutOfMemory> {
        let weights = windows.weights;
        for j in 2..=weights.words() + 1 {
            if stop::is_asked() {
                break;
            }
            windows.move_to(j);
            self.hook_f.start_layer(windows);
            for h1 in 0..j - 1 {
                let place = chart.layout.diagonal_item(h1, j - 1, j - 1, j);
                chart.cells[place] = weights.shift(Some(h1), j - 1);
            }
            let mut done = Ok(());
            simd::run(FillLayer { hooks: self, chart, windows, j, done: &mut done }, instructions);
            done?;
            chart.extend_prefix(windows, j);
            self.rows.finish(chart, j);
            if j <= weights.words() {
                self.hook_f.finish_layer(chart, j);
                self.diagonal.finish_layer(chart, j);
            }
        }
        Ok(())
    }
}

/// Computes the items of layer j, from right to left.
struct FillLayer<'a, S> {
    hooks: &'a mut Hooks<S>,
    chart: &'a mut Degree2<S>,
    windows: &'a WindowWeights<'a, S>,
    j: usize,
    done: &'a mut Result<(), OutOfMemory>,
}

impl<S: Semiring> Kernel for FillLayer<'_, S> {
    const VECTORS: bool = S::VECTORS;

    #[inline(always)]
    fn run(self) {
        let FillLayer { hooks: Hooks { hook_e, hook_f, diagonal, rows }, chart, windows, j, done } = self;
        for k in (1..j).rev() {
            if stop::is_asked() {
                return;
            }
            // The items of i = k are complete but for these.
            if k + 1 < j {
                if k > 1 {
                    hook_e.apply(chart, k, j, rows.rows(k, j));
                }
                diagonal.finish(chart, k, j);
            }
            hook_e.build(chart, rows, windows, k, j);
            if k + 1 == j {
                diagonal.begin(hook_e, k, j);
            }
            diagonal.apply(hook_e, k, j);
            if k > 1 {
                diagonal.begin(hook_e, k - 1, j);
            }
            if k > 2 && done.is_ok() {
                *done = hook_f.remove_deepest(chart, rows, windows, [k, j]);
            }
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::ArcScores;
    use crate::semiring::Boolean;
    use crate::system::System;

    #[test]
    fn the_workspace_is_as_large_as_announced() {
        for words in [1, 2, 3, 5, 8, 13, 21, 34] {
            let (system, scores) = (System::named("all").expect("a name"), ArcScores::new(words));
            let weights = Weights::<Boolean>::new(&system, (&scores).into(), true).expect("little memory");
            let mut windows = WindowWeights::new(&weights).expect("little memory");
            let mut chart = Degree2::new(&weights).expect("little memory");
            let mut hooks = Hooks::new(words, &windows).expect("little memory");
            let done = hooks.fill(&mut chart, &mut windows, Instructions::best());
            done.expect("little memory");
            let Hooks { hook_e, hook_f, diagonal, rows } = hooks;
            let size = (hook_e.cells.len() + hook_f.size() + diagonal.size() + rows.cells.len()) as u128;
            assert!(size <= workspace(words), "{words} words: {size} numbers of {}", workspace(words));
        }
    }
}
