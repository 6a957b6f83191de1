use std::collections::{HashMap, HashSet};

use tanglewood::chart::Instructions;
use tanglewood::deduction::Deduction;
use tanglewood::inference::{Inference, InferenceError, Over, Parse, Path};
use tanglewood::scores::ArcScores;
use tanglewood::semiring::Log;
use tanglewood::{Direction, System, Tree};

use crate::brute_force::Random;
use crate::chart::{class, random_scores};
use crate::support::Ask;

pub const DIRECTIONS: [Direction; 3] = [Direction::Ltr, Direction::Rtl, Direction::Either];

/// Systems of every kind that has a dense chart.
pub const DENSE: [&str; 16] = [
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
pub const DEEP: [&str; 2] = ["attardi:3", "s3>s0 s1>s0 b2>s3"];

pub fn system(name: &str) -> System {
    System::named(name).unwrap()
}

/// Inference by chart or deduction, without short cuts.
pub fn inference(system: &System, direction: Direction, single_root: bool) -> Inference {
    Inference::new(system).direction(direction).single_root(single_root).certify(false)
}

/// Trees with the number of times that each counts in a sum over all readings.
pub fn class_in(system: &System, n: usize, direction: Direction, single_root: bool) -> HashMap<Tree, u64> {
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
pub fn rounding(scores: &ArcScores) -> f64 {
    let n = scores.len();
    let size = |word| (0..=n).map(move |head| scores.get(head, word).abs()).filter(|size| size.is_finite());
    1e-13 * (1..=n).map(|word| size(word).fold(0.0, f64::max)).sum::<f64>()
}

/// A parse holds together: score, tree and run belong to each other.
pub fn check(parse: &Parse, system: &System, scores: &ArcScores, direction: Direction, single_root: bool) {
    assert_eq!(parse.score, scores.of_tree(&parse.tree));
    assert!(!single_root || parse.tree.has_single_root());
    let read = parse.derivation.as_ref().unwrap().tree_in(system.inventory()).unwrap();
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
    let deduction = Deduction::new(system).single_root(single_root);
    let nodes = scores.len() + 1;
    let mut readings = Vec::new();
    for backward in [false, true] {
        if if backward { direction.reads_backward() } else { direction.reads_forward() } {
            let read = if backward { scores.mirrored() } else { scores.clone() };
            let best = deduction.best(&read).unwrap().map_or(f64::NEG_INFINITY, |(score, _)| score);
            let total = deduction.total::<Log>(&read).unwrap().0;
            readings.push((
                backward,
                best,
                total,
                deduction.fill::<Log>(&read).unwrap().marginals().unwrap(),
            ));
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

/// With huge scores the sum is the best one, and the marginals are its tree, unless there are several:
/// everything else is worth nothing beside it.
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
                    let best = inference.best(&scores).unwrap().score;
                    assert!((found[0].score - best).abs() <= rounding(&scores), "{what}");
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

#[test]
fn the_processor_s_instructions_change_no_bit_of_long_sentences() {
    // From 192 words on, charts are filled in blocks of right ends.
    let (system, scores) = (system("mh4+"), random_scores(200, 0, &mut Random(43)));
    let best = |instructions| Inference::new(&system).instructions(instructions).certify(false).best(&scores);
    let answers: Vec<_> = Instructions::available().into_iter().map(best).collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

/// A matrix that prefers a random tree by more than the noise on most arcs.
fn peaked(n: usize, noise: f64, random: &mut Random) -> ArcScores {
    let tree = random.tree(n);
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for word in (1..=n).filter(|&word| word != head) {
            let gold = f64::from(u8::from(tree.head(word) == head));
            scores.set(head, word, gold + noise * random.below(1000) as f64 / 1000.0).unwrap();
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
                    tree.arcs().for_each(|(head, word)| {
                        scores.set(head, word, scores.get(head, word) + 1.0).unwrap()
                    });
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
fn classes_are_shared_between_threads_and_distributions_handed_over() {
    fn shared<T: Send + Sync>() {}
    fn handed_over<T: Send>() {}
    shared::<Inference>();
    shared::<ArcScores>();
    handed_over::<tanglewood::inference::Distribution<'static>>();
}
