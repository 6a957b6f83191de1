use std::collections::HashSet;
use std::time::{Duration, Instant};

use tanglewood::Tree;
use tanglewood::inference::InferenceError;
use tanglewood::scores::ArcScores;
use tanglewood::spanning::{NoTree, ScoredTree, Spanning, Workspace};

use crate::brute_force::{Random, all_trees};
use crate::chu_liu_edmonds;
use crate::support::{Ask, any};

/// Scores of many kinds: ordinary, tied, with forbidden arcs, huge, tiny, mixed.
const KINDS: usize = 10;

pub fn random_scores(n: usize, kind: usize, random: &mut Random) -> ArcScores {
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
            scores.set(head, dependent, score).unwrap();
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

pub fn trees(n: usize, single_root: bool) -> Vec<Tree> {
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
                scores
                    .set(
                        head,
                        dependent,
                        match kind {
                            0 => random.below(1 << 40) as f64,
                            1 => random.below(3) as f64,
                            // Each word wants its neighbour and the last two each other: cycles inside
                            // cycles, to the last word.
                            _ => -((head as f64 - dependent as f64 - 1.0).abs() * (1.0 + dependent as f64)),
                        },
                    )
                    .unwrap();
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
    let (bounded, several) = (Spanning::new().single_root(false), any(false));
    let empty = Tree::from_heads(&[]).unwrap();
    assert_eq!(several.best(&scores).unwrap().tree, empty);
    assert_eq!(bounded.bounds(&scores).unwrap().best().tree, empty);
    assert_eq!(several.k_best(&scores, 3).unwrap().len(), 1);
    assert_eq!(several.log_partition(&scores), Ok(0.0));
    assert_eq!(several.marginals(&scores), Ok(vec![vec![0.0]]));
    assert_eq!(several.log_probability(&scores, &empty), Ok(0.0));
    assert_eq!(several.entropy(&scores), Ok(0.0));
    assert_eq!(several.samples(&scores, 2, 1), Ok(vec![empty.clone(), empty.clone()]));
    let (bounded, single) = (Spanning::new(), any(true));
    assert_eq!(single.best(&scores), Err(InferenceError::NoTree));
    assert!(bounded.bounds(&scores).is_err());
    assert_eq!(single.k_best(&scores, 3), Err(InferenceError::NoTree));
    assert_eq!(single.log_partition(&scores), Ok(f64::NEG_INFINITY));
    assert_eq!(single.marginals(&scores), Err(InferenceError::NoTree));
    assert_eq!(single.log_probability(&scores, &empty), Err(InferenceError::NoTree));
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
                scores.set(head, dependent, sizes[random.below(6)]).unwrap();
            }
        }
        // Sums overflow here: any answer will do, as long as there is one.
        let _ = Spanning::new().single_root(round % 2 == 0).bounds(&scores);
        let spanning = any(round % 2 == 0);
        let _ = spanning.best(&scores);
        let _ = spanning.k_best(&scores, 3);
        let _ = spanning.log_partition(&scores);
        let _ = spanning.marginals(&scores);
        let _ = spanning.entropy(&scores);
        let _ = spanning.samples(&scores, 2, 3);
    }
}

/// Bounds hold for every tree, and the best tree's arcs have its score.
#[test]
fn no_tree_with_an_arc_is_better_than_its_bound() {
    let mut random = Random(55);
    let (mut sum_of_losses, mut sum_of_bounds) = (0.0, 0.0);
    for n in 1..=5 {
        for single_root in [false, true] {
            let trees = trees(n, single_root);
            for round in 0..400 / n {
                let kind = round % KINDS;
                let scores = random_scores(n, kind, &mut random);
                let spanning = Spanning::new().single_root(single_root);
                let Ok(bounds) = spanning.bounds(&scores) else {
                    assert!(spanning.best(&scores).is_err());
                    continue;
                };
                let best = bounds.best().clone();
                assert_eq!(Ok(&best), spanning.best(&scores).as_ref());
                for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
                    let what = format!("{head} → {word}, single root {single_root}, {kind}: {scores:?}");
                    let with = trees.iter().filter(|tree| tree.head(word) == head);
                    let true_value = with.map(|tree| scores.of_tree(tree)).fold(f64::NEG_INFINITY, f64::max);
                    let bound = bounds.get(head, word);
                    assert!(bounds.may_reach(head, word, true_value), "{bound} {true_value} {what}");
                    assert!(bound <= best.score, "{bound} {what}");
                    if best.tree.head(word) == head {
                        assert_eq!(bound, best.score, "{what}");
                    }
                    if head != word && scores.get(head, word) == f64::NEG_INFINITY {
                        assert_eq!(bound, f64::NEG_INFINITY, "{what}");
                    }
                    if kind == 0 && true_value > f64::NEG_INFINITY {
                        sum_of_losses += best.score - true_value;
                        sum_of_bounds += best.score - bound;
                    }
                }
            }
        }
    }
    // The bounds are worth something: on average most of what is lost is known.
    assert!(sum_of_bounds > 0.8 * sum_of_losses, "{sum_of_bounds} of {sum_of_losses}");
}

