//! Sentences that are typed without a tree, parsed by a model.

use std::path::Path;

use tanglewood::conllu::Sentences;
use tanglewood_nn::{Decoder, Model};

use super::answer::Refusal;
use super::limits;
use crate::failure::Failure;

/// A model and what it is used with.
pub struct Parser {
    model: Model,
    decoder: Decoder,
}

impl Parser {
    /// Reads a model.
    pub fn open(path: &Path) -> Result<Parser, Failure> {
        let file = path.display().to_string();
        let opened = std::fs::File::open(path).map_err(|error| Failure::File {
            doing: "open",
            file: file.clone(),
            error,
        })?;
        let (model, about) = Model::read(std::io::BufReader::new(opened))
            .map_err(|error| Failure::Other(format!("cannot use {file}: {error}")))?;
        let decoder = Decoder { memory: limits::CHART_BYTES, ..Decoder::of_model(&model, &about)? };
        Ok(Parser { model, decoder })
    }

    /// A sentence with the best tree, as CoNLL-U.
    pub fn parse(&self, words: &[&str], line: u64) -> Result<String, Refusal> {
        if words.len() > limits::PARSED_WORDS {
            let most = limits::PARSED_WORDS;
            let message =
                format!("a sentence of {} words; expected at most {most} to be parsed", words.len());
            return Err(Refusal::at(line, None, message));
        }
        let bare: String = (1..).zip(words).map(|(number, word)| row(number, word, "_", "_")).collect();
        let Some(sentence) = Sentences::of(bare.as_bytes()).next() else {
            return Err(Refusal::at(line, None, "no words"));
        };
        let encoded = self.model.encode(&sentence);
        let scores = self.model.scores(&[&encoded]);
        let Some(tree) = self.decoder.decode(&scores.sentence(0)) else {
            return Err(Refusal::at(line, None, "no words"));
        };
        let labels = scores.labels(&[Some(tree.clone())]);
        let names = &self.model.vocabulary().labels;
        let mut parsed = format!("# text = {}\n", words.join(" "));
        for (at, (word, head)) in words.iter().zip(tree.heads()).enumerate() {
            let label =
                labels.first().and_then(|labels| labels.get(at)).map_or("dep", |&label| names.name(label));
            parsed += &row(at + 1, word, &head.to_string(), label);
        }
        parsed.push('\n');
        Ok(parsed)
    }
}

fn row(number: usize, word: &str, head: &str, label: &str) -> String {
    format!("{number}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n")
}
