//! Scores of any size in numbers of moderate size, with the same probabilities.
//!
//! The scores that a sentence mixes may be ordinary ones, some of 10³⁰ and some of 10³⁰⁰. What matters are
//! differences between the sums of two trees, each with a score per word. Written in binary, scores of 10³⁰⁰
//! have no digits but some fifty, around the thousandth, and so have sums of them, but for a few digits that
//! are carried; between those and the digits of smaller scores there is a gap. If the digits above a gap
//! differ in two sums, then these are apart by more than a probability can show, and stay so if the gap is
//! closed up to a few digits. If they do not differ, the digits below are all that counts. So closing gaps
//! changes no probability. It is a multiplication by a power of two, the same for all scores whose digits are
//! between two gaps, and rounds nothing.
//!
//! Where 120 digits do not suffice even so, scores first lose those at the end: they change by less than
//! 10⁻³⁰ of the largest.

use super::ArcScores;
use crate::semiring::{Semiring, Wide};

/// The largest number of binary digits of a sum.
const DIGITS: i32 = 120;

/// Digits without a gap, and what the gaps below them were closed by.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    /// The place of the first digit, now that gaps are closed.
    first: i32,
    /// How much further up it was.
    shift: i32,
}

/// Scores without gaps.
pub(crate) struct ClosedGaps {
    pub scores: ArcScores,
    /// From the lowest to the highest; the first one, which is where it was, is left out.
    stretches: Vec<Stretch>,
}

/// The places of the first and the last binary digit of a number; the place of 1 is 0.
fn digits(number: f64) -> (i32, i32) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let mantissa = bits & ((1 << 52) - 1);
    // Numbers without the leading one are so small that it makes no difference.
    let mantissa = mantissa | 1 << 52;
    (exponent - 1075 + mantissa.trailing_zeros() as i32, exponent - 1023)
}

/// 2^exponent, for exponents that scores have.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The stretches of all scores, each with the place of its first digit among the scores, and the place after
/// the last digit of a sum without gaps.
fn stretches(scores: &ArcScores, lowest: i32, carried: i32) -> (Vec<(i32, Stretch)>, i32) {
    let all = scores.arcs().map(|(head, word)| scores.get(head, word));
    let mut ranges: Vec<(i32, i32)> =
        all.filter(|score| score.is_finite() && *score != 0.0).map(digits).collect();
    ranges.sort_unstable();
    let mut stretches = Vec::new();
    let (mut end, mut shift) = (lowest, 0);
    for (first, last) in ranges {
        if first > end {
            let closed = Stretch { first: end - shift, shift: first - (end - shift) };
            shift = closed.shift;
            stretches.push((first, closed));
        }
        end = end.max(last + 1 + carried);
    }
    (stretches, end - shift)
}

fn close(scores: &ArcScores, stretches: &[(i32, Stretch)]) -> ArcScores {
    let mut closed = scores.clone();
    for (head, word) in scores.arcs() {
        let score = scores.get(head, word);
        let first = digits(score).0;
        let stretch = stretches.iter().rev().find(|(start, _)| *start <= first);
        if let Some((_, Stretch { shift, .. })) = stretch.filter(|_| score.is_finite() && score != 0.0) {
            closed.put(head, word, score * power_of_two(-shift));
        }
    }
    closed
}

impl ClosedGaps {
    pub fn new(scores: &ArcScores) -> ClosedGaps {
        // There is room for scores of this size as they are.
        if scores.largest() < power_of_two(52) {
            return ClosedGaps { scores: scores.clone(), stretches: Vec::new() };
        }
        let n = scores.len() as f64;
        // All other derivations together cannot make up for more: there are 2n steps, with fewer than 20n
        // choices each.
        let negligible = 1000.0 + 4.0 * n * (n + 20.0).ln();
        let lowest = negligible.log2().ceil() as i32 + 1;
        // The difference of two sums, or of two such differences, and what is carried from lower digits.
        let carried = (8.0 * n + 2.0).log2().ceil() as i32 + 2;

        let mut rounded = scores.clone();
        let (mut found, mut end) = stretches(&rounded, lowest, carried);
        // A single score has fewer digits than there may be, so this ends before the scores do.
        for last_digit in (0..1000).step_by(8) {
            if end <= DIGITS {
                break;
            }
            let (up, down) = (power_of_two(last_digit), power_of_two(-last_digit));
            for (head, word) in scores.arcs() {
                rounded.put(head, word, (scores.get(head, word) * down).round_ties_even() * up);
            }
            (found, end) = stretches(&rounded, lowest, carried);
        }
        let scores = close(&rounded, &found);
        ClosedGaps { scores, stretches: found.into_iter().map(|(_, stretch)| stretch).collect() }
    }

    /// The logarithm of a sum of closed scores' weights as it would be with the scores themselves.
    pub fn ln(&self, total: Wide) -> f64 {
        self.ln_share(total, Wide::ONE)
    }

    /// The logarithm of a part's share as it would be with the scores themselves.
    pub fn ln_share(&self, part: Wide, whole: Wide) -> f64 {
        if part == Wide::ZERO {
            return f64::NEG_INFINITY;
        }
        let (low, high) = self.below_gaps(part.exponent() - whole.exponent());
        high.iter().rev().fold(low + (part.mantissa() / whole.mantissa()).ln(), |sum, part| sum + part)
    }

    /// An exponent below the first gap, and above each as it was, the highest first.
    fn below_gaps(&self, exponent: i128) -> (f64, Vec<f64>) {
        let mut rest = exponent;
        let mut above = Vec::new();
        for stretch in self.stretches.iter().rev() {
            let half = 1 << (stretch.first - 1);
            let units = (rest + half) >> stretch.first;
            rest -= units << stretch.first;
            above.push(units as f64 * power_of_two(stretch.first + stretch.shift));
        }
        (rest as f64, above)
    }
}
