//! How often a grammar's events happen, by expectation.

use std::collections::HashMap;

use super::kinds::{Kinds, Situation};
use super::mixture::{Context, Event};
use super::symbols::{Symbol, Symbols};
use super::triples::Triples;
use crate::OutOfMemory;
use crate::memory::table;
use crate::scores::{HeadKind, Use, View};

/// A choice whose outcome is an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Choice {
    /// Whether to shift (event 0) or to reduce (event 1), by s0 and b0.
    Step { s0: Symbol, b0: Symbol },
    /// The kind of a reduce, by s0, s1 and b0.
    Kind { s0: Symbol, s1: Symbol, b0: Symbol },
    /// The symbol that comes next in the buffer after a shift, by what is s0 and s1 then.
    Next { s0: Symbol, s1: Symbol },
}

/// Events of [`Choice::Step`].
pub(super) const SHIFT: u32 = 0;
pub(super) const REDUCE: u32 = 1;

/// Contexts for the three choices, at three levels each.
const STEP: u32 = 0;
const KIND: u32 = 3;
const NEXT: u32 = 6;

/// One more than the largest first number of a [`Context`].
pub(super) const CONTEXT_TYPES: u32 = 9;

impl Choice {
    /// One of the outcomes with its contexts.
    pub fn event(self, event: u32) -> Event {
        let contexts = match self {
            Choice::Step { s0, b0 } => [[STEP, s0, b0, 0], [STEP + 1, s0, 0, 0], [STEP + 2, 0, 0, 0]],
            Choice::Kind { s0, s1, b0 } => {
                let end = u32::from(b0 == Symbols::END);
                let root = u32::from(s1 == Symbols::ROOT);
                [[KIND, s0, s1, b0], [KIND + 1, s0, s1, end], [KIND + 2, root, end, 0]]
            }
            Choice::Next { s0, s1 } => {
                let first = u32::from(s0 == Symbols::ROOT);
                [[NEXT, s0, s1, 0], [NEXT + 1, s0, 0, 0], [NEXT + 2, first, 0, 0]]
            }
        };
        Event { contexts, event }
    }

    /// The situation in which a reduce of some kind is chosen.
    pub fn situation(s1: Symbol, b0: Symbol) -> Situation {
        Situation { above_root: s1 == Symbols::ROOT, at_end: b0 == Symbols::END }
    }

    /// The choice that an event with these contexts is the outcome of.
    fn of(contexts: &[Context; 3]) -> Choice {
        let [number, s0, second, third] = contexts[0];
        match number {
            STEP => Choice::Step { s0, b0: second },
            KIND => Choice::Kind { s0, s1: second, b0: third },
            _ => Choice::Next { s0, s1: second },
        }
    }

    /// The number of outcomes that are possible.
    pub fn possible(self, kinds: &Kinds, symbols: usize) -> usize {
        match self {
            Choice::Step { .. } => 2,
            Choice::Kind { s1, b0, .. } => kinds.permitted(Choice::situation(s1, b0)),
            // No sentence is empty, and the root is never generated.
            Choice::Next { s0: Symbols::ROOT, .. } => symbols - 2,
            Choice::Next { .. } => symbols - 1,
        }
    }

    /// The number of outcomes that are possible beside an event.
    pub fn possible_beside(event: Event, kinds: &Kinds, symbols: usize) -> usize {
        Choice::of(&event.contexts).possible(kinds, symbols)
    }
}

/// Expected counts of events, and what they are expected from.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    events: HashMap<(Choice, u32), f64>,
    /// Heads ahead, and the sum of their distances from the front of the buffer.
    pub(super) ahead: f64,
    pub(super) distance: f64,
    /// The logarithm of the probability of all sentences, with their trees where these were given.
    pub log_likelihood: f64,
    /// Number of sentences.
    pub sentences: usize,
    /// Number of words.
    pub words: usize,
}

impl Expectations {
    /// Those of a sentence of which nothing but the probability is asked.
    pub(super) fn without_events(words: usize, log_likelihood: f64) -> Expectations {
        Expectations { words, log_likelihood, sentences: 1, ..Expectations::default() }
    }

    /// Adds those of other sentences.
    pub fn add(&mut self, other: &Expectations) {
        for (&key, &count) in &other.events {
            *self.events.entry(key).or_default() += count;
        }
        self.ahead += other.ahead;
        self.distance += other.distance;
        self.log_likelihood += other.log_likelihood;
        self.sentences += other.sentences;
        self.words += other.words;
    }

    /// All events in order.
    pub(super) fn events(&self) -> Vec<(Event, f64)> {
        let counted = self.events.iter().filter(|(_, count)| **count > 0.0);
        let mut events: Vec<(Event, f64)> =
            counted.map(|(&(choice, event), &count)| (choice.event(event), count)).collect();
        events.sort_unstable_by_key(|&(event, _)| event);
        events
    }

