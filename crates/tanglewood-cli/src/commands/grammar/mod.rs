//! `tanglewood grammar`

mod column;
mod data;
mod fit;
mod parse;
mod sample;
mod score;

use std::io::Read;
use std::path::{Path, PathBuf};

use tanglewood::grammar::Grammar;

use crate::Outcome;
use crate::arguments::{GrammarArguments, GrammarCommand, SymbolColumn};
use crate::failure::Failure;
use crate::input;
use crate::progress::Progress;

/// The note with the column that a grammar is about.
const ON: &str = "on";

/// No grammar is longer, unpacked; one that is was made to do harm.
const MOST_BYTES: u64 = 1 << 30;

pub fn run(arguments: &GrammarArguments) -> Outcome {
    match &arguments.command {
        GrammarCommand::Fit(arguments) => fit::run(arguments),
        GrammarCommand::Parse(arguments) => parse::run(arguments),
        GrammarCommand::Score(arguments) => score::run(arguments),
        GrammarCommand::Sample(arguments) => sample::run(arguments),
    }
}

/// Reads a grammar, and tells which column it is about.
fn read(path: &Path) -> Result<(Grammar, SymbolColumn), Failure> {
    let file = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::Other(format!("{file} is a directory; expected a grammar")));
    }
    let mut bytes = Vec::new();
    let sources = input::sources(&[path.to_owned()])?;
    let read = sources[0].open(&Progress::hidden())?.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::File { doing: "read", file: file.clone(), error })?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::Other(format!("{file} has more than {MOST_BYTES} bytes; expected a grammar")));
    }
    let grammar = Grammar::from_text(&bytes).map_err(|error| Failure::Other(format!("{file}: {error}")))?;
    let on = grammar.note(ON).and_then(column::named);
    let on = on.ok_or_else(|| {
        let expected = "a grammar that `tanglewood grammar fit` has written";
        Failure::Other(format!("{file} does not say which column it is about; expected {expected}"))
    })?;
    Ok((grammar, on))
}

/// Reads a grammar for sentences from some files, which must not both be standard input.
fn read_for(path: &Path, files: &[PathBuf]) -> Result<(Grammar, SymbolColumn), Failure> {
    if is_standard(path) && files.iter().any(|file| is_standard(file)) {
        return Err(Failure::Other(
            "grammar and sentences are both -; expected a file for one of them".to_owned(),
        ));
    }
    read(path)
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
