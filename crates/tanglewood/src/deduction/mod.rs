//! Exact inference as deduction: the specification.
//!
//! Cohen, Gómez-Rodríguez and Satta (2011) showed that all runs of a transition system with a bounded window can be tabulated, for
//! the system of Attardi (2006); Shi, Gómez-Rodríguez and Lee (2018) noticed that the same items serve every inventory of reduces
//! within the window. Here the tabulation is written once, for any inventory and any semiring, with a hash table where a fast
//! chart has an array. What it gives up in speed it returns in being short enough to be compared with the paper, and in paying
//! only for items that can be derived: with most arcs forbidden there are few.
//!
//! **Items.** Let D be the depth of the inventory (1 at least): its reduces see the stack slots s0..sD. An item of degree D
//!
//! > \[h₁ … h_{D−1}, i, g₁ … g_D, j\]
//!
//! says that some run of transitions takes the stack σ|h₁…h_{D−1} with the buffer i… to the stack σ|g₁…g_D with the buffer j…,
//! that it is at least one transition long, and that it neither looks at σ nor comes back to the stack size it started with.
//! It thus replaces D − 1 stack nodes by D. Near the bottom of the stack nodes are missing; they are written ε.
//!
//! **Rules.** There are two kinds:
//!
//! ```text
//!                                               sh    for each stack top h₁…h_{D−1} that can occur at j
//! [h₁…h_{D−1}, j, h₁…h_{D−1} j, j+1]
//!
//! [h₁…h_{D−1}, i, g₁…g_D, k]   [g₂…g_D, k, d₁…d_D, j]
//! ---------------------------------------------------  re(head,dependent)
//! [h₁…h_{D−1}, i, (g₁ d₁…d_D less one node), j]
//! ```
//!
//! After the second premise the topmost D + 1 stack nodes are g₁ d₁…d_D, and the buffer begins with j. A reduce of the inventory
//! removes one of them; its head is another one of them, or in the buffer, which is j…n and costs no index. The goal is
//! \[ε…ε, 0, ε…ε 0, n+1\]. Every complete run is derived in exactly one way: look back from its last reduce to where the
//! stack had the same size as after it; there the first premise ends. Counting derivations hence counts runs.
//!
//! **Order.** An item depends on items that end earlier, or end where it ends and start later. So columns j are computed from
//! left to right, and the cells (i, j) of a column with descending i.
//!
//! **One root, if asked for.** A word that is removed can take no more dependents. If the root has one dependent only, all other
//! words are its descendants, and are gone when it is removed: **an arc from the root is the last step of the run**, from the stack
//! \[0, r\] with an empty buffer. Forbidding root arcs elsewhere is all there is to it. No item needs to remember anything.
//!
//! **What scores see.** A [`View`](crate::scores::View) shows three stack nodes at least. For an inventory that needs only two, D is
//! therefore 2 with scores of whole windows, and 1 with arc scores, to which the third node makes no difference.
//!
//! **Costs.** With n words there are O(n^{2D+1}) items and O(n^{3D+2}) ways to combine them, the heads times as many again where
//! any node ahead may be one. (Fast charts save a factor n with the hook trick.) The number of items is limited, see
//! [`Deduction::with_limit`].

pub(crate) mod allowed;
mod chart;
mod outside;
mod proof;
pub(crate) mod rules;
pub(crate) mod stacks;
mod unwind;

pub use chart::TooManyItems;
pub use outside::Marginals;
pub use proof::{Item, Proof, ProofStep, Rule};

use crate::scores::TransitionScores;
use crate::semiring::{Additive, Boolean, Count, Log, Semiring, Viterbi};
use crate::system::{Direction, Inventory};
use crate::{Derivation, Tree};
use allowed::{AnyArc, ArcsOf};
use chart::Chart;
use rules::Rules;

/// The deduction system of an inventory.
///
/// Sums are over derivations: complete runs of the system. A tree may have many.
///
/// ```
/// use tanglewood::deduction::Deduction;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::{System, Tree};
///
/// let crossing = Tree::from_heads(&[3, 4, 0, 3])?;
/// let attardi = Deduction::new(System::named("attardi")?.inventory(), false);
/// assert!(attardi.recognises(&crossing)?);
/// assert_eq!(attardi.count(3)?.0, 28);
///
/// let mut scores = ArcScores::new(4);
/// crossing.arcs().try_for_each(|(head, dependent)| scores.set(head, dependent, 1.0))?;
/// let (score, derivation) = attardi.best(&scores)?.expect("no arc is forbidden");
/// assert_eq!(score, 4.0);
/// assert_eq!(derivation.tree()?, crossing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deduction {
    inventory: Inventory,
    single_root: bool,
    limit: usize,
}

