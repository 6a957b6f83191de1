//! The library's tests: each module mirrors a module of the library.

#![allow(missing_docs)]

mod brute_force;
mod classes;
mod conllu;
mod conllu_problems;
mod coverage;
mod oracle;
mod real_treebanks;
mod sample;
mod system;
mod transition;
mod tree;
