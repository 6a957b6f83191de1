//! Tokens: what stands in the text.

use pyo3::prelude::*;
use tanglewood::conllu::{self, Column, Id, Row};

/// The tokens of a sentence, with their places in the text if MISC has `TokenRange`.
pub fn tokens(sentence: &conllu::Sentence<'_>) -> Vec<Token> {
    let mut inside_until = 0;
    let token = |row: Row<'_>| {
        let (first, last) = match row.id {
            Id::Range(first, last) => (first, last),
            Id::Word(word) if word > inside_until => (word, word),
            Id::Word(_) | Id::Empty(..) => return None,
        };
        inside_until = last;
        let mut misc = row.get(Column::Misc).split(|&byte| byte == b'|');
        let range = misc.find_map(|attribute| attribute.strip_prefix(b"TokenRange="));
        let range = range.and_then(|range| std::str::from_utf8(range).ok()?.split_once(':'));
        Some(Token {
            form: String::from_utf8_lossy(row.get(Column::Form)).into_owned(),
            start: range.and_then(|(start, _)| start.parse().ok()),
            end: range.and_then(|(_, end)| end.parse().ok()),
            words: (first.saturating_sub(1) as usize, last as usize),
        })
    };
    sentence.rows().filter_map(token).collect()
}

/// A token of a sentence: what stands in the text, one word or several.
///
/// ``words`` are the first of its words and the one after the last, counted from 0:
/// ``sentence.forms[slice(*token.words)]``. ``start`` and ``end`` are where it is in the text of its
/// document, in characters; ``None`` if that is not known.
#[pyclass(frozen, module = "tanglewood")]
pub struct Token {
    pub form: String,
    pub start: Option<usize>,
    pub end: Option<usize>,
    pub words: (usize, usize),
}

#[pymethods]
impl Token {
    #[new]
    fn new(form: String, start: Option<usize>, end: Option<usize>, words: (usize, usize)) -> Token {
        Token { form, start, end, words }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, TokenParts) {
        let Token { form, start, end, words } = slf.get();
        (slf.get_type().into_any(), (form.clone(), *start, *end, *words))
    }

    /// Its form.
    #[getter]
    fn form(&self) -> &str {
        &self.form
    }

    /// Where it begins in the text, in characters; ``None`` if that is not known.
    #[getter]
    fn start(&self) -> Option<usize> {
        self.start
    }

    /// Where it ends in the text, in characters; ``None`` if that is not known.
    #[getter]
    fn end(&self) -> Option<usize> {
        self.end
    }

    /// The first of its words and the one after the last, counted from 0.
    #[getter]
    fn words(&self) -> (usize, usize) {
        self.words
    }

    fn __repr__(&self) -> String {
        match (self.start, self.end) {
            (Some(start), Some(end)) => format!("<Token {:?} {start}:{end}>", self.form),
            _ => format!("<Token {:?}>", self.form),
        }
    }
}

/// What a token is made of.
type TokenParts = (String, Option<usize>, Option<usize>, (usize, usize));
