//! What is too large, and what has no tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tanglewood::inference::{Inference, InferenceError, Path, Purpose};
use tanglewood::scores::ArcScores;
use tanglewood::system::TreeClass;
use tanglewood::{Direction, System, Tree};

use crate::brute_force::Random;
use crate::chart::random_scores;
use crate::inference::{DIRECTIONS, inference, system};
use crate::support::{Ask, Windows};

#[test]
fn what_does_not_fit_is_refused_with_a_remedy() {
    let all = system("all");
    let scores = ArcScores::new(20);
    let small = Inference::new(&all).memory(1000).certify(false);
    let error = small.best(&scores).unwrap_err();
    assert!(matches!(error, InferenceError::TooLarge { words: 20, limit: 1000, .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with("20 words in `all` need "), "{text}");
    assert!(text.ends_with(", more than the limit of 1.0 kB; allow more, or split the sentence"), "{text}");

    let tree = Tree::from_heads(&(0..20).collect::<Vec<_>>()).unwrap();
    let too_large = |error: InferenceError| matches!(error, InferenceError::TooLarge { limit: 1000, .. });
    assert!(too_large(small.best_run(&scores).unwrap_err()));
    assert!(too_large(small.k_best(&scores, 2).unwrap_err()));
    assert!(too_large(small.log_partition(&scores).unwrap_err()));
    assert!(too_large(small.marginals(&scores).unwrap_err()));
    assert!(too_large(small.log_probability(&scores, &tree).unwrap_err()));
    assert!(too_large(small.samples(&scores, 1, 0).unwrap_err()));

    let needed = small.bytes_for(20, Purpose::Best);
    let enough = Inference::new(&all).memory(needed).certify(false);
    assert!(enough.best(&scores).is_ok() && enough.log_partition(&scores).is_ok());
    assert!(matches!(enough.clone().memory(needed - 1).best(&scores), Err(InferenceError::TooLarge { .. })));
    // Posteriors take as much again as the chart they come from.
    assert!(matches!(enough.marginals(&scores), Err(InferenceError::TooLarge { .. })));
    assert!(enough.memory(2 * needed).marginals(&scores).is_ok());
}

#[test]
fn the_remedy_names_a_cheaper_system_that_fits() {
    let (all, framed) = (system("all"), system("mh5+"));
    let remedy = |system: &System, words: usize, memory: u64| {
        let inference = Inference::new(system).memory(memory).certify(false);
        let error = inference.best(&ArcScores::new(words)).unwrap_err().to_string();
        error.split_once("; ").unwrap().1.to_owned()
    };
    let needed = Inference::new(&framed).bytes_for(60, Purpose::Best);
    let text = remedy(&all, 60, needed);
    assert!(text.starts_with("allow more, or choose `mh5+`, which needs "), "{text}");
    let text = remedy(&all, 60, needed - 1);
    assert!(text.starts_with("allow more, or choose `mh4+`, which needs "), "{text}");
    assert_eq!(remedy(&system("kuhlmann-2"), 60, 10), "allow more, or split the sentence");

    let windows = Windows { words: 60, seed: 1 };
    let error = Inference::new(&all).memory(needed - 1).best_run(&windows).unwrap_err();
    assert!(error.to_string().contains("; allow more, or choose `mh4+`, which needs "), "{error}");

    // Short cuts need no chart: the best of all trees is one that the system can build.
    assert_eq!(Inference::new(&all).memory(10).best(&ArcScores::new(60)).unwrap().path, Path::Certificate);
}

#[test]
fn huge_sentences_are_refused_at_once() {
    let scores = ArcScores::new(3000);
    let start = Instant::now();
    for (name, size) in [("all", "PB"), ("all-s0s1", "TB"), ("kuhlmann-2", "GB")] {
        let system = system(name);
        let inference = Inference::new(&system).certify(false);
        for error in [
            inference.best(&scores).unwrap_err(),
            inference.k_best(&scores, 3).unwrap_err(),
            inference.marginals(&scores).unwrap_err(),
            inference.samples(&scores, 3, 1).unwrap_err(),
        ] {
            let text = error.to_string();
            let (needed, rest) = text.split_once(", more than the limit of 4.3 GB; ").unwrap();
            assert!(needed.starts_with(&format!("3000 words in `{name}` need ")), "{text}");
            assert!(needed.ends_with(size) && rest.starts_with("allow more, or "), "{text}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let deep = system("attardi:3");
    let error = Inference::new(&deep).memory(1000).certify(false).best(&ArcScores::new(40)).unwrap_err();
    assert!(matches!(error, InferenceError::TooLarge { words: 40, .. }), "{error}");
}

#[test]
fn without_a_tree_there_is_an_error_that_says_so() {
    // Both words want each other.
    let mut scores = ArcScores::new(2);
    scores.require(2, 1);
    scores.require(1, 2);
    let tree = Tree::from_heads(&[2, 0]).unwrap();
    for name in ["kuhlmann-2", "all-s0s1", "all", "attardi:3"] {
        let system = system(name);
        for direction in DIRECTIONS {
            let inference = inference(&system, direction, false);
            assert_eq!(inference.best(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.best_run(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.k_best(&scores, 3), Err(InferenceError::NoTree));
            assert_eq!(inference.log_partition(&scores), Ok(f64::NEG_INFINITY));
            assert_eq!(inference.marginals(&scores), Err(InferenceError::NoTree));
            assert_eq!(inference.log_probability(&scores, &tree), Err(InferenceError::NoTree));
            assert_eq!(inference.samples(&scores, 3, 1), Err(InferenceError::NoTree));
        }
    }
    let text = InferenceError::NoTree.to_string();
    assert!(text.contains("no tree") && text.contains("allow more arcs"), "{text}");
}

#[test]
fn no_words_make_one_tree_and_no_single_root() {
    let scores = ArcScores::new(0);
    for name in ["kuhlmann-2", "all-s0s1", "all", "attardi:3"] {
        let system = system(name);
        for direction in DIRECTIONS {
            let several = inference(&system, direction, false);
            assert_eq!(several.best(&scores).unwrap().derivation.unwrap().to_string(), "shift", "{name}");
            assert_eq!(several.k_best(&scores, 3).unwrap().len(), 1, "{name}");
            let runs: f64 = if direction == Direction::Either { 2.0 } else { 1.0 };
            assert_eq!(several.log_partition(&scores), Ok(runs.ln()), "{name}");
            assert_eq!(several.marginals(&scores), Ok(vec![vec![0.0]]), "{name}");
            assert_eq!(several.samples(&scores, 2, 1).unwrap().len(), 2, "{name}");
            let single = inference(&system, direction, true);
            assert_eq!(single.best(&scores), Err(InferenceError::NoTree), "{name}");
            assert_eq!(single.log_partition(&scores), Ok(f64::NEG_INFINITY), "{name}");
            assert_eq!(single.marginals(&scores), Err(InferenceError::NoTree), "{name}");
            assert_eq!(single.samples(&scores, 1, 1), Err(InferenceError::NoTree), "{name}");
        }
    }
}

/// Wherever it is asked for the first, second, … time, a stop is an error and nothing else, and without it
/// the answer is the same.
#[test]
fn an_answer_that_is_not_wanted_any_more_is_given_up_at_once() {
    let scores = random_scores(8, 0, &mut Random(5));
    for name in ["mh3", "mh4", "mh5", "all-s0s1", "kuhlmann-2", "attardi", "attardi:3", "any"] {
        let class = TreeClass::named(name).unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let stopping_at = |limit: usize| {
            asked.store(0, Ordering::Relaxed);
            let asked = Arc::clone(&asked);
            let inference = Inference::new(class.clone()).direction(Direction::Either);
            inference.stop_when(move || asked.fetch_add(1, Ordering::Relaxed) + 1 >= limit)
        };
        let k_best = stopping_at(usize::MAX).k_best(&scores, 20).unwrap();
        assert_eq!(
            k_best,
            Inference::new(class.clone()).direction(Direction::Either).k_best(&scores, 20).unwrap()
        );
        let times = asked.load(Ordering::Relaxed);
        assert!(times >= 20, "{name} asked {times} times");
        // All of the first chart, and then here and there.
        let step = if times < 200 { 1 } else { times / 100 };
        for limit in (1..=times.min(100)).chain((100..=times).step_by(step)) {
            assert_eq!(stopping_at(limit).k_best(&scores, 20).err(), Some(InferenceError::Stopped));
            assert_eq!(asked.load(Ordering::Relaxed), limit);
        }
        for limit in 1..=100 {
            let drawn = stopping_at(limit).distribution(&scores).and_then(|all| all.samples(100, 1));
            assert_eq!(drawn.err(), Some(InferenceError::Stopped));
        }
    }
}

/// One chart can take minutes: within it, both ways, a stop is asked for at least once for each word.
#[test]
fn a_stop_is_asked_for_within_a_chart() {
    let words = 24;
    let scores = random_scores(words, 0, &mut Random(7));
    for name in ["mh3", "mh4", "mh5", "all-s0s1", "kuhlmann-2", "all-deg1", "attardi", "any"] {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let inference = Inference::new(TreeClass::named(name).unwrap()).certify(false);
        let inference = inference.stop_when(move || {
            count.fetch_add(1, Ordering::Relaxed);
            false
        });
        let mut before = 0;
        let mut more = |doing: &str| {
            let now = asked.load(Ordering::Relaxed);
            assert!(now >= before + words, "{name}, {doing}: asked {} times", now - before);
            before = now;
        };
        if name != "any" {
            inference.best(&scores).unwrap();
            more("best");
        }
        let sums = inference.distribution(&scores).unwrap();
        more("sums");
        sums.marginals().unwrap();
        more("marginals");
    }
}

/// What was given up is not remembered as an answer.
#[test]
fn a_distribution_answers_again_after_it_was_stopped() {
    let scores = random_scores(9, 0, &mut Random(3));
    for name in ["mh4", "attardi", "attardi:3", "any"] {
        let class = TreeClass::named(name).unwrap();
        let (left, asked) = (Arc::new(AtomicUsize::new(usize::MAX)), Arc::new(AtomicUsize::new(0)));
        let (of_stop, asks) = (Arc::clone(&left), Arc::clone(&asked));
        let inference = Inference::new(class.clone()).stop_when(move || {
            asks.fetch_add(1, Ordering::Relaxed);
            of_stop.fetch_sub(1, Ordering::Relaxed) == 0
        });
        let expected = Inference::new(class).distribution(&scores).unwrap();
        let sums = inference.distribution(&scores).unwrap();
        for limit in 0.. {
            left.store(limit, Ordering::Relaxed);
            match sums.marginals() {
                Err(error) => assert_eq!(error, InferenceError::Stopped, "{name}"),
                Ok(found) => {
                    assert!(limit > 2, "{name}");
                    assert_eq!(found, expected.marginals().unwrap(), "{name}");
                    break;
                }
            }
        }
    }
}
