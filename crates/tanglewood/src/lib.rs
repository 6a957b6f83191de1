//! Dependency parsing where arcs cross.
//!
//! The library reads from left to right: a [`conllu`] sentence gives a [`Tree`]; a [`System`] is a table of reduces; an [`Oracle`]
//! says whether the system can build the tree, and how.
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
//! Nothing here does I/O beyond readers and writers it is handed, starts threads unless told to, or panics on data.

pub mod chart;
pub mod classes;
pub mod conllu;
pub mod coverage;
pub mod deduction;
pub mod draw;
pub mod evaluation;
pub mod inference;
mod k_best;
mod marginals;
mod memory;
pub mod oracle;
mod random;
pub mod sample;
pub mod scores;
pub mod search;
pub mod semiring;
pub mod spanning;
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
