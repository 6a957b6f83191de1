//! Pictures: trees, derivations and systems as SVG.
//!
//! Everything here turns values into text; nothing reads, writes or measures fonts. Pictures are light or
//! dark as the reader prefers, and all text in them is escaped.

mod arcs;
mod arrangement;
mod compact;
mod configuration;
mod derivation;
mod frontier;
mod frontier_scale;
mod inventory;
mod layout;
mod measure;
mod reliability;
mod script;
mod style;
mod svg;
mod texts;
mod tikz;
mod tree;
mod vertical;
mod wrapped;

pub use arrangement::{Arrangement, arranged};
pub use configuration::configuration;
pub use derivation::derivation;
pub use frontier::{Caption, Point, frontier};
pub use inventory::inventory;
pub use layout::{Arc, Bounds, Label, Layout};
pub use reliability::reliability;
pub use script::{arrow, isolated, runs_from_right};
pub use style::{Style, Theme, style_sheet};
pub use svg::Escaped;
pub use tikz::tikz;
pub use tree::{progress, tree};

use crate::conllu::{Column, Id, Sentence};

/// What is shown of a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word itself.
    pub form: String,
    /// What stands below it; nothing if empty.
    pub tag: String,
    /// What stands at the arc from its head; nothing if empty.
    pub relation: String,
}

impl Word {
    /// A word with its tag and relation.
    pub fn new(form: &str, tag: &str, relation: &str) -> Word {
        Word { form: form.to_owned(), tag: tag.to_owned(), relation: relation.to_owned() }
    }

    /// The words of a sentence, with their universal tags.
    pub fn of(sentence: &Sentence<'_>) -> Vec<Word> {
        let rows = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
        rows.map(|row| {
            let text = |column| String::from_utf8_lossy(row.get(column)).into_owned();
            let unless_missing = |column| Some(text(column)).filter(|text| text != "_").unwrap_or_default();
            Word {
                form: text(Column::Form),
                tag: unless_missing(Column::Upos),
                relation: unless_missing(Column::Deprel),
            }
        })
        .collect()
    }
}
