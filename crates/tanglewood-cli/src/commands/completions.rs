//! `tanglewood completions`

use std::io::Write;

use clap::CommandFactory;

use crate::Outcome;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Verdict;
use crate::output::Output;

pub fn run(arguments: &CompletionsArguments) -> Outcome {
    // Made in memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "tanglewood", &mut script);
    let mut out = Output::standard();
    out.write_all(&script)?;
    out.finish()?;
    Ok(Verdict::Yes)
}
