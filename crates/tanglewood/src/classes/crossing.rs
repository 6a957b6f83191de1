//! Which arcs cross.

use crate::Tree;

/// An arc as an interval of positions, with the dependent it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub left: u32,
    pub right: u32,
}

impl Span {
    /// True if and only if exactly one end of `other` lies strictly inside this span, and the other strictly
    /// outside.
    pub fn crosses(self, other: Span) -> bool {
        (self.left < other.left && other.left < self.right && self.right < other.right)
            || (other.left < self.left && self.left < other.right && other.right < self.right)
    }
}

/// The arcs of a tree as spans; entry m − 1 belongs to word m.
pub(super) fn spans(tree: &Tree) -> Vec<Span> {
    tree.arcs()
        .map(|(head, word)| Span { left: head.min(word) as u32, right: head.max(word) as u32 })
        .collect()
}

/// True if and only if no two arcs cross, root arcs included. Linear time.
///
/// An arc-standard parser that removes a word as soon as it has all its dependents and stands next to its
/// head succeeds on exactly the projective trees.
pub fn is_projective(tree: &Tree) -> bool {
    let heads = tree.nodes();
    let mut missing = tree.dependent_counts();
    let mut stack: Vec<u32> = Vec::with_capacity(heads.len());
    for node in 0..heads.len() as u32 {
        stack.push(node);
        while let [.., below, top] = stack[..] {
            if missing[top as usize] == 0 && heads[top as usize] == below {
                stack.pop();
                missing[below as usize] -= 1;
            } else if below != 0 && missing[below as usize] == 0 && heads[below as usize] == top {
                stack.pop();
                stack.pop();
                stack.push(top);
                missing[top as usize] -= 1;
            } else {
                break;
            }
        }
    }
    stack.len() == 1
}

/// Every pair of arcs that cross, each arc given by its dependent, the smaller dependent first. Quadratic
/// time.
///
/// ```
/// use tanglewood::{Tree, classes::crossing_pairs};
/// let tree = Tree::from_heads(&[3, 4, 0, 3])?;
/// // 3→1 crosses 4→2, and 4→2 crosses the root arc 0→3.
/// assert_eq!(crossing_pairs(&tree).collect::<Vec<_>>(), [(1, 2), (2, 3)]);
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
pub fn crossing_pairs(tree: &Tree) -> impl Iterator<Item = (usize, usize)> {
    let spans = spans(tree);
    let words = tree.len();
    (0..words).flat_map(move |first| {
        let this = spans[first];
        let later: Vec<usize> = (first + 1..words).filter(|&second| this.crosses(spans[second])).collect();
        later.into_iter().map(move |second| (first + 1, second + 1))
    })
}

/// For each word 1..=n, whether the arc to its head crosses another one; entry m − 1 belongs to word m.
pub fn crossing_arcs(tree: &Tree) -> Vec<bool> {
    let mut crosses = vec![false; tree.len()];
    for (first, second) in crossing_pairs(tree) {
        crosses[first - 1] = true;
        crosses[second - 1] = true;
    }
    crosses
}

/// Counts over the arcs of one or more trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArcStatistics {
    /// Arcs, root arcs included.
    pub arcs: u64,
    /// Arcs that cross at least one other arc.
    pub crossing: u64,
    /// Pairs of arcs that cross.
    pub pairs: u64,
    /// Sum of the distances between head and dependent.
    pub total_length: u64,
    /// Largest such distance.
    pub longest: u64,
}

impl ArcStatistics {
    /// The statistics of one tree.
    pub fn of(tree: &Tree) -> ArcStatistics {
        let mut statistics = ArcStatistics { arcs: tree.len() as u64, ..Default::default() };
        for (head, word) in tree.arcs() {
            let length = head.abs_diff(word) as u64;
            statistics.total_length += length;
            statistics.longest = statistics.longest.max(length);
        }
        if !is_projective(tree) {
            let mut crosses = vec![false; tree.len() + 1];
            for (first, second) in crossing_pairs(tree) {
                statistics.pairs += 1;
                crosses[first] = true;
                crosses[second] = true;
            }
            statistics.crossing = crosses.iter().filter(|&&crosses| crosses).count() as u64;
        }
        statistics
    }

    /// Adds the statistics of further trees.
    pub fn add(&mut self, other: &ArcStatistics) {
        self.arcs += other.arcs;
        self.crossing += other.crossing;
        self.pairs += other.pairs;
        self.total_length += other.total_length;
        self.longest = self.longest.max(other.longest);
    }
}
