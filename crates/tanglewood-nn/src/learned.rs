//! A model's scores of one sentence, as searches and charts take them.

use std::borrow::Cow;

use tanglewood::inference::RunReading;
use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, View, WindowPair};
use tanglewood::system::Address;
use tanglewood::{Configuration, Derivation, Direction, Transition};

use crate::layers::{MOVES, RunTables, arc_scores, window_table};
use crate::matrix::Matrix;
use crate::network::SentenceScores;
use crate::real::Real;

/// Scores of arcs and, if the model has them, of transitions, for each direction in which it reads.
#[derive(Clone, Debug)]
pub struct LearnedScores<T> {
    arcs: ArcScores,
    runs: Vec<RunTables<T>>,
}

/// Scores of transitions for reading in one direction. Words are in the order in which they are read.
///
/// A transition's score is that of its arc, plus that of its move, plus those of pairs in its window.
#[derive(Clone, Debug)]
pub struct RunScores<'a, T> {
    arcs: Cow<'a, ArcScores>,
    tables: &'a RunTables<T>,
}

/// What the score of a transition is the sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The score of an arc.
    Arc { head: usize, dependent: usize },
    /// The score of a move, given the top of the stack and the front of the buffer.
    Move { this: usize, top: usize, front: usize },
    /// A pair of nodes, the deeper one first.
    Window { table: usize, nodes: [usize; 2] },
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
    let stack: Vec<usize> = configuration.stack().rev().take(3).collect();
    let top = stack.first().copied().filter(|&top| top != 0);
    let windows = match transition {
        Transition::Shift => None,
        Transition::Reduce { head, dependent } => {
            Some(window_parts(View { stack: &stack, front }, head.into(), dependent))
        }
    };
    let of_move = top.map(|top| Part::Move { this, top, front });
    arc.into_iter().chain(of_move).chain(windows.into_iter().flatten())
}

/// The pairs that a reduce sees.
pub(crate) fn window_parts(
    view: View<'_>,
    head: HeadKind,
    dependent: usize,
) -> impl Iterator<Item = Part> + use<> {
    WindowPair::of_reduce(view, head, dependent)
        .filter_map(move |(pair, nodes)| Some(Part::Window { table: window_table(pair, dependent)?, nodes }))
}

/// Row and column of a pair in its table: the root is in the last row.
pub(crate) fn window_place<T: Real>(table: &Matrix<T>, [deeper, other]: [usize; 2]) -> (usize, usize) {
    (if deeper == 0 { table.rows() - 1 } else { deeper - 1 }, other - 1)
}

pub(crate) const SHIFT: usize = 0;

/// Which move a reduce is: removing from deeper places is one.
pub(crate) fn removing(slot: usize) -> usize {
    (slot + 1).min(MOVES - 1)
}

impl<T: Real> LearnedScores<T> {
    /// Converts the scores that a network computes for one sentence.
    pub fn new(scores: &SentenceScores<T>) -> LearnedScores<T> {
        LearnedScores { arcs: arc_scores(&scores.arcs), runs: scores.runs.clone() }
    }

    /// The scores of arcs alone.
    pub fn arcs(&self) -> &ArcScores {
        &self.arcs
    }

    /// The scores of arcs, to be changed: −∞ forbids one.
    pub fn arcs_mut(&mut self) -> &mut ArcScores {
        &mut self.arcs
    }

    /// The scores of arcs, if that is all there is.
    pub fn as_arcs(&self) -> Option<&ArcScores> {
        self.runs.is_empty().then_some(&self.arcs)
    }

    /// Scores of transitions for each direction that counts, as far as the model has them.
    pub fn readings(&self, direction: Direction) -> Vec<RunScores<'_, T>> {
        let counts = |tables: &&RunTables<T>| direction.each().any(|counts| counts == tables.direction);
        let read = |tables| RunScores::new(&self.arcs, tables);
        self.runs.iter().filter(counts).map(read).collect()
    }
}

impl<'a, T: Real> RunScores<'a, T> {
    /// Given scores of arcs in the order of the sentence.
    pub(crate) fn new(arcs: &'a ArcScores, tables: &'a RunTables<T>) -> RunScores<'a, T> {
        RunScores { arcs: arcs.read(tables.direction), tables }
    }

    /// One of the two.
    pub fn direction(&self) -> Direction {
        self.tables.direction
    }

    /// As exact inference takes them.
    pub fn reading(&self) -> RunReading<'_> {
        RunReading { direction: self.direction(), scores: self }
    }

    /// The scores of arcs, in reading order.
    pub(crate) fn arcs(&self) -> &ArcScores {
        &self.arcs
    }

    /// The scores of arcs, in reading order, to be changed.
    pub(crate) fn arcs_mut(&mut self) -> &mut ArcScores {
        self.arcs.to_mut()
    }

    /// The score of a transition.
    pub fn transition(&self, configuration: &Configuration, transition: Transition) -> f64 {
        let of_part = |part| match part {
            Part::Arc { head, dependent } => self.arcs.get(head, dependent),
            Part::Move { this, top, front } => self.of_move(this, top, front),
            Part::Window { table, nodes } => self.of_window(table, nodes),
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
        let Some(scores) = self.tables.moves.get(this) else { return 0.0 };
        sound(scores.row(top - 1)[front - 1].wide())
    }

    fn of_window(&self, table: usize, nodes: [usize; 2]) -> f64 {
        let Some(scores) = self.tables.windows.get(table) else { return 0.0 };
        let (row, column) = window_place(scores, nodes);
        sound(scores.row(row)[column].wide())
    }
}

impl<T: Real> TransitionScores for RunScores<'_, T> {
    fn words(&self) -> usize {
        self.arcs.len()
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

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        let of_move = self.of_move(removing(dependent), view.stack[0], view.front);
        if self.contexts_are_by_top() {
            return of_move;
        }
        let pairs = WindowPair::of_reduce(view, head, dependent);
        of_move + pairs.map(|(pair, nodes)| self.pair_context(pair, nodes, dependent)).sum::<f64>()
    }

    fn contexts_are_by_top(&self) -> bool {
        self.tables.windows.is_empty()
    }

    fn contexts_are_by_pairs(&self) -> bool {
        !self.contexts_are_by_top()
    }

    fn pair_context(&self, pair: WindowPair, nodes: [usize; 2], dependent: usize) -> f64 {
        window_table(pair, dependent).map_or(0.0, |table| self.of_window(table, nodes))
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        self.context(View { stack: others, front }, HeadKind::Ahead, others.len())
    }
}

/// What is not a number comes from a damaged model.
fn sound(score: f64) -> f64 {
    if score.is_finite() { score } else { 0.0 }
}
