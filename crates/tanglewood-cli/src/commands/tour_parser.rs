//! A parser for the tour: small, and trained on the spot.

use std::io::Write;
use std::time::Instant;

use tanglewood::System;
use tanglewood::conllu::{Column, Id, Row, Sentence};
use tanglewood::inference::Inference;
use tanglewood::system::{Direction, TreeClass};
use tanglewood_nn::Dropout;
use tanglewood_nn::Options;
use tanglewood_nn::training::{Settings, Trainer};

use super::train::of_size;
use crate::arguments::Size;
use crate::failure::Failure;
use crate::text::{Table, wrapped};

/// Trains a small parser for a few seconds, and shows what it makes of a sentence.
pub fn show(
    sentences: &[Sentence<'_>],
    shown: impl Fn(&Sentence<'_>) -> bool,
    width: usize,
    out: &mut impl Write,
) -> Result<(), Failure> {
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
    let learned = format!(
        "A small parser has read these {} sentences {} times, in {:.1} seconds.",
        sentences.len(),
        trainer.position().epoch,
        begun.elapsed().as_secs_f64()
    );
    let result = format!(
        "It knows them by heart: {:.0} % of the words get the right head, {:.0} % the right relation, too. With a real treebank it learns more than that.",
        accuracy.uas(),
        accuracy.las()
    );
    for line in [learned, result].iter().flat_map(|text| wrapped(text, width)) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    let Some(sentence) = sentences.iter().find(|sentence| shown(sentence)) else {
        return Ok(());
    };
    let input = model.encode(sentence);
    let scores = model.scores(&[&input]);
    let arcs = scores.arcs(0);
    let system = System::named("mh4+")?;
    let inference = Inference::new(&system).direction(Direction::Either);
    let tree = inference.best(&arcs).map_err(|error| failed(&error))?.tree;
    let all_trees = Inference::new(TreeClass::Any);
    let all_trees = all_trees.distribution(&arcs).map_err(|error| failed(&error))?;
    let marginals = all_trees.marginals().map_err(|error| failed(&error))?;
    let labels = scores.labels(&[Some(tree.clone())]);
    let form = |row: &Row<'_>| String::from_utf8_lossy(row.get(Column::Form)).into_owned();
    let forms: Vec<String> =
        sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).map(|row| form(&row)).collect();
    let mut table = Table::new(3);
    table.row(["word", "head", "relation", "probability of the arc"]);
    for (head, word) in tree.arcs() {
        let governor = if head == 0 { "ROOT" } else { &forms[head - 1] };
        let label = model.vocabulary().labels.name(labels[0][word - 1]);
        table.row([&forms[word - 1], governor, label, &format!("{:.2}", marginals.get(head, word))]);
    }
    for line in table.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
