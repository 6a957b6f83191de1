//! Parsing: a column of texts, tokens or CoNLL-U in, trees out.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use tanglewood::conllu::{Id, Sentence};
use tanglewood_cli::analysis::{Analysis, Analyst, Session};

use super::rows::{Input, RowSentence, Rows, only};
use super::sentences::{self, SentencesBuilder};
use super::table::{Counts, Errors, OnError, Operation, at};
use crate::interrupt::Interrupt;
use crate::pool;

/// The number of words that are analysed together by one thread. More would not be faster.
const GROUP_WORDS: usize = 8192;

/// How to parse.
pub struct Parsing {
    pub analyst: Analyst,
    pub column: String,
    /// Nothing if the type of the column says it.
    pub input: Option<Input>,
    /// Which columns are wanted.
    pub sentences: bool,
    pub conllu: bool,
    pub on_error: OnError,
    pub threads: usize,
}

impl Operation for Parsing {
    fn version(&self) -> &'static str {
        "parse/1"
    }

    fn fields(&self) -> Vec<FieldRef> {
        let sentences = self.sentences.then(|| Field::new("sentences", sentences::data_type(), true));
        let conllu = self.conllu.then(|| Field::new("parsed_conllu", DataType::Utf8, true));
        sentences.into_iter().chain(conllu).map(Arc::new).collect()
    }

    fn on_error(&self) -> OnError {
        self.on_error
    }

    fn check(&self, schema: &Schema) -> Result<(), String> {
        let input = Input::of(self.input, schema, &self.column)?;
        if input == Input::Text && self.analyst.model().segmenter().is_none() {
            let column = &self.column;
            return Err(format!(
                "column `{column}` has text, which the model has not learned to segment; expected a list of tokens, \
                 or CoNLL-U and input=\"conllu\""
            ));
        }
        Ok(())
    }

    fn reads(&self) -> Vec<&str> {
        vec![&self.column]
    }

    fn words(&self, batch: &RecordBatch) -> Result<Vec<usize>, String> {
        let rows = self.rows(batch)?.1;
        Ok((0..batch.num_rows()).map(|row| rows.words(row)).collect())
    }

    fn columns(
        &self,
        batch: &RecordBatch,
        first_row: u64,
        counts: &Counts,
    ) -> Result<(Vec<ArrayRef>, Errors), String> {
        let (input, rows) = self.rows(batch)?;
        let session = self.analyst.session();
        let mut work = Work {
            parsing: self,
            session: &session,
            is_conllu: input == Input::Conllu,
            first_row,
            pending: Vec::new(),
            pending_words: 0,
            sentences: SentencesBuilder::new(),
            conllu: StringBuilder::new(),
            row_conllu: Vec::new(),
            row_error: None,
            errors: Errors::with_capacity(batch.num_rows()),
            failure: None,
            counts,
        };
        for row in 0..batch.num_rows() {
            let read = rows.read(row, self.analyst.model().segmenter(), |sentence| work.take(sentence));
            work.pending.push(match read {
                Ok(true) => Event::EndOfRow(Ok(())),
                Ok(false) => Event::EndOfRow(Err(None)),
                Err(message) => Event::EndOfRow(Err(Some(message))),
            });
            if let Some(failure) = work.failure {
                return Err(failure);
            }
        }
        work.finish()
    }
}

impl Parsing {
    fn rows(&self, batch: &RecordBatch) -> Result<(Input, Rows), String> {
        let input = Input::of(self.input, &batch.schema(), &self.column)?;
        Ok((input, Rows::of(batch, &self.column, input)?))
    }
}

/// What comes one after the other.
enum Event {
    Sentence(RowSentence),
    /// The row is complete, or is null, for a reason if something is wrong with it.
    EndOfRow(Result<(), Option<String>>),
}

/// Columns that are being made.
struct Work<'a> {
    parsing: &'a Parsing,
    session: &'a Session<'a>,
    is_conllu: bool,
    first_row: u64,
    /// What has not been analysed yet.
    pending: Vec<Event>,
    pending_words: usize,
    sentences: SentencesBuilder,
    conllu: StringBuilder,
    /// Of the row that is being written.
    row_conllu: Vec<u8>,
    row_error: Option<String>,
    errors: Errors,
    /// What ends everything.
    failure: Option<String>,
    counts: &'a Counts,
}

