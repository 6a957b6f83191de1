//! A sentence's scores, read in one direction.

use super::Inference;
use crate::scores::ArcScores;
use crate::system::Direction;

/// Scores as a system sees them that reads in that direction: from right to left, those of the mirror image.
pub(super) struct Reading {
    /// One of the two.
    pub direction: Direction,
    pub scores: ArcScores,
}

impl Inference {
    /// The readings that count, from left to right first.
    pub(super) fn readings(&self, scores: &ArcScores) -> Vec<Reading> {
        let read = |direction| Reading { direction, scores: scores.read(direction).into_owned() };
        self.direction.each().map(read).collect()
    }
}
