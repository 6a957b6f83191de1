//! From scores to trees, by the decoder that was asked for. There is always a tree.

use std::num::NonZeroUsize;

use tanglewood::inference::{Inference, InferenceError, Over, Path};
use tanglewood::scores::{ArcScores, TransitionScores};
use tanglewood::search::{beam, greedy};
use tanglewood::spanning::{ScoredTree, Spanning};
use tanglewood::system::Direction;
use tanglewood::{Derivation, Oracle, System};
use tanglewood_nn::{Ahead, LearnedScores};

use super::choice::Choice;
use crate::arguments::{DecoderName, ParseArguments};
use crate::memory::Budget;

/// How a sentence's tree was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By exact inference.
    Exact(Path),
    /// By greedy or beam search.
    Search,
    /// The best of all trees, as asked for.
    Mst,
    /// The best of all trees, since the chart would not fit in memory.
    TooLarge,
    /// The best of all trees, since no tree of the system has the given heads.
    NotInSystem,
    /// The best of all trees, since the search came to a dead end.
    DeadEnd,
}

impl Way {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Way::Exact(Path::Certificate) => "certificate",
            Way::Exact(Path::Pruned) => "pruned",
            Way::Exact(Path::Chart) => "chart",
            Way::Exact(Path::Deduction) => "deduction",
            Way::Search => "search",
            Way::Mst => "mst",
            Way::TooLarge => "mst-too-large",
            Way::NotInSystem => "mst-not-in-system",
            Way::DeadEnd => "mst-dead-end",
        }
    }
}

/// One tree, or the best few, the best first.
pub struct Found {
    pub trees: Vec<ScoredTree>,
    pub way: Way,
}

/// Probabilities of trees and arcs.
pub struct Probabilities {
    /// Of each arc, `[head][dependent]`.
    pub arcs: Vec<Vec<f64>>,
    /// The logarithms of the trees'.
    pub log_trees: Vec<f64>,
    /// Among which trees.
    pub over: String,
}

/// Finds trees.
pub struct Decoder<'a> {
    name: DecoderName,
    system: &'a System,
    direction: Direction,
    inference: Inference<'a>,
    oracle: Oracle,
    budget: Budget,
    nbest: usize,
}

/// Of all trees, so many times K are looked at before it is left to the charts to find K that the system can build.
const LOOK_FURTHER: usize = 16;

/// Charts find the K best of sentences of up to so many words.
const CHARTS_FOR_NBEST: usize = 60;

