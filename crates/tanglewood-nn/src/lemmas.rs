//! Lemmas: what was seen in a treebank, and scripts that make a lemma of any form.
//!
//! A script says what becomes of the ends of a form and of its case (compare Straka and Straková 2017). So
//! it applies to words that were never seen, and there are few of them: to say which one applies is to
//! classify.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tanglewood::conllu::{Column, Row};

use crate::pairs::PairNumbers;
use crate::vocabulary::{Names, text};

/// What a script does to the case of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterCase {
    /// All letters are lower case.
    Lower,
    /// Letters of the form stay as they are.
    Kept,
    /// The first letter is upper case, all others are lower case.
    Title,
}

impl LetterCase {
    const ALL: [LetterCase; 3] = [LetterCase::Lower, LetterCase::Kept, LetterCase::Title];

    fn sign(self) -> char {
        match self {
            LetterCase::Lower => 'l',
            LetterCase::Kept => 'k',
            LetterCase::Title => 't',
        }
    }
}

/// A letter in lower case, if that is a single character.
fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => letter,
    }
}

/// A letter in upper case, if that is a single character.
fn upper(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => letter,
    }
}

/// The script that makes this lemma of this form.
///
/// It is written as a sign for the case, then how many characters are cut off at the front and what takes
/// their place, then the same for the end: `l0||3|y` makes `fly` of `Flies`. Where form and lemma have
/// nothing in common it is `=` and the lemma.
pub fn script(form: &str, lemma: &str) -> String {
    script_by(form, lemma, LetterCase::ALL)
}

/// The script with the first letter case that does.
fn script_by(form: &str, lemma: &str, cases: [LetterCase; 3]) -> String {
    let whole = || format!("={lemma}");
    let letters: Vec<char> = form.chars().collect();
    let from: Vec<char> = letters.iter().copied().map(lower).collect();
    let to: Vec<char> = lemma.chars().map(lower).collect();
    let (start, place, length) = longest_common(&from, &to);
    if length == 0 || lemma.contains('|') {
        return whole();
    }
    let exact: Vec<char> = lemma.chars().collect();
    for case in cases {
        // Letters that are added are written as they are, where others are, too.
        let added = if case == LetterCase::Kept { &exact } else { &to };
        let text = |part: &[char]| part.iter().collect::<String>();
        let script = format!(
            "{}{}|{}|{}|{}",
            case.sign(),
            start,
            text(&added[..place]),
            letters.len() - start - length,
            text(&added[place + length..]),
        );
        if apply(&script, form).as_deref() == Some(lemma) {
            return script;
        }
    }
    whole()
}

/// What a script makes of a form; nothing if more would be cut off than there is.
pub fn apply(script: &str, form: &str) -> Option<String> {
    if let Some(lemma) = script.strip_prefix('=') {
        return Some(lemma.to_owned());
    }
    let case = LetterCase::ALL.into_iter().find(|case| script.starts_with(case.sign()))?;
    let mut parts = script[1..].split('|');
    let (cut_front, front) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let (cut_end, end) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let letters: Vec<char> = form.chars().collect();
    let kept = letters.get(cut_front..letters.len().checked_sub(cut_end)?)?;
    let kept = kept.iter().map(|&letter| if case == LetterCase::Kept { letter } else { lower(letter) });
    let mut lemma: String = front.chars().chain(kept).chain(end.chars()).collect();
    if case == LetterCase::Title {
        let mut letters = lemma.chars();
        let first = letters.next()?;
        lemma = std::iter::once(upper(first)).chain(letters).collect();
    }
    (!lemma.is_empty()).then_some(lemma)
}

/// Where the longest common part begins in either, and how long it is; the first of several.
fn longest_common(left: &[char], right: &[char]) -> (usize, usize, usize) {
    let mut best = (0, 0, 0);
    // Lengths of common parts that end before each place of `right`, for one place of `left` after another.
    let mut lengths = vec![0; right.len() + 1];
    for (at, letter) in left.iter().enumerate() {
        for place in (0..right.len()).rev() {
            lengths[place + 1] = if *letter == right[place] { lengths[place] + 1 } else { 0 };
            let length = lengths[place + 1];
            if length > best.2 {
                best = (at + 1 - length, place + 1 - length, length);
            }
        }
    }
    best
}

