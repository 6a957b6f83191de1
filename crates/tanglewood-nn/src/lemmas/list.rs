//! A list of lemmas, for forms that a treebank lacks.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use tanglewood::shown::Quoted;

use crate::vocabulary::fits_column;

/// The longest line that is read.
const LONGEST_LINE: usize = 10_000;

/// Forms with their UPOS and lemmas.
///
/// What a treebank says of a form with this UPOS counts more. A form that has several lemmas with one UPOS is
/// passed over, so that the network decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LemmaList(BTreeMap<(String, String), Option<String>>);

/// Why a list cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LemmaListError {
    /// The source failed.
    #[error("1:1: cannot read the list: {0}")]
    Io(#[from] io::Error),
    /// A line that is not an entry.
    #[error("{line}:1: found {found}; expected a form, its UPOS and its lemma, separated by tabs")]
    Line {
        /// Number of the line, counted from 1.
        line: usize,
        /// What it is.
        found: String,
    },
}

impl LemmaList {
    /// Reads one entry from each line: form, UPOS and lemma, separated by tabs. Empty lines, and those that
    /// begin with `# `, are passed over.
    ///
    /// ```
    /// let list = tanglewood_nn::LemmaList::read("fled\tVERB\tflee\n".as_bytes())?;
    /// assert_eq!(list.len(), 1);
    /// # Ok::<(), tanglewood_nn::LemmaListError>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, or a line is not an entry.
    pub fn read(mut input: impl BufRead) -> Result<LemmaList, LemmaListError> {
        let mut list = LemmaList::default();
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            if io::Read::take(&mut input, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let wrong = |found: String| LemmaListError::Line { line, found };
            if bytes.len() > LONGEST_LINE {
                return Err(wrong(format!("a line of more than {LONGEST_LINE} bytes")));
            }
            let text =
                std::str::from_utf8(&bytes).map_err(|_| wrong("bytes that are not UTF-8".to_owned()))?;
            let text = text.trim_end_matches(['\n', '\r']);
            if text.is_empty() || text.starts_with("# ") {
                continue;
            }
            let columns: Vec<&str> = text.split('\t').collect();
            match columns[..] {
                [form, upos, lemma] if [form, upos, lemma].into_iter().all(fits_column) => {
                    list.add(form, upos, lemma);
                }
                [_, _, _] => return Err(wrong("an empty column".to_owned())),
                _ => return Err(wrong(Quoted(text.as_bytes()).to_string())),
            }
        }
        Ok(list)
    }

    fn add(&mut self, form: &str, upos: &str, lemma: &str) {
        let entry = self.0.entry((form.to_owned(), upos.to_owned()));
        let known = entry.or_insert_with(|| Some(lemma.to_owned()));
        if known.as_deref() != Some(lemma) {
            *known = None;
        }
    }

    /// Number of entries, those with several lemmas left out.
    pub fn len(&self) -> usize {
        self.entries().count()
    }

    /// True if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.entries().next().is_none()
    }

    /// Form, UPOS and lemma of each entry, by form.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.0.iter().filter_map(|((form, upos), lemma)| Some((&form[..], &upos[..], lemma.as_deref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_entries_are_named() {
        let list = LemmaList::read("# irregular\n\nfled\tVERB\tflee\r\n".as_bytes()).expect("a list");
        assert_eq!(list.entries().collect::<Vec<_>>(), [("fled", "VERB", "flee")]);
        for (text, message) in [
            ("a\tX\tb\nfled VERB\n", "2:1: found `fled VERB`; expected a form, its UPOS and its lemma"),
            ("fled\t\tflee\n", "1:1: found an empty column; expected"),
            ("a\tb\tc\td\n", "1:1: found"),
        ] {
            let error = LemmaList::read(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert!(LemmaList::read(&b"\xff\tX\ta\n"[..]).is_err());
        let long = "x".repeat(LONGEST_LINE + 1);
        assert!(LemmaList::read(long.as_bytes()).is_err());
    }
}
