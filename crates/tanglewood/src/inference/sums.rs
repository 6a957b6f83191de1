//! Sums over the derivations of all readings of a sentence, or over all trees, in numbers that serve for its
//! scores.
//!
//! Weights are first added up as plain numbers, which is fast and almost always enough. Where a total comes
//! close to the ends of their range, numbers have an exponent and digits of their own ([`Wide`]), and the
//! scores no gaps between large and small ones. Logarithms would take less memory, but have a weakness of
//! their own: beside a logarithm of 10³⁰, that of the number of derivations is lost, and so are ordinary
//! scores; items whose large scores cancel later on would hand on shares of nothing but rounding errors.

use std::sync::Arc;

use super::reading::Reading;
use super::{Inference, InferenceError, Over, is_projective};
use crate::chart::ChartSemiring;
use crate::deduction::SparseSemiring;
use crate::random::Random;
use crate::scores::gaps::ClosedGaps;
use crate::scores::scale::Normalised;
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::{Additive, Log, Real, Semiring, Wide};
use crate::spanning::{TreeSums, TreeWeight};
use crate::stop;
use crate::system::{Direction, TreeClass};
use crate::{System, Tree};

/// Totals of plain numbers that neither overflowed nor lost anything that matters. With normalised scores the
/// weights of all trees sum to at most one. So what is lost by underflow, being below 10⁻³⁰⁸, is multiplied
/// by no more than the number of derivations of a tree, which is some 2ⁿ.
const SAFE: std::ops::Range<f64> = 1e-100..1e200;

/// Where scores of root arcs are further than this from those of other arcs, their differences are not
/// accurate enough for plain numbers.
const FAR_ROOTS: f64 = 1e3;

/// The derivations, or trees, of one reading, whatever the numbers are.
pub(super) trait ReadingSums: Send {
    /// For each arc the share of the derivations that have it, `[head][dependent]` row by row in reading
    /// order.
    fn arc_shares(&self) -> Result<Vec<f64>, InferenceError>;

    /// The entropy of the distribution over the derivations, without a sum of scores.
    fn entropy(&self) -> Result<f64, InferenceError>;

    /// A tree in reading order, drawn by its weight.
    fn sample(&self, random: &mut Random) -> Result<Tree, InferenceError>;
}

/// The readings that have a derivation.
pub(super) struct Summed<'s> {
    pub readings: Vec<SummedReading<'s>>,
    /// The arc scores that were summed over, in the order of the sentence.
    pub scores: Option<ArcScores>,
    unit: Unit,
}

/// The total of one reading, and what else can be asked.
pub(super) struct SummedReading<'s> {
    pub direction: Direction,
    pub sums: Box<dyn ReadingSums + 's>,
    total: Wide,
    /// The logarithm of the total, as accurate as the numbers it was summed in.
    log: f64,
}

impl<'s> SummedReading<'s> {
    fn new<S: Additive>(direction: Direction, sums: impl ReadingSums + 's, total: S) -> SummedReading<'s> {
        SummedReading { direction, sums: Box::new(sums), total: total.widened(), log: total.ln() }
    }
}

/// How the scores that were summed over differ from those that were given.
enum Unit {
    /// This was taken from the score of each tree.
    Less(f64),
    Gaps(ClosedGaps),
}

impl<'s> Summed<'s> {
    fn total(&self) -> Wide {
        self.readings.iter().fold(Wide::ZERO, |sum, reading| sum.plus(reading.total))
    }

    /// The logarithm of the sum of all weights, as they were summed.
    pub fn ln_total(&self) -> f64 {
        self.readings.iter().fold(Log::ZERO, |sum, reading| sum.plus(Log(reading.log))).0
    }

    /// The logarithm of the sum of all weights, with the scores as they were given.
    pub fn log_partition(&self) -> f64 {
        match &self.unit {
            Unit::Less(constant) => self.ln_total() + constant,
            Unit::Gaps(closed) => closed.ln(self.total()),
        }
    }

    /// Whether arc scores were summed over in plain numbers, so that their sums keep their digits.
    pub fn is_plain(&self) -> bool {
        self.scores.is_some() && matches!(self.unit, Unit::Less(_))
    }

    /// The logarithm of the share of all derivations that those of a tree have, each with the same weight.
    pub fn ln_share(&self, tree: &Tree, derivations: Wide) -> f64 {
        let scores = || {
            let scores = self.scores.as_ref();
            tree.arcs().filter_map(move |(head, word)| scores.map(|scores| scores.get(head, word)))
        };
        match &self.unit {
            Unit::Less(_) => derivations.ln() + scores().sum::<f64>() - self.ln_total(),
            Unit::Gaps(closed) => {
                let part = scores().map(Wide::from_score).fold(derivations, Wide::times);
                closed.ln_share(part, self.total())
            }
        }
    }

