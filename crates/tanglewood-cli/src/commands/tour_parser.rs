//! What the model that is built in makes of a text, for the tour.

use std::io::Write;

use tanglewood::System;
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::{Column, Id, Row, Sentence, Sentences};
use tanglewood::inference::Inference;
use tanglewood::shown::shown;
use tanglewood::system::{Direction, TreeClass};
use tanglewood::text::TextWriter;
use tanglewood_nn::{Model, Trained};

use super::model_file::read_model;
use crate::failure::Failure;
use crate::text::{Table, counted};

/// What is parsed if the visitor says nothing: arcs of its tree cross.
pub const DEFAULT: &str = "What are you looking at?";

/// Number of words after which the tour goes on.
const MOST_WORDS: usize = 100;

/// Parses a text, and shows the tree of each of its sentences as a table.
pub fn show(text: &str, out: &mut impl Write) -> Result<(), Failure> {
    let Some(named) = tanglewood_models::default() else {
        writeln!(out, "  No model is built in. `tanglewood train` makes one of a treebank.")?;
        return Ok(());
    };
    let (trained, about) = read_model(&named)?;
    let (Trained::Model(model), Some(segmenter)) = (&trained, trained.segmenter()) else { return Ok(()) };
    let mut writer = TextWriter::new(Vec::new());
    for sentence in segmenter.segment(text.as_bytes()) {
        writer.push(sentence?)?;
    }
    let bare = writer.finish()?;
    let mut words = 0;
    for sentence in Sentences::of(&bare).filter(|sentence| !sentence.is_blank() && !sentence.is_gap()) {
        words += table(model, &sentence, out)?;
        writeln!(out)?;
        if words > MOST_WORDS {
            break;
        }
    }
    writeln!(out, "  By the model {}, trained on {}, which is built in.", named.name, about.training_data)?;
    Ok(())
}

/// Shows the best tree of a sentence, and gives its number of words.
fn table(model: &Model, sentence: &Sentence<'_>, out: &mut impl Write) -> Result<usize, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let input = model.encode(sentence);
    let scores = model.scores(&[&input]);
    let arcs = scores.arcs(0);
    let inference = Inference::new(System::named("mh4+")?).direction(Direction::Either);
    let tree = inference.best(&arcs).map_err(|error| failed(&error))?.tree;
    let all_trees = Inference::new(TreeClass::Any);
    let all_trees = all_trees.distribution(&arcs).map_err(|error| failed(&error))?;
    let marginals = all_trees.marginals().map_err(|error| failed(&error))?;
    let labels = scores.labels(&[Some(tree.clone())]);
    let tags = scores.tags(0, &input);
    let form = |row: &Row<'_>| String::from_utf8_lossy(row.get(Column::Form)).into_owned();
    let forms: Vec<String> =
        sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).map(|row| form(&row)).collect();
    let crossings = crossing_pairs(&tree).count() as u64;
    writeln!(out, "  {}", shown(&sentence.metadata("text").unwrap_or_default()))?;
    match crossings {
        0 => writeln!(out, "  No arcs cross.")?,
        crossings => writeln!(out, "  {} of arcs cross.", counted(crossings, "pair"))?,
    }
    writeln!(out)?;
    let mut table = Table::new(4);
    table.row(["word", "tag", "head", "relation", "probability of the arc"]);
    for (head, word) in tree.arcs() {
        let governor = if head == 0 { "ROOT" } else { &forms[head - 1] };
        let label = model.vocabulary().labels.name(labels[0][word - 1]);
        let tag = tags[word - 1].upos.as_deref().unwrap_or("_");
        let probability = format!("{:.2}", marginals.get(head, word));
        table.row([&forms[word - 1], tag, governor, label, &probability]);
    }
    for line in table.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(forms.len())
}
