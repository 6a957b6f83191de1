//! `tanglewood train`

mod checkpoint;
mod data;
mod lock;
mod places;
mod plan;
mod report;
mod segmenter;
mod steps;

pub use report::f1;

use std::io::{BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use tanglewood::system::Direction;
use tanglewood_nn::training::{Data, Goal, Trainer};
use tanglewood_nn::{About, FileError, LemmaList, Model, Step, Vectors};

use crate::Outcome;
use crate::arguments::{TrainArguments, Windows};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::interrupt::Gentle;
use crate::output::Output;
use crate::progress::{Progress, say};
use crate::text::{counted, grouped};
use checkpoint::Checkpoint;
use data::{Checked, Treebank};
use lock::Lock;
use plan::{Names, Plan};
use report::{Report, hours};
use segmenter::Learned;

/// How many pretrained vectors are read.
const MOST_VECTORS: usize = 100_000;

/// Time spent on training, by this process and those before it.
struct Clock {
    before: Duration,
    started: Instant,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

pub fn run(arguments: &TrainArguments) -> Outcome {
    let mut checkpoint = Checkpoint::beside(&arguments.model);
    places::check(arguments, &checkpoint)?;
    let _lock = Lock::take(&checkpoint.lock(), &arguments.model)?;
    let note = places::note(arguments, &checkpoint)?;
    check_windows(arguments)?;
    let before = note.as_ref().map_or(0.0, |note| note.elapsed);
    let clock =
        Clock { before: Duration::try_from_secs_f64(before).unwrap_or_default(), started: Instant::now() };
    let Prepared { trainer, segmenter, plan, names } =
        prepare(arguments, &checkpoint, note.as_ref(), &clock)?;
    let about = About {
        program: format!("tanglewood {}", env!("CARGO_PKG_VERSION")),
        training_data: names.train,
        silver_data: names.silver,
        development_data: names.dev,
        segmentation: segmenter.as_ref().and_then(|learned| learned.score),
        ..About::default()
    };
    let Some(trainer) = trainer else {
        if let Some(learned) = segmenter {
            segmenter::write(&learned, about.clone(), &arguments.model)?;
            say_model(arguments, &about, &clock);
        }
        return Ok(Verdict::Yes);
    };
    let parameters = trainer.model().size() as u64;
    let threads = counted(plan.settings.threads as u64, "thread");
    say(format_args!("model: {}; {threads}", counted(parameters, "parameter")));
    if note.is_some() {
        say(format_args!("going on after epoch {}", trainer.position().epoch));
    }

    let epochs = if plan.time_limit.is_some() { None } else { Some(plan.settings.epochs) };
    let mut training = Training {
        report: Report::new(epochs, !arguments.dev.is_empty()),
        every: arguments.checkpoint_every.0,
        plan: &plan,
        clock: &clock,
        checkpoint: &mut checkpoint,
        trainer,
    };
    let gentle = Gentle::new();
    let signal = training.run(&gentle)?;
    training.report.finish();
    let trainer = training.trainer;
    if signal.is_some() && trainer.position().epoch == 0 {
        say("stopped in the first epoch: there is no model yet");
    } else {
        let (mut model, accuracy) = trainer.best();
        if let Some(learned) = segmenter {
            model = model.with_segmenter(learned.segmenter);
        }
        let about = About {
            settings: Some(plan.settings.clone()),
            objective: plan.objective.clone(),
            accuracy,
            epochs: trainer.position().epoch,
            ..about
        };
        write_model(&model, &about, &arguments.model)?;
        say_model(arguments, &about, &clock);
    }
    match signal {
        Some(signal) => {
            say(format_args!("stopped early; --resume goes on from {}", checkpoint.name()));
            gentle.end(signal)
        }
        None => checkpoint.remove()?,
    }
    Ok(Verdict::Yes)
}

/// All that training needs.
struct Prepared {
    /// None if only segmentation is learned.
    trainer: Option<Trainer>,
    segmenter: Option<Learned>,
    plan: Plan,
    names: Names,
}

/// Reads the data, says what they are like, learns to segment their text, and makes of them what a trainer
/// needs. The text itself is not kept.
fn prepare(
    arguments: &TrainArguments,
    checkpoint: &Checkpoint,
    note: Option<&plan::Note>,
    clock: &Clock,
) -> Result<Prepared, Failure> {
    let (system, direction) = arguments.reading();
    let system = (&system, direction);
    let train = Treebank::read(&arguments.train)?;
    let silver = Treebank::read(&arguments.silver)?;
    let dev = Treebank::read(&arguments.dev)?;
    let names = Names { train: train.names(), silver: silver.names(), dev: dev.names() };
    let skip = arguments.invalid.skip_invalid;
    let (train, silver, dev) =
        (train.check(system, skip)?, silver.check(system, skip)?, dev.check(system, skip)?);
    let data = Data { train: &train.sentences, silver: &silver.sentences, dev: &dev.sentences };
    let steps = steps::of(arguments, &train.summary)?;
    let plan = Plan::new(arguments, &steps, train.summary.words, &names);
    if let Some(note) = note {
        plan.continue_from(note, &checkpoint.name())?;
    }
    say_data(arguments, &train, &silver, &dev)?;
    let mut trainer = None;
    if steps.contains(&Step::Parse) {
        trainer = Some(match note {
            Some(_) => checkpoint.resume(data)?.threads(plan.settings.threads),
            None => new_trainer(arguments, &plan, data)?,
        });
    }
    let mut segmenter = None;
    if steps.contains(&Step::Segment) {
        let beside = checkpoint.segmenter();
        segmenter = note.and_then(|_| segmenter::read(&beside));
        if segmenter.is_none() {
            let learned = segmenter::learn(arguments, (&train.sentences, &dev.sentences), clock)?;
            if trainer.is_some() {
                segmenter::write(&learned, About::default(), &beside)?;
            }
            segmenter = Some(learned);
        }
    }
    let trainer = trainer.map(|trainer| plan.with_objective(trainer, arguments));
    Ok(Prepared { trainer, segmenter, plan, names })
}

/// A model in training, and all around it.
struct Training<'a> {
    trainer: Trainer,
    plan: &'a Plan,
    clock: &'a Clock,
    checkpoint: &'a mut Checkpoint,
    every: Duration,
    report: Report,
}

impl Training<'_> {
    /// Trains to the end, or until a signal comes.
    fn run(&mut self, gentle: &Gentle) -> Result<Option<i32>, Failure> {
        // What measuring took last time is kept free at the end.
        let mut measuring = Duration::ZERO;
        loop {
            while !self.is_over(measuring) {
                if let Some(signal) = gentle.signal() {
                    self.save()?;
                    return Ok(Some(signal));
                }
                let progress = self.progress();
                let Some(losses) = self.trainer.step(progress) else { break };
                let epoch = self.trainer.position().epoch + 1;
                self.report.step(epoch, losses, progress, self.clock.elapsed());
                if self.checkpoint.is_older_than(self.every) {
                    self.save()?;
                }
            }
            let speed = self.report.words_per_second();
            let begun = Instant::now();
            let epoch = self.trainer.end_epoch();
            measuring = begun.elapsed();
            self.report.epoch(&epoch, speed, self.progress(), self.clock.elapsed());
            if epoch.last || self.is_over(measuring) {
                return Ok(None);
            }
            if epoch.number == 1 || self.checkpoint.is_due() {
                self.save()?;
            }
        }
    }

    /// From 0 to 1: of all epochs, or of the time.
    fn progress(&self) -> f64 {
        match self.plan.time_limit {
            None => self.trainer.progress(),
            Some(limit) => (self.clock.elapsed().as_secs_f64() / limit.as_secs_f64()).min(1.0),
        }
    }

    fn is_over(&self, measuring: Duration) -> bool {
        self.plan.time_limit.is_some_and(|limit| self.clock.elapsed() + measuring >= limit)
    }

    fn save(&mut self) -> Result<(), Failure> {
        self.checkpoint.save(&self.trainer, &self.plan.note(self.clock.elapsed()))
    }
}

