//! Tags and lemmas: classes of which a word has one of each group, and what the layers above read of them.

use std::ops::Range;

use tanglewood::inference::Random;

use super::hidden::Hidden;
use super::softmax::softmaxes;
use crate::dropout::Mask;
use crate::matrix::{Matrix, add_rows, dot, multiply, multiply_add};
use crate::packing::Packing;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// The sizes of a tagger.
#[derive(Clone, Debug)]
pub struct TaggerShape {
    /// Number of input columns.
    pub inputs: usize,
    /// Number of hidden columns.
    pub hidden: usize,
    /// Groups of classes, one after the other.
    pub groups: Vec<Range<usize>>,
    /// Number of lemma scripts.
    pub scripts: usize,
    /// Columns of the output that the layers above read.
    pub outputs: usize,
}

/// A hidden layer, a softmax for each group of classes, and an embedding of each class.
///
/// What others read is the mean of the embeddings of classes by their probabilities, summed over groups.
/// Where a class is given, it has probability one.
#[derive(Clone, Debug)]
pub struct Tagger {
    pub(crate) groups: Vec<Range<usize>>,
    pub(crate) hidden: Hidden,
    pub(crate) weights: Tensor,
    pub(crate) bias: Tensor,
    pub(crate) script_weights: Tensor,
    pub(crate) script_bias: Tensor,
    pub(crate) embeddings: Tensor,
}

/// What a tagger says of all words of a batch, in packed rows, and what the backward pass needs.
#[derive(Clone, Debug)]
pub struct Tagged<T> {
    /// The probability of each class.
    pub probabilities: Matrix<T>,
    /// For each word and group whether its class was given.
    pub given: Vec<bool>,
    input: Matrix<T>,
    hidden: Matrix<T>,
    masks: TaggerMasks<T>,
}

/// Dropout masks of one training pass.
#[derive(Clone, Debug)]
pub struct TaggerMasks<T> {
    /// Mask of the input columns.
    pub input: Option<Mask<T>>,
    /// Mask of the hidden columns.
    pub hidden: Option<Mask<T>>,
}

/// Derivatives of a loss by what a tagger says, apart from what others read.
#[derive(Clone, Debug)]
pub struct TagSlopes<T> {
    /// Derivatives with respect to the class scores.
    pub classes: Matrix<T>,
    /// Derivatives with respect to the script scores.
    pub scripts: Matrix<T>,
}

impl Tagger {
    /// Creates a tagger of this shape.
    pub fn new(layout: &mut Layout, name: &str, shape: TaggerShape) -> Tagger {
        let classes = shape.groups.last().map_or(0, |group| group.end);
        let (hidden, scripts) = (shape.hidden, shape.scripts);
        Tagger {
            hidden: Hidden::new(layout, &format!("{name}.hidden"), shape.inputs, hidden),
            weights: layout.add(format!("{name}.weights"), hidden, classes, Kind::Zero),
            bias: layout.add(format!("{name}.bias"), 1, classes, Kind::Zero),
            script_weights: layout.add(format!("{name}.script_weights"), hidden, scripts, Kind::Zero),
            script_bias: layout.add(format!("{name}.script_bias"), 1, scripts, Kind::Zero),
            embeddings: layout.add(format!("{name}.embeddings"), classes, shape.outputs, Kind::Glorot),
            groups: shape.groups,
        }
    }

    /// Masks for `sentences` sentences, which drop columns with these probabilities.
    pub fn masks<T: Real>(
        &self,
        sentences: usize,
        (input, hidden): (f64, f64),
        random: &mut Random,
    ) -> TaggerMasks<T> {
        TaggerMasks {
            input: Mask::new(sentences, self.hidden.inputs(), input, random),
            hidden: Mask::new(sentences, self.weights.rows, hidden, random),
        }
    }

