//! Tables in the Arrow format: for Spark, Ray, polars, DuckDB, pandas, and whatever else exchanges them.
//!
//! Everything is one kind of function: a record batch in, the same rows with more columns out.

mod capsule;
mod column;
mod coverage;
mod evaluation;
mod parsing;
mod rows;
mod sentences;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use tanglewood::coverage::Survey;
use tanglewood_cli::analysis::Analyst;

use crate::parser::Parser;
use crate::treebank::{Names, title};
use crate::{pool, question};
use capsule::Table;
use coverage::Coverage;
use evaluation::Evaluation;
use parsing::Parsing;
use rows::Input;
use table::{Answers, Counts, OnError, Operation};

/// An answer for one record batch. ``pyarrow.record_batch``, ``polars.DataFrame`` and others take it as it
/// is.
#[pyclass(frozen, module = "tanglewood.arrow")]
pub struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// The schema of the answer, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.batch.schema())
    }

    /// The answer, by the Arrow PyCapsule interface. Another schema cannot be asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsule::array(py, &self.batch)
    }

    /// The same as a stream of one batch.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        capsule::stream(py, Box::new(batches))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        let schema = self.batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        format!("<Batch: {} rows of {}>", self.batch.num_rows(), names.join(", "))
    }
}

/// Answers for a stream of record batches, made as they are asked for.
/// ``pyarrow.RecordBatchReader.from_stream``, ``pyarrow.table``, ``polars.DataFrame`` and others take it as
/// it is. It can be read once.
#[pyclass(frozen, module = "tanglewood.arrow")]
pub struct Stream {
    schema: SchemaRef,
    counts: Arc<Counts>,
    answers: Mutex<Option<Answers>>,
}

#[pymethods]
impl Stream {
    /// The schema of the answers, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.schema)
    }

    /// The answers, by the Arrow PyCapsule interface. Another schema cannot be asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(answers) = answers else {
            return Err(PyValueError::new_err("this stream has been read already; make it again"));
        };
        capsule::stream(py, Box::new(answers))
    }

    /// What has been answered so far: a dict of ``rows``, ``errors``, ``sentences`` and ``words``.
    #[getter]
    fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.all().into_iter().collect()
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        format!("<Stream of {}>", names.join(", "))
    }
}

/// Parses a column of a table. See ``tanglewood.arrow.parse``, which says what the arguments mean.
#[pyfunction]
#[pyo3(signature = (data, parser, column, options, input, output, on_error, batch_words, threads))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
pub fn arrow_parse<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    parser: &Bound<'py, Parser>,
    column: String,
    options: Vec<String>,
    input: Option<&str>,
    output: &str,
    on_error: &str,
    batch_words: usize,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (sentences, conllu) = match output {
        "sentences" => (true, false),
        "conllu" => (false, true),
        "both" => (true, true),
        _ => {
            let message = format!("output is `{output}`; expected sentences, conllu or both");
            return Err(PyValueError::new_err(message));
        }
    };
    let parser = parser.get();
    let parsing = Parsing {
        analyst: Analyst::new(parser.model(), parser.about(), &options).map_err(PyValueError::new_err)?,
        column,
        input: input.map(Input::named).transpose().map_err(PyValueError::new_err)?,
        sentences,
        conllu,
        on_error: OnError::named(on_error).map_err(PyValueError::new_err)?,
        threads: threads.unwrap_or_else(pool::cores).clamp(1, pool::cores()),
    };
    answered(py, data, Arc::new(parsing), batch_words)
}

/// Counts trees in a column of a table. See ``tanglewood.arrow.coverage``.
#[pyfunction]
#[pyo3(signature = (data, column, systems, direction, on_error))]
pub fn arrow_coverage<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    column: String,
    systems: Names,
    direction: &str,
    on_error: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let systems = systems.systems()?;
    let direction = question::direction(direction)?;
    let coverage = Coverage {
        survey: Survey::new(&systems, direction, &[]),
        names: systems.iter().map(|system| title(system, direction)).collect(),
        column,
        on_error: OnError::named(on_error).map_err(PyValueError::new_err)?,
    };
    answered(py, data, Arc::new(coverage), usize::MAX)
}

/// Compares two columns of a table. See ``tanglewood.arrow.evaluate``.
#[pyfunction]
#[pyo3(signature = (data, gold, system, on_error))]
pub fn arrow_evaluate<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    gold: String,
    system: String,
    on_error: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let on_error = OnError::named(on_error).map_err(PyValueError::new_err)?;
    answered(py, data, Arc::new(Evaluation { gold, system, on_error }), usize::MAX)
}

/// The sentences of a file in CoNLL-U as a table: ``sentence``, counted from 0, ``sent_id``, ``text`` and
/// ``conllu``, whose strings one after the other are the file. A ValueError names the line if it is not
/// UTF-8.
#[pyfunction]
pub fn arrow_read_conllu(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Batch> {
    let bytes = crate::files::read(py, &path)?;
    let batch = py.detach(|| treebank(&bytes));
    let batch = batch.map_err(|error| PyValueError::new_err(format!("{}:{error}", path.display())))?;
    Ok(Batch { batch })
}

fn treebank(bytes: &[u8]) -> Result<RecordBatch, String> {
    use arrow_array::{ArrayRef, Int64Array, StringArray};

    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("{line}: bytes that are not UTF-8; expected CoNLL-U in UTF-8")
    })?;
    let sentences = crate::sentence::cut(text.as_bytes());
    let whole = sentences.iter().map(|sentence| String::from_utf8(sentence.whole()).ok());
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values((0..).take(sentences.len()))),
        Arc::new(sentences.iter().map(|sentence| sentence.content().sent_id()).collect::<StringArray>()),
        Arc::new(
            sentences.iter().map(|sentence| sentence.content().metadata("text")).collect::<StringArray>(),
        ),
        Arc::new(whole.collect::<StringArray>()),
    ];
    let fields = [
        ("sentence", DataType::Int64),
        ("sent_id", DataType::Utf8),
        ("text", DataType::Utf8),
        ("conllu", DataType::Utf8),
    ];
    let schema = Schema::new(fields.map(|(name, data_type)| Field::new(name, data_type, true)).to_vec());
    RecordBatch::try_new(Arc::new(schema), columns).map_err(|error| error.to_string())
}

/// A batch for a batch, a stream for a stream.
fn answered<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    operation: Arc<dyn Operation>,
    batch_words: usize,
) -> PyResult<Bound<'py, PyAny>> {
    match capsule::table(data)? {
        Table::Batch(batch) => {
            let batch = py.detach(|| table::answer(&*operation, &batch));
            Ok(Bound::new(py, Batch { batch: batch.map_err(PyValueError::new_err)? })?.into_any())
        }
        Table::Stream(source) => {
            let answers = Answers::new(source, operation, batch_words).map_err(PyValueError::new_err)?;
            let (schema, counts) = (answers.schema(), answers.counts());
            Ok(Bound::new(py, Stream { schema, counts, answers: Mutex::new(Some(answers)) })?.into_any())
        }
    }
}
