//! Scores of transitions for each direction in which a sentence is read.
//!
//! Each direction has a distribution of its own over the trees that the system can build that way, with their
//! runs summed out. The answer is the tree with the largest product of its probabilities in all directions.
//! Partition functions are the same for all trees, so that they are not needed to compare two of them; and
//! the sum over the runs of one tree is quick. Were the better of the two probabilities to decide, the
//! direction that is surer of itself would always win; the product also asks what the other one thinks.
//!
//! The best product of all is hard to find, as each tree has many runs in each direction. So trees are
//! compared that one of the directions, or both together, have reason to prefer: those of the best runs, and
//! the one with most heads right by expectation (minimum Bayes risk).
//!
//! A tree that one direction cannot build has probability zero there, so any tree that all can build is
//! preferred to it. If there is none among the candidates, the most probable one in a single direction is the
//! answer.

use super::{Inference, InferenceError, Parse, Path};
use crate::scores::{ArcScores, TransitionScores, Use};
use crate::system::Direction;
use crate::transition::Derivation;
use crate::{Marginals, Tree};

/// Scores of transitions for one direction: those of the sentence as it is read, from right to left of its
/// mirror image.
#[derive(Clone, Copy)]
pub struct RunReading<'s> {
    /// One of the two.
    pub direction: Direction,
    /// Scores in reading order.
    pub scores: &'s dyn TransitionScores,
}

impl RunReading<'_> {
    /// The answer that a run is which some search has found; nothing if it leads to no tree.
    pub fn answer(&self, (score, run): (f64, Derivation)) -> Option<Parse> {
        Some(self.in_sentence(Parse::of_run(Some((score, run)), Path::Chart).ok()?))
    }

    /// An answer in the order of the sentence, from one in reading order.
    fn in_sentence(&self, found: Parse) -> Parse {
        Parse { tree: self.direction.read(found.tree), direction: self.direction, ..found }
    }
}

/// The mixture of the distributions over runs of several readings, each with the same share.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// The probability of each arc.
    pub marginals: Marginals,
    /// The logarithms of the probabilities of the trees that were asked about.
    pub log_trees: Vec<f64>,
}

