use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use tanglewood::system::{Direction, Inventory};
use tanglewood::transition::Frames;
use tanglewood::{Configuration, Derivation, Oracle, System, Transition, Tree};

use crate::brute_force::{Random, all_trees, derivation_counts, some_run_builds, subset_of_r};
use crate::support::{deduction_of, runs_of_trees};

fn inventory(name: &str) -> Inventory {
    System::named(name).unwrap().inventory().clone()
}

/// The oracle says yes to exactly the trees that some complete run builds, and its derivations build them.
fn agrees_with_all_runs(inventory: &Inventory, n: usize) {
    let oracle = Oracle::for_inventory(inventory);
    let built: HashMap<Vec<usize>, u64> = derivation_counts(inventory, n);
    for tree in all_trees(n) {
        let heads: Vec<usize> = tree.heads().collect();
        let covered = built.contains_key(&heads);
        assert_eq!(oracle.covers(&tree), covered, "{inventory}: {tree:?}");
        match oracle.derivation(&tree) {
            Ok(derivation) => {
                assert!(covered);
                assert_eq!(derivation.tree_in(inventory).as_ref(), Ok(&tree), "{inventory}: {derivation}");
                assert_eq!(derivation.to_string().parse(), Ok(derivation));
            }
            Err(stuck) => {
                assert!(!covered);
                assert!(!stuck.stuck.is_terminal());
            }
        }
    }
}

#[test]
fn oracle_agrees_with_exhaustive_search_for_all_512_subsets_up_to_five_words() {
    for inventory in (1..512).filter_map(subset_of_r) {
        (1..=5).for_each(|n| agrees_with_all_runs(&inventory, n));
    }
}

#[test]
fn oracle_agrees_with_exhaustive_search_for_deeper_and_lookahead_systems() {
    let names = [
        "attardi:3",
        "all-deg1:3",
        "all:3",
        "all-s:3",
        "arc-hybrid+",
        "all-deg1+",
        "all+",
        "all-s0s1+",
        "all:3+",
        // Not removal-closed, so searched.
        "ahead>s1 s1>s0",
        "b1>s0 s1>s0 s0>s1",
        "s3>s0 s1>s0 s0>s1",
        "ahead>s0 s2>s0",
        "b1>s1 b0>s0 s1>s0",
    ];
    for name in names {
        (1..=5).for_each(|n| agrees_with_all_runs(&inventory(name), n));
    }
}

#[test]
fn oracle_agrees_with_exhaustive_search_on_random_longer_trees() {
    let mut random = Random(7);
    let searched = ["s0>s2 s2>s0 s1>s0 b0>s1", "s1>s0 s0>s2 b0>s1 b0>s2"];
    let named: Vec<String> = System::all().iter().map(|system| system.name().to_owned()).collect();
    for name in named.iter().map(String::as_str).chain(["attardi:3", "all:3", "all-s:3+"]).chain(searched) {
        let inventory = inventory(name);
        let oracle = Oracle::for_inventory(&inventory);
        let (mut yes, mut no) = (0, 0);
        for round in 0..120 {
            let n = 6 + random.below(5);
            // Every other tree comes from a random run of the system, so that both answers occur.
            let tree = if round % 2 == 0 { random.tree(n) } else { random_run(&inventory, n, &mut random) };
            let expected = some_run_builds(&inventory, &tree);
            assert_eq!(oracle.covers(&tree), expected, "{name}: {tree:?}");
            *if expected { &mut yes } else { &mut no } += 1;
        }
        assert!(yes > 0 && no > 0, "{name}: {yes} covered, {no} not");
    }
}

/// The tree of a random complete run, or any tree if the run got stuck.
fn random_run(inventory: &Inventory, n: usize, random: &mut Random) -> Tree {
    for _ in 0..50 {
        let mut configuration = Configuration::start(n);
        loop {
            let permitted = configuration.permitted(inventory);
            match permitted.len() {
                0 => break,
                choices => configuration.apply(permitted[random.below(choices)]).unwrap(),
            }
        }
        if let Some(tree) = configuration.tree() {
            return tree;
        }
    }
    random.tree(n)
}

