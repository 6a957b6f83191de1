//! Adam (Kingma and Ba 2015), where rows of tables that a step did not use are left alone.

use std::ops::Range;

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
    /// Running means of gradients.
    pub first: Vec<T>,
    /// Running means of squared gradients.
    pub second: Vec<T>,
    /// Number of steps taken.
    pub steps: u64,
}

impl<T: Real> Adam<T> {
    /// The state before the first step, for `len` parameters.
    pub fn new(len: usize) -> Adam<T> {
        Adam { first: vec![T::ZERO; len], second: vec![T::ZERO; len], steps: 0 }
    }

    /// One step downhill, by several threads; their number makes no difference to the result. Gradients
    /// longer than `clip` are shortened to it. Returns how long they were.
    pub fn step(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        (rate, clip): (f64, f64),
        threads: usize,
    ) -> f64 {
        self.steps += 1;
        let norm = gradients.squared_norm().sqrt();
        if !norm.is_finite() {
            // A gradient that is not finite is not applied.
            return norm;
        }
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let bias = (1.0 - SECOND.powi(steps)).sqrt() / (1.0 - FIRST.powi(steps));
        let scale = T::of(if norm > clip { clip / norm } else { 1.0 });
        let rate = T::of(rate * bias);
        let mut rest = (&mut parameters.values[..], &mut self.first[..], &mut self.second[..]);
        let mut done = 0;
        std::thread::scope(|scope| {
            for ranges in cut(gradients.ranges().collect(), threads) {
                let Some(end) = ranges.last().map(|range| range.end) else { continue };
                let (values, first, second) = (
                    rest.0.split_off_mut(..end - done).unwrap_or_default(),
                    rest.1.split_off_mut(..end - done).unwrap_or_default(),
                    rest.2.split_off_mut(..end - done).unwrap_or_default(),
                );
                let start = std::mem::replace(&mut done, end);
                let work = move || {
                    for range in ranges {
                        let here = range.start - start..range.end - start;
                        update(
                            &mut values[here.clone()],
                            &mut first[here.clone()],
                            &mut second[here],
                            &gradients.values()[range],
                            scale,
                            rate,
                        );
                    }
                };
                if threads > 1 { drop(scope.spawn(work)) } else { work() }
            }
        });
        norm
    }
}

/// Cuts ranges into parts of the same size, from left to right.
fn cut(mut ranges: Vec<Range<usize>>, parts: usize) -> Vec<Vec<Range<usize>>> {
    // An empty range may begin within another part than the range that begins at the same place.
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let total: usize = ranges.iter().map(Range::len).sum();
    let size = total.div_ceil(parts.max(1));
    let (mut cut, mut part, mut room) = (Vec::new(), Vec::new(), size);
    for mut range in ranges {
        while range.len() > room {
            let middle = range.start + room;
            part.push(range.start..middle);
            cut.push(std::mem::take(&mut part));
            (range.start, room) = (middle, size);
        }
        room -= range.len();
        part.push(range);
    }
    cut.push(part);
    cut
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_order_whatever_the_ranges() {
        let ranges = vec![10..18, 10..10, 0..3, 18..18, 3..10];
        for parts in 1..6 {
            let cut = cut(ranges.clone(), parts);
            let flat: Vec<Range<usize>> = cut.into_iter().flatten().collect();
            assert!(flat.is_sorted_by(|left, right| left.end <= right.start), "{flat:?}");
            assert_eq!(flat.iter().map(Range::len).sum::<usize>(), 18);
        }
    }
}
