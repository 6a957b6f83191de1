//! Some sentences at once: encoded, scored, decoded, labelled, written.

use std::time::Instant;

use tanglewood::conllu::{Block, Problem, Sentence, Validator};
use tanglewood_nn::Encoded;
use tanglewood_nn::batches;
use tanglewood_nn::{Model, Scores};

use super::answer::{Answer, Confidence, Labels, join};
use super::decoder::{Decoder, Found, Probabilities, Way};
use super::given::Given;
use super::statistics::{Stage, Statistics};
use super::{conllu, json};
use crate::arguments::{ParseArguments, ParseFormat};
use crate::failure::Failure;

/// A sentence with more words is parsed in pieces of so many: the scores of all pairs would take too much memory.
const MOST_WORDS: usize = 3000;

/// All that threads share.
pub struct Parser<'a> {
    pub arguments: &'a ParseArguments,
    pub model: &'a Model,
    pub decoder: Decoder<'a>,
    pub labels: Labels<'a>,
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
struct Item {
    input: Encoded,
    given: Given,
}

/// The answers to one sentence, and how they were found.
type Answers = (Vec<Answer>, Way);

impl Parser<'_> {
    /// Parses the sentences of a block of a file.
    pub fn block(&self, file: &str, block: &Block) -> Result<Parsed, Failure> {
        let mut parsed = Parsed::default();
        let mut clock = Instant::now();
        let sentences: Vec<Sentence<'_>> = block.sentences().collect();
        let mut items = Vec::new();
        // For each sentence which item it is; none for one that is copied.
        let mut order = Vec::new();
        let mut validator = Validator::new();
        for sentence in &sentences {
            if sentence.is_blank() {
                order.push((sentence, None));
                continue;
            }
            match validator.words(sentence) {
                Ok(words) => {
                    order.push((sentence, Some(items.len())));
                    items.push(self.item(file, sentence, words)?);
                }
                Err(problem) if self.arguments.invalid.skip_invalid => parsed.problems.push(problem),
                Err(problem) => return Err(Failure::Problem { file: file.to_owned(), problem }),
            }
        }
        let statistics = &mut parsed.statistics;
        statistics.sentences += items.len() as u64;
        statistics.words += items.iter().map(|item| item.input.len() as u64).sum::<u64>();
        statistics.lap(Stage::Encoding, &mut clock);

        let inputs: Vec<(&Encoded, &Given)> = items.iter().map(|item| (&item.input, &item.given)).collect();
        let answers = self.answers(&inputs, statistics);

        let mut clock = Instant::now();
        let json = self.arguments.format == ParseFormat::Json;
        for (sentence, item) in order {
            let Some(at) = item else {
                if !json {
                    parsed.from_start |= sentence.first_line() == 1;
                    parsed.bytes.extend_from_slice(sentence.bytes());
                }
                continue;
            };
            let Some((answers, way)) = &answers[at] else {
                return Err(contradiction(
                    file,
                    sentence,
                    sentence.first_line(),
                    "no tree has the given heads",
                ));
            };
            if *way == Way::NotInSystem {
                let system = self.decoder.system();
                parsed.notes.push(format!(
                    "{}: {system} cannot build a tree with the given heads; this is the best of all trees with them",
                    named(file, sentence, sentence.first_line())
                ));
            }
            parsed.from_start |= sentence.first_line() == 1;
            self.write(&mut parsed.bytes, file, sentence, (answers, *way));
        }
        parsed.statistics.lap(Stage::Writing, &mut clock);
        Ok(parsed)
    }

    fn item(&self, file: &str, sentence: &Sentence<'_>, words: usize) -> Result<Item, Failure> {
        let mut given = Given::default();
        if self.arguments.keep_heads {
            given = Given::of(sentence, words)
                .map_err(|wrong| contradiction(file, sentence, wrong.line, &wrong.message))?;
            if words > MOST_WORDS && given.is_some() {
                let message = format!(
                    "{words} words with given heads; expected at most {MOST_WORDS}, or no --keep-heads"
                );
                return Err(contradiction(file, sentence, sentence.first_line(), &message));
            }
        }
        Ok(Item { input: self.model.encode(sentence), given })
    }

    fn write(
        &self,
        out: &mut Vec<u8>,
        file: &str,
        sentence: &Sentence<'_>,
        (answers, way): (&[Answer], Way),
    ) {
        let list = self.arguments.nbest.is_some();
        if self.arguments.format == ParseFormat::Json {
            return json::write(out, (file, sentence), answers, way, list);
        }
        for (at, answer) in answers.iter().enumerate() {
            conllu::write(out, sentence, answer, list.then_some((at + 1, answers.len())));
        }
    }

    /// The answers to some sentences, in order; nothing where no tree has the given heads.
    fn answers(&self, inputs: &[(&Encoded, &Given)], statistics: &mut Statistics) -> Vec<Option<Answers>> {
        let mut answers: Vec<Option<Answers>> = inputs.iter().map(|_| None).collect();
        let short = |input: &Encoded| input.len() <= MOST_WORDS;
        let none = Encoded::default();
        // Those that are too long come later; empty ones are passed over.
        let fitting: Vec<&Encoded> =
            inputs.iter().map(|&(input, _)| if short(input) { input } else { &none }).collect();
        for batch in batches(&fitting) {
            let inputs: Vec<(&Encoded, &Given)> = batch.iter().map(|&at| inputs[at]).collect();
            for (at, found) in batch.into_iter().zip(self.batch(&inputs, statistics)) {
                answers[at] = found;
            }
        }
        for (at, (input, _)) in inputs.iter().enumerate().filter(|(_, (input, _))| !short(input)) {
            let pieces = input.pieces(MOST_WORDS);
            let free = Given::default();
            let found: Option<Vec<Answers>> =
                pieces.iter().flat_map(|piece| self.batch(&[(piece, &free)], statistics)).collect();
            statistics.cut += 1;
            answers[at] = found.and_then(|found| {
                let way = found.first()?.1;
                let best = found.into_iter().map(|(answers, _)| answers.into_iter().next());
                Some((vec![join(best.collect::<Option<_>>()?)?], way))
            });
        }
        answers
    }

    /// The answers to a few sentences of similar length.
    fn batch(&self, inputs: &[(&Encoded, &Given)], statistics: &mut Statistics) -> Vec<Option<Answers>> {
        let mut clock = Instant::now();
        let encoded: Vec<&Encoded> = inputs.iter().map(|&(input, _)| input).collect();
        let scores = self.model.scores(&encoded);
        statistics.lap(Stage::Scoring, &mut clock);
        let mut found = Vec::with_capacity(inputs.len());
        let mut probabilities = Vec::with_capacity(inputs.len());
        for (at, (_, given)) in inputs.iter().enumerate() {
            let mut scores = scores.sentence(at);
            given.constrain(scores.arcs_mut());
            let best = self.decoder.decode(&scores);
            if let Some(best) = &best {
                statistics.count(best.way);
            }
            let asked = best.as_ref().filter(|_| self.arguments.confidence);
            probabilities.push(asked.and_then(|best| self.decoder.probabilities(&scores, best)));
            found.push(best);
        }
        statistics.lap(Stage::Decoding, &mut clock);
        let mut answers = self.labelled(inputs, &scores, &found);
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
        let answers = answers.into_iter().zip(found);
        answers.map(|(answers, found)| Some((answers, found?.way))).collect()
    }

    /// Trees with labels. All sentences' best trees are labelled together, then all second ones, and so on.
    fn labelled(
        &self,
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
                let labels = self.labels.choose(&tree, inputs[at].1, &label_scores, at);
                let confidence = self.arguments.confidence.then(|| Confidence {
                    arcs: vec![None; labels.len()],
                    labels: self.labels.probabilities(&labels, &label_scores, at),
                    log_tree: None,
                    over: String::new(),
                });
                answers[at].push(Answer { tree, score: found.score, labels, confidence });
            }
        }
        answers
    }
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
