//! Text that is typed without trees, parsed by a model.

use std::borrow::Cow;
use std::path::Path;

use tanglewood::conllu::{Column, Id, Row, Sentence, Sentences};
use tanglewood::text::{Following, TextSentence, TextToken, TextWriter};
use tanglewood_nn::{Decoder, Trained};

use super::answer::Refusal;
use super::limits;
use crate::commands::model_file::{find_model, read_model};
use crate::failure::Failure;

/// A model and what it is used with.
pub struct Parser {
    trained: Trained,
    decoder: Decoder,
}

/// A text whose lines are being parsed.
pub struct TypedText {
    writer: TextWriter<Vec<u8>>,
    /// Words so far.
    words: usize,
}

impl TypedText {
    pub fn new() -> TypedText {
        TypedText { writer: TextWriter::new(Vec::new()), words: 0 }
    }
}

impl Parser {
    /// Reads a model.
    pub fn open(path: &Path) -> Result<Parser, Failure> {
        let (trained, about) = read_model(&find_model(path)?)?;
        let Some(model) = trained.model() else {
            let file = path.display();
            return Err(Failure::Other(format!(
                "{file} has learned nothing but to segment text; expected a model that parses"
            )));
        };
        let decoder = Decoder { memory: limits::CHART_BYTES, ..Decoder::of_model(model, &about)? };
        Ok(Parser { trained, decoder })
    }

    /// The sentences of a line of the text with the best trees, as CoNLL-U.
    pub fn parse(&self, typed: &mut TypedText, text: &str, line: u64) -> Result<String, Refusal> {
        let refuse = |message: String| Refusal::at(line, None, message);
        for sentence in self.sentences(text) {
            let count: usize = sentence.tokens().iter().map(|token| token.words.len().max(1)).sum();
            if count > limits::PARSED_WORDS {
                let most = limits::PARSED_WORDS;
                return Err(refuse(format!(
                    "a sentence of {count} words; expected at most {most} to be parsed"
                )));
            }
            typed.words += count;
            if typed.words > limits::PARSED_TEXT_WORDS {
                let most = limits::PARSED_TEXT_WORDS;
                return Err(refuse(format!("a text of more than {most} words; expected less to be parsed")));
            }
            let written = typed.writer.push_before(&sentence, Following::Sentence);
            written.map_err(|error| refuse(error.to_string()))?;
        }
        let bare = std::mem::take(typed.writer.get_mut());
        let mut parsed = Vec::with_capacity(2 * bare.len());
        for sentence in Sentences::of(&bare).filter(|sentence| !sentence.is_blank() && !sentence.is_gap()) {
            self.write_tree(&mut parsed, &sentence).map_err(refuse)?;
        }
        Ok(String::from_utf8_lossy(&parsed).into_owned())
    }

    /// By a segmenter if the model has one; otherwise a sentence with spaces between its words.
    fn sentences(&self, text: &str) -> Vec<TextSentence> {
        if let Some(segmenter) = self.trained.segmenter() {
            // Reading from memory does not fail.
            return segmenter.segment(text.as_bytes()).filter_map(Result::ok).collect();
        }
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let token = |word: &str| TextToken::new(place(word)..place(word) + word.len());
        let tokens = text.split_whitespace().map(token).collect();
        TextSentence::new(text.as_bytes().to_vec(), tokens).into_iter().collect()
    }

    fn write_tree(&self, out: &mut Vec<u8>, sentence: &Sentence<'_>) -> Result<(), String> {
        let model = self.trained.model().ok_or("the model does not parse")?;
        let encoded = model.encode(sentence);
        let scores = model.scores(&[&encoded]);
        let tree = self.decoder.decode(&scores.sentence(0)).ok_or("no words")?;
        let labels = scores.labels(&[Some(tree.clone())]).pop().unwrap_or_default();
        let replace = |row: &Row<'_>, column: Column| -> Option<Cow<'_, str>> {
            let Id::Word(word) = row.id else { return None };
            let word = word as usize;
            match column {
                Column::Head => Some(tree.head(word).to_string().into()),
                Column::Deprel => {
                    let label = labels.get(word - 1)?;
                    Some(model.vocabulary().labels.name(*label).to_owned().into())
                }
                _ => None,
            }
        };
        sentence.write_edited(out, replace).map_err(|error| error.to_string())
    }
}
