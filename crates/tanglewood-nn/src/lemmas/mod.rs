//! Lemmas: what was seen in a treebank or is given in a list, and scripts that make a lemma of any form.
//!
//! A script says what becomes of the ends of a form and of its case. So it applies to words that were never
//! seen, and there are few of them: to say which one applies is to classify.

mod list;
mod script;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tanglewood::conllu::{Column, Row};

pub use list::{LemmaList, LemmaListError};
use script::{LetterCase, apply, lower, script_by, upper};

use crate::pairs::PairNumbers;
use crate::vocabulary::{Names, text};

/// The lemma of a word, if it has one: `_` is one only for itself.
pub(crate) fn lemma_of<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    let lemma = text(row, Column::Lemma);
    (!lemma.is_empty() && (lemma != "_" || row.get(Column::Form) == b"_")).then_some(lemma)
}

/// A share of all occurrences that is as good as all of them.
const NEARLY_ALL: f64 = 0.9;

/// Number of different forms in upper case that say what becomes of the capitals of a class of words.
const ENOUGH: usize = 3;

/// UPOS and XPOS of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordClass<'t> {
    /// UPOS.
    pub upos: &'t str,
    /// XPOS.
    pub xpos: &'t str,
}

impl WordClass<'_> {
    /// UPOS and XPOS with a space between them. A UPOS has no space, so a pair is never taken for a UPOS.
    fn pair(self) -> String {
        format!("{} {}", self.upos, self.xpos)
    }
}

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

/// Pairs of UPOS and XPOS whose lemmas have a capital at the start if the form has one, such as those of
/// names and of adjectives within names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Capitals(BTreeSet<String>);

impl Capitals {
    /// The lemma as words of this class are written.
    fn restored(&self, form: &str, pair: &str, lemma: String) -> String {
        if self.0.contains(pair) { capitalised(form, lemma) } else { lemma }
    }
}

fn has_capital(text: &str) -> bool {
    text.chars().any(|letter| lower(letter) != letter)
}

/// The lemma with a capital at the start if the form has one.
fn capitalised(form: &str, lemma: String) -> String {
    let mut letters = lemma.chars();
    match (form.chars().next(), letters.next()) {
        (Some(of_form), Some(first)) if lower(of_form) != of_form => {
            std::iter::once(upper(first)).chain(letters).collect()
        }
        _ => lemma,
    }
}

/// Which script applies to a form that was seen with a certain UPOS, or with a certain UPOS and XPOS, where
/// that is nearly always the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Lexicon(PairNumbers);

/// The lemma scripts and the lexicon of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lemmas {
    /// All scripts, the most frequent first; behind them those that only a list has.
    pub scripts: Names,
    /// Number of scripts that the network chooses among.
    pub learned: usize,
    /// Lemmas of the forms that the training data or a list have.
    lexicon: Lexicon,
    /// UPOS of words that keep their capital letters.
    keepers: CaseKeepers,
    /// Classes of words that do so whatever the network says. Files of before this was learned have none.
    #[serde(default)]
    capitals: Capitals,
}

impl Lemmas {
    /// True if and only if there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty()
    }

    /// The lemma of a form that was seen with these tags, as it is or in lower case.
    pub fn known(&self, form: &str, class: WordClass<'_>) -> Option<String> {
        let pair = class.pair();
        let entry = |form: &str, tags: &str| Some(self.by_scripts(form, [self.lexicon.0.get(form, tags)?]));
        if let Some(lemma) = entry(form, &pair) {
            return Some(lemma);
        }
        let folded = || form.to_lowercase();
        let lemma = entry(form, class.upos)
            .or_else(|| entry(&folded(), &pair))
            .or_else(|| entry(&folded(), class.upos))?;
        Some(self.capitals.restored(form, &pair, lemma))
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
    pub fn lemma(&self, form: &str, class: WordClass<'_>, scripts: impl IntoIterator<Item = u32>) -> String {
        self.capitals.restored(form, &class.pair(), self.by_scripts(form, scripts))
    }

    fn by_scripts(&self, form: &str, scripts: impl IntoIterator<Item = u32>) -> String {
        let mut candidates = scripts.into_iter().filter(|&script| (script as usize) < self.scripts.len());
        let lemma = candidates.find_map(|script| apply(self.scripts.name(script), form));
        lemma.unwrap_or_else(|| form.to_owned())
    }

    /// The same scripts for the network to choose among, with the lexicon of other counts and another list.
    pub(crate) fn with_lexicon_of(&self, counts: &LemmaCounts, list: &LemmaList) -> Lemmas {
        let scripts = self.scripts.iter().map(str::to_owned).collect();
        counts.lexicon(list, self.keepers.clone(), scripts, self.learned)
    }
}

