//! Heads and relations that are in the input and have to stay.

use tanglewood::Tree;
use tanglewood::conllu::{Column, Id, Sentence};
use tanglewood::scores::ArcScores;

/// What is given of one word.
type Word = (Option<usize>, Option<String>);

/// What is given of a sentence, by word; empty if nothing is.
#[derive(Clone, Debug, Default)]
pub struct Given {
    words: Vec<Word>,
}

/// Why no tree has the given heads: the line of the input, and what is wrong there.
#[derive(Debug)]
pub struct Contradiction {
    pub line: u64,
    pub message: String,
}

impl Given {
    /// What the input gives for a sentence of `words` words.
    pub fn of(sentence: &Sentence<'_>, words: usize) -> Result<Given, Contradiction> {
        let mut given = Given { words: Vec::with_capacity(words) };
        let mut root: Option<usize> = None;
        for line in sentence.lines() {
            let Some(row) = tanglewood::conllu::Row::parse(line.content) else { continue };
            let Id::Word(word) = row.id else { continue };
            let word = word as usize;
            let wrong = |message: String| Contradiction { line: line.number, message };
            let head = match row.get(Column::Head) {
                b"_" | b"" => None,
                text => {
                    let text = String::from_utf8_lossy(text);
                    let head = text.parse().ok().filter(|&head: &usize| head <= words && head != word);
                    Some(head.ok_or_else(|| {
                        wrong(format!(
                            "head `{text}` of word {word}; expected `_` or the number of another word of {words}, or 0"
                        ))
                    })?)
                }
            };
            if head == Some(0)
                && let Some(first) = root.replace(word)
            {
                return Err(wrong(format!(
                    "words {first} and {word} both have head 0; expected one root at most"
                )));
            }
            let label = row.get(Column::Deprel);
            let label = (head.is_some() && !matches!(label, b"_" | b""))
                .then(|| String::from_utf8_lossy(label).into_owned());
            given.words.push((head, label));
        }
        // Words without a head hang from the root for now: only heads that are given can make a cycle.
        let heads: Vec<usize> = given.words.iter().map(|(head, _)| head.unwrap_or(0)).collect();
        match Tree::from_heads(&heads) {
            Ok(_) => Ok(given),
            Err(error) => Err(Contradiction { line: sentence.first_line(), message: error.to_string() }),
        }
    }

    /// Forbids all other heads.
    pub fn constrain(&self, scores: &mut ArcScores) {
        for (at, (head, _)) in self.words.iter().enumerate() {
            if let Some(head) = head {
                scores.require(*head, at + 1);
            }
        }
    }

    /// The relation that a word, counted from 1, has to keep.
    pub fn label(&self, word: usize) -> Option<&str> {
        self.words.get(word - 1)?.1.as_deref()
    }

    /// True if and only if some head is given.
    pub fn is_some(&self) -> bool {
        self.words.iter().any(|(head, _)| head.is_some())
    }
}
