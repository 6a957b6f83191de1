//! Reading order.

use std::fmt;
use std::str::FromStr;

use crate::Tree;

/// In which order a system reads the sentence.
///
/// Reading from right to left gives the mirrored class of trees. [`Direction::Either`] stands for the union
/// of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Left to right.
    #[default]
    Ltr,
    /// Right to left: as left to right on the mirrored sentence.
    Rtl,
    /// Whichever of the two does it.
    Either,
}

/// A text that names no direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a direction; expected ltr, rtl or either")]
pub struct DirectionError(String);

impl Direction {
    /// True if and only if left-to-right runs count.
    pub fn reads_forward(self) -> bool {
        self != Direction::Rtl
    }

    /// True if and only if right-to-left runs count.
    pub fn reads_backward(self) -> bool {
        self != Direction::Ltr
    }

    /// The directions that count, each of them one of the two, from left to right first.
    pub fn each(self) -> impl ExactSizeIterator<Item = Direction> {
        match self {
            Direction::Either => [Direction::Ltr, Direction::Rtl].iter(),
            Direction::Ltr => [Direction::Ltr].iter(),
            Direction::Rtl => [Direction::Rtl].iter(),
        }
        .copied()
    }

    /// The place in reading order of a node of a sentence of `words` words, or the other way round: from
    /// right to left, word m becomes word n + 1 − m. Node 0 stays, and so does the end of the sentence,
    /// n + 1.
    ///
    /// ```
    /// use tanglewood::Direction;
    /// assert_eq!([0, 1, 2, 3, 4].map(|node| Direction::Rtl.place(3, node)), [0, 3, 2, 1, 4]);
    /// ```
    pub fn place(self, words: usize, node: usize) -> usize {
        let is_word = (1..=words).contains(&node);
        if self == Direction::Rtl && is_word { words + 1 - node } else { node }
    }

    /// The tree in reading order, or the other way round.
    pub fn read(self, tree: Tree) -> Tree {
        if self == Direction::Rtl { tree.mirrored() } else { tree }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Ltr => "ltr",
            Direction::Rtl => "rtl",
            Direction::Either => "either",
        })
    }
}

impl FromStr for Direction {
    type Err = DirectionError;

    fn from_str(text: &str) -> Result<Direction, DirectionError> {
        match text {
            "ltr" => Ok(Direction::Ltr),
            "rtl" => Ok(Direction::Rtl),
            "either" => Ok(Direction::Either),
            _ => Err(DirectionError(text.to_owned())),
        }
    }
}
