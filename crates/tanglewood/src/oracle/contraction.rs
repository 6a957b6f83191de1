//! What is left of a tree when easy words are taken out, for systems with bounded frames.
//!
//! **Contraction.** Let y be a word without dependents, right beside its head x. Take y out. Repeat, with the
//! words that are left, until there is no such y. What remains is the *core*. Nothing but the root remains of
//! a projective tree, and little of most others.
//!
//! **Claim.** For frames of K ≥ 3 nodes, with or without lookahead, a tree has a run if and only if its core
//! has one. It is enough to show this for one y.
//!
//! *If the tree has a run, so has the tree without y.* Take a derivation of it, with items \[h₁ … h_m\] as in
//! [`deduction`](crate::deduction), and write x for y everywhere, and x once where it would then stand twice.
//! Since x and y are neighbours, and x is not removed before its dependent y, an item that reaches from one
//! side of the two to the other, or ends between them, has x wherever it has y. So ends become ends, items
//! that shared an end still do, no item grows, and \[x, y\] or \[y, x\] becomes \[x\], which changes nothing
//! where it is combined. The link of y is left out. A link of another word t goes through:
//!
//! - t is still an inner node of its frame. If t is x, then y has gone before, and its frame has not changed.
//! - Its head is not y, which has no dependents. Another head on the stack is still there, unless it is x and
//!   the frame ended in y; then it ends in x, which is its front and may be a head, too. A head in the buffer
//!   is at or behind the end of the frame, also when that was y and is now x.
//!
//! *If the tree without y has a run, so has the tree.* Let y be right of x, and z what follows. The
//! derivation begins at \[x, z\], the moment when x has just been shifted. Begin with \[x, y\], \[y, z\], and
//! link y in the frame \[x, y, z\] instead: shift y, then `s1>s0`. Let y be left of x, after p. Instead of
//! \[p, x\] begin with \[p, y\], \[y, x\], and link y in the frame \[p, y, x\]: when p has just been shifted,
//! shift y, then `b0>s0`. Neither frame has more than three nodes, nor reaches deeper than what it stands
//! for. ∎
//!
//! Whether one root is asked for makes no difference: every run of a tree with one root ends with the root's
//! arc.
//!
//! The second part says how to make a run of the tree from a run of the core: [`Core::lifted`].

use crate::Tree;
use crate::system::Address;
use crate::transition::Transition;

/// What is left of a tree.
pub(super) struct Core<'a> {
    whole: &'a Tree,
    /// The core, with its nodes renumbered.
    pub tree: Tree,
    /// The number in the whole tree of each node of the core; at the end, the number that stands for the
    /// empty buffer.
    nodes: Vec<u32>,
}

impl Core<'_> {
    /// Takes out all that can be taken out, in linear time.
    pub fn of(whole: &Tree) -> Core<'_> {
        let heads = whole.nodes();
        let mut missing = whole.dependent_counts();
        // The nodes that are left, as a list. Past the last is one more, which is no head.
        let mut next: Vec<u32> = (1..=heads.len() as u32).collect();
        let mut previous: Vec<u32> = (0..=heads.len() as u32).map(|node| node.saturating_sub(1)).collect();
        const GONE: u32 = u32::MAX;
        let mut promising: Vec<u32> = (1..heads.len() as u32).collect();
        while let Some(word) = promising.pop() {
            let at = word as usize;
            if word == 0 || at == heads.len() || missing[at] > 0 || next[at] == GONE {
                continue;
            }
            let (head, left, right) = (heads[at], previous[at], next[at]);
            if head != left && head != right {
                continue;
            }
            next[left as usize] = right;
            previous[right as usize] = left;
            next[at] = GONE;
            missing[head as usize] -= 1;
            // The head may have no more dependents now, and both have a new neighbour.
            promising.extend([left, right]);
        }
        let mut nodes: Vec<u32> =
            (0..heads.len() as u32).filter(|&node| next[node as usize] != GONE).collect();
        // Each node's number in the core, in the place of what is no longer needed.
        let mut numbers = previous;
        for (number, &node) in (0..).zip(&nodes) {
            numbers[node as usize] = number;
        }
        let core_heads = nodes.iter().map(|&node| numbers[heads[node as usize] as usize]).collect();
        nodes.push(heads.len() as u32);
        let tree = Tree::from_nodes(core_heads).expect("taking leaves out makes no cycle");
        Core { whole, tree, nodes }
    }

    /// A run of the core, or the beginning of one, as one of the whole tree: the words that were taken out
    /// are put back at once when the node of the core before them has been shifted.
    pub fn lifted(&self, run: &[Transition]) -> Vec<Transition> {
        let mut lifted = Lifted {
            heads: self.whole.nodes(),
            missing: self.whole.dependent_counts(),
            stack: Vec::new(),
            front: 0,
            transitions: Vec::with_capacity(2 * self.whole.len() + 1),
        };
        let mut shifted = 0;
        for &transition in run {
            match transition {
                Transition::Shift => {
                    lifted.shift();
                    shifted += 1;
                    lifted.put_back(self.nodes[shifted]);
                }
                Transition::Reduce { head: Address::Buffer(place), dependent } => {
                    let place = self.nodes[shifted + place] - lifted.front;
                    lifted.reduce(Address::Buffer(place as usize), dependent);
                }
                Transition::Reduce { head, dependent } => lifted.reduce(head, dependent),
            }
        }
        lifted.transitions
    }
}

