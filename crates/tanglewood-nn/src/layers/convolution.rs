//! Convolutions over the rows of one sequence.

use std::ops::Range;

use super::hidden::{leak, leak_backward};
use crate::matrix::{Matrix, View, ViewMut, add_rows, multiply_add};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// y\[i\] = f(b + Σ x\[i + o\] W_o), summed over some offsets o, where rows beyond the ends are zero. f is
/// the leaky rectifier of [`Hidden`](super::Hidden), or nothing.
///
/// A row of the output depends on rows of the input within [`reach`](Convolution::reach) and on nothing else.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// The matrices W_o, one below the other.
    pub(crate) weights: Tensor,
    pub(crate) bias: Tensor,
    pub(crate) offsets: Vec<isize>,
    pub(crate) rectified: bool,
}

impl Convolution {
    /// A layer for inputs and outputs of these sizes.
    pub fn new(
        layout: &mut Layout,
        name: &str,
        (inputs, outputs): (usize, usize),
        offsets: Vec<isize>,
        rectified: bool,
    ) -> Convolution {
        let rows = offsets.len() * inputs;
        Convolution {
            weights: layout.add(format!("{name}.weights"), rows, outputs, Kind::Glorot),
            bias: layout.add(format!("{name}.bias"), 1, outputs, Kind::Zero),
            offsets,
            rectified,
        }
    }

    /// The largest offset in either direction.
    pub fn reach(&self) -> usize {
        self.offsets.iter().map(|offset| offset.unsigned_abs()).max().unwrap_or(0)
    }

    /// The outputs, row by row.
    pub fn forward<T: Real>(&self, parameters: &Parameters<T>, input: &Matrix<T>) -> Matrix<T> {
        let mut output = Matrix::repeated(parameters.slice(self.bias), input.rows());
        for tap in self.taps(input.rows(), input.columns()) {
            multiply_add(
                output.part_mut(tap.to, 0..self.weights.columns),
                input.part(tap.from, 0..input.columns()),
                self.weights_of(parameters, tap.rows),
            );
        }
        if self.rectified {
            leak(output.values_mut());
        }
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
        if self.rectified {
            leak_backward(gradient.values_mut(), output.values());
        }
        add_rows(gradients.slice_mut(self.bias), &gradient);
        let mut inputs = Matrix::zeros(input.rows(), input.columns());
        let columns = self.weights.columns;
        for tap in self.taps(input.rows(), input.columns()) {
            let of_output = gradient.part(tap.to, 0..columns);
            multiply_add(
                inputs.part_mut(tap.from.clone(), 0..input.columns()),
                of_output,
                self.weights_of(parameters, tap.rows.clone()).transposed(),
            );
            multiply_add(
                ViewMut::of(gradients.slice_mut(self.weights), columns, tap.rows, 0..columns),
                input.part(tap.from, 0..input.columns()).transposed(),
                of_output,
            );
        }
        inputs
    }

    fn weights_of<'p, T: Real>(&self, parameters: &'p Parameters<T>, rows: Range<usize>) -> View<'p, T> {
        View::of(parameters.slice(self.weights), self.weights.columns, rows, 0..self.weights.columns)
    }

    /// Which rows of the input each matrix takes to which rows of the output.
    fn taps(&self, length: usize, inputs: usize) -> impl Iterator<Item = Tap> {
        self.offsets.iter().enumerate().filter_map(move |(at, &offset)| {
            let shift = offset.unsigned_abs();
            let kept = length.checked_sub(shift).filter(|&kept| kept > 0)?;
            let (to, from) = if offset < 0 { (shift..length, 0..kept) } else { (0..kept, shift..length) };
            Some(Tap { to, from, rows: at * inputs..(at + 1) * inputs })
        })
    }
}

/// One offset of a convolution.
struct Tap {
    to: Range<usize>,
    from: Range<usize>,
    /// Rows of the weights.
    rows: Range<usize>,
}
