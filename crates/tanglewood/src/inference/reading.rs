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

impl Reading {
    /// The tree in the order of the sentence, from the one in reading order.
    pub fn in_sentence(&self, tree: Tree) -> Tree {
        in_sentence(self.direction, tree)
    }
}

/// The tree in the order of the sentence, from the one in the order in which it was read.
pub(super) fn in_sentence(direction: Direction, tree: Tree) -> Tree {
    if direction == Direction::Rtl { tree.mirrored() } else { tree }
}

/// The place of a node of the sentence in reading order.
pub(super) fn place(direction: Direction, words: usize, node: usize) -> usize {
    if node == 0 || direction != Direction::Rtl { node } else { words + 1 - node }
}

impl Inference {
    /// The readings that count, from left to right first.
    pub(super) fn readings(&self, scores: &ArcScores) -> Vec<Reading> {
        let mut readings = Vec::new();
        if self.direction.reads_forward() {
            readings.push(Reading { direction: Direction::Ltr, scores: scores.clone() });
        }
        if self.direction.reads_backward() {
            readings.push(Reading { direction: Direction::Rtl, scores: scores.mirrored() });
        }
        readings
    }
}
