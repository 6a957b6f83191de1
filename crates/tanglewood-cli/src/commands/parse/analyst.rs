//! `parse` without files and threads: sentences in, what was found out about them out.
//!
//! The Python package's functions for tables call this, so that they give the program's answers.

use std::sync::Arc;

use clap::Parser as _;
use tanglewood::conllu::{Sentence, Validator};
use tanglewood_nn::{About, Encoded, Model};

use super::answer::Labels;
use super::block::{Analysis, Item, MOST_WORDS, Network, Parser};
use super::choice::Choice;
use super::conllu;
use super::decoder::Decoder;
use super::given::Given;
use super::statistics::Statistics;
use super::steps::StepsByInput;
use crate::arguments::{Arguments, Command, ParseArguments};
use crate::failure::Failure;

/// A model, and what `tanglewood parse` was told about it.
pub struct Analyst {
    model: Arc<Model>,
    arguments: ParseArguments,
    steps: StepsByInput,
    choice: Choice,
}

/// An analyst at work. Threads share it, and with it the memory that charts may take.
pub struct Session<'a> {
    parser: Parser<'a>,
}

impl Analyst {
    /// Prepares a model, with options of `tanglewood parse`, such as `--decoder`, `mst`.
    ///
    /// # Errors
    /// What the program would say if it were started with these options.
    pub fn new(model: Arc<Model>, about: &About, options: &[String]) -> Result<Analyst, String> {
        let start = ["tanglewood", "parse"].map(str::to_owned);
        let arguments = Arguments::try_parse_from(start.iter().chain(options)).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        })?;
        let Command::Parse(arguments) = arguments.command else {
            return Err("options of `tanglewood parse` were expected".to_owned());
        };
        let said = |failure: Failure| failure.to_string();
        let steps = StepsByInput::new(&arguments.steps, &model.steps()).map_err(said)?;
        let choice = Choice::new(&arguments, &model, about).map_err(said)?;
        Ok(Analyst { model, arguments, steps, choice })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Begins to work.
    pub fn session(&self) -> Session<'_> {
        let network = Network {
            model: &self.model,
            decoder: Decoder::new(&self.arguments, &self.choice),
            labels: Labels::new(&self.model.vocabulary().labels),
        };
        Session { parser: Parser { arguments: &self.arguments, steps: self.steps, network: Some(network) } }
    }
}

impl Session<'_> {
    /// For each sentence what was found out about it, or what is wrong with it, with the line. `is_conllu`
    /// says that the sentences are CoNLL-U of others, of which usually nothing but the tree is replaced, and
    /// not segmented text.
    pub fn analyse(&self, sentences: &[Sentence<'_>], is_conllu: bool) -> Vec<Result<Analysis, String>> {
        let Some(network) = &self.parser.network else { return Vec::new() };
        let steps = if is_conllu { self.parser.steps.conllu } else { self.parser.steps.text };
        let mut validator = Validator::new();
        let items: Vec<Result<Item, String>> = sentences
            .iter()
            .map(|sentence| {
                let words = validator.words(sentence).map_err(|problem| problem.to_string())?;
                let item = self.parser.item(network, steps, "input", sentence, words);
                item.map_err(|failure| failure.to_string())
            })
            .collect();
        let inputs: Vec<(&Encoded, &Given)> =
            items.iter().flatten().map(|item| (&item.input, &item.given)).collect();
        let found = match steps.any() {
            true => self.parser.analyses(network, steps, &inputs, &mut Statistics::default()),
            false => inputs.iter().map(|_| Some(Analysis::default())).collect(),
        };
        let mut found = found.into_iter();
        let answer = |item: Result<Item, String>| {
            let given = item?.given;
            let found = found.next().flatten();
            found.ok_or_else(|| match given.is_some() {
                true => "no tree has the given heads".to_owned(),
                false => "no tree was found".to_owned(),
            })
        };
        items.into_iter().map(answer).collect()
    }

    /// Appends a sentence with what was found out about it, as CoNLL-U.
    pub fn write(&self, out: &mut Vec<u8>, sentence: &Sentence<'_>, analysis: &Analysis) {
        let tags = conllu::Tags { tags: &analysis.tags, keep: self.parser.arguments.keeps_tags() };
        let best = analysis.trees.as_ref().and_then(|(answers, _)| answers.first());
        conllu::write(out, sentence, tags, best, None);
    }
}

impl Analysis {
    /// How the tree was found, as results name it: `pieces` if the sentence had to be cut first.
    pub fn path(&self) -> Option<&'static str> {
        let (answers, way) = self.trees.as_ref()?;
        let cut = answers.first().is_some_and(|answer| answer.tree.len() > MOST_WORDS);
        Some(if cut { "pieces" } else { way.name() })
    }
}
