//! Learning to segment from a treebank.

use std::sync::{Arc, OnceLock};

use tanglewood::conllu::Sentence;
use tanglewood::inference::Random;

use super::evaluation::{FoundToken, SegmentationScore};
use super::features::{self, GapKind, TokenFeatures};
use super::known::Known;
use super::multiword::Multiwords;
use super::passage::Passage;
use super::stream::{PieceSizes, TokenStream};
use super::treebank::{self, TreebankSentence};
use super::{Networks, Segmenter, SegmenterOptions, Thresholds};
use crate::layers::{Bags, cross_entropy};
use crate::parameters::{Gradients, Parameters};
use crate::store::Store;
use crate::training::{Adam, Average, Schedule};

/// Gradients longer than this are shortened.
const CLIP: f64 = 5.0;

/// How fast the average of parameters forgets.
const AVERAGE: f64 = 0.997;

/// Least number of passages in an epoch. An epoch goes over a small treebank several times to get there.
const PASSAGES: usize = 300;

/// Least and largest length of a passage in characters. Small treebanks have short passages.
const PASSAGE_CHARACTERS: std::ops::RangeInclusive<usize> = 400..=2000;

/// How a segmenter is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmenterSettings {
    /// Sizes of the networks.
    pub options: SegmenterOptions,
    /// Number of epochs.
    pub epochs: usize,
    /// The largest learning rate.
    pub rate: f64,
    /// The share of numbers that is left out in training.
    pub drop: f64,
    /// The share of token forms, longer n-grams and runs that is hidden in training.
    pub hide: f64,
    /// Least number of occurrences in the training data for a feature or a word to be known.
    pub least: u32,
    /// Whether known words are looked for inside of tokens, too. This helps where words are not separated by
    /// spaces, and may do harm if the training data is small and unlike the text.
    pub words: bool,
    /// Thresholds that were chosen before; without them, those that are best on the development data. Data
    /// that is learned from cannot be used to choose them.
    pub thresholds: Option<Thresholds>,
    /// The same seed gives the same segmenter.
    pub seed: u64,
}

impl Default for SegmenterSettings {
    fn default() -> SegmenterSettings {
        SegmenterSettings {
            options: SegmenterOptions::default(),
            epochs: 8,
            rate: 4e-3,
            drop: 0.3,
            hide: 0.4,
            least: 3,
            words: true,
            thresholds: None,
            seed: 1,
        }
    }
}

/// Result of one epoch.
#[derive(Clone, Copy, Debug)]
pub struct SegmenterEpoch {
    /// Number of the epoch, counted from 1.
    pub number: usize,
    /// Mean loss of characters and of tokens.
    pub loss: [f64; 2],
    /// F1 scores on the development data.
    pub score: SegmentationScore,
    /// Whether this epoch is the best so far.
    pub best: bool,
}

/// Events that training reports.
#[derive(Clone, Copy, Debug)]
pub enum SegmenterEvent {
    /// A step is about to be taken. This is how much of all has been done, from 0 to 1.
    Step(f64),
    /// An epoch is over.
    Epoch(SegmenterEpoch),
}

/// Why a segmenter cannot be trained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SegmenterError {
    /// The training data have no tokens.
    #[error("there are no tokens in the training data; expected CoNLL-U with at least one sentence")]
    NoTokens,
    /// Sizes that networks cannot have.
    #[error("{0}")]
    Options(String),
    /// Told to stop before the first epoch was over.
    #[error("stopped in the first epoch of learning to segment")]
    Stopped,
}

