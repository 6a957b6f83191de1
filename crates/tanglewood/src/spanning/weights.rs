//! Weights of arcs, and the systems of words in which trees are summed.
//!
//! A constant is taken from all scores of a word, which changes no probability: weights of its heads then sum to one. With a single root,
//! that is for heads that are words; of root weights, of which each tree has one, the largest is one.
//!
//! **Blocks, for a single root.** The elimination for a single root needs that each word has another head until it is the last. Let K be the words that
//! can be reached from the root word ρ of some tree by going from words to possible heads. From all words one can come to ρ, since there is
//! that tree; so inside K one can come from everywhere to everywhere, and there is always another head. And no head of a word in K is a
//! word outside; so some word of K has to hang from the root, and no other word does. What is outside K thus is a problem of its own: all words of K
//! are as good as the root for it, of which several arcs may come. If all arcs are allowed, K is the whole sentence.

use super::elimination::System;
use super::number::{Number, Wide};
use super::{NoTree, ScoredTree, Spanning};
use crate::scores::ArcScores;
use crate::scores::gaps::{Closed, LARGE};
use crate::semiring;

/// Words whose heads are among themselves, or in a set that counts as the root.
pub(super) struct Block {
    pub words: Vec<usize>,
    pub roots: Vec<usize>,
    pub several_roots: bool,
}

/// Weights for all arcs.
pub(super) struct Weights<N> {
    pub nodes: usize,
    /// A row for each dependent.
    weights: Vec<N>,
    /// What was taken from the scores of each word; at 0, from those of root arcs on top of that.
    pub constants: Vec<f64>,
    /// The logarithm of what all weights were divided by, for all words together.
    pub log_factor: f64,
}

impl<N: Number> Weights<N> {
    pub fn get(&self, head: usize, word: usize) -> N {
        self.weights[word * self.nodes + head]
    }

    pub fn system(&self, block: &Block) -> System<N> {
        let sum = |word| block.roots.iter().fold(N::ZERO, |sum, &root| sum.plus(self.get(root, word)));
        System::new(block.words.len(), block.several_roots, |head, word| {
            let word = block.words[word - 1];
            if head == 0 { sum(word) } else { self.get(block.words[head - 1], word) }
        })
    }
}

/// Scores and their best tree.
pub(super) struct Problem<'a> {
    pub scores: &'a ArcScores,
    pub best: ScoredTree,
    pub single_root: bool,
}

impl<'a> Problem<'a> {
    pub fn new(spanning: &Spanning, scores: &'a ArcScores) -> Result<Problem<'a>, NoTree> {
        Ok(Problem { scores, best: spanning.best(scores)?, single_root: spanning.single_root })
    }

    /// The blocks that trees consist of.
    pub fn blocks(&self) -> Vec<Block> {
        let words = self.scores.len();
        if !self.single_root {
            return vec![Block { words: (1..=words).collect(), roots: vec![0], several_roots: true }];
        }
        let mut inside = vec![false; words + 1];
        let mut pending: Vec<usize> = self.best.tree.roots().collect();
        while let Some(word) = pending.pop() {
            if !std::mem::replace(&mut inside[word], true) {
                let possible = |&head: &usize| self.scores.get(head, word) > f64::NEG_INFINITY;
                pending.extend((1..=words).filter(|&head| !inside[head]).filter(possible));
            }
        }
        let (core, rest): (Vec<usize>, Vec<usize>) = (1..=words).partition(|&word| inside[word]);
        let outer = Block { words: rest, roots: core.clone(), several_roots: true };
        vec![Block { words: core, roots: vec![0], several_roots: false }, outer]
    }

    /// Whether scores are so large that differences between them would be rounded.
    pub fn is_large(&self) -> bool {
        self.scores.largest() >= LARGE
    }

    /// Weights as plain numbers.
    pub fn plain(&self) -> Weights<f64> {
        let nodes = self.scores.len() + 1;
        let first = usize::from(self.single_root);
        let score = |head, word| self.scores.get(head, word);
        let largest = |scores: &mut dyn Iterator<Item = f64>| scores.fold(f64::NEG_INFINITY, f64::max);
        let mut constants = vec![0.0; nodes];
        for (word, constant) in constants.iter_mut().enumerate().skip(1) {
            let of_heads = largest(&mut (first..nodes).map(|head| score(head, word)));
            // Otherwise only the root can be its head.
            *constant = if of_heads > f64::NEG_INFINITY { of_heads } else { 0.0 };
        }
        if self.single_root {
            constants[0] = largest(&mut (1..nodes).map(|word| score(0, word) - constants[word]));
        }
        // Differences of scores are taken before anything is rounded; then weights are made to sum to one.
        let mut weights = vec![0.0; nodes * nodes];
        let mut log_factor = 0.0;
        for (word, row) in weights.chunks_exact_mut(nodes).enumerate().skip(1) {
            for (head, weight) in row.iter_mut().enumerate() {
                let root = if head == 0 { constants[0] } else { 0.0 };
                *weight = (score(head, word) - constants[word] - root).exp();
            }
            let sum: f64 = row[first..].iter().sum();
            if sum > 0.0 {
                row.iter_mut().for_each(|weight| *weight /= sum);
                log_factor += sum.ln();
            }
        }
        Weights { nodes, weights, constants, log_factor }
    }

    /// Weights relative to the best tree, in numbers for any range.
    pub fn wide(&self) -> Weights<Wide> {
        let nodes = self.scores.len() + 1;
        let mut constants = vec![0.0; nodes];
        self.best.tree.arcs().for_each(|(head, word)| constants[word] = self.scores.get(head, word));
        let weight = |at: usize| Wide::exp(self.scores.get(at % nodes, at / nodes) - constants[at / nodes]);
        let weights = (0..nodes * nodes).map(weight).collect();
        Weights { nodes, weights, constants, log_factor: 0.0 }
    }

    /// Weights of large scores, without the gaps between them, and these scores.
    pub fn exact(&self) -> (Weights<semiring::Wide>, Closed) {
        let nodes = self.scores.len() + 1;
        let closed = Closed::new(self.scores);
        let weight = |at: usize| semiring::Wide::exp(closed.scores.get(at % nodes, at / nodes));
        let weights = (0..nodes * nodes).map(weight).collect();
        (Weights { nodes, weights, constants: vec![0.0; nodes], log_factor: 0.0 }, closed)
    }
}
