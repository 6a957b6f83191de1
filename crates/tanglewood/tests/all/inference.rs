use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tanglewood::chart::Instructions;
use tanglewood::inference::{Inference, InferenceError, Over, Parse, Path};
use tanglewood::scores::{ArcScores, TransitionScores, View};
use tanglewood::semiring::Log;
use tanglewood::system::Address;
use tanglewood::tabulation::Tabulation;
use tanglewood::{Direction, System, Tree};

use crate::brute_force::Random;
use crate::chart::{class, random_scores};
use crate::deduction::{Windows, each_run, score_of_run};
use crate::multi_headed::{each_framed_run, score_of_framed_run};

const DIRECTIONS: [Direction; 3] = [Direction::Ltr, Direction::Rtl, Direction::Either];

/// Systems of every kind that has a dense chart.
const DENSE: [&str; 16] = [
    "arc-standard",
    "arc-hybrid",
    "arc-hybrid+",
    "mh3",
    "mh4",
    "mh4+",
    "mh5",
    "mh5+",
    "kuhlmann-2",
    "attardi",
    "all-deg1",
    "all",
    "all-s0s1",
    "all+",
    "b1>s1 b0>s0 s1>s0 s2>s0",
    "ahead>s2 s1>s2 s1>s0",
];

/// Systems whose windows are too deep for one.
const DEEP: [&str; 2] = ["attardi:3", "s3>s0 s1>s0 b2>s3"];

fn system(name: &str) -> System {
    System::named(name).unwrap()
}

/// Inference by chart or deduction, without short cuts.
fn inference(system: &System, direction: Direction, single_root: bool) -> Inference<'_> {
    Inference::new(system).direction(direction).single_root(single_root).certify(false)
}

/// Trees with the number of times that each counts in a sum over all readings.
fn class_in(system: &System, n: usize, direction: Direction, single_root: bool) -> HashMap<Tree, u64> {
    let mut counts = HashMap::new();
    if inference(system, direction, single_root).sums_over() == Over::Trees {
        let read = |tree: Tree| if direction == Direction::Rtl { tree.mirrored() } else { tree };
        return class(system, n, single_root).into_keys().map(|tree| (read(tree), 1)).collect();
    }
    for (tree, count) in class(system, n, single_root) {
        if direction.reads_backward() {
            *counts.entry(tree.mirrored()).or_insert(0) += count;
        }
        if direction.reads_forward() {
            *counts.entry(tree).or_insert(0) += count;
        }
    }
    counts
}

/// What rounding may do to a sum of scores.
fn rounding(scores: &ArcScores) -> f64 {
    let n = scores.len();
    let size = |word| (0..=n).map(move |head| scores.get(head, word).abs()).filter(|size| size.is_finite());
    1e-13 * (1..=n).map(|word| size(word).fold(0.0, f64::max)).sum::<f64>()
}

/// A parse holds together: score, tree and run belong to each other.
fn check(parse: &Parse, system: &System, scores: &ArcScores, direction: Direction, single_root: bool) {
    assert_eq!(parse.score, scores.of_tree(&parse.tree));
    assert!(!single_root || parse.tree.has_single_root());
    let read = parse.derivation.tree_in(system.inventory()).unwrap();
    match parse.direction {
        Direction::Ltr => assert!(direction.reads_forward() && read == parse.tree),
        Direction::Rtl => assert!(direction.reads_backward() && read.mirrored() == parse.tree),
        Direction::Either => panic!("a run has one direction"),
    }
    let deep = system.frame().map_or(system.inventory().depth() > 2, |nodes| nodes > 5);
    let full = if deep { Path::Deduction } else { Path::Chart };
    assert!([full, Path::Certificate, Path::Pruned].contains(&parse.path));
}

