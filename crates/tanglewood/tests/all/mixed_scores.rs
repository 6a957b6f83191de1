//! Scores of very different sizes, and sums over them by exact enumeration.

use tanglewood::Tree;
use tanglewood::scores::ArcScores;

use crate::brute_force::Random;

/// Sizes that a matrix may mix; 0 stands for a forbidden arc.
pub const MIXTURES: [&[f64]; 8] = [
    &[1.0, 1e30],
    &[1.0, 1.0, 1e30, 1e15, 1e8],
    &[1.0, 1e15, 0.0],
    &[1.0, 1e8, 1e-30],
    &[1.0, 1e30, 1e15, 0.0, 1e-30],
    &[1e30, 1e8, 0.0],
    &[1.0, 1e30, 1e300, 0.0],
    &[1.0, 1e30, 1e100, 1e200, 1e300],
];

/// Up to here all sums are whole numbers of 128 bits, in units of 2⁻¹⁰; but for scores of 10⁻³⁰, which count
/// as nothing.
pub const EXACT_MIXTURES: usize = 6;

/// A third of the scores of a size are the same, or opposite; the others are numbers of few binary digits, or
/// of many if they are large.
pub fn mixed_scores(n: usize, sizes: &[f64], random: &mut Random) -> ArcScores {
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for word in (1..=n).filter(|&word| word != head) {
            let size = sizes[random.below(sizes.len())];
            let part = match random.below(3) {
                0 => [-1.0, 0.0, 1.0][random.below(3)],
                _ => (random.below(2049) as f64 - 1024.0) / 1024.0,
            };
            let score = match size {
                0.0 => f64::NEG_INFINITY,
                1.0 => 4.0 * part,
                _ if random.below(2) == 0 => size * part.signum(),
                _ => size * part,
            };
            scores.set(head, word, score).unwrap();
        }
    }
    scores
}

/// The score of a tree in units of 2⁻¹⁰, without rounding.
pub fn exact_score(scores: &ArcScores, tree: &Tree) -> Option<i128> {
    tree.arcs()
        .map(|(head, word)| scores.get(head, word))
        .try_fold(0, |sum, score| (score > f64::NEG_INFINITY).then(|| sum + (score * 1024.0) as i128))
}

/// The logarithm of the sum, and the share of each tree; nothing if all are forbidden.
pub fn enumerated<'t>(
    scores: &ArcScores,
    counts: impl Iterator<Item = (&'t Tree, u64)>,
) -> Option<(f64, Vec<(&'t Tree, f64)>)> {
    let trees: Vec<(&Tree, u64, i128)> = counts
        .filter_map(|(tree, count)| exact_score(scores, tree).map(|score| (tree, count, score)))
        .collect();
    let best = trees.iter().map(|&(.., score)| score).max()?;
    let weight = |count: u64, score: i128| count as f64 * ((score - best) as f64 / 1024.0).exp();
    let whole: f64 = trees.iter().map(|&(_, count, score)| weight(count, score)).sum();
    let shares = trees.iter().map(|&(tree, count, score)| (tree, weight(count, score) / whole));
    Some((best as f64 / 1024.0 + whole.ln(), shares.collect()))
}

/// Marginals are those of the trees.
pub fn are_marginals(found: &[Vec<f64>], shares: &[(&Tree, f64)], what: &str) {
    let mut expected = vec![vec![0.0; found.len()]; found.len()];
    for (tree, share) in shares {
        tree.arcs().for_each(|(head, word)| expected[head][word] += share);
    }
    for (head, row) in found.iter().enumerate() {
        for (word, marginal) in row.iter().enumerate().skip(1) {
            let expected = expected[head][word];
            assert!(
                (marginal - expected).abs() < 1e-9,
                "{what}: {head} → {word}: {marginal}, not {expected}"
            );
        }
    }
}

/// Each column sums to one.
pub fn are_distributions(marginals: &[Vec<f64>], what: &str) {
    for word in 1..marginals.len() {
        let column = || marginals.iter().map(|row| row[word]);
        assert!(column().all(|marginal| (0.0..=1.0 + 1e-9).contains(&marginal)), "{what}: {word}");
        let sum: f64 = column().sum();
        assert!((sum - 1.0).abs() < 1e-6, "{what}: the heads of {word} have {sum}");
    }
}