/// A run of the whole tree so far.
struct Lifted<'a> {
    heads: &'a [u32],
    missing: Vec<u32>,
    stack: Vec<u32>,
    front: u32,
    transitions: Vec<Transition>,
}

impl Lifted<'_> {
    fn shift(&mut self) {
        self.stack.push(self.front);
        self.front += 1;
        self.transitions.push(Transition::Shift);
    }

    fn reduce(&mut self, head: Address, dependent: usize) {
        let node = self.stack.remove(self.stack.len() - 1 - dependent);
        self.missing[self.heads[node as usize] as usize] -= 1;
        self.transitions.push(Transition::Reduce { head, dependent });
    }

    /// Shifts and removes all words before `end`, the next node of the core: each as soon as it has its
    /// dependents and its head is beside it.
    fn put_back(&mut self, end: u32) {
        let bottom = self.stack.len();
        loop {
            let head = match self.stack[..] {
                [.., below, top] if self.stack.len() > bottom && self.missing[top as usize] == 0 => {
                    let head = self.heads[top as usize];
                    if head == below {
                        Some(Address::Stack(1))
                    } else {
                        (head == self.front).then_some(Address::Buffer(0))
                    }
                }
                _ => None,
            };
            match head {
                Some(head) => self.reduce(head, 0),
                None if self.front < end => self.shift(),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;
    use crate::deduction::Deduction;
    use crate::transition::Derivation;

    /// All trees with n words.
    fn all_trees(n: usize) -> impl Iterator<Item = Tree> {
        let codes = 0..(n + 1).pow(n as u32);
        codes.filter_map(move |code| {
            let heads: Vec<usize> = (0..n).map(|place| code / (n + 1).pow(place as u32) % (n + 1)).collect();
            Tree::from_heads(&heads).ok()
        })
    }

    /// The claim, for all trees with n words.
    fn a_tree_has_a_run_if_and_only_if_its_core_has_one(n: usize) {
        for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+", "mh6", "mh6+"] {
            let system = System::named(name).unwrap();
            let deduction = Deduction::new(&system);
            for tree in all_trees(n) {
                let core = Core::of(&tree);
                assert_eq!(deduction.recognises(&tree), deduction.recognises(&core.tree), "{name}: {tree:?}");
                if let Some(proof) = deduction.proof_of_tree(&core.tree).unwrap() {
                    let run = Derivation::new(n, core.lifted(proof.derivation().transitions()));
                    assert_eq!(run.tree_in_system(&system), Ok(tree), "{name}: {run}");
                }
            }
        }
    }

    #[test]
    fn a_tree_has_a_run_if_and_only_if_its_core_has_one_up_to_five_words() {
        (0..=5).for_each(a_tree_has_a_run_if_and_only_if_its_core_has_one);
    }

    #[test]
    #[ignore = "slow: all 16,807 trees with six words in eight systems"]
    fn a_tree_has_a_run_if_and_only_if_its_core_has_one_for_six_words() {
        a_tree_has_a_run_if_and_only_if_its_core_has_one(6);
    }

    #[test]
    fn cores_are_what_cannot_be_taken_out() {
        for tree in (0..=6).flat_map(all_trees) {
            let core = Core::of(&tree).tree;
            assert_eq!(core.is_empty(), crate::classes::is_projective(&tree), "{tree:?}");
            let leaf = |word: usize| core.arcs().all(|(head, _)| head != word);
            assert!(core.arcs().all(|(head, word)| head.abs_diff(word) > 1 || !leaf(word)), "{tree:?}");
        }
    }
}