impl Inference {
    /// The best tree by scores of transitions. For one direction, it is that of the best run. For several, it
    /// is the [most probable](Inference::most_probable) one among those of the best runs and the one with most
    /// heads right by expectation, unless the best runs agree.
    ///
    /// # Errors
    /// As [`Inference::best_run`].
    pub fn best_of_runs(&self, readings: &[RunReading<'_>]) -> Result<Parse, InferenceError> {
        let mut candidates = Vec::new();
        for reading in readings {
            match self.best_run(reading.scores) {
                Ok(found) => candidates.push(reading.in_sentence(found)),
                Err(InferenceError::NoTree) => {}
                Err(error) => return Err(error),
            }
        }
        // Sums take more memory than the best run, which has to do where there is too little.
        if let Some((first, others)) = candidates.split_first()
            && others.iter().any(|other| other.tree != first.tree)
            && let Ok(found) = self.of_least_risk(readings)
        {
            candidates.push(found);
        }
        self.most_probable(readings, candidates)
    }

    /// The tree with most heads right by expectation, with probabilities that are the mean over all readings,
    /// and its best run in the first reading that has one.
    fn of_least_risk(&self, readings: &[RunReading<'_>]) -> Result<Parse, InferenceError> {
        let marginals = self.mixture(readings, &[])?.marginals;
        let mut arcs = ArcScores::new(marginals.words());
        for (head, dependent) in ArcScores::arcs_of(marginals.words()) {
            arcs.put(head, dependent, marginals.get(head, dependent));
        }
        let tree = self.clone().direction(Direction::Either).best(&arcs)?.tree;
        let run = |reading: &RunReading<'_>| {
            let run = self.best_run_of(&reading.direction.read(tree.clone()), reading.scores).ok()?;
            Some(reading.in_sentence(run))
        };
        readings.iter().find_map(run).ok_or(InferenceError::NoTree)
    }

    /// Of some trees in the order of the sentence, the one with the largest product of its probabilities in
    /// all readings, its runs summed out. Where no tree can be built in all, it is the one that is most
    /// probable in one of them. The first one wins a tie.
    ///
    /// # Errors
    /// If there is no candidate, lengths differ, or a chart would take too much memory.
    pub fn most_probable(
        &self,
        readings: &[RunReading<'_>],
        candidates: Vec<Parse>,
    ) -> Result<Parse, InferenceError> {
        let Some(first) = candidates.first() else { return Err(InferenceError::NoTree) };
        if candidates.iter().all(|candidate| candidate.tree == first.tree) {
            return Ok(first.clone());
        }
        let mut logs = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            let of_readings = readings.iter().map(|reading| self.log_weight(reading, &candidate.tree));
            logs.push(of_readings.collect::<Result<Vec<f64>, _>>()?);
        }
        let mut worth: Vec<f64> = logs.iter().map(|logs| logs.iter().sum()).collect();
        if worth.iter().all(|&product| product == f64::NEG_INFINITY) {
            let totals = readings.iter().map(|reading| self.log_total(reading.scores, None));
            let totals = totals.collect::<Result<Vec<f64>, _>>()?;
            let shares = |logs: &Vec<f64>| {
                logs.iter().zip(&totals).map(|(log, total)| log - total).fold(f64::NEG_INFINITY, f64::max)
            };
            worth = logs.iter().map(shares).collect();
        }
        let best = (1..worth.len()).fold(0, |best, at| if worth[at] > worth[best] { at } else { best });
        candidates.into_iter().nth(best).ok_or(InferenceError::NoTree)
    }

    /// The logarithm of the summed weights of a tree's runs in a reading; −∞ if it has none.
    fn log_weight(&self, reading: &RunReading<'_>, tree: &Tree) -> Result<f64, InferenceError> {
        match self.log_total_of(&reading.direction.read(tree.clone()), reading.scores, None) {
            Err(InferenceError::NoTree) => Ok(f64::NEG_INFINITY),
            log => log,
        }
    }

    /// The mixture of the readings' distributions over runs, and what it says about some trees. Readings
    /// without a run are left out. One chart is there at a time.
    ///
    /// # Errors
    /// As [`Inference::log_total`]; or if no reading has a run.
    pub fn mixture(&self, readings: &[RunReading<'_>], trees: &[&Tree]) -> Result<Mixture, InferenceError> {
        let words = readings.first().ok_or(InferenceError::NoTree)?.scores.words();
        let mut sums = Marginals::zero(words)?;
        let mut logs = Vec::with_capacity(readings.len());
        for reading in readings {
            let mut add = |what: Use<'_>, count: f64| {
                if let Use::Arc { head, dependent } = what {
                    let place = |node| reading.direction.place(words, node);
                    sums.add((place(head), place(dependent)), count);
                }
            };
            let total = match self.log_total(reading.scores, Some(&mut add)) {
                Err(InferenceError::NoTree) => continue,
                total => total?,
            };
            // Rounding makes nothing more than certain.
            let log = |tree: &&Tree| Ok((self.log_weight(reading, tree)? - total).min(0.0));
            logs.push(trees.iter().map(log).collect::<Result<Vec<f64>, InferenceError>>()?);
        }
        if logs.is_empty() {
            return Err(InferenceError::NoTree);
        }
        let marginals = sums.scaled(1.0 / logs.len() as f64);
        let log_of = |at: usize| log_mean(&logs.iter().map(|logs| logs[at]).collect::<Vec<_>>());
        Ok(Mixture { marginals, log_trees: (0..trees.len()).map(log_of).collect() })
    }
}

/// The logarithm of the mean of numbers that are given by their logarithms.
fn log_mean(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
    largest + (sum / logs.len() as f64).ln()
}