/// The oracle of a system with bounded frames says yes to exactly the trees that some run within frames
/// builds.
fn agrees_with_all_runs_in_frames(name: &str, n: usize) {
    let system = System::named(name).unwrap();
    let oracle = Oracle::new(&system);
    let built = runs_of_trees(&system, n);
    for tree in all_trees(n) {
        let covered = built.contains_key(&tree.heads().collect::<Vec<_>>());
        assert_eq!(oracle.covers(&tree), covered, "{name}: {tree:?}");
        match oracle.derivation(&tree) {
            Ok(derivation) => {
                assert!(covered);
                assert_eq!(derivation.tree_in_system(&system), Ok(tree), "{name}: {derivation}");
            }
            Err(attempt) => {
                assert!(!covered);
                assert!(!attempt.stuck.is_terminal() && attempt.stuck.buffer().is_empty());
                let mut frames = Frames::new(system.frame().unwrap());
                for transition in attempt.transitions {
                    assert!(frames.permit(transition));
                    frames.apply(transition);
                }
            }
        }
    }
}

#[test]
fn oracle_agrees_with_exhaustive_search_in_frames_up_to_five_words() {
    for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+", "mh6", "mh6+"] {
        (0..=4).for_each(|n| agrees_with_all_runs_in_frames(name, n));
    }
    for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5"] {
        agrees_with_all_runs_in_frames(name, 5);
    }
}

#[test]
#[ignore = "slow: millions of runs"]
fn oracle_agrees_with_exhaustive_search_in_larger_frames() {
    for name in ["mh5+", "mh6", "mh6+", "mh7", "mh8+"] {
        agrees_with_all_runs_in_frames(name, 5);
    }
    for name in ["mh4", "mh4+"] {
        agrees_with_all_runs_in_frames(name, 6);
    }
}

#[test]
fn long_trees_of_runs_in_frames_are_covered() {
    let mut random = Random(41);
    for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+", "mh6", "mh8+"] {
        let system = System::named(name).unwrap();
        let oracle = Oracle::new(&system);
        for n in [10, 20, 40, 80] {
            let tree = random_run_in_frames(&system, n, &mut random);
            assert!(oracle.covers(&tree), "{name}: {tree:?}");
            assert_eq!(oracle.derivation(&tree).unwrap().tree_in_system(&system), Ok(tree));
        }
    }
}

/// The tree of a random run.
fn random_run_in_frames(system: &System, n: usize, random: &mut Random) -> Tree {
    let mut configuration = Configuration::start(n);
    let mut frames = Frames::new(system.frame().unwrap());
    loop {
        let mut permitted = configuration.permitted(system.inventory());
        permitted.retain(|&transition| frames.permit(transition));
        match permitted.len() {
            0 => return configuration.tree().expect("the top can always be removed by the node below it"),
            choices => {
                let transition = permitted[random.below(choices)];
                configuration.apply(transition).unwrap();
                frames.apply(transition);
            }
        }
    }
}

/// How many trees with n words each system covers.
fn census(names: &[&str], n: usize, direction: Direction, single_root: bool) -> Vec<usize> {
    let trees: Vec<Tree> =
        all_trees(n).into_iter().filter(|tree| !single_root || tree.has_single_root()).collect();
    let count = |name: &&str| {
        let oracle = Oracle::new(&System::named(name).unwrap());
        trees.iter().filter(|tree| oracle.covers_in(direction, tree)).count()
    };
    names.iter().map(count).collect()
}

const PAPER: [&str; 6] = ["arc-standard", "attardi", "attardi:3", "all-deg1", "all", "all-s0s1"];
const LOOKAHEAD: [&str; 4] = ["arc-hybrid+", "all-s0s1+", "all+", "all-deg1+"];

