//! Some sentences at once: encoded, scored, decoded, labelled, written.

use std::time::Instant;

use tanglewood::conllu::{Block, Problem, Sentence, Validator};
use tanglewood_nn::batches;
use tanglewood_nn::{Encoded, Model, Scores, WordTags};

use super::answer::{Answer, Confidence, Labels, join};
use super::decoder::{Decoder, Found, MOST_WORDS_WITH_PROBABILITIES, Probabilities, Way};
use super::given::Given;
use super::statistics::{Stage, Statistics};
use super::steps::{Steps, StepsByInput};
use super::{conllu, json, vertical};
use crate::arguments::{ParseArguments, ParseFormat};
use crate::failure::Failure;

/// A longer sentence is parsed in pieces of this number of words: the scores of all pairs would take too much
/// memory.
pub const MOST_WORDS: usize = 3000;

/// All that threads share.
pub struct Parser<'a> {
    pub arguments: &'a ParseArguments,
    pub steps: StepsByInput,
    /// None if there is only a segmenter.
    pub network: Option<Network<'a>>,
}

/// A model and what makes trees of its scores.
pub struct Network<'a> {
    pub model: &'a Model,
    pub decoder: Decoder<'a>,
    pub labels: Labels<'a>,
}

/// Where sentences come from.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    pub file: &'a str,
    /// Whether the file is CoNLL-U, so that lines of the sentences are lines of the file.
    pub is_conllu: bool,
}

/// What comes of a block.
#[derive(Default)]
pub struct Parsed {
    pub bytes: Vec<u8>,
    /// Whether the bytes begin where their file begins.
    pub from_start: bool,
    /// Of sentences that were left out.
    pub problems: Vec<Problem>,
    /// What the user should know.
    pub notes: Vec<String>,
    pub statistics: Statistics,
}

/// A sentence that can be parsed.
pub struct Item {
    pub input: Encoded,
    pub given: Given,
}

/// What was found out about a sentence.
#[derive(Default)]
pub struct Analysis {
    /// Of each word; empty if no such step was taken.
    pub tags: Vec<WordTags>,
    /// The best trees and how they were found; none if the step was not taken.
    pub trees: Option<(Vec<Answer>, Way)>,
}

