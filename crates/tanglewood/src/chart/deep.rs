//! Filling a chart whose s2 may be removed.
//!
//! * s0 = h5 or s1 = h4 goes, x stays: [h1, i, h2, x, j] = ⊕ over h3, k of [h1, i, h2, h3, k] ⊗ **E**, where
//!   E[h2; k, h3; x] = ⊕ [h3, k, ·, ·, j] ⊗ weight, over the node that goes (see [`Kept`]);
//! * s2 = h2 goes: [h1, i, h4, h5, j] = ⊕ over h3, k of (**F**[·; h4] ⊕ F[·; h5] ⊕ F by the buffer) ⊗ [h3, k, h4, h5, j], where
//!   F[h1, i, h3, k; x] = ⊕ over h2 of [h1, i, h2, h3, k] ⊗ weight(x → h2) (see [`Removed`]).
//!
//! Seven indices in each. E does not depend on h1 and i, nor F on h4 and h5. So whatever is done for one pair (h1, i) is done for its neighbours by the
//! same vector instruction, and pairs stand together in the chart: there are many of them even in short sentences, where a row by h1 alone would leave
//! most lanes empty. It is done as soon as the second premises of one k are complete, which adds to items of smaller i.

use super::degree2::Degree2;
use super::diagonal::Diagonal;
use super::kept::{AddKept, Keep, Kept};
use super::layer::Layer;
use super::remove::Remove;
use super::removed::{self, Removed};
use super::simd::{self, Instructions};
use super::weights::Weights;
use super::windows::WindowWeights;
use crate::semiring::Semiring;

/// Fills an empty chart.
pub(super) fn fill<S: Semiring>(
    chart: &mut Degree2<S>,
    weights: &Weights<'_, S>,
    instructions: Instructions,
) {
    fill_with_room(chart, weights, instructions, removed::room(chart.layout.words));
}

/// Fills an empty chart with room for so many numbers of F, and returns what was of use for that.
fn fill_with_room<S: Semiring>(
    chart: &mut Degree2<S>,
    weights: &Weights<'_, S>,
    instructions: Instructions,
    room: usize,
) -> Hooks<S> {
    let words = chart.layout.words;
    let mut windows = WindowWeights::new(weights);
    let mut hooks = Hooks {
        kept: Kept::new(words),
        removed: Removed::new(words, &windows, room),
        layer: Layer::new(words),
        diagonal: Diagonal::new(words),
    };
    for j in 2..=words + 1 {
        windows.move_to(weights, j);
        hooks.removed.start_layer(&windows);
        for h1 in 0..j - 1 {
            let place = chart.layout.diagonal_item(h1, j - 1, j - 1, j);
            chart.cells[place] = weights.shift(Some(h1), j - 1);
        }
        for i in (1..j).rev() {
            if i + 1 < j {
                hooks.complete(chart, i, j, instructions);
            }
            hooks.add(chart, i, j, &windows, instructions);
        }
        for k in 1..j {
            for h5 in k..j {
                let extended = chart.prefix[k].times(chart.diagonal(0, k, h5, j).times(windows.bottom[h5]));
                chart.prefix[j].add(extended);
            }
        }
        hooks.layer.finish(chart, j);
        if j <= words {
            hooks.removed.finish_layer(chart, j);
            hooks.diagonal.finish_layer(chart, j);
        }
    }
    hooks
}

/// How many numbers are kept beside a chart, but for tables of the third order; a little more than that.
pub(super) fn workspace(words: usize) -> u128 {
    (words as u128 + 12).pow(4) / 3 + removed::room(words) as u128
}

/// What is kept beside the chart.
struct Hooks<S> {
    kept: Kept<S>,
    removed: Removed<S>,
    /// The items of the present layer: diagonal ones, and the others.
    diagonal: Diagonal<S>,
    layer: Layer<S>,
}

impl<S: Semiring> Hooks<S> {
    /// Completes the items of (i, j), and all that s0 or s1 leaves over h2 = i.
    fn complete(&mut self, chart: &mut Degree2<S>, i: usize, j: usize, instructions: Instructions) {
        let Hooks { kept, layer, diagonal, .. } = self;
        if i > 1 {
            simd::run(
                Keep { kept, chart, h2: i, j, kept_nodes: i + 1..j, layer: layer.rows(i, j) },
                instructions,
            );
        }
        diagonal.finish(chart, i, j);
    }

    /// How many numbers that are.
    #[cfg(test)]
    fn size(&self) -> usize {
        self.kept.size() + self.removed.size() + self.diagonal.size() + self.layer.cells.len()
    }

    /// Adds what the items of (k, j) contribute as second premises.
    fn add(
        &mut self,
        chart: &Degree2<S>,
        k: usize,
        j: usize,
        windows: &WindowWeights<S>,
        instructions: Instructions,
    ) {
        let Hooks { kept, removed, layer, diagonal } = self;
        simd::run(AddKept { kept, chart, layer, k, j, windows }, instructions);
        if k + 1 == j {
            simd::run(diagonal.begin(kept, k, j), instructions);
        }
        simd::run(diagonal.add(kept, k, j), instructions);
        if k > 1 {
            simd::run(diagonal.begin(kept, k - 1, j), instructions);
        }
        if k > 2 {
            removed.make(chart, k, j, windows, instructions);
            simd::run(
                Remove { removed, chart, k, j, windows, h4: 2..j - 1, layer: layer.all() },
                instructions,
            );
            removed.forget(k);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::lanes::PADDING;
    use crate::chart::layout::Layout;
    use crate::scores::ArcScores;
    use crate::semiring::{Boolean, Real};
    use crate::system::System;

    fn filled<S: Semiring>(name: &str, words: usize, room: usize) -> (Degree2<S>, Hooks<S>) {
        let system = System::named(name).expect("a name");
        let mut scores = ArcScores::new(words);
        for head in 0..=words {
            for dependent in (1..=words).filter(|&dependent| dependent != head) {
                scores.put(head, dependent, ((head * 7 + dependent * 11) % 23) as f64 / 8.0 - 1.0);
            }
        }
        let weights = Weights::new(&system, &scores, true);
        let layout = Layout::new(words, true);
        let cells = vec![S::ZERO; layout.items + PADDING];
        let mut chart = Degree2 { layout, cells, prefix: vec![S::ZERO; words + 2] };
        chart.prefix[1] = weights.shift(None, 0);
        let hooks = fill_with_room(&mut chart, &weights, Instructions::best(), room);
        (chart, hooks)
    }

    /// Nothing is larger than what is asked for beforehand.
    #[test]
    fn the_workspace_is_as_large_as_announced() {
        for words in [1, 2, 3, 5, 8, 13, 21, 34] {
            let (_, hooks) = filled::<Boolean>("all", words, removed::room(words));
            let size = hooks.size() as u128;
            assert!(size <= workspace(words), "{words} words: {size} numbers of {}", workspace(words));
        }
    }

    /// Whether F is stored or made anew, the chart is the same.
    #[test]
    fn making_hooks_anew_changes_no_item() {
        for name in ["all", "attardi", "all+", "all-deg1+"] {
            let (stored, _) = filled::<Real>(name, 15, usize::MAX);
            assert!(stored.total().0 > 0.0, "{name}");
            for room in [0, 1000, 10_000] {
                let (made, _) = filled::<Real>(name, 15, room);
                assert!(made.cells == stored.cells && made.prefix == stored.prefix, "{name}, {room} numbers");
            }
        }
    }
}
