//! Charts compiled for each semiring.
//!
//! What is large is instantiated here, once for each semiring; what is generic elsewhere only calls it. So no
//! crate that uses charts compiles them again.

use super::choice::Choice;
use super::degree1::rows::Degree1Rows;
use super::degree2::rows::Degree2Rows;
use super::frames::{FrameChart, FrameSettings};
use super::outside;
use super::rows::{Items, Rows};
use super::simd::Instructions;
use super::structure::derivation;
use super::trees::{self, TreeChart};
use super::weights::Weights;
use super::{ChartError, ChartKind, ChartOptions};
use crate::memory::OutOfMemory;
use crate::scores::{KeptScores, OnUse};
use crate::semiring::{Entropic, Real, Semiring, Viterbi, Wide};
use crate::system::System;
use crate::transition::Transition;

/// A filled chart of some kind.
pub trait FilledChart<S: Semiring>: Send + Sync {
    /// The weight of the goal.
    fn total(&self) -> S;

    /// The transitions of a derivation by a choice.
    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>>;

    /// For each arc the weight of all derivations that have it, `[head][dependent]`, row by row. If the chart
    /// was filled from more than arc scores, `uses` gets the weight of all derivations with each use of a
    /// transition.
    fn arc_weights(&self, instructions: Instructions, uses: OnUse<'_, S>) -> Result<Vec<S>, OutOfMemory>;
}

/// A chart of windows.
struct Windows<R>(R);

impl<S: Semiring, R: Rows<S> + Send + Sync> FilledChart<S> for Windows<R> {
    fn total(&self) -> S {
        self.0.cells()[self.0.place(self.0.goal()).start]
    }

    fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        derivation(&Items(&self.0), choice)
    }

    fn arc_weights(&self, instructions: Instructions, uses: OnUse<'_, S>) -> Result<Vec<S>, OutOfMemory> {
        outside::arc_weights(&self.0, instructions, uses)
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

/// What becomes of a filled chart.
trait Take<'a, S: Semiring> {
    type Taken;

    fn take(chart: impl FilledChart<S> + 'a) -> Self::Taken;
}

/// It answers questions.
struct Boxed;

impl<'a, S: Semiring> Take<'a, S> for Boxed {
    type Taken = Box<dyn FilledChart<S> + 'a>;

    fn take(chart: impl FilledChart<S> + 'a) -> Self::Taken {
        Box::new(chart)
    }
}

/// Only its total is of interest, so nothing else is compiled.
struct Total;

impl<S: Semiring> Take<'_, S> for Total {
    type Taken = S;

    fn take(chart: impl FilledChart<S>) -> S {
        chart.total()
    }
}

/// Fills a chart of a given kind.
fn fill<'a, S: Semiring, T: Take<'a, S>>(
    kind: ChartKind,
    system: &System,
    scores: KeptScores<'a>,
    options: ChartOptions,
) -> Result<T::Taken, ChartError> {
    let ChartOptions { single_root, instructions, .. } = options;
    let weights = || Weights::new(system, scores.clone(), single_root);
    let arcs = scores.as_arcs();
    Ok(match kind {
        ChartKind::Degree1 => T::take(Windows(Degree1Rows::fill(weights()?, instructions)?)),
        ChartKind::Diagonal | ChartKind::Degree2 => {
            T::take(Windows(Degree2Rows::fill(weights()?, instructions)?))
        }
        ChartKind::Frames(_) => {
            let settings = FrameSettings::of(system, arcs.is_some()).ok_or(ChartError::NoChart)?;
            T::take(FrameChart::fill(settings, scores.clone(), single_root, instructions)?)
        }
        ChartKind::Trees => {
            let (settings, arcs) = trees::settings(system).zip(arcs).ok_or(ChartError::NoChart)?;
            T::take(TreeChart::fill(settings, arcs, single_root, instructions)?)
        }
    })
}

/// The entropy of the distribution over derivations, or trees.
pub(super) fn entropy(
    kind: ChartKind,
    system: &System,
    scores: KeptScores<'_>,
    options: ChartOptions,
) -> Result<f64, ChartError> {
    Ok(fill::<Entropic<Wide>, Total>(kind, system, scores, options)?.entropy)
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
                fill::<Self, Boxed>(kind, system, scores, options)
            }
        }
    )*};
}

#[cfg(feature = "all-semirings")]
compile!(crate::semiring::Boolean, crate::semiring::Count, crate::semiring::Log, Viterbi<f32>);
compile!(Viterbi<f64>, Real, Wide);
