//! Neural scores for dependency parsing: what an exact decoder needs, learned from a treebank on a CPU.
//!
//! Words, their characters and tags become vectors; a bidirectional LSTM reads the sentence; biaffine products score arcs and labels
//! (Kiperwasser and Goldberg 2016; Dozat and Manning 2017). Gradients are derived by hand and checked against finite differences.
//!
//! Nothing here does I/O beyond readers and writers it is handed, or prints.

pub mod characters;
pub mod container;
pub mod dropout;
pub mod encoding;
mod file;
pub mod input;
pub mod layers;
pub mod matrix;
pub mod model;
pub mod network;
pub mod options;
pub mod packing;
pub mod parameters;
pub mod real;
mod simd;
pub mod training;
pub mod vectors;
pub mod vocabulary;

pub use container::FileError;
pub use file::About;
pub use model::{Model, Scores};
pub use options::Options;
pub use vectors::Vectors;
