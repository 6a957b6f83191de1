//! A batch of encoded sentences as bags for the embeddings, with some of them left out in training.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tanglewood::inference::Random;

use crate::encoding::{Encoded, UNKNOWN, Word};
use crate::layers::Bags;
use crate::packing::Packing;

/// How much is left out in training, as probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dropout {
    /// Probability that a word is treated as unknown; its character n-grams are still read.
    pub word: f64,
    /// Probability that the character n-grams of a word are left out.
    pub characters: f64,
    /// Probability that one tag of a word is left out: UPOS, XPOS or FEATS.
    pub tag: f64,
    /// Probability that a sentence loses all its tags, so that the model learns to parse without them.
    pub all_tags: f64,
    /// Dropout of columns between layers, the same throughout a sentence.
    pub layer: f64,
    /// Dropout of the recurrent state of an LSTM, the same throughout a sentence.
    pub recurrent: f64,
    /// Dropout of columns of the head and dependent vectors.
    pub hidden: f64,
}

impl Dropout {
    /// No dropout, as in parsing.
    pub const NONE: Dropout = Dropout {
        word: 0.0,
        characters: 0.0,
        tag: 0.0,
        all_tags: 0.0,
        layer: 0.0,
        recurrent: 0.0,
        hidden: 0.0,
    };
}

impl Dropout {
    /// All dropout probabilities.
    pub(crate) fn shares(&self) -> [f64; 7] {
        let Dropout { word, characters, tag, all_tags, layer, recurrent, hidden } = *self;
        [word, characters, tag, all_tags, layer, recurrent, hidden]
    }

    /// For a model that reads its own tags unless others are given: most sentences have none.
    pub fn with_own_tags() -> Dropout {
        Dropout { all_tags: 0.6, ..Dropout::default() }
    }
}

impl Default for Dropout {
    fn default() -> Dropout {
        Dropout {
            word: 0.2,
            characters: 0.1,
            tag: 0.05,
            all_tags: 0.05,
            layer: 0.33,
            recurrent: 0.2,
            hidden: 0.33,
        }
    }
}

/// What the embeddings look up. Words that look the same may be looked up once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Row of each word in the packed batch.
    pub packing: Packing,
    /// For each packed row which of the words below it is; nothing if they are the packed rows in order.
    pub places: Option<Vec<u32>>,
    /// The word embedding of each row.
    pub words: Bags,
    /// The character n-grams of each row.
    pub characters: Bags,
    /// The tags of each row.
    pub tags: Bags,
    /// The pretrained vector of each row.
    pub vectors: Bags,
    /// For each packed row which columns of its tags are not left out.
    pub seen: Vec<[bool; 3]>,
}

impl Input {
    /// The rows of a batch. With `once`, words that look the same are looked up once; nothing may be left out
    /// then.
    pub fn new(sentences: &[&Encoded], dropout: &Dropout, random: &mut Random, once: bool) -> Input {
        let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.len()).collect();
        let packing = Packing::new(&lengths);
        let no_tags: Vec<bool> = sentences.iter().map(|_| drops(dropout.all_tags, random)).collect();
        let [mut words, mut characters, mut tags, mut vectors]: [Bags; 4] = Default::default();
        let mut seen = Vec::with_capacity(packing.words());
        let mut places = once.then(|| Vec::with_capacity(packing.words()));
        let mut known: HashMap<Word<'_>, u32> = HashMap::new();
        for (rank, time) in packing.packed() {
            let index = packing.sentence(rank);
            let sentence = sentences[index];
            if let Some(places) = &mut places {
                let next = known.len() as u32;
                let place = *known.entry(sentence.word(time)).or_insert(next);
                places.push(place);
                if place < next {
                    seen.push([true; 3]);
                    continue;
                }
            }
            words.push([if drops(dropout.word, random) { UNKNOWN } else { sentence.words[time] }]);
            vectors.push(sentence.vectors.get(time).iter().copied());
            let no_characters = drops(dropout.characters, random);
            let ngrams = sentence.characters.get(time);
            characters.push(if no_characters { &[] } else { ngrams }.iter().copied());
            let missing: [bool; 3] = std::array::from_fn(|_| drops(dropout.tag, random) || no_tags[index]);
            seen.push(missing.map(|missing| !missing));
            let of_word = (0..3).filter(|&column| !missing[column]);
            tags.push(of_word.flat_map(|column| sentence.tags[column].get(time).iter().copied()));
        }
        Input { packing, places, words, characters, tags, vectors, seen }
    }
}

fn drops(probability: f64, random: &mut Random) -> bool {
    probability > 0.0 && random.uniform() < probability
}
