//! What can be typed after `tanglewood coverage`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{DirectionArgument, InvalidArgument, JobsArgument, OutputArgument, SystemList};

/// Count how many non-projective trees of a treebank each system can build
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood coverage en_ewt-ud-train.conllu
  tanglewood coverage ud-2.16/ --systems all --direction either --by language
  tanglewood coverage a.conllu.xz --systems 'paper,attardi:3,s0>s1 s1>s0 b0>s1'
  tanglewood coverage - --classes --format tsv -o counts.tsv
  tanglewood coverage ud-2.16/ --by treebank --format html -o report.html

A system's column counts the non-projective sentences it covers; every
named system covers every projective one. Several roots are allowed.")]
pub struct CoverageArguments {
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// paper (the four of Shi et al. 2018), all (every named one), or names separated by commas; an inventory
    /// such as 's0>s1 s1>s0 b0>s1' is a name, and so is any, for all trees
    #[arg(long, value_name = "paper|all|LIST", default_value = "paper")]
    pub systems: SystemList,
    #[command(flatten)]
    pub direction: DirectionArgument,
    /// Also count members of classes: planar, 2-planar, gap degree, well-nested, 1-endpoint-crossing
    #[arg(long)]
    pub classes: bool,
    /// Also decide membership by deduction for sentences of up to N words, and compare; exit code 1 if the
    /// two disagree
    #[arg(long, value_name = "N", value_parser = word_count)]
    pub verify: Option<NonZeroUsize>,
    /// What a row stands for; treebank and language are taken from names like en_ewt-ud-train.conllu
    #[arg(long, value_enum, default_value_t, value_name = "UNIT")]
    pub by: Grouping,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: CoverageFormat,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CoverageFormat {
    #[default]
    Table,
    Tsv,
    Json,
    /// A page with plots and examples that opens without a network
    Html,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Grouping {
    #[default]
    File,
    Treebank,
    Language,
}

impl Grouping {
    /// The name of the first column.
    pub fn name(self) -> &'static str {
        match self {
            Grouping::File => "file",
            Grouping::Treebank => "treebank",
            Grouping::Language => "language",
        }
    }
}

fn word_count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number of words; expected 1 or more"))
}
