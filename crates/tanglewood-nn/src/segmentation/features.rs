//! What is known of a character or a token before anything is computed: hashed features.
//!
//! Models depend on every number here: none may change.

use std::sync::Arc;

use super::characters::is_blank;
use super::known::{HashFilter, Known};
use super::words::{WordsAround, words_around};
use crate::layers::Bags;

/// Runs of characters between blanks are known as a whole up to this length.
const LONGEST_RUN: usize = 24;

/// Number of characters at the start of a token that its features depend on.
const LONGEST_FORM: usize = 32;

/// How far away a character can be that matters to the features of a character.
pub const CHARACTER_REACH: usize = LONGEST_RUN + 1;

/// FNV-1a (Fowler, Noll and Vo) over numbers, with the high bits mixed into the low ones.
fn hash(kind: u64, values: impl Iterator<Item = u64>) -> u64 {
    finish(values.fold(start(kind), step))
}

/// Begins a hash.
pub(super) fn start(kind: u64) -> u64 {
    step(0xCBF2_9CE4_8422_2325, kind)
}

/// Adds a number.
#[inline]
pub(super) fn step(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01B3)
}

/// Ends a hash.
#[inline]
pub(super) fn finish(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash ^ (hash >> 29)
}

/// All digits are alike, and so are all line ends.
pub(super) fn folded(character: char) -> u64 {
    match character {
        '0'..='9' => u64::from('0'),
        '\r' => u64::from('\n'),
        _ if character.is_ascii() => u64::from(character),
        _ if character.is_numeric() => u64::from('0'),
        _ => u64::from(character),
    }
}

/// The kind of a character.
fn class(character: char) -> u64 {
    match character {
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '0'..='9' => 3,
        '\n' | '\r' => 4,
        ' ' => 5,
        '.' => 6,
        '!' | '?' => 7,
        ',' | ';' | ':' => 8,
        '\'' | '’' => 9,
        '-' => 10,
        '"' | '“' | '”' => 11,
        '(' | '[' | '{' => 12,
        ')' | ']' | '}' => 13,
        _ if character.is_ascii() => 14,
        _ if is_blank(character) => 5,
        _ if character.is_lowercase() => 1,
        _ if character.is_uppercase() => 2,
        _ if character.is_numeric() => 3,
        '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}' => 15,
        '\u{3040}'..='\u{30FF}' => 16,
        _ if character.is_alphabetic() => 17,
        '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}' => 18,
        _ => 19,
    }
}

/// Calls `visit` with the hashed features of each character, frequent ones first.
pub(super) fn each_character(text: &[char], words: &HashFilter, mut visit: impl FnMut(&[u64])) {
    let around = words_around(text, words);
    let folded: Vec<u64> = text.iter().map(|&character| folded(character)).collect();
    let classes: Vec<u64> = text.iter().map(|&character| class(character)).collect();
    // Beyond the ends there is nothing, which is 0.
    let at = |values: &[u64], index: usize, offset: isize| {
        index.checked_add_signed(offset).and_then(|index| values.get(index)).copied().unwrap_or(0)
    };
    let ngram = |kind: u64, index: usize, from: isize, to: isize| {
        hash(kind, (from..=to).map(|offset| at(&folded, index, offset)))
    };
    let (mut run, mut run_end, mut run_hash) = (0, 0, None);
    for index in 0..text.len() {
        let alone = hash(1, std::iter::once(u64::from(text[index])));
        if is_blank(text[index]) {
            visit(&[alone, ngram(2, index, 0, 1)]);
            continue;
        }
        if index >= run_end {
            run = index;
            run_end = text[index..]
                .iter()
                .take(LONGEST_RUN + 1)
                .position(|&character| is_blank(character))
                .map_or(text.len().min(index + LONGEST_RUN + 1), |length| index + length);
            let whole = run_end - run <= LONGEST_RUN && (run == 0 || is_blank(text[run - 1]));
            run_hash = whole.then(|| hash(7, folded[run..run_end].iter().copied()));
        }
        let WordsAround { ending, starting, across } = around[index];
        let features = [
            alone,
            hash(6, (-3..=3).map(|offset| at(&classes, index, offset))),
            ngram(2, index, 0, 1),
            ngram(3, index, -1, 1),
            ngram(4, index, -1, 2),
            hash(21, [u64::from(ending), u64::from(across)].into_iter()),
            hash(22, [u64::from(starting), u64::from(across)].into_iter()),
            hash(23, [u64::from(ending), u64::from(starting), u64::from(across)].into_iter()),
            run_hash.map_or(0, |run_hash| hash(8, [run_hash, (index - run) as u64].into_iter())),
        ];
        visit(&features[..features.len() - usize::from(run_hash.is_none())]);
    }
}

