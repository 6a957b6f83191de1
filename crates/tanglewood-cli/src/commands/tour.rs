//! `tanglewood tour`

use std::io::Write;

use anstyle::Style;
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::{Sentence, Sentences, Validator};
use tanglewood::coverage::Survey;
use tanglewood::sample::TREEBANK;
use tanglewood::system::Direction;
use tanglewood::{Oracle, System, Tree};

use super::coverage::Report;
use super::derivation_view::Words;
use super::tour_parser;
use crate::Outcome;
use crate::arguments::{Grouping, TourArguments};
use crate::failure::{Failure, Verdict};
use crate::text::{counted, terminal_width};

/// The sentence whose derivation is shown, and the system that builds it.
const SHOWN: (&str, &str) = ("de-extraposed-relative-1", "all-s0s1");

pub fn run(_: &TourArguments) -> Outcome {
    let mut out = anstream::stdout().lock();
    let heading = Style::new().bold();
    let mut validator = Validator::new();
    let mut sentences: Vec<(Sentence<'_>, Tree)> = Vec::new();
    for sentence in Sentences::of(TREEBANK.as_bytes()) {
        let tree = validator.tree(&sentence);
        let tree =
            tree.map_err(|problem| Failure::Problem { file: "the sample treebank".to_owned(), problem })?;
        sentences.push((sentence, tree));
    }

    writeln!(out, "{heading}1. Which crossing trees can which system build?{heading:#}")?;
    writeln!(out)?;
    let systems = System::paper();
    let survey = Survey::new(&systems, Direction::Ltr, &[]);
    let mut rows: Vec<(String, _)> = Vec::new();
    for (sentence, tree) in &sentences {
        let language = sentence.metadata("lang").unwrap_or_default();
        let at = rows.iter().position(|(name, _)| *name == language).unwrap_or_else(|| {
            rows.push((language.into_owned(), survey.counts()));
            rows.len() - 1
        });
        survey.add(tree, &mut rows[at].1);
    }
    let report = Report {
        grouping: Grouping::Language,
        systems: &systems,
        direction: Direction::Ltr,
        classes: &[],
        rows,
        empty: survey.counts(),
        skipped: 0,
    };
    report.write_table(terminal_width(), &mut out)?;

    writeln!(out)?;
    writeln!(out, "{heading}2. How does a system build a tree with crossing arcs?{heading:#}")?;
    writeln!(out)?;
    let (id, name) = SHOWN;
    if let Some((sentence, tree)) =
        sentences.iter().find(|(sentence, _)| sentence.sent_id().as_deref() == Some(id))
    {
        let system = System::named(name)?;
        show_derivation(sentence, tree, &system, &mut out)?;
    }

    writeln!(out)?;
    writeln!(out, "{heading}3. What does a parser make of it?{heading:#}")?;
    writeln!(out)?;
    out.flush()?;
    let shown = |sentence: &Sentence<'_>| sentence.sent_id().as_deref() == Some(id);
    let all: Vec<Sentence<'_>> = sentences.iter().map(|(sentence, _)| *sentence).collect();
    tour_parser::show(&all, shown, &mut out)?;

    writeln!(out)?;
    writeln!(out, "{heading}4. Your turn{heading:#}")?;
    writeln!(out)?;
    for (command, what) in [
        ("tanglewood coverage treebank.conllu", "the table above for your own treebank"),
        ("tanglewood systems", "every system, with its inventory and the cost of exact inference"),
        ("tanglewood oracle treebank.conllu --system all --sentence 0", "the derivation of a sentence"),
        ("tanglewood filter treebank.conllu --nonprojective", "the sentences with crossing arcs"),
        ("tanglewood check treebank.conllu", "what is wrong with a file, line by line"),
        ("tanglewood train train.conllu --dev dev.conllu -o my.model", "a parser of your own"),
        ("tanglewood parse my.model text.conllu", "and what it says"),
    ] {
        writeln!(out, "  {command:<62} {what}")?;
    }
    Ok(Verdict::Yes)
}

fn show_derivation(
    sentence: &Sentence<'_>,
    tree: &Tree,
    system: &System,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let fact = |key: &str| sentence.metadata(key).unwrap_or_default().into_owned();
    writeln!(out, "  {}", fact("text"))?;
    writeln!(out, "  “{}”, with an {}", fact("text_en"), fact("phenomenon"))?;
    writeln!(out)?;
    let crossings = counted(crossing_pairs(tree).count() as u64, "pair");
    let oracle = Oracle::new(system);
    match oracle.derivation(tree) {
        Ok(derivation) => {
            writeln!(out, "  {crossings} of arcs cross; {system} builds it like this:")?;
            writeln!(
                out,
                "  (s0 is the top of the stack, b0 the next word; a step head>dependent removes the dependent)"
            )?;
            writeln!(out)?;
            for line in Words::of(sentence, Direction::Ltr).table(&derivation) {
                writeln!(out, "  {line}")?;
            }
        }
        Err(stuck) => {
            for line in Words::of(sentence, Direction::Ltr).stuck(&stuck) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    Ok(())
}
