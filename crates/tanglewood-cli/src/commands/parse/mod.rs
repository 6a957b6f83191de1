//! `tanglewood parse`

mod analyst;
mod answer;
mod block;
mod choice;
mod conllu;
mod decoder;
mod given;
mod json;
mod reading;
mod statistics;
mod steps;
mod vertical;

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Instant;

use tanglewood_nn::Trained;

use super::model_file::{read_model, split_model};
use crate::Outcome;
use crate::arguments::{ParseArguments, ParseFormat};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::joined::Joined;
use crate::output::Output;
use crate::parallel::{in_order, jobs};
use crate::progress::Progress;
use crate::text::counted;
pub use analyst::{Analyst, Session};
use answer::Labels;
pub use answer::{Answer, Confidence};
pub use block::Analysis;
use block::{Network, Origin, Parsed, Parser};
use choice::Choice;
use decoder::Decoder;
pub use decoder::Way;
use reading::Reading;
use statistics::{Stage, Statistics};
use steps::StepsByInput;

pub fn run(arguments: &ParseArguments) -> Outcome {
    let (model, files) = split_model(&arguments.model_and_files)?;
    let (trained, about) = read_model(&model)?;
    // The program ends soon after its last sentence, and all memory is given back then.
    let trained = ManuallyDrop::new(trained);
    let steps = StepsByInput::new(&arguments.steps, &trained.steps())?;
    let choice = trained.model().map(|model| Choice::new(arguments, model, &about)).transpose()?;
    let reading = Reading { kind: arguments.input, segmenter: trained.segmenter(), ranges: arguments.ranges };
    let standard_input = [PathBuf::from("-")];
    let sources = input::sources(if files.is_empty() { &standard_input } else { files })?;
    let mut out = Joined::new(Output::to(arguments.file.as_deref(), model.path())?);
    let progress = Progress::beside_output(&sources, &out.out);
    let threads = jobs(arguments.jobs.jobs);
    let parser = Parser {
        arguments,
        steps,
        network: trained.model().zip(choice.as_ref()).map(|(model, choice)| Network {
            model,
            decoder: Decoder::new(arguments, choice),
            labels: Labels::new(&model.vocabulary().labels),
        }),
    };
    let mut statistics = Statistics::default();
    let mut skipped = 0;
    let begun = Instant::now();
    let outcome = in_order(
        reading.blocks(&sources, &progress),
        threads,
        || (),
        |_, read| {
            if read.is_conllu && matches!(*trained, Trained::Segmenter(_)) {
                return Err(nothing_to_do(&sources[read.source].name));
            }
            let origin = Origin { file: &sources[read.source].name, is_conllu: read.is_conllu };
            let mut parsed = parser.block(origin, &read.block)?;
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
            match arguments.form() {
                ParseFormat::Conllu => out.append(&parsed.bytes, parsed.from_start)?,
                ParseFormat::Json | ParseFormat::Vertical => out.out.write_all(&parsed.bytes)?,
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

fn nothing_to_do(file: &str) -> Failure {
    Failure::Other(format!(
        "{file}: this is CoNLL-U, which has its words, and the model has learned nothing but to segment text"
    ))
}
