//! What is wrong with a sentence, and its tree if nothing is.

mod annotation;
mod columns;
mod list;
mod whole;

use memchr::memchr;

use super::id::{Id, number};
use super::problem::{Kind, Problem};
use super::row::{Column, column_span};
use super::sentence::{Sentence, line_ending};
use super::split::{Split, split_line};
use crate::Tree;
use crate::shown::Quoted;
use list::List;
use whole::{cycle_problem, no_words};

/// The longest line that is accepted.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Largest number of problems of one sentence that are listed.
pub const MAX_PROBLEMS: usize = 1000;

/// Checks sentences. Keeps its working memory from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Validator {
    heads: Vec<u32>,
}

impl Validator {
    /// A new validator.
    pub fn new() -> Validator {
        Validator::default()
    }

    /// The sentence's tree, over its words; several words may hang from the root.
    ///
    /// Only what the tree depends on is looked at. A sentence without words is an error here, also one that
    /// [is blank](Sentence::is_blank).
    ///
    /// # Errors
    /// The first problem that [prevents a tree](Kind::prevents_tree).
    pub fn tree(&mut self, sentence: &Sentence<'_>) -> Result<Tree, Problem> {
        let mut first: Option<Problem> = None;
        // What is found last may stand first: that a sentence has no words, say.
        let sink = |problem: Problem| {
            if first.as_ref().is_none_or(|first| problem.place() < first.place()) {
                first = Some(problem);
            }
        };
        Scan::<_, false>::new(sentence, &mut self.heads, sink).run();
        match first {
            Some(problem) => Err(problem),
            None if self.heads.len() > 1 => Tree::from_nodes(self.heads.as_slice().into())
                .map_err(|cycle| cycle_problem(sentence, &cycle)),
            None => Err(no_words(sentence)),
        }
    }

    /// Number of words of the sentence, whatever their heads and relations are: what has to be right before
    /// it can be parsed.
    ///
    /// ```
    /// use tanglewood::conllu::{Sentences, Validator};
    /// let text = b"1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    /// assert_eq!(Sentences::of(text).map(|sentence| Validator::new().words(&sentence)).next(), Some(Ok(1)));
    /// ```
    ///
    /// # Errors
    /// The first problem that [prevents a tree](Kind::prevents_tree) and does not lie in HEAD.
    pub fn words(&mut self, sentence: &Sentence<'_>) -> Result<usize, Problem> {
        let mut first: Option<Problem> = None;
        let sink = |problem: Problem| {
            let in_head = matches!(
                problem.kind,
                Kind::NoHead | Kind::BadHead | Kind::HeadOutOfRange | Kind::NoRoot | Kind::Cycle
            );
            if !in_head && first.as_ref().is_none_or(|first| problem.place() < first.place()) {
                first = Some(problem);
            }
        };
        Scan::<_, false>::new(sentence, &mut self.heads, sink).run();
        match first {
            Some(problem) => Err(problem),
            None if self.heads.len() > 1 => Ok(self.heads.len() - 1),
            None => Err(no_words(sentence)),
        }
    }

    /// Everything that is wrong with the sentence, in order of lines. Nothing is wrong with a blank one, or
    /// with a [gap](Sentence::is_gap) of a text.
    ///
    /// Of more than [`MAX_PROBLEMS`] only that number is listed, and a last entry of
    /// [kind `More`](Kind::More) says how many others there are. The first problem that prevents a tree is
    /// always among the ones listed.
    pub fn problems(&mut self, sentence: &Sentence<'_>) -> Vec<Problem> {
        let mut list = List::default();
        Scan::<_, true>::new(sentence, &mut self.heads, |problem| list.add(problem)).run();
        list.finish()
    }
}

/// One pass over a sentence. `STRICT` asks for what a tree does not depend on, too.
struct Scan<'s, S, const STRICT: bool> {
    sentence: &'s Sentence<'s>,
    heads: &'s mut Vec<u32>,
    sink: S,
    /// The id of the last word.
    last_word: u32,
    /// Number of empty nodes since that word.
    empty_nodes: u32,
    /// The last id of the last multiword range.
    range_end: u32,
    /// Whether a problem was found that prevents a tree.
    broken: bool,
    /// Whether the governors in DEPS need a second look, when the number of words is known.
    farthest_governor: u32,
    empty_governor: bool,
}

/// A line that is being looked at.
#[derive(Clone, Copy)]
struct Place<'a> {
    number: u64,
    content: &'a [u8],
}

