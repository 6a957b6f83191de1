use std::collections::HashMap;

use tanglewood::deduction::{Deduction, Item, Proof, Rule, TooManyItems};
use tanglewood::scores::{ArcScores, TransitionScores};
use tanglewood::semiring::{Boolean, Count, Log, Real, Viterbi, Wide};
use tanglewood::system::{Address, Inventory};
use tanglewood::{Direction, Oracle, System, Transition, Tree};

use crate::brute_force::{Random, all_trees, derivation_counts, subset_of_r};
use crate::support::{
    ASSORTED, FRAMED, PAPER, Windows, close, deduction_of, each_run, each_run_in, inventory, ordinary,
    random_scores, score_of_run,
};

#[test]
fn golden_derivation_counts_up_to_seven_words() {
    let golden = [
        [13, 28, 66, 72, 64],
        [67, 256, 984, 1260, 888],
        [381, 2704, 17370, 27144, 14176],
        [2307, 31168, 339588, 660708, 246336],
        [14589, 380608, 7097100, 17379288, 4528000],
    ];
    for (n, row) in (3..).zip(golden) {
        let counts = PAPER.map(|name| deduction_of(&inventory(name), false).count(n).unwrap().0);
        assert_eq!(counts, row, "{n} words");
    }
}

#[test]
fn counts_equal_the_number_of_runs_for_assorted_systems() {
    for name in ASSORTED {
        let inventory = inventory(name);
        for n in 0..=if inventory.depth() > 2 || name.contains("ahead") { 4 } else { 5 } {
            let counts = derivation_counts(&inventory, n);
            let all: u128 = counts.values().map(|&count| u128::from(count)).sum();
            let single = |heads: &&Vec<usize>| heads.iter().filter(|&&head| head == 0).count() == 1;
            let single: u128 = counts.keys().filter(single).map(|heads| u128::from(counts[heads])).sum();
            assert_eq!(deduction_of(&inventory, false).count(n), Ok(Count(all)), "{name}, {n} words");
            assert_eq!(
                deduction_of(&inventory, true).count(n),
                Ok(Count(single)),
                "{name}, {n} words, one root"
            );
        }
    }
}

/// Deduction, oracle and exhaustive search agree on every tree, also about the number of its derivations.
fn agrees_with_all_runs(inventory: &Inventory, n: usize) {
    let built: HashMap<Vec<usize>, u64> = derivation_counts(inventory, n);
    let oracle = Oracle::for_inventory(inventory);
    let (several, single) = (deduction_of(inventory, false), deduction_of(inventory, true));
    for tree in all_trees(n) {
        let heads: Vec<usize> = tree.heads().collect();
        let count = built.get(&heads).copied().unwrap_or(0);
        assert_eq!(several.recognises(&tree), Ok(count > 0), "{inventory}: {tree:?}");
        assert_eq!(oracle.covers(&tree), count > 0, "{inventory}: {tree:?}");
        assert_eq!(
            several.total::<Count>(&ArcScores::only(&tree)),
            Ok(Count(count.into())),
            "{inventory}: {tree:?}"
        );
        assert_eq!(
            single.recognises(&tree),
            Ok(count > 0 && tree.has_single_root()),
            "{inventory}: {tree:?}"
        );
    }
}

#[test]
fn recognition_agrees_with_oracle_and_exhaustive_search_for_all_512_subsets() {
    for (bits, inventory) in (1..512).filter_map(|bits| Some((bits, subset_of_r(bits)?))) {
        (1..=if bits % 8 == 7 { 5 } else { 4 }).for_each(|n| agrees_with_all_runs(&inventory, n));
    }
}

#[test]
#[ignore = "slow: 1296 trees for each of 511 inventories"]
fn recognition_agrees_with_oracle_and_exhaustive_search_for_all_512_subsets_with_five_words() {
    (1..512).filter_map(subset_of_r).for_each(|inventory| agrees_with_all_runs(&inventory, 5));
}

