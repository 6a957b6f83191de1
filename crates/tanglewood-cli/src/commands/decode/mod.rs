//! `tanglewood decode`

mod answer;
mod matrix;

use std::io::{BufRead, BufReader, Read, Write};

use serde_json::json;
use tanglewood::inference::{Inference, Purpose};
use tanglewood::scores::ArcScores;

use crate::Outcome;
use crate::arguments::DecodeArguments;
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::memory::{self, Budget};
use crate::output::Output;
use crate::parallel::{in_order, jobs};
use crate::progress::Progress;

/// The longest line that is read: a matrix for some two thousand words.
const MAX_LINE_BYTES: u64 = 128 << 20;

pub fn run(arguments: &DecodeArguments) -> Outcome {
    if arguments.file.is_dir() {
        let message = format!("{} is a directory; expected one file", arguments.file.display());
        return Err(Failure::Other(message));
    }
    let sources = input::sources(std::slice::from_ref(&arguments.file))?;
    let source = &sources[0];
    let mut out = Output::to(arguments.output.file.as_deref(), [source.path()])?;
    let progress = Progress::beside_output(&sources, &out);
    let jobs = jobs(arguments.jobs.jobs);
    let memory = arguments.max_memory.map_or_else(|| memory::physical() / 2, |bytes| bytes.0);
    let inference = Inference::new(arguments.system.clone())
        .direction(arguments.direction)
        .single_root(!arguments.multi_root)
        .memory(memory);
    let budget = Budget::new(memory);
    let mut lines = Lines { reader: BufReader::new(source.open(&progress)?), ended: false };
    let lines = std::iter::from_fn(|| {
        let line = lines.next()?;
        Some(line.map_err(|error| Failure::File { doing: "read", file: source.name.clone(), error }))
    });
    let mut verdict = Verdict::Yes;
    let decode = |_: &mut (), line: Line| {
        let answer = scores_of(&line).and_then(|scores| {
            let purpose = match (arguments.marginals, arguments.k) {
                (true, _) => Purpose::Sums,
                (false, Some(_)) => Purpose::KBest,
                (false, None) => Purpose::Best,
            };
            let needed = inference.bytes_for(scores.len(), purpose);
            // What needs more than there is gets an error, or does with less.
            let _part = budget.take(needed.min(memory));
            answer::to_json(&inference, arguments, &scores)
        });
        match answer {
            Ok(answer) => (answer, true),
            Err(error) => (json!({ "error": error }).to_string(), false),
        }
    };
    in_order(
        lines,
        jobs,
        || (),
        decode,
        |(answer, found)| {
            if !found {
                verdict = Verdict::No;
            }
            Ok(writeln!(out, "{answer}")?)
        },
    )?;
    progress.finish();
    out.finish()?;
    Ok(verdict)
}

/// The matrix in a line, or what is wrong with it.
fn scores_of(line: &Line) -> Result<ArcScores, String> {
    match line {
        Line::Text(text) => matrix::read(text),
        Line::TooLong => {
            Err(format!("a line of more than {} MB; expected shorter ones", MAX_LINE_BYTES >> 20))
        }
    }
}

/// A line of input, without its end.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Lines that are not blank; too long ones are passed over without being kept.
struct Lines<R> {
    reader: R,
    ended: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = std::io::Result<Line>;

    fn next(&mut self) -> Option<std::io::Result<Line>> {
        while !self.ended {
            let mut text = Vec::new();
            match self.reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut text) {
                Ok(0) => self.ended = true,
                Ok(read) if read as u64 == MAX_LINE_BYTES && !text.ends_with(b"\n") => {
                    return Some(self.reader.skip_until(b'\n').map(|_| Line::TooLong));
                }
                Ok(_) if text.trim_ascii().is_empty() => {}
                Ok(_) => return Some(Ok(Line::Text(text))),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
