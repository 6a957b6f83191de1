//! A bidirectional LSTM over packed sentences (Hochreiter and Schmidhuber 1997; Graves and Schmidhuber 2005).
//!
//! Input projections of all words, both directions and all gates are one large product; then each time takes
//! one product for the sentences that are still running. Backward likewise, with one large product for each
//! matrix of weights.
//!
//! In packed rows the second direction needs no reversal: it visits the same blocks from the last to the
//! first, and each sentence joins in, with a state of zero, at its last word.

use std::ops::Range;

use crate::dropout::Mask;
use crate::matrix::{Matrix, add, add_rows, multiply, multiply_add, multiply_elements};
use crate::packing::Packing;
use crate::panels::Panels;
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;
use crate::simd::vectorised;

/// The parameters of a layer. Gates are in the order input, forget, output, candidate; the backward
/// direction's come after the forward direction's.
#[derive(Clone, Debug)]
pub struct Lstm {
    pub(crate) hidden: usize,
    pub(crate) input: Tensor,
    pub(crate) recurrent: [Tensor; 2],
    pub(crate) bias: Tensor,
}

/// Values of the forward pass that the backward pass reads.
#[derive(Clone, Debug)]
pub struct LstmTape<T> {
    input: Matrix<T>,
    mask: Option<Mask<T>>,
    /// Activations of all gates of both directions.
    gates: Matrix<T>,
    /// Cell states, and their hyperbolic tangents.
    cells: Matrix<T>,
    squashed: Matrix<T>,
    /// What each time saw of the one before, after dropout.
    previous: Matrix<T>,
}

/// One direction of a layer: which columns are its own, and how it moves through time.
#[derive(Clone, Copy)]
struct Direction {
    backward: bool,
    hidden: usize,
}

impl Direction {
    fn columns(self) -> Range<usize> {
        let start = if self.backward { self.hidden } else { 0 };
        start..start + self.hidden
    }

    fn gates(self) -> Range<usize> {
        let Range { start, end } = self.columns();
        4 * start..4 * end
    }

    /// Times in the order of computation.
    fn times(self, packing: &Packing) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let last = packing.times();
        (0..last).map(move |at| if self.backward { last - 1 - at } else { at })
    }

    /// The rows computed before those of `time`, for as many sentences as have both; they are the first ones
    /// of either block.
    fn before(self, packing: &Packing, time: usize) -> Range<usize> {
        if self.backward {
            if time + 1 == packing.times() { 0..0 } else { packing.block(time + 1) }
        } else if time == 0 {
            0..0
        } else {
            let start = packing.block(time - 1).start;
            start..start + packing.block(time).len()
        }
    }
}

impl Lstm {
    /// Creates a layer for `inputs` input columns with `hidden` units in each direction.
    pub fn new(layout: &mut Layout, name: &str, inputs: usize, hidden: usize) -> Lstm {
        Lstm {
            hidden,
            input: layout.add(format!("{name}.input"), inputs, 8 * hidden, Kind::Glorot),
            recurrent: ["forward", "backward"]
                .map(|way| layout.add(format!("{name}.{way}"), hidden, 4 * hidden, Kind::Glorot)),
            bias: layout.add(format!("{name}.bias"), 1, 8 * hidden, Kind::Gates),
        }
    }

    /// Number of output columns, both directions together.
    pub fn outputs(&self) -> usize {
        2 * self.hidden
    }

    fn directions(&self) -> [(Direction, Tensor); 2] {
        let way = |backward| Direction { backward, hidden: self.hidden };
        [(way(false), self.recurrent[0]), (way(true), self.recurrent[1])]
    }

