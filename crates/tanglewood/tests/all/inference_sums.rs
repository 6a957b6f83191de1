//! Partition functions, marginals, probabilities and samples.

use std::collections::HashMap;

use tanglewood::inference::{Inference, InferenceError};
use tanglewood::scores::ArcScores;
use tanglewood::{Direction, Tree};

use crate::brute_force::Random;
use crate::chart::random_scores;
use crate::inference::{DEEP, DENSE, DIRECTIONS, class_in, inference, system};
use crate::support::Ask;

#[test]
fn marginals_and_log_partition_are_what_enumeration_says() {
    let mut random = Random(35);
    for name in DENSE.into_iter().chain(DEEP) {
        let system = system(name);
        for (n, direction) in (1..=4).flat_map(|n| DIRECTIONS.map(|direction| (n, direction))) {
            for (single_root, kind) in [(false, 0), (true, 0), (true, 2), (false, 1)] {
                let scores = random_scores(n, kind, &mut random);
                let what = format!("{name}, {n} words, {direction}, single root {single_root}, {kind}");
                let inference = inference(&system, direction, single_root);
                let class = class_in(&system, n, direction, single_root);
                let weight = |tree: &Tree, count: u64| count as f64 * scores.of_tree(tree).exp();
                let whole: f64 = class.iter().map(|(tree, &count)| weight(tree, count)).sum();
                let log_partition = inference.log_partition(&scores).unwrap();
                assert!(log_partition == whole.ln() || (log_partition - whole.ln()).abs() < 1e-9, "{what}");
                if whole == 0.0 {
                    assert_eq!(inference.marginals(&scores), Err(InferenceError::NoTree), "{what}");
                    continue;
                }
                let marginals = inference.marginals(&scores).unwrap();
                for word in 1..=n {
                    let sum: f64 = marginals.iter().map(|row| row[word]).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{what}: the heads of {word} have {sum}");
                    for (head, row) in marginals.iter().enumerate() {
                        let with = class.iter().filter(|(tree, _)| tree.head(word) == head);
                        let share = with.map(|(tree, &count)| weight(tree, count)).sum::<f64>() / whole;
                        assert!((row[word] - share).abs() < 1e-9, "{what}: {head} → {word}");
                    }
                }
            }
        }
    }
}

#[test]
fn marginals_are_the_derivatives_of_the_log_partition() {
    let mut random = Random(36);
    for (name, direction) in [
        ("kuhlmann-2", Direction::Either),
        ("all", Direction::Rtl),
        ("all-s0s1+", Direction::Either),
        ("attardi:3", Direction::Either),
    ] {
        let system = system(name);
        let inference = inference(&system, direction, true);
        let scores = random_scores(7, 0, &mut random);
        let marginals = inference.marginals(&scores).unwrap();
        for _ in 0..8 {
            let (head, word) = (random.below(8), 1 + random.below(7));
            if head == word {
                continue;
            }
            let shifted = |step: f64| {
                let mut shifted = scores.clone();
                shifted.set(head, word, scores.get(head, word) + step).unwrap();
                inference.log_partition(&shifted).unwrap()
            };
            let slope = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
            assert!((slope - marginals[head][word]).abs() < 1e-6, "{name}: {head} → {word}: {slope}");
        }
    }
}

#[test]
fn probabilities_sum_to_one_over_the_class_and_are_zero_outside() {
    let mut random = Random(37);
    for name in DENSE.into_iter().chain(DEEP) {
        let system = system(name);
        for direction in DIRECTIONS {
            let inference = inference(&system, direction, true);
            let class = class_in(&system, 4, direction, true);
            for kind in [0, 2] {
                let scores = random_scores(4, kind, &mut random);
                let mut sum = 0.0;
                for tree in crate::brute_force::all_trees(4) {
                    match inference.log_probability(&scores, &tree) {
                        Ok(probability) => {
                            assert!(probability == f64::NEG_INFINITY || class.contains_key(&tree), "{name}");
                            sum += probability.exp();
                        }
                        Err(error) => {
                            assert_eq!(error, InferenceError::NoTree);
                            assert!(class.keys().all(|tree| scores.of_tree(tree) == f64::NEG_INFINITY));
                            sum = 1.0;
                            break;
                        }
                    }
                }
                assert!((sum - 1.0).abs() < 1e-9, "{name} {direction}: {sum}");
            }
        }
    }
}

