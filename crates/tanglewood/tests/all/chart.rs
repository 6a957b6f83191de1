use std::collections::HashMap;

use tanglewood::chart::{Chart, Instructions, Kind, TreeChart};
use tanglewood::scores::ArcScores;
use tanglewood::semiring::{Boolean, Count, Log, Real, Semiring, Viterbi};
use tanglewood::{Derivation, System, Tree};

use crate::brute_force::{Random, derivation_counts, subset_of_r};
use crate::multi_headed::runs_of_trees;

fn system(name: &str) -> System {
    System::named(name).unwrap()
}

fn total<S: Semiring>(system: &System, scores: &ArcScores, single_root: bool) -> S {
    Chart::<S, _>::fill(system, scores, single_root, Instructions::best()).unwrap().total()
}

/// Trees with their numbers of derivations, by enumeration.
pub fn class(system: &System, n: usize, single_root: bool) -> HashMap<Tree, u64> {
    let counts = match system.frame() {
        None => derivation_counts(system.inventory(), n),
        Some(_) => runs_of_trees(system, n),
    };
    let trees = counts.into_iter().map(|(heads, count)| (Tree::from_heads(&heads).unwrap(), count));
    trees.filter(|(tree, _)| !single_root || tree.has_single_root()).collect()
}

/// Scores of many kinds: ordinary, tied, with forbidden arcs, huge and tiny.
pub fn random_scores(n: usize, kind: usize, random: &mut Random) -> ArcScores {
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            let unit = random.below(2001) as f64 / 1000.0 - 1.0;
            scores.set(
                head,
                dependent,
                match kind {
                    0 => unit * 10.0,
                    1 => (unit * 2.0).round(),
                    2 if random.below(3) == 0 => f64::NEG_INFINITY,
                    2 => unit,
                    3 => unit * 1e30,
                    _ => unit * 1e-30,
                },
            );
        }
    }
    scores
}

const NAMES: [&str; 20] = [
    "arc-standard",
    "arc-hybrid",
    "arc-hybrid+",
    "kuhlmann-2",
    "attardi",
    "all-deg1",
    "all",
    "all-s0s1",
    "all-deg1+",
    "all+",
    "all-s0s1+",
    "mh3",
    "mh3+",
    "mh4",
    "mh4+",
    "mh5",
    "mh5+",
    "b0>s2 s1>s0 s0>s1",
    "b1>s1 b0>s0 s1>s0 s2>s0",
    "ahead>s2 s1>s2 s1>s0",
];

