//! How good a model is on sentences with known trees.

use serde::{Deserialize, Serialize};

use crate::decoder::Decoder;
use crate::encoding::{Encoded, Example, universal};
use crate::model::{Model, batches};
use crate::steps::WordTags;

/// Counts of right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Accuracy {
    /// Number of words.
    pub words: usize,
    /// Number of words with the right head.
    pub heads: usize,
    /// Number of words with the right head and label, subtypes ignored.
    pub labelled: usize,
    /// With the right UPOS, XPOS, FEATS and LEMMA, as far as the model says anything about them.
    pub columns: [Option<usize>; 4],
}

impl Accuracy {
    /// The share of words with the right head, in percent.
    pub fn uas(&self) -> f64 {
        100.0 * self.heads as f64 / self.words.max(1) as f64
    }

    /// The share of words with the right head and label, in percent. As in the CoNLL 2018 shared task,
    /// subtypes of labels do not matter.
    pub fn las(&self) -> f64 {
        100.0 * self.labelled as f64 / self.words.max(1) as f64
    }

    /// The shares of words with the right UPOS, XPOS, FEATS and LEMMA, in percent.
    pub fn columns(&self) -> [Option<f64>; 4] {
        self.columns.map(|right| Some(100.0 * right? as f64 / self.words.max(1) as f64))
    }

    fn add(&mut self, other: Accuracy) {
        self.words += other.words;
        self.heads += other.heads;
        self.labelled += other.labelled;
        for (right, other) in self.columns.iter_mut().zip(other.columns) {
            *right = other.map(|other| right.unwrap_or(0) + other).or(*right);
        }
    }
}

/// Number of sentences that are parsed by themselves. It is fixed: which sentences share a batch decides how
/// sums are rounded, and the best epoch must not depend on the number of threads.
const PART: usize = 500;

/// Parses with several threads and counts.
pub fn evaluate(model: &Model, decoder: &Decoder, examples: &[Example], threads: usize) -> Accuracy {
    let examples: Vec<&Example> = examples.iter().filter(|example| !example.is_empty()).collect();
    let parts: Vec<&[&Example]> = examples.chunks(PART).collect();
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let work = |parts: &[&[&Example]]| {
            let mut sum = Accuracy::default();
            parts.iter().for_each(|part| sum.add(evaluate_part(model, decoder, part)));
            sum
        };
        let threads: Vec<_> = parts.chunks(share).map(|parts| scope.spawn(move || work(parts))).collect();
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
    let inputs: Vec<&Encoded> = examples.iter().map(|example| &example.input).collect();
    for batch in batches(&inputs) {
        let inputs: Vec<&Encoded> = batch.iter().map(|&at| inputs[at]).collect();
        let scores = model.scores(&inputs);
        let trees: Vec<_> = (0..batch.len()).map(|at| decoder.decode(&scores.sentence(at))).collect();
        let labels = scores.labels(&trees);
        for (at, (tree, labels)) in trees.iter().zip(&labels).enumerate() {
            let example = examples[batch[at]];
            accuracy.add(columns(example, &scores.tags(at, inputs[at])));
            accuracy.words += example.len();
            for (word, &gold) in example.heads.iter().enumerate() {
                let Some(tree) = tree else { continue };
                if tree.head(word + 1) == gold as usize {
                    accuracy.heads += 1;
                    let label = universal(model.vocabulary().labels.name(labels[word]));
                    accuracy.labelled += usize::from(label == example.universal[word]);
                }
            }
        }
    }
    accuracy
}

/// Right tags and lemmas of a sentence.
fn columns(example: &Example, found: &[WordTags]) -> Accuracy {
    let mut right = Accuracy::default();
    for (gold, found) in example.columns.iter().zip(found) {
        let pairs = [
            (&gold.upos, &found.upos),
            (&gold.xpos, &found.xpos),
            (&gold.feats, &found.feats),
            (&gold.lemma, &found.lemma),
        ];
        for (right, (gold, found)) in right.columns.iter_mut().zip(pairs) {
            if found.is_some() {
                *right = Some(right.unwrap_or(0) + usize::from(gold == found));
            }
        }
    }
    right
}
