//! Training as a file, so that it can be gone on with as if it had never stopped.
//!
//! What is random follows from the seed and the number of the step, so there is no generator to store:
//! parameters, moments, average, the best so far, and how far training has come are all there is.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::data::Data;
use super::evaluation::Accuracy;
use super::trainer::{Best, Position, Settings, Trainer, TrainingError};
use crate::container::{self, FileError, Form, Kind, Numbers};
use crate::encoding::Example;
use crate::model::Model;
use crate::network::Network;
use crate::options::Options;
use crate::parameters::Parameters;
use crate::vocabulary::Vocabulary;

#[derive(Serialize, Deserialize)]
struct Header {
    settings: Settings,
    options: Options,
    vocabulary: Vocabulary,
    position: Position,
    steps: u64,
    best: Option<(u64, Accuracy)>,
    data: u64,
    #[serde(default)]
    note: String,
}

impl Header {
    /// Whether training can be at such a point.
    fn check(&self) -> Result<(), String> {
        self.options.check()?;
        self.vocabulary.check()?;
        self.settings.check()?;
        let counts = [
            ("epochs", self.position.epoch),
            ("words", self.position.words),
            ("words of an epoch", self.position.losses.words as u64),
            ("steps", self.steps),
            ("the best epoch", self.best.map_or(0, |(epoch, _)| epoch)),
        ];
        if let Some((what, count)) = counts.into_iter().find(|&(_, count)| count > MOST) {
            return Err(format!("{what}: {count}; expected at most {MOST}"));
        }
        match self.best {
            Some((epoch, _)) if epoch > self.position.epoch => {
                Err(format!("the best epoch is {epoch}, after the last one, {}", self.position.epoch))
            }
            _ => Ok(()),
        }
    }
}

/// No training counts any further, and numbers of that size can be added without overflow.
const MOST: u64 = 1 << 48;

/// What was noted in a checkpoint when it was written.
///
/// # Errors
/// If the file is not a checkpoint.
pub fn note_of(checkpoint: impl Read) -> Result<String, FileError> {
    let (header, _): (Header, _) = container::read(checkpoint, Kind::Checkpoint)?;
    Ok(header.note)
}

/// Why training cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The data.
    #[error(transparent)]
    Training(#[from] TrainingError),
}

impl Trainer {
    /// Writes all that is needed to go on.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save(&self, out: impl Write) -> Result<(), FileError> {
        self.save_with_note(out, "")
    }

    /// Writes all that is needed to go on, and what the caller wants to know then, for [`note_of`].
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save_with_note(&self, out: impl Write, note: &str) -> Result<(), FileError> {
        let header = Header {
            settings: self.settings.clone(),
            options: self.model.options().clone(),
            vocabulary: self.model.vocabulary().clone(),
            position: self.position,
            steps: self.adam.steps,
            best: self.best.as_ref().map(|best| (best.epoch, best.accuracy)),
            data: fingerprint(self.examples()),
            note: note.to_owned(),
        };
        let best = self.best.as_ref().map_or(&[][..], |best| &best.parameters.values);
        let parameters = self.model.parameters();
        let vectors = [
            ("parameters", &parameters.values[..]),
            ("first", &self.adam.first),
            ("second", &self.adam.second),
            ("average", &self.average.values),
            ("best", best),
        ];
        let numbers = vectors.map(|(name, values)| Numbers::exact(name, [1, values.len()], values));
        container::write(out, Kind::Checkpoint, &header, &numbers, Form::Plain)
    }

    /// Goes on where [`Trainer::save`] was called, with the same data. The result is the same, bit for bit,
    /// as without the interruption.
    ///
    /// # Errors
    /// If the file is not a checkpoint, or one of training with other data.
    pub fn resume(input: impl Read, data: Data<'_>) -> Result<Trainer, ResumeError> {
        let (header, contents): (Header, _) = container::read(input, Kind::Checkpoint)?;
        header.check().map_err(FileError::Senseless)?;
        let tensors = contents.tensors()?;
        // Before anything is allocated: the sizes that the header speaks of have to be there.
        let len = Network::new(&header.options, &header.vocabulary).layout().len();
        container::storage(&tensors, "parameters", [1, len])?;
        let model = Model::new(header.options, header.vocabulary, header.settings.seed);
        let mut trainer = Trainer::of(model, data, header.settings)?;
        if fingerprint(trainer.examples()) != header.data {
            return Err(FileError::OtherData.into());
        }
        let load = |name, to: &mut Vec<f32>| container::load(&tensors, name, [1, to.len()], to);
        load("parameters", &mut trainer.model.parameters_mut().values)?;
        load("first", &mut trainer.adam.first)?;
        load("second", &mut trainer.adam.second)?;
        load("average", &mut trainer.average.values)?;
        if let Some((epoch, accuracy)) = header.best {
            let mut values = vec![0.0; len];
            load("best", &mut values)?;
            trainer.best = Some(Best { epoch, accuracy, parameters: Parameters { values } });
        }
        trainer.adam.steps = header.steps;
        trainer.position = header.position;
        trainer.plan();
        if trainer.position.batch > trainer.batches() {
            let (found, most) = (trainer.position.batch, trainer.batches());
            return Err(FileError::Senseless(format!("it has done {found} batches of {most}")).into());
        }
        Ok(trainer)
    }
}

/// A number that other data hardly have.
fn fingerprint<'a>(examples: impl Iterator<Item = &'a Example>) -> u64 {
    let mut sum = 0u64;
    let mut add = |number: u64| sum = (sum ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    for example in examples {
        add(example.len() as u64);
        for (word, &head) in example.heads.iter().enumerate() {
            add(u64::from(head));
            add(example.labels[word].map_or(u64::MAX, u64::from));
            example.input.characters.get(word).iter().for_each(|&id| add(u64::from(id)));
            for bags in &example.input.tags {
                bags.get(word).iter().for_each(|&id| add(u64::from(id)));
            }
        }
    }
    sum
}
