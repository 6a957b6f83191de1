//! Exact inference for a system and a matrix of arc scores, in the words people use: the best tree, the k best, the partition
//! function, marginals, samples.
//!
//! ```
//! use tanglewood::{System, inference::Inference, scores::ArcScores};
//! let mut scores = ArcScores::new(3);
//! scores.set(0, 2, 4.0);
//! scores.set(2, 1, 3.0);
//! scores.set(2, 3, 2.0);
//!
//! let system = System::named("all-s0s1")?;
//! let inference = Inference::new(&system);
//! let best = inference.best(&scores)?;
//! assert_eq!(best.tree.heads().collect::<Vec<_>>(), [2, 0, 2]);
//! assert_eq!(best.score, 9.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Sums are over derivations**, save in the systems `mh3`, `mh3+`, `arc-hybrid` and `arc-hybrid+`; [`Inference::sums_over`] tells.
//! [`Inference::log_partition`], [`Inference::marginals`], [`Inference::samples`], [`Inference::entropy`] and
//! [`Inference::log_probability`] speak of the distribution over runs of the system, in which a tree counts once for each way to build
//! it; in `all` those are 105 on average for trees of seven words. Read in either direction, a run in one is another run than one in the
//! other. [`Inference::best`] and [`Inference::k_best`] are over trees, which is the same as over derivations for a maximum.
//!
//! Nothing here starts a thread unless [told to](Inference::threads); an [`Inference`] can be shared between threads.

mod certified;
mod derivations;
mod error;
mod k_best;
mod reading;
mod scale;
mod sums;

pub use crate::random::Random;
pub use error::InferenceError;

use crate::chart::{Chart, Instructions, Kind, OutOfMemory, TreeChart};
use crate::scores::gaps::LARGE;
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::{Float, Log, Semiring, Viterbi, Wide};
use crate::system::{Address, Direction};
use crate::tabulation::Tabulation;
use crate::transition::Derivation;
use crate::{Oracle, System, Tree};
use scale::{bring_into_range, shifted_by_word};

/// What to propose where memory does not suffice: the larger class first.
const CHEAP_SYSTEMS: [&str; 3] = ["mh5+", "mh4+", "mh3+"];

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// It is the best of all trees, and the system can build it.
    Certificate,
    /// By the sparse deduction, from those arcs that an optimal tree can have.
    Pruned,
    /// By a dense chart.
    Chart,
    /// By the sparse deduction, for windows deeper than s2 and frames of more than five nodes.
    Deduction,
}

/// What a sum is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Each tree counts once.
    Trees,
    /// Each tree counts as often as there are runs that build it.
    Derivations,
}

/// A tree and how a system builds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The tree.
    pub tree: Tree,
    /// The sum of its arcs' scores.
    pub score: f64,
    /// A run that builds it; from right to left if so read, that is, of the mirrored tree.
    pub derivation: Derivation,
    /// The direction of that run: one of the two.
    pub direction: Direction,
    /// How it was found.
    pub path: Path,
}

/// What is asked: a system, and how it is to be used.
#[derive(Clone, Debug)]
pub struct Inference<'a> {
    system: &'a System,
    direction: Direction,
    single_root: bool,
    memory: u64,
    instructions: Instructions,
    threads: usize,
    certify: bool,
    oracle: Oracle,
    /// A cheaper system with the same trees, if there is one.
    same_trees: Option<System>,
}

/// An item of the sparse deduction takes some forty bytes.
const BYTES_PER_ITEM: u64 = 40;

impl<'a> Inference<'a> {
    /// The memory a chart may take unless told otherwise: four gigabytes.
    pub const DEFAULT_MEMORY: u64 = 4 << 30;

    /// Inference in a system, from left to right, with a single root.
    pub fn new(system: &'a System) -> Inference<'a> {
        Inference {
            system,
            direction: Direction::Ltr,
            single_root: true,
            memory: Inference::DEFAULT_MEMORY,
            instructions: Instructions::best(),
            threads: 1,
            certify: true,
            oracle: Oracle::new(system),
            same_trees: system.inventory().without_needless_removals().map(System::from),
        }
    }

    /// Reads in another direction. In either direction, the better of the two answers is the answer.
    pub fn direction(self, direction: Direction) -> Inference<'a> {
        Inference { direction, ..self }
    }

