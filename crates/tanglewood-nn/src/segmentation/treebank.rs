//! What a treebank says about tokens and sentences of running text.

use std::collections::HashMap;

use tanglewood::conllu::{Column, Id, Row, Sentence};
use tanglewood::text::unescape;

use super::multiword::parts_of;

/// A token of a treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreebankToken {
    /// The token as it stands in the text.
    pub form: Vec<char>,
    /// The words of a multiword token; empty for all others.
    pub words: Vec<String>,
    /// Where words end inside a multiword token, in characters.
    pub ends: Vec<usize>,
    /// What follows it in the text, unless a paragraph ends here.
    pub gap: String,
    /// Whether the gap is known exactly, and not by convention.
    pub exact: bool,
}

/// A sentence of a treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreebankSentence {
    /// Whether a paragraph begins here.
    pub paragraph: bool,
    /// The tokens in order.
    pub tokens: Vec<TreebankToken>,
}

/// The sentences of a treebank that have tokens.
pub fn sentences(sentences: &[Sentence<'_>]) -> Vec<TreebankSentence> {
    let mut known = HashMap::new();
    let all = sentences.iter().map(|sentence| TreebankSentence {
        paragraph: sentence
            .comments()
            .any(|comment| comment.starts_with(b"newpar") || comment.starts_with(b"newdoc")),
        tokens: tokens(sentence, &mut known),
    });
    all.filter(|sentence| !sentence.tokens.is_empty()).collect()
}

/// Ends of words by form and words.
type KnownEnds = HashMap<(String, Vec<String>), Vec<usize>>;

fn tokens(sentence: &Sentence<'_>, known: &mut KnownEnds) -> Vec<TreebankToken> {
    let mut tokens: Vec<TreebankToken> = Vec::new();
    let mut inside_until = 0;
    for row in sentence.rows() {
        match row.id {
            Id::Range(_, last) => {
                inside_until = last;
                tokens.push(token(&row));
            }
            Id::Word(word) if word <= inside_until => {
                let word = String::from_utf8_lossy(row.get(Column::Form)).into_owned();
                if let Some(token) = tokens.last_mut() {
                    token.words.push(word);
                }
            }
            Id::Word(_) => tokens.push(token(&row)),
            Id::Empty(..) => {}
        }
    }
    tokens.retain(|token| !token.form.is_empty());
    for token in &mut tokens {
        if token.words.len() < 2 {
            token.words.clear();
            continue;
        }
        let form: String = token.form.iter().collect();
        let ends = known.entry((form.clone(), token.words.clone())).or_insert_with(|| {
            let parts = parts_of(&form, &token.words);
            let ends = parts.iter().scan(0, |end, part| {
                *end += part.length;
                Some(*end)
            });
            ends.filter(|&end| end < token.form.len()).collect()
        });
        token.ends.clone_from(ends);
    }
    tokens
}

fn token(row: &Row<'_>) -> TreebankToken {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut token = TreebankToken {
        form: text(row.get(Column::Form)).chars().collect(),
        words: Vec::new(),
        ends: Vec::new(),
        gap: " ".to_owned(),
        exact: false,
    };
    for attribute in row.get(Column::Misc).split(|&byte| byte == b'|') {
        if let Some(value) = attribute.strip_prefix(b"SpacesAfter=") {
            token.gap = text(&unescape(value));
            token.exact = true;
        } else if let Some(value) = attribute.strip_prefix(b"SpacesInToken=") {
            token.form = text(&unescape(value)).chars().collect();
        } else if attribute == b"SpaceAfter=No" && !token.exact {
            token.gap.clear();
        }
    }
    token
}
