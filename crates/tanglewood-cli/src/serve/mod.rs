//! The explorer: a small server and the page it serves.
//!
//! A request goes through `connections` (how many, how long), `guard` (who may ask), `body` (how much), `routes` (what is asked), and `workers` (how
//! much work at once) to `tree_view` or `score_view`, which know nothing of HTTP.

mod answer;
mod assets;
mod body;
mod connections;
mod export;
mod guard;
mod limits;
mod notation;
mod parsing;
mod routes;
mod score_view;
mod stuck;
mod tree_view;
mod treebank;
mod workers;

pub use connections::serve;
pub use guard::Guard;
pub use parsing::Parser;
pub use routes::{Explorer, router};
pub use treebank::{Treebank, TreebankFile};
