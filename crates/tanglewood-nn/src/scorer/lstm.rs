//! A bidirectional LSTM in integers: see [`Lstm`].
//!
//! Columns of all gates are ordered by units, sixteen at a time: input gates of sixteen units, their forget
//! gates, output gates, candidates. A tile of a product then has all that a few words' next states of sixteen
//! units depend on, which are computed from it at once: no gate is ever stored.

use std::ops::Range;

use crate::integer::{LANES, ROWS, Rows, Sums, TILE_COLUMNS, Weights};
use crate::layers::Lstm;
use crate::matrix::Matrix;
use crate::packing::Packing;
use crate::simd::vectorised;
use crate::store::Store;

/// A bidirectional LSTM layer with weights in integers.
#[derive(Clone, Debug)]
pub struct LstmScorer {
    hidden: usize,
    /// Sixteens of units, the last one filled up.
    parts: usize,
    input: Weights,
    bias: Vec<f32>,
    recurrent: [Weights; 2],
}

impl LstmScorer {
    /// Prepares the layer from the parameters in `store`.
    pub fn new(lstm: &Lstm, store: &Store) -> LstmScorer {
        let hidden = lstm.hidden;
        let parts = hidden.div_ceil(LANES);
        let columns: Vec<Option<usize>> = (0..parts * TILE_COLUMNS)
            .map(|at| {
                let (part, gate, lane) = (at / TILE_COLUMNS, at % TILE_COLUMNS / LANES, at % LANES);
                Some(part * LANES + lane).filter(|&unit| unit < hidden).map(|unit| gate * hidden + unit)
            })
            .collect();
        let shifted = columns.iter().map(|column| column.map(|column| 4 * hidden + column));
        let both: Vec<Option<usize>> = columns.iter().copied().chain(shifted).collect();
        let bias = store.values(lstm.bias);
        LstmScorer {
            hidden,
            parts,
            input: Weights::new(&store.codes(lstm.input), 0..lstm.input.rows, &both),
            bias: both.iter().map(|column| column.map_or(0.0, |column| bias[column])).collect(),
            recurrent: lstm
                .recurrent
                .map(|tensor| Weights::new(&store.codes(tensor), 0..tensor.rows, &columns)),
        }
    }

    /// Number of columns of the output.
    pub fn outputs(&self) -> usize {
        2 * self.hidden
    }

    /// Number of multiplications for a word.
    pub fn products(&self) -> usize {
        self.input.products() + self.recurrent.iter().map(Weights::products).sum::<usize>()
    }

    /// Contribution of the input to all gates, row by row.
    pub fn project(&self, input: &Matrix<f32>, rounded: &mut Rows) -> Matrix<f32> {
        self.input.round((0..input.rows()).map(|row| input.row(row)), rounded);
        self.input.product(rounded, |_| &self.bias)
    }

    /// The hidden states of both directions in the first columns of `output`, which has packed rows. `place`
    /// says which row of `projected` belongs to a packed row.
    pub fn run(
        &self,
        packing: &Packing,
        projected: &Matrix<f32>,
        place: impl Fn(usize) -> usize,
        output: &mut Matrix<f32>,
        rounded: &mut Rows,
    ) {
        for (direction, recurrent) in self.recurrent.iter().enumerate() {
            let backward = direction == 1;
            let first_column = direction * self.hidden;
            let first_gate = direction * self.parts * TILE_COLUMNS;
            // For each sixteen units and each sentence by rank.
            let mut cells = vec![[0.0; LANES]; self.parts * packing.sentences()];
            for at in 0..packing.times() {
                let time = if backward { packing.times() - 1 - at } else { at };
                let block = packing.block(time);
                let before = before(packing, time, backward);
                let columns = first_column..first_column + self.hidden;
                let running = before.len();
                recurrent.round(before.map(|row| &output.row(row)[columns.clone()]), rounded);
                let mut step = |first: usize, part: usize, sums: &Sums, scales: &[f32]| {
                    let row = block.start + first;
                    let first_gate = first_gate + part * TILE_COLUMNS;
                    let inputs: [&[f32]; ROWS] = std::array::from_fn(|at| match at < scales.len() {
                        true => &projected.row(place(row + at))[first_gate..][..TILE_COLUMNS],
                        false => &[],
                    });
                    let cells = &mut cells[part * packing.sentences() + first..][..scales.len()];
                    let mut states = [[0.0; LANES]; ROWS];
                    next_states(sums, scales, inputs, cells, &mut states);
                    let units = part * LANES..self.hidden.min((part + 1) * LANES);
                    for (at, states) in states.iter().enumerate().take(scales.len()) {
                        let to = &mut output.row_mut(row + at)[first_column..][units.clone()];
                        to.copy_from_slice(&states[..units.len()]);
                    }
                };
                // Sentences that begin here, in this direction, have no state yet.
                for first in (running..block.len()).step_by(ROWS) {
                    let nothing = &[0.0; ROWS][..ROWS.min(block.len() - first)];
                    let sums = [[0; TILE_COLUMNS]; ROWS];
                    (0..self.parts).for_each(|part| step(first, part, &sums, nothing));
                }
                recurrent.each_tile(rounded, |first, column, sums, scales| {
                    step(first, column / TILE_COLUMNS, sums, scales);
                });
            }
        }
    }
}

