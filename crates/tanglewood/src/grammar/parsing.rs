//! Trees for sentences, by a grammar.

use std::collections::BTreeMap;

use super::{Grammar, GrammarError, Symbol};
use crate::Tree;
use crate::scores::{ArcScores, Use};

/// Which tree is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoder {
    /// That of the most probable run.
    Run,
    /// The most probable one, with all its runs together. It is looked for among the trees of the most
    /// probable run, of [`Decoder::Mbr`] and of random runs, and **proven** if it is more probable than all
    /// trees together that were not looked at.
    Tree,
    /// The one with most heads right, by expectation (minimum Bayes risk).
    Mbr,
}

/// Number of random runs whose trees are candidates for the most probable one.
const SAMPLES: usize = 50;

/// A tree for a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct GrammarParse {
    /// The tree.
    pub tree: Tree,
    /// The logarithm of the sentence's probability, over all trees.
    pub log_probability: f64,
    /// The logarithm of the tree's probability, given the sentence.
    pub log_posterior: f64,
    /// Whether no other tree is more probable: always known for [`Decoder::Tree`], else only if it shows
    /// anyway.
    pub is_proven_best: bool,
}

impl Grammar {
    /// The tree of a sentence. The seed is for [`Decoder::Tree`]; the same gives the same tree.
    ///
    /// # Errors
    /// As [`Grammar::log_probability`].
    pub fn parse(&self, words: &[Symbol], decoder: Decoder, seed: u64) -> Result<GrammarParse, GrammarError> {
        let (scores, inference) = (self.scores(words)?, self.inference());
        // How probable each arc is: scores whose best tree has most heads right.
        let mut arcs = ArcScores::new(words.len());
        let mut add = |what: Use<'_>, count: f64| {
            if let Use::Arc { head, dependent } = what {
                arcs.put(head, dependent, arcs.get(head, dependent) + count);
            }
        };
        let log_probability = match decoder {
            Decoder::Run => self.log_probability(words)?,
            _ => inference.log_total(&scores, Some(&mut add))?,
        };
        let mut candidates: Vec<Tree> = Vec::new();
        if decoder != Decoder::Mbr {
            candidates.push(inference.best_run(&scores)?.tree);
        }
        if decoder != Decoder::Run {
            candidates.push(inference.best(&arcs)?.tree);
        }
        if decoder == Decoder::Tree {
            candidates.extend(inference.distribution_over_runs(&scores)?.samples(SAMPLES, seed)?);
        }
        let mut posteriors: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
        let mut best: Option<(Tree, f64)> = None;
        for tree in candidates {
            let heads: Vec<usize> = tree.heads().collect();
            if posteriors.contains_key(&heads) {
                continue;
            }
            let posterior = inference.log_total_of(&tree, &scores, None)? - log_probability;
            posteriors.insert(heads, posterior);
            if best.as_ref().is_none_or(|(_, known)| posterior > *known) {
                best = Some((tree, posterior));
            }
        }
        let (tree, log_posterior) = best.ok_or(GrammarError::NoWords)?;
        let unseen = 1.0 - posteriors.values().map(|posterior| posterior.exp()).sum::<f64>();
        let is_proven_best = log_posterior.exp() >= unseen;
        Ok(GrammarParse { tree, log_probability, log_posterior, is_proven_best })
    }

    /// The logarithm of the probability of these words with this tree, over all its runs; −∞ if there is
    /// none.
    ///
    /// # Errors
    /// As [`Grammar::log_probability`], or if words and tree do not belong together.
    pub fn log_joint(&self, words: &[Symbol], tree: &Tree) -> Result<f64, GrammarError> {
        match self.inference().log_total_of(tree, &self.scores(words)?, None) {
            Err(crate::inference::InferenceError::NoTree) => Ok(f64::NEG_INFINITY),
            log => Ok(log?),
        }
    }
}
