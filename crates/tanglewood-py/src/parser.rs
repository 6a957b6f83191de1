//! Models that score arcs, and what can be done with them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use tanglewood::conllu;
use tanglewood::text::TextWriter;
use tanglewood_cli::analysis::{Analysis, Analyst};
use tanglewood_models::{NamedModel, Place};
use tanglewood_nn::{About, FileError, Model, Step};

use crate::arguments::{Strings, Whole};
use crate::document::Document;
use crate::evaluation::Text;
use crate::interrupt::Interrupt;
use crate::sentence::{self, Sentence};
use crate::training::{Request, rates};
use crate::{files, pool};

/// A parser: a neural model that segments text and scores arcs, and exact decoding.
///
/// >>> import tanglewood
/// >>> treebank = tanglewood.sample_treebank()
/// >>> parser = tanglewood.Parser.train(treebank, epochs=1, hidden=16)
/// >>> parser.steps
/// ['segment', 'tag', 'lemma', 'parse']
/// >>> parser.parse("Er kommt.").text
/// 'Er kommt.'
/// >>> parsed = parser.parse(treebank[:2])
/// >>> parsed[0].forms == treebank[0].forms
/// True
/// >>> parser.scores(treebank[0]).shape
/// (13, 13)
#[pyclass(frozen, module = "tanglewood")]
pub struct Parser {
    model: Arc<Model>,
    about: About,
    origin: Origin,
}

/// What a parser can be made from again.
enum Origin {
    /// A model that is built in, of this name.
    BuiltIn(String, &'static [u8]),
    /// The content of a compact file, which only a copy of it has exactly.
    Compact(Vec<u8>),
    /// Its numbers.
    Numbers,
}

#[pymethods]
impl Parser {
    /// Reads a model: one that has a name, such as ``"en"``, which is built in, or a file. :func:`models`
    /// lists the names.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Parser> {
        let wrong = |error: FileError| PyValueError::new_err(format!("{}: {error}", path.display()));
        let path = match path.to_str().and_then(tanglewood_models::named) {
            Some(NamedModel { name, place: Place::BuiltIn(bytes) }) => {
                let (model, about) = py.detach(|| Model::read(bytes)).map_err(wrong)?;
                return Ok(Parser { model: Arc::new(model), about, origin: Origin::BuiltIn(name, bytes) });
            }
            Some(NamedModel { place: Place::File(path), .. }) => path,
            None => path.clone(),
        };
        let bytes = files::read(py, &path)?;
        py.detach(|| Parser::of_bytes(bytes)).map_err(wrong)
    }

