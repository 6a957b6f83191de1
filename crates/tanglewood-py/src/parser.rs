//! Models that score arcs, and what can be done with them.

use std::io::Cursor;
use std::path::PathBuf;

use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::conllu::Sentences;
use tanglewood::spanning::Spanning;
use tanglewood_nn::encoding::Encoded;
use tanglewood_nn::training::{Accuracy, Epoch, Goal, Settings, Trainer};
use tanglewood_nn::{About, Model, Options};

use crate::evaluation::Text;
use crate::question::Question;
use crate::sentence::Sentence;
use crate::{files, pool};

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
    /// ``goal`` is ``"heads"`` (each word chooses its head) or ``"trees"`` (the probability of the tree among all trees). ``hidden`` is the size of the LSTM in each
    /// direction; the rest of the sizes are the library's. ``progress`` is called after each epoch with a dict: epoch, loss, uas, las. The same seed, data and number
    /// of threads give the same model.
    #[staticmethod]
    #[pyo3(signature = (train, dev=None, *, epochs=40, seed=1, goal="heads", hidden=160, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn train<'py>(
        py: Python<'py>,
        train: Text<'py>,
        dev: Option<Text<'py>>,
        epochs: u64,
        seed: u64,
        goal: &str,
        hidden: usize,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Parser> {
        let goal = match goal {
            "heads" => Goal::Heads,
            "trees" => Goal::Trees,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "`{goal}` is not a goal; expected heads or trees"
                )));
            }
        };
        if !(1..=4096).contains(&hidden) {
            return Err(PyValueError::new_err(format!("hidden is {hidden}; expected 1 to 4096")));
        }
        let train = train.bytes(py)?;
        let dev = dev.map_or_else(|| Ok(Vec::new()), |dev| dev.bytes(py))?;
        let options = Options { hidden, ..Options::default() };
        let threads = threads.unwrap_or_else(pool::cores).clamp(1, pool::cores());
        let settings = Settings { seed, epochs: epochs.max(1), goal, threads, ..Settings::default() };
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

    /// Sentences with the best trees that the system can build, and labels; a path or sentences. All else stays as it is.
    ///
    /// A sentence too long for the system's chart gets the best of all trees.
    #[pyo3(signature = (sentences, system="mh4+", direction="either", *, threads=None))]
    fn parse(
        &self,
        py: Python<'_>,
        sentences: Text<'_>,
        system: &str,
        direction: &str,
        threads: Option<usize>,
    ) -> PyResult<Vec<Sentence>> {
        let sentences = sentences.sentences(py)?;
        let question = Question::new(system, direction, true, None)?;
        // Sentences of similar length side by side would leave the longest to one thread.
        let threads = threads.unwrap_or_else(pool::cores).max(1);
        let parsed = py.detach(|| {
            let lengths: Vec<usize> =
                sentences.iter().map(|sentence| sentence.content().rows().count()).collect();
            question.ask(&lengths, Some(threads), |decoder, threads| {
                let parts = pool::map(threads, threads, |part| {
                    let mine: Vec<&Sentence> = sentences.iter().skip(part).step_by(threads).collect();
                    let encoded: Vec<Encoded> =
                        mine.iter().map(|sentence| self.model.encode(&sentence.content())).collect();
                    let mut parsed: Vec<Option<Result<Sentence, String>>> =
                        mine.iter().map(|_| None).collect();
                    self.model.parse_each(
                        &encoded.iter().collect::<Vec<_>>(),
                        |scores| {
                            let best = decoder.best(scores).map(|best| best.tree);
                            best.or_else(|_| Spanning::new().best(scores).map(|best| best.tree)).ok()
                        },
                        |at, found| {
                            parsed[at] = found.map(|(tree, labels)| {
                                let name =
                                    |&label: &u32| self.model.vocabulary().labels.name(label).to_owned();
                                mine[at].edited(&tree, Some(&labels.iter().map(name).collect::<Vec<_>>()))
                            });
                        },
                    );
                    parsed
                });
                let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
                (0..sentences.len()).map(|at| parts[at % threads].next().flatten()).collect::<Vec<_>>()
            })
        })?;
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