/// Only objectives of transitions have windows.
fn check_windows(arguments: &TrainArguments) -> Result<(), Failure> {
    if arguments.windows == Windows::Pairs && !arguments.objective.is_of_transitions() {
        return Err(Failure::Other(format!(
            "--windows is about scores of transitions, which --objective {} does not learn; choose transitions, \
             transition-hinge or transition-likelihood",
            arguments.objective.name()
        )));
    }
    Ok(())
}

fn say_data(
    arguments: &TrainArguments,
    train: &Checked<'_>,
    silver: &Checked<'_>,
    dev: &Checked<'_>,
) -> Result<(), Failure> {
    let (system, direction) = arguments.reading();
    let system = (&system, direction);
    if train.sentences.is_empty() {
        let message = "the training data has no sentence; expected a treebank in CoNLL-U";
        return Err(Failure::Other(message.to_owned()));
    }
    train.summary.say("training data", system);
    if train.summary.not_covered() > 0 {
        let which = match arguments.objective {
            Goal::System => "learned from head by head",
            goal if goal.is_of_transitions() && direction == Direction::Either => {
                "replaced by the nearest ones that it can build, for each direction by itself"
            }
            Goal::Transitions | Goal::TransitionHinge | Goal::TransitionLikelihood => {
                "replaced by the nearest ones that it can build"
            }
            Goal::Heads | Goal::Trees | Goal::Hinge => "learned from like all others",
        };
        say(format_args!("  trees that it cannot build are {which}"));
    }
    if !arguments.silver.is_empty() {
        silver.summary.say("silver data", system);
    }
    if arguments.dev.is_empty() {
        say("development data: none; the last epoch is kept, and nothing stops training early");
        return Ok(());
    }
    if dev.sentences.is_empty() {
        let message =
            "the development data has no sentence; expected a treebank in CoNLL-U, or leave out --dev";
        return Err(Failure::Other(message.to_owned()));
    }
    dev.summary.say("development data", system);
    let unseen = dev.summary.labels_not_in(&train.summary);
    if !unseen.is_empty() {
        let labels = counted(unseen.len() as u64, "label");
        say(format_args!("  {labels} not in the training data, so never right: {}", unseen.join(" ")));
    }
    Ok(())
}