#[test]
fn golden_coverage_of_the_papers_systems_up_to_six_words() {
    use Direction::Ltr;
    assert_eq!(census(&PAPER, 3, Ltr, false), [12, 16, 16, 16, 16, 16]);
    assert_eq!(census(&PAPER, 4, Ltr, false), [55, 117, 123, 119, 122, 119]);
    assert_eq!(census(&PAPER, 5, Ltr, false), [273, 1011, 1218, 1067, 1177, 1069]);
    assert_eq!(census(&PAPER, 6, Ltr, false), [1428, 9597, 14360, 10673, 13263, 10733]);
    assert_eq!(census(&PAPER, 5, Ltr, true), [143, 475, 563, 501, 559, 500]);
    assert_eq!(census(&PAPER, 6, Ltr, true), [728, 4308, 6176, 4786, 6018, 4766]);
}

#[test]
fn golden_coverage_with_lookahead_heads_up_to_six_words() {
    use Direction::{Either, Ltr};
    let table = [
        (3, Ltr, [14, 16, 16, 16], [8, 9, 9, 9]),
        (4, Ltr, [87, 122, 122, 122], [46, 62, 62, 62]),
        (5, Ltr, [669, 1187, 1187, 1184], [338, 563, 563, 561]),
        (6, Ltr, [6098, 13833, 13833, 13700], [2992, 6243, 6243, 6168]),
        (5, Either, [1017, 1286, 1286, 1282], [503, 617, 617, 613]),
        (6, Either, [10228, 16223, 16223, 16053], [4932, 7392, 7392, 7260]),
    ];
    for (n, direction, several_roots, single_root) in table {
        assert_eq!(census(&LOOKAHEAD, n, direction, false), several_roots, "{n} {direction}");
        assert_eq!(census(&LOOKAHEAD, n, direction, true), single_root, "{n} {direction}, single root");
    }
}

const FRAMES: [&str; 6] = ["mh3", "mh4", "mh5", "mh3+", "mh4+", "mh5+"];

#[test]
fn golden_coverage_in_frames_up_to_six_words() {
    use Direction::{Either, Ltr};
    let table = [
        (3, Ltr, [12, 16, 16, 14, 16, 16], [7, 9, 9, 8, 9, 9]),
        (4, Ltr, [55, 118, 125, 87, 121, 125], [30, 60, 64, 46, 62, 64]),
        (5, Ltr, [273, 1019, 1276, 669, 1154, 1284], [143, 485, 613, 338, 558, 619]),
        (6, Ltr, [1428, 9496, 15566, 6098, 13040, 16167], [728, 4328, 7102, 2992, 6062, 7468]),
        (4, Either, [55, 119, 125, 116, 125, 125], [30, 60, 64, 60, 64, 64]),
        (5, Either, [273, 1052, 1280, 1017, 1278, 1296], [143, 485, 613, 503, 615, 625]),
        (6, Either, [1428, 10064, 15769, 10228, 15856, 16747], [728, 4328, 7102, 4932, 7300, 7740]),
    ];
    for (n, direction, several_roots, single_root) in table {
        assert_eq!(census(&FRAMES, n, direction, false), several_roots, "{n} {direction}");
        assert_eq!(census(&FRAMES, n, direction, true), single_root, "{n} {direction}, single root");
    }
}

#[test]
#[ignore = "slow: all 262,144 trees with seven words"]
fn golden_coverage_in_frames_for_seven_words() {
    use Direction::{Either, Ltr};
    assert_eq!(census(&FRAMES, 7, Ltr, false), [7752, 92242, 211251, 64050, 168501, 237801]);
    assert_eq!(census(&FRAMES, 7, Ltr, true), [3876, 40834, 92536, 30800, 76118, 106349]);
    assert_eq!(census(&["mh4", "mh3+", "mh4+", "mh5+"], 7, Either, false), [99886, 115032, 226436, 257811]);
    assert_eq!(census(&["mh4", "mh3+", "mh4+", "mh5+"], 7, Either, true), [40834, 54619, 100954, 115285]);
}

