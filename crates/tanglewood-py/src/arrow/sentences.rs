//! Parsed sentences as a column: for each row a list of sentences, each with lists of tokens and words.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, Float32Builder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use tanglewood::conllu::{Column, Id, Sentence};
use tanglewood_cli::analysis::Analysis;

use crate::token;

/// Where a token is in its text, in characters.
pub type Span = (u64, u64);

/// The type of the column. Everything may be null as far as the type is concerned, since that is how Spark
/// sees what comes back from Python; the page about the schema says what really is.
pub fn data_type() -> DataType {
    list_of(sentence_fields())
}

fn list_of(fields: Fields) -> DataType {
    DataType::List(item(fields))
}

/// The elements of a list, under the name that Spark and Parquet have for them.
fn item(fields: Fields) -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Struct(fields), true))
}

fn fields<const N: usize>(fields: [(&str, DataType); N]) -> Fields {
    fields.into_iter().map(|(name, data_type)| Field::new(name, data_type, true)).collect()
}

fn sentence_fields() -> Fields {
    fields([
        ("sent_id", DataType::Utf8),
        ("text", DataType::Utf8),
        ("start", DataType::Int64),
        ("end", DataType::Int64),
        ("tokens", list_of(token_fields())),
        ("words", list_of(word_fields())),
        ("path", DataType::Utf8),
        ("score", DataType::Float64),
        ("tree_log_prob", DataType::Float64),
        ("over", DataType::Utf8),
    ])
}

fn token_fields() -> Fields {
    fields([
        ("form", DataType::Utf8),
        ("first", DataType::Int32),
        ("last", DataType::Int32),
        ("start", DataType::Int64),
        ("end", DataType::Int64),
    ])
}

fn word_fields() -> Fields {
    fields([
        ("form", DataType::Utf8),
        ("lemma", DataType::Utf8),
        ("upos", DataType::Utf8),
        ("xpos", DataType::Utf8),
        ("feats", DataType::Utf8),
        ("head", DataType::Int32),
        ("deprel", DataType::Utf8),
        ("arc_prob", DataType::Float32),
        ("label_prob", DataType::Float32),
    ])
}

/// Arrow's usual strings and lists have offsets of 32 bits.
const TOO_LARGE: &str =
    "the answer for a batch has more than 2 GB; cut the text of its rows, or give a stream";

/// Appends a string, if there is room for it.
pub fn append(builder: &mut StringBuilder, text: Option<impl AsRef<str>>) -> Result<(), String> {
    let more = text.as_ref().map_or(0, |text| text.as_ref().len());
    if builder.values_slice().len() + more > i32::MAX as usize {
        return Err(TOO_LARGE.to_owned());
    }
    builder.append_option(text);
    Ok(())
}

/// The ends of lists.
struct Ends(Vec<i32>);

impl Ends {
    fn new() -> Ends {
        Ends(vec![0])
    }

    fn push(&mut self, end: usize) -> Result<(), String> {
        self.0.push(i32::try_from(end).map_err(|_| TOO_LARGE.to_owned())?);
        Ok(())
    }

    fn finish(self, values: StructArray, nulls: Option<NullBuffer>) -> Result<ListArray, ArrowError> {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.0));
        ListArray::try_new(item(values.fields().clone()), offsets, Arc::new(values), nulls)
    }
}

/// The column that is being made.
pub struct SentencesBuilder {
    /// Ends of rows in sentences, of sentences in tokens, and in words.
    rows: Ends,
    tokens: Ends,
    words: Ends,
    valid: Vec<bool>,
    sent_id: StringBuilder,
    text: StringBuilder,
    bounds: [Int64Builder; 2],
    path: StringBuilder,
    score: Float64Builder,
    tree_log_prob: Float64Builder,
    over: StringBuilder,
    token_form: StringBuilder,
    token_words: [Int32Builder; 2],
    token_bounds: [Int64Builder; 2],
    /// FORM, and the columns of [`COLUMNS`].
    form: StringBuilder,
    columns: [StringBuilder; COLUMNS.len()],
    head: Int32Builder,
    arc_prob: Float32Builder,
    label_prob: Float32Builder,
}

/// Columns of CoNLL-U, of which `_` becomes null.
const COLUMNS: [Column; 5] = [Column::Lemma, Column::Upos, Column::Xpos, Column::Feats, Column::Deprel];

impl SentencesBuilder {
    pub fn new() -> SentencesBuilder {
        SentencesBuilder {
            rows: Ends::new(),
            tokens: Ends::new(),
            words: Ends::new(),
            valid: Vec::new(),
            sent_id: StringBuilder::new(),
            text: StringBuilder::new(),
            bounds: Default::default(),
            path: StringBuilder::new(),
            score: Float64Builder::new(),
            tree_log_prob: Float64Builder::new(),
            over: StringBuilder::new(),
            token_form: StringBuilder::new(),
            token_words: Default::default(),
            token_bounds: Default::default(),
            form: StringBuilder::new(),
            columns: Default::default(),
            head: Int32Builder::new(),
            arc_prob: Float32Builder::new(),
            label_prob: Float32Builder::new(),
        }
    }

