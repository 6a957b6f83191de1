//! A model's scores of one sentence, as searches and charts take them.

use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, View};
use tanglewood::system::Address;
use tanglewood::{Configuration, Derivation, Transition};

use crate::layers::{MOVES, arc_scores};
use crate::matrix::Matrix;
use crate::network::SentenceScores;
use crate::real::Real;

/// Scores of arcs and, if the model has them, of moves: a transition's score is that of its move plus that of its arc.
#[derive(Clone, Debug)]
pub struct LearnedScores<T> {
    arcs: ArcScores,
    moves: Vec<Matrix<T>>,
}

/// What the score of a transition is the sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The score of an arc.
    Arc { head: usize, dependent: usize },
    /// The score of a move, given the top of the stack and the front of the buffer.
    Move { this: usize, top: usize, front: usize },
}

/// The parts of a transition's score. A shift with the root on top has none, as there is no choice.
pub(crate) fn parts(configuration: &Configuration, transition: Transition) -> impl Iterator<Item = Part> {
    let front = configuration.front();
    let (this, arc) = match transition {
        Transition::Shift => (SHIFT, None),
        Transition::Reduce { head, dependent } => {
            (removing(dependent), configuration.arc(head, dependent).ok())
        }
    };
    let arc = arc.map(|(head, dependent)| Part::Arc { head, dependent });
    let top = configuration.stack().next_back().filter(|&top| top != 0);
    arc.into_iter().chain(top.map(|top| Part::Move { this, top, front }))
}

pub(crate) const SHIFT: usize = 0;

/// Which move a reduce is: removing from deeper places is one.
pub(crate) fn removing(slot: usize) -> usize {
    (slot + 1).min(MOVES - 1)
}

impl<T: Real> LearnedScores<T> {
    /// Converts the scores that a network computes for one sentence.
    pub fn new(scores: &SentenceScores<T>) -> LearnedScores<T> {
        LearnedScores { arcs: arc_scores(&scores.arcs), moves: scores.moves.clone() }
    }

    /// The scores of arcs alone.
    pub fn arcs(&self) -> &ArcScores {
        &self.arcs
    }

    /// The scores of arcs, to be changed: −∞ forbids one.
    pub fn arcs_mut(&mut self) -> &mut ArcScores {
        &mut self.arcs
    }

    /// The score of a transition.
    pub fn transition(&self, configuration: &Configuration, transition: Transition) -> f64 {
        let of_part = |part| match part {
            Part::Arc { head, dependent } => self.arcs.get(head, dependent),
            Part::Move { this, top, front } => self.of_move(this, top, front),
        };
        parts(configuration, transition).map(of_part).sum()
    }

    /// The score of a run, as far as it is possible.
    pub fn of_run(&self, run: &Derivation) -> f64 {
        let mut configuration = Configuration::start(run.words());
        let mut total = 0.0;
        for &transition in run.transitions() {
            total += self.transition(&configuration, transition);
            if configuration.apply(transition).is_err() {
                break;
            }
        }
        total
    }

    fn of_move(&self, this: usize, top: usize, front: usize) -> f64 {
        let Some(scores) = self.moves.get(this) else { return 0.0 };
        let score = scores.row(top - 1)[front - 1].wide();
        // What is not a number comes from a damaged model.
        if score.is_finite() { score } else { 0.0 }
    }
}

impl<T: Real> TransitionScores for LearnedScores<T> {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn as_arcs(&self) -> Option<&ArcScores> {
        self.moves.is_empty().then_some(&self.arcs)
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        top.filter(|&top| top != 0).map_or(0.0, |top| self.of_move(SHIFT, top, front))
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.arcs.reduce(view, head, dependent) + self.context(view, head.into(), dependent)
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        Some(&self.arcs)
    }

    fn context(&self, view: View<'_>, _: HeadKind, dependent: usize) -> f64 {
        self.of_move(removing(dependent), view.stack[0], view.front)
    }

    fn contexts_are_by_top(&self) -> bool {
        true
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        self.of_move(removing(others.len()), others[0], front)
    }
}