impl Work<'_> {
    fn take(&mut self, sentence: RowSentence) {
        if self.failure.is_some() {
            return;
        }
        self.pending_words += sentence.conllu.iter().filter(|&&byte| byte == b'\n').count();
        self.pending.push(Event::Sentence(sentence));
        if self.pending_words >= GROUP_WORDS * self.parsing.threads {
            self.failure = self.flush().err();
        }
    }

    /// Analyses what is pending and writes it.
    fn flush(&mut self) -> Result<(), String> {
        let pending = std::mem::take(&mut self.pending);
        let words = std::mem::take(&mut self.pending_words);
        let sentences: Vec<Option<Sentence<'_>>> = pending.iter().map(Event::to_be_analysed).collect();
        let mut analyses = self.analyses(sentences.iter().flatten().copied().collect(), words).into_iter();
        for (event, sentence) in pending.iter().zip(&sentences) {
            match (event, sentence) {
                (Event::Sentence(read), Some(sentence)) => {
                    let analysis = analyses.next().unwrap_or_else(|| Err("no answer".to_owned()));
                    match analysis {
                        Ok(analysis) => self.write(sentence, read, &analysis)?,
                        Err(message) => drop(self.row_error.get_or_insert(message)),
                    }
                }
                // Blank lines, and gaps of a text.
                (Event::Sentence(read), None) => self.row_conllu.extend_from_slice(&read.conllu),
                (Event::EndOfRow(end), _) => self.end_row(end)?,
            }
        }
        Ok(())
    }

    fn analyses(&self, sentences: Vec<Sentence<'_>>, words: usize) -> Vec<Result<Analysis, String>> {
        let groups = words.div_ceil(GROUP_WORDS).clamp(1, self.parsing.threads);
        let size = sentences.len().div_ceil(groups).max(1);
        let groups: Vec<&[Sentence<'_>]> = sentences.chunks(size).collect();
        // Streams are read by threads of others, which must not wait for Python: it is asked between batches.
        let analyses = pool::map(groups.len(), self.parsing.threads, &Interrupt::never(), |group| {
            self.session.analyse(groups[group], self.is_conllu)
        });
        analyses.into_iter().flatten().flatten().collect()
    }

    fn write(&mut self, sentence: &Sentence<'_>, read: &RowSentence, found: &Analysis) -> Result<(), String> {
        Counts::add(&self.counts.sentences, 1);
        Counts::add(&self.counts.words, sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).count());
        let start = self.row_conllu.len();
        self.session.write(&mut self.row_conllu, sentence, found);
        if self.parsing.sentences
            && let Some(written) = only(&self.row_conllu[start..])
        {
            self.sentences.push(&written, &read.spans, found)?;
        }
        if !self.parsing.conllu {
            self.row_conllu.clear();
        }
        Ok(())
    }

    fn end_row(&mut self, end: &Result<(), Option<String>>) -> Result<(), String> {
        let row = self.first_row + self.errors.len() as u64;
        let wrong = match end {
            Err(Some(message)) => Some(message.clone()),
            _ => self.row_error.take(),
        };
        let wrong = wrong.map(|message| at(row, &self.parsing.column, &message));
        if let (Some(wrong), OnError::Raise) = (&wrong, self.parsing.on_error) {
            return Err(wrong.clone());
        }
        let valid = wrong.is_none() && end.is_ok();
        self.row_error = None;
        self.errors.push(wrong);
        let conllu = std::mem::take(&mut self.row_conllu);
        if self.parsing.conllu {
            let text = String::from_utf8_lossy(&conllu);
            sentences::append(&mut self.conllu, valid.then_some(text))?;
        }
        if self.parsing.sentences { self.sentences.end_row(valid) } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(Vec<ArrayRef>, Errors), String> {
        self.flush()?;
        let mut columns = Vec::new();
        if self.parsing.sentences {
            columns.push(self.sentences.finish()?);
        }
        if self.parsing.conllu {
            let conllu: Arc<dyn Array> = Arc::new(self.conllu.finish());
            columns.push(conllu);
        }
        Ok((columns, self.errors))
    }
}

impl Event {
    /// The sentence, if it is one with words.
    fn to_be_analysed(&self) -> Option<Sentence<'_>> {
        let Event::Sentence(read) = self else { return None };
        only(&read.conllu).filter(|sentence| !sentence.is_blank() && !sentence.is_gap())
    }
}
