//! What can be typed after `tanglewood parse`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tanglewood::System;
use tanglewood::system::Direction;

use super::{Bytes, InvalidArgument, JobsArgument, OutputArgument, system};

/// Parse CoNLL-U with a trained model
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood parse en.model text.conllu -o parsed.conllu
  cat text.conllu | tanglewood parse en.model --confidence
  tanglewood parse en.model text.conllu --nbest 5 --format json
  tanglewood parse en.model half-annotated.conllu --keep-heads --stats

HEAD and DEPREL are replaced, and with --confidence MISC gets ArcProb and
LabelProb; every other byte is kept. Every sentence gets a tree with one root.
The exact decoder finds the best tree that the system can build; where that
would take more than --max-memory, the best of all trees. Decoders greedy and
beam:K are searches without a guarantee; mst takes the best of all trees.")]
pub struct ParseArguments {
    /// A model that `tanglewood train` has written
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// CoNLL-U files (also .gz, .xz, .zst), directories to search, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,
    /// How the tree is found [default: exact, or greedy for a model that learned transitions one by one]
    #[arg(long, value_name = "exact|greedy|beam:K|mst")]
    pub decoder: Option<DecoderName>,
    /// The system that the decoder builds trees with; mst needs none [default: mh4+, or what a model of transitions was trained for]
    #[arg(long, value_name = "NAME", value_parser = system)]
    pub system: Option<System>,
    /// Reading direction; either takes the better tree of the two [default: either for exact, ltr for greedy, beam and models of transitions]
    #[arg(long, value_name = "ltr|rtl|either")]
    pub direction: Option<Direction>,
    /// Write the probability of each arc and label to MISC, and that of the tree to a comment
    #[arg(long)]
    pub confidence: bool,
    /// Give the K best trees of each sentence, all different (with exact and mst)
    #[arg(long, value_name = "K")]
    pub nbest: Option<NonZeroUsize>,
    /// Keep the heads that are in the input, and the relations given with them; the rest of the tree is the best around them
    #[arg(long)]
    pub keep_heads: bool,
    /// Say at the end, on standard error, how sentences were parsed and where the time went
    #[arg(long)]
    pub stats: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ParseFormat,
    /// Memory for charts, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    pub max_memory: Bytes,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub invalid: InvalidArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ParseFormat {
    #[default]
    Conllu,
    Json,
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
            (_, Some(Ok(width))) => Ok(DecoderName::Beam(width)),
            _ => Err(format!(
                "`{text}` is not a decoder; expected exact, greedy, mst, or beam and its width such as beam:8"
            )),
        }
    }
}
