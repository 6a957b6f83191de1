//! A layer of leaky rectified units.

use crate::matrix::{Matrix, add_rows, multiply, multiply_add};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;
use crate::simd::vectorised;

/// The slope below zero.
const LEAK: f64 = 0.1;

/// y = f(x W + b), where f(z) is z above zero and a tenth of z below.
#[derive(Clone, Debug)]
pub struct Hidden {
    pub(crate) weights: Tensor,
    pub(crate) bias: Tensor,
}

impl Hidden {
    /// A layer for inputs and outputs of these sizes.
    pub fn new(layout: &mut Layout, name: &str, inputs: usize, outputs: usize) -> Hidden {
        Hidden {
            weights: layout.add(format!("{name}.weights"), inputs, outputs, Kind::Glorot),
            bias: layout.add(format!("{name}.bias"), 1, outputs, Kind::Zero),
        }
    }

    /// Columns of inputs.
    pub fn inputs(&self) -> usize {
        self.weights.rows
    }

    /// The outputs, row by row.
    pub fn forward<T: Real>(&self, parameters: &Parameters<T>, input: &Matrix<T>) -> Matrix<T> {
        let mut output = Matrix::repeated(parameters.slice(self.bias), input.rows());
        multiply_add(output.view_mut(), input.view(), parameters.view(self.weights));
        leak(output.values_mut());
        output
    }

    /// From the gradient of the output, which is overwritten, to that of the input.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        input: &Matrix<T>,
        output: &Matrix<T>,
        mut gradient: Matrix<T>,
        gradients: &mut Gradients<T>,
    ) -> Matrix<T> {
        leak_backward(gradient.values_mut(), output.values());
        multiply_add(gradients.view_mut(self.weights), input.view().transposed(), gradient.view());
        add_rows(gradients.slice_mut(self.bias), &gradient);
        let mut inputs = Matrix::zeros(input.rows(), input.columns());
        multiply(inputs.view_mut(), gradient.view(), parameters.view(self.weights).transposed());
        inputs
    }
}

vectorised! {
    pub(crate) fn leak<T: Real>(values: &mut [T]) {
        let slope = T::of(LEAK);
        for value in values {
            *value *= if *value < T::ZERO { slope } else { T::ONE };
        }
    }
}

vectorised! {
    /// Outputs have the sign of what they were computed from, which is all that the derivative depends on.
    pub(super) fn leak_backward<T: Real>(gradient: &mut [T], output: &[T]) {
        let slope = T::of(LEAK);
        for (gradient, &output) in gradient.iter_mut().zip(output) {
            *gradient *= if output < T::ZERO { slope } else { T::ONE };
        }
    }
}