impl<'a> Decoder<'a> {
    pub fn new(arguments: &ParseArguments, choice: &'a Choice) -> Decoder<'a> {
        let &Choice { decoder: name, ref system, direction } = choice;
        let memory = arguments.max_memory.0;
        Decoder {
            name,
            system,
            direction,
            inference: Inference::new(system).direction(direction).memory(memory),
            oracle: Oracle::new(system),
            budget: Budget::new(memory),
            nbest: arguments.nbest.map_or(1, NonZeroUsize::get),
        }
    }

    /// The best trees; nothing only if every tree has a forbidden arc.
    pub fn decode(&self, scores: &LearnedScores<f32>) -> Option<Found> {
        if self.name == DecoderName::Mst {
            return self.of_all(scores.arcs(), Way::Mst);
        }
        let Some(arcs) = scores.as_arcs() else { return self.by_transitions(scores) };
        match self.name {
            DecoderName::Exact => self.exact(arcs),
            _ => self.by_search(arcs),
        }
    }

    /// With scores of transitions, from left to right.
    fn by_transitions(&self, scores: &LearnedScores<f32>) -> Option<Found> {
        let (run, way) = match self.name {
            DecoderName::Exact => match self.best_run(scores) {
                Ok(run) => (Some(run), Way::Exact(Path::Chart)),
                Err(error) => (None, fallback(&error)),
            },
            _ => match self.run(scores) {
                Some(run) => (Some(run), Way::Search),
                None => (None, Way::DeadEnd),
            },
        };
        let Some(tree) = run.as_ref().and_then(|run| run.tree().ok()) else {
            return self.of_all(scores.arcs(), way);
        };
        let score = run.map_or(0.0, |run| scores.of_run(&run));
        Some(Found { trees: vec![ScoredTree { tree, score }], way })
    }

    fn best_run(&self, scores: &LearnedScores<f32>) -> Result<Derivation, InferenceError> {
        let bytes = self.inference.bytes_for_transitions(scores.words(), size_of::<f64>());
        let limit = self.inference.memory_limit();
        // What is too much is refused in any case.
        let _part = self.budget.take(bytes.unwrap_or(limit).min(limit));
        self.inference.best_derivation(scores)
    }

    /// Greedily, or with a beam.
    fn run(&self, scores: &impl TransitionScores) -> Option<Derivation> {
        let run = match self.name {
            DecoderName::Beam(width) => beam(self.system, scores, width.get(), true),
            _ => greedy(self.system, scores, true),
        };
        run.map(|(_, run)| run)
    }

    /// The best of all trees.
    fn of_all(&self, scores: &ArcScores, way: Way) -> Option<Found> {
        let trees = match self.nbest {
            1 => vec![Spanning::new().best(scores).ok()?],
            k => Spanning::new().k_best(scores, k).ok()?,
        };
        Some(Found { trees, way })
    }

    fn exact(&self, scores: &ArcScores) -> Option<Found> {
        let Some(bytes) = self.bytes(scores) else {
            let mut found = self.of_all(scores, Way::TooLarge)?;
            if found.trees.iter().all(|found| self.oracle.covers_in(self.direction, &found.tree)) {
                found.way = Way::Exact(Path::Certificate);
            }
            return Some(found);
        };
        let _part = self.budget.take(bytes);
        if self.nbest > 1 {
            return self.exact_k_best(scores);
        }
        match self.inference.best(scores) {
            Ok(parse) => {
                let (tree, score) = (parse.tree, parse.score);
                Some(Found { trees: vec![ScoredTree { tree, score }], way: Way::Exact(parse.path) })
            }
            Err(error) => self.of_all(scores, fallback(&error)),
        }
    }

    /// The best trees of the system: those among the best of all trees that it can build, as long as these are enough.
    fn exact_k_best(&self, scores: &ArcScores) -> Option<Found> {
        let mut found: Vec<ScoredTree> = Vec::new();
        let mut looked_at = self.nbest;
        while found.len() < self.nbest && looked_at <= self.nbest.saturating_mul(LOOK_FURTHER) {
            let all = Spanning::new().k_best(scores, looked_at).ok()?;
            let exhausted = all.len() < looked_at;
            let built = all.into_iter().filter(|found| self.oracle.covers_in(self.direction, &found.tree));
            found = built.take(self.nbest).collect();
            if exhausted && !found.is_empty() {
                break;
            }
            looked_at = looked_at.saturating_mul(4);
        }
        let enough = found.len() == self.nbest || (!found.is_empty() && scores.len() > CHARTS_FOR_NBEST);
        if enough {
            return Some(Found { trees: found, way: Way::Exact(Path::Certificate) });
        }
        let k = if scores.len() > CHARTS_FOR_NBEST { 1 } else { self.nbest };
        match self.inference.k_best(scores, k) {
            Ok(parses) => {
                let path = parses.first()?.path;
                let trees =
                    parses.into_iter().map(|parse| ScoredTree { tree: parse.tree, score: parse.score });
                Some(Found { trees: trees.collect(), way: Way::Exact(path) })
            }
            Err(error) => self.of_all(scores, fallback(&error)),
        }
    }

    fn by_search(&self, scores: &ArcScores) -> Option<Found> {
        let tree = |scores: &ArcScores| self.run(&Ahead::new(scores))?.tree().ok();
        let forward = self.direction.reads_forward().then(|| tree(scores)).flatten();
        let backward = || tree(&scores.mirrored()).map(|tree| tree.mirrored());
        let backward = self.direction.reads_backward().then(backward).flatten();
        let scored = forward.into_iter().chain(backward).map(|tree| {
            let score = scores.of_tree(&tree);
            ScoredTree { tree, score }
        });
        // From left to right wins a tie.
        match scored.reduce(|best, next| if next.score > best.score { next } else { best }) {
            Some(best) => Some(Found { trees: vec![best], way: Way::Search }),
            None => self.of_all(scores, Way::DeadEnd),
        }
    }

    /// How much memory a chart takes; nothing if it is more than there may be.
    fn bytes(&self, scores: &ArcScores) -> Option<u64> {
        let limit = self.inference.memory_limit();
        match self.inference.bytes_needed(scores.len(), size_of::<f64>()) {
            Some(bytes) => Some(bytes).filter(|&bytes| bytes <= limit),
            // Depends on the scores: all there is.
            None => Some(limit),
        }
    }

    /// The probabilities of an answer: among the system's own trees where each counts once, among all trees otherwise.
    pub fn probabilities(&self, scores: &LearnedScores<f32>, found: &Found) -> Option<Probabilities> {
        if scores.as_arcs().is_none() && self.name != DecoderName::Mst {
            return self.among_runs(scores, found);
        }
        let scores = scores.arcs();
        let by_system = matches!(found.way, Way::Exact(_)) && self.inference.sums_over() == Over::Trees;
        let of_system = if by_system { self.among_system(scores, found) } else { None };
        of_system.or_else(|| {
            let spanning = Spanning::new();
            let trees = found.trees.iter().map(|found| spanning.log_probability(scores, &found.tree));
            Some(Probabilities {
                arcs: spanning.marginals(scores).ok()?,
                log_trees: trees.collect::<Result<_, _>>().ok()?,
                over: "all trees".to_owned(),
            })
        })
    }

    /// Of the derivations of the system, with scores of transitions. Nothing if that takes too much memory.
    fn among_runs(&self, scores: &LearnedScores<f32>, found: &Found) -> Option<Probabilities> {
        let limit = self.inference.memory_limit();
        let _part = self.budget.take(limit);
        let log = |tree| self.inference.derivation_log_probability(scores, tree);
        Some(Probabilities {
            arcs: self.inference.derivation_marginals(scores).ok()?,
            log_trees: found.trees.iter().map(|found| log(&found.tree)).collect::<Result<_, _>>().ok()?,
            over: format!("derivations of {}", self.system),
        })
    }

    /// Nothing if that takes too much memory.
    fn among_system(&self, scores: &ArcScores, found: &Found) -> Option<Probabilities> {
        let _part = self.budget.take(self.bytes(scores)?);
        let trees = found.trees.iter().map(|found| self.inference.log_probability(scores, &found.tree));
        Some(Probabilities {
            arcs: self.inference.marginals(scores).ok()?,
            log_trees: trees.collect::<Result<_, _>>().ok()?,
            over: format!("trees of {}", self.system),
        })
    }

    pub fn system(&self) -> &System {
        self.system
    }
}

/// Why the best of all trees has to do.
fn fallback(error: &InferenceError) -> Way {
    match error {
        InferenceError::NoTree => Way::NotInSystem,
        _ => Way::TooLarge,
    }
}
