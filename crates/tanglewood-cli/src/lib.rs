//! The command line of Tanglewood: everything but the program's entry point.
//!
//! It is a library so that Cargo compiles it while code is still generated for the libraries it uses. A
//! program would have to wait for them, since it is linked with them.

mod arguments;
mod commands;
mod failure;
mod fonts;
mod input;
mod interrupt;
mod joined;
mod memory;
mod output;
mod page;
mod parallel;
mod pdf;
mod png;
mod progress;
mod serve;
mod text;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::{Failure, Verdict};

/// Runs the program with the arguments it was given.
pub fn main() -> ExitCode {
    let command = Arguments::parse().command;
    // A server ends in its own way.
    if !matches!(command, Command::Serve(_)) {
        interrupt::clean_up_when_interrupted();
    }
    let result = match command {
        Command::Systems(arguments) => commands::systems::run(&arguments),
        Command::Coverage(arguments) => commands::coverage::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Filter(arguments) => commands::filter::run(&arguments),
        Command::Text(arguments) => commands::text::run(&arguments),
        Command::Oracle(arguments) => commands::oracle::run(&arguments),
        Command::Decode(arguments) => commands::decode::run(&arguments),
        Command::Train(arguments) => commands::train::run(&arguments),
        Command::Parse(arguments) => commands::parse::run(&arguments),
        Command::Info(arguments) => commands::info::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Draw(arguments) => commands::draw::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Tour(arguments) => commands::tour::run(&arguments),
    };
    match result {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        // Whoever reads our output has seen enough.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure.show();
            ExitCode::from(2)
        }
    }
}

/// What every command returns.
type Outcome = Result<Verdict, Failure>;
