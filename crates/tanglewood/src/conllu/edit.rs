//! Writing a sentence with some columns replaced and every other byte kept.

use std::borrow::Cow;

use super::row::{Column, Row};
use super::sentence::Sentence;

/// A replacement text that would break the line it is put into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} cannot be written to column {column}; expected some text without tab or line end", column = .column.name())]
pub struct EditError {
    /// The column it was meant for.
    pub column: Column,
    /// The text.
    pub text: String,
}

impl Sentence<'_> {
    /// Appends the sentence to `out`, with the columns for which `replace` gives a text replaced by it.
    ///
    /// ```
    /// use tanglewood::conllu::{Column, Sentences};
    /// let text = b"1\tHi\thi\tINTJ\t_\t_\t_\t_\t_\t_\r\n\r\n";
    /// let mut out = Vec::new();
    /// for sentence in Sentences::of(text) {
    ///     sentence.write_edited(&mut out, |_, column| match column {
    ///         Column::Head => Some("0".into()),
    ///         Column::Deprel => Some("root".into()),
    ///         _ => None,
    ///     })?;
    /// }
    /// assert_eq!(out, b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\r\n\r\n");
    /// # Ok::<(), tanglewood::conllu::EditError>(())
    /// ```
    ///
    /// # Errors
    /// If a replacement is empty or has a tab or line end in it; `out` is as before then.
    pub fn write_edited<'t>(
        &self,
        out: &mut Vec<u8>,
        mut replace: impl FnMut(&Row<'_>, Column) -> Option<Cow<'t, str>>,
    ) -> Result<(), EditError> {
        let before = out.len();
        for line in self.lines() {
            out.extend_from_slice(line.mark);
            match Row::parse(line.content) {
                None => out.extend_from_slice(line.content),
                Some(row) => {
                    for column in Column::ALL {
                        if column != Column::Id {
                            out.push(b'\t');
                        }
                        match replace(&row, column) {
                            None => out.extend_from_slice(row.get(column)),
                            Some(text) if text.is_empty() || text.contains(['\t', '\n', '\r']) => {
                                out.truncate(before);
                                return Err(EditError { column, text: text.into_owned() });
                            }
                            Some(text) => out.extend_from_slice(text.as_bytes()),
                        }
                    }
                }
            }
            out.extend_from_slice(line.ending);
        }
        Ok(())
    }
}
