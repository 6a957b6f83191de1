use tanglewood::deduction::Deduction;
use tanglewood::scores::{ArcScores, TransitionScores};
use tanglewood::search::{BestNext, Guide, Stuck, beam, follow, greedy};
use tanglewood::transition::Frames;
use tanglewood::{Configuration, Derivation, Oracle, System, Transition, Tree};

use crate::brute_force::{Random, all_trees, subset_of_r};
use crate::support::{Windows, ordinary, random_scores, score_of_run_in};

fn system(name: &str) -> System {
    System::named(name).unwrap()
}

/// A derivation of the system with the score it is said to have, and one root if asked for.
fn check(
    system: &System,
    scores: &impl TransitionScores,
    single_root: bool,
    (score, derivation): &(f64, Derivation),
) {
    let tree = derivation.tree_in_system(system).unwrap();
    assert!(!single_root || tree.has_single_root(), "{system}: {tree:?}");
    assert_eq!(derivation.transitions().len(), 2 * scores.words() + 1);
    let expected = score_of_run_in(system, scores, derivation.transitions());
    assert_eq!(expected, *score, "{system}");
}

/// All named systems, some of the 512 subsets of R, and what lies beyond.
fn assorted() -> Vec<System> {
    let others = ["attardi:3", "all:3+", "mh6", "mh7+", "b1>s0 s1>s0 s0>s1", "ahead>s1 s1>s0", "s0>s1 b0>s0"]
        .map(system);
    let subsets = (1..512).step_by(17).filter_map(subset_of_r).map(System::from);
    System::all().into_iter().chain(others).chain(subsets).collect()
}

#[test]
fn beam_without_bound_is_exact() {
    let mut random = Random(21);
    for system in assorted() {
        for n in 0..=4 {
            for single_root in [false, true] {
                let arcs = random_scores(n, &mut random, n % 2 == 0, ordinary);
                let windows = Windows { words: n, seed: random.below(1000) as u64 };
                let deduction = Deduction::new(&system).single_root(single_root);
                let pairs = [
                    (beam(&system, &arcs, usize::MAX, single_root), deduction.best(&arcs)),
                    (beam(&system, &windows, usize::MAX, single_root), deduction.best(&windows)),
                ];
                for (all_runs, best) in pairs {
                    let score = |found: &Option<(f64, Derivation)>| found.as_ref().map(|found| found.0);
                    match (score(&all_runs), score(&best.unwrap())) {
                        (Some(left), Some(right)) => {
                            assert!((left - right).abs() < 1e-9, "{system}, {n} words")
                        }
                        (left, right) => assert_eq!(left, right, "{system}, {n} words"),
                    }
                }
            }
        }
    }
}

#[test]
fn no_search_is_better_than_exact_and_wider_beams_are_better_on_average() {
    let mut random = Random(22);
    let widths = [1, 4, 16, 64];
    let mut sums = [0.0; 4];
    for name in ["arc-standard", "attardi", "all", "all-s0s1", "all-s0s1+", "mh4", "mh4+", "mh5+"] {
        let system = system(name);
        for round in 0..20 {
            let single_root = round % 2 == 0;
            let scores = random_scores(7, &mut random, false, ordinary);
            let (best, _) = Deduction::new(&system).single_root(single_root).best(&scores).unwrap().unwrap();
            let greedy = greedy(&system, &scores, single_root).unwrap();
            check(&system, &scores, single_root, &greedy);
            assert!(greedy.0 <= best + 1e-9);
            for (width, sum) in widths.into_iter().zip(&mut sums) {
                let found = beam(&system, &scores, width, single_root).unwrap();
                check(&system, &scores, single_root, &found);
                assert!(found.0 <= best + 1e-9);
                *sum += found.0;
            }
        }
    }
    assert!(sums.is_sorted(), "{sums:?}");
}

#[test]
fn greedy_is_a_beam_of_one() {
    let mut random = Random(23);
    for system in assorted() {
        for n in 0..=12 {
            // Whole numbers, so that adding the score of the past changes no comparison.
            let scores = random_scores(n, &mut random, true, |random| random.below(4) as f64);
            for single_root in [false, true] {
                let (greedy, beam) =
                    (greedy(&system, &scores, single_root), beam(&system, &scores, 1, single_root));
                assert_eq!(greedy, beam, "{system}");
            }
        }
    }
}

#[test]
fn greedy_ends_in_a_tree_for_every_inventory_that_builds_any() {
    let mut random = Random(24);
    for system in (1..512).filter_map(subset_of_r).map(System::from).chain(assorted()) {
        let builds_trees = system.inventory().contains("s1>s0".parse().unwrap());
        for n in 1..=10 {
            for single_root in [false, true] {
                let arcs = random_scores(n, &mut random, false, ordinary);
                let found = greedy(&system, &arcs, single_root);
                assert_eq!(found.is_some(), builds_trees, "{system}");
                found.iter().for_each(|found| check(&system, &arcs, single_root, found));
                let found = beam(&system, &arcs, 3, single_root);
                assert_eq!(found.is_some(), builds_trees, "{system}");
                found.iter().for_each(|found| check(&system, &arcs, single_root, found));
            }
        }
    }
}

