//! Scores of reduces, prepared for a chart.
//!
//! Charts do not ask for the score of one transition after the other; they combine whole rows of numbers. For each front of the
//! buffer, tables hold the weights of all reduces in all windows, summed over the heads the inventory permits. Computing them
//! takes O(n⁴) altogether, which disappears beside any chart, and makes arc scores and transition scores the same thing to a
//! chart.

use super::degree2::PADDING;
use crate::scores::{TransitionScores, View};
use crate::semiring::{Additive, Semiring};
use crate::system::{Address, Inventory};

/// A sentence's scores as seen through an inventory.
pub(super) struct Weights<'a, S, T: ?Sized> {
    pub inventory: &'a Inventory,
    pub scores: &'a T,
    /// Whether exactly one word hangs from the root. All others are then its descendants and gone when it is removed, so **an arc
    /// from the root is the last step of the run**, with nothing else on the stack and an empty buffer; it is forbidden everywhere else.
    pub single_root: bool,
    /// For arc scores: the weight of each arc, a row per dependent, by head.
    arcs: Option<Vec<S>>,
}

/// Weights of reduces in all windows with one front.
pub(super) struct FrontWeights<S> {
    front: usize,
    /// Removing s0 and s1, by (s2, s1, s0).
    top: [Vec<S>; 2],
    /// Removing s0, by (s2, s0, s1); only where s2 is ever removed.
    top_turned: Vec<S>,
    /// Removing s0 where the root is s1, by s0.
    pub bottom: Vec<S>,
    /// Removing s2 with a buffer head, by s2.
    pub deepest_by_buffer: Vec<S>,
    /// What the other nodes of the window contribute when s2 is removed, by (s1, s0); empty if nothing.
    context: Vec<S>,
}

