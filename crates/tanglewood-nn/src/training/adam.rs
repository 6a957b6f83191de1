//! Adam (Kingma and Ba 2015), where rows of tables that a step did not use are left alone.

use crate::parameters::{Gradients, Parameters};
use crate::real::Real;
use crate::simd::vectorised;

/// The decay of the mean of gradients.
const FIRST: f64 = 0.9;

/// The decay of the mean of their squares: short, as Dozat and Manning (2017) found best for parsers.
const SECOND: f64 = 0.95;

/// Keeps steps finite where gradients vanish.
const EPSILON: f64 = 1e-8;

/// Moments of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<T> {
    /// Means of gradients.
    pub first: Vec<T>,
    /// Means of their squares.
    pub second: Vec<T>,
    /// How many steps were taken.
    pub steps: u64,
}

impl<T: Real> Adam<T> {
    /// Before the first step, for so many parameters.
    pub fn new(len: usize) -> Adam<T> {
        Adam { first: vec![T::ZERO; len], second: vec![T::ZERO; len], steps: 0 }
    }

    /// One step downhill. Gradients longer than `clip` are shortened to it. Returns how long they were.
    pub fn step(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        rate: f64,
        clip: f64,
    ) -> f64 {
        self.steps += 1;
        let norm = gradients.squared_norm().sqrt();
        if !norm.is_finite() {
            // Such a batch teaches nothing.
            return norm;
        }
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let bias = (1.0 - SECOND.powi(steps)).sqrt() / (1.0 - FIRST.powi(steps));
        let scale = T::of(if norm > clip { clip / norm } else { 1.0 });
        for range in gradients.ranges() {
            update(
                &mut parameters.values[range.clone()],
                &mut self.first[range.clone()],
                &mut self.second[range.clone()],
                &gradients.values()[range],
                scale,
                T::of(rate * bias),
            );
        }
        norm
    }
}

vectorised! {
    fn update<T: Real>(values: &mut [T], first: &mut [T], second: &mut [T], gradients: &[T], scale: T, rate: T) {
        let (keep_first, keep_second) = (T::of(FIRST), T::of(SECOND));
        let epsilon = T::of(EPSILON);
        let len = values.len();
        let (first, second, gradients) = (&mut first[..len], &mut second[..len], &gradients[..len]);
        for at in 0..len {
            let gradient = gradients[at] * scale;
            first[at] = keep_first * first[at] + (T::ONE - keep_first) * gradient;
            second[at] = keep_second * second[at] + (T::ONE - keep_second) * gradient * gradient;
            values[at] -= rate * first[at] / (second[at].sqrt() + epsilon);
        }
    }
}
