//! How good a tree with a given arc can be, for all arcs in O(n²).
//!
//! By the equation of [`duals`](super::duals), a tree T with the arc h → m scores at most best − slack(h →
//! m). Three things make that tighter, each a further arc that T must have, with another dependent, so that
//! its slack comes on top. Let T* be the best tree.
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
    pub(crate) fn bounds(&self, scores: &ArcScores, best: ScoredTree, single_root: bool) -> ArcBounds {
        let nodes = scores.len() + 1;
        let mut losses = slacks(scores, &best, self);
        tighten(&mut losses, &best, nodes, single_root);
        ArcBounds { best, nodes, losses, rounding: rounding(scores, self.depth()) }
    }
}

/// The slack of each arc, a row per dependent. Rounding makes none negative, and arcs of the tree have none.
fn slacks(scores: &ArcScores, best: &ScoredTree, workspace: &Workspace) -> Vec<f64> {
    let nodes = scores.len() + 1;
    let mut slacks = vec![f64::INFINITY; nodes * nodes];
    workspace.visit_arcs(|arc| {
        let price = if arc.head == 0 { workspace.root_price } else { 0.0 };
        let slack = arc.entered - scores.get(arc.head, arc.word) + price;
        slacks[arc.word * nodes + arc.head] = slack.max(0.0);
    });
    best.tree.arcs().for_each(|(head, word)| slacks[word * nodes + head] = 0.0);
    slacks
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

/// How far sums of scores may be off: a few rounding errors of the largest score for each word and each set
/// around it.
fn rounding(scores: &ArcScores, depth: usize) -> f64 {
    let words = scores.len();
    let sizes = (0..=words).flat_map(|head| scores.row(head)).map(|score| score.abs());
    let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
    4.0 * f64::EPSILON * largest * words as f64 * (depth + 2) as f64
}
