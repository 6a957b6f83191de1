//! What can be said of a sentence only when all of its lines have been seen.

use super::{Place, Scan, characters};
use crate::Tree;
use crate::conllu::deps;
use crate::conllu::id::Id;
use crate::conllu::problem::{Kind, Problem};
use crate::conllu::row::{Column, Row};
use crate::conllu::sentence::Sentence;
use crate::tree::find_cycle;

impl<S: FnMut(Problem), const STRICT: bool> Scan<'_, S, STRICT> {
    /// What can only be said when all lines have been seen.
    pub(super) fn check_whole(&mut self) {
        let words = self.heads.len() - 1;
        if words == 0 && !self.broken {
            self.broken = true;
            (self.sink)(no_words(self.sentence));
        }
        if words > Tree::MAX_WORDS {
            self.broken = true;
            (self.sink)(Problem {
                kind: Kind::TooManyWords,
                line: self.sentence.first_line(),
                column: 1,
                found: format!("a sentence of {words} words"),
                expected: format!("at most {}", Tree::MAX_WORDS),
            });
        }
        if self.broken {
            return;
        }
        if self.range_end as usize > words {
            let (place, range) =
                locate(self.sentence, |row| matches!(row.id, Id::Range(_, last) if last as usize > words));
            let found = format!("range {}", range.map_or(String::new(), |row| row.id.to_string()));
            self.report(Kind::BadRange, place, 0, found, || {
                format!("an end of at most {words}, the last word")
            });
        }
        if self.heads.iter().any(|&head| head as usize > words) {
            self.report_heads_out_of_range(words);
        }
        if STRICT && (self.farthest_governor as usize > words || self.empty_governor) {
            self.check_governors(words);
        }
        if !self.broken {
            self.check_tree();
        }
    }

    fn report_heads_out_of_range(&mut self, words: usize) {
        for line in self.sentence.lines() {
            let Some(row) = Row::parse(line.content) else { continue };
            let Id::Word(word) = row.id else { continue };
            let head = self.heads[word as usize] as usize;
            if head > words {
                let place = Place { number: line.number, content: line.content };
                let offset = row.span(Column::Head).start;
                self.report(Kind::HeadOutOfRange, place, offset, format!("head {head}"), || {
                    format!("a number from 0 to {words}, the last word")
                });
            }
        }
    }

    /// Whether all governors in DEPS exist.
    fn check_governors(&mut self, words: usize) {
        let nodes: Vec<(u32, u32)> = self
            .sentence
            .rows()
            .filter_map(|row| if let Id::Empty(word, node) = row.id { Some((word, node)) } else { None })
            .collect();
        for line in self.sentence.lines() {
            let Some(row) = Row::parse(line.content) else { continue };
            let missing =
                deps::parse(row.get(Column::Deps)).flatten().find(|(governor, _)| match *governor {
                    Id::Word(word) => word as usize > words,
                    Id::Empty(word, node) => nodes.binary_search(&(word, node)).is_err(),
                    Id::Range(..) => true,
                });
            if let Some((governor, _)) = missing {
                let place = Place { number: line.number, content: line.content };
                let offset = row.span(Column::Deps).start;
                let found = format!("enhanced head {governor}");
                self.report(Kind::BadDeps, place, offset, found, || {
                    "a word or empty node of this sentence".into()
                });
            }
        }
    }

    fn check_tree(&mut self) {
        let mut roots = (1..self.heads.len()).filter(|&word| self.heads[word] == 0);
        let (first, second) = (roots.next(), roots.next());
        let others = roots.count();
        if first.is_none() {
            let (place, offset) = locate_head(self.sentence, 1);
            self.report(Kind::NoRoot, place, offset, "a sentence in which no word has head 0".into(), || {
                "one root".into()
            });
        }
        // The lenient scan leaves cycles to whoever builds the tree.
        if STRICT && let Some(cycle) = find_cycle(self.heads) {
            (self.sink)(cycle_problem(self.sentence, &cycle));
        }
        if STRICT && let (Some(first), Some(second)) = (first, second) {
            let (place, offset) = locate_head(self.sentence, second);
            let found = match others {
                0 => format!("words {first} and {second} both with head 0"),
                _ => format!("{} words with head 0 ({first}, {second}, …)", others + 2),
            };
            self.report(Kind::SeveralRoots, place, offset, found, || "one root".into());
        }
    }
}

pub(super) fn cycle_problem(sentence: &Sentence<'_>, cycle: &[usize]) -> Problem {
    let (place, offset) = locate_head(sentence, cycle[0]);
    let error = crate::TreeError::Cycle(cycle.to_vec()).to_string();
    let (found, expected) = error.split_once("; expected ").unwrap_or((&error, ""));
    Problem {
        kind: Kind::Cycle,
        line: place.number,
        column: characters(&place.content[..offset]) + 1,
        found: found.to_owned(),
        expected: expected.to_owned(),
    }
}

pub(super) fn no_words(sentence: &Sentence<'_>) -> Problem {
    Problem {
        kind: Kind::NoWords,
        line: sentence.first_line(),
        column: 1,
        found: "a sentence without words".to_owned(),
        expected: "at least one line with a word".to_owned(),
    }
}

/// The first token line that satisfies a condition; the start of the sentence if none does.
fn locate<'a>(sentence: &Sentence<'a>, wanted: impl Fn(&Row<'_>) -> bool) -> (Place<'a>, Option<Row<'a>>) {
    sentence
        .lines()
        .filter_map(|line| {
            let row = Row::parse(line.content).filter(|row| wanted(row))?;
            Some((Place { number: line.number, content: line.content }, Some(row)))
        })
        .next()
        .unwrap_or((Place { number: sentence.first_line(), content: &[] }, None))
}

/// Where the HEAD column of a word is.
fn locate_head<'a>(sentence: &Sentence<'a>, word: usize) -> (Place<'a>, usize) {
    let (place, row) = locate(sentence, |row| row.id == Id::Word(word as u32));
    (place, row.map_or(0, |row| row.span(Column::Head).start))
}
