//! Sums over scores of very different sizes. Beside 10³⁰ an ordinary score leaves no trace in a sum of plain
//! numbers; but where all trees have the same share of 10³⁰, it is ordinary scores that decide.

use std::collections::HashMap;

use tanglewood::inference::{Inference, InferenceError, Over};
use tanglewood::scores::ArcScores;
use tanglewood::{Direction, Oracle, System, Tree};

use crate::brute_force::Random;
use crate::chart::class;
use crate::mixed_scores::{
    EXACT_MIXTURES, MIXTURES, are_distributions, are_marginals, enumerated, mixed_scores,
};
use crate::support::Ask;

const DIRECTIONS: [Direction; 3] = [Direction::Ltr, Direction::Rtl, Direction::Either];

const SYSTEMS: [&str; 22] = [
    "arc-standard",
    "arc-hybrid",
    "arc-hybrid+",
    "mh3",
    "mh3+",
    "mh4",
    "mh4+",
    "mh5",
    "mh5+",
    "mh6",
    "mh6+",
    "kuhlmann-2",
    "attardi",
    "all-deg1",
    "all-deg1+",
    "all",
    "all+",
    "all-s0s1",
    "all-s0s1+",
    "attardi:3",
    "ahead>s2 s1>s2 s1>s0",
    "s3>s0 s1>s0 b2>s3",
];

/// Trees with the number of times that each counts.
fn counts(system: &System, n: usize, direction: Direction, single_root: bool) -> HashMap<Tree, u64> {
    let over = Inference::new(system).direction(direction).single_root(single_root).sums_over();
    let mut counts = HashMap::new();
    for (tree, count) in class(system, n, single_root) {
        match over {
            Over::Trees if direction == Direction::Rtl => _ = counts.insert(tree.mirrored(), 1),
            Over::Trees => _ = counts.insert(tree, 1),
            Over::Derivations => {
                if direction.reads_backward() {
                    *counts.entry(tree.mirrored()).or_insert(0) += count;
                }
                if direction.reads_forward() {
                    *counts.entry(tree).or_insert(0) += count;
                }
            }
        }
    }
    counts
}

#[test]
fn sums_over_scores_of_all_sizes_are_what_exact_enumeration_says() {
    let mut random = Random(71);
    for name in SYSTEMS {
        let system = System::named(name).unwrap();
        for (n, direction) in (1..=4).flat_map(|n| DIRECTIONS.map(|direction| (n, direction))) {
            for single_root in [false, true] {
                let inference = Inference::new(&system).direction(direction).single_root(single_root);
                let counts = counts(&system, n, direction, single_root);
                for (kind, sizes) in MIXTURES[..EXACT_MIXTURES].iter().enumerate() {
                    let scores = mixed_scores(n, sizes, &mut random);
                    let what = format!(
                        "{name}, {n} words, {direction}, single root {single_root}, {kind}: {scores:?}"
                    );
                    let expected = enumerated(&scores, counts.iter().map(|(tree, &count)| (tree, count)));
                    let found = inference.log_partition(&scores).unwrap();
                    let Some((log_partition, shares)) = expected else {
                        assert_eq!(found, f64::NEG_INFINITY, "{what}");
                        assert_eq!(inference.marginals(&scores), Err(InferenceError::NoTree), "{what}");
                        continue;
                    };
                    let tolerance = 1e-9 + 1e-14 * log_partition.abs();
                    assert!((found - log_partition).abs() <= tolerance, "{what}: {found} {log_partition}");
                    are_marginals(&inference.marginals(&scores).unwrap(), &shares, &what);
                    if [0, 3].contains(&kind) {
                        let of_runs =
                            |(tree, share): &(&Tree, f64)| share * (share / counts[*tree] as f64).ln();
                        let terms = shares.iter().filter(|(_, share)| *share > 0.0).map(of_runs);
                        let (found, entropy) = (inference.entropy(&scores).unwrap(), -terms.sum::<f64>());
                        assert!(
                            (found - entropy).abs() < 1e-6,
                            "{what}: an entropy of {found}, not {entropy}"
                        );
                    }
                    for (tree, share) in shares.iter().step_by(7) {
                        let found = inference.log_probability(&scores, tree).unwrap();
                        assert!((found.exp() - share).abs() < 1e-9, "{what}: {tree:?}: {found}");
                    }
                    for tree in inference.samples(&scores, 5, 3).unwrap() {
                        let share = shares.iter().find(|(other, _)| **other == tree).unwrap().1;
                        assert!(share > 1e-9, "{what}: {tree:?} has {share}");
                    }
                }
            }
        }
    }
}

#[test]
fn marginals_of_longer_sentences_are_distributions_and_samples_are_trees_of_the_class() {
    let mut random = Random(73);
    for name in SYSTEMS {
        let system = System::named(name).unwrap();
        let oracle = Oracle::new(&system);
        for round in 0..36 {
            let n = 5 + round % if system.complexity().time > 5 { 2 } else { 4 };
            let (direction, single_root) = (DIRECTIONS[round % 3], round % 2 == 0);
            let inference = Inference::new(&system).direction(direction).single_root(single_root);
            let scores = mixed_scores(n, MIXTURES[random.below(MIXTURES.len())], &mut random);
            let what = format!("{name}, {direction}, single root {single_root}: {scores:?}");
            match inference.marginals(&scores) {
                Err(error) => {
                    assert_eq!(error, InferenceError::NoTree, "{what}");
                    assert!(inference.best(&scores).is_err(), "{what}");
                    continue;
                }
                Ok(marginals) => are_distributions(&marginals, &what),
            }
            assert!(inference.log_partition(&scores).unwrap().is_finite(), "{what}");
            assert!(inference.entropy(&scores).unwrap() >= 0.0, "{what}");
            for tree in inference.samples(&scores, 2, 5).unwrap() {
                assert!(oracle.covers_in(direction, &tree), "{what}: {tree:?}");
                assert!(!single_root || tree.has_single_root(), "{what}: {tree:?}");
                assert!(scores.of_tree(&tree) > f64::NEG_INFINITY, "{what}: {tree:?}");
            }
        }
    }
}

/// Numbers of all sizes leave no gap between their digits, so that the last ones are dropped.
#[test]
fn marginals_survive_the_largest_numbers_beside_those_of_every_size() {
    let mut random = Random(61);
    let system = System::named("mh4+").unwrap();
    for _ in 0..20 {
        let mut scores = ArcScores::new(8);
        for head in 0..=8 {
            for word in (1..=8).filter(|&word| word != head) {
                let size = 10f64.powi(random.below(308) as i32) * (1.0 + random.below(1000) as f64 / 1001.0);
                scores.set(head, word, [size, -size, f64::MAX, -f64::MAX][random.below(4)]).unwrap();
            }
        }
        let marginals = Inference::new(&system).marginals(&scores).unwrap();
        for word in 1..=8 {
            let sum: f64 = marginals.iter().map(|row| row[word]).sum();
            assert!((sum - 1.0).abs() < 1e-6, "word {word}: {sum}");
        }
    }
}