    /// What others read, and what is said of each word. `given` has the class of each word and group, if
    /// known.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        mut input: Matrix<T>,
        masks: TaggerMasks<T>,
        given: &[Option<u32>],
    ) -> (Matrix<T>, Tagged<T>) {
        if let Some(mask) = &masks.input {
            mask.apply_packed(packing, &mut input);
        }
        let mut hidden = self.hidden.forward(parameters, &input);
        if let Some(mask) = &masks.hidden {
            mask.apply_packed(packing, &mut hidden);
        }
        let mut probabilities = Matrix::repeated(parameters.slice(self.bias), input.rows());
        multiply_add(probabilities.view_mut(), hidden.view(), parameters.view(self.weights));
        for (row, given) in given.chunks_exact(self.groups.len().max(1)).enumerate() {
            let row = probabilities.row_mut(row);
            softmaxes(row, &self.groups);
            for (group, &class) in self.groups.iter().zip(given) {
                if let Some(class) = class {
                    row[group.clone()].fill(T::ZERO);
                    row[class as usize] = T::ONE;
                }
            }
        }
        let mut outputs = Matrix::zeros(input.rows(), self.embeddings.columns);
        multiply(outputs.view_mut(), probabilities.view(), parameters.view(self.embeddings));
        let given = given.iter().map(Option::is_some).collect();
        (outputs, Tagged { probabilities, given, input, hidden, masks })
    }

    /// The scores of all scripts for some words.
    pub fn scripts<T: Real>(
        &self,
        parameters: &Parameters<T>,
        tagged: &Tagged<T>,
        words: impl ExactSizeIterator<Item = usize>,
    ) -> Matrix<T> {
        let mut hidden = Matrix::zeros(words.len(), tagged.hidden.columns());
        for (row, word) in words.enumerate() {
            hidden.row_mut(row).copy_from_slice(tagged.hidden.row(word));
        }
        let mut scores = Matrix::repeated(parameters.slice(self.script_bias), hidden.rows());
        multiply_add(scores.view_mut(), hidden.view(), parameters.view(self.script_weights));
        scores
    }

    /// From the gradients of what is said, and of what others read, to that of the input.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        tagged: Tagged<T>,
        (of_tags, outputs): (TagSlopes<T>, Matrix<T>),
        gradients: &mut Gradients<T>,
    ) -> Matrix<T> {
        let Tagged { probabilities, given, input, hidden, masks } = tagged;
        let TagSlopes { mut classes, scripts } = of_tags;
        multiply_add(gradients.view_mut(self.embeddings), probabilities.view().transposed(), outputs.view());
        let mut of_probabilities = Matrix::zeros(probabilities.rows(), probabilities.columns());
        let embeddings = parameters.view(self.embeddings).transposed();
        multiply(of_probabilities.view_mut(), outputs.view(), embeddings);
        for (row, given) in given.chunks_exact(self.groups.len().max(1)).enumerate() {
            for (group, _) in self.groups.iter().zip(given).filter(|&(_, &given)| !given) {
                let probabilities = &probabilities.row(row)[group.clone()];
                let of_probabilities = &of_probabilities.row(row)[group.clone()];
                let mean = dot(probabilities, of_probabilities);
                let of_classes = &mut classes.row_mut(row)[group.clone()];
                for ((to, &probability), &of) in
                    of_classes.iter_mut().zip(probabilities).zip(of_probabilities)
                {
                    *to += probability * (of - mean);
                }
            }
        }
        let mut of_hidden = Matrix::zeros(hidden.rows(), hidden.columns());
        for (weights, bias, of) in
            [(self.weights, self.bias, &classes), (self.script_weights, self.script_bias, &scripts)]
        {
            multiply_add(gradients.view_mut(weights), hidden.view().transposed(), of.view());
            add_rows(gradients.slice_mut(bias), of);
            multiply_add(of_hidden.view_mut(), of.view(), parameters.view(weights).transposed());
        }
        if let Some(mask) = &masks.hidden {
            mask.apply_packed(packing, &mut of_hidden);
        }
        let mut of_input = self.hidden.backward(parameters, &input, &hidden, of_hidden, gradients);
        if let Some(mask) = &masks.input {
            mask.apply_packed(packing, &mut of_input);
        }
        of_input
    }
}
