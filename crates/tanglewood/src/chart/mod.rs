//! Dense charts: exact inference in the promised time and space.
//!
//! The tabulation is the one of [`deduction`](crate::deduction), for windows of two or three stack nodes, laid out for speed. What it
//! costs, with n the number of words:
//!
//! | inventory | chart | time | space |
//! |---|---|---|---|
//! | s0, s1 only | degree 1 | O(n⁴) | O(n³) |
//! | s0..s2, s2 never removed | degree 2, diagonal items | O(n⁶) | O(n⁴) |
//! | s0..s2 | degree 2 | O(n⁷) | O(n⁵) |
//! | frames of K nodes, K = 3, 4, 5 | frames | O(n^K) | O(n^(K−1)) |
//!
//! The exponents come from the *hook trick*: the three-way combination of two items and an arc is done in two steps, each of which
//! leaves out one index. Charts hold one number per derivable item and nothing else; derivations are found again from the numbers, and
//! posteriors by running the recurrences backwards.

#![allow(clippy::needless_range_loop, reason = "the indices are the ones of the recurrences")]

mod deep;
mod degree1;
mod degree2;
mod diagonal;
mod frames;
mod kept;
mod lanes;
mod layer;
mod layout;
mod outside;
mod remove;
mod removed;
mod shallow;
mod simd;
#[allow(dead_code)]
mod structure;
mod team;
mod trees;
mod unwind;
mod weights;
mod windows;

pub use crate::memory::OutOfMemory;
pub use simd::Instructions;

use degree1::Degree1;
use degree2::Degree2;
use frames::{FrameChart, FrameSettings};
use layout::Layout;
use unwind::Unwind;
use weights::Weights;

use crate::scores::TransitionScores;
use crate::semiring::{Additive, Semiring};
use crate::system::System;
use crate::transition::Transition;

/// Which chart serves an inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Three indices.
    Degree1,
    /// Four indices.
    Diagonal,
    /// Five indices.
    Degree2,
    /// For frames of so many nodes: one index less.
    Frames(usize),
}

impl Kind {
    /// The cheapest chart for a system; none if its window is deeper than s2 or its frames have more than five nodes. Only arc scores can do
    /// without seeing what a degree-1 chart does not see.
    pub fn of(system: &System, arcs_only: bool) -> Option<Kind> {
        if let Some(settings) = FrameSettings::of(system, arcs_only) {
            return Some(Kind::Frames(settings.frame));
        }
        if system.frame().is_some() {
            return None;
        }
        let inventory = system.inventory();
        match inventory.depth() {
            0 | 1 if arcs_only => Some(Kind::Degree1),
            0..=2 if inventory.deepest_dependent() < 2 => Some(Kind::Diagonal),
            0..=2 => Some(Kind::Degree2),
            _ => None,
        }
    }

    /// How many bytes a chart for so many words takes with its workspace, with numbers of that size; saturates.
    pub fn bytes(self, words: usize, bytes_per_number: usize) -> u64 {
        if let Kind::Frames(frame) = self {
            return frames::bytes(frame, words, bytes_per_number);
        }
        let n = words as u128;
        // Hooks, and tables for one front: rows of up to n numbers and some padding.
        let workspace = match self {
            Kind::Degree1 => (n + 3) * (n + 3) * (n + 60) / 3,
            Kind::Diagonal => 4 * n * n * (n + 24),
            Kind::Degree2 => 4 * n * n * (n + 24) + deep::workspace(words),
            Kind::Frames(_) => 0,
        };
        let items = self.items(words).map_or(u128::MAX >> 32, |items| items as u128);
        u64::try_from((items + workspace) * bytes_per_number as u128).unwrap_or(u64::MAX)
    }

    /// How many numbers a chart for so many words holds; none if that does not fit a machine word.
    pub fn items(self, words: usize) -> Option<usize> {
        match self {
            Kind::Degree1 => Degree1::<crate::semiring::Boolean>::items(words),
            Kind::Diagonal => Layout::items(words, false),
            Kind::Degree2 => Layout::items(words, true),
            Kind::Frames(frame) => frames::items(frame, words),
        }
    }
}

/// A filled chart of whatever kind the inventory needs, with the scores it was filled from.
pub struct Chart<'a, S, T: ?Sized> {
    weights: Weights<'a, S, T>,
    cells: Cells<'a, S>,
    instructions: Instructions,
}

enum Cells<'a, S> {
    Degree1(Degree1<S>),
    Degree2(Degree2<S>),
    Frames(FrameChart<'a, S>),
}

impl<'a, S: Semiring, T: TransitionScores> Chart<'a, S, T> {
    /// Fills a chart.
    ///
    /// # Errors
    /// If memory does not suffice.
    ///
    /// # Panics
    /// If there is no dense chart for the system; see [`Kind::of`].
    pub fn fill(
        system: &'a System,
        scores: &'a T,
        single_root: bool,
        instructions: Instructions,
    ) -> Result<Chart<'a, S, T>, OutOfMemory> {
        Chart::fill_with_threads(system, scores, single_root, instructions, 1)
    }

    /// Fills a chart with several threads, where it is large enough for that to be worth it; the numbers in it are the same.
    ///
    /// # Errors
    /// If memory does not suffice.
    ///
    /// # Panics
    /// If there is no dense chart for the system; see [`Kind::of`].
    pub fn fill_with_threads(
        system: &'a System,
        scores: &'a T,
        single_root: bool,
        instructions: Instructions,
        threads: usize,
    ) -> Result<Chart<'a, S, T>, OutOfMemory> {
        let weights = Weights::new(system, scores, single_root);
        let cells = match Kind::of(system, scores.as_arcs().is_some()) {
            Some(Kind::Degree1) => Cells::Degree1(simd::fill_degree1(&weights, instructions)?),
            Some(Kind::Diagonal | Kind::Degree2) => {
                Cells::Degree2(Degree2::fill(&weights, instructions, threads)?)
            }
            Some(Kind::Frames(_)) => {
                let settings = FrameSettings::of(system, scores.as_arcs().is_some());
                let settings = settings.expect("a system with frames");
                Cells::Frames(FrameChart::fill(settings, scores, single_root, instructions)?)
            }
            None => panic!("no dense chart for {system}"),
        };
        Ok(Chart { weights, cells, instructions })
    }

    /// The weight of all complete derivations.
    pub fn total(&self) -> S {
        match &self.cells {
            Cells::Degree1(chart) => chart.total(),
            Cells::Degree2(chart) => chart.total(),
            Cells::Frames(chart) => chart.total(),
        }
    }
}