/// Counts forms, UPOS, XPOS and lemmas.
#[derive(Default)]
pub(crate) struct LemmaCounts(BTreeMap<String, FormCounts>);

/// How often a form had each lemma, by UPOS and XPOS.
type FormCounts = BTreeMap<(String, String), BTreeMap<String, usize>>;

impl LemmaCounts {
    /// Another word, unless it has no lemma.
    pub fn add(&mut self, row: &Row<'_>) {
        if let Some(lemma) = lemma_of(row) {
            let [form, upos, xpos] =
                [Column::Form, Column::Upos, Column::Xpos].map(|column| text(row, column));
            self.count(&form, WordClass { upos: &upos, xpos: &xpos }, &lemma);
        }
    }

    fn count(&mut self, form: &str, class: WordClass<'_>, lemma: &str) {
        let of_form = self.0.entry(form.to_owned()).or_default();
        let lemmas = of_form.entry((class.upos.to_owned(), class.xpos.to_owned())).or_default();
        *lemmas.entry(lemma.to_owned()).or_default() += 1;
    }

    /// All words that were counted.
    fn words(&self) -> impl Iterator<Item = (&str, WordClass<'_>, &str, usize)> {
        self.0.iter().flat_map(|(form, classes)| {
            classes.iter().flat_map(move |((upos, xpos), lemmas)| {
                lemmas.iter().map(move |(lemma, &count)| {
                    (form.as_str(), WordClass { upos, xpos }, lemma.as_str(), count)
                })
            })
        })
    }

    /// UPOS whose words keep their capital letters more often than not.
    fn keepers(&self) -> CaseKeepers {
        let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
        for (_, class, lemma, count) in self.words().filter(|(form, ..)| has_capital(form)) {
            let count = if has_capital(lemma) { count as i64 } else { -(count as i64) };
            *balance.entry(class.upos).or_default() += count;
        }
        CaseKeepers(balance.iter().filter(|&(_, &sum)| sum > 0).map(|(upos, _)| (*upos).to_owned()).collect())
    }

    /// Classes of which nearly all forms with a capital at the start have a lemma with one.
    fn capitals(&self) -> Capitals {
        let begins = |text: &str| text.chars().next().is_some_and(|first| lower(first) != first);
        // Numbers of forms, and of those that keep it.
        let mut forms: BTreeMap<WordClass<'_>, [usize; 2]> = BTreeMap::new();
        for (_, class, lemma, _) in self.words().filter(|(form, ..)| begins(form)) {
            let [all, kept] = forms.entry(class).or_default();
            *all += 1;
            *kept += usize::from(begins(lemma));
        }
        let nearly_all = forms
            .iter()
            .filter(|(_, [all, kept])| *all >= ENOUGH && *kept as f64 >= NEARLY_ALL * *all as f64);
        Capitals(nearly_all.map(|(class, _)| class.pair()).collect())
    }

    /// What is to be known of them. Scripts that occurred less often than `least` are for the lexicon only.
    pub fn finish(self, least: usize) -> Lemmas {
        let keepers = self.keepers();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (form, class, lemma, count) in self.words() {
            *counts.entry(keepers.script(form, class.upos, lemma)).or_default() += count;
        }
        let mut order: Vec<(String, usize)> = counts.into_iter().collect();
        order.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        let learned = order.iter().filter(|&&(_, count)| count >= least).count().max(order.len().min(1));
        let scripts = order.into_iter().map(|(script, _)| script).collect();
        self.lexicon(&LemmaList::default(), keepers, scripts, learned)
    }