impl<'a, S: Semiring, T: TransitionScores + ?Sized> Weights<'a, S, T> {
    pub fn new(inventory: &'a Inventory, scores: &'a T, single_root: bool) -> Weights<'a, S, T> {
        let arcs = scores.as_arcs().map(|arcs| {
            let nodes = arcs.len() + 1;
            let weight = |dependent, head| S::from_score(arcs.get(head, dependent));
            (0..nodes).flat_map(|dependent| (0..nodes).map(move |head| weight(dependent, head))).collect()
        });
        Weights { inventory, scores, single_root, arcs }
    }

    pub fn words(&self) -> usize {
        self.scores.words()
    }

    /// The weight of shifting.
    pub fn shift(&self, top: Option<usize>, front: usize) -> S {
        S::from_score(self.scores.shift(top, front))
    }

    /// Every permitted head of the node in stack slot `dependent`, the weight of taking it, and where it is. Stack slots first,
    /// from the top, then the buffer.
    pub fn heads<'v>(
        &'v self,
        stack: &'v [usize],
        front: usize,
        dependent: usize,
    ) -> impl Iterator<Item = (Address, usize, S)> + 'v {
        let window = (0..stack.len()).filter(move |&place| place != dependent).map(Address::Stack);
        let buffer = (0..(self.words() + 1).saturating_sub(front)).map(Address::Buffer);
        let permitted = window.chain(buffer).filter(move |&head| self.inventory.permits(head, dependent));
        let last_step = front > self.words() && stack.len() == 2;
        permitted.filter_map(move |head| {
            let node = match head {
                Address::Stack(place) => stack[place],
                Address::Buffer(place) => front + place,
            };
            let possible = !self.single_root || (node == 0) == last_step || stack[stack.len() - 1] != 0;
            possible.then(|| {
                (head, node, S::from_score(self.scores.reduce(View { stack, front }, head, dependent)))
            })
        })
    }

    /// The weight of removing the node in a stack slot, summed over heads.
    fn reduce(&self, stack: &[usize], front: usize, dependent: usize) -> S {
        self.heads(stack, front, dependent).fold(S::ZERO, |sum, (_, _, weight)| sum.plus(weight))
    }

    /// The tables for one front. `depth` is that of the chart: 1 or 2.
    pub fn at_front(&self, front: usize, depth: usize) -> FrontWeights<S> {
        let removes_deepest = self.inventory.deepest_dependent() == 2;
        let mut tables = FrontWeights {
            front,
            top: [0, 1].map(|_| {
                vec![S::ZERO; if depth == 2 { front * front * front } else { front * front } + PADDING]
            }),
            top_turned: Vec::new(),
            bottom: (0..front)
                .map(|s0| if s0 == 0 { S::ZERO } else { self.reduce(&[s0, 0], front, 0) })
                .collect(),
            deepest_by_buffer: vec![S::ZERO; if removes_deepest { front } else { 0 }],
            context: Vec::new(),
        };
        match (depth, &self.arcs) {
            (1, Some(arcs)) => self.fill_pairs_from_arcs(arcs, &mut tables),
            (1, None) => self.fill_pairs(&mut tables),
            (_, Some(arcs)) => self.fill_from_arcs(arcs, &mut tables),
            (_, None) => self.fill_triples(&mut tables),
        }
        if removes_deepest {
            self.fill_deepest(&mut tables);
            tables.top_turned = turned(&tables.top[0], front);
        }
        tables
    }

    /// Windows of two stack nodes, by (s1, s0).
    fn fill_pairs(&self, tables: &mut FrontWeights<S>) {
        let front = tables.front;
        for s1 in 0..front {
            for s0 in s1 + 1..front {
                let stack = [s0, s1];
                let at = s1 * front + s0;
                tables.top[0][at] = self.reduce(&stack, front, 0);
                if s1 != 0 {
                    tables.top[1][at] = self.reduce(&stack, front, 1);
                }
            }
        }
    }

    /// Windows of two stack nodes, for arc scores.
    fn fill_pairs_from_arcs(&self, arcs: &[S], tables: &mut FrontWeights<S>) {
        let front = tables.front;
        let nodes = self.words() + 1;
        let weight = |head: usize, dependent: usize| arcs[dependent * nodes + head];
        let buffer = self.by_buffer(arcs, front);
        let by_s1 = self.inventory.permits(Address::Stack(1), 0);
        let by_s0 = self.inventory.permits(Address::Stack(0), 1);
        for s1 in 0..front {
            for s0 in s1 + 1..front {
                let at = s1 * front + s0;
                tables.top[0][at] = buffer[0][s0];
                if by_s1 && (s1 != 0 || !self.single_root) {
                    tables.top[0][at] = tables.top[0][at].plus(weight(s1, s0));
                }
                tables.top[1][at] = if by_s0 { buffer[1][s1].plus(weight(s0, s1)) } else { buffer[1][s1] };
            }
        }
    }

    /// Windows of three stack nodes, asking for every score.
    fn fill_triples(&self, tables: &mut FrontWeights<S>) {
        let front = tables.front;
        for s2 in 0..front {
            for s1 in s2 + 1..front {
                for s0 in s1 + 1..front {
                    let stack = [s0, s1, s2];
                    for dependent in [0, 1] {
                        let at = (s2 * front + s1) * front + s0;
                        tables.top[dependent][at] = self.reduce(&stack, front, dependent);
                    }
                }
            }
        }
    }

    /// Windows of three stack nodes, for arc scores: row by row, buffer heads summed once per front.
    fn fill_from_arcs(&self, arcs: &[S], tables: &mut FrontWeights<S>) {
        let front = tables.front;
        let nodes = self.words() + 1;
        let weight = |head: usize, dependent: usize| arcs[dependent * nodes + head];
        let buffer = self.by_buffer(arcs, front);
        let from = |head, dependent| self.inventory.permits(Address::Stack(head), dependent);
        let when = |permitted: bool, weight: S| if permitted { weight } else { S::ZERO };
        for s2 in 0..front {
            let by_s2 = s2 != 0 || !self.single_root;
            for s1 in s2 + 1..front {
                let at = (s2 * front + s1) * front;
                let s1_by_s2 = when(from(2, 1) && by_s2, weight(s2, s1)).plus(buffer[1][s1]);
                for s0 in s1 + 1..front {
                    tables.top[0][at + s0] = buffer[0][s0]
                        .plus(when(from(1, 0), weight(s1, s0)))
                        .plus(when(from(2, 0) && by_s2, weight(s2, s0)));
                    tables.top[1][at + s0] = s1_by_s2.plus(when(from(0, 1), weight(s0, s1)));
                }
            }
        }
    }

    /// For slots 0 and 1, the weight of removing each node with any permitted buffer head, for arc scores.
    fn by_buffer(&self, arcs: &[S], front: usize) -> [Vec<S>; 2] {
        let nodes = self.words() + 1;
        [0, 1].map(|slot| {
            let permitted: Vec<usize> = (front..nodes)
                .filter(|&head| self.inventory.permits(Address::Buffer(head - front), slot))
                .collect();
            let weight = |row: &[S]| permitted.iter().fold(S::ZERO, |sum, &head| sum.plus(row[head]));
            (0..front).map(|node| weight(&arcs[node * nodes..][..nodes])).collect()
        })
    }

    fn fill_deepest(&self, tables: &mut FrontWeights<S>) {
        let front = tables.front;
        for s2 in 1..front {
            let heads = (front..=self.words())
                .filter(|&head| self.inventory.permits(Address::Buffer(head - front), 2));
            tables.deepest_by_buffer[s2] =
                heads.fold(S::ZERO, |sum, head| sum.plus(S::from_score(self.scores.deepest(head, s2))));
        }
        if self.arcs.is_none() {
            tables.context = vec![S::ZERO; front * front + PADDING];
            for s1 in 0..front {
                for s0 in s1 + 1..front {
                    let score = self.scores.deepest_context(&[s0, s1], front);
                    tables.context[s1 * front + s0] = S::from_score(score);
                }
            }
        }
    }

    /// Calls `visit` with each buffer head that may remove s2, and its share of them all.
    pub fn split_deepest_by_buffer(&self, front: usize, s2: usize, mut visit: impl FnMut(usize, f64))
    where
        S: Additive,
    {
        let heads = || {
            (front..=self.words()).filter(|&head| self.inventory.permits(Address::Buffer(head - front), 2))
        };
        let weight = |head| S::from_score(self.scores.deepest(head, s2));
        let whole = heads().fold(S::ZERO, |sum, head| sum.plus(weight(head)));
        heads().for_each(|head| visit(head, S::share(weight(head), whole)));
    }

    /// The weight of removing s2 with a stack node as head, by (s2, head), and [`PADDING`].
    pub fn deepest_by_stack(&self) -> Vec<S> {
        let nodes = self.words() + 1;
        let mut weights = vec![S::ZERO; nodes * nodes + PADDING];
        for s2 in 1..nodes {
            for head in s2 + 1..nodes {
                weights[s2 * nodes + head] = S::from_score(self.scores.deepest(head, s2));
            }
        }
        weights
    }
}

