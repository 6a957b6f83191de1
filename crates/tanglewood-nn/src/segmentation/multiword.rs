//! Multiword tokens and the words they stand for: a lexicon, and rules for tokens that are not in it.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use tanglewood::shown::Quoted;

use crate::vocabulary::fits_column;

/// Endings of up to this many characters tell rules apart.
const LONGEST_ENDING: usize = 4;

/// A part of a multiword token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TokenPart {
    /// Length in characters.
    pub length: usize,
    /// The words it stands for, in lower case; none if it is a word as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// What is known of a form in lower case that was a multiword token at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LexiconEntry {
    parts: Vec<TokenPart>,
    /// How often it was a multiword token, and how often not.
    counts: [u32; 2],
}

/// What becomes of the end of a part: characters that are cut off, and what takes their place. A space is
/// between two words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct EndingEdit {
    cut: usize,
    add: String,
}

/// How multiword tokens are split.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Multiwords {
    lexicon: BTreeMap<String, LexiconEntry>,
    /// Edits by the part's place, `<`, `-` or `>` for first, middle and last, followed by its ending.
    rules: BTreeMap<String, EndingEdit>,
}

impl Multiwords {
    /// Whether all words can stand in a column of CoNLL-U.
    pub(super) fn check(&self) -> Result<(), String> {
        let parts = self.lexicon.values().flat_map(|entry| &entry.parts);
        let words = parts.flat_map(|part| &part.words).filter(|word| !fits_column(word));
        // What is added to a word may be nothing.
        let added =
            self.rules.values().map(|edit| &edit.add).filter(|add| !add.is_empty() && !fits_column(add));
        match words.chain(added).next() {
            Some(word) => Err(format!("{} is no word", Quoted(word.as_bytes()))),
            None => Ok(()),
        }
    }

    /// Learns from all tokens of a treebank: their forms, and their words if they are multiword tokens.
    pub fn learn<'t>(tokens: impl Iterator<Item = (&'t str, &'t [String])> + Clone) -> Multiwords {
        let mut seen: HashMap<String, BTreeMap<Vec<TokenPart>, u32>> = HashMap::new();
        for (form, words) in tokens.clone().filter(|(_, words)| words.len() > 1) {
            *seen.entry(form.to_lowercase()).or_default().entry(parts_of(form, words)).or_default() += 1;
        }
        let mut lexicon = BTreeMap::new();
        let mut edits: HashMap<String, BTreeMap<EndingEdit, u32>> = HashMap::new();
        for (form, ways) in seen {
            // Ties go to the first in order, whatever the order of hashing.
            let most = ways.values().copied().max().unwrap_or(0);
            let parts = ways.iter().find(|&(_, &count)| count == most).map(|(parts, _)| parts.clone());
            let counts = [ways.values().sum(), 0];
            for (parts, &count) in &ways {
                count_edits(&form, parts, count, &mut edits);
            }
            lexicon.insert(form, LexiconEntry { parts: parts.unwrap_or_default(), counts });
        }
        for (form, _) in tokens.filter(|(_, words)| words.len() < 2) {
            if let Some(entry) = lexicon.get_mut(&form.to_lowercase()) {
                entry.counts[1] += 1;
            }
        }
        Multiwords { lexicon, rules: rules(edits) }
    }

    /// True if there are any multiword tokens.
    pub fn exist(&self) -> bool {
        !self.lexicon.is_empty()
    }

    /// The words of a token; none if it is a single word. `likely` says whether the network takes it for a
    /// multiword token, and `ends` has the ends of words inside it, in characters, which matter if it is not
    /// in the lexicon.
    pub fn split(&self, form: &[char], likely: bool, ends: &[usize]) -> Vec<String> {
        if self.lexicon.is_empty() {
            return Vec::new();
        }
        let lower: String = form.iter().flat_map(|character| character.to_lowercase()).collect();
        let words = match self.lexicon.get(&lower) {
            Some(LexiconEntry { parts, counts: [multiword, single] }) => {
                if !likely && (*single > 0 || *multiword < 2) {
                    return Vec::new();
                }
                let mut start = 0;
                let mut words = Vec::new();
                for part in parts {
                    // Lower case may be longer than the form itself.
                    let end = part.length.saturating_add(start).min(form.len());
                    let piece = &form[start..end];
                    start = end;
                    if part.words.is_empty() {
                        words.extend((!piece.is_empty()).then(|| piece.iter().collect()));
                    } else {
                        words.extend(with_case(piece, form, &part.words));
                    }
                }
                words
            }
            None if likely => self.split_by_rules(form, ends),
            None => return Vec::new(),
        };
        if words.len() < 2 { Vec::new() } else { words }
    }

    fn split_by_rules(&self, form: &[char], ends: &[usize]) -> Vec<String> {
        let mut words = Vec::new();
        let mut start = 0;
        for &end in ends.iter().filter(|&&end| end < form.len()).chain([&form.len()]) {
            let piece = &form[start..end];
            let lower: Vec<char> = piece.iter().flat_map(|character| character.to_lowercase()).collect();
            let place = place(start == 0, end == form.len());
            start = end;
            let edit = (0..=LONGEST_ENDING.min(lower.len()))
                .rev()
                .find_map(|length| self.rules.get(&key(place, &lower, length)));
            match edit {
                Some(EndingEdit { cut, add }) if *cut > 0 || !add.is_empty() => {
                    let mut edited: String = lower[..lower.len().saturating_sub(*cut)].iter().collect();
                    edited.push_str(add);
                    let edited: Vec<String> = edited.split(' ').map(str::to_owned).collect();
                    words.extend(with_case(piece, form, &edited).filter(|word| !word.is_empty()));
                }
                _ => words.push(piece.iter().collect()),
            }
        }
        words
    }
}

