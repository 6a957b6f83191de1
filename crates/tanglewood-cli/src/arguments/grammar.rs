//! What can be typed after `tanglewood grammar`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tanglewood::{System, Tree};

use super::{Bytes, InvalidArgument, JobsArgument, OutputArgument, TableFormat, system};

/// Fit a generative model of sentences and their trees, and ask it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood grammar fit train.conllu -o lt.grammar
  tanglewood grammar parse lt.grammar test.conllu --decoder mbr
  tanglewood grammar score lt.grammar test.conllu --format json
  tanglewood grammar sample lt.grammar --count 5

A grammar generates tags, or words, by the runs of a transition system.")]
pub struct GrammarArguments {
    #[command(subcommand)]
    pub command: GrammarCommand,
}

#[derive(Debug, Subcommand)]
pub enum GrammarCommand {
    Fit(FitArguments),
    Parse(GrammarParseArguments),
    Score(ScoreArguments),
    Sample(SampleArguments),
}

/// Estimate a grammar from trees, from sentences without trees, or from both
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood grammar fit train.conllu -o lt.grammar --dev dev.conllu
  tanglewood grammar fit train.conllu -o lt.grammar --raw more.conllu --em 20
  tanglewood grammar fit --raw train.conllu -o induced.grammar --max-length 10
  tanglewood grammar fit train.conllu -o words.grammar --on form --resume
  tanglewood grammar fit train.conllu -o lt.grammar --conditionals neural

A tree has many runs, and which of them it was is never known: the first
grammar takes all of them to be equally probable, and EM goes on from there.
The log-likelihood of each iteration is printed, and never falls; that of
other sentences does at some point, so name some as --dev. Where the
system cannot build a tree, the nearest one it can build takes its place.
The grammar is written after each iteration, so --resume can go on.")]
pub struct FitArguments {
    /// Treebanks to learn from: CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard
    /// input
    #[arg(value_name = "TRAIN", required_unless_present = "raw")]
    pub train: Vec<PathBuf>,
    /// Where the grammar goes; - for standard output
    #[arg(short = 'o', long = "output", value_name = "GRAMMAR")]
    pub grammar: PathBuf,
    /// CoNLL-U whose heads are ignored, likewise
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub raw: Vec<PathBuf>,
    /// CoNLL-U to measure perplexity with, likewise: EM stops when it no longer falls, and what was best is
    /// kept
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub dev: Vec<PathBuf>,
    /// The system whose runs generate sentences
    #[arg(long, value_name = "NAME", value_parser = system, default_value = "mh4")]
    pub system: System,
    /// Allow several words to hang from the root
    #[arg(long)]
    pub multi_root: bool,
    /// Iterations of EM; 0 for relative frequencies alone
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub em: usize,
    /// What gives the probabilities
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub conditionals: ConditionalsName,
    /// What is generated
    #[arg(long, value_enum, value_name = "COLUMN", default_value_t)]
    pub on: SymbolColumn,
    /// What occurs less often is one unknown symbol [default: 2 for forms, 1 for tags]
    #[arg(long, value_name = "N")]
    pub min_count: Option<usize>,
    /// Leave out sentences of more words
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub max_length: usize,
    /// What is first believed of the trees of sentences without trees, if there are no others: short arcs,
    /// anything, or random preferences
    #[arg(long, value_enum, value_name = "START", default_value_t)]
    pub start: StartName,
    /// All that is random follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Go on with a grammar that was fitted to the same data with the same options, up to --em iterations
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Find the trees of sentences
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood grammar parse lt.grammar test.conllu -o parsed.conllu
  tanglewood grammar parse lt.grammar test.conllu --decoder tree

HEAD and DEPREL are replaced, every other byte is kept. A label is the most
frequent one between two symbols; the grammar itself knows none.
Exit code 1 if a sentence could not be parsed; it is copied as it is.")]
pub struct GrammarParseArguments {
    /// A grammar that `tanglewood grammar fit` has written
    #[arg(value_name = "GRAMMAR")]
    pub grammar: PathBuf,
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,
    /// Which tree: that of the best run, the best one over all its runs, or the one with most heads right by
    /// expectation
    #[arg(long, value_enum, value_name = "DECODER", default_value_t)]
    pub decoder: GrammarDecoder,
    /// For random runs, whose trees --decoder tree looks at
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Memory for the chart of a sentence, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    pub max_memory: Bytes,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Give the log-probability of each sentence, and the perplexity of all
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood grammar score lt.grammar test.conllu
  tanglewood grammar score lt.grammar test.conllu --format json

Logarithms are natural, and over all trees and runs of a sentence. Perplexity
is exp(-sum of log-probabilities / words). JSON is one object per line, the
last one for all. Exit code 1 if a sentence has no probability.")]
pub struct ScoreArguments {
    /// A grammar that `tanglewood grammar fit` has written
    #[arg(value_name = "GRAMMAR")]
    pub grammar: PathBuf,
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,
    /// Memory for the chart of a sentence, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    pub max_memory: Bytes,
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

/// Draw sentences with their trees at random
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood grammar sample lt.grammar
  tanglewood grammar sample lt.grammar --count 1000 --seed 7 -o sampled.conllu

Runs that cannot be completed are drawn again; how many were is said at the end.")]
pub struct SampleArguments {
    /// A grammar that `tanglewood grammar fit` has written
    #[arg(value_name = "GRAMMAR")]
    pub grammar: PathBuf,
    /// Number of sentences
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: u64,
    /// The same gives the same sentences
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// No sentences of more words; at most 100000
    #[arg(long, value_name = "N", value_parser = longest, default_value_t = 200)]
    pub max_length: usize,
    #[command(flatten)]
    pub output: OutputArgument,
}

/// A column whose values are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SymbolColumn {
    #[default]
    Upos,
    Xpos,
    Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ConditionalsName {
    /// Multinomials, interpolated from detailed contexts to general ones
    #[default]
    Multinomial,
    /// Small networks that see the symbols of the window
    Neural,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StartName {
    #[default]
    Harmonic,
    Uniform,
    Random,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GrammarDecoder {
    Run,
    Tree,
    #[default]
    Mbr,
}

fn longest(text: &str) -> Result<usize, String> {
    let words = text.parse().ok().filter(|words| (1..=Tree::MAX_WORDS).contains(words));
    let most = Tree::MAX_WORDS;
    words.ok_or_else(|| format!("`{text}` is not a number of words; expected one from 1 to {most}"))
}
