use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use tanglewood::chart::{Chart, ChartKind, ChartOptions, ChartSemiring, Over};
use tanglewood::deduction::Deduction;
use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, View};
use tanglewood::semiring::{Additive, Boolean, Count, Log, Real, Viterbi};
use tanglewood::system::Address;
use tanglewood::{Derivation, System, Tree};

use crate::brute_force::{Random, derivation_counts, subset_of_r};
use crate::support::runs_of_trees;

fn system(name: &str) -> System {
    System::named(name).unwrap()
}

fn filled<'a, S: ChartSemiring>(
    system: &'a System,
    scores: &'a ArcScores,
    single_root: bool,
) -> Chart<'a, S> {
    Chart::fill(system, scores, ChartOptions { single_root, ..ChartOptions::default() }).unwrap()
}

/// A chart with one derivation per tree.
fn over_trees<'a, S: ChartSemiring>(
    system: &'a System,
    scores: &'a ArcScores,
    single_root: bool,
) -> Chart<'a, S> {
    let options = ChartOptions { single_root, over: Over::Trees, ..ChartOptions::default() };
    Chart::fill(system, scores, options).unwrap()
}

fn total<S: ChartSemiring>(system: &System, scores: &ArcScores, single_root: bool) -> S {
    filled::<S>(system, scores, single_root).total()
}