impl<S: Semiring + PartialOrd, T: TransitionScores> Chart<'_, S, T> {
    /// The transitions of the best derivation; none if there is no derivation.
    pub fn best(&self) -> Option<Vec<Transition>> {
        match &self.cells {
            Cells::Degree1(chart) => chart.derivation(&self.weights, unwind::Best),
            Cells::Degree2(chart) => chart.derivation(&self.weights, unwind::Best),
            Cells::Frames(chart) => structure::derivation(chart, &mut structure::Best),
        }
    }
}

impl<S: Additive, T: TransitionScores> Chart<'_, S, T> {
    /// For each arc the share of all derivations' weight that have it: `[head][dependent]`, row by row, for nodes 0..=n. None if there is no
    /// derivation.
    pub fn arc_posteriors(&self) -> Option<Vec<f64>> {
        if self.total() == S::ZERO {
            return None;
        }
        Some(match &self.cells {
            Cells::Degree1(chart) => chart.arc_posteriors(&self.weights).arcs,
            Cells::Degree2(chart) => chart.arc_posteriors(&self.weights).arcs,
            Cells::Frames(chart) => {
                let weights = chart.arc_weights(self.instructions).ok()?;
                weights.into_iter().map(|weight| S::share(weight, chart.total())).collect()
            }
        })
    }

    /// The transitions of a derivation drawn with probability proportional to its weight; none if there is none. `uniform` gives
    /// numbers that are at least 0 and below 1.
    pub fn sample(&self, uniform: &mut dyn FnMut() -> f64) -> Option<Vec<Transition>> {
        match &self.cells {
            Cells::Degree1(chart) => chart.derivation(&self.weights, unwind::Drawn(uniform)),
            Cells::Degree2(chart) => chart.derivation(&self.weights, unwind::Drawn(uniform)),
            Cells::Frames(chart) => structure::derivation(chart, &mut structure::Drawn(uniform)),
        }
    }
}

/// A chart with one derivation per tree.
pub struct TreeChart<S>(std::cell::RefCell<trees::TreeChart<S>>);

impl<S: Semiring> TreeChart<S> {
    /// True if and only if a system has such a chart.
    pub fn serves(system: &System) -> bool {
        trees::settings(system).is_some()
    }

    /// Fills a chart.
    pub fn fill(system: &System, scores: &crate::scores::ArcScores, single_root: bool) -> TreeChart<S> {
        let settings = trees::settings(system).expect("a system with such a chart");
        let chart = trees::TreeChart::fill(settings, scores, single_root, Instructions::best());
        TreeChart(chart.expect("enough memory").into())
    }

    /// The weight of all trees.
    pub fn total(&self) -> S {
        self.0.borrow().total()
    }
}

impl<S: Additive> TreeChart<S> {
    /// For each arc the share of all trees' weight that have it.
    pub fn arc_posteriors(&self) -> Option<Vec<f64>> {
        let total = self.total();
        let weights = self.0.borrow().arc_weights(Instructions::best()).ok()?;
        (total != S::ZERO).then(|| weights.into_iter().map(|weight| S::share(weight, total)).collect())
    }

    /// The run of a tree drawn with probability proportional to its weight.
    pub fn sample(&self, uniform: &mut dyn FnMut() -> f64) -> Option<Vec<Transition>> {
        structure::derivation(&*self.0.borrow(), &mut structure::Drawn(uniform))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::ArcScores;
    use crate::semiring::Boolean;

    /// A chart has room for little else than what can be derived.
    #[test]
    fn nearly_all_cells_are_items_that_can_be_derived() {
        for (name, words) in
            [("all", 14), ("all-deg1", 14), ("attardi", 14), ("all-s0s1", 20), ("kuhlmann-2", 30)]
        {
            let system = System::named(name).expect("a name");
            let scores = ArcScores::new(words);
            let chart: Chart<'_, Boolean, _> =
                Chart::fill(&system, &scores, false, Instructions::best()).expect("little memory");
            let derivable = match &chart.cells {
                Cells::Degree1(chart) => chart.cells.iter().filter(|cell| cell.0).count(),
                Cells::Degree2(chart) => {
                    chart.cells[..chart.layout.items].iter().filter(|cell| cell.0).count()
                }
                Cells::Frames(_) => unreachable!("no system with frames"),
            };
            let kind = Kind::of(&system, true).expect("a dense chart");
            let cells = kind.items(words).expect("a small number");
            assert!(cells as f64 <= 1.3 * derivable as f64, "{name}: {derivable} of {cells} cells");
        }
    }
}