#[test]
fn best_is_the_best_of_all_trees_of_the_class_up_to_five_words() {
    let mut random = Random(31);
    for name in DENSE.into_iter().chain(DEEP).chain(["b0>s0"]) {
        let system = system(name);
        for (n, direction) in (1..=5).flat_map(|n| DIRECTIONS.map(|direction| (n, direction))) {
            for single_root in [false, true] {
                let class = class_in(&system, n, direction, single_root);
                let inference = inference(&system, direction, single_root);
                for kind in 0..5 {
                    let scores = random_scores(n, kind, &mut random);
                    let what = format!("{name}, {n} words, {direction}, single root {single_root}, {kind}");
                    let best =
                        class.keys().map(|tree| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
                    match inference.best(&scores) {
                        Err(error) => {
                            assert_eq!(error, InferenceError::NoTree, "{what}");
                            assert_eq!(best, f64::NEG_INFINITY, "{what}");
                            assert!(inference.clone().certify(true).best(&scores).is_err(), "{what}");
                        }
                        Ok(parse) => {
                            assert!(
                                (parse.score - best).abs() <= rounding(&scores),
                                "{what}: {parse:?} {best}"
                            );
                            assert!(class.contains_key(&parse.tree), "{what}: {parse:?}");
                            check(&parse, &system, &scores, direction, single_root);
                            assert!(matches!(parse.path, Path::Chart | Path::Deduction));
                            let certified = inference.clone().certify(true).best(&scores).unwrap();
                            assert!(
                                (certified.score - best).abs() <= rounding(&scores),
                                "{what}: {certified:?}"
                            );
                            assert!(class.contains_key(&certified.tree), "{what}: {certified:?}");
                            check(&certified, &system, &scores, direction, single_root);
                        }
                    }
                }
            }
        }
    }
}

/// The same answers from the sparse deduction on the scores as they are.
struct Sparse {
    best: f64,
    log_partition: f64,
    /// By head and dependent; empty if there is no tree.
    marginals: Vec<Vec<f64>>,
}

fn sparse(system: &System, scores: &ArcScores, direction: Direction, single_root: bool) -> Sparse {
    let deduction = Tabulation::new(system, single_root);
    let nodes = scores.len() + 1;
    let mut readings = Vec::new();
    for backward in [false, true] {
        if if backward { direction.reads_backward() } else { direction.reads_forward() } {
            let read = if backward { scores.mirrored() } else { scores.clone() };
            let best = deduction.best(&read).unwrap().map_or(f64::NEG_INFINITY, |(score, _)| score);
            let total = deduction.log_partition(&read).unwrap();
            readings.push((backward, best, total, deduction.marginals::<Log>(&read).unwrap()));
        }
    }
    let best = readings.iter().map(|reading| reading.1).fold(f64::NEG_INFINITY, f64::max);
    let largest = readings.iter().map(|reading| reading.2).fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return Sparse { best, log_partition: largest, marginals: Vec::new() };
    }
    let sum: f64 = readings.iter().map(|reading| (reading.2 - largest).exp()).sum();
    let mut marginals = vec![vec![0.0; nodes]; nodes];
    for (backward, _, total, of_reading) in &readings {
        let place = |node: usize| if !backward || node == 0 { node } else { nodes - node };
        let Some(of_reading) = of_reading else { continue };
        for (head, row) in marginals.iter_mut().enumerate() {
            for (dependent, marginal) in row.iter_mut().enumerate().skip(1) {
                *marginal += (total - largest).exp() / sum * of_reading.get(place(head), place(dependent));
            }
        }
    }
    Sparse { best, log_partition: sum.ln() + largest, marginals }
}

#[test]
fn dense_charts_and_the_sparse_deduction_agree_up_to_twelve_words() {
    let mut random = Random(32);
    for name in DENSE {
        let system = system(name);
        for (round, n) in (6..=12).enumerate() {
            for kind in 0..5 {
                let roots = if n == 12 { &[false, true][..] } else { &[(round + kind) % 2 == 0] };
                for &single_root in roots {
                    let direction = DIRECTIONS[(round + kind + usize::from(single_root)) % 3];
                    let scores = random_scores(n, kind, &mut random);
                    agree(&system, &scores, direction, single_root, kind == 3);
                }
            }
        }
    }
}

