//! How far scores would differ on other sentences of the same kind, and whether one system is better than
//! another.
//!
//! Intervals are those of the percentile bootstrap (Efron 1979): sentences are drawn from the file with
//! replacement, as many as it has, again and again, and the interval holds the middle 95 % of the scores. The
//! same draws for two systems give the interval of their difference. The test is approximate randomisation
//! (Noreen 1989; Yeh 2000): if two systems are equally good, it does not matter which of them an output comes
//! from; so for each sentence the two outputs are swapped or not at random, and p is how often that gives a
//! difference at least as large as the real one, in either direction.
//!
//! Each round has its own random numbers, made from the seed and its number, so that rounds can be shared
//! among threads.

use std::borrow::Cow;
use std::ops::Range;

use super::{Metric, Score};
use crate::random::Random;

/// The measures that are resampled.
pub const RESAMPLED: [Metric; 3] = [Metric::Uas, Metric::Las, Metric::Clas];

/// F1 of each of [`RESAMPLED`].
pub type Values = [f64; RESAMPLED.len()];

/// What is drawn: a stretch of text, most often one sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    gold_sentences: u32,
    /// For each measure, what stands below the line in F1, gold and system together: words, words, content
    /// words.
    words: [u32; RESAMPLED.len()],
    right: [u32; RESAMPLED.len()],
}

/// The middle 95 % of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What one round says about the difference between two systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedRound {
    /// The difference on sentences drawn at random.
    pub drawn: Values,
    /// The difference on all sentences, outputs swapped at random.
    pub swapped: Values,
}

/// How two systems differ in one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// F1 of the first, less that of the second.
    pub difference: f64,
    /// Where the difference lies, by bootstrap.
    pub interval: Interval,
    /// How probable a difference as large as this is if both are equally good, by approximate randomisation.
    pub p: f64,
}

impl Unit {
    /// What was counted between two states of the scores.
    pub(super) fn between(gold_sentences: usize, before: &[Score], after: &[Score]) -> Unit {
        let grown = |count: fn(&Score) -> u64| {
            RESAMPLED.map(|metric| (count(&after[metric as usize]) - count(&before[metric as usize])) as u32)
        };
        Unit {
            gold_sentences: gold_sentences as u32,
            words: grown(|score| score.gold + score.system),
            right: grown(|score| score.correct),
        }
    }

    /// False for a stretch that was left out since it is not valid. One that was counted has words.
    fn is_counted(&self) -> bool {
        self.words[0] > 0
    }

    fn add(&mut self, other: &Unit) {
        self.gold_sentences += other.gold_sentences;
        for at in 0..RESAMPLED.len() {
            self.words[at] += other.words[at];
            self.right[at] += other.right[at];
        }
    }
}

/// Sums over units.
#[derive(Clone, Copy, Default)]
struct Totals {
    words: [u64; RESAMPLED.len()],
    right: [u64; RESAMPLED.len()],
}

impl Totals {
    fn add(&mut self, unit: &Unit) {
        for at in 0..RESAMPLED.len() {
            self.words[at] += u64::from(unit.words[at]);
            self.right[at] += u64::from(unit.right[at]);
        }
    }

    fn values(&self) -> Values {
        std::array::from_fn(|at| super::score::share(2 * self.right[at], self.words[at]))
    }
}

fn less(first: Values, second: Values) -> Values {
    std::array::from_fn(|at| first[at] - second[at])
}

/// The generator of one round. The seed goes through the generator once, or the rounds would have the same
/// numbers, shifted.
fn random(seed: u64, round: u32) -> Random {
    Random::new(Random::new(seed.wrapping_add(u64::from(round))).bits())
}

/// A number below `limit`.
fn draw(random: &mut Random, limit: usize) -> usize {
    ((u128::from(random.bits()) * limit as u128) >> 64) as usize
}

/// The scores in some rounds of the bootstrap, to be put together in order for [`intervals`].
pub fn bootstrap(units: &[Unit], seed: u64, rounds: Range<u32>) -> Vec<Values> {
    let units = counted(units);
    let rounds = rounds.map(|round| {
        let mut random = random(seed, round);
        let mut totals = Totals::default();
        for _ in 0..units.len() {
            totals.add(&units[draw(&mut random, units.len())]);
        }
        totals.values()
    });
    rounds.collect()
}

