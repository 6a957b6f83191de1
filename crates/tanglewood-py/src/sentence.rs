//! Sentences that keep every byte.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tanglewood::conllu::{self, Column, Id, Problem, Row, Sentences, Validator};

use crate::arguments::{Content, Strings, Whole};
use crate::token::{Token, tokens};
use crate::tree::Tree;
use crate::words;

/// A sentence of a CoNLL-U file, byte for byte as it stands there.
///
/// >>> import tanglewood
/// >>> sentence = tanglewood.sample_treebank()[81]
/// >>> sentence.sent_id, sentence.forms
/// ('sv-preposition-stranding-1', ['Vem', 'pratar', 'du', 'med', '?'])
/// >>> sentence.tree.crossing_arcs()
/// [(0, 2), (1, 4), (2, 5)]
/// >>> sentence.with_tree([2, 0, 2, 2, 2]).tree.is_projective
/// True
#[pyclass(frozen, module = "tanglewood")]
#[derive(Clone)]
pub struct Sentence {
    /// Blank lines before it, at the start of a file.
    before: Vec<u8>,
    bytes: Vec<u8>,
    /// Blank lines after the one that ends it.
    after: Vec<u8>,
    first_line: u64,
}

/// Cuts a file into sentences; together they are the file again, unless it has nothing but blank lines.
pub fn cut(bytes: &[u8]) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut blank = Vec::new();
    for sentence in Sentences::of(bytes) {
        if sentence.is_blank() {
            match sentences.last_mut() {
                Some(last) => last.after.extend_from_slice(sentence.bytes()),
                None => blank.extend_from_slice(sentence.bytes()),
            }
            continue;
        }
        sentences.push(Sentence {
            before: std::mem::take(&mut blank),
            bytes: sentence.bytes().to_vec(),
            after: Vec::new(),
            first_line: sentence.first_line(),
        });
    }
    sentences
}

/// The bytes of sentences one after the other. One that lacks the blank line at its end, as the last of a
/// file may, gets it if another one follows.
pub fn joined<'a>(sentences: impl IntoIterator<Item = &'a Sentence>) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for sentence in sentences {
        if !bytes.is_empty() && !bytes.ends_with(b"\n\n") && !bytes.ends_with(b"\n\r\n") {
            bytes.extend_from_slice(if bytes.ends_with(b"\n") { b"\n" } else { b"\n\n" });
        }
        bytes.extend(sentence.whole());
    }
    bytes
}

impl Sentence {
    /// What the library knows of it.
    pub fn content(&self) -> conllu::Sentence<'_> {
        // Never blank, so there is exactly one.
        Sentences::of(&self.bytes).next().unwrap_or_else(|| unreachable!("a sentence has content"))
    }

    /// All of its bytes.
    pub fn whole(&self) -> Vec<u8> {
        [&self.before[..], &self.bytes, &self.after].concat()
    }

    /// Its tree; the first problem, with its line in the file, if it has none.
    pub fn checked_tree(&self) -> Result<tanglewood::Tree, String> {
        Validator::new().tree(&self.content()).map_err(|problem| self.placed(problem))
    }

    /// The first problem, with its line in the file, that has to be put right before the sentence can be
    /// parsed.
    pub fn check(&self) -> Result<(), String> {
        Validator::new().words(&self.content()).map(drop).map_err(|problem| self.placed(problem))
    }

    fn placed(&self, mut problem: Problem) -> String {
        problem.line = problem.line.saturating_add(self.first_line - 1);
        problem.to_string()
    }

    fn words(&self) -> Vec<Row<'_>> {
        self.content().rows().filter(|row| matches!(row.id, Id::Word(_))).collect()
    }

    /// A column of its words, if it is valid.
    pub fn checked_column(&self, column: Column) -> Result<Vec<String>, String> {
        self.check().map(|()| self.column(column))
    }

    /// A column of its words.
    pub fn column(&self, column: Column) -> Vec<String> {
        self.words().iter().map(|row| String::from_utf8_lossy(row.get(column)).into_owned()).collect()
    }

    /// The same place in a file with other content.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Sentence {
        let Sentence { before, after, first_line, .. } = self.clone();
        Sentence { before, bytes, after, first_line }
    }

    /// A message about a line of the sentence, with the line at which the sentence is in its file.
    pub fn in_file(&self, message: &str) -> String {
        match self.first_line {
            1 => message.to_owned(),
            line => format!("sentence at line {line}: {message}"),
        }
    }

    /// A copy with other heads and, if given, labels.
    pub fn edited(&self, tree: &tanglewood::Tree, labels: Option<&[String]>) -> Result<Sentence, String> {
        let words = self.words().len();
        if tree.len() != words {
            return Err(format!("a tree of {} words; expected {words}, as in the sentence", tree.len()));
        }
        if let Some(found) = labels.map(<[String]>::len).filter(|&found| found != words) {
            return Err(format!("{found} labels; expected {words}, one for each word"));
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        let replace = |row: &Row<'_>, column| -> Option<Cow<'_, str>> {
            if !matches!(row.id, Id::Word(_)) {
                return None;
            }
            match column {
                Column::Id => {
                    at += 1;
                    None
                }
                Column::Head => Some(tree.head(at).to_string().into()),
                Column::Deprel => labels.map(|labels| Cow::from(&*labels[at - 1])),
                _ => None,
            }
        };
        self.content().write_edited(&mut bytes, replace).map_err(|error| error.to_string())?;
        Ok(self.with_bytes(bytes))
    }
}