/// Features of every character of a piece of text. In training, `hide` says of each that is rare by nature
/// whether it is left out, so that much is learned from the others, too.
pub fn of_characters(text: &[char], space: &FeatureSpace, mut hide: impl FnMut() -> bool) -> Bags {
    const FREQUENT: usize = 3;
    let mut bags = Bags::default();
    each_character(text, &space.known.words, |hashes| {
        let ids = hashes.iter().enumerate().filter(|&(at, _)| at < FREQUENT || !hide());
        bags.push(ids.filter_map(|(_, &hash)| space.id(hash)));
    });
    bags
}

/// Where features are among the rows of a table. Only those that are known have a place: of others nothing
/// was learned.
#[derive(Clone, Debug)]
pub struct FeatureSpace {
    /// Number of rows.
    pub buckets: usize,
    known: Arc<Known>,
}

impl FeatureSpace {
    /// A table of `buckets` rows.
    pub fn new(buckets: usize, known: Arc<Known>) -> FeatureSpace {
        FeatureSpace { buckets, known }
    }

    #[inline]
    fn id(&self, hash: u64) -> Option<u32> {
        self.known.features.contains(hash).then(|| (hash % self.buckets as u64) as u32)
    }
}

/// Kinds of gaps between a token and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// Nothing.
    Nothing,
    /// One space.
    Space,
    /// Other blanks without a line end.
    Blanks,
    /// A line end.
    Line,
    /// A blank line.
    BlankLine,
    /// The end of the text.
    End,
}

impl GapKind {
    /// The kind of a gap that another token follows.
    pub fn of(gap: impl Iterator<Item = char>) -> GapKind {
        let (mut characters, mut lines, mut after_return, mut plain) = (0, 0, false, true);
        for character in gap {
            characters += 1;
            plain &= character == ' ';
            lines += usize::from(character == '\r' || (character == '\n' && !after_return));
            after_return = character == '\r';
        }
        match (characters, lines) {
            (0, _) => GapKind::Nothing,
            (1, 0) if plain => GapKind::Space,
            (_, 0) => GapKind::Blanks,
            (_, 1) => GapKind::Line,
            _ => GapKind::BlankLine,
        }
    }
}

/// Number of features of a token.
pub(super) const TOKEN_FEATURES: usize = 9;

/// What stands in place of a feature that is not known.
const UNKNOWN: u32 = u32::MAX;

/// The hashed features of a token; the last is its form.
pub(super) fn token_hashes(form: &[char], gap: GapKind) -> [u64; TOKEN_FEATURES] {
    let form = &form[..form.len().min(LONGEST_FORM)];
    let lower: Vec<u64> = form.iter().flat_map(|character| character.to_lowercase()).map(folded).collect();
    let ends = |kind: u64, length: usize| {
        let suffix = &lower[lower.len().saturating_sub(length)..];
        hash(kind, suffix.iter().copied())
    };
    let starts = |kind: u64, length: usize| hash(kind, lower[..lower.len().min(length)].iter().copied());
    let mut classes: Vec<u64> = form.iter().map(|&character| class(character)).collect();
    classes.dedup();
    let gap = gap as u64;
    let last = form.last().map_or(0, |&character| class(character));
    [
        hash(10, classes.into_iter()),
        hash(11, std::iter::once(gap)),
        hash(12, [last, gap].into_iter()),
        hash(13, std::iter::once(form.len().min(12) as u64)),
        starts(14, 2),
        starts(15, 4),
        ends(16, 2),
        ends(17, 3),
        hash(18, lower.iter().copied()),
    ]
}

/// The features of a token.
#[derive(Clone, Copy, Debug)]
pub struct TokenFeatures([u32; TOKEN_FEATURES]);

impl TokenFeatures {
    /// Of a token with this form that this gap follows.
    pub fn new(form: &[char], gap: GapKind, space: &FeatureSpace) -> TokenFeatures {
        TokenFeatures(token_hashes(form, gap).map(|hash| space.id(hash).unwrap_or(UNKNOWN)))
    }

    /// Those that are known, with or without the form as a whole.
    pub fn known(&self, with_form: bool) -> impl Iterator<Item = u32> + use<> {
        let count = TOKEN_FEATURES - usize::from(!with_form);
        self.0.into_iter().take(count).filter(|&id| id != UNKNOWN)
    }
}
