//! Sums over the derivations of one reading: totals, posteriors, samples.
//!
//! Weights are first added up as plain numbers, which is fast and almost always enough. Where the total comes close to the ends of their range,
//! logarithms take over. They have a weakness of their own: beside a logarithm of 10³⁰, that of the number of derivations is lost, and with it
//! the shares of equal derivations. So scores are then taken relative to those of the best tree, whose derivations have weight one each.

use super::reading::Reading;
use super::scale::{centred, largest};
use super::{Inference, InferenceError, Over};
use crate::Tree;
use crate::chart::{Chart, TreeChart};
use crate::random::Random;
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::{Additive, Log, Real, Semiring};
use crate::transition::{Derivation, Transition};

/// From this size of scores on, logarithms are taken relative to the best tree: rounding is then still below 10⁻⁹.
const LARGE: f64 = 1e6;

/// A filled chart, whatever its numbers are.
trait Sums {
    fn log_total(&self) -> f64;
    fn posteriors(&self) -> Option<Vec<f64>>;
    fn sample(&self, random: &mut Random) -> Option<Vec<Transition>>;
}

impl<S: Additive, T: TransitionScores + ?Sized> Sums for Chart<'_, S, T> {
    fn log_total(&self) -> f64 {
        self.total().ln()
    }

    fn posteriors(&self) -> Option<Vec<f64>> {
        self.arc_posteriors()
    }

    fn sample(&self, random: &mut Random) -> Option<Vec<Transition>> {
        Chart::sample(self, &mut || random.uniform())
    }
}

impl<S: Additive> Sums for TreeChart<S> {
    fn log_total(&self) -> f64 {
        self.total().ln()
    }

    fn posteriors(&self) -> Option<Vec<f64>> {
        self.arc_posteriors()
    }

    fn sample(&self, random: &mut Random) -> Option<Vec<Transition>> {
        TreeChart::sample(self, &mut || random.uniform())
    }
}

