//! From what was typed to how a model is trained, and whether that is the same as last time.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tanglewood_nn::training::{Goal, Hinge, Settings, SystemLikelihood, Trainer};
use tanglewood_nn::{Dropout, Options, Step};

use crate::arguments::{Size, TagColumn, TrainArguments, Windows};
use crate::failure::Failure;
use crate::memory;
use crate::parallel::jobs;

/// Batches are small enough for this number of steps per epoch, if that leaves at least [`FEWEST_WORDS`] in
/// each: a small treebank is learned in more and smaller steps.
const STEPS: u64 = 100;

const FEWEST_WORDS: usize = 50;

/// How a model is trained.
pub struct Plan {
    pub options: Options,
    pub settings: Settings,
    pub time_limit: Option<Duration>,
    /// What is learned, in words.
    pub objective: String,
    /// The options that make a difference to the result, as they would be typed.
    typed: Vec<(String, String)>,
}

/// What the data are called.
pub struct Names {
    pub train: String,
    pub silver: String,
    pub dev: String,
}

/// What a checkpoint remembers beside the training itself.
#[derive(Serialize, Deserialize)]
pub struct Note {
    typed: Vec<(String, String)>,
    /// Time spent on training, in seconds.
    pub elapsed: f64,
}

impl Plan {
    /// Settings for a treebank of this number of words.
    pub fn new(arguments: &TrainArguments, steps: &[Step], words: u64, names: &Names) -> Plan {
        let (tags, lemmas) = (steps.contains(&Step::Tag), steps.contains(&Step::Lemma));
        let usual: &[TagColumn] = match tags {
            true => &[TagColumn::Upos, TagColumn::Xpos, TagColumn::Feats],
            false => &[TagColumn::Upos, TagColumn::Feats],
        };
        let columns = arguments.tags.as_deref().unwrap_or(usual);
        let reads = |column| !arguments.no_tags && columns.contains(&column);
        let sizes = of_size(arguments.size);
        let sizes = match arguments.size {
            _ if !tags && !lemmas => sizes,
            Size::Default => sizes.with_taggers(lemmas),
            Size::Compact => {
                Options { characters: sizes.characters, buckets: sizes.buckets, ..sizes.with_taggers(lemmas) }
            }
            Size::Small => Options { tagging: 48, ..sizes },
        };
        let (system, direction) = arguments.reading();
        let options = Options {
            upos: reads(TagColumn::Upos),
            xpos: reads(TagColumn::Xpos),
            feats: reads(TagColumn::Feats),
            lemmas,
            windows: arguments.windows == Windows::Pairs,
            direction,
            ..sizes
        };
        let goal = arguments.objective;
        let time_limit = arguments.time_limit.map(|limit| limit.0);
        let usual = Settings::default();
        let batch_words = usize::try_from(words / STEPS).unwrap_or(usize::MAX);
        let settings = Settings {
            batch_words: batch_words.clamp(FEWEST_WORDS, usual.batch_words),
            seed: arguments.seed,
            // A limit in time is a limit in nothing else.
            epochs: time_limit.map_or(arguments.epochs.get(), |_| u64::MAX),
            patience: time_limit.map_or(arguments.patience.get(), |_| u64::MAX),
            threads: jobs(arguments.jobs.jobs),
            goal,
            system: system.to_string(),
            dropout: if options.tagging > 0 { Dropout::with_own_tags() } else { usual.dropout },
            ..usual
        };
        let mut objective = goal.name().to_owned();
        if goal.needs_system() {
            objective += &format!(", {system} {direction}");
        }
        let columns = [(options.upos, "upos"), (options.xpos, "xpos"), (options.feats, "feats")];
        let tags: Vec<&str> = columns.iter().filter(|(read, _)| *read).map(|&(_, name)| name).collect();
        let file_name = |path: &Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let of = |name: &str, value: String| (name.to_owned(), value);
        let typed = vec![
            of("TRAIN", names.train.clone()),
            of("--silver", names.silver.clone()),
            of("--dev", names.dev.clone()),
            of("--steps", steps.iter().map(|step| step.name()).collect::<Vec<_>>().join(",")),
            of("--objective", objective.clone()),
            of("--seed", arguments.seed.to_string()),
            match time_limit {
                Some(limit) => of("--time-limit", format!("{} s", limit.as_secs_f64())),
                None => of("--epochs", arguments.epochs.to_string()),
            },
            of("--patience", settings.patience.to_string()),
            of("--tags", tags.join(",")),
            of("--vectors", arguments.vectors.as_deref().map_or_else(String::new, file_name)),
            of("--lemmas", arguments.lemmas.as_deref().map_or_else(String::new, file_name)),
            of("--size", format!("{:?}", arguments.size).to_lowercase()),
            of("--windows", format!("{:?}", arguments.windows).to_lowercase()),
        ];
        Plan { options, settings, time_limit, objective, typed }
    }

    /// Gives a trainer the objective, which it does not know by its settings alone.
    pub fn with_objective(&self, trainer: Trainer, arguments: &TrainArguments) -> Trainer {
        let (system, direction) = arguments.reading();
        // So that all threads together have half of it.
        let memory = memory::physical() / 2 / self.settings.threads.max(1) as u64;
        match self.settings.goal {
            Goal::System => trainer.objective(SystemLikelihood { system, direction, memory }),
            Goal::Hinge => trainer.objective(Hinge { system, direction, memory }),
            _ => trainer,
        }
    }

    /// Provenance to store with the model, given the training time so far.
    pub fn note(&self, elapsed: Duration) -> Note {
        Note { typed: self.typed.clone(), elapsed: elapsed.as_secs_f64() }
    }

    /// Whether a checkpoint was written by the same plan. The number of threads makes no difference.
    pub fn continue_from(&self, note: &Note, checkpoint: &str) -> Result<(), Failure> {
        let difference = self.typed.iter().zip(&note.typed).find(|(now, before)| now != before);
        let Some(((name, now), (name_before, before))) = difference else { return Ok(()) };
        let shown = |name: &str, value: &str| {
            if value.is_empty() { format!("no {name}") } else { format!("{name} {value}") }
        };
        Err(Failure::Other(format!(
            "{checkpoint} was written with {}, and this is {}; \
             give the same as before, or remove the checkpoint to start anew",
            shown(name_before, before),
            shown(name, now),
        )))
    }
}

/// The sizes of a model.
pub fn of_size(size: Size) -> Options {
    match size {
        Size::Default => Options::default(),
        Size::Compact => Options { word: 64, characters: 64, buckets: 1 << 15, ..Options::default() },
        Size::Small => Options {
            word: 48,
            characters: 32,
            buckets: 1 << 12,
            tags: 32,
            layers: 1,
            hidden: 64,
            arc: 64,
            label: 24,
            ..Options::default()
        },
    }
}