#[test]
fn recognition_agrees_with_oracle_and_exhaustive_search_for_assorted_systems() {
    for name in ASSORTED {
        (1..=5).for_each(|n| agrees_with_all_runs(&inventory(name), n));
    }
}

#[test]
fn recognition_agrees_with_the_oracle_on_random_longer_trees() {
    let mut random = Random(11);
    for name in ["arc-standard", "attardi", "all", "all-s0s1+", "attardi:3", "all-s:3", "all:4"] {
        let inventory = inventory(name);
        let (oracle, deduction) = (Oracle::for_inventory(&inventory), deduction_of(&inventory, true));
        for _ in 0..40 {
            let n = 6 + random.below(7);
            let tree = random.tree(n);
            for direction in [Direction::Ltr, Direction::Rtl, Direction::Either] {
                let covered = oracle.covers_in(direction, &tree);
                assert_eq!(
                    deduction.recognises_in(direction, &tree),
                    Ok(covered),
                    "{name} {direction}: {tree:?}"
                );
            }
        }
    }
}

/// The best score is that of the best tree in the class, and comes with a derivation of such a tree.
fn best_is_the_maximum_over_the_class(
    inventory: &Inventory,
    single_root: bool,
    class: &[Tree],
    scores: &ArcScores,
) {
    let trees = class.iter().filter(|tree| !single_root || tree.has_single_root());
    let maximum = trees.map(|tree| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
    let deduction = deduction_of(inventory, single_root);
    match deduction.best(scores).unwrap() {
        None => assert_eq!(maximum, f64::NEG_INFINITY, "{inventory}: {scores:?}"),
        Some((score, derivation)) => {
            let tree = derivation.tree_in(inventory).unwrap();
            assert!(class.contains(&tree) && (!single_root || tree.has_single_root()));
            assert!(close(score, maximum), "{inventory}: {score} instead of {maximum} with {scores:?}");
            assert!(
                close(scores.of_tree(&tree), score),
                "{inventory}: {tree:?} has not {score} with {scores:?}"
            );
            assert_eq!(deduction.total::<Viterbi<f64>>(scores), Ok(Viterbi(score)));
        }
    }
    assert_eq!(deduction.total::<Boolean>(scores), Ok(Boolean(maximum != f64::NEG_INFINITY)));
}

#[test]
fn best_score_is_the_maximum_over_all_trees_of_the_class() {
    let mut random = Random(3);
    for name in ASSORTED {
        let inventory = inventory(name);
        let oracle = Oracle::for_inventory(&inventory);
        for n in 0..=5 {
            let class: Vec<Tree> = all_trees(n).into_iter().filter(|tree| oracle.covers(tree)).collect();
            for round in 0..if n == 5 { 8 } else { 16 } {
                let scores = random_scores(n, &mut random, round % 2 == 1, |random| match round % 8 {
                    // Many ties; no rounding.
                    0 | 1 => random.below(3) as f64 - 1.0,
                    2 | 3 => ordinary(random) * 1e290,
                    4 | 5 => ordinary(random) * 1e-290,
                    _ => ordinary(random),
                });
                best_is_the_maximum_over_the_class(&inventory, round % 4 < 2, &class, &scores);
            }
        }
    }
}

#[test]
fn best_score_is_the_maximum_over_all_trees_of_the_class_with_six_words() {
    let mut random = Random(4);
    for name in ["attardi", "all", "all-s0s1+"] {
        let inventory = inventory(name);
        let oracle = Oracle::for_inventory(&inventory);
        let class: Vec<Tree> = all_trees(6).into_iter().filter(|tree| oracle.covers(tree)).collect();
        for round in 0..6 {
            let scores = random_scores(6, &mut random, round % 2 == 1, ordinary);
            best_is_the_maximum_over_the_class(&inventory, round < 3, &class, &scores);
        }
    }
}

#[test]
fn right_to_left_is_left_to_right_on_the_mirror_image() {
    let mut random = Random(5);
    let inventory = inventory("kuhlmann-2");
    let oracle = Oracle::for_inventory(&inventory);
    let deduction = deduction_of(&inventory, true);
    for _ in 0..10 {
        let scores = random_scores(5, &mut random, false, ordinary);
        let (score, derivation) = deduction.best(&scores.mirrored()).unwrap().unwrap();
        let tree = derivation.tree().unwrap().mirrored();
        let class = all_trees(5).into_iter().filter(Tree::has_single_root);
        let best = class
            .filter(|tree| oracle.covers_in(Direction::Rtl, tree))
            .max_by(|a, b| scores.of_tree(a).total_cmp(&scores.of_tree(b)));
        assert_eq!(Some(&tree), best.as_ref());
        assert!(close(score, scores.of_tree(&tree)));
    }
}

#[test]
fn scores_of_whole_windows_give_what_all_runs_give() {
    for (seed, name) in (0..).zip(ASSORTED) {
        let inventory = inventory(name);
        for n in 0..=if inventory.depth() > 2 { 4 } else { 5 } {
            let scores = Windows { words: n, seed: seed * 10 + n as u64 };
            for single_root in [false, true] {
                let (mut best, mut sum, mut runs) = (f64::NEG_INFINITY, 0.0, 0);
                each_run(&inventory, &scores, |_, tree, score| {
                    if !single_root || tree.has_single_root() {
                        best = best.max(score);
                        sum += score.exp();
                        runs += 1;
                    }
                });
                let deduction = deduction_of(&inventory, single_root);
                assert_eq!(deduction.total(&scores), Ok(Count(runs)), "{name}, {n} words");
                let log = deduction.total::<Log>(&scores).unwrap().0;
                assert!(close(log, f64::ln(sum)), "{name}, {n} words: {log} instead of {}", f64::ln(sum));
                let real: Real = deduction.total(&scores).unwrap();
                assert!(close(real.0, sum), "{name}, {n} words: {} instead of {sum}", real.0);
                let found = deduction.best(&scores).unwrap();
                assert!(
                    close(found.as_ref().map_or(f64::NEG_INFINITY, |found| found.0), best),
                    "{name}, {n} words"
                );
                if let Some((score, derivation)) = found {
                    derivation.tree_in(&inventory).unwrap();
                    assert!(close(score_of_run(&inventory, &scores, derivation.transitions()), score));
                }
            }
        }
    }
}

#[test]
fn log_partition_survives_scores_beyond_the_range_of_exp() {
    let mut random = Random(6);
    let inventory = inventory("all");
    for size in [1e4, 1e200] {
        let scores = random_scores(4, &mut random, true, |random| ordinary(random) * size);
        let mut of_runs = Vec::new();
        each_run(&inventory, &scores, |_, _, score| of_runs.push(score));
        let most = of_runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let expected = most + of_runs.iter().map(|score| (score - most).exp()).sum::<f64>().ln();
        let log = deduction_of(&inventory, false).total::<Log>(&scores).unwrap().0;
        assert!(close(log, expected), "{log} instead of {expected}");
    }
}

#[test]
fn marginals_are_the_shares_of_runs_and_sum_to_one_for_each_word() {
    let mut random = Random(8);
    for name in ASSORTED {
        let inventory = inventory(name);
        for n in 1..=4 {
            for single_root in [false, true] {
                let scores = random_scores(n, &mut random, n % 2 == 0, ordinary);
                let mut weights: HashMap<(usize, usize), f64> = HashMap::new();
                let mut sum = 0.0;
                each_run(&inventory, &scores, |_, tree, score| {
                    if !single_root || tree.has_single_root() {
                        tree.arcs().for_each(|arc| *weights.entry(arc).or_default() += score.exp());
                        sum += score.exp();
                    }
                });
                let deduction = deduction_of(&inventory, single_root);
                let (log, real) = (
                    deduction.fill::<Log>(&scores).unwrap().marginals(),
                    deduction.fill::<Real>(&scores).unwrap().marginals(),
                );
                let (Some(log), Some(real)) = (log.unwrap(), real.unwrap()) else {
                    assert_eq!(sum, 0.0, "{name}");
                    continue;
                };
                for dependent in 1..=n {
                    let total: f64 = (0..=n).map(|head| log.get(head, dependent)).sum();
                    assert!(close(total, 1.0), "{name}: the heads of {dependent} have {total}");
                    for head in 0..=n {
                        let share = weights.get(&(head, dependent)).map_or(0.0, |weight| weight / sum);
                        let (log, real) = (log.get(head, dependent), real.get(head, dependent));
                        assert!(close(log, share), "{name}: {head} → {dependent} has {log}, not {share}");
                        assert!(close(real, share), "{name}: {head} → {dependent} has {real}, not {share}");
                    }
                }
            }
        }
    }
}

#[test]
fn marginals_are_the_derivatives_of_the_log_partition() {
    let mut random = Random(9);
    for (name, single_root) in [("attardi", true), ("all", false), ("all-s0s1+", true), ("attardi:3", false)]
    {
        let deduction = deduction_of(&inventory(name), single_root);
        let scores = random_scores(6, &mut random, false, ordinary);
        let marginals = deduction.fill::<Log>(&scores).unwrap().marginals().unwrap().unwrap();
        for _ in 0..8 {
            let (head, dependent) = (random.below(7), 1 + random.below(6));
            if head == dependent {
                continue;
            }
            let shifted = |step: f64| {
                let mut shifted = scores.clone();
                shifted.set(head, dependent, scores.get(head, dependent) + step).unwrap();
                deduction.total::<Log>(&shifted).unwrap().0
            };
            let slope = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
            let marginal = marginals.get(head, dependent);
            assert!((slope - marginal).abs() < 1e-6, "{name}: {head} → {dependent}: {slope}, not {marginal}");
        }
    }
}

#[test]
fn results_repeat_to_the_last_bit() {
    let mut random = Random(10);
    let scores = random_scores(7, &mut random, true, |random| random.below(3) as f64);
    let deduction = deduction_of(&inventory("all"), true);
    let again = deduction.clone();
    assert_eq!(
        deduction.total::<Log>(&scores).unwrap().0.to_bits(),
        again.total::<Log>(&scores).unwrap().0.to_bits()
    );
    assert_eq!(
        deduction.fill::<Log>(&scores).unwrap().marginals(),
        again.fill::<Log>(&scores).unwrap().marginals()
    );
    assert_eq!(deduction.proof(&scores), again.proof(&scores));
}

/// The probability of each run, from an enumeration of all of them.
fn distribution(system: &System, scores: &impl TransitionScores) -> HashMap<Vec<Transition>, f64> {
    let mut weights = HashMap::new();
    each_run_in(system, scores, |run, _, score| {
        weights.insert(run.to_vec(), score.exp());
    });
    let total: f64 = weights.values().sum();
    weights.values_mut().for_each(|weight| *weight /= total);
    weights
}

#[test]
fn entropies_are_those_of_all_runs() {
    let mut random = Random(13);
    for name in ASSORTED.into_iter().chain(FRAMED) {
        let system = System::named(name).unwrap();
        for n in 1..=4 {
            let scores = random_scores(n, &mut random, false, ordinary);
            let probabilities = distribution(&system, &scores);
            let expected: f64 = probabilities.values().map(|&p| -p * p.ln()).sum();
            let deduction = Deduction::new(&system);
            let chart = deduction.fill::<Log>(&scores).unwrap();
            if chart.total().0 == f64::NEG_INFINITY {
                continue;
            }
            let entropy = chart.entropy().unwrap();
            assert!(close(entropy, expected), "{name}: {entropy} {expected}");
            // The same distribution, whatever is added to the scores of all trees.
            let mut large = scores.clone();
            for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
                if head != word {
                    large.set(head, word, scores.get(head, word) + 1e9).unwrap();
                }
            }
            let entropy = deduction.fill::<Wide>(&large).unwrap().entropy().unwrap();
            assert!((entropy - expected).abs() < 1e-5, "{name}: {entropy} {expected}");
        }
    }
}

