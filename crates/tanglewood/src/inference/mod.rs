//! Exact inference for a class of trees and a matrix of arc scores, in the words people use: the best tree,
//! the k best, the partition function, marginals, samples.
//!
//! ```
//! use tanglewood::{System, inference::Inference, scores::ArcScores};
//! let scores = ArcScores::from_rows(&[[0.0, 0.0, 4.0, 0.0], [0.0; 4], [0.0, 3.0, 0.0, 2.0], [0.0; 4]])?;
//!
//! let inference = Inference::new(System::named("all-s0s1")?);
//! let distribution = inference.distribution(&scores)?;
//! let best = distribution.best()?;
//! assert_eq!(best.tree.heads().collect::<Vec<_>>(), [2, 0, 2]);
//! assert_eq!(best.score, 9.0);
//! assert!(distribution.marginals()?.get(2, 1) > 0.9);
//! assert!(distribution.entropy()? > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Inference`] says which trees are meant and what they may cost; it can be shared between threads and
//! used for any number of sentences. [`Inference::best`] and [`Inference::k_best`] answer for a matrix at
//! once. [`Inference::distribution`] fills the charts of a matrix and keeps them: a [`Distribution`] answers
//! all further questions from what is there.
//!
//! **Sums are over derivations**, save over all trees and in the systems `mh3`, `mh3+`, `arc-hybrid` and
//! `arc-hybrid+`; [`Inference::sums_over`] tells. Partition functions, marginals, samples, entropies and
//! probabilities speak of the distribution over runs of the system, in which a tree counts once for each way
//! to build it; in `all` those are 105 on average for trees of seven words. Read in either direction, a run
//! in one is another run than one in the other. The best tree and the k best are over trees, which is the
//! same as over derivations for a maximum.

mod answer;
mod both_ways;
mod certified;
mod distribution;
mod error;
mod filled;
mod k_best;
mod reading;
mod room;
mod runs;
mod sums;

pub use crate::chart::Over;
pub use crate::random::Random;
pub use answer::{Parse, Path};
pub use both_ways::{Mixture, RunReading};
pub use distribution::Distribution;
pub use error::InferenceError;
pub use room::Purpose;

use std::sync::Arc;

use reading::Reading;

use crate::chart::{Chart, ChartKind, ChartOptions, Instructions};
use crate::memory::room_for_arcs;
use crate::scores::scale::{compare_trees, shifted_by_word};
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::Viterbi;
use crate::spanning::{ScoredTree, Workspace};
use crate::stop::{self, Stop};
use crate::system::{Address, Direction, TreeClass};
use crate::transition::Derivation;
use crate::{Oracle, System};

/// The tables with a number for each arc that an answer takes at most at a time, beside charts: scores less
/// constants, mirrored, and pruned; the workspace of all trees and its bounds; sums over all trees.
const ARC_TABLES: usize = 16;

/// A class of trees, and how answers about it are to be found.
#[derive(Clone, Debug)]
#[must_use]
pub struct Inference {
    class: Arc<Prepared>,
    direction: Direction,
    single_root: bool,
    memory: u64,
    instructions: Instructions,
    certify: bool,
    stop: Stop,
}

/// What is the same for all sentences.
#[derive(Debug)]
struct Prepared {
    class: TreeClass,
    /// None for all trees.
    oracle: Option<Oracle>,
    /// A cheaper system with the same trees, if there is one.
    same_trees: Option<System>,
}

impl Inference {
    /// The memory that charts may take unless told otherwise: four gigabytes.
    pub const DEFAULT_MEMORY: u64 = 4 << 30;

    /// Inference in a class of trees, from left to right, with a single root.
    pub fn new(class: impl Into<TreeClass>) -> Inference {
        let class = class.into();
        let oracle = class.system().map(Oracle::new);
        let same_trees = class.system().and_then(|system| system.inventory().without_needless_removals());
        Inference {
            class: Arc::new(Prepared { class, oracle, same_trees: same_trees.map(System::from) }),
            direction: Direction::Ltr,
            single_root: true,
            memory: Inference::DEFAULT_MEMORY,
            instructions: Instructions::best(),
            certify: true,
            stop: Stop::default(),
        }
    }

