//! What a tree does not depend on: columns that are empty or have spaces, enhanced dependencies, heads of
//! what is no word.

use memchr::memchr;

use super::{Place, Scan, nothing_in};
use crate::conllu::deps;
use crate::conllu::id::Id;
use crate::conllu::problem::{Kind, Problem};
use crate::conllu::row::{Column, column_span};
use crate::conllu::split::Split;
use crate::shown::Quoted;

impl<S: FnMut(Problem), const STRICT: bool> Scan<'_, S, STRICT> {
    pub(super) fn check_headless(&mut self, place: Place<'_>, split: &Split, what: &str) {
        if STRICT {
            for column in [Column::Head, Column::Deprel] {
                let span = column_span(&split.tabs, place.content.len(), column as usize);
                let text = &place.content[span.clone()];
                if text != b"_" && !text.is_empty() {
                    let found = format!("{} {} at {what}", column.name(), Quoted(text));
                    self.report(Kind::HeadNotAllowed, place, span.start, found, || "`_`".into());
                }
            }
        }
    }

    pub(super) fn check_columns(&mut self, place: Place<'_>, split: &Split) {
        let length = place.content.len();
        let some_empty =
            split.tabs[8] as usize + 1 == length || split.tabs.windows(2).any(|tabs| tabs[0] + 1 == tabs[1]);
        if !some_empty && !split.has_space {
            return;
        }
        let id = &place.content[..split.tabs[0] as usize];
        for column in Column::ALL {
            let span = column_span(&split.tabs, length, column as usize);
            let text = &place.content[span.clone()];
            // An empty id is a bad one, and an empty head of a word a bad one, too.
            let is_reported = match column {
                Column::Id => true,
                Column::Head => matches!(Id::parse(id), Some(Id::Word(_))),
                _ => false,
            };
            if text.is_empty() && !is_reported {
                let found = nothing_in(column);
                self.report(Kind::EmptyColumn, place, span.start, found, || "text, or `_` for none".into());
            }
            let may_have_spaces = matches!(column, Column::Form | Column::Lemma | Column::Misc);
            if !may_have_spaces && let Some(space) = memchr(b' ', text) {
                let found = format!("a space in column {}", column.name());
                let offset = span.start + space;
                self.report(Kind::SpaceInColumn, place, offset, found, || {
                    "spaces only in FORM, LEMMA and MISC".into()
                });
            }
        }
    }

    pub(super) fn check_deps(&mut self, place: Place<'_>, split: &Split, column: &[u8]) {
        for item in deps::parse(column) {
            match item {
                Some((Id::Word(word), _)) => self.farthest_governor = self.farthest_governor.max(word),
                Some(_) => self.empty_governor = true,
                None => {
                    let found = format!("enhanced dependencies {}", Quoted(column));
                    let offset = split.tabs[7] as usize + 1;
                    return self.report(Kind::BadDeps, place, offset, found, || {
                        "head:relation, with | between several".into()
                    });
                }
            }
        }
    }
}
