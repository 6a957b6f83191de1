//! Learning-rate schedule.

use serde::{Deserialize, Serialize};

/// A learning rate that rises from zero, stays, and falls to zero again, by progress from 0 to 1. What
/// progress is measured in — steps, words or minutes — is up to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schedule {
    /// The largest learning rate.
    pub rate: f64,
    /// It is reached after this share of all steps.
    pub warmup: f64,
    /// Share of the training after which the rate falls.
    pub decay_from: f64,
    /// Final rate as a share of the largest.
    pub last: f64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { rate: 3e-3, warmup: 0.01, decay_from: 0.2, last: 0.01 }
    }
}

impl Schedule {
    /// The rate at a point in time.
    ///
    /// ```
    /// let schedule = tanglewood_nn::training::Schedule { rate: 1.0, warmup: 0.1, decay_from: 0.5, last: 0.0 };
    /// assert_eq!(schedule.at(0.05), 0.5);
    /// assert_eq!(schedule.at(0.3), 1.0);
    /// assert_eq!(schedule.at(0.75), 0.5);
    /// ```
    pub fn at(&self, progress: f64) -> f64 {
        let progress = progress.clamp(0.0, 1.0);
        let rising = if self.warmup > 0.0 { (progress / self.warmup).min(1.0) } else { 1.0 };
        let left = (1.0 - progress) / (1.0 - self.decay_from).max(1e-9);
        self.rate * rising * (self.last + (1.0 - self.last) * left.min(1.0))
    }
}
