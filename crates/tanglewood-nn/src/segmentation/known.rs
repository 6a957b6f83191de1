//! What has been seen often enough in the training data.

use std::collections::HashMap;

use super::features::{each_character, token_hashes};
use super::passage::Passage;
use super::words::word_hash;

/// A set of hashes, by some of their bits (Bloom 1970): what is in it is found, and hardly anything else.
#[derive(Clone, Debug, PartialEq)]
pub struct HashFilter {
    /// Sixteen at a time, so that they fit into single precision.
    bits: Vec<u16>,
}

impl HashFilter {
    /// Number of groups of sixteen bits.
    pub const GROUPS: usize = 1 << 17;

    /// The hashes that have been counted at least `least` times.
    pub fn of_counts(counts: HashMap<u64, u32>, least: u32) -> HashFilter {
        let mut filter = HashFilter { bits: vec![0; Self::GROUPS] };
        for (hash, _) in counts.into_iter().filter(|&(_, count)| count >= least) {
            for (group, bit) in Self::places(hash) {
                filter.bits[group] |= bit;
            }
        }
        filter
    }

    /// True if the hash is in the set, and hardly ever otherwise.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        Self::places(hash).into_iter().all(|(group, bit)| self.bits[group] & bit != 0)
    }

    /// Two bits, neither from the low end of the hash, which says where a feature is in a table.
    #[inline]
    fn places(hash: u64) -> [(usize, u16); 2] {
        let place = |bits: u64| ((bits >> 4) as usize % Self::GROUPS, 1 << (bits & 15));
        [place(hash >> 40), place(hash >> 20)]
    }

    /// As numbers for a file, each of which has sixteen bits.
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        self.bits.iter().map(|&bits| f32::from(bits))
    }

    /// From the numbers of a file; bits that are missing are zero.
    pub fn of_numbers(numbers: impl Iterator<Item = f32>) -> HashFilter {
        let mut bits: Vec<u16> = numbers.map(|number| number as u16).collect();
        bits.resize(Self::GROUPS, 0);
        HashFilter { bits }
    }
}

/// The features and words of which something was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Features of characters and tokens.
    pub features: HashFilter,
    /// Words, also those inside multiword tokens.
    pub words: HashFilter,
}

impl Known {
    /// What occurs at least `least` times in a passage; no words unless they are wanted.
    pub fn count(passage: &Passage, least: u32, with_words: bool) -> Known {
        let mut words: HashMap<u64, u32> = HashMap::new();
        for token in passage.tokens.iter().filter(|_| with_words) {
            let form = passage.characters[token.span.clone()].iter().copied();
            match &token.words[..] {
                [] => *words.entry(word_hash(form)).or_default() += 1,
                inside => {
                    inside.iter().for_each(|word| *words.entry(word_hash(word.chars())).or_default() += 1);
                }
            }
        }
        let words = HashFilter::of_counts(words, least);
        let mut features: HashMap<u64, u32> = HashMap::new();
        let mut count =
            |hashes: &[u64]| hashes.iter().for_each(|&hash| *features.entry(hash).or_default() += 1);
        each_character(&passage.characters, &words, &mut count);
        for token in &passage.tokens {
            count(&token_hashes(&passage.characters[token.span.clone()], token.gap));
        }
        Known { features: HashFilter::of_counts(features, least), words }
    }
}
