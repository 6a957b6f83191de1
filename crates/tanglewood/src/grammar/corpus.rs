//! Sentences to learn from, with and without trees, and how a grammar is fitted to them.

use super::{Example, Expectations, Grammar, GrammarError, Labels, Settings, Start, Symbol, Symbols};
use crate::Tree;

/// A sentence as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Tags or words.
    pub words: Vec<String>,
    /// The tree and the labels of its arcs, word by word, if they are to be learned from.
    pub tree: Option<(Tree, Vec<String>)>,
}

/// Sentences to learn from.
#[derive(Clone, Debug)]
pub struct Corpus {
    symbols: Symbols,
    /// Those with trees come first.
    examples: Vec<Example>,
    labels: Labels,
    trees: usize,
    words: usize,
    replaced: usize,
}

/// The expectations of one part of a corpus.
pub type PartExpectations = Result<Expectations, GrammarError>;

/// What does the work: gives, in order, what a function has to say about each number below the first
/// argument, perhaps in several threads. See [`one_by_one`].
pub type Workers<'w> =
    &'w dyn Fn(usize, &(dyn Fn(usize) -> PartExpectations + Sync)) -> Vec<PartExpectations>;

/// [`Workers`] without threads.
pub fn one_by_one(count: usize, work: &(dyn Fn(usize) -> PartExpectations + Sync)) -> Vec<PartExpectations> {
    (0..count).map(work).collect()
}

/// Sentences are summed up in this number of parts, however many threads there are, so that sums are always
/// the same.
const PARTS: usize = 64;

impl Corpus {
    /// Symbols are what occurs at least `least` times. A tree that the system cannot build is replaced by the
    /// nearest one that it can build. Sentences without words are left out.
    ///
    /// # Errors
    /// If there are no sentences, or the nearest tree cannot be found.
    pub fn new(observed: &[Observed], settings: &Settings, least: usize) -> Result<Corpus, GrammarError> {
        settings.kinds()?;
        let names = observed.iter().flat_map(|sentence| &sentence.words).map(String::as_str);
        let symbols = Symbols::frequent(names, least);
        let (mut with_trees, mut raw, mut arcs, mut replaced) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for Observed { words, tree } in observed.iter().filter(|sentence| !sentence.words.is_empty()) {
            let words: Vec<Symbol> = words.iter().map(|word| symbols.number(word)).collect();
            let Some((tree, labels)) = tree else {
                raw.push(Example::raw(words));
                continue;
            };
            if tree.len() != words.len() {
                return Err(GrammarError::Lengths { tree: tree.len(), words: words.len() });
            }
            for ((head, word), label) in tree.arcs().zip(labels) {
                let of_head = head.checked_sub(1).map_or(Symbols::ROOT, |at| words[at]);
                arcs.push((words[word - 1], of_head, head > word, label.as_str()));
            }
            let nearest = settings.nearest(tree)?;
            replaced += usize::from(nearest.is_some());
            with_trees.push(Example::with_tree(words, nearest.unwrap_or_else(|| tree.clone())));
        }
        let (labels, trees) = (Labels::learn(arcs), with_trees.len());
        let examples = [with_trees, raw].concat();
        if examples.is_empty() {
            return Err(GrammarError::NoSentences);
        }
        let words = examples.iter().map(|example| example.words().len()).sum();
        Ok(Corpus { symbols, examples, labels, trees, words, replaced })
    }

    /// The tags or words that are known.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Number of sentences.
    pub fn sentences(&self) -> usize {
        self.examples.len()
    }

    /// Number of sentences with a tree.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Number of trees that the system cannot build.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// A number that is another one, almost certainly, if anything about the sentences is different.
    pub fn fingerprint(&self) -> u64 {
        let mut sum: u64 = 0xCBF2_9CE4_8422_2325;
        let mut add = |number: u64| {
            for byte in number.to_le_bytes() {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        };
        self.symbols.known().flat_map(|name| name.bytes().chain([0])).for_each(|byte| add(byte.into()));
        for example in &self.examples {
            add(example.words().len() as u64);
            example.words().iter().for_each(|&word| add(word.into()));
            example.tree().into_iter().flat_map(Tree::heads).for_each(|head| add(head as u64 + 1));
        }
        sum
    }

    /// The grammar that EM begins with: from the sentences with trees if there are any, by `start` if not.
    /// With both, what it expects of all sentences then decides how much each level of back-off counts.
    ///
    /// # Errors
    /// As [`Settings::expectations`].
    pub fn first(
        &self,
        settings: &Settings,
        start: Start,
        workers: Workers<'_>,
    ) -> Result<Grammar, GrammarError> {
        let from = if self.trees > 0 { &self.examples[..self.trees] } else { &self.examples[..] };
        let expected = sum(from, &|example| settings.expectations(example, start), workers)?;
        let grammar = Grammar::first(settings.clone(), self.symbols.clone(), &expected)?;
        let grammar = grammar.with_labels(self.labels.clone());
        if self.trees == 0 || self.trees == self.examples.len() {
            return Ok(grammar);
        }
        grammar.restarted(&self.expectations(&grammar, workers)?)
    }

    /// What a grammar expects of all sentences. [`Grammar::updated`] with it is one iteration of EM.
    ///
    /// # Errors
    /// As [`Grammar::expectations`].
    pub fn expectations(
        &self,
        grammar: &Grammar,
        workers: Workers<'_>,
    ) -> Result<Expectations, GrammarError> {
        sum(&self.examples, &|example| grammar.expectations(example), workers)
    }
}

/// Sentences that grammars are measured with, and learn nothing from.
#[derive(Clone, Debug)]
pub struct HeldOut {
    examples: Vec<Example>,
}

impl HeldOut {
    /// Trees are ignored. Sentences without words are left out.
    ///
    /// # Errors
    /// If there are no sentences.
    pub fn new(observed: &[Observed], symbols: &Symbols) -> Result<HeldOut, GrammarError> {
        let sentences = observed.iter().map(|sentence| &sentence.words).filter(|words| !words.is_empty());
        let examples: Vec<Example> = sentences
            .map(|words| Example::raw(words.iter().map(|word| symbols.number(word)).collect()))
            .collect();
        if examples.is_empty() { Err(GrammarError::NoSentences) } else { Ok(HeldOut { examples }) }
    }

    /// How many symbols there seem to be to choose from at each word: exp of the negative log-probability per
    /// word.
    ///
    /// # Errors
    /// As [`Grammar::log_probability`].
    pub fn perplexity(&self, grammar: &Grammar, workers: Workers<'_>) -> Result<f64, GrammarError> {
        let measure = |example: &Example| {
            let words = example.words();
            Ok(Expectations::without_events(words.len(), grammar.log_probability(words)?))
        };
        let all = sum(&self.examples, &measure, workers)?;
        Ok((-all.log_likelihood / all.words as f64).exp())
    }
}

/// The sum over sentences of what is expected: each part by itself, then the parts in order.
fn sum(
    examples: &[Example],
    expect: &(dyn Fn(&Example) -> PartExpectations + Sync),
    workers: Workers<'_>,
) -> Result<Expectations, GrammarError> {
    let parts: Vec<&[Example]> = examples.chunks(examples.len().div_ceil(PARTS).max(1)).collect();
    let sums = workers(parts.len(), &|part| {
        parts[part].iter().try_fold(Expectations::default(), |mut sum, example| {
            sum.add(&expect(example)?);
            Ok(sum)
        })
    });
    sums.into_iter().try_fold(Expectations::default(), |mut all, part| {
        all.add(&part?);
        Ok(all)
    })
}
