//! A chart with one derivation per tree, for frames of three nodes: sums over it are sums over **trees**.
//!
//! In `mh3` and `mh3+` only the top of the stack is removed, by the node below it or by the buffer. A tree has several runs only because a
//! word may stay on the stack for a while after it took its last dependent. So let it go at once. Call an item [a, d] *tight* if a has just taken a
//! dependent, or has just been shifted (d = a + 1). With b = buffer heads, b0 for `mh3` and b0… for `mh3+`:
//!
//! > tight\[a, d\] = ⊕ over x of any\[a, x\] ⊗ tight\[x, d\] ⊗ w(a → x)
//! >
//! > any\[a, d\] = tight\[a, d\] ⊕ ⊕ over x of any\[a, x\] ⊗ right\[x, d\] ⊗ w(b → x)
//!
//! where right is tight for `mh3+`, and any for `mh3`.
//!
//! *Each tree of the class has one such run.* Take a word x whose head is a on the left. While x is on the stack, the node below it is always the same, since
//! only tops are removed; it is a, or x can never go. So x can go as soon as it is complete, which is when [x, d] is tight, and going
//! earlier is impossible. If the head of x is ahead and any word ahead may be a head, the same holds. In `mh3` a head on the right must be b0, which fixes
//! the moment when x goes; its item is then whatever it has become. In all cases the time at which each word is removed is determined by the tree,
//! and words that go at the same time go from the top down. Letting words go at once leaves no tree out: it only changes when, and the
//! words above x at a later time are removed by heads they see as well without x.
//!
//! Time is O(n³), space O(n²). For arc scores.

use super::frames::is_hybrid;
use super::instances::pick;
use super::structure::Choice;
use crate::scores::ArcScores;
use crate::semiring::{Additive, Semiring};
use crate::system::{Address, System};
use crate::transition::Transition;

/// A filled chart.
pub struct TreeChart<S> {
    words: usize,
    lookahead: bool,
    single_root: bool,
    /// The weight of each arc: by head, then dependent.
    arcs: Vec<S>,
    /// For each front, by dependent: the summed weight of the heads in the buffer.
    by_buffer: Vec<S>,
    /// Items [a, d], by d and then a.
    any: Vec<S>,
    tight: Vec<S>,
    /// The same as `any`, by a and then d.
    first: Vec<S>,
}

/// An item.
#[derive(Clone, Copy)]
struct Item {
    tight: bool,
    a: usize,
    d: usize,
}

impl<S: Semiring> TreeChart<S> {
    /// True if and only if a system has such a chart: those with frames of three nodes, and the ones that are the same without frames.
    pub fn serves(system: &System) -> bool {
        match system.frame() {
            Some(nodes) => nodes == 3,
            None => is_hybrid(system.inventory()),
        }
    }

    /// Fills a chart.
    ///
    /// # Panics
    /// If there is none for the system; see [`TreeChart::serves`].
    pub fn fill(system: &System, scores: &ArcScores, single_root: bool) -> TreeChart<S> {
        assert!(TreeChart::<S>::serves(system), "no such chart for {system}");
        let words = scores.len();
        let nodes = words + 1;
        let lookahead = system.inventory().permits(Address::Buffer(1), 0);
        let arcs: Vec<S> =
            (0..nodes).flat_map(|head| scores.row(head)).map(|&score| S::from_score(score)).collect();
        let mut by_buffer = vec![S::ZERO; (nodes + 1) * nodes];
        for front in (1..nodes).rev() {
            for word in 1..front {
                let ahead = if lookahead { by_buffer[(front + 1) * nodes + word] } else { S::ZERO };
                by_buffer[front * nodes + word] = arcs[front * nodes + word].plus(ahead);
            }
        }
        let table = || vec![S::ZERO; (nodes + 1) * nodes];
        let mut chart = TreeChart {
            words,
            lookahead,
            single_root,
            arcs,
            by_buffer,
            any: table(),
            tight: table(),
            first: vec![S::ZERO; nodes * (nodes + 1)],
        };
        for d in 1..=nodes {
            for a in (0..d).rev() {
                let (mut by_left, mut by_right) = (S::ZERO, S::ZERO);
                if a + 1 == d {
                    by_left = S::ONE;
                } else {
                    for x in a + 1..d {
                        let [left, right] = chart.ways(a, x, d);
                        by_left = by_left.plus(left);
                        by_right = by_right.plus(right);
                    }
                }
                chart.tight[d * nodes + a] = by_left;
                chart.any[d * nodes + a] = by_left.plus(by_right);
                chart.first[a * (nodes + 1) + d] = by_left.plus(by_right);
            }
        }
        chart
    }

    fn nodes(&self) -> usize {
        self.words + 1
    }

    /// The weight of all trees.
    pub fn total(&self) -> S {
        if self.single_root && self.words == 0 {
            return S::ZERO;
        }
        self.weight(Item { tight: false, a: 0, d: self.nodes() })
    }

