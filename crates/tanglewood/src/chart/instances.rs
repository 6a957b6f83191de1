//! Charts compiled for each semiring.
//!
//! The functions of [`Compiled`] are instantiated here, once for each semiring; what is generic elsewhere only calls them. So no crate
//! that uses charts compiles them again.

use super::degree1::Degree1;
use super::degree2::Degree2;
use super::frames::FrameChart;
use super::items1::Items1;
use super::items2::Items2;
use super::simd::{self, Instructions};
use super::structure::{self, Choice};
use super::trees::TreeChart;
use super::weights::Weights;
use super::{ChartError, ChartKind};
use crate::memory::OutOfMemory;
use crate::semiring::{Additive, Boolean, Count, Log, Real, Semiring, Viterbi, Wide};
use crate::system::System;
use crate::transition::Transition;

/// A semiring that charts are compiled for: all of this crate.
pub trait ChartSemiring: Compiled {}

impl<S: Compiled> ChartSemiring for S {}

/// The items of a chart.
pub struct Cells<S>(Of<S>);

/// A chart of one of the kinds.
enum Of<S> {
    Degree1(Degree1<S>),
    Degree2(Degree2<S>),
    Frames(FrameChart<S>),
    Trees(TreeChart<S>),
}

impl<S: Semiring> Cells<S> {
    /// The weight of the goal.
    pub fn total(&self) -> S {
        match &self.0 {
            Of::Degree1(chart) => chart.total(),
            Of::Degree2(chart) => chart.total(),
            Of::Frames(chart) => chart.total(),
            Of::Trees(chart) => chart.total(),
        }
    }
}

/// What is compiled for each semiring.
pub trait Compiled: Semiring {
    fn fill(
        kind: ChartKind,
        system: &System,
        weights: &Weights<'_, Self>,
        instructions: Instructions,
    ) -> Result<Cells<Self>, ChartError>;

    fn derivation(
        cells: &Cells<Self>,
        weights: &Weights<'_, Self>,
        choice: &mut dyn Choice<Self>,
    ) -> Option<Vec<Transition>>;

    fn arc_weights(cells: &Cells<Self>, weights: &Weights<'_, Self>) -> Result<Vec<Self>, OutOfMemory>;

    /// Zero, unless the semiring is [`Additive`].
    fn entropy(_: &Cells<Self>, _: &Weights<'_, Self>) -> Result<f64, OutOfMemory> {
        Ok(0.0)
    }
}

fn fill<S: Semiring>(
    kind: ChartKind,
    system: &System,
    weights: &Weights<'_, S>,
    instructions: Instructions,
) -> Result<Cells<S>, ChartError> {
    Ok(Cells(match kind {
        ChartKind::Degree1 => Of::Degree1(simd::fill_degree1(weights, instructions)?),
        ChartKind::Diagonal | ChartKind::Degree2 => Of::Degree2(Degree2::fill(weights, instructions)?),
        ChartKind::Frames(_) => Of::Frames(simd::fill_frames(weights, instructions)?),
        ChartKind::Trees => {
            let arcs = weights.scores.as_arcs().ok_or(ChartError::NoChart)?;
            Of::Trees(TreeChart::fill(system, arcs, weights.single_root))
        }
    }))
}

fn derivation<S: Semiring>(
    cells: &Cells<S>,
    weights: &Weights<'_, S>,
    choice: &mut dyn Choice<S>,
) -> Option<Vec<Transition>> {
    match &cells.0 {
        Of::Degree1(chart) => structure::derivation(&Items1::new(chart, weights), choice),
        Of::Degree2(chart) => structure::derivation(&Items2::new(chart, weights), choice),
        Of::Frames(chart) => chart.derivation(weights.scores, |weights| pick(choice, weights)),
        Of::Trees(chart) => chart.derivation(choice),
    }
}

fn arc_weights<S: Semiring>(cells: &Cells<S>, weights: &Weights<'_, S>) -> Result<Vec<S>, OutOfMemory> {
    match &cells.0 {
        Of::Degree1(chart) => structure::arc_weights(&mut Items1::tabulated(chart, weights)?),
        Of::Degree2(chart) => structure::arc_weights(&mut Items2::tabulated(chart, weights)?),
        Of::Frames(_) | Of::Trees(_) => {
            crate::memory::table((weights.words() + 1) * (weights.words() + 1), S::ZERO)
        }
    }
}

/// The same for charts that only know posteriors.
fn arc_weights_from_shares<S: Additive>(
    cells: &Cells<S>,
    weights: &Weights<'_, S>,
) -> Result<Vec<S>, OutOfMemory> {
    let posteriors = match &cells.0 {
        _ if cells.total() == S::ZERO => return arc_weights(cells, weights),
        Of::Frames(chart) => chart.arc_posteriors(weights.scores, Instructions::best()),
        Of::Trees(chart) => chart.arc_posteriors().unwrap_or_default(),
        _ => return arc_weights(cells, weights),
    };
    Ok(posteriors.iter().map(|posterior| cells.total().times(S::from_score(posterior.ln()))).collect())
}

fn entropy<S: Additive>(cells: &Cells<S>, weights: &Weights<'_, S>) -> Result<f64, OutOfMemory> {
    match &cells.0 {
        Of::Degree1(chart) => structure::entropy(&mut Items1::tabulated(chart, weights)?),
        Of::Degree2(chart) => structure::entropy(&mut Items2::tabulated(chart, weights)?),
        Of::Frames(_) | Of::Trees(_) => Ok(f64::NAN),
    }
}

/// One of several weights by a choice; none if all are zero.
pub(super) fn pick<S: Semiring>(choice: &mut dyn Choice<S>, weights: &[S]) -> Option<usize> {
    choice.start(weights.iter().fold(S::ZERO, |sum, &weight| sum.plus(weight)));
    let mut chosen = None;
    for (at, &weight) in weights.iter().enumerate() {
        let (better, more) = choice.see(weight);
        if better {
            chosen = Some(at);
        }
        if more.is_break() {
            break;
        }
    }
    chosen
}

/// Compiles charts for a semiring.
macro_rules! compiled {
    ($semiring:ty, $arc_weights:ident $(, $entropy:ident)?) => {
        impl Compiled for $semiring {
            fn fill(
                kind: ChartKind,
                system: &System,
                weights: &Weights<'_, Self>,
                instructions: Instructions,
            ) -> Result<Cells<Self>, ChartError> {
                fill(kind, system, weights, instructions)
            }

            fn derivation(
                cells: &Cells<Self>,
                weights: &Weights<'_, Self>,
                choice: &mut dyn Choice<Self>,
            ) -> Option<Vec<Transition>> {
                derivation(cells, weights, choice)
            }

            fn arc_weights(
                cells: &Cells<Self>,
                weights: &Weights<'_, Self>,
            ) -> Result<Vec<Self>, OutOfMemory> {
                $arc_weights(cells, weights)
            }

            $(fn entropy(cells: &Cells<Self>, weights: &Weights<'_, Self>) -> Result<f64, OutOfMemory> {
                $entropy(cells, weights)
            })?
        }
    };
}

compiled!(Boolean, arc_weights);
compiled!(Count, arc_weights);
compiled!(Viterbi<f32>, arc_weights);
compiled!(Viterbi<f64>, arc_weights);
compiled!(Log, arc_weights_from_shares, entropy);
compiled!(Real, arc_weights_from_shares, entropy);
compiled!(Wide, arc_weights_from_shares, entropy);
