//! Search from left to right: fast, and without a guarantee.
//!
//! Greedy and beam search take the same scores and the same systems as exact inference, see the same window
//! of the stack, and choose among the same transitions, so that one model can be used with all three. Every
//! complete run of n words has n + 1 shifts and n reduces; scores of runs can be compared as they are.
//!
//! **Dead ends.** The last reduce of a run attaches a word to the root, which is below it on the stack: it is
//! `s1>s0`. An inventory without that reduce builds nothing. With it, every stack can be emptied from the
//! top, so no configuration is a dead end; only forbidden arcs can make one. This holds with a single root,
//! too: there, the root may be a head only in the very last step (see [`deduction`](crate::deduction)). And
//! it holds with bounded frames: s0 and s1 are in the same block of the stack, which has fewer nodes than a
//! frame may have, or s0 is all of the last block and makes one node more (see there).

mod beam;
mod choices;
mod greedy;
mod guide;

pub use beam::beam;
pub use choices::Choices;
pub use greedy::{BestNext, greedy};
pub use guide::{Guide, Stuck, follow};
