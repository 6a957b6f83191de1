//! Configurations, transitions, and derivations: what a system does to a sentence.

mod configuration;
mod derivation;
mod frames;

pub use configuration::{Configuration, IllegalTransition, Transition};
pub use derivation::{Derivation, DerivationError, DerivationParseError, Step};
pub use frames::Frames;
pub(crate) use frames::stack_nodes_needed;
