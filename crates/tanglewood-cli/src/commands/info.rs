//! `tanglewood info`

use std::io::Write;

use serde_json::{Value, json};
use tanglewood_nn::{About, Model, Trained};

use super::model_file::{find_model, read_model};
use super::train::f1;
use crate::Outcome;
use crate::arguments::{InfoArguments, TableFormat};
use crate::failure::{Failure, Verdict};
use crate::output::Output;
use crate::text::{Table, counted, grouped};

pub fn run(arguments: &InfoArguments) -> Outcome {
    let model = find_model(&arguments.model)?;
    let (trained, about) = read_model(&model)?;
    let file = model.name.clone();
    let size = model.bytes().map_err(|error| Failure::File { doing: "read", file: file.clone(), error })?;
    let mut out = Output::standard();
    match arguments.format {
        TableFormat::Table => {
            for line in table(&file, size, &trained, &about).lines() {
                writeln!(out, "{line}")?;
            }
        }
        TableFormat::Json => writeln!(out, "{:#}", object(&file, size, &trained, &about))?,
    }
    out.finish()?;
    Ok(Verdict::Yes)
}

/// Columns whose accuracy is measured, in the order of
/// [`Accuracy::columns`](tanglewood_nn::training::Accuracy).
const COLUMNS: [&str; 4] = ["UPOS", "XPOS", "FEATS", "LEMMA"];

/// Scores that are known, with their names.
fn shares(names: &[&str], shares: &[Option<f64>]) -> String {
    let known = names.iter().zip(shares).filter_map(|(name, share)| Some(format!("{name} {:.2}", (*share)?)));
    known.collect::<Vec<_>>().join("  ")
}

/// Number of parameters of the parser and of the segmenter.
fn parameters(trained: &Trained) -> (u64, u64) {
    let parser = trained.model().map_or(0, |model| model.size());
    let segmenter = trained.segmenter().map_or(0, |segmenter| segmenter.parameters());
    (parser as u64, segmenter as u64)
}

fn step_names(trained: &Trained) -> Vec<&'static str> {
    trained.steps().into_iter().map(|step| step.name()).collect()
}

/// What the parser reads of a word.
fn columns(model: &Model) -> Vec<&'static str> {
    let options = model.options();
    let columns = [(options.upos, "upos"), (options.xpos, "xpos"), (options.feats, "feats")];
    let known = columns
        .into_iter()
        .zip(&model.vocabulary().tags)
        .filter(|((read, _), tags)| *read && !tags.is_empty());
    known.map(|((_, name), _)| name).collect()
}

fn table(file: &str, size: u64, trained: &Trained, about: &About) -> Table {
    let mut table = Table::new(usize::MAX);
    let mut row = |name: &str, value: String| {
        if !value.is_empty() {
            table.row([name.to_owned(), value]);
        }
    };
    row("model", format!("{file}, {} bytes", grouped(size)));
    row("steps", step_names(trained).join(", "));
    let (parser, segmenter) = parameters(trained);
    let of_segmenter = match (parser, segmenter) {
        (0, _) | (_, 0) => String::new(),
        _ => format!(", {} of them to segment", grouped(segmenter)),
    };
    row("size", format!("{}{of_segmenter}", counted(parser + segmenter, "parameter")));
    row("trained on", about.training_data.clone());
    row("and on, as silver", about.silver_data.clone());
    row("measured on", about.development_data.clone());
    if let Some(score) = &about.segmentation {
        row("segment", f1(score));
    }
    if let Some(accuracy) = &about.accuracy {
        row("tag", shares(&COLUMNS[..3], &accuracy.columns()[..3]));
        row("lemma", shares(&COLUMNS[3..], &accuracy.columns()[3..]));
        row("parse", format!("UAS {:.2}  LAS {:.2}", accuracy.uas(), accuracy.las()));
    }
    if let Some(model) = trained.model() {
        let vocabulary = model.vocabulary();
        let tags = columns(model);
        let reads = if tags.is_empty() { "words".to_owned() } else { format!("words, {}", tags.join(", ")) };
        let own = if model.options().tagging > 0 && !tags.is_empty() {
            "; its own tags unless others are kept"
        } else {
            ""
        };
        row("reads", reads + own);
        let (words, labels) = (vocabulary.words.len() as u64, vocabulary.labels.len() as u64);
        row("knows", format!("{}, {}", counted(words, "word"), counted(labels, "label")));
    }
    row("licence", about.licence.clone());
    row("made from", about.sources.join("; "));
    row("objective", about.objective.clone());
    if let Some(settings) = &about.settings {
        row("training", format!("{}, seed {}", counted(about.epochs, "epoch"), settings.seed));
    }
    row("written by", about.program.clone());
    table
}

fn object(file: &str, size: u64, trained: &Trained, about: &About) -> Value {
    let (parser, segmenter) = parameters(trained);
    let percent = |share: f64| (share * 1e4).round() / 100.0;
    let segmentation = about.segmentation.map(|score| {
        json!({
            "tokens": percent(score.tokens),
            "words": percent(score.words),
            "sentences": percent(score.sentences),
        })
    });
    let columns = about
        .accuracy
        .map(|accuracy| accuracy.columns().map(|share| share.map(|share| percent(share / 100.0))));
    let tag = columns.map(|[upos, xpos, feats, _]| json!({ "upos": upos, "xpos": xpos, "feats": feats }));
    let lemma = columns.map(|[.., lemma]| json!({ "lemma": lemma }));
    let parse = about.accuracy.map(
        |accuracy| json!({ "uas": percent(accuracy.uas() / 100.0), "las": percent(accuracy.las() / 100.0) }),
    );
    json!({
        "file": file,
        "bytes": size,
        "steps": step_names(trained),
        "parameters": { "parse": parser, "segment": segmenter },
        "scores": { "segment": segmentation, "tag": tag, "lemma": lemma, "parse": parse },
        "words": trained.model().map(|model| model.vocabulary().words.len()),
        "labels": trained.model().map(|model| model.vocabulary().labels.iter().collect::<Vec<_>>()),
        "options": trained.model().map(Model::options),
        "about": about,
    })
}
