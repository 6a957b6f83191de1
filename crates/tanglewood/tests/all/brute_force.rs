//! Twins: the definitions, written out as directly as possible, for small sentences.

use std::collections::{HashMap, HashSet};

use tanglewood::Tree;
use tanglewood::system::{Inventory, Reduce, Slot};

/// All trees with n words.
pub fn all_trees(n: usize) -> Vec<Tree> {
    let mut heads = vec![0; n];
    let mut trees = Vec::new();
    loop {
        trees.extend(Tree::from_heads(&heads));
        // Count upwards in base n + 1.
        let Some(place) = heads.iter().position(|&head| head < n) else { return trees };
        heads[place] += 1;
        heads[..place].fill(0);
    }
}

/// How many complete transition sequences build each tree that an inventory can build.
pub fn derivation_counts(inventory: &Inventory, n: usize) -> HashMap<Vec<usize>, u64> {
    let mut counts = HashMap::new();
    let mut heads = vec![usize::MAX; n + 1];
    extend_run(inventory, n, &[], 0, &mut heads, &mut |heads| {
        *counts.entry(heads[1..].to_vec()).or_insert(0) += 1
    });
    counts
}

/// All runs from one configuration.
fn extend_run(
    inventory: &Inventory,
    n: usize,
    stack: &[usize],
    front: usize,
    heads: &mut Vec<usize>,
    finish: &mut impl FnMut(&[usize]),
) {
    if front == n + 1 && stack == [0] {
        finish(heads);
    }
    if front <= n {
        let pushed: Vec<usize> = stack.iter().copied().chain([front]).collect();
        extend_run(inventory, n, &pushed, front + 1, heads, finish);
    }
    for &Reduce { head, dependent } in inventory.reduces() {
        let from_top = |place: u8| stack.len().checked_sub(usize::from(place) + 1);
        let Some(at) = from_top(dependent).filter(|&at| stack[at] != 0) else { continue };
        let candidates: Vec<usize> = match head {
            Slot::Stack(place) => from_top(place).map(|at| stack[at]).into_iter().collect(),
            Slot::Buffer(place) => {
                Some(front + usize::from(place)).filter(|&node| node <= n).into_iter().collect()
            }
            Slot::Ahead => (front..=n).collect(),
        };
        for candidate in candidates {
            let removed = stack[at];
            let rest: Vec<usize> = stack.iter().copied().filter(|&node| node != removed).collect();
            heads[removed] = candidate;
            extend_run(inventory, n, &rest, front, heads, finish);
            heads[removed] = usize::MAX;
        }
    }
}

/// Whether some run builds this tree: breadth-first over sets of configurations, with no memory of what is
/// wise.
pub fn some_run_builds(inventory: &Inventory, tree: &Tree) -> bool {
    let n = tree.len();
    let mut level: HashSet<(Vec<usize>, usize)> = HashSet::from([(Vec::new(), 0)]);
    for _ in 0..=2 * n {
        let mut next = HashSet::new();
        for (stack, front) in &level {
            if *front <= n {
                next.insert((stack.iter().copied().chain([*front]).collect(), front + 1));
            }
            for &Reduce { head, dependent } in inventory.reduces() {
                let from_top =
                    |place: u8| stack.len().checked_sub(usize::from(place) + 1).map(|at| stack[at]);
                let Some(node) = from_top(dependent).filter(|&node| node != 0) else { continue };
                let wanted = tree.head(node);
                let visible = match head {
                    Slot::Stack(place) => from_top(place) == Some(wanted),
                    Slot::Buffer(place) => front + usize::from(place) == wanted,
                    Slot::Ahead => wanted >= *front,
                };
                let complete = (1..=n)
                    .filter(|&word| tree.head(word) == node)
                    .all(|word| word < *front && !stack.contains(&word));
                if visible && complete {
                    next.insert((stack.iter().copied().filter(|&other| other != node).collect(), *front));
                }
            }
        }
        level = next;
    }
    level.contains(&(vec![0], n + 1))
}

/// The inventory whose reduces are the bits of `bits`, out of the nine of R.
pub fn subset_of_r(bits: usize) -> Option<Inventory> {
    const R: [&str; 9] = ["s0>s1", "s1>s0", "s0>s2", "s2>s0", "s1>s2", "s2>s1", "b0>s0", "b0>s1", "b0>s2"];
    let pairs: Vec<&str> = (0..9).filter(|bit| bits >> bit & 1 == 1).map(|bit| R[bit]).collect();
    pairs.join(" ").parse().ok()
}

/// A small generator of pseudo-random numbers (splitmix64), so that tests repeat exactly.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % limit as u64) as usize
    }

    /// A random tree: words in random order, each hung from a word before it in that order, the first from
    /// the root.
    pub fn tree(&mut self, n: usize) -> Tree {
        let mut order: Vec<usize> = (1..=n).collect();
        for at in (1..n).rev() {
            order.swap(at, self.below(at + 1));
        }
        let mut heads = vec![0; n];
        for at in 1..n {
            heads[order[at] - 1] = order[self.below(at)];
        }
        Tree::from_heads(&heads).expect("heads come earlier in the order")
    }
}
