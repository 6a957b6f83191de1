//! What can be typed.

mod coverage;
mod decoding;
mod evaluation;
mod grammar;
mod parsing;
mod pictures;
mod training;
mod values;

pub use coverage::{CoverageArguments, CoverageFormat, Grouping};
pub use decoding::DecodeArguments;
pub use evaluation::{EvalArguments, EvalGrouping};
pub use grammar::{
    ConditionalsName, FitArguments, GrammarArguments, GrammarCommand, GrammarDecoder, GrammarParseArguments,
    SampleArguments, ScoreArguments, StartName, SymbolColumn,
};
pub use parsing::{DecoderName, InputKind, ParseArguments, ParseFormat};
pub use pictures::{DrawArguments, LayoutArgument, ServeArguments};
pub use training::{Size, TagColumn, TrainArguments, Windows};
pub use values::{Bytes, LengthRange, SystemList};

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tanglewood::System;
use tanglewood::system::{Direction, NameError, TreeClass};

/// Dependency parsing where arcs cross.
///
/// Parses text into dependency trees, trains and evaluates parsers, and answers exact questions about the
/// transition systems that build non-projective trees.
#[derive(Debug, Parser)]
#[command(
    name = "tanglewood",
    version,
    max_term_width = 110,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "First time here? Run `tanglewood tour`.

Examples:
  echo 'What are you looking at?' | tanglewood parse
  tanglewood train de-train.conllu --dev de-dev.conllu -o de.model
  tanglewood coverage treebank.conllu

`tanglewood COMMAND --help` has examples for each command, and `tanglewood --version --verbose`
says what this build is and can do.

Exit codes: 0 done; 1 done, and the answer is no; 2 error.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// Reads what was typed, the program's name first.
    pub fn read(typed: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        let mut command = Arguments::command();
        let matches = command.try_get_matches_from_mut(typed)?;
        training::check_order(&matches)
            .map_err(|message| command.error(clap::error::ErrorKind::ArgumentConflict, message))?;
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Parse(ParseArguments),
    Train(TrainArguments),
    Eval(EvalArguments),
    Models(ModelsArguments),
    Info(InfoArguments),
    Text(TextArguments),
    Check(CheckArguments),
    Filter(FilterArguments),
    Coverage(CoverageArguments),
    Systems(SystemsArguments),
    Oracle(OracleArguments),
    Decode(DecodeArguments),
    Grammar(GrammarArguments),
    Draw(DrawArguments),
    Serve(ServeArguments),
    Tour(TourArguments),
    Completions(CompletionsArguments),
    #[command(hide = true)]
    Man(ManArguments),
}

/// List the transition systems: inventory, cost of exact inference, degree
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood systems
  tanglewood systems attardi:3 all+ 's0>s1 s1>s0 b0>s1'
  tanglewood systems --format json
  tanglewood systems --format html > systems.html")]
pub struct SystemsArguments {
    /// Systems to show instead of all named ones
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: SystemsFormat,
}

/// Validate CoNLL-U and list every problem with its place
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood check treebank.conllu
  tanglewood check parsed.conllu --level 1
  tanglewood check ud-2.16/ --format json