    /// Lemmas with these scripts, of which the network chooses among the first `learned`; those that are
    /// missing for the lexicon come behind them.
    fn lexicon(
        &self,
        list: &LemmaList,
        keepers: CaseKeepers,
        mut scripts: Vec<String>,
        learned: usize,
    ) -> Lemmas {
        let capitals = self.capitals();
        // By form, and then by UPOS, or by UPOS and XPOS.
        let mut entries: BTreeMap<(&str, String), String> = BTreeMap::new();
        for (form, classes) in &self.0 {
            let mut of_upos: BTreeMap<&str, Vec<LemmaCount<'_>>> = BTreeMap::new();
            for ((upos, xpos), lemmas) in classes {
                let class = WordClass { upos, xpos };
                let of_class = lemmas.iter().map(|(lemma, &count)| LemmaCount { class, lemma, count });
                of_upos.entry(upos).or_default().extend(of_class);
            }
            for (upos, lemmas) in of_upos {
                let script = |lemma: &str| keepers.script(form, upos, lemma);
                let of_all = usual(&lemmas);
                if let Some(lemma) = of_all {
                    entries.insert((form, upos.to_owned()), script(lemma));
                }
                for same in lemmas.chunk_by(|one, next| one.class == next.class) {
                    let pair = same[0].class.pair();
                    // What would come out otherwise.
                    let otherwise = of_all.map(|lemma| capitals.restored(form, &pair, lemma.to_owned()));
                    if let Some(lemma) = usual(same).filter(|&lemma| otherwise.as_deref() != Some(lemma)) {
                        entries.insert((form, pair), script(lemma));
                    }
                }
            }
        }
        for (form, upos, lemma) in list.entries() {
            let seen = self.0.get(form).is_some_and(|classes| classes.keys().any(|(other, _)| other == upos));
            if !seen {
                entries.insert((form, upos.to_owned()), keepers.script(form, upos, lemma));
            }
        }
        let mut numbers: BTreeMap<String, u32> =
            scripts.iter().enumerate().map(|(number, script)| (script.clone(), number as u32)).collect();
        let lexicon = entries.iter().map(|((form, tags), script)| {
            let number = *numbers.entry(script.clone()).or_insert_with(|| {
                scripts.push(script.clone());
                scripts.len() as u32 - 1
            });
            (*form, tags.as_str(), number)
        });
        let lexicon = Lexicon(lexicon.collect());
        Lemmas { scripts: scripts.into_iter().collect(), learned, lexicon, keepers, capitals }
    }
}

/// How often a form had a lemma with certain tags.
struct LemmaCount<'c> {
    class: WordClass<'c>,
    lemma: &'c str,
    count: usize,
}

