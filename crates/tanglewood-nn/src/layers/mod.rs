//! What a network is made of. Each layer has its place among the parameters, a forward pass, and a backward
//! pass that adds to the gradients of its parameters and returns that of its input.

mod arcs;
mod biaffine;
mod convolution;
mod embedding;
mod hidden;
mod labels;
mod lstm;
mod moves;
mod reader;
mod softmax;
mod tagger;
mod windows;

pub use arcs::{Arcs, arc_scores};
pub use biaffine::Biaffine;
pub use convolution::Convolution;
pub(crate) use embedding::share;
pub use embedding::{Bags, Embedding};
pub use hidden::Hidden;
pub(crate) use hidden::leak;
pub use labels::{LabelTape, LabelledArcs, Labels};
pub use lstm::{Lstm, LstmTape};
pub use moves::{MOVES, Moves};
pub use reader::{Reader, ReaderTape, RunTables};
pub(crate) use softmax::softmaxes;
pub use softmax::{cross_entropy, log_softmax, soft_cross_entropy};
pub use tagger::{TagSlopes, Tagged, Tagger, TaggerShape};
pub(crate) use windows::is_of_fronts;
pub use windows::{WINDOWS, Windows, window_table};
