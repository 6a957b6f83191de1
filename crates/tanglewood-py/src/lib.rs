//! Tanglewood for Python.
//!
//! What users see is documented in the docstrings, which are the doc comments of functions and classes here;
//! the stubs in `python/tanglewood` repeat their signatures with types. Nothing here decides anything: arrays
//! become matrices of scores, the library answers, answers become arrays.

mod arguments;
mod arrays;
mod arrow;
mod batch;
mod constraints;
mod decoding;
mod derivation;
mod distribution;
mod document;
mod drawing;
mod evaluation;
mod files;
mod grammar;
mod interrupt;
mod matrices;
mod parser;
mod pool;
mod program;
mod question;
mod sentence;
mod token;
mod training;
mod transitions;
mod tree;
mod treebank;
mod words;

use pyo3::prelude::*;

#[pymodule]
mod _tanglewood {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "it is Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::arrow::{Batch, Stream, arrow_coverage, arrow_evaluate, arrow_parse, arrow_read_conllu};
    #[pymodule_export]
    use super::decoding::{decode, kbest, time_decode};
    #[pymodule_export]
    use super::derivation::Derivation;
    #[pymodule_export]
    use super::distribution::sample;
    #[pymodule_export]
    use super::distribution::{entropy, log_partition, log_partition_and_marginals, log_prob, marginals};
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::evaluation::{calibration, evaluate};
    #[pymodule_export]
    use super::grammar::Grammar;
    #[pymodule_export]
    use super::parser::{Parser, models};
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::question::{sums_over, systems};
    #[pymodule_export]
    use super::sentence::Sentence;
    #[pymodule_export]
    use super::token::Token;
    #[pymodule_export]
    use super::transitions::best_derivation;
    #[pymodule_export]
    use super::tree::Tree;
    #[pymodule_export]
    use super::treebank::{coverage, oracle, read_conllu, sample_treebank, write_conllu};
}
