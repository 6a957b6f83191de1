//! Scores of whole windows.

use std::collections::HashMap;

use tanglewood::deduction::Deduction;
use tanglewood::inference::InferenceError;
use tanglewood::scores::{TransitionScores, View};
use tanglewood::system::Address;
use tanglewood::{Direction, Tree};

use crate::inference::{DENSE, inference, system};
use crate::support::{Windows, each_run_in, rows, score_of_run_in};

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
        for n in 0..=8 {
            for single_root in [false, true] {
                let scores = Separable(Windows { words: n, seed: 100 * seed + n as u64 });
                let what = format!("{name}, {n} words, single root {single_root}");
                let sparse = Deduction::new(&system).single_root(single_root).best(&scores).unwrap();
                let sparse = sparse.map(|(score, _)| score);
                let dense = match inference(&system, Direction::Ltr, single_root).best_run(&scores) {
                    Ok(parse) => {
                        let derivation = parse.derivation.unwrap();
                        let tree = derivation.tree_in(inventory).unwrap();
                        assert!(!single_root || tree.has_single_root(), "{what}");
                        Some(score_of_run_in(&system, &scores, derivation.transitions()))
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
                    each_run_in(&system, &scores, finish);
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
            each_run_in(&system, &scores, finish);
            let total: f64 = trees.values().sum();
            let inference = inference(&system, Direction::Ltr, true);
            let distribution = inference.distribution_over_runs(&scores).unwrap();
            let marginals = distribution.marginals().map(rows);
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
                let found = distribution.log_probability(&tree).unwrap();
                assert!((found - (weight / total).ln()).abs() < 1e-9, "{name}: {found}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
