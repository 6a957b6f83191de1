//! Arguments of several kinds, and numbers of any size: what is wrong with them is said in Python's words.

use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::sentence::Sentence;

/// What something is, for messages.
fn kind(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

fn type_error(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("found {}; expected {expected}", kind(object)))
}

/// A whole number that is not negative. One that is out of range is kept as it is written, so that the error
/// can name the argument.
#[derive(Clone, Debug)]
pub struct Whole(Result<u64, String>);

impl Whole {
    pub const fn new(number: u64) -> Whole {
        Whole(Ok(number))
    }

    /// The number.
    pub fn of(self, name: &str) -> PyResult<u64> {
        self.0.map_err(|found| {
            PyValueError::new_err(format!(
                "{name} is {found}; expected a whole number from 0 to {}",
                u64::MAX
            ))
        })
    }

    /// The number as a size.
    pub fn size_of(self, name: &str) -> PyResult<usize> {
        Ok(usize::try_from(self.of(name)?).unwrap_or(usize::MAX))
    }
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match object.extract::<u64>() {
            Ok(number) => Ok(Whole(Ok(number))),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Whole(Err(object.str()?.to_string())))
            }
            Err(_) => Err(type_error(&object, "a whole number")),
        }
    }
}

/// A list of strings, or another iterable of them that is no string itself.
pub struct Strings(pub Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Strings {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Strings> {
        let expected = "a list of strings";
        if object.is_instance_of::<PyString>() {
            return Err(type_error(&object, expected));
        }
        let items = object.try_iter().map_err(|_| type_error(&object, expected))?;
        let strings = items.map(|item| {
            let item = item?;
            item.extract::<String>()
                .map_err(|_| type_error(&item, &format!("{expected}, and nothing else in it")))
        });
        strings.collect::<PyResult<_>>().map(Strings)
    }
}

/// The paths of one file or folder, or of several.
pub struct Paths(pub Vec<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Paths> {
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Paths(vec![path]));
        }
        let expected = "a path, or a list of paths";
        let items = object.try_iter().map_err(|_| type_error(&object, expected))?;
        let paths = items.map(|item| {
            let item = item?;
            item.extract::<PathBuf>()
                .map_err(|_| type_error(&item, &format!("{expected}, and nothing else in it")))
        });
        paths.collect::<PyResult<_>>().map(Paths)
    }
}

/// Sentences of a list or of another iterable.
pub struct SentenceList<'py>(pub Vec<Bound<'py, Sentence>>);

impl<'py> FromPyObject<'_, 'py> for SentenceList<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SentenceList<'py>> {
        sentences(&object, "a list of sentences").map(SentenceList)
    }
}

/// The sentences of an iterable.
pub fn sentences<'py>(object: &Bound<'py, PyAny>, expected: &str) -> PyResult<Vec<Bound<'py, Sentence>>> {
    let items = object.try_iter().map_err(|_| type_error(object, expected))?;
    let sentences = items.map(|item| {
        let item = item?;
        let sentence = item.cast::<Sentence>().cloned();
        sentence.map_err(|_| type_error(&item, &format!("{expected}, and nothing else in it")))
    });
    sentences.collect()
}

/// Text as `str` or `bytes`.
pub struct Content(pub Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for Content {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Content> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Content(bytes.as_bytes().to_vec()));
        }
        match object.cast::<PyString>() {
            Ok(text) => Ok(Content(text.extract::<String>()?.into_bytes())),
            Err(_) => Err(type_error(&object, "str or bytes")),
        }
    }
}
