//! Posteriors from a degree-1 chart.

use super::ArcPosteriors;
use crate::chart::degree1::Degree1;
use crate::chart::weights::{PairWeights, Weights};
use crate::scores::TransitionScores;
use crate::semiring::Additive;

impl<S: Additive> Degree1<S> {
    /// Posteriors of arcs. The chart's total must not be zero.
    pub(in crate::chart) fn arc_posteriors<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
    ) -> ArcPosteriors {
        let words = self.words;
        let nodes = words + 1;
        let mut arcs = ArcPosteriors::new(words);
        let mut items = vec![0.0; self.cells.len()];
        let mut prefix = vec![0.0; words + 2];
        prefix[nodes] = 1.0;
        let by_s0 = PairWeights::by_s0(weights);
        for j in (2..=nodes).rev() {
            let pairs = PairWeights::at_front(weights, j);
            let bottom = weights.at_bottom(j);
            for d in 1..j {
                let mut removed = 0.0;
                for k in 1..=d {
                    let weight = self.prefix[k].times(self.item(k, d, j).times(bottom[d]));
                    let part = prefix[j] * S::share(weight, self.prefix[j]);
                    prefix[k] += part;
                    items[self.place(k, d, j)] += part;
                    removed += part;
                }
                arcs.split(removed, weights, &[d, 0], j, 0);
            }
            // Reduces of slot 0 and 1, by (s1, s0).
            let mut reduces = [vec![0.0; j * j], vec![0.0; j * j]];
            for i in 1..j - 1 {
                for k in i + 1..j {
                    for g in i..k {
                        for d in k..j {
                            let (first, second) = (self.place(i, g, k), self.place(k, d, j));
                            let both = self.cells[first].times(self.cells[second]);
                            let s1_goes = pairs.by_buffer[g].plus(by_s0[g * nodes + d]);
                            for (slot, stays, weight) in [(0, g, pairs.row(g)[d]), (1, d, s1_goes)] {
                                let out = self.place(i, stays, j);
                                let part = items[out] * S::share(both.times(weight), self.cells[out]);
                                items[first] += part;
                                items[second] += part;
                                reduces[slot][g * j + d] += part;
                            }
                        }
                    }
                }
            }
            for s1 in 1..j {
                for s0 in s1 + 1..j {
                    for slot in [0, 1] {
                        arcs.split(reduces[slot][s1 * j + s0], weights, &[s0, s1], j, slot);
                    }
                }
            }
        }
        arcs
    }
}
