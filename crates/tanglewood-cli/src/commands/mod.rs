//! One file per subcommand.

pub mod check;
pub mod coverage;
pub mod decode;
pub mod eval;
pub mod filter;
pub mod oracle;
pub mod systems;
pub mod tour;

mod derivation_view;
mod eval_report;
mod verify;
