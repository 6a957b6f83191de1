//! Arcs that must not be in a tree, and arcs that have to be.

use numpy::ndarray::{ArrayView, Ix3};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::batch;

/// Arcs, in the form in which they were given.
pub enum Arcs<'py> {
    None,
    /// One list for each matrix.
    Lists(Vec<Vec<(usize, usize)>>),
    /// True at `[head, dependent]`, in the shape of the scores.
    Mask(PyReadonlyArrayDyn<'py, bool>),
}

/// What threads see of them.
#[derive(Clone, Copy)]
pub enum ArcsView<'a> {
    None,
    Lists(&'a [Vec<(usize, usize)>]),
    Mask(ArrayView<'a, bool, Ix3>),
}

impl<'py> Arcs<'py> {
    /// Pairs (head, dependent) for one matrix, a list of such lists for a batch, or a Boolean array in the
    /// shape of the scores.
    pub fn new(given: Option<&Bound<'py, PyAny>>, name: &str, shape: &[usize]) -> PyResult<Arcs<'py>> {
        let Some(given) = given else { return Ok(Arcs::None) };
        if let Ok(mask) = given.extract::<PyReadonlyArrayDyn<'py, bool>>() {
            if mask.shape() != shape {
                let message =
                    format!("{name} has shape {:?}; expected {shape:?}, that of the scores", mask.shape());
                return Err(PyValueError::new_err(message));
            }
            return Ok(Arcs::Mask(mask));
        }
        let expected = |what: &str| {
            PyValueError::new_err(format!(
                "{name} is not what was expected: {what}, or a Boolean array in the shape of the scores"
            ))
        };
        if shape.len() == 2 {
            let pairs = given.extract().map_err(|_| expected("a list of pairs (head, dependent)"))?;
            return Ok(Arcs::Lists(vec![pairs]));
        }
        let lists: Vec<Option<Vec<(usize, usize)>>> = given
            .extract()
            .map_err(|_| expected("for each matrix of the batch a list of pairs (head, dependent)"))?;
        if lists.len() != shape[0] {
            let message = format!(
                "{name} has {} lists; expected {}, one for each matrix of the batch",
                lists.len(),
                shape[0]
            );
            return Err(PyValueError::new_err(message));
        }
        Ok(Arcs::Lists(lists.into_iter().map(Option::unwrap_or_default).collect()))
    }

    pub fn view(&self) -> ArcsView<'_> {
        match self {
            Arcs::None => ArcsView::None,
            Arcs::Lists(lists) => ArcsView::Lists(lists),
            Arcs::Mask(mask) => batch(mask.as_array()).map_or(ArcsView::None, ArcsView::Mask),
        }
    }
}

impl ArcsView<'_> {
    /// The arcs for a matrix of n words; an error if one is no arc between its nodes.
    pub fn of(&self, element: usize, words: usize) -> Result<Vec<(usize, usize)>, String> {
        match self {
            ArcsView::None => Ok(Vec::new()),
            ArcsView::Lists(lists) => {
                let is_arc = |&&(head, dependent): &&(usize, usize)| {
                    head <= words && (1..=words).contains(&dependent) && head != dependent
                };
                match lists[element].iter().find(|arc| !is_arc(arc)) {
                    Some((head, dependent)) => Err(format!(
                        "{head} → {dependent} is no arc; expected a head from 0 to {words} and a dependent from 1 to {words}"
                    )),
                    None => Ok(lists[element].clone()),
                }
            }
            ArcsView::Mask(mask) => {
                let nodes = (0..=words).flat_map(|head| (1..=words).map(move |dependent| (head, dependent)));
                Ok(nodes
                    .filter(|&(head, dependent)| head != dependent && mask[[element, head, dependent]])
                    .collect())
            }
        }
    }
}