impl Inference<'_> {
    /// The logarithm of the summed weights of all derivations, in all directions that count.
    pub(super) fn sum_readings(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        let totals: Vec<f64> = self
            .readings_to_sum(scores)
            .iter()
            .map(|reading| self.log_total(reading))
            .collect::<Result<_, _>>()?;
        Ok(totals.into_iter().fold(Log::ZERO, |sum, total| sum.plus(Log(total))).0)
    }

    /// The log partition function of one reading.
    pub(super) fn log_total(&self, reading: &Reading) -> Result<f64, InferenceError> {
        if self.fits::<f64>(&reading.scores, 1)?.is_some() {
            let total = self.with_chart(reading, |sums, constant| sums.log_total() + constant)?;
            return Ok(total.unwrap_or(f64::NEG_INFINITY));
        }
        let Some((scores, constant)) = self.relative(reading)? else { return Ok(f64::NEG_INFINITY) };
        Ok(self.deduction().log_partition(&scores)? + constant)
    }

    /// The log partition function of one reading and the posteriors of its arcs; nothing if it has no derivation.
    pub(super) fn posteriors(&self, reading: &Reading) -> Result<Option<(f64, Vec<f64>)>, InferenceError> {
        if self.fits::<f64>(&reading.scores, 2)?.is_some() {
            let found = self.with_chart(reading, |sums, constant| {
                sums.posteriors().map(|posteriors| (sums.log_total() + constant, posteriors))
            })?;
            return Ok(found.flatten());
        }
        let Some((scores, constant)) = self.relative(reading)? else { return Ok(None) };
        let Some(marginals) = self.deduction().marginals::<Log>(&scores)? else { return Ok(None) };
        let nodes = scores.len() + 1;
        let arcs = (0..nodes * nodes).map(|at| marginals.get(at / nodes, at % nodes)).collect();
        Ok(Some((self.deduction().log_partition(&scores)? + constant, arcs)))
    }

    /// Trees in reading order, drawn by their weights.
    pub(super) fn draw(
        &self,
        reading: &Reading,
        count: usize,
        random: &mut Random,
    ) -> Result<Vec<Tree>, InferenceError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if self.fits::<f64>(&reading.scores, 1)?.is_none() {
            return (0..count).map(|_| self.draw_word_by_word(reading, random)).collect();
        }
        let runs = self.with_chart(reading, |sums, _| -> Option<Vec<_>> {
            (0..count).map(|_| sums.sample(random)).collect()
        })?;
        let runs = runs.flatten().ok_or(InferenceError::NoTree)?;
        let tree =
            |run| Derivation::new(reading.scores.len(), run).tree().map_err(|_| InferenceError::NoTree);
        runs.into_iter().map(tree).collect()
    }

    /// Draws the head of one word after the other from its marginals, given the heads drawn before.
    fn draw_word_by_word(&self, reading: &Reading, random: &mut Random) -> Result<Tree, InferenceError> {
        let nodes = reading.scores.len() + 1;
        let mut constrained = Reading { direction: reading.direction, scores: reading.scores.clone() };
        let mut heads = Vec::with_capacity(reading.scores.len());
        for word in 1..nodes {
            let (_, posteriors) = self.posteriors(&constrained)?.ok_or(InferenceError::NoTree)?;
            let mut left = random.uniform();
            let possible = (0..nodes).filter(|&head| posteriors[head * nodes + word] > 0.0);
            let mut drawn = None;
            for head in possible {
                if left >= 0.0 {
                    drawn = Some(head);
                    left -= posteriors[head * nodes + word];
                }
            }
            let head = drawn.ok_or(InferenceError::NoTree)?;
            constrained.scores.require(head, word);
            heads.push(head);
        }
        Tree::from_heads(&heads).map_err(|_| InferenceError::NoTree)
    }

    /// Calls `then` with a dense chart, and with what its logarithms are short of; not at all if there is no derivation.
    fn with_chart<R>(
        &self,
        reading: &Reading,
        then: impl FnOnce(&dyn Sums, f64) -> R,
    ) -> Result<Option<R>, InferenceError> {
        if !self.can_have_tree(&reading.scores) {
            return Ok(None);
        }
        let by_tree = self.sums_over() == Over::Trees;
        if by_tree {
            let real = TreeChart::<Real>::fill(self.system, &reading.scores, self.single_root);
            if is_safe(real.total()) {
                return Ok(Some(then(&real, 0.0)));
            }
        } else {
            let real = self.chart::<Real, _>(&reading.scores)?;
            if is_safe(real.total()) {
                return Ok(Some(then(&real, 0.0)));
            }
        }
        let Some((scores, constant)) = self.relative(reading)? else { return Ok(None) };
        if by_tree {
            let log = TreeChart::<Log>::fill(self.system, &scores, self.single_root);
            return Ok(Some(then(&log, constant)));
        }
        let log = self.chart::<Log, _>(&scores)?;
        Ok(Some(then(&log, constant)))
    }

    /// Scores for logarithms: relative to the best tree if they are large, with its score. Nothing if there is no tree.
    fn relative(&self, reading: &Reading) -> Result<Option<(ArcScores, f64)>, InferenceError> {
        if largest(&reading.scores) < LARGE {
            return Ok(Some((reading.scores.clone(), 0.0)));
        }
        let derivation = match self.best_derivation(&reading.scores) {
            Ok(derivation) => derivation,
            Err(InferenceError::NoTree) => return Ok(None),
            Err(error) => return Err(error),
        };
        let best = derivation.tree().map_err(|_| InferenceError::NoTree)?;
        Ok(Some((centred(&reading.scores, &best), reading.of_tree(&best))))
    }
}

/// What part of the sum each term is, from the logarithms of the terms. They sum to one unless all terms are zero.
pub(super) fn shares(terms: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let terms: Vec<f64> = terms.into_iter().collect();
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = terms.iter().map(|&term| Log::share(Log(term), Log(largest))).collect();
    let whole: f64 = parts.iter().sum();
    parts.into_iter().map(|part| if whole > 0.0 { part / whole } else { 0.0 }).collect()
}

/// Whether sums in plain double precision neither overflowed nor lost anything that matters. With normalised scores the weights of all trees
/// sum to at most one. So what is lost by underflow, being below 10⁻³⁰⁸, is multiplied by no more than the number of derivations of a tree, which is
/// some 2ⁿ.
fn is_safe(total: Real) -> bool {
    (1e-100..1e200).contains(&total.0)
}
