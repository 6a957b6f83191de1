//! A model: what it knows by name, and its parameters.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use tanglewood::Tree;
use tanglewood::conllu::Sentence;
use tanglewood::inference::Random;
use tanglewood::scores::ArcScores;

use crate::encoding::Encoded;
use crate::layers::{arc_scores, log_softmax};
use crate::learned::LearnedScores;
use crate::lemmas::{LemmaList, WordClass};
use crate::matrix::Matrix;
use crate::network::Network;
use crate::options::Options;
use crate::parameters::Parameters;
use crate::scorer::{Scored, Scorer};
use crate::segmentation::Segmenter;
use crate::steps::{Step, WordTags};
use crate::store::Store;
use crate::vectors::Vectors;
use crate::vocabulary::Vocabulary;

/// How many words are scored together: large enough for products of matrices at full speed, small enough for
/// the cache.
const BATCH_WORDS: usize = 500;

/// A model that scores arcs and labels.
#[derive(Clone, Debug)]
pub struct Model {
    options: Options,
    vocabulary: Vocabulary,
    network: Network,
    numbers: Store,
    /// Made of the numbers when scores are first asked for.
    scorer: OnceLock<Arc<Scorer>>,
    segmenter: Option<Segmenter>,
}

/// The scores of some sentences.
#[derive(Clone, Debug)]
pub struct Scores<'a> {
    model: &'a Model,
    scored: Scored,
}

/// The scores of all labels, given trees.
#[derive(Clone, Debug)]
pub struct LabelScores {
    scores: Matrix<f32>,
    /// The first row of each sentence.
    starts: Vec<usize>,
}

impl LabelScores {
    /// The scores of all labels of a word, counted from 1, of one of the sentences.
    pub fn of(&self, sentence: usize, word: usize) -> &[f32] {
        self.scores.row(self.starts[sentence] + word - 1)
    }
}

impl Model {
    /// A model that has learned nothing yet.
    pub fn new(options: Options, vocabulary: Vocabulary, seed: u64) -> Model {
        let network = Network::new(&options, &vocabulary);
        let parameters = network.layout().initial(seed);
        Model::of_parts(options, vocabulary, network, Store::Exact(parameters))
    }

    /// Puts a model together from its parts.
    pub(crate) fn of_parts(
        options: Options,
        vocabulary: Vocabulary,
        network: Network,
        numbers: Store,
    ) -> Model {
        Model { options, vocabulary, network, numbers, scorer: OnceLock::new(), segmenter: None }
    }

    /// A model that reads pretrained vectors, too. They are never changed, and become part of the model.
    pub fn with_vectors(options: Options, vocabulary: Vocabulary, vectors: Vectors, seed: u64) -> Model {
        let options = Options { vectors: vectors.columns(), ..options };
        let (names, values) = vectors.into_parts();
        let mut model = Model::new(options, Vocabulary { vectors: names, ..vocabulary }, seed);
        let entry = model.network.layout().entries().iter().find(|entry| entry.name == "vectors");
        if let Some(range) = entry.map(|entry| entry.tensor.range()) {
            model.parameters_mut().values[range].copy_from_slice(&values);
        }
        model
    }

