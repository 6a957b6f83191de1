//! The distribution over all trees of a sentence: everything that can be asked about one matrix of scores,
//! with nothing computed twice.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::bounds::ArcBounds;
use super::contraction::Workspace;
use super::sums::Sums;
use super::weights::{Block, Constants, Weights};
use super::{NoTree, ScoredTree, Spanning};
use crate::Tree;
use crate::random::Random;
use crate::scores::ArcScores;
use crate::scores::gaps::Closed;
use crate::semiring::{Additive, Entropic, Real, Semiring, Wide};

/// All trees, each with a probability proportional to exp(score).
///
/// What is asked is computed when it is first needed, and kept.
///
/// ```
/// use tanglewood::{scores::ArcScores, spanning::Spanning};
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 1, 3.0)?;
/// scores.set(1, 2, 2.0)?;
/// let trees = Spanning::new().distribution(&scores)?;
/// // There are two trees, with scores of 5 and 0.
/// assert_eq!(trees.best()?.score, 5.0);
/// assert!((trees.log_partition() - (5f64.exp() + 1.0).ln()).abs() < 1e-15);
/// let probability = trees.log_probability(&trees.best()?.tree).exp();
/// assert!((trees.marginals()[0][1] - probability).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SpanningDistribution<'a> {
    scores: Cow<'a, ArcScores>,
    single_root: bool,
    solved: OnceLock<(Workspace, ScoredTree)>,
    bounds: OnceLock<ArcBounds>,
    blocks: Vec<Block>,
    plain: OnceLock<(Sums<Real, 8>, Constants)>,
    exact: OnceLock<(Sums<Wide, 4>, Closed)>,
    marginals: OnceLock<Vec<Vec<f64>>>,
}

impl Spanning {
    /// The distribution over all trees, of which there is at least one.
    ///
    /// # Errors
    /// If every tree has a forbidden arc.
    pub fn distribution<'a>(&self, scores: &'a ArcScores) -> Result<SpanningDistribution<'a>, NoTree> {
        let mut distribution = SpanningDistribution {
            scores: Cow::Borrowed(scores),
            single_root: self.single_root,
            solved: OnceLock::new(),
            bounds: OnceLock::new(),
            blocks: Vec::new(),
            plain: OnceLock::new(),
            exact: OnceLock::new(),
            marginals: OnceLock::new(),
        };
        // If no arc is forbidden there is a tree, and nothing has to be solved to know that.
        let is_certain = !scores.is_empty() && !scores.has_forbidden_arcs();
        let known = if is_certain { None } else { Some(&distribution.best()?.tree) };
        distribution.blocks = Block::all(scores, self.single_root, known);
        Ok(distribution)
    }
}

