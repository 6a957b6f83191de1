//! Sizes and inputs of a model.

use serde::{Deserialize, Serialize};
use tanglewood::Direction;

/// The sizes of a model, and what it reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether the model reads UPOS.
    pub upos: bool,
    /// Whether the model reads XPOS.
    pub xpos: bool,
    /// Whether the model reads FEATS.
    pub feats: bool,
    /// How often a word has to occur to have an embedding of its own.
    pub min_count: usize,
    /// The size of word embeddings.
    pub word: usize,
    /// The size of the sum of character n-grams' embeddings.
    pub characters: usize,
    /// Number of embeddings that hashed character n-grams share.
    pub buckets: usize,
    /// The size of the sum of tags' embeddings.
    pub tags: usize,
    /// The size of pretrained vectors; 0 if there are none.
    pub vectors: usize,
    /// Number of LSTM layers.
    pub layers: usize,
    /// Number of LSTM units in each direction.
    pub hidden: usize,
    /// The size of words as heads and dependents, for arcs.
    pub arc: usize,
    /// Size of the head and dependent vectors for labels.
    pub label: usize,
    /// The size of words on the stack and in the buffer, for transitions; 0 if only arcs are scored.
    pub transitions: usize,
    /// Whether transitions are scored by pairs with the nodes below the top of the stack, too.
    pub windows: bool,
    /// The direction in which transitions read. In either, each direction has scores of its own, and both
    /// share all but these.
    #[serde(with = "by_name", skip_serializing_if = "is_usual")]
    pub direction: Direction,
    /// The size of words for tags and lemmas; 0 if it says nothing about them. If it does, tags are read only
    /// where they are asked to be kept.
    pub tagging: usize,
    /// Whether the model predicts lemmas.
    pub lemmas: bool,
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
            vectors: 0,
            layers: 2,
            hidden: 160,
            arc: 160,
            label: 48,
            transitions: 0,
            windows: false,
            direction: Direction::Ltr,
            tagging: 0,
            lemmas: false,
        }
    }
}

impl Options {
    /// For a model that finds tags itself and, if asked to, lemmas: characters matter more to it.
    pub fn with_taggers(self, lemmas: bool) -> Options {
        Options { xpos: true, tagging: 160, lemmas, characters: 96, buckets: 1 << 16, ..self }
    }

    /// Whether the model reads any tag.
    pub fn reads_tags(&self) -> bool {
        self.upos || self.xpos || self.feats
    }

    /// Whether the model scores transitions in addition to arcs.
    pub fn scores_transitions(&self) -> bool {
        self.transitions > 0
    }

    /// The directions for which it scores transitions, each of them one of the two.
    pub fn readings(&self) -> Vec<Direction> {
        self.direction.each().filter(|_| self.scores_transitions()).collect()
    }

    /// Whether it scores them by what is below the top of the stack, too.
    pub fn scores_windows(&self) -> bool {
        self.scores_transitions() && self.windows
    }
}

/// No model needs more than that; a file that says so is not a model.
const LARGEST: usize = 1 << 24;

impl Options {
    /// Checks that a model of these sizes can be built.
    ///
    /// # Errors
    /// Which size is out of range, and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let sizes = [
            ("word", self.word, 1, 1 << 12),
            ("characters", self.characters, 1, 1 << 12),
            ("buckets", self.buckets, 1, LARGEST),
            ("tags", self.tags, 1, 1 << 12),
            ("vectors", self.vectors, 0, 1 << 12),
            ("layers", self.layers, 0, 16),
            ("hidden", self.hidden, 1, 1 << 12),
            ("arc", self.arc, 1, 1 << 12),
            ("label", self.label, 1, 1 << 12),
            ("transitions", self.transitions, 0, 1 << 12),
            ("tagging", self.tagging, 0, 1 << 12),
        ];
        match sizes.iter().find(|&&(_, size, least, most)| size < least || size > most) {
            Some((name, size, least, most)) => {
                Err(format!("the option {name} is {size}; expected a number from {least} to {most}"))
            }
            None => Ok(()),
        }
    }
}

/// Files of models that read from left to right say nothing about the direction, as they always did.
fn is_usual(direction: &Direction) -> bool {
    *direction == Direction::Ltr
}

/// A direction in a file.
mod by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tanglewood::Direction;

    pub fn serialize<S: Serializer>(direction: &Direction, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(direction)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Direction, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
