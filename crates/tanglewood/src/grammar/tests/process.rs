//! The generating process as it is defined, with everything that can happen in it.

use crate::Tree;
use crate::grammar::counts::{Choice, REDUCE, SHIFT};
use crate::grammar::kinds::Kind;
use crate::grammar::{Grammar, Symbol, Symbols};
use crate::scores::HeadKind;
use crate::system::Address;
use crate::transition::{Derivation, Frames, Transition};

/// What the process came to.
pub enum End<'r> {
    /// A sentence, by a run with these events.
    Complete { words: &'r [Symbol], tree: Tree, events: &'r [(Choice, u32)] },
    /// Nothing is possible, or what was chosen is not.
    Lost,
    /// More words than the limit.
    Longer,
}

/// The generating process, with everything that can happen in it.
pub struct Process<'g, V> {
    pub grammar: &'g Grammar,
    /// The largest number of words.
    pub limit: usize,
    /// If given, nothing else is generated.
    pub sentence: Option<Vec<Symbol>>,
    pub visit: V,
}

#[derive(Clone)]
struct State {
    stack: Vec<usize>,
    nodes: Vec<Symbol>,
    frames: Option<Frames>,
    run: Vec<Transition>,
    events: Vec<(Choice, u32)>,
    furthest: usize,
    probability: f64,
}

impl State {
    fn chosen(&self, grammar: &Grammar, choice: Choice, event: u32) -> State {
        let mut next = self.clone();
        next.probability *= grammar.ln(choice, event).exp();
        next.events.push((choice, event));
        next
    }
}

impl<V: FnMut(End<'_>, f64)> Process<'_, V> {
    pub fn run(&mut self) {
        let frames = self.grammar.settings.system().frame().map(Frames::new);
        let start = State {
            stack: Vec::new(),
            nodes: vec![Symbols::ROOT],
            frames,
            run: Vec::new(),
            events: Vec::new(),
            furthest: 0,
            probability: 1.0,
        };
        self.shift(&start);
    }

    fn shift(&mut self, state: &State) {
        let front = state.nodes.len() - 1;
        let mut shifted = state.clone();
        let below = state.stack.last().map_or(Symbols::END, |&top| state.nodes[top]);
        shifted.stack.push(front);
        shifted.run.push(Transition::Shift);
        shifted.frames.iter_mut().for_each(|frames| frames.apply(Transition::Shift));
        let choice = Choice::Next { s0: state.nodes[front], s1: below };
        let first = if front == 0 { Symbols::UNKNOWN } else { Symbols::END };
        for symbol in first..self.grammar.symbols.len() as u32 {
            if let Some(sentence) = &self.sentence
                && sentence.get(front).copied().unwrap_or(Symbols::END) != symbol
            {
                continue;
            }
            let mut next = shifted.chosen(self.grammar, choice, symbol);
            next.nodes.push(symbol);
            self.go_on(&next);
        }
    }

    fn go_on(&mut self, state: &State) {
        let front = state.nodes.len() - 1;
        let at_end = state.nodes[front] == Symbols::END;
        if at_end && state.stack.len() == 1 {
            let words = front - 1;
            let tree = Derivation::new(words, state.run.clone()).tree().ok();
            let (words, events) = (&state.nodes[1..front], &state.events[..]);
            return match tree {
                Some(tree) if state.furthest < front => {
                    (self.visit)(End::Complete { words, tree, events }, state.probability)
                }
                _ => (self.visit)(End::Lost, state.probability),
            };
        }
        if !at_end && front > self.limit {
            return (self.visit)(End::Longer, state.probability);
        }
        if state.stack.len() == 1 {
            return self.shift(state);
        }
        let top = state.stack[state.stack.len() - 1];
        let choice = Choice::Step { s0: state.nodes[top], b0: state.nodes[front] };
        if at_end {
            return self.reduce(state);
        }
        self.shift(&state.chosen(self.grammar, choice, SHIFT));
        self.reduce(&state.chosen(self.grammar, choice, REDUCE));
    }

    fn reduce(&mut self, state: &State) {
        let (grammar, depth) = (self.grammar, state.stack.len());
        let front = state.nodes.len() - 1;
        let [s0, s1] = [1, 2].map(|from_top| state.nodes[state.stack[depth - from_top]]);
        let b0 = state.nodes[front];
        let choice = Choice::Kind { s0, s1, b0 };
        let situation = Choice::situation(s1, b0);
        let mut found = false;
        for kind in (0..grammar.kinds.len()).filter(|&kind| grammar.kinds.permits(kind, situation)) {
            found = true;
            let chosen = state.chosen(grammar, choice, kind as u32);
            match grammar.kinds.get(kind) {
                Kind::Reduce { head: HeadKind::Stack(place), slot } => {
                    self.apply(&chosen, Address::Stack(place), slot, 1.0);
                }
                Kind::Reduce { head: HeadKind::Ahead, slot } if grammar.kinds.lookahead() => {
                    let mut left = 1.0;
                    for place in 0..=self.limit {
                        self.apply(&chosen, Address::Buffer(place), slot, left * grammar.ahead);
                        left *= 1.0 - grammar.ahead;
                    }
                    (self.visit)(End::Lost, chosen.probability * left);
                }
                Kind::Reduce { head: HeadKind::Ahead, slot } => {
                    self.apply(&chosen, Address::Buffer(0), slot, 1.0);
                }
                Kind::Deepest => {
                    let heads = [Address::Stack(0), Address::Stack(1), Address::Buffer(0)];
                    let inventory = grammar.settings.system().inventory();
                    let heads = heads.into_iter().filter(|&head| {
                        inventory.permits(head, 2) && !(situation.at_end && head == Address::Buffer(0))
                    });
                    let heads: Vec<Address> = heads.collect();
                    for &head in &heads {
                        self.apply(&chosen, head, 2, 1.0 / heads.len() as f64);
                    }
                }
            }
        }
        if !found {
            (self.visit)(End::Lost, state.probability);
        }
    }

    fn apply(&mut self, state: &State, head: Address, slot: usize, probability: f64) {
        let (mut next, transition) = (state.clone(), Transition::Reduce { head, dependent: slot });
        next.probability *= probability;
        let (depth, front) = (state.stack.len(), state.nodes.len() - 1);
        let is_last = depth == 2 && state.nodes[front] == Symbols::END;
        let possible = match head {
            Address::Stack(place) => {
                place < depth && (place + 1 < depth || is_last || !self.grammar.settings.has_single_root())
            }
            Address::Buffer(place) => {
                next.furthest = next.furthest.max(front + place);
                true
            }
        };
        // The root is at the bottom, and stays there.
        if !possible
            || slot + 1 >= depth
            || next.frames.as_ref().is_some_and(|frames| !frames.permit(transition))
        {
            return (self.visit)(End::Lost, next.probability);
        }
        next.stack.remove(depth - 1 - slot);
        next.frames.iter_mut().for_each(|frames| frames.apply(transition));
        next.run.push(transition);
        self.go_on(&next);
    }
}
