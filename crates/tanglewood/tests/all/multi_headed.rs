use std::collections::{HashMap, HashSet};

use tanglewood::deduction::{Deduction, Item, Proof, Rule, TooManyItems};
use tanglewood::inference::{Inference, Over};
use tanglewood::scores::{ArcScores, TransitionScores};
use tanglewood::semiring::{Boolean, Count, Log, Real, Viterbi};
use tanglewood::system::Address;
use tanglewood::{System, Transition, Tree};

use crate::brute_force::{Random, all_trees, derivation_counts};
use crate::support::{
    Ask, FRAMED, Windows, close, each_run_in, ordinary, random_scores, runs_of_trees, score_of_run_in,
};

fn system(name: &str) -> System {
    System::named(name).unwrap()
}

fn deduction(name: &str, single_root: bool) -> Deduction {
    Deduction::new(&system(name)).single_root(single_root)
}

/// Counts of derivations, in total and for each tree, are counts of runs.
fn counts_are_of_runs(name: &str, n: usize) {
    let counts = runs_of_trees(&system(name), n);
    let (several, single) = (deduction(name, false), deduction(name, true));
    let mut sums = [0, 0];
    for tree in all_trees(n) {
        let heads: Vec<usize> = tree.heads().collect();
        let runs = counts.get(&heads).copied().unwrap_or(0);
        let runs_with_one_root = if tree.has_single_root() { runs } else { 0 };
        assert_eq!(
            several.total::<Count>(&ArcScores::only(&tree)),
            Ok(Count(runs.into())),
            "{name}: {tree:?}"
        );
        assert_eq!(
            single.total::<Count>(&ArcScores::only(&tree)),
            Ok(Count(runs_with_one_root.into())),
            "{name}: {tree:?}"
        );
        assert_eq!(several.recognises(&tree), Ok(runs > 0), "{name}: {tree:?}");
        assert_eq!(single.recognises(&tree), Ok(runs_with_one_root > 0), "{name}: {tree:?}");
        sums[0] += runs;
        sums[1] += runs_with_one_root;
    }
    assert_eq!(several.count(n), Ok(Count(sums[0].into())), "{name}, {n} words");
    assert_eq!(single.count(n), Ok(Count(sums[1].into())), "{name}, {n} words, one root");
}

#[test]
fn counts_equal_the_number_of_runs_up_to_five_words() {
    for name in FRAMED.into_iter().chain(["mh7", "mh8", "mh8+"]) {
        (0..=4).for_each(|n| counts_are_of_runs(name, n));
    }
    for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5"] {
        counts_are_of_runs(name, 5);
    }
}

#[test]
#[ignore = "slow: millions of runs"]
fn counts_equal_the_number_of_runs_for_large_frames_and_six_words() {
    for name in ["mh5+", "mh6", "mh6+", "mh7+", "mh8"] {
        counts_are_of_runs(name, 5);
    }
    for name in ["mh3", "mh3+", "mh4", "mh4+"] {
        counts_are_of_runs(name, 6);
    }
}

#[test]
fn frames_of_three_nodes_are_arc_hybrid() {
    for (framed, unframed) in [("mh3", "arc-hybrid"), ("mh3+", "arc-hybrid+")] {
        for n in 0..=5 {
            let runs = derivation_counts(system(unframed).inventory(), n);
            assert_eq!(runs_of_trees(&system(framed), n), runs);
        }
    }
}

/// How many trees with n words are recognised: from left to right, those of them with one root, in either
/// direction, those of them with one root.
fn census(name: &str, n: usize) -> [usize; 4] {
    let deduction = deduction(name, false);
    let covered: HashSet<Tree> =
        all_trees(n).into_iter().filter(|tree| deduction.recognises(tree).unwrap()).collect();
    let either: HashSet<Tree> = covered.iter().flat_map(|tree| [tree.clone(), tree.mirrored()]).collect();
    let single = |trees: &HashSet<Tree>| trees.iter().filter(|tree| tree.has_single_root()).count();
    [covered.len(), single(&covered), either.len(), single(&either)]
}

