//! Tanglewood's explorer without its surroundings: the page, the questions that it asks, and their answers.
//!
//! There are no files, threads of a server or sockets here. `tanglewood serve` hands over what comes by HTTP,
//! and `tanglewood-web` what a page hands to a worker in the same browser; both give back what
//! [`Explorer::answer`] says.
//!
//! ```
//! use tanglewood_explorer::{Abilities, Explorer, Model};
//!
//! let explorer = Explorer::new(Model::None, Vec::new(), Abilities::default());
//! let question = br#"{ "text": "3 4 0 3", "system": "all-s0s1", "direction": "ltr" }"#;
//! let reply = explorer.answer("tree", question.to_vec());
//! assert_eq!(reply.status, 200);
//! ```

mod analysis;
mod answer;
mod assets;
mod explorer;
mod export;
mod limits;
mod model;
mod notation;
pub mod page;
mod parsing;
mod proof;
mod score_view;
mod stuck;
mod systems;
mod tree_view;
mod treebank;

pub use answer::Refusal;
pub use assets::{Asset, assets};
pub use explorer::{Abilities, Content, Explorer, MODEL_AWAITED, QUESTIONS, Renderer, Reply, Unpack};
pub use model::Model;
pub use parsing::Parser;
pub use treebank::TreebankFile;
