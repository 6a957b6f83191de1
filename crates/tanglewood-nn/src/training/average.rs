//! A running average of parameters, which does better than the last ones (Polyak and Juditsky 1992).

use crate::parameters::Parameters;
use crate::real::Real;
use crate::simd::vectorised;

/// Parameters change little from one step to the next: every few steps are enough.
const EVERY: u64 = 8;

/// The average, or nothing if none is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Average {
    decay: f64,
    /// The averaged parameters.
    pub values: Vec<f32>,
}

impl Average {
    /// An average that forgets at this rate per step; none for 0.
    pub fn new(parameters: &Parameters<f32>, decay: f64) -> Average {
        Average { decay, values: if decay > 0.0 { parameters.values.clone() } else { Vec::new() } }
    }

    /// Updates the average after a step.
    pub fn update(&mut self, parameters: &Parameters<f32>, steps: u64) {
        if self.decay <= 0.0 || !steps.is_multiple_of(EVERY) {
            return;
        }
        // The average of a short run must not remember how it began.
        let early = steps as f64 / (steps as f64 + 10.0 * EVERY as f64);
        let decay = self.decay.powi(EVERY as i32).min(early);
        mix(&mut self.values, &parameters.values, (1.0 - decay) as f32);
    }

    /// The average, or the parameters themselves.
    pub fn of(&self, parameters: &Parameters<f32>) -> Parameters<f32> {
        if self.decay > 0.0 { Parameters { values: self.values.clone() } } else { parameters.clone() }
    }
}

vectorised! {
    fn mix<T: Real>(average: &mut [T], values: &[T], share: T) {
        for (average, &value) in average.iter_mut().zip(values) {
            *average += share * (value - *average);
        }
    }
}