    /// The hidden states of both directions, side by side, for packed rows. Where `places` are given, they
    /// say which row of the input each packed row is, which saves the work on rows that are alike. A tape is
    /// kept if `train` is set; only then may there be a `mask`, for what is passed on through time.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        (input, places): (Matrix<T>, Option<&[u32]>),
        mask: Option<Mask<T>>,
        train: bool,
    ) -> (Matrix<T>, Option<LstmTape<T>>) {
        let (rows, hidden) = (packing.words(), self.hidden);
        let mut gates = Matrix::repeated(parameters.slice(self.bias), input.rows());
        multiply_add(gates.view_mut(), input.view(), parameters.view(self.input));
        if let Some(places) = places {
            gates = gates.gathered(places);
        }
        let kept = if train { rows } else { 0 };
        let mut output = Matrix::zeros(rows, 2 * hidden);
        let mut tape = LstmTape {
            input,
            mask,
            gates,
            cells: Matrix::zeros(rows, 2 * hidden),
            squashed: Matrix::zeros(kept, 2 * hidden),
            previous: Matrix::zeros(kept, 2 * hidden),
        };
        let zeros = vec![T::ZERO; hidden];
        let mut unused = vec![T::ZERO; hidden];
        for (direction, recurrent) in self.directions() {
            let columns = direction.columns();
            let weights = Panels::of(parameters.view(recurrent));
            for time in direction.times(packing) {
                let block = packing.block(time);
                let before = direction.before(packing, time);
                let running = block.start..block.start + before.len();
                let source = if train {
                    for (rank, row) in before.clone().enumerate() {
                        let previous = &mut tape.previous.row_mut(block.start + rank)[columns.clone()];
                        previous.copy_from_slice(&output.row(row)[columns.clone()]);
                        if let Some(mask) = &tape.mask {
                            multiply_elements(previous, &mask.row(rank)[columns.clone()]);
                        }
                    }
                    tape.previous.part(running.clone(), columns.clone())
                } else {
                    output.part(before.clone(), columns.clone())
                };
                weights.multiply_add(tape.gates.part_mut(running.clone(), direction.gates()), source);
                for (rank, row) in block.enumerate() {
                    let cells = tape.cells.values_mut();
                    let width = 2 * hidden;
                    let (cell, before) = match before.clone().nth(rank) {
                        None => (&mut cells[row * width..][columns.clone()], &zeros[..]),
                        Some(before) => two_rows(cells, width, row, before, columns.clone()),
                    };
                    let squashed = if train {
                        &mut tape.squashed.row_mut(row)[columns.clone()]
                    } else {
                        &mut unused[..]
                    };
                    step(
                        &mut tape.gates.row_mut(row)[direction.gates()],
                        before,
                        cell,
                        squashed,
                        &mut output.row_mut(row)[columns.clone()],
                    );
                }
            }
        }
        (output, train.then_some(tape))
    }

    /// From the gradient of the output to that of the input. The tape is used up.
    pub fn backward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        packing: &Packing,
        tape: LstmTape<T>,
        mut gradient: Matrix<T>,
        gradients: &mut Gradients<T>,
    ) -> Matrix<T> {
        let LstmTape { input, mask, mut gates, cells, squashed, previous } = tape;
        let (rows, hidden) = (input.rows(), self.hidden);
        let zeros = vec![T::ZERO; hidden];
        for (direction, recurrent) in self.directions() {
            let columns = direction.columns();
            // The gradient of cell states that comes from later in the direction's order, by rank.
            let mut carried = Matrix::zeros(packing.sentences(), hidden);
            let mut of_previous = Matrix::zeros(packing.sentences(), hidden);
            let weights = Panels::of(parameters.view(recurrent).transposed());
            for time in direction.times(packing).rev() {
                let block = packing.block(time);
                let before = direction.before(packing, time);
                for (rank, row) in block.clone().enumerate() {
                    let cell_before = match before.clone().nth(rank) {
                        None => &zeros[..],
                        Some(before) => &cells.row(before)[columns.clone()],
                    };
                    step_backward(
                        &mut gates.row_mut(row)[direction.gates()],
                        cell_before,
                        &squashed.row(row)[columns.clone()],
                        &gradient.row(row)[columns.clone()],
                        carried.row_mut(rank),
                    );
                }
                let running = block.start..block.start + before.len();
                weights.multiply(
                    of_previous.part_mut(0..before.len(), 0..hidden),
                    gates.part(running, direction.gates()),
                );
                for (rank, row) in before.enumerate() {
                    let of_previous = of_previous.row_mut(rank);
                    if let Some(mask) = &mask {
                        multiply_elements(of_previous, &mask.row(rank)[columns.clone()]);
                    }
                    add(&mut gradient.row_mut(row)[columns.clone()], of_previous);
                }
            }
            multiply_add(
                gradients.view_mut(recurrent),
                previous.part(0..rows, columns).transposed(),
                gates.part(0..rows, direction.gates()),
            );
        }
        multiply_add(gradients.view_mut(self.input), input.view().transposed(), gates.view());
        add_rows(gradients.slice_mut(self.bias), &gates);
        let mut inputs = Matrix::zeros(rows, input.columns());
        multiply(inputs.view_mut(), gates.view(), parameters.view(self.input).transposed());
        inputs
    }
}

