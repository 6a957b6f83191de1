//! Sums over the derivations of all readings of a sentence, in numbers that serve for its scores.
//!
//! Weights are first added up as plain numbers, which is fast and almost always enough. Where a total comes close to the ends of their
//! range, logarithms take over. They have a weakness of their own: beside a logarithm of 10³⁰, that of the number of derivations is lost,
//! and so are ordinary scores; items whose large scores cancel later on would hand on shares of nothing but rounding errors. So if scores
//! of a word are far apart, numbers have an exponent and digits of their own ([`Wide`]), and the scores no gaps between large and small
//! ones.

use std::sync::Arc;

use super::reading::Reading;
use super::{Inference, InferenceError, Over, is_projective};
use crate::chart::{Chart, ChartOptions, ChartSemiring};
use crate::deduction::{SparseChart, SparseSemiring};
use crate::random::Random;
use crate::scores::gaps::Closed;
use crate::scores::scale::{LARGE, normalised, spread};
use crate::scores::{ArcScores, KeptScores, TransitionScores};
use crate::semiring::{Additive, Log, Real, Semiring, Wide};
use crate::system::Direction;
use crate::transition::Derivation;
use crate::{Marginals, System, Tree};

/// Totals of plain numbers that neither overflowed nor lost anything that matters. With normalised scores the weights of all trees sum to at
/// most one. So what is lost by underflow, being below 10⁻³⁰⁸, is multiplied by no more than the number of derivations of a tree, which is
/// some 2ⁿ.
const SAFE: std::ops::Range<f64> = 1e-100..1e200;

/// The derivations of one reading, whatever the numbers are.
pub(super) trait RunSums: Send {
    /// For each arc the share of the derivations that have it, `[head][dependent]` row by row in reading order.
    fn arc_shares(&self) -> Result<Vec<f64>, InferenceError>;

    /// The entropy of the distribution over the derivations, from the choices that its items leave open.
    fn entropy(&self) -> Result<f64, InferenceError>;

    /// A tree in reading order, drawn by its weight.
    fn sample(&self, random: &mut Random) -> Result<Tree, InferenceError>;
}

/// The readings that have a derivation.
pub(super) struct Summed<'s> {
    readings: Vec<SummedReading<'s>>,
    /// The arc scores that were summed over, in the order of the sentence.
    scores: Option<ArcScores>,
    unit: Unit,
}

/// The total of one reading, and what else can be asked.
pub(super) struct SummedReading<'s> {
    pub direction: Direction,
    pub sums: Box<dyn RunSums + 's>,
    total: Wide,
    /// The logarithm of the total, as accurate as the numbers it was summed in.
    log: f64,
}

/// How the scores that were summed over differ from those that were given.
enum Unit {
    /// This was taken from the score of each tree.
    Less(f64),
    Gaps(Closed),
}

impl<'s> Summed<'s> {
    fn total(&self) -> Wide {
        self.readings.iter().fold(Wide::ZERO, |sum, reading| sum.plus(reading.total))
    }

    fn ln_total(&self) -> f64 {
        self.readings.iter().fold(Log::ZERO, |sum, reading| sum.plus(Log(reading.log))).0
    }

    /// The logarithm of the sum of all weights, with the scores as they were given.
    pub fn log_partition(&self) -> f64 {
        match &self.unit {
            Unit::Less(constant) => self.ln_total() + constant,
            Unit::Gaps(closed) => closed.ln(self.total()),
        }
    }

    /// The score of an arc as it was summed over.
    pub fn scaled(&self, head: usize, word: usize) -> f64 {
        self.scores.as_ref().map_or(0.0, |scores| scores.get(head, word))
    }

    /// The logarithm of the share of all derivations that some of them have, which weigh that much together.
    pub fn ln_share(&self, part: Wide) -> Result<f64, InferenceError> {
        if self.readings.is_empty() {
            return Err(InferenceError::NoTree);
        }
        Ok(match &self.unit {
            Unit::Less(_) => part.ln() - self.ln_total(),
            Unit::Gaps(closed) => closed.ln_share(part, self.total()),
        })
    }

