//! What can be wrong with a sentence.

use std::fmt;

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A line longer than [`MAX_LINE_BYTES`](super::MAX_LINE_BYTES).
    LineTooLong,
    /// Not ten columns.
    ColumnCount,
    /// An id that is none.
    BadId,
    /// An id that is out of order, missing or repeated.
    IdOrder,
    /// A multiword range that is empty, overlaps another or goes beyond the sentence.
    BadRange,
    /// A head that is no number.
    BadHead,
    /// A word without a head.
    NoHead,
    /// A head beyond the sentence.
    HeadOutOfRange,
    /// Heads in a circle.
    Cycle,
    /// No word hangs from 0.
    NoRoot,
    /// Comments, but no words.
    NoWords,
    /// More words than a tree may have.
    TooManyWords,
    /// Several words hang from 0.
    SeveralRoots,
    /// The relation `root` somewhere else than at a word with head 0, or another relation there.
    RootRelation,
    /// A column with nothing in it.
    EmptyColumn,
    /// A space where none may be.
    SpaceInColumn,
    /// A comment after the first token.
    CommentInside,
    /// A range or empty node with a head or relation of its own.
    HeadNotAllowed,
    /// Enhanced dependencies that are not well-formed.
    BadDeps,
    /// A carriage return that is not part of a line's end.
    StrayReturn,
    /// So many problems more in the same sentence that they are not listed.
    More,
}

impl Kind {
    /// True if and only if no tree can be read from a sentence with this problem. The other kinds break conventions of the
    /// format that a tree does not depend on.
    pub fn prevents_tree(self) -> bool {
        match self {
            Kind::NotUtf8
            | Kind::LineTooLong
            | Kind::ColumnCount
            | Kind::BadId
            | Kind::IdOrder
            | Kind::BadRange
            | Kind::BadHead
            | Kind::NoHead
            | Kind::HeadOutOfRange
            | Kind::Cycle
            | Kind::NoRoot
            | Kind::NoWords
            | Kind::TooManyWords => true,
            Kind::SeveralRoots
            | Kind::RootRelation
            | Kind::EmptyColumn
            | Kind::SpaceInColumn
            | Kind::CommentInside
            | Kind::HeadNotAllowed
            | Kind::BadDeps
            | Kind::StrayReturn
            | Kind::More => false,
        }
    }
}

/// One problem, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {found}; expected {expected}")]
pub struct Problem {
    /// What kind of problem.
    pub kind: Kind,
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Place in the line in characters, counted from 1.
    pub column: usize,
    /// What was found there.
    pub found: String,
    /// What should have been there.
    pub expected: String,
}

impl Problem {
    /// By what problems are put in order.
    pub(super) fn place(&self) -> (u64, usize) {
        (self.line, self.column)
    }
}

/// Shows a piece of input in a message: quoted, characters that cannot be seen escaped, cut when long.
pub(crate) struct Quoted<'a>(pub &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;
        // Four bytes a character are enough, and keep this cheap for lines of a megabyte.
        let text = String::from_utf8_lossy(&self.0[..self.0.len().min(4 * SHOWN + 4)]);
        write!(f, "`")?;
        for character in text.chars().take(SHOWN) {
            if is_invisible(character) {
                write!(f, "{}", character.escape_debug())?
            } else {
                write!(f, "{character}")?
            }
        }
        write!(f, "{}`", if text.chars().nth(SHOWN).is_some() { "…" } else { "" })
    }
}

/// Characters that do something other than show: control characters, soft hyphen, joiners, direction marks, byte-order mark.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}