#[test]
fn samples_from_one_chart_have_the_probabilities_of_runs() {
    let mut random = Random(14);
    for name in ["attardi", "all-s0s1+", "attardi:3", "mh4", "mh5+"] {
        let system = System::named(name).unwrap();
        let scores = Windows { words: 3, seed: 21 };
        let probabilities = distribution(&system, &scores);
        let chart = Deduction::new(&system).fill::<Real>(&scores).unwrap();
        let mut drawn: HashMap<Vec<Transition>, usize> = HashMap::new();
        let mut draw = || random.below(1 << 30) as f64 / f64::from(1 << 30);
        for _ in 0..4000 {
            *drawn.entry(chart.sample(&mut draw).unwrap().transitions().to_vec()).or_default() += 1;
        }
        for run in drawn.keys() {
            assert!(probabilities.contains_key(run), "{name}: {run:?}");
        }
        for (run, probability) in &probabilities {
            let share = drawn.get(run).map_or(0.0, |&count| count as f64 / 4000.0);
            let deviation = (probability * (1.0 - probability) / 4000.0).sqrt();
            assert!((share - probability).abs() < 6.0 * deviation + 1e-3, "{name}: {share} {probability}");
        }
    }
}

#[test]
fn estimates_are_near_the_truth_if_nothing_is_forbidden() {
    for name in PAPER.into_iter().chain(["attardi:3", "all-s:3", "all-s0s1+", "mh3+", "mh4", "mh5+", "mh6"]) {
        let deduction = Deduction::new(&System::named(name).unwrap());
        for n in [5, 8] {
            let items = deduction.fill::<Boolean>(&ArcScores::new(n)).unwrap().items() as f64;
            let estimate = deduction.estimate(n).items;
            assert!(
                (0.5 * items..6.0 * items).contains(&estimate),
                "{name}, {n} words: {estimate}, not {items}"
            );
        }
    }
}

