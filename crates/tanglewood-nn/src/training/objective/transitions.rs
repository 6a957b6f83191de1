//! Transitions one by one, and the run and the tree that objectives over runs learn from.

use tanglewood::inference::Inference;
use tanglewood::scores::ArcScores;
use tanglewood::search::Choices;
use tanglewood::{Configuration, Derivation, Oracle, System, Transition, Tree};

use super::Objective;
use super::readings::{Slopes, over_readings};
use crate::encoding::Example;
use crate::learned::RunScores;
use crate::network::SentenceScores;
use crate::real::Real;

/// At each step of the oracle's run, the right transition among all that a system has to offer there: −Σ ln
/// softmax of its score. The last one has no alternative; in its place the root's dependent is chosen among
/// all words.
///
/// Where the system cannot build the tree, the run is the best one to the nearest tree it can build.
#[derive(Clone, Debug)]
pub struct NextTransition {
    system: System,
    oracle: Oracle,
    memory: u64,
}

impl NextTransition {
    /// The objective for a system; the chart that finds the nearest tree may take `memory` bytes for each
    /// thread.
    pub fn new(system: System, memory: u64) -> NextTransition {
        let oracle = Oracle::new(&system);
        NextTransition { system, oracle, memory }
    }
}

impl<T: Real> Objective<T> for NextTransition {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        over_readings(example, scores, |tree, learned, slopes| {
            let inference = Inference::new(&self.system).memory(self.memory);
            let (run, tree) = target(&inference, &self.oracle, tree)?;
            Some(one_by_one(&self.system, (&run, &tree), &learned, slopes))
        })
    }
}

/// The loss of the transitions of a run to a tree, one by one.
pub(super) fn one_by_one<T: Real>(
    system: &System,
    (run, tree): (&Derivation, &Tree),
    learned: &RunScores<'_, T>,
    slopes: &mut Slopes<'_, T>,
) -> f64 {
    let mut choices = Choices::new(system, tree.len(), true);
    let mut loss = 0.0;
    walk(run, |configuration, right| {
        let offered: Vec<(Transition, f64)> = choices.at(configuration, learned).collect();
        let largest = offered.iter().fold(f64::NEG_INFINITY, |largest, &(_, score)| largest.max(score));
        let total: f64 = offered.iter().map(|(_, score)| (score - largest).exp()).sum();
        for &(transition, score) in &offered {
            let probability = (score - largest).exp() / total;
            let is_right = transition == right;
            if is_right {
                loss += total.ln() - (score - largest);
            }
            let slope = probability - f64::from(u8::from(is_right));
            slopes.transition(configuration, transition, slope);
        }
        choices.made(right);
    });
    loss + root_loss(learned, tree, slopes)
}

/// The oracle's run, or the best run to the nearest tree that the system can build with a single root; and
/// the tree it leads to. Nothing if even finding that would take too much memory.
pub(super) fn target(inference: &Inference, oracle: &Oracle, tree: &Tree) -> Option<(Derivation, Tree)> {
    if tree.has_single_root()
        && let Ok(run) = oracle.derivation(tree)
    {
        return Some((run, tree.clone()));
    }
    let mut agreement = ArcScores::new(tree.len());
    tree.arcs().try_for_each(|(head, dependent)| agreement.set(head, dependent, 1.0)).ok()?;
    let nearest = inference.best(&agreement).ok()?;
    Some((nearest.derivation?, nearest.tree))
}

/// Each transition of a run, and where it happens.
pub(super) fn walk(run: &Derivation, mut visit: impl FnMut(&Configuration, Transition)) {
    let mut configuration = Configuration::start(run.words());
    for &transition in run.transitions() {
        visit(&configuration, transition);
        if configuration.apply(transition).is_err() {
            return;
        }
    }
}

/// −ln softmax of the arc from the root among all arcs from it.
fn root_loss<T: Real>(scores: &RunScores<'_, T>, tree: &Tree, slopes: &mut Slopes<'_, T>) -> f64 {
    let arcs = &scores.arcs().row(0)[1..];
    let largest = arcs.iter().fold(f64::NEG_INFINITY, |largest, &score| largest.max(score));
    let total: f64 = arcs.iter().map(|score| (score - largest).exp()).sum();
    let mut loss = 0.0;
    for (at, score) in arcs.iter().enumerate() {
        let is_right = tree.head(at + 1) == 0;
        if is_right {
            loss = total.ln() - (score - largest);
        }
        slopes.arc(0, at + 1, (score - largest).exp() / total - f64::from(u8::from(is_right)));
    }
    loss
}