#[test]
fn golden_coverage_up_to_six_words() {
    let table = [
        ("mh3", [[12, 7, 12, 7], [55, 30, 55, 30], [273, 143, 273, 143], [1428, 728, 1428, 728]]),
        ("mh4", [[16, 9, 16, 9], [118, 60, 119, 60], [1019, 485, 1052, 485], [9496, 4328, 10064, 4328]]),
        ("mh5", [[16, 9, 16, 9], [125, 64, 125, 64], [1276, 613, 1280, 613], [15566, 7102, 15769, 7102]]),
        ("mh3+", [[14, 8, 16, 9], [87, 46, 116, 60], [669, 338, 1017, 503], [6098, 2992, 10228, 4932]]),
        ("mh4+", [[16, 9, 16, 9], [121, 62, 125, 64], [1154, 558, 1278, 615], [13040, 6062, 15856, 7300]]),
        ("mh5+", [[16, 9, 16, 9], [125, 64, 125, 64], [1284, 619, 1296, 625], [16167, 7468, 16747, 7740]]),
    ];
    for (name, golden) in table {
        for (n, golden) in (3..).zip(golden) {
            assert_eq!(census(name, n), golden, "{name}, {n} words");
        }
    }
}

#[test]
#[ignore = "slow: all 262,144 trees with seven words"]
fn golden_coverage_for_seven_words() {
    assert_eq!(census("mh3", 7), [7752, 3876, 7752, 3876]);
    assert_eq!(census("mh4", 7), [92242, 40834, 99886, 40834]);
    assert_eq!(census("mh5", 7)[..2], [211251, 92536]);
    assert_eq!(census("mh3+", 7), [64050, 30800, 115032, 54619]);
    assert_eq!(census("mh4+", 7), [168501, 76118, 226436, 100954]);
    assert_eq!(census("mh5+", 7), [237801, 106349, 257811, 115285]);
}

/// All that can be asked, against an enumeration of runs.
fn agrees_with_all_runs(name: &str, scores: &impl TransitionScores, single_root: bool) {
    let system = system(name);
    let mut of_runs: Vec<(Tree, f64)> = Vec::new();
    each_run_in(&system, scores, |_, tree, score| of_runs.push((tree.clone(), score)));
    of_runs.retain(|(tree, _)| !single_root || tree.has_single_root());
    let best = of_runs.iter().map(|&(_, score)| score).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = of_runs.iter().map(|&(_, score)| (score - best).exp()).sum();
    let log = if of_runs.is_empty() { f64::NEG_INFINITY } else { best + sum.ln() };

    let what = format!("{name}, {} words", scores.words());
    let deduction = Deduction::new(&system).single_root(single_root);
    assert_eq!(deduction.total(scores), Ok(Count(of_runs.len() as u128)), "{what}");
    assert_eq!(deduction.total(scores), Ok(Boolean(!of_runs.is_empty())), "{what}");
    assert!(close(deduction.total::<Log>(scores).unwrap().0, log), "{what}");
    if log.abs() < 500.0 {
        let real: Real = deduction.total(scores).unwrap();
        assert!(close(real.0.ln(), log), "{what}: {} instead of {}", real.0, log.exp());
    }
    match deduction.best(scores).unwrap() {
        None => assert!(of_runs.is_empty(), "{what}"),
        Some((score, run)) => {
            assert!(close(score, best), "{what}: {score} instead of {best}");
            assert_eq!(deduction.total(scores), Ok(Viterbi(score)), "{what}");
            assert!(close(score_of_run_in(&system, scores, run.transitions()), score), "{what}");
            let tree = run.tree_in(system.inventory()).unwrap();
            assert!(!single_root || tree.has_single_root());
        }
    }
    let Some(marginals) = deduction.fill::<Log>(scores).unwrap().marginals().unwrap() else {
        assert!(of_runs.is_empty(), "{what}");
        return;
    };
    if best.abs() > 1e6 {
        // Beside such a number, the logarithm of how many derivations have the same score is lost, and so are
        // their shares.
        return;
    }
    let mut shares: HashMap<(usize, usize), f64> = HashMap::new();
    for (tree, score) in &of_runs {
        tree.arcs().for_each(|arc| *shares.entry(arc).or_default() += (score - best).exp() / sum);
    }
    for dependent in 1..=scores.words() {
        for head in 0..=scores.words() {
            let share = shares.get(&(head, dependent)).copied().unwrap_or(0.0);
            let marginal = marginals.get(head, dependent);
            assert!(
                (marginal - share).abs() < 1e-9,
                "{what}: {head} → {dependent} has {marginal}, not {share}"
            );
        }
    }
}

#[test]
fn arc_scores_give_what_all_runs_give() {
    let mut random = Random(31);
    for name in FRAMED.into_iter().chain(["mh7+", "mh8"]) {
        for n in 0..=4 {
            for round in 0..8 {
                let scores = random_scores(n, &mut random, round % 2 == 1, |random| match round / 2 {
                    // Many ties; no rounding.
                    0 => random.below(3) as f64 - 1.0,
                    1 => ordinary(random) * 1e200,
                    2 => ordinary(random) * 1e-200,
                    _ => ordinary(random),
                });
                agrees_with_all_runs(name, &scores, round % 4 < 2);
            }
        }
    }
}