    /// The readings, each with its share of all derivations. There is at least one.
    pub fn readings_with_shares(&self) -> Result<Vec<(&SummedReading<'s>, f64)>, InferenceError> {
        let whole = self.total();
        let share = |reading: &SummedReading<'_>| Wide::share(reading.total, whole);
        let readings: Vec<_> = self.readings.iter().map(|reading| (reading, share(reading))).collect();
        if readings.is_empty() { Err(InferenceError::NoTree) } else { Ok(readings) }
    }
}

impl Inference {
    /// Sums over the readings of a matrix.
    pub(super) fn sum_arcs<'s>(&self, scores: &ArcScores) -> Result<Summed<'s>, InferenceError> {
        if !self.can_have_tree(scores) {
            return Ok(Summed { readings: Vec::new(), scores: None, unit: Unit::Less(0.0) });
        }
        // What would take too much memory is refused before anything else is done.
        if let Some(system) = self.class().system() {
            self.fits::<f64>(system, scores, self.direction.each().len() as u64)?;
        }
        let roots_apart = self.single_root && *self.class() == TreeClass::Any;
        let normal = Normalised::new(scores, roots_apart)?;
        let words = scores.len();
        let mut plain = None;
        match self.class() {
            TreeClass::Any if scores.has_forbidden_arcs() && self.spanning().best(scores).is_err() => {
                plain = Some(Vec::new());
            }
            TreeClass::Any if normal.root.abs() < FAR_ROOTS => {
                plain = self.sum_trees(words, |head| normal.weights(head))?;
            }
            TreeClass::Any => {}
            TreeClass::System(system) => {
                plain = self.sum_runs_in::<Real>(system, &normal.scores, |total| SAFE.contains(&total.0))?;
            }
        }
        if let Some(readings) = plain {
            return Ok(Summed { readings, scores: Some(normal.scores), unit: Unit::Less(normal.constant) });
        }
        let closed = ClosedGaps::new(scores);
        let readings = match self.class() {
            TreeClass::Any => self.sum_trees(words, |head| {
                closed.scores.row(head)[1..].iter().map(|&score| Wide::from_score(score))
            })?,
            TreeClass::System(system) => {
                self.fits::<Wide>(system, scores, self.direction.each().len() as u64)?;
                self.sum_runs_in::<Wide>(system, &closed.scores, |_| true)?
            }
        };
        let readings = readings.unwrap_or_default();
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
            let is_dense = self.fits::<Wide>(system, scores, 1)?;
            let filled = self.fill::<Wide>(system, scores.into(), is_dense, Over::Derivations)?;
            let total = filled.total();
            readings.extend((total != Wide::ZERO).then(|| SummedReading::new(Direction::Ltr, filled, total)));
        }
        Ok(Summed { readings, scores: None, unit: Unit::Less(0.0) })
    }

    /// All trees in given numbers, of which there is one; none if these do not serve.
    fn sum_trees<'s, S: TreeWeight, R: Iterator<Item = S>>(
        &self,
        words: usize,
        row: impl Fn(usize) -> R,
    ) -> Result<Option<Vec<SummedReading<'s>>>, InferenceError> {
        let sums = TreeSums::new(words, self.single_root, row)?;
        stop::check()?;
        Ok(sums.total().map(|total| vec![SummedReading::new(Direction::Ltr, sums, total)]))
    }

    /// The readings of a system in given numbers; none if these do not serve for one of them.
    fn sum_runs_in<'s, S: Additive + ChartSemiring + SparseSemiring>(
        &self,
        system: &System,
        scores: &ArcScores,
        serves: impl Fn(&S) -> bool,
    ) -> Result<Option<Vec<SummedReading<'s>>>, InferenceError> {
        let mut found = Vec::new();
        let is_dense = self.fits::<S>(system, scores, self.direction.each().len() as u64)?;
        // One direction is enough where both have the same trees and each counts once.
        let most = if is_projective(system) { 1 } else { 2 };
        for Reading { direction, scores } in self.readings(scores).into_iter().take(most) {
            let filled = self.fill::<S>(system, Arc::new(scores).into(), is_dense, self.sums_over())?;
            let total = filled.total();
            if !serves(&total) {
                return Ok(None);
            }
            found.extend((total != S::ZERO).then(|| SummedReading::new(direction, filled, total)));
        }
        Ok(Some(found))
    }
}

impl<S: TreeWeight> ReadingSums for TreeSums<S> {
    fn arc_shares(&self) -> Result<Vec<f64>, InferenceError> {
        let shares = self.arc_shares()?;
        stop::check()?;
        Ok(shares)
    }

    fn entropy(&self) -> Result<f64, InferenceError> {
        let entropy = self.entropy()?;
        stop::check()?;
        Ok(entropy)
    }

    fn sample(&self, random: &mut Random) -> Result<Tree, InferenceError> {
        self.draw(random).ok_or(InferenceError::NoTree)
    }
}
