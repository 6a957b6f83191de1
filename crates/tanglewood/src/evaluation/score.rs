//! Counts that give precision, recall and F1.

/// How many things the gold standard has, how many the system has, and how many of those are right.
///
/// ```
/// use tanglewood::evaluation::Score;
/// let score = Score { gold: 10, system: 8, correct: 6, aligned: 8 };
/// assert_eq!((score.precision(), score.recall(), score.accuracy()), (0.75, 0.6, 0.75));
/// assert_eq!(score.f1(), 12.0 / 18.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// In the gold standard.
    pub gold: u64,
    /// In the system's output.
    pub system: u64,
    /// Right ones.
    pub correct: u64,
    /// Those that both have, right or not.
    pub aligned: u64,
}

impl Score {
    /// The share of the system's that are right; 0 if there are none.
    pub fn precision(&self) -> f64 {
        share(self.correct, self.system)
    }

    /// The share of the gold ones that were found; 0 if there are none.
    pub fn recall(&self) -> f64 {
        share(self.correct, self.gold)
    }

    /// The harmonic mean of precision and recall; 0 if there is nothing at all.
    pub fn f1(&self) -> f64 {
        // In this form, with one division, it is the shared task's number to the last bit.
        share(2 * self.correct, self.system + self.gold)
    }

    /// The share of the aligned ones that are right; 0 if there are none.
    pub fn accuracy(&self) -> f64 {
        share(self.correct, self.aligned)
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Score) {
        self.gold += other.gold;
        self.system += other.system;
        self.correct += other.correct;
        self.aligned += other.aligned;
    }
}

/// A share; 0 of nothing.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
