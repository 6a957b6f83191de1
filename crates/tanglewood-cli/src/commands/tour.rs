//! `tanglewood tour`

use std::io::Write;
use std::time::Instant;

use anstyle::Style;
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::{Column, Id, Row, Sentence, Sentences, Validator};
use tanglewood::coverage::Survey;
use tanglewood::inference::Inference;
use tanglewood::sample::TREEBANK;
use tanglewood::spanning::Spanning;
use tanglewood::system::Direction;
use tanglewood::{Oracle, System, Tree};
use tanglewood_nn::Options;
use tanglewood_nn::input::Dropout;
use tanglewood_nn::training::{Settings, Trainer};

use super::coverage::Report;
use super::derivation_view::Words;
use super::train::of_size;
use crate::Outcome;
use crate::arguments::{Grouping, Size, TourArguments};
use crate::failure::{Failure, Verdict};
use crate::text::{Table, counted, terminal_width};

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
    show_parser(&sentences.iter().map(|(sentence, _)| *sentence).collect::<Vec<_>>(), &mut out)?;

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

/// Trains a small parser for a few seconds, and shows what it makes of a sentence.
fn show_parser(sentences: &[Sentence<'_>], out: &mut impl Write) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let mut settings =
        Settings { epochs: 40, batch_words: 50, dropout: Dropout::NONE, ..Settings::default() };
    settings.schedule.rate = 0.01;
    settings.average = 0.9;
    let options = Options { min_count: 1, ..of_size(Size::Small) };
    let begun = Instant::now();
    let mut trainer =
        Trainer::new(sentences, sentences, options, settings).map_err(|error| failed(&error))?;
    while {
        while trainer.step(trainer.progress()).is_some() {}
        !trainer.end_epoch().last
    } {}
    let (model, accuracy) = trainer.best();
    let accuracy = accuracy.unwrap_or_default();
    writeln!(
        out,
        "  A small parser has read these {} sentences {} times, in {:.1} seconds, and knows them by heart:",
        sentences.len(),
        trainer.position().epoch,
        begun.elapsed().as_secs_f64()
    )?;
    writeln!(
        out,
        "  {:.0} % of the words get the right head, {:.0} % the right relation, too. With a real treebank it learns more than that.",
        accuracy.uas(),
        accuracy.las()
    )?;
    writeln!(out)?;
    let Some(sentence) = sentences.iter().find(|sentence| sentence.sent_id().as_deref() == Some(SHOWN.0))
    else {
        return Ok(());
    };
    let input = model.encode(sentence);
    let scores = model.scores(&[&input]);
    let arcs = scores.arcs(0);
    let system = System::named("mh4+")?;
    let inference = Inference::new(&system).direction(Direction::Either);
    let tree = inference.best(&arcs).map_err(|error| failed(&error))?.tree;
    let marginals = Spanning::new().marginals(&arcs).map_err(|error| failed(&error))?;
    let labels = scores.labels(&[Some(tree.clone())]);
    let form = |row: &Row<'_>| String::from_utf8_lossy(row.get(Column::Form)).into_owned();
    let forms: Vec<String> =
        sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).map(|row| form(&row)).collect();
    let mut table = Table::new(3);
    table.row(["word", "head", "relation", "probability of the arc"]);
    for (head, word) in tree.arcs() {
        let governor = if head == 0 { "ROOT" } else { &forms[head - 1] };
        let label = model.vocabulary().labels.name(labels[0][word - 1]);
        table.row([&forms[word - 1], governor, label, &format!("{:.2}", marginals[head][word])]);
    }
    for line in table.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