fn new_trainer(arguments: &TrainArguments, plan: &Plan, data: Data<'_>) -> Result<Trainer, Failure> {
    let settings = plan.settings.clone();
    let options = settings.goal.fit(plan.options.clone());
    let mut vocabulary = data.vocabulary(&options);
    if let Some(path) = &arguments.lemmas {
        if vocabulary.lemmas.is_empty() {
            let message = "--lemmas is given, but no lemmas are learned; leave it out, or learn the step lemma from a treebank that has lemmas";
            return Err(Failure::Other(message.to_owned()));
        }
        let list = read_list(path, "lemmas", LemmaList::read)?;
        say(format_args!("list: {}", counted(list.len() as u64, "lemma")));
        vocabulary = vocabulary.with_lemmas(&list, data.train.iter().copied());
    }
    let model = match &arguments.vectors {
        None => Model::new(options, vocabulary, settings.seed),
        Some(path) => {
            let vectors = read_list(path, "vectors", |reader| Vectors::read(reader, MOST_VECTORS))?;
            let (count, columns) = (grouped(vectors.len() as u64), grouped(vectors.columns() as u64));
            say(format_args!("vectors: {count} of {columns} numbers"));
            Model::with_vectors(options, vocabulary, vectors, settings.seed)
        }
    };
    Trainer::of(model, data, settings).map_err(|error| Failure::Other(error.to_string()))
}

/// Reads a file besides the treebank; an error of `read` begins with a line and a column.
fn read_list<L, E: std::fmt::Display>(
    path: &Path,
    what: &str,
    read: impl FnOnce(BufReader<Box<dyn Read + Send>>) -> Result<L, E>,
) -> Result<L, Failure> {
    if path.is_dir() {
        let message = format!("{} is a directory; expected a file of {what}", path.display());
        return Err(Failure::Other(message));
    }
    let sources = input::sources(&[path.to_owned()])?;
    let progress = Progress::over(&sources);
    let list = read(BufReader::new(sources[0].open(&progress)?));
    progress.finish();
    list.map_err(|error| Failure::Other(format!("{}:{error}", sources[0].name)))
}

fn write_model(model: &Model, about: &About, path: &Path) -> Result<(), Failure> {
    let mut out = Output::model(path, [])?;
    model.write(about, &mut out).map_err(|error| match error {
        FileError::Io(error) => Failure::File { doing: "write", file: path.display().to_string(), error },
        error => Failure::Other(format!("cannot write {}: {error}", path.display())),
    })?;
    out.finish()
}

fn say_model(arguments: &TrainArguments, about: &About, clock: &Clock) {
    let model = arguments.model.display();
    let mut scores = Vec::new();
    if let Some(score) = &about.segmentation {
        scores.push(f1(score));
    }
    if let Some(accuracy) = about.accuracy {
        scores.push(report::scores(&accuracy).replace("  ", ", "));
    }
    let accuracy = match scores.is_empty() {
        true => "the last epoch".to_owned(),
        false => format!("{} on the development data", scores.join("; ")),
    };
    let time = hours(clock.elapsed().as_secs_f64());
    match about.epochs {
        0 => say(format_args!("{model}: {accuracy}; {time}")),
        epochs => say(format_args!("{model}: {accuracy}; {} in {time}", counted(epochs, "epoch"))),
    }
}
