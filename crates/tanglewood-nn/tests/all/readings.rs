//! Reading in both directions: what is learned from right to left is what is learned from left to right of the
//! mirrored sentence.

use tanglewood::conllu::Sentence;
use tanglewood::inference::Random;
use tanglewood::{Direction, System};
use tanglewood_nn::internals::encoding::{Encoded, Example};
use tanglewood_nn::internals::layers::RunTables;
use tanglewood_nn::internals::matrix::Matrix;
use tanglewood_nn::internals::network::{Network, SentenceScores};
use tanglewood_nn::internals::parameters::{Gradients, Parameters};
use tanglewood_nn::training::{
    Data, Goal, Learner, NextTransition, Objective, RunLikelihood, Settings, Trainer, TransitionHinge,
};
use tanglewood_nn::{About, Dropout, Model, Options};

use crate::sample;

/// Without recurrent layers a network does not know the order of words, so that all of the difference between
/// a sentence and its mirror image is in the direction in which it is read.
fn flat(direction: Direction) -> Options {
    Options { layers: 0, transitions: 3, windows: true, direction, ..sample::options() }
}

/// A network and some parameters, which are the same for one direction and for the other.
fn network(direction: Direction) -> (Network, Parameters<f64>) {
    let options = flat(direction);
    let (vocabulary, _) = sample::examples(&options);
    let network = Network::new(&options, &vocabulary);
    let mut parameters: Parameters<f64> = network.layout().initial(1);
    let mut random = Random::new(7);
    parameters.values.iter_mut().for_each(|value| *value += 0.6 * (random.uniform() - 0.5));
    (network, parameters)
}

/// The sample, and its mirror image.
fn examples() -> [Vec<Example>; 2] {
    let options = flat(Direction::Ltr);
    let (vocabulary, examples) = sample::examples(&options);
    [examples, sample::examples_by(&vocabulary, &sample::mirrored_block(), &options)]
}

fn objectives() -> [Box<dyn Objective<f64>>; 3] {
    let (system, memory) = (System::named("mh4").expect("a system"), 1 << 30);
    [
        Box::new(NextTransition::new(system.clone(), memory)),
        Box::new(TransitionHinge::new(system.clone(), memory)),
        Box::new(RunLikelihood::new(system, memory)),
    ]
}

fn scores(direction: Direction, examples: &[Example]) -> Vec<SentenceScores<f64>> {
    let (network, parameters) = network(direction);
    let inputs: Vec<&Encoded> = examples.iter().map(|example| &example.input).collect();
    let forward = network.forward(&parameters, &inputs);
    (0..inputs.len()).map(|at| forward.scores[forward.input.packing.rank(at)].clone()).collect()
}

fn assert_close(left: &[f64], right: &[f64]) {
    assert_eq!(left.len(), right.len());
    for (left, right) in left.iter().zip(right) {
        assert!(left == right || (left - right).abs() < 1e-12, "{left} {right}");
    }
}

fn tables(tables: &RunTables<f64>) -> Vec<f64> {
    tables.moves.iter().chain(&tables.windows).flat_map(Matrix::values).copied().collect()
}

#[test]
fn scores_from_right_to_left_are_those_of_the_mirrored_sentence() {
    let [straight, mirrored] = examples();
    let found = scores(Direction::Rtl, &straight);
    let expected = scores(Direction::Ltr, &mirrored);
    for (found, expected) in found.iter().zip(&expected) {
        let ([found], [expected]) = (&found.runs[..], &expected.runs[..]) else {
            panic!("one direction each")
        };
        assert_eq!((found.direction, expected.direction), (Direction::Rtl, Direction::Ltr));
        assert_close(&tables(found), &tables(expected));
    }
}

#[test]
fn learning_from_right_to_left_is_learning_from_the_mirrored_sentence() {
    let [straight, mirrored] = examples();
    let learned = |direction, examples: &[Example], objective: &dyn Objective<f64>| {
        let (network, parameters) = network(direction);
        let mut gradients = [Gradients::new(network.layout())];
        let (parameters, dropout) = (&parameters, &Dropout::NONE);
        let learner = Learner { network: &network, parameters, objective, dropout };
        let losses = learner.gradient(&examples.iter().collect::<Vec<_>>(), 3, &mut gradients, 1);
        (losses.arcs, gradients[0].values().to_vec())
    };
    for objective in objectives() {
        let (loss, gradient) = learned(Direction::Rtl, &straight, &*objective);
        let (expected_loss, expected) = learned(Direction::Ltr, &mirrored, &*objective);
        assert_close(&[loss], &[expected_loss]);
        assert_close(&gradient, &expected);
    }
}

#[test]
fn in_either_direction_loss_and_derivative_are_the_mean_of_both() {
    let [examples, _] = examples();
    for objective in objectives() {
        for (example, scores) in examples.iter().zip(scores(Direction::Either, &examples)) {
            let mut both = scores.clone();
            let loss = objective.loss(example, &mut both);
            let (mut expected, mut of_arcs) = (0.0, vec![0.0; scores.arcs.values().len()]);
            for (at, of_run) in both.runs.iter().enumerate() {
                let mut one =
                    SentenceScores { arcs: scores.arcs.clone(), runs: vec![scores.runs[at].clone()] };
                expected += 0.5 * objective.loss(example, &mut one);
                of_arcs.iter_mut().zip(one.arcs.values()).for_each(|(sum, slope)| *sum += 0.5 * slope);
                let halves: Vec<f64> = tables(&one.runs[0]).iter().map(|slope| 0.5 * slope).collect();
                assert_close(&tables(of_run), &halves);
            }
            assert_close(&[loss], &[expected]);
            assert_close(both.arcs.values(), &of_arcs);
        }
    }
}

/// The tables that scores for both directions and their numbers take must not get mixed up in a file.
#[test]
fn a_model_of_each_direction_is_read_as_it_was_written() {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    for direction in [Direction::Ltr, Direction::Rtl, Direction::Either] {
        let options = Options { direction, windows: true, ..sample::options() };
        let settings = Settings { goal: Goal::TransitionLikelihood, ..Settings::default() };
        let trainer = Trainer::new(Data::new(&sentences, &[]), options, settings).expect("a treebank");
        let model = trainer.model();
        assert_eq!(model.options().readings(), direction.each().collect::<Vec<_>>());
        let mut file = Vec::new();
        model.write(&About::default(), &mut file).expect("written");
        let (again, _) = Model::read(&file[..]).expect("read");
        assert_eq!(again.options(), model.options());
        assert_eq!(again.parameters(), model.parameters());
        // Models from left to right are written as they were when there was nothing else.
        let text = String::from_utf8_lossy(&file);
        assert_eq!(text.contains("\"direction\""), direction != Direction::Ltr);
        assert_eq!(text.contains("rtl.moves"), direction.reads_backward());
    }
}

/// Files do not say that there is a direction unless transitions are scored.
#[test]
fn models_of_arcs_have_no_direction() {
    let options = Goal::Heads.fit(Options { direction: Direction::Either, ..sample::options() });
    assert_eq!(options.direction, Direction::Ltr);
    assert!(options.readings().is_empty());
}
