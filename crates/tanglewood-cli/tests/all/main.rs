//! The command line's tests: each module mirrors a module of the sources, and `contract` holds what all
//! commands promise.
//!
//! Exact outputs are snapshots: after an intended change, `SNAPSHOTS=overwrite cargo test -p tanglewood-cli`
//! rewrites them, and the examples of the README and of `docs/commands` with them. Read the difference before
//! committing it.

#![allow(missing_docs)]

mod chromium;
mod harness;
mod host;
mod server;
mod trained;

mod browser;
mod browser_accessibility;
mod browser_model;
mod browser_treebank;
mod browser_workbench;
mod check;
mod completions;
mod contract;
mod coverage;
mod decode;
mod draw;
mod eval;
mod faults;
mod filter;
mod foreign;
mod grammar;
mod input;
mod interrupt;
mod man;
mod memory;
mod models;
mod oracle;
mod output;
mod parse;
mod readme;
mod running_text;
mod serve;
mod systems;
mod text;
mod tour;
mod train;
mod treebank_server;