#[pymethods]
impl Sentence {
    /// The sentence in CoNLL-U, as ``str`` or ``bytes``; exactly one. ``line`` is the one of a file on which
    /// it starts.
    #[new]
    #[pyo3(signature = (conllu, line=None))]
    fn new(conllu: Content, line: Option<Whole>) -> PyResult<Sentence> {
        let mut sentences = cut(&conllu.0);
        match (sentences.pop(), sentences.len()) {
            (Some(sentence), 0) => match line {
                None => Ok(sentence),
                Some(line) => Ok(Sentence { first_line: line.of("line")?.max(1), ..sentence }),
            },
            (_, more) => Err(PyValueError::new_err(format!(
                "{} sentences; expected one",
                if more == 0 { 0 } else { more + 1 }
            ))),
        }
    }

    /// A sentence of these words, without tags and a tree: what a tokeniser has found, to be parsed.
    ///
    /// >>> import tanglewood
    /// >>> tanglewood.Sentence.from_words(["Vem", "pratar", "du", "med", "?"]).text
    /// 'Vem pratar du med ?'
    #[staticmethod]
    fn from_words(words: Strings) -> PyResult<Sentence> {
        let words = words.0.iter().map(|word| Some(word.as_str()));
        let words = words::to_conllu(words).map_err(PyValueError::new_err)?;
        let bytes = words.ok_or_else(|| PyValueError::new_err("no words; expected one at least"))?;
        Ok(Sentence { before: Vec::new(), bytes, after: Vec::new(), first_line: 1 })
    }

    /// Its bytes, with comments, the blank line at its end, and any further ones. Those of all sentences
    /// together are the file.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.whole())
    }

    /// The same as text; bytes that are no UTF-8 become a replacement character.
    #[getter]
    fn conllu(&self) -> String {
        String::from_utf8_lossy(&self.whole()).into_owned()
    }

    /// The line of the file on which it starts, counted from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.first_line
    }

    /// The comment ``sent_id``, if there is one.
    #[getter]
    fn sent_id(&self) -> Option<String> {
        self.content().sent_id().map(Cow::into_owned)
    }

    /// The comment ``text``, if there is one.
    #[getter]
    fn text(&self) -> Option<String> {
        self.metadata("text")
    }

    /// The value of the first comment of the form ``# key = value``.
    fn metadata(&self, key: &str) -> Option<String> {
        self.content().metadata(key).map(Cow::into_owned)
    }

    /// The words: not the multiword tokens, nor empty nodes.
    #[getter]
    fn forms(&self) -> Vec<String> {
        self.column(Column::Form)
    }

    /// The tokens, multiword ones included, with their places in the text if MISC has ``TokenRange``.
    #[getter]
    #[pyo3(name = "tokens")]
    fn all_tokens(&self) -> Vec<Token> {
        tokens(&self.content())
    }

    /// Their lemmas.
    #[getter]
    fn lemmas(&self) -> Vec<String> {
        self.column(Column::Lemma)
    }

    /// Their universal tags.
    #[getter]
    fn upos(&self) -> Vec<String> {
        self.column(Column::Upos)
    }

    /// Their tags of the language.
    #[getter]
    fn xpos(&self) -> Vec<String> {
        self.column(Column::Xpos)
    }

    /// Their features.
    #[getter]
    fn feats(&self) -> Vec<String> {
        self.column(Column::Feats)
    }

    /// What else is said of them.
    #[getter]
    fn misc(&self) -> Vec<String> {
        self.column(Column::Misc)
    }

    /// Their relations.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.column(Column::Deprel)
    }

    /// Its tree. ValueError, with line and column, if it has none.
    #[getter]
    fn tree(&self) -> PyResult<Tree> {
        let tree = self.checked_tree().map_err(PyValueError::new_err)?;
        Ok(Tree { tree, forms: Some(self.forms()), labels: Some(self.labels()) })
    }

    /// A copy with other heads: a ``Tree``, or a list or array of heads. Relations stay, unless others are
    /// given; all else does.
    #[pyo3(signature = (tree, labels=None))]
    fn with_tree(&self, tree: &Bound<'_, PyAny>, labels: Option<Strings>) -> PyResult<Sentence> {
        self.check().map_err(PyValueError::new_err)?;
        let labels = labels.map(|Strings(labels)| labels);
        let edited = match tree.cast::<Tree>() {
            Ok(tree) => self.edited(&tree.get().tree, labels.as_deref()),
            Err(_) => {
                let heads = crate::arrays::integers(tree, "tree")?;
                crate::tree::from_heads(&heads).and_then(|tree| self.edited(&tree, labels.as_deref()))
            }
        };
        edited.map_err(PyValueError::new_err)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.tree().and_then(|tree| tree.svg()).ok()
    }

    fn __len__(&self) -> usize {
        self.words().len()
    }

    fn __repr__(&self) -> String {
        let name = self.sent_id().unwrap_or_else(|| format!("line {}", self.first_line));
        format!("<Sentence {name}: {} words>", self.words().len())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Bound<'py, PyBytes>, u64)) {
        (slf.get_type().into_any(), (slf.get().bytes(slf.py()), slf.get().first_line))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Sentence>().is_ok_and(|other| other.get().whole() == self.whole())
    }
}