#[test]
fn what_is_certainly_too_large_is_refused_at_once_and_the_rest_soon() {
    let start = std::time::Instant::now();
    for (name, n) in [("attardi:3", 200), ("all", 500), ("mh6+", 200), ("mh8", 100), ("all-s:3+", 150)] {
        let deduction = Deduction::new(&System::named(name).unwrap()).limit(2_500_000);
        assert!(deduction.best(&ArcScores::new(n)).is_err(), "{name}");
        assert!(deduction.count(n).is_err(), "{name}");
    }
    assert!(start.elapsed().as_secs_f64() < 0.5, "nothing has to be derived for that");
    // With one arc forbidden nothing is certain; but steps are limited, too.
    let mut scores = ArcScores::new(200);
    scores.set(3, 7, f64::NEG_INFINITY).unwrap();
    let deduction = Deduction::new(&System::named("attardi:3").unwrap()).limit(10_000);
    assert_eq!(deduction.best(&scores), Err(TooManyItems { words: 200, limit: 10_000 }));
}

#[test]
fn what_fits_the_limit_is_never_refused_beforehand() {
    for name in ASSORTED.into_iter().chain(FRAMED) {
        let deduction = Deduction::new(&System::named(name).unwrap());
        for n in 0..=6 {
            let scores = ArcScores::new(n);
            let items = deduction.fill::<Boolean>(&scores).unwrap().items();
            let least = items.max(1000);
            assert!(deduction.clone().limit(least).total::<Boolean>(&scores).is_ok(), "{name}, {n} words");
            let windows = Windows { words: n, seed: 3 };
            let items = deduction.fill::<Boolean>(&windows).unwrap().items().max(1000);
            assert!(deduction.clone().limit(items).total::<Boolean>(&windows).is_ok(), "{name}, {n} words");
        }
    }
}