impl Segmenter {
    /// Learns from a treebank, and keeps what is best on development data; without any, on the training data.
    /// `watch` hears of every epoch and says whether to go on.
    ///
    /// # Errors
    /// If there is nothing to learn from.
    pub fn train(
        train: &[Sentence<'_>],
        development: &[Sentence<'_>],
        settings: &SegmenterSettings,
        mut watch: impl FnMut(&SegmenterEpoch) -> bool,
    ) -> Result<Segmenter, SegmenterError> {
        Segmenter::train_in_steps(train, development, settings, |event| match event {
            SegmenterEvent::Step(_) => true,
            SegmenterEvent::Epoch(epoch) => watch(&epoch),
        })
    }

    /// The same, where `watch` hears of every step within an epoch, too. If it says not to go on there, the
    /// best of the epochs before is kept.
    ///
    /// # Errors
    /// If there is nothing to learn from, or it was stopped in the first epoch.
    pub fn train_in_steps(
        train: &[Sentence<'_>],
        development: &[Sentence<'_>],
        settings: &SegmenterSettings,
        mut watch: impl FnMut(SegmenterEvent) -> bool,
    ) -> Result<Segmenter, SegmenterError> {
        settings.options.check().map_err(SegmenterError::Options)?;
        let train = treebank::sentences(train);
        if train.is_empty() {
            return Err(SegmenterError::NoTokens);
        }
        let development = treebank::sentences(development);
        let gold = Passage::new(if development.is_empty() { &train } else { &development }, None);
        let mut learner = SegmentationLearner::new(&train, settings);
        let mut best: Option<(f64, Segmenter)> = None;
        for number in 1..=settings.epochs.max(1) {
            let Some(loss) = learner.epoch(&train, number, &mut watch) else { break };
            let mut segmenter = learner.segmenter();
            let score = match settings.thresholds {
                Some(thresholds) => segmenter.use_thresholds(thresholds, &gold),
                None => segmenter.choose_thresholds(&gold),
            };
            let total = score.words + score.sentences;
            let is_best = best.as_ref().is_none_or(|(best, _)| total > *best);
            if is_best {
                best = Some((total, segmenter));
            }
            if !watch(SegmenterEvent::Epoch(SegmenterEpoch { number, loss, score, best: is_best })) {
                break;
            }
        }
        best.map(|(_, segmenter)| segmenter).ok_or(SegmenterError::Stopped)
    }

    /// The tokens of a passage's text.
    pub(super) fn found_tokens(&self, passage: &Passage) -> Vec<FoundToken> {
        let text: String = passage.characters.iter().collect();
        let mut stream = TokenStream::new(self, text.as_bytes(), PieceSizes::default());
        // Reading from memory does not fail.
        while let Ok(true) = stream.advance() {}
        let tokens = stream.take_scored().into_iter().filter(|token| !token.span.is_empty());
        tokens
            .map(|token| {
                let certain = matches!(token.gap, GapKind::BlankLine | GapKind::End);
                let score = if certain { f32::INFINITY } else { token.score };
                FoundToken { span: token.span, words: token.words, score }
            })
            .collect()
    }
}

struct SegmentationLearner<'a> {
    settings: &'a SegmenterSettings,
    known: Arc<Known>,
    networks: Networks,
    parameters: Parameters<f32>,
    average: Average,
    adam: Adam<f32>,
    gradients: Gradients<f32>,
    random: Random,
    multiwords: Multiwords,
    spaces_in_tokens: bool,
}

impl SegmentationLearner<'_> {
    fn new<'a>(train: &[TreebankSentence], settings: &'a SegmenterSettings) -> SegmentationLearner<'a> {
        // With noise, since otherwise its features would be unknown.
        let whole = Passage::new(train, Some(&mut Random::new(settings.seed)));
        let known = Arc::new(Known::count(&whole, settings.least, settings.words));
        let networks = Networks::new(&settings.options, &known);
        let parameters = networks.layout.initial(settings.seed);
        let forms: Vec<(String, &[String])> = train
            .iter()
            .flat_map(|sentence| &sentence.tokens)
            .map(|token| (token.form.iter().collect(), &token.words[..]))
            .collect();
        let mut tokens = train.iter().flat_map(|sentence| &sentence.tokens);
        SegmentationLearner {
            settings,
            known,
            average: Average::new(&parameters, AVERAGE),
            adam: Adam::new(networks.layout.len()),
            gradients: Gradients::new(&networks.layout),
            random: Random::new(settings.seed.wrapping_add(1)),
            multiwords: Multiwords::learn(forms.iter().map(|(form, words)| (form.as_str(), *words))),
            spaces_in_tokens: tokens
                .any(|token| token.form.iter().any(|character| character.is_whitespace())),
            networks,
            parameters,
        }
    }

    /// The segmenter as it is now.
    fn segmenter(&self) -> Segmenter {
        Segmenter {
            options: self.settings.options.clone(),
            known: Arc::clone(&self.known),
            networks: self.networks.clone(),
            numbers: Store::Exact(self.average.of(&self.parameters)),
            scorers: OnceLock::new(),
            multiwords: self.multiwords.clone(),
            spaces_in_tokens: self.spaces_in_tokens,
            thresholds: Thresholds::default(),
        }
    }

