//! What can be typed after `tanglewood parse`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tanglewood::System;
use tanglewood::system::Direction;
use tanglewood_nn::Step;

use super::{Bytes, InvalidArgument, JobsArgument, system};

/// Parse text or CoNLL-U with a trained model
#[derive(Debug, Args)]
#[command(
    override_usage = "tanglewood parse [OPTIONS] [MODEL] [FILE]...",
    after_help = "Examples:
  tanglewood parse en letter.txt -o letter.conllu
  echo 'Text in, trees out.' | tanglewood parse
  tanglewood parse en.model letter.txt --steps segment --output vertical
  tanglewood parse en.model half-annotated.conllu --keep heads,tags --stats
  tanglewood parse en.model text.conllu --nbest 5 --output json

Without --input, a file is CoNLL-U if its first line that is neither blank nor
a comment has ten columns; otherwise it is text. Kinds of input:
  text    running text: sentences, words and all the rest are found, and
          `tanglewood text` gives the text back, byte for byte, from the output
  lines   the same with one sentence a line; an answer for each line at once
  tokens  words: one a line with a blank line after each sentence, or, if there
          is a space in the first line, a sentence a line with spaces between
          them; vertical and horizontal say which
  conllu  every byte is kept but HEAD and DEPREL and what --steps asks for
A sentence of running text is answered as soon as the sixteen tokens after it
and 61 more characters are there.

Steps are segment, tag (UPOS, XPOS, FEATS), lemma and parse. Usually they are
all that the model can do, and with CoNLL-U parse alone. Columns of steps that
are not taken stay as they are. With --confidence MISC gets ArcProb and
LabelProb. Every sentence gets a tree with one root. The exact decoder finds
the best tree that the system can build; where that would take more than
--max-memory, the best of all trees. Decoders greedy and beam:K are searches
without a guarantee, K at most 1000, and less in sentences of more than 1000
words; mst takes the best of all trees."
)]
pub struct ParseArguments {
    /// First a model, by name (see `tanglewood models`) or as a file that `tanglewood train` has written; the
    /// one that is built in if there is none. Then files of text or CoNLL-U (also .gz, .xz, .zst),
    /// directories to search for CoNLL-U, or - for standard input
    #[arg(value_name = "MODEL|FILE")]
    pub model_and_files: Vec<PathBuf>,
    /// What the input is [default: each file is looked at]
    #[arg(long, value_enum, value_name = "text|lines|tokens|conllu", hide_possible_values = true)]
    pub input: Option<InputKind>,
    /// What to do, of segment, tag, lemma and parse [default: all that the model can; with CoNLL-U parse]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = step_names())]
    pub steps: Vec<Step>,
    /// How the tree is found [default: exact, or greedy for a model that learned transitions one by one]
    #[arg(long, value_name = "exact|greedy|beam:K|mst")]
    pub decoder: Option<DecoderName>,
    /// The system that the decoder builds trees with; mst needs none
    /// [default: mh4+, or what a model of transitions was trained for]
    #[arg(long, value_name = "NAME", value_parser = system)]
    pub system: Option<System>,
    /// Reading direction; either takes the better tree of the two
    /// [default: either for exact, ltr for greedy and beam, what a model of transitions learned]
    #[arg(long, value_name = "ltr|rtl|either")]
    pub direction: Option<Direction>,
    /// Write the probability of each arc and label to MISC, and that of the tree to a comment; in sentences
    /// of more than 1000 words that of labels alone
    #[arg(long)]
    pub confidence: bool,
    /// Give the K best trees of each sentence, all different, at most 1000 (with exact and mst)
    #[arg(long, value_name = "K", value_parser = tree_count)]
    pub nbest: Option<NonZeroUsize>,
    /// Keep what is in the input: heads with the relations given with them, around which the rest of the tree
    /// is the best; tags and lemmas, which then help
    #[arg(long, value_enum, value_name = "heads,tags", value_delimiter = ',', hide_possible_values = true)]
    keep: Vec<Kept>,
    /// The same as --keep heads
    #[arg(long, hide = true)]
    keep_heads: bool,
    /// Write TokenRange to MISC: where each token begins and ends in the text, in characters
    #[arg(long)]
    pub ranges: bool,
    /// Say at the end, on standard error, how sentences were parsed and where the time went
    #[arg(long)]
    pub stats: bool,
    /// How to write: CoNLL-U, an object of JSON per sentence, or a word per line
    #[arg(long = "output", value_enum, value_name = "conllu|json|vertical", hide_possible_values = true)]
    form: Option<ParseFormat>,
    /// The same as --output
    #[arg(long, value_enum, hide = true, conflicts_with = "form")]
    format: Option<ParseFormat>,
    /// Memory for charts, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub max_memory: Bytes,
    /// Write to this file, which appears when it is complete, instead of standard output
    #[arg(short = 'o', value_name = "FILE")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

impl ParseArguments {
    /// How to write.
    pub fn form(&self) -> ParseFormat {
        self.form.or(self.format).unwrap_or_default()
    }

    pub fn keeps_heads(&self) -> bool {
        self.keep_heads || self.keep.contains(&Kept::Heads)
    }

    pub fn keeps_tags(&self) -> bool {
        self.keep.contains(&Kept::Tags)
    }
}

/// Trees that can be asked for, and runs that a beam can hold: more would take hours.
const MOST_TREES: usize = 1000;
const WIDEST_BEAM: usize = 1000;

fn tree_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_TREES);
    count.ok_or_else(|| format!("`{text}` is not a number of trees; expected one from 1 to {MOST_TREES}"))
}

/// Steps by name.
pub fn step_names() -> impl TypedValueParser<Value = Step> {
    let named = |name: String| Step::named(&name).ok_or("not a step");
    PossibleValuesParser::new(Step::ALL.map(Step::name)).try_map(named)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// Running text.
    Text,
    /// One sentence a line.
    Lines,
    /// Tokens, vertical or horizontal by the first line.
    Tokens,
    /// One token a line, a blank line after each sentence.
    Vertical,
    /// One sentence a line, spaces between tokens.
    Horizontal,
    Conllu,
}

/// What is in the input and stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kept {
    Heads,
    Tags,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ParseFormat {
    #[default]
    Conllu,
    Json,
    Vertical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoderName {
    Exact,
    Greedy,
    Beam(NonZeroUsize),
    Mst,
}

impl FromStr for DecoderName {
    type Err = String;

    fn from_str(text: &str) -> Result<DecoderName, String> {
        let width = text.strip_prefix("beam:").map(str::parse);
        match (text, width) {
            ("exact", _) => Ok(DecoderName::Exact),
            ("greedy", _) => Ok(DecoderName::Greedy),
            ("mst", _) => Ok(DecoderName::Mst),
            (_, Some(Ok(width))) if NonZeroUsize::get(width) <= WIDEST_BEAM => Ok(DecoderName::Beam(width)),
            (_, Some(Ok(_))) => {
                Err(format!("`{text}` is too wide; expected a beam of at most {WIDEST_BEAM}"))
            }
            _ => Err(format!(
                "`{text}` is not a decoder; expected exact, greedy, mst, or beam and its width such as beam:8"
            )),
        }
    }
}