impl SpanningDistribution<'_> {
    /// The same distribution with scores of its own.
    pub fn into_owned(self) -> SpanningDistribution<'static> {
        SpanningDistribution { scores: Cow::Owned(self.scores.into_owned()), ..self }
    }

    /// The scores.
    pub fn scores(&self) -> &ArcScores {
        &self.scores
    }

    fn solved(&self) -> Result<&(Workspace, ScoredTree), NoTree> {
        if let Some(solved) = self.solved.get() {
            return Ok(solved);
        }
        let mut workspace = Workspace::new();
        let best = Spanning { single_root: self.single_root }.best_with(&self.scores, &mut workspace)?;
        Ok(self.solved.get_or_init(|| (workspace, best)))
    }

    /// The best tree, in O(n²); see [`Spanning::best`].
    ///
    /// # Errors
    /// If sums of scores leave the range of numbers; there is a tree otherwise.
    pub fn best(&self) -> Result<&ScoredTree, NoTree> {
        Ok(&self.solved()?.1)
    }

    /// How good a tree with a given arc can be, in O(n²) and without looking for the best tree again; see
    /// [`Spanning::bounds`].
    ///
    /// # Errors
    /// As [`SpanningDistribution::best`].
    pub fn bounds(&self) -> Result<&ArcBounds, NoTree> {
        let (workspace, best) = self.solved()?;
        Ok(self.bounds.get_or_init(|| workspace.bounds(&self.scores, best.clone(), self.single_root)))
    }

    fn plain(&self) -> &(Sums<Real, 8>, Constants) {
        self.plain.get_or_init(|| {
            let (weights, constants) = Weights::plain(&self.scores, self.single_root);
            (Sums::new(weights, self.blocks.clone()), constants)
        })
    }

    fn exact(&self) -> &(Sums<Wide, 4>, Closed) {
        self.exact.get_or_init(|| {
            let closed = Closed::new(&self.scores);
            (Sums::new(Weights::of_scores(&closed.scores), self.blocks.clone()), closed)
        })
    }

    /// The logarithm of the sum of exp(score) over all trees, in O(n³).
    pub fn log_partition(&self) -> f64 {
        let (plain, constants) = self.plain();
        if let Some(total) = plain.total() {
            return constants.put_back(total.ln());
        }
        let (exact, closed) = self.exact();
        exact.total().map_or(f64::NEG_INFINITY, |total| closed.ln(total))
    }

    /// For each arc its probability, in O(n³): the share, by weight, of the trees that have it;
    /// `[head][dependent]` for nodes 0..=n. Each word's column sums to one.
    ///
    /// Small probabilities are as accurate as large ones, down to 10⁻¹⁰⁰ at least.
    pub fn marginals(&self) -> &[Vec<f64>] {
        self.marginals.get_or_init(|| {
            let plain = self.plain().0.marginals();
            plain.or_else(|| self.exact().0.marginals()).unwrap_or_default()
        })
    }

    /// The logarithm of a tree's probability, in O(n³) for the first tree and O(n) for others; −∞ if it has a
    /// forbidden arc, too many words at the root, or another number of words than the sentence.
    pub fn log_probability(&self, tree: &Tree) -> f64 {
        if tree.len() != self.scores.len() || (self.single_root && !tree.has_single_root()) {
            return f64::NEG_INFINITY;
        }
        let (plain, constants) = self.plain();
        let log = if let Some(total) = plain.total() {
            let weights = tree.arcs().map(|(head, word)| constants.log_weight(&self.scores, head, word));
            weights.sum::<f64>() - total.ln()
        } else {
            let (exact, closed) = self.exact();
            let weights = tree.arcs().map(|(head, word)| exact.weights.get(head, word));
            closed.ln_share(weights.fold(Wide::ONE, Wide::times), exact.total().unwrap_or(Wide::ONE))
        };
        // Rounding makes nothing more than certain.
        log.min(0.0)
    }

    /// The entropy of the distribution, in nats and O(n³).
    pub fn entropy(&self) -> f64 {
        let (plain, constants) = self.plain();
        let entropy = if let Some(total) = plain.total() {
            // −Σ p ln p = ln Z − E[ln weight], where both are small in size, since the total is within the
            // range of plain numbers.
            let marginals = self.marginals();
            let arcs = self.scores.arcs().filter(|&(head, word)| marginals[head][word] > 0.0);
            let terms = arcs
                .map(|(head, word)| marginals[head][word] * constants.log_weight(&self.scores, head, word));
            total.ln() - terms.sum::<f64>()
        } else {
            // Here they would not be, and their difference would have no digits.
            let weights = Weights::of_scores(&self.exact().1.scores);
            let sums: Sums<Entropic<Wide>, 1> = Sums::new(weights, self.blocks.clone());
            sums.total().map_or(0.0, |total| total.entropy)
        };
        entropy.max(0.0)
    }

    /// Trees drawn with their probability, each time anew; O(n³) for the first tree, and little more than
    /// O(n²) for each. The same seed gives the same trees.
    pub fn samples(&self, count: usize, seed: u64) -> Vec<Tree> {
        let mut random = Random::new(seed);
        let mut draw = || match &self.plain().0 {
            plain if plain.total().is_some() => plain.draw(&mut random),
            _ => self.exact().0.draw(&mut random),
        };
        (0..count).filter_map(|_| Tree::from_heads(&draw()).ok()).collect()
    }
}

impl std::fmt::Debug for SpanningDistribution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpanningDistribution")
            .field("scores", &self.scores)
            .field("single_root", &self.single_root)
            .finish_non_exhaustive()
    }
}

/// One question about a matrix. For more than one, [`Spanning::distribution`] takes less time.
impl Spanning {
    /// The logarithm of the sum of exp(score) over all trees, in O(n³); −∞ if there is none.
    pub fn log_partition(&self, scores: &ArcScores) -> f64 {
        self.distribution(scores).map_or(f64::NEG_INFINITY, |trees| trees.log_partition())
    }

    /// For each arc its probability, in O(n³); see [`SpanningDistribution::marginals`].
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, NoTree> {
        let trees = self.distribution(scores)?;
        trees.marginals();
        Ok(trees.marginals.into_inner().unwrap_or_default())
    }

    /// The logarithm of a tree's probability, in O(n³); see [`SpanningDistribution::log_probability`].
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, NoTree> {
        Ok(self.distribution(scores)?.log_probability(tree))
    }

    /// The entropy of the distribution over trees, in nats and O(n³).
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn entropy(&self, scores: &ArcScores) -> Result<f64, NoTree> {
        Ok(self.distribution(scores)?.entropy())
    }

    /// Trees drawn with their probability; see [`SpanningDistribution::samples`].
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, NoTree> {
        Ok(self.distribution(scores)?.samples(count, seed))
    }
}
