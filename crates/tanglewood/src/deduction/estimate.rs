//! How large a deduction becomes.

use super::Deduction;
use crate::system::Slot;

/// The size of a deduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Number of items.
    pub items: f64,
    /// Number of pairs of premises that fit, and of conclusions from them.
    pub steps: f64,
}

/// The number of ways to choose k of n things.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|at| n.saturating_sub(at) as f64 / (at + 1) as f64).product()
}

impl Deduction {
    /// About how many items and steps there are for a sentence of `words` words **if nothing is forbidden**.
    /// Scores that forbid most arcs need only a fraction. It takes no time.
    ///
    /// Let s0..sr be the slots that nodes are removed from. In D + 1 stack nodes any of them can go, so an
    /// item of windows has any h₁ < … < h_{D−1} < i < j, and any r nodes on the stack out of the r − 1
    /// topmost h's and i…j−1. Summing over i and j gives C(n + r + 2, D + r + 1), and for pairs that fit
    /// C(n + 2r + 2, D + 2r + 2). In frames the nodes of an item are any 2 to K − 1 out of n + 2, and those
    /// of a pair any 3 to K, one of them in the middle.
    pub fn estimate(&self, words: usize) -> Estimate {
        let lookahead = self.system.inventory().reduces().iter().any(|reduce| reduce.head == Slot::Ahead);
        let heads_ahead = |indices: usize| if lookahead { words as f64 / (indices + 1) as f64 } else { 1.0 };
        match self.system.frame() {
            Some(frame) => {
                let items = (2..frame).map(|nodes| 2.0 * choose(words + 2, nodes)).sum();
                let of_pairs = |nodes: usize| {
                    let inner = (nodes - 2) as f64;
                    choose(words + 2, nodes) * inner * (2.0 + inner * (inner + heads_ahead(nodes)) / 2.0)
                };
                Estimate { items, steps: (3..=frame).map(of_pairs).sum() }
            }
            None => {
                let (degree, deepest) = (self.degree(true), self.system.inventory().deepest_dependent());
                let pairs = choose(words + 2 * deepest + 2, degree + 2 * deepest + 2);
                let reduces =
                    self.system.inventory().len() as f64 - 1.0 + heads_ahead(degree + 2 * deepest + 2);
                let items = choose(words + deepest + 2, degree + deepest + 1);
                Estimate { items, steps: pairs * (1.0 + reduces) }
            }
        }
    }

    /// Whether there are more items than the limit allows, **if no arc is forbidden**. Of windows, those are
    /// counted that are derived while the buffer is not empty and do not have the root; of frames, all
    /// chains, and the blocks without inner nodes.
    pub(super) fn certainly_too_large(&self, words: usize, narrow: bool) -> bool {
        let items = match self.system.frame() {
            Some(frame) => {
                choose(words + 2, 2) + (2..frame).map(|nodes| choose(words + 2, nodes)).sum::<f64>()
            }
            None => {
                let reduces = self.system.inventory().reduces();
                let within_reach = |head| matches!(head, Slot::Stack(_) | Slot::Buffer(0) | Slot::Ahead);
                let removable =
                    |slot: &u8| reduces.iter().any(|to| to.dependent == *slot && within_reach(to.head));
                match (0..=Slot::DEEPEST).take_while(removable).count() {
                    0 => 0.0,
                    slots => choose((words + slots).saturating_sub(1), self.degree(narrow) + slots),
                }
            }
        };
        items > self.limit as f64
    }
}