/// The share of each arc; none if nothing can be derived.
fn posteriors<S: ChartSemiring + Additive>(chart: &Chart<'_, S>) -> Option<Vec<f64>> {
    let total = chart.total();
    let arcs = chart.arc_weights().unwrap();
    (total != S::ZERO).then(|| arcs.into_iter().map(|arc| S::share(arc, total)).collect())
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
            scores
                .set(
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
                )
                .unwrap();
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

fn best_is<F: Into<f64> + PartialOrd>(
    system: &System,
    scores: &ArcScores,
    single_root: bool,
    best: f64,
    tolerance: f64,
    what: &str,
) where
    Viterbi<F>: ChartSemiring,
{
    let chart = filled::<Viterbi<F>>(system, scores, single_root);
    let total: f64 = chart.total().0.into();
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
    let kind = |name, arcs_only| ChartKind::of(&system(name), arcs_only);
    assert_eq!(kind("arc-standard", true), Some(ChartKind::Degree1));
    assert_eq!(kind("arc-standard", false), Some(ChartKind::Diagonal));
    assert_eq!(kind("all-s0s1", true), Some(ChartKind::Diagonal));
    assert_eq!(kind("all", true), Some(ChartKind::Degree2));
    assert_eq!(kind("attardi:3", true), None);
    assert_eq!(kind("mh4+", true), Some(ChartKind::Frames(4)));
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
                let Some(found) = posteriors(&filled::<Log>(&system, &scores, single_root)) else {
                    assert_eq!(whole, 0.0);
                    continue;
                };
                let real = posteriors(&filled::<Real>(&system, &scores, single_root)).unwrap();
                let posteriors = found;
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

#[test]
fn arc_weights_and_entropies_are_what_enumeration_says_in_every_semiring() {
    let mut random = Random(16);
    for name in NAMES {
        let system = system(name);
        for (n, single_root) in [(1, true), (3, false), (4, true)] {
            let class = class(&system, n, single_root);
            let scores = random_scores(n, 0, &mut random);
            let counts = filled::<Count>(&system, &scores, single_root).arc_weights().unwrap();
            let best = filled::<Viterbi<f64>>(&system, &scores, single_root).arc_weights().unwrap();
            for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
                let having = || class.iter().filter(|(tree, _)| tree.head(word) == head);
                let count = having().map(|(_, &count)| u128::from(count)).sum::<u128>();
                assert_eq!(counts[head * (n + 1) + word], Count(count), "{name} {n} {head}→{word}");
                let expected =
                    having().map(|(tree, _)| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
                let found = best[head * (n + 1) + word].0;
                assert!(
                    found == expected || (found - expected).abs() < 1e-12,
                    "{name} {n}: {found} {expected}"
                );
            }
            let weight = |tree: &Tree| scores.of_tree(tree).exp();
            let whole: f64 = class.iter().map(|(tree, &count)| count as f64 * weight(tree)).sum();
            let part =
                |(tree, &count): (&Tree, &u64)| count as f64 * weight(tree) / whole * scores.of_tree(tree);
            let expected =
                if class.is_empty() { 0.0 } else { whole.ln() - class.iter().map(part).sum::<f64>() };
            let options = ChartOptions { single_root, ..ChartOptions::default() };
            let found = Chart::<Real>::fill(&system, &scores, options).unwrap().entropy(&system).unwrap();
            assert!((found - expected).abs() < 1e-9, "{name} {n}: {found} {expected}");
        }
    }
}

/// Arc scores with a context that knows where the head is, not which node; counts how often a head in the
/// buffer is asked for.
struct InContext {
    arcs: ArcScores,
    asked_ahead: AtomicUsize,
}

impl TransitionScores for InContext {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        (top.unwrap_or(7) * 3 + front) as f64 % 5.0 / 4.0
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        if let Address::Buffer(_) = head {
            self.asked_ahead.fetch_add(1, Ordering::Relaxed);
        }
        self.arcs.get(view.node(head), view.stack[dependent]) + self.context(view, head.into(), dependent)
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        Some(&self.arcs)
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        if dependent == 2 {
            return self.deepest_context(&view.stack[..2], view.front);
        }
        let place = match head {
            HeadKind::Stack(place) => place,
            HeadKind::Ahead => 5,
        };
        let window = view.stack.iter().fold(view.front, |sum, node| sum * 3 + node);
        (window + 7 * place + 11 * dependent) as f64 % 13.0 / 4.0 - 1.0
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        (others[0] * 5 + others[1] * 3 + front) as f64 % 7.0 / 4.0
    }
}

#[test]
fn heads_ahead_of_scores_with_an_arc_part_are_summed_over_once() {
    let mut random = Random(17);
    for name in ["all+", "all-s0s1+", "all-deg1+", "arc-standard", "all", "b1>s1 b0>s0 s1>s0 s2>s0"] {
        let system = system(name);
        for (n, single_root) in [(1, true), (3, false), (5, true), (7, true)] {
            let scores =
                InContext { arcs: random_scores(n, 0, &mut random), asked_ahead: AtomicUsize::new(0) };
            let options = ChartOptions { single_root, ..ChartOptions::default() };
            let chart = Chart::<Log>::fill(&system, &scores, options).unwrap();
            assert_eq!(scores.asked_ahead.load(Ordering::Relaxed), 0, "{name}");
            let sparse = Deduction::new(&system).single_root(single_root);
            let expected = sparse.total::<Log>(&scores).unwrap().0;
            let total = chart.total().0;
            assert!(total == expected || (total - expected).abs() < 1e-9, "{name} {n}: {total} {expected}");
            let (Some(found), Some(marginals)) =
                (posteriors(&chart), sparse.fill::<Log>(&scores).unwrap().marginals().unwrap())
            else {
                continue;
            };
            for (at, found) in found.into_iter().enumerate() {
                let expected = marginals.get(at / (n + 1), at % (n + 1));
                assert!((found - expected).abs() < 1e-9, "{name} {n}: {found} {expected}");
            }
        }
    }
}

/// One derivation per tree: the golden counts of trees, several roots and one.
#[test]
fn tree_charts_count_trees() {
    let count = |name: &str, n: usize, single_root| {
        over_trees::<Count>(&system(name), &ArcScores::new(n), single_root).total().0
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
            let chart = over_trees::<Log>(&system, &scores, single_root);
            assert!(
                chart.total().0 == whole.ln() || (chart.total().0 - whole.ln()).abs() < 1e-9,
                "{name} {n}"
            );
            let real = over_trees::<Real>(&system, &scores, single_root);
            let Some(found) = posteriors(&chart) else {
                assert_eq!(whole, 0.0);
                continue;
            };
            let from_real = posteriors(&real).unwrap();
            let posteriors = found;
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
                // One draw of a tree that is very rare is no surprise.
                assert!(
                    (found - expected).abs() < 5.0 * deviation + 1.5 / f64::from(draws),
                    "{name}: {found} {expected}"
                );
            }
        }
    }
}
