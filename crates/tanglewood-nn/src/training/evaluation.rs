//! How good a model is on sentences with known trees.

use serde::{Deserialize, Serialize};

use crate::decoder::Decoder;
use crate::encoding::{Example, universal};
use crate::model::Model;

/// Counts of right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Words.
    pub words: usize,
    /// With the right head.
    pub heads: usize,
    /// With the right head and label, subtypes aside.
    pub labelled: usize,
}

impl Accuracy {
    /// The share of words with the right head, in percent.
    pub fn uas(&self) -> f64 {
        100.0 * self.heads as f64 / self.words.max(1) as f64
    }

    /// The share of words with the right head and label, in percent. As in the CoNLL 2018 shared task, subtypes of labels do not matter.
    pub fn las(&self) -> f64 {
        100.0 * self.labelled as f64 / self.words.max(1) as f64
    }

    fn add(&mut self, other: Accuracy) {
        self.words += other.words;
        self.heads += other.heads;
        self.labelled += other.labelled;
    }
}

/// Parses with several threads and counts.
pub fn evaluate(model: &Model, decoder: &Decoder, examples: &[Example], threads: usize) -> Accuracy {
    let examples: Vec<&Example> = examples.iter().filter(|example| !example.is_empty()).collect();
    let share = examples.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = examples
            .chunks(share)
            .map(|share| scope.spawn(|| evaluate_part(model, decoder, share)))
            .collect();
        threads.into_iter().fold(Accuracy::default(), |mut sum, thread| {
            match thread.join() {
                Ok(accuracy) => sum.add(accuracy),
                Err(panic) => std::panic::resume_unwind(panic),
            }
            sum
        })
    })
}

fn evaluate_part(model: &Model, decoder: &Decoder, examples: &[&Example]) -> Accuracy {
    let mut accuracy = Accuracy::default();
    let inputs: Vec<_> = examples.iter().map(|example| &example.input).collect();
    model.parse_each(
        &inputs,
        |scores| decoder.decode(scores),
        |at, parsed| {
            let example = examples[at];
            accuracy.words += example.len();
            for (word, &gold) in example.heads.iter().enumerate() {
                let Some((tree, labels)) = &parsed else { continue };
                if tree.head(word + 1) == gold as usize {
                    accuracy.heads += 1;
                    let label = universal(model.vocabulary().labels.name(labels[word]));
                    accuracy.labelled += usize::from(label == example.universal[word]);
                }
            }
        },
    );
    accuracy
}
