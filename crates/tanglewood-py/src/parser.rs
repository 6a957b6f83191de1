//! Models that score arcs, and what can be done with them.

use std::io::Cursor;
use std::path::PathBuf;

use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::System;
use tanglewood::conllu::Sentences;
use tanglewood::system::DirectionError;
use tanglewood_nn::Encoded;
use tanglewood_nn::training::{Accuracy, Epoch, Goal, Settings, Trainer};
use tanglewood_nn::{About, Decoder, Method, Model, Options};

use crate::evaluation::Text;
use crate::sentence::Sentence;
use crate::{files, pool};

/// How many bytes the chart of a sentence may take.
const CHART_BYTES: u64 = 256 << 20;

/// A parser: a neural model that scores arcs, and exact decoding.
///
/// >>> import tanglewood
/// >>> treebank = tanglewood.sample_treebank()
/// >>> parser = tanglewood.Parser.train(treebank, epochs=1, hidden=16)
/// >>> parsed = parser.parse(treebank[:2])
/// >>> parsed[0].forms == treebank[0].forms
/// True
/// >>> parser.scores(treebank[0]).shape
/// (13, 13)
#[pyclass(frozen, module = "tanglewood")]
pub struct Parser {
    model: Model,
    about: About,
}

#[pymethods]
impl Parser {
    /// Reads a model from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Parser> {
        let bytes = files::read(py, &path)?;
        let read = py.detach(|| Model::read(Cursor::new(bytes)));
        let (model, about) =
            read.map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Parser { model, about })
    }

    /// Writes the model to a file, which appears only when it is complete.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        files::write(&path, |out| self.model.write(&self.about, out).map_err(|error| error.to_string()))
    }

    /// Trains a model on a treebank: a path, or sentences. The best epoch on ``dev`` is kept, the last one without it.
    ///
    /// ``goal`` is ``"heads"`` (each word chooses its head), ``"trees"`` (the probability of the tree among all trees), or another objective of ``tanglewood train``;
    /// ``system`` is for those that depend on one. ``hidden`` is the size of the LSTM in each
    /// direction; the rest of the sizes are the library's. ``progress`` is called after each epoch with a dict: epoch, loss, uas, las. The same seed, data and number
    /// of threads give the same model.
    #[staticmethod]
    #[pyo3(signature = (train, dev=None, *, epochs=40, seed=1, goal="heads", system=None, hidden=160, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn train<'py>(
        py: Python<'py>,
        train: Text<'py>,
        dev: Option<Text<'py>>,
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
        let train = train.bytes(py)?;
        let dev = dev.map_or_else(|| Ok(Vec::new()), |dev| dev.bytes(py))?;
        let options = Options { hidden, ..Options::default() };
        let threads = threads.unwrap_or_else(pool::cores).clamp(1, pool::cores());
        let settings = Settings { seed, epochs: epochs.max(1), goal, threads, ..Settings::default() };
        let usual = if goal.is_of_transitions() { "mh4" } else { "mh4+" };
        let settings = Settings { system: system.unwrap_or(usual).to_owned(), ..settings };
        let trainer = py.detach(|| {
            let sentences =
                |bytes| Sentences::of(bytes).filter(|sentence| !sentence.is_blank()).collect::<Vec<_>>();
            Trainer::new(&sentences(&train), &sentences(&dev), options, settings.clone())
        });
        let mut trainer = trainer.map_err(|error| PyValueError::new_err(error.to_string()))?;
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
        Ok(Parser { model, about })
    }

    /// Sentences with the best trees and labels; a path or sentences. All else stays as it is.
    ///
    /// ``decoder`` is ``"exact"``, ``"greedy"``, ``"beam:K"`` or ``"mst"``; without it, and without a system and a direction, all are what the model was made for:
    /// exact, ``mh4+`` and ``either`` for scores of arcs. A sentence too long for the system's chart gets the best of all trees.
    #[pyo3(signature = (sentences, system=None, direction=None, *, decoder=None, threads=None))]
    fn parse(
        &self,
        py: Python<'_>,
        sentences: Text<'_>,
        system: Option<&str>,
        direction: Option<&str>,
        decoder: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Vec<Sentence>> {
        let sentences = sentences.sentences(py)?;
        let decoder = self.decoder(system, direction, decoder)?;
        // Sentences of similar length side by side would leave the longest to one thread.
        let threads = threads.unwrap_or_else(pool::cores).clamp(1, sentences.len().max(1));
        let parsed: Vec<Option<Result<Sentence, String>>> = py.detach(|| {
            let parts = pool::map(threads, threads, |part| {
                let mine: Vec<&Sentence> = sentences.iter().skip(part).step_by(threads).collect();
                let encoded: Vec<Encoded> =
                    mine.iter().map(|sentence| self.model.encode(&sentence.content())).collect();
                let mut parsed: Vec<Option<Result<Sentence, String>>> = mine.iter().map(|_| None).collect();
                self.model.parse_each(
                    &encoded.iter().collect::<Vec<_>>(),
                    |scores| decoder.decode(scores),
                    |at, found| {
                        parsed[at] = found.map(|(tree, labels)| {
                            let name = |&label: &u32| self.model.vocabulary().labels.name(label).to_owned();
                            mine[at].edited(&tree, Some(&labels.iter().map(name).collect::<Vec<_>>()))
                        });
                    },
                );
                parsed
            });
            let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
            (0..sentences.len()).map(|at| parts[at % threads].next().flatten()).collect()
        });
        let parsed = parsed.into_iter().zip(sentences);
        parsed
            .map(|(parsed, sentence)| parsed.unwrap_or(Ok(sentence)).map_err(PyValueError::new_err))
            .collect()
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
        format!("<Parser: {} numbers, {} labels>", self.model.parameters().values.len(), self.labels().len())
    }
}

