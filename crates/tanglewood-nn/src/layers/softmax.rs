//! Softmax and cross entropy of one row.

use std::ops::Range;

use crate::real::Real;
use crate::simd::vectorised;

/// Turns scores into logarithms of probabilities. A score of −∞ stays so.
pub fn log_softmax<T: Real>(scores: &mut [T]) {
    let largest = largest(scores);
    let total = sum_of_exponentials(scores, largest);
    let constant = largest + T::of(total.wide().ln());
    scores.iter_mut().for_each(|score| *score -= constant);
}

/// −ln of the probability that softmax gives to `gold`. Scores become the derivative: probabilities, less one
/// for `gold`.
pub fn cross_entropy<T: Real>(scores: &mut [T], gold: usize) -> f64 {
    let largest = largest(scores);
    let at_gold = (scores[gold] - largest).wide();
    let total = exponentials(scores, largest);
    let factor = T::ONE / total;
    scores.iter_mut().for_each(|score| *score *= factor);
    scores[gold] -= T::ONE;
    total.wide().ln() - at_gold
}

/// The cross entropy of softmax against a distribution, given as classes and their probabilities. Scores
/// become the derivative: probabilities, less those of the distribution.
pub fn soft_cross_entropy<T: Real>(
    scores: &mut [T],
    distribution: impl Iterator<Item = (u32, f32)> + Clone,
) -> f64 {
    let largest = largest(scores);
    let weighted =
        |(class, probability): (u32, f32)| f64::from(probability) * (scores[class as usize] - largest).wide();
    let expected: f64 = distribution.clone().map(weighted).sum();
    let total = exponentials(scores, largest);
    let factor = T::ONE / total;
    scores.iter_mut().for_each(|score| *score *= factor);
    for (class, probability) in distribution {
        scores[class as usize] -= T::of(f64::from(probability));
    }
    total.wide().ln() - expected
}

/// Turns scores into probabilities, each group by itself. Groups are not empty; together they are all of the
/// row.
pub fn softmaxes<T: Real>(scores: &mut [T], groups: &[Range<usize>]) {
    for group in groups {
        let scores = &mut scores[group.clone()];
        let largest = largest(scores);
        scores.iter_mut().for_each(|score| *score -= largest);
    }
    // Most groups have just a few classes: exponentials of all at once are faster.
    exponentials(scores, T::ZERO);
    for group in groups {
        let scores = &mut scores[group.clone()];
        let factor = T::ONE / scores.iter().fold(T::ZERO, |total, &score| total + score);
        scores.iter_mut().for_each(|score| *score *= factor);
    }
}

fn largest<T: Real>(scores: &[T]) -> T {
    scores.iter().fold(scores[0], |largest, &score| if score > largest { score } else { largest })
}

fn sum_of_exponentials<T: Real>(scores: &[T], largest: T) -> T {
    let mut total = T::ZERO;
    for &score in scores {
        total += (score - largest).exp();
    }
    total
}

vectorised! {
    fn exponentials<T: Real>(scores: &mut [T], largest: T) -> T {
        for score in scores.iter_mut() {
            *score = (*score - largest).exp();
        }
        let mut total = T::ZERO;
        for &mut score in scores {
            total += score;
        }
        total
    }
}
