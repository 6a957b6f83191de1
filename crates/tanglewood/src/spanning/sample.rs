//! Trees drawn with their probabilities.
//!
//! The head of one word after the other is drawn from its distribution given the heads drawn before, by
//! [`leave_one_out`](super::leave_one_out): O(n³) for a tree, whatever the scores are. (Walks that erase their loops, Wilson 1996, take less on average where all heads are
//! likely, and for ever where they are not.) With a single root, the word at the root is drawn first, from the marginals; it then is the root of the others.

use super::leave_one_out::leave_one_out;
use super::number::Number;
use super::sums::marginals;
use super::weights::{Block, Problem, Weights};
use super::{NoTree, Spanning};
use crate::Tree;
use crate::random::Random;
use crate::scores::ArcScores;

impl Spanning {
    /// Trees drawn with their probability, each time anew, in O(n³) each. The same seed gives the same trees.
    ///
    /// # Errors
    /// As [`Spanning::best`].
    pub fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, NoTree> {
        let problem = Problem::new(self, scores)?;
        let mut random = Random::new(seed);
        let words: Vec<usize> = (1..=scores.len()).collect();
        let of_roots = if self.single_root { marginals(&problem)?.swap_remove(0) } else { Vec::new() };
        let exact = problem.is_large().then(|| problem.exact().0);
        let plain = exact.is_none().then(|| problem.plain());
        let mut wide = None;
        let mut trees = Vec::with_capacity(count);
        for _ in 0..count {
            let root = if self.single_root { draw(&of_roots, &mut random) } else { 0 };
            let others = words.iter().copied().filter(|&word| word != root).collect();
            let block = Block { words: others, roots: vec![root], several_roots: true };
            let before = random.clone();
            let mut drawn = match (&plain, &exact) {
                (Some(plain), _) => plain.draw(&block, &mut random),
                (None, exact) => exact.as_ref().and_then(|exact| exact.draw(&block, &mut random)),
            };
            if drawn.is_none() {
                // From the same random numbers, what could be drawn in plain ones would be the same tree.
                random = before;
                drawn = wide.get_or_insert_with(|| problem.wide()).draw(&block, &mut random);
            }
            trees.push(drawn.and_then(|heads| Tree::from_heads(&heads).ok()).ok_or(NoTree)?);
        }
        Ok(trees)
    }
}

impl<N: Number> Weights<N> {
    /// The heads of a tree; nothing if numbers left their range.
    fn draw(&self, block: &Block, random: &mut Random) -> Option<Vec<usize>> {
        let mut heads = vec![0; self.nodes - 1];
        leave_one_out(self.system(block), &mut |place, reach| {
            let word = block.words[place - 1];
            let head = draw(&self.shares(block, word, reach), random);
            heads[word - 1] = head;
            Some(block.words.iter().position(|&other| other == head).map_or(0, |place| place + 1))
        })?;
        Some(heads)
    }
}

/// A place drawn with its probability.
fn draw(probabilities: &[f64], random: &mut Random) -> usize {
    let mut left = random.uniform();
    let mut drawn = 0;
    for (place, &probability) in probabilities.iter().enumerate() {
        // Rounding may leave something at the end, but never draws what is impossible.
        if probability > 0.0 && left >= 0.0 {
            drawn = place;
            left -= probability;
        }
    }
    drawn
}
