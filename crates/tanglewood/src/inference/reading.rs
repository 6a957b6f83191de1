//! A sentence's scores, read in one direction.

use super::Inference;
use crate::Tree;
use crate::scores::ArcScores;
use crate::system::Direction;

/// Scores as a system sees them that reads in that direction: from right to left, those of the mirror image.
pub(super) struct Reading {
    /// One of the two.
    pub direction: Direction,
    pub scores: ArcScores,
}

/// The tree in the order of the sentence, from the one in the order in which it was read, or the other way
/// round.
pub(super) fn in_sentence(direction: Direction, tree: Tree) -> Tree {
    if direction == Direction::Rtl { tree.mirrored() } else { tree }
}

/// The place of a node of the sentence in reading order.
pub(super) fn place(direction: Direction, words: usize, node: usize) -> usize {
    if node == 0 || direction != Direction::Rtl { node } else { words + 1 - node }
}

impl Inference {
    /// The directions that are read in, from left to right first.
    pub(super) fn directions(&self) -> Vec<Direction> {
        match self.direction {
            Direction::Either => vec![Direction::Ltr, Direction::Rtl],
            one => vec![one],
        }
    }

    /// The readings that count, from left to right first.
    pub(super) fn readings(&self, scores: &ArcScores) -> Vec<Reading> {
        let read = |direction| match direction {
            Direction::Rtl => Reading { direction, scores: scores.mirrored() },
            _ => Reading { direction, scores: scores.clone() },
        };
        self.directions().into_iter().map(read).collect()
    }
}
