//! From scores to trees, by the decoder that was asked for. There is always a tree.

use std::num::NonZeroUsize;

use tanglewood::inference::{
    Distribution, Inference, InferenceError, Mixture, Over, Parse, Path, Purpose, RunReading,
};
use tanglewood::scores::{ArcScores, TransitionScores};
use tanglewood::search::{beam, greedy};
use tanglewood::system::{Direction, TreeClass};
use tanglewood::{Derivation, Marginals, System, Tree};
use tanglewood_nn::{Ahead, LearnedScores, RunScores};

use super::choice::Choice;
use crate::arguments::{DecoderName, ParseArguments};
use crate::memory::Budget;

/// Width of a beam times words of the sentence: what a beam remembers grows with both.
const BEAM_CELLS: usize = 1_000_000;

/// Longest sentence whose arcs get probabilities: the time for these grows with the cube of its length, two
/// seconds for this one.
pub const MOST_WORDS_WITH_PROBABILITIES: usize = 1000;

/// How a sentence's tree was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By exact inference.
    Exact(Path),
    /// By greedy or beam search.
    Search,
    /// The best of all trees, as asked for.
    Mst,
    /// By exact inference in a narrow system, since the chart would not fit in memory.
    Narrow,
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
            Way::Exact(path) => path.name(),
            Way::Search => "search",
            Way::Mst => "mst",
            Way::Narrow => "narrow-too-large",
            Way::TooLarge => "mst-too-large",
            Way::NotInSystem => "mst-not-in-system",
            Way::DeadEnd => "mst-dead-end",
        }
    }
}

/// One tree, or the best few, the best first.
pub struct Found {
    pub trees: Vec<Parse>,
    pub way: Way,
}

/// Probabilities of trees and arcs.
pub struct Probabilities {
    /// Of each arc.
    pub arcs: Marginals,
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
    /// The trees of the system.
    inference: Inference,
    /// A smaller system with the same scores of transitions, for long sentences.
    narrow: Option<Inference>,
    /// All trees.
    any: Inference,
    budget: Budget,
    nbest: usize,
}