/// The lemma that nearly all have.
fn usual<'c>(lemmas: &[LemmaCount<'c>]) -> Option<&'c str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    lemmas.iter().for_each(|of| *counts.entry(of.lemma).or_default() += of.count);
    let total: usize = counts.values().sum();
    let nearly_all = |&(_, count): &(&str, usize)| count as f64 >= NEARLY_ALL * total as f64;
    counts.into_iter().find(nearly_all).map(|(lemma, _)| lemma)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn class<'t>(upos: &'t str, xpos: &'t str) -> WordClass<'t> {
        WordClass { upos, xpos }
    }

    const NOUN: WordClass<'_> = class("NOUN", "NN");
    const VERB: WordClass<'_> = class("VERB", "VBD");
    const NAME: WordClass<'_> = class("PROPN", "NNP");

    fn counts(words: &[(&str, WordClass<'_>, &str)]) -> LemmaCounts {
        let mut counts = LemmaCounts::default();
        words.iter().for_each(|&(form, class, lemma)| counts.count(form, class, lemma));
        counts
    }

    #[test]
    fn a_lexicon_has_what_is_nearly_always_the_same() {
        let mut words = vec![("saw", VERB, "see"); 9];
        words.extend([("saw", NOUN, "saw"), ("left", VERB, "leave"), ("left", VERB, "left")]);
        let lemmas = counts(&words).finish(2);
        assert_eq!(lemmas.known("saw", VERB).as_deref(), Some("see"));
        assert_eq!(lemmas.known("saw", class("VERB", "VBN")).as_deref(), Some("see"));
        assert_eq!(lemmas.known("SAW", NOUN).as_deref(), Some("saw"));
        assert_eq!(lemmas.known("left", VERB), None);
        assert_eq!((lemmas.scripts.len(), lemmas.learned), (3, 2));
    }

    #[test]
    fn xpos_tells_lemmas_apart_where_upos_does_not() {
        let (past, base) = (class("VERB", "VBD"), class("VERB", "VB"));
        let words = [("found", past, "find"), ("found", base, "found"), ("found", past, "find")];
        let lemmas = counts(&words).finish(1);
        assert_eq!(lemmas.known("found", past).as_deref(), Some("find"));
        assert_eq!(lemmas.known("Found", base).as_deref(), Some("found"));
        assert_eq!(lemmas.known("found", class("VERB", "VBG")), None);
    }

    #[test]
    fn names_keep_their_capitals_if_names_do() {
        let words = [("Ann", NAME, "Ann"), ("Dogs", NOUN, "dog"), ("anne", NAME, "anne")];
        let counts = counts(&words);
        let keepers = counts.keepers();
        assert_eq!(keepers.script("a.com", "PROPN", "a.com"), "k0||0|");
        assert_eq!(keepers.script("dogs", "NOUN", "dog"), "l0||1|");
        // One name is not enough to say what becomes of the others.
        assert_eq!(counts.finish(1).known("Anne", NAME).as_deref(), Some("anne"));
    }

    #[test]
    fn adjectives_of_names_keep_their_capitals_though_others_do_not() {
        let (plain, of_name) = (class("ADJ", "JJ"), class("ADJ", "NNP"));
        let mut words = vec![("New", plain, "new"); 5];
        words.extend(["United", "Grand", "Second"].map(|form| (form, of_name, form)));
        words.extend([("great", plain, "great"), ("Old", plain, "old")]);
        let lemmas = counts(&words).finish(1);
        for (form, lemma) in [("New", "New"), ("Great", "Great"), ("Old", "Old"), ("great", "great")] {
            assert_eq!(lemmas.known(form, of_name).as_deref(), Some(lemma));
            assert_eq!(lemmas.known(form, plain), Some(lemma.to_lowercase()));
        }
        let lower = lemmas.scripts.number("l0||0|").expect("the most frequent script");
        assert_eq!(lemmas.lemma("National", of_name, [lower]), "National");
        assert_eq!(lemmas.lemma("National", plain, [lower]), "national");
    }

    #[test]
    fn a_list_has_lemmas_of_forms_that_the_treebank_lacks() {
        let list = "sang\tVERB\tsing\nsaw\tVERB\tsaw\nsung\tVERB\tsing\nsung\tVERB\tsung\n";
        let list = LemmaList::read(list.as_bytes()).expect("a list");
        let words = [("saw", VERB, "see"), ("walked", VERB, "walk")];
        let lemmas = counts(&words).finish(1).with_lexicon_of(&counts(&words), &list);
        assert_eq!(lemmas.known("sang", VERB).as_deref(), Some("sing"));
        assert_eq!(lemmas.known("Sang", VERB).as_deref(), Some("sing"));
        assert_eq!(lemmas.known("sang", NOUN), None);
        assert_eq!(lemmas.known("saw", VERB).as_deref(), Some("see"));
        assert_eq!(lemmas.known("sung", VERB), None);
        // The network chooses among the scripts of the treebank, with a list and without.
        assert_eq!((lemmas.scripts.len(), lemmas.learned), (3, 2));
    }
}
