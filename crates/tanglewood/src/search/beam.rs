//! The best few runs, all of them one step further each time.
//!
//! Runs share what they have in common. A stack is a linked list whose cells are never changed, so that a new run adds a few cells
//! for the window it changed, and a history is a linked list of transitions. A step thus costs what its candidates cost, not a copy
//! of everything before.

use crate::deduction::rules::Rules;
use crate::scores::TransitionScores;
use crate::system::Inventory;
use crate::transition::{Derivation, Transition};

/// A list in an arena: its first cell, if it has one.
type List = Option<usize>;

/// Cells of lists: what is in the cell, and the rest of the list.
type Arena<T> = Vec<(T, List)>;

/// A run so far.
#[derive(Clone, Copy)]
struct Run {
    score: f64,
    /// Nodes, the top first.
    stack: List,
    front: usize,
    /// Transitions, the last first.
    history: List,
}

/// One step further than one of the runs.
struct Candidate {
    score: f64,
    run: Run,
    transition: Transition,
}

struct Lists {
    nodes: Arena<usize>,
    transitions: Arena<Transition>,
}

/// The best of the runs that are left when, after each transition, only the `width` best are kept, and its score; nothing if
/// all were led to where everything is forbidden.
///
/// Of runs with equal scores, those that continue a better run are kept, then those whose last transition comes first in the order
/// of [`Configuration::permitted`](crate::Configuration::permitted). A width of `usize::MAX` keeps all runs: exact, and exponential.
///
/// ```
/// use tanglewood::System;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::search::beam;
/// let mut scores = ArcScores::new(2);
/// scores.set(2, 1, 1.0);
/// let (score, run) = beam(System::named("attardi")?.inventory(), &scores, 8, true).expect("nothing is forbidden");
/// assert_eq!(score, 1.0);
/// assert_eq!(run.to_string(), "shift shift shift s0>s1 s1>s0");
/// # Ok::<(), tanglewood::system::NameError>(())
/// ```
pub fn beam(
    inventory: &Inventory,
    scores: &(impl TransitionScores + ?Sized),
    width: usize,
    single_root: bool,
) -> Option<(f64, Derivation)> {
    let words = scores.words();
    let rules = Rules::new(inventory, words, single_root);
    let mut lists = Lists { nodes: Vec::new(), transitions: Vec::new() };
    let mut runs = vec![Run { score: 0.0, stack: None, front: 0, history: None }];
    runs.retain(|_| rules.can_finish());
    let mut window = Vec::new();
    let mut candidates = Vec::new();
    for _ in 0..2 * words + 1 {
        for &run in &runs {
            window.clear();
            window.extend(lists.stack(run).take(rules.degree() + 1));
            let steps = rules.transitions_if(&window, run.front, |_, _| true, scores);
            candidates.extend(steps.map(|(transition, score)| Candidate {
                score: run.score + score,
                run,
                transition,
            }));
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        candidates.truncate(width);
        runs.clear();
        runs.extend(candidates.drain(..).map(|candidate| lists.extended(candidate)));
    }
    // So many transitions can only be n + 1 shifts and n reduces, as the root is never removed: every run left is complete.
    let best = *runs.first()?;
    Some((best.score, Derivation::new(words, lists.history(best))))
}

impl Lists {
    /// The stack of a run, its top first.
    fn stack(&self, run: Run) -> impl Iterator<Item = usize> + '_ {
        let mut rest = run.stack;
        std::iter::from_fn(move || {
            let (node, below) = self.nodes[rest?];
            rest = below;
            Some(node)
        })
    }

    /// The transitions of a run from the first to the last.
    fn history(&self, run: Run) -> Vec<Transition> {
        let mut transitions = Vec::new();
        let mut rest = run.history;
        while let Some(at) = rest {
            transitions.push(self.transitions[at].0);
            rest = self.transitions[at].1;
        }
        transitions.reverse();
        transitions
    }

    fn extended(&mut self, candidate: Candidate) -> Run {
        let Candidate { score, run, transition } = candidate;
        let history = push(&mut self.transitions, transition, run.history);
        match transition {
            Transition::Shift => {
                let stack = push(&mut self.nodes, run.front, run.stack);
                Run { score, stack, front: run.front + 1, history }
            }
            Transition::Reduce { dependent, .. } => {
                Run { score, stack: self.without(run.stack, dependent), front: run.front, history }
            }
        }
    }

    /// A stack without the node in one of its slots: the nodes above it are pushed again onto those below it.
    fn without(&mut self, stack: List, slot: usize) -> List {
        let top = stack?;
        let (node, below) = self.nodes[top];
        if slot == 0 {
            return below;
        }
        let below = self.without(below, slot - 1);
        push(&mut self.nodes, node, below)
    }
}

/// The list with one more cell in front.
fn push<T>(arena: &mut Arena<T>, value: T, rest: List) -> List {
    arena.push((value, rest));
    Some(arena.len() - 1)
}