#[test]
fn no_probability_is_above_one_however_large_the_scores() {
    let mut random = Random(38);
    let system = system("all");
    for kind in 0..5 {
        let scores = random_scores(6, kind, &mut random);
        let Ok(best) = Inference::new(&system).best(&scores) else { continue };
        let probability = Inference::new(&system).log_probability(&scores, &best.tree).unwrap();
        assert!((f64::NEG_INFINITY..=0.0).contains(&probability), "{probability}");
    }
    // A tree that is better than all others by far, in numbers whose sums cannot show what that does to
    // probabilities.
    let tree = Tree::from_heads(&[2, 0, 2, 3]).unwrap();
    let mut scores = ArcScores::new(4);
    tree.arcs().for_each(|(head, word)| scores.set(head, word, 1e20).unwrap());
    let single = self::system("arc-hybrid");
    assert_eq!(Inference::new(&single).log_probability(&scores, &tree), Ok(0.0));
}

#[test]
fn a_tree_of_another_length_has_no_probability() {
    let tree = Tree::from_heads(&[0, 1]).unwrap();
    let error = Inference::new(system("all")).log_probability(&ArcScores::new(3), &tree).unwrap_err();
    assert_eq!(error, InferenceError::Lengths { tree: 2, scores: 3 });
}

/// Pearson's statistic, with trees that are hardly expected taken together, against its mean and six
/// deviations.
fn is_plausible(samples: &[Tree], probability: impl Fn(&Tree) -> f64, class: &HashMap<Tree, u64>) -> bool {
    let mut counts: HashMap<&Tree, f64> = HashMap::new();
    samples.iter().for_each(|tree| *counts.entry(tree).or_default() += 1.0);
    let (mut statistic, mut cells) = (0.0, 0.0);
    let (mut rare_expected, mut rare_found) = (0.0, 0.0);
    for tree in class.keys() {
        let expected = probability(tree) * samples.len() as f64;
        let found = counts.get(tree).copied().unwrap_or(0.0);
        if expected < 5.0 {
            rare_expected += expected;
            rare_found += found;
        } else {
            statistic += (found - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    if rare_expected > 1.0 {
        statistic += (rare_found - rare_expected).powi(2) / rare_expected;
        cells += 1.0;
    }
    statistic < cells + 6.0 * f64::sqrt(2.0 * cells)
}

#[test]
fn samples_come_with_their_probabilities_and_repeat_for_a_seed() {
    let mut random = Random(39);
    for name in DENSE.into_iter().chain(DEEP) {
        let system = system(name);
        for direction in DIRECTIONS {
            for (n, single_root) in [(3, false), (4, true)] {
                let inference = inference(&system, direction, single_root);
                let class = class_in(&system, n, direction, single_root);
                let mut scores = random_scores(n, 2, &mut random);
                while inference.best(&scores).is_err() {
                    scores = random_scores(n, 2, &mut random);
                }
                let count = if system.inventory().depth() > 2 { 300 } else { 3000 };
                let samples = inference.samples(&scores, count, 8).unwrap();
                assert_eq!(samples.len(), count);
                assert!(samples.iter().all(|tree| class.contains_key(tree)), "{name}");
                let weight = |tree: &Tree| {
                    class.get(tree).map_or(0.0, |&count| count as f64 * scores.of_tree(tree).exp())
                };
                let whole: f64 = class.keys().map(weight).sum();
                assert!(
                    is_plausible(&samples, |tree| weight(tree) / whole, &class),
                    "{name}, {n} words, {direction}, single root {single_root}"
                );
                if n == 3 {
                    assert_eq!(inference.samples(&scores, count, 8).as_ref(), Ok(&samples));
                }
                assert_eq!(inference.samples(&scores, 0, 8), Ok(Vec::new()));
            }
        }
    }
    let all = system("all");
    let scores = random_scores(8, 1, &mut random);
    let draw = |seed| Inference::new(&all).samples(&scores, 20, seed).unwrap();
    assert_ne!(draw(1), draw(2));
}
