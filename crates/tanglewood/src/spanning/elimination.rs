//! Sums over trees by taking out one word after the other, without a subtraction.
//!
//! The matrix-tree theorem (Tutte 1948; for parsing: Koo, Globerson, Carreras and Collins 2007, McDonald and Satta 2007, Smith and Smith 2007) says that the
//! weights of all trees sum to the determinant of a matrix with −w(h → m) off the diagonal and the sum of all w(h → m) into m on it. Gaussian
//! elimination computes it, but subtracts: where weights differ much, the diagonal is left with nothing but rounding errors.
//!
//! It need not (Grassmann, Taksar and Heyman 1985, for Markov chains). Eliminating word k turns w(h → m) into
//!
//! > w(h → m) + w(h → k) · w(k → m) / D(k), with D(k) = Σ w(h → k) over the root and the words that are left.
//!
//! Column sums are then zero again when the root is counted in, so the new diagonal is again the sum over the new heads; it is never
//! computed in the way that subtracts. What comes out as h = m is a loop and is dropped. The product of all D(k) is the determinant.
//! In the picture of a walk from word to head, drawn by weight: word k is skipped, and the walk goes on to where it would have gone from k.
//!
//! **Single root.** Let all root weights be multiplied by t. Trees with one word at the root are what is left of the sum, divided by t, when t goes to 0.
//! In D(k) the root then vanishes beside other heads, so it is left out; only the last word has nothing else, and its D is what root weight
//! it has collected. This needs that there always is another head; see [`weights`](super::weights) for how that is made sure.
//!
//! **Range.** If weights of heads sum to one for each word, they sum to at most one ever after, and D(k) ≤ 1: what went from k to its
//! heads is passed on, and loops are dropped. A term that is lost to underflow is below 10⁻³⁰⁸; the sum over trees of the words that are left
//! would have been at most its multiple by 1 (or by the root weight collected, which is at most 1/∏D for a single root). So if
//! the product is above 10⁻¹⁰⁰ and the sum over all trees is, too, the loss is far below rounding errors. Otherwise [`Wide`](super::number::Wide)
//! numbers are used.

use super::number::Number;

/// Weights of heads among some words. What comes from elsewhere counts as the root.
#[derive(Clone, Debug)]
pub(super) struct System<N> {
    /// Number of words.
    pub size: usize,
    /// Whether the root is a head like others; otherwise only one word may have it.
    pub several_roots: bool,
    /// A row for each word: the weights of the root and of words 1..=size as its head.
    weights: Vec<N>,
}

impl<N: Number> System<N> {
    /// The system with the given weights by (head, word).
    pub fn new(size: usize, several_roots: bool, weight: impl Fn(usize, usize) -> N) -> System<N> {
        let mut weights = Vec::with_capacity(size * (size + 1));
        for word in 1..=size {
            weights.extend((0..=size).map(|head| if head == word { N::ZERO } else { weight(head, word) }));
        }
        System { size, several_roots, weights }
    }

    /// The weights of a word's heads.
    #[inline]
    pub fn heads(&self, word: usize) -> &[N] {
        &self.weights[(word - 1) * (self.size + 1)..word * (self.size + 1)]
    }

    /// The same, to be changed.
    pub fn heads_mut(&mut self, word: usize) -> &mut [N] {
        &mut self.weights[(word - 1) * (self.size + 1)..word * (self.size + 1)]
    }

    /// Takes out all words but the first `kept`, the last one first; the product of their D. Each leaves behind how likely its heads are to be where the
    /// walk goes on: w(h → k) / D(k) for the heads h before it.
    pub fn eliminate(&mut self, kept: usize) -> N {
        let width = self.size + 1;
        let mut product = N::ONE;
        for word in (kept + 1..=self.size).rev() {
            let (before, row) = self.weights.split_at_mut((word - 1) * width);
            let row = &mut row[..word];
            let from = usize::from(!self.several_roots);
            let sum = row[from..].iter().fold(N::ZERO, |sum, &weight| sum.plus(weight));
            row.iter_mut().for_each(|weight| *weight = weight.over(sum));
            product = product.times(sum);
            for (at, heads) in before.chunks_exact_mut(width).enumerate() {
                let factor = heads[word];
                if !factor.is_zero() {
                    N::add_scaled(&mut heads[..word], factor, row);
                    heads[at + 1] = N::ZERO;
                }
            }
        }
        product
    }

    /// The summed weight of all trees, if nothing was lost.
    pub fn total(mut self) -> Option<N> {
        if self.size == 0 {
            return Some(N::ONE);
        }
        let product = self.eliminate(1);
        let total = product.times(self.heads(1)[0]);
        (product.is_safe() && total.is_safe()).then_some(total)
    }

    /// The same words in another order, `order[0]` being 0 for the root.
    pub fn reordered(&self, order: &[usize]) -> System<N> {
        System::new(order.len() - 1, self.several_roots, |head, word| self.heads(order[word])[order[head]])
    }

    /// The first words alone, after the others were taken out.
    pub fn first(&self, kept: usize) -> System<N> {
        System::new(kept, self.several_roots, |head, word| self.heads(word)[head])
    }
}
