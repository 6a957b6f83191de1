//! Scores that mean the same in numbers that are easier to work with, and comparisons of trees without
//! rounding.
//!
//! Every tree gives each word one head. So a constant may be taken from all scores of a word: each tree's
//! score changes by the same sum of constants, and no comparison or probability changes at all. The constant
//! is a score itself, the word's largest, so that differences are rounded once and not before they are small:
//! an offset of 10¹⁰ on all scores costs no digit.

use std::cmp::Ordering;

use super::ArcScores;
use crate::memory::room;
use crate::semiring::{Real, exponentials};
use crate::{OutOfMemory, Tree};

/// A sum without rounding until the end: partial sums that have no digits in common (Shewchuk 1997).
#[derive(Clone, Debug, Default)]
struct ExactSum(Vec<f64>);

impl ExactSum {
    /// Adds a finite number.
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

/// The largest score of each word over heads from `first` on; −∞ for words without a possible head, and for
/// the root.
fn largest_by_word(scores: &ArcScores, first: usize) -> Vec<f64> {
    let mut largest = vec![f64::NEG_INFINITY; scores.len() + 1];
    for head in first..=scores.len() {
        for (largest, &score) in largest.iter_mut().zip(scores.row(head)) {
            *largest = if score > *largest { score } else { *largest };
        }
    }
    largest
}

/// Takes a constant from all scores of each word.
fn take(scores: &mut ArcScores, constants: &[f64]) {
    for head in 0..=scores.len() {
        scores.row_mut(head).iter_mut().zip(constants).for_each(|(score, constant)| *score -= constant);
    }
}

/// Scores less the largest of each word. Words with no possible head are left alone.
pub(crate) fn shifted_by_word(scores: &ArcScores) -> ArcScores {
    let mut largest = largest_by_word(scores, 0);
    largest.iter_mut().filter(|constant| !constant.is_finite()).for_each(|constant| *constant = 0.0);
    let mut shifted = scores.clone();
    take(&mut shifted, &largest);
    shifted
}

/// Scores whose exponentials, the weights, sum to one over each word's heads.
pub(crate) struct Normalised {
    pub scores: ArcScores,
    /// A row for each head, by dependent.
    weights: Vec<f64>,
    /// What was taken from the score of each tree.
    pub constant: f64,
    /// What was taken from arcs from the root beside the constants of their words.
    pub root: f64,
}

impl Normalised {
    /// If `roots_apart`, each tree must have one word at the root. Sums then are over heads that are words,
    /// and a constant is taken from root arcs so that their weights are at most one, too.
    pub fn new(scores: &ArcScores, roots_apart: bool) -> Result<Normalised, OutOfMemory> {
        let (nodes, first) = (scores.len() + 1, usize::from(roots_apart));
        let mut largest = largest_by_word(scores, first);
        // Words without a constant have the root as their only possible head.
        largest.iter_mut().filter(|constant| !constant.is_finite()).for_each(|constant| *constant = 0.0);
        let mut normal = scores.clone();
        take(&mut normal, &largest);
        let mut root = 0.0;
        if roots_apart {
            let largest = normal.row(0).iter().copied().fold(f64::NEG_INFINITY, f64::max);
            root = if largest.is_finite() { largest } else { 0.0 };
            normal.row_mut(0).iter_mut().for_each(|score| *score -= root);
        }
        let mut weights = room(nodes * nodes)?;
        (0..nodes).for_each(|head| weights.extend_from_slice(normal.row(head)));
        exponentials(&mut weights);
        let mut sums = vec![0.0; nodes];
        for weights in weights.chunks_exact(nodes).skip(first) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        sums.iter_mut().filter(|sum| **sum == 0.0).for_each(|sum| *sum = 1.0);
        for weights in weights.chunks_exact_mut(nodes) {
            weights.iter_mut().zip(&sums).for_each(|(weight, sum)| *weight /= sum);
        }
        sums.iter_mut().for_each(|sum| *sum = sum.ln());
        take(&mut normal, &sums);
        let mut constant = ExactSum::default();
        largest.iter().chain(&sums).chain([&root]).for_each(|&term| constant.add(term));
        Ok(Normalised { scores: normal, weights, constant: constant.0.iter().sum(), root })
    }

    /// The weights of all arcs from a head to words.
    pub fn weights(&self, head: usize) -> impl Iterator<Item = Real> + '_ {
        let nodes = self.scores.len() + 1;
        self.weights[head * nodes + 1..][..nodes - 1].iter().map(|&weight| Real(weight))
    }
}
