//! Scores of transitions in all kinds of search.

use tanglewood::inference::Inference;
use tanglewood::scores::TransitionScores;
use tanglewood::search::{beam, greedy};
use tanglewood::{Configuration, Direction, System};
use tanglewood_nn::training::{Data, Goal, Settings, Trainer};
use tanglewood_nn::{Decoder, LearnedScores, Method, Model, Options};

use crate::sample;

fn model_with(goal: Goal, windows: bool, direction: Direction) -> Model {
    let block = sample::block();
    let sentences: Vec<_> = block.sentences().collect();
    let settings =
        Settings { goal, system: "mh4".to_owned(), epochs: 3, batch_words: 4, ..Settings::default() };
    let mut trainer = Trainer::new(
        Data::new(&sentences, &[]),
        Options { windows, direction, ..sample::options() },
        settings,
    )
    .expect("a treebank");
    loop {
        while trainer.step(0.5).is_some() {}
        if trainer.end_epoch().last {
            return trainer.model().clone();
        }
    }
}

/// The sample's sentences; what has more than six words would take too long.
fn scores(model: &Model) -> Vec<LearnedScores<f32>> {
    let block = sample::block();
    let encoded: Vec<_> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
    let scores = model.scores(&encoded.iter().collect::<Vec<_>>());
    let short = (0..encoded.len()).filter(|&at| encoded[at].len() <= 6);
    short.map(|at| scores.sentence(at)).collect()
}

#[test]
fn exact_inference_finds_the_best_of_all_runs() {
    let goals = [Goal::Transitions, Goal::TransitionHinge, Goal::TransitionLikelihood];
    let models = goals.into_iter().flat_map(|goal| {
        [(goal, false, Direction::Ltr), (goal, true, Direction::Ltr), (goal, true, Direction::Either)]
    });
    for (goal, windows, direction) in models {
        let learned = scores(&model_with(goal, windows, direction));
        for scores in learned.iter().flat_map(|learned| learned.readings(Direction::Either)) {
            for name in ["projective", "arc-standard", "all-s0s1", "all", "mh4", "mh4+"] {
                let system = System::named(name).expect(name);
                let words = scores.words();
                let (best, _) = beam(&system, &scores, usize::MAX, true).expect("a run");
                let run =
                    Inference::new(&system).best_run(&scores).expect("a run").derivation.expect("a run");
                let mut configuration = Configuration::start(words);
                let mut score = 0.0;
                for &transition in run.transitions() {
                    score += scores.transition(&configuration, transition);
                    configuration.apply(transition).expect("a run");
                }
                assert!((best - score).abs() < 1e-9, "{goal:?} {name}: {best} {score}");
                let (step_by_step, _) = greedy(&system, &scores, true).expect("a run");
                assert!(step_by_step <= best + 1e-9);
            }
        }
    }
}

#[test]
fn every_decoder_gives_a_tree_with_one_root() {
    let directions = [Direction::Ltr, Direction::Rtl, Direction::Either];
    for (goal, direction) in Goal::ALL.into_iter().flat_map(|goal| directions.map(|to| (goal, to))) {
        for scores in scores(&model_with(goal, false, direction)) {
            for method in [Method::Exact, Method::Greedy, Method::Beam(3), Method::Spanning] {
                for memory in [0, 1 << 30] {
                    let system = System::named("mh4").expect("a system");
                    let decoder = Decoder { method, memory, ..Decoder::exact(system) };
                    let tree = decoder.decode(&scores).expect("a tree");
                    assert!(tree.has_single_root());
                }
            }
        }
    }
}
