//! How well crossing arcs are found.

use super::score::share;

/// Counts of arcs that cross others.
///
/// *Lenient*: of the arcs that cross in the gold tree, those whose head the system found (recall); of the
/// arcs that cross in the system's tree, those whose head is right (precision). *Strict*: right arcs that
/// cross in both trees, against the same totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// Arcs that cross in the gold tree.
    pub gold: u64,
    /// Arcs that cross in the system's tree.
    pub system: u64,
    /// Words with the right head whose arc crosses in the gold tree.
    pub right_of_gold: u64,
    /// Words with the right head whose arc crosses in the system's tree.
    pub right_of_system: u64,
    /// Words with the right head whose arc crosses in both.
    pub right_of_both: u64,
}

/// Precision and recall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The share of the system's that are right; 0 if there are none.
    pub precision: f64,
    /// The share of the gold ones that were found; 0 if there are none.
    pub recall: f64,
}

impl Crossing {
    /// Right heads on crossing arcs.
    pub fn lenient(&self) -> Rates {
        let (precision, recall) =
            (share(self.right_of_system, self.system), share(self.right_of_gold, self.gold));
        Rates { precision, recall }
    }

    /// Right heads on arcs that cross in both trees.
    pub fn strict(&self) -> Rates {
        let (precision, recall) =
            (share(self.right_of_both, self.system), share(self.right_of_both, self.gold));
        Rates { precision, recall }
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Crossing) {
        self.gold += other.gold;
        self.system += other.system;
        self.right_of_gold += other.right_of_gold;
        self.right_of_system += other.right_of_system;
        self.right_of_both += other.right_of_both;
    }
}

impl Rates {
    /// The harmonic mean of the two.
    pub fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum == 0.0 { 0.0 } else { 2.0 * self.precision * self.recall / sum }
    }
}