#[test]
fn scores_of_all_that_is_seen_give_what_all_runs_give() {
    let mut seed = 0;
    for name in FRAMED.into_iter().chain(["mh7", "mh8+"]) {
        for n in 0..=4 {
            for single_root in [false, true] {
                seed += 1;
                agrees_with_all_runs(name, &Windows { words: n, seed }, single_root);
            }
        }
    }
    for (name, single_root) in [("mh3+", false), ("mh4", true), ("mh4+", true), ("mh5", false)] {
        agrees_with_all_runs(name, &Windows { words: 5, seed: 77 }, single_root);
    }
}

#[test]
fn marginals_are_the_derivatives_of_the_log_partition() {
    let mut random = Random(32);
    for (name, single_root) in
        [("mh3+", true), ("mh4", false), ("mh4+", true), ("mh5+", true), ("mh6", false)]
    {
        let deduction = deduction(name, single_root);
        let scores = random_scores(7, &mut random, false, ordinary);
        let marginals = deduction.fill::<Real>(&scores).unwrap().marginals().unwrap().unwrap();
        for dependent in 1..=7 {
            let total: f64 = (0..=7).map(|head| marginals.get(head, dependent)).sum();
            assert!(close(total, 1.0), "{name}: the heads of {dependent} have {total}");
            let head = (dependent + 1 + random.below(7)) % 8;
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

/// Checks each line of a proof against the rules as they are written in the module's documentation, less the
/// conditions that make it the only one.
fn check(proof: &Proof, system: &System, words: usize) {
    let nodes = |step: usize| match &proof.steps()[step].item {
        Item::Frame(nodes) => nodes.clone(),
        other => panic!("{other}"),
    };
    for (number, step) in proof.steps().iter().enumerate() {
        let here = nodes(number);
        assert!(here.is_sorted() && here.len() <= system.frame().unwrap(), "{}", step.item);
        assert!(step.premises.iter().all(|&premise| premise < number));
        match (step.rule, &step.premises[..]) {
            (Rule::Step(Transition::Shift), []) => assert_eq!(here, [here[0], here[0] + 1]),
            (Rule::Combine, &[first, second]) => {
                let (first, second) = (nodes(first), nodes(second));
                assert_eq!(first.last(), second.first());
                assert_eq!(here, [&first[..], &second[1..]].concat());
            }
            (Rule::Step(Transition::Reduce { head, dependent }), &[frame]) => {
                let mut frame = nodes(frame);
                let (front, top) = (frame[frame.len() - 1], frame.len() - 2);
                assert!(system.inventory().permits(head, dependent) && dependent < top);
                match head {
                    Address::Stack(slot) => assert!(slot != dependent && slot <= top),
                    Address::Buffer(place) => assert!(front + place <= words),
                }
                frame.remove(top - dependent);
                assert_eq!(here, frame);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(nodes(proof.steps().len() - 1), [0, words + 1]);
}

#[test]
fn proofs_end_with_the_goal_and_each_step_is_a_rule_application() {
    let mut random = Random(33);
    for name in FRAMED.into_iter().chain(["mh8", "mh8+"]) {
        let system = system(name);
        let deduction = Deduction::new(&system);
        for n in 0..=7 {
            let scores = random_scores(n, &mut random, false, ordinary);
            let proof = deduction.proof(&scores).unwrap().unwrap();
            check(&proof, &system, n);
            let tree = proof.derivation().tree_in(system.inventory()).unwrap();
            assert!(close(scores.of_tree(&tree), proof.score()));
            let of_tree = deduction.proof_of_tree(&tree).unwrap().unwrap();
            check(&of_tree, &system, n);
            assert_eq!(of_tree.derivation().tree(), Ok(tree));
        }
    }
}

#[test]
fn inference_gives_what_the_deduction_gives() {
    let mut random = Random(35);
    for name in FRAMED {
        let system = system(name);
        for (n, single_root) in [(1, true), (2, false), (5, true), (6, false), (7, true)] {
            let scores = random_scores(n, &mut random, n == 6, ordinary);
            let deduction = Deduction::new(&system).single_root(single_root);
            let inference = Inference::new(&system).single_root(single_root);
            let Some((best, _)) = deduction.best(&scores).unwrap() else {
                assert!(inference.best(&scores).is_err());
                continue;
            };
            let parse = inference.best(&scores).unwrap();
            assert!(close(parse.score, best), "{name}: {} instead of {best}", parse.score);
            assert_eq!(parse.derivation.as_ref().unwrap().tree_in_system(&system).as_ref(), Ok(&parse.tree));
            if inference.sums_over() == Over::Trees {
                continue;
            }
            let log = deduction.total::<Log>(&scores).unwrap().0;
            assert!(close(inference.log_partition(&scores).unwrap(), log), "{name}");
            let expected = deduction.fill::<Log>(&scores).unwrap().marginals().unwrap().unwrap();
            let marginals = inference.marginals(&scores).unwrap();
            for (head, dependent) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
                let difference = marginals[head][dependent] - expected.get(head, dependent);
                assert!(difference.abs() < 1e-9, "{name}: {head} → {dependent}");
            }
            for tree in inference.samples(&scores, 5, 1).unwrap() {
                assert!(deduction.recognises(&tree).unwrap());
            }
        }
    }
}

#[test]
fn results_repeat_to_the_last_bit() {
    let scores = random_scores(8, &mut Random(34), true, |random| random.below(3) as f64);
    let (once, again) = (deduction("mh5+", true), deduction("mh5+", true));
    let log = |deduction: &Deduction| deduction.total::<Log>(&scores).unwrap().0.to_bits();
    assert_eq!(log(&once), log(&again));
    assert_eq!(
        once.fill::<Log>(&scores).unwrap().marginals(),
        again.fill::<Log>(&scores).unwrap().marginals()
    );
    assert_eq!(once.proof(&scores), again.proof(&scores));
}

#[test]
fn sentences_without_words_have_one_derivation_and_no_single_root() {
    let scores = ArcScores::new(0);
    for name in FRAMED {
        assert_eq!(deduction(name, false).best(&scores).unwrap().unwrap().1.to_string(), "shift");
        assert_eq!(
            deduction(name, false).fill::<Log>(&scores).unwrap().marginals().unwrap().unwrap().words(),
            0
        );
        assert_eq!(deduction(name, true).best(&scores), Ok(None));
        assert_eq!(deduction(name, true).fill::<Log>(&scores).unwrap().marginals(), Ok(None));
        assert_eq!(deduction(name, true).count(0), Ok(Count(0)));
    }
}

#[test]
fn the_item_limit_is_an_error() {
    let error = deduction("mh5", false).limit(1000).count(20).unwrap_err();
    assert_eq!(error, TooManyItems { words: 20, limit: 1000 });
    // Blocks [0,1], [1,2], [2,3], [0,2], [1,3], [0,3], and the chain that each of them is: twelve items for
    // two words.
    assert_eq!(deduction("mh3", false).limit(12).count(2), Ok(Count(3)));
    assert_eq!(deduction("mh3", false).limit(11).count(2), Err(TooManyItems { words: 2, limit: 11 }));
}

mod real_treebanks {
    use tanglewood::deduction::Deduction;
    use tanglewood::{Direction, Oracle, System};

    use crate::real_treebanks::each_tree;

    #[test]
    #[ignore = "needs the UD 2.1 treebanks"]
    fn deduction_agrees_with_the_oracle_in_frames_on_all_sentences_up_to_fifteen_words() {
        let names = ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+"];
        let systems: Vec<_> = names
            .map(|name| System::named(name).unwrap())
            .map(|system| (Oracle::new(&system), Deduction::new(&system), system))
            .into();
        let mut compared = 0;
        each_tree("ud-2.1", |name, tree| {
            if tree.len() > 15 {
                return;
            }
            compared += 1;
            for (oracle, deduction, system) in &systems {
                for direction in [Direction::Ltr, Direction::Rtl] {
                    let covered = oracle.covers_in(direction, &tree);
                    assert_eq!(
                        deduction.recognises_in(direction, &tree),
                        Ok(covered),
                        "{name} {system}: {tree:?}"
                    );
                }
            }
        });
        assert!(compared > 30_000);
    }

    #[test]
    #[ignore = "needs the UD 2.1 treebanks"]
    fn frames_of_four_nodes_with_lookahead_cover_almost_everything_in_either_direction() {
        let oracle = Oracle::new(&System::named("mh4+").unwrap());
        let (mut crossing, mut covered) = (0, 0);
        each_tree("ud-2.1", |_, tree| {
            if !tanglewood::classes::is_projective(&tree) {
                crossing += 1;
                covered += usize::from(oracle.covers_in(Direction::Either, &tree));
            }
        });
        assert_eq!((crossing, covered), (7140, 7123));
    }
}
