//! Each layer by itself: gradients of inputs against finite differences, and the LSTM against its definition.

use tanglewood::inference::Random;
use tanglewood_nn::internals::layers::{
    Arcs, Bags, Convolution, Hidden, LabelledArcs, Labels, Lstm, MOVES, Moves, WINDOWS, Windows,
    cross_entropy, log_softmax,
};
use tanglewood_nn::internals::matrix::Matrix;
use tanglewood_nn::internals::packing::Packing;
use tanglewood_nn::internals::parameters::{Gradients, Layout, Parameters};
use tanglewood_nn::segmentation::internals::{ContextNetwork, ContextShape};

fn random(rows: usize, columns: usize, seed: u64) -> Matrix<f64> {
    let mut random = Random::new(seed);
    let mut matrix = Matrix::zeros(rows, columns);
    matrix.values_mut().iter_mut().for_each(|value| *value = 2.0 * random.uniform() - 1.0);
    matrix
}

fn parameters(layout: &Layout) -> Parameters<f64> {
    Parameters { values: random(1, layout.len(), 11).values().to_vec() }
}

/// The product, element by element, with fixed weights: a loss whose derivative is the weights.
fn weighted(output: &Matrix<f64>, weights: &Matrix<f64>) -> f64 {
    output.values().iter().zip(weights.values()).map(|(output, weight)| output * weight).sum()
}

/// Compares a gradient with the differences of a loss.
fn check(input: &Matrix<f64>, gradient: &Matrix<f64>, loss: impl Fn(&Matrix<f64>) -> f64) {
    const STEP: f64 = 1e-6;
    for at in 0..input.values().len() {
        let mut moved = input.clone();
        moved.values_mut()[at] = input.values()[at] + STEP;
        let above = loss(&moved);
        moved.values_mut()[at] = input.values()[at] - STEP;
        let difference = (above - loss(&moved)) / (2.0 * STEP);
        assert!((difference - gradient.values()[at]).abs() < 1e-7, "{difference} {}", gradient.values()[at]);
    }
}

#[test]
fn hidden_layer() {
    let mut layout = Layout::default();
    let layer = Hidden::new(&mut layout, "hidden", 4, 6);
    let parameters = parameters(&layout);
    let (input, weights) = (random(5, 4, 1), random(5, 6, 2));
    let output = layer.forward(&parameters, &input);
    let mut gradients = Gradients::new(&layout);
    let gradient = layer.backward(&parameters, &input, &output, weights.clone(), &mut gradients);
    check(&input, &gradient, |input| weighted(&layer.forward(&parameters, input), &weights));
}

#[test]
fn convolution() {
    for rectified in [false, true] {
        let mut layout = Layout::default();
        let layer = Convolution::new(&mut layout, "convolution", (3, 4), vec![-4, -1, 0, 2], rectified);
        let parameters = parameters(&layout);
        for rows in [1, 2, 3, 7] {
            let (input, weights) = (random(rows, 3, 1), random(rows, 4, 2));
            let output = layer.forward(&parameters, &input);
            let mut gradients = Gradients::new(&layout);
            let gradient = layer.backward(&parameters, &input, &output, weights.clone(), &mut gradients);
            check(&input, &gradient, |input| weighted(&layer.forward(&parameters, input), &weights));
        }
    }
}

#[test]
fn context_network() {
    let mut layout = Layout::default();
    let shape = ContextShape {
        name: "context",
        buckets: 10,
        embedding: 3,
        hidden: 4,
        layers: &[(1, 1), (2, 2), (3, 3)],
        classes: 2,
    };
    let network = ContextNetwork::new(&mut layout, shape);
    assert_eq!(network.reach(), 6);
    let parameters = parameters(&layout);
    let mut bags = Bags::default();
    (0..8u32).for_each(|at| bags.push([at, (at * 3) % 10]));
    let weights = random(8, 2, 3);
    for drop in [0.0, 0.3] {
        // The same seed gives the same masks.
        let scores = |values: &Matrix<f64>| {
            let parameters = Parameters { values: values.values().to_vec() };
            network.forward(&parameters, &bags, drop, &mut Random::new(5))
        };
        let mut values = Matrix::zeros(1, layout.len());
        values.values_mut().copy_from_slice(&parameters.values);
        let (_, tape) = scores(&values);
        let mut gradients = Gradients::new(&layout);
        network.backward(&parameters, &bags, &tape, weights.clone(), &mut gradients);
        let mut gradient = Matrix::zeros(1, layout.len());
        gradient.values_mut().copy_from_slice(gradients.values());
        check(&values, &gradient, |values| weighted(&scores(values).0, &weights));
    }
}