/// The parts of an item of this deduction.
type Parts<'a> = (&'a [Option<usize>], usize, &'a [Option<usize>], usize);

fn parts(item: &Item) -> Parts<'_> {
    match item {
        Item::Window { left, start, right, end } => (left, *start, right, *end),
        Item::Frame(nodes) => panic!("a frame {nodes:?}"),
    }
}

/// Checks each line of a proof against the rules as they are written in the module's documentation.
fn check(proof: &Proof, inventory: &Inventory, words: usize) {
    let degree = inventory.depth().max(1);
    for (number, step) in proof.steps().iter().enumerate() {
        let (left, start, right, end) = parts(&step.item);
        assert_eq!((left.len(), right.len()), (degree - 1, degree), "{}", step.item);
        match (step.rule, &step.premises[..]) {
            (Rule::Step(Transition::Shift), []) => {
                let pushed: Vec<Option<usize>> = left.iter().copied().chain([Some(start)]).collect();
                assert_eq!((right, end), (&pushed[..], start + 1), "{}", step.item);
            }
            (Rule::Step(Transition::Reduce { head, dependent }), &[first, second]) => {
                assert!(first < number && second < number && inventory.permits(head, dependent));
                let (first, second) = (parts(&proof.steps()[first].item), parts(&proof.steps()[second].item));
                assert_eq!(first.3, second.1);
                assert_eq!(first.2[1..], second.0[..]);
                let mut window = vec![first.2[0]];
                window.extend(second.2);
                let at = |slot: usize| window.len() - 1 - slot;
                let removed = window[at(dependent)].expect("a node is removed");
                assert_ne!(removed, 0);
                match head {
                    Address::Stack(slot) => assert!(slot != dependent && window[at(slot)].is_some()),
                    Address::Buffer(place) => assert!(second.3 + place <= words),
                }
                window.remove(at(dependent));
                assert_eq!((left, start, right, end), (first.0, first.1, &window[..], second.3));
            }
            other => panic!("{other:?}"),
        }
    }
    let (left, start, right, end) = parts(&proof.steps().last().unwrap().item);
    assert!(left.iter().chain(&right[..degree - 1]).all(Option::is_none));
    assert_eq!((start, right[degree - 1], end), (0, Some(0), words + 1));
}

