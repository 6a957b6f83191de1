//! Exact inference as deduction: the specification.
//!
//! All runs of a transition system are tabulated for any system and any semiring, with a hash table where a
//! fast chart has an array. What that gives up in speed it returns in being short enough to be compared with
//! the papers, and in paying only for items that can be derived. `docs/inference.md` explains items and rules
//! and says whose they are. Every complete run is derived **in exactly one way**, so that counting
//! derivations counts runs. In both systems of items, heads ahead are one more index of every combination.
//!
//! # Windows
//!
//! Let D be the depth of the inventory (1 at least): its reduces see the stack slots s0..sD. An item of
//! degree D says that some run, one transition long at least, takes the stack σ|h₁…h_{D−1} with the buffer i…
//! to the stack σ|g₁…g_D with the buffer j…, and neither looks at σ nor comes back to the stack size it
//! started with. Near the bottom of the stack nodes are missing; they are written ε.
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
//! A [`View`](crate::scores::View) shows three stack nodes at least. For an inventory that needs only two, D
//! is therefore 2 with scores of whole windows, and 1 with arc scores, to which the third node makes no
//! difference. With n words there are O(n^{2D+1}) items and O(n^{3D+2}) ways to combine them.
//!
//! # Frames
//!
//! With frames of up to K nodes, a *block* \[h₁ … h_m\], 2 ≤ m < K, says that some run takes the stack σ|h₁
//! with the buffer h₁+1… to the stack σ|h₁…h_{m−1} with the buffer h_m…, in
//! [`Frames`](crate::transition::Frames) that reach no deeper than h₁, and that it cannot be divided: there
//! is no inner node h above which all frames reach no deeper than h. A *chain* is a block, or a block \[h₁ …
//! v\], then the shift of v, then a chain \[v … h_m\]. The first v where a run can be divided is where its
//! first block ends, so that each chain is put together in one way.
//!
//! ```text
//!             sh    for 0 ≤ i ≤ n
//! [i, i+1]
//!
//! block [h₁…v]   chain [v…h_m]
//! ----------------------------  co    m ≤ K
//! chain [h₁…h_m]
//!
//! frame [h₁…h_m]
//! ------------------------  re(head,dependent)    m ≤ K
//! block [h₁…h_m less h_t]
//! ```
//!
//! The frame of a reduce is a chain of up to K nodes, and has to be the smallest that will do. Frames begin
//! where blocks do. So the condition is that the nodes which the reduce cannot do without (head, dependent,
//! the node below the dependent) are **not all in what follows the first block**. What has been removed is
//! tied to h₁: the result is a block. The same frame would show more in some runs than in others. So a
//! [`View`](crate::scores::View) shows what all frames for a reduce have in common: the stack nodes from the
//! top down to the deepest that the reduce cannot do without. With n words there are O(n^{K−1}) items and
//! O(n^K) ways to combine them.

mod engine;
mod estimate;
mod items;
mod outside;
mod proof;
pub(crate) mod rules;
mod stacks;
mod unwind;

pub use engine::SparseChart;
pub use estimate::Estimate;
pub use proof::{Item, Proof, ProofStep, Rule};

use std::cell::RefCell;

use crate::scores::{ArcScores, KeptScores, TransitionScores, WithinTree};
use crate::semiring::{Boolean, Count, Real, Semiring, Viterbi, Wide};
use crate::system::{Direction, System};
use crate::{Derivation, Tree};
use engine::Budget;
use items::ItemSystem;
use rules::Rules;
use stacks::Stacks;

/// The deduction system of a transition system.
///
/// Sums are over derivations: complete runs of the system. A tree may have many.
///
/// ```
/// use tanglewood::deduction::Deduction;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::{System, Tree};
///
/// let crossing = Tree::from_heads(&[3, 4, 0, 3])?;
/// let attardi = Deduction::new(&System::named("attardi")?);
/// assert!(attardi.recognises(&crossing)?);
/// assert_eq!(attardi.count(3)?.0, 28);
/// assert!(!Deduction::new(&System::named("mh3")?).recognises(&crossing)?);
///
/// let mut scores = ArcScores::new(4);
/// for (head, dependent) in crossing.arcs() {
///     scores.set(head, dependent, 1.0)?;
/// }
/// let mh4 = Deduction::new(&System::named("mh4")?).single_root(true);
/// let (score, derivation) = mh4.best(&scores)?.expect("no arc is forbidden");
/// assert_eq!(score, 4.0);
/// assert_eq!(derivation.tree()?, crossing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deduction {
    system: System,
    single_root: bool,
    limit: usize,
    /// Whether it ends, as if there were too many items, where the work of this thread is to stop.
    watched: bool,
}