    /// The same model with lemmas of a list: see [`Vocabulary::with_lemmas`].
    pub fn with_lemmas<'a>(
        mut self,
        list: &LemmaList,
        sentences: impl IntoIterator<Item = Sentence<'a>>,
    ) -> Model {
        self.vocabulary = self.vocabulary.with_lemmas(list, sentences);
        self
    }

    /// The same model with a segmenter, so that it takes running text.
    pub fn with_segmenter(self, segmenter: Segmenter) -> Model {
        Model { segmenter: Some(segmenter), ..self }
    }

    /// What cuts running text into words, if it has learned that.
    pub fn segmenter(&self) -> Option<&Segmenter> {
        self.segmenter.as_ref()
    }

    /// Steps that the model can perform, in the order of [`Step::ALL`].
    pub fn steps(&self) -> Vec<Step> {
        let can = |step: &Step| match step {
            Step::Segment => self.segmenter.is_some(),
            Step::Tag => self.options.tagging > 0 && self.vocabulary.tag_count() > 0,
            Step::Lemma => !self.vocabulary.lemmas.is_empty(),
            Step::Parse => true,
        };
        Step::ALL.into_iter().filter(can).collect()
    }

    /// Sizes and inputs of the network.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Words, tags, labels and lemma scripts that the model knows.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// True if and only if it was read from a compact file. To copy that file is the only way to write the
    /// same model again: expanded numbers are multiplied with other rounding errors.
    pub fn is_compact(&self) -> bool {
        matches!(self.numbers, Store::Compact(_))
    }

    /// Its parameters in single precision. Those of a compact file are expanded here, and nowhere else.
    pub fn parameters(&self) -> Cow<'_, Parameters<f32>> {
        self.numbers.parameters(self.network.layout())
    }

    /// The parameters, for training.
    pub(crate) fn parameters_mut(&mut self) -> &mut Parameters<f32> {
        self.scorer = OnceLock::new();
        if let Store::Compact(_) = self.numbers {
            self.numbers = Store::Exact(self.parameters().into_owned());
        }
        match &mut self.numbers {
            Store::Exact(parameters) => parameters,
            Store::Compact(_) => unreachable!("expanded above"),
        }
    }

    /// The same model with other parameters.
    pub(crate) fn with_parameters(&self, parameters: Parameters<f32>) -> Model {
        Model { numbers: Store::Exact(parameters), scorer: OnceLock::new(), ..self.clone() }
    }

    /// The same model with every parameter changed by up to this much, so that none is zero; for tests.
    #[doc(hidden)]
    pub fn shaken(mut self, most: f64) -> Model {
        let mut random = Random::new(7);
        let values = &mut self.parameters_mut().values;
        values.iter_mut().for_each(|value| *value += ((2.0 * random.uniform() - 1.0) * most) as f32);
        self
    }

    /// Number of parameters.
    pub fn size(&self) -> usize {
        self.network.layout().len()
    }

    /// Number of multiplications in products of matrices for each word; for benchmarks.
    #[doc(hidden)]
    pub fn products(&self) -> usize {
        self.scorer().products()
    }

    /// The network prepared for parsing; see [`Scorer`].
    fn scorer(&self) -> &Scorer {
        self.scorer.get_or_init(|| Arc::new(Scorer::new(&self.network, &self.numbers)))
    }

    /// What it sees of a sentence. A model that tags does not look at the tags of the input; any other does.
    pub fn encode(&self, sentence: &Sentence<'_>) -> Encoded {
        let encoded = self.encode_keeping_tags(sentence);
        if self.options.tagging > 0 { encoded.without_tags() } else { encoded }
    }

    /// What it sees of a sentence if it takes the tags of the input for right.
    pub fn encode_keeping_tags(&self, sentence: &Sentence<'_>) -> Encoded {
        Encoded::new(sentence, &self.vocabulary, &self.options)
    }

    /// Scores some sentences together. Memory grows with their number: see [`Model::parse_each`] for many.
    pub fn scores(&self, sentences: &[&Encoded]) -> Scores<'_> {
        let mut scored = self.scorer().score(&self.network, &self.numbers, sentences);
        // A constant for each word makes no difference to whole trees, and logarithms of probabilities are
        // easier to read; but transitions are compared before trees are whole.
        if !self.options.scores_transitions() {
            for scores in &mut scored.scores {
                (0..scores.arcs.rows()).for_each(|row| log_softmax(scores.arcs.row_mut(row)));
            }
        }
        Scores { model: self, scored }
    }

    /// Parses any number of sentences, batch by batch, and hands over tree and labels of each, in no
    /// particular order; nothing for a sentence for which `decode` finds no tree. Empty sentences are passed
    /// over.
    pub fn parse_each(
        &self,
        sentences: &[&Encoded],
        decode: impl Fn(&LearnedScores<f32>) -> Option<Tree>,
        mut visit: impl FnMut(usize, Option<(Tree, Vec<u32>)>),
    ) {
        for batch in batches(sentences) {
            let inputs: Vec<&Encoded> = batch.iter().map(|&at| sentences[at]).collect();
            let scores = self.scores(&inputs);
            let trees: Vec<Option<Tree>> = (0..batch.len()).map(|at| decode(&scores.sentence(at))).collect();
            let labels = scores.labels(&trees);
            for ((at, tree), labels) in batch.into_iter().zip(trees).zip(labels) {
                visit(at, tree.map(|tree| (tree, labels)));
            }
        }
    }
}

/// Which sentences to score together: those of similar length, of some thousand words in all. Empty ones are
/// left out.
pub fn batches(sentences: &[&Encoded]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sentences.len()).filter(|&at| !sentences[at].is_empty()).collect();
    order.sort_by_key(|&at| sentences[at].len());
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut words = 0;
    for at in order {
        match batches.last_mut() {
            Some(batch) if words + sentences[at].len() <= BATCH_WORDS => batch.push(at),
            _ => {
                batches.push(vec![at]);
                words = 0;
            }
        }
        words += sentences[at].len();
    }
    batches
}