impl<S: FnMut(Problem), const STRICT: bool> Scan<'_, S, STRICT> {
    fn new<'s>(sentence: &'s Sentence<'s>, heads: &'s mut Vec<u32>, sink: S) -> Scan<'s, S, STRICT> {
        heads.clear();
        heads.push(0);
        Scan {
            sentence,
            heads,
            sink,
            last_word: 0,
            empty_nodes: 0,
            range_end: 0,
            broken: false,
            farthest_governor: 0,
            empty_governor: false,
        }
    }

    fn run(&mut self) {
        let bytes = self.sentence.bytes();
        let mut at = self.sentence.mark().len();
        let mut number = self.sentence.first_line();
        let mut tokens_begun = false;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let is_token = rest[0] != b'#';
            let split = if is_token { Some(split_line(rest)) } else { None };
            let end = split.map_or_else(|| memchr(b'\n', rest).unwrap_or(rest.len()), |split| split.end);
            let whole = &rest[..rest.len().min(end + 1)];
            let place = Place { number, content: &whole[..whole.len() - line_ending(whole)] };
            at += whole.len();
            number += 1;
            if place.content.is_empty() {
                continue;
            }
            self.check_text(place);
            match split {
                Some(split) => {
                    tokens_begun = true;
                    self.check_token(place, &split);
                }
                None if STRICT && tokens_begun => {
                    self.report(
                        Kind::CommentInside,
                        place,
                        0,
                        "a comment after the first token".into(),
                        || "comments before the first token".into(),
                    );
                }
                None => {}
            }
        }
        if tokens_begun {
            self.check_whole();
        } else if !self.sentence.is_blank() && !self.sentence.is_gap() {
            (self.sink)(no_words(self.sentence));
        }
    }

    fn report(
        &mut self,
        kind: Kind,
        place: Place<'_>,
        offset: usize,
        found: String,
        expected: impl FnOnce() -> String,
    ) {
        self.broken |= kind.prevents_tree();
        let column = characters(&place.content[..offset]) + 1;
        (self.sink)(Problem { kind, line: place.number, column, found, expected: expected() })
    }

    fn check_text(&mut self, place: Place<'_>) {
        if place.content.len() > MAX_LINE_BYTES {
            let found = format!("a line of {} bytes", place.content.len());
            self.report(Kind::LineTooLong, place, 0, found, || format!("at most {MAX_LINE_BYTES}"));
        }
        if !self.sentence.is_known_utf8()
            && let Err(error) = std::str::from_utf8(place.content)
        {
            let offset = error.valid_up_to();
            let found = format!("byte {:#04x}", place.content[offset]);
            self.report(Kind::NotUtf8, place, offset, found, || "UTF-8 text".into());
        }
    }

    fn check_token(&mut self, place: Place<'_>, split: &Split) {
        if split.tab_count != 9 {
            return self.report_column_count(place, split.tab_count + 1);
        }
        let column =
            |column: Column| &place.content[column_span(&split.tabs, place.content.len(), column as usize)];
        let id = column(Column::Id);
        let head = column(Column::Head);
        match number(id) {
            Some(word) if word == self.last_word + 1 => {
                self.last_word = word;
                self.empty_nodes = 0;
                self.check_head(place, split, head);
            }
            _ => match Id::parse(id) {
                None => {
                    let found =
                        if id.is_empty() { nothing_in(Column::Id) } else { format!("id {}", Quoted(id)) };
                    let next_word = self.last_word + 1;
                    self.report(Kind::BadId, place, 0, found, || {
                        if !id.is_empty() && id.iter().all(u8::is_ascii_digit) {
                            next_word.to_string()
                        } else {
                            "a word (3), a range (3-4) or an empty node (3.1)".into()
                        }
                    });
                }
                Some(Id::Word(word)) => {
                    self.report_order(place, Id::Word(word));
                    // Begins anew here, so that a missing blank line is one problem and not one per word.
                    (self.last_word, self.empty_nodes, self.range_end) = (word, 0, 0);
                    self.check_head(place, split, head);
                }
                Some(Id::Range(first, last)) => self.check_range(place, split, first, last),
                Some(Id::Empty(word, node)) => {
                    if (word, node) != (self.last_word, self.empty_nodes + 1) {
                        self.report_order(place, Id::Empty(word, node));
                    }
                    if word == self.last_word {
                        self.empty_nodes = node;
                    }
                    self.check_headless(place, split, "an empty node");
                }
            },
        }
        if STRICT {
            self.check_columns(place, split);
            self.check_annotation(place, split);
            if self.sentence.may_have_returns()
                && let Some(offset) = memchr(b'\r', place.content)
            {
                self.report(Kind::StrayReturn, place, offset, "a carriage return".into(), || {
                    "carriage returns only at the end of lines".into()
                });
            }
            let deps = column(Column::Deps);
            if deps != b"_" && !deps.is_empty() {
                self.check_deps(place, split, deps);
            }
        }
    }

    fn report_column_count(&mut self, place: Place<'_>, columns: usize) {
        let is_white = place.content.trim_ascii().is_empty();
        let found = match columns {
            _ if is_white => "a line of white space".to_owned(),
            1 => format!("1 column, {}", Quoted(place.content)),
            _ => format!("{columns} columns"),
        };
        self.report(Kind::ColumnCount, place, 0, found, || match columns {
            _ if is_white => "an empty line or 10 columns".into(),
            1 if place.content.contains(&b' ') => "10 columns with tabs, not spaces, between them".into(),
            _ => "10 columns with tabs between them".into(),
        });
    }

    fn report_order(&mut self, place: Place<'_>, id: Id) {
        let last = self.last_word;
        let previous = match self.empty_nodes {
            0 if last == 0 => "at the start".to_owned(),
            0 => format!("after {last}"),
            nodes => format!("after {last}.{nodes}"),
        };
        let next_node = self.empty_nodes + 1;
        self.report(Kind::IdOrder, place, 0, format!("id {id} {previous}"), || match id {
            Id::Empty(..) => format!("{last}.{next_node} or {}", last + 1),
            Id::Word(1) | Id::Range(1, _) => format!("{}, or a blank line before a new sentence", last + 1),
            _ => (last + 1).to_string(),
        });
    }

    fn check_head(&mut self, place: Place<'_>, split: &Split, head: &[u8]) {
        let offset = split.tabs[5] as usize + 1;
        match number(head) {
            Some(head) => self.heads.push(head),
            None => {
                self.heads.push(0);
                let (kind, found) = match head {
                    b"_" => (Kind::NoHead, "no head, `_`".into()),
                    b"" => (Kind::BadHead, nothing_in(Column::Head)),
                    _ => (Kind::BadHead, format!("head {}", Quoted(head))),
                };
                self.report(kind, place, offset, found, || match head {
                    [b'0', b'0'..=b'9', ..] => "a number without leading zeros".into(),
                    _ => "the number of a word, or 0 for the root".into(),
                });
                return;
            }
        }
        if STRICT {
            let relation =
                &place.content[column_span(&split.tabs, place.content.len(), Column::Deprel as usize)];
            let is_root = relation == b"root" || relation.starts_with(b"root:");
            if !relation.is_empty() && is_root != (head == b"0") {
                let offset = split.tabs[6] as usize + 1;
                let found = format!(
                    "relation {} at a word with head {}",
                    Quoted(relation),
                    String::from_utf8_lossy(head)
                );
                self.report(Kind::RootRelation, place, offset, found, || {
                    if is_root {
                        "`root` only where the head is 0".into()
                    } else {
                        "`root` where the head is 0".into()
                    }
                });
            }
        }
    }

    fn check_range(&mut self, place: Place<'_>, split: &Split, first: u32, last: u32) {
        if last < first {
            let found = format!("range {first}-{last}");
            self.report(Kind::BadRange, place, 0, found, || "a last word after the first".into());
        } else if first != self.last_word + 1 {
            self.report_order(place, Id::Range(first, last));
        } else if first <= self.range_end {
            let end = self.range_end;
            let found = format!("range {first}-{last} overlapping the range that ends at {end}");
            self.report(Kind::BadRange, place, 0, found, || "ranges that do not overlap".into());
        }
        if STRICT && last == first {
            let found = format!("range {first}-{last} of one word");
            self.report(Kind::RangeOfOne, place, 0, found, || {
                "a range of at least two words, or none".into()
            });
        }
        self.range_end = self.range_end.max(last);
        self.check_headless(place, split, "a range")
    }
}

fn nothing_in(column: Column) -> String {
    format!("nothing in column {}", column.name())
}

/// Number of characters of some bytes, whether or not they are UTF-8.
fn characters(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).chars().count()
}
