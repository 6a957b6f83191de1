//! Conditional distributions from small neural networks, in the place of multinomials with back-off.
//!
//! Each of the three [choices](Choice) has a network with one hidden layer: each symbol has a vector for each
//! place of the window it can be in, the hidden layer is tanh of the sum of these, and the outcomes that are
//! possible have a softmax of a linear function of it. There is nothing to back off to: what is known of a
//! context comes from what its symbols do elsewhere, and nothing that is possible has probability zero.
//!
//! A step of EM raises the expected log-likelihood of the events, Σ count · ln p(event | choice), by steps of
//! gradient ascent, see `ascent.rs`.

use super::counts::Choice;
use super::kinds::Kinds;
use super::symbols::Symbols;
use crate::random::Random;

/// Number of numbers in a hidden layer.
pub(super) const HIDDEN: usize = 32;

/// Symbols of the window that a choice sees at most.
const PLACES: usize = 3;

/// Initial numbers of symbols' vectors are at most this large.
const SPREAD: f64 = 0.3;

/// Largest parameter that a file may have. None that was learned comes near it, and sums of larger ones could
/// be infinite, and their probabilities no numbers.
const LARGEST: f64 = 1e100;

/// Networks for all choices, with all their parameters in one row: for each choice the vectors of symbols by
/// place, the bias of the hidden layer, the weights of outcomes, and their biases.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    symbols: usize,
    kinds: usize,
    pub parameters: Vec<f64>,
}

/// Where the parameters of one choice are.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    places: usize,
    outcomes: usize,
}

impl Part {
    /// Of the vector of a symbol at a place.
    fn vector(&self, symbols: usize, place: usize, symbol: u32) -> usize {
        self.start + (place * symbols + symbol as usize) * HIDDEN
    }

    fn bias(&self, symbols: usize) -> usize {
        self.start + self.places * symbols * HIDDEN
    }

    fn weights(&self, symbols: usize) -> usize {
        self.bias(symbols) + HIDDEN
    }

    fn outcome_biases(&self, symbols: usize) -> usize {
        self.weights(symbols) + self.outcomes * HIDDEN
    }

    fn end(&self, symbols: usize) -> usize {
        self.outcome_biases(symbols) + self.outcomes
    }
}

impl Network {
    /// All outcomes are about equally probable; random by a seed.
    pub fn new(symbols: usize, kinds: usize, seed: u64) -> Network {
        let mut network = Network { symbols, kinds, parameters: Vec::new() };
        let mut random = Random::new(seed);
        let [.., last] = network.parts();
        network.parameters = vec![0.0; last.end(symbols)];
        for part in network.parts() {
            let vectors = &mut network.parameters[part.start..part.bias(symbols)];
            vectors.iter_mut().for_each(|number| *number = SPREAD * (2.0 * random.uniform() - 1.0));
        }
        network
    }

    /// With these parameters, if it is the right number of numbers that can be computed with.
    pub fn with(symbols: usize, kinds: usize, parameters: Vec<f64>) -> Option<Network> {
        let network = Network { symbols, kinds, parameters };
        let [.., last] = network.parts();
        let fits = network.parameters.len() == last.end(symbols);
        (fits && network.parameters.iter().all(|number| number.abs() <= LARGEST)).then_some(network)
    }

    fn parts(&self) -> [Part; 3] {
        let symbols = self.symbols;
        let step = Part { start: 0, places: 2, outcomes: 2 };
        let kind = Part { start: step.end(symbols), places: PLACES, outcomes: self.kinds };
        let next = Part { start: kind.end(symbols), places: 2, outcomes: symbols };
        [step, kind, next]
    }

    /// The part for a choice, and the symbols it sees.
    fn part(&self, choice: Choice) -> (Part, [u32; PLACES]) {
        let [step, kind, next] = self.parts();
        match choice {
            Choice::Step { s0, b0 } => (step, [s0, b0, 0]),
            Choice::Kind { s0, s1, b0 } => (kind, [s0, s1, b0]),
            Choice::Next { s0, s1 } => (next, [s0, s1, 0]),
        }
    }

