//! What questions about scores have in common, whether they are about one matrix or a batch.

use numpy::ndarray::{Array3, Axis};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tanglewood::Tree;
use tanglewood::inference::{Inference, InferenceError};
use tanglewood::scores::ArcScores;

use crate::arguments::Whole;
use crate::interrupt::Interrupt;
use crate::matrices::Matrices;
use crate::pool;
use crate::question::{Question, exception};

/// An argument that need not be given.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Answers for every matrix, in order and with Python's lock released; the first error says which element it
/// is about.
pub fn ask<T: Send>(
    py: Python<'_>,
    matrices: &Matrices<'_>,
    question: &Question,
    threads: Option<Whole>,
    answer: impl Fn(&Inference, usize, &ArcScores) -> Result<T, InferenceError> + Sync,
) -> PyResult<Vec<T>> {
    let view = matrices.view()?;
    let (inference, threads) = question.share(matrices.lengths(), threads)?;
    let interrupt = Interrupt::new();
    let heard = interrupt.clone();
    let inference = inference.stop_when(move || heard.is_heard());
    let answers = py.detach(|| {
        pool::map(view.count(), threads, &interrupt, |element| {
            let scores = view.scores(element).map_err(Failure::Scores)?;
            answer(&inference, element, &scores).map_err(Failure::Inference)
        })
    });
    interrupt.check()?;
    let is_one = matrices.is_one();
    let answers = answers.into_iter().flatten().enumerate();
    answers.map(|(element, answer)| answer.map_err(|error| error.in_element(is_one, element))).collect()
}

/// Why there is no answer for an element.
enum Failure {
    Scores(String),
    Inference(InferenceError),
}

impl Failure {
    fn in_element(self, is_one: bool, element: usize) -> PyErr {
        match self {
            Failure::Scores(message) => in_element(is_one, element, &message),
            Failure::Inference(error) => exception(&error, placed(is_one, element, &error.to_string())),
        }
    }
}

/// A message that says which element of a batch it is about.
fn placed(is_one: bool, element: usize, message: &str) -> String {
    if is_one { message.to_owned() } else { format!("element {element} of the batch: {message}") }
}

pub fn in_element(is_one: bool, element: usize, error: &str) -> PyErr {
    PyValueError::new_err(placed(is_one, element, error))
}

/// Refuses answers larger than the memory that may be used.
pub fn sized(shape: [usize; 3], limit: u64) -> PyResult<()> {
    let bytes = shape.into_iter().fold(8_u64, |bytes, size| bytes.saturating_mul(size.max(1) as u64));
    if bytes <= limit {
        return Ok(());
    }
    let message = format!(
        "an answer of {shape:?} numbers takes more than the limit of {limit} bytes; ask for fewer trees, or allow more with max_memory"
    );
    Err(PyValueError::new_err(message))
}

/// One number for each matrix: a float for one, an array for a batch.
pub fn numbers<'py>(py: Python<'py>, matrices: &Matrices<'_>, all: Vec<f64>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match (&all[..], matrices.is_one()) {
        ([number], true) => number.into_pyobject(py)?.into_any(),
        _ => PyArray1::from_vec(py, all).into_any(),
    })
}

/// The heads of trees: a row for each tree of one matrix, and for a batch as many rows for each matrix, filled
/// up with -1.
pub fn heads_of<'py, 't>(
    py: Python<'py>,
    matrices: &Matrices<'_>,
    rows: usize,
    all: impl Iterator<Item = impl Iterator<Item = &'t Tree>>,
) -> Bound<'py, PyAny> {
    let mut heads = Array3::from_elem((matrices.count(), rows, matrices.room()), -1_i64);
    for (mut of_matrix, trees) in heads.outer_iter_mut().zip(all) {
        for (mut row, tree) in of_matrix.rows_mut().into_iter().zip(trees) {
            row.iter_mut().zip(tree.heads()).for_each(|(to, head)| *to = head as i64);
        }
    }
    match matrices.is_one() {
        true => PyArray2::from_owned_array(py, heads.remove_axis(Axis(0))).into_any(),
        false => PyArray3::from_owned_array(py, heads).into_any(),
    }
}
