//! Sums over the derivations of all readings: totals, posteriors, samples.
//!
//! Weights are first added up as plain numbers, which is fast and almost always enough. Where a total comes close to the ends of their range,
//! logarithms take over. They have a weakness of their own: beside a logarithm of 10³⁰, that of the number of derivations is lost, and so are ordinary
//! scores; items whose large scores cancel later on would hand on shares of nothing but rounding errors. So if there are large scores, it is numbers
//! with an exponent and digits of their own ([`Wide`]), and scores without gaps between large and small ones.

use super::reading::Reading;
use super::scale::normalised;
use super::{Inference, InferenceError, Over};
use crate::Tree;
use crate::chart::{Chart, TreeChart};
use crate::deduction::{Marginals, SparseChart, SparseSemiring};
use crate::random::Random;
use crate::scores::ArcScores;
use crate::scores::gaps::{Closed, LARGE};
use crate::semiring::{Additive, Log, Real, Semiring, Wide};
use crate::transition::{Derivation, Transition};

/// The derivations of one reading, whatever the numbers are.
pub(super) trait Sums {
    /// Posteriors of arcs, `[head][dependent]`. There has to be a derivation.
    fn posteriors(&self) -> Result<Vec<f64>, InferenceError>;

    /// A tree in reading order, drawn by its weight.
    fn draw(&self, random: &mut Random) -> Result<Tree, InferenceError>;
}

/// The readings that have a derivation, with their totals and whatever else was asked.
pub(super) struct Summed<R> {
    pub readings: Vec<OfReading<R>>,
    /// The scores that were summed over, in the order of the sentence.
    pub scores: ArcScores,
    unit: Unit,
}

/// A reading's total, and the answer to whatever was asked.
pub(super) struct OfReading<R> {
    pub reading: Reading,
    total: Wide,
    /// The logarithm of the total, as accurate as the numbers it was summed in.
    log: f64,
    answer: R,
}

/// What scores were changed by.
enum Unit {
    /// This was taken from each tree.
    Less(f64),
    Gaps(Closed),
}

impl<R> Summed<R> {
    /// All readings together.
    pub fn total(&self) -> Wide {
        self.readings.iter().fold(Wide::ZERO, |sum, of| sum.plus(of.total))
    }

    /// The logarithm of the total.
    fn ln_total(&self) -> f64 {
        self.readings.iter().fold(Log::ZERO, |sum, of| sum.plus(Log(of.log))).0
    }

    /// The logarithm of the total, with the scores as they were.
    pub fn log_total(&self) -> f64 {
        match &self.unit {
            Unit::Less(constant) => self.ln_total() + constant,
            Unit::Gaps(closed) => closed.ln(self.total()),
        }
    }

    /// The entropy of the distribution that has these marginals.
    pub fn entropy(&self, marginals: &[Vec<f64>]) -> f64 {
        match &self.unit {
            // −Σ p ln p = ln Z − E[score], where the score is the sum over arcs.
            Unit::Less(_) => self.ln_total() - self.scores.expected(marginals, |_| true),
            Unit::Gaps(closed) => closed.entropy(self.total(), marginals),
        }
    }

    /// The logarithm of a part's share of the total; both with the scores that were summed over.
    pub fn ln_share(&self, part: Wide) -> f64 {
        match &self.unit {
            Unit::Less(_) => part.ln() - self.ln_total(),
            Unit::Gaps(closed) => closed.ln_share(part, self.total()),
        }
    }

    /// The part of each reading.
    pub fn shares(&self) -> Vec<f64> {
        let whole = self.total();
        self.readings.iter().map(|of| Wide::share(of.total, whole)).collect()
    }
}

impl Summed<Vec<f64>> {
    /// Probabilities of arcs, `[head][dependent]`, from the posteriors of the readings.
    pub fn marginals(&self) -> Vec<Vec<f64>> {
        let nodes = self.scores.len() + 1;
        let mut marginals = vec![vec![0.0; nodes]; nodes];
        for (of, share) in self.readings.iter().zip(self.shares()) {
            let place = |node| of.reading.place(node);
            for (head, row) in marginals.iter_mut().enumerate() {
                for (dependent, marginal) in row.iter_mut().enumerate().skip(1) {
                    *marginal += share * of.answer[place(head) * nodes + place(dependent)];
                }
            }
        }
        marginals
    }
}

