//! What can be wrong with a sentence.

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
    /// A range of a single word.
    RangeOfOne,
    /// A UPOS that is none of the universal ones.
    UnknownUpos,
    /// FEATS that are not pairs of names and values.
    BadFeats,
    /// A feature that comes twice, or features that are not in order.
    FeatsOrder,
    /// So many problems more in the same sentence that they are not listed.
    More,
}

impl Kind {
    /// True if and only if no tree can be read from a sentence with this problem. The other kinds break
    /// conventions of the format that a tree does not depend on.
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
            | Kind::RangeOfOne
            | Kind::UnknownUpos
            | Kind::BadFeats
            | Kind::FeatsOrder
            | Kind::More => false,
        }
    }

    /// The level of a check that finds it, after those of the validator of Universal Dependencies: 1 for what
    /// makes a sentence unreadable, which is what [prevents a tree](Kind::prevents_tree); 2 for what breaks
    /// rules of the format that hold for all languages.
    pub fn level(self) -> u8 {
        if self.prevents_tree() { 1 } else { 2 }
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