    fn weight(&self, item: Item) -> S {
        let table = if item.tight { &self.tight } else { &self.any };
        table[item.d * self.nodes() + item.a]
    }

    /// The weight of [a, x] and [x, d] when x goes: by a, and by the buffer.
    #[inline(always)]
    fn ways(&self, a: usize, x: usize, d: usize) -> [S; 2] {
        let nodes = self.nodes();
        let first = self.first[a * (nodes + 1) + x];
        let tight = self.tight[d * nodes + x];
        let right = if self.lookahead { tight } else { self.any[d * nodes + x] };
        // With one root, an arc from it is the last step.
        let forbidden = a == 0 && self.single_root && d < nodes;
        let arc = if forbidden { S::ZERO } else { self.arcs[a * nodes + x] };
        [first.times(tight).times(arc), first.times(right).times(self.by_buffer[d * nodes + x])]
    }

    /// The second premise when x goes, by the left or by the right.
    fn second(&self, x: usize, d: usize, by_left: bool) -> Item {
        Item { tight: by_left || self.lookahead, a: x, d }
    }

    /// The buffer heads with a front.
    fn buffer_heads(&self, d: usize) -> std::ops::Range<usize> {
        d..if self.lookahead { self.nodes() } else { (d + 1).min(self.nodes()) }
    }
}

impl<S: Additive> TreeChart<S> {
    /// For each arc the share of all trees' weight that have it: `[head][dependent]`, row by row. None if there is no tree.
    pub fn arc_posteriors(&self) -> Option<Vec<f64>> {
        if self.total() == S::ZERO {
            return None;
        }
        let nodes = self.nodes();
        let mut arcs = vec![0.0; nodes * nodes];
        let mut posteriors = [vec![0.0; (nodes + 1) * nodes], vec![0.0; (nodes + 1) * nodes]];
        let place = |item: Item| (usize::from(item.tight), item.d * nodes + item.a);
        posteriors[0][nodes * nodes] = 1.0;
        for d in (2..=nodes).rev() {
            let mut by_buffer = vec![0.0; nodes];
            for a in 0..d - 1 {
                let items = [false, true].map(|tight| Item { tight, a, d });
                let own = items.map(|item| posteriors[usize::from(item.tight)][d * nodes + a]);
                if own == [0.0, 0.0] {
                    continue;
                }
                let weights = items.map(|item| self.weight(item));
                for x in a + 1..d {
                    let [left, right] = self.ways(a, x, d);
                    let by_left = own[0] * S::share(left, weights[0]) + own[1] * S::share(left, weights[1]);
                    let by_right = own[0] * S::share(right, weights[0]);
                    for (part, is_left) in [(by_left, true), (by_right, false)] {
                        for item in [Item { tight: false, a, d: x }, self.second(x, d, is_left)] {
                            let (table, at) = place(item);
                            posteriors[table][at] += part;
                        }
                    }
                    arcs[a * nodes + x] += by_left;
                    by_buffer[x] += by_right;
                }
            }
            for x in (1..d).filter(|&x| by_buffer[x] > 0.0) {
                let whole = self.by_buffer[d * nodes + x];
                for head in self.buffer_heads(d) {
                    arcs[head * nodes + x] += by_buffer[x] * S::share(self.arcs[head * nodes + x], whole);
                }
            }
        }
        Some(arcs)
    }
}

impl<S: Semiring> TreeChart<S> {
    /// The run of a tree by a choice; none if there is none.
    pub fn derivation(&self, choice: &mut dyn Choice<S>) -> Option<Vec<Transition>> {
        if self.total() == S::ZERO {
            return None;
        }
        let nodes = self.nodes();
        let mut backwards = Vec::with_capacity(2 * nodes);
        // What is still to be written, from right to left: items, and shifts between them.
        let mut open = vec![Some(Item { tight: false, a: 0, d: nodes })];
        let mut weights = Vec::new();
        while let Some(next) = open.pop() {
            let Some(Item { tight, a, d }) = next else {
                backwards.push(Transition::Shift);
                continue;
            };
            if a + 1 == d {
                continue;
            }
            weights.clear();
            for x in a + 1..d {
                let [left, right] = self.ways(a, x, d);
                weights.extend([left, if tight { S::ZERO } else { right }]);
            }
            let drawn = pick(choice, &weights)?;
            let (x, by_left) = (a + 1 + drawn / 2, drawn % 2 == 0);
            let head = if by_left {
                Address::Stack(1)
            } else {
                weights.clear();
                weights.extend(self.buffer_heads(d).map(|head| self.arcs[head * nodes + x]));
                Address::Buffer(pick(choice, &weights)?)
            };
            backwards.push(Transition::Reduce { head, dependent: 0 });
            open.extend([Some(Item { tight: false, a, d: x }), None, Some(self.second(x, d, by_left))]);
        }
        backwards.push(Transition::Shift);
        backwards.reverse();
        Some(backwards)
    }
}