impl Parser {
    /// What was asked for, and for the rest what the model was made for.
    fn decoder(
        &self,
        system: Option<&str>,
        direction: Option<&str>,
        decoder: Option<&str>,
    ) -> PyResult<Decoder> {
        let wrong = |message: String| PyValueError::new_err(message);
        let mut chosen =
            Decoder::of_model(&self.model, &self.about).map_err(|error| wrong(error.to_string()))?;
        chosen.memory = CHART_BYTES;
        if let Some(name) = system {
            chosen.system = System::named(name).map_err(|error| wrong(error.to_string()))?;
        }
        if let Some(name) = direction {
            chosen.direction = name.parse().map_err(|error: DirectionError| wrong(error.to_string()))?;
        }
        let width = decoder.and_then(|name| name.strip_prefix("beam:")).map(str::parse);
        chosen.method = match (decoder, width) {
            (None, _) => chosen.method,
            (Some("exact"), _) => Method::Exact,
            (Some("greedy"), _) => Method::Greedy,
            (Some("mst"), _) => Method::Spanning,
            (Some(_), Some(Ok(width))) if width > 0 => Method::Beam(width),
            (Some(name), _) => {
                let message = format!("`{name}` is not a decoder; expected exact, greedy, mst, or beam:8");
                return Err(wrong(message));
            }
        };
        Ok(chosen)
    }
}

fn rates<'py>(py: Python<'py>, accuracy: &Accuracy) -> PyResult<Bound<'py, PyDict>> {
    let rates = PyDict::new(py);
    rates.set_item("uas", accuracy.uas())?;
    rates.set_item("las", accuracy.las())?;
    Ok(rates)
}

fn row<'py>(py: Python<'py>, epoch: &Epoch) -> PyResult<Bound<'py, PyDict>> {
    let row = rates(py, &epoch.accuracy)?;
    row.set_item("epoch", epoch.number)?;
    row.set_item("loss", epoch.losses.arcs + epoch.losses.labels)?;
    row.set_item("best", epoch.best)?;
    Ok(row)
}