#[test]
fn dead_ends_give_nothing_rather_than_something_broken() {
    let system = system("arc-standard");
    // Both words want each other, and nothing else is allowed: there is no tree.
    let mut scores = ArcScores::new(2);
    scores.require(2, 1);
    scores.require(1, 2);
    assert_eq!(greedy(&system, &scores, false), None);
    assert_eq!(beam(&system, &scores, 100, false), None);
    // A tree exists, but the best first step leads away from it.
    let mut scores = ArcScores::only(&Tree::from_heads(&[0, 1, 2]).unwrap());
    scores.set(1, 2, 1.0).unwrap();
    let mut impatient = BestNext::new(&system, &scores, true);
    let Stuck { configuration, reason } = follow(&mut impatient, 3).unwrap_err();
    assert_eq!((configuration.stack().collect::<Vec<_>>(), reason), (vec![0, 1, 3], None));
    assert_eq!(greedy(&system, &scores, true), None);
    assert_eq!(beam(&system, &scores, 8, true).unwrap().0, 1.0);
    assert_eq!(beam(&system, &scores, 0, true), None);
}

#[test]
fn sentences_without_words_have_no_single_root() {
    let system = system("all");
    let scores = ArcScores::new(0);
    assert_eq!(greedy(&system, &scores, false).unwrap().1.to_string(), "shift");
    assert_eq!(beam(&system, &scores, 2, false).unwrap().1.to_string(), "shift");
    assert_eq!(greedy(&system, &scores, true), None);
    assert_eq!(beam(&system, &scores, 2, true), None);
}

#[test]
fn ties_go_to_shift_and_then_to_the_first_reduce() {
    let scores = ArcScores::new(3);
    let system = system("all");
    let expected = "shift shift shift shift s1>s0 s1>s0 s1>s0";
    assert_eq!(greedy(&system, &scores, false).unwrap().1.to_string(), expected);
    assert_eq!(beam(&system, &scores, 5, true).unwrap().1.to_string(), expected);
}

#[test]
fn a_run_guided_by_the_oracle_rebuilds_every_covered_tree() {
    for system in assorted() {
        let oracle = Oracle::new(&system);
        for tree in all_trees(4) {
            if let Ok(derivation) = oracle.derivation(&tree) {
                let run = follow(&derivation, tree.len()).unwrap();
                assert_eq!(run.tree_in_system(&system), Ok(tree));
            }
        }
    }
}

/// The eager rule, written down as a guide: remove a finished word if its head is in sight, else shift.
struct Teacher<'a> {
    system: &'a System,
    tree: &'a Tree,
}

impl Guide for Teacher<'_> {
    fn next(&mut self, configuration: &Configuration) -> Option<Transition> {
        let complete = |node: usize| {
            self.tree.arcs().filter(|arc| arc.0 == node).all(|(_, word)| configuration.head(word).is_some())
        };
        let wanted = |&transition: &Transition| match transition {
            Transition::Shift => false,
            Transition::Reduce { head, dependent } => configuration
                .arc(head, dependent)
                .is_ok_and(|(head, dependent)| self.tree.head(dependent) == head && complete(dependent)),
        };
        let permitted = configuration.permitted(self.system.inventory());
        permitted
            .iter()
            .copied()
            .find(wanted)
            .or(permitted.contains(&Transition::Shift).then_some(Transition::Shift))
    }
}

#[test]
fn any_guide_will_do() {
    // Where frames are bounded, being eager is not exact.
    for system in System::all().iter().filter(|system| system.frame().is_none()) {
        let oracle = Oracle::new(system);
        for tree in all_trees(5) {
            let run = follow(Teacher { system, tree: &tree }, 5);
            match run {
                Ok(run) => assert_eq!(run.tree_in_system(system), Ok(tree)),
                Err(stuck) => {
                    assert!(!oracle.covers(&tree), "{system}: {tree:?}");
                    assert!(stuck.to_string().ends_with("the guide gave up"));
                }
            }
        }
    }
}

#[test]
fn a_bound_on_frames_shuts_runs_out() {
    let (framed, unframed) = (system("mh4"), system("all-s0s1"));
    let only_unframed =
        |tree: &Tree| Oracle::new(&unframed).covers(tree) && !Oracle::new(&framed).covers(tree);
    let tree = all_trees(4).into_iter().find(only_unframed).unwrap();
    let scores = ArcScores::only(&tree);
    assert_eq!(beam(&unframed, &scores, usize::MAX, false).unwrap().1.tree(), Ok(tree));
    assert_eq!(beam(&framed, &scores, usize::MAX, false), None);
    assert_eq!(greedy(&framed, &scores, false), None);
}

#[test]
fn a_guide_can_be_used_again() {
    let scores = random_scores(9, &mut Random(26), false, ordinary);
    let system = system("mh4+");
    let mut guide = BestNext::new(&system, &scores, true);
    let (first, second) = (follow(&mut guide, 9).unwrap(), follow(&mut guide, 9).unwrap());
    assert_eq!(first, second);
    let mut frames = Frames::new(4);
    for &transition in first.transitions() {
        assert!(frames.permit(transition));
        frames.apply(transition);
    }
}

#[test]
fn a_guide_that_asks_for_the_impossible_is_stopped() {
    let nonsense: Derivation = "shift s1>s0".parse().unwrap();
    let stuck = follow(&nonsense, 3).unwrap_err();
    let text = "the run is stuck with 1 nodes on the stack and 3 in the buffer: reduce with s1, but there is no node there";
    assert_eq!(stuck.to_string(), text);
}

#[test]
fn beams_get_through_long_sentences() {
    let scores = random_scores(1000, &mut Random(25), false, |random| random.below(100) as f64);
    for name in ["arc-standard", "all", "arc-hybrid+", "mh4+"] {
        let system = system(name);
        check(&system, &scores, true, &beam(&system, &scores, 8, true).unwrap());
    }
}