#[test]
fn lstm() {
    let mut layout = Layout::default();
    let layer = Lstm::new(&mut layout, "lstm", 3, 4);
    let parameters = parameters(&layout);
    let packing = Packing::new(&[2, 4, 1, 4]);
    let (input, weights) = (random(11, 3, 1), random(11, 8, 2));
    let (_, tape) = layer.forward(&parameters, &packing, (input.clone(), None), None, true);
    let tape = tape.expect("kept for training");
    let mut gradients = Gradients::new(&layout);
    let gradient = layer.backward(&parameters, &packing, tape, weights.clone(), &mut gradients);
    check(&input, &gradient, |input| {
        weighted(&layer.forward(&parameters, &packing, (input.clone(), None), None, false).0, &weights)
    });
}

#[test]
fn arcs() {
    let mut layout = Layout::default();
    let layer = Arcs::new(&mut layout, "arcs", 3);
    let parameters = parameters(&layout);
    let packing = Packing::new(&[3, 2]);
    let words = random(5, 6, 1);
    let scores = |words: &Matrix<f64>| -> Vec<Matrix<f64>> {
        let queries = layer.queries(&parameters, words);
        (0..2).map(|rank| layer.scores(&parameters, words, &queries, packing.rows(rank))).collect()
    };
    // A word is not its own head.
    let mut weights = [random(3, 4, 2), random(2, 3, 3)];
    for weights in &mut weights {
        (0..weights.rows()).for_each(|row| weights.row_mut(row)[row + 1] = 0.0);
    }
    let (mut gradient, mut gradients) = (Matrix::zeros(5, 6), Gradients::new(&layout));
    let queries = layer.queries(&parameters, &words);
    layer.backward(&parameters, &packing, (&words, &queries), &weights, &mut gradient, &mut gradients);
    check(&words, &gradient, |words| {
        let mut scores = scores(words);
        for scores in &mut scores {
            (0..scores.rows()).for_each(|row| scores.row_mut(row)[row + 1] = 0.0);
        }
        scores.iter().zip(&weights).map(|(scores, weights)| weighted(scores, weights)).sum()
    });
}

#[test]
fn moves() {
    let mut layout = Layout::default();
    let layer = Moves::new(&mut layout, "moves", 3);
    let parameters = parameters(&layout);
    let packing = Packing::new(&[3, 2]);
    let words = random(5, 8, 1);
    let of = |n: usize, seed| (0..MOVES as u64).map(|at| random(n, n + 1, seed + at)).collect::<Vec<_>>();
    let weights = [of(3, 2), of(2, 12)];
    let (_, tape) = layer.forward(&parameters, &packing, &words, 2);
    let (mut gradient, mut gradients) = (Matrix::zeros(5, 8), Gradients::new(&layout));
    layer.backward(&parameters, &packing, (&words, &tape), &weights, (&mut gradient, 2), &mut gradients);
    check(&words, &gradient, |words| {
        let (scores, _) = layer.forward(&parameters, &packing, words, 2);
        let pairs = scores.iter().flatten().zip(weights.iter().flatten());
        pairs.map(|(scores, weights)| weighted(scores, weights)).sum()
    });
}

#[test]
fn windows() {
    let mut layout = Layout::default();
    let layer = Windows::new(&mut layout, "windows", 3);
    let parameters = parameters(&layout);
    let packing = Packing::new(&[3, 2]);
    let words = random(5, 11, 1);
    let (scores, tape) = layer.forward(&parameters, &packing, &words, 2);
    let shaped = |scores: &Matrix<f64>, seed| random(scores.rows(), scores.columns(), seed);
    let weights: Vec<Vec<Matrix<f64>>> = scores
        .iter()
        .map(|scores| (2..).zip(scores).map(|(seed, scores)| shaped(scores, seed)).collect())
        .collect();
    assert!(scores.iter().all(|scores| scores.len() == WINDOWS));
    let (mut gradient, mut gradients) = (Matrix::zeros(5, 11), Gradients::new(&layout));
    layer.backward(&parameters, &packing, (&words, &tape), &weights, (&mut gradient, 2), &mut gradients);
    check(&words, &gradient, |words| {
        let (scores, _) = layer.forward(&parameters, &packing, words, 2);
        let pairs = scores.iter().flatten().zip(weights.iter().flatten());
        pairs.map(|(scores, weights)| weighted(scores, weights)).sum()
    });
}

