//! Functions of tables: a batch in, the same rows with more columns out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};

use super::column;

/// The name of the column that says what is wrong with a row.
pub const ERROR: &str = "error";

/// The key of the metadata by which a table says which version of which schema its new columns follow.
pub const SCHEMA_KEY: &str = "tanglewood.schema";

/// What becomes of a row that something is wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// Nothing more is answered.
    Raise,
    /// Its new columns are null, and `error` says why.
    Null,
}

impl OnError {
    pub fn named(name: &str) -> Result<OnError, String> {
        match name {
            "raise" => Ok(OnError::Raise),
            "null" => Ok(OnError::Null),
            _ => Err(format!("on_error is `{name}`; expected raise or null")),
        }
    }
}

/// A function of tables. Each row is answered by itself, so that it makes no difference how a table is cut.
pub trait Operation: Send + Sync {
    /// Name and version of the schema of the new columns.
    fn version(&self) -> &'static str;

    /// The columns that are added, without `error`.
    fn fields(&self) -> Vec<FieldRef>;

    fn on_error(&self) -> OnError;

    /// Whether a table can be answered.
    fn check(&self, schema: &Schema) -> Result<(), String>;

    /// The columns that are read.
    fn reads(&self) -> Vec<&str>;

    /// The new columns, and for each row what is wrong with it. An error ends everything; its rows are
    /// counted from `first_row`. Sentences and words are added to `counts`.
    fn columns(
        &self,
        batch: &RecordBatch,
        first_row: u64,
        counts: &Counts,
    ) -> Result<(Vec<ArrayRef>, Errors), String>;

    /// Roughly the number of words of each row.
    fn words(&self, batch: &RecordBatch) -> Result<Vec<usize>, String>;
}

/// What has been answered so far.
#[derive(Debug, Default)]
pub struct Counts {
    pub rows: AtomicU64,
    pub errors: AtomicU64,
    pub sentences: AtomicU64,
    pub words: AtomicU64,
}

impl Counts {
    pub fn add(counter: &AtomicU64, number: usize) {
        counter.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// Each with its name.
    pub fn all(&self) -> [(&'static str, u64); 4] {
        let now = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let Counts { rows, errors, sentences, words } = self;
        [("rows", now(rows)), ("errors", now(errors)), ("sentences", now(sentences)), ("words", now(words))]
    }
}

/// For each row what is wrong with it.
pub type Errors = Vec<Option<String>>;

/// A row and a column, and what is wrong there.
pub fn at(row: u64, column: &str, message: &str) -> String {
    format!("row {row}, column `{column}`: {message}")
}

/// The schema of an answer: all columns of the table, then the new ones.
pub fn schema(operation: &dyn Operation, input: &Schema) -> Result<SchemaRef, String> {
    operation.check(input)?;
    let mut fields: Vec<FieldRef> = input.fields().iter().cloned().collect();
    let mut new = operation.fields();
    if operation.on_error() == OnError::Null {
        new.push(Arc::new(Field::new(ERROR, DataType::Utf8, true)));
    }
    if let Some(taken) = new.iter().find(|new| input.column_with_name(new.name()).is_some()) {
        let name = taken.name();
        return Err(format!("the table already has a column `{name}`; rename it, since one is added"));
    }
    fields.extend(new);
    let mut metadata = input.metadata().clone();
    metadata.insert(SCHEMA_KEY.to_owned(), operation.version().to_owned());
    Ok(Arc::new(Schema::new_with_metadata(fields, metadata)))
}

/// The answer for a batch that came from somewhere else.
pub fn answer(operation: &dyn Operation, batch: &RecordBatch) -> Result<RecordBatch, String> {
    schema(operation, &batch.schema())?;
    check_content(operation, batch)?;
    apply(operation, batch, 0, &Counts::default())
}

/// Whether the columns that are read have what their types say. Who hands over a table promises it, but bytes
/// that are no UTF-8, for instance, easily get into a column of strings, and must not be taken for a string.
fn check_content(operation: &dyn Operation, batch: &RecordBatch) -> Result<(), String> {
    operation.reads().into_iter().try_for_each(|name| {
        let content = column::named(batch, name)?.to_data().validate_full();
        content.map_err(|error| format!("column `{name}` is damaged: {error}"))
    })
}

fn apply(
    operation: &dyn Operation,
    batch: &RecordBatch,
    first_row: u64,
    counts: &Counts,
) -> Result<RecordBatch, String> {
    let schema = schema(operation, &batch.schema())?;
    let (new, errors) = operation.columns(batch, first_row, counts)?;
    Counts::add(&counts.rows, batch.num_rows());
    Counts::add(&counts.errors, errors.iter().flatten().count());
    let mut columns = batch.columns().to_vec();
    columns.extend(new);
    if operation.on_error() == OnError::Null {
        columns.push(Arc::new(StringArray::from(errors)));
    }
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema, columns, &rows).map_err(|error| error.to_string())
}

/// The answers for a stream of batches, made as they are asked for. Batches are cut so that each has at most
/// `batch_words` words, or a single row: neither memory nor the time until the next answer depends on how
/// many rows a source puts into a batch.
pub struct Answers {
    source: Box<dyn RecordBatchReader + Send>,
    operation: Arc<dyn Operation>,
    batch_words: usize,
    schema: SchemaRef,
    /// What is left of the last batch, with the words of its rows.
    rest: Option<(RecordBatch, Vec<usize>)>,
    row: u64,
    failed: bool,
    counts: Arc<Counts>,
}

impl Answers {
    pub fn new(
        source: Box<dyn RecordBatchReader + Send>,
        operation: Arc<dyn Operation>,
        batch_words: usize,
    ) -> Result<Answers, String> {
        let schema = schema(&*operation, &source.schema())?;
        let counts = Arc::default();
        Ok(Answers { source, operation, batch_words, schema, rest: None, row: 0, failed: false, counts })
    }

    /// What has been answered so far, now and later.
    pub fn counts(&self) -> Arc<Counts> {
        self.counts.clone()
    }

    fn answer(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let (batch, words) = match self.rest.take() {
            Some(rest) => rest,
            None => {
                let Some(batch) = self.source.next().transpose()? else { return Ok(None) };
                check_content(&*self.operation, &batch).map_err(ArrowError::InvalidArgumentError)?;
                let words = self.operation.words(&batch).map_err(ArrowError::InvalidArgumentError)?;
                (batch, words)
            }
        };
        let mut sum = 0;
        let fits = |words: &&usize| {
            sum += **words;
            sum <= self.batch_words
        };
        let rows = words.iter().take_while(fits).count().max(1).min(batch.num_rows());
        if rows < batch.num_rows() {
            self.rest = Some((batch.slice(rows, batch.num_rows() - rows), words[rows..].to_vec()));
        }
        let answer = apply(&*self.operation, &batch.slice(0, rows), self.row, &self.counts);
        self.row += rows as u64;
        answer.map(Some).map_err(ArrowError::InvalidArgumentError)
    }
}

impl Iterator for Answers {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let answer = self.answer();
        self.failed = answer.is_err();
        answer.transpose()
    }
}

impl RecordBatchReader for Answers {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