    /// Whether exactly one word hangs from the root.
    pub fn single_root(self, single_root: bool) -> Inference<'a> {
        Inference { single_root, ..self }
    }

    /// How many bytes a chart may take. What would take more is refused before anything is allocated.
    pub fn memory(self, bytes: u64) -> Inference<'a> {
        Inference { memory: bytes, ..self }
    }

    /// Which instructions to use; they change the time, never the answer.
    pub fn instructions(self, instructions: Instructions) -> Inference<'a> {
        Inference { instructions, ..self }
    }

    /// How many threads a large chart may use; one unless told otherwise. They change the time, never the answer. Many sentences are better
    /// given to a thread each.
    pub fn threads(self, threads: usize) -> Inference<'a> {
        Inference { threads, ..self }
    }

    /// Whether to look for a short cut before a chart is filled: the best of all trees, if the system can build it; otherwise fewer arcs. On
    /// unless switched off. The best score is the same; of several trees that have it, another one may be found.
    pub fn certify(self, certify: bool) -> Inference<'a> {
        Inference { certify, ..self }
    }

    /// The best tree. [`Parse::path`] tells how it was found.
    ///
    /// Of several trees with the same score it is always the same one that is found. In either direction, left to right wins a tie.
    ///
    /// # Errors
    /// If every tree of the class has a forbidden arc, or the chart would take too much memory.
    pub fn best(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        if self.certify { self.best_certified::<f64>(scores) } else { self.best_by_chart::<f64>(scores) }
    }

    /// The best tree, by a chart in single precision: half the memory, up to twice the speed. The tree may be worse than the best by
    /// some n rounding errors, each at most 2⁻²⁴ of the largest difference between scores of the same word; the score it is given is the
    /// tree's own. Systems with windows deeper than s2 use double precision here, too.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn best_in_single_precision(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        if self.certify { self.best_certified::<f32>(scores) } else { self.best_by_chart::<f32>(scores) }
    }

    /// Without short cuts.
    fn best_by_chart<F: Float>(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        if let Some(cheaper) = &self.same_trees {
            let same = Inference { system: cheaper, same_trees: None, ..self.clone() };
            return same.best_by_chart::<F>(scores);
        }
        self.fits::<F>(scores, 1)?;
        // Each word has one head, so a constant per word changes no comparison; it keeps numbers small where they matter.
        let (mut shifted, _) = shifted_by_word(scores, |column| column.fold(f64::NEG_INFINITY, f64::max));
        if size_of::<F>() < size_of::<f64>() {
            bring_into_range(&mut shifted);
        }
        let mut best: Option<Parse> = None;
        for reading in self.readings(&shifted) {
            let found = match self.best_derivation_in::<F, _>(&reading.scores) {
                Ok((derivation, path)) => {
                    let tree = derivation.tree().map_err(|_| InferenceError::NoTree)?;
                    let tree = reading.in_sentence(tree);
                    let score = scores.of_tree(&tree);
                    Parse { tree, score, derivation, direction: reading.direction, path }
                }
                Err(InferenceError::NoTree) => continue,
                Err(error) => return Err(error),
            };
            if best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(found);
            }
        }
        best.ok_or(InferenceError::NoTree)
    }

    /// The best run for any scores of transitions, from left to right: for a mirrored sentence, the scores have to be those of its mirror
    /// image. What they may depend on is said at [`TransitionScores`].
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn best_derivation<T: TransitionScores>(&self, scores: &T) -> Result<Derivation, InferenceError> {
        self.best_derivation_in::<f64, T>(scores).map(|(derivation, _)| derivation)
    }

    /// A filled chart.
    fn chart<'c, S: Semiring, T: TransitionScores>(
        &'c self,
        scores: &'c T,
    ) -> Result<Chart<'c, S, T>, OutOfMemory> {
        Chart::fill_with_threads(self.system, scores, self.single_root, self.instructions, self.threads)
    }

    fn best_derivation_in<F: Float, T: TransitionScores>(
        &self,
        scores: &T,
    ) -> Result<(Derivation, Path), InferenceError> {
        if !self.can_have_tree(scores) {
            return Err(InferenceError::NoTree);
        }
        if self.fits::<F>(scores, 1)?.is_some() {
            let chart = self.chart::<Viterbi<F>, T>(scores)?;
            let transitions = chart.best().ok_or(InferenceError::NoTree)?;
            return Ok((Derivation::new(scores.words(), transitions), Path::Chart));
        }
        match self.deduction().best(scores)? {
            Some((_, derivation)) => Ok((derivation, Path::Deduction)),
            None => Err(InferenceError::NoTree),
        }
    }

    /// The k best trees, all different, the best first; fewer if there are not so many.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn k_best(&self, scores: &ArcScores, k: usize) -> Result<Vec<Parse>, InferenceError> {
        k_best::k_best(self, scores, k)
    }

    /// What the sums of all methods below are over. Systems that remove only the top of the stack have a chart with one derivation per
    /// tree, see [`TreeChart`]; in either direction, though, trees that can be read both ways count twice, unless all can.
    pub fn sums_over(&self) -> Over {
        let both_ways_differ = self.direction == Direction::Either && !self.is_projective();
        if TreeChart::<Log>::serves(self.system) && !both_ways_differ {
            Over::Trees
        } else {
            Over::Derivations
        }
    }

    /// Whether the class is that of all projective trees, which are the same in both directions.
    fn is_projective(&self) -> bool {
        TreeChart::<Log>::serves(self.system) && !self.system.inventory().permits(Address::Buffer(1), 0)
    }

    /// The logarithm of the sum of exp(score) over all derivations, or trees; −∞ if there is none.
    ///
    /// # Errors
    /// If the chart would take too much memory.
    pub fn log_partition(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        Ok(self.sum(scores, 1, |_, _| Ok(()))?.log_total())
    }

    /// For each arc its probability: the share, by weight, of the derivations, or trees, that have it; `[head][dependent]` for nodes 0..=n.
    /// Each word's column sums to one.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, InferenceError> {
        Ok(self.sum_with_posteriors(scores)?.marginals())
    }

    /// The entropy, in nats, of the distribution over derivations, or trees.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn entropy(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        let summed = self.sum_with_posteriors(scores)?;
        Ok(summed.entropy(&summed.marginals()).max(0.0))
    }

    /// The logarithm of a tree's probability: that of all its derivations together; −∞ if it has none.
    ///
    /// # Errors
    /// As [`Inference::best`].
    ///
    /// # Panics
    /// If the tree has another number of words than the scores.
    pub fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, InferenceError> {
        assert_eq!(tree.len(), scores.len(), "tree and scores differ in length");
        let whole = self.sum(scores, 1, |_, _| Ok(()))?;
        if whole.readings.is_empty() {
            return Err(InferenceError::NoTree);
        }
        // All derivations of the tree weigh the same, so they only have to be counted.
        let count = self.sum(&ArcScores::only(tree), 1, |_, _| Ok(()))?.total();
        let weight = |(head, word)| Wide::from_score(whole.scores.get(head, word));
        let part = tree.arcs().map(weight).fold(count, Wide::times);
        // Rounding makes nothing more than certain.
        Ok(whole.ln_share(part).min(0.0))
    }

    /// Trees drawn with their probability, each time anew. The same seed gives the same trees.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, InferenceError> {
        let summed = self.sum(scores, 1, |_, _| Ok(()))?;
        let mut random = Random::new(seed);
        let shares = summed.shares();
        let [first, ..] = &summed.readings[..] else { return Err(InferenceError::NoTree) };
        let last = &summed.readings[shares.len() - 1];
        let chosen: Vec<Direction> = (0..count)
            .map(|_| if shares.len() > 1 && random.uniform() >= shares[0] { last } else { first })
            .map(|of| of.reading.direction)
            .collect();
        let mut trees = vec![None; count];
        self.sum(scores, 1, |reading, sums| {
            for sample in (0..count).filter(|&sample| chosen[sample] == reading.direction) {
                trees[sample] = Some(reading.in_sentence(sums.draw(&mut random)?));
            }
            Ok(())
        })?;
        Ok(trees.into_iter().flatten().collect())
    }

    /// How many bytes the chart for so many words and their arc scores takes, with its workspace; none for windows deeper than s2, where
    /// that depends on the scores. [`Inference::marginals`] takes two charts.
    pub fn bytes_needed(&self, words: usize, bytes_per_number: usize) -> Option<u64> {
        let kind = Kind::of(self.system, true)?;
        Some(kind.bytes(words, bytes_per_number))
    }

    /// The bytes of the numbers in which sums over these scores are computed, at most: large scores need [wide](crate::semiring::Wide) ones.
    pub fn bytes_per_number(&self, scores: &ArcScores) -> usize {
        if scores.largest() < LARGE { size_of::<f64>() } else { size_of::<Wide>() }
    }

    /// The same as [`Inference::bytes_needed`] for any scores of transitions, of which there are more to keep.
    pub fn bytes_for_transitions(&self, words: usize, bytes_per_number: usize) -> Option<u64> {
        let kind = Kind::of(self.system, false)?;
        Some(kind.bytes(words, bytes_per_number))
    }

    /// How many bytes a chart may take.
    pub fn memory_limit(&self) -> u64 {
        self.memory
    }

    /// False if and only if one root is asked for and there is no word that could be it.
    fn can_have_tree(&self, scores: &(impl TransitionScores + ?Sized)) -> bool {
        !self.single_root || scores.words() > 0
    }

    fn deduction(&self) -> Tabulation {
        let limit = usize::try_from(self.memory / BYTES_PER_ITEM).unwrap_or(usize::MAX);
        Tabulation::new(self.system, self.single_root).with_limit(limit)
    }

    /// The kind of dense chart to use, if there is one; an error if so many charts would be too large.
    fn fits<F>(
        &self,
        scores: &(impl TransitionScores + ?Sized),
        charts: u64,
    ) -> Result<Option<Kind>, InferenceError> {
        let arcs_only = scores.as_arcs().is_some();
        // Without words there is nothing to lay out; the deduction consists of one shift.
        let kind = Kind::of(self.system, arcs_only).filter(|_| scores.words() > 0);
        let Some(kind) = kind else { return Ok(None) };
        let bytes = |kind: Kind| kind.bytes(scores.words(), size_of::<F>()).saturating_mul(charts);
        let needed = bytes(kind);
        if needed <= self.memory {
            return Ok(Some(kind));
        }
        let cheaper = CHEAP_SYSTEMS.into_iter().find_map(|name| {
            let other = System::named(name).ok()?;
            let needed = bytes(Kind::of(&other, arcs_only)?);
            (needed <= self.memory).then_some((name, needed))
        });
        Err(InferenceError::too_large(self.system, scores.words(), needed, self.memory, cheaper))
    }
}
