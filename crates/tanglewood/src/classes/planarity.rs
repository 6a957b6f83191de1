//! Planarity and 2-planarity.

use super::crossing::{crossing_pairs, spans};
use crate::Tree;

/// True if and only if no two arcs between words cross. Root arcs are left out: with them, planar means
/// projective.
pub fn is_planar(tree: &Tree) -> bool {
    // Sweep over positions; arcs that are open must close in reverse order of opening.
    let spans: Vec<_> = spans(tree).into_iter().filter(|span| span.left != 0).collect();
    let mut opening = vec![Vec::new(); tree.len() + 1];
    for span in &spans {
        opening[span.left as usize].push(span.right);
    }
    let mut open: Vec<u32> = Vec::new();
    for (position, rights) in opening.iter_mut().enumerate() {
        while open.last() == Some(&(position as u32)) {
            open.pop();
        }
        rights.sort_unstable_by(|a, b| b.cmp(a));
        if let (Some(&longest), Some(&innermost)) = (rights.first(), open.last())
            && longest > innermost
        {
            return false;
        }
        open.extend_from_slice(rights);
    }
    true
}

/// True if and only if the arcs, root arcs included, can be split into two sets without crossings inside a
/// set.
///
/// That is to say: the graph whose nodes are arcs and whose edges are crossings is bipartite.
pub fn is_two_planar(tree: &Tree) -> bool {
    let mut colours = Colours::new(tree.len() + 1);
    crossing_pairs(tree).all(|(first, second)| colours.differ(first, second))
}

/// Union-find in which every element knows whether it has its representative's colour or the other one.
struct Colours {
    parent: Vec<u32>,
    unlike_parent: Vec<bool>,
}

impl Colours {
    fn new(elements: usize) -> Colours {
        Colours { parent: (0..elements as u32).collect(), unlike_parent: vec![false; elements] }
    }

    /// The representative of an element, and whether their colours differ. Halves paths on the way.
    fn find(&mut self, mut element: usize) -> (usize, bool) {
        let mut unlike = false;
        loop {
            let parent = self.parent[element] as usize;
            if parent == element {
                return (element, unlike);
            }
            let grandparent = self.parent[parent];
            let to_grandparent = self.unlike_parent[element] ^ self.unlike_parent[parent];
            if grandparent as usize != parent {
                self.parent[element] = grandparent;
                self.unlike_parent[element] = to_grandparent;
            }
            unlike ^= self.unlike_parent[element];
            element = self.parent[element] as usize;
        }
    }

    /// Requires that two elements have different colours; false if that contradicts what was required before.
    fn differ(&mut self, first: usize, second: usize) -> bool {
        let (a, a_unlike) = self.find(first);
        let (b, b_unlike) = self.find(second);
        if a == b {
            return a_unlike != b_unlike;
        }
        self.parent[a] = b as u32;
        self.unlike_parent[a] = a_unlike == b_unlike;
        true
    }
}
