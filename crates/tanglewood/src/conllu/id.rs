//! Token ids.

use std::fmt;

/// The first column of a token line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// A word: `3`.
    Word(u32),
    /// A multiword token that spans several words: `3-4`.
    Range(u32, u32),
    /// An empty node of the enhanced graph: `3.1`.
    Empty(u32, u32),
}

impl Id {
    /// Reads an id; none if it is not well-formed. Numbers have no leading zeros; only empty nodes may start
    /// with 0.
    pub fn parse(text: &[u8]) -> Option<Id> {
        match text.iter().position(|byte| !byte.is_ascii_digit()) {
            None => number(text).filter(|&word| word > 0).map(Id::Word),
            Some(at) => {
                let (first, second) = (number(&text[..at])?, number(&text[at + 1..])?);
                match text[at] {
                    b'-' if first > 0 => Some(Id::Range(first, second)),
                    b'.' if second > 0 => Some(Id::Empty(first, second)),
                    _ => None,
                }
            }
        }
    }
}

/// A decimal number without sign or leading zeros, below 10^9.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 9 || (text[0] == b'0' && text.len() > 1) {
        return None;
    }
    let mut value = 0;
    for &byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u32::from(digit);
    }
    Some(value)
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Word(word) => write!(f, "{word}"),
            Id::Range(first, last) => write!(f, "{first}-{last}"),
            Id::Empty(word, place) => write!(f, "{word}.{place}"),
        }
    }
}
