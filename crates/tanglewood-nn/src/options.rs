//! What a model looks like.

use serde::{Deserialize, Serialize};

/// The sizes of a model, and what it reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether it reads UPOS.
    pub upos: bool,
    /// Whether it reads XPOS.
    pub xpos: bool,
    /// Whether it reads FEATS.
    pub feats: bool,
    /// How often a word has to occur to have an embedding of its own.
    pub min_count: usize,
    /// The size of word embeddings.
    pub word: usize,
    /// The size of the sum of character n-grams' embeddings.
    pub characters: usize,
    /// How many embeddings n-grams share.
    pub buckets: usize,
    /// The size of the sum of tags' embeddings.
    pub tags: usize,
    /// How many LSTM layers there are.
    pub layers: usize,
    /// How many units they have in each direction.
    pub hidden: usize,
    /// The size of words as heads and dependents, for arcs.
    pub arc: usize,
    /// The same for labels.
    pub label: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            upos: true,
            xpos: false,
            feats: true,
            min_count: 2,
            word: 100,
            characters: 64,
            buckets: 1 << 15,
            tags: 64,
            layers: 2,
            hidden: 160,
            arc: 192,
            label: 64,
        }
    }
}

impl Options {
    /// Whether any tag is read.
    pub fn reads_tags(&self) -> bool {
        self.upos || self.xpos || self.feats
    }
}
