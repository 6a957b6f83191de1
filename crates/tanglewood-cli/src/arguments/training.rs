//! What can be typed after `tanglewood train`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueEnum};
use tanglewood::System;
use tanglewood::system::Direction;
use tanglewood_nn::Step;
use tanglewood_nn::training::Goal;

use super::parsing::step_names;
use super::{InvalidArgument, JobsArgument, system};

/// Train a model on a treebank
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood train train.conllu --dev dev.conllu -o en.model
  tanglewood train ud/train/ --dev dev.conllu.xz -o en.model --time-limit 1h
  tanglewood train train.conllu --dev dev.conllu -o en.model --resume
  tanglewood train tiny.conllu -o tiny.model --size small --no-tags --seed 7
  tanglewood train train.conllu --dev dev.conllu -o words.model --steps segment
  tanglewood train train.conllu --dev dev.conllu --silver web.conllu -o en.model

A model learns all steps that the treebank has: segment, if there are `# text`
or SpaceAfter; and parse. So it takes running text to trees.
The best epoch on the development data is kept; without such data, the last
one. A checkpoint beside the model, MODEL.checkpoint, lets --resume go on after
any interruption as if there had been none. It is removed at the end.
The same seed gives the same model, bit for bit, for any number of threads.")]
pub struct TrainArguments {
    /// Treebanks to learn from: CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard
    /// input
    #[arg(required = true, value_name = "TRAIN")]
    pub train: Vec<PathBuf>,
    /// A treebank to measure progress with, likewise (may be repeated); without it, the last epoch is kept
    #[arg(long, value_name = "DEV")]
    pub dev: Vec<PathBuf>,
    /// Sentences that other parsers have annotated, likewise; all steps but segment learn from them, too.
    /// What a parser thinks of each head may stand in MISC, such as Heads=4:0.9,2:0.1
    #[arg(long, value_name = "PATH")]
    pub silver: Vec<PathBuf>,
    /// Where the model goes; it appears when training is complete
    #[arg(short = 'o', long = "output", value_name = "MODEL")]
    pub model: PathBuf,
    /// What is learned, of segment, tag, lemma and parse [default: all that the treebank has]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = step_names())]
    pub steps: Vec<Step>,
    /// The system whose coverage is reported, and which the objective is about
    /// [default: mh4+, or mh4 for transitions]
    #[arg(long, value_name = "NAME", value_parser = system)]
    pub system: Option<System>,
    /// The direction in which it reads; for transitions, either learns scores of both
    /// [default: either, or ltr for transitions]
    #[arg(long, value_name = "ltr|rtl|either")]
    pub direction: Option<Direction>,
    /// What is learned
    #[arg(long, value_name = "NAME", value_parser = goals(), default_value = Goal::Heads.name())]
    pub objective: Goal,
    /// What the scores of transitions look at
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub windows: Windows,
    /// All that is random follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How often to go through the treebank at most
    #[arg(long, value_name = "N", value_parser = epochs, default_value = "50")]
    pub epochs: NonZeroU64,
    /// Train for so long instead, such as 90s, 30m or 2h
    #[arg(long, value_name = "T", conflicts_with_all = ["epochs", "patience"])]
    pub time_limit: Option<Span>,
    /// Stop after this number of epochs in a row without a better LAS on the development data
    #[arg(long, value_name = "N", value_parser = epochs, default_value = "10")]
    pub patience: NonZeroU64,
    /// Columns of tags to learn and to read, of upos, xpos and feats
    /// [default: all; without the step tag upos,feats]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub tags: Option<Vec<TagColumn>>,
    /// Neither learn nor read tags, just words
    #[arg(long, conflicts_with = "tags")]
    pub no_tags: bool,
    /// Pretrained vectors in the text format of word2vec and fastText (also .gz, .xz, .zst); the first
    /// 100,000 are used
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<PathBuf>,
    /// Lemmas of forms that the treebank lacks: on each line a form, its UPOS and its lemma, separated by tabs
    /// (also .gz, .xz, .zst)
    #[arg(long, value_name = "FILE")]
    pub lemmas: Option<PathBuf>,
    /// How large the model is
    #[arg(long, value_enum, default_value_t)]
    pub size: Size,
    /// Go on from the checkpoint of an interrupted training, with the same data and options
    #[arg(long)]
    pub resume: bool,
    /// How often to write a checkpoint within an epoch
    #[arg(long, value_name = "T", default_value = "1m")]
    pub checkpoint_every: Span,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Refuses a file after that of --dev or --silver if others to learn from stand before it: it may be meant as
/// one more of the same, and to learn from what progress is measured with would go unnoticed.
pub fn check_order(matches: &ArgMatches) -> Result<(), String> {
    let Some(("train", matches)) = matches.subcommand() else { return Ok(()) };
    let places = |id: &str| matches.indices_of(id).map_or_else(Vec::new, Iterator::collect);
    let train: Vec<usize> = places("train");
    for option in ["dev", "silver"] {
        let paths = matches.get_many::<PathBuf>(option).into_iter().flatten();
        for (place, path) in places(option).into_iter().zip(paths) {
            let after = train.iter().position(|&at| at == place + 1).filter(|&at| at > 0);
            let Some(file) = after.and_then(|at| matches.get_many::<PathBuf>("train")?.nth(at)) else {
                continue;
            };
            let (path, file) = (path.display(), file.display());
            return Err(format!(
                "{file} follows `--{option} {path}`, so it is not clear what it is for; to learn from it, name it before \
                 the options; otherwise write `--{option} {path} --{option} {file}`"
            ));
        }
    }
    Ok(())
}

/// Objectives by name, with what they are.
fn goals() -> impl TypedValueParser<Value = Goal> {
    let value = |goal: Goal| PossibleValue::new(goal.name()).help(goal.description());
    let named = |name: String| Goal::named(&name).ok_or("not an objective");
    PossibleValuesParser::new(Goal::ALL.map(value)).try_map(named)
}

impl TrainArguments {
    /// The system and the direction in which it reads, as asked for or as usual.
    pub fn reading(&self) -> (System, Direction) {
        let of_transitions = self.objective.is_of_transitions();
        let (name, direction) =
            if of_transitions { ("mh4", Direction::Ltr) } else { ("mh4+", Direction::Either) };
        let system = self.system.clone().unwrap_or_else(|| System::named(name).expect("in the catalogue"));
        (system, self.direction.unwrap_or(direction))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Windows {
    /// The top of the stack and the front of the buffer
    #[default]
    Top,
    /// The two nodes below the top of the stack as well, in pairs; takes about twice as long
    Pairs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TagColumn {
    Upos,
    Xpos,
    Feats,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// To try something out in seconds
    Small,
    /// Small tables of words and characters, for a model with pretrained vectors that is to be shipped
    Compact,
    /// The most accurate
    #[default]
    Default,
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let error = || {
            format!(
                "`{text}` is not a length of time; expected a number with s, m or h such as 90s, 30m or 2h"
            )
        };
        let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(error()),
        };
        let number: f64 = digits.parse().map_err(|_| error())?;
        match Duration::try_from_secs_f64(number * unit) {
            Ok(span) if !span.is_zero() => Ok(Span(span)),
            _ => Err(error()),
        }
    }
}

fn epochs(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number of epochs; expected 1 or more"))
}
