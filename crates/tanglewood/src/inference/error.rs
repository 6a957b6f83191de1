//! Why there is no answer.

use crate::OutOfMemory;
use crate::chart::ChartError;
use crate::deduction::TooManyItems;
use crate::spanning::NoTree;
use crate::stop::{self, Stopped};

/// Why inference has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InferenceError {
    /// All trees of the class have an arc that is forbidden.
    #[error(
        "no tree of this system is possible with these scores; allow more arcs or choose a system with a larger class of trees"
    )]
    NoTree,
    /// The chart would be too large.
    #[error("{words} words in `{class}` need {}, more than the limit of {}; {}", bytes(*.needed), bytes(*.limit), remedy(.cheaper))]
    TooLarge {
        /// Number of words.
        words: usize,
        /// The name of the class of trees.
        class: String,
        /// The bytes that the chart would take.
        needed: u64,
        /// The bytes that it may take.
        limit: u64,
        /// A system that would fit, and the bytes that it takes.
        cheaper: Option<(&'static str, u64)>,
    },
    /// The sparse deduction derived more items than memory allows.
    #[error(transparent)]
    TooManyItems(TooManyItems),
    /// The operating system refused the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// There is no dense chart for such a system and such scores.
    #[error(transparent)]
    NoChart(ChartError),
    /// A tree and a matrix of scores that do not belong together.
    #[error("a tree of {tree} words and scores for {scores}; expected as many words in both")]
    Lengths {
        /// The words of the tree.
        tree: usize,
        /// The words of the scores.
        scores: usize,
    },
    /// A question about scores of transitions that only arc scores have an answer to.
    #[error("the k best trees and all trees without a system need arc scores, not scores of transitions")]
    ArcScoresOnly,
    /// The answer was not wanted any more: see [`Inference::stop_when`](super::Inference::stop_when).
    #[error("stopped before there was an answer")]
    Stopped,
}

impl From<NoTree> for InferenceError {
    fn from(_: NoTree) -> InferenceError {
        InferenceError::NoTree
    }
}

impl From<TooManyItems> for InferenceError {
    fn from(error: TooManyItems) -> InferenceError {
        if stop::is_asked() { InferenceError::Stopped } else { InferenceError::TooManyItems(error) }
    }
}

impl From<Stopped> for InferenceError {
    fn from(_: Stopped) -> InferenceError {
        InferenceError::Stopped
    }
}

impl From<ChartError> for InferenceError {
    fn from(error: ChartError) -> InferenceError {
        match error {
            ChartError::OutOfMemory(error) => InferenceError::OutOfMemory(error),
            ChartError::Stopped => InferenceError::Stopped,
            error => InferenceError::NoChart(error),
        }
    }
}

/// What to do about a chart that is too large.
fn remedy(cheaper: &Option<(&'static str, u64)>) -> String {
    match cheaper {
        Some((name, needs)) => format!("allow more, or choose `{name}`, which needs {}", bytes(*needs)),
        None => "allow more, or split the sentence".to_owned(),
    }
}

/// A number of bytes for people.
fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let mut size = number as f64;
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} bytes") } else { format!("{size:.1} {}", UNITS[unit]) }
}