#[test]
fn bounds_hold_for_the_best_tree_with_each_arc_of_longer_sentences() {
    let mut random = Random(63);
    for (kind, single_root) in (0..KINDS).flat_map(|kind| [(kind, false), (kind, true)]) {
        let n = 12 + random.below(12);
        let scores = random_scores(n, kind, &mut random);
        let spanning = Spanning::new().single_root(single_root);
        let Ok(bounds) = spanning.bounds(&scores) else { continue };
        for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
            if head != word {
                let mut with = scores.clone();
                with.require(head, word);
                let value = spanning.best(&with).map_or(f64::NEG_INFINITY, |best| best.score);
                let bound = bounds.get(head, word);
                assert!(bounds.may_reach(head, word, value), "{head} → {word}, {kind}: {bound} {value}");
            }
        }
    }
}

#[test]
fn the_k_best_are_the_sorted_trees_up_to_five_words() {
    let mut random = Random(56);
    for n in 1..=5 {
        for single_root in [false, true] {
            let trees = trees(n, single_root);
            let spanning = any(single_root);
            for round in 0..30 {
                let kind = round % KINDS;
                let scores = random_scores(n, kind, &mut random);
                let k = [1, 2, 7, 30, 10_000][if n == 5 { round % 4 } else { round % 5 }];
                let what = format!("{n} words, {k} best, single root {single_root}, {kind}: {scores:?}");
                let all = trees.iter().map(|tree| scores.of_tree(tree));
                let mut expected: Vec<f64> = all.filter(|&score| score > f64::NEG_INFINITY).collect();
                expected.sort_by(|a, b| b.total_cmp(a));
                expected.truncate(k);
                let Ok(found) = spanning.k_best(&scores, k) else {
                    assert!(expected.is_empty(), "{what}");
                    continue;
                };
                assert_eq!(found.len(), expected.len(), "{what}");
                for (found, expected) in found.iter().zip(&expected) {
                    assert!(
                        (found.score - expected).abs() <= rounding(&scores),
                        "{what}: {found:?} {expected}"
                    );
                    assert_eq!(found.score, scores.of_tree(&found.tree));
                }
                assert!(found.is_sorted_by(|a, b| a.score >= b.score), "{what}");
                let distinct: HashSet<&Tree> = found.iter().map(|found| &found.tree).collect();
                assert_eq!(distinct.len(), found.len(), "{what}");
                assert_eq!(spanning.k_best(&scores, k).as_ref(), Ok(&found));
                assert_eq!(spanning.k_best(&scores, 0), Ok(Vec::new()));
            }
        }
    }
}

#[test]
fn longer_sentences_have_their_k_best_in_order() {
    let mut random = Random(57);
    for kind in 0..3 {
        let scores = random_scores(30, kind, &mut random);
        let Ok(found) = any(true).k_best(&scores, 50) else { panic!("no tree for {kind}") };
        assert_eq!(found.len(), 50);
        assert!(found.is_sorted_by(|a, b| a.score >= b.score));
        assert_eq!(found[0].tree, Spanning::new().best(&scores).unwrap().tree);
    }
}

#[test]
fn an_offset_on_all_scores_changes_no_ranking() {
    // In these units, numbers beside 10¹⁷ have no digits to lose; sums of them have.
    let rows =
        [[0.0, 32.0, 64.0, 32.0], [0.0, 0.0, 16.0, 32.0], [0.0, 32.0, 0.0, 32.0], [0.0, 64.0, 16.0, 0.0]];
    let scores = ArcScores::from_rows(&rows).unwrap();
    let shifted = rows.map(|row| row.map(|score| score + 1e17));
    let shifted = ArcScores::from_rows(&shifted).unwrap();
    for single_root in [false, true] {
        let spanning = any(single_root);
        let heads = |scores| -> Vec<Vec<usize>> {
            spanning.k_best(scores, 20).unwrap().iter().map(|found| found.tree.heads().collect()).collect()
        };
        assert_eq!(heads(&scores), heads(&shifted));
    }
}