    /// Checks that there is memory for outside weights beside the charts.
    pub fn check_outside(
        &self,
        inference: &Inference,
        scores: &dyn TransitionScores,
    ) -> Result<(), InferenceError> {
        let Some(system) = inference.class().system() else { return Ok(()) };
        let charts = self.readings.len() as u64 + 1;
        match &self.unit {
            Unit::Less(_) => inference.fits::<f64>(system, scores, charts)?,
            Unit::Gaps(_) => inference.fits::<Wide>(system, scores, charts)?,
        };
        Ok(())
    }

    /// The readings, each with its share of all derivations. There is at least one.
    pub fn readings_with_shares(&self) -> Result<Vec<(&SummedReading<'s>, f64)>, InferenceError> {
        let whole = self.total();
        let share = |reading: &SummedReading<'_>| Wide::share(reading.total, whole);
        let readings: Vec<_> = self.readings.iter().map(|reading| (reading, share(reading))).collect();
        if readings.is_empty() { Err(InferenceError::NoTree) } else { Ok(readings) }
    }

    /// The entropy of the distribution.
    pub fn entropy<'m>(
        &self,
        marginals: impl FnOnce() -> Result<&'m Marginals, InferenceError>,
    ) -> Result<f64, InferenceError> {
        if let (Unit::Less(_), Some(scores)) = (&self.unit, &self.scores) {
            // −Σ p ln p = ln Z − E[score], where the score is the sum over arcs.
            return Ok(self.ln_total() - expected(scores, marginals()?));
        }
        // Between scores of very different sizes that difference has no digits left.
        let mut entropy = 0.0;
        for (reading, share) in self.readings_with_shares()? {
            if share > 0.0 {
                entropy += share * (reading.sums.entropy()? - share.ln());
            }
        }
        Ok(entropy)
    }
}

impl Inference {
    /// Sums over the readings of a matrix.
    pub(super) fn sum_arcs<'s>(
        &self,
        system: &System,
        scores: &ArcScores,
    ) -> Result<Summed<'s>, InferenceError> {
        let is_dense = self.fits::<f64>(system, scores, self.directions())?;
        let (normal, constant) = normalised(scores);
        if is_dense
            && let Some(readings) = self.sum_in::<Real>(system, &normal, |total| SAFE.contains(&total.0))?
        {
            return Ok(Summed { readings, scores: Some(normal), unit: Unit::Less(constant) });
        }
        if spread(scores) < LARGE {
            let readings = self.sum_in::<Log>(system, &normal, |_| true)?.unwrap_or_default();
            return Ok(Summed { readings, scores: Some(normal), unit: Unit::Less(constant) });
        }
        self.fits::<Wide>(system, scores, self.directions())?;
        let closed = Closed::new(scores);
        let readings = self.sum_in::<Wide>(system, &closed.scores, |_| true)?.unwrap_or_default();
        Ok(Summed { readings, scores: Some(closed.scores.clone()), unit: Unit::Gaps(closed) })
    }

    /// Sums over the runs from left to right.
    pub(super) fn sum_runs<'s>(
        &self,
        system: &System,
        scores: &'s dyn TransitionScores,
    ) -> Result<Summed<'s>, InferenceError> {
        let mut readings = Vec::new();
        if self.can_have_tree(scores) {
            let is_dense = self.fits::<f64>(system, scores, 1)?;
            let scores = KeptScores::from(scores);
            readings
                .extend(self.reading::<Log>(system, Direction::Ltr, scores, is_dense, &|_| true)?.flatten());
        }
        Ok(Summed { readings, scores: None, unit: Unit::Less(0.0) })
    }

    /// The readings in given numbers; none if these do not serve for one of them.
    fn sum_in<'s, S: Additive + ChartSemiring + SparseSemiring>(
        &self,
        system: &System,
        scores: &ArcScores,
        serves: impl Fn(&S) -> bool,
    ) -> Result<Option<Vec<SummedReading<'s>>>, InferenceError> {
        let mut found = Vec::new();
        if !self.can_have_tree(scores) {
            return Ok(Some(found));
        }
        let is_dense = self.fits::<S>(system, scores, self.directions())?;
        // One direction is enough where both have the same trees and each counts once.
        let most = if is_projective(system) { 1 } else { 2 };
        for Reading { direction, scores } in self.readings(scores).into_iter().take(most) {
            let scores = KeptScores::from(Arc::new(scores));
            match self.reading::<S>(system, direction, scores, is_dense, &serves)? {
                None => return Ok(None),
                Some(reading) => found.extend(reading),
            }
        }
        Ok(Some(found))
    }

    /// One reading: none if the numbers do not serve, and nothing inside if there is no derivation.
    fn reading<'s, S: Additive + ChartSemiring + SparseSemiring>(
        &self,
        system: &System,
        direction: Direction,
        scores: KeptScores<'s>,
        is_dense: bool,
        serves: &dyn Fn(&S) -> bool,
    ) -> Result<Option<Option<SummedReading<'s>>>, InferenceError> {
        let over = if scores.as_arcs().is_some() { self.sums_over() } else { Over::Derivations };
        let options = ChartOptions { over, ..self.chart_options() };
        let words = scores.words();
        let sums = if is_dense {
            Filled::<S>::Dense(Box::new(Chart::fill(system, scores, options)?), words)
        } else {
            Filled::Sparse(self.deduction(system).fill(scores)?)
        };
        let total = sums.total();
        if !serves(&total) {
            return Ok(None);
        }
        let reading =
            || SummedReading { direction, sums: Box::new(sums), total: total.widened(), log: total.ln() };
        Ok(Some((total != S::ZERO).then(reading)))
    }
}

