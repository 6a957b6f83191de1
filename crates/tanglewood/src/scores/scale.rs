//! Scores that mean the same in numbers that are easier to work with, and comparisons of trees without
//! rounding.
//!
//! Every tree gives each word one head. So a constant may be taken from all scores of a word: each tree's
//! score changes by the same sum of constants, and no comparison or probability changes at all. The constant
//! is a score itself, the word's largest, so that differences are rounded once and not before they are small:
//! an offset of 10¹⁰ on all scores costs no digit.

use std::cmp::Ordering;

use super::ArcScores;
use crate::Tree;

/// From this spread of a word's scores on, logarithms do not suffice for sums: rounding is below 10⁻⁹ up to
/// here.
pub(crate) const LARGE: f64 = 1e6;

/// A sum without rounding until the end: partial sums that have no digits in common (Shewchuk 1997).
#[derive(Clone, Debug, Default)]
pub(crate) struct ExactSum(Vec<f64>);

impl ExactSum {
    /// Adds a finite number.
    pub fn add(&mut self, term: f64) {
        let mut term = term;
        self.0.retain_mut(|part| {
            let (high, low) = if term.abs() < part.abs() { (*part, term) } else { (term, *part) };
            term = high + low;
            *part = low - (term - high);
            *part != 0.0
        });
        self.0.push(term);
    }

    /// The sum, rounded.
    pub fn value(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The sum compared with 0: the largest part decides, since the others have lower digits only.
    fn sign(&self) -> Ordering {
        let largest = self.0.iter().rev().find(|part| **part != 0.0);
        largest.map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
    }
}

/// Compares the scores of two trees without rounding.
pub(crate) fn compare_trees(scores: &ArcScores, one: &Tree, other: &Tree) -> Ordering {
    let mut difference = ExactSum::default();
    for ((head, word), (other_head, _)) in one.arcs().zip(other.arcs()) {
        let (score, other_score) = (scores.get(head, word), scores.get(other_head, word));
        if head != other_head {
            if !score.is_finite() || !other_score.is_finite() {
                return score.total_cmp(&other_score);
            }
            difference.add(score);
            difference.add(-other_score);
        }
    }
    difference.sign()
}

/// The largest score of each word, at 0 for the root; −∞ for words without a possible head.
pub(crate) fn largest_by_word(scores: &ArcScores) -> Vec<f64> {
    let mut largest = vec![f64::NEG_INFINITY; scores.len() + 1];
    for head in 0..=scores.len() {
        for (largest, &score) in largest.iter_mut().zip(scores.row(head)) {
            *largest = if score > *largest { score } else { *largest };
        }
    }
    largest
}

/// The largest difference between possible scores of the same word.
pub(crate) fn spread(scores: &ArcScores) -> f64 {
    let largest = largest_by_word(scores);
    let differences = scores.arcs().map(|(head, word)| largest[word] - scores.get(head, word));
    differences.filter(|difference| difference.is_finite()).fold(0.0, f64::max)
}

/// Scores less the largest of each word, and the sum of what was taken. Words with no possible head are left
/// alone.
pub(crate) fn shifted_by_word(scores: &ArcScores) -> (ArcScores, f64) {
    let largest = largest_by_word(scores);
    let mut shifted = scores.clone();
    let mut sum = ExactSum::default();
    for (word, &constant) in largest.iter().enumerate().filter(|(_, constant)| constant.is_finite()) {
        sum.add(constant);
        for head in (0..=scores.len()).filter(|&head| head != word) {
            shifted.put(head, word, scores.get(head, word) - constant);
        }
    }
    (shifted, sum.value())
}

/// Scores such that exp(score) sums to one over each word's heads, and the logarithm of the factor taken out.
pub(crate) fn normalised(scores: &ArcScores) -> (ArcScores, f64) {
    let (mut normal, mut taken) = shifted_by_word(scores);
    for word in 1..=scores.len() {
        let heads = || (0..=scores.len()).filter(move |&head| head != word);
        let sum = heads().map(|head| normal.get(head, word).exp()).sum::<f64>().ln();
        if sum.is_finite() {
            taken += sum;
            heads().for_each(|head| normal.put(head, word, normal.get(head, word) - sum));
        }
    }
    (normal, taken)
}
