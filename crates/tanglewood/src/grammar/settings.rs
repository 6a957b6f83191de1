//! What a grammar is made with.

use super::kinds::Kinds;
use super::triples::Triples;
use super::{Conditionals, GrammarError};
use crate::System;
use crate::inference::{Inference, InferenceError};

/// The system that generates sentences, and what its charts may cost.
#[derive(Clone, Debug)]
pub struct Settings {
    system: System,
    single_root: bool,
    conditionals: Conditionals,
    inference: Inference,
}

/// What the first expectations of a sentence without a tree come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// An arc's weight is one over its length plus one, as in the initialiser of Klein and Manning (2004);
    /// every word is the root with the same weight.
    Harmonic,
    /// All runs weigh the same.
    Uniform,
    /// Arcs have random weights, by a seed; those between the same symbols in the same direction have the
    /// same.
    Random(u64),
}

impl Settings {
    /// From left to right, with a single root.
    pub fn new(system: System) -> Settings {
        let inference = Inference::new(&system);
        Settings { system, single_root: true, conditionals: Conditionals::default(), inference }
    }

    /// Whether exactly one word hangs from the root.
    pub fn single_root(self, single_root: bool) -> Settings {
        let inference = self.inference.single_root(single_root);
        Settings { single_root, inference, ..self }
    }

    /// What gives the probabilities.
    pub fn with_conditionals(self, conditionals: Conditionals) -> Settings {
        Settings { conditionals, ..self }
    }

    /// The bytes that charts may take.
    pub fn memory(self, bytes: u64) -> Settings {
        Settings { inference: self.inference.memory(bytes), ..self }
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Whether exactly one word hangs from the root.
    pub fn has_single_root(&self) -> bool {
        self.single_root
    }

    /// What gives the probabilities.
    pub fn conditionals(&self) -> Conditionals {
        self.conditionals
    }

    /// How answers are found.
    pub fn inference(&self) -> &Inference {
        &self.inference
    }

    pub(super) fn kinds(&self) -> Result<Kinds, GrammarError> {
        Kinds::new(&self.system, self.single_root)
    }

    /// Checks that tables for a sentence of `words` words are not too large.
    pub(super) fn check(&self, words: usize) -> Result<(), GrammarError> {
        if words == 0 {
            return Err(GrammarError::NoWords);
        }
        let (limit, kinds) = (self.inference.memory_limit(), self.kinds()?.len());
        let needed = match words {
            0..100_000 => (Triples::new(words).len() as u64).saturating_mul(8 * kinds as u64),
            _ => u64::MAX,
        };
        if needed <= limit {
            return Ok(());
        }
        let class = self.system.name().to_owned();
        Err(InferenceError::TooLarge { words, class, needed, limit, cheaper: None }.into())
    }
}
