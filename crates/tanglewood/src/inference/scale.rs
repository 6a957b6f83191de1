//! Scores that mean the same in numbers that are easier to work with.
//!
//! Every tree gives each word one head. So a constant may be taken from all scores of a word: each tree's score changes by the same sum of
//! constants, and no comparison or probability changes at all.

use crate::Tree;
use crate::scores::ArcScores;

/// All arcs between nodes of a sentence.
fn arcs(words: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=words)
        .flat_map(move |word| (0..=words).filter(move |&head| head != word).map(move |head| (head, word)))
}

/// The largest finite score in size.
pub(super) fn largest(scores: &ArcScores) -> f64 {
    let sizes = arcs(scores.len()).map(|(head, word)| scores.get(head, word).abs());
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// Scores less a constant per word, and the sum of the constants. Words with no possible head are left alone.
pub(super) fn shifted_by_word(
    scores: &ArcScores,
    constant: impl Fn(&mut dyn Iterator<Item = f64>) -> f64,
) -> (ArcScores, f64) {
    let nodes = scores.len() + 1;
    let mut shifted = scores.clone();
    let mut sum = 0.0;
    for dependent in 1..nodes {
        let heads = || (0..nodes).filter(move |&head| head != dependent);
        let constant = constant(&mut heads().map(|head| scores.get(head, dependent)));
        if constant.is_finite() {
            sum += constant;
            heads().for_each(|head| shifted.set(head, dependent, scores.get(head, dependent) - constant));
        }
    }
    (shifted, sum)
}

/// Scores such that exp(score) sums to one over each word's heads, and the logarithm of the factor taken out.
pub(super) fn normalised(scores: &ArcScores) -> (ArcScores, f64) {
    shifted_by_word(scores, |column| {
        let values: Vec<f64> = column.collect();
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + values.iter().map(|value| (value - largest).exp()).sum::<f64>().ln()
    })
}

/// Scores less those of a tree, which then has 0 everywhere.
pub(super) fn centred(scores: &ArcScores, tree: &Tree) -> ArcScores {
    let mut centred = scores.clone();
    for (head, word) in arcs(scores.len()) {
        centred.set(head, word, scores.get(head, word) - scores.get(tree.head(word), word));
    }
    centred
}

/// Multiplies scores by a power of two, which is exact, such that the largest is about one in size. What a smaller type cannot represent
/// is then far below what it can tell apart beside the largest.
pub(super) fn bring_into_range(scores: &mut ArcScores) {
    let largest = largest(scores);
    if largest == 0.0 {
        return;
    }
    // In two steps, since the inverse of a very small number may be out of range itself.
    let half = (-largest.log2() / 2.0).round().exp2();
    for (head, word) in arcs(scores.len()) {
        scores.set(head, word, scores.get(head, word) * half * half);
    }
}
