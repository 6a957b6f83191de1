//! Training, step by step, so that a caller can show progress, stop, save and go on.

use serde::{Deserialize, Serialize};
use tanglewood::conllu::Problem;
use tanglewood::system::{NameError, System};

use super::adam::Adam;
use super::average::Average;
use super::batches::Batches;
use super::data::Data;
use super::evaluation::{Accuracy, evaluate};
use super::gradient::{Learner, Losses, PARTS};
use super::objective::{Goal, Objective};
use super::schedule::Schedule;
use crate::decoder::Decoder;
use crate::encoding::Example;
use crate::input::Dropout;
use crate::model::Model;
use crate::options::Options;
use crate::parameters::{Gradients, Parameters};

/// How a model is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Seed of everything that is random in training.
    pub seed: u64,
    /// How often to go through the treebank, if nothing stops it before.
    pub epochs: u64,
    /// About how many words a step looks at.
    pub batch_words: usize,
    /// Learning-rate schedule.
    pub schedule: Schedule,
    /// Dropout probabilities.
    pub dropout: Dropout,
    /// Largest norm of a gradient; longer ones are scaled down.
    pub clip: f64,
    /// How many threads share a batch. The result does not depend on it, so it is not part of any file.
    #[serde(skip)]
    pub threads: usize,
    /// How many words of silver sentences an epoch has for each word of the training data, as far as there
    /// are any.
    pub silver: f64,
    /// The decay of the running average of parameters, per step; 0 for none.
    pub average: f64,
    /// After how many epochs without a better result on the development set to stop.
    pub patience: u64,
    /// The training objective.
    pub goal: Goal,
    /// The system for objectives that depend on one, and for the development data.
    pub system: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            epochs: 40,
            batch_words: 500,
            schedule: Schedule::default(),
            dropout: Dropout::default(),
            clip: 5.0,
            threads: 1,
            silver: 2.0,
            average: 0.999,
            patience: 10,
            goal: Goal::Heads,
            system: "mh4+".to_owned(),
        }
    }
}

impl Settings {
    /// Checks that training with these settings is possible.
    ///
    /// # Errors
    /// Which number is out of range, and what was expected.
    pub(super) fn check(&self) -> Result<(), String> {
        let Settings { schedule, clip, silver, average, .. } = self;
        let mut numbers = vec![
            ("clip", *clip, 1e12),
            ("silver", *silver, 1e12),
            ("average", *average, 1.0),
            ("rate", schedule.rate, 1e12),
            ("warmup", schedule.warmup, 1.0),
            ("decay_from", schedule.decay_from, 1.0),
            ("last", schedule.last, 1.0),
        ];
        numbers.extend(self.dropout.shares().map(|share| ("dropout", share, 1.0)));
        match numbers.into_iter().find(|(_, number, most)| !(0.0..=*most).contains(number)) {
            Some((what, number, most)) => {
                Err(format!("the setting {what} is {number}; expected a number from 0 to {most}"))
            }
            None => Ok(()),
        }
    }
}

/// Why training cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// No sentence to learn from.
    #[error("the training data has no sentence with words; expected a treebank")]
    Empty,
    /// A sentence without a tree.
    #[error("{data}: {problem}; correct it, or leave the sentence out")]
    NoTree {
        /// Which data: training or development.
        data: &'static str,
        /// What is wrong with the sentence.
        problem: Problem,
    },
    /// A system that does not exist.
    #[error(transparent)]
    System(#[from] NameError),
}

/// Result of one epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Number of the epoch, counted from 1.
    pub number: u64,
    /// Losses on the training data, with dropout.
    pub losses: Losses,
    /// Accuracy on the development data.
    pub accuracy: Accuracy,
    /// Whether this epoch is the best so far.
    pub best: bool,
    /// Whether to stop: all epochs are done, or too many in a row brought nothing.
    pub last: bool,
}

/// A model in training.
#[derive(Debug)]
pub struct Trainer {
    pub(super) settings: Settings,
    pub(super) model: Model,
    pub(super) adam: Adam<f32>,
    pub(super) average: Average,
    pub(super) position: Position,
    pub(super) best: Option<Best>,
    objective: Box<dyn Objective<f32>>,
    decoder: Decoder,
    /// The training data, then the silver sentences.
    train: Vec<Example>,
    /// Number of sentences of the training data.
    gold: usize,
    dev: Vec<Example>,
    batches: Vec<Vec<usize>>,
    parts: Vec<Gradients<f32>>,
}

/// How far training has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Whole epochs that are done.
    pub epoch: u64,
    /// Batches of this epoch that are done.
    pub batch: usize,
    /// Losses of this epoch.
    pub losses: Losses,
    /// Words seen in all epochs.
    pub words: u64,
}

/// The best parameters so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Best {
    pub epoch: u64,
    pub accuracy: Accuracy,
    pub parameters: Parameters<f32>,
}

impl Trainer {
    /// A new model for a treebank.
    ///
    /// # Errors
    /// If there is no sentence to learn from, or one without a tree.
    pub fn new(data: Data<'_>, options: Options, settings: Settings) -> Result<Trainer, TrainingError> {
        let options = settings.goal.fit(options);
        let vocabulary = data.vocabulary(&options);
        let model = Model::new(options, vocabulary, settings.seed);
        Trainer::of(model, data, settings)
    }

