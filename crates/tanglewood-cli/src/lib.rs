//! The command line of Tanglewood: everything but the program's entry point.
//!
//! It is a library so that Cargo compiles it while code is still generated for the libraries it uses. A
//! program would have to wait for them, since it is linked with them.

/// `tanglewood parse` without files, for other programs: see [`analysis::Analyst`].
pub mod analysis {
    pub use crate::commands::parse::{Analysis, Analyst, Answer, Confidence, Session, Way};
}

/// Files as `tanglewood` reads them, for other programs.
pub mod files {
    pub use crate::input::unpacked_content;
}

mod arguments;
mod commands;
mod failure;
mod fonts;
mod input;
mod interrupt;
mod joined;
mod memory;
mod output;
mod parallel;
mod pdf;
mod png;
mod progress;
mod serve;
mod text;
mod version;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use tanglewood_nn::Instructions;

use arguments::{Arguments, Command};
use failure::{Failure, Verdict};

/// Runs the program with the arguments it was given.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with these arguments, its name first, and returns the exit code. This is also what the
/// command of the Python package calls.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let code = if version::is_asked_for(&arguments) {
        tell_version()
    } else {
        match Arguments::read(arguments) {
            Ok(arguments) => perform(arguments.command),
            // Help and version are such answers, too.
            Err(answer) => printed(answer.print(), u8::try_from(answer.exit_code()).unwrap_or(2)),
        }
    };
    // A program does this at its end by itself; a library that Python has loaded does not.
    let _ = std::io::stdout().flush();
    code
}

fn tell_version() -> u8 {
    if let Err(failure) = limit_instructions() {
        failure.show();
        return 2;
    }
    printed(std::io::stdout().write_all(version::details().as_bytes()), 0)
}

/// The exit code after an answer was printed, or could not be. If nobody reads it, there is nobody left to
/// tell.
fn printed(result: std::io::Result<()>, code: u8) -> u8 {
    match result.and_then(|()| std::io::stdout().flush()).map_err(Failure::Output) {
        Err(failure) if !failure.is_broken_pipe() => {
            failure.show();
            2
        }
        _ => code,
    }
}

fn perform(command: Command) -> u8 {
    interrupt::end_with_an_error_when_aborted();
    // A server ends in its own way.
    if !matches!(command, Command::Serve(_)) {
        interrupt::clean_up_when_interrupted();
    }
    let result = limit_instructions().and_then(|()| match command {
        Command::Systems(arguments) => commands::systems::run(&arguments),
        Command::Coverage(arguments) => commands::coverage::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Filter(arguments) => commands::filter::run(&arguments),
        Command::Text(arguments) => commands::text::run(&arguments),
        Command::Oracle(arguments) => commands::oracle::run(&arguments),
        Command::Decode(arguments) => commands::decode::run(&arguments),
        Command::Train(arguments) => commands::train::run(&arguments),
        Command::Parse(arguments) => commands::parse::run(&arguments),
        Command::Models(arguments) => commands::models::run(&arguments),
        Command::Info(arguments) => commands::info::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Grammar(arguments) => commands::grammar::run(&arguments),
        Command::Draw(arguments) => commands::draw::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
        Command::Tour(arguments) => commands::tour::run(&arguments),
    });
    match result {
        Ok(Verdict::Yes) => 0,
        Ok(Verdict::No) => 1,
        // Whoever reads our output has seen enough.
        Err(failure) if failure.is_broken_pipe() => 0,
        Err(failure) => {
            failure.show();
            2
        }
    }
}

/// Which vector instructions models may use at most; results are the same.
const INSTRUCTIONS: &str = "TANGLEWOOD_INSTRUCTIONS";

fn limit_instructions() -> Result<(), Failure> {
    let Some(name) = std::env::var_os(INSTRUCTIONS).filter(|name| !name.is_empty()) else { return Ok(()) };
    match name.to_str().and_then(Instructions::named) {
        Some(instructions) => {
            Instructions::limit(instructions);
            Ok(())
        }
        None => {
            let known = Instructions::ALL.map(Instructions::name).join(", ");
            let name = name.display();
            Err(Failure::Other(format!("${INSTRUCTIONS} is {name}; expected one of {known}")))
        }
    }
}

/// What every command returns.
type Outcome = Result<Verdict, Failure>;
