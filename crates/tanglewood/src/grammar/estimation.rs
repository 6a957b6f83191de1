//! From sentences to a grammar: expectation and maximisation.

use super::conditionals::Model;
use super::counts::{Expectations, SentenceCounts};
use super::labels::Labels;
use super::symbols::{Symbol, Symbols};
use super::{Grammar, GrammarError, Settings, Start, nodes};
use crate::Tree;
use crate::random::Random;
use crate::scores::{ArcScores, TransitionScores, Use};

/// A sentence to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    words: Vec<Symbol>,
    tree: Option<Tree>,
}

impl Example {
    /// A sentence whose tree is to be found.
    pub fn raw(words: Vec<Symbol>) -> Example {
        Example { words, tree: None }
    }

    /// A sentence with its tree.
    pub fn with_tree(words: Vec<Symbol>, tree: Tree) -> Example {
        Example { words, tree: Some(tree) }
    }

    /// The symbols.
    pub fn words(&self) -> &[Symbol] {
        &self.words
    }

    /// The tree, if it is known.
    pub fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref()
    }
}

/// The probability of the next node, for heads ahead, is kept away from 0 and 1.
const AHEAD: std::ops::RangeInclusive<f64> = 0.01..=0.99;

impl Settings {
    /// The tree to learn from where the system cannot build the given one: of those it can, the one with most
    /// heads right. Nothing if it can build the tree.
    ///
    /// # Errors
    /// As [`Inference::best`](crate::inference::Inference::best).
    pub fn nearest(&self, tree: &Tree) -> Result<Option<Tree>, GrammarError> {
        let mut scores = ArcScores::new(tree.len());
        tree.arcs().for_each(|(head, word)| scores.put(head, word, 1.0));
        let best = self.inference().best(&scores)?.tree;
        Ok((best != *tree).then_some(best))
    }

    /// What to expect of a sentence before there is a grammar: all runs of its tree are equally probable; if
    /// it has none, its runs are by `start`.
    ///
    /// # Errors
    /// If there are no words, if the system cannot build the tree, or the chart would take too much memory.
    pub fn expectations(&self, example: &Example, start: Start) -> Result<Expectations, GrammarError> {
        let words = example.words.len();
        let mut scores = ArcScores::new(words);
        for (head, word) in scores.arcs() {
            let score = match start {
                Start::Uniform => 0.0,
                Start::Harmonic if head == 0 => -(words as f64).ln(),
                Start::Harmonic => -((head.abs_diff(word) + 1) as f64).ln(),
                Start::Random(seed) => {
                    let symbol =
                        |node: usize| node.checked_sub(1).map_or(Symbols::ROOT, |at| example.words[at]);
                    let key =
                        u64::from(symbol(head)) << 33 | u64::from(symbol(word)) << 1 | u64::from(head < word);
                    2.0 * Random::new(seed ^ key.wrapping_mul(0x9E37_79B9_7F4A_7C15)).uniform() - 1.0
                }
            };
            scores.put(head, word, score);
        }
        if example.tree.is_some() {
            scores = ArcScores::new(words);
        }
        self.count(example, &scores)
    }

    /// Expectations over the runs of a sentence's tree, or over all runs.
    fn count(&self, example: &Example, scores: &dyn TransitionScores) -> Result<Expectations, GrammarError> {
        let Example { words, tree } = example;
        self.check(words.len())?;
        let kinds = self.kinds()?;
        let mut counts = SentenceCounts::new(words.len(), &kinds)?;
        let mut add = |what: Use<'_>, count| counts.add(what, count);
        let log_likelihood = match tree {
            Some(tree) if tree.len() != words.len() => {
                return Err(GrammarError::Lengths { tree: tree.len(), words: words.len() });
            }
            Some(tree) => self.inference().log_total_of(tree, scores, Some(&mut add))?,
            None => self.inference().log_total(scores, Some(&mut add))?,
        };
        Ok(counts.with_symbols(&nodes(words), log_likelihood))
    }
}

impl Grammar {
    /// The first grammar: relative frequencies of what is expected at each level of back-off, and the weights
    /// of the levels by Witten and Bell (1991), which later grammars keep; or networks that were fitted to
    /// it.
    ///
    /// # Errors
    /// If nothing is expected, or the system cannot generate.
    pub fn first(
        settings: Settings,
        symbols: Symbols,
        expected: &Expectations,
    ) -> Result<Grammar, GrammarError> {
        if expected.words == 0 {
            return Err(GrammarError::NoSentences);
        }
        let kinds = settings.kinds()?;
        Ok(Grammar {
            model: Model::first(settings.conditionals(), symbols.len(), &kinds, expected),
            kinds,
            settings,
            symbols,
            ahead: ahead(expected),
            labels: Labels::default(),
            notes: Vec::new(),
        })
    }

    /// The same grammar with relative frequencies and weights of back-off anew, as in [`Grammar::first`].
    ///
    /// # Errors
    /// If nothing is expected.
    pub fn restarted(&self, expected: &Expectations) -> Result<Grammar, GrammarError> {
        let first = Grammar::first(self.settings.clone(), self.symbols.clone(), expected)?;
        Ok(Grammar { labels: self.labels.clone(), notes: self.notes.clone(), ..first })
    }

    /// What the grammar expects of a sentence: over the runs of its tree if that is given, over all runs if
    /// not. The log-likelihood is that of words and tree, or of the words.
    ///
    /// # Errors
    /// As [`Settings::expectations`].
    pub fn expectations(&self, example: &Example) -> Result<Expectations, GrammarError> {
        self.settings.count(example, &self.scores(&example.words)?)
    }

    /// The grammar after one step of EM. The log-likelihood of the sentences of which these were the
    /// expectations is at least what it was.
    pub fn updated(&self, expected: &Expectations) -> Grammar {
        let (conditionals, symbols) = (self.settings.conditionals(), self.symbols.len());
        let model = self.model.updated(conditionals, symbols, &self.kinds, expected);
        let ahead = if expected.ahead > 0.0 { ahead(expected) } else { self.ahead };
        Grammar { model, ahead, ..self.clone() }
    }
}

/// The most probable parameter of the geometric distribution.
fn ahead(expected: &Expectations) -> f64 {
    let steps = expected.ahead + expected.distance;
    let share = if steps > 0.0 { expected.ahead / steps } else { 0.5 };
    share.clamp(*AHEAD.start(), *AHEAD.end())
}
