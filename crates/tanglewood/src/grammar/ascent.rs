//! Gradient ascent on the expected log-likelihood of events: what takes the place of relative frequencies for
//! [networks](Network).
//!
//! Events are grouped by the choice they are outcomes of, and visited in batches in a random order, with the
//! steps of Adam (Kingma and Ba 2015) and a rate that falls to zero. The outcome is taken only if the
//! expected log-likelihood is not lower than before; if it is, smaller steps are tried. So the likelihood
//! never falls from one iteration of EM to the next, as the theory of generalised EM has it (Dempster, Laird
//! and Rubin 1977).

use super::counts::Choice;
use super::kinds::Kinds;
use super::network::Network;
use crate::random::Random;

/// Number of choices in a batch.
const BATCH: usize = 256;

/// Rates at the start, the first of which does almost always.
const RATES: [f64; 4] = [1e-2, 2e-3, 4e-4, 8e-5];

/// A choice, and how often each outcome is expected.
pub(super) type Outcomes = (Choice, Vec<(u32, f64)>);

/// Σ count · ln p over all events.
pub(super) fn expected_log_likelihood(network: &Network, events: &[Outcomes], kinds: &Kinds) -> f64 {
    let of_choice = |(choice, counts): &Outcomes| {
        let probabilities = network.probabilities(*choice, kinds);
        counts.iter().map(|&(outcome, count)| count * probabilities[outcome as usize].ln()).sum::<f64>()
    };
    events.iter().map(of_choice).sum()
}

/// A network for which the events are at least as probable, after going through them `epochs` times.
pub(super) fn ascended(
    network: &Network,
    events: &[Outcomes],
    kinds: &Kinds,
    epochs: usize,
    seed: u64,
) -> Network {
    let before = expected_log_likelihood(network, events, kinds);
    let better = RATES.into_iter().find_map(|rate| {
        let next = adam(network, events, kinds, (epochs, rate), seed);
        (expected_log_likelihood(&next, events, kinds) >= before).then_some(next)
    });
    better.unwrap_or_else(|| network.clone())
}

fn adam(
    network: &Network,
    events: &[Outcomes],
    kinds: &Kinds,
    (epochs, rate): (usize, f64),
    seed: u64,
) -> Network {
    let mut network = network.clone();
    let size = network.parameters.len();
    let [mut gradient, mut means, mut squares] = [(); 3].map(|()| vec![0.0; size]);
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..events.len()).collect();
    let total: f64 = events.iter().flat_map(|(_, counts)| counts).map(|(_, count)| count).sum();
    let batches = events.len().div_ceil(BATCH);
    // The gradient of a batch is that of the mean over events.
    let scale = batches as f64 / total.max(f64::MIN_POSITIVE);
    let (steps, mut step) = ((epochs * batches) as f64, 0.0);
    for _ in 0..epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, (random.uniform() * (at + 1) as f64) as usize);
        }
        for batch in order.chunks(BATCH) {
            gradient.fill(0.0);
            for &at in batch {
                let (choice, counts) = &events[at];
                network.add_gradient(*choice, counts, kinds, &mut gradient);
            }
            let rate = rate * (1.0 - step / steps);
            step += 1.0;
            let corrected = [1.0 - 0.9f64.powf(step), 1.0 - 0.999f64.powf(step)];
            for (at, number) in network.parameters.iter_mut().enumerate() {
                let slope = scale * gradient[at];
                means[at] = 0.9 * means[at] + 0.1 * slope;
                squares[at] = 0.999 * squares[at] + 0.001 * slope * slope;
                *number += rate * (means[at] / corrected[0]) / ((squares[at] / corrected[1]).sqrt() + 1e-8);
            }
        }
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;

    /// Events of all three choices, over five symbols.
    fn events() -> (Kinds, Vec<Outcomes>) {
        let kinds = Kinds::new(&System::named("mh4").unwrap(), true).unwrap();
        let events = vec![
            (Choice::Step { s0: 3, b0: 4 }, vec![(0, 2.0), (1, 0.5)]),
            (Choice::Step { s0: 4, b0: 4 }, vec![(1, 1.0)]),
            (Choice::Kind { s0: 3, s1: 4, b0: 2 }, vec![(0, 0.25), (2, 1.5)]),
            (Choice::Kind { s0: 3, s1: 0, b0: 1 }, vec![(0, 1.0)]),
            (Choice::Next { s0: 0, s1: 1 }, vec![(3, 1.0), (4, 2.0)]),
            (Choice::Next { s0: 3, s1: 4 }, vec![(1, 0.75), (2, 0.5)]),
        ];
        (kinds, events)
    }

    /// Initial weights of outcomes are zero, where half of all derivatives vanish.
    fn shaken(kinds: &Kinds) -> Network {
        let mut network = Network::new(5, kinds.len(), 1);
        let mut random = Random::new(2);
        network.parameters.iter_mut().for_each(|number| *number += random.uniform() - 0.5);
        network
    }

    #[test]
    fn probabilities_of_what_is_possible_sum_to_one() {
        let (kinds, events) = events();
        let network = shaken(&kinds);
        for (choice, _) in events {
            let probabilities = network.probabilities(choice, &kinds);
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{choice:?}");
            let possible = probabilities.iter().filter(|share| **share > 0.0).count();
            assert_eq!(possible, choice.possible(&kinds, 5), "{choice:?}");
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        const STEP: f64 = 1e-5;
        let (kinds, events) = events();
        let network = shaken(&kinds);
        let mut gradient = vec![0.0; network.parameters.len()];
        let sums = events
            .iter()
            .map(|(choice, counts)| network.add_gradient(*choice, counts, &kinds, &mut gradient));
        let (sum, expected) = (sums.sum::<f64>(), expected_log_likelihood(&network, &events, &kinds));
        assert!((sum - expected).abs() < 1e-12);
        for (at, slope) in gradient.iter().enumerate() {
            let moved = |by: f64| {
                let mut network = network.clone();
                network.parameters[at] += by;
                expected_log_likelihood(&network, &events, &kinds)
            };
            let difference = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            assert!((difference - slope).abs() < 1e-8, "{at}: {difference} {slope}");
        }
    }

    #[test]
    fn events_become_more_probable_and_in_the_end_have_their_relative_frequencies() {
        let (kinds, events) = events();
        let mut network = Network::new(5, kinds.len(), 3);
        let mut before = expected_log_likelihood(&network, &events, &kinds);
        for _ in 0..5 {
            network = ascended(&network, &events, &kinds, 200, 1);
            let now = expected_log_likelihood(&network, &events, &kinds);
            assert!(now >= before, "{before} {now}");
            before = now;
        }
        let share = network.probabilities(Choice::Step { s0: 3, b0: 4 }, &kinds)[0];
        assert!((share - 0.8).abs() < 0.02, "{share}");
    }
}
