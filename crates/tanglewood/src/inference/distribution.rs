//! All answers about the scores of one sentence, from charts that are filled once.

use std::sync::OnceLock;

use super::reading::{in_sentence, place};
use super::sums::Summed;
use super::{Inference, InferenceError, Over, Parse};
use crate::random::Random;
use crate::scores::{ArcScores, TransitionScores, WithinTree};
use crate::semiring::{Log, Semiring, Wide};
use crate::spanning::SpanningDistribution;
use crate::system::TreeClass;
use crate::{Marginals, Tree};

/// The distribution over the derivations, or trees, of a class, each weighted by exp(score).
///
/// It owns the filled charts: the partition function, marginals, entropy, probabilities of trees and samples come from what is there.
/// [`Inference::sums_over`] tells whether a tree counts once, or once for each run that builds it.
#[must_use]
pub struct Distribution<'s> {
    inference: Inference,
    scores: Source<'s>,
    sums: Sums<'s>,
    marginals: OnceLock<Marginals>,
}

enum Source<'s> {
    Arcs(&'s ArcScores),
    Transitions(&'s dyn TransitionScores),
}

impl<'s> Source<'s> {
    fn get(&self) -> &'s dyn TransitionScores {
        match *self {
            Source::Arcs(scores) => scores,
            Source::Transitions(scores) => scores,
        }
    }
}

