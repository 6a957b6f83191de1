//! How much memory answers take, and what to do where that is too much.

use super::{Inference, InferenceError};
use crate::System;
use crate::chart::ChartKind;
use crate::deduction::Deduction;
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::Wide;

/// Systems to propose where memory does not suffice, the larger class first.
const CHEAP_SYSTEMS: [&str; 3] = ["mh5+", "mh4+", "mh3+"];

/// Systems whose charts take O(n²) numbers, the larger class first.
const NARROW_SYSTEMS: [&str; 2] = ["mh3+", "mh3"];

/// What an answer is needed for, and so how much memory it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The best tree for arc scores.
    Best,
    /// The k best trees for arc scores.
    KBest,
    /// A distribution over arc scores.
    Sums,
    /// The best run, or a distribution over runs, for scores of transitions.
    Runs,
}

impl Inference {
    /// The same inference within frames of three nodes, in `mh3+` or `mh3`; none if the system does not have
    /// all of their reduces, or has such frames itself.
    ///
    /// It is meant for scores of transitions in sentences whose charts would take too much memory. What was
    /// learned for the transitions of a system serves those of a smaller one, too, while the scores of arcs
    /// alone are only a part of what was learned.
    pub fn narrow(&self) -> Option<Inference> {
        let system = self.class().system().filter(|system| system.frame() != Some(3))?;
        let has_all = |narrow: &System| {
            narrow.inventory().reduces().iter().all(|&reduce| system.inventory().contains(reduce))
        };
        let narrow = NARROW_SYSTEMS.into_iter().filter_map(|name| System::named(name).ok()).find(has_all)?;
        Some(Inference { class: Inference::new(narrow).class, ..self.clone() })
    }

    /// The bytes that an answer for a sentence of `words` words takes at most, whatever the limit is; of the
    /// sparse deduction, where there is no dense chart, if no arc is forbidden.
    pub fn bytes_for(&self, words: usize, purpose: Purpose) -> u64 {
        let Some(system) = self.class().system() else { return 0 };
        self.bytes_in(system, words, purpose)
    }

    fn bytes_in(&self, system: &System, words: usize, purpose: Purpose) -> u64 {
        let (number, charts) = match purpose {
            Purpose::Best => (size_of::<f64>(), 1),
            Purpose::KBest => (size_of::<f64>(), 2),
            Purpose::Runs => (size_of::<Wide>(), 2),
            // A chart for each direction, and one more for outside weights.
            Purpose::Sums => (size_of::<Wide>(), self.direction.each().len() as u64 + 1),
        };
        self.bytes_of_charts(system, words, purpose != Purpose::Runs, number, charts)
    }

    /// The bytes of `charts` charts, or of the items of the sparse deduction where there is no dense chart.
    fn bytes_of_charts(
        &self,
        system: &System,
        words: usize,
        arcs_only: bool,
        number: usize,
        charts: u64,
    ) -> u64 {
        match ChartKind::of(system, arcs_only) {
            Some(kind) => kind.bytes(words, number).saturating_mul(charts),
            None => Deduction::new(system).bytes(words),
        }
    }

    /// The sparse deduction within the memory that may be used.
    pub(super) fn deduction(&self, system: &System) -> Deduction {
        let limit = usize::try_from(self.memory / Deduction::BYTES_PER_ITEM).unwrap_or(usize::MAX);
        Deduction::new(system).single_root(self.single_root).limit(limit).watched()
    }

    /// Whether there is a dense chart for these scores, of which `charts` are needed.
    ///
    /// # Errors
    /// If the charts, or the items of the sparse deduction where there is none, would take too much memory.
    pub(super) fn fits<N>(
        &self,
        system: &System,
        scores: &dyn TransitionScores,
        charts: u64,
    ) -> Result<bool, InferenceError> {
        let (words, arcs_only) = (scores.words(), scores.as_arcs().is_some());
        // Without words there is nothing to lay out; the deduction consists of one shift.
        let is_dense = ChartKind::of(system, arcs_only).is_some() && words > 0;
        let bytes = |system: &System| self.bytes_of_charts(system, words, arcs_only, size_of::<N>(), charts);
        let needed = bytes(system);
        // Forbidden arcs leave the sparse deduction less to do, and it stops by itself where that is too
        // much.
        if needed <= self.memory || (!is_dense && scores.as_arcs().is_none_or(ArcScores::has_forbidden_arcs))
        {
            return Ok(is_dense);
        }
        let cheaper = CHEAP_SYSTEMS.into_iter().find_map(|name| {
            let needed = bytes(&System::named(name).ok()?);
            (needed <= self.memory).then_some((name, needed))
        });
        let class = self.class().name().to_owned();
        Err(InferenceError::TooLarge { words, class, needed, limit: self.memory, cheaper })
    }
}