#[test]
fn proofs_end_with_the_goal_and_each_step_is_a_rule_application() {
    let mut random = Random(12);
    for name in ASSORTED {
        let inventory = inventory(name);
        let deduction = deduction_of(&inventory, false);
        for n in 0..=6 {
            let scores = random_scores(n, &mut random, false, ordinary);
            let Some(proof) = deduction.proof(&scores).unwrap() else { continue };
            check(&proof, &inventory, n);
            let tree = proof.derivation().tree_in(&inventory).unwrap();
            assert!(close(scores.of_tree(&tree), proof.score()));
            let of_tree = deduction.proof_of_tree(&tree).unwrap().unwrap();
            check(&of_tree, &inventory, n);
            assert_eq!(of_tree.derivation().tree(), Ok(tree));
        }
    }
}

#[test]
fn proofs_print_as_numbered_lines() {
    let crossing = Tree::from_heads(&[3, 4, 0, 3]).unwrap();
    let deduction = deduction_of(&inventory("attardi"), true);
    let proof = deduction.proof_of_tree(&crossing).unwrap().unwrap();
    let printed = "\
1. [ε, 0, ε, 0, 1]  sh
2. [0, 1, 0, 1, 2]  sh
3. [1, 2, 1, 2, 3]  sh
4. [2, 3, 2, 3, 4]  sh
5. [1, 2, 2, 3, 4]  re(s0,s2)  from 3, 4
6. [3, 4, 3, 4, 5]  sh
7. [1, 2, 3, 4, 5]  re(s0,s2)  from 5, 6
8. [0, 1, 0, 3, 5]  re(s1,s0)  from 2, 7
9. [ε, 0, ε, 0, 5]  re(s1,s0)  from 1, 8
";
    assert_eq!(proof.to_string(), printed);
}

