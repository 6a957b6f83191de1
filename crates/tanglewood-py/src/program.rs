//! The command line, for the script that comes with the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with these arguments, its name first, and returns its exit code.
///
/// It reads and writes the process's standard streams, not ``sys.stdin`` and ``sys.stdout``, and answers
/// signals: this is for the command ``tanglewood``, and not for use within other programs.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| tanglewood_cli::run(arguments))
}