    /// Choices, their outcomes and counts, in order.
    pub(super) fn outcomes(&self) -> Vec<(Choice, u32, f64)> {
        let counted = self.events.iter().filter(|(_, count)| **count > 0.0);
        let mut outcomes: Vec<(Choice, u32, f64)> =
            counted.map(|(&(choice, event), &count)| (choice, event, count)).collect();
        outcomes.sort_unstable_by_key(|&(choice, event, _)| (choice, event));
        outcomes
    }

    fn count(&mut self, choice: Choice, event: u32, count: f64) {
        *self.events.entry((choice, event)).or_default() += count;
    }
}

/// The counts of one sentence, by nodes.
pub(super) struct SentenceCounts<'k> {
    kinds: &'k Kinds,
    triples: Triples,
    /// By front and top.
    shifts: Vec<f64>,
    /// By triple and kind.
    reduces: Vec<f64>,
    /// Arcs to the left, the sum of their heads, and the same for those with a head on the stack, with a
    /// minus sign; and likewise fronts for heads ahead.
    distance: f64,
    ahead: f64,
}

impl<'k> SentenceCounts<'k> {
    pub fn new(words: usize, kinds: &'k Kinds) -> Result<SentenceCounts<'k>, OutOfMemory> {
        let triples = Triples::new(words);
        let shifts = table((words + 1) * (words + 1), 0.0)?;
        let reduces = table(triples.len() * kinds.len(), 0.0)?;
        Ok(SentenceCounts { kinds, triples, shifts, reduces, distance: 0.0, ahead: 0.0 })
    }

    /// The counts by the symbols at these nodes: the root, the words, the end.
    pub fn with_symbols(&self, nodes: &[Symbol], log_likelihood: f64) -> Expectations {
        let words = nodes.len() - 2;
        let mut sums = Expectations {
            ahead: self.ahead,
            // Rounding makes no distance negative.
            distance: self.distance.max(0.0),
            log_likelihood,
            sentences: 1,
            words,
            ..Expectations::default()
        };
        let below_root = Choice::Next { s0: Symbols::ROOT, s1: Symbols::END };
        sums.count(below_root, nodes[1], 1.0);
        for front in 1..=words {
            for top in 0..front {
                let count = self.shifts[front * (words + 1) + top];
                if count == 0.0 {
                    continue;
                }
                if top > 0 {
                    sums.count(Choice::Step { s0: nodes[top], b0: nodes[front] }, SHIFT, count);
                }
                sums.count(Choice::Next { s0: nodes[front], s1: nodes[top] }, nodes[front + 1], count);
            }
        }
        for ([s0, s1, front], counts) in self.triples.all().zip(self.reduces.chunks_exact(self.kinds.len())) {
            let total: f64 = counts.iter().sum();
            if total <= 0.0 {
                continue;
            }
            let (s0, s1, b0) = (nodes[s0], nodes[s1], nodes[front]);
            if front <= words {
                sums.count(Choice::Step { s0, b0 }, REDUCE, total);
            }
            for (kind, &count) in (0..).zip(counts).filter(|(_, count)| **count > 0.0) {
                sums.count(Choice::Kind { s0, s1, b0 }, kind, count);
            }
        }
        sums
    }
}

impl SentenceCounts<'_> {
    /// Adds to the number of times that a score is used.
    pub fn add(&mut self, what: Use<'_>, count: f64) {
        match what {
            Use::Shift { top: Some(top), front } => {
                self.shifts[front * (self.triples.words() + 1) + top] += count;
            }
            Use::Reduce { view, head, slot } => self.reduce(view, head, slot, count),
            Use::Deepest { others, front } => {
                let triple = self.triples.number(others[0], others[1], front);
                self.reduces[(triple + 1) * self.kinds.len() - 1] += count;
            }
            Use::Arc { head, dependent } if self.kinds.lookahead() && head > dependent => {
                self.distance += count * head as f64;
            }
            _ => {}
        }
    }

    fn reduce(&mut self, view: View<'_>, head: HeadKind, dependent: usize, count: f64) {
        let triple = self.triples.number(view.stack[0], view.stack[1], view.front);
        self.reduces[triple * self.kinds.len() + self.kinds.number(head, dependent)] += count;
        if self.kinds.lookahead() {
            match head {
                HeadKind::Stack(place) if view.stack[place] > view.stack[dependent] => {
                    self.distance -= count * view.stack[place] as f64;
                }
                HeadKind::Stack(_) => {}
                HeadKind::Ahead => {
                    self.ahead += count;
                    self.distance -= count * view.front as f64;
                }
            }
        }
    }
}