    /// Adds a sentence to the row, as it is written, with the places of its tokens as far as they are known.
    pub fn push(
        &mut self,
        written: &Sentence<'_>,
        spans: &[Span],
        analysis: &Analysis,
    ) -> Result<(), String> {
        append(&mut self.sent_id, written.sent_id())?;
        append(&mut self.text, written.metadata("text"))?;
        let place = |number: u64| i64::try_from(number).ok();
        let outer = [spans.first().map(|span| span.0), spans.last().map(|span| span.1)];
        for (builder, bound) in self.bounds.iter_mut().zip(outer) {
            builder.append_option(bound.and_then(place));
        }
        append(&mut self.path, analysis.path())?;
        let best = analysis.trees.as_ref().and_then(|(answers, _)| answers.first());
        let confidence = best.and_then(|best| best.confidence.as_ref());
        self.score.append_option(best.map(|best| best.score));
        self.tree_log_prob.append_option(confidence.and_then(|confidence| confidence.log_tree));
        append(&mut self.over, confidence.map(|confidence| &confidence.over))?;
        for (at, token) in token::tokens(written).into_iter().enumerate() {
            append(&mut self.token_form, Some(&token.form))?;
            let words = [token.words.0 + 1, token.words.1];
            for (builder, word) in self.token_words.iter_mut().zip(words) {
                builder.append_option(i32::try_from(word).ok());
            }
            let known = |number: Option<usize>| number.and_then(|number| i64::try_from(number).ok());
            let bounds = match spans.get(at) {
                Some(&(start, end)) => [place(start), place(end)],
                None => [known(token.start), known(token.end)],
            };
            for (builder, bound) in self.token_bounds.iter_mut().zip(bounds) {
                builder.append_option(bound);
            }
        }
        for row in written.rows() {
            let Id::Word(word) = row.id else { continue };
            let form = String::from_utf8_lossy(row.get(Column::Form));
            for (builder, column) in self.columns.iter_mut().zip(COLUMNS) {
                let value = String::from_utf8_lossy(row.get(column));
                // The lemma of `_` is `_`.
                let is_known = !matches!(&*value, "_" | "") || (column == Column::Lemma && form == "_");
                append(builder, Some(value).filter(|_| is_known))?;
            }
            append(&mut self.form, Some(form))?;
            let head = std::str::from_utf8(row.get(Column::Head)).ok();
            self.head.append_option(head.and_then(|head| head.parse().ok()));
            let of_word = |values: &[Option<f64>]| values.get(word as usize - 1).copied().flatten();
            let arc = confidence.and_then(|confidence| of_word(&confidence.arcs));
            let label = confidence.and_then(|confidence| of_word(&confidence.labels));
            self.arc_prob.append_option(arc.map(|share| share as f32));
            self.label_prob.append_option(label.map(|share| share as f32));
        }
        let (tokens, words) = (self.token_form.len(), self.form.len());
        self.tokens.push(tokens)?;
        self.words.push(words)
    }

    /// Ends the row, which is null if it is not valid.
    pub fn end_row(&mut self, valid: bool) -> Result<(), String> {
        self.valid.push(valid);
        let sentences = self.path.len();
        self.rows.push(sentences)
    }

    pub fn finish(self) -> Result<ArrayRef, String> {
        self.arrays().map_err(|error| error.to_string())
    }

    fn arrays(mut self) -> Result<ArrayRef, ArrowError> {
        let words = {
            let [lemma, upos, xpos, feats, deprel] = self.columns.each_mut().map(StringBuilder::finish);
            let arrays: Vec<ArrayRef> = vec![
                Arc::new(self.form.finish()),
                Arc::new(lemma),
                Arc::new(upos),
                Arc::new(xpos),
                Arc::new(feats),
                Arc::new(self.head.finish()),
                Arc::new(deprel),
                Arc::new(self.arc_prob.finish()),
                Arc::new(self.label_prob.finish()),
            ];
            StructArray::try_new(word_fields(), arrays, None)?
        };
        let [first, last] = self.token_words.each_mut().map(Int32Builder::finish);
        let [start, end] = self.token_bounds.each_mut().map(Int64Builder::finish);
        let form = self.token_form.finish();
        let tokens: Vec<ArrayRef> =
            vec![Arc::new(form), Arc::new(first), Arc::new(last), Arc::new(start), Arc::new(end)];
        let tokens = StructArray::try_new(token_fields(), tokens, None)?;
        let [start, end] = self.bounds.each_mut().map(Int64Builder::finish);
        let sentences: Vec<ArrayRef> = vec![
            Arc::new(self.sent_id.finish()),
            Arc::new(self.text.finish()),
            Arc::new(start),
            Arc::new(end),
            Arc::new(self.tokens.finish(tokens, None)?),
            Arc::new(self.words.finish(words, None)?),
            Arc::new(self.path.finish()),
            Arc::new(self.score.finish()),
            Arc::new(self.tree_log_prob.finish()),
            Arc::new(self.over.finish()),
        ];
        let sentences = StructArray::try_new(sentence_fields(), sentences, None)?;
        Ok(Arc::new(self.rows.finish(sentences, Some(NullBuffer::from(self.valid)))?))
    }
}
