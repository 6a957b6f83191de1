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
//! **Sums are over derivations.** [`Inference::log_partition`], [`Inference::marginals`], [`Inference::samples`] and
//! [`Inference::log_probability`] speak of the distribution over runs of the system, in which a tree counts once for each way to build
//! it; in `all` those are 105 for some trees of seven words. Read in either direction, a run in one is another run than one in the
//! other. [`Inference::best`] and [`Inference::k_best`] are over trees, which is the same as over derivations for a maximum.
//!
//! Nothing here starts a thread; an [`Inference`] can be shared between threads.

mod error;
mod k_best;
mod random;

pub use error::InferenceError;
pub use random::Random;

use crate::chart::{Chart, Instructions, Kind};
use crate::deduction::Deduction;
use crate::scores::{ArcScores, TransitionScores};
use crate::semiring::{Additive, Float, Log, Real, Viterbi};
use crate::system::Direction;
use crate::transition::Derivation;
use crate::{System, Tree};

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// By a dense chart.
    Chart,
    /// By the sparse deduction, for windows deeper than s2.
    Deduction,
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
}

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

    /// The best tree.
    ///
    /// Of several trees with the same score it is always the same one that is found. In either direction, left to right wins a tie.
    ///
    /// # Errors
    /// If every tree of the class has a forbidden arc, or the chart would take too much memory.
    pub fn best(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        self.best_in::<f64>(scores)
    }

    /// The best tree, by a chart in single precision: half the memory, up to twice the speed. The tree may be worse than the best by
    /// some n rounding errors; its score is exact.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn best_in_single_precision(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        self.best_in::<f32>(scores)
    }

    fn best_in<F: Float>(&self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        // Each word has one head, so a constant per word changes no comparison; it keeps numbers small where they matter.
        let (shifted, _) = shifted_by_word(scores, |column| column.fold(f64::NEG_INFINITY, f64::max));
        let mut best: Option<Parse> = None;
        for direction in self.readings() {
            let read = if direction == Direction::Ltr { shifted.clone() } else { shifted.mirrored() };
            let found = match self.best_derivation_in::<F, _>(&read) {
                Ok((derivation, path)) => {
                    let tree = derivation.tree().map_err(|_| InferenceError::NoTree)?;
                    let tree = if direction == Direction::Ltr { tree } else { tree.mirrored() };
                    Parse { score: scores.of_tree(&tree), tree, derivation, direction, path }
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

    /// The best run for any scores of transitions, read in the direction the scores are for, with its score.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn best_derivation<T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
    ) -> Result<Derivation, InferenceError> {
        self.best_derivation_in::<f64, T>(scores).map(|(derivation, _)| derivation)
    }

    fn best_derivation_in<F: Float, T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
    ) -> Result<(Derivation, Path), InferenceError> {
        let inventory = self.system.inventory();
        if self.fits::<F>(scores)?.is_some() {
            let chart = Chart::<Viterbi<F>, T>::fill(inventory, scores, self.single_root, self.instructions)?;
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

    /// The logarithm of the sum of exp(score) over all **derivations**; −∞ if there is none.
    ///
    /// # Errors
    /// If the chart would take too much memory.
    pub fn log_partition(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        let (normalised, constant) = normalised(scores);
        let total = self.sum_readings(&normalised, |inference, read| inference.log_total(read))?;
        Ok(total + constant)
    }

    /// For each arc its probability: the share, by weight, of the **derivations** that have it; `[head][dependent]` for nodes 0..=n. Each
    /// word's column sums to one.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, InferenceError> {
        let (normalised, _) = normalised(scores);
        let nodes = scores.len() + 1;
        let total = self.sum_readings(&normalised, |inference, read| inference.log_total(read))?;
        if total == f64::NEG_INFINITY {
            return Err(InferenceError::NoTree);
        }
        let mut marginals = vec![vec![0.0; nodes]; nodes];
        for direction in self.readings() {
            let forward = direction == Direction::Ltr;
            let read = if forward { normalised.clone() } else { normalised.mirrored() };
            let share = (self.log_total(&read)? - total).exp();
            if share == 0.0 {
                continue;
            }
            let posteriors = self.posteriors(&read)?;
            let place = |node: usize| if forward || node == 0 { node } else { nodes - node };
            for (head, row) in marginals.iter_mut().enumerate() {
                for (dependent, marginal) in row.iter_mut().enumerate().skip(1) {
                    *marginal += share * posteriors[place(head) * nodes + place(dependent)];
                }
            }
        }
        Ok(marginals)
    }

    /// The logarithm of a tree's probability: that of all its **derivations** together; −∞ if it has none.
    ///
    /// # Errors
    /// As [`Inference::best`].
    ///
    /// # Panics
    /// If the tree has another number of words than the scores.
    pub fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, InferenceError> {
        let mut only = scores.clone();
        for (head, dependent) in tree.arcs() {
            only.require(head, dependent);
        }
        let whole = self.log_partition(scores)?;
        if whole == f64::NEG_INFINITY {
            return Err(InferenceError::NoTree);
        }
        Ok(self.log_partition(&only)? - whole)
    }

    /// Trees drawn with their probability, each time anew. The same seed gives the same trees.
    ///
    /// # Errors
    /// As [`Inference::best`].
    pub fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, InferenceError> {
        let (normalised, _) = normalised(scores);
        let mut random = Random::new(seed);
        let readings: Vec<(Direction, ArcScores)> = self
            .readings()
            .map(|direction| {
                let forward = direction == Direction::Ltr;
                (direction, if forward { normalised.clone() } else { normalised.mirrored() })
            })
            .collect();
        let totals: Vec<f64> =
            readings.iter().map(|(_, read)| self.log_total(read)).collect::<Result<_, _>>()?;
        let whole = totals
            .iter()
            .fold(Log(f64::NEG_INFINITY), |sum, &total| crate::semiring::Semiring::plus(sum, Log(total)));
        if whole.0 == f64::NEG_INFINITY {
            return Err(InferenceError::NoTree);
        }
        let first_share = Log::share(Log(totals[0]), whole);
        let chosen: Vec<usize> =
            (0..count).map(|_| usize::from(readings.len() > 1 && random.uniform() >= first_share)).collect();
        let mut trees = vec![None; count];
        for (at, (direction, read)) in readings.iter().enumerate() {
            let wanted: Vec<usize> = (0..count).filter(|&sample| chosen[sample] == at).collect();
            for (sample, tree) in wanted.iter().zip(self.draw(read, wanted.len(), &mut random)?) {
                trees[*sample] = Some(if *direction == Direction::Ltr { tree } else { tree.mirrored() });
            }
        }
        Ok(trees.into_iter().flatten().collect())
    }

    /// How many bytes the chart for so many words takes, with its workspace; none for windows deeper than s2, where that depends on the
    /// scores.
    pub fn bytes_needed(&self, words: usize, bytes_per_number: usize) -> Option<u64> {
        let kind = Kind::of(self.system.inventory(), true)?;
        Some(kind.bytes(words, bytes_per_number))
    }

    fn readings(&self) -> impl Iterator<Item = Direction> + use<> {
        let direction = self.direction;
        [Direction::Ltr, Direction::Rtl].into_iter().filter(move |&reading| match reading {
            Direction::Ltr => direction.reads_forward(),
            _ => direction.reads_backward(),
        })
    }

    fn deduction(&self) -> Deduction {
        // An item takes some forty bytes.
        let limit = usize::try_from(self.memory / 40).unwrap_or(usize::MAX);
        Deduction::new(self.system.inventory(), self.single_root).with_limit(limit)
    }

    /// The kind of dense chart to use, if there is one; an error if it would be too large.
    fn fits<F>(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<Option<Kind>, InferenceError> {
        let Some(kind) = Kind::of(self.system.inventory(), scores.as_arcs().is_some()) else {
            return Ok(None);
        };
        let words = scores.words();
        let needed = kind.bytes(words, size_of::<F>());
        if needed > self.memory {
            return Err(InferenceError::too_large(self.system, words, needed, self.memory, size_of::<F>()));
        }
        Ok(Some(kind))
    }

    fn sum_readings(
        &self,
        scores: &ArcScores,
        one: impl Fn(&Inference<'_>, &ArcScores) -> Result<f64, InferenceError>,
    ) -> Result<f64, InferenceError> {
        let mut sum = Log(f64::NEG_INFINITY);
        for direction in self.readings() {
            let read = if direction == Direction::Ltr { scores.clone() } else { scores.mirrored() };
            sum = crate::semiring::Semiring::plus(sum, Log(one(self, &read)?));
        }
        Ok(sum.0)
    }

    /// The log partition function of one reading.
    fn log_total(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        let inventory = self.system.inventory();
        if self.fits::<f64>(scores)?.is_none() {
            return Ok(self.deduction().log_partition(scores)?);
        }
        let real = Chart::<Real, _>::fill(inventory, scores, self.single_root, self.instructions)?;
        if is_safe(real.total()) {
            return Ok(real.total().ln());
        }
        Ok(Chart::<Log, _>::fill(inventory, scores, self.single_root, self.instructions)?.total().0)
    }

    fn posteriors(&self, scores: &ArcScores) -> Result<Vec<f64>, InferenceError> {
        let inventory = self.system.inventory();
        if self.fits::<f64>(scores)?.is_none() {
            let marginals = self.deduction().marginals::<Log>(scores)?.ok_or(InferenceError::NoTree)?;
            let nodes = scores.len() + 1;
            let arcs = (0..nodes * nodes).map(|at| marginals.get(at / nodes, at % nodes));
            return Ok(arcs.collect());
        }
        let real = Chart::<Real, _>::fill(inventory, scores, self.single_root, self.instructions)?;
        let posteriors = if is_safe(real.total()) {
            real.arc_posteriors()
        } else {
            Chart::<Log, _>::fill(inventory, scores, self.single_root, self.instructions)?.arc_posteriors()
        };
        posteriors.ok_or(InferenceError::NoTree)
    }

    fn draw(
        &self,
        scores: &ArcScores,
        count: usize,
        random: &mut Random,
    ) -> Result<Vec<Tree>, InferenceError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if self.fits::<f64>(scores)?.is_none() {
            return (0..count).map(|_| self.draw_word_by_word(scores, random)).collect();
        }
        let chart =
            Chart::<Log, _>::fill(self.system.inventory(), scores, self.single_root, self.instructions)?;
        let tree = |_| {
            let transitions = chart.sample(&mut || random.uniform()).ok_or(InferenceError::NoTree)?;
            Derivation::new(scores.len(), transitions).tree().map_err(|_| InferenceError::NoTree)
        };
        (0..count).map(tree).collect()
    }

    /// Draws the head of one word after the other from its marginals, given the heads drawn before.
    fn draw_word_by_word(&self, scores: &ArcScores, random: &mut Random) -> Result<Tree, InferenceError> {
        let nodes = scores.len() + 1;
        let mut constrained = scores.clone();
        let mut heads = Vec::with_capacity(scores.len());
        for word in 1..nodes {
            let posteriors = self.posteriors(&constrained)?;
            let mut left = random.uniform();
            let possible = (0..nodes).filter(|&head| posteriors[head * nodes + word] > 0.0);
            let mut drawn = None;
            for head in possible {
                if left >= 0.0 {
                    drawn = Some(head);
                    left -= posteriors[head * nodes + word];
                }
            }
            let head = drawn.ok_or(InferenceError::NoTree)?;
            constrained.require(head, word);
            heads.push(head);
        }
        Tree::from_heads(&heads).map_err(|_| InferenceError::NoTree)
    }
}

/// Whether sums in plain double precision neither overflowed nor lost anything that matters. What is lost by underflow is below 10⁻³⁰⁸ and may
/// still be multiplied by as much as the number of derivations, some 25ⁿ.
fn is_safe(total: Real) -> bool {
    (1e-100..1e200).contains(&total.0)
}

/// Scores less a constant per word, and the sum of the constants. Words with no possible head are left alone.
fn shifted_by_word(
    scores: &ArcScores,
    constant: impl Fn(&mut dyn Iterator<Item = f64>) -> f64,
) -> (ArcScores, f64) {
    let nodes = scores.len() + 1;
    let mut shifted = scores.clone();
    let mut sum = 0.0;
    for dependent in 1..nodes {
        let heads = || (0..nodes).filter(move |&head| head != dependent);
        let constant = constant(&mut heads().map(|head| scores.get(head, dependent)));
        if constant.is_finite() {
            sum += constant;
            heads().for_each(|head| shifted.set(head, dependent, scores.get(head, dependent) - constant));
        }
    }
    (shifted, sum)
}

/// Scores such that exp(score) sums to one over each word's heads, and the logarithm of the factor taken out.
fn normalised(scores: &ArcScores) -> (ArcScores, f64) {
    shifted_by_word(scores, |column| {
        let values: Vec<f64> = column.collect();
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + values.iter().map(|value| (value - largest).exp()).sum::<f64>().ln()
    })
}
