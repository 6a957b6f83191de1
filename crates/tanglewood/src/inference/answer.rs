//! Answers: a tree and how it was found.

use super::InferenceError;
use crate::Tree;
use crate::system::Direction;
use crate::transition::Derivation;

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Path {
    /// It is the best of all trees, and the system can build it.
    Certificate,
    /// By the sparse deduction, from those arcs that an optimal tree can have.
    Pruned,
    /// By a dense chart.
    Chart,
    /// By the sparse deduction, for windows deeper than s2 and frames of more than five nodes.
    Deduction,
    /// By contraction of cycles: it is the best of all trees, as asked for.
    Spanning,
}

impl Path {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Path::Certificate => "certificate",
            Path::Pruned => "pruned",
            Path::Chart => "chart",
            Path::Deduction => "deduction",
            Path::Spanning => "spanning",
        }
    }
}

/// A tree, its score, and how it was found and can be built.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The tree.
    pub tree: Tree,
    /// The sum of its arcs' scores, or of its run's.
    pub score: f64,
    /// A run that builds it; from right to left if so read, that is, of the mirrored tree. None over all
    /// trees, which need no system.
    pub derivation: Option<Derivation>,
    /// The direction of that run: one of the two.
    pub direction: Direction,
    /// How it was found.
    pub path: Path,
}

impl Parse {
    /// The answer that a run from left to right is, given its score.
    pub(super) fn of_run(run: Option<(f64, Derivation)>, path: Path) -> Result<Parse, InferenceError> {
        let (score, run) = run.ok_or(InferenceError::NoTree)?;
        let tree = run.tree().map_err(|_| InferenceError::NoTree)?;
        Ok(Parse { tree, score, derivation: Some(run), direction: Direction::Ltr, path })
    }
}