/// Words in lower case as they are written in place of a piece of a token.
fn with_case<'w>(
    piece: &[char],
    token: &[char],
    words: &'w [String],
) -> impl Iterator<Item = String> + use<'w> {
    let upper = |form: &[char]| {
        let mut letters = form.iter().filter(|character| character.is_alphabetic()).peekable();
        letters.peek().is_some() && letters.all(|character| character.is_uppercase())
    };
    let all_upper = token.len() > 1 && upper(token);
    let first_upper = piece.first().is_some_and(|character| character.is_uppercase());
    words.iter().enumerate().map(move |(at, word)| match (all_upper, first_upper && at == 0) {
        (true, _) => word.to_uppercase(),
        (false, true) => {
            let mut characters = word.chars();
            characters.next().into_iter().flat_map(char::to_uppercase).chain(characters.clone()).collect()
        }
        (false, false) => word.clone(),
    })
}

/// Cuts a token so that each part looks like its words as much as possible.
///
/// The cut has the least sum of edit distances between words and their stretches of the token. A word that
/// nothing is left for joins the part before it, or the one after it at the start.
pub fn parts_of(form: &str, words: &[String]) -> Vec<TokenPart> {
    let characters: Vec<char> = form.chars().collect();
    let lower: Vec<String> = characters.iter().map(|character| character.to_lowercase().collect()).collect();
    let lower_words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let n = characters.len();
    // best[end] is the least cost of the words so far over the first `end` characters; from[word][end] is
    // where that word begins.
    let mut best = vec![usize::MAX; n + 1];
    best[0] = 0;
    let mut from = vec![vec![0; n + 1]; words.len()];
    for (at, word) in lower_words.iter().enumerate() {
        let mut next = vec![usize::MAX; n + 1];
        for start in (0..=n).filter(|&start| best[start] < usize::MAX) {
            for end in start..=n {
                let cost = best[start] + distance(&lower[start..end].concat(), word);
                if cost < next[end] {
                    next[end] = cost;
                    from[at][end] = start;
                }
            }
        }
        best = next;
    }
    let mut spans = Vec::new();
    let mut end = n;
    for at in (0..words.len()).rev() {
        spans.push((from[at][end], end, lower_words[at].clone()));
        end = from[at][end];
    }
    spans.reverse();
    let mut parts: Vec<TokenPart> = Vec::new();
    for (start, end, word) in spans {
        match parts.last_mut() {
            Some(last) if start == end || last.length == 0 => {
                last.length += end - start;
                last.words.push(word);
            }
            _ => parts.push(TokenPart { length: end - start, words: vec![word] }),
        }
    }
    let mut start = 0;
    for part in &mut parts {
        let piece = lower[start..start + part.length].concat();
        start += part.length;
        if part.words == [piece] {
            part.words.clear();
        }
    }
    parts
}

/// The edit distance (Levenshtein 1966).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, character) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, &other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(character != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

fn place(first: bool, last: bool) -> char {
    if first {
        '<'
    } else if last {
        '>'
    } else {
        '-'
    }
}

fn key(place: char, piece: &[char], length: usize) -> String {
    std::iter::once(place).chain(piece[piece.len() - length..].iter().copied()).collect()
}

fn count_edits(
    form: &str,
    parts: &[TokenPart],
    count: u32,
    edits: &mut HashMap<String, BTreeMap<EndingEdit, u32>>,
) {
    let characters: Vec<char> = form.chars().collect();
    let mut start = 0;
    for part in parts {
        let end = (start + part.length).min(characters.len());
        let piece = &characters[start..end];
        let place = place(start == 0, end == characters.len());
        start = end;
        let edit = if part.words.is_empty() {
            EndingEdit { cut: 0, add: String::new() }
        } else {
            let words: Vec<char> = part.words.join(" ").chars().collect();
            let common = piece.iter().zip(&words).take_while(|(left, right)| left == right).count();
            EndingEdit { cut: piece.len() - common, add: words[common..].iter().collect() }
        };
        for length in 0..=LONGEST_ENDING.min(piece.len()) {
            *edits.entry(key(place, piece, length)).or_default().entry(edit.clone()).or_default() += count;
        }
    }
}

/// The most frequent edit for each ending, without those that a shorter ending implies.
fn rules(edits: HashMap<String, BTreeMap<EndingEdit, u32>>) -> BTreeMap<String, EndingEdit> {
    let best: BTreeMap<String, EndingEdit> = edits
        .into_iter()
        .filter_map(|(key, edits)| {
            let most = edits.values().copied().max()?;
            let (edit, _) = edits.into_iter().find(|&(_, count)| count == most)?;
            Some((key, edit))
        })
        .collect();
    let implied = |key: &str, edit: &EndingEdit| {
        let mut characters = key.chars();
        let place = characters.next();
        // The next shorter ending, which is there if this one is.
        let shorter: String = place.into_iter().chain(characters.skip(1)).collect();
        shorter != key && best.get(&shorter) == Some(edit)
    };
    best.iter()
        .filter(|(key, edit)| !implied(key, edit))
        .map(|(key, edit)| (key.clone(), edit.clone()))
        .collect()
}
