//! Where the probabilities of a grammar's choices come from: multinomials with back-off, or networks.

use super::ascent::{Outcomes, ascended};
use super::counts::{Choice, Expectations};
use super::kinds::Kinds;
use super::mixture::{Mixture, Within};
use super::network::Network;

/// What gives the probabilities of a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conditionals {
    /// Multinomials, interpolated from detailed contexts to general ones.
    #[default]
    Multinomial,
    /// Small networks that see the symbols of the window; all that is random about them follows from the
    /// seed.
    Neural {
        /// The seed.
        seed: u64,
    },
}

/// The probabilities themselves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Model {
    Mixture(Mixture),
    Network(Network),
}

/// The probabilities of the outcomes of one choice.
pub(super) enum Distribution<'m> {
    /// And the number of outcomes that are possible.
    Mixture(Within<'m>, usize),
    Network(Vec<f64>),
}

impl Distribution<'_> {
    /// The probability of a possible outcome.
    pub fn probability(&self, outcome: u32) -> f64 {
        match self {
            Distribution::Mixture(within, possible) => within.probability(outcome, *possible),
            Distribution::Network(probabilities) => probabilities[outcome as usize],
        }
    }
}

/// How often networks go through all events when they are made, and in each iteration of EM.
const FIRST_EPOCHS: usize = 60;
const MORE_EPOCHS: usize = 20;

impl Model {
    /// From what is expected before there is a grammar.
    pub fn first(
        conditionals: Conditionals,
        symbols: usize,
        kinds: &Kinds,
        expected: &Expectations,
    ) -> Model {
        match conditionals {
            Conditionals::Multinomial => Model::Mixture(Mixture::estimate(&expected.events())),
            Conditionals::Neural { seed } => {
                let network = Network::new(symbols, kinds.len(), seed);
                Model::Network(ascended(&network, &grouped(expected), kinds, FIRST_EPOCHS, seed))
            }
        }
    }

    /// After one step of EM.
    pub fn updated(
        &self,
        conditionals: Conditionals,
        symbols: usize,
        kinds: &Kinds,
        expected: &Expectations,
    ) -> Model {
        match self {
            Model::Mixture(mixture) => {
                let possible = |event| Choice::possible_beside(event, kinds, symbols);
                Model::Mixture(mixture.update(&expected.events(), possible))
            }
            Model::Network(network) => {
                let Conditionals::Neural { seed } = conditionals else { return self.clone() };
                Model::Network(ascended(network, &grouped(expected), kinds, MORE_EPOCHS, seed))
            }
        }
    }

    /// The probabilities of the outcomes of a choice.
    pub fn distribution(&self, choice: Choice, symbols: usize, kinds: &Kinds) -> Distribution<'_> {
        match self {
            Model::Mixture(mixture) => {
                let possible = choice.possible(kinds, symbols);
                Distribution::Mixture(mixture.within(choice.event(0).contexts), possible)
            }
            Model::Network(network) => Distribution::Network(network.probabilities(choice, kinds)),
        }
    }
}

/// Events by choice, in order.
fn grouped(expected: &Expectations) -> Vec<Outcomes> {
    let mut groups: Vec<Outcomes> = Vec::new();
    for (choice, outcome, count) in expected.outcomes() {
        match groups.last_mut().filter(|(last, _)| *last == choice) {
            Some((_, counts)) => counts.push((outcome, count)),
            None => groups.push((choice, vec![(outcome, count)])),
        }
    }
    groups
}
