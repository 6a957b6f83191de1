//! Every derivative against finite differences, in double precision.

use tanglewood::inference::Random;
use tanglewood::{Direction, System};
use tanglewood_nn::Dropout;
use tanglewood_nn::Options;
use tanglewood_nn::internals::encoding::Example;
use tanglewood_nn::internals::network::Network;
use tanglewood_nn::internals::parameters::{Gradients, Parameters};
use tanglewood_nn::training::{
    Adam, HeadSelection, Hinge, Learner, NextTransition, Objective, RunLikelihood, SystemLikelihood,
    TransitionHinge, TreeLikelihood,
};

use crate::sample;

/// Central differences with this step are off by about its square.
const STEP: f64 = 1e-5;

struct Check {
    network: Network,
    examples: Vec<Example>,
    parameters: Parameters<f64>,
}

impl Check {
    fn new() -> Check {
        Check::with(sample::options())
    }

    /// With scores of transitions, also of pairs in their windows, and for each direction.
    fn of_runs() -> [Check; 4] {
        [(false, Direction::Ltr), (true, Direction::Ltr), (true, Direction::Rtl), (true, Direction::Either)]
            .map(|(windows, direction)| {
                Check::with(Options { transitions: 3, windows, direction, ..sample::options() })
            })
    }

    fn with(options: Options) -> Check {
        let (vocabulary, examples) = sample::examples(&options);
        let network = Network::new(&options, &vocabulary);
        let mut parameters: Parameters<f64> = network.layout().initial(1);
        // Some tensors start at zero, where half of all derivatives vanish.
        let mut random = Random::new(7);
        parameters.values.iter_mut().for_each(|value| *value += 0.6 * (random.uniform() - 0.5));
        Check { network, examples, parameters }
    }

    fn gradient(
        &self,
        parameters: &Parameters<f64>,
        objective: &dyn Objective<f64>,
        dropout: &Dropout,
        workers: usize,
    ) -> (f64, Gradients<f64>) {
        let batch: Vec<&Example> = self.examples.iter().collect();
        let mut workers = vec![Gradients::new(self.network.layout()); workers];
        let learner = Learner { network: &self.network, parameters, objective, dropout };
        let losses = learner.gradient(&batch, 3, &mut workers, 2);
        (losses.mean(), workers.swap_remove(0))
    }

    /// The largest error, relative to the larger of the derivative and 10⁻³.
    fn worst(&self, objective: &dyn Objective<f64>, dropout: &Dropout, workers: usize) -> f64 {
        let (_, gradients) = self.gradient(&self.parameters, objective, dropout, workers);
        let mut worst = 0.0f64;
        for entry in self.network.layout().entries() {
            let mut largest = 0.0f64;
            // All of a small tensor, some of a large one.
            let range = entry.tensor.range();
            if range.is_empty() {
                continue;
            }
            let stride = (range.len() / 60).max(1);
            for at in range.step_by(stride) {
                let mut parameters = self.parameters.clone();
                let mut loss = |shift: f64| {
                    parameters.values[at] = self.parameters.values[at] + shift;
                    self.gradient(&parameters, objective, dropout, workers).0
                };
                let difference = (loss(STEP) - loss(-STEP)) / (2.0 * STEP);
                let derivative = gradients.values()[at];
                largest = largest.max(derivative.abs());
                worst = worst.max((difference - derivative).abs() / derivative.abs().max(1e-3));
            }
            // How often each move is made may be the same in all runs; then biases make no difference.
            let may_vanish = ["moves.bias", "windows.bias"].iter().any(|name| entry.name.ends_with(name));
            assert!(largest > 1e-6 || may_vanish, "nothing flows back to {}", entry.name);
        }
        worst
    }
}

