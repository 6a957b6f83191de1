//! Why there is no answer.

use crate::System;
use crate::chart::{ChartError, OutOfMemory};
use crate::deduction::TooManyItems;

/// Why inference has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InferenceError {
    /// All trees of the class have an arc that is forbidden.
    #[error(
        "no tree of this system is possible with these scores; allow more arcs or choose a system with a larger class of trees"
    )]
    NoTree,
    /// The chart would be too large.
    #[error("{words} words in `{system}` need {}, more than the limit of {}; {remedy}", bytes(*.needed), bytes(*.limit))]
    TooLarge {
        /// How many words.
        words: usize,
        /// In which system.
        system: String,
        /// How many bytes the chart would take.
        needed: u64,
        /// How many it may take.
        limit: u64,
        /// What to do.
        remedy: String,
    },
    /// The sparse deduction derived more items than memory allows.
    #[error(transparent)]
    TooManyItems(#[from] TooManyItems),
    /// The system refused the memory.
    #[error(
        "the system has not enough memory left for the chart; choose a cheaper system or shorter sentences"
    )]
    OutOfMemory,
}

impl From<OutOfMemory> for InferenceError {
    fn from(_: OutOfMemory) -> InferenceError {
        InferenceError::OutOfMemory
    }
}

impl From<ChartError> for InferenceError {
    fn from(_: ChartError) -> InferenceError {
        InferenceError::OutOfMemory
    }
}

impl InferenceError {
    pub(super) fn too_large(
        system: &System,
        words: usize,
        needed: u64,
        limit: u64,
        cheaper: Option<(&str, u64)>,
    ) -> InferenceError {
        let remedy = match cheaper {
            Some((name, needs)) => format!("allow more, or choose `{name}`, which needs {}", bytes(needs)),
            None => "allow more, or split the sentence".to_owned(),
        };
        InferenceError::TooLarge { words, system: system.name().to_owned(), needed, limit, remedy }
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
