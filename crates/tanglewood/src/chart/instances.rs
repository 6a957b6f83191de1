//! Charts compiled for each semiring.
//!
//! The functions of [`Compiled`] are instantiated here, once for each semiring; what is generic elsewhere only calls them. So no crate
//! that uses charts compiles them again.

use super::degree1::Degree1;
use super::degree2::Degree2;
use super::frames::{FrameChart, FrameSettings};
use super::items1::Items1;
use super::items2::Items2;
use super::simd::{self, Instructions};
use super::structure::{self, Choice};
use super::trees::{self, TreeChart};
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
pub struct Cells<'a, S>(Of<'a, S>);

/// A chart of one of the kinds.
enum Of<'a, S> {
    Degree1(Degree1<S>),
    Degree2(Degree2<S>),
    Frames(FrameChart<'a, S>),
    Trees(TreeChart<S>),
}

impl<S: Semiring> Cells<'_, S> {
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
    fn fill<'a>(
        kind: ChartKind,
        system: &System,
        weights: &Weights<'a, Self>,
        instructions: Instructions,
    ) -> Result<Cells<'a, Self>, ChartError>;

    fn derivation(
        cells: &Cells<'_, Self>,
        weights: &Weights<'_, Self>,
        choice: &mut dyn Choice<Self>,
    ) -> Option<Vec<Transition>>;

    fn arc_weights(
        cells: &Cells<'_, Self>,
        weights: &Weights<'_, Self>,
        instructions: Instructions,
    ) -> Result<Vec<Self>, OutOfMemory>;

    /// Zero, unless the semiring is [`Additive`].
    fn entropy(_: &Cells<'_, Self>, _: &Weights<'_, Self>) -> Result<f64, OutOfMemory> {
        Ok(0.0)
    }
}

fn fill<'a, S: Semiring>(
    kind: ChartKind,
    system: &System,
    weights: &Weights<'a, S>,
    instructions: Instructions,
) -> Result<Cells<'a, S>, ChartError> {
    let Weights { scores, single_root, .. } = *weights;
    Ok(Cells(match kind {
        ChartKind::Degree1 => Of::Degree1(simd::fill_degree1(weights, instructions)?),
        ChartKind::Diagonal | ChartKind::Degree2 => Of::Degree2(Degree2::fill(weights, instructions)?),
        ChartKind::Frames(_) => {
            let settings = FrameSettings::of(system, scores.as_arcs().is_some()).ok_or(ChartError::NoChart)?;
            Of::Frames(FrameChart::fill(settings, scores, single_root, instructions)?)
        }
        ChartKind::Trees => {
            let settings = trees::settings(system).ok_or(ChartError::NoChart)?;
            let arcs = scores.as_arcs().ok_or(ChartError::NoChart)?;
            Of::Trees(TreeChart::fill(settings, arcs, single_root, instructions)?)
        }
    }))
}

fn derivation<S: Semiring>(
    cells: &Cells<'_, S>,
    weights: &Weights<'_, S>,
    choice: &mut dyn Choice<S>,
) -> Option<Vec<Transition>> {
    match &cells.0 {
        Of::Degree1(chart) => structure::derivation(&Items1::new(chart, weights), choice),
        Of::Degree2(chart) => structure::derivation(&Items2::new(chart, weights), choice),
        Of::Frames(chart) => structure::derivation(chart, choice),
        Of::Trees(chart) => structure::derivation(chart, choice),
    }
}

fn arc_weights<S: Semiring>(
    cells: &Cells<'_, S>,
    weights: &Weights<'_, S>,
    instructions: Instructions,
) -> Result<Vec<S>, OutOfMemory> {
    match &cells.0 {
        Of::Degree1(chart) => structure::arc_weights(&mut Items1::tabulated(chart, weights)?),
        Of::Degree2(chart) => structure::arc_weights(&mut Items2::tabulated(chart, weights)?),
        Of::Frames(chart) => chart.arc_weights(instructions),
        Of::Trees(chart) => structure::arc_weights(&mut &*chart),
    }
}

fn entropy<S: Additive>(cells: &Cells<'_, S>, weights: &Weights<'_, S>) -> Result<f64, OutOfMemory> {
    match &cells.0 {
        Of::Degree1(chart) => structure::entropy(&mut Items1::tabulated(chart, weights)?),
        Of::Degree2(chart) => structure::entropy(&mut Items2::tabulated(chart, weights)?),
        Of::Frames(chart) => structure::entropy(&mut &*chart),
        Of::Trees(chart) => structure::entropy(&mut &*chart),
    }
}

/// Compiles charts for a semiring.
macro_rules! compiled {
    ($semiring:ty $(, $entropy:ident)?) => {
        impl Compiled for $semiring {
            fn fill<'a>(
                kind: ChartKind,
                system: &System,
                weights: &Weights<'a, Self>,
                instructions: Instructions,
            ) -> Result<Cells<'a, Self>, ChartError> {
                fill(kind, system, weights, instructions)
            }

            fn derivation(
                cells: &Cells<'_, Self>,
                weights: &Weights<'_, Self>,
                choice: &mut dyn Choice<Self>,
            ) -> Option<Vec<Transition>> {
                derivation(cells, weights, choice)
            }

            fn arc_weights(
                cells: &Cells<'_, Self>,
                weights: &Weights<'_, Self>,
                instructions: Instructions,
            ) -> Result<Vec<Self>, OutOfMemory> {
                arc_weights(cells, weights, instructions)
            }

            $(fn entropy(
                cells: &Cells<'_, Self>,
                weights: &Weights<'_, Self>,
            ) -> Result<f64, OutOfMemory> {
                $entropy(cells, weights)
            })?
        }
    };
}

compiled!(Boolean);
compiled!(Count);
compiled!(Viterbi<f32>);
compiled!(Viterbi<f64>);
compiled!(Log, entropy);
compiled!(Real, entropy);
compiled!(Wide, entropy);
