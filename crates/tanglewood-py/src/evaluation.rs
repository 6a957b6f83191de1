//! How good a parser is.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::conllu::Problem;
use tanglewood::draw;
use tanglewood::evaluation::{Evaluation, Metric, Place, Side, Unaligned};

use crate::arguments::sentences;
use crate::files;
use crate::sentence::{self, Sentence};

/// A file, or sentences.
pub enum Text<'py> {
    Sentences(Vec<Bound<'py, Sentence>>),
    File(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Text<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text<'py>> {
        match object.extract::<PathBuf>() {
            Ok(path) => Ok(Text::File(path)),
            Err(_) => sentences(&object, "a path, or a list of sentences").map(Text::Sentences),
        }
    }
}

impl Text<'_> {
    pub fn bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        match self {
            Text::Sentences(sentences) => {
                Ok(sentence::joined(sentences.iter().map(|sentence| sentence.get())))
            }
            Text::File(path) => files::read(py, path),
        }
    }

    /// The sentences themselves.
    pub fn sentences(&self, py: Python<'_>) -> PyResult<Vec<Sentence>> {
        match self {
            Text::Sentences(sentences) => {
                Ok(sentences.iter().map(|sentence| sentence.get().clone()).collect())
            }
            Text::File(path) => Ok(sentence::cut(&files::read(py, path)?)),
        }
    }

    fn name(&self, side: &str) -> String {
        match self {
            Text::Sentences(_) => side.to_owned(),
            Text::File(path) => path.display().to_string(),
        }
    }
}

/// Compares a parser's output with a gold standard: for each measure a dict with ``precision``, ``recall``
/// and ``f1``, between 0 and 1.
///
/// Both are a path or a list of sentences. Measures with a capital letter are those of the CoNLL 2018 shared
/// task; beyond these, ``relations``, ``exact_heads``, ``exact_trees``, ``nonprojective``, and ``crossing``
/// for arcs that cross. ``pandas.DataFrame(evaluate(gold, system)).T`` is a table.
///
/// Raises ValueError if a sentence is invalid, or the two do not have the same characters.
///
/// >>> import tanglewood
/// >>> gold = tanglewood.sample_treebank()
/// >>> system = [s.with_tree([0] + list(range(1, len(s)))) for s in gold]
/// >>> round(tanglewood.evaluate(gold, system)["UAS"]["f1"], 4)
/// 0.107
#[pyfunction]
pub fn evaluate<'py>(py: Python<'py>, gold: Text<'py>, system: Text<'py>) -> PyResult<Bound<'py, PyDict>> {
    let evaluation = compared(py, &gold, &system)?;
    let result = PyDict::new(py);
    let add = |name: &str, precision: f64, recall: f64, f1: f64| {
        let row = PyDict::new(py);
        row.set_item("precision", precision)?;
        row.set_item("recall", recall)?;
        row.set_item("f1", f1)?;
        result.set_item(name, row)
    };
    for metric in Metric::ALL {
        let score = evaluation.score(metric);
        // As in the JSON of the program.
        let name = metric.name().replace(' ', "_").replace('-', "");
        add(&name, score.precision(), score.recall(), score.f1())?;
    }
    let crossing = evaluation.crossing();
    for (name, rates) in [("crossing", crossing.lenient()), ("crossing_in_both", crossing.strict())] {
        add(name, rates.precision, rates.recall, rates.f1())?;
    }
    Ok(result)
}

/// Whether a parser is as often right as it says: a dict with ``words``, the number of words that have
/// ``ArcProb`` in MISC; ``expected_error``, the expected calibration error; ``bins``, a list with ``words``,
/// ``right``, ``confidence`` and ``accuracy`` for probabilities from 0 to 0.1, from 0.1 to 0.2, and so on;
/// and ``svg``, a plot of these.
///
/// Both are a path or a list of sentences. Raises ValueError as ``evaluate`` does, and if there is no
/// ``ArcProb``.
///
/// >>> import tanglewood
/// >>> gold = tanglewood.Sentence("1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
/// >>> sure = tanglewood.Sentence("1\tYes\t_\t_\t_\t_\t0\troot\t_\tArcProb=0.75\n\n")
/// >>> tanglewood.calibration([gold], [sure])["expected_error"]
/// 0.25
#[pyfunction]
pub fn calibration<'py>(py: Python<'py>, gold: Text<'py>, system: Text<'py>) -> PyResult<Bound<'py, PyDict>> {
    let evaluation = compared(py, &gold, &system)?;
    let (calibration, name) = (evaluation.calibration(), system.name("system"));
    let Some(error) = calibration.expected_error() else {
        let message = format!("{name}: no word has ArcProb in MISC; parse with confidence=True");
        return Err(PyValueError::new_err(message));
    };
    let bins = calibration.bins().iter().map(|bin| {
        let row = PyDict::new(py);
        row.set_item("words", bin.words)?;
        row.set_item("right", bin.right)?;
        row.set_item("confidence", bin.confidence())?;
        row.set_item("accuracy", bin.accuracy())?;
        Ok(row)
    });
    let bins = bins.collect::<PyResult<Vec<_>>>()?;
    let result = PyDict::new(py);
    result.set_item("words", calibration.words())?;
    result.set_item("expected_error", error)?;
    result.set_item("bins", bins)?;
    result.set_item("svg", draw::reliability(&[(&name, calibration)], &draw::Style::default()))?;
    Ok(result)
}

/// The counts of a comparison.
fn compared<'py>(py: Python<'py>, gold: &Text<'py>, system: &Text<'py>) -> PyResult<Evaluation> {
    let (gold_bytes, system_bytes) = (gold.bytes(py)?, system.bytes(py)?);
    let name = |side| match side {
        Side::Gold => gold.name("gold"),
        Side::System => system.name("system"),
    };
    let place = |side, place: Option<Place>| match place {
        Some(place) => format!("{}:{}: {}", name(side), place.line, place.quoted()),
        None => format!("{}: the end", name(side)),
    };
    let invalid = |side, problem: &Problem| PyValueError::new_err(format!("{}:{problem}", name(side)));
    let evaluation = py.detach(|| tanglewood::evaluation::evaluate(&gold_bytes, &system_bytes));
    evaluation.map_err(|error| match error {
        Unaligned::Source((side, problem)) | Unaligned::Unreadable(side, problem) => invalid(side, &problem),
        Unaligned::Difference(difference) => PyValueError::new_err(format!(
            "{}; expected what is in {}; apart from spaces, both must have the same characters in the same order",
            place(Side::System, difference.system),
            place(Side::Gold, difference.gold)
        )),
    })
}
