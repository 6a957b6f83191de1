//! From scores to a tree.

use tanglewood::inference::Inference;
use tanglewood::search::{beam, greedy};
use tanglewood::spanning::Spanning;
use tanglewood::{Direction, System, Tree};

use crate::learned::LearnedScores;
use crate::training::Goal;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The best tree that the system can build.
    Exact,
    /// The best transition, one after the other, from left to right.
    Greedy,
    /// The best few runs.
    Beam(usize),
    /// The best of all trees, by scores of arcs alone.
    Spanning,
}

/// A way to find a tree with a single root.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// How to search.
    pub method: Method,
    /// What to build trees with.
    pub system: System,
    /// In which direction to read, for exact decoding by scores of arcs. Scores of transitions are for reading from left to right.
    pub direction: Direction,
    /// How many bytes a chart may take.
    pub memory: u64,
}

impl Decoder {
    /// Exact, in either direction where that can be.
    pub fn exact(system: System) -> Decoder {
        let memory = Inference::DEFAULT_MEMORY;
        Decoder { method: Method::Exact, system, direction: Direction::Either, memory }
    }

    /// What a model with this goal was made for.
    pub fn to_judge(goal: Goal, system: System) -> Decoder {
        let method = if goal == Goal::Transitions { Method::Greedy } else { Method::Exact };
        Decoder { method, ..Decoder::exact(system) }
    }

    /// The tree. If it cannot be had — a chart would take too much memory — the best of all trees; nothing only for a sentence without words.
    pub fn decode(&self, scores: &LearnedScores<f32>) -> Option<Tree> {
        let found = match self.method {
            Method::Exact => self.exact_tree(scores),
            Method::Greedy => greedy(&self.system, scores, true).and_then(|(_, run)| run.tree().ok()),
            Method::Beam(width) => {
                beam(&self.system, scores, width, true).and_then(|(_, run)| run.tree().ok())
            }
            Method::Spanning => None,
        };
        found.or_else(|| Spanning::new().best(scores.arcs()).map(|best| best.tree).ok())
    }

    fn exact_tree(&self, scores: &LearnedScores<f32>) -> Option<Tree> {
        use tanglewood::scores::TransitionScores;
        let inference = Inference::new(&self.system).memory(self.memory);
        match scores.as_arcs() {
            Some(arcs) => inference.direction(self.direction).best(arcs).map(|parse| parse.tree).ok(),
            None => inference.best_derivation(scores).ok()?.tree().ok(),
        }
    }
}
