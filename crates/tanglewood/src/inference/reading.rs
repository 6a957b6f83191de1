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
        if self.direction == Direction::Ltr { tree } else { tree.mirrored() }
    }

    /// Where a node of the sentence is in reading order.
    pub fn place(&self, node: usize) -> usize {
        if node == 0 || self.direction == Direction::Ltr { node } else { self.scores.len() + 1 - node }
    }
}

impl Inference<'_> {
    /// The readings to sum over: one is enough where both have the same trees and each counts once.
    pub(super) fn readings_to_sum(&self, scores: &ArcScores) -> Vec<Reading> {
        let mut readings = self.readings(scores);
        if self.is_projective() {
            readings.truncate(1);
        }
        readings
    }

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
