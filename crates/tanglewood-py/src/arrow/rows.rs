//! Rows of a table as sentences in CoNLL-U, one after the other: nothing but what is being parsed is kept.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use tanglewood::conllu::{self, Sentences, Validator};
use tanglewood::text::{TextSentence, TextToken, TextWriter};
use tanglewood_nn::segmentation::Segmenter;

use super::column::{self, Lists, Texts};
use super::sentences::Span;
use crate::words;

/// What a column has in each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Running text.
    Text,
    /// The words of one sentence.
    Tokens,
    /// Any number of sentences in CoNLL-U.
    Conllu,
}

impl Input {
    pub fn named(name: &str) -> Result<Input, String> {
        match name {
            "text" => Ok(Input::Text),
            "tokens" => Ok(Input::Tokens),
            "conllu" => Ok(Input::Conllu),
            _ => Err(format!("input is `{name}`; expected text, tokens or conllu")),
        }
    }

    /// What a column of this type has, unless it was said: lists are tokens, strings are text.
    pub fn of(asked: Option<Input>, schema: &Schema, column: &str) -> Result<Input, String> {
        let Some((_, field)) = schema.column_with_name(column) else {
            let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            return Err(format!("there is no column `{column}`; expected one of {}", names.join(", ")));
        };
        let is_text =
            |found: &DataType| matches!(found, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        let found = field.data_type();
        let is_list = match found {
            DataType::List(item) | DataType::LargeList(item) => is_text(item.data_type()),
            _ => false,
        };
        match asked {
            None if is_list => Ok(Input::Tokens),
            None if is_text(found) => Ok(Input::Text),
            Some(Input::Tokens) if is_list => Ok(Input::Tokens),
            Some(asked @ (Input::Text | Input::Conllu)) if is_text(found) => Ok(asked),
            _ => {
                let expected = match asked {
                    None => "a string, or a list of strings",
                    Some(Input::Tokens) => "a list of strings",
                    Some(Input::Text | Input::Conllu) => "a string",
                };
                Err(format!("column `{column}` is of type {found}; expected {expected}"))
            }
        }
    }
}

/// A sentence, and where its tokens are in the text of the row, as far as that is known.
pub struct RowSentence {
    pub conllu: Vec<u8>,
    pub spans: Vec<Span>,
}

/// The column.
pub enum Rows {
    Text(Texts),
    Tokens(Lists, Texts),
    Conllu(Texts),
}

impl Rows {
    pub fn of(batch: &RecordBatch, column: &str, input: Input) -> Result<Rows, String> {
        let array: &ArrayRef = column::named(batch, column)?;
        let texts = || Texts::of(array);
        let rows = match input {
            Input::Text => texts().map(Rows::Text),
            Input::Conllu => texts().map(Rows::Conllu),
            Input::Tokens => Lists::of(array).and_then(|lists| {
                let words = Texts::of(lists.values())?;
                Some(Rows::Tokens(lists, words))
            }),
        };
        rows.ok_or_else(|| format!("column `{column}` is of type {}", array.data_type()))
    }

    /// Roughly the number of words of a row.
    pub fn words(&self, row: usize) -> usize {
        // A word of running text with its space, and a line of CoNLL-U, in bytes.
        const WORD: usize = 6;
        const LINE: usize = 40;
        match self {
            Rows::Text(texts) => texts.get(row).map_or(0, str::len) / WORD,
            Rows::Conllu(texts) => texts.get(row).map_or(0, str::len) / LINE,
            Rows::Tokens(lists, _) => lists.get(row).map_or(0, |list| list.len()),
        }
    }

    /// Hands over the sentences of a row; false for null. What cannot be one is an error, and then all
    /// sentences of the row that were handed over are void.
    pub fn read(
        &self,
        row: usize,
        segmenter: Option<&Segmenter>,
        mut take: impl FnMut(RowSentence),
    ) -> Result<bool, String> {
        match self {
            Rows::Text(texts) => {
                let Some(text) = texts.get(row) else { return Ok(false) };
                let Some(segmenter) = segmenter else {
                    return Err("the model has not learned to segment text; expected lists of tokens, or \
                                input=\"conllu\""
                        .to_owned());
                };
                segmented(segmenter, text, take)?;
            }
            Rows::Tokens(lists, tokens) => {
                let Some(list) = lists.get(row) else { return Ok(false) };
                if let Some(conllu) = words::to_conllu(list.map(|at| tokens.get(at)))? {
                    take(RowSentence { conllu, spans: Vec::new() });
                }
            }
            Rows::Conllu(texts) => {
                let Some(text) = texts.get(row) else { return Ok(false) };
                let mut validator = Validator::new();
                for sentence in Sentences::of(text.as_bytes()) {
                    // Here, where it is known which line of the row a line of the sentence is.
                    if !sentence.is_blank() && !sentence.is_gap() {
                        validator.words(&sentence).map_err(|problem| problem.to_string())?;
                    }
                    take(RowSentence { conllu: sentence.bytes().to_vec(), spans: Vec::new() });
                }
            }
        }
        Ok(true)
    }
}

fn segmented(segmenter: &Segmenter, text: &str, mut take: impl FnMut(RowSentence)) -> Result<(), String> {
    let mut writer = TextWriter::new(Vec::new());
    let mut segments = segmenter.segment(text.as_bytes());
    let mut before = 0;
    while let Some(sentence) = segments.next() {
        let sentence = sentence.map_err(|error| error.to_string())?;
        writer.push_before(&sentence, segments.following()).map_err(|error| error.to_string())?;
        let spans = spans(&sentence, before);
        before += characters(sentence.bytes());
        take(RowSentence { conllu: std::mem::take(writer.get_mut()), spans });
    }
    Ok(())
}

/// Where the tokens are, given the number of characters before the sentence.
fn spans(sentence: &TextSentence, before: u64) -> Vec<Span> {
    let mut place = before;
    let span = |(at, token): (usize, &TextToken)| {
        let start = place + characters(sentence.gap_before(at));
        place = start + characters(&sentence.bytes()[token.span.clone()]);
        (start, place)
    };
    sentence.tokens().iter().enumerate().map(span).collect()
}

/// The number of characters of some bytes of a string.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}

/// The only sentence of some bytes that were one.
pub fn only(bytes: &[u8]) -> Option<conllu::Sentence<'_>> {
    Sentences::of(bytes).next()
}
