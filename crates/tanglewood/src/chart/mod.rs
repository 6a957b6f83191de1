//! Dense charts: exact inference in the promised time and space.
//!
//! The tabulation is the one of [`deduction`](crate::deduction), for windows of two or three stack nodes,
//! laid out for speed. Its costs, with n the number of words:
//!
//! | inventory | chart | time | space |
//! |---|---|---|---|
//! | s0, s1 only | degree 1 | O(n⁴) | O(n³) |
//! | s0..s2, s2 never removed | degree 2, diagonal items | O(n⁶) | O(n⁴) |
//! | s0..s2 | degree 2 | O(n⁷) | O(n⁵) |
//! | frames of K nodes, K = 3, 4, 5 | frames | O(n^K) | O(n^(K−1)) |
//! | frames of 3 nodes, sums over trees | trees | O(n³) | O(n²) |
//!
//! The exponents come from the *hook trick*: the three-way combination of two items and an arc is done in two
//! steps, each of which leaves out one index. Charts hold one number per derivable item and nothing else;
//! derivations and outside weights follow from the numbers.
//!
//! ```
//! use tanglewood::chart::{Chart, ChartOptions};
//! use tanglewood::semiring::Count;
//! use tanglewood::{System, scores::ArcScores};
//! let system = System::named("all")?;
//! let options = ChartOptions { single_root: false, ..ChartOptions::default() };
//! let scores = ArcScores::new(3);
//! let chart = Chart::<Count>::fill(&system, &scores, options)?;
//! assert_eq!(chart.total(), Count(72));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::needless_range_loop, reason = "the indices are the ones of the recurrences")]

mod choice;
mod degree1;
mod degree2;
mod frames;
mod instances;
mod lanes;
mod outside;
mod removal;
mod rows;
pub(crate) mod simd;
mod structure;
mod trees;
mod weights;

pub use crate::memory::OutOfMemory;
pub use instances::ChartSemiring;
pub use simd::Instructions;

use choice::{Best, Drawn};
use degree1::Degree1;
use degree2::layout::Layout;
use frames::FrameSettings;
use instances::FilledChart;

use crate::scores::{KeptScores, Use};
use crate::semiring::{Additive, Boolean};
use crate::stop::{self, Stopped};
use crate::system::System;
use crate::transition::Transition;

/// Which chart serves a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// For windows of two stack nodes: three indices.
    Degree1,
    /// For windows of three stack nodes whose deepest one is never removed: four indices.
    Diagonal,
    /// For windows of three stack nodes: five indices.
    Degree2,
    /// For frames of this number of nodes: one index less.
    Frames(usize),
    /// For frames of three nodes, with one derivation per tree: two indices.
    Trees,
}

impl ChartKind {
    /// The cheapest chart for a system; none if its window is deeper than s2 or its frames have more than
    /// five nodes. Only arc scores can do without seeing what a degree-1 chart does not see.
    pub fn of(system: &System, arcs_only: bool) -> Option<ChartKind> {
        if let Some(settings) = FrameSettings::of(system, arcs_only) {
            return Some(ChartKind::Frames(settings.frame));
        }
        if system.frame().is_some() {
            return None;
        }
        let inventory = system.inventory();
        match inventory.depth() {
            0 | 1 if arcs_only => Some(ChartKind::Degree1),
            0..=2 if inventory.deepest_dependent() < 2 => Some(ChartKind::Diagonal),
            0..=2 => Some(ChartKind::Degree2),
            _ => None,
        }
    }

    /// The chart in which each tree has one derivation, for arc scores: for `mh3`, `mh3+` and the systems
    /// equal to them.
    pub fn over_trees(system: &System) -> Option<ChartKind> {
        trees::settings(system).map(|_| ChartKind::Trees)
    }

    /// Number of bytes of a chart for a sentence of `words` words: its items and the workspace of filling it;
    /// saturates.
    pub fn bytes(self, words: usize, bytes_per_number: usize) -> u64 {
        let n = words as u128;
        // Hooks, and tables for one front: rows of up to n numbers and some padding.
        let workspace = match self {
            ChartKind::Degree1 => (n + 3) * (n + 3) * (n + 60) / 3,
            ChartKind::Diagonal => 4 * n * n * (n + 24),
            ChartKind::Degree2 => 4 * n * n * (n + 24) + degree2::workspace(words),
            ChartKind::Frames(frame) => return frames::bytes(frame, words, bytes_per_number),
            ChartKind::Trees => return trees::bytes(words, bytes_per_number),
        };
        let items = self.items(words).map_or(u128::MAX >> 32, |items| items as u128);
        u64::try_from((items + workspace) * bytes_per_number as u128).unwrap_or(u64::MAX)
    }

    /// Number of items for a sentence of `words` words; none if that does not fit a machine word.
    pub fn items(self, words: usize) -> Option<usize> {
        match self {
            ChartKind::Degree1 => Degree1::<Boolean>::items(words),
            ChartKind::Diagonal => Layout::items(words, false),
            ChartKind::Degree2 => Layout::items(words, true),
            ChartKind::Frames(frame) => frames::items(frame, words),
            ChartKind::Trees => trees::items(words),
        }
    }
}