/// The lemma of a word, if it has one: `_` is one only for itself.
pub(crate) fn lemma_of<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    let lemma = text(row, Column::Lemma);
    (!lemma.is_empty() && (lemma != "_" || row.get(Column::Form) == b"_")).then_some(lemma)
}

/// A share of all occurrences that is as good as all of them.
const NEARLY_ALL: f64 = 0.9;

/// What letters become where more than one answer does, as with forms in lower case: what they become in
/// other words with the same UPOS. So names in upper case stay as they are although most lemmas are lower
/// case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CaseKeepers(BTreeSet<String>);

impl CaseKeepers {
    fn script(&self, form: &str, upos: &str, lemma: &str) -> String {
        let [lower, kept, title] = LetterCase::ALL;
        let cases = if self.0.contains(upos) { [kept, lower, title] } else { [lower, kept, title] };
        script_by(form, lemma, cases)
    }
}

/// Which script applies to a form that was seen with a certain UPOS, where that is nearly always the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Lexicon(PairNumbers);

/// The lemma scripts and the lexicon of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lemmas {
    /// All scripts, the most frequent first.
    pub scripts: Names,
    /// Number of scripts that the network chooses among.
    pub learned: usize,
    /// Lemmas of the forms that the training data have.
    lexicon: Lexicon,
    /// UPOS of words that keep their capital letters.
    keepers: CaseKeepers,
}

impl Lemmas {
    /// True if and only if there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty()
    }

    /// The lemma of a form that was seen with this UPOS, as it is or in lower case.
    pub fn known(&self, form: &str, upos: &str) -> Option<String> {
        let of = |form: &str| Some(self.lemma(form, [self.lexicon.0.get(form, upos)?]));
        of(form).or_else(|| of(&form.to_lowercase()))
    }

    /// The script that is right for a word, if a model can choose it.
    pub(crate) fn script_of(&self, row: &Row<'_>) -> Option<u32> {
        if self.learned == 0 {
            return None;
        }
        let (form, upos) = (text(row, Column::Form), text(row, Column::Upos));
        let script = self.keepers.script(&form, &upos, &lemma_of(row)?);
        self.scripts.number(&script).filter(|&number| (number as usize) < self.learned)
    }

    /// The lemma of a form by the best of some scripts that applies; the form itself if none does.
    pub fn lemma(&self, form: &str, scripts: impl IntoIterator<Item = u32>) -> String {
        let mut candidates = scripts.into_iter().filter(|&script| (script as usize) < self.scripts.len());
        let lemma = candidates.find_map(|script| apply(self.scripts.name(script), form));
        lemma.unwrap_or_else(|| form.to_owned())
    }
}

/// Counts forms, UPOS and lemmas.
#[derive(Default)]
pub(crate) struct LemmaCounts(BTreeMap<(String, String), BTreeMap<String, usize>>);

impl LemmaCounts {
    /// Another word, unless it has no lemma.
    pub fn add(&mut self, row: &Row<'_>) {
        if let Some(lemma) = lemma_of(row) {
            self.count(&text(row, Column::Form), &text(row, Column::Upos), &lemma);
        }
    }

    fn count(&mut self, form: &str, upos: &str, lemma: &str) {
        let lemmas = self.0.entry((form.to_owned(), upos.to_owned())).or_default();
        *lemmas.entry(lemma.to_owned()).or_default() += 1;
    }

    /// UPOS whose words keep their capital letters more often than not.
    fn keepers(&self) -> CaseKeepers {
        let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
        for ((form, upos), lemmas) in &self.0 {
            if form.chars().all(|letter| lower(letter) == letter) {
                continue;
            }
            for (lemma, &count) in lemmas {
                let kept = lemma.chars().any(|letter| lower(letter) != letter);
                *balance.entry(upos).or_default() += if kept { count as i64 } else { -(count as i64) };
            }
        }
        CaseKeepers(balance.iter().filter(|&(_, &sum)| sum > 0).map(|(upos, _)| (*upos).to_owned()).collect())
    }

