//! `tanglewood tour`

use std::io::Write;
use std::path::Path;

use anstyle::Style;
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::{Sentence, Sentences, Validator};
use tanglewood::coverage::Survey;
use tanglewood::draw::{self, Word};
use tanglewood::sample::TREEBANK;
use tanglewood::system::{Direction, TreeClass};
use tanglewood::{Oracle, System, Tree};

use super::coverage::{self, Report};
use super::coverage_page::{self, Provenance};
use super::derivation_view::Words;
use super::phenomena::Phenomena;
use super::tour_parser;
use crate::Outcome;
use crate::arguments::{Grouping, TourArguments};
use crate::failure::{Failure, Verdict};
use crate::output::Output;
use crate::text::{USUAL_WIDTH, counted, terminal_width, wrapped};

/// The sentence whose derivation is shown, and the system that builds it.
const SHOWN: (&str, &str) = ("de-extraposed-relative-1", "all-s0s1");

pub fn run(arguments: &TourArguments) -> Outcome {
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
    let systems: Vec<TreeClass> = System::paper().into_iter().map(TreeClass::from).collect();
    let survey = Survey::new(&systems, Direction::Ltr, &[]);
    let mut rows: Vec<(String, _)> = Vec::new();
    let mut kinds = Phenomena::default();
    for (sentence, tree) in &sentences {
        let language = sentence.metadata("lang").unwrap_or_default();
        let at = rows.iter().position(|(name, _)| *name == language).unwrap_or_else(|| {
            rows.push((language.into_owned(), survey.counts()));
            rows.len() - 1
        });
        coverage::add_with_kinds(&survey, sentence, tree, &mut rows[at].1, &mut kinds);
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
    // Narrower terminals break lines as they like.
    let width = terminal_width().unwrap_or(USUAL_WIDTH).max(40);
    report.write_table(Some(width), &mut out)?;

    writeln!(out)?;
    writeln!(out, "{heading}2. How does a system build a tree with crossing arcs?{heading:#}")?;
    writeln!(out)?;
    let (id, name) = SHOWN;
    if let Some((sentence, tree)) =
        sentences.iter().find(|(sentence, _)| sentence.sent_id().as_deref() == Some(id))
    {
        let system = System::named(name)?;
        show_derivation(sentence, tree, &system, width - 2, &mut out)?;
    }

    writeln!(out)?;
    writeln!(out, "{heading}3. What does a parser make of a sentence?{heading:#}")?;
    writeln!(out)?;
    let text = arguments.text.join(" ");
    tour_parser::show(if text.is_empty() { tour_parser::DEFAULT } else { &text }, &mut out)?;

    writeln!(out)?;
    writeln!(out, "{heading}4. Your turn{heading:#}")?;
    writeln!(out)?;
    for (command, what) in [
        ("echo 'A sentence of yours.' | tanglewood parse", "its words, tags, lemmas and tree"),
        ("tanglewood coverage treebank.conllu", "the table above for your own treebank"),
        ("tanglewood systems", "every system, with its inventory and the cost of exact inference"),
        ("tanglewood oracle treebank.conllu --system all --sentence 0", "the derivation of a sentence"),
        ("tanglewood filter treebank.conllu --nonprojective", "the sentences with crossing arcs"),
        ("tanglewood check treebank.conllu", "what is wrong with a file, line by line"),
        ("tanglewood train train.conllu --dev dev.conllu -o my.model", "a parser of your own"),
        ("tanglewood parse my.model text.txt", "and what it says"),
        ("tanglewood draw treebank.conllu -o trees.html", "its trees, drawn"),
    ] {
        writeln!(out, "  {command}")?;
        for line in wrapped(what, width - 6) {
            writeln!(out, "      {line}")?;
        }
    }

    writeln!(out)?;
    writeln!(out, "{heading}5. To look at{heading:#}")?;
    writeln!(out)?;
    let drawing = sentences
        .iter()
        .find(|(sentence, _)| sentence.sent_id().as_deref() == Some(id))
        .map(|(sentence, tree)| draw::tree(tree, &Word::of(sentence), &Default::default()));
    let provenance =
        Provenance { command: "tanglewood tour".to_owned(), inputs: vec!["the sample treebank".to_owned()] };
    let page = coverage_page::page(&report, &report.rows, &kinds, &provenance);
    for paragraph in write_pictures(&page, &drawing.unwrap_or_default()) {
        for line in wrapped(&paragraph, width - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(Verdict::Yes)
}

/// Writes the table above as a page and the tree above as a drawing, and says so. A folder that cannot be
/// written to does not spoil the tour.
fn write_pictures(page: &str, drawing: &str) -> Vec<String> {
    let write = |name: &str, content: &str| -> Result<String, Failure> {
        let path = Path::new(FOLDER).join(name);
        let mut file = Output::to(Some(&path), [])?;
        file.write_all(content.as_bytes())?;
        file.finish()?;
        Ok(format!("{FOLDER}/{name}"))
    };
    let written = std::fs::create_dir_all(FOLDER).map_err(Failure::from).and_then(|()| {
        Ok(vec![
            format!("{}: the table as a page, with what is not covered", write("report.html", page)?),
            format!("{}: the tree of the derivation", write("tree.svg", drawing)?),
        ])
    });
    let mut lines = match written {
        Ok(lines) => lines,
        Err(failure) => return vec![format!("No pictures: {failure}")],
    };
    lines.push(
        "Open them with a browser: a double click, or `xdg-open` (Linux), `open` (macOS), `start` (Windows)."
            .to_owned(),
    );
    lines.push(
        "`tanglewood serve` lets you change the tree, and step through derivations, in a browser.".to_owned(),
    );
    lines
}

/// Where pictures go.
const FOLDER: &str = "tanglewood-tour";

fn show_derivation(
    sentence: &Sentence<'_>,
    tree: &Tree,
    system: &System,
    width: usize,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let fact = |key: &str| sentence.metadata(key).unwrap_or_default().into_owned();
    let say = |out: &mut dyn Write, text: &str| -> std::io::Result<()> {
        wrapped(text, width).iter().try_for_each(|line| writeln!(out, "  {line}"))
    };
    say(out, &fact("text"))?;
    say(out, &format!("“{}”, with an {}", fact("text_en"), fact("phenomenon")))?;
    writeln!(out)?;
    let crossings = counted(crossing_pairs(tree).count() as u64, "pair");
    let oracle = Oracle::new(system);
    match oracle.derivation(tree) {
        Ok(derivation) => {
            say(out, &format!("{crossings} of arcs cross; {system} builds it like this:"))?;
            say(
                out,
                "(s0 is the top of the stack, b0 the next word; a step head>dependent removes the dependent)",
            )?;
            writeln!(out)?;
            for line in Words::of(sentence, Direction::Ltr).table(&derivation, width) {
                writeln!(out, "  {line}")?;
            }
        }
        Err(stuck) => {
            for line in Words::of(sentence, Direction::Ltr).stuck(&stuck, width) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    Ok(())
}
