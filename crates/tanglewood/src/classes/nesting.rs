//! Well-nestedness.

use super::gap::ancestors;
use crate::Tree;

/// True if and only if no two disjoint subtrees interleave (l1 < l2 < r1 < r2 with l1, r1 in one and l2, r2
/// in the other).
///
/// If two disjoint subtrees interleave, so do the two subtrees of siblings that contain them; so it is enough
/// to look, for each node, at the order in which the subtrees of its dependents take turns. Time O(n ·
/// height).
pub fn is_well_nested(tree: &Tree) -> bool {
    let n = tree.len();
    let mut left_to_see = vec![0u32; n + 1];
    for position in 1..=n {
        for ancestor in ancestors(tree, position) {
            left_to_see[ancestor] += 1;
        }
    }
    // unfinished[h]: dependents of h whose subtrees have begun, the one that speaks now on top.
    let mut unfinished: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    for position in 1..=n {
        for sibling in ancestors(tree, position) {
            let turns = &mut unfinished[tree.head(sibling)];
            if turns.last() != Some(&sibling) {
                while turns.last().is_some_and(|&other| left_to_see[other] == 0) {
                    turns.pop();
                }
                if turns.last() != Some(&sibling) {
                    if turns.contains(&sibling) {
                        return false;
                    }
                    turns.push(sibling);
                }
            }
            left_to_see[sibling] -= 1;
        }
    }
    true
}