/// A deduction outgrew its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the deduction for {words} words has more than {limit} items, or takes more than {} steps for each; \
     forbid arcs, raise the limit, or use a smaller inventory",
    Deduction::STEPS_PER_ITEM
)]
pub struct TooManyItems {
    /// Length of the sentence.
    pub words: usize,
    /// The largest number of items that would have been fine.
    pub limit: usize,
}

/// The semirings that charts are compiled for, all within this library.
pub trait SparseSemiring: Semiring {
    #[doc(hidden)]
    fn fill<'a>(of: &Deduction, scores: KeptScores<'a>) -> Result<SparseChart<'a, Self>, TooManyItems>;
}

macro_rules! sparse_semirings {
    ($($semiring:ty),*) => {$(
        impl SparseSemiring for $semiring {
            fn fill<'a>(
                of: &Deduction,
                scores: KeptScores<'a>,
            ) -> Result<SparseChart<'a, Self>, TooManyItems> {
                let narrow = scores.as_arcs().is_some();
                of.chart(scores, narrow)
            }
        }
    )*};
}

#[cfg(feature = "all-semirings")]
sparse_semirings!(crate::semiring::Log, Viterbi<f32>);
sparse_semirings!(Boolean, Count, Real, Viterbi<f64>, Wide);

impl Deduction {
    /// The largest number of items a deduction may have unless told otherwise.
    pub const DEFAULT_LIMIT: usize = 50_000_000;

    /// Bytes of memory that an item takes, about, with weights of eight bytes. Measured while charts are
    /// filled, when they take most.
    pub const BYTES_PER_ITEM: u64 = 40;

    /// Steps that may be taken for each item of the limit. Where few arcs are allowed there are fewer steps
    /// than items.
    pub const STEPS_PER_ITEM: u64 = 16;

    /// The deduction system of a transition system. Any number of words may hang from the root.
    pub fn new(system: &System) -> Deduction {
        let (single_root, limit, watched) = (false, Deduction::DEFAULT_LIMIT, false);
        Deduction { system: system.clone(), single_root, limit, watched }
    }

    /// Whether exactly one word hangs from the root.
    pub fn single_root(self, single_root: bool) -> Deduction {
        Deduction { single_root, ..self }
    }

    /// Sets the largest number of items, and so bounds memory. Time is bounded by
    /// [`Deduction::STEPS_PER_ITEM`].
    pub fn limit(self, limit: usize) -> Deduction {
        Deduction { limit, ..self }
    }

    /// Has it end, as if there were too many items, where the work of this thread is to [stop](crate::stop).
    pub(crate) fn watched(self) -> Deduction {
        Deduction { watched: true, ..self }
    }

    /// Lowers the largest number of items.
    pub(crate) fn at_most(self, limit: usize) -> Deduction {
        Deduction { limit: limit.min(self.limit), ..self }
    }

    /// The memory that has to be allowed for a sentence of `words` words if nothing is forbidden, about: that
    /// of the items or, if more, of as many items as its steps need. Saturates.
    pub fn bytes(&self, words: usize) -> u64 {
        let Estimate { items, steps } = self.estimate(words);
        (items.max(steps / Deduction::STEPS_PER_ITEM as f64) * Deduction::BYTES_PER_ITEM as f64) as u64
    }

    /// The number of nodes a frame may have, if that is bounded.
    pub(crate) fn frame(&self) -> Option<usize> {
        self.system.frame()
    }

    /// The largest stack slot of windows; `narrow` ones show no more than the inventory's own slots, for
    /// scores to which the rest makes no difference.
    fn degree(&self, narrow: bool) -> usize {
        self.system.inventory().depth().max(if narrow { 1 } else { 2 })
    }