#[test]
fn sentences_without_words_have_one_derivation_and_no_single_root() {
    let scores = ArcScores::new(0);
    for name in ASSORTED {
        let (several, single) = (deduction_of(&inventory(name), false), deduction_of(&inventory(name), true));
        assert_eq!(several.best(&scores).unwrap().unwrap().1.to_string(), "shift");
        assert_eq!(several.fill::<Log>(&scores).unwrap().marginals().unwrap().unwrap().words(), 0);
        assert_eq!(single.best(&scores), Ok(None));
        assert_eq!(single.fill::<Log>(&scores).unwrap().marginals(), Ok(None));
        assert_eq!(single.count(0), Ok(Count(0)));
    }
}

#[test]
fn the_item_limit_is_an_error_and_is_exact_about_columns() {
    let deduction = deduction_of(&inventory("all"), false);
    let error = deduction.clone().limit(1000).count(20).unwrap_err();
    assert_eq!(error, TooManyItems { words: 20, limit: 1000 });
    assert!(error.to_string().contains("more than 1000 items"));
    // [0,0,1], [1,1,2], [2,2,3]; [1,1,3], [1,2,3], [0,0,2]; [0,0,3]: seven items for two words of
    // arc-standard.
    let small = deduction_of(&inventory("arc-standard"), false);
    assert_eq!(small.clone().limit(7).count(2), Ok(Count(3)));
    assert_eq!(small.limit(6).count(2), Err(TooManyItems { words: 2, limit: 6 }));
}

#[test]
fn long_sentences_with_few_arcs_are_quick() {
    let chain = Tree::from_heads(&(0..300).collect::<Vec<_>>()).unwrap();
    let deduction = deduction_of(&inventory("all-s0s1"), true);
    assert_eq!(deduction.recognises(&chain), Ok(true));
    assert_eq!(deduction.recognises(&chain.mirrored()), Ok(true));
}

mod real_treebanks {
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    use tanglewood::conllu::{Sentences, Validator};
    use tanglewood::deduction::Deduction;
    use tanglewood::{Oracle, System};

    #[test]
    #[ignore = "needs the UD 2.1 treebanks"]
    fn deduction_agrees_with_the_oracle_on_all_sentences_up_to_fifteen_words() {
        let root = std::env::var_os("TANGLEWOOD_TREEBANKS")
            .expect("TANGLEWOOD_TREEBANKS names the folder with treebanks");
        let entries = std::fs::read_dir(PathBuf::from(root).join("ud-2.1")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let systems: Vec<(System, Oracle, Deduction)> = System::paper()
            .into_iter()
            .map(|system| (system.clone(), Oracle::new(&system), Deduction::new(&system)))
            .collect();
        let mut time = vec![Duration::ZERO; systems.len()];
        let mut sentences = 0;
        for path in
            paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "conllu"))
        {
            let text = std::fs::read(path).unwrap();
            let mut validator = Validator::new();
            for sentence in Sentences::of(&text).filter(|sentence| !sentence.is_blank()) {
                let tree = validator.tree(&sentence).unwrap();
                if tree.len() > 15 {
                    continue;
                }
                sentences += 1;
                for ((system, oracle, deduction), time) in systems.iter().zip(&mut time) {
                    let start = Instant::now();
                    let recognised = deduction.recognises(&tree);
                    *time += start.elapsed();
                    assert_eq!(recognised, Ok(oracle.covers(&tree)), "{} {system}: {tree:?}", path.display());
                }
            }
        }
        assert!(sentences > 0);
        for ((system, ..), time) in systems.iter().zip(&time) {
            println!("{sentences} sentences of up to 15 words in {system}: {time:.1?}");
        }
    }
}
