//! Sums over all trees in one kind of number: the total, probabilities of arcs, the entropy, and trees drawn.

use super::elimination::{ArcWeights, Eliminated, TreeWeight};
use super::halving::Escapes;
use crate::OutOfMemory;
use crate::memory::table;
use crate::semiring::Entropic;

/// All trees of a sentence, of which there is at least one, by their weights.
pub(crate) struct TreeSums<S> {
    pub(super) weights: ArcWeights<Vec<S>>,
    pub(super) eliminated: Eliminated<S>,
    single_root: bool,
}

impl<S: TreeWeight> TreeSums<S> {
    /// Sums over trees of `words` words, in O(n³), from a row of weights for each head, by dependent. Plain
    /// numbers need weights that are [normalised](crate::scores::scale::Normalised).
    pub fn new<R: Iterator<Item = S>>(
        words: usize,
        single_root: bool,
        row: impl Fn(usize) -> R,
    ) -> Result<TreeSums<S>, OutOfMemory> {
        let weights = ArcWeights::new(words, single_root, row)?;
        let eliminated = Eliminated::new(&weights, single_root)?;
        Ok(TreeSums { weights, eliminated, single_root })
    }

    /// The summed weight of all trees; none if numbers left their range.
    pub fn total(&self) -> Option<S> {
        self.eliminated.is_safe.then_some(self.eliminated.total)
    }

    /// For each arc the share of the trees, by weight, that have it; `[head][dependent]` for nodes 0..=n, row
    /// by row. O(n³). Small shares are as accurate as large ones, down to 10⁻¹⁰⁰ at least.
    pub fn arc_shares(&self) -> Result<Vec<f64>, OutOfMemory> {
        let (found, is_safe) = shares(&self.weights, &Escapes::by_halving(&self.weights)?)?;
        if is_safe {
            return Ok(found);
        }
        let wide = self.weights.converted(self.single_root, S::widened)?;
        Ok(shares(&wide, &Escapes::by_halving(&wide)?)?.0)
    }

    /// The entropy of the distribution over trees, in nats and O(n³).
    pub fn entropy(&self) -> Result<f64, OutOfMemory> {
        let entropic = |weight: S| Entropic { weight: weight.widened(), entropy: 0.0 };
        let weights = self.weights.converted(self.single_root, entropic)?;
        Ok(Eliminated::new(&weights, self.single_root)?.total.entropy)
    }
}

/// The shares of all arcs, and whether nothing of importance was lost to underflow on the way to u.
fn shares<S: TreeWeight>(
    weights: &ArcWeights<Vec<S>>,
    escapes: &Escapes<S>,
) -> Result<(Vec<f64>, bool), OutOfMemory> {
    let (size, stride) = (weights.size, weights.stride);
    let mut wholes = table(size, S::ZERO)?;
    wholes.copy_from_slice(&weights.weights[size * stride..][..size]);
    let rows = weights.weights.chunks_exact(stride).zip(escapes.values.chunks_exact(escapes.stride));
    for (weights, values) in rows.clone() {
        for ((whole, weight), &value) in wholes.iter_mut().zip(weights).zip(values) {
            whole.add(weight.times(value));
        }
    }
    let mut shares = table((size + 1) * (size + 1), 0.0)?;
    for (share, (&weight, &whole)) in
        shares[1..].iter_mut().zip(weights.weights[size * stride..].iter().zip(&wholes))
    {
        *share = S::share(weight, whole);
    }
    for (shares, (weights, values)) in shares.chunks_exact_mut(size + 1).skip(1).zip(rows) {
        let parts = weights.iter().zip(values).map(|(weight, &value)| weight.times(value));
        for (share, (part, &whole)) in shares[1..].iter_mut().zip(parts.zip(&wholes)) {
            *share = S::share(part, whole);
        }
    }
    let mut totals = wholes.iter().zip(&escapes.products);
    let is_safe = totals.all(|(&whole, &product)| product.is_safe() && product.times(whole).is_safe());
    Ok((shares, is_safe))
}
