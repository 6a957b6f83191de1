//! From running text to sentences, tokens and words.
//!
//! Two networks look at the text, both of convolutions and without recurrences, so that what is said of a
//! place depends on what is near it and a text of any length can be read in pieces: where it is cut makes no
//! difference. The first looks at characters and says after which of them words and tokens end. The second
//! looks at tokens and says after which of them sentences end. A blank line always ends a sentence. Words of
//! multiword tokens come from a lexicon, and for unseen ones from where the first network would cut them,
//! with rules for what is written differently.
//!
//! ```
//! use tanglewood::conllu::Block;
//! use tanglewood_nn::segmentation::{Segmenter, SegmenterSettings};
//!
//! let row = |id: u32, form: &str, misc: &str| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
//! let sentence = row(1, "Hello", "SpaceAfter=No") + &row(2, "!", "_") + "\n";
//! let block = Block::of(sentence.repeat(20).into_bytes());
//! let treebank: Vec<_> = block.sentences().collect();
//! let settings = SegmenterSettings { epochs: 2, ..SegmenterSettings::default() };
//! let segmenter = Segmenter::train(&treebank, &treebank, &settings, |_| true)?;
//!
//! let sentences: Vec<_> = segmenter.segment(&b"Hello! Hello!\n"[..]).collect::<Result<_, _>>()?;
//! assert_eq!(sentences.len(), 2);
//! assert_eq!(sentences[0].tokens().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembly;
mod characters;
mod evaluation;
mod features;
mod file;
mod known;
mod multiword;
mod network;
mod passage;
mod stream;
mod thresholds;
mod training;
mod treebank;
mod words;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::parameters::Layout;
use crate::scorer::ContextScorer;
use crate::store::Store;
use features::FeatureSpace;
use known::Known;
use multiword::Multiwords;
pub(crate) use network::ContextNetwork;
use network::ContextShape;

pub use evaluation::SegmentationScore;
pub use file::SegmenterSection;
pub use stream::Segments;
pub use thresholds::Thresholds;
pub use training::{SegmenterEpoch, SegmenterError, SegmenterEvent, SegmenterSettings};

/// For the tests of this crate alone.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internals {
    pub use super::characters::CharacterBuffer;
    pub use super::known::HashFilter;
    pub use super::multiword::{Multiwords, TokenPart, parts_of};
    pub use super::network::{ContextNetwork, ContextShape};
    pub use super::words::{WordsAround, word_hash, words_around};
}

/// How large the networks are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SegmenterOptions {
    /// Number of hashed features of characters.
    pub character_buckets: usize,
    /// Columns of their embeddings.
    pub character_embedding: usize,
    /// Columns of the hidden layers over characters.
    pub character_hidden: usize,
    /// Number of hashed features of tokens.
    pub token_buckets: usize,
    /// Columns of their embeddings.
    pub token_embedding: usize,
    /// Columns of the hidden layers over tokens.
    pub token_hidden: usize,
}

impl Default for SegmenterOptions {
    fn default() -> SegmenterOptions {
        SegmenterOptions {
            character_buckets: 1 << 15,
            character_embedding: 24,
            character_hidden: 48,
            token_buckets: 1 << 14,
            token_embedding: 48,
            token_hidden: 64,
        }
    }
}

impl SegmenterOptions {
    /// Whether networks can have these sizes.
    fn check(&self) -> Result<(), String> {
        let sizes = [
            self.character_buckets,
            self.character_embedding,
            self.character_hidden,
            self.token_buckets,
            self.token_embedding,
            self.token_hidden,
        ];
        match sizes.iter().find(|&&size| size == 0 || size > 1 << 24) {
            Some(size) => Err(format!("a size of {size}; expected 1 to {}", 1 << 24)),
            None => Ok(()),
        }
    }
}

/// The two networks.
#[derive(Clone, Debug)]
struct Networks {
    layout: Layout,
    character_features: FeatureSpace,
    characters: ContextNetwork,
    token_features: FeatureSpace,
    tokens: ContextNetwork,
}

impl Networks {
    fn new(options: &SegmenterOptions, known: &Arc<Known>) -> Networks {
        let mut layout = Layout::default();
        let characters = ContextShape {
            name: "segmenter.characters",
            buckets: options.character_buckets,
            embedding: options.character_embedding,
            hidden: options.character_hidden,
            layers: &[(4, 1), (8, 4), (24, 12)],
            classes: passage::BOUNDARIES,
        };
        let tokens = ContextShape {
            name: "segmenter.tokens",
            buckets: options.token_buckets,
            embedding: options.token_embedding,
            hidden: options.token_hidden,
            layers: &[(1, 1), (2, 2), (4, 4), (8, 8)],
            classes: 2,
        };
        Networks {
            character_features: FeatureSpace::new(options.character_buckets, Arc::clone(known)),
            characters: ContextNetwork::new(&mut layout, characters),
            token_features: FeatureSpace::new(options.token_buckets, Arc::clone(known)),
            tokens: ContextNetwork::new(&mut layout, tokens),
            layout,
        }
    }
}

/// The two networks, prepared.
#[derive(Debug)]
struct Scorers {
    characters: ContextScorer,
    tokens: ContextScorer,
}

/// Cuts running text into sentences, tokens and words.
#[derive(Clone, Debug)]
pub struct Segmenter {
    options: SegmenterOptions,
    known: Arc<Known>,
    networks: Networks,
    numbers: Store,
    /// Made of the numbers when text is first segmented.
    scorers: OnceLock<Arc<Scorers>>,
    multiwords: Multiwords,
    /// Whether tokens may have spaces inside.
    spaces_in_tokens: bool,
    thresholds: Thresholds,
}
