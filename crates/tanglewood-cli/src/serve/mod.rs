//! The explorer's server.
//!
//! A request goes through `connections` (how many, how long), `guard` (who may ask), `body` (how much),
//! `routes` (what is asked), and `workers` (how much work at once) to `tanglewood_explorer`, which knows
//! nothing of HTTP.

mod body;
mod connections;
mod guard;
mod limits;
mod routes;
mod stall;
mod workers;

pub use connections::serve;
pub use guard::Guard;
pub use routes::Server;
