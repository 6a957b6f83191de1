//! The gradient of a batch: computed in parts, by several threads, and added up in a fixed order.

use serde::{Deserialize, Serialize};
use tanglewood::inference::Random;

use super::objective::Objective;
use crate::encoding::Example;
use crate::input::Dropout;
use crate::layers::{TagSlopes, Tagged, cross_entropy, soft_cross_entropy};
use crate::matrix::Matrix;
use crate::network::Network;
use crate::packing::Packing;
use crate::parameters::{Gradients, Parameters};
use crate::real::Real;

/// How much the loss of tags counts beside that of trees.
const TAG_WEIGHT: f64 = 0.5;

/// How much the loss of lemmas counts.
const LEMMA_WEIGHT: f64 = 0.5;

/// Losses summed over words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Loss of arcs, or of transitions.
    pub arcs: f64,
    /// Loss of labels.
    pub labels: f64,
    /// Loss of tags.
    #[serde(default)]
    pub tags: f64,
    /// Loss of lemma scripts.
    #[serde(default)]
    pub lemmas: f64,
    /// Number of words.
    pub words: usize,
}

impl Losses {
    /// Adds another part.
    pub fn add(&mut self, other: Losses) {
        self.arcs += other.arcs;
        self.labels += other.labels;
        self.tags += other.tags;
        self.lemmas += other.lemmas;
        self.words += other.words;
    }

    /// The training loss: a weighted sum of all losses, as a mean over words.
    pub fn mean(&self) -> f64 {
        let sum = self.arcs + self.labels + TAG_WEIGHT * self.tags + LEMMA_WEIGHT * self.lemmas;
        sum / self.words.max(1) as f64
    }
}

/// Everything that a gradient depends on besides the batch.
#[derive(Clone, Copy)]
pub struct Learner<'a, T> {
    /// The network.
    pub network: &'a Network,
    /// The current parameters.
    pub parameters: &'a Parameters<T>,
    /// The loss of a sentence's scores.
    pub objective: &'a dyn Objective<T>,
    /// Dropout probabilities.
    pub dropout: &'a Dropout,
}

/// A part of a batch, its gradient and its loss.
struct Part<'a, T> {
    at: usize,
    sentences: &'a [&'a Example],
    gradients: &'a mut Gradients<T>,
    losses: Losses,
}

/// Number of parts that a batch is dealt into. It is fixed, so that the sum does not depend on the number of
/// threads; more parts would serve more threads, but products of matrices with few rows are slow (four parts
/// take 1.4 times as long as two on one thread).
pub const PARTS: usize = 2;

