//! All answers about the scores of one sentence, from charts that are filled once.

use std::sync::OnceLock;

use super::sums::Summed;
use super::{Inference, InferenceError, Over, Parse};
use crate::random::Random;
use crate::scores::{ArcScores, TransitionScores, WithinTree};
use crate::semiring::{Entropic, Semiring, Wide};
use crate::stop;
use crate::system::{Direction, TreeClass};
use crate::{Marginals, Tree};

/// From scores of this size on, differences of their sums do not suffice for entropies: rounding is below 10⁻⁹
/// up to here.
const LARGE: f64 = 1e6;

/// The distribution over the derivations, or trees, of a class, each weighted by exp(score).
///
/// It owns the filled charts: the partition function, marginals, entropy, probabilities of trees and samples
/// come from what is there. [`Inference::sums_over`] tells whether a tree counts once, or once for each run
/// that builds it.
#[must_use]
pub struct Distribution<'s> {
    inference: Inference,
    scores: &'s dyn TransitionScores,
    /// None if the distribution is one over runs.
    arcs: Option<&'s ArcScores>,
    summed: Summed<'s>,
    marginals: OnceLock<Marginals>,
}

impl<'s> Distribution<'s> {
    pub(super) fn over_arcs(
        inference: &Inference,
        scores: &'s ArcScores,
    ) -> Result<Distribution<'s>, InferenceError> {
        let summed = inference.sum_arcs(scores)?;
        let (inference, arcs) = (inference.clone(), Some(scores));
        Ok(Distribution { inference, scores, arcs, summed, marginals: OnceLock::new() })
    }

    pub(super) fn over_runs(
        inference: &Inference,
        scores: &'s dyn TransitionScores,
    ) -> Result<Distribution<'s>, InferenceError> {
        let TreeClass::System(system) = inference.class() else { return Err(InferenceError::ArcScoresOnly) };
        let summed = inference.sum_runs(system, scores)?;
        let (inference, arcs) = (inference.clone(), None);
        Ok(Distribution { inference, scores, arcs, summed, marginals: OnceLock::new() })
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.scores.words()
    }

    /// What the sums are over.
    pub fn over(&self) -> Over {
        if self.arcs.is_some() { self.inference.sums_over() } else { Over::Derivations }
    }

    /// The best tree, as [`Inference::best`]; for scores of transitions, that of the best run.
    ///
    /// # Errors
    /// As [`Inference::best`]. So for all methods below.
    pub fn best(&self) -> Result<Parse, InferenceError> {
        match self.arcs {
            Some(scores) => self.inference.best(scores),
            None => self.inference.best_run(self.scores),
        }
    }

    /// The k best trees, as [`Inference::k_best`].
    pub fn k_best(&self, k: usize) -> Result<Vec<Parse>, InferenceError> {
        self.inference.k_best(self.arcs.ok_or(InferenceError::ArcScoresOnly)?, k)
    }

    /// The logarithm of the sum of exp(score) over all derivations, or trees; −∞ if there is none.
    pub fn log_partition(&self) -> f64 {
        self.summed.log_partition()
    }

    /// The probability of each arc: the share, by weight, of the derivations, or trees, that have it. Each
    /// word's column sums to one.
    pub fn marginals(&self) -> Result<&Marginals, InferenceError> {
        if let Some(found) = self.marginals.get() {
            return Ok(found);
        }
        let _watch = self.inference.stop.watch()?;
        if self.summed.is_plain() {
            self.check_room::<f64>()?
        } else {
            self.check_room::<Wide>()?
        }
        let words = self.words();
        let readings = self.summed.readings_with_shares()?;
        let found = match readings[..] {
            [(reading, _)] if reading.direction == Direction::Ltr => {
                Marginals::new(words, reading.sums.arc_shares()?)
            }
            _ => {
                let mut marginals = Marginals::zero(words)?;
                for (reading, share) in readings {
                    let shares = reading.sums.arc_shares()?;
                    let place = |node| reading.direction.place(words, node);
                    for (head, dependent) in ArcScores::arcs_of(words) {
                        let part = share * shares[place(head) * (words + 1) + place(dependent)];
                        marginals.add((head, dependent), part);
                    }
                }
                marginals
            }
        };
        Ok(self.marginals.get_or_init(|| found))
    }

    /// Checks that there may be one more chart, or outside weights, beside those that are there.
    fn check_room<N>(&self) -> Result<(), InferenceError> {
        let Some(system) = self.inference.class().system() else { return Ok(()) };
        self.inference.fits::<N>(system, self.scores, self.summed.readings.len() as u64 + 1)?;
        Ok(())
    }

    /// The entropy, in nats.
    pub fn entropy(&self) -> Result<f64, InferenceError> {
        let _watch = self.inference.stop.watch()?;
        let mut entropy = 0.0;
        match &self.summed.scores {
            // −Σ p ln p = ln Z − E[score], where the score is the sum over arcs.
            Some(scores) if self.summed.is_plain() || scores.largest() < LARGE => {
                let marginals = self.marginals()?;
                let arcs =
                    scores.arcs().map(|(head, word)| (marginals.get(head, word), scores.get(head, word)));
                let terms = arcs.filter(|&(marginal, _)| marginal > 0.0);
                entropy =
                    self.summed.ln_total() - terms.map(|(marginal, score)| marginal * score).sum::<f64>();
            }
            // Between scores of very different sizes that difference has no digits left.
            _ => {
                self.check_room::<Entropic<Wide>>()?;
                for (reading, share) in self.summed.readings_with_shares()? {
                    if share > 0.0 {
                        entropy += share * (reading.sums.entropy()? - share.ln());
                    }
                }
            }
        }
        Ok(entropy.max(0.0))
    }

    /// The logarithm of a tree's probability: that of all its derivations together; −∞ if it has none.
    pub fn log_probability(&self, tree: &Tree) -> Result<f64, InferenceError> {
        if tree.len() != self.words() {
            return Err(InferenceError::Lengths { tree: tree.len(), scores: self.words() });
        }
        if self.summed.readings.is_empty() {
            return Err(InferenceError::NoTree);
        }
        let _watch = self.inference.stop.watch()?;
        let weight = match (self.arcs, self.inference.class().system()) {
            (None, Some(system)) => {
                self.inference.deduction(system).total(&WithinTree::new(Some(self.scores), tree))?
            }
            // All derivations of the tree weigh the same, so they only have to be counted.
            _ => self.derivations_of(tree)?,
        };
        // Rounding makes nothing more than certain.
        Ok(self.summed.ln_share(tree, weight).min(0.0))
    }

    /// The number of derivations of a tree, in all readings that are summed over; one where each tree counts
    /// once.
    fn derivations_of(&self, tree: &Tree) -> Result<Wide, InferenceError> {
        let Inference { class, direction, single_root, .. } = &self.inference;
        if *single_root && !tree.has_single_root() {
            return Ok(Wide::ZERO);
        }
        let (Some(system), Some(oracle)) = (class.class.system(), &class.oracle) else {
            return Ok(Wide::ONE);
        };
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
        let _watch = self.inference.stop.watch()?;
        let mut random = Random::new(seed);
        let readings = self.summed.readings_with_shares()?;
        let mut trees = Vec::with_capacity(count);
        for _ in 0..count {
            stop::check()?;
            let mut left = if readings.len() > 1 { random.uniform() } else { 0.0 };
            let drawn = readings.iter().find(|(_, share)| {
                left -= share;
                left < 0.0
            });
            // Rounding may leave a little over at the end.
            let Some((reading, _)) = drawn.or(readings.last()) else { return Err(InferenceError::NoTree) };
            trees.push(reading.direction.read(reading.sums.sample(&mut random)?));
        }
        Ok(trees)
    }
}
