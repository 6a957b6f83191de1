//! Scores of transitions for both directions: against all runs of both, one by one.

use std::collections::BTreeMap;

use tanglewood::inference::{Inference, InferenceError, Parse, Path, RunReading};
use tanglewood::scores::ArcScores;
use tanglewood::system::TreeClass;
use tanglewood::{Direction, System, Tree};

use crate::inference::{inference, system};
use crate::inference_runs::{ArcsAndWindows, Form, by_tree};
use crate::support::close;

const SYSTEMS: [&str; 5] = ["arc-standard", "attardi", "all-s0s1", "mh4", "mh4+"];

/// The probability of each tree in the order of the sentence, for each direction.
type Shares = BTreeMap<Vec<usize>, [f64; 2]>;

/// Scores for reading from left to right, and others for reading from right to left.
struct Both {
    inference: Inference,
    scores: [ArcsAndWindows; 2],
    shares: Shares,
}

impl Both {
    /// Nothing if one of the directions has no run.
    fn new(system: &System, words: usize, seed: u64) -> Option<Both> {
        let scores = [seed, seed + 1000].map(|seed| ArcsAndWindows::new(words, seed, Form::ByTop));
        let mut shares = Shares::new();
        for (at, (scores, direction)) in scores.iter().zip(Direction::Either.each()).enumerate() {
            let trees = by_tree(system, scores, true);
            let total: f64 = trees.values().map(|(weight, _)| weight).sum();
            for (heads, (weight, _)) in &trees {
                let tree = direction.read(Tree::from_heads(heads).unwrap());
                shares.entry(tree.heads().collect()).or_default()[at] = weight / total;
            }
            if trees.is_empty() {
                return None;
            }
        }
        Some(Both { inference: inference(system, Direction::Ltr, true), scores, shares })
    }

    fn readings(&self) -> [RunReading<'_>; 2] {
        let [ltr, rtl] = &self.scores;
        [
            RunReading { direction: Direction::Ltr, scores: ltr },
            RunReading { direction: Direction::Rtl, scores: rtl },
        ]
    }
}

/// What there is to compare, for sentences of up to five words.
fn all() -> impl Iterator<Item = Both> {
    let sentences = SYSTEMS.into_iter().flat_map(|name| (1..=5).map(move |words| (name, words)));
    let sentences = sentences.filter(|&(name, words)| words < 5 || name == "mh4");
    (0..).zip(sentences).filter_map(|(seed, (name, words))| Both::new(&system(name), words, 3 * seed))
}

fn candidate(heads: &[usize]) -> Parse {
    let (tree, direction) = (Tree::from_heads(heads).unwrap(), Direction::Ltr);
    Parse { tree, score: 0.0, derivation: None, direction, path: Path::Chart }
}

