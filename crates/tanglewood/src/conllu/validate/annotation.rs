//! Columns whose values Universal Dependencies prescribes for all languages: UPOS and FEATS.

use super::{Place, Scan, nothing_in};
use crate::conllu::problem::{Kind, Problem};
use crate::conllu::row::{Column, column_span};
use crate::conllu::split::Split;
use crate::shown::Quoted;

/// The universal parts of speech.
const UPOS: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
];

impl<S: FnMut(Problem), const STRICT: bool> Scan<'_, S, STRICT> {
    /// Looks at UPOS and FEATS; `_` stands for what is not annotated. What has a space is said to have one,
    /// and nothing else.
    pub(super) fn check_annotation(&mut self, place: Place<'_>, split: &Split) {
        let span = |column: Column| column_span(&split.tabs, place.content.len(), column as usize);
        let (upos, feats) = (span(Column::Upos), span(Column::Feats));
        let value = &place.content[upos.clone()];
        if !matches!(value, b"_" | b"")
            && !value.contains(&b' ')
            && !UPOS.iter().any(|tag| tag.as_bytes() == value)
        {
            let found = format!("UPOS {}", Quoted(value));
            self.report(Kind::UnknownUpos, place, upos.start, found, || {
                format!("one of {}, or `_`", UPOS.join(", "))
            });
        }
        let value = &place.content[feats.clone()];
        if matches!(value, b"_" | b"") || value.contains(&b' ') {
            return;
        }
        let mut offset = feats.start;
        let mut last: Option<&[u8]> = None;
        for pair in value.split(|&byte| byte == b'|') {
            let at = offset;
            offset += pair.len() + 1;
            let Some(name) = name_of(pair) else {
                let found = if pair.is_empty() {
                    nothing_in(Column::Feats)
                } else {
                    format!("feature {}", Quoted(pair))
                };
                self.report(Kind::BadFeats, place, at, found, || {
                    "Name=Value with letters and digits, the first a capital or a digit, and | between several".into()
                });
                continue;
            };
            if let Some(last) = last.filter(|last| !in_order(last, name)) {
                let found = format!("feature {} after {}", Quoted(name), Quoted(last));
                self.report(Kind::FeatsOrder, place, at, found, || {
                    "features in the order of their names, each once".into()
                });
            }
            last = Some(name);
        }
    }
}

/// The name of a feature, which may have a layer in brackets; none if this is not a pair of a name and
/// values.
fn name_of(pair: &[u8]) -> Option<&[u8]> {
    let equals = pair.iter().position(|&byte| byte == b'=')?;
    let (name, values) = (&pair[..equals], &pair[equals + 1..]);
    let plain = match name.iter().position(|&byte| byte == b'[') {
        Some(bracket) => {
            let layer = name[bracket + 1..].strip_suffix(b"]")?;
            let is_layer = !layer.is_empty() && layer.iter().all(|byte| byte.is_ascii_alphanumeric());
            if is_layer { &name[..bracket] } else { return None }
        }
        None => name,
    };
    let is_word = |word: &[u8]| {
        word.first().is_some_and(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && word.iter().all(|byte| byte.is_ascii_alphanumeric())
    };
    let is_pair = is_word(plain) && values.split(|&byte| byte == b',').all(is_word);
    is_pair.then_some(name)
}

/// True if and only if one name comes before another, whatever the case of their letters.
fn in_order(first: &[u8], second: &[u8]) -> bool {
    let lower = |name: &[u8]| name.to_ascii_lowercase();
    lower(first) < lower(second)
}
