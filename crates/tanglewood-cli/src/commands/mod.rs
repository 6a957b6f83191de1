//! One file per subcommand.

pub mod check;
pub mod coverage;
pub mod decode;
pub mod eval;
pub mod filter;
pub mod oracle;
pub mod parse;
pub mod systems;
pub mod tour;
pub mod train;

mod derivation_view;
mod eval_report;
mod tour_parser;
mod verify;