/// A filled chart of either kind.
enum Filled<'s, S> {
    Dense(Box<Chart<'s, S>>, usize),
    Sparse(SparseChart<'s, S>),
}

impl<S: Additive + ChartSemiring + SparseSemiring> Filled<'_, S> {
    fn total(&self) -> S {
        match self {
            Filled::Dense(chart, _) => chart.total(),
            Filled::Sparse(chart) => chart.total(),
        }
    }
}

impl<S: Additive + ChartSemiring + SparseSemiring> RunSums for Filled<'_, S> {
    fn arc_shares(&self) -> Result<Vec<f64>, InferenceError> {
        match self {
            Filled::Dense(chart, _) => {
                let total = chart.total();
                Ok(chart.arc_weights()?.into_iter().map(|weight| S::share(weight, total)).collect())
            }
            Filled::Sparse(chart) => {
                let marginals = chart.marginals()?.ok_or(InferenceError::NoTree)?;
                Ok(marginals.rows().flatten().copied().collect())
            }
        }
    }

    fn entropy(&self) -> Result<f64, InferenceError> {
        match self {
            Filled::Dense(chart, _) => Ok(chart.entropy()?),
            Filled::Sparse(chart) => Ok(chart.entropy()?),
        }
    }

    fn sample(&self, random: &mut Random) -> Result<Tree, InferenceError> {
        let mut uniform = || random.uniform();
        let run = match self {
            Filled::Dense(chart, words) => {
                chart.sample(&mut uniform).map(|transitions| Derivation::new(*words, transitions))
            }
            Filled::Sparse(chart) => chart.sample(&mut uniform),
        };
        run.and_then(|run| run.tree().ok()).ok_or(InferenceError::NoTree)
    }
}

/// The expected sum of a tree's scores.
fn expected(scores: &ArcScores, marginals: &Marginals) -> f64 {
    let terms = scores.arcs().map(|(head, word)| (marginals.get(head, word), scores.get(head, word)));
    terms.filter(|&(marginal, _)| marginal > 0.0).map(|(marginal, score)| marginal * score).sum()
}