impl<'a> Decoder<'a> {
    pub fn new(arguments: &ParseArguments, choice: &'a Choice) -> Decoder<'a> {
        let &Choice { decoder: name, ref system, direction } = choice;
        let memory = arguments.max_memory.0;
        let inference = Inference::new(system).direction(direction).memory(memory);
        Decoder {
            name,
            system,
            direction,
            narrow: inference.narrow(),
            inference,
            any: Inference::new(TreeClass::Any),
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

    /// With scores of transitions.
    fn by_transitions(&self, scores: &LearnedScores<f32>) -> Option<Found> {
        let runs = scores.readings(self.direction);
        let readings: Vec<RunReading<'_>> = runs.iter().map(RunScores::reading).collect();
        let (parse, way) = match self.name {
            DecoderName::Exact => {
                let _part = self.take(scores.arcs().len(), Purpose::Runs);
                match self.inference.best_of_runs(&readings) {
                    Ok(parse) => (Some(parse), Way::Exact(Path::Chart)),
                    Err(error) => {
                        let narrow = self.narrow.as_ref().filter(|_| fallback(&error) == Way::TooLarge);
                        match narrow.and_then(|narrow| narrow.best_of_runs(&readings).ok()) {
                            Some(parse) => (Some(parse), Way::Narrow),
                            None => (None, fallback(&error)),
                        }
                    }
                }
            }
            _ => {
                let found = readings.iter().filter_map(|reading| reading.answer(self.run(reading.scores)?));
                match self.inference.most_probable(&readings, found.collect()) {
                    Ok(parse) => (Some(parse), Way::Search),
                    Err(InferenceError::NoTree) => (None, Way::DeadEnd),
                    Err(error) => (None, fallback(&error)),
                }
            }
        };
        match parse {
            Some(parse) => Some(Found { trees: vec![parse], way }),
            None => self.of_all(scores.arcs(), way),
        }
    }

    /// Greedily, or with a beam.
    fn run(&self, scores: &dyn TransitionScores) -> Option<(f64, Derivation)> {
        match self.name {
            DecoderName::Beam(width) => {
                let widest = (BEAM_CELLS / scores.words().max(1)).max(1);
                beam(self.system, scores, width.get().min(widest), true)
            }
            _ => greedy(self.system, scores, true),
        }
    }

    /// The best of all trees.
    fn of_all(&self, scores: &ArcScores, way: Way) -> Option<Found> {
        Some(Found { trees: best_of(&self.any, scores, self.nbest).ok()?, way })
    }

    fn exact(&self, scores: &ArcScores) -> Option<Found> {
        let purpose = if self.nbest > 1 { Purpose::KBest } else { Purpose::Best };
        let _part = self.take(scores.len(), purpose);
        match best_of(&self.inference, scores, self.nbest) {
            Ok(trees) => {
                let way = Way::Exact(trees.first()?.path);
                Some(Found { trees, way })
            }
            Err(error) => self.of_all(scores, fallback(&error)),
        }
    }

    fn by_search(&self, scores: &ArcScores) -> Option<Found> {
        let search = |direction| {
            let read = scores.read(direction);
            let ahead = Ahead::new(&read);
            let found = RunReading { direction, scores: &ahead }.answer(self.run(&ahead)?)?;
            Some(Parse { score: scores.of_tree(&found.tree), ..found })
        };
        // From left to right wins a tie.
        let better = |best: Parse, next: Parse| if next.score > best.score { next } else { best };
        match self.direction.each().filter_map(search).reduce(better) {
            Some(best) => Some(Found { trees: vec![best], way: Way::Search }),
            None => self.of_all(scores, Way::DeadEnd),
        }
    }

    /// Waits for the memory that an answer needs, as far as there may be as much.
    fn take(&self, words: usize, purpose: Purpose) -> crate::memory::Part<'_> {
        let (bytes, limit) = (self.inference.bytes_for(words, purpose), self.inference.memory_limit());
        self.budget.take(bytes.min(limit))
    }

    /// The probabilities of an answer: among the system's own trees where each counts once, among all trees
    /// otherwise; with scores of transitions, among the runs of the system. None if that takes too much
    /// memory or time.
    pub fn probabilities(&self, scores: &LearnedScores<f32>, found: &Found) -> Option<Probabilities> {
        if scores.arcs().len() > MOST_WORDS_WITH_PROBABILITIES {
            return None;
        }
        if scores.as_arcs().is_none() && self.name != DecoderName::Mst {
            let _part = self.take(scores.arcs().len(), Purpose::Runs);
            return self.over_runs(&scores.readings(self.direction), found);
        }
        let scores = scores.arcs();
        if matches!(found.way, Way::Exact(_)) && self.inference.sums_over() == Over::Trees {
            let _part = self.take(scores.len(), Purpose::Sums);
            let of_system = self.inference.distribution(scores).ok();
            let over = format!("trees of {}", self.system);
            let of_system = of_system.and_then(|distribution| probabilities(&distribution, found, over));
            if of_system.is_some() {
                return of_system;
            }
        }
        probabilities(&self.any.distribution(scores).ok()?, found, "all trees".to_owned())
    }

    /// With scores of transitions; for both directions, of the mixture of the two, half each.
    fn over_runs(&self, runs: &[RunScores<'_, f32>], found: &Found) -> Option<Probabilities> {
        let readings: Vec<RunReading<'_>> = runs.iter().map(RunScores::reading).collect();
        let trees: Vec<&Tree> = found.trees.iter().map(|found| &found.tree).collect();
        let inference = if found.way == Way::Narrow { self.narrow.as_ref()? } else { &self.inference };
        let Mixture { marginals: arcs, log_trees } = inference.mixture(&readings, &trees).ok()?;
        let system = inference.class().name();
        let over = match readings[..] {
            [one] if one.direction == Direction::Ltr => format!("derivations of {system}"),
            [_] => format!("derivations of {system} from right to left"),
            _ => format!("derivations of {system} in both directions, half each"),
        };
        Some(Probabilities { arcs, log_trees, over })
    }

    pub fn system(&self) -> &System {
        self.system
    }
}

/// The best tree, or the k best.
fn best_of(inference: &Inference, scores: &ArcScores, k: usize) -> Result<Vec<Parse>, InferenceError> {
    if k == 1 { Ok(vec![inference.best(scores)?]) } else { inference.k_best(scores, k) }
}

fn probabilities(distribution: &Distribution<'_>, found: &Found, over: String) -> Option<Probabilities> {
    let log_trees = found.trees.iter().map(|found| distribution.log_probability(&found.tree));
    let log_trees = log_trees.collect::<Result<_, _>>().ok()?;
    Some(Probabilities { arcs: distribution.marginals().ok()?.clone(), log_trees, over })
}

/// Why the best of all trees has to do.
fn fallback(error: &InferenceError) -> Way {
    match error {
        InferenceError::NoTree => Way::NotInSystem,
        _ => Way::TooLarge,
    }
}
