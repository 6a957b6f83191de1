//! Gap degree.

use crate::Tree;

/// The largest number of gaps in any subtree's set of positions; 0 if and only if the tree is projective.
///
/// Time O(n · height): the subtrees that end a block of consecutive words at position p are those of p's
/// ancestors that do not contain p + 1.
pub fn gap_degree(tree: &Tree) -> usize {
    let n = tree.len();
    let mut blocks = vec![0u32; n + 1];
    let mut above_next = vec![0u32; n + 1];
    for position in 1..=n {
        if position < n {
            for ancestor in ancestors(tree, position + 1) {
                above_next[ancestor] = position as u32;
            }
        }
        for ancestor in ancestors(tree, position).take_while(|&node| above_next[node] != position as u32) {
            blocks[ancestor] += 1;
        }
    }
    blocks.into_iter().max().unwrap_or(1).max(1) as usize - 1
}

/// A word and the words above it, up to but without node 0.
pub(super) fn ancestors(tree: &Tree, word: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(word), |&word| Some(tree.head(word)).filter(|&head| head != 0))
}