    fn hidden(&self, part: &Part, seen: [u32; PLACES]) -> [f64; HIDDEN] {
        let mut sums = [0.0; HIDDEN];
        let vectors = (0..part.places).map(|place| part.vector(self.symbols, place, seen[place]));
        for start in vectors.chain([part.bias(self.symbols)]) {
            for (sum, number) in sums.iter_mut().zip(&self.parameters[start..start + HIDDEN]) {
                *sum += number;
            }
        }
        sums.map(f64::tanh)
    }

    /// The probabilities of all outcomes, zero for those that are not possible.
    pub fn probabilities(&self, choice: Choice, kinds: &Kinds) -> Vec<f64> {
        let (part, seen) = self.part(choice);
        self.softmax(&part, &self.hidden(&part, seen), choice, kinds)
    }

    fn softmax(&self, part: &Part, hidden: &[f64; HIDDEN], choice: Choice, kinds: &Kinds) -> Vec<f64> {
        let weights = &self.parameters[part.weights(self.symbols)..part.outcome_biases(self.symbols)];
        let biases = &self.parameters[part.outcome_biases(self.symbols)..part.end(self.symbols)];
        let rows = weights.as_chunks::<HIDDEN>().0.iter().zip(biases);
        let mut scores: Vec<f64> = (0..)
            .zip(rows)
            .map(|(outcome, (row, bias))| match is_possible(choice, outcome, kinds) {
                true => *bias + dot(row, hidden),
                false => f64::NEG_INFINITY,
            })
            .collect();
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            scores.fill(0.0);
            return scores;
        }
        scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
        let total: f64 = scores.iter().sum();
        scores.iter_mut().for_each(|share| *share /= total);
        scores
    }

    /// Σ count · ln p(outcome | choice) of one choice; its derivative is added to `gradient`.
    pub fn add_gradient(
        &self,
        choice: Choice,
        counts: &[(u32, f64)],
        kinds: &Kinds,
        gradient: &mut [f64],
    ) -> f64 {
        let (part, seen) = self.part(choice);
        let hidden = self.hidden(&part, seen);
        let probabilities = self.softmax(&part, &hidden, choice, kinds);
        let total: f64 = counts.iter().map(|(_, count)| count).sum();
        let mut slopes: Vec<f64> = probabilities.iter().map(|share| -total * share).collect();
        let mut sum = 0.0;
        for &(outcome, count) in counts {
            slopes[outcome as usize] += count;
            sum += count * probabilities[outcome as usize].ln();
        }
        let (weights, biases) = (part.weights(self.symbols), part.outcome_biases(self.symbols));
        let mut of_hidden = [0.0; HIDDEN];
        for (outcome, &slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            let row = weights + outcome * HIDDEN;
            gradient[biases + outcome] += slope;
            for at in 0..HIDDEN {
                gradient[row + at] += slope * hidden[at];
                of_hidden[at] += slope * self.parameters[row + at];
            }
        }
        for at in 0..HIDDEN {
            of_hidden[at] *= 1.0 - hidden[at] * hidden[at];
        }
        let vectors = (0..part.places).map(|place| part.vector(self.symbols, place, seen[place]));
        for start in vectors.chain([part.bias(self.symbols)]) {
            for (slope, of_hidden) in gradient[start..start + HIDDEN].iter_mut().zip(&of_hidden) {
                *slope += of_hidden;
            }
        }
        sum
    }
}

/// Whether an outcome of a choice is possible, as far as the window shows.
fn is_possible(choice: Choice, outcome: u32, kinds: &Kinds) -> bool {
    match choice {
        Choice::Step { .. } => true,
        Choice::Kind { s1, b0, .. } => kinds.permits(outcome as usize, Choice::situation(s1, b0)),
        // No sentence is empty, and the root is never generated.
        Choice::Next { s0, .. } => {
            outcome != Symbols::ROOT && (outcome != Symbols::END || s0 != Symbols::ROOT)
        }
    }
}

/// With four sums, so that they do not wait for each other.
fn dot(one: &[f64; HIDDEN], other: &[f64; HIDDEN]) -> f64 {
    let mut sums = [0.0; 4];
    for (one, other) in one.as_chunks::<4>().0.iter().zip(other.as_chunks::<4>().0) {
        for lane in 0..4 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums[0] + sums[1] + (sums[2] + sums[3])
}