/// With huge scores the sum is the best one, and the marginals are its tree, unless there are several: everything else is worth nothing beside it.
fn agree(system: &System, scores: &ArcScores, direction: Direction, single_root: bool, huge: bool) {
    let inference = inference(system, direction, single_root);
    let what =
        format!("{system}, {} words, {direction}, single root {single_root}, huge {huge}", scores.len());
    let sparse = sparse(system, scores, direction, single_root);
    let best = match inference.best(scores) {
        Err(error) => {
            assert_eq!((error, sparse.best), (InferenceError::NoTree, f64::NEG_INFINITY), "{what}");
            assert_eq!(inference.log_partition(scores), Ok(f64::NEG_INFINITY), "{what}");
            assert_eq!(inference.marginals(scores), Err(InferenceError::NoTree), "{what}");
            return;
        }
        Ok(best) => best,
    };
    assert!((best.score - sparse.best).abs() <= rounding(scores), "{what}: {} {}", best.score, sparse.best);
    if inference.sums_over() == Over::Trees {
        return;
    }
    let log_partition = inference.log_partition(scores).unwrap();
    let tolerance = rounding(scores).max(1e-9);
    assert!((log_partition - sparse.log_partition).abs() <= tolerance, "{what}: {log_partition}");
    if huge && inference.k_best(scores, 2).unwrap().get(1).is_some_and(|next| next.score == best.score) {
        return;
    }
    for (head, row) in inference.marginals(scores).unwrap().iter().enumerate() {
        for (dependent, &found) in row.iter().enumerate().skip(1) {
            let expected = if huge {
                f64::from(u8::from(best.tree.head(dependent) == head))
            } else {
                sparse.marginals[head][dependent]
            };
            assert!((found - expected).abs() < 1e-9, "{what}: {head} → {dependent}: {found} {expected}");
        }
    }
}

#[test]
fn the_k_best_are_the_k_best_distinct_trees_and_fewer_where_the_class_is_smaller() {
    let mut random = Random(33);
    for name in DENSE.into_iter().chain(DEEP) {
        let system = system(name);
        for (n, k) in [(1, 3), (2, 9), (3, 30), (4, 7), (5, 4)] {
            for (direction, single_root) in DIRECTIONS.into_iter().flat_map(|d| [(d, false), (d, true)]) {
                let class = class_in(&system, n, direction, single_root);
                let inference = inference(&system, direction, single_root);
                for kind in 0..3 {
                    let scores = random_scores(n, kind, &mut random);
                    let what = format!("{name}, {n} words, {direction}, single root {single_root}, {kind}");
                    let all = class.keys().map(|tree| scores.of_tree(tree));
                    let mut expected: Vec<f64> = all.filter(|&score| score > f64::NEG_INFINITY).collect();
                    expected.sort_by(|a, b| b.total_cmp(a));
                    expected.truncate(k);
                    let found = match inference.k_best(&scores, k) {
                        Ok(found) => found,
                        Err(error) => {
                            assert_eq!(error, InferenceError::NoTree, "{what}");
                            assert!(expected.is_empty(), "{what}");
                            continue;
                        }
                    };
                    assert_eq!(found.len(), expected.len(), "{what}");
                    for (parse, expected) in found.iter().zip(&expected) {
                        assert!((parse.score - expected).abs() <= rounding(&scores), "{what}: {found:?}");
                        check(parse, &system, &scores, direction, single_root);
                    }
                    let distinct: HashSet<&Tree> = found.iter().map(|parse| &parse.tree).collect();
                    assert_eq!(distinct.len(), found.len(), "{what}");
                    assert_eq!(found.first(), inference.best(&scores).as_ref().ok(), "{what}");
                    assert_eq!(inference.k_best(&scores, 0), Ok(Vec::new()));
                }
            }
        }
    }
}

#[test]
fn k_best_can_enumerate_a_whole_class() {
    let system = system("all");
    let class = class(&system, 4, true);
    let scores = random_scores(4, 0, &mut Random(34));
    let found = Inference::new(&system).k_best(&scores, 1000).unwrap();
    let trees: HashSet<Tree> = found.iter().map(|parse| parse.tree.clone()).collect();
    assert_eq!((found.len(), trees), (62, class.into_keys().collect()));
}

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
                shifted.set(head, word, scores.get(head, word) + step);
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
    // A tree that is better than all others by far, in numbers whose sums cannot show what that does to probabilities.
    let tree = Tree::from_heads(&[2, 0, 2, 3]).unwrap();
    let mut scores = ArcScores::new(4);
    tree.arcs().for_each(|(head, word)| scores.set(head, word, 1e20));
    let single = self::system("arc-hybrid");
    assert_eq!(Inference::new(&single).log_probability(&scores, &tree), Ok(0.0));
}

