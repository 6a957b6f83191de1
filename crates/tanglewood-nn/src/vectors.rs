//! Pretrained vectors in the text format of word2vec and fastText: a word and its numbers on each line, perhaps after a line with two counts.

use std::io::{self, BufRead};

use crate::vocabulary::Names;

/// Vectors by word.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    names: Names,
    columns: usize,
    values: Vec<f32>,
}

/// Why vectors cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum VectorsError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line that is not a word and its numbers.
    #[error("{line}:1: found {found}; expected a word and {expected}, separated by spaces")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is there.
        found: String,
        /// What should be.
        expected: String,
    },
    /// No vector at all.
    #[error("there are no vectors; expected a word and its numbers on each line")]
    Empty,
}

impl Vectors {
    /// Reads at most `most` vectors, which for files sorted by frequency are those of the most frequent words. A word that comes again is passed
    /// over. Numbers are scaled to the size that a model's own embeddings have.
    ///
    /// ```
    /// let text = "2 3\nthe 0.5 0 -0.5\nof 0 1 2\n";
    /// let vectors = tanglewood_nn::Vectors::read(text.as_bytes(), 100)?;
    /// assert_eq!((vectors.len(), vectors.columns()), (2, 3));
    /// # Ok::<(), tanglewood_nn::VectorsError>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, or a line is not a word and as many finite numbers as on the first line.
    pub fn read(mut input: impl BufRead, most: usize) -> Result<Vectors, VectorsError> {
        let mut names: Vec<String> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut values: Vec<f32> = Vec::new();
        let mut columns = 0;
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 || names.len() == most {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end_matches(['\n', '\r', ' ']);
            let (word, numbers) = text.split_once([' ', '\t']).unwrap_or((text, ""));
            let fields = numbers.split([' ', '\t']).count();
            if line == 1 && fields == 1 && word.parse::<u64>().is_ok() && numbers.parse::<u64>().is_ok() {
                continue;
            }
            if columns == 0 {
                columns = fields;
            }
            let error = |found: String| VectorsError::Line {
                line,
                found,
                expected: if columns > 1 { format!("{columns} numbers") } else { "its numbers".to_owned() },
            };
            if fields != columns || numbers.is_empty() {
                return Err(error(format!("{} numbers", if numbers.is_empty() { 0 } else { fields })));
            }
            if !seen.insert(word.to_owned()) {
                continue;
            }
            for number in numbers.split([' ', '\t']) {
                match number.parse::<f32>() {
                    Ok(value) if value.is_finite() => values.push(value),
                    _ => return Err(error(format!("{number:?}"))),
                }
            }
            names.push(word.to_owned());
        }
        if names.is_empty() {
            return Err(VectorsError::Empty);
        }
        let mean_square: f64 =
            values.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>() / values.len() as f64;
        let factor = (0.5 / mean_square.sqrt().max(1e-6)) as f32;
        values.iter_mut().for_each(|value| *value *= factor);
        Ok(Vectors { names: names.into_iter().collect(), columns, values })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How long they are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn into_parts(self) -> (Names, Vec<f32>) {
        (self.names, self.values)
    }
}