/// The rows computed before those of `time`, for as many sentences as have both; they are the first ones of
/// either block.
fn before(packing: &Packing, time: usize, backward: bool) -> Range<usize> {
    match backward {
        true if time + 1 == packing.times() => 0..0,
        true => packing.block(time + 1),
        false if time == 0 => 0..0,
        false => {
            let start = packing.block(time - 1).start;
            start..start + packing.block(time).len()
        }
    }
}

vectorised! {
    /// The next states of sixteen units of a few words, from what gates get through time and from the input.
    fn next_states(
        sums: &Sums,
        scales: &[f32],
        inputs: [&[f32]; ROWS],
        cells: &mut [[f32; LANES]],
        states: &mut [[f32; LANES]; ROWS],
    ) {
        let words = sums.iter().zip(scales).zip(inputs).zip(cells).zip(states);
        for ((((sums, &scale), inputs), cells), states) in words {
            let Some(inputs) = inputs.first_chunk::<TILE_COLUMNS>() else { continue };
            for lane in 0..LANES {
                let gate = |number: usize| {
                    inputs[number * LANES + lane] + sums[number * LANES + lane] as f32 * scale
                };
                let cell = squashed(gate(0), gate(3)) + cells[lane] / (1.0 + exp(-gate(1)));
                cells[lane] = cell;
                states[lane] = squashed(gate(2), cell);
            }
        }
    }
}

/// The logistic function of `gate` times the hyperbolic tangent of `value`, by one division.
#[inline(always)]
fn squashed(gate: f32, value: f32) -> f32 {
    let power = exp(value + value);
    (power - 1.0) / ((1.0 + exp(-gate)) * (power + 1.0))
}

/// exp(x) with a relative error below 7·10⁻⁵, which is little beside that of weights in bytes; below −40 and
/// above 40 it stays where it is there, so that products of two are finite. The same as
/// [`fast_exp`](crate::real::fast_exp) but for a polynomial of degree 4: the first term left out is below
/// r⁵/120 < 4.3·10⁻⁵, and exp(r) at least 0.7.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const ROUNDING: f32 = 12_582_912.0;
    let x = if x < -40.0 { -40.0 } else { x };
    let x = if x > 40.0 { 40.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let r = x - (shifted - ROUNDING) * std::f32::consts::LN_2;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    let sum = (1.0 / 24.0 * r + 1.0 / 6.0) * r + 0.5;
    ((sum * r + 1.0) * r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_close_to_what_they_stand_for() {
        for at in -4000..=4000 {
            let x = at as f32 / 50.0;
            let exact = f64::from(x.clamp(-40.0, 40.0)).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 7e-5, "{x}");
            for gate in [-100.0, -3.0, 0.0, 0.5, 100.0f32] {
                let exact = f64::from(x).tanh() / (1.0 + f64::from(-gate).exp());
                assert!((f64::from(squashed(gate, x)) - exact).abs() < 5e-5, "{gate} {x}");
            }
        }
    }
}
