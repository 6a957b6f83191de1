//! What can be typed after `tanglewood decode`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use tanglewood::system::{Direction, TreeClass};

use super::{Bytes, JobsArgument, OutputArgument, tree_class};

/// Find the best tree for each matrix of arc scores
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood decode scores.jsonl --system all-s0s1
  echo '{\"scores\":[[0,1,2],[0,0,3],[0,4,0]]}' | tanglewood decode --system all
  tanglewood decode scores.jsonl --system attardi --k 5 --marginals

Reads one JSON object per line: {\"scores\": [[…]…]}, n+1 rows of n+1 numbers,
scores[head][dependent], node 0 is the root, null forbids an arc. Writes one
object per line: heads of words 1..n, score, and how the answer was found.
Marginals and their probabilities are over derivations of the system.
A line without an answer gives {\"error\": …}; exit code 1 then.")]
pub struct DecodeArguments {
    /// A file with one JSON object per line (also .gz, .xz, .zst), or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    /// The system, or any for all trees
    #[arg(long, value_name = "NAME", value_parser = tree_class)]
    pub system: TreeClass,
    /// Reading direction; either takes the better of the two
    #[arg(long, value_name = "ltr|rtl|either", default_value = "ltr")]
    pub direction: Direction,
    /// Allow several words to hang from the root
    #[arg(long)]
    pub multi_root: bool,
    /// Also give the K best trees, at most 100000
    #[arg(long = "k", value_name = "K", value_parser = tree_count)]
    pub k: Option<NonZeroUsize>,
    /// Also give the probability of each arc, over derivations
    #[arg(long)]
    pub marginals: bool,
    /// Memory for charts, such as 500M or 2G [default: half of what there is]
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<Bytes>,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub jobs: JobsArgument,
}

/// Trees of a matrix that can be asked for: more would take hours.
const MOST_TREES: usize = 100_000;

fn tree_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_TREES);
    count.ok_or_else(|| format!("`{text}` is not a number of trees; expected one from 1 to {MOST_TREES}"))
}