/// Strict inclusions, a small class and a larger one; see `docs/past-the-paper.md`.
const INCLUSIONS: [(&str, &str); 21] = [
    ("mh3", "mh4"),
    ("mh4", "all-s0s1"),
    ("all-s0s1", "all"),
    ("mh3", "mh3+"),
    ("mh4", "mh4+"),
    ("mh5", "mh5+"),
    ("mh6", "mh6+"),
    ("mh4", "mh5"),
    ("mh5", "mh6"),
    ("mh3+", "mh4+"),
    ("mh4+", "mh5+"),
    ("mh5+", "mh6+"),
    ("mh4", "all-s:2"),
    ("mh5", "all-s:3"),
    ("mh6", "all-s:4"),
    ("mh4+", "all-s:2+"),
    ("mh5+", "all-s:3+"),
    ("mh6+", "all-s:4+"),
    ("all-s0s1", "all-s0s1+"),
    ("all", "all+"),
    ("attardi", "all-deg1"),
];
const EQUAL: [(&str, &str); 3] = [("arc-standard", "mh3"), ("all-s0s1+", "all+"), ("all-s0s1", "all-s:2")];
const INCOMPARABLE: [(&str, &str); 5] =
    [("attardi", "mh4"), ("mh4+", "all"), ("mh4+", "mh5"), ("mh5", "all"), ("all-deg1", "all-s0s1")];

/// Checks all of the above on all trees of up to n words.
fn classes_compare_as_documented(n: usize) {
    let trees: Vec<Tree> = (1..=n).flat_map(all_trees).collect();
    let pairs = INCLUSIONS.iter().chain(&EQUAL).chain(&INCOMPARABLE);
    let names: HashSet<&str> = pairs.flat_map(|&(left, right)| [left, right]).collect();
    let covered = |name: &str| -> Vec<bool> {
        let oracle = Oracle::new(&System::named(name).unwrap());
        trees.iter().map(|tree| oracle.covers(tree)).collect()
    };
    let classes: HashMap<&str, Vec<bool>> = names.into_iter().map(|name| (name, covered(name))).collect();
    let includes = |large: &str, small: &str| {
        classes[large].iter().zip(&classes[small]).all(|(&large, &small)| large || !small)
    };
    for (small, large) in INCLUSIONS {
        assert!(includes(large, small), "{small} in {large}");
        assert!(!includes(small, large), "{large} has a tree of up to {n} words that {small} has not");
    }
    for (left, right) in EQUAL {
        assert!(classes[left] == classes[right], "{left} and {right}");
    }
    for (left, right) in INCOMPARABLE {
        assert!(!includes(left, right) && !includes(right, left), "{left} and {right}");
    }
}

#[test]
fn strict_inclusions_equalities_and_incomparable_classes_up_to_six_words() {
    classes_compare_as_documented(6);
}

#[test]
#[ignore = "slow: all 262,144 trees with seven words"]
fn strict_inclusions_equalities_and_incomparable_classes_up_to_seven_words() {
    classes_compare_as_documented(7);
}

#[test]
#[ignore = "slow: all 262,144 trees with seven words"]
fn golden_coverage_for_seven_words() {
    use Direction::{Either, Ltr};
    assert_eq!(census(&PAPER, 7, Ltr, false), [7752, 96597, 190179, 114386, 165770, 115575]);
    assert_eq!(census(&PAPER, 7, Ltr, true), [3876, 42073, 77149, 49740, 72976, 49467]);
    assert_eq!(census(&LOOKAHEAD, 7, Ltr, false), [64050, 185927, 185927, 181842]);
    assert_eq!(census(&LOOKAHEAD, 7, Ltr, true), [30800, 80852, 80852, 78779]);
    assert_eq!(census(&LOOKAHEAD, 7, Either, false), [115032, 238376, 238376, 233010]);
    assert_eq!(census(&LOOKAHEAD, 7, Either, true), [54619, 104131, 104131, 100745]);
}

