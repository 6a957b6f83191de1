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
use super::structure::{Structure, derivation};
use super::trees::{self, TreeChart};
use super::weights::Weights;
use super::{ChartError, ChartKind, ChartOptions};
use crate::memory::OutOfMemory;
use crate::scores::{KeptScores, Use};
use crate::semiring::{Entropic, Log, Real, Semiring, Viterbi, Wide};
use crate::system::System;
use crate::transition::Transition;

/// A filled chart of some kind.
pub trait FilledChart<S: Semiring>: Send + Sync {
    /// The weight of the goal.
    fn total(&self) -> S;

    /// The transitions of a derivation by a choice.
    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>>;

    /// For each arc the weight of all derivations that have it.
    fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory>;

    /// The same, and the weight of all derivations with each use of a transition; not if the chart was filled
    /// from arc scores alone.
    fn transition_weights(
        &self,
        _instructions: Instructions,
        _uses: &mut dyn FnMut(Use<'_>, S),
    ) -> Result<Vec<S>, ChartError> {
        Err(ChartError::NoChart)
    }
}

/// A chart of windows, with the weights it was filled from.
struct Windows<'a, S, C> {
    chart: C,
    weights: Weights<'a, S>,
}

impl<S: Semiring> FilledChart<S> for Windows<'_, S, Degree1<S>> {
    fn total(&self) -> S {
        self.chart.total()
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(&Items(&Degree1Rows::new(&self.chart, &self.weights)), choice)
    }

    fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory> {
        outside::arc_weights(&Degree1Rows::new(&self.chart, &self.weights), instructions)
    }
}

impl<S: Semiring> FilledChart<S> for Windows<'_, S, Degree2<S>> {
    fn total(&self) -> S {
        self.chart.total()
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(&Items(&Degree2Rows::new(&self.chart, &self.weights)), choice)
    }

    fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory> {
        outside::arc_weights(&Degree2Rows::new(&self.chart, &self.weights), instructions)
    }

    fn transition_weights(
        &self,
        instructions: Instructions,
        uses: &mut dyn FnMut(Use<'_>, S),
    ) -> Result<Vec<S>, ChartError> {
        let rows = Degree2Rows::new(&self.chart, &self.weights);
        match self.weights.arcs {
            Some(_) => Err(ChartError::NoChart),
            None => Ok(outside::transition_weights(&rows, instructions, uses)?),
        }
    }
}

impl<S: Semiring> FilledChart<S> for FrameChart<'_, S> {
    fn total(&self) -> S {
        FrameChart::total(self)
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(self, choice)
    }

    fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory> {
        FrameChart::arc_weights(self, instructions)
    }

    fn transition_weights(
        &self,
        instructions: Instructions,
        uses: &mut dyn FnMut(Use<'_>, S),
    ) -> Result<Vec<S>, ChartError> {
        match self.is_of_arcs() {
            true => Err(ChartError::NoChart),
            false => Ok(FrameChart::transition_weights(self, instructions, uses)?),
        }
    }
}

impl<S: Semiring> FilledChart<S> for TreeChart<S> {
    fn total(&self) -> S {
        self.weight(self.goal())
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(self, choice)
    }

    fn arc_weights(&self, instructions: Instructions) -> Result<Vec<S>, OutOfMemory> {
        TreeChart::arc_weights(self, instructions)
    }
}

/// A semiring that charts are compiled for: each of this crate.
pub trait ChartSemiring: Semiring {
    /// Fills a chart of a given kind.
    #[doc(hidden)]
    fn fill<'a>(
        kind: ChartKind,
        system: &System,
        scores: KeptScores<'a>,
        options: ChartOptions,
    ) -> Result<Box<dyn FilledChart<Self> + 'a>, ChartError>;
}

/// Fills a chart of a given kind.
fn fill<'a, S: Semiring>(
    kind: ChartKind,
    system: &System,
    scores: KeptScores<'a>,
    options: ChartOptions,
) -> Result<Box<dyn FilledChart<S> + 'a>, ChartError> {
    let ChartOptions { single_root, instructions, .. } = options;
    let weights = || Weights::new(system, scores.clone(), single_root);
    let arcs = scores.as_arcs();
    Ok(match kind {
        ChartKind::Degree1 => {
            let weights = weights()?;
            Box::new(Windows { chart: Degree1::fill(&weights, instructions)?, weights })
        }
        ChartKind::Diagonal | ChartKind::Degree2 => {
            let weights = weights()?;
            Box::new(Windows { chart: Degree2::fill(&weights, instructions)?, weights })
        }
        ChartKind::Frames(_) => {
            let settings = FrameSettings::of(system, arcs.is_some()).ok_or(ChartError::NoChart)?;
            Box::new(FrameChart::fill(settings, scores.clone(), single_root, instructions)?)
        }
        ChartKind::Trees => {
            let (settings, arcs) = trees::settings(system).zip(arcs).ok_or(ChartError::NoChart)?;
            Box::new(TreeChart::fill(settings, arcs, single_root, instructions)?)
        }
    })
}

/// Compiles charts for semirings.
macro_rules! compile {
    ($($semiring:ty),*) => {$(
        impl ChartSemiring for $semiring {
            fn fill<'a>(
                kind: ChartKind,
                system: &System,
                scores: KeptScores<'a>,
                options: ChartOptions,
            ) -> Result<Box<dyn FilledChart<Self> + 'a>, ChartError> {
                fill(kind, system, scores, options)
            }
        }
    )*};
}

#[cfg(feature = "all-semirings")]
compile!(crate::semiring::Boolean, crate::semiring::Count, Viterbi<f32>);
compile!(Viterbi<f64>, Log, Real, Wide, Entropic<Wide>);