#[test]
#[should_panic(expected = "tree and scores differ in length")]
fn a_tree_of_another_length_has_no_probability() {
    let tree = Tree::from_heads(&[0, 1]).unwrap();
    let _ = Inference::new(&system("all")).log_probability(&ArcScores::new(3), &tree);
}

/// Pearson's statistic, with trees that are hardly expected taken together, against its mean and six deviations.
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

#[test]
fn what_does_not_fit_is_refused_with_a_remedy() {
    let all = system("all");
    let scores = ArcScores::new(20);
    let small = Inference::new(&all).memory(1000).certify(false);
    let error = small.best(&scores).unwrap_err();
    assert!(matches!(error, InferenceError::TooLarge { words: 20, limit: 1000, .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with("20 words in `all` need "), "{text}");
    assert!(text.ends_with(", more than the limit of 1.0 kB; allow more, or split the sentence"), "{text}");

    let tree = Tree::from_heads(&(0..20).collect::<Vec<_>>()).unwrap();
    let too_large = |error: InferenceError| matches!(error, InferenceError::TooLarge { limit: 1000, .. });
    assert!(too_large(small.best_in_single_precision(&scores).unwrap_err()));
    assert!(too_large(small.best_derivation(&scores).unwrap_err()));
    assert!(too_large(small.k_best(&scores, 2).unwrap_err()));
    assert!(too_large(small.log_partition(&scores).unwrap_err()));
    assert!(too_large(small.marginals(&scores).unwrap_err()));
    assert!(too_large(small.log_probability(&scores, &tree).unwrap_err()));
    assert!(too_large(small.samples(&scores, 1, 0).unwrap_err()));

    let needed = small.bytes_needed(20, 8).unwrap();
    let enough = Inference::new(&all).memory(needed).certify(false);
    assert!(enough.best(&scores).is_ok() && enough.log_partition(&scores).is_ok());
    assert!(matches!(enough.clone().memory(needed - 1).best(&scores), Err(InferenceError::TooLarge { .. })));
    // Posteriors take as much again as the chart they come from.
    assert!(matches!(enough.marginals(&scores), Err(InferenceError::TooLarge { .. })));
    assert!(enough.memory(2 * needed).marginals(&scores).is_ok());
}

#[test]
fn the_remedy_names_a_cheaper_system_that_fits() {
    let (all, framed) = (system("all"), system("mh5+"));
    let remedy = |system: &System, words: usize, memory: u64| match Inference::new(system)
        .memory(memory)
        .certify(false)
        .best(&ArcScores::new(words))
        .unwrap_err()
    {
        InferenceError::TooLarge { remedy, .. } => remedy,
        other => panic!("{other}"),
    };
    let needed = Inference::new(&framed).bytes_needed(60, 8).unwrap();
    let text = remedy(&all, 60, needed);
    assert!(text.starts_with("allow more, or choose `mh5+`, which needs "), "{text}");
    let text = remedy(&all, 60, needed - 1);
    assert!(text.starts_with("allow more, or choose `mh4+`, which needs "), "{text}");
    assert_eq!(remedy(&system("kuhlmann-2"), 60, 10), "allow more, or split the sentence");

    let windows = Windows { words: 60, seed: 1 };
    let error = Inference::new(&all).memory(needed - 1).best_derivation(&windows).unwrap_err();
    assert!(error.to_string().contains("; allow more, or choose `mh4+`, which needs "), "{error}");

    // Short cuts need no chart: the best of all trees is one that the system can build.
    assert_eq!(Inference::new(&all).memory(10).best(&ArcScores::new(60)).unwrap().path, Path::Certificate);
}

#[test]
fn huge_sentences_are_refused_at_once() {
    let scores = ArcScores::new(3000);
    let start = Instant::now();
    for (name, size) in [("all", "PB"), ("all-s0s1", "TB"), ("kuhlmann-2", "GB")] {
        let system = system(name);
        let inference = Inference::new(&system).certify(false);
        for error in [
            inference.best(&scores).unwrap_err(),
            inference.k_best(&scores, 3).unwrap_err(),
            inference.marginals(&scores).unwrap_err(),
            inference.samples(&scores, 3, 1).unwrap_err(),
        ] {
            let text = error.to_string();
            let (needed, rest) = text.split_once(", more than the limit of 4.3 GB; ").unwrap();
            assert!(needed.starts_with(&format!("3000 words in `{name}` need ")), "{text}");
            assert!(needed.ends_with(size) && rest.starts_with("allow more, or "), "{text}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let deep = system("attardi:3");
    let error = Inference::new(&deep).memory(1000).certify(false).best(&ArcScores::new(40)).unwrap_err();
    assert!(matches!(error, InferenceError::TooManyItems(_)));
}

#[test]
fn without_a_tree_there_is_an_error_that_says_so() {
    // Both words want each other.
    let mut scores = ArcScores::new(2);
    scores.require(2, 1);
    scores.require(1, 2);
    let tree = Tree::from_heads(&[2, 0]).unwrap();
    for name in ["kuhlmann-2", "all-s0s1", "all", "attardi:3"] {
        let system = system(name);
        for direction in DIRECTIONS {
            let inference = inference(&system, direction, false);
            assert_eq!(inference.best(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.best_in_single_precision(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.best_derivation(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.k_best(&scores, 3), Err(InferenceError::NoTree));
            assert_eq!(inference.log_partition(&scores), Ok(f64::NEG_INFINITY));
            assert_eq!(inference.marginals(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.log_probability(&scores, &tree), Err(InferenceError::NoTree));
            assert_eq!(inference.samples(&scores, 3, 1), Err(InferenceError::NoTree));
        }
    }
    let text = InferenceError::NoTree.to_string();
    assert!(text.contains("no tree") && text.contains("allow more arcs"), "{text}");
}

#[test]
fn no_words_make_one_tree_and_no_single_root() {
    let scores = ArcScores::new(0);
    for name in ["kuhlmann-2", "all-s0s1", "all", "attardi:3"] {
        let system = system(name);
        for direction in DIRECTIONS {
            let several = inference(&system, direction, false);
            assert_eq!(several.best(&scores).unwrap().derivation.to_string(), "shift", "{name}");
            assert_eq!(several.k_best(&scores, 3).unwrap().len(), 1, "{name}");
            let runs: f64 = if direction == Direction::Either { 2.0 } else { 1.0 };
            assert_eq!(several.log_partition(&scores), Ok(runs.ln()), "{name}");
            assert_eq!(several.marginals(&scores), Ok(vec![vec![0.0]]), "{name}");
            assert_eq!(several.samples(&scores, 2, 1).unwrap().len(), 2, "{name}");
            let single = inference(&system, direction, true);
            assert_eq!(single.best(&scores), Err(InferenceError::NoTree), "{name}");
            assert_eq!(single.log_partition(&scores), Ok(f64::NEG_INFINITY), "{name}");
            assert_eq!(single.marginals(&scores), Err(InferenceError::NoTree), "{name}");
            assert_eq!(single.samples(&scores, 1, 1), Err(InferenceError::NoTree), "{name}");
        }
    }
}

/// Scores that look at everything they are shown, in two parts where the deepest slot is removed.
struct Separable(Windows);

impl TransitionScores for Separable {
    fn words(&self) -> usize {
        self.0.words
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.0.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        if dependent < 2 {
            return self.0.reduce(view, head, dependent);
        }
        let head = match head {
            Address::Stack(place) => view.stack[place],
            Address::Buffer(place) => view.front + place,
        };
        self.deepest(head, view.stack[2]) + self.deepest_context(&view.stack[..2], view.front)
    }

    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.0.score(&[2000, head, dependent])
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        self.0.score(&[3000, others[0], others[1], front])
    }
}

#[test]
fn scores_of_whole_windows_mean_the_same_to_dense_charts_sparse_deduction_and_plain_runs() {
    for (seed, name) in (0..).zip(DENSE) {
        let system = system(name);
        let inventory = system.inventory();
        let framed = system.frame().is_some();
        for n in 0..=8 {
            for single_root in [false, true] {
                let scores = Separable(Windows { words: n, seed: 100 * seed + n as u64 });
                let what = format!("{name}, {n} words, single root {single_root}");
                let sparse = Tabulation::new(&system, single_root).best(&scores).unwrap();
                let sparse = sparse.map(|(score, _)| score);
                let dense = match inference(&system, Direction::Ltr, single_root).best_derivation(&scores) {
                    Ok(derivation) => {
                        let tree = derivation.tree_in(inventory).unwrap();
                        assert!(!single_root || tree.has_single_root(), "{what}");
                        Some(match framed {
                            true => score_of_framed_run(&system, &scores, &derivation),
                            false => score_of_run(inventory, &scores, derivation.transitions()),
                        })
                    }
                    Err(error) => {
                        assert_eq!(error, InferenceError::NoTree, "{what}");
                        None
                    }
                };
                assert_eq!(dense.is_some(), sparse.is_some(), "{what}");
                if let (Some(dense), Some(sparse)) = (dense, sparse) {
                    assert!((dense - sparse).abs() < 1e-9, "{what}: {dense} {sparse}");
                }
                if n <= 4 {
                    let mut best = None;
                    let finish = |_: &[_], tree: &Tree, score| {
                        if !single_root || tree.has_single_root() {
                            best = Some(best.map_or(score, |best: f64| best.max(score)));
                        }
                    };
                    match framed {
                        true => each_framed_run(&system, &scores, finish),
                        false => each_run(inventory, &scores, finish),
                    }
                    assert_eq!(best.is_some(), dense.is_some(), "{what}");
                    if let (Some(best), Some(dense)) = (best, dense) {
                        assert!((best - dense).abs() < 1e-9, "{what}: {best} {dense}");
                    }
                }
            }
        }
    }
}

#[test]
fn probabilities_for_scores_of_whole_windows_are_those_of_all_runs() {
    let mut compared = 0;
    for (seed, name) in (0..).zip(DENSE.into_iter().chain(["all:3+", "mh6"])) {
        let system = system(name);
        for n in 0..=4 {
            let scores = Separable(Windows { words: n, seed: 200 * seed + n as u64 });
            let mut trees: HashMap<Vec<usize>, f64> = HashMap::new();
            let finish = |_: &[_], tree: &Tree, score: f64| {
                if tree.has_single_root() {
                    *trees.entry(tree.heads().collect()).or_default() += score.exp();
                }
            };
            match system.frame() {
                Some(_) => each_framed_run(&system, &scores, finish),
                None => each_run(system.inventory(), &scores, finish),
            }
            let total: f64 = trees.values().sum();
            let inference = inference(&system, Direction::Ltr, true);
            let marginals = inference.derivation_marginals(&scores);
            if total == 0.0 {
                assert_eq!(marginals, Err(InferenceError::NoTree), "{name}, {n} words");
                continue;
            }
            let marginals = marginals.unwrap();
            for (head, row) in marginals.iter().enumerate() {
                for (dependent, &marginal) in row.iter().enumerate().skip(1) {
                    let with = trees.iter().filter(|(heads, _)| heads[dependent - 1] == head);
                    let expected = with.map(|(_, weight)| weight).sum::<f64>() / total;
                    assert!((marginal - expected).abs() < 1e-9, "{name}: {marginal} {expected}");
                }
            }
            for (heads, weight) in &trees {
                let tree = Tree::from_heads(heads).unwrap();
                let found = inference.derivation_log_probability(&scores, &tree).unwrap();
                assert!((found - (weight / total).ln()).abs() < 1e-9, "{name}: {found}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn single_precision_is_right_up_to_its_rounding_whatever_the_size_of_scores() {
    let mut random = Random(41);
    for name in ["kuhlmann-2", "all-s0s1", "all"] {
        let system = system(name);
        for (kind, size) in [(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (0, 1e299), (0, 1e-299)] {
            let unit = random_scores(9, kind, &mut random);
            let mut scores = unit.clone();
            let arcs = (1..=9).flat_map(|word| (0..=9).map(move |head| (head, word)));
            arcs.filter(|(head, word)| head != word)
                .for_each(|(head, word)| scores.set(head, word, unit.get(head, word) * size));
            let inference = Inference::new(&system).direction(Direction::Either).certify(false);
            let (single, double) = (inference.best_in_single_precision(&scores), inference.best(&scores));
            let (Ok(single), Ok(double)) = (&single, &double) else {
                assert_eq!(single, double, "{name} {kind}");
                continue;
            };
            check(single, &system, &scores, Direction::Either, true);
            // 1e-13 and 1e-6 are a few rounding errors each.
            let tolerance = rounding(&scores) * 1e7;
            assert!((single.score - double.score).abs() <= tolerance, "{name} {kind} {size}");
        }
    }
}

#[test]
fn the_processor_s_instructions_change_no_bit() {
    let mut random = Random(42);
    for name in DENSE {
        let system = system(name);
        for (n, kind) in [(1, 0), (4, 2), (9, 0), (11, 1)] {
            let scores = random_scores(n, kind, &mut random);
            let answers = Instructions::available().into_iter().map(|instructions| {
                let inference = Inference::new(&system).instructions(instructions).certify(false);
                let log_partition = inference.log_partition(&scores).map(f64::to_bits);
                let bits = |row: Vec<f64>| row.into_iter().map(f64::to_bits).collect::<Vec<_>>();
                let marginals = inference.marginals(&scores).map(|rows| rows.into_iter().map(bits).collect());
                (
                    inference.best(&scores),
                    inference.best_in_single_precision(&scores),
                    log_partition,
                    marginals as Result<Vec<Vec<u64>>, InferenceError>,
                    inference.samples(&scores, 3, 5),
                )
            });
            let answers: Vec<_> = answers.collect();
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{name}, {n} words");
        }
    }
}

/// A matrix that prefers a random tree by more than the noise on most arcs.
fn peaked(n: usize, noise: f64, random: &mut Random) -> ArcScores {
    let tree = random.tree(n);
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for word in (1..=n).filter(|&word| word != head) {
            let gold = f64::from(u8::from(tree.head(word) == head));
            scores.set(head, word, gold + noise * random.below(1000) as f64 / 1000.0);
        }
    }
    scores
}

/// Every path of certified decoding is taken, and finds what the chart finds.
#[test]
fn short_cuts_lead_to_the_same_score_as_the_whole_chart() {
    let mut random = Random(43);
    let mut taken: HashMap<(&str, Path), usize> = HashMap::new();
    let kinds: [(&str, &[usize]); 5] = [
        ("mh4+", &[12, 70]),
        ("mh4", &[12, 70]),
        ("mh5+", &[10, 25]),
        ("all-s0s1", &[10, 22]),
        ("kuhlmann-2", &[10, 40]),
    ];
    for (name, lengths) in kinds {
        let system = system(name);
        for &n in lengths {
            for round in 0..12 {
                let noise = [0.5, 1.1, 1.5][round % 3];
                let mut scores = peaked(n, noise, &mut random);
                if round % 4 == 3 {
                    // The best projective tree, or one near it.
                    let projective = System::named("mh3").unwrap();
                    let tree = Inference::new(&projective).best(&scores).unwrap().tree;
                    tree.arcs().for_each(|(head, word)| scores.set(head, word, scores.get(head, word) + 1.0));
                }
                let (direction, single_root) = (DIRECTIONS[round % 3], round % 2 == 0);
                let whole = inference(&system, direction, single_root);
                let certified = whole.clone().certify(true).best(&scores).unwrap();
                check(&certified, &system, &scores, direction, single_root);
                let expected = whole.best(&scores).unwrap().score;
                let what = format!("{name}, {n} words, round {round}, {:?}", certified.path);
                assert!((certified.score - expected).abs() <= rounding(&scores), "{what}: {expected}");
                *taken.entry((name, certified.path)).or_default() += 1;
            }
        }
    }
    for path in [Path::Certificate, Path::Pruned, Path::Chart] {
        assert!(taken.keys().any(|(_, other)| *other == path), "{path:?} was never taken: {taken:?}");
    }
}

#[test]
fn threads_change_neither_trees_nor_marginals() {
    let mut random = Random(33);
    let system = System::named("all-s0s1").unwrap();
    let scores = random_scores(48, 0, &mut random);
    let answers = |threads| {
        let inference = Inference::new(&system).threads(threads).certify(false);
        (inference.best(&scores).unwrap(), inference.marginals(&scores).unwrap())
    };
    let alone = answers(1);
    for threads in [2, 3, 5] {
        assert!(answers(threads) == alone, "{threads} threads");
    }
}
