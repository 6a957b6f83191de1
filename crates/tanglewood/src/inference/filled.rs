//! A filled chart, dense or sparse, behind the same questions.

use super::sums::ReadingSums;
use super::{Inference, InferenceError, Over};
use crate::chart::{Chart, ChartOptions, ChartSemiring};
use crate::deduction::{SparseChart, SparseSemiring};
use crate::random::Random;
use crate::scores::{KeptScores, Use};
use crate::semiring::Additive;
use crate::stop;
use crate::transition::Derivation;
use crate::{System, Tree};

/// A filled chart of either kind.
pub(super) enum Filled<'s, S> {
    Dense(Chart<'s, S>, System),
    Sparse(SparseChart<'s, S>),
}

impl Inference {
    /// Fills the chart of one reading.
    pub(super) fn fill<'s, S: ChartSemiring + SparseSemiring>(
        &self,
        system: &System,
        scores: KeptScores<'s>,
        is_dense: bool,
        over: Over,
    ) -> Result<Filled<'s, S>, InferenceError> {
        if !is_dense {
            return Ok(Filled::Sparse(self.deduction(system).fill(scores)?));
        }
        let options = ChartOptions { over, ..self.chart_options() };
        Ok(Filled::Dense(Chart::fill(system, scores, options)?, system.clone()))
    }
}

impl<S: Additive + ChartSemiring + SparseSemiring> Filled<'_, S> {
    pub fn total(&self) -> S {
        match self {
            Filled::Dense(chart, _) => chart.total(),
            Filled::Sparse(chart) => chart.total(),
        }
    }

    /// Reports how often a derivation uses each score, on average.
    pub fn count(&self, uses: &mut dyn FnMut(Use<'_>, f64)) -> Result<(), InferenceError> {
        match self {
            Filled::Dense(chart, _) => Ok(chart.count(uses)?),
            Filled::Sparse(chart) => Ok(chart.count(uses)?),
        }
    }
}

impl<S: Additive + ChartSemiring + SparseSemiring> ReadingSums for Filled<'_, S> {
    fn arc_shares(&self) -> Result<Vec<f64>, InferenceError> {
        match self {
            Filled::Dense(chart, _) => {
                let (total, weights) = (chart.total(), chart.arc_weights()?);
                stop::check()?;
                Ok(weights.into_iter().map(|weight| S::share(weight, total)).collect())
            }
            Filled::Sparse(chart) => {
                let marginals = chart.marginals()?.ok_or(InferenceError::NoTree)?;
                stop::check()?;
                Ok(marginals.rows().flatten().copied().collect())
            }
        }
    }

    fn entropy(&self) -> Result<f64, InferenceError> {
        match self {
            Filled::Dense(chart, system) => Ok(chart.entropy(system)?),
            Filled::Sparse(chart) => {
                let entropy = chart.entropy()?;
                stop::check()?;
                Ok(entropy)
            }
        }
    }

    fn sample(&self, random: &mut Random) -> Result<Tree, InferenceError> {
        let mut uniform = || random.uniform();
        let run = match self {
            Filled::Dense(chart, _) => {
                chart.sample(&mut uniform).map(|transitions| Derivation::new(chart.words(), transitions))
            }
            Filled::Sparse(chart) => chart.sample(&mut uniform),
        };
        run.and_then(|run| run.tree().ok()).ok_or(InferenceError::NoTree)
    }
}
