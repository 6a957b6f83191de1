//! Charts compiled for each semiring.
//!
//! What is large is instantiated here, once for each semiring; what is generic elsewhere only calls it. So no
//! crate that uses charts compiles them again.

use super::choice::Choice;
use super::degree1::{Degree1, rows::Degree1Rows};
use super::degree2::{Degree2, rows::Degree2Rows};
use super::frames::{FrameChart, FrameSettings};
use super::outside;
use super::rows::Items;
use super::simd::Instructions;
use super::structure::derivation;
use super::trees::{self, TreeChart};
use super::weights::Weights;
use super::{ChartError, ChartKind, ChartOptions};
use crate::memory::OutOfMemory;
use crate::scores::{KeptScores, Use};
use crate::semiring::{Entropic, Log, Real, Semiring, Viterbi, Wide};
use crate::system::System;
use crate::transition::Transition;

/// A semiring that charts are compiled for: each of this crate.
pub trait ChartSemiring: Compiled {}

impl<S: Compiled> ChartSemiring for S {}

/// A filled chart of one of the kinds.
pub struct Cells<'a, S>(Of<'a, S>);

enum Of<'a, S> {
    Degree1(Degree1<S>, Weights<'a, S>),
    Degree2(Degree2<S>, Weights<'a, S>),
    Frames(FrameChart<'a, S>),
    Trees(TreeChart<S>),
}

impl<S: Semiring> Cells<'_, S> {
    /// The weight of the goal.
    pub(super) fn total(&self) -> S {
        match &self.0 {
            Of::Degree1(chart, _) => chart.total(),
            Of::Degree2(chart, _) => chart.total(),
            Of::Frames(chart) => chart.total(),
            Of::Trees(chart) => chart.total(),
        }
    }
}

/// What is compiled for each semiring.
pub trait Compiled: Semiring {
    /// Fills a chart of a given kind.
    fn fill<'a>(
        kind: ChartKind,
        system: &System,
        scores: KeptScores<'a>,
        options: ChartOptions,
    ) -> Result<Cells<'a, Self>, ChartError>;

    /// The transitions of a derivation by a choice.
    fn derivation(cells: &Cells<'_, Self>, choice: &mut dyn Choice<Self>) -> Option<Vec<Transition>>;

    /// For each arc the weight of all derivations that have it.
    fn arc_weights(cells: &Cells<'_, Self>, instructions: Instructions) -> Result<Vec<Self>, OutOfMemory>;

    /// The same, and the weight of all derivations with each use of a transition; not if the chart was filled
    /// from arc scores alone.
    fn transition_weights(
        cells: &Cells<'_, Self>,
        instructions: Instructions,
        uses: &mut dyn FnMut(Use<'_>, Self),
    ) -> Result<Vec<Self>, ChartError>;
}

/// Fills a chart of a given kind.
fn fill<'a, S: Semiring>(
    kind: ChartKind,
    system: &System,
    scores: KeptScores<'a>,
    options: ChartOptions,
) -> Result<Cells<'a, S>, ChartError> {
    let ChartOptions { single_root, instructions, .. } = options;
    let weights = || Weights::new(system, scores.clone(), single_root);
    let arcs = scores.as_arcs();
    Ok(Cells(match kind {
        ChartKind::Degree1 => {
            let weights = weights()?;
            Of::Degree1(Degree1::fill(&weights, instructions)?, weights)
        }
        ChartKind::Diagonal | ChartKind::Degree2 => {
            let weights = weights()?;
            Of::Degree2(Degree2::fill(&weights, instructions)?, weights)
        }
        ChartKind::Frames(_) => {
            let settings = FrameSettings::of(system, arcs.is_some()).ok_or(ChartError::NoChart)?;
            Of::Frames(FrameChart::fill(settings, scores.clone(), single_root, instructions)?)
        }
        ChartKind::Trees => {
            let settings = trees::settings(system).zip(arcs).ok_or(ChartError::NoChart)?;
            Of::Trees(TreeChart::fill(settings.0, settings.1, single_root, instructions)?)
        }
    }))
}

/// The weight of all derivations, and the entropy of the distribution over them.
pub(super) fn entropic(
    kind: ChartKind,
    system: &System,
    scores: KeptScores<'_>,
    options: ChartOptions,
) -> Result<Entropic<Wide>, ChartError> {
    Ok(fill(kind, system, scores, options)?.total())
}

/// Compiles charts for a semiring.
macro_rules! compile {
    ($semiring:ty) => {
        impl Compiled for $semiring {
            fn fill<'a>(
                kind: ChartKind,
                system: &System,
                scores: KeptScores<'a>,
                options: ChartOptions,
            ) -> Result<Cells<'a, Self>, ChartError> {
                fill(kind, system, scores, options)
            }

            fn derivation(cells: &Cells<'_, Self>, choice: &mut dyn Choice<Self>) -> Option<Vec<Transition>> {
                match &cells.0 {
                    Of::Degree1(chart, weights) => {
                        derivation(&Items(&Degree1Rows::new(chart, weights)), choice)
                    }
                    Of::Degree2(chart, weights) => {
                        derivation(&Items(&Degree2Rows::new(chart, weights)), choice)
                    }
                    Of::Frames(chart) => derivation(chart, choice),
                    Of::Trees(chart) => derivation(chart, choice),
                }
            }

            fn arc_weights(
                cells: &Cells<'_, Self>,
                instructions: Instructions,
            ) -> Result<Vec<Self>, OutOfMemory> {
                match &cells.0 {
                    Of::Degree1(chart, weights) => {
                        outside::arc_weights(&Degree1Rows::new(chart, weights), instructions)
                    }
                    Of::Degree2(chart, weights) => {
                        outside::arc_weights(&Degree2Rows::new(chart, weights), instructions)
                    }
                    Of::Frames(chart) => chart.arc_weights(instructions),
                    Of::Trees(chart) => chart.arc_weights(instructions),
                }
            }

            fn transition_weights(
                cells: &Cells<'_, Self>,
                instructions: Instructions,
                uses: &mut dyn FnMut(Use<'_>, Self),
            ) -> Result<Vec<Self>, ChartError> {
                match &cells.0 {
                    Of::Degree2(chart, weights) if weights.arcs.is_none() => {
                        let rows = Degree2Rows::new(chart, weights);
                        Ok(outside::transition_weights(&rows, instructions, uses)?)
                    }
                    Of::Frames(chart) if !chart.is_of_arcs() => {
                        Ok(chart.transition_weights(instructions, uses)?)
                    }
                    _ => Err(ChartError::NoChart),
                }
            }
        }
    };
}

#[cfg(feature = "all-semirings")]
mod for_researchers {
    use super::*;
    use crate::semiring::{Boolean, Count};

    compile!(Boolean);
    compile!(Count);
    compile!(Viterbi<f32>);
}
compile!(Viterbi<f64>);
compile!(Log);
compile!(Real);
compile!(Wide);
