//! How good a tree with a given arc can be, for all arcs in O(n²).
//!
//! **Why the best tree is best.** There are prices that every tree has to pay (the dual of Edmonds' linear
//! program). Let y(C) be the value of the arc that was chosen for node C when it was on top, a word or a
//! contracted set; less the price λ of root arcs if it comes from the root. Two things hold:
//!
//! 1. No arc h → m is worth more than the sum of y(C) over the sets C that it enters, those with m and
//!    without h. The largest of them chose its arc among others from what was left of h → m when smaller sets
//!    had taken theirs; and for later λ the choice is still the best, or λ would have changed it. What is
//!    missing, sum − score (+ λ if h is the root), is the **slack** of the arc. It is never negative, and 0
//!    for all chosen arcs.
//! 2. For contracted sets y(C) ≤ 0: the arcs of the cycle were the best, so an arc that replaces one of them
//!    gains nothing.
//!
//! A tree T enters each word once and each set at least once, so, with λ if there has to be a single root,
//!
//! > score(T) = Σ y(C) + λ − Σ slack(arcs of T) − Σ |y(C)| · (times T enters C − 1).
//!
//! The best tree has slack 0 and enters each set once, so its score is Σ y(C) + λ, and every tree's score is
//!
//! > **score(T) = best − Σ slack(arcs of T) − Σ |y(C)| · (times T enters C − 1).**
//!
//! **Bounds.** So a tree T with the arc h → m scores at most best − slack(h → m). Three things make that
//! tighter, each a further arc that T must have, with another dependent, so that its slack comes on top. Let
//! T* be the best tree.
//!
//! * If m is above h in T*, then T must not keep all arcs of T* on the way from m down to h, or there would
//!   be a cycle: some word on that way, not m itself, has another head. So the smallest slack of another
//!   head, over those words, is lost as well.
//! * With a single root: if h is the root and T* has another word ρ there, then ρ has a word as its head in
//!   T; so the smallest slack of an arc from a word to ρ is lost as well.
//! * With a single root: if m is the word at the root of T* and h a word, then T has another word at the
//!   root; so the smallest slack of those root arcs is lost as well. This is instead of the first loss,
//!   whichever is larger, since the two arcs may be one.
//!
//! The bound is a bound, not the score of the best tree with that arc: T may have to lose more. It is the
//! best score for all arcs of T*.

use std::ops::Range;

use super::contraction::Workspace;
use super::{NoTree, ScoredTree, Spanning};
use crate::scores::ArcScores;

/// For each arc a number that the score of no tree with that arc exceeds.
///
/// ```
/// use tanglewood::{scores::ArcScores, spanning::Spanning};
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 1, 3.0)?;
/// scores.set(1, 2, 2.0)?;
/// let bounds = Spanning::new().bounds(&scores)?;
/// assert_eq!(bounds.best().score, 5.0);
/// assert_eq!(bounds.get(1, 2), 5.0);
/// // The other tree, 0 → 2 → 1, has a score of 0. No tree that is better than 1 has its arcs.
/// assert!(!bounds.may_reach(2, 1, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArcBounds {
    best: ScoredTree,
    nodes: usize,
    /// What a tree with an arc loses against the best, a row per dependent.
    losses: Vec<f64>,
    rounding: f64,
}

impl ArcBounds {
    /// The best tree.
    pub fn best(&self) -> &ScoredTree {
        &self.best
    }

    /// The bound for an arc: −∞ if it is forbidden or there is no such arc, the score of the best tree if it
    /// is part of it.
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        if head < self.nodes && dependent < self.nodes {
            self.best.score - self.losses[dependent * self.nodes + head]
        } else {
            f64::NEG_INFINITY
        }
    }

    /// False only if no tree with this arc has that score or more, rounding errors included: such an arc can
    /// be dropped once a tree with that score is known.
    pub fn may_reach(&self, head: usize, dependent: usize, score: f64) -> bool {
        self.get(head, dependent) + self.rounding >= score
    }

    /// How far rounding may have moved a bound.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }
}

impl Spanning {
    /// The best tree, and how good a tree with any other arc could be, in O(n²).
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn bounds(&self, scores: &ArcScores) -> Result<ArcBounds, NoTree> {
        self.bounds_with(scores, &mut Workspace::new())
    }

    /// The same, in memory that was used before.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn bounds_with(&self, scores: &ArcScores, workspace: &mut Workspace) -> Result<ArcBounds, NoTree> {
        let best = self.best_with(scores, workspace)?;
        Ok(workspace.bounds(scores, best, self.single_root))
    }
}

