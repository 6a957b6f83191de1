//! Scores that mean the same in numbers that are easier to work with.
//!
//! Every tree gives each word one head. So a constant may be taken from all scores of a word: each tree's score changes by the same sum of
//! constants, and no comparison or probability changes at all.

use crate::scores::ArcScores;

/// Scores less a constant per word, and the sum of the constants. Words with no possible head are left alone.
pub(super) fn shifted_by_word(
    scores: &ArcScores,
    constant: impl Fn(&mut dyn Iterator<Item = f64>) -> f64,
) -> (ArcScores, f64) {
    let nodes = scores.len() + 1;
    let mut shifted = scores.clone();
    let mut sum = ExactSum::default();
    for dependent in 1..nodes {
        let heads = || (0..nodes).filter(move |&head| head != dependent);
        let constant = constant(&mut heads().map(|head| scores.get(head, dependent)));
        if constant.is_finite() {
            sum.add(constant);
            heads().for_each(|head| shifted.set(head, dependent, scores.get(head, dependent) - constant));
        }
    }
    (shifted, sum.value())
}

/// A sum without rounding until the end: partial sums that have no digits in common (Shewchuk 1997).
#[derive(Default)]
struct ExactSum(Vec<f64>);

impl ExactSum {
    fn add(&mut self, term: f64) {
        let mut term = term;
        self.0.retain_mut(|part| {
            let (high, low) = if term.abs() < part.abs() { (*part, term) } else { (term, *part) };
            term = high + low;
            *part = low - (term - high);
            *part != 0.0
        });
        self.0.push(term);
    }

    fn value(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// Scores such that exp(score) sums to one over each word's heads, and the logarithm of the factor taken out.
pub(super) fn normalised(scores: &ArcScores) -> (ArcScores, f64) {
    shifted_by_word(scores, |column| {
        let values: Vec<f64> = column.collect();
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + values.iter().map(|value| (value - largest).exp()).sum::<f64>().ln()
    })
}

/// Multiplies scores by a power of two, which is exact, such that the largest is about one in size. What a smaller type cannot represent
/// is then far below what it can tell apart beside the largest.
pub(super) fn bring_into_range(scores: &mut ArcScores) {
    let largest = scores.largest();
    if largest == 0.0 {
        return;
    }
    // In two steps, since the inverse of a very small number may be out of range itself.
    let half = (-largest.log2() / 2.0).round().exp2();
    for (head, word) in scores.arcs() {
        scores.set(head, word, scores.get(head, word) * half * half);
    }
}