#[test]
fn the_whole_network_agrees_with_finite_differences() {
    let worst = Check::new().worst(&HeadSelection, &Dropout::NONE, 1);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn with_all_kinds_of_dropout_and_two_workers_too() {
    let dropout = Dropout { word: 0.3, characters: 0.3, tag: 0.3, all_tags: 0.2, ..Dropout::default() };
    let worst = Check::new().worst(&HeadSelection, &dropout, 2);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn heads_that_a_teacher_is_unsure_of_too() {
    let mut check = Check::new();
    check.examples = sample::examples_of(&sample::taught_block(), &sample::options()).1;
    assert!(check.examples.iter().all(|example| example.taught.is_some()));
    let worst = check.worst(&HeadSelection, &Dropout::NONE, 1);
    assert!(worst < 1e-6, "{worst:e}");
}

/// Some words have tags that are given, others have not, and what is read of the latter depends on what is
/// learned.
#[test]
fn tags_and_lemmas_too() {
    let options = Options { tagging: 5, lemmas: true, xpos: true, layers: 2, ..sample::options() };
    let check = Check::with(options.clone());
    let taught = sample::examples_of(&sample::taught_block(), &options).1;
    assert!(taught.iter().all(|example| example.taught_tags[0].is_some()));
    let unsure = Check { examples: taught, ..Check::with(options) };
    let (alone, all) = (Dropout { tag: 0.5, ..Dropout::NONE }, Dropout { tag: 0.4, ..Dropout::default() });
    for check in [check, unsure] {
        for (dropout, workers) in [(alone, 1), (all, 2)] {
            let worst = check.worst(&HeadSelection, &dropout, workers);
            assert!(worst < 1e-6, "{worst:e}");
        }
    }
}

#[test]
fn the_likelihood_of_trees_too() {
    let worst = Check::new().worst(&TreeLikelihood, &Dropout::NONE, 1);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn the_likelihood_of_what_a_system_can_build_too() {
    for (name, direction) in [("projective", Direction::Ltr), ("mh4+", Direction::Either)] {
        let system = System::named(name).expect(name);
        let worst =
            Check::new().worst(&SystemLikelihood { system, direction, memory: 1 << 30 }, &Dropout::NONE, 1);
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}

#[test]
fn the_margin_of_trees_too() {
    for (name, direction) in [("projective", Direction::Ltr), ("mh4+", Direction::Either)] {
        let system = System::named(name).expect(name);
        let worst = Check::new().worst(&Hinge { system, direction, memory: 1 << 30 }, &Dropout::NONE, 1);
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}

/// One of the sample's trees cannot be built by `arc-standard`.
#[test]
fn transitions_one_by_one_too() {
    for name in ["arc-standard", "all-s0s1", "mh4", "mh4+"] {
        let system = System::named(name).expect(name);
        for check in Check::of_runs() {
            let worst = check.worst(&NextTransition::new(system.clone(), 1 << 30), &Dropout::NONE, 1);
            assert!(worst < 1e-6, "{name}: {worst:e}");
        }
    }
}

#[test]
fn the_margin_of_runs_too() {
    for name in ["arc-standard", "all", "mh4", "mh4+"] {
        let system = System::named(name).expect(name);
        for check in Check::of_runs() {
            let worst = check.worst(&TransitionHinge::new(system.clone(), 1 << 30), &Dropout::NONE, 1);
            assert!(worst < 1e-6, "{name}: {worst:e}");
        }
    }
}

/// One of the sample's trees cannot be built by `arc-standard`.
#[test]
fn the_likelihood_of_trees_with_their_runs_summed_out_too() {
    for name in ["arc-standard", "attardi", "all", "all-s0s1+", "mh3", "mh4", "mh4+", "mh5"] {
        let system = System::named(name).expect(name);
        for check in Check::of_runs() {
            let worst = check.worst(&RunLikelihood::new(system.clone(), 1 << 30), &Dropout::NONE, 1);
            assert!(worst < 1e-6, "{name}: {worst:e}");
        }
    }
}

#[test]
fn steps_do_not_depend_on_the_number_of_threads() {
    let check = Check::new();
    let (_, gradients) = check.gradient(&check.parameters, &HeadSelection, &Dropout::NONE, 1);
    let stepped = |threads| {
        let mut parameters = check.parameters.clone();
        let mut adam = Adam::new(parameters.values.len());
        for _ in 0..3 {
            adam.step(&mut parameters, &gradients, (0.01, 1.0), threads);
        }
        parameters
    };
    assert_ne!(stepped(1), check.parameters);
    for threads in [2, 3, 7] {
        assert_eq!(stepped(threads), stepped(1));
    }
}

/// Without learning, words that look the same are looked up once.
#[test]
fn scores_are_the_same_whether_or_not_they_are_learned_from() {
    let check = Check::with(Options { tagging: 5, lemmas: true, ..sample::options() });
    let inputs: Vec<_> = check.examples.iter().chain(&check.examples).map(|example| &example.input).collect();
    let plain = check.network.forward(&check.parameters, &inputs);
    assert!(plain.input.words.len() < plain.input.packing.words());
    let (learned, _) =
        check.network.forward_to_learn(&check.parameters, &inputs, &Dropout::NONE, &mut Random::new(1));
    for (left, right) in plain.scores.iter().zip(&learned.scores) {
        for (left, right) in left.arcs.values().iter().zip(right.arcs.values()) {
            assert!(left == right || (left - right).abs() < 1e-12, "{left} {right}");
        }
    }
}
