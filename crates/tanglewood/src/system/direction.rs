//! Reading order.

use std::fmt;
use std::str::FromStr;

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