impl Parser<'_> {
    /// Parses the sentences of a block of a file.
    pub fn block(&self, origin: Origin<'_>, block: &Block) -> Result<Parsed, Failure> {
        let file = origin.file;
        let steps = if origin.is_conllu { self.steps.conllu } else { self.steps.text };
        let network = self.network.as_ref().filter(|_| steps.any());
        let mut parsed = Parsed::default();
        let mut clock = Instant::now();
        let sentences: Vec<Sentence<'_>> = block.sentences().collect();
        let mut items = Vec::new();
        // For each sentence which item it is; none for one that is copied.
        let mut order = Vec::new();
        let mut validator = Validator::new();
        for sentence in &sentences {
            if sentence.is_blank() || sentence.is_gap() {
                order.push((sentence, None));
                continue;
            }
            match validator.words(sentence) {
                Ok(words) => {
                    parsed.statistics.sentences += 1;
                    parsed.statistics.words += words as u64;
                    order.push((sentence, Some(items.len())));
                    items.push(match network {
                        Some(network) => self.item(network, steps, file, sentence, words)?,
                        None => Item { input: Encoded::default(), given: Given::default() },
                    });
                }
                Err(problem) if self.arguments.invalid.skip_invalid => parsed.problems.push(problem),
                Err(problem) => return Err(Failure::Problem { file: file.to_owned(), problem }),
            }
        }
        let statistics = &mut parsed.statistics;
        statistics.lap(Stage::Encoding, &mut clock);

        let inputs: Vec<(&Encoded, &Given)> = items.iter().map(|item| (&item.input, &item.given)).collect();
        let analyses = match network {
            Some(network) => self.analyses(network, steps, &inputs, statistics),
            None => inputs.iter().map(|_| Some(Analysis::default())).collect(),
        };

        let mut clock = Instant::now();
        for (sentence, item) in order {
            let Some(at) = item else {
                if self.arguments.form() == ParseFormat::Conllu {
                    parsed.from_start |= sentence.first_line() == 1;
                    parsed.bytes.extend_from_slice(sentence.bytes());
                }
                continue;
            };
            let Some(analysis) = &analyses[at] else {
                return Err(contradiction(
                    file,
                    sentence,
                    sentence.first_line(),
                    "no tree has the given heads",
                ));
            };
            if let (Some((_, Way::NotInSystem)), Some(network)) = (&analysis.trees, network) {
                let system = network.decoder.system();
                parsed.notes.push(format!(
                    "{}: {system} cannot build a tree with the given heads; this is the best of all trees with them",
                    named(file, sentence, sentence.first_line())
                ));
            }
            if self.arguments.confidence && items[at].input.len() > MOST_WORDS_WITH_PROBABILITIES {
                parsed.notes.push(format!(
                    "{}: {} words; arcs get probabilities in sentences of up to {MOST_WORDS_WITH_PROBABILITIES}",
                    named(file, sentence, sentence.first_line()),
                    items[at].input.len(),
                ));
            }
            parsed.from_start |= sentence.first_line() == 1;
            self.write(&mut parsed.bytes, origin, sentence, analysis);
        }
        parsed.statistics.lap(Stage::Writing, &mut clock);
        Ok(parsed)
    }

    pub fn item(
        &self,
        network: &Network<'_>,
        steps: Steps,
        file: &str,
        sentence: &Sentence<'_>,
        words: usize,
    ) -> Result<Item, Failure> {
        let mut given = Given::default();
        if self.arguments.keeps_heads() && steps.parse {
            given = Given::of(sentence, words)
                .map_err(|wrong| contradiction(file, sentence, wrong.line, &wrong.message))?;
            if words > MOST_WORDS && given.is_some() {
                let message = format!(
                    "{words} words with given heads; expected at most {MOST_WORDS}, or no --keep-heads"
                );
                return Err(contradiction(file, sentence, sentence.first_line(), &message));
            }
        }
        let input = match self.arguments.keeps_tags() {
            true => network.model.encode_keeping_tags(sentence),
            false => network.model.encode(sentence),
        };
        Ok(Item { input, given })
    }

    fn write(&self, out: &mut Vec<u8>, origin: Origin<'_>, sentence: &Sentence<'_>, analysis: &Analysis) {
        let list = self.arguments.nbest.is_some();
        let tags = conllu::Tags { tags: &analysis.tags, keep: self.arguments.keeps_tags() };
        match self.arguments.form() {
            ParseFormat::Json => json::write(out, (origin, sentence), analysis, (tags, list)),
            ParseFormat::Vertical => {
                let best = analysis.trees.as_ref().and_then(|(answers, _)| answers.first());
                vertical::write(out, sentence, tags, best);
            }
            ParseFormat::Conllu => match &analysis.trees {
                None => conllu::write(out, sentence, tags, None, None),
                Some((answers, _)) => {
                    for (at, answer) in answers.iter().enumerate() {
                        let place = list.then_some((at + 1, answers.len()));
                        conllu::write(out, sentence, tags, Some(answer), place);
                    }
                }
            },
        }
    }

    /// What is found out about some sentences, in order; nothing where no tree has the given heads.
    pub fn analyses(
        &self,
        network: &Network<'_>,
        steps: Steps,
        inputs: &[(&Encoded, &Given)],
        statistics: &mut Statistics,
    ) -> Vec<Option<Analysis>> {
        let mut analyses: Vec<Option<Analysis>> = inputs.iter().map(|_| None).collect();
        let short = |input: &Encoded| input.len() <= MOST_WORDS;
        let none = Encoded::default();
        // Those that are too long come later; empty ones are passed over.
        let fitting: Vec<&Encoded> =
            inputs.iter().map(|&(input, _)| if short(input) { input } else { &none }).collect();
        for batch in batches(&fitting) {
            let inputs: Vec<(&Encoded, &Given)> = batch.iter().map(|&at| inputs[at]).collect();
            for (at, found) in batch.into_iter().zip(self.batch(network, steps, &inputs, statistics)) {
                analyses[at] = found;
            }
        }
        for (at, (input, _)) in inputs.iter().enumerate().filter(|(_, (input, _))| !short(input)) {
            let pieces = input.pieces(MOST_WORDS);
            let free = Given::default();
            let found: Option<Vec<Analysis>> = pieces
                .iter()
                .flat_map(|piece| self.batch(network, steps, &[(piece, &free)], statistics))
                .collect();
            statistics.cut += 1;
            analyses[at] = found.and_then(|pieces| joined(pieces, steps));
        }
        analyses
    }

    /// What is found out about a few sentences of similar length.
    fn batch(
        &self,
        network: &Network<'_>,
        steps: Steps,
        inputs: &[(&Encoded, &Given)],
        statistics: &mut Statistics,
    ) -> Vec<Option<Analysis>> {
        let mut clock = Instant::now();
        let encoded: Vec<&Encoded> = inputs.iter().map(|&(input, _)| input).collect();
        let scores = network.model.scores(&encoded);
        let tags = |at: usize| match steps.tags() {
            true => scores.tags(at, encoded[at]).into_iter().map(|tags| steps.wanted(tags)).collect(),
            false => Vec::new(),
        };
        let tags: Vec<Vec<WordTags>> = (0..inputs.len()).map(tags).collect();
        statistics.lap(Stage::Scoring, &mut clock);
        if !steps.parse {
            return tags.into_iter().map(|tags| Some(Analysis { tags, trees: None })).collect();
        }
        let mut found = Vec::with_capacity(inputs.len());
        let mut probabilities = Vec::with_capacity(inputs.len());
        for (at, (_, given)) in inputs.iter().enumerate() {
            let mut scores = scores.sentence(at);
            given.constrain(scores.arcs_mut());
            let best = network.decoder.decode(&scores);
            if let Some(best) = &best {
                statistics.count(best.way);
            }
            let asked = best.as_ref().filter(|_| self.arguments.confidence);
            probabilities.push(asked.and_then(|best| network.decoder.probabilities(&scores, best)));
            found.push(best);
        }
        statistics.lap(Stage::Decoding, &mut clock);
        let mut answers = self.labelled(network, inputs, &scores, &found);
        for (answers, probabilities) in answers.iter_mut().zip(probabilities) {
            let Some(Probabilities { arcs, log_trees, over }) = probabilities else { continue };
            for (answer, log) in answers.iter_mut().zip(log_trees) {
                let Some(confidence) = &mut answer.confidence else { continue };
                confidence.arcs = answer.tree.arcs().map(|(head, word)| Some(arcs.get(head, word))).collect();
                confidence.log_tree = Some(log);
                confidence.over = over.clone();
            }
        }
        statistics.lap(Stage::Labelling, &mut clock);
        let answers = answers.into_iter().zip(found).zip(tags);
        answers
            .map(|((answers, found), tags)| Some(Analysis { tags, trees: Some((answers, found?.way)) }))
            .collect()
    }

    /// Trees with labels. All sentences' best trees are labelled together, then all second ones, and so on.
    fn labelled(
        &self,
        network: &Network<'_>,
        inputs: &[(&Encoded, &Given)],
        scores: &Scores<'_>,
        found: &[Option<Found>],
    ) -> Vec<Vec<Answer>> {
        let mut answers: Vec<Vec<Answer>> = found.iter().map(|_| Vec::new()).collect();
        let most = found.iter().flatten().map(|found| found.trees.len()).max().unwrap_or(0);
        for rank in 0..most {
            let scored = |at: usize| found[at].as_ref().and_then(|found| found.trees.get(rank));
            let trees: Vec<_> =
                (0..found.len()).map(|at| scored(at).map(|found| found.tree.clone())).collect();
            let label_scores = scores.labels_given(&trees);
            for (at, tree) in trees.into_iter().enumerate() {
                let (Some(tree), Some(found)) = (tree, scored(at)) else { continue };
                let labels = network.labels.choose(&tree, inputs[at].1, &label_scores, at);
                let confidence = self.arguments.confidence.then(|| Confidence {
                    arcs: vec![None; labels.len()],
                    labels: network.labels.probabilities(&labels, &label_scores, at),
                    log_tree: None,
                    over: String::new(),
                });
                answers[at].push(Answer { tree, score: found.score, labels, confidence });
            }
        }
        answers
    }
}

/// What was found out about the pieces of a sentence, as one.
fn joined(pieces: Vec<Analysis>, steps: Steps) -> Option<Analysis> {
    let mut whole = Analysis::default();
    let mut best = Vec::with_capacity(pieces.len());
    let mut way = None;
    for piece in pieces {
        whole.tags.extend(piece.tags);
        if let Some((answers, found)) = piece.trees {
            best.push(answers.into_iter().next()?);
            way.get_or_insert(found);
        }
    }
    if steps.parse {
        whole.trees = Some((vec![join(best)?], way?));
    }
    Some(whole)
}

fn contradiction(file: &str, sentence: &Sentence<'_>, line: u64, message: &str) -> Failure {
    Failure::Other(format!("{}: {message}", named(file, sentence, line)))
}

/// A place and the sentence's name.
fn named(file: &str, sentence: &Sentence<'_>, line: u64) -> String {
    match sentence.sent_id() {
        Some(id) => format!("{file}:{line}: sentence {id}"),
        None => format!("{file}:{line}: sentence at line {}", sentence.first_line()),
    }
}