    /// Derives all items; `narrow` is for scores that do not look at more of the window than they need.
    fn chart<'a, S: Semiring>(
        &self,
        scores: impl Into<KeptScores<'a>>,
        narrow: bool,
    ) -> Result<SparseChart<'a, S>, TooManyItems> {
        let scores = scores.into();
        let (words, limit) = (scores.words(), self.limit);
        let too_many = TooManyItems { words, limit };
        if self.certainly_too_large(words, narrow)
            && scores.as_arcs().is_some_and(|arcs| !arcs.has_forbidden_arcs())
        {
            return Err(too_many);
        }
        let rules = Rules::of_system(&self.system, words, self.single_root).with_degree(self.degree(narrow));
        let stacks = RefCell::new(Stacks::new(rules.degree()));
        let items = ItemSystem { rules, frame: self.frame(), stacks };
        let steps = (limit as u64).saturating_mul(Deduction::STEPS_PER_ITEM);
        // Items refer to stacks by 32-bit numbers, and may need two new ones each.
        let budget = Budget { items: limit.min(1 << 30), steps, watched: self.watched };
        SparseChart::within(items, scores, budget).ok_or(too_many)
    }

    /// Derives all items, for several questions about the same scores.
    ///
    /// # Errors
    /// If there are too many items; at once if that is certain. So for all methods below.
    pub fn fill<'a, S: SparseSemiring>(
        &self,
        scores: impl Into<KeptScores<'a>>,
    ) -> Result<SparseChart<'a, S>, TooManyItems> {
        S::fill(self, scores.into())
    }

    /// The sum of the weights of all derivations; a derivation's weight is the product over its transitions.
    pub fn total<S: SparseSemiring>(&self, scores: &dyn TransitionScores) -> Result<S, TooManyItems> {
        Ok(self.fill(scores)?.total())
    }

    /// True if and only if the tree has a derivation, from left to right.
    pub fn recognises(&self, tree: &Tree) -> Result<bool, TooManyItems> {
        Ok(self.chart::<Boolean>(&WithinTree::new(None, tree), true)?.total().0)
    }

    /// True if and only if the tree has a derivation in that direction.
    pub fn recognises_in(&self, direction: Direction, tree: &Tree) -> Result<bool, TooManyItems> {
        Ok((direction.reads_forward() && self.recognises(tree)?)
            || (direction.reads_backward() && self.recognises(&tree.mirrored())?))
    }

    /// The number of derivations of all trees with that many words.
    pub fn count(&self, words: usize) -> Result<Count, TooManyItems> {
        Ok(self.chart::<Count>(&ArcScores::new(words), true)?.total())
    }

    /// The best score and a derivation that has it, if there is any derivation.
    ///
    /// Among derivations with equal scores it is always the same one that is found; see [`Deduction::proof`].
    pub fn best(&self, scores: &dyn TransitionScores) -> Result<Option<(f64, Derivation)>, TooManyItems> {
        Ok(self.proof(scores)?.map(|proof| (proof.score(), proof.derivation())))
    }

    /// How the best derivation is deduced: its items, and the rules that give them.
    ///
    /// Where several last steps give an item the same score, one inside its cell is taken first, then the one
    /// with the shortest second premise; among those, the one with the premises that are first in their
    /// cells; then the first reduce in the order of the inventory, with the head nearest to the front of the
    /// buffer. The same input always gives the same proof.
    ///
    /// ```
    /// use tanglewood::deduction::Deduction;
    /// use tanglewood::{System, Tree};
    /// let mh3 = Deduction::new(&System::named("mh3")?);
    /// let proof = mh3.proof_of_tree(&Tree::from_heads(&[2, 0])?)?.expect("the tree is projective");
    /// let printed = "\
    /// 1. [0, 1]     sh
    /// 2. [1, 2]     sh
    /// 3. [0, 1, 2]  co         from 1, 2
    /// 4. [0, 2]     re(b0,s0)  from 3
    /// 5. [2, 3]     sh
    /// 6. [0, 2, 3]  co         from 4, 5
    /// 7. [0, 3]     re(s1,s0)  from 6
    /// ";
    /// assert_eq!(proof.to_string(), printed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn proof(&self, scores: &dyn TransitionScores) -> Result<Option<Proof>, TooManyItems> {
        Ok(self.fill::<Viterbi<f64>>(scores)?.proof())
    }

    /// A proof that the tree has a derivation, if it has one.
    pub fn proof_of_tree(&self, tree: &Tree) -> Result<Option<Proof>, TooManyItems> {
        Ok(self.chart::<Viterbi<f64>>(&WithinTree::new(None, tree), true)?.proof())
    }
}