    /// Writes the model to a file, which appears only when it is complete.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        files::write(&path, |out| self.write(out))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// By name if it is built in, by its content if it is not.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, class) = (slf.py(), slf.get_type());
        if let Origin::BuiltIn(name, _) = &slf.get().origin {
            return Ok((class.getattr("load")?, PyTuple::new(py, [name])?));
        }
        let mut bytes = Vec::new();
        slf.get().write(&mut bytes).map_err(PyValueError::new_err)?;
        Ok((class.getattr("_of_content")?, PyTuple::new(py, [PyBytes::new(py, &bytes)])?))
    }

    /// A parser from the content of a file; for copies in other processes.
    #[staticmethod]
    fn _of_content(py: Python<'_>, content: Vec<u8>) -> PyResult<Parser> {
        let read = py.detach(|| Parser::of_bytes(content));
        read.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Trains a model on a treebank: a path, or sentences. The best epoch on ``dev`` is kept, the last one
    /// without it.
    ///
    /// ``goal`` is ``"heads"`` (each word chooses its head), ``"trees"`` (the probability of the tree among
    /// all trees), or another objective of ``tanglewood train``; ``system`` is for those that depend on one,
    /// ``windows`` for those of transitions: their scores look at the top of the stack and the front of the
    /// buffer, or, with ``"pairs"``, at the two nodes below the top as well. ``direction`` is for them, too:
    /// ``"ltr"``, which is usual, ``"rtl"``, or ``"either"`` for scores of both directions. ``hidden`` is the
    /// size of the LSTM in each direction; the rest of the sizes are the library's. ``progress`` is called
    /// after each epoch with a dict: step, epoch, loss, uas, las. The same seed, data and number of threads
    /// give the same model.
    ///
    /// ``steps`` is a list of ``"segment"``, ``"tag"``, ``"lemma"`` and ``"parse"``, the last of which is
    /// always learned; without it they are all that the treebank has. Segmentation is learned first: then
    /// ``progress`` hears of step, epoch, loss, tokens, words and sentences.
    #[staticmethod]
    #[pyo3(signature = (train, dev=None, *, steps=None, epochs=Whole::new(50), seed=Whole::new(1), goal="heads", system=None, windows="top", direction=None, hidden=Whole::new(160), threads=None, progress=None), text_signature = "(train, dev=None, *, steps=None, epochs=50, seed=1, goal='heads', system=None, windows='top', direction=None, hidden=160, threads=None, progress=None)")]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn train<'py>(
        py: Python<'py>,
        train: Text<'py>,
        dev: Option<Text<'py>>,
        steps: Option<Strings>,
        epochs: Whole,
        seed: Whole,
        goal: &str,
        system: Option<&str>,
        windows: &str,
        direction: Option<&str>,
        hidden: Whole,
        threads: Option<Whole>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Parser> {
        let request = Request {
            train,
            dev,
            steps: steps.map(|Strings(steps)| steps),
            epochs: epochs.of("epochs")?,
            seed: seed.of("seed")?,
            goal,
            system,
            windows,
            direction,
            hidden: hidden.size_of("hidden")?,
            threads: pool::threads(threads)?,
            progress,
        };
        let (model, about) = request.run(py)?;
        Ok(Parser { model: Arc::new(model), about, origin: Origin::Numbers })
    }

    /// Text as a ``Document`` of sentences, tokens and trees; or sentences, or the path of a file with some,
    /// as a list of sentences with other trees and labels, of which all else stays as it is. A ``str`` is
    /// text, a path is something like ``pathlib.Path("file.conllu")``. The answers are those of ``tanglewood
    /// parse``.
    ///
    /// ``decoder`` is ``"exact"``, ``"greedy"``, ``"beam:K"`` or ``"mst"``; without it, and without a system
    /// and a direction, all are what the model was made for: exact, ``mh4+`` and ``either`` for scores of
    /// arcs. A sentence too long for the system's chart gets the best of all trees.
    ///
    /// ``steps`` is a list of ``"tag"``, ``"lemma"`` and ``"parse"``; without it all are taken for text, and
    /// for sentences only the last. A model that has learned tags reads its own; with ``keep_tags``, those of
    /// sentences, where they have any. ``confidence`` writes the probability of each arc and label to MISC.
    #[pyo3(signature = (sentences, system=None, direction=None, *, decoder=None, steps=None, keep_tags=false, confidence=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        sentences: ParserInput<'py>,
        system: Option<&str>,
        direction: Option<&str>,
        decoder: Option<&str>,
        steps: Option<Strings>,
        keep_tags: bool,
        confidence: bool,
        threads: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut options = Vec::new();
        for (name, value) in [("--system", system), ("--direction", direction), ("--decoder", decoder)] {
            options.extend(value.map(|value| format!("{name}={value}")));
        }
        options.extend(steps.map(|Strings(steps)| format!("--steps={}", steps.join(","))));
        options.extend(keep_tags.then(|| "--keep=tags".to_owned()));
        options.extend(confidence.then(|| "--confidence".to_owned()));
        let analyst = Analyst::new(self.model(), &self.about, &options).map_err(PyValueError::new_err)?;
        match sentences {
            ParserInput::Text(text) => {
                let sentences = self.segmented(py, &text)?;
                let parsed = parsed(py, sentences, &analyst, threads, false)?;
                Ok(Bound::new(py, Document::new(py, text, parsed)?)?.into_any())
            }
            ParserInput::Sentences(sentences) => {
                parsed(py, sentences.sentences(py)?, &analyst, threads, true)?.into_pyobject(py)
            }
        }
    }

    /// Text as a ``Document`` of sentences and tokens, without tags and trees.
    fn segment(&self, py: Python<'_>, text: String) -> PyResult<Document> {
        let sentences = self.segmented(py, &text)?;
        Document::new(py, text, sentences)
    }

    /// What it has learned: names of steps.
    #[getter]
    fn steps(&self) -> Vec<&'static str> {
        self.model.steps().into_iter().map(Step::name).collect()
    }

    /// The matrix of arc scores of a sentence, as ``decode`` takes it: logarithms of each word's
    /// probabilities of heads.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        sentence: &Bound<'py, Sentence>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let sentence = sentence.get();
        sentence.check().map_err(PyValueError::new_err)?;
        let arcs = py.detach(|| {
            let encoded = self.model.encode(&sentence.content());
            (!encoded.is_empty()).then(|| self.model.scores(&[&encoded]).arcs(0))
        });
        let nodes = arcs.as_ref().map_or(1, |arcs| arcs.len() + 1);
        let score = |(head, word)| arcs.as_ref().map_or(f64::NEG_INFINITY, |arcs| arcs.get(head, word));
        Ok(PyArray2::from_owned_array(py, Array2::from_shape_fn((nodes, nodes), score)))
    }

    /// Accuracy on the development data, if there was some: a dict of ``uas`` and ``las`` in percent.
    #[getter]
    fn accuracy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.about.accuracy.as_ref().map(|accuracy| rates(py, accuracy)).transpose()
    }

    /// The labels that it knows.
    #[getter]
    fn labels(&self) -> Vec<String> {
        let labels = &self.model.vocabulary().labels;
        (0..labels.len()).map(|label| labels.name(label as u32).to_owned()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Parser: {} numbers, {} labels>", self.model.size(), self.labels().len())
    }
}

