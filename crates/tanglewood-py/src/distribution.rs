//! The distribution over trees, or runs, that scores give.

#![expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]

use numpy::ndarray::{Array3, Axis};
use numpy::{PyArray2, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tanglewood::{Marginals, Tree};

use crate::arguments::Whole;
use crate::arrays::integers;
use crate::batch::{Argument, ask, heads_of, in_element, numbers, sized};
use crate::matrices::Matrices;
use crate::question::Question;

/// The probability of each arc, in the shape and type of the scores; 0 in the padding.
///
/// Trees have probabilities proportional to exp(score). With a system, sums are over its runs, see
/// ``sums_over``; with ``system="any"`` over all trees, by the matrix-tree theorem. Each word's column sums
/// to one. Arguments are those of ``decode``.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.array([[0, 1, 2], [0, 0, 3], [0, 4, 0]], dtype=float)
/// >>> tanglewood.marginals(scores, system="any").round(3)
/// array([[0.   , 0.119, 0.881],
///        [0.   , 0.   , 0.119],
///        [0.   , 0.881, 0.   ]])
#[pyfunction]
#[pyo3(signature = (scores, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn marginals<'py>(
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
) -> PyResult<Bound<'py, PyAny>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let all = ask(py, &matrices, &question, threads, |inference, _, scores| {
        Ok(inference.distribution(scores)?.marginals()?.clone())
    })?;
    in_shape(py, &matrices, &all)
}

/// The results of ``log_partition`` and ``marginals``, from sums that are computed once; for gradients.
///
/// >>> import numpy, tanglewood
/// >>> total, marginals = tanglewood.log_partition_and_marginals(numpy.zeros((3, 3)), system="any")
/// >>> round(float(total), 3), marginals[0].tolist()
/// (0.693, [0.0, 0.5, 0.5])
#[pyfunction]
#[pyo3(signature = (scores, system="mh4+", direction="either", single_root=true, *, lengths=None, threads=None, max_memory=None))]
pub fn log_partition_and_marginals<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    system: &str,
    direction: &str,
    single_root: bool,
    lengths: Argument<'_, 'py>,
    threads: Option<Whole>,
    max_memory: Option<Whole>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let matrices = Matrices::new(scores, lengths, None, None)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let all = ask(py, &matrices, &question, threads, |inference, _, scores| {
        let distribution = inference.distribution(scores)?;
        // Over all trees, the sum comes with the marginals.
        let marginals = distribution.marginals()?.clone();
        Ok((distribution.log_partition(), marginals))
    })?;
    let (sums, marginals): (Vec<f64>, Vec<Marginals>) = all.into_iter().unzip();
    Ok((numbers(py, &matrices, sums)?, in_shape(py, &matrices, &marginals)?))
}

/// Marginals as numbers of the same precision as the scores, in an array of their shape.
fn in_shape<'py>(py: Python<'py>, matrices: &Matrices<'_>, all: &[Marginals]) -> PyResult<Bound<'py, PyAny>> {
    if matrices.is_single_precision() {
        filled(py, matrices, all, |marginal| marginal as f32)
    } else {
        filled(py, matrices, all, |marginal| marginal)
    }
}

/// An array in the shape of the scores.
fn filled<'py, T: numpy::Element + Copy + Default>(
    py: Python<'py>,
    matrices: &Matrices<'_>,
    all: &[Marginals],
    convert: impl Fn(f64) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    let nodes = if matrices.count() == 0 { matrices.room() } else { matrices.room() + 1 };
    let mut array = Array3::from_elem((matrices.count(), nodes, nodes), T::default());
    for (mut to, rows) in array.outer_iter_mut().zip(all) {
        for (mut to, row) in to.outer_iter_mut().zip(rows.rows()) {
            to.iter_mut().zip(row).for_each(|(to, &from)| *to = convert(from));
        }
    }
    Ok(if matrices.is_one() {
        PyArray2::from_owned_array(py, array.remove_axis(Axis(0))).into_any()
    } else {
        PyArray3::from_owned_array(py, array).into_any()
    })
}

/// The logarithm of the sum of exp(score) over all derivations, or trees; see ``sums_over``. -inf if there is
/// none. A float for one matrix, an array for a batch.
///
/// Arguments are those of ``decode``.
///
/// >>> import math, numpy, tanglewood
/// >>> scores = numpy.array([[0, 1, 2], [0, 0, 3], [0, 4, 0]], dtype=float)
/// >>> z = tanglewood.log_partition(scores, system="any")
/// >>> math.isclose(z, math.log(math.exp(6) + math.exp(4)))
/// True
#[pyfunction]
#[pyo3(signature = (scores, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn log_partition<'py>(
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
) -> PyResult<Bound<'py, PyAny>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let all = ask(py, &matrices, &question, threads, |inference, _, scores| {
        Ok(inference.distribution(scores)?.log_partition())
    })?;
    numbers(py, &matrices, all)
}