#[test]
fn labels() {
    let mut layout = Layout::default();
    let layer = Labels::new(&mut layout, "labels", 3, 4);
    let parameters = parameters(&layout);
    let (words, weights) = (random(4, 8, 1), random(4, 4, 2));
    fn of(words: &Matrix<f64>) -> LabelledArcs<'_, f64> {
        LabelledArcs { words, column: 2, heads: &[Some(1), None, Some(1), Some(0)] }
    }
    let (_, tape) = layer.forward(&parameters, of(&words));
    let (mut gradient, mut gradients) = (Matrix::zeros(4, 8), Gradients::new(&layout));
    layer.backward(&parameters, of(&words), &tape, &weights, &mut gradient, &mut gradients);
    check(&words, &gradient, |words| weighted(&layer.forward(&parameters, of(words)).0, &weights));
}

#[test]
fn softmax() {
    let scores = random(1, 6, 1);
    let mut gradient = scores.clone();
    let loss = cross_entropy(gradient.row_mut(0), 2);
    check(&scores, &gradient, |scores| cross_entropy(scores.clone().row_mut(0), 2));
    let mut logarithms = scores.clone();
    log_softmax(logarithms.row_mut(0));
    assert!((loss + logarithms.row(0)[2]).abs() < 1e-12);
}

#[test]
fn forbidden_scores_have_no_gradient() {
    let mut scores = [1.0f32, f32::NEG_INFINITY, 2.0];
    assert!(cross_entropy(&mut scores, 0).is_finite());
    assert!(scores[1].abs() < 1e-30);
}

#[test]
fn a_packed_lstm_computes_what_its_definition_says() {
    let (inputs, hidden) = (3, 2);
    let mut layout = Layout::default();
    let layer = Lstm::new(&mut layout, "lstm", inputs, hidden);
    let parameters = parameters(&layout);
    let lengths = [2, 5, 1, 3];
    let packing = Packing::new(&lengths);
    let sentences = random(packing.words(), inputs, 1);
    let (output, _) = layer.forward(&parameters, &packing, (packing.pack(&sentences), None), None, false);
    let output = packing.unpack(&output);

    let tensor = |name: &str| {
        let entry = layout.entries().iter().find(|entry| entry.name == name).expect(name);
        let values = parameters.slice(entry.tensor);
        move |row: usize, column: usize| values[row * entry.tensor.columns + column]
    };
    let (input, bias) = (tensor("lstm.input"), tensor("lstm.bias"));
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    for rank in 0..lengths.len() {
        for backward in [false, true] {
            let recurrent = tensor(if backward { "lstm.backward" } else { "lstm.forward" });
            let first = if backward { 4 * hidden } else { 0 };
            let (mut state, mut cell) = (vec![0.0; hidden], vec![0.0; hidden]);
            let mut rows: Vec<usize> = packing.rows(rank).collect();
            if backward {
                rows.reverse();
            }
            for row in rows {
                let gate = |gate: usize, unit: usize| {
                    let column = gate * hidden + unit;
                    let of_input: f64 =
                        (0..inputs).map(|k| sentences.row(row)[k] * input(k, first + column)).sum();
                    let of_state: f64 = (0..hidden).map(|k| state[k] * recurrent(k, column)).sum();
                    of_input + of_state + bias(0, first + column)
                };
                let next: Vec<(f64, f64)> = (0..hidden)
                    .map(|unit| {
                        let cell = sigmoid(gate(1, unit)) * cell[unit]
                            + sigmoid(gate(0, unit)) * gate(3, unit).tanh();
                        (cell, sigmoid(gate(2, unit)) * cell.tanh())
                    })
                    .collect();
                (cell, state) = next.into_iter().unzip();
                let found = &output.row(row)[if backward { hidden } else { 0 }..][..hidden];
                assert!(found.iter().zip(&state).all(|(found, state)| (found - state).abs() < 1e-12));
            }
        }
    }
}