/// What can be parsed.
enum ParserInput<'py> {
    Text(String),
    Sentences(Text<'py>),
}

impl<'py> FromPyObject<'_, 'py> for ParserInput<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ParserInput<'py>> {
        match object.extract::<String>() {
            Ok(text) => Ok(ParserInput::Text(text)),
            Err(_) => object.extract().map(ParserInput::Sentences),
        }
    }
}

impl Parser {
    fn of_bytes(bytes: Vec<u8>) -> Result<Parser, FileError> {
        let (model, about) = Model::read(&bytes[..])?;
        let origin = if model.is_compact() { Origin::Compact(bytes) } else { Origin::Numbers };
        Ok(Parser { model: Arc::new(model), about, origin })
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), String> {
        match &self.origin {
            Origin::BuiltIn(_, bytes) => out.write_all(bytes).map_err(|error| error.to_string()),
            Origin::Compact(bytes) => out.write_all(bytes).map_err(|error| error.to_string()),
            Origin::Numbers => self.model.write(&self.about, out).map_err(|error| error.to_string()),
        }
    }

    /// The model, which others may go on using.
    pub fn model(&self) -> Arc<Model> {
        self.model.clone()
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// The sentences of a text, without trees, with the places of tokens.
    fn segmented(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Sentence>> {
        let Some(segmenter) = self.model.segmenter() else {
            let message = "this model has not learned to segment text; train one with the step segment, \
                           or give sentences, or the path of a file as pathlib.Path";
            return Err(PyValueError::new_err(message));
        };
        let interrupt = Interrupt::new();
        let sentences = py.detach(|| {
            let mut writer = TextWriter::new(Vec::new()).ranges(true);
            for sentence in segmenter.segment(text.as_bytes()).take_while(|_| !interrupt.is_heard()) {
                writer.push(sentence?)?;
            }
            let sentences = sentence::cut(&writer.finish()?);
            PyResult::Ok(sentences.into_iter().filter(|sentence| !sentence.content().is_gap()).collect())
        });
        interrupt.check()?;
        sentences
    }
}

/// The number of sentences that are analysed together. More would not be faster.
const GROUP: usize = 64;

/// Sentences with what was found out about them.
fn parsed(
    py: Python<'_>,
    sentences: Vec<Sentence>,
    analyst: &Analyst,
    threads: Option<Whole>,
    is_conllu: bool,
) -> PyResult<Vec<Sentence>> {
    let threads = pool::threads(threads)?;
    let groups: Vec<&[Sentence]> =
        sentences.chunks(sentences.len().div_ceil(threads).clamp(1, GROUP)).collect();
    let interrupt = Interrupt::new();
    let parsed = py.detach(|| {
        let session = analyst.session();
        pool::map(groups.len(), threads, &interrupt, |group| {
            let mine = groups[group];
            let contents: Vec<conllu::Sentence<'_>> = mine.iter().map(Sentence::content).collect();
            let analyses = session.analyse(&contents, is_conllu);
            let written = |((sentence, content), analysis): ((&Sentence, conllu::Sentence<'_>), _)| {
                if content.is_gap() {
                    return Ok(sentence.clone());
                }
                let analysis: Result<Analysis, String> = analysis;
                let analysis = analysis.map_err(|message| {
                    sentence.check().err().unwrap_or_else(|| sentence.in_file(&message))
                })?;
                let mut bytes = Vec::new();
                session.write(&mut bytes, &content, &analysis);
                Ok(sentence.with_bytes(bytes))
            };
            mine.iter().zip(contents).zip(analyses).map(written).collect::<Vec<Result<Sentence, String>>>()
        })
    });
    interrupt.check()?;
    let parsed = parsed.into_iter().flatten().flatten();
    parsed.map(|parsed| parsed.map_err(PyValueError::new_err)).collect()
}

/// The models that can be named where a path is expected, by name: where they are, ``None`` for one that is
/// built in. Files ``NAME.model`` are looked for in the folders of ``$TANGLEWOOD_MODELS`` and among the
/// user's data.
///
/// >>> import tanglewood
/// >>> "en" in tanglewood.models()
/// True
#[pyfunction]
pub fn models() -> BTreeMap<String, Option<PathBuf>> {
    let place = |model: NamedModel| match model.place {
        Place::BuiltIn(_) => (model.name, None),
        Place::File(path) => (model.name, Some(path)),
    };
    tanglewood_models::known().into_iter().map(place).collect()
}