/// The entropy, in nats, of the distribution over derivations, or trees; see ``sums_over``. Arguments are
/// those of ``decode``.
///
/// >>> import math, numpy, tanglewood
/// >>> math.isclose(tanglewood.entropy(numpy.zeros((3, 3)), system="any"), math.log(2))
/// True
#[pyfunction]
#[pyo3(signature = (scores, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn entropy<'py>(
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
) -> PyResult<Bound<'py, PyAny>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let all = ask(py, &matrices, &question, threads, |inference, _, scores| {
        inference.distribution(scores)?.entropy()
    })?;
    numbers(py, &matrices, all)
}

/// The logarithm of a tree's probability, all its derivations together; -inf if the system cannot build it.
///
/// ``tree`` is a ``Tree`` or a list or array of heads; for a batch, one for each matrix, or an array of heads
/// as ``decode`` gives it. Other arguments are those of ``decode``.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.array([[0, 1, 2], [0, 0, 3], [0, 4, 0]], dtype=float)
/// >>> round(tanglewood.log_prob(scores, [2, 0], system="any"), 3)
/// -0.127
#[pyfunction]
#[pyo3(signature = (scores, tree, system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None))]
pub fn log_prob<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    tree: &Bound<'py, PyAny>,
    system: &str,
    direction: &str,
    single_root: bool,
    lengths: Argument<'_, 'py>,
    forbidden: Argument<'_, 'py>,
    required: Argument<'_, 'py>,
    threads: Option<Whole>,
    max_memory: Option<Whole>,
) -> PyResult<Bound<'py, PyAny>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let trees = if matrices.is_one() {
        let tree = tree_of(tree, matrices.lengths()[0]).map_err(|error| in_element(true, 0, &error))?;
        vec![tree]
    } else {
        let given: Vec<Bound<'py, PyAny>> = tree.try_iter()?.collect::<PyResult<_>>()?;
        if given.len() != matrices.count() {
            let message =
                format!("{} trees; expected {}, one for each matrix", given.len(), matrices.count());
            return Err(PyValueError::new_err(message));
        }
        let trees = given.iter().zip(matrices.lengths()).enumerate();
        trees
            .map(|(at, (tree, &words))| tree_of(tree, words).map_err(|error| in_element(false, at, &error)))
            .collect::<PyResult<_>>()?
    };
    let all = ask(py, &matrices, &question, threads, |inference, element, scores| {
        inference.distribution(scores)?.log_probability(&trees[element])
    })?;
    numbers(py, &matrices, all)
}

/// A tree of n words; what is longer has to be padding.
fn tree_of(given: &Bound<'_, PyAny>, words: usize) -> Result<Tree, String> {
    if let Ok(tree) = given.cast::<crate::tree::Tree>() {
        let tree = &tree.get().tree;
        return match tree.len() {
            found if found == words => Ok(tree.clone()),
            found => Err(format!("a tree of {found} words; expected {words}, as in the scores")),
        };
    }
    let heads =
        integers(given, "tree").map_err(|_| "not a tree; expected a Tree, or a list or array of heads")?;
    let padding = heads
        .get(words..)
        .ok_or_else(|| format!("{} heads; expected {words}, one for each word", heads.len()))?;
    if padding.iter().any(|&head| head >= 0) {
        return Err(format!("{} heads; expected {words}, and -1 after them", heads.len()));
    }
    crate::tree::from_heads(&heads[..words])
}

/// Trees drawn at random with their probabilities: an array with a row for each.
///
/// ``heads[i]`` for one matrix, ``heads[b, i]`` for a batch, filled up with -1. The same seed gives the same
/// trees; each matrix of a batch has its own random numbers, which do not depend on the others. Other
/// arguments are those of ``decode``.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.zeros((3, 3))
/// >>> heads = tanglewood.sample(scores, 1000, seed=1, system="any")
/// >>> heads.shape
/// (1000, 2)
/// >>> bool(450 < (heads[:, 0] == 0).sum() < 550)
/// True
#[pyfunction]
#[pyo3(signature = (scores, count=Whole::new(1), seed=Whole::new(0), system="mh4+", direction="either", single_root=true, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None), text_signature = "(scores, count=1, seed=0, system='mh4+', direction='either', single_root=True, *, lengths=None, forbidden=None, required=None, threads=None, max_memory=None)")]
pub fn sample<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    count: Whole,
    seed: Whole,
    system: &str,
    direction: &str,
    single_root: bool,
    lengths: Argument<'_, 'py>,
    forbidden: Argument<'_, 'py>,
    required: Argument<'_, 'py>,
    threads: Option<Whole>,
    max_memory: Option<Whole>,
) -> PyResult<Bound<'py, PyAny>> {
    let matrices = Matrices::new(scores, lengths, forbidden, required)?;
    let question = Question::new(system, direction, single_root, max_memory)?;
    let (count, seed) = (count.size_of("count")?, seed.of("seed")?);
    sized([matrices.count(), count, matrices.room()], question.memory())?;
    let all = ask(py, &matrices, &question, threads, |inference, element, scores| {
        // Far apart, and the seed itself for a single matrix.
        let seed = seed.wrapping_add((element as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        inference.distribution(scores)?.samples(count, seed)
    })?;
    Ok(heads_of(py, &matrices, count, all.iter().map(|trees| trees.iter())))
}
