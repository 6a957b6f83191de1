//! Probabilities of arcs.

use crate::memory::{OutOfMemory, table};

/// The probability of each arc of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    nodes: usize,
    /// A row per head.
    probabilities: Vec<f64>,
}

impl Marginals {
    /// All probabilities zero.
    pub(crate) fn zero(words: usize) -> Result<Marginals, OutOfMemory> {
        let nodes = words + 1;
        Ok(Marginals { nodes, probabilities: table(nodes * nodes, 0.0)? })
    }

    /// From a probability for each pair of nodes of a sentence of `words` words, a row per head.
    pub(crate) fn new(words: usize, probabilities: Vec<f64>) -> Marginals {
        Marginals { nodes: words + 1, probabilities }
    }

    /// Makes an arc (head, dependent) more probable.
    pub(crate) fn add(&mut self, (head, dependent): (usize, usize), part: f64) {
        self.probabilities[head * self.nodes + dependent] += part;
    }

    /// All probabilities times a factor.
    pub(crate) fn scaled(mut self, factor: f64) -> Marginals {
        self.probabilities.iter_mut().for_each(|probability| *probability *= factor);
        self
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.nodes - 1
    }

    /// The probability that `dependent` has this head; 0 if one of them is no node of the sentence.
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        if dependent >= self.nodes {
            return 0.0;
        }
        self.probabilities.get(head * self.nodes + dependent).copied().unwrap_or(0.0)
    }

    /// The probabilities of all arcs from a head, by dependent, for each head from the root on.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.probabilities.chunks_exact(self.nodes)
    }
}
