//! Training objectives: losses of a sentence's scores.
//!
//! An objective sees the scores of a sentence and its tree, and gives a loss and its derivative with respect
//! to the scores. Everything else — labels, layers, steps — is the same for all.
//!
//! | | each decision by itself | whole trees |
//! | --- | --- | --- |
//! | arcs | [`HeadSelection`] | [`TreeLikelihood`], [`SystemLikelihood`], [`Hinge`] |
//! | transitions | [`NextTransition`] | [`RunLikelihood`], [`TransitionHinge`] |
//!
//! Objectives over transitions are the mean over all directions in which the model reads: [`SentenceScores`]
//! have scores for each.
//!
//! No sentence is left out because a system cannot build its tree: each objective says what it does then.

mod goal;
mod heads;
mod hinge;
mod likelihood;
mod readings;
mod runs;
mod transitions;

use std::fmt::Debug;

use crate::encoding::Example;
use crate::network::SentenceScores;
use crate::real::Real;

pub use goal::Goal;
pub use heads::HeadSelection;
pub use hinge::{Hinge, TransitionHinge};
pub use likelihood::{SystemLikelihood, TreeLikelihood};
pub use runs::RunLikelihood;
pub use transitions::NextTransition;

/// A loss of a sentence's scores.
pub trait Objective<T: Real>: Debug + Send + Sync {
    /// The loss; scores become its derivative. Scores of arcs have a row for each dependent and a column for
    /// each head, the root first; the score of a word as its own head is −∞ and its derivative has to be 0.
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64;
}