/// A table by (…, a, b) as one by (…, b, a).
fn turned<S: Semiring>(table: &[S], size: usize) -> Vec<S> {
    let mut turned = Vec::with_capacity(table.len() + PADDING);
    for square in table[..table.len() - PADDING].chunks_exact(size * size) {
        for column in 0..size {
            turned.extend((0..size).map(|row| square[row * size + column]));
        }
    }
    turned.resize(turned.len() + PADDING, S::ZERO);
    turned
}

impl<S: Semiring> FrontWeights<S> {
    /// Removing slot 0 of windows (s2, ·, s0), by s1.
    #[inline(always)]
    pub fn turned_row(&self, s2: usize, s0: usize) -> &[S] {
        &self.top_turned[(s2 * self.front + s0) * self.front..]
    }

    /// Removing slot 0 or 1 of windows (s2, s1, ·), by s0. Like all rows here it may be read on by [`PADDING`].
    #[inline(always)]
    pub fn row(&self, slot: usize, s2: usize, s1: usize) -> &[S] {
        &self.top[slot][(s2 * self.front + s1) * self.front..]
    }

    /// Removing slot 0 or 1 of windows (s1, ·), by s0.
    #[inline(always)]
    pub fn pair_row(&self, slot: usize, s1: usize) -> &[S] {
        &self.top[slot][s1 * self.front..][..self.front]
    }

    /// The context of windows (s1, ·), by s0, when s2 is removed; none if it contributes nothing.
    pub fn context_row(&self, s1: usize) -> Option<&[S]> {
        self.context.get(s1 * self.front..).filter(|row| !row.is_empty())
    }
}
