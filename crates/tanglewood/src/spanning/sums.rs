//! Sums over all trees in one kind of number: the total, probabilities of arcs, and trees drawn.

use std::sync::OnceLock;

use super::elimination::{Eliminated, System, TreeWeight};
use super::escape::{Escapes, escapes};
use super::sample::choose;
use super::weights::{Block, Weights};
use crate::chart::simd::{self, Instructions, Kernel};
use crate::random::Random;

/// The weights of a sentence, and what was computed from them so far.
pub(super) struct Sums<S, const LANES: usize> {
    pub weights: Weights<S, LANES>,
    blocks: Vec<Block>,
    eliminated: OnceLock<Vec<Eliminated<S, LANES>>>,
    /// The total, where it was found on the way to something else.
    found_total: OnceLock<S>,
}

impl<S: TreeWeight, const LANES: usize> Sums<S, LANES> {
    pub fn new(weights: Weights<S, LANES>, blocks: Vec<Block>) -> Sums<S, LANES> {
        Sums { weights, blocks, eliminated: OnceLock::new(), found_total: OnceLock::new() }
    }

    /// The blocks after taking out their words.
    fn eliminated(&self) -> &[Eliminated<S, LANES>] {
        self.eliminated.get_or_init(|| {
            let mut all = Vec::with_capacity(self.blocks.len());
            for block in &self.blocks {
                simd::run(Eliminate(self.weights.system(block), &mut all), Instructions::best());
            }
            all
        })
    }

    /// The summed weight of all trees; nothing if numbers left their range.
    pub fn total(&self) -> Option<S> {
        if let Some(&total) = self.found_total.get() {
            return Some(total);
        }
        let all = self.eliminated();
        let total = all.iter().fold(S::ONE, |product, block| product.times(block.total));
        all.iter().all(|block| block.is_safe).then_some(total)
    }

    /// For each arc the share of the trees, by weight, that have it; nothing if numbers left their range.
    pub fn marginals(&self) -> Option<Vec<Vec<f64>>> {
        let nodes = self.weights.0.size + 1;
        let mut marginals = vec![vec![0.0; nodes]; nodes];
        for block in &self.blocks {
            let mut parts = self.weights.system(block);
            let mut wholes = vec![S::ZERO; parts.stride];
            let (mut is_safe, mut total) = (false, None);
            let kernel = Marginals {
                parts: &mut parts,
                wholes: &mut wholes,
                is_safe: &mut is_safe,
                total: &mut total,
            };
            simd::run(kernel, Instructions::best());
            if !is_safe {
                return None;
            }
            // Where there is only this block, its sum is the sum.
            if let (Some(total), true) = (total, self.blocks.len() == 1) {
                self.found_total.get_or_init(|| total);
            }
            for (row, &head) in block.words.iter().enumerate() {
                let row = &parts.weights[row * parts.stride..][..parts.size];
                for ((&part, &whole), &word) in row.iter().zip(&wholes).zip(&block.words) {
                    marginals[head][word] = S::share(part, whole);
                }
            }
            for (&root, (&word, &whole)) in block
                .roots
                .iter()
                .flat_map(|root| block.words.iter().zip(&wholes).map(move |of_word| (root, of_word)))
            {
                marginals[root][word] = S::share(self.weights.get(root, word), whole);
            }
        }
        Some(marginals)
    }

    /// The heads of a tree drawn by its weight. There must be a [`total`](Sums::total).
    pub fn draw(&self, random: &mut Random) -> Vec<usize> {
        let mut heads = vec![0; self.weights.0.size];
        for (block, eliminated) in self.blocks.iter().zip(self.eliminated()) {
            let direct = |head: usize, word: usize| match block.words.get(head) {
                Some(&head) => self.weights.get(head, block.words[word]),
                None => block
                    .roots
                    .iter()
                    .fold(S::ZERO, |sum, &root| sum.plus(self.weights.get(root, block.words[word]))),
            };
            for (&word, head) in block.words.iter().zip(eliminated.draw(direct, random)) {
                heads[word - 1] = match (block.words.get(head), &block.roots[..]) {
                    (Some(&head), _) => head,
                    (None, &[root]) => root,
                    (None, roots) => {
                        roots[choose(roots.len(), |at| self.weights.get(roots[at], word), random)]
                    }
                };
            }
        }
        heads
    }
}

/// Takes out the words of a block.
struct Eliminate<'a, S, const LANES: usize>(System<S, LANES>, &'a mut Vec<Eliminated<S, LANES>>);

impl<S: TreeWeight, const LANES: usize> Kernel for Eliminate<'_, S, LANES> {
    #[inline(always)]
    fn run(self) {
        self.1.push(Eliminated::new(self.0));
    }
}

/// Replaces the weights of a system by weights of the trees that have an arc, up to a factor for each word,
/// and sums these by word.
struct Marginals<'a, S, const LANES: usize> {
    parts: &'a mut System<S, LANES>,
    wholes: &'a mut [S],
    is_safe: &'a mut bool,
    /// The sum over all trees, if it was found on the way.
    total: &'a mut Option<S>,
}

impl<S: TreeWeight, const LANES: usize> Kernel for Marginals<'_, S, LANES> {
    #[inline(always)]
    fn run(self) {
        let Marginals { parts, wholes, is_safe, total } = self;
        let Escapes { values, products } = match S::quick_escapes(parts) {
            Some((found, sum)) => {
                *total = Some(sum);
                found
            }
            None => escapes(parts),
        };
        let stride = parts.stride;
        for (row, values) in parts.weights.chunks_exact_mut(stride).zip(values.chunks_exact(stride)) {
            for ((part, &value), whole) in row.iter_mut().zip(values).zip(&mut *wholes) {
                *part = part.times(value);
                whole.add(*part);
            }
        }
        let roots = &parts.weights[parts.size * stride..];
        for (whole, &root) in wholes.iter_mut().zip(roots) {
            whole.add(root);
        }
        let totals = wholes[..parts.size].iter().zip(&products);
        *is_safe = totals
            .fold(true, |all, (&whole, &product)| all && product.is_safe() && product.times(whole).is_safe());
    }
}
