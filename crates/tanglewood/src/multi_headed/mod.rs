//! Exact inference for systems with bounded frames, as deduction: the specification.
//!
//! Gómez-Rodríguez, Carroll and Weir (2011) parse with items \[h₁ … h_m\], m ≤ K: all nodes between h₁ and h_m but the h's have their
//! heads. They combine two items that share an end, and link an inner node to another one of its item. Read as a transition system, h₁ … h_{m−1} is the top of
//! the stack and h_m the front of the buffer: items are the frames of [`Frames`](crate::transition::Frames). In that reading the same run has many
//! derivations, since a frame may be put together in any order, and a link made in a larger frame than it needs. Here every run
//! that `Frames` permits is derived in **exactly one way**, for any K and any semiring.
//!
//! **Items.** A *block* \[h₁ … h_m\], 2 ≤ m < K, says that some run takes the stack σ|h₁ with the buffer h₁+1… to the stack
//! σ|h₁…h_{m−1} with the buffer h_m…, in frames that reach no deeper than h₁, and that it cannot be divided: there is no inner node h
//! above which all frames reach no deeper than h. A *chain* \[h₁ … h_m\] is a block, or a block \[h₁ … v\], then the shift of v, then a chain \[v … h_m\].
//! The first v where a run can be divided is where its first block ends, so that each chain is put together in one way.
//!
//! **Rules.**
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
//! A reduce removes an inner node h_t; its head is another stack node of the frame, or h_m, or, with lookahead, any node from h_m on. The frame is a
//! chain of up to K nodes, and has to be the smallest that will do. Frames begin where blocks do. So the condition is that the nodes which the
//! reduce cannot do without — head, dependent, the node below the dependent — are **not all in what follows the first block**. What has been
//! removed is tied to h₁, above h_{t−1} as below it: the result is a block. The goal is \[0, n+1\].
//!
//! **Order.** Items depend on items that end earlier, or end where they end and start later, or have the same ends and more nodes. So right ends are taken in
//! ascending order, left ends in descending order, and blocks with many nodes before those with few.
//!
//! **One root, if asked for.** An arc from the root is the last step of the run, as in [`deduction`](crate::deduction): it is
//! made in the frame \[0, r, n+1\], and in no other.
//!
//! **What scores see.** The same frame would show more in some runs than in others. So a [`View`](crate::scores::View) shows what all frames for a reduce have in common:
//! the stack nodes from the top down to the deepest that the reduce cannot do without.
//!
//! **Costs.** With n words there are O(n^{K−1}) items and O(n^K) ways to combine them, the heads times as many again where any node ahead may be
//! one. The number of items is limited, see [`MultiHeaded::with_limit`].

mod chart;
mod inner;
mod outside;
mod unwind;

use crate::deduction::allowed::{AnyArc, ArcsOf};
use crate::deduction::rules::Rules;
use crate::deduction::{Deduction, Marginals, Proof, TooManyItems};
use crate::scores::TransitionScores;
use crate::semiring::{Additive, Boolean, Count, Log, Semiring, Viterbi};
use crate::system::{Direction, System};
use crate::{Derivation, Tree};
use chart::Chart;

/// The deduction system of a system with bounded frames.
///
/// Sums are over derivations: complete runs of the system. A tree may have many.
///
/// ```
/// use tanglewood::multi_headed::MultiHeaded;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::{System, Tree};
///
/// let crossing = Tree::from_heads(&[3, 4, 0, 3])?;
/// let mh4 = MultiHeaded::new(&System::named("mh4")?, true);
/// assert!(mh4.recognises(&crossing)?);
/// assert!(!MultiHeaded::new(&System::named("mh3")?, true).recognises(&crossing)?);
///
/// let mut scores = ArcScores::new(4);
/// crossing.arcs().try_for_each(|(head, dependent)| scores.set(head, dependent, 1.0))?;
/// let (score, derivation) = mh4.best(&scores)?.expect("no arc is forbidden");
/// assert_eq!(score, 4.0);
/// assert_eq!(derivation.tree()?, crossing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiHeaded {
    system: System,
    /// K
    frame: usize,
    single_root: bool,
    limit: usize,
}

impl MultiHeaded {
    /// The deduction system of a system with bounded frames. With `single_root`, exactly one word hangs from the root.
    ///
    /// # Panics
    /// If the system's frames are not bounded; [`Tabulation`](crate::tabulation::Tabulation) takes any system.
    pub fn new(system: &System, single_root: bool) -> MultiHeaded {
        let frame = system.frame().unwrap_or_else(|| panic!("`{system}` has no bound on frames"));
        MultiHeaded { system: system.clone(), frame, single_root, limit: Deduction::DEFAULT_LIMIT }
    }

    /// The same with another bound on the number of items, and so on memory.
    pub fn with_limit(self, limit: usize) -> MultiHeaded {
        MultiHeaded { limit, ..self }
    }

    /// How many nodes a frame may have.
    pub(crate) fn frame(&self) -> usize {
        self.frame
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
        Ok(self.total::<Boolean>(&ArcsOf::new(tree))?.0)
    }

    /// True if and only if the tree has a derivation in that direction.
    pub fn recognises_in(&self, direction: Direction, tree: &Tree) -> Result<bool, TooManyItems> {
        Ok((direction.reads_forward() && self.recognises(tree)?)
            || (direction.reads_backward() && self.recognises(&tree.mirrored())?))
    }

    /// How many derivations there are, of all trees with that many words.
    pub fn count(&self, words: usize) -> Result<Count, TooManyItems> {
        self.total(&AnyArc(words))
    }

    /// How many derivations a tree has.
    pub fn count_of_tree(&self, tree: &Tree) -> Result<Count, TooManyItems> {
        self.total(&ArcsOf::new(tree))
    }

    /// The best score and a derivation that has it, if there is any derivation.
    ///
    /// Among derivations with equal scores it is always the same one that is found.
    pub fn best(
        &self,
        scores: &(impl TransitionScores + ?Sized),
    ) -> Result<Option<(f64, Derivation)>, TooManyItems> {
        Ok(self.proof(scores)?.map(|proof| (proof.score(), proof.derivation())))
    }

    /// How the best derivation is deduced: its items, and the rules that give them.
    ///
    /// ```
    /// use tanglewood::multi_headed::MultiHeaded;
    /// use tanglewood::{System, Tree};
    /// let mh3 = MultiHeaded::new(&System::named("mh3")?, true);
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
    pub fn proof(&self, scores: &(impl TransitionScores + ?Sized)) -> Result<Option<Proof>, TooManyItems> {
        Ok(self.chart::<Viterbi<f64>, _>(scores)?.proof())
    }

    /// A proof that the tree has a derivation, if it has one.
    pub fn proof_of_tree(&self, tree: &Tree) -> Result<Option<Proof>, TooManyItems> {
        self.proof(&ArcsOf::new(tree))
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
        let rules = Rules::of_system(&self.system, scores.words(), self.single_root);
        Chart::fill(rules, self.frame, scores, self.limit)
    }
}
