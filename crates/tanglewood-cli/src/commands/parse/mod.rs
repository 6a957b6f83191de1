//! `tanglewood parse`

mod answer;
mod block;
mod choice;
mod conllu;
mod decoder;
mod given;
mod json;
mod reading;
mod statistics;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::time::Instant;

use tanglewood_nn::{About, FileError, Model};

use crate::Outcome;
use crate::arguments::{ParseArguments, ParseFormat};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::joined::Joined;
use crate::output::Output;
use crate::parallel::{in_order, jobs};
use crate::progress::Progress;
use crate::text::counted;
use answer::Labels;
use block::{Parsed, Parser};
use choice::Choice;
use decoder::Decoder;
use reading::blocks;
use statistics::{Stage, Statistics};

pub fn run(arguments: &ParseArguments) -> Outcome {
    let (model, about) = read_model(&arguments.model)?;
    let choice = Choice::new(arguments, &model, &about)?;
    let sources = input::sources(&arguments.files)?;
    let mut out = Joined::new(Output::to(arguments.output.file.as_deref())?);
    let progress = Progress::beside_output(&sources, &out.out);
    let threads = jobs(arguments.jobs.jobs);
    let parser = Parser {
        arguments,
        model: &model,
        decoder: Decoder::new(arguments, &choice),
        labels: Labels::new(&model.vocabulary().labels),
    };
    let mut statistics = Statistics::default();
    let mut skipped = 0;
    let begun = Instant::now();
    let outcome = in_order(
        blocks(&sources, &progress),
        threads,
        || (),
        |_, read| {
            let file = &sources[read.source].name;
            let mut parsed = parser.block(file, &read.block)?;
            parsed.statistics.spend(Stage::Reading, read.time);
            Ok((read.source, parsed))
        },
        |parsed: Result<(usize, Parsed), Failure>| {
            let (source, parsed) = parsed?;
            for problem in &parsed.problems {
                progress.say(format_args!("skipped: {}:{problem}", sources[source].name));
                skipped += 1;
            }
            parsed.notes.iter().for_each(|note| progress.say(note));
            statistics.merge(&parsed.statistics);
            let mut clock = Instant::now();
            match arguments.format {
                ParseFormat::Conllu => out.append(&parsed.bytes, parsed.from_start)?,
                ParseFormat::Json => out.out.write_all(&parsed.bytes)?,
            }
            // Whoever wrote the input may be waiting for it.
            out.out.flush()?;
            statistics.lap(Stage::Writing, &mut clock);
            Ok(())
        },
    );
    progress.finish();
    outcome?;
    out.out.finish()?;
    if skipped > 0 {
        progress.say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    if arguments.stats {
        statistics.say(begun.elapsed(), threads);
    }
    Ok(Verdict::Yes)
}

fn read_model(path: &Path) -> Result<(Model, About), Failure> {
    let name = path.display().to_string();
    if name == "-" {
        return Err(Failure::Other("the model is -; expected a file".to_owned()));
    }
    if path.is_dir() {
        return Err(Failure::Other(format!("{name} is a directory; expected a model")));
    }
    let file = File::open(path);
    let file = file.map_err(|error| Failure::File { doing: "open", file: name.clone(), error })?;
    match Model::read(BufReader::new(file)) {
        Ok(read) => Ok(read),
        Err(FileError::Io(error)) => Err(Failure::File { doing: "read", file: name, error }),
        Err(error @ FileError::OtherKind { .. }) => Err(Failure::Other(format!(
            "{name}: {error}; finish the training with `tanglewood train … --resume`, which makes a model of it"
        ))),
        Err(error @ FileError::Foreign(_)) => {
            Err(Failure::Other(format!("{name}: {error}, with `tanglewood train`")))
        }
        Err(error) => Err(Failure::Other(format!("{name}: {error}"))),
    }
}
