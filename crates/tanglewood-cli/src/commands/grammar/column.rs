//! The column whose values a grammar generates.

use tanglewood::conllu::{Column, Id, Sentence};

use crate::arguments::SymbolColumn;

impl SymbolColumn {
    /// Its name in arguments and grammars.
    pub fn name(self) -> &'static str {
        match self {
            SymbolColumn::Upos => "upos",
            SymbolColumn::Xpos => "xpos",
            SymbolColumn::Form => "form",
        }
    }

    /// How often a symbol has to occur to be known, unless told otherwise.
    pub fn usual_min_count(self) -> usize {
        if self == SymbolColumn::Form { 2 } else { 1 }
    }

    /// The values of a sentence's words.
    pub fn values(self, sentence: &Sentence<'_>) -> Vec<String> {
        let column = match self {
            SymbolColumn::Upos => Column::Upos,
            SymbolColumn::Xpos => Column::Xpos,
            SymbolColumn::Form => Column::Form,
        };
        let words = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
        words.map(|row| String::from_utf8_lossy(row.get(column)).into_owned()).collect()
    }
}

/// The column of a name.
pub fn named(name: &str) -> Option<SymbolColumn> {
    let all = [SymbolColumn::Upos, SymbolColumn::Xpos, SymbolColumn::Form];
    all.into_iter().find(|column| column.name() == name)
}