impl Workspace {
    /// Bounds from the solution that was found last, which must be that of these scores.
    pub(crate) fn bounds(&mut self, scores: &ArcScores, best: ScoredTree, single_root: bool) -> ArcBounds {
        self.make_nodes();
        let nodes = scores.len() + 1;
        let mut losses = self.slacks(scores, &best);
        tighten(&mut losses, &best, nodes, single_root);
        ArcBounds { best, nodes, losses, rounding: self.rounding(scores) }
    }

    /// The slack of each arc, a row per dependent. Rounding makes none negative, and arcs of the tree have
    /// none.
    fn slacks(&self, scores: &ArcScores, best: &ScoredTree) -> Vec<f64> {
        let nodes = scores.len() + 1;
        let mut slacks = vec![f64::INFINITY; nodes * nodes];
        let order = Order::new(self);
        for word in 1..nodes {
            let slacks = &mut slacks[word * nodes..][..nodes];
            // Each set around the word has heads that are in no smaller one.
            let (mut node, mut entered) = (word, self.price(word));
            loop {
                let set = self.nodes[node].parent as usize;
                let (whole, inner) = (&order.places[set], &order.places[node]);
                for place in (whole.start..inner.start).chain(inner.end..whole.end) {
                    let head = order.words[place];
                    slacks[head] = (entered - scores.get(head, word)).max(0.0);
                }
                if set == 0 {
                    break;
                }
                entered += self.price(set).min(0.0);
                node = set;
            }
            slacks[0] = (entered - scores.get(0, word) + self.root_price).max(0.0);
        }
        best.tree.arcs().for_each(|(head, word)| slacks[word * nodes + head] = 0.0);
        slacks
    }

    /// y(C) for a node C.
    fn price(&self, node: usize) -> f64 {
        let from_root = self.nodes[node].source == 0;
        self.nodes[node].value - if from_root { self.root_price } else { 0.0 }
    }

    /// How far sums of scores may be off: a few rounding errors of the largest score for each word and each
    /// set around it.
    fn rounding(&self, scores: &ArcScores) -> f64 {
        // Sets come after what they contain.
        let mut depths = vec![0; self.nodes.len()];
        for node in (1..self.nodes.len()).rev() {
            depths[node] = depths[self.nodes[node].parent as usize] + 1;
        }
        let depth = depths.into_iter().max().unwrap_or(0).max(1);
        4.0 * f64::EPSILON * scores.largest() * scores.len() as f64 * (depth + 2) as f64
    }
}

/// An order of the words in which each set is contiguous, and where it is. Place 0 has all words.
struct Order {
    words: Vec<usize>,
    places: Vec<Range<usize>>,
}

impl Order {
    fn new(workspace: &Workspace) -> Order {
        let mut order = Order { words: Vec::new(), places: vec![0..workspace.words; workspace.nodes.len()] };
        // Each node twice: on the way in, and, as a negative number, on the way out.
        let mut pending: Vec<i64> = workspace.outermost().map(|node| node as i64).collect();
        while let Some(next) = pending.pop() {
            let node = next.unsigned_abs() as usize;
            if next < 0 {
                order.places[node].end = order.words.len();
                continue;
            }
            order.places[node].start = order.words.len();
            pending.push(-next);
            if node <= workspace.words {
                order.words.push(node);
            }
            pending.extend(workspace.children(node).map(|child| child as i64));
        }
        order
    }
}

/// Adds to each arc's slack what else a tree with that arc loses.
fn tighten(losses: &mut [f64], best: &ScoredTree, nodes: usize, single_root: bool) {
    let tree = &best.tree;
    let smallest = |slacks: &mut dyn Iterator<Item = f64>| slacks.fold(f64::INFINITY, f64::min);
    // For each word the smallest slack of another head.
    let others: Vec<f64> = (0..nodes)
        .map(|word| {
            let heads = (0..nodes).filter(|&head| word != 0 && head != tree.head(word));
            smallest(&mut heads.map(|head| losses[word * nodes + head]))
        })
        .collect();
    let mut further = vec![0.0; nodes * nodes];
    // From each word upwards: the words on the way lose at least the smallest of those passed.
    for word in 1..nodes {
        let (mut at, mut smallest) = (word, f64::INFINITY);
        while tree.head(at) != 0 {
            smallest = f64::min(smallest, others[at]);
            at = tree.head(at);
            further[at * nodes + word] = smallest;
        }
    }
    if let (true, Some(root)) = (single_root, tree.roots().next()) {
        let instead = smallest(&mut (1..nodes).map(|head| losses[root * nodes + head]));
        let elsewhere =
            smallest(&mut (1..nodes).filter(|&word| word != root).map(|word| losses[word * nodes]));
        for word in 1..nodes {
            if word != root {
                further[word * nodes] = instead;
                further[root * nodes + word] = f64::max(further[root * nodes + word], elsewhere);
            }
        }
    }
    losses.iter_mut().zip(further).for_each(|(loss, further)| *loss += further);
}