fn agrees_with_enumeration(system: &System, n: usize, random: &mut Random) {
    for single_root in [false, true] {
        let class = class(system, n, single_root);
        let derivations: u64 = class.values().sum();
        assert_eq!(
            total::<Count>(system, &ArcScores::new(n), single_root),
            Count(derivations.into()),
            "{system} {n} {single_root}"
        );
        assert_eq!(total::<Boolean>(system, &ArcScores::new(n), single_root), Boolean(!class.is_empty()));
        for kind in 0..5 {
            let scores = random_scores(n, kind, random);
            let what = format!("{system}, {n} words, single root {single_root}, scores {kind}");
            let best = class.keys().map(|tree| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
            let size = (1..=n)
                .map(|m| {
                    (0..=n).map(|h| scores.get(h, m).abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
                })
                .sum::<f64>();
            best_is::<f64>(system, &scores, single_root, best, 1e-13 * size, &what);
            best_is::<f32>(system, &scores, single_root, best, 1e-5 * size, &what);
            let scale = if kind == 3 { continue } else { best };
            let sum: f64 =
                class.iter().map(|(tree, &count)| count as f64 * (scores.of_tree(tree) - scale).exp()).sum();
            let expected = if class.is_empty() || best == f64::NEG_INFINITY {
                f64::NEG_INFINITY
            } else {
                sum.ln() + scale
            };
            let log = total::<Log>(system, &scores, single_root).0;
            let real = total::<Real>(system, &scores, single_root).0.ln();
            assert!(log == expected || (log - expected).abs() < 1e-9, "{what}: {log} {expected}");
            assert!(real == expected || (real - expected).abs() < 1e-9, "{what}: {real} {expected}");
        }
    }
}

fn best_is<F: tanglewood::semiring::Float>(
    system: &System,
    scores: &ArcScores,
    single_root: bool,
    best: f64,
    tolerance: f64,
    what: &str,
) {
    let chart = Chart::<Viterbi<F>, _>::fill(system, scores, single_root, Instructions::best()).unwrap();
    let total = chart.total().0.to_f64();
    assert!(total == best || (total - best).abs() <= tolerance, "{what}: {total} {best}");
    match chart.best() {
        None => assert_eq!(best, f64::NEG_INFINITY, "{what}"),
        Some(transitions) => {
            let derivation = Derivation::new(scores.len(), transitions);
            let tree = derivation
                .tree_in(system.inventory())
                .unwrap_or_else(|error| panic!("{what}: {error}: {derivation}"));
            assert!(!single_root || tree.has_single_root(), "{what}");
            assert!((scores.of_tree(&tree) - best).abs() <= tolerance, "{what}: {tree:?}");
        }
    }
}

#[test]
fn dense_charts_agree_with_enumeration_up_to_five_words() {
    let mut random = Random(11);
    for name in NAMES {
        (1..=5).for_each(|n| agrees_with_enumeration(&system(name), n, &mut random));
    }
}

#[test]
fn dense_charts_agree_with_enumeration_for_six_words() {
    let mut random = Random(14);
    for name in NAMES {
        agrees_with_enumeration(&system(name), 6, &mut random);
    }
}

#[test]
fn dense_charts_agree_with_enumeration_for_all_512_subsets_up_to_four_words() {
    let mut random = Random(12);
    for system in (1..512).filter_map(subset_of_r).map(System::from) {
        (1..=4).for_each(|n| agrees_with_enumeration(&system, n, &mut random));
    }
}

#[test]
fn golden_derivation_counts_up_to_seven_words() {
    let counts = |n| {
        ["arc-standard", "attardi", "all-deg1", "all", "all-s0s1"]
            .map(|name| total::<Count>(&system(name), &ArcScores::new(n), false).0)
    };
    assert_eq!(counts(3), [13, 28, 66, 72, 64]);
    assert_eq!(counts(4), [67, 256, 984, 1260, 888]);
    assert_eq!(counts(5), [381, 2704, 17370, 27144, 14176]);
    assert_eq!(counts(6), [2307, 31168, 339588, 660708, 246336]);
    assert_eq!(counts(7), [14589, 380608, 7097100, 17379288, 4528000]);
}

#[test]
fn each_inventory_gets_the_cheapest_chart() {
    let kind = |name, arcs_only| Kind::of(&system(name), arcs_only);
    assert_eq!(kind("arc-standard", true), Some(Kind::Degree1));
    assert_eq!(kind("arc-standard", false), Some(Kind::Diagonal));
    assert_eq!(kind("all-s0s1", true), Some(Kind::Diagonal));
    assert_eq!(kind("all", true), Some(Kind::Degree2));
    assert_eq!(kind("attardi:3", true), None);
    assert_eq!(kind("mh4+", true), Some(Kind::Frames(4)));
    assert_eq!(kind("mh6", true), None);
}

#[test]
fn posteriors_are_what_enumeration_says_and_sum_to_one_per_word() {
    let mut random = Random(13);
    for name in NAMES {
        let system = system(name);
        for (n, single_root) in [(1, true), (2, false), (3, true), (4, false), (4, true), (5, true)] {
            let class = class(&system, n, single_root);
            for kind in [0, 2] {
                let scores = random_scores(n, kind, &mut random);
                let weights: Vec<(&Tree, f64)> = class
                    .iter()
                    .map(|(tree, &count)| (tree, count as f64 * scores.of_tree(tree).exp()))
                    .collect();
                let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
                let chart =
                    Chart::<Log, _>::fill(&system, &scores, single_root, Instructions::best()).unwrap();
                let Some(posteriors) = chart.arc_posteriors() else {
                    assert_eq!(whole, 0.0);
                    continue;
                };
                let real =
                    Chart::<Real, _>::fill(&system, &scores, single_root, Instructions::best()).unwrap();
                let real = real.arc_posteriors().unwrap();
                for word in 1..=n {
                    let sum: f64 = (0..=n).map(|head| posteriors[head * (n + 1) + word]).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{name} {n} {single_root} word {word}: {sum}");
                    for head in 0..=n {
                        let with: f64 = weights
                            .iter()
                            .filter(|(tree, _)| tree.head(word) == head)
                            .map(|(_, weight)| weight)
                            .sum();
                        let found = posteriors[head * (n + 1) + word];
                        assert!(
                            (found - with / whole).abs() < 1e-9,
                            "{name} {n} {head}→{word}: {found} {}",
                            with / whole
                        );
                        assert!((found - real[head * (n + 1) + word]).abs() < 1e-9);
                    }
                }
            }
        }
    }
}

/// One derivation per tree: the golden counts of trees, several roots and one.
#[test]
fn tree_charts_count_trees() {
    let count = |name: &str, n: usize, single_root| {
        TreeChart::<Count>::fill(&system(name), &ArcScores::new(n), single_root).total().0
    };
    for (name, several, one) in [
        ("mh3", [1, 3, 12, 55, 273, 1428, 7752], [1, 2, 7, 30, 143, 728, 3876]),
        ("mh3+", [1, 3, 14, 87, 669, 6098, 64050], [1, 2, 8, 46, 338, 2992, 30800]),
    ] {
        for n in 1..=7 {
            assert_eq!(
                (count(name, n, false), count(name, n, true)),
                (several[n - 1], one[n - 1]),
                "{name} {n}"
            );
        }
    }
    assert_eq!((count("mh3", 0, false), count("mh3", 0, true)), (1, 0));
}

#[test]
fn tree_charts_agree_with_enumeration_of_trees() {
    let mut random = Random(15);
    for (name, n, single_root) in [
        ("mh3", 4, true),
        ("mh3", 5, false),
        ("mh3+", 4, false),
        ("mh3+", 5, true),
        ("arc-hybrid", 4, true),
        ("arc-hybrid+", 4, true),
    ] {
        let system = system(name);
        let trees: Vec<Tree> = class(&system, n, single_root).into_keys().collect();
        for kind in [0, 1, 2] {
            let scores = random_scores(n, kind, &mut random);
            let weights: Vec<f64> = trees.iter().map(|tree| scores.of_tree(tree).exp()).collect();
            let whole: f64 = weights.iter().sum();
            let chart = TreeChart::<Log>::fill(&system, &scores, single_root);
            assert!(
                chart.total().0 == whole.ln() || (chart.total().0 - whole.ln()).abs() < 1e-9,
                "{name} {n}"
            );
            let real = TreeChart::<Real>::fill(&system, &scores, single_root);
            let Some(posteriors) = chart.arc_posteriors() else {
                assert_eq!(whole, 0.0);
                continue;
            };
            let from_real = real.arc_posteriors().unwrap();
            for word in 1..=n {
                for head in 0..=n {
                    let having = trees.iter().zip(&weights).filter(|(tree, _)| tree.head(word) == head);
                    let expected = having.map(|(_, weight)| weight).sum::<f64>() / whole;
                    let found = posteriors[head * (n + 1) + word];
                    assert!((found - expected).abs() < 1e-9, "{name} {n} {head}→{word}: {found} {expected}");
                    assert!((found - from_real[head * (n + 1) + word]).abs() < 1e-9);
                }
            }
            // Each tree has one run, so runs are drawn as often as their trees' weights say.
            let mut seen: HashMap<Tree, u32> = HashMap::new();
            let draws = 20_000;
            for _ in 0..draws {
                let run = chart.sample(&mut || random.below(1 << 40) as f64 / (1u64 << 40) as f64).unwrap();
                let tree = Derivation::new(n, run).tree_in(system.inventory()).unwrap();
                *seen.entry(tree).or_default() += 1;
            }
            for (tree, weight) in trees.iter().zip(&weights) {
                let expected = weight / whole;
                let found = f64::from(seen.get(tree).copied().unwrap_or(0)) / f64::from(draws);
                let deviation = (expected * (1.0 - expected) / f64::from(draws)).sqrt();
                // One draw too many of a tree with next to no weight is no surprise among hundreds of trees.
                let tolerance = 5.0 * deviation + 2.0 / f64::from(draws);
                assert!((found - expected).abs() < tolerance, "{name}: {found} {expected}");
            }
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let mut random = Random(15);
    for (name, n) in [("all", 38), ("all-s0s1", 60), ("attardi", 36), ("arc-standard", 60)] {
        let system = system(name);
        let scores = random_scores(n, 0, &mut random);
        let answers = |threads| {
            let best = Chart::<Viterbi<f32>, _>::fill_with_threads(
                &system,
                &scores,
                true,
                Instructions::best(),
                threads,
            )
            .unwrap();
            let sum =
                Chart::<Real, _>::fill_with_threads(&system, &scores, true, Instructions::best(), threads)
                    .unwrap();
            (best.total().0.to_bits(), best.best(), sum.total().0.to_bits())
        };
        let alone = answers(1);
        for threads in [2, 3, 5] {
            assert!(answers(threads) == alone, "{name} with {threads} threads");
        }
    }
}