impl Inference<'_> {
    /// Sums over all readings, with posteriors. There is a reading that has a derivation.
    pub(super) fn sum_with_posteriors(&self, scores: &ArcScores) -> Result<Summed<Vec<f64>>, InferenceError> {
        let summed = self.sum(scores, 2, |_, sums| sums.posteriors())?;
        if summed.readings.is_empty() { Err(InferenceError::NoTree) } else { Ok(summed) }
    }

    /// Sums over all readings in numbers that serve for each of them; `ask` is called with each reading that has a derivation. If the first numbers did not serve, it
    /// is called again, and only the later answer counts. `charts` is how many charts the question needs.
    pub(super) fn sum<R>(
        &self,
        scores: &ArcScores,
        charts: u64,
        mut ask: impl FnMut(&Reading, &dyn Sums) -> Result<R, InferenceError>,
    ) -> Result<Summed<R>, InferenceError> {
        let is_dense = self.fits::<f64>(scores, charts)?.is_some();
        let (normal, constant) = normalised(scores);
        if is_dense {
            let readings = self.sum_in::<Real, R>(&normal, |total| is_safe(*total), &mut ask)?;
            if let Some(readings) = readings {
                return Ok(Summed { readings, scores: normal, unit: Unit::Less(constant) });
            }
        }
        if scores.largest() < LARGE {
            let readings = self.sum_in::<Log, R>(&normal, |_| true, &mut ask)?.unwrap_or_default();
            return Ok(Summed { readings, scores: normal, unit: Unit::Less(constant) });
        }
        self.fits::<Wide>(scores, charts)?;
        let closed = Closed::new(scores);
        let readings = self.sum_in::<Wide, R>(&closed.scores, |_| true, &mut ask)?.unwrap_or_default();
        Ok(Summed { readings, scores: closed.scores.clone(), unit: Unit::Gaps(closed) })
    }

    /// The same in given numbers; nothing if they do not serve.
    fn sum_in<S: Additive + SparseSemiring, R>(
        &self,
        scores: &ArcScores,
        serves: impl Fn(&S) -> bool,
        ask: &mut impl FnMut(&Reading, &dyn Sums) -> Result<R, InferenceError>,
    ) -> Result<Option<Vec<OfReading<R>>>, InferenceError> {
        let mut found = Vec::new();
        if !self.can_have_tree(scores) {
            return Ok(Some(found));
        }
        for reading in self.readings_to_sum(scores) {
            let sums = self.sums_of::<S>(&reading)?;
            let total = sums.total()?;
            if !serves(&total) {
                return Ok(None);
            }
            if total != S::ZERO {
                let answer = ask(&reading, &sums)?;
                drop(sums);
                found.push(OfReading { reading, total: total.widened(), log: total.ln(), answer });
            }
        }
        Ok(Some(found))
    }

    fn sums_of<'c, S: Additive + SparseSemiring>(
        &'c self,
        reading: &'c Reading,
    ) -> Result<SumsOf<'c, S>, InferenceError> {
        let scores = &reading.scores;
        Ok(if self.fits::<f64>(scores, 1)?.is_none() {
            SumsOf::Sparse(self.deduction().fill(scores)?, scores.len())
        } else if self.sums_over() == Over::Trees {
            SumsOf::Trees(TreeChart::fill(self.system, scores, self.single_root), scores.len())
        } else {
            SumsOf::Dense(Box::new(self.chart(scores)?), scores.len())
        })
    }
}

/// Wherever sums come from.
enum SumsOf<'c, S> {
    Dense(Box<Chart<'c, S, ArcScores>>, usize),
    Trees(TreeChart<S>, usize),
    Sparse(SparseChart<'c, S>, usize),
}

impl<S: Additive> SumsOf<'_, S> {
    fn total(&self) -> Result<S, InferenceError> {
        Ok(match self {
            SumsOf::Dense(chart, _) => chart.total(),
            SumsOf::Trees(chart, _) => chart.total(),
            SumsOf::Sparse(chart, _) => chart.total(),
        })
    }
}

impl<S: Additive> Sums for SumsOf<'_, S> {
    fn posteriors(&self) -> Result<Vec<f64>, InferenceError> {
        let found = match self {
            SumsOf::Dense(chart, _) => chart.arc_posteriors(),
            SumsOf::Trees(chart, _) => chart.arc_posteriors(),
            SumsOf::Sparse(chart, _) => chart.marginals()?.map(Marginals::into_rows),
        };
        found.ok_or(InferenceError::NoTree)
    }

    fn draw(&self, random: &mut Random) -> Result<Tree, InferenceError> {
        match self {
            SumsOf::Dense(chart, words) => built(chart.sample(&mut || random.uniform()), *words),
            SumsOf::Trees(chart, words) => built(chart.sample(&mut || random.uniform()), *words),
            SumsOf::Sparse(chart, words) => {
                let run = chart.sample(&mut || random.uniform());
                built(run.map(|run| run.transitions().to_vec()), *words)
            }
        }
    }
}

fn built(run: Option<Vec<Transition>>, words: usize) -> Result<Tree, InferenceError> {
    let run = run.ok_or(InferenceError::NoTree)?;
    Derivation::new(words, run).tree().map_err(|_| InferenceError::NoTree)
}

/// Whether sums in plain double precision neither overflowed nor lost anything that matters. With normalised scores the weights of all trees
/// sum to at most one. So what is lost by underflow, being below 10⁻³⁰⁸, is multiplied by no more than the number of derivations of a tree, which is
/// some 2ⁿ.
fn is_safe(total: Real) -> bool {
    (1e-100..1e200).contains(&total.0)
}
