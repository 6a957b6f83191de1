//! Treebanks: files of sentences, and what systems cover of them.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::classes::Class;
use tanglewood::conllu::{Block, Problem, Sentences, Validator};
use tanglewood::coverage::{Counts, Survey};
use tanglewood::{Direction, System, sample};

use crate::arguments::{Paths, SentenceList, Strings};
use crate::derivation::Derivation;
use crate::interrupt::Interrupt;
use crate::sentence::{self, Sentence};
use crate::tree::Tree;
use crate::{files, pool, question};

/// The sentences of a CoNLL-U file; it may be compressed with gzip, xz or zstd.
///
/// Nothing is judged: ask a sentence for its ``tree``, and what is wrong is said, with its line.
/// ``b"".join(s.bytes for s in sentences)`` is the file.
///
/// >>> import tanglewood
/// >>> tanglewood.read_conllu("no-such-file.conllu")
/// Traceback (most recent call last):
/// FileNotFoundError: no-such-file.conllu: No such file or directory (os error 2)
#[pyfunction]
pub fn read_conllu(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Sentence>> {
    let bytes = files::read(py, &path)?;
    Ok(py.detach(|| sentence::cut(&bytes)))
}

/// Writes sentences to a file, which appears only when it is complete.
///
/// >>> import os, tanglewood, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "copy.conllu")
/// >>> sentences = tanglewood.sample_treebank()
/// >>> tanglewood.write_conllu(path, sentences)
/// >>> tanglewood.read_conllu(path) == sentences
/// True
#[pyfunction]
pub fn write_conllu(path: PathBuf, sentences: SentenceList<'_>) -> PyResult<()> {
    let bytes = sentence::joined(sentences.0.iter().map(|sentence| sentence.get()));
    files::write(&path, |out| out.write_all(&bytes).map_err(|error| error.to_string()))
}

/// A small treebank that comes along: 84 sentences in 21 languages, most with crossing arcs.
///
/// >>> import tanglewood
/// >>> len(tanglewood.sample_treebank())
/// 84
#[pyfunction]
pub fn sample_treebank() -> Vec<Sentence> {
    sentence::cut(sample::TREEBANK.as_bytes())
}

/// How a system builds a tree: a ``Tree``, a ``Sentence``, or a list or array of heads. The same as
/// ``Tree.oracle``.
///
/// >>> import tanglewood
/// >>> print(tanglewood.oracle([3, 4, 0, 3], "attardi"))
/// shift shift shift shift s0>s2 shift s0>s2 s1>s0 s1>s0
#[pyfunction]
#[pyo3(signature = (tree, system="mh4+", direction="either"))]
pub fn oracle(
    py: Python<'_>,
    tree: &Bound<'_, PyAny>,
    system: &str,
    direction: &str,
) -> PyResult<Derivation> {
    let tree = match (tree.cast::<Tree>(), tree.cast::<Sentence>()) {
        (Ok(tree), _) => return tree.get().oracle(py, system, direction),
        (_, Ok(_)) => tree.getattr("tree")?,
        _ => py.get_type::<Tree>().call1((tree,))?,
    };
    tree.cast::<Tree>()?.get().oracle(py, system, direction)
}

/// Names of systems, with commas between them, or in a list.
pub enum Names {
    One(String),
    Several(Vec<String>),
}

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Names> {
        match object.extract::<String>() {
            Ok(names) => Ok(Names::One(names)),
            Err(_) => object.extract::<Strings>().map(|Strings(names)| Names::Several(names)),
        }
    }
}

impl Names {
    pub fn systems(&self) -> PyResult<Vec<System>> {
        match self {
            Names::One(name) if name == "paper" => Ok(System::paper()),
            Names::One(name) if name == "all" => Ok(System::all()),
            // As in the program, an inventory has spaces between its parts.
            Names::One(names) => names.split(',').map(|name| question::system(name.trim())).collect(),
            Names::Several(names) => names.iter().map(|name| question::system(name)).collect(),
        }
    }
}

/// How many non-projective sentences of treebanks each system can build: a list of dicts, one for each file,
/// which ``pandas.DataFrame`` takes as it is.
///
/// ``paths`` is a file, a folder, or a list of them. ``systems`` is ``"paper"`` for those of Shi,
/// Gómez-Rodríguez and Lee (2018), ``"all"`` for all with a name, or names. Each row has ``file``,
/// ``sentences``, ``nonprojective``, and for each system how many of the non-projective sentences it covers,
/// in a column that is named ``system@direction`` unless it reads from left to right. ``classes=True`` adds
/// classes of trees. An invalid sentence is a ValueError with its place, unless it is to be skipped: then the
/// rows have a column ``skipped``.
#[pyfunction]
#[pyo3(signature = (paths, systems=Names::One("paper".to_owned()), direction="ltr", classes=false, skip_invalid=false), text_signature = "(paths, systems='paper', direction='ltr', classes=False, skip_invalid=False)")]
pub fn coverage<'py>(
    py: Python<'py>,
    paths: Paths,
    systems: Names,
    direction: &str,
    classes: bool,
    skip_invalid: bool,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let systems = systems.systems()?;
    let direction = question::direction(direction)?;
    let classes: Vec<Class> = if classes {
        Class::ALL.into_iter().filter(|&class| class != Class::Projective).collect()
    } else {
        Vec::new()
    };
    let survey = Survey::new(&systems, direction, &classes);
    let mut rows = Vec::new();
    for path in files::expanded(&paths.0)? {
        let bytes = files::read(py, &path)?;
        let interrupt = Interrupt::new();
        let (counts, invalid) = py.detach(|| count(&survey, bytes, &interrupt));
        interrupt.check()?;
        if let Some(problem) = invalid.first().filter(|_| !skip_invalid) {
            return Err(PyValueError::new_err(format!("{}:{problem}", path.display())));
        }
        let row = PyDict::new(py);
        row.set_item("file", path.display().to_string())?;
        row.set_item("sentences", counts.sentences)?;
        row.set_item("nonprojective", counts.nonprojective)?;
        for (system, covered) in systems.iter().zip(&counts.covered) {
            row.set_item(title(system, direction), covered)?;
        }
        for (class, members) in classes.iter().zip(&counts.members) {
            row.set_item(class.name(), members)?;
        }
        if skip_invalid {
            row.set_item("skipped", invalid.len())?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The name of a system's column.
pub fn title(system: &System, direction: Direction) -> String {
    match direction {
        Direction::Ltr => system.name().to_owned(),
        other => format!("{system}@{other}"),
    }
}

/// The counts of a file, with all threads, and what is wrong with it.
fn count(survey: &Survey, bytes: Vec<u8>, interrupt: &Interrupt) -> (Counts, Vec<Problem>) {
    const PIECE: usize = 200;
    let block = Block::of(bytes);
    let sentences: Vec<_> = Sentences::of(block.bytes()).filter(|sentence| !sentence.is_blank()).collect();
    let pieces: Vec<_> = sentences.chunks(PIECE).collect();
    let counted = pool::map(pieces.len(), pool::cores(), interrupt, |piece| {
        let mut validator = Validator::new();
        let (mut counts, mut invalid) = (survey.counts(), Vec::new());
        for sentence in pieces[piece] {
            match validator.tree(sentence) {
                Ok(tree) => survey.add(&tree, &mut counts),
                Err(problem) => invalid.push(problem),
            }
        }
        (counts, invalid)
    });
    let mut sum = (survey.counts(), Vec::new());
    for (counts, invalid) in counted.into_iter().flatten() {
        sum.0.merge(&counts);
        sum.1.extend(invalid);
    }
    sum
}
