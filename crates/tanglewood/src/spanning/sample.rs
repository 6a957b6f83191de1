//! Trees drawn with their probabilities, in O(n²) or little more for each, after one elimination for all of
//! them.
//!
//! The words come back one after the other, in the reverse order of their [elimination](super::elimination).
//! Before k is back, the arc h → m weighs w(h → m) + w(h → k) · w(k → m) / D(k); so an arc of the tree so far
//! leads through k with the probability that the second term has. Let S be the words whose arcs do, and cut
//! these arcs. Words of S now hang from k; k itself takes a head among the nodes that are still connected to
//! the root, by weight. To see that this is right, let a(S) be the weight of those heads of k. The trees so
//! far that are cut to the same forest weigh a(S) · D(k)^(|S| − 1) / D(k)^|S| times the weights of the forest
//! and of the arcs from k (a sum over forests of forests, as in Cayley's formula), and D(k) comes as a factor
//! of the determinant: what is left is a(S), as it should be.
//!
//! An arc need not be looked at for each k. Its weight is a sum of the weight that it had at first and of one
//! term for each k that came later; one draw says which k is the first that the arc leads through, if any.

use super::elimination::{ArcWeights, TreeWeight};
use super::sums::TreeSums;
use crate::Tree;
use crate::random::Random;

/// A place drawn by its weight.
fn choose<S: TreeWeight>(places: usize, weight: impl Fn(usize) -> S, random: &mut Random) -> usize {
    let whole = (0..places).fold(S::ZERO, |sum, place| sum.plus(weight(place)));
    let mut left = random.uniform();
    let mut drawn = 0;
    for place in 0..places {
        let share = S::share(weight(place), whole);
        // Rounding may leave something at the end, but never draws what is impossible.
        if share > 0.0 {
            drawn = place;
            left -= share;
            if left < 0.0 {
                break;
            }
        }
    }
    drawn
}

impl<S: TreeWeight> TreeSums<S> {
    /// A tree drawn by its weight; none if numbers left their range.
    pub fn draw(&self, random: &mut Random) -> Option<Tree> {
        let ArcWeights { size, stride, root_counts, .. } = self.weights;
        let left = &self.eliminated.left;
        let passed =
            |head: usize, word: usize| self.eliminated.passed(word)[if head == size { stride } else { head }];
        // The first word from a number on that an arc leads through; the number of words if there is none.
        let through = |head: usize, word: usize, from: usize, random: &mut Random| {
            let weight = |at: usize| match at.checked_sub(1) {
                None => self.weights.get(head, word),
                Some(at) => passed(head, from + at).times(left.get(from + at, word)),
            };
            choose(size - from + 1, weight, random).checked_sub(1).map_or(size, |at| from + at)
        };
        // Words are numbered from 0, and their number stands for the root.
        let mut heads = vec![size; size];
        let mut next = vec![size; size];
        if size > 0 {
            next[0] = through(size, 0, 1, random);
        }
        for word in 1..size {
            let cut: Vec<usize> = (0..word).filter(|&other| next[other] == word).collect();
            let connected = connected(&heads[..word], &next, word, size);
            // If the root does not count beside other heads, it is a head only where no word is.
            let takes_root = root_counts || !connected.contains(&true);
            let weight = |head: usize| match head == word {
                true if takes_root => passed(size, word),
                false if connected[head] => passed(head, word),
                _ => S::ZERO,
            };
            let head = choose(word + 1, weight, random);
            heads[word] = if head == word { size } else { head };
            next[word] = through(heads[word], word, word + 1, random);
            for other in cut {
                heads[other] = word;
                next[other] = through(word, other, word + 1, random);
            }
        }
        heads.iter_mut().for_each(|head| *head = if *head == size { 0 } else { *head + 1 });
        Tree::from_heads(&heads).ok()
    }
}

/// For each word whether its heads lead to the root when the arcs through `cut` are missing.
fn connected(heads: &[usize], next: &[usize], cut: usize, root: usize) -> Vec<bool> {
    let mut known: Vec<Option<bool>> =
        next[..heads.len()].iter().map(|&at| (at == cut).then_some(false)).collect();
    let mut path = Vec::new();
    for word in 0..heads.len() {
        let mut at = word;
        while at != root && known[at].is_none() {
            path.push(at);
            at = heads[at];
        }
        let leads = if at == root { Some(true) } else { known[at] };
        path.drain(..).for_each(|passed| known[passed] = leads);
    }
    known.into_iter().map(|known| known == Some(true)).collect()
}
