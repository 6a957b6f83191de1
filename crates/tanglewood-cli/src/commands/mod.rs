//! One file per subcommand.

pub mod check;
pub mod completions;
pub mod coverage;
pub mod decode;
pub mod draw;
pub mod eval;
pub mod filter;
pub mod grammar;
pub mod info;
pub mod man;
pub mod models;
pub mod oracle;
pub mod parse;
pub mod serve;
pub mod systems;
pub mod text;
pub mod tour;
pub mod train;

mod coverage_page;
mod derivation_view;
mod eval_report;
pub mod model_file;
mod phenomena;
mod step_pictures;
mod tour_parser;
mod verify;
