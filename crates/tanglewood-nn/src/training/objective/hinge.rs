//! The right tree has to be better than every other one, by as much as the other is wrong (Taskar et al.
//! 2003; Tsochantaridis et al. 2004).
//!
//! The tree, or the run, that is worst in that sense is found by the exact decoder: each arc that is not the
//! tree's own gets one more point.

use tanglewood::inference::Inference;
use tanglewood::scores::ArcScores;
use tanglewood::{Direction, Oracle, System, Tree};

use super::readings::over_readings;
use super::transitions::{one_by_one, target};
use super::{HeadSelection, Objective};
use crate::encoding::Example;
use crate::layers::arc_scores;
use crate::network::SentenceScores;
use crate::real::Real;

/// max(0, maxₜ (score(t) + words of t with a wrong head) − score(tree)), over all t that a system can build
/// with a single root.
///
/// The tree itself need not be one of them. Where the chart would take too much memory, heads are chosen one
/// by one.
#[derive(Clone, Debug)]
pub struct Hinge {
    /// The transition system.
    pub system: System,
    /// Reading direction.
    pub direction: Direction,
    /// Number of bytes that a chart may take, for each thread.
    pub memory: u64,
}

impl<T: Real> Objective<T> for Hinge {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let mut arcs = arc_scores(&scores.arcs);
        let right = arcs.of_tree(&example.tree);
        favour_errors(&mut arcs, &example.tree);
        let inference = Inference::new(&self.system).direction(self.direction).memory(self.memory);
        let Ok(worst) = inference.best(&arcs) else {
            return HeadSelection.loss(example, scores);
        };
        scores.values_mut().for_each(|value| *value = T::ZERO);
        let loss = worst.score - right;
        if loss > 0.0 {
            for (tree, slope) in [(&worst.tree, T::of(1.0)), (&example.tree, T::of(-1.0))] {
                tree.arcs().for_each(|(head, dependent)| scores.arcs.row_mut(dependent - 1)[head] += slope);
            }
        }
        loss.max(0.0)
    }
}

/// The same over the runs of a system, with scores of transitions: the right run has to be better than every
/// other one.
///
/// The right run is the best of the tree's runs, by the scores as they are. Where the system cannot build the
/// tree, the nearest tree that it can build takes its place. Where the chart would take too much memory,
/// transitions are chosen one by one.
#[derive(Clone, Debug)]
pub struct TransitionHinge {
    system: System,
    oracle: Oracle,
    memory: u64,
}

impl TransitionHinge {
    /// The objective for a system; a chart may take `memory` bytes for each thread.
    pub fn new(system: System, memory: u64) -> TransitionHinge {
        let oracle = Oracle::new(&system);
        TransitionHinge { system, oracle, memory }
    }
}

impl<T: Real> Objective<T> for TransitionHinge {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let inference = Inference::new(&self.system).memory(self.memory);
        over_readings(example, scores, |tree, mut learned, slopes| {
            let (oracles, tree) = target(&inference, &self.oracle, tree)?;
            let right = inference.best_run_of(&tree, &learned).ok().and_then(|right| right.derivation);
            let given = learned.clone();
            favour_errors(learned.arcs_mut(), &tree);
            let worst = inference.best_run(&learned).ok().and_then(|worst| worst.derivation);
            let Some(worst) = worst else {
                return Some(one_by_one(&self.system, (&oracles, &tree), &given, slopes));
            };
            let right = right.unwrap_or(oracles);
            let loss = learned.of_run(&worst) - learned.of_run(&right);
            if loss > 0.0 {
                slopes.run(&worst, 1.0);
                slopes.run(&right, -1.0);
            }
            Some(loss.max(0.0))
        })
    }
}

/// One more point for each arc that is not the tree's own.
fn favour_errors(arcs: &mut ArcScores, tree: &Tree) {
    for dependent in 1..=tree.len() {
        let right = tree.head(dependent);
        for head in (0..=tree.len()).filter(|&head| head != dependent && head != right) {
            // It is an arc, and its score stays one.
            let _ = arcs.set(head, dependent, arcs.get(head, dependent) + 1.0);
        }
    }
}
