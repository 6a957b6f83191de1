//! Multinomials with back-off: interpolation from detailed contexts to general ones.
//!
//! > p(e | c₁) = (1 − r(c₁)) q(e | c₁) + r(c₁) · ((1 − r(c₂)) q(e | c₂) + r(c₂) · ((1 − r(c₃)) q(e | c₃) + r(c₃) · u))
//!
//! where c₁, c₂, c₃ are ever more general contexts, u is the uniform distribution over the events that are
//! possible, and a context that has not been met has r = 1. The *rest* r is that of Witten and Bell (1991), T
//! / (T + N), where N is the count of the context and T the number of its different events; for counts that
//! are fractions, T = Σ min(1, count).
//!
//! Read as a mixture in which the level is a hidden variable, the q can be trained by EM like everything
//! else, and the likelihood never falls **as long as the r stay what they are**. So they are set once, by
//! [`Mixture::estimate`], and [`Mixture::update`] leaves them alone. Since r > 0, no possible event ever has
//! probability zero.

use std::collections::{BTreeMap, HashMap};

/// A context: what is conditioned on, and first of all what it is a context for.
pub(super) type Context = [u32; 4];

/// An event and the contexts for it, the most detailed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Event {
    pub contexts: [Context; 3],
    pub event: u32,
}

/// The distribution of a context.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// r
    pub rest: f64,
    /// q, by event.
    pub events: Vec<(u32, f64)>,
}

/// The distributions of some contexts, those that have been met.
pub(super) struct Within<'m>([Option<&'m Entry>; 3]);

impl Within<'_> {
    /// The probability of an event, one of `possible` events.
    pub fn probability(&self, event: u32, possible: usize) -> f64 {
        let (mut sum, mut rest) = (0.0, 1.0);
        for entry in self.0.into_iter().flatten() {
            sum += rest * (1.0 - entry.rest) * entry.get(event);
            rest *= entry.rest;
        }
        sum + rest / possible as f64
    }
}

/// All distributions of a grammar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mixture {
    entries: HashMap<Context, Entry>,
}

impl Entry {
    fn get(&self, event: u32) -> f64 {
        let at = self.events.binary_search_by_key(&event, |&(event, _)| event);
        at.map_or(0.0, |at| self.events[at].1)
    }
}

impl Mixture {
    /// From all entries.
    pub fn new(entries: impl IntoIterator<Item = (Context, Entry)>) -> Mixture {
        Mixture { entries: entries.into_iter().collect() }
    }

    /// All entries in order.
    pub fn entries(&self) -> BTreeMap<&Context, &Entry> {
        self.entries.iter().collect()
    }

    /// The distribution in some contexts, the most detailed first.
    pub fn within(&self, contexts: [Context; 3]) -> Within<'_> {
        Within(contexts.map(|context| self.entries.get(&context)))
    }

    /// The probability of an event, one of `possible` events.
    pub fn probability(&self, Event { contexts, event }: Event, possible: usize) -> f64 {
        self.within(contexts).probability(event, possible)
    }

    /// Relative frequencies at each level, and rests by their counts. Events must be in order.
    pub fn estimate(counts: &[(Event, f64)]) -> Mixture {
        let mut sums: BTreeMap<Context, BTreeMap<u32, f64>> = BTreeMap::new();
        for &(Event { contexts, event }, count) in counts {
            for context in contexts {
                *sums.entry(context).or_default().entry(event).or_default() += count;
            }
        }
        let entries = sums.into_iter().filter_map(|(context, events)| {
            let total: f64 = events.values().sum();
            let different: f64 = events.values().map(|count| count.min(1.0)).sum();
            let rest = different / (different + total);
            let events = events.into_iter().map(|(event, count)| (event, count / total)).collect();
            rest.is_finite().then_some((context, Entry { rest, events }))
        });
        Mixture { entries: entries.collect() }
    }

    /// One step of EM: each count is divided among the levels by their shares of the probability, and q are
    /// relative frequencies of that. `possible` is the number of events that are possible beside one. Events
    /// must be in order.
    pub fn update(&self, counts: &[(Event, f64)], possible: impl Fn(Event) -> usize) -> Mixture {
        let mut sums: BTreeMap<Context, BTreeMap<u32, f64>> = BTreeMap::new();
        for &(event, count) in counts {
            let whole = self.probability(event, possible(event));
            let mut rest = 1.0;
            for context in event.contexts {
                let Some(entry) = self.entries.get(&context) else { continue };
                let part = rest * (1.0 - entry.rest) * entry.get(event.event);
                if part > 0.0 {
                    *sums.entry(context).or_default().entry(event.event).or_default() += count * part / whole;
                }
                rest *= entry.rest;
            }
        }
        let entries = self.entries.iter().map(|(context, entry)| {
            let counted = sums.remove(context).and_then(|events| {
                let total: f64 = events.values().sum();
                let events = events.into_iter().map(|(event, count)| (event, count / total)).collect();
                (total > 0.0).then_some(Entry { rest: entry.rest, events })
            });
            (*context, counted.unwrap_or_else(|| entry.clone()))
        });
        Mixture { entries: entries.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(detail: u32, event: u32) -> Event {
        Event { contexts: [[0, detail, 0, 0], [1, detail % 2, 0, 0], [2, 0, 0, 0]], event }
    }

    fn likelihood(mixture: &Mixture, counts: &[(Event, f64)]) -> f64 {
        counts.iter().map(|&(event, count)| count * mixture.probability(event, 5).ln()).sum()
    }

    #[test]
    fn probabilities_sum_to_one_in_contexts_that_were_met_and_in_others() {
        let counts = [(event(0, 0), 3.0), (event(0, 2), 0.5), (event(1, 4), 2.0), (event(2, 1), 1.0)];
        let mixture = Mixture::estimate(&counts);
        for mixture in [mixture.clone(), mixture.update(&counts, |_| 5), Mixture::default()] {
            for detail in 0..4 {
                let sum: f64 = (0..5).map(|number| mixture.probability(event(detail, number), 5)).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{detail}: {sum}");
                assert!((0..5).all(|number| mixture.probability(event(detail, number), 5) > 0.0));
            }
        }
    }

    #[test]
    fn no_update_lowers_the_likelihood() {
        let counts = [(event(0, 0), 3.0), (event(0, 2), 0.5), (event(1, 4), 2.0), (event(2, 1), 1.0)];
        let mut mixture = Mixture::estimate(&counts);
        let mut before = likelihood(&mixture, &counts);
        for _ in 0..50 {
            mixture = mixture.update(&counts, |_| 5);
            let now = likelihood(&mixture, &counts);
            assert!(now >= before - 1e-12, "{before} {now}");
            before = now;
        }
    }

    #[test]
    fn the_rest_is_that_of_witten_and_bell() {
        let counts = [(event(0, 0), 3.0), (event(0, 2), 1.0)];
        let mixture = Mixture::estimate(&counts);
        // Two different events, four in all, at each of three levels.
        let rest: f64 = 2.0 / 6.0;
        let expected = (1.0 - rest.powi(3)) * 0.75 + rest.powi(3) / 5.0;
        assert!((mixture.probability(event(0, 0), 5) - expected).abs() < 1e-12);
    }
}
