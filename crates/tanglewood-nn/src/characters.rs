//! A word as a bag of character n-grams (Bojanowski et al. 2017).
//!
//! The sum of a few rows of a table costs next to nothing beside a recurrent network over characters, and
//! knows as well what a word ends with, which is most of what a parser wants to know about an unknown word.
//! N-grams are hashed: nothing has to be stored for them, and any script will do.

/// Shorter n-grams say little, longer ones are rare.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=5;

/// Of a longer word only this number of characters is read, half of them at either end.
const LONGEST: usize = 40;

/// A form as words are looked up: in lower case, with all digits alike.
pub fn normalised(form: &str) -> String {
    form.chars().flat_map(char::to_lowercase).map(|c| if c.is_numeric() { '0' } else { c }).collect()
}

/// The buckets of a form's n-grams and of its shape.
pub fn ngrams(form: &str, normalised: &str, buckets: usize) -> Vec<u32> {
    let mut characters: Vec<char> = Vec::with_capacity(normalised.len() + 2);
    characters.push('<');
    characters.extend(normalised.chars());
    characters.push('>');
    if characters.len() > LONGEST {
        characters.drain(LONGEST / 2..characters.len() - LONGEST / 2);
    }
    let bucket = |hash: u64| (hash % buckets as u64) as u32;
    let mut found = vec![bucket(hash(0, shape(form)))];
    for length in LENGTHS {
        found.extend(
            characters.windows(length).map(|ngram| bucket(hash(length as u64, ngram.iter().copied()))),
        );
    }
    found
}

/// What is lost when a form is normalised: `Xx` for `Ann`, `X` for `USA`, `d.d` for `3.14`. Runs of the same
/// kind count once.
fn shape(form: &str) -> impl Iterator<Item = char> {
    let mut last = None;
    form.chars().take(LONGEST).filter_map(move |c| {
        let kind = if c.is_uppercase() {
            'X'
        } else if c.is_alphabetic() {
            'x'
        } else if c.is_numeric() {
            'd'
        } else {
            c
        };
        (last.replace(kind) != Some(kind)).then_some(kind)
    })
}

/// FNV-1a over characters (Fowler, Noll and Vo), with the high bits mixed into the low ones. Models depend on
/// it: it must never change.
fn hash(kind: u64, characters: impl Iterator<Item = char>) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let mut hash = (0xCBF2_9CE4_8422_2325 ^ kind).wrapping_mul(PRIME);
    for character in characters {
        hash = (hash ^ u64::from(character)).wrapping_mul(PRIME);
    }
    hash ^ (hash >> 32)
}
