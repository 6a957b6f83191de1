//! From scores to a tree.

use tanglewood::inference::{Inference, RunReading};
use tanglewood::scores::TransitionScores;
use tanglewood::search::{beam, greedy};
use tanglewood::spanning::Spanning;
use tanglewood::system::NameError;
use tanglewood::{Derivation, Direction, System, Tree};

use crate::ahead::Ahead;
use crate::file::About;
use crate::learned::{LearnedScores, RunScores};
use crate::model::Model;
use crate::training::Goal;

/// The search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The best tree that the system can build.
    Exact,
    /// The best transition, one after the other, from left to right.
    Greedy,
    /// Beam search that keeps this number of runs.
    Beam(usize),
    /// The best of all trees, by scores of arcs alone.
    Spanning,
}

/// A way to find a tree with a single root.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// The search method.
    pub method: Method,
    /// The transition system whose trees are searched.
    pub system: System,
    /// In which direction to read, for exact decoding by scores of arcs. Of scores of transitions, those that
    /// the model has for this direction count, in either all that it has.
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

    /// What a model was made for: exact in `mh4+`, read in either direction; for scores of transitions in the
    /// system that they were learned with, and greedy if they were learned one by one.
    ///
    /// # Errors
    /// If the model names a system that does not exist.
    pub fn of_model(model: &Model, about: &About) -> Result<Decoder, NameError> {
        let settings = about.settings.as_ref().filter(|_| model.options().scores_transitions());
        let system = System::named(settings.map_or("mh4+", |settings| &settings.system))?;
        Ok(Decoder::to_judge(settings.map_or(Goal::Heads, |settings| settings.goal), system))
    }

    /// The tree. If it cannot be had — a chart would take too much memory — the best of all trees, or, by
    /// scores of transitions, the best of a [narrow](Inference::narrow) system; nothing only for a sentence
    /// without words.
    pub fn decode(&self, scores: &LearnedScores<f32>) -> Option<Tree> {
        let found = match (self.method, scores.as_arcs()) {
            (Method::Spanning, _) => None,
            (Method::Exact, Some(arcs)) => {
                let inference = Inference::new(&self.system).memory(self.memory).direction(self.direction);
                inference.best(arcs).map(|parse| parse.tree).ok()
            }
            (Method::Greedy | Method::Beam(_), Some(arcs)) => {
                self.search(&Ahead::new(arcs)).and_then(|(_, run)| run.tree().ok())
            }
            (_, None) => self.by_transitions(scores),
        };
        found.or_else(|| Spanning::new().best(scores.arcs()).map(|best| best.tree).ok())
    }

    fn by_transitions(&self, scores: &LearnedScores<f32>) -> Option<Tree> {
        let inference = Inference::new(&self.system).memory(self.memory);
        let scores = scores.readings(self.direction);
        let readings: Vec<RunReading<'_>> = scores.iter().map(RunScores::reading).collect();
        let found = match self.method {
            Method::Exact => inference
                .best_of_runs(&readings)
                .or_else(|error| inference.narrow().ok_or(error)?.best_of_runs(&readings)),
            _ => {
                let search = |reading: &RunReading<'_>| reading.answer(self.search(reading.scores)?);
                inference.most_probable(&readings, readings.iter().filter_map(search).collect())
            }
        };
        found.map(|parse| parse.tree).ok()
    }

    fn search(&self, scores: &dyn TransitionScores) -> Option<(f64, Derivation)> {
        match self.method {
            Method::Beam(width) => beam(&self.system, scores, width, true),
            _ => greedy(&self.system, scores, true),
        }
    }
}
