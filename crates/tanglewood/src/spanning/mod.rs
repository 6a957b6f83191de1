//! Exact inference over **all** dependency trees, without any transition system.
//!
//! ```
//! use tanglewood::{scores::ArcScores, spanning::Spanning};
//! let mut scores = ArcScores::new(3);
//! scores.set(0, 2, 4.0)?;
//! scores.set(2, 1, 3.0)?;
//! scores.set(2, 3, 2.0)?;
//!
//! let best = Spanning::new().best(&scores)?;
//! assert_eq!(best.tree.heads().collect::<Vec<_>>(), [2, 0, 2]);
//! assert_eq!(best.score, 9.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With n words, on the full matrix of arc scores, for trees with one word at the root or with any number:
//!
//! | question | time | how |
//! | --- | --- | --- |
//! | [`best`](Spanning::best) | O(n²) | contraction of cycles; a price on root arcs rises until one is left |
//! | [`bounds`](Spanning::bounds) | O(n²) | from the prices that prove the best tree best |
//! | the k best | O(k · n²) as a rule | partitioning; bounds say which parts need a look |
//! | log partition, log probability | O(n³) | the matrix-tree theorem |
//! | marginals, entropy | O(n³) | the same for all words but one, for each word |
//! | samples | O(n³), and some O(n²) each | words come back one after the other |
//!
//! All but the first two are asked through [`Inference`](crate::inference::Inference), for the class
//! [`TreeClass::Any`](crate::system::TreeClass::Any). Sums over all trees count each tree once, unlike those
//! over the derivations of a system.
//!
//! Forbidden arcs have a score of −∞; no large number stands for it.
//!
//! **Accuracy.** Best trees are best up to rounding errors of sums of scores. Sums add, multiply and divide
//! positive numbers only, so they keep almost all digits, also of very small probabilities: in plain numbers,
//! and where these come near the end of their range, in [`Wide`](crate::semiring::Wide) ones, which take more
//! time.

mod bounds;
mod contraction;
mod elimination;
mod halving;
mod rows;
mod sample;
mod single_root;
mod sums;

pub use bounds::ArcBounds;
pub use contraction::Workspace;
pub(crate) use elimination::TreeWeight;
pub(crate) use sums::TreeSums;

use crate::Tree;
use crate::scores::ArcScores;

/// A tree and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredTree {
    /// The tree.
    pub tree: Tree,
    /// The sum of its arcs' scores.
    pub score: f64,
}

/// There is no tree without a forbidden arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no tree is possible with these scores; allow more arcs, or more than one word at the root")]
pub struct NoTree;

/// What is asked: trees with one word at the root, or with any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanning {
    single_root: bool,
}

impl Default for Spanning {
    fn default() -> Spanning {
        Spanning::new()
    }
}

impl Spanning {
    /// All trees with a single root.
    pub fn new() -> Spanning {
        Spanning { single_root: true }
    }

    /// Whether exactly one word hangs from the root.
    pub fn single_root(self, single_root: bool) -> Spanning {
        Spanning { single_root }
    }

    /// The best tree, in O(n²).
    ///
    /// Of several trees with the same score it is always the same one that is found.
    ///
    /// # Errors
    /// If every tree has a forbidden arc.
    pub fn best(&self, scores: &ArcScores) -> Result<ScoredTree, NoTree> {
        self.best_with(scores, &mut Workspace::new())
    }

    /// The best tree, in memory that was used before. What it was used for makes no difference.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn best_with(&self, scores: &ArcScores, workspace: &mut Workspace) -> Result<ScoredTree, NoTree> {
        let tree = workspace.solve(scores, self.single_root).ok_or(NoTree)?;
        let score = scores.of_tree(&tree);
        Ok(ScoredTree { tree, score })
    }
}
