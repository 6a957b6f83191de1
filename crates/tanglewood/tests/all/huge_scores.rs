//! Sums over scores of very different sizes. Beside 10³⁰ an ordinary score leaves no trace in a sum of plain numbers; but where all trees have the same
//! share of 10³⁰, it is ordinary scores that decide.

use std::collections::HashMap;

use tanglewood::inference::{Inference, InferenceError, Over};
use tanglewood::scores::ArcScores;
use tanglewood::spanning::Spanning;
use tanglewood::{Direction, Oracle, System, Tree};

use crate::brute_force::{Random, all_trees};
use crate::chart::class;

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

/// Sizes that a matrix may mix; 0 stands for a forbidden arc.
const MIXTURES: [&[f64]; 8] = [
    &[1.0, 1e30],
    &[1.0, 1.0, 1e30, 1e15, 1e8],
    &[1.0, 1e15, 0.0],
    &[1.0, 1e8, 1e-30],
    &[1.0, 1e30, 1e15, 0.0, 1e-30],
    &[1e30, 1e8, 0.0],
    &[1.0, 1e30, 1e300, 0.0],
    &[1.0, 1e30, 1e100, 1e200, 1e300],
];

/// Up to here all sums are whole numbers of 128 bits, in units of 2⁻¹⁰; but for scores of 10⁻³⁰, which count as nothing.
const EXACT_MIXTURES: usize = 6;

/// A third of the scores of a size are the same, or opposite; the others are numbers of few binary digits, or of many if they are large.
fn mixed_scores(n: usize, sizes: &[f64], random: &mut Random) -> ArcScores {
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
            scores.set(head, word, score);
        }
    }
    scores
}

/// The score of a tree in units of 2⁻¹⁰, without rounding.
fn exact_score(scores: &ArcScores, tree: &Tree) -> Option<i128> {
    tree.arcs()
        .map(|(head, word)| scores.get(head, word))
        .try_fold(0, |sum, score| (score > f64::NEG_INFINITY).then(|| sum + (score * 1024.0) as i128))
}

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

/// The logarithm of the sum, and the share of each tree; nothing if all are forbidden.
fn enumerated<'t>(
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
fn are_marginals(found: &[Vec<f64>], shares: &[(&Tree, f64)], what: &str) {
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
fn are_distributions(marginals: &[Vec<f64>], what: &str) {
    for word in 1..marginals.len() {
        let column = || marginals.iter().map(|row| row[word]);
        assert!(column().all(|marginal| (0.0..=1.0 + 1e-9).contains(&marginal)), "{what}: {word}");
        let sum: f64 = column().sum();
        assert!((sum - 1.0).abs() < 1e-6, "{what}: the heads of {word} have {sum}");
    }
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
fn sums_over_all_trees_are_what_exact_enumeration_says() {
    let mut random = Random(72);
    for n in 1..=5 {
        let trees = all_trees(n);
        for round in 0..40 * EXACT_MIXTURES {
            let (kind, single_root) = (round % EXACT_MIXTURES, (round / EXACT_MIXTURES).is_multiple_of(2));
            let spanning = Spanning::new().single_root(single_root);
            let scores = mixed_scores(n, MIXTURES[kind], &mut random);
            let what = format!("{n} words, single root {single_root}, {kind}: {scores:?}");
            let class = trees.iter().filter(|tree| !single_root || tree.has_single_root());
            let Some((log_partition, shares)) = enumerated(&scores, class.map(|tree| (tree, 1))) else {
                assert!(spanning.marginals(&scores).is_err(), "{what}");
                continue;
            };
            let found = spanning.log_partition(&scores);
            let tolerance = 1e-9 + 1e-14 * log_partition.abs();
            assert!((found - log_partition).abs() <= tolerance, "{what}: {found} {log_partition}");
            are_marginals(&spanning.marginals(&scores).unwrap(), &shares, &what);
            let samples = spanning.samples(&scores, 3, 7).unwrap();
            let share_of =
                |tree: &Tree| shares.iter().find(|(other, _)| *other == tree).map_or(0.0, |of| of.1);
            assert!(samples.iter().all(|tree| share_of(tree) > 1e-9), "{what}: {samples:?}");
            for (tree, share) in shares.iter().step_by(7) {
                let found = spanning.log_probability(&scores, tree).unwrap();
                assert!((found.exp() - share).abs() < 1e-9, "{what}: {tree:?}: {found}");
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
    for round in 0..400 {
        let scores = mixed_scores(5 + round % 4, MIXTURES[round % MIXTURES.len()], &mut random);
        let spanning = Spanning::new().single_root(round % 2 == 0);
        if let Ok(marginals) = spanning.marginals(&scores) {
            are_distributions(&marginals, &format!("all trees: {scores:?}"));
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
                scores.set(head, word, [size, -size, f64::MAX, -f64::MAX][random.below(4)]);
            }
        }
        let marginals = Inference::new(&system).marginals(&scores).unwrap();
        for word in 1..=8 {
            let sum: f64 = marginals.iter().map(|row| row[word]).sum();
            assert!((sum - 1.0).abs() < 1e-6, "word {word}: {sum}");
        }
    }
}
