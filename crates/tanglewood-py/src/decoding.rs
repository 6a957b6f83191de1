//! The questions about scores, for one matrix or a batch.

#![expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]

use std::time::Instant;

use numpy::ndarray::{Array2, Array3};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tanglewood::inference::{Inference, InferenceError};
use tanglewood::scores::ArcScores;
use tanglewood::{Marginals, Tree};

use crate::arguments::Whole;
use crate::arrays::integers;
use crate::interrupt::Interrupt;
use crate::matrices::Matrices;
use crate::pool;
use crate::question::{Question, exception};

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Answers for every matrix, in order and with Python's lock released; the first error says which element it
/// is about.
fn ask<T: Send>(
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

fn in_element(is_one: bool, element: usize, error: &str) -> PyErr {
    PyValueError::new_err(placed(is_one, element, error))
}

/// Refuses answers larger than the memory that may be used.
fn sized(shape: [usize; 3], limit: u64) -> PyResult<()> {
    let bytes = shape.into_iter().fold(8_u64, |bytes, size| bytes.saturating_mul(size.max(1) as u64));
    if bytes <= limit {
        return Ok(());
    }
    let message = format!(
        "an answer of {shape:?} numbers takes more than the limit of {limit} bytes; ask for fewer trees, or allow more with max_memory"
    );
    Err(PyValueError::new_err(message))
}

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
    let mut heads = Array3::from_elem((matrices.count(), columns, matrices.room()), -1_i64);
    let mut scores = Array2::from_elem((matrices.count(), columns), f64::NEG_INFINITY);
    for (element, trees) in all.iter().enumerate() {
        for (at, best) in trees.iter().enumerate() {
            scores[[element, at]] = best.score;
            for (word, head) in best.tree.heads().enumerate() {
                heads[[element, at, word]] = head as i64;
            }
        }
    }
    if matrices.is_one() {
        let heads = heads.remove_axis(numpy::ndarray::Axis(0));
        let scores = scores.remove_axis(numpy::ndarray::Axis(0));
        return (PyArray2::from_owned_array(py, heads), PyArray1::from_owned_array(py, scores))
            .into_pyobject(py);
    }
    (PyArray3::from_owned_array(py, heads), PyArray2::from_owned_array(py, scores)).into_pyobject(py)
}

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
        PyArray2::from_owned_array(py, array.remove_axis(numpy::ndarray::Axis(0))).into_any()
    } else {
        PyArray3::from_owned_array(py, array).into_any()
    })
}

/// One number for each matrix: a float for one, an array for a batch.
fn numbers<'py>(py: Python<'py>, matrices: &Matrices<'_>, all: Vec<f64>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match (&all[..], matrices.is_one()) {
        ([number], true) => number.into_pyobject(py)?.into_any(),
        _ => PyArray1::from_vec(py, all).into_any(),
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
    let mut heads = Array3::from_elem((matrices.count(), count, matrices.room()), -1_i64);
    for (element, trees) in all.iter().enumerate() {
        for (at, tree) in trees.iter().enumerate() {
            for (word, head) in tree.heads().enumerate() {
                heads[[element, at, word]] = head as i64;
            }
        }
    }
    Ok(if matrices.is_one() {
        PyArray2::from_owned_array(py, heads.remove_axis(numpy::ndarray::Axis(0))).into_any()
    } else {
        PyArray3::from_owned_array(py, heads).into_any()
    })
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
