use std::time::{Duration, Instant};

use tanglewood::Tree;
use tanglewood::scores::ArcScores;
use tanglewood::spanning::{NoTree, ScoredTree, Spanning, Workspace};

use crate::brute_force::{Random, all_trees};
use crate::chu_liu_edmonds;

/// Scores of many kinds: ordinary, tied, with forbidden arcs, huge, tiny, mixed.
const KINDS: usize = 10;

fn random_scores(n: usize, kind: usize, random: &mut Random) -> ArcScores {
    let mut scores = ArcScores::new(n);
    // A word without heads, a head without dependents; often none, since these are out of range.
    let (lonely, barren) = (1 + random.below(4 * n), random.below(3 * n + 3));
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            let unit = random.below(2001) as f64 / 1000.0 - 1.0;
            let forbidden = |density: usize, random: &mut Random| random.below(10) < density;
            let score = match kind {
                0 => unit * 10.0,
                1 => (unit * 2.0).round(),
                2 if forbidden(3, random) => f64::NEG_INFINITY,
                3 if forbidden(6, random) => f64::NEG_INFINITY,
                4 if forbidden(8, random) => f64::NEG_INFINITY,
                5 if dependent == lonely || head == barren => f64::NEG_INFINITY,
                6 => unit * 1e30,
                7 => unit * 1e-30,
                8 => unit * [1e30, 1.0, 1e-30, 0.0][random.below(4)],
                // Roots are far better than anything else.
                9 if head == 0 => 100.0 + unit,
                _ => (unit * 3.0).round(),
            };
            scores.set(head, dependent, score);
        }
    }
    scores
}

/// What rounding may do to a sum of scores.
fn rounding(scores: &ArcScores) -> f64 {
    let n = scores.len();
    let size = |word| (0..=n).map(move |head| scores.get(head, word).abs()).filter(|size| size.is_finite());
    1e-13 * (1..=n).map(|word| size(word).fold(0.0, f64::max)).sum::<f64>()
}

fn trees(n: usize, single_root: bool) -> Vec<Tree> {
    all_trees(n).into_iter().filter(|tree| !single_root || tree.has_single_root()).collect()
}

#[test]
fn best_is_the_best_of_all_trees_up_to_six_words() {
    let mut random = Random(51);
    let mut workspace = Workspace::new();
    for n in 1..=6 {
        for single_root in [false, true] {
            let trees = trees(n, single_root);
            for round in 0..if n == 6 { 5 } else { 60 } {
                for kind in 0..KINDS {
                    let scores = random_scores(n, kind, &mut random);
                    let what = format!("{n} words, single root {single_root}, {kind}, {round}: {scores:?}");
                    let best =
                        trees.iter().map(|tree| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
                    let found = Spanning::new().single_root(single_root).best_with(&scores, &mut workspace);
                    match &found {
                        Err(NoTree) => assert_eq!(best, f64::NEG_INFINITY, "{what}"),
                        Ok(ScoredTree { tree, score }) => {
                            assert_eq!(*score, scores.of_tree(tree), "{what}");
                            assert!((score - best).abs() <= rounding(&scores), "{what}: {score} {best}");
                            assert!(!single_root || tree.has_single_root(), "{what}: {tree:?}");
                        }
                    }
                    assert_eq!(found, Spanning::new().single_root(single_root).best(&scores), "{what}");
                }
            }
        }
    }
}

#[test]
fn best_agrees_with_the_textbook_up_to_sixty_words() {
    let mut random = Random(52);
    let mut workspace = Workspace::new();
    for round in 0..600 {
        let n = 7 + random.below(if round % 10 == 0 { 54 } else { 14 });
        let scores = random_scores(n, round % KINDS, &mut random);
        for single_root in [false, true] {
            let what = format!("{n} words, single root {single_root}, {}", round % KINDS);
            let expected = chu_liu_edmonds::best_tree(&scores, single_root);
            let found = Spanning::new().single_root(single_root).best_with(&scores, &mut workspace);
            assert_eq!(found.is_ok(), expected.is_some(), "{what}");
            let (Ok(found), Some(expected)) = (found, expected) else { continue };
            let expected = scores.of_tree(&expected);
            assert!((found.score - expected).abs() <= rounding(&scores), "{what}: {found:?} {expected}");
            assert!(!single_root || found.tree.has_single_root(), "{what}");
        }
    }
}

#[test]
fn two_thousand_words_take_a_moment() {
    let n = 2000;
    let mut random = Random(53);
    let begun = Instant::now();
    let mut scores = ArcScores::new(n);
    for kind in 0..3 {
        for head in 0..=n {
            for dependent in (1..=n).filter(|&dependent| dependent != head) {
                scores.set(
                    head,
                    dependent,
                    match kind {
                        0 => random.below(1 << 40) as f64,
                        1 => random.below(3) as f64,
                        // Each word wants its neighbour and the last two each other: cycles inside cycles, to the last word.
                        _ => -((head as f64 - dependent as f64 - 1.0).abs() * (1.0 + dependent as f64)),
                    },
                );
            }
        }
        for single_root in [false, true] {
            let best = Spanning::new().single_root(single_root).best(&scores).unwrap();
            assert!(!single_root || best.tree.has_single_root());
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn without_words_there_is_one_tree_and_none_with_a_root() {
    let scores = ArcScores::new(0);
    let several = Spanning::new().single_root(false);
    assert_eq!(several.best(&scores).unwrap().tree, Tree::from_heads(&[]).unwrap());
    assert_eq!(Spanning::new().best(&scores), Err(NoTree));
}

#[test]
fn numbers_at_the_end_of_their_range_do_no_harm() {
    let mut random = Random(54);
    for round in 0..200 {
        let n = 1 + random.below(6);
        let mut scores = ArcScores::new(n);
        for head in 0..=n {
            for dependent in (1..=n).filter(|&dependent| dependent != head) {
                let sizes = [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 0.0, f64::NEG_INFINITY, 1e300];
                scores.set(head, dependent, sizes[random.below(6)]);
            }
        }
        // Sums overflow here: any answer will do, as long as there is one.
        let _ = Spanning::new().single_root(round % 2 == 0).best(&scores);
    }
}
