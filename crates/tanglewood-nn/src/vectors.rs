//! Pretrained vectors in the text format of word2vec and fastText: a word and its numbers on each line,
//! perhaps after a line with two counts, which have to be right.

use std::io::{self, BufRead, Read};

use tanglewood::shown::Quoted;

use crate::vocabulary::Names;

/// Vectors by word.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    names: Names,
    columns: usize,
    values: Vec<f32>,
}

/// The longest line that is read: much more than a word and as many numbers as a model can have.
const LONGEST_LINE: usize = 1 << 20;

/// As many numbers as a vector of a model can have.
const MOST_COLUMNS: usize = 1 << 12;

/// Why vectors cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum VectorsError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line that is not a word and its numbers.
    #[error("{line}:1: found {found}; expected a word and {expected}, separated by spaces")]
    Line {
        /// Number of the line, counted from 1.
        line: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A line that does not end.
    #[error("{line}:1: found a line of more than {LONGEST_LINE} bytes; expected a word and its numbers")]
    LineTooLong {
        /// Number of the line, counted from 1.
        line: usize,
    },
    /// Another number of vectors than the first line says.
    #[error(
        "1:1: found {said} as the number of vectors, and there are {found}; the file is cut off, or not what it says"
    )]
    Count {
        /// Number of vectors that the first line announces.
        said: u64,
        /// Number of vectors that were found.
        found: u64,
    },
    /// No vector at all.
    #[error("there are no vectors; expected a word and its numbers on each line")]
    Empty,
}

impl Vectors {
    /// Reads at most `most` vectors, which for files sorted by frequency are those of the most frequent
    /// words. A word that comes again is passed over. Numbers are scaled to the size that a model's own
    /// embeddings have.
    ///
    /// ```
    /// let text = "2 3\nthe 0.5 0 -0.5\nof 0 1 2\n";
    /// let vectors = tanglewood_nn::Vectors::read(text.as_bytes(), 100)?;
    /// assert_eq!((vectors.len(), vectors.columns()), (2, 3));
    /// # Ok::<(), tanglewood_nn::VectorsError>(())
    /// ```
    ///
    /// # Errors
    /// If the source fails, a line is too long, or is not a word and as many finite numbers as on the first
    /// line, or the counts are not right.
    pub fn read(mut input: impl BufRead, most: usize) -> Result<Vectors, VectorsError> {
        let mut names: Vec<String> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut values: Vec<f32> = Vec::new();
        let mut columns = 0;
        // Numbers of vectors that there should be, and that were read, those passed over included.
        let (mut said, mut found) = (None, 0);
        let mut bytes = Vec::new();
        for line in 1.. {
            if names.len() == most {
                said = None;
                break;
            }
            bytes.clear();
            if input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if bytes.len() > LONGEST_LINE {
                return Err(VectorsError::LineTooLong { line });
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end_matches(['\n', '\r', ' ']);
            let (word, numbers) = text.split_once([' ', '\t']).unwrap_or((text, ""));
            let fields = numbers.split([' ', '\t']).count();
            if line == 1
                && fields == 1
                && let (Ok(count), Ok(length)) = (word.parse::<u64>(), numbers.parse::<usize>())
            {
                (said, columns) = (Some(count), length);
                continue;
            }
            if columns == 0 {
                columns = fields;
            }
            let error = |found: String| VectorsError::Line {
                line,
                found,
                expected: match columns {
                    0 | 1 => "its numbers".to_owned(),
                    _ if columns > MOST_COLUMNS => format!("at most {MOST_COLUMNS} numbers"),
                    _ => format!("{columns} numbers"),
                },
            };
            if fields != columns || columns > MOST_COLUMNS || numbers.is_empty() {
                return Err(error(format!("{} numbers", if numbers.is_empty() { 0 } else { fields })));
            }
            found += 1;
            if !seen.insert(word.to_owned()) {
                continue;
            }
            for number in numbers.split([' ', '\t']) {
                match number.parse::<f32>() {
                    Ok(value) if value.is_finite() => values.push(value),
                    _ => return Err(error(Quoted(number.as_bytes()).to_string())),
                }
            }
            names.push(word.to_owned());
        }
        if let Some(said) = said.filter(|&said| said != found) {
            return Err(VectorsError::Count { said, found });
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

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Number of values of a vector.
    pub fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn into_parts(self) -> (Names, Vec<f32>) {
        (self.names, self.values)
    }
}
