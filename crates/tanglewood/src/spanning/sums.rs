//! Sums over all trees: the partition function, marginals, probabilities, entropy.

use super::leave_one_out::leave_one_out;
use super::number::Number;
use super::weights::{Block, Problem, Weights};
use super::{NoTree, Spanning};
use crate::Tree;
use crate::scores::ArcScores;
use crate::scores::gaps::Closed;
use crate::semiring::Wide;

/// What all trees weigh.
enum Total {
    Ordinary {
        /// The logarithm of the sum.
        log: f64,
        /// What was taken from scores before.
        constants: Vec<f64>,
    },
    /// The sum itself, of large scores without their gaps.
    Exact(Wide, Closed),
}

impl Total {
    fn of<N: Number>(weights: Weights<N>, blocks: &[Block]) -> Option<Total> {
        let mut log = weights.log_factor;
        for block in blocks {
            log += weights.system(block).total()?.ln();
        }
        Some(Total::Ordinary { log, constants: weights.constants })
    }

    fn new(problem: &Problem<'_>) -> Result<Total, NoTree> {
        let blocks = problem.blocks();
        if !problem.is_large() {
            let plain = Total::of(problem.plain(), &blocks);
            return plain.or_else(|| Total::of(problem.wide(), &blocks)).ok_or(NoTree);
        }
        let (weights, closed) = problem.exact();
        let mut total = Wide::ONE;
        for block in &blocks {
            total = total.times(weights.system(block).total().ok_or(NoTree)?);
        }
        Ok(Total::Exact(total, closed))
    }

    fn log_partition(&self) -> f64 {
        match self {
            Total::Ordinary { log, constants } => log + constants.iter().sum::<f64>(),
            Total::Exact(total, closed) => closed.ln(*total),
        }
    }

    fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> f64 {
        match self {
            Total::Ordinary { log, constants } => {
                let weights = tree.arcs().map(|(head, word)| log_weight(scores, constants, head, word));
                weights.sum::<f64>() - log
            }
            Total::Exact(total, closed) => {
                let weights = tree.arcs().map(|(head, word)| Wide::exp(closed.scores.get(head, word)));
                closed.ln_share(weights.fold(Wide::ONE, Number::times), *total)
            }
        }
    }

    /// From probabilities of arcs.
    fn entropy(&self, scores: &ArcScores, marginals: &[Vec<f64>]) -> f64 {
        match self {
            Total::Ordinary { log, constants } => {
                let arcs = scores.arcs().map(|(head, word)| (marginals[head][word], head, word));
                let terms = arcs
                    .filter(|&(marginal, ..)| marginal > 0.0)
                    .map(|(marginal, head, word)| marginal * log_weight(scores, constants, head, word));
                log - terms.sum::<f64>()
            }
            Total::Exact(total, closed) => closed.entropy(*total, marginals),
        }
    }
}

/// The logarithm of an arc's weight in a plain sum.
fn log_weight(scores: &ArcScores, constants: &[f64], head: usize, word: usize) -> f64 {
    scores.get(head, word) - constants[word] - if head == 0 { constants[0] } else { 0.0 }
}

impl<N: Number> Weights<N> {
    /// For each head the share of the trees, by weight, in which a word of a block has it, from what its heads reach.
    pub(super) fn shares(&self, block: &Block, word: usize, reach: &[N]) -> Vec<f64> {
        let mut parts = vec![N::ZERO; self.nodes];
        block.roots.iter().for_each(|&root| parts[root] = self.get(root, word));
        for (&head, &reach) in block.words.iter().zip(&reach[1..]).filter(|&(&head, _)| head != word) {
            parts[head] = self.get(head, word).times(reach);
        }
        let whole = parts.iter().fold(N::ZERO, |sum, &part| sum.plus(part));
        parts.into_iter().map(|part| part.over(whole).to_f64()).collect()
    }

    fn marginals(&self, blocks: &[Block]) -> Option<Vec<Vec<f64>>> {
        let mut marginals = vec![vec![0.0; self.nodes]; self.nodes];
        for block in blocks {
            leave_one_out(self.system(block), &mut |place, reach| {
                let word = block.words[place - 1];
                let shares = self.shares(block, word, reach);
                marginals.iter_mut().zip(shares).for_each(|(row, share)| row[word] = share);
                None
            })?;
        }
        Some(marginals)
    }
}

impl Spanning {
    /// The logarithm of the sum of exp(score) over all trees, in O(n³); −∞ if there is none.
    ///
    /// The sum has almost full relative accuracy for any scores; see [the module](crate::spanning) for why.
    pub fn log_partition(&self, scores: &ArcScores) -> f64 {
        let total = Problem::new(self, scores).and_then(|problem| Total::new(&problem));
        total.map_or(f64::NEG_INFINITY, |total| total.log_partition())
    }

    /// For each arc its probability, in O(n³): the share, by weight, of the trees that have it; `[head][dependent]` for nodes 0..=n. Each
    /// word's column sums to one.
    ///
    /// Small probabilities are as accurate as large ones, down to 10⁻¹⁰⁰ at least.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, NoTree> {
        marginals(&Problem::new(self, scores)?)
    }

    /// The logarithm of a tree's probability, in O(n³); −∞ if it has a forbidden arc or too many words at the root.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    ///
    /// # Panics
    /// If the tree has another number of words than the scores.
    pub fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, NoTree> {
        assert_eq!(tree.len(), scores.len(), "tree and scores differ in length");
        let problem = Problem::new(self, scores)?;
        if self.single_root && !tree.has_single_root() {
            return Ok(f64::NEG_INFINITY);
        }
        // Rounding makes nothing more than certain.
        Ok(Total::new(&problem)?.log_probability(scores, tree).min(0.0))
    }

    /// The entropy of the distribution over trees, in nats and O(n³).
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn entropy(&self, scores: &ArcScores) -> Result<f64, NoTree> {
        let problem = Problem::new(self, scores)?;
        Ok(Total::new(&problem)?.entropy(scores, &marginals(&problem)?).max(0.0))
    }
}

pub(super) fn marginals(problem: &Problem<'_>) -> Result<Vec<Vec<f64>>, NoTree> {
    let blocks = problem.blocks();
    if problem.is_large() {
        return problem.exact().0.marginals(&blocks).ok_or(NoTree);
    }
    let plain = problem.plain().marginals(&blocks);
    plain.or_else(|| problem.wide().marginals(&blocks)).ok_or(NoTree)
}
