//! A token line and its columns.

use super::id::Id;
use super::split::split_line;

/// The ten columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the format's own")]
pub enum Column {
    Id,
    Form,
    Lemma,
    Upos,
    Xpos,
    Feats,
    Head,
    Deprel,
    Deps,
    Misc,
}

impl Column {
    /// All columns in order.
    pub const ALL: [Column; 10] = [
        Column::Id,
        Column::Form,
        Column::Lemma,
        Column::Upos,
        Column::Xpos,
        Column::Feats,
        Column::Head,
        Column::Deprel,
        Column::Deps,
        Column::Misc,
    ];

    /// The name in capitals, as in the format's description.
    pub fn name(self) -> &'static str {
        ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"][self as usize]
    }
}

/// A token line with ten columns and a well-formed id.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Which word, range or empty node it is.
    pub id: Id,
    content: &'a [u8],
    tabs: [u32; 9],
}

impl<'a> Row<'a> {
    /// A line's content (without line end) as a row, if it is one.
    pub fn parse(content: &'a [u8]) -> Option<Row<'a>> {
        let split = split_line(content);
        if split.tab_count != 9 || split.end != content.len() {
            return None;
        }
        let id = Id::parse(&content[..split.tabs[0] as usize])?;
        Some(Row { id, content, tabs: split.tabs })
    }

    /// The bytes of a column.
    pub fn get(&self, column: Column) -> &'a [u8] {
        &self.content[self.span(column)]
    }

    /// Where a column is within the line.
    pub(super) fn span(&self, column: Column) -> std::ops::Range<usize> {
        column_span(&self.tabs, self.content.len(), column as usize)
    }
}

/// Where column `at` is in a line of the given length with these nine tabs.
#[inline]
pub(super) fn column_span(tabs: &[u32; 9], length: usize, at: usize) -> std::ops::Range<usize> {
    let start = if at == 0 { 0 } else { tabs[at - 1] as usize + 1 };
    let end = if at == 9 { length } else { tabs[at] as usize };
    start..end
}
