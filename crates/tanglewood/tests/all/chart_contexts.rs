//! Arc scores with a context that does not know the head.

use std::sync::atomic::{AtomicUsize, Ordering};

use tanglewood::inference::{Inference, InferenceError};
use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, View};
use tanglewood::system::Address;
use tanglewood::{Direction, Tree};

use crate::brute_force::Random;
use crate::inference::{inference, system};
use crate::support::{Windows, each_run_in, ordinary, random_scores, score_of_run_in};

const NAMES: [&str; 6] = ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+"];

/// Scores of arcs, and of everything in the window but the head.
struct WithContext {
    arcs: ArcScores,
    windows: Windows,
    asked: AtomicUsize,
}

impl WithContext {
    fn new(words: usize, seed: u64) -> WithContext {
        let arcs = random_scores(words, &mut Random(seed), seed.is_multiple_of(3), ordinary);
        WithContext { arcs, windows: Windows { words, seed }, asked: AtomicUsize::new(0) }
    }
}

impl TransitionScores for WithContext {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.windows.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.arcs.get(view.node(head), view.stack[dependent]) + self.context(view, head.into(), dependent)
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        Some(&self.arcs)
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let kind = match head {
            HeadKind::Stack(place) => place,
            HeadKind::Ahead => 99,
        };
        let mut seen = vec![kind, dependent, view.front];
        seen.extend(view.stack);
        self.windows.score(&seen)
    }
}

#[test]
fn best_runs_and_probabilities_are_those_of_all_runs() {
    let mut compared = 0;
    for (seed, name) in (0..).zip(NAMES) {
        let system = system(name);
        for (n, single_root) in
            [(1, true), (2, false), (3, true), (3, false), (4, true), (4, false), (5, true)]
        {
            let what = format!("{name}, {n} words, single root {single_root}");
            let scores = WithContext::new(n, 10 * seed + n as u64);
            let mut runs: Vec<(Tree, f64)> = Vec::new();
            each_run_in(&system, &scores, |_, tree, score| runs.push((tree.clone(), score)));
            runs.retain(|(tree, score)| score.is_finite() && (!single_root || tree.has_single_root()));
            let inference = inference(&system, Direction::Ltr, single_root);
            let found = inference.best_run(&scores);
            if runs.is_empty() {
                assert_eq!(found.err(), Some(InferenceError::NoTree), "{what}");
                continue;
            }
            let best = runs.iter().map(|run| run.1).fold(f64::NEG_INFINITY, f64::max);
            let found = score_of_run_in(&system, &scores, found.unwrap().derivation.unwrap().transitions());
            assert!((found - best).abs() < 1e-9, "{what}: {found} instead of {best}");
            let whole: f64 = runs.iter().map(|run| run.1.exp()).sum();
            let distribution = inference.distribution_over_runs(&scores).unwrap();
            let marginals = distribution.marginals().unwrap();
            for (head, dependent) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
                let with = runs.iter().filter(|(tree, _)| tree.head(dependent) == head);
                let expected = with.map(|run| run.1.exp()).sum::<f64>() / whole;
                let marginal = marginals.get(head, dependent);
                assert!((marginal - expected).abs() < 1e-9, "{what}: {marginal} instead of {expected}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// d log p(tree) / d score(arc) is 1 for an arc of the tree, less its marginal.
#[test]
fn marginals_are_the_derivatives_of_log_probabilities() {
    for (seed, name) in (1..).step_by(3).zip(NAMES) {
        let (system, n) = (system(name), 9);
        let inference = Inference::new(&system);
        let mut scores = WithContext::new(n, seed);
        let tree = inference.best_run(&scores).unwrap().tree;
        let marginals = inference.distribution_over_runs(&scores).unwrap().marginals().unwrap().clone();
        for (dependent, head) in [(1, 0), (2, 5), (4, 3), (8, 9), (3, 9)] {
            let score = scores.arcs.get(head, dependent);
            let mut shifted = |step| {
                scores.arcs.set(head, dependent, score + step).unwrap();
                inference.distribution_over_runs(&scores).unwrap().log_probability(&tree).unwrap()
            };
            let slope = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
            scores.arcs.set(head, dependent, score).unwrap();
            let is_in_tree = f64::from(u8::from(tree.head(dependent) == head));
            let expected = is_in_tree - marginals.get(head, dependent);
            assert!((slope - expected).abs() < 1e-6, "{name}: {head} → {dependent}: {slope}, not {expected}");
        }
    }
}

#[test]
fn lookahead_heads_are_not_asked_for_one_by_one() {
    let asked = |name: &str, n: usize| {
        let (system, scores) = (system(name), WithContext::new(n, 1));
        Inference::new(&system).distribution_over_runs(&scores).unwrap().marginals().unwrap();
        scores.asked.load(Ordering::Relaxed)
    };
    for (with, without) in [("mh3+", "mh3"), ("mh4+", "mh4"), ("mh5+", "mh5")] {
        assert_eq!(asked(with, 16), asked(without, 16), "{with}");
    }
}
