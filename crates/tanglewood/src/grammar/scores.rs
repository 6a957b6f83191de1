//! A grammar's probabilities as scores of a sentence's transitions.

use super::Grammar;
use super::counts::{Choice, REDUCE, SHIFT};
use super::kinds::Kind;
use super::symbols::{Symbol, Symbols};
use super::triples::Triples;
use crate::OutOfMemory;
use crate::memory::table;
use crate::scores::{ArcScores, HeadKind, TransitionScores, View};
use crate::system::Address;

/// The logarithm of each transition's probability, those of the symbols that shifts generate included.
pub(super) struct GrammarScores<'g> {
    grammar: &'g Grammar,
    triples: Triples,
    first: f64,
    /// By front and top.
    shifts: Vec<f64>,
    /// By triple and kind.
    reduces: Vec<f64>,
    /// Heads ahead are the further away the less probable: what distance costs. The same is in `context`,
    /// with the opposite sign for where the distance begins.
    arcs: Option<ArcScores>,
}

impl<'g> GrammarScores<'g> {
    /// For the symbols of a sentence: the root, the words, the end.
    pub fn new(grammar: &'g Grammar, nodes: &[Symbol]) -> Result<GrammarScores<'g>, OutOfMemory> {
        let words = nodes.len() - 2;
        let triples = Triples::new(words);
        let kinds = &grammar.kinds;
        let mut shifts = table((words + 1) * (words + 1), 0.0)?;
        for (front, top) in (1..=words).flat_map(|front| (0..front).map(move |top| (front, top))) {
            let step = match top {
                0 => 0.0,
                _ => grammar.ln(Choice::Step { s0: nodes[top], b0: nodes[front] }, SHIFT),
            };
            let next = grammar.ln(Choice::Next { s0: nodes[front], s1: nodes[top] }, nodes[front + 1]);
            shifts[front * (words + 1) + top] = step + next;
        }
        let mut reduces = table(triples.len() * kinds.len(), f64::NEG_INFINITY)?;
        let mut step = 0.0;
        for ([s0, s1, front], scores) in triples.all().zip(reduces.chunks_exact_mut(kinds.len())) {
            let is_first = s1 == 0;
            let (s0, s1, b0) = (nodes[s0], nodes[s1], nodes[front]);
            if is_first {
                step = if front > words { 0.0 } else { grammar.ln(Choice::Step { s0, b0 }, REDUCE) };
            }
            let situation = Choice::situation(s1, b0);
            let distribution = grammar.distribution(Choice::Kind { s0, s1, b0 });
            for (kind, score) in scores.iter_mut().enumerate() {
                if kinds.permits(kind, situation) {
                    *score = step + distribution.probability(kind as u32).ln();
                    if kinds.get(kind) == Kind::Deepest {
                        *score -= (kinds.heads_of_deepest(situation.at_end) as f64).ln();
                    }
                }
            }
        }
        let arcs = kinds.lookahead().then(|| {
            let mut arcs = ArcScores::new(words);
            for (head, word) in arcs.arcs().filter(|(head, word)| head > word) {
                arcs.put(head, word, grammar.ahead.ln() + (head - word) as f64 * (1.0 - grammar.ahead).ln());
            }
            arcs
        });
        let first = grammar.ln(Choice::Next { s0: Symbols::ROOT, s1: Symbols::END }, nodes[1]);
        Ok(GrammarScores { grammar, triples, first, shifts, reduces, arcs })
    }

    /// The probability of a kind of reduce in a window.
    fn kind(&self, view: View<'_>, head: HeadKind, slot: usize) -> f64 {
        let triple = self.triples.number(view.stack[0], view.stack[1], view.front);
        let kinds = &self.grammar.kinds;
        self.reduces[triple * kinds.len() + kinds.number(head, slot)]
    }
}

impl TransitionScores for GrammarScores<'_> {
    fn words(&self) -> usize {
        self.triples.words()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        top.map_or(self.first, |top| self.shifts[front * (self.words() + 1) + top])
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let kind = self.kind(view, head.into(), dependent);
        match head {
            Address::Buffer(place) if self.arcs.is_some() => {
                let ahead = self.grammar.ahead;
                kind + ahead.ln() + place as f64 * (1.0 - ahead).ln()
            }
            _ => kind,
        }
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        self.arcs.as_ref()
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        let (kind, word) = (self.kind(view, head, dependent), view.stack[dependent]);
        let Some(arcs) = &self.arcs else { return kind };
        match head {
            HeadKind::Stack(place) if view.stack[place] > word => kind - arcs.get(view.stack[place], word),
            HeadKind::Stack(_) => kind,
            HeadKind::Ahead => kind - (view.front - word) as f64 * (1.0 - self.grammar.ahead).ln(),
        }
    }

    fn deepest(&self, _: usize, _: usize) -> f64 {
        0.0
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        let triple = self.triples.number(others[0], others[1], front);
        self.reduces[(triple + 1) * self.grammar.kinds.len() - 1]
    }
}