    /// What is to be known of them. Scripts that occurred less often than `least` are for the lexicon only.
    pub fn finish(self, least: usize) -> Lemmas {
        let keepers = self.keepers();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut usual = Vec::new();
        for ((form, upos), lemmas) in &self.0 {
            let total: usize = lemmas.values().sum();
            for (lemma, &count) in lemmas {
                let script = keepers.script(form, upos, lemma);
                *counts.entry(script.clone()).or_default() += count;
                if count as f64 >= NEARLY_ALL * total as f64 {
                    usual.push((form, upos, script));
                }
            }
        }
        let mut order: Vec<(String, usize)> = counts.into_iter().collect();
        order.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        let learned = order.iter().filter(|&&(_, count)| count >= least).count().max(order.len().min(1));
        let scripts: Names = order.into_iter().map(|(script, _)| script).collect();
        // In the order of forms and UPOS, since the counts are.
        let number = |script: &str| scripts.number(script).unwrap_or(0);
        let entries = usual.iter().map(|(form, upos, script)| (&form[..], &upos[..], number(script)));
        let lexicon = Lexicon(entries.collect());
        Lemmas { scripts, learned, lexicon, keepers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_make_the_lemma_they_were_made_for() {
        let pairs = [
            ("dogs", "dog"),
            ("Flies", "fly"),
            ("went", "go"),
            ("was", "be"),
            ("London", "London"),
            ("BUSH", "Bush"),
            ("iPhones", "iPhone"),
            ("gegangen", "gehen"),
            ("İstanbul'da", "İstanbul"),
            ("x", "a|b"),
            ("|", "|"),
            ("ﬁ", "fi"),
            ("看", "看"),
            ("ΟΔΟΣ", "οδός"),
            ("", "a"),
            ("a", ""),
        ];
        for (form, lemma) in pairs {
            let made = apply(&script(form, lemma), form);
            assert_eq!(made.as_deref(), Some(lemma), "{form} {}", script(form, lemma));
        }
        assert_eq!(script("Flies", "fly"), "l0||3|y");
        assert_eq!(apply(&script("Flies", "fly"), "Tries").as_deref(), Some("try"));
        assert_eq!(apply("l0||3|y", "es"), None);
    }

    #[test]
    fn what_is_not_a_script_makes_nothing() {
        for wrong in ["", "z", "l", "l1", "l1|", "l9||0|", "lx||0|", "k0||0", "lé||0|"] {
            assert_eq!(apply(wrong, "form"), None, "{wrong}");
        }
    }

    #[test]
    fn a_lexicon_has_what_is_nearly_always_the_same() {
        let mut counts = LemmaCounts::default();
        (0..9).for_each(|_| counts.count("saw", "VERB", "see"));
        counts.count("saw", "NOUN", "saw");
        counts.count("left", "VERB", "leave");
        counts.count("left", "VERB", "left");
        let lemmas = counts.finish(2);
        assert_eq!(lemmas.known("saw", "VERB").as_deref(), Some("see"));
        assert_eq!(lemmas.known("SAW", "NOUN").as_deref(), Some("saw"));
        assert_eq!(lemmas.known("left", "VERB"), None);
        assert_eq!((lemmas.scripts.len(), lemmas.learned), (3, 2));
    }

    #[test]
    fn names_keep_their_capitals_if_names_do() {
        let mut counts = LemmaCounts::default();
        counts.count("Ann", "PROPN", "Ann");
        counts.count("Dogs", "NOUN", "dog");
        let keepers = counts.keepers();
        assert_eq!(keepers.script("a.com", "PROPN", "a.com"), "k0||0|");
        assert_eq!(keepers.script("dogs", "NOUN", "dog"), "l0||1|");
        // A form that was seen in lower case is lower case, whatever its capitals are for here.
        counts.count("anne", "PROPN", "anne");
        assert_eq!(counts.finish(1).known("Anne", "PROPN").as_deref(), Some("anne"));
    }
}