#[test]
fn the_mixture_has_half_of_each_direction() {
    let mut compared = 0;
    for both in all() {
        let trees: Vec<Tree> = both.shares.keys().map(|heads| Tree::from_heads(heads).unwrap()).collect();
        let asked: Vec<&Tree> = trees.iter().collect();
        let mixture = both.inference.mixture(&both.readings(), &asked).unwrap();
        let words = trees[0].len();
        let mut marginals = vec![vec![0.0; words + 1]; words + 1];
        for ((tree, [ltr, rtl]), log) in trees.iter().zip(both.shares.values()).zip(mixture.log_trees) {
            let share = (ltr + rtl) / 2.0;
            assert!(close(log, share.ln()), "{tree:?}: {log} {}", share.ln());
            tree.arcs().for_each(|(head, word)| marginals[head][word] += share);
            compared += 1;
        }
        for (found, expected) in mixture.marginals.rows().zip(&marginals) {
            assert!(found.iter().zip(expected).all(|(found, expected)| close(*found, *expected)));
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn the_most_probable_tree_has_the_largest_product() {
    let mut compared = 0;
    for both in all() {
        let candidates: Vec<Parse> = both.shares.keys().map(|heads| candidate(heads)).collect();
        let found = both.inference.most_probable(&both.readings(), candidates).unwrap();
        let product = |[ltr, rtl]: [f64; 2]| ltr * rtl;
        let best = both.shares.values().map(|&shares| product(shares)).fold(0.0, f64::max);
        let found = both.shares[&found.tree.heads().collect::<Vec<_>>()];
        // Where no tree can be built both ways, one of them has to do.
        let better = both.shares.values().flatten().copied().fold(0.0, f64::max);
        let is_best = match best > 0.0 {
            true => product(found) > best * (1.0 - 1e-9),
            false => found[0].max(found[1]) > better * (1.0 - 1e-9),
        };
        assert!(is_best, "{found:?} {best} {better}");
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

/// Of trees that have a run in one direction only, the product says nothing.
#[test]
fn where_no_candidate_can_be_built_both_ways_the_surer_direction_wins() {
    let mut compared = 0;
    for both in all() {
        let one_way: Vec<_> = both.shares.iter().filter(|(_, [ltr, rtl])| ltr * rtl == 0.0).collect();
        let Some(best) = one_way.iter().map(|(_, [ltr, rtl])| ltr.max(*rtl)).reduce(f64::max) else {
            continue;
        };
        let candidates = one_way.iter().map(|(heads, _)| candidate(heads)).collect();
        let found = both.inference.most_probable(&both.readings(), candidates).unwrap();
        let [ltr, rtl] = both.shares[&found.tree.heads().collect::<Vec<_>>()];
        assert!(ltr.max(rtl) > best * (1.0 - 1e-9), "{ltr} {rtl} {best}");
        compared += 1;
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn the_best_tree_is_at_least_as_probable_as_those_of_the_best_runs() {
    let mut better = 0;
    for both in all() {
        let readings = both.readings();
        let found = both.inference.best_of_runs(&readings).unwrap();
        let bests = readings.map(|reading| {
            let alone = both.inference.best_of_runs(&[reading]).unwrap();
            let run = both.inference.best_run(reading.scores).unwrap();
            assert_eq!(
                (&alone.tree, alone.direction),
                (&reading.direction.read(run.tree), reading.direction)
            );
            assert_eq!(alone.score, run.score);
            alone
        });
        let shares = |parse: &Parse| both.shares[&parse.tree.heads().collect::<Vec<_>>()];
        let product = |parse: &Parse| shares(parse).iter().product::<f64>();
        assert!(bests.iter().all(|best| product(&found) > product(best) * (1.0 - 1e-9)));
        better += usize::from(!bests.contains(&found));
        // Its run is one of the direction that it names.
        let run = found.derivation.clone().unwrap();
        assert_eq!(found.direction.read(run.tree().unwrap()), found.tree);
    }
    assert!(better > 0);
}

/// Heads that were given may leave a direction without a run.
#[test]
fn a_reading_without_a_run_counts_for_nothing() {
    let both = (0..9).find_map(|seed| Both::new(&system("mh4"), 3, seed)).unwrap();
    let [ltr, rtl] = both.readings();
    let mut forbidden = ArcScores::new(3);
    (1..=3).for_each(|word| forbidden.set(0, word, f64::NEG_INFINITY).unwrap());
    let none = RunReading { scores: &forbidden, ..rtl };
    let alone = both.inference.best_of_runs(&[ltr]).unwrap();
    assert_eq!(both.inference.best_of_runs(&[ltr, none]).unwrap(), alone);
    let mixture = |readings: &[RunReading<'_>]| both.inference.mixture(readings, &[&alone.tree]);
    assert_eq!(mixture(&[ltr, none]), mixture(&[ltr]));
    assert_eq!(mixture(&[none]), Err(InferenceError::NoTree));
}

#[test]
fn a_narrow_system_has_frames_of_three_nodes_and_no_reduce_of_its_own() {
    let narrow = |name: &str| {
        let narrow = Inference::new(system(name)).narrow();
        narrow.map(|narrow| narrow.class().name().to_owned())
    };
    for name in ["mh4", "mh5", "all", "all-s0s1", "arc-hybrid"] {
        assert_eq!(narrow(name).as_deref(), Some("mh3"), "{name}");
    }
    for name in ["mh4+", "mh6+", "all+", "all-s0s1+"] {
        assert_eq!(narrow(name).as_deref(), Some("mh3+"), "{name}");
    }
    for name in ["mh3", "mh3+", "arc-standard", "attardi"] {
        assert_eq!(narrow(name), None, "{name}");
    }
    assert!(Inference::new(TreeClass::Any).narrow().is_none());
}

/// Within little memory, a narrow system answers where the system itself does not, by the same scores.
#[test]
fn narrow_runs_are_runs_of_the_system_and_take_little_memory() {
    let mut narrower = 0;
    for both in all() {
        let Some(narrow) = both.inference.narrow() else { continue };
        let ltr = both.readings()[0];
        let found = narrow.best_of_runs(&[ltr]).unwrap();
        let own = both.inference.best_run_of(&found.tree, ltr.scores).unwrap();
        let best = both.inference.best_of_runs(&[ltr]).unwrap();
        assert!(found.score < own.score + 1e-9 && own.score < best.score + 1e-9);
        narrower += usize::from(found.tree != best.tree);
    }
    assert!(narrower > 0);
    let scores = ArcScores::new(150);
    let reading = RunReading { direction: Direction::Ltr, scores: &scores };
    let little = Inference::new(system("mh4")).memory(4_000_000);
    assert!(matches!(little.best_of_runs(&[reading]), Err(InferenceError::TooLarge { words: 150, .. })));
    assert_eq!(little.narrow().unwrap().best_of_runs(&[reading]).unwrap().tree.len(), 150);
}

#[test]
fn without_a_reading_or_a_candidate_there_is_no_tree() {
    let inference = inference(&system("mh4"), Direction::Ltr, true);
    assert_eq!(inference.best_of_runs(&[]), Err(InferenceError::NoTree));
    assert_eq!(inference.mixture(&[], &[]), Err(InferenceError::NoTree));
}
