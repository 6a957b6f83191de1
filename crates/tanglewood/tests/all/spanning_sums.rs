use std::collections::HashMap;

use tanglewood::Tree;
use tanglewood::inference::InferenceError;
use tanglewood::scores::ArcScores;

use crate::brute_force::Random;
use crate::spanning::{random_scores, trees};
use crate::support::{Ask, any};

/// Scores for sums: whole numbers, so that sums of scores are exact and enumeration is accurate.
fn scores_for_sums(n: usize, kind: usize, random: &mut Random) -> ArcScores {
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            let below = |range: usize, random: &mut Random| -(random.below(range) as f64);
            let score = match kind {
                0 => below(5, random),
                1 if random.below(3) == 0 => f64::NEG_INFINITY,
                2 if random.below(2) == 0 => f64::NEG_INFINITY,
                3 => below(1000, random),
                4 => below(3, random) * 3000.0,
                5 => below(100_000, random),
                6 if random.below(2) == 0 => f64::NEG_INFINITY,
                6 => below(2000, random),
                // Cycles that only something improbable opens.
                7 if head == 0 => -2000.0 + below(4, random),
                8 if head <= n / 2 && dependent > n / 2 || head == 0 => -5000.0 + below(4, random),
                _ => below(4, random) * 10.0,
            };
            scores.set(head, dependent, score).unwrap();
        }
    }
    scores
}

/// The weight of each tree relative to the best, with the best score.
fn enumerated(scores: &ArcScores, trees: &[Tree]) -> (f64, Vec<f64>) {
    let all: Vec<f64> = trees.iter().map(|tree| scores.of_tree(tree)).collect();
    let best = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (best, all.into_iter().map(|score| (score - best).exp()).collect())
}

#[test]
fn sums_are_what_enumeration_says_for_any_range_of_scores() {
    let mut random = Random(58);
    for n in 1..=5 {
        for single_root in [false, true] {
            let trees = trees(n, single_root);
            let spanning = any(single_root);
            for round in 0..if n == 5 { 40 } else { 200 } {
                let kind = round % 10;
                let scores = scores_for_sums(n, kind, &mut random);
                let what = format!("{n} words, single root {single_root}, {kind}: {scores:?}");
                let (best, weights) = enumerated(&scores, &trees);
                if best == f64::NEG_INFINITY {
                    assert_eq!(spanning.log_partition(&scores).unwrap(), best, "{what}");
                    assert_eq!(spanning.marginals(&scores), Err(InferenceError::NoTree), "{what}");
                    assert_eq!(spanning.entropy(&scores), Err(InferenceError::NoTree), "{what}");
                    assert_eq!(spanning.samples(&scores, 1, 1), Err(InferenceError::NoTree), "{what}");
                    continue;
                }
                let whole: f64 = weights.iter().sum();
                let log_partition = spanning.log_partition(&scores).unwrap();
                let expected = best + whole.ln();
                let tolerance = 1e-14 * (100.0 + expected.abs());
                assert!((log_partition - expected).abs() < tolerance, "{log_partition} {expected} {what}");
                let marginals = spanning.marginals(&scores).unwrap();
                for word in 1..=n {
                    let sum: f64 = marginals.iter().map(|row| row[word]).sum();
                    assert!((sum - 1.0).abs() < 1e-14, "{sum} {what}");
                    for (head, row) in marginals.iter().enumerate() {
                        let with = trees.iter().zip(&weights).filter(|(tree, _)| tree.head(word) == head);
                        let share = with.map(|(_, weight)| weight).sum::<f64>() / whole;
                        // Relative errors, down to where plain numbers end.
                        let tolerance = 1e-13 * share + 1e-200;
                        assert!(
                            (row[word] - share).abs() <= tolerance,
                            "{head} → {word}: {} {share} {what}",
                            row[word]
                        );
                    }
                }
                let mut entropy = 0.0;
                for (tree, weight) in trees.iter().zip(&weights) {
                    let probability = weight / whole;
                    let found = spanning.log_probability(&scores, tree).unwrap();
                    let expected = scores.of_tree(tree) - best - whole.ln();
                    let tolerance = 1e-14 * (10.0 + expected.abs());
                    assert!(
                        found == expected || (found - expected).abs() < tolerance,
                        "{found} {expected} {what}"
                    );
                    entropy -= if probability > 0.0 { probability * probability.ln() } else { 0.0 };
                }
                let found = spanning.entropy(&scores).unwrap();
                assert!((found - entropy).abs() < 1e-11, "{found} {entropy} {what}");
            }
        }
    }
}

#[test]
fn trees_with_several_words_at_the_root_have_probability_zero_where_one_is_asked_for() {
    let tree = Tree::from_heads(&[0, 0]).unwrap();
    let scores = ArcScores::new(2);
    assert_eq!(any(true).log_probability(&scores, &tree), Ok(f64::NEG_INFINITY));
    let several = any(false).log_probability(&scores, &tree).unwrap();
    assert!((several + 3f64.ln()).abs() < 1e-15);
}

#[test]
fn trees_are_counted_at_two_hundred_words() {
    // Cayley: (n + 1)^(n − 1) trees, n^(n − 1) with a single root.
    for n in [1, 2, 10, 200] {
        let scores = ArcScores::new(n);
        let expected = |base: usize| (n as f64 - 1.0) * (base as f64).ln();
        let several = any(false).log_partition(&scores).unwrap();
        assert!((several - expected(n + 1)).abs() < 1e-12 * (1.0 + several), "{n}: {several}");
        let single = any(true).log_partition(&scores).unwrap();
        assert!((single - expected(n)).abs() < 1e-12 * (1.0 + single), "{n}: {single}");
    }
}