impl Scores<'_> {
    /// The scores of a sentence's transitions and arcs.
    pub fn sentence(&self, sentence: usize) -> LearnedScores<f32> {
        LearnedScores::new(&self.scored.scores[self.scored.packing.rank(sentence)])
    }

    /// The scores of a sentence's arcs. Unless the model scores transitions, too, that is the logarithm of
    /// the probability that the model gives to the head, for each dependent by itself.
    ///
    /// Any other scale would do for decoding: each word has one head, so a constant per word changes no
    /// comparison between trees.
    pub fn arcs(&self, sentence: usize) -> ArcScores {
        arc_scores(&self.scored.scores[self.scored.packing.rank(sentence)].arcs)
    }

    /// What is said of each word besides its place in the tree, for the sentence of this number, which is
    /// given again.
    pub fn tags(&self, sentence: usize, encoded: &Encoded) -> Vec<WordTags> {
        let Model { vocabulary, network, .. } = self.model;
        let Some(tagged) = self.model.scorer().tagged(&self.scored) else {
            return vec![WordTags::default(); encoded.len()];
        };
        let packing = &self.scored.packing;
        let rank = packing.rank(sentence);
        let row_of = |time: usize| packing.block(time).start + rank;
        let named = |time| network.tagset().named(tagged.probabilities.row(row_of(time)), vocabulary);
        let mut words: Vec<WordTags> = (0..packing.rows(rank).len()).map(named).collect();
        let lemmas = &vocabulary.lemmas;
        let mut unknown = Vec::new();
        for (at, (word, form)) in words.iter_mut().zip(&encoded.forms).enumerate() {
            word.lemma = lemmas.known(form, class_of(word));
            if word.lemma.is_none() {
                unknown.push(at);
            }
        }
        let rows: Vec<usize> = unknown.iter().map(|&at| row_of(at)).collect();
        let scores = self.model.scorer().scripts(tagged, &rows);
        for (row, &at) in unknown.iter().enumerate() {
            let lemma = lemmas.lemma(&encoded.forms[at], class_of(&words[at]), best_first(scores.row(row)));
            words[at].lemma = Some(lemma);
        }
        words
    }

    /// The best label of each word, given trees; something for those that lack one.
    pub fn labels(&self, trees: &[Option<Tree>]) -> Vec<Vec<u32>> {
        let packing = &self.scored.packing;
        let scores = self.label_scores(trees);
        let best = |row: usize| {
            let best =
                scores.row(row).iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            best.map_or(0, |(label, _)| label as u32)
        };
        let ranks = (0..trees.len()).map(|sentence| packing.rank(sentence));
        ranks.map(|rank| packing.rows(rank).map(best).collect()).collect()
    }

    /// The logarithms of the probabilities of all labels of each word of one sentence, given its tree.
    pub fn label_probabilities(&self, sentence: usize, tree: &Tree) -> Vec<Vec<f32>> {
        let mut trees = vec![None; self.scored.scores.len()];
        trees[sentence] = Some(tree.clone());
        let mut scores = self.label_scores(&trees);
        let packing = &self.scored.packing;
        let rows = packing.rows(packing.rank(sentence));
        rows.map(|row| {
            log_softmax(scores.row_mut(row));
            scores.row(row).to_vec()
        })
        .collect()
    }

    /// The scores of all labels of each word, given trees; something for sentences that lack one.
    pub fn labels_given(&self, trees: &[Option<Tree>]) -> LabelScores {
        let packing = &self.scored.packing;
        let starts = (0..trees.len()).map(|sentence| packing.rows(packing.rank(sentence)).start).collect();
        LabelScores { scores: self.label_scores(trees), starts }
    }

    fn label_scores(&self, trees: &[Option<Tree>]) -> Matrix<f32> {
        let packing = &self.scored.packing;
        let heads: Vec<Vec<u32>> = (0..packing.sentences())
            .map(|rank| match &trees[packing.sentence(rank)] {
                Some(tree) => tree.heads().map(|head| head as u32).collect(),
                None => vec![0; packing.rows(rank).len()],
            })
            .collect();
        self.model.scorer().labels(&self.scored, &heads)
    }
}

/// The tags that decide about a word's lemma.
fn class_of(word: &WordTags) -> WordClass<'_> {
    WordClass { upos: word.upos.as_deref().unwrap_or("_"), xpos: word.xpos.as_deref().unwrap_or("_") }
}

/// Places of the few largest numbers, the largest first.
fn best_first(scores: &[f32]) -> Vec<u32> {
    const FEW: usize = 8;
    let mut best: Vec<u32> = Vec::with_capacity(FEW + 1);
    for (at, score) in scores.iter().enumerate() {
        let place = best.partition_point(|&other| scores[other as usize] >= *score);
        if place < FEW {
            best.insert(place, at as u32);
            best.truncate(FEW);
        }
    }
    best
}