impl Deduction {
    /// How many items a deduction may have unless told otherwise; they take one to two gigabytes.
    pub const DEFAULT_LIMIT: usize = 50_000_000;

    /// The deduction system of an inventory. With `single_root`, exactly one word hangs from the root.
    pub fn new(inventory: &Inventory, single_root: bool) -> Deduction {
        Deduction { inventory: inventory.clone(), single_root, limit: Deduction::DEFAULT_LIMIT }
    }

    /// The same with another bound on the number of items, and so on memory.
    pub fn with_limit(self, limit: usize) -> Deduction {
        // Items refer to stacks by 32-bit numbers, and may need two new ones each.
        Deduction { limit: limit.min(1 << 30), ..self }
    }

    /// The sum of the weights of all derivations; a derivation's weight is the product over its transitions.
    ///
    /// # Errors
    /// If there are too many items. So for all methods below.
    pub fn total<S: Semiring>(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<S, TooManyItems> {
        Ok(self.chart(scores)?.total())
    }

    /// The logarithm of the summed weights of all derivations.
    pub fn log_partition(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<f64, TooManyItems> {
        Ok(self.total::<Log>(scores)?.0)
    }

    /// True if and only if the tree has a derivation, from left to right.
    pub fn recognises(&self, tree: &Tree) -> Result<bool, TooManyItems> {
        Ok(self.narrow_chart::<Boolean, _>(&ArcsOf::new(tree))?.total().0)
    }

    /// True if and only if the tree has a derivation in that direction.
    pub fn recognises_in(&self, direction: Direction, tree: &Tree) -> Result<bool, TooManyItems> {
        Ok((direction.reads_forward() && self.recognises(tree)?)
            || (direction.reads_backward() && self.recognises(&tree.mirrored())?))
    }

    /// How many derivations there are, of all trees with that many words.
    pub fn count(&self, words: usize) -> Result<Count, TooManyItems> {
        Ok(self.narrow_chart(&AnyArc(words))?.total())
    }

    /// How many derivations a tree has.
    pub fn count_of_tree(&self, tree: &Tree) -> Result<Count, TooManyItems> {
        Ok(self.narrow_chart(&ArcsOf::new(tree))?.total())
    }

    /// The best score and a derivation that has it, if there is any derivation.
    ///
    /// Among derivations with equal scores it is always the same one that is found; see [`Deduction::proof`].
    pub fn best(
        &self,
        scores: &(impl TransitionScores + ?Sized),
    ) -> Result<Option<(f64, Derivation)>, TooManyItems> {
        Ok(self.proof(scores)?.map(|proof| (proof.score(), proof.derivation())))
    }

    /// How the best derivation is deduced: its items, and the rules that give them.
    ///
    /// Where several last steps give an item the same score, the one with the shortest second premise is taken; among those, the
    /// one with the premises whose stacks were met first; then the first reduce in the order of the inventory, with the head
    /// nearest to the front of the buffer. The same input always gives the same proof.
    pub fn proof(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<Option<Proof>, TooManyItems> {
        Ok(self.chart::<Viterbi<f64>, _>(scores)?.proof())
    }

    /// A proof that the tree has a derivation, if it has one.
    pub fn proof_of_tree(&self, tree: &Tree) -> Result<Option<Proof>, TooManyItems> {
        Ok(self.narrow_chart::<Viterbi<f64>, _>(&ArcsOf::new(tree))?.proof())
    }

    /// For each arc, the share of derivations that have it, by weight; nothing if there is no derivation.
    pub fn marginals<S: Additive>(
        &self,
        scores: &(impl TransitionScores + ?Sized),
    ) -> Result<Option<Marginals>, TooManyItems> {
        Ok(self.chart::<S, _>(scores)?.marginals())
    }

    fn chart<'a, S: Semiring, T: TransitionScores + ?Sized>(
        &self,
        scores: &'a T,
    ) -> Result<Chart<'a, S, T>, TooManyItems> {
        if scores.as_arcs().is_some() {
            return self.narrow_chart(scores);
        }
        Chart::fill(Rules::new(&self.inventory, scores.words(), self.single_root), scores, self.limit)
    }

    /// For scores that do not look at more of the window than they need.
    fn narrow_chart<'a, S: Semiring, T: TransitionScores + ?Sized>(
        &self,
        scores: &'a T,
    ) -> Result<Chart<'a, S, T>, TooManyItems> {
        Chart::fill(Rules::narrow(&self.inventory, scores.words(), self.single_root), scores, self.limit)
    }
}