    /// Reads in another direction. In either direction, the better of the two answers is the answer.
    pub fn direction(self, direction: Direction) -> Inference {
        Inference { direction, ..self }
    }

    /// Whether exactly one word hangs from the root.
    pub fn single_root(self, single_root: bool) -> Inference {
        Inference { single_root, ..self }
    }

    /// The bytes that charts may take. What would take more is refused before anything is allocated.
    pub fn memory(self, bytes: u64) -> Inference {
        Inference { memory: bytes, ..self }
    }

    /// The instructions to use; they change the time, never the answer.
    pub fn instructions(self, instructions: Instructions) -> Inference {
        Inference { instructions, ..self }
    }

    /// Whether to look for a short cut before a chart is filled: the best of all trees, if the system can
    /// build it; otherwise fewer arcs. On unless switched off. The best score is the same; of several trees
    /// that have it, another one may be found.
    pub fn certify(self, certify: bool) -> Inference {
        Inference { certify, ..self }
    }

    /// Asks again and again, at least once for each word that a chart has come to, whether to stop. If so,
    /// the error is [`InferenceError::Stopped`].
    ///
    /// ```
    /// use tanglewood::inference::{Inference, InferenceError};
    /// use tanglewood::{System, scores::ArcScores};
    /// let inference = Inference::new(System::named("mh4")?).stop_when(|| true);
    /// assert_eq!(inference.best(&ArcScores::new(3)).err(), Some(InferenceError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop_when(self, is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Inference {
        Inference { stop: Stop::when(is_wanted), ..self }
    }

    /// The class of trees.
    pub fn class(&self) -> &TreeClass {
        &self.class.class
    }

    /// The bytes that charts may take.
    pub fn memory_limit(&self) -> u64 {
        self.memory
    }

    /// The best tree. [`Parse::path`] tells how it was found.
    ///
    /// Of several trees with the same score it is always the same one that is found. In either direction,
    /// left to right wins a tie.
    ///
    /// # Errors
    /// If every tree of the class has a forbidden arc, or the chart would take too much memory.
    pub fn best(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let _watch = self.stop.watch()?;
        room_for_arcs(scores.len(), ARC_TABLES)?;
        match self.class() {
            TreeClass::Any => self.best_spanning(scores, &mut Workspace::new()),
            TreeClass::System(system) if self.certify => self.best_certified(system, scores),
            TreeClass::System(system) => self.best_by_chart(system, scores),
        }
    }

    /// The k best trees, all different, the best first; fewer if the class has fewer.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn k_best(&self, scores: &ArcScores, k: usize) -> Result<Vec<Parse>, InferenceError> {
        let _watch = self.stop.watch()?;
        // Parts of the search space that wait take about half a table for each tree that is found.
        room_for_arcs(scores.len(), ARC_TABLES + k.min(ARC_TABLES))?;
        k_best::k_best(self, scores, k)
    }

    /// The distribution over the derivations, or trees, of the class, each weighted by exp(score).
    ///
    /// # Errors
    /// If the charts would take too much memory. A matrix without a possible tree has a distribution, whose
    /// partition function is zero.
    pub fn distribution<'s>(&self, scores: &'s ArcScores) -> Result<Distribution<'s>, InferenceError> {
        let _watch = self.stop.watch()?;
        room_for_arcs(scores.len(), ARC_TABLES)?;
        Distribution::over_arcs(self, scores)
    }

    /// The best run for any scores of transitions, from left to right: for a mirrored sentence, the scores
    /// have to be those of its mirror image. What they may depend on is said at [`TransitionScores`].
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn best_run(&self, scores: &dyn TransitionScores) -> Result<Parse, InferenceError> {
        let TreeClass::System(system) = self.class() else { return Err(InferenceError::ArcScoresOnly) };
        let _watch = self.stop.watch()?;
        self.best_run_in(system, scores)
    }

    /// The distribution over the runs of the system, from left to right, for any scores of transitions.
    ///
    /// # Errors
    /// As [`Inference::distribution`].
    pub fn distribution_over_runs<'s>(
        &self,
        scores: &'s dyn TransitionScores,
    ) -> Result<Distribution<'s>, InferenceError> {
        let _watch = self.stop.watch()?;
        Distribution::over_runs(self, scores)
    }

    /// What the sums of a distribution are over. Systems that remove only the top of the stack have a chart
    /// with one derivation per tree; in either direction, though, trees that can be read both ways count
    /// twice, unless all can.
    pub fn sums_over(&self) -> Over {
        let Some(system) = self.class().system() else { return Over::Trees };
        let both_ways_differ = self.direction == Direction::Either && !is_projective(system);
        if ChartKind::over_trees(system).is_some() && !both_ways_differ {
            Over::Trees
        } else {
            Over::Derivations
        }
    }

    /// The best of all trees.
    fn best_spanning(&self, scores: &ArcScores, workspace: &mut Workspace) -> Result<Parse, InferenceError> {
        let ScoredTree { tree, score } = self.spanning().best_with(scores, workspace)?;
        Ok(Parse { tree, score, derivation: None, direction: Direction::Ltr, path: Path::Spanning })
    }

    /// The best tree of a system without short cuts.
    fn best_by_chart(&self, system: &System, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let system = self.class.same_trees.as_ref().unwrap_or(system);
        self.fits::<f64>(system, scores, 1)?;
        self.best_of_readings(scores, |scores| self.best_run_in(system, scores))
    }

    /// The best tree of all readings, given how the best run of one is found.
    fn best_of_readings(
        &self,
        scores: &ArcScores,
        best_run: impl Fn(&ArcScores) -> Result<Parse, InferenceError>,
    ) -> Result<Parse, InferenceError> {
        // Each word has one head, so a constant per word changes no comparison; it keeps numbers small where
        // they matter. Sums of huge scores would round away what distinguishes trees.
        let shifted = shifted_by_word(scores);
        let mut best: Option<Parse> = None;
        for Reading { direction, scores: read } in self.readings(&shifted) {
            stop::check()?;
            let found = match best_run(&read) {
                Ok(found) => found,
                Err(InferenceError::NoTree) => continue,
                Err(error) => return Err(error),
            };
            let tree = direction.read(found.tree);
            if best.as_ref().is_none_or(|best| compare_trees(scores, &tree, &best.tree).is_gt()) {
                best = Some(Parse { score: scores.of_tree(&tree), tree, direction, ..found });
            }
        }
        best.ok_or(InferenceError::NoTree)
    }

    /// The best run of a system from left to right.
    fn best_run_in(&self, system: &System, scores: &dyn TransitionScores) -> Result<Parse, InferenceError> {
        if !self.can_have_tree(scores) {
            return Err(InferenceError::NoTree);
        }
        if !self.fits::<f64>(system, scores, 1)? {
            return Parse::of_run(self.deduction(system).best(scores)?, Path::Deduction);
        }
        let chart = Chart::<Viterbi<f64>>::fill(system, scores, self.chart_options())?;
        let run = chart.best().map(|transitions| Derivation::new(scores.words(), transitions));
        Parse::of_run(run.map(|run| (chart.total().0, run)), Path::Chart)
    }

    /// How answers are found where there is no short cut.
    fn full_path(&self, system: &System) -> Path {
        if ChartKind::of(system, true).is_some() { Path::Chart } else { Path::Deduction }
    }

    fn chart_options(&self) -> ChartOptions {
        ChartOptions {
            single_root: self.single_root,
            instructions: self.instructions,
            over: Over::Derivations,
        }
    }

    /// False if and only if one root is asked for and there is no word that could be it.
    fn can_have_tree(&self, scores: &dyn TransitionScores) -> bool {
        !self.single_root || scores.words() > 0
    }
}

/// Whether the trees of a system are all projective trees, which are the same in both directions.
fn is_projective(system: &System) -> bool {
    ChartKind::over_trees(system).is_some() && !system.inventory().permits(Address::Buffer(1), 0)
}
