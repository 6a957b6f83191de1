//! Training of parsers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::Direction;
use tanglewood::conllu::{self, Column, Sentences, Validator};
use tanglewood::system::DirectionError;
use tanglewood_nn::segmentation::{
    SegmentationScore, Segmenter, SegmenterError, SegmenterEvent, SegmenterSettings,
};
use tanglewood_nn::training::{Accuracy, Data, Epoch, Goal, Settings, Trainer};
use tanglewood_nn::{About, Dropout, Model, Options, Step};

use crate::evaluation::Text;

/// What is to be trained, as `Parser.train` says it.
pub struct Request<'a, 'py> {
    pub train: Text<'py>,
    pub dev: Option<Text<'py>>,
    pub steps: Option<Vec<String>>,
    pub epochs: u64,
    pub seed: u64,
    pub goal: &'a str,
    pub system: Option<&'a str>,
    pub windows: &'a str,
    pub direction: Option<&'a str>,
    pub hidden: usize,
    pub threads: usize,
    pub progress: Option<Bound<'py, PyAny>>,
}

impl<'py> Request<'_, 'py> {
    /// Trains a model.
    pub fn run(self, py: Python<'py>) -> PyResult<(Model, About)> {
        let Request { train, dev, steps, epochs, seed, goal, system, hidden, threads, progress, .. } = self;
        let Some(goal) = Goal::named(goal) else {
            let names: Vec<&str> = Goal::ALL.iter().map(|goal| goal.name()).collect();
            let message = format!("`{goal}` is not a goal; expected one of {}", names.join(", "));
            return Err(PyValueError::new_err(message));
        };
        let windows = match self.windows {
            "top" => false,
            "pairs" if goal.is_of_transitions() => true,
            "pairs" => {
                let message = format!(
                    "windows is about scores of transitions, which the goal {} does not learn; expected \"top\"",
                    goal.name()
                );
                return Err(PyValueError::new_err(message));
            }
            _ => {
                let message = format!("windows is `{}`; expected \"top\" or \"pairs\"", self.windows);
                return Err(PyValueError::new_err(message));
            }
        };
        let direction = match self.direction {
            None => Direction::Ltr,
            Some(_) if !goal.is_of_transitions() => {
                let message = format!(
                    "direction is about scores of transitions, which the goal {} does not learn; leave it out",
                    goal.name()
                );
                return Err(PyValueError::new_err(message));
            }
            Some(name) => {
                name.parse().map_err(|error: DirectionError| PyValueError::new_err(error.to_string()))?
            }
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
        let options = Options { hidden, windows, direction, ..Options::default() };
        let options = match (tags, lemmas) {
            (false, false) => options,
            (true, _) => options.with_taggers(lemmas),
            (false, true) => Options { upos: false, xpos: false, feats: false, ..options.with_taggers(true) },
        };
        let dropout = if options.tagging > 0 { Dropout::with_own_tags() } else { Dropout::default() };
        let settings =
            Settings { seed, epochs: epochs.max(1), goal, threads, dropout, ..Settings::default() };
        let usual = if goal.is_of_transitions() { "mh4" } else { "mh4+" };
        let settings = Settings { system: system.unwrap_or(usual).to_owned(), ..settings };
        let (train, dev) = (valid(&train)?, valid(&dev)?);
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
            None => (model, about),
            Some((segmenter, score)) => {
                let about = About { segmentation: Some(score).filter(|_| has_dev), ..about };
                (model.with_segmenter(segmenter), about)
            }
        })
    }
}

/// The sentences, if all can be learned from.
fn valid(bytes: &[u8]) -> PyResult<Vec<conllu::Sentence<'_>>> {
    let mut validator = Validator::new();
    let sentences = Sentences::of(bytes).filter(|sentence| !sentence.is_blank());
    let checked = sentences.map(|sentence| match validator.tree(&sentence) {
        Err(problem) if !sentence.is_gap() => Err(PyValueError::new_err(problem.to_string())),
        _ => Ok(sentence),
    });
    checked.collect()
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

/// Shares in percent.
pub fn rates<'py>(py: Python<'py>, accuracy: &Accuracy) -> PyResult<Bound<'py, PyDict>> {
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
