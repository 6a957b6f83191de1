//! A network that says something about every element of a sequence, from the elements around it.

use tanglewood::inference::Random;

use crate::layers::{Bags, Convolution, Embedding};
use crate::matrix::{Matrix, add, multiply_elements};
use crate::parameters::{Gradients, Layout, Parameters};
use crate::real::Real;

/// Embeddings of the features of each element, some convolutions, and scores of classes.
///
/// From the second convolution on, outputs are added to inputs (He et al. 2016). There are no recurrences:
/// the scores of an element depend on the features of those within [`reach`](ContextNetwork::reach), so that
/// a long sequence can be worked on in pieces.
#[derive(Clone, Debug)]
pub struct ContextNetwork {
    pub(crate) embedding: Embedding,
    pub(crate) layers: Vec<Convolution>,
    pub(crate) output: Convolution,
}

/// The shape of a [`ContextNetwork`].
#[derive(Clone, Copy, Debug)]
pub struct ContextShape<'a> {
    /// Prefix of the names of all tensors.
    pub name: &'a str,
    /// Number of hashed features.
    pub buckets: usize,
    /// Columns of the embeddings.
    pub embedding: usize,
    /// Columns of the hidden layers.
    pub hidden: usize,
    /// For each convolution, how far it reaches and the distance between offsets.
    pub layers: &'a [(usize, usize)],
    /// Number of classes.
    pub classes: usize,
}

/// Values of the forward pass that the backward pass reads.
#[derive(Clone, Debug)]
pub struct ContextTape<T> {
    /// The input of each layer and of the output.
    inputs: Vec<Matrix<T>>,
    /// What each convolution gave, before its input was added.
    outputs: Vec<Matrix<T>>,
    masks: Vec<Option<Matrix<T>>>,
}

impl ContextNetwork {
    /// Adds the network's tensors to a layout.
    pub fn new(layout: &mut Layout, shape: ContextShape<'_>) -> ContextNetwork {
        let ContextShape { name, buckets, embedding, hidden, layers, classes } = shape;
        let layer = |(at, &(reach, step)): (usize, &(usize, usize))| {
            let inputs = if at == 0 { embedding } else { hidden };
            let reach = reach as isize;
            let offsets = (-reach..=reach).step_by(step.max(1)).collect();
            (format!("{name}.convolution{at}"), inputs, offsets)
        };
        let layers: Vec<_> = layers.iter().enumerate().map(layer).collect();
        ContextNetwork {
            embedding: Embedding::new(layout, &format!("{name}.features"), buckets, embedding, false),
            layers: layers
                .into_iter()
                .map(|(name, inputs, offsets)| {
                    Convolution::new(layout, &name, (inputs, hidden), offsets, true)
                })
                .collect(),
            output: Convolution::new(layout, &format!("{name}.output"), (hidden, classes), vec![0], false),
        }
    }

    /// How far away an element can be that matters.
    pub fn reach(&self) -> usize {
        self.layers.iter().map(Convolution::reach).sum()
    }

    /// A row of scores for each element; in training, where the input of each layer loses a share `drop` of
    /// its numbers.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        features: &Bags,
        drop: f64,
        random: &mut Random,
    ) -> (Matrix<T>, ContextTape<T>) {
        let mut tape = ContextTape { inputs: Vec::new(), outputs: Vec::new(), masks: Vec::new() };
        let mut current = self.embed(parameters, features);
        for at in 0..=self.layers.len() {
            let mask = mask(current.rows(), current.columns(), drop, random);
            if let Some(mask) = &mask {
                multiply_elements(current.values_mut(), mask.values());
            }
            tape.masks.push(mask);
            let Some(layer) = self.layers.get(at) else { break };
            let output = layer.forward(parameters, &current);
            let mut next = output.clone();
            if at > 0 {
                add(next.values_mut(), current.values());
            }
            tape.outputs.push(output);
            tape.inputs.push(std::mem::replace(&mut current, next));
        }
        let scores = self.output.forward(parameters, &current);
        tape.inputs.push(current);
        (scores, tape)
    }

    /// From the gradient of the scores to that of all parameters.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        features: &Bags,
        tape: &ContextTape<T>,
        scores: Matrix<T>,
        gradients: &mut Gradients<T>,
    ) {
        let last = self.layers.len();
        // The output layer is not rectified, so that what it gave does not matter.
        let none = Matrix::zeros(0, 0);
        let mut gradient = self.output.backward(parameters, &tape.inputs[last], &none, scores, gradients);
        for at in (0..=last).rev() {
            if let Some(mask) = &tape.masks[at] {
                multiply_elements(gradient.values_mut(), mask.values());
            }
            let Some(before) = at.checked_sub(1) else { break };
            let through = self.layers[before].backward(
                parameters,
                &tape.inputs[before],
                &tape.outputs[before],
                gradient.clone(),
                gradients,
            );
            if before > 0 {
                add(gradient.values_mut(), through.values());
            } else {
                gradient = through;
            }
        }
        self.embedding.backward(features, &gradient, 0, gradients);
    }

    fn embed<T: Real>(&self, parameters: &Parameters<T>, features: &Bags) -> Matrix<T> {
        let mut embedded = Matrix::zeros(features.len(), self.embedding.columns());
        self.embedding.forward(parameters, features, &mut embedded, 0);
        embedded
    }
}

/// Zeros and what keeps the expected value; none if nothing is dropped.
fn mask<T: Real>(rows: usize, columns: usize, drop: f64, random: &mut Random) -> Option<Matrix<T>> {
    if drop <= 0.0 {
        return None;
    }
    let kept = T::of(1.0 / (1.0 - drop));
    let limit = (drop * 65536.0) as u64;
    let mut mask = Matrix::zeros(rows, columns);
    for four in mask.values_mut().chunks_mut(4) {
        let mut bits = random.bits();
        for value in four {
            *value = if bits & 0xFFFF < limit { T::ZERO } else { kept };
            bits >>= 16;
        }
    }
    Some(mask)
}