    /// Continues the training of a model.
    ///
    /// # Errors
    /// As [`Trainer::new`].
    pub fn of(model: Model, data: Data<'_>, settings: Settings) -> Result<Trainer, TrainingError> {
        let [mut train, silver, dev] = data.examples(&model)?;
        if train.is_empty() {
            return Err(TrainingError::Empty);
        }
        let gold = train.len();
        train.extend(silver);
        let system = System::named(&settings.system)?;
        let len = model.parameters().values.len();
        let gradients = Gradients::new(model.network().layout());
        let mut trainer = Trainer {
            adam: Adam::new(len),
            average: Average::new(&model.parameters(), settings.average),
            position: Position::default(),
            best: None,
            batches: Vec::new(),
            parts: vec![gradients; PARTS],
            objective: settings.goal.objective(&system),
            decoder: Decoder::to_judge(settings.goal, system),
            model,
            settings,
            train,
            gold,
            dev,
        };
        trainer.plan();
        Ok(trainer)
    }

    /// Another objective than those that settings can name. A checkpoint does not know it: give it again
    /// after resuming.
    pub fn objective(self, objective: impl Objective<f32> + 'static) -> Trainer {
        Trainer { objective: Box::new(objective), ..self }
    }

    /// Another number of threads; it makes no difference to the result.
    pub fn threads(mut self, threads: usize) -> Trainer {
        self.settings.threads = threads;
        self
    }

    /// Cuts the training data, and its share of silver sentences, into the batches of the current epoch.
    pub(super) fn plan(&mut self) {
        let batches = Batches::new(self.settings.batch_words, self.settings.seed);
        let (gold, silver) = self.train.split_at(self.gold);
        self.batches = batches.epoch(gold, silver, self.settings.silver, self.position.epoch);
    }

    /// Number of batches of the current epoch.
    pub(super) fn batches(&self) -> usize {
        self.batches.len()
    }

    /// All data, training first.
    pub(super) fn examples(&self) -> impl Iterator<Item = &Example> {
        self.train.iter().chain(&self.dev)
    }

    /// How far training has come, from 0 to 1, if it runs for all epochs.
    pub fn progress(&self) -> f64 {
        let done = self.position.epoch as f64 + self.position.batch as f64 / self.batches.len() as f64;
        (done / self.settings.epochs.max(1) as f64).min(1.0)
    }

    /// How far training has come, in counts.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The model as it is now, which need not be the best one.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Learns from the next batch; nothing at the end of an epoch. Steps are as large as the schedule says
    /// for `progress`: [`Trainer::progress`] makes runs repeatable, a share of the time available makes them
    /// end in time.
    pub fn step(&mut self, progress: f64) -> Option<Losses> {
        let batch = self.batches.get(self.position.batch)?;
        let batch: Vec<&Example> = batch.iter().map(|&at| &self.train[at]).collect();
        // What is dropped depends on the seed and the number of the step alone, so that nothing has to be
        // remembered.
        let seed = self.settings.seed.wrapping_mul(0xA076_1D64_78BD_642F) ^ self.adam.steps;
        let parameters = self.model.parameters();
        let learner = Learner {
            network: self.model.network(),
            parameters: &parameters,
            objective: &*self.objective,
            dropout: &self.settings.dropout,
        };
        let threads = self.settings.threads.clamp(1, PARTS);
        let losses = learner.gradient(&batch, seed, &mut self.parts, threads);
        let size = (self.settings.schedule.at(progress), self.settings.clip);
        self.adam.step(self.model.parameters_mut(), &self.parts[0], size, threads);
        self.average.update(&self.model.parameters(), self.adam.steps);
        self.position.batch += 1;
        self.position.losses.add(losses);
        self.position.words += losses.words as u64;
        Some(losses)
    }

    /// Ends an epoch: measures accuracy on the development data, with averaged parameters, and keeps the
    /// best. Without development data, the last epoch is the best.
    pub fn end_epoch(&mut self) -> Epoch {
        let averaged = self.averaged();
        let accuracy = evaluate(&averaged, &self.decoder, &self.dev, self.settings.threads);
        self.position.epoch += 1;
        let number = self.position.epoch;
        let losses = std::mem::take(&mut self.position.losses);
        self.position.batch = 0;
        let best = self.dev.is_empty()
            || self.best.as_ref().is_none_or(|best| accuracy.labelled > best.accuracy.labelled);
        if best {
            self.best =
                Some(Best { epoch: number, accuracy, parameters: averaged.parameters().into_owned() });
        }
        let best_epoch = self.best.as_ref().map_or(0, |best| best.epoch);
        let last = number >= self.settings.epochs || number - best_epoch >= self.settings.patience;
        self.plan();
        Epoch { number, losses, accuracy, best, last }
    }

    /// The model with averaged parameters.
    pub fn averaged(&self) -> Model {
        self.model.with_parameters(self.average.of(&self.model.parameters()))
    }

    /// The best model so far, and its accuracy on the development data.
    pub fn best(&self) -> (Model, Option<Accuracy>) {
        match &self.best {
            None => (self.averaged(), None),
            Some(best) => {
                let model = self.model.with_parameters(best.parameters.clone());
                (model, (!self.dev.is_empty()).then_some(best.accuracy))
            }
        }
    }
}
