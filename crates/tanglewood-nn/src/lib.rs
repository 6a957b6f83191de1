//! Neural scores for dependency parsing: what an exact decoder needs, learned from a treebank on a CPU.
//!
//! Words, their characters and tags become vectors; a bidirectional LSTM reads the sentence; biaffine
//! products score arcs and labels (Kiperwasser and Goldberg 2016; Dozat and Manning 2017). Gradients are
//! derived by hand and checked against finite differences.
//!
//! ```
//! use tanglewood::{conllu::Block, spanning::Spanning};
//! use tanglewood_nn::{Options, training::{Data, Settings, Trainer}};
//!
//! let text = "1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n2\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
//! let block = Block::of(text.as_bytes().to_vec());
//! let sentences: Vec<_> = block.sentences().collect();
//!
//! let options = Options { hidden: 8, arc: 8, label: 4, buckets: 64, ..Options::default() };
//! let mut trainer = Trainer::new(Data::new(&sentences, &sentences), options, Settings::default())?;
//! loop {
//!     while trainer.step(trainer.progress()).is_some() {}
//!     if trainer.end_epoch().last {
//!         break;
//!     }
//! }
//! let (model, _) = trainer.best();
//!
//! let encoded = model.encode(&sentences[0]);
//! let scores = model.scores(&[&encoded]);
//! let best = Spanning::new().best(&scores.arcs(0))?;
//! let labels = scores.labels(&[Some(best.tree)]);
//! assert_eq!(labels[0].len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here does I/O beyond readers and writers it is handed, or prints.

mod ahead;
mod characters;
mod container;
mod decoder;
mod dropout;
mod encoding;
mod file;
mod input;
mod integer;
mod layers;
mod learned;
mod lemmas;
mod matrix;
mod model;
mod names;
mod network;
mod options;
mod packing;
mod pairs;
mod panels;
mod parameters;
mod quantise;
mod real;
mod scorer;
pub mod segmentation;
mod simd;
mod steps;
mod store;
mod tagset;
mod taught;
pub mod training;
mod vectors;
mod vocabulary;

pub use ahead::Ahead;
pub use container::FileError;
pub use decoder::{Decoder, Method};
pub use encoding::Encoded;
pub use file::{About, Trained};
pub use input::Dropout;
pub use learned::{LearnedScores, RunScores};
pub use lemmas::{LemmaList, LemmaListError};
pub use model::{LabelScores, Model, Scores, batches};
pub use options::Options;
pub use simd::Instructions;
pub use steps::{Step, WordTags};
pub use vectors::{Vectors, VectorsError};
pub use vocabulary::{Names, Vocabulary};

/// For the tests and benchmarks of this crate alone: what is in here may change at any time.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internals {
    pub mod characters {
        pub use crate::characters::*;
    }
    pub mod container {
        pub use crate::container::*;
    }
    pub mod dropout {
        pub use crate::dropout::*;
    }
    pub mod encoding {
        pub use crate::encoding::*;
    }
    pub mod input {
        pub use crate::input::*;
    }
    pub mod integer {
        pub use crate::integer::*;
    }
    pub mod layers {
        pub use crate::layers::*;
    }
    pub mod lemmas {
        pub use crate::lemmas::*;
    }
    pub mod matrix {
        pub use crate::matrix::*;
    }
    pub mod model {
        pub use crate::model::*;
    }
    pub mod network {
        pub use crate::network::*;
    }
    pub mod packing {
        pub use crate::packing::*;
    }
    pub mod panels {
        pub use crate::panels::*;
    }
    pub mod parameters {
        pub use crate::parameters::*;
    }
    pub mod quantise {
        pub use crate::quantise::*;
    }
    pub mod real {
        pub use crate::real::*;
    }
}
