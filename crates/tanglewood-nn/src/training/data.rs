//! The treebanks that training reads.

use tanglewood::conllu::{Problem, Sentence};

use super::trainer::TrainingError;
use crate::encoding::Example;
use crate::model::Model;
use crate::options::Options;
use crate::vocabulary::Vocabulary;

/// What a model is trained on, and what its progress is measured on.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Sentences with the right trees.
    pub train: &'a [Sentence<'a>],
    /// Sentences that other parsers have annotated, perhaps with what they think of each head (`Heads=` in
    /// MISC). Each epoch learns from some of them, too.
    pub silver: &'a [Sentence<'a>],
    /// Sentences to measure progress on; without them, the last epoch is the best.
    pub dev: &'a [Sentence<'a>],
}

impl<'a> Data<'a> {
    /// Data without silver sentences.
    pub fn new(train: &'a [Sentence<'a>], dev: &'a [Sentence<'a>]) -> Data<'a> {
        Data { train, silver: &[], dev }
    }

    /// The vocabulary of the training data, with words of the silver sentences, too. Tags, labels and lemmas
    /// are those of the right trees alone.
    pub fn vocabulary(&self, options: &Options) -> Vocabulary {
        Vocabulary::of(self.train.iter().copied(), self.silver.iter().copied(), options)
    }

    /// What a model sees of the training data, of the silver sentences, and of the development data.
    pub(super) fn examples(&self, model: &Model) -> Result<[Vec<Example>; 3], TrainingError> {
        let examples = |sentences: &[Sentence<'_>], data, to_compare: bool| {
            let filled = sentences.iter().filter(|sentence| !sentence.is_blank());
            let example = |sentence: &Sentence<'_>| {
                let example = Example::new(sentence, model.vocabulary(), model.options())?;
                Ok(if to_compare { example.to_compare(sentence, model.options()) } else { example })
            };
            let examples: Result<Vec<Example>, Problem> = filled.map(example).collect();
            examples.map_err(|problem| TrainingError::NoTree { data, problem })
        };
        Ok([
            examples(self.train, "training data", false)?,
            examples(self.silver, "silver data", false)?,
            examples(self.dev, "development data", true)?,
        ])
    }
}
