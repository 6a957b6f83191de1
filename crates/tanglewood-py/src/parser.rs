//! Models that score arcs, and what can be done with them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::conllu::{self, Column, Sentences};
use tanglewood::text::TextWriter;
use tanglewood_cli::analysis::{Analysis, Analyst};
use tanglewood_models::{NamedModel, Place};
use tanglewood_nn::segmentation::{
    SegmentationScore, Segmenter, SegmenterError, SegmenterEvent, SegmenterSettings,
};
use tanglewood_nn::training::{Accuracy, Data, Epoch, Goal, Settings, Trainer};
use tanglewood_nn::{About, Dropout, Model, Options, Step};

use crate::document::Document;
use crate::evaluation::Text;
use crate::sentence::{self, Sentence};
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
}

#[pymethods]
impl Parser {
    /// Reads a model: one that has a name, such as ``"en"``, which is built in, or a file. :func:`models` lists the names.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Parser> {
        let read = match path.to_str().and_then(tanglewood_models::named) {
            Some(model) => py.detach(|| Model::read(model.open()?)),
            None => {
                let bytes = files::read(py, &path)?;
                py.detach(|| Model::read(Cursor::new(bytes)))
            }
        };
        let (model, about) =
            read.map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Parser { model: Arc::new(model), about })
    }

    /// Writes the model to a file, which appears only when it is complete.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        files::write(&path, |out| self.model.write(&self.about, out).map_err(|error| error.to_string()))
    }

    /// Trains a model on a treebank: a path, or sentences. The best epoch on ``dev`` is kept, the last one without it.
    ///
    /// ``goal`` is ``"heads"`` (each word chooses its head), ``"trees"`` (the probability of the tree among all trees), or another objective of ``tanglewood train``;
    /// ``system`` is for those that depend on one. ``hidden`` is the size of the LSTM in each
    /// direction; the rest of the sizes are the library's. ``progress`` is called after each epoch with a dict: step, epoch, loss, uas, las. The same seed, data and number
    /// of threads give the same model.
    ///
    /// ``steps`` is a list of ``"segment"``, ``"tag"``, ``"lemma"`` and ``"parse"``, the last of which is always learned; without it they are all that the treebank has. Segmentation is learned
    /// first: then ``progress`` hears of step, epoch, loss, tokens, words and sentences.
    #[staticmethod]
    #[pyo3(signature = (train, dev=None, *, steps=None, epochs=50, seed=1, goal="heads", system=None, hidden=160, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn train<'py>(
        py: Python<'py>,
        train: Text<'py>,
        dev: Option<Text<'py>>,
        steps: Option<Vec<String>>,
        epochs: u64,
        seed: u64,
        goal: &str,
        system: Option<&str>,
        hidden: usize,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Parser> {
        let Some(goal) = Goal::named(goal) else {
            let names: Vec<&str> = Goal::ALL.iter().map(|goal| goal.name()).collect();
            let message = format!("`{goal}` is not a goal; expected one of {}", names.join(", "));
            return Err(PyValueError::new_err(message));
        };
        if !(1..=4096).contains(&hidden) {
            return Err(PyValueError::new_err(format!("hidden is {hidden}; expected 1 to 4096")));
        }
        let steps = steps.map(|steps| known_steps(&steps)).transpose()?;
        let has_dev = dev.is_some();
        let train = train.bytes(py)?;
        let dev = dev.map_or_else(|| Ok(Vec::new()), |dev| dev.bytes(py))?;
        let learns = |step| steps.as_ref().is_none_or(|steps| steps.contains(&step));
        let (tags, lemmas) = (learns(Step::Tag), learns(Step::Lemma));
        let options = Options { hidden, ..Options::default() };
        let options = match (tags, lemmas) {
            (false, false) => options,
            (true, _) => options.with_taggers(lemmas),
            (false, true) => Options { upos: false, xpos: false, feats: false, ..options.with_taggers(true) },
        };
        let dropout = if options.tagging > 0 { Dropout::with_own_tags() } else { Dropout::default() };
        let threads = threads.unwrap_or_else(pool::cores).clamp(1, pool::cores());
        let settings =
            Settings { seed, epochs: epochs.max(1), goal, threads, dropout, ..Settings::default() };
        let usual = if goal.is_of_transitions() { "mh4" } else { "mh4+" };
        let settings = Settings { system: system.unwrap_or(usual).to_owned(), ..settings };
        let train = sentences_of(&train);
        let dev = sentences_of(&dev);
        let trainer = py.detach(|| Trainer::new(Data::new(&train, &dev), options, settings.clone()));
        let mut trainer = trainer.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let segments = match &steps {
            Some(steps) => steps.contains(&Step::Segment),
            None => train.iter().any(has_text),
        };
        let learned =
            segments.then(|| segmenter(py, (&train, &dev), (epochs, seed), progress.as_ref())).transpose()?;
        let mut done = 0;
        loop {
            // In short stretches, so that an interrupt is heard.
            while py.detach(|| trainer.step(trainer.progress())).is_some() {
                py.check_signals()?;
            }
            let epoch = py.detach(|| trainer.end_epoch());
            done = done.max(epoch.number);
            if let Some(progress) = &progress {
                progress.call1((row(py, &epoch)?,))?;
            }
            if epoch.last {
                break;
            }
        }
        let (model, accuracy) = trainer.best();
        let program = format!("tanglewood {} (Python)", env!("CARGO_PKG_VERSION"));
        let about = About { program, settings: Some(settings), accuracy, epochs: done, ..About::default() };
        Ok(match learned {
            None => Parser { model: Arc::new(model), about },
            Some((segmenter, score)) => Parser {
                model: Arc::new(model.with_segmenter(segmenter)),
                about: About { segmentation: Some(score).filter(|_| has_dev), ..about },
            },
        })
    }

    /// Text as a ``Document`` of sentences, tokens and trees; or sentences, or the path of a file with some, as a list of
    /// sentences with other trees and labels, of which all else stays as it is. A ``str`` is text, a path is something
    /// like ``pathlib.Path("file.conllu")``. The answers are those of ``tanglewood parse``.
    ///
    /// ``decoder`` is ``"exact"``, ``"greedy"``, ``"beam:K"`` or ``"mst"``; without it, and without a system and a
    /// direction, all are what the model was made for: exact, ``mh4+`` and ``either`` for scores of arcs. A sentence too
    /// long for the system's chart gets the best of all trees.
    ///
    /// ``steps`` is a list of ``"tag"``, ``"lemma"`` and ``"parse"``; without it all are taken for text, and for sentences
    /// only the last. A model that has learned tags reads its own; with ``keep_tags``, those of sentences, where they
    /// have any. ``confidence`` writes the probability of each arc and label to MISC.
    #[pyo3(signature = (sentences, system=None, direction=None, *, decoder=None, steps=None, keep_tags=false, confidence=false, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        sentences: ParserInput<'py>,
        system: Option<&str>,
        direction: Option<&str>,
        decoder: Option<&str>,
        steps: Option<Vec<String>>,
        keep_tags: bool,
        confidence: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut options = Vec::new();
        for (name, value) in [("--system", system), ("--direction", direction), ("--decoder", decoder)] {
            options.extend(value.map(|value| format!("{name}={value}")));
        }
        options.extend(steps.map(|steps| format!("--steps={}", steps.join(","))));
        options.extend(keep_tags.then(|| "--keep=tags".to_owned()));
        options.extend(confidence.then(|| "--confidence".to_owned()));
        let analyst = Analyst::new(self.model(), &self.about, &options).map_err(PyValueError::new_err)?;
        match sentences {
            ParserInput::Text(text) => {
                let sentences = py.detach(|| self.segmented(&text))?;
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
        let sentences = py.detach(|| self.segmented(&text))?;
        Document::new(py, text, sentences)
    }

    /// What it has learned: names of steps.
    #[getter]
    fn steps(&self) -> Vec<&'static str> {
        self.model.steps().into_iter().map(Step::name).collect()
    }

    /// The matrix of arc scores of a sentence, as ``decode`` takes it: logarithms of each word's probabilities of heads.
    fn scores<'py>(&self, py: Python<'py>, sentence: &Bound<'py, Sentence>) -> Bound<'py, PyArray2<f64>> {
        let sentence = sentence.get();
        let arcs = py.detach(|| {
            let encoded = self.model.encode(&sentence.content());
            (!encoded.is_empty()).then(|| self.model.scores(&[&encoded]).arcs(0))
        });
        let nodes = arcs.as_ref().map_or(1, |arcs| arcs.len() + 1);
        let score = |(head, word)| arcs.as_ref().map_or(f64::NEG_INFINITY, |arcs| arcs.get(head, word));
        PyArray2::from_owned_array(py, Array2::from_shape_fn((nodes, nodes), score))
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

/// What can be parsed. What is tried first comes first.
#[derive(FromPyObject)]
enum ParserInput<'py> {
    Text(String),
    Sentences(Text<'py>),
}

impl Parser {
    /// The model, which others may go on using.
    pub fn model(&self) -> Arc<Model> {
        self.model.clone()
    }

    pub fn about(&self) -> &About {
        &self.about
    }

    /// The sentences of a text, without trees, with the places of tokens.
    fn segmented(&self, text: &str) -> PyResult<Vec<Sentence>> {
        let Some(segmenter) = self.model.segmenter() else {
            let message = "this model has not learned to segment text; train one with the step segment, \
                           or give sentences, or the path of a file as pathlib.Path";
            return Err(PyValueError::new_err(message));
        };
        let mut writer = TextWriter::new(Vec::new()).ranges(true);
        for sentence in segmenter.segment(text.as_bytes()) {
            writer.push(sentence?)?;
        }
        let sentences = sentence::cut(&writer.finish()?);
        Ok(sentences.into_iter().filter(|sentence| !sentence.content().is_gap()).collect())
    }
}

/// Sentences with what was found out about them.
fn parsed(
    py: Python<'_>,
    sentences: Vec<Sentence>,
    analyst: &Analyst,
    threads: Option<usize>,
    is_conllu: bool,
) -> PyResult<Vec<Sentence>> {
    let threads = threads.unwrap_or_else(pool::cores).clamp(1, sentences.len().max(1));
    let parsed: Vec<Result<Sentence, String>> = py.detach(|| {
        let session = analyst.session();
        let parts = pool::map(threads, threads, |part| {
            // Consecutive sentences may be of similar length: the longest would be left to one thread.
            let mine: Vec<&Sentence> = sentences.iter().skip(part).step_by(threads).collect();
            let contents: Vec<conllu::Sentence<'_>> =
                mine.iter().map(|sentence| sentence.content()).collect();
            let analyses = session.analyse(&contents, is_conllu);
            let written = |((sentence, content), analysis): ((&Sentence, conllu::Sentence<'_>), _)| {
                if content.is_gap() {
                    return Ok(sentence.clone());
                }
                let analysis: Result<Analysis, String> = analysis;
                let analysis = analysis.map_err(|message| sentence.in_file(&message))?;
                let mut bytes = Vec::new();
                session.write(&mut bytes, &content, &analysis);
                Ok(sentence.with_bytes(bytes))
            };
            mine.into_iter().zip(contents).zip(analyses).map(written).collect::<Vec<_>>()
        });
        let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
        (0..sentences.len()).filter_map(|at| parts[at % threads].next()).collect()
    });
    parsed.into_iter().map(|parsed| parsed.map_err(PyValueError::new_err)).collect()
}

fn sentences_of(bytes: &[u8]) -> Vec<conllu::Sentence<'_>> {
    Sentences::of(bytes).filter(|sentence| !sentence.is_blank()).collect()
}

/// True if a sentence says what its text is like.
fn has_text(sentence: &conllu::Sentence<'_>) -> bool {
    let says_spaces =
        |misc: &[u8]| misc.split(|&byte| byte == b'|').any(|item| item.starts_with(b"SpaceAfter="));
    sentence.metadata("text").is_some() || sentence.rows().any(|row| says_spaces(row.get(Column::Misc)))
}

fn known_steps(names: &[String]) -> PyResult<Vec<Step>> {
    let known = |name: &String| {
        Step::named(name).ok_or_else(|| {
            let all = Step::ALL.map(Step::name).join(", ");
            PyValueError::new_err(format!("`{name}` is not a step; expected {all}"))
        })
    };
    names.iter().map(known).collect()
}

/// A segmenter and its score on the development data, or without any, on the training data.
fn segmenter<'py>(
    py: Python<'py>,
    (train, dev): (&[conllu::Sentence<'_>], &[conllu::Sentence<'_>]),
    (epochs, seed): (u64, u64),
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Segmenter, SegmentationScore)> {
    let usual = SegmenterSettings::default();
    let epochs = usize::try_from(epochs.max(1)).unwrap_or(usize::MAX);
    let settings = SegmenterSettings { epochs: usual.epochs.min(epochs), seed, ..usual };
    let progress = progress.map(|progress| progress.clone().unbind());
    let mut score = SegmentationScore::default();
    let mut failure = None;
    let learned = py.detach(|| {
        Segmenter::train_in_steps(train, dev, &settings, |event| {
            let heard = Python::attach(|py| match event {
                SegmenterEvent::Step(_) => py.check_signals(),
                SegmenterEvent::Epoch(epoch) => {
                    if epoch.best {
                        score = epoch.score;
                    }
                    let Some(progress) = &progress else { return Ok(()) };
                    let row = PyDict::new(py);
                    row.set_item("step", Step::Segment.name())?;
                    row.set_item("epoch", epoch.number)?;
                    row.set_item("loss", epoch.loss.iter().sum::<f64>())?;
                    row.set_item("tokens", 100.0 * epoch.score.tokens)?;
                    row.set_item("words", 100.0 * epoch.score.words)?;
                    row.set_item("sentences", 100.0 * epoch.score.sentences)?;
                    row.set_item("best", epoch.best)?;
                    progress.bind(py).call1((row,)).map(drop)
                }
            });
            failure = heard.err();
            failure.is_none()
        })
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let segmenter = learned.map_err(|error: SegmenterError| PyValueError::new_err(error.to_string()))?;
    Ok((segmenter, score))
}

fn rates<'py>(py: Python<'py>, accuracy: &Accuracy) -> PyResult<Bound<'py, PyDict>> {
    let rates = PyDict::new(py);
    rates.set_item("uas", accuracy.uas())?;
    rates.set_item("las", accuracy.las())?;
    for (name, share) in ["upos", "xpos", "feats", "lemmas"].iter().zip(accuracy.columns()) {
        if let Some(share) = share {
            rates.set_item(*name, share)?;
        }
    }
    Ok(rates)
}

fn row<'py>(py: Python<'py>, epoch: &Epoch) -> PyResult<Bound<'py, PyDict>> {
    let row = rates(py, &epoch.accuracy)?;
    row.set_item("step", Step::Parse.name())?;
    row.set_item("epoch", epoch.number)?;
    row.set_item("loss", epoch.losses.arcs + epoch.losses.labels)?;
    row.set_item("best", epoch.best)?;
    Ok(row)
}

/// The models that can be named where a path is expected, by name: where they are, ``None`` for one that is built in. Files
/// ``NAME.model`` are looked for in the folders of ``$TANGLEWOOD_MODELS`` and among the user's data.
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
