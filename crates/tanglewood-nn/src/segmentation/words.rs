//! Where known words would fit into a text, wherever it is cut.

use super::characters::is_blank;
use super::features::{finish, folded, start, step};
use super::known::HashFilter;

/// Longer words are not looked for, in characters.
const LONGEST_WORD: usize = 10;

/// The lengths of the longest known words around the end of a character; 0 if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordsAround {
    /// Length of the longest known word that ends with the character.
    pub ending: u8,
    /// Length of the longest known word that begins after the character.
    pub starting: u8,
    /// Length of the longest known word that crosses the position after the character.
    pub across: u8,
}

/// All spellings of a character that make no difference to a word.
fn lower(character: char) -> u64 {
    folded(if character.is_ascii() {
        character.to_ascii_lowercase()
    } else {
        character.to_lowercase().next().unwrap_or(character)
    })
}

const KIND: u64 = 24;

/// The hash of a word.
pub fn word_hash(word: impl Iterator<Item = char>) -> u64 {
    finish(word.fold(start(KIND), |hash, character| step(hash, lower(character))))
}

/// What is known around each character of a text.
pub fn words_around(text: &[char], words: &HashFilter) -> Vec<WordsAround> {
    let mut around = vec![WordsAround::default(); text.len()];
    let letters: Vec<Option<u64>> =
        text.iter().map(|&character| (!is_blank(character)).then(|| lower(character))).collect();
    for first in 0..text.len() {
        let mut hash = start(KIND);
        let mut longest = 0;
        for (last, letter) in letters.iter().enumerate().skip(first).take(LONGEST_WORD) {
            let Some(letter) = letter else { break };
            hash = step(hash, *letter);
            if words.contains(finish(hash)) {
                longest = last + 1 - first;
                around[last].ending = around[last].ending.max(longest as u8);
            }
        }
        if first > 0 {
            around[first - 1].starting = longest as u8;
        }
        for inside in around.iter_mut().skip(first).take(longest.saturating_sub(1)) {
            inside.across = inside.across.max(longest as u8);
        }
    }
    around
}
