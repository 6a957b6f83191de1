//! What can be typed after `tanglewood eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InvalidArgument, JobsArgument, OutputArgument, TableFormat};

/// Score a parser's output against a gold standard
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood eval gold.conllu system.conllu
  tanglewood eval gold.conllu system.conllu --by label,length
  tanglewood eval gold.conllu new.conllu --against old.conllu --bootstrap 10000
  tanglewood eval gold.conllu.xz - --format json -o scores.json
  tanglewood eval gold.conllu sure.conllu --calibration --plot reliability.svg

Scores are those of the CoNLL 2018 shared task: relations without subtypes,
words aligned by their characters, so that tokens and sentences may differ.
Crossing arcs: words whose arc crosses in the gold tree (recall) or in the
system's (precision) with the right head; below, crossing in both trees.
Intervals are by bootstrap over sentences; the test of --against is
approximate randomisation. Exit code 1 if the texts differ.")]
pub struct EvalArguments {
    /// The gold standard: a CoNLL-U file (also .gz, .xz, .zst), or - for standard input
    #[arg(value_name = "GOLD")]
    pub gold: PathBuf,
    /// The system's output, likewise
    #[arg(value_name = "SYSTEM")]
    pub system: PathBuf,
    /// The output of another system, to test whether SYSTEM is better or worse
    #[arg(long, value_name = "OTHER")]
    pub against: Option<PathBuf>,
    /// Also a table by relation or by length of sentences, or both; JSON always has both
    #[arg(long, value_enum, value_name = "UNIT", value_delimiter = ',')]
    pub by: Vec<EvalGrouping>,
    /// Also a table of how often heads are right, by the probability in MISC that `parse --confidence`
    /// writes, ArcProb; JSON always has it if there are any
    #[arg(long)]
    pub calibration: bool,
    /// Draw that table into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Rounds of resampling for intervals and the test, at most 1000000; 0 for none
    #[arg(long, value_name = "N", value_parser = rounds, default_value_t = 1000)]
    pub bootstrap: u32,
    /// Seed of the resampling; the same gives the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvalGrouping {
    Label,
    Length,
}

/// Rounds that can be asked for: their results are kept, and more would tell no more.
const MOST_ROUNDS: u32 = 1_000_000;

fn rounds(text: &str) -> Result<u32, String> {
    let rounds = text.parse().ok().filter(|&rounds| rounds <= MOST_ROUNDS);
    rounds.ok_or_else(|| format!("`{text}` is not a number of rounds; expected one from 0 to {MOST_ROUNDS}"))
}
