//! The best few runs, all of them one step further each time.
//!
//! Runs share what they have in common. A stack is a linked list whose cells are never changed, so that a new
//! run adds a few cells for the window it changed, and a history is a linked list of transitions. A step thus
//! costs what its candidates cost, not a copy of everything before.

use crate::deduction::rules::Rules;
use crate::scores::TransitionScores;
use crate::system::{Address, System};
use crate::transition::{Derivation, Transition, stack_nodes_needed};

/// A list in an arena: its first cell, if it has one.
type List = Option<usize>;

/// Cells of lists: what is in the cell, and the rest of the list.
type Arena<T> = Vec<(T, List)>;

/// A place on a stack.
#[derive(Clone, Copy)]
struct Place {
    node: usize,
    /// How many places further down the frames reached in which something right above was removed. Counted
    /// from here, so that stacks can share what is below. (With the bottom as the point of reference, it is
    /// the number that [`Frames`](crate::transition::Frames) keeps.)
    reach: usize,
}

/// A run so far.
#[derive(Clone, Copy)]
struct Run {
    score: f64,
    /// Places, the top first.
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
    places: Arena<Place>,
    transitions: Arena<Transition>,
}

/// The best of the runs that are left when, after each transition, only the `width` best are kept, and its
/// score; nothing if all were led to where everything is forbidden.
///
/// Of runs with equal scores, those that continue a better run are kept, then those whose last transition
/// comes first in the order of [`Configuration::permitted`](crate::Configuration::permitted). A width of
/// `usize::MAX` keeps all runs: exact, and exponential.
///
/// ```
/// use tanglewood::System;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::search::beam;
/// let mut scores = ArcScores::new(2);
/// scores.set(2, 1, 1.0)?;
/// let (score, run) = beam(&System::named("attardi")?, &scores, 8, true).expect("nothing is forbidden");
/// assert_eq!(score, 1.0);
/// assert_eq!(run.to_string(), "shift shift shift s0>s1 s1>s0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn beam(
    system: &System,
    scores: &(impl TransitionScores + ?Sized),
    width: usize,
    single_root: bool,
) -> Option<(f64, Derivation)> {
    let words = scores.words();
    let rules = Rules::of_system(system, words, single_root);
    let mut lists = Lists { places: Vec::new(), transitions: Vec::new() };
    let mut runs = vec![Run { score: 0.0, stack: None, front: 0, history: None }];
    runs.retain(|_| rules.can_finish());
    let mut window = Vec::new();
    let mut candidates = Vec::new();
    for _ in 0..2 * words + 1 {
        for &run in &runs {
            window.clear();
            window.extend(lists.stack(run).map(|place| place.node).take(rules.degree() + 1));
            let fits = |head, dependent| {
                system.frame().is_none_or(|nodes| lists.deepest(run, head, dependent) + 2 <= nodes)
            };
            let steps = rules.transitions_if(&window, run.front, fits, scores);
            candidates.extend(steps.map(|(transition, score)| Candidate {
                score: run.score + score,
                run,
                transition,
            }));
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        candidates.truncate(width);
        runs.clear();
        let in_frames = system.frame().is_some();
        runs.extend(candidates.drain(..).map(|candidate| lists.extended(candidate, in_frames)));
    }
    // So many transitions can only be n + 1 shifts and n reduces, as the root is never removed: every run
    // left is complete.
    let best = *runs.first()?;
    Some((best.score, Derivation::new(words, lists.history(best))))
}

impl Lists {
    /// The stack of a run, its top first.
    fn stack(&self, run: Run) -> impl Iterator<Item = Place> + '_ {
        let mut rest = run.stack;
        std::iter::from_fn(move || {
            let (place, below) = self.places[rest?];
            rest = below;
            Some(place)
        })
    }

    /// The deepest stack slot of the smallest frame for a reduce.
    fn deepest(&self, run: Run, head: Address, dependent: usize) -> usize {
        let mut deepest = stack_nodes_needed(head, dependent) - 1;
        for (slot, place) in self.stack(run).enumerate() {
            if slot > deepest {
                break;
            }
            deepest = deepest.max(slot + place.reach);
        }
        deepest
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

    fn extended(&mut self, candidate: Candidate, in_frames: bool) -> Run {
        let Candidate { score, run, transition } = candidate;
        let history = push(&mut self.transitions, transition, run.history);
        match transition {
            Transition::Shift => {
                let stack = push(&mut self.places, Place { node: run.front, reach: 0 }, run.stack);
                Run { score, stack, front: run.front + 1, history }
            }
            Transition::Reduce { head, dependent } => {
                // One place less, as one is removed.
                let reach = in_frames.then(|| self.deepest(run, head, dependent) - 1);
                Run { score, stack: self.without(run.stack, dependent, reach), front: run.front, history }
            }
        }
    }

    /// A stack without the node in one of its slots: the nodes above it are pushed again onto those below it.
    /// With frames, all of them down to the one below the removed node now reach to the end of the frame;
    /// `reach` is how far the first does.
    fn without(&mut self, stack: List, slot: usize, reach: Option<usize>) -> List {
        let (Place { node, .. }, below) = self.places[stack?];
        let Some(slots_left) = slot.checked_sub(1) else {
            let Some(reach) = reach else { return below };
            let (Place { node, .. }, rest) = self.places[below?];
            return push(&mut self.places, Place { node, reach }, rest);
        };
        let below = self.without(below, slots_left, reach.map(|reach| reach - 1));
        push(&mut self.places, Place { node, reach: reach.unwrap_or(0) }, below)
    }
}

/// The list with one more cell in front.
fn push<T>(arena: &mut Arena<T>, value: T, rest: List) -> List {
    arena.push((value, rest));
    Some(arena.len() - 1)
}