Level 1 is what makes a sentence unreadable for all commands: columns, ids,
heads that form no tree. Level 2 adds what Universal Dependencies prescribes
for all languages: one root, UPOS, the form and order of FEATS, and so on.
Exit code 1 if there is any problem.")]
pub struct CheckArguments {
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How much to look for: 1 for what makes a file unreadable, 2 also for what breaks rules
    #[arg(long, value_name = "1|2", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub level: u8,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Copy the sentences that meet all conditions, byte for byte
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood filter treebank.conllu --nonprojective -o crossing.conllu
  tanglewood filter ud-2.16/ --not-covered-by attardi --covered-by all --count
  tanglewood filter treebank.conllu --nonprojective --length ..15

Without conditions everything is copied.")]
pub struct FilterArguments {
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Only sentences with crossing arcs
    #[arg(long)]
    pub nonprojective: bool,
    /// Only sentences this system can build (may be repeated); any builds all of them
    #[arg(long, value_name = "NAME", value_parser = tree_class)]
    pub covered_by: Vec<TreeClass>,
    /// Only sentences this system cannot build (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = tree_class)]
    pub not_covered_by: Vec<TreeClass>,
    #[command(flatten)]
    pub direction: DirectionArgument,
    /// Only sentences whose number of words is in this range; either end may be left out
    #[arg(long, value_name = "MIN..MAX")]
    pub length: Option<LengthRange>,
    /// Print how many there are instead of copying them
    #[arg(long)]
    pub count: bool,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Say what a model can do, what it was trained on, and how good it is
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood info en.model
  tanglewood info en.model --format json

Scores are those on the development data when the model was trained.")]
pub struct InfoArguments {
    /// A model that `tanglewood train` has written
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
}

/// Give the running text that CoNLL-U stands for
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood text treebank.conllu
  tanglewood text ud-2.16/ -o ud.txt
  tanglewood text parsed.conllu.xz | cmp - original.txt

The text is rebuilt from forms and MISC, not from `# text`: SpaceAfter=No,
and SpacesBefore, SpacesAfter and SpacesInToken with the escapes \\s \\t \\n
\\r \\p \\\\ \\uXXXX \\xXX. `# newpar` and `# newdoc` begin a paragraph after a
blank line, unless SpacesAfter says otherwise.")]
pub struct TextArguments {
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgument,
}

/// Show how a system builds the trees of a file, step by step, or where it gets stuck
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood oracle treebank.conllu --system attardi --sentence 0
  tanglewood oracle treebank.conllu --system all-s0s1 --sentence weblog-0042
  tanglewood oracle treebank.conllu --system all --direction rtl --format json
  tanglewood oracle treebank.conllu --system all --sentence 0 --proof

An item [h1, i, h2, h3, j] of a proof says that some run takes a stack with
h1 on top and the buffer i… to one with h2 h3 in its place and the buffer j….
Exit code 1 if some sentence shown cannot be built.")]
pub struct OracleArguments {
    /// A CoNLL-U file (also .gz, .xz, .zst), or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The system
    #[arg(long, value_name = "NAME", value_parser = system)]
    pub system: System,
    /// Reading direction
    #[arg(long, value_name = "ltr|rtl", value_parser = one_direction, default_value = "ltr")]
    pub direction: Direction,
    /// Only this sentence: its sent_id, or its index counted from 0, whichever fits first
    #[arg(long, value_name = "ID|INDEX")]
    pub sentence: Option<String>,
    /// Also deduce that the tree can be built: items and rules of exact inference, one for each step
    #[arg(long)]
    pub proof: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: TextFormat,
    #[command(flatten)]
    pub invalid: InvalidArgument,
}

/// The guided first run: coverage of a small treebank, one derivation, a parser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood tour
  tanglewood tour 'Whom did you say that you saw?'")]
pub struct TourArguments {
    /// A text to be parsed, in English
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
}

/// List the models that can be named: built in, and in folders
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood models
  tanglewood models --format json

A file NAME.model is a model of that name if it is in one of the folders of
$TANGLEWOOD_MODELS (separated as in $PATH), or in the folder tanglewood/models
among the user's data: $XDG_DATA_HOME, ~/.local/share if that is not set,
~/Library/Application Support on macOS, %APPDATA% on Windows. Names work
wherever the path of a model does.")]
pub struct ModelsArguments {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: TableFormat,
}

/// Print a script that completes commands and options in a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood completions bash > /etc/bash_completion.d/tanglewood
  tanglewood completions zsh > ~/.zfunc/_tanglewood
  tanglewood completions fish > ~/.config/fish/completions/tanglewood.fish
  tanglewood completions powershell >> $PROFILE

It takes effect in the next shell. For zsh, the folder has to be in $fpath.")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Write the manual pages, one for each command, for those who package the program
#[derive(Debug, Args)]
#[command(after_help = "Example:
  tanglewood man share/man/man1")]
pub struct ManArguments {
    /// The folder to write to, which is made if there is none
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub struct DirectionArgument {
    /// Reading direction; either means covered in at least one of them
    #[arg(long, value_name = "ltr|rtl|either", default_value = "ltr")]
    pub direction: Direction,
}

#[derive(Debug, Args)]
pub struct OutputArgument {
    /// Write to this file, which appears when it is complete, instead of standard output
    #[arg(id = "output", short = 'o', long = "output", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct InvalidArgument {
    /// Leave out sentences that are not valid, and list them, instead of stopping at the first
    #[arg(long)]
    pub skip_invalid: bool,
}

#[derive(Debug, Args)]
pub struct JobsArgument {
    /// Threads [default: all cores]; results do not depend on it
    #[arg(short, long, value_name = "N", value_parser = thread_count)]
    pub jobs: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    #[default]
    Table,
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SystemsFormat {
    #[default]
    Table,
    Json,
    /// A page with a diagram of each inventory
    Html,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    #[default]
    Text,
    Json,
}

fn tree_class(name: &str) -> Result<TreeClass, NameError> {
    TreeClass::named(name)
}

fn system(name: &str) -> Result<System, NameError> {
    System::named(name)
}

fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number of threads; expected 1 or more"))
}

fn one_direction(text: &str) -> Result<Direction, String> {
    match text.parse() {
        Ok(Direction::Either) | Err(_) => Err(format!("`{text}` is not one direction; expected ltr or rtl")),
        Ok(direction) => Ok(direction),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_do_not_get_in_each_other_s_way() {
        super::Arguments::command().debug_assert();
    }
}
