//! A text and its sentences.

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use crate::arguments::SentenceList;
use crate::sentence::{self, Sentence};

/// A text that was parsed: a sequence of sentences, whose tokens say where they are in the text.
///
/// >>> import tanglewood
/// >>> treebank = tanglewood.sample_treebank()
/// >>> parser = tanglewood.Parser.train(treebank, epochs=1, hidden=16)
/// >>> document = parser.parse("Er kommt.\\n\\nNein!")
/// >>> token = document[-1].tokens[0]
/// >>> document.text[token.start:token.end] == token.form
/// True
#[pyclass(frozen, sequence, module = "tanglewood")]
pub struct Document {
    text: String,
    sentences: Py<PyList>,
}

impl Document {
    pub fn new(py: Python<'_>, text: String, sentences: Vec<Sentence>) -> PyResult<Document> {
        let sentences =
            sentences.into_iter().map(|sentence| Py::new(py, sentence)).collect::<PyResult<Vec<_>>>()?;
        Ok(Document { text, sentences: PyList::new(py, sentences)?.unbind() })
    }
}

#[pymethods]
impl Document {
    /// A text and its sentences, as ``Parser.parse`` gives them.
    #[new]
    fn of_parts(py: Python<'_>, text: String, sentences: SentenceList<'_>) -> PyResult<Document> {
        Ok(Document { text, sentences: PyList::new(py, sentences.0)?.unbind() })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, Bound<'py, PyList>)) {
        let document = slf.get();
        (slf.get_type().into_any(), (document.text.clone(), document.sentences(slf.py())))
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Its sentences.
    #[getter]
    fn sentences<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.sentences.bind(py).get_slice(0, usize::MAX)
    }

    /// All sentences in CoNLL-U.
    #[getter]
    fn conllu(&self, py: Python<'_>) -> PyResult<String> {
        let sentences: Vec<Bound<'_, Sentence>> = self.sentences.bind(py).extract()?;
        let bytes = sentence::joined(sentences.iter().map(|sentence| sentence.get()));
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.sentences.bind(py).len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.sentences.bind(py).as_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.sentences.bind(py).as_any().try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Document: {} sentences, {} characters>", self.__len__(py), self.text.chars().count())
    }
}