    /// One epoch; mean losses, or nothing if it was stopped.
    fn epoch(
        &mut self,
        train: &[TreebankSentence],
        number: usize,
        watch: &mut impl FnMut(SegmenterEvent) -> bool,
    ) -> Option<[f64; 2]> {
        let schedule = Schedule { rate: self.settings.rate, ..Schedule::default() };
        let passages = self.passages(train);
        let epochs = self.settings.epochs.max(1) as f64;
        let mut sums = [0.0; 2];
        for (at, passage) in passages.iter().enumerate() {
            let progress = (number as f64 - 1.0 + at as f64 / passages.len() as f64) / epochs;
            if !watch(SegmenterEvent::Step(progress)) {
                return None;
            }
            let losses = self.step(passage, schedule.at(progress));
            sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss / passages.len() as f64);
        }
        Some(sums)
    }

    /// The treebank cut into passages at random places, in random order.
    fn passages(&mut self, train: &[TreebankSentence]) -> Vec<Passage> {
        let characters = |sentence: &TreebankSentence| {
            sentence.tokens.iter().map(|token| token.form.len() + token.gap.len()).sum::<usize>()
        };
        let total: usize = train.iter().map(characters).sum();
        let size = (total / PASSAGES).clamp(*PASSAGE_CHARACTERS.start(), *PASSAGE_CHARACTERS.end());
        let mut passages = Vec::new();
        while passages.len() < PASSAGES {
            let mut start = 0;
            // The first passage is shorter, so that cuts are elsewhere each time.
            let mut room = 1 + (self.random.uniform() * size as f64) as usize;
            for end in 1..=train.len() {
                let used: usize = characters(&train[end - 1]);
                room = room.saturating_sub(used);
                if room == 0 || end == train.len() {
                    passages.push(Passage::new(&train[start..end], Some(&mut self.random)));
                    (start, room) = (end, size);
                }
            }
        }
        for at in (1..passages.len()).rev() {
            passages.swap(at, (self.random.uniform() * (at + 1) as f64) as usize);
        }
        passages
    }

    /// Learns from one passage; mean losses of characters and tokens.
    fn step(&mut self, passage: &Passage, rate: f64) -> [f64; 2] {
        self.gradients.clear();
        let losses = [self.characters(passage), self.tokens(passage)];
        self.adam.step(&mut self.parameters, &self.gradients, (rate, CLIP), 1);
        self.average.update(&self.parameters, self.adam.steps);
        losses
    }

    fn characters(&mut self, passage: &Passage) -> f64 {
        let (hide, random) = (self.settings.hide, &mut self.random);
        let space = &self.networks.character_features;
        let features = features::of_characters(&passage.characters, space, || random.uniform() < hide);
        let network = &self.networks.characters;
        let (mut scores, tape) = network.forward(&self.parameters, &features, self.settings.drop, random);
        let count = passage.boundaries.iter().flatten().count().max(1) as f64;
        let mut loss = 0.0;
        for (row, boundary) in passage.boundaries.iter().enumerate() {
            let scores = scores.row_mut(row);
            match boundary {
                Some(boundary) => {
                    loss += cross_entropy(scores, *boundary as usize);
                    scores.iter_mut().for_each(|score| *score /= count as f32);
                }
                None => scores.fill(0.0),
            }
        }
        network.backward(&self.parameters, &features, &tape, scores, &mut self.gradients);
        loss / count
    }

    fn tokens(&mut self, passage: &Passage) -> f64 {
        let (hide, random) = (self.settings.hide, &mut self.random);
        let mut features = Bags::default();
        for token in &passage.tokens {
            let form = &passage.characters[token.span.clone()];
            let all = TokenFeatures::new(form, token.gap, &self.networks.token_features);
            features.push(all.known(random.uniform() >= hide));
        }
        let network = &self.networks.tokens;
        let (mut scores, tape) = network.forward(&self.parameters, &features, self.settings.drop, random);
        let count = passage.tokens.len().max(1) as f64;
        let mut loss = 0.0;
        for (row, token) in passage.tokens.iter().enumerate() {
            let scores = scores.row_mut(row);
            // What always ends a sentence teaches nothing.
            if matches!(token.gap, GapKind::BlankLine | GapKind::End) {
                scores.fill(0.0);
                continue;
            }
            loss += cross_entropy(scores, usize::from(token.ends_sentence));
            scores.iter_mut().for_each(|score| *score /= count as f32);
        }
        network.backward(&self.parameters, &features, &tape, scores, &mut self.gradients);
        loss / count
    }
}