enum Sums<'s> {
    /// Over all trees. None if there is no tree.
    Spanning(Option<Box<SpanningDistribution<'s>>>),
    /// Over the runs of a system.
    Runs(Summed<'s>),
}

impl<'s> Distribution<'s> {
    pub(super) fn over_arcs(
        inference: &Inference,
        scores: &'s ArcScores,
    ) -> Result<Distribution<'s>, InferenceError> {
        let sums = match inference.class() {
            TreeClass::Any => Sums::Spanning(inference.spanning().distribution(scores).ok().map(Box::new)),
            TreeClass::System(system) => Sums::Runs(inference.sum_arcs(system, scores)?),
        };
        let (inference, scores) = (inference.clone(), Source::Arcs(scores));
        Ok(Distribution { inference, scores, sums, marginals: OnceLock::new() })
    }

    pub(super) fn over_runs(
        inference: &Inference,
        scores: &'s dyn TransitionScores,
    ) -> Result<Distribution<'s>, InferenceError> {
        let TreeClass::System(system) = inference.class() else { return Err(InferenceError::ArcScoresOnly) };
        let sums = Sums::Runs(inference.sum_runs(system, scores)?);
        let (inference, scores) = (inference.clone(), Source::Transitions(scores));
        Ok(Distribution { inference, scores, sums, marginals: OnceLock::new() })
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.scores.get().words()
    }

    /// What the sums are over.
    pub fn over(&self) -> Over {
        match self.scores {
            Source::Arcs(_) => self.inference.sums_over(),
            Source::Transitions(_) => Over::Derivations,
        }
    }

    /// The best tree, as [`Inference::best`]; for scores of transitions, that of the best run.
    ///
    /// # Errors
    /// As [`Inference::best`]. So for all methods below.
    pub fn best(&self) -> Result<Parse, InferenceError> {
        match self.scores {
            Source::Arcs(scores) => self.inference.best(scores),
            Source::Transitions(scores) => self.inference.best_run(scores),
        }
    }

    /// The k best trees, as [`Inference::k_best`].
    pub fn k_best(&self, k: usize) -> Result<Vec<Parse>, InferenceError> {
        match self.scores {
            Source::Arcs(scores) => self.inference.k_best(scores, k),
            Source::Transitions(_) => Err(InferenceError::ArcScoresOnly),
        }
    }

    /// The logarithm of the sum of exp(score) over all derivations, or trees; −∞ if there is none.
    pub fn log_partition(&self) -> f64 {
        match &self.sums {
            Sums::Spanning(sums) => sums.as_ref().map_or(f64::NEG_INFINITY, |sums| sums.log_partition()),
            Sums::Runs(summed) => summed.log_partition(),
        }
    }

    /// The probability of each arc: the share, by weight, of the derivations, or trees, that have it. Each word's column sums to one.
    pub fn marginals(&self) -> Result<&Marginals, InferenceError> {
        if let Some(found) = self.marginals.get() {
            return Ok(found);
        }
        let found = match &self.sums {
            Sums::Spanning(sums) => {
                Marginals::of_rows(sums.as_ref().ok_or(InferenceError::NoTree)?.marginals())?
            }
            Sums::Runs(summed) => self.marginals_of_runs(summed)?,
        };
        Ok(self.marginals.get_or_init(|| found))
    }

    fn marginals_of_runs(&self, summed: &Summed<'_>) -> Result<Marginals, InferenceError> {
        let (words, nodes) = (self.words(), self.words() + 1);
        summed.check_outside(&self.inference, self.scores.get())?;
        let mut marginals = Marginals::zero(words)?;
        for (reading, share) in summed.readings_with_shares()? {
            let shares = reading.sums.arc_shares()?;
            let place = |node| place(reading.direction, words, node);
            for head in 0..nodes {
                for dependent in 1..nodes {
                    let part = share * shares[place(head) * nodes + place(dependent)];
                    marginals.add((head, dependent), part);
                }
            }
        }
        Ok(marginals)
    }

    /// The entropy, in nats.
    pub fn entropy(&self) -> Result<f64, InferenceError> {
        let entropy = match &self.sums {
            Sums::Spanning(sums) => sums.as_ref().ok_or(InferenceError::NoTree)?.entropy(),
            Sums::Runs(summed) => summed.entropy(|| self.marginals())?,
        };
        Ok(entropy.max(0.0))
    }

    /// The logarithm of a tree's probability: that of all its derivations together; −∞ if it has none.
    pub fn log_probability(&self, tree: &Tree) -> Result<f64, InferenceError> {
        if tree.len() != self.words() {
            return Err(InferenceError::Lengths { tree: tree.len(), scores: self.words() });
        }
        let log = match (&self.sums, &self.scores) {
            (Sums::Spanning(sums), _) => sums.as_ref().ok_or(InferenceError::NoTree)?.log_probability(tree),
            (Sums::Runs(summed), Source::Arcs(_)) => {
                // All derivations of the tree weigh the same, so they only have to be counted.
                let count = self.derivations_of(tree)?;
                let weight = |(head, word)| Wide::from_score(summed.scaled(head, word));
                summed.ln_share(tree.arcs().map(weight).fold(count, Wide::times))?
            }
            (Sums::Runs(summed), Source::Transitions(scores)) => {
                let system = self.inference.class().system().ok_or(InferenceError::ArcScoresOnly)?;
                let part: Log = self.inference.deduction(system).total(&WithinTree::new(*scores, tree))?;
                summed.ln_share(Wide::from_score(part.0))?
            }
        };
        // Rounding makes nothing more than certain.
        Ok(log.min(0.0))
    }

    /// The number of derivations of a tree, in all readings that are summed over; one where each tree counts once.
    fn derivations_of(&self, tree: &Tree) -> Result<Wide, InferenceError> {
        let Inference { class, direction, single_root, .. } = &self.inference;
        let (Some(system), Some(oracle)) = (class.class.system(), &class.oracle) else {
            return Ok(Wide::ONE);
        };
        if *single_root && !tree.has_single_root() {
            return Ok(Wide::ZERO);
        }
        if self.over() == Over::Trees {
            return Ok(if oracle.covers_in(*direction, tree) { Wide::ONE } else { Wide::ZERO });
        }
        let deduction = self.inference.deduction(system);
        let mut count = Wide::ZERO;
        if direction.reads_forward() {
            count = count.plus(deduction.total(&ArcScores::only(tree))?);
        }
        if direction.reads_backward() {
            count = count.plus(deduction.total(&ArcScores::only(&tree.mirrored()))?);
        }
        Ok(count)
    }

    /// Trees drawn with their probability, each time anew. The same seed gives the same trees.
    pub fn samples(&self, count: usize, seed: u64) -> Result<Vec<Tree>, InferenceError> {
        let summed = match &self.sums {
            Sums::Spanning(sums) => {
                return Ok(sums.as_ref().ok_or(InferenceError::NoTree)?.samples(count, seed));
            }
            Sums::Runs(summed) => summed,
        };
        let mut random = Random::new(seed);
        let readings = summed.readings_with_shares()?;
        let mut trees = Vec::with_capacity(count);
        for _ in 0..count {
            let mut left = if readings.len() > 1 { random.uniform() } else { 0.0 };
            let drawn = readings.iter().find(|(_, share)| {
                left -= share;
                left < 0.0
            });
            // Rounding may leave a little over at the end.
            let Some((reading, _)) = drawn.or(readings.last()) else { return Err(InferenceError::NoTree) };
            trees.push(in_sentence(reading.direction, reading.sums.sample(&mut random)?));
        }
        Ok(trees)
    }
}