#[test]
fn marginals_hold_at_two_hundred_words_flat_peaked_and_huge() {
    let n = 200;
    let mut random = Random(59);
    for (size, single_root) in [(0.0, true), (40.0, true), (1e4, false), (1e4, true), (1e30, true)] {
        let tree = random.tree(n);
        let mut scores = random_scores(n, 0, &mut random);
        tree.arcs().for_each(|(head, word)| scores.set(head, word, 10.0 + size).unwrap());
        let spanning = any(single_root);
        let marginals = spanning.marginals(&scores).unwrap();
        for word in 1..=n {
            let sum: f64 = marginals.iter().map(|row| row[word]).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{size}: {sum}");
        }
        if single_root {
            assert!((marginals[0].iter().sum::<f64>() - 1.0).abs() < 1e-11);
        }
        let probability = spanning.log_probability(&scores, &tree).unwrap();
        assert!((f64::NEG_INFINITY..=0.0).contains(&probability));
        if size >= 40.0 {
            let likely = tree.arcs().all(|(head, word)| marginals[head][word] > 0.999);
            assert!(likely && probability > -1e-3, "{size}: {probability}");
        }
    }
}

#[test]
fn a_tree_that_is_almost_certain_leaves_the_others_their_digits() {
    // One tree, all others lower by 28 or more: each other tree has about 10⁻¹².
    let tree = Tree::from_heads(&[2, 0, 2, 3, 3]).unwrap();
    let mut scores = ArcScores::new(5);
    tree.arcs().for_each(|(head, word)| scores.set(head, word, 28.0).unwrap());
    for single_root in [false, true] {
        let trees = trees(5, single_root);
        let (_, weights) = enumerated(&scores, &trees);
        let others: f64 = weights.iter().filter(|&&weight| weight < 1.0).sum();
        let found = any(single_root).log_probability(&scores, &tree).unwrap();
        assert!((found + others.ln_1p()).abs() < 1e-15 && others < 1e-10, "{found} {others}");
    }
}

#[test]
fn marginals_are_the_derivatives_of_the_log_partition() {
    let mut random = Random(60);
    for single_root in [false, true] {
        let spanning = any(single_root);
        let scores = random_scores(12, 0, &mut random);
        let marginals = spanning.marginals(&scores).unwrap();
        for _ in 0..20 {
            let (head, word) = (random.below(13), 1 + random.below(12));
            if head == word {
                continue;
            }
            let shifted = |step: f64| {
                let mut shifted = scores.clone();
                shifted.set(head, word, scores.get(head, word) + step).unwrap();
                spanning.log_partition(&shifted).unwrap()
            };
            let slope = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
            assert!((slope - marginals[head][word]).abs() < 1e-6, "{head} → {word}: {slope}");
        }
    }
}

#[test]
fn samples_come_with_their_probabilities_and_repeat_for_a_seed() {
    let mut random = Random(61);
    for round in 0..40 {
        let (n, single_root) = (3 + round % 2, round / 2 % 2 == 0);
        let spanning = any(single_root);
        let mut scores = scores_for_sums(n, round % 10, &mut random);
        while spanning.best(&scores).is_err() {
            scores = scores_for_sums(n, round % 10, &mut random);
        }
        let trees = trees(n, single_root);
        let (_, weights) = enumerated(&scores, &trees);
        let whole: f64 = weights.iter().sum();
        let samples = spanning.samples(&scores, 4000, round as u64).unwrap();
        let mut counts: HashMap<&Tree, f64> = HashMap::new();
        samples.iter().for_each(|tree| *counts.entry(tree).or_default() += 1.0);
        // Pearson's statistic, with trees that are hardly expected taken together, against its mean and six
        // deviations.
        let (mut statistic, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
        for (tree, weight) in trees.iter().zip(&weights) {
            let (expected, found) = (weight / whole * 4000.0, counts.remove(tree).unwrap_or(0.0));
            if expected < 5.0 {
                rare = (rare.0 + expected, rare.1 + found);
            } else {
                statistic += (found - expected) * (found - expected) / expected;
                cells += 1.0;
            }
        }
        assert!(counts.is_empty(), "{counts:?}");
        assert!(statistic < cells + 6.0 * f64::sqrt(2.0 * cells), "{statistic} {cells} {scores:?}");
        assert!(rare.1 <= rare.0 + 6.0 * f64::sqrt(rare.0) + 1.0, "{rare:?} {scores:?}");
        assert_eq!(spanning.samples(&scores, 20, round as u64).unwrap(), samples[..20]);
    }
}

#[test]
fn samples_of_a_long_sentence_are_trees_of_the_kind_asked_for() {
    let mut random = Random(62);
    for kind in [0, 3, 6] {
        let scores = random_scores(40, kind, &mut random);
        for single_root in [false, true] {
            let spanning = any(single_root);
            for tree in spanning.samples(&scores, 5, 7).unwrap() {
                assert!(!single_root || tree.has_single_root());
                assert!(scores.of_tree(&tree) > f64::NEG_INFINITY);
            }
        }
    }
}
