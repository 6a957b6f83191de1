//! Sentences with trees, drawn at random.

use super::counts::{Choice, REDUCE, SHIFT};
use super::kinds::Kind;
use super::symbols::{Symbol, Symbols};
use super::{Grammar, GrammarError};
use crate::Tree;
use crate::random::Random;
use crate::scores::HeadKind;
use crate::system::Address;
use crate::transition::{Derivation, Frames, Transition};

/// A sentence and its tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The symbols.
    pub words: Vec<Symbol>,
    /// The tree.
    pub tree: Tree,
}

/// Draws sentences, and counts the runs that were lost.
#[derive(Clone, Debug)]
pub struct Sampler<'g> {
    grammar: &'g Grammar,
    random: Random,
    limit: usize,
    /// Runs that were begun, and those of them that came to an end.
    tries: usize,
    complete: usize,
}

/// Runs that may fail one after the other.
const TRIES: usize = 100_000;

impl Grammar {
    /// A sampler; the same seed gives the same sentences. Those of more than `limit` words are not drawn.
    pub fn sample(&self, seed: u64, limit: usize) -> Sampler<'_> {
        Sampler { grammar: self, random: Random::new(seed), limit, tries: 0, complete: 0 }
    }
}

impl Sampler<'_> {
    /// The share of runs that came to an end, among those that were drawn so far: about the sum of the
    /// probabilities of all sentences with all their runs.
    pub fn complete_share(&self) -> f64 {
        self.complete as f64 / self.tries.max(1) as f64
    }

    /// A sentence and its tree, with a probability proportional to that of its run. Runs that end where
    /// nothing is possible are drawn again.
    ///
    /// # Errors
    /// If no run comes to an end.
    pub fn draw(&mut self) -> Result<Sample, GrammarError> {
        for _ in 0..TRIES {
            self.tries += 1;
            if let Some(sample) = self.run() {
                self.complete += 1;
                return Ok(sample);
            }
        }
        Err(GrammarError::NoSample { tries: TRIES, limit: self.limit })
    }

    /// One run, if it comes to an end.
    fn run(&mut self) -> Option<Sample> {
        let grammar = self.grammar;
        let system = grammar.settings.system();
        let mut frames = system.frame().map(Frames::new);
        // The stack, by nodes; the symbols of all nodes up to b0.
        let (mut stack, mut front) = (vec![0], 1);
        let mut nodes = vec![Symbols::ROOT];
        nodes.push(self.next(Symbols::ROOT, Symbols::END));
        let mut run = vec![Transition::Shift];
        frames.iter_mut().for_each(|frames| frames.apply(Transition::Shift));
        // Heads that have been promised among nodes that are yet to come.
        let mut furthest = 0;
        loop {
            let at_end = nodes[front] == Symbols::END;
            if at_end && (stack.len() == 1 || furthest >= front) {
                break;
            }
            let top = *stack.last()?;
            let (s0, b0) = (nodes[top], nodes[front]);
            let shifts = stack.len() == 1
                || !at_end && self.outcome(Choice::Step { s0, b0 }, [SHIFT, REDUCE].into_iter())? == SHIFT;
            let transition = if shifts {
                if front > self.limit {
                    return None;
                }
                stack.push(front);
                front += 1;
                nodes.push(self.next(nodes[front - 1], nodes[top]));
                Transition::Shift
            } else {
                let (head, slot) = self.reduce(&nodes, &stack, front)?;
                let transition = Transition::Reduce { head, dependent: slot };
                let is_possible = match head {
                    Address::Stack(place) => place < stack.len(),
                    Address::Buffer(place) => {
                        furthest = furthest.max(front + place);
                        true
                    }
                };
                let removed = stack.len().checked_sub(slot + 1).filter(|&at| at > 0 && is_possible)?;
                let from_root = head == Address::Stack(stack.len() - 1);
                let is_last = at_end && stack.len() == 2;
                if grammar.settings.has_single_root() && from_root && !is_last
                    || frames.as_ref().is_some_and(|frames| !frames.permit(transition))
                {
                    return None;
                }
                stack.remove(removed);
                transition
            };
            frames.iter_mut().for_each(|frames| frames.apply(transition));
            run.push(transition);
        }
        let words = nodes.len() - 2;
        let tree = (furthest <= words).then(|| Derivation::new(words, run).tree().ok())??;
        Some(Sample { words: nodes[1..=words].to_vec(), tree })
    }

    /// The next symbol after a shift.
    fn next(&mut self, s0: Symbol, s1: Symbol) -> Symbol {
        let first = if s0 == Symbols::ROOT { Symbols::UNKNOWN } else { Symbols::END };
        let symbols = first..self.grammar.symbols.len() as Symbol;
        self.outcome(Choice::Next { s0, s1 }, symbols).unwrap_or(Symbols::UNKNOWN)
    }

    /// The head and the slot of a reduce.
    fn reduce(&mut self, nodes: &[Symbol], stack: &[usize], front: usize) -> Option<(Address, usize)> {
        let kinds = &self.grammar.kinds;
        let [s1, s0] = *stack.last_chunk()?;
        let (s0, s1, b0) = (nodes[s0], nodes[s1], nodes[front]);
        let situation = Choice::situation(s1, b0);
        let permitted = (0..kinds.len()).filter(|&kind| kinds.permits(kind, situation));
        let kind = self.outcome(Choice::Kind { s0, s1, b0 }, permitted.map(|kind| kind as u32))?;
        Some(match kinds.get(kind as usize) {
            Kind::Reduce { head: HeadKind::Stack(place), slot } => (Address::Stack(place), slot),
            Kind::Reduce { head: HeadKind::Ahead, slot } => {
                let mut place = 0;
                while kinds.lookahead() && self.random.uniform() >= self.grammar.ahead {
                    place += 1;
                }
                (Address::Buffer(place), slot)
            }
            Kind::Deepest => {
                let heads = [Address::Stack(0), Address::Stack(1), Address::Buffer(0)];
                let inventory = self.grammar.settings.system().inventory();
                let permitted = |head: &Address| {
                    inventory.permits(*head, 2) && !(situation.at_end && *head == Address::Buffer(0))
                };
                let heads: Vec<Address> = heads.into_iter().filter(permitted).collect();
                let drawn = (self.random.uniform() * heads.len() as f64) as usize;
                (*heads.get(drawn)?, 2)
            }
        })
    }

    /// One of the outcomes of a choice; none if there is none.
    fn outcome(&mut self, choice: Choice, outcomes: impl Iterator<Item = u32>) -> Option<u32> {
        let (mut left, mut last) = (self.random.uniform(), None);
        let distribution = self.grammar.distribution(choice);
        for outcome in outcomes {
            left -= distribution.probability(outcome);
            last = Some(outcome);
            if left < 0.0 {
                break;
            }
        }
        last
    }
}