/// Complete transition sequences over all trees.
fn sequences(n: usize) -> [u64; 5] {
    ["arc-standard", "attardi", "all-deg1", "all", "all-s0s1"]
        .map(|name| derivation_counts(&inventory(name), n).values().sum())
}

#[test]
fn golden_numbers_of_transition_sequences_up_to_five_words() {
    assert_eq!(sequences(3), [13, 28, 66, 72, 64]);
    assert_eq!(sequences(4), [67, 256, 984, 1260, 888]);
    assert_eq!(sequences(5), [381, 2704, 17370, 27144, 14176]);
}

#[test]
fn golden_numbers_of_transition_sequences_for_six_words() {
    assert_eq!(sequences(6), [2307, 31168, 339588, 660708, 246336]);
}

#[test]
fn covered_trees_differ_between_all_deg1_and_all_s0s1_both_ways() {
    let (deg1, s0s1) =
        (Oracle::for_inventory(&inventory("all-deg1")), Oracle::for_inventory(&inventory("all-s0s1")));
    let trees = all_trees(5);
    assert!(trees.iter().any(|tree| deg1.covers(tree) && !s0s1.covers(tree)));
    assert!(trees.iter().any(|tree| !deg1.covers(tree) && s0s1.covers(tree)));
}

#[test]
fn right_to_left_is_left_to_right_on_the_mirror_image() {
    let oracle = Oracle::for_inventory(&inventory("attardi"));
    for tree in all_trees(5) {
        let (ltr, rtl) = (oracle.covers(&tree), oracle.covers(&tree.mirrored()));
        assert_eq!(oracle.covers_in(Direction::Ltr, &tree), ltr);
        assert_eq!(oracle.covers_in(Direction::Rtl, &tree), rtl);
        assert_eq!(oracle.covers_in(Direction::Either, &tree), ltr || rtl);
    }
}

#[test]
fn a_sentence_of_a_hundred_thousand_words_is_answered() {
    let n = 100_000;
    let chain = Tree::from_heads(&(0..n).collect::<Vec<_>>()).unwrap();
    let left = Tree::from_heads(&(2..=n).chain([0]).collect::<Vec<_>>()).unwrap();
    for system in System::all() {
        let oracle = Oracle::new(&system);
        assert!(oracle.covers(&chain) && oracle.covers(&left), "{system}");
    }
}

#[test]
fn inventories_that_are_not_removal_closed_are_decided_for_long_sentences() {
    // Not covered, and with so many configurations that a search alone would take for ever.
    let inventory = inventory("s0>s1 s1>s0 s2>s1 s2>s0 b0>s1");
    assert!(!inventory.is_removal_closed());
    let oracle = Oracle::for_inventory(&inventory);
    let mut random = Random(21);
    for n in [20, 30, 40] {
        let tangled = random.tree(n);
        let flat: Vec<usize> = (1..=n).map(|word| if word == n / 2 { 0 } else { n / 2 }).collect();
        assert!(oracle.covers(&Tree::from_heads(&flat).unwrap()));
        let by_deduction = deduction_of(&inventory, false).recognises(&tangled).unwrap();
        assert_eq!(oracle.covers(&tangled), by_deduction, "{tangled:?}");
    }
}

#[test]
fn the_empty_sentence_is_covered_by_shifting_the_root() {
    let empty = Tree::from_heads(&[]).unwrap();
    for system in System::all() {
        assert_eq!(
            Oracle::new(&system).derivation(&empty).unwrap(),
            Derivation::new(0, vec![Transition::Shift])
        );
    }
}

proptest! {
    /// A system covers every projective tree if it has both reduces of arc-standard.
    #[test]
    fn projective_trees_are_always_covered(seed in any::<u64>()) {
        let mut random = Random(seed);
        let n = 1 + random.below(40);
        let tree = random_run(&inventory("arc-standard"), n, &mut random);
        prop_assume!(tanglewood::classes::is_projective(&tree));
        for system in System::all() {
            prop_assert!(Oracle::new(&system).covers(&tree), "{}: {:?}", system, tree);
        }
    }
}
