//! Dependency parsing where arcs cross.
//!
//! The library reads from left to right: a [`conllu`] sentence gives a [`Tree`]; a [`System`] is a table of
//! reduces; an [`Oracle`] says whether the system can build the tree, and how.
//!
//! ```
//! use tanglewood::{Direction, Oracle, System, Tree};
//!
//! // "A hearing is scheduled today on the issue": the words "on the issue" belong to "hearing".
//! let tree = Tree::from_heads(&[2, 4, 4, 0, 4, 8, 8, 2])?;
//! assert!(!tanglewood::classes::is_projective(&tree));
//!
//! let system = System::named("all-s0s1")?;
//! let derivation = Oracle::new(&system).derivation(&tree)?;
//! assert_eq!(derivation.tree_in(system.inventory())?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Exact inference.** A model scores arcs; an [`Inference`](inference::Inference) finds the best tree that
//! a system can build, and a [`Distribution`](inference::Distribution) answers everything else about the same
//! scores:
//!
//! ```
//! use tanglewood::{System, inference::Inference, scores::ArcScores, system::TreeClass};
//!
//! let rows = [[0., 1., 2., 9., 0.], [0., 0., 1., 1., 0.], [0., 2., 0., 1., 0.], [0., 8., 0., 0., 7.], [0., 0., 6., 5., 0.]];
//! let scores = ArcScores::from_rows(&rows)?;
//! let distribution = Inference::new(System::named("mh4+")?).distribution(&scores)?;
//! assert_eq!(distribution.best()?.tree.heads().collect::<Vec<_>>(), [3, 4, 0, 3]);
//! assert_eq!(distribution.k_best(3)?.len(), 3);
//! assert!(distribution.marginals()?.get(3, 1) > 0.9);
//!
//! // The same over all trees, without a transition system.
//! let any = Inference::new(TreeClass::Any);
//! assert!(any.distribution(&scores)?.log_partition() >= distribution.best()?.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **And around it.** [`spanning`] has the best of all trees in O(n²) and sums over them in O(n³); [`search`]
//! greedy and beam search with the same scores; [`deduction`] and [`chart`] are the machinery, for every
//! semiring; [`evaluation`] scores parsers as the CoNLL 2018 shared task does; [`draw`] turns trees and
//! derivations into SVG:
//!
//! ```
//! use tanglewood::draw::{self, Style, Theme, Word};
//!
//! let tree = tanglewood::Tree::from_heads(&[2, 0])?;
//! let words = [Word::new("It", "PRON", "nsubj"), Word::new("rains", "VERB", "root")];
//! let svg = draw::tree(&tree, &words, &Style { theme: Theme::Auto, tags: true, sheet: false });
//! assert!(svg.contains("rains"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here does I/O beyond readers and writers it is handed, starts threads, or panics on data.
//!
//! **Features.** `all-semirings` compiles dense charts for counting, recognition, logarithms and single
//! precision, too, and the sparse deduction for the last two.

pub mod chart;
pub mod classes;
pub mod conllu;
pub mod coverage;
pub mod deduction;
pub mod draw;
pub mod evaluation;
pub mod grammar;
pub mod inference;
mod marginals;
mod memory;
pub mod oracle;
mod random;
pub mod sample;
pub mod scores;
pub mod search;
pub mod semiring;
pub mod shown;
pub mod spanning;
mod stop;
pub mod system;
pub mod text;
pub mod transition;
mod tree;

pub use marginals::Marginals;
pub use memory::OutOfMemory;
pub use oracle::{NotCovered, Oracle};
pub use system::{Direction, System};
pub use transition::{Configuration, Derivation, Transition};
pub use tree::{Tree, TreeError};
