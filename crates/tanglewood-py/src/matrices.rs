//! One matrix of scores, or a padded batch of them.

use numpy::ndarray::{ArrayView2, Axis};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tanglewood::Tree;
use tanglewood::scores::ArcScores;

use crate::arrays::{Floats, FloatsView, integers};
use crate::constraints::{Arcs, ArcsView};

/// What is asked about, with its arrays held.
pub struct Matrices<'py> {
    scores: Floats<'py>,
    forbidden: Arcs<'py>,
    required: Arcs<'py>,
    lengths: Vec<usize>,
}

/// What threads see of it.
#[derive(Clone, Copy)]
pub struct MatricesView<'a> {
    scores: FloatsView<'a>,
    forbidden: ArcsView<'a>,
    required: ArcsView<'a>,
    lengths: &'a [usize],
}

impl<'py> Matrices<'py> {
    /// Checks shapes and lengths. Numbers are looked at later, by many threads.
    pub fn new(
        scores: &Bound<'py, PyAny>,
        lengths: Option<&Bound<'py, PyAny>>,
        forbidden: Option<&Bound<'py, PyAny>>,
        required: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Matrices<'py>> {
        let scores = Floats::new(scores, "scores")?;
        let shape = scores.shape();
        let (count, nodes) = match *shape {
            [rows, columns] if rows == columns => (1, rows),
            [count, rows, columns] if rows == columns => (count, rows),
            _ => {
                let message = format!(
                    "scores have shape {shape:?}; expected [n + 1, n + 1] for n words, or [batch, n + 1, n + 1]"
                );
                return Err(PyValueError::new_err(message));
            }
        };
        if nodes == 0 && count > 0 {
            return Err(PyValueError::new_err("the matrix is empty; expected n + 1 rows for n words"));
        }
        if nodes > Tree::MAX_WORDS + 1 {
            let message = format!("{} words; expected at most {}", nodes - 1, Tree::MAX_WORDS);
            return Err(PyValueError::new_err(message));
        }
        let words = nodes.saturating_sub(1);
        let lengths = match lengths {
            None => vec![words; count],
            Some(given) => checked(given, count, words, shape.len() == 2)?,
        };
        let forbidden = Arcs::new(forbidden, "forbidden", shape)?;
        let required = Arcs::new(required, "required", shape)?;
        Ok(Matrices { scores, forbidden, required, lengths })
    }

    /// Whether it is one matrix, not a batch.
    pub fn is_one(&self) -> bool {
        self.scores.shape().len() == 2
    }

    /// Number of matrices.
    pub fn count(&self) -> usize {
        self.lengths.len()
    }

    /// How many words there is room for.
    pub fn room(&self) -> usize {
        self.scores.shape().last().map_or(0, |nodes| nodes.saturating_sub(1))
    }

    /// How many words each has.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Whether the numbers are float32.
    pub fn is_single_precision(&self) -> bool {
        matches!(self.scores, Floats::Single(_))
    }

    pub fn view(&self) -> PyResult<MatricesView<'_>> {
        let scores = self
            .scores
            .view()
            .ok_or_else(|| PyValueError::new_err("scores have the wrong number of axes"))?;
        Ok(MatricesView {
            scores,
            forbidden: self.forbidden.view(),
            required: self.required.view(),
            lengths: &self.lengths,
        })
    }
}

/// Lengths that fit the batch.
fn checked(given: &Bound<'_, PyAny>, count: usize, words: usize, one: bool) -> PyResult<Vec<usize>> {
    let given = match given.extract::<i64>() {
        Ok(length) if one => vec![length],
        _ => integers(given, "lengths")?,
    };
    if given.len() != count {
        let message = format!("{} lengths; expected {count}, one for each matrix", given.len());
        return Err(PyValueError::new_err(message));
    }
    let fits = |(element, length): (usize, i64)| match usize::try_from(length) {
        Ok(length) if length <= words => Ok(length),
        _ => Err(PyValueError::new_err(format!(
            "element {element} of the batch: a length of {length}; expected 0 to {words}, the number of words there is room for"
        ))),
    };
    given.into_iter().enumerate().map(fits).collect()
}

impl MatricesView<'_> {
    /// The scores of one, with constraints; an error if a number is no score.
    pub fn scores(&self, element: usize) -> Result<ArcScores, String> {
        let words = self.lengths[element];
        let mut scores = match self.scores {
            FloatsView::Single(view) => arc_scores(view.index_axis_move(Axis(0), element), words),
            FloatsView::Double(view) => arc_scores(view.index_axis_move(Axis(0), element), words),
        }?;
        let forbidden = self.forbidden.of(element, words).map_err(|error| format!("forbidden: {error}"))?;
        for (head, dependent) in forbidden {
            scores.set(head, dependent, f64::NEG_INFINITY).map_err(|error| format!("forbidden: {error}"))?;
        }
        let required = self.required.of(element, words).map_err(|error| format!("required: {error}"))?;
        let mut heads = vec![None; if required.is_empty() { 0 } else { words + 1 }];
        for (head, dependent) in required {
            match heads[dependent].replace(head) {
                Some(other) if other != head => {
                    return Err(format!(
                        "required: word {dependent} cannot have both {other} and {head} as its head; require one"
                    ));
                }
                _ => scores.require(head, dependent),
            }
        }
        Ok(scores)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lengths.len()
    }
}

/// The matrix at the left and the top of a padded one.
fn arc_scores<T: Copy + Into<f64>>(padded: ArrayView2<'_, T>, words: usize) -> Result<ArcScores, String> {
    let row = |head| padded.index_axis_move(Axis(0), head).into_iter().map(|&score| score.into());
    ArcScores::from_row_iter(words, row).map_err(|error| error.to_string())
}
