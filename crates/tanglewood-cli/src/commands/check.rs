//! `tanglewood check`

use std::io::Write;

use serde::Serialize;
use tanglewood::conllu::{Problem, Validator};

use crate::Outcome;
use crate::arguments::{CheckArguments, TableFormat};
use crate::failure::Verdict;
use crate::input;
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::progress::{Progress, say};
use crate::text::counted;

/// A problem as it appears in JSON.
#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    line: u64,
    column: usize,
    kind: String,
    level: u8,
    found: &'a str,
    expected: &'a str,
}

/// What was found in one block.
struct Findings {
    sentences: u64,
    problems: Vec<Problem>,
}

pub fn run(arguments: &CheckArguments) -> Outcome {
    let sources = input::sources(&arguments.paths)?;
    let mut out = Output::standard();
    let (mut sentences, mut problems) = (0, 0);
    if arguments.format == TableFormat::Json {
        write!(out, "[")?;
    }
    let examine = |validator: &mut Validator, block: &tanglewood::conllu::Block| {
        let mut findings = Findings { sentences: 0, problems: Vec::new() };
        for sentence in block.sentences() {
            let found = validator.problems(&sentence).into_iter();
            findings.sentences += u64::from(!sentence.is_blank() && !sentence.is_gap());
            findings.problems.extend(found.filter(|problem| problem.kind.level() <= arguments.level));
        }
        findings
    };
    let progress = Progress::beside_output(&sources, &out);
    let threads = jobs(arguments.jobs.jobs);
    for_each_block(&sources, threads, &progress, Validator::new, examine, |source, findings| {
        let file = &sources[source].name;
        for problem in &findings.problems {
            match arguments.format {
                TableFormat::Table => writeln!(out, "{file}:{problem}")?,
                TableFormat::Json => {
                    let entry = Entry {
                        file,
                        line: problem.line,
                        column: problem.column,
                        kind: format!("{:?}", problem.kind),
                        level: problem.kind.level(),
                        found: &problem.found,
                        expected: &problem.expected,
                    };
                    write!(out, "{}", if problems == 0 { "\n  " } else { ",\n  " })?;
                    serde_json::to_writer(&mut out, &entry).map_err(std::io::Error::from)?;
                }
            }
            problems += 1;
        }
        sentences += findings.sentences;
        Ok(())
    })?;
    if arguments.format == TableFormat::Json {
        writeln!(out, "{}]", if problems == 0 { "" } else { "\n" })?;
    }
    out.finish()?;
    say(format_args!(
        "{} in {}, {}",
        counted(sentences, "sentence"),
        counted(sources.len() as u64, "file"),
        match problems {
            0 => "no problem".to_owned(),
            _ => counted(problems, "problem"),
        }
    ));
    Ok(if problems == 0 { Verdict::Yes } else { Verdict::No })
}
