//! What can end a command, and what it says then.

use std::io;

use tanglewood::conllu::{Problem, ReadError};
use tanglewood::shown::shown;
use tanglewood::system::NameError;

/// How a command that ran to its end turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done: exit code 0.
    Yes,
    /// Done, and the answer is no: exit code 1.
    No,
}

/// An error: exit code 2, nothing half-written.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A place in an input file; shown as it is, so that editors can jump there.
    #[error("{file}:{problem}")]
    Problem { file: String, problem: Problem },
    /// An input that cannot be read on.
    #[error("{file}:{error}")]
    TooLong { file: String, error: ReadError },
    /// A file that cannot be opened, read or written.
    #[error("cannot {doing} {file}: {}", plain(.error))]
    File { doing: &'static str, file: String, error: io::Error },
    /// Standard output that cannot be written to.
    #[error("cannot write: {}", plain(.0))]
    Output(#[from] io::Error),
    /// A name that is no system.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Anything else, with its remedy.
    #[error("{0}")]
    Other(String),
}

/// An error of the operating system in words, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => text.trim_end_matches(&format!(" (os error {number})")).to_owned(),
        None => text,
    }
}

impl Failure {
    /// An error while reading a file.
    pub fn reading(file: &str, error: ReadError) -> Failure {
        match error {
            ReadError::Io(error) => Failure::File { doing: "read", file: file.to_owned(), error },
            error @ ReadError::SentenceTooLong { .. } => Failure::TooLong { file: file.to_owned(), error },
        }
    }

    /// True if standard output was closed at the other end.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Tells the user.
    pub fn show(&self) {
        use std::io::Write;
        // If even standard error is closed there is nobody left to tell.
        let mut err = anstream::stderr().lock();
        let message = self.to_string();
        let message = shown(&message);
        let _ = match self {
            Failure::Problem { .. } | Failure::TooLong { .. } => writeln!(err, "{message}"),
            _ => {
                let red = anstyle::AnsiColor::Red.on_default().bold();
                writeln!(err, "{red}error:{red:#} {message}")
            }
        };
    }
}
