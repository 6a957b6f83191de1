//! Why there is no grammar, or no answer from it.

use crate::OutOfMemory;
use crate::inference::InferenceError;

/// Why a grammar has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarError {
    /// Nothing to learn from.
    #[error("there is no sentence to learn from; expected at least one with a word")]
    NoSentences,
    /// A sentence without words has no probability.
    #[error("a sentence without words; expected at least one word")]
    NoWords,
    /// A system that runs cannot be generated with.
    #[error("no grammar can be made for `{system}`: {why}; choose one such as `mh4`, `mh4+` or `all-s0s1`")]
    Unsupported {
        /// The name of the system.
        system: String,
        /// What is in the way.
        why: &'static str,
    },
    /// A tree and words that do not belong together.
    #[error("a tree of {tree} words for a sentence of {words}; expected as many in both")]
    Lengths {
        /// The words of the tree.
        tree: usize,
        /// The words of the sentence.
        words: usize,
    },
    /// Almost all runs end where nothing is possible, or go on for ever.
    #[error("none of {tries} runs came to an end within {limit} words; train the grammar on more sentences")]
    NoSample {
        /// Runs that were begun.
        tries: usize,
        /// The largest number of words that a sample may have.
        limit: usize,
    },
    /// The chart has no answer.
    #[error(transparent)]
    Inference(#[from] InferenceError),
}

impl From<OutOfMemory> for GrammarError {
    fn from(error: OutOfMemory) -> GrammarError {
        GrammarError::Inference(error.into())
    }
}

/// Why bytes are no grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found}; expected {expected}")]
pub struct GrammarFileError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is there.
    pub found: String,
    /// What should be there.
    pub expected: &'static str,
}