/// Some columns of two different rows, the first to write, the second to read.
fn two_rows<T>(
    values: &mut [T],
    width: usize,
    first: usize,
    second: usize,
    columns: Range<usize>,
) -> (&mut [T], &[T]) {
    if first < second {
        let (low, high) = values.split_at_mut(second * width);
        (&mut low[first * width..][columns.clone()], &high[columns])
    } else {
        let (low, high) = values.split_at_mut(first * width);
        (&mut high[columns.clone()], &low[second * width..][columns])
    }
}

vectorised! {
    /// One word in one direction: gates become activations; the cell and the output are computed.
    fn step<T: Real>(gates: &mut [T], before: &[T], cell: &mut [T], squashed: &mut [T], output: &mut [T]) {
        let hidden = cell.len();
        let (sigmoids, candidates) = gates.split_at_mut(3 * hidden);
        sigmoids.iter_mut().for_each(|gate| *gate = gate.sigmoid());
        let (inputs, rest) = sigmoids.split_at(hidden);
        let (forgets, outputs) = rest.split_at(hidden);
        let (before, squashed, output) = (&before[..hidden], &mut squashed[..hidden], &mut output[..hidden]);
        let (candidates, outputs) = (&mut candidates[..hidden], &outputs[..hidden]);
        for unit in 0..hidden {
            let candidate = candidates[unit].tanh();
            let state = inputs[unit] * candidate + forgets[unit] * before[unit];
            let tanh = state.tanh();
            candidates[unit] = candidate;
            cell[unit] = state;
            squashed[unit] = tanh;
            output[unit] = outputs[unit] * tanh;
        }
    }
}

vectorised! {
    /// The same backwards: activations of gates become gradients of what they were computed from; `carried`
    /// is the gradient of the cell, then that of the one before.
    fn step_backward<T: Real>(gates: &mut [T], before: &[T], squashed: &[T], output: &[T], carried: &mut [T]) {
        let hidden = carried.len();
        let (inputs, rest) = gates.split_at_mut(hidden);
        let (forgets, rest) = rest.split_at_mut(hidden);
        let (outputs, candidates) = rest.split_at_mut(hidden);
        let candidates = &mut candidates[..hidden];
        let (before, squashed, output) = (&before[..hidden], &squashed[..hidden], &output[..hidden]);
        for unit in 0..hidden {
            let (i, f, o, g) = (inputs[unit], forgets[unit], outputs[unit], candidates[unit]);
            let tanh = squashed[unit];
            let of_cell = carried[unit] + output[unit] * o * (T::ONE - tanh * tanh);
            inputs[unit] = of_cell * g * i * (T::ONE - i);
            forgets[unit] = of_cell * before[unit] * f * (T::ONE - f);
            outputs[unit] = output[unit] * tanh * o * (T::ONE - o);
            candidates[unit] = of_cell * i * (T::ONE - g * g);
            carried[unit] = of_cell * f;
        }
    }
}
