//! The best trees for scores.

#![expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]

use std::time::Instant;

use numpy::ndarray::{Array2, Axis};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::Whole;
use crate::batch::{Argument, ask, heads_of, sized};
use crate::matrices::Matrices;
use crate::question::{Question, exception};

/// The best tree for a matrix of arc scores, or for each of a padded batch: ``(heads, score)``.
///
/// ``scores[head, dependent]``, or ``scores[b, head, dependent]``, with node 0 as the root, so that n words
/// have n + 1 rows and columns. Column 0 and the diagonal are ignored. ``-inf`` forbids an arc. float32 and
/// float64 are read in place, with any strides.
///
/// The answer is exact: no tree that the system can build has a better score. ``system="any"`` (or ``"mst"``)
/// is over all trees.
///
/// heads[w - 1] is the head of word w, 0 for the root. In a batch, ``heads`` has a row for each matrix,
/// filled up with -1, and ``score`` is an array.
///
/// * ``direction``: the system reads ``"ltr"``, ``"rtl"``, or ``"either"`` for the better of both.
/// * ``single_root``: whether exactly one word hangs from the root.
/// * ``lengths``: how many words each matrix of a batch has; the rest is padding and is not looked at.
/// * ``forbidden``, ``required``: arcs as pairs (head, dependent), a list of such lists for a batch, or a
///   Boolean array in the shape of the scores.
/// * ``threads``: largest number of threads for a batch; all cores if not given. Answers are the same for any
///   number.
/// * ``max_memory``: bytes that charts may take; 4 GB if not given.
///
/// Raises ValueError if there is no such tree, or something is wrong with the arrays; it names the element of
/// the batch.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.array([[0, 1, 2, 9, 0], [0, 0, 1, 1, 0], [0, 2, 0, 1, 0], [0, 8, 0, 0, 7], [0, 0, 6, 5, 0]], dtype=float)
/// >>> tanglewood.decode(scores)
/// (array([3, 4, 0, 3]), 30.0)
/// >>> tanglewood.decode(scores, system="arc-standard")
/// (array([3, 1, 0, 3]), 25.0)
/// >>> heads, best = tanglewood.decode(numpy.stack([scores, scores]), lengths=[4, 2])
/// >>> heads
/// array([[ 3,  4,  0,  3],
///        [ 2,  0, -1, -1]])
/// >>> best
/// array([30.,  4.])
/// >>> tanglewood.decode(scores, forbidden=[(4, 2)], required=[(2, 1)])
/// (array([2, 3, 0, 3]), 18.0)
#[pyfunction]
#[pyo3(signature = (scores, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn decode<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    system: &str,
    direction: &str,
    single_root: bool,
    lengths: Argument<'_, 'py>,
    forbidden: Argument<'_, 'py>,
    required: Argument<'_, 'py>,
    threads: Option<Whole>,
    max_memory: Option<Whole>,
) -> PyResult<Bound<'py, PyTuple>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let best = ask(py, &matrices, &question, threads, |inference, _, scores| inference.best(scores))?;
    if let ([best], true) = (&best[..], matrices.is_one()) {
        let heads: Vec<i64> = best.tree.heads().map(|head| head as i64).collect();
        return (PyArray1::from_slice(py, &heads), best.score).into_pyobject(py);
    }
    let mut heads = Array2::from_elem((matrices.count(), matrices.room()), -1_i64);
    for (mut row, best) in heads.rows_mut().into_iter().zip(&best) {
        row.iter_mut().zip(best.tree.heads()).for_each(|(to, head)| *to = head as i64);
    }
    let scores: Vec<f64> = best.iter().map(|best| best.score).collect();
    (PyArray2::from_owned_array(py, heads), PyArray1::from_vec(py, scores)).into_pyobject(py)
}

/// The k best trees, all different, the best first: ``(heads, scores)``.
///
/// For one matrix, ``heads`` has a row for each tree, and there are fewer than k rows if there are fewer than
/// k trees. For a batch, ``heads[b, i]`` is the i-th best tree of matrix b, filled up with -1, and
/// ``scores[b, i]`` its score, -inf where there is no tree. Arguments are those of ``decode``.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.array([[0, 1, 2], [0, 0, 3], [0, 4, 0]], dtype=float)
/// >>> heads, best = tanglewood.kbest(scores, 5)
/// >>> heads
/// array([[2, 0],
///        [0, 1]])
/// >>> best
/// array([6., 4.])
#[pyfunction]
#[pyo3(signature = (scores, k, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn kbest<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    k: Whole,
    system: &str,
    direction: &str,
    single_root: bool,
    lengths: Argument<'_, 'py>,
    forbidden: Argument<'_, 'py>,
    required: Argument<'_, 'py>,
    threads: Option<Whole>,
    max_memory: Option<Whole>,
) -> PyResult<Bound<'py, PyTuple>> {
    let k = k.size_of("k")?;
    if k == 0 {
        return Err(PyValueError::new_err("k is 0; expected at least 1"));
    }
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    if !matrices.is_one() {
        sized([matrices.count(), k, matrices.room()], question.memory())?;
    }
    let all = ask(py, &matrices, &question, threads, |inference, _, scores| inference.k_best(scores, k))?;
    let columns = if matrices.is_one() { all.iter().map(Vec::len).sum() } else { k };
    let heads = heads_of(py, &matrices, columns, all.iter().map(|trees| trees.iter().map(|best| &best.tree)));
    let mut scores = Array2::from_elem((matrices.count(), columns), f64::NEG_INFINITY);
    for (mut row, trees) in scores.rows_mut().into_iter().zip(&all) {
        row.iter_mut().zip(trees).for_each(|(to, best)| *to = best.score);
    }
    match matrices.is_one() {
        true => (heads, PyArray1::from_owned_array(py, scores.remove_axis(Axis(0)))).into_pyobject(py),
        false => (heads, PyArray2::from_owned_array(py, scores)).into_pyobject(py),
    }
}

/// Seconds that one ``decode`` of this matrix takes without Python, on average over a number of runs;
/// benchmarks compare a call with it.
#[pyfunction]
#[pyo3(name = "_time_decode", signature = (scores, repeat, system="mh4+", direction="either", single_root=true))]
pub fn time_decode(
    py: Python<'_>,
    scores: &Bound<'_, PyAny>,
    repeat: usize,
    system: &str,
    direction: &str,
    single_root: bool,
) -> PyResult<f64> {
    let matrices = Matrices::new(scores, None, None, None)?;
    let question = Question::new(system, direction, single_root, None)?;
    let start = Instant::now();
    let view = matrices.view()?;
    let (inference, _) = question.share(matrices.lengths(), None)?;
    py.detach(|| {
        for _ in 0..repeat {
            let scores = view.scores(0).map_err(PyValueError::new_err)?;
            inference.best(&scores).map_err(|error| exception(&error, error.to_string()))?;
        }
        Ok(start.elapsed().as_secs_f64() / repeat.max(1) as f64)
    })
}
