//! Sums over all trees where scores are of very different sizes.

use tanglewood::Tree;
use tanglewood::scores::ArcScores;

use crate::brute_force::{Random, all_trees};
use crate::mixed_scores::{
    EXACT_MIXTURES, MIXTURES, are_distributions, are_marginals, enumerated, mixed_scores,
};
use crate::support::{Ask, any, rows};

#[test]
fn sums_over_all_trees_are_what_exact_enumeration_says() {
    let mut random = Random(72);
    for n in 1..=5 {
        let trees = all_trees(n);
        for round in 0..40 * EXACT_MIXTURES {
            let (kind, single_root) = (round % EXACT_MIXTURES, (round / EXACT_MIXTURES).is_multiple_of(2));
            let spanning = any(single_root);
            let scores = mixed_scores(n, MIXTURES[kind], &mut random);
            let what = format!("{n} words, single root {single_root}, {kind}: {scores:?}");
            let class = trees.iter().filter(|tree| !single_root || tree.has_single_root());
            let Some((log_partition, shares)) = enumerated(&scores, class.map(|tree| (tree, 1))) else {
                assert!(spanning.marginals(&scores).is_err(), "{what}");
                continue;
            };
            let found = spanning.log_partition(&scores).unwrap();
            let tolerance = 1e-9 + 1e-14 * log_partition.abs();
            assert!((found - log_partition).abs() <= tolerance, "{what}: {found} {log_partition}");
            are_marginals(&spanning.marginals(&scores).unwrap(), &shares, &what);
            let samples = spanning.samples(&scores, 3, 7).unwrap();
            let share_of =
                |tree: &Tree| shares.iter().find(|(other, _)| *other == tree).map_or(0.0, |of| of.1);
            assert!(samples.iter().all(|tree| share_of(tree) > 1e-9), "{what}: {samples:?}");
            let terms = shares.iter().filter(|(_, share)| *share > 0.0).map(|(_, share)| share * share.ln());
            let (found, entropy) = (spanning.entropy(&scores).unwrap(), -terms.sum::<f64>());
            assert!((found - entropy).abs() < 1e-10, "{what}: an entropy of {found}, not {entropy}");
            for (tree, share) in shares.iter().step_by(7) {
                let found = spanning.log_probability(&scores, tree).unwrap();
                assert!((found.exp() - share).abs() < 1e-9, "{what}: {tree:?}: {found}");
            }
        }
    }
}

#[test]
fn marginals_of_longer_sentences_are_distributions() {
    let mut random = Random(74);
    for round in 0..400 {
        let scores = mixed_scores(5 + round % 4, MIXTURES[round % MIXTURES.len()], &mut random);
        let spanning = any(round % 2 == 0);
        if let Ok(marginals) = spanning.marginals(&scores) {
            are_distributions(&marginals, &format!("all trees: {scores:?}"));
        }
    }
}

#[test]
fn the_entropy_keeps_its_digits_beside_scores_that_do_not_matter() {
    // Two trees, and one of them has a score of 3 · 10¹⁵ and the other of 10⁶, or both have the same sum.
    let rows = [[0.0, 1_000_001.0, 3_000_000_000_000_001.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
    let scores = ArcScores::from_rows(&rows).unwrap();
    assert_eq!(any(true).entropy(&scores), Ok(0.0));
    for size in [1e3, 1e8, 1e15, 1e30] {
        // 0 → 1 → 2 has size + 1 + 3, 0 → 2 → 1 has 1 + size: e³ to 1.
        let rows = [[0.0, size, 1.0], [0.0, 0.0, 3.0], [0.0, size, 0.0]];
        let scores = ArcScores::from_rows(&rows).unwrap();
        let p = 1.0 / (1.0 + (-2f64).exp());
        let expected = -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
        let found = any(true).entropy(&scores).unwrap();
        assert!((found - expected).abs() < 1e-14, "{size:e}: {found} {expected}");
    }
}

#[test]
fn an_offset_on_all_scores_of_a_word_changes_no_probability() {
    let mut random = Random(75);
    for round in 0..40 {
        let n = 2 + round % 4;
        let scores = mixed_scores(n, &[1.0], &mut random);
        let mut shifted = ArcScores::new(n);
        for word in 1..=n {
            // In units of 2⁻¹⁰, offsets of up to 2⁴² leave all digits in their places.
            let offset = [0.0, 1024.0 * 1024.0 * 1024.0, -((1u64 << 42) as f64)][random.below(3)];
            for head in (0..=n).filter(|&head| head != word) {
                shifted.set(head, word, scores.get(head, word) + offset).unwrap();
            }
        }
        let spanning = any(round % 2 == 0);
        let (one, other) =
            (spanning.distribution(&scores).unwrap(), spanning.distribution(&shifted).unwrap());
        for (row, shifted) in rows(one.marginals().unwrap()).iter().zip(rows(other.marginals().unwrap())) {
            assert!(row.iter().zip(&shifted).all(|(a, b)| (a - b).abs() < 1e-15), "{scores:?}");
        }
        assert!((one.entropy().unwrap() - other.entropy().unwrap()).abs() < 1e-14);
        assert_eq!(one.samples(5, 1), other.samples(5, 1));
    }
}