impl<T: Real> Learner<'_, T> {
    /// Computes the gradient of a batch's mean loss into `parts[0]`. Threads take parts of the batch by
    /// turns, and the gradients of the parts are added up in their order: the same number of parts and the
    /// same seed give the same bits for any number of threads.
    pub fn gradient(
        &self,
        batch: &[&Example],
        seed: u64,
        parts: &mut [Gradients<T>],
        threads: usize,
    ) -> Losses {
        let words: usize = batch.iter().map(|example| example.len()).sum();
        let shares = deal(batch, parts.len());
        let jobs = shares.iter().zip(parts.iter_mut()).enumerate();
        let mut jobs: Vec<Part<'_, T>> = jobs
            .map(|(at, (sentences, gradients))| Part { at, sentences, gradients, losses: Losses::default() })
            .collect();
        let work = |jobs: &mut [Part<'_, T>]| {
            for job in jobs {
                job.gradients.clear();
                // Streams of different parts start far apart.
                let stream = (job.at as u64 + 1).wrapping_mul(0xD1B5_4A32_D192_ED03);
                let mut random = Random::new(seed ^ stream);
                random.bits();
                job.losses = self.part(job.sentences, words, &mut random, job.gradients);
            }
        };
        let work = &work;
        let per_thread = jobs.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let mut jobs = jobs.chunks_mut(per_thread);
            let first = jobs.next();
            for jobs in jobs {
                scope.spawn(move || work(jobs));
            }
            if let Some(jobs) = first {
                work(jobs);
            }
        });
        let losses = jobs.iter().fold(Losses::default(), |mut sum, job| {
            sum.add(job.losses);
            sum
        });
        if let Some((first, others)) = parts.split_first_mut() {
            others.iter().for_each(|other| first.add(other));
        }
        losses
    }

    /// The loss of some sentences of a batch of `words` words, and its gradient.
    fn part(
        &self,
        examples: &[&Example],
        words: usize,
        random: &mut Random,
        gradients: &mut Gradients<T>,
    ) -> Losses {
        if examples.is_empty() {
            return Losses::default();
        }
        let Learner { network, parameters, objective, dropout } = *self;
        let inputs: Vec<_> = examples.iter().map(|example| &example.input).collect();
        let (mut forward, tape) = network.forward_to_learn(parameters, &inputs, dropout, random);
        let by_rank: Vec<&Example> =
            (0..examples.len()).map(|rank| examples[forward.input.packing.sentence(rank)]).collect();
        let share = T::of(1.0 / words as f64);
        let mut losses = Losses { words: inputs.iter().map(|input| input.len()).sum(), ..Losses::default() };
        let mut scores = std::mem::take(&mut forward.scores);
        for (example, scores) in by_rank.iter().zip(&mut scores) {
            losses.arcs += objective.loss(example, scores);
            scores.values_mut().for_each(|value| *value *= share);
        }
        let heads: Vec<Vec<u32>> = by_rank.iter().map(|example| example.heads.clone()).collect();
        let (mut labels, label_tape) = network.labels(parameters, &forward, &heads);
        let words_by_rank =
            by_rank.iter().flat_map(|example| (0..example.len()).map(move |word| (example, word)));
        for (row, (example, word)) in words_by_rank.enumerate() {
            let scores = labels.row_mut(row);
            match (&example.taught_labels, example.labels[word]) {
                (Some(taught), _) => losses.labels += soft_cross_entropy(scores, taught.of_word(word)),
                (None, Some(gold)) => losses.labels += cross_entropy(scores, gold as usize),
                (None, None) => scores.fill(T::ZERO),
            }
        }
        labels.values_mut().iter_mut().for_each(|value| *value *= share);
        let of_tags = forward.tagged.as_ref().map(|tagged| {
            std::array::from_fn(|tagger| {
                self.tags((tagger, &tagged[tagger]), &forward.input.packing, &by_rank, words, &mut losses)
            })
        });
        let of_labels = (&heads[..], &labels, &label_tape);
        network.backward(parameters, (forward, tape), scores, of_labels, of_tags, gradients);
        losses
    }

    /// The losses of tags and lemmas by one of the taggers, and their derivatives. What was given is not
    /// learned.
    fn tags(
        &self,
        (tagger, tagged): (usize, &Tagged<T>),
        packing: &Packing,
        by_rank: &[&Example],
        words: usize,
        losses: &mut Losses,
    ) -> TagSlopes<T> {
        let tagset = self.network.tagset();
        let mut classes = Matrix::zeros(tagged.probabilities.rows(), tagged.probabilities.columns());
        let mut scripts = self.network.scripts(self.parameters, tagger, tagged, 0..classes.rows());
        let share = T::of(TAG_WEIGHT / words as f64);
        for (row, (rank, time)) in packing.packed().enumerate() {
            let example = by_rank[rank];
            let right = tagset.classes_of(&example.input, time, [true; 3]);
            let given = &tagged.given[row * right.len()..][..right.len()];
            for ((group, right), given) in tagset.groups().iter().zip(right).zip(given) {
                let Some(right) = right.filter(|_| !given) else { continue };
                let probabilities = &tagged.probabilities.row(row)[group.classes.clone()];
                let slopes = &mut classes.row_mut(row)[group.classes.clone()];
                for (slope, &probability) in slopes.iter_mut().zip(probabilities) {
                    *slope = probability * share;
                }
                let mut learn = |class: usize, probability: f64| {
                    slopes[class] -= T::of(probability) * share;
                    losses.tags -= probability * probabilities[class].wide().max(1e-30).ln();
                };
                match example.taught_tags.get(group.column).and_then(Option::as_ref) {
                    // Classes of UPOS and of XPOS are in the order of their names.
                    Some(taught) => {
                        taught.of_word(time).for_each(|(tag, p)| learn(tag as usize, f64::from(p)))
                    }
                    None => learn(right as usize - group.classes.start, 1.0),
                }
            }
            if scripts.columns() > 0 {
                match example.scripts[time] {
                    Some(script) => losses.lemmas += cross_entropy(scripts.row_mut(row), script as usize),
                    None => scripts.row_mut(row).fill(T::ZERO),
                }
            }
        }
        let share = T::of(LEMMA_WEIGHT / words as f64);
        scripts.values_mut().iter_mut().for_each(|value| *value *= share);
        TagSlopes { classes, scripts }
    }
}

/// Deals sentences out like cards, the longest first, so that all get about as many words.
fn deal<'a>(batch: &[&'a Example], parts: usize) -> Vec<Vec<&'a Example>> {
    let mut order: Vec<&Example> = batch.to_vec();
    order.sort_by_key(|example| std::cmp::Reverse(example.len()));
    let mut shares = vec![(0, Vec::new()); parts];
    for example in order {
        if let Some((words, share)) = shares.iter_mut().min_by_key(|(words, _)| *words) {
            *words += example.len();
            share.push(example);
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}