/// What a sum is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Each tree counts once.
    Trees,
    /// Each tree counts as often as there are runs that build it.
    Derivations,
}

/// How a chart is filled.
#[derive(Clone, Copy, Debug)]
pub struct ChartOptions {
    /// Whether exactly one word hangs from the root.
    pub single_root: bool,
    /// Which instructions to use; they change the time, never the numbers.
    pub instructions: Instructions,
    /// What sums are over. Over trees there is a chart for few systems, see [`ChartKind::over_trees`].
    pub over: Over,
}

impl Default for ChartOptions {
    fn default() -> ChartOptions {
        ChartOptions { single_root: true, instructions: Instructions::best(), over: Over::Derivations }
    }
}

/// Why there is no filled chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// Memory does not suffice.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// No dense chart serves the system with such scores; see [`ChartKind::of`] and
    /// [`ChartKind::over_trees`].
    #[error("there is no dense chart for this system; the sparse deduction serves it")]
    NoChart,
    /// The chart was not wanted any more: see
    /// [`Inference::stop_when`](crate::inference::Inference::stop_when).
    #[error("stopped before the chart was filled")]
    Stopped,
}

impl From<Stopped> for ChartError {
    fn from(_: Stopped) -> ChartError {
        ChartError::Stopped
    }
}

/// A filled chart of whatever kind the system needs, with the scores it was filled from.
pub struct Chart<'a, S> {
    cells: Box<dyn FilledChart<S> + 'a>,
    kind: ChartKind,
    scores: KeptScores<'a>,
    options: ChartOptions,
}

impl<'a, S: ChartSemiring> Chart<'a, S> {
    /// Fills a chart.
    ///
    /// # Errors
    /// If memory does not suffice, or there is no dense chart for the system.
    pub fn fill(
        system: &System,
        scores: impl Into<KeptScores<'a>>,
        options: ChartOptions,
    ) -> Result<Chart<'a, S>, ChartError> {
        let scores = scores.into();
        let arcs_only = scores.as_arcs().is_some();
        let kind = match options.over {
            Over::Trees => ChartKind::over_trees(system).filter(|_| arcs_only),
            Over::Derivations => ChartKind::of(system, arcs_only),
        };
        let kind = kind.ok_or(ChartError::NoChart)?;
        let cells = S::fill(kind, system, scores.clone(), options)?;
        stop::check()?;
        Ok(Chart { cells, kind, scores, options })
    }

    /// Number of words of the sentence.
    pub fn words(&self) -> usize {
        self.scores.words()
    }

    /// The weight of all complete derivations, or trees.
    pub fn total(&self) -> S {
        self.cells.total()
    }

    /// The entropy, in nats, of the distribution over derivations, or trees, weighted by exp(score); 0 if
    /// there is none. It fills a chart of [`Entropic`](crate::semiring::Entropic) numbers for the same system,
    /// so it is accurate whatever the scores are.
    ///
    /// # Errors
    /// As [`Chart::fill`].
    pub fn entropy(&self, system: &System) -> Result<f64, ChartError> {
        let entropy = instances::entropy(self.kind, system, self.scores.clone(), self.options)?;
        stop::check()?;
        Ok(entropy)
    }

    /// For each arc the weight of all derivations, or trees, that have it: `[head][dependent]`, row by row,
    /// for nodes 0..=n. In [`Viterbi`](crate::semiring::Viterbi) that is the best of them.
    ///
    /// # Errors
    /// If memory does not suffice. Outside weights take as much of it as the chart.
    pub fn arc_weights(&self) -> Result<Vec<S>, OutOfMemory> {
        self.cells.arc_weights(self.options.instructions, None)
    }
}

impl<S: ChartSemiring + PartialOrd> Chart<'_, S> {
    /// The transitions of the best derivation; none if there is no derivation.
    pub fn best(&self) -> Option<Vec<Transition>> {
        self.cells.derivation(&mut Best::new())
    }
}

impl<S: ChartSemiring + Additive> Chart<'_, S> {
    /// Reports how often a derivation uses each score, on average; nothing if there is no derivation.
    ///
    /// # Errors
    /// If memory does not suffice, or the chart was filled from arc scores alone, which have no contexts.
    pub fn count(&self, uses: &mut dyn FnMut(Use<'_>, f64)) -> Result<(), ChartError> {
        let total = self.total();
        if self.scores.as_arcs().is_some() {
            return Err(ChartError::NoChart);
        }
        let mut share = |what: Use<'_>, weight| {
            if weight != S::ZERO {
                uses(what, S::share(weight, total));
            }
        };
        share(Use::Shift { top: None, front: 0 }, total);
        let arcs = self.cells.arc_weights(self.options.instructions, Some(&mut share))?;
        stop::check()?;
        let nodes = arcs.len().isqrt();
        for (at, weight) in arcs.into_iter().enumerate() {
            share(Use::Arc { head: at / nodes, dependent: at % nodes }, weight);
        }
        Ok(())
    }

    /// The transitions of a derivation drawn with probability proportional to its weight; none if there is
    /// none. `uniform` gives numbers that are at least 0 and below 1.
    pub fn sample(&self, uniform: &mut dyn FnMut() -> f64) -> Option<Vec<Transition>> {
        self.cells.derivation(&mut Drawn::by(uniform))
    }
}