fn counted(units: &[Unit]) -> Cow<'_, [Unit]> {
    if units.iter().all(Unit::is_counted) {
        Cow::Borrowed(units)
    } else {
        Cow::Owned(units.iter().copied().filter(Unit::is_counted).collect())
    }
}

/// The interval of each measure; none without rounds.
///
/// ```
/// use tanglewood::evaluation::intervals;
/// let rounds: Vec<[f64; 3]> = (0..1000).map(|round| [f64::from(round) / 1000.0, 0.5, 1.0]).collect();
/// let [uas, las, _] = intervals(&rounds).unwrap();
/// assert_eq!((uas.low, uas.high), (0.025, 0.974));
/// assert_eq!((las.low, las.high), (0.5, 0.5));
/// ```
pub fn intervals(rounds: &[Values]) -> Option<[Interval; RESAMPLED.len()]> {
    if rounds.is_empty() {
        return None;
    }
    // As many are left out at either end.
    let outside = rounds.len() / 40;
    Some(std::array::from_fn(|at| {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[at]).collect();
        values.sort_unstable_by(f64::total_cmp);
        Interval { low: values[outside], high: values[values.len() - 1 - outside] }
    }))
}

/// The same text of two systems side by side, given the units of both against the same gold standard. Units
/// grow where the two are cut differently; what was left out for one is left out for both.
pub fn pair_units(first: &[Unit], second: &[Unit]) -> Vec<(Unit, Unit)> {
    let mut pairs = Vec::with_capacity(first.len());
    let mut pair = (Unit::default(), Unit::default());
    let mut complete = true;
    let (mut first, mut second) = (first.iter(), second.iter());
    loop {
        let behind = if pair.0.gold_sentences <= pair.1.gold_sentences {
            first.next().map(|unit| (&mut pair.0, unit))
        } else {
            second.next().map(|unit| (&mut pair.1, unit))
        };
        let Some((sum, unit)) = behind else { return pairs };
        sum.add(unit);
        complete &= unit.is_counted();
        if pair.0.gold_sentences == pair.1.gold_sentences {
            if complete {
                pairs.push(pair);
            }
            (pair, complete) = ((Unit::default(), Unit::default()), true);
        }
    }
}

/// Some rounds of resampling with two systems, to be put together for [`compare`].
pub fn paired_rounds(pairs: &[(Unit, Unit)], seed: u64, rounds: Range<u32>) -> Vec<PairedRound> {
    let rounds = rounds.map(|round| {
        let mut random = random(seed, round);
        let mut drawn = [Totals::default(); 2];
        for _ in 0..pairs.len() {
            let (first, second) = &pairs[draw(&mut random, pairs.len())];
            drawn[0].add(first);
            drawn[1].add(second);
        }
        let mut swapped = [Totals::default(); 2];
        for (first, second) in pairs {
            let swap = (random.bits() >> 63) as usize;
            swapped[swap].add(first);
            swapped[1 - swap].add(second);
        }
        let difference = |totals: [Totals; 2]| less(totals[0].values(), totals[1].values());
        PairedRound { drawn: difference(drawn), swapped: difference(swapped) }
    });
    rounds.collect()
}

/// How two systems differ in each measure; none without rounds.
pub fn compare(pairs: &[(Unit, Unit)], rounds: &[PairedRound]) -> Option<[Comparison; RESAMPLED.len()]> {
    let mut totals = [Totals::default(); 2];
    for (first, second) in pairs {
        totals[0].add(first);
        totals[1].add(second);
    }
    let difference = less(totals[0].values(), totals[1].values());
    let drawn: Vec<Values> = rounds.iter().map(|round| round.drawn).collect();
    let intervals = intervals(&drawn)?;
    Some(std::array::from_fn(|at| {
        // Equal differences may not be equal in the last bit.
        let limit = difference[at].abs() - 1e-12;
        let as_large = rounds.iter().filter(|round| round.swapped[at].abs() >= limit).count();
        // The real outputs are one way of swapping, too; so p is never 0.
        let p = (as_large + 1) as f64 / (rounds.len() + 1) as f64;
        Comparison { difference: difference[at], interval: intervals[at], p }
    }))
}
