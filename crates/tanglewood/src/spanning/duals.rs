//! Why the best tree is best: prices that every tree has to pay (the dual of Edmonds' linear program).
//!
//! Let y(C) be the value of the arc that was chosen for node C of the forest when it was on top, a word or a
//! contracted set; less the price λ of root arcs if it comes from the root. Two things hold:
//!
//! 1. No arc h → m is worth more than the sum of y(C) over the sets C that it enters, those with m and
//!    without h. The largest of them chose its arc among others from what was left of h → m when smaller sets
//!    had taken theirs; and for later λ the choice is still the best, or λ would have changed it. What is
//!    missing, sum − score (+ λ if h is the root), is the **slack** of the arc. It is never negative, and 0
//!    for all chosen arcs.
//! 2. For contracted sets y(C) ≤ 0: the arcs of the cycle were the best, so an arc that replaces one of them
//!    gains nothing.
//!
//! A tree T enters each word once and each set at least once, so, with λ if there has to be a single root,
//!
//! > score(T) = Σ y(C) + λ − Σ slack(arcs of T) − Σ |y(C)| · (times T enters C − 1).
//!
//! The best tree has slack 0 and enters each set once, so its score is Σ y(C) + λ, and every tree's score is
//!
//! > **score(T) = best − Σ slack(arcs of T) − Σ |y(C)| · (times T enters C − 1).**
//!
//! Everything in [`bounds`](super::bounds) follows from this line.

use super::contraction::Workspace;
use super::forest::Forest;

/// What an arc looks like from the forest.
pub(super) struct Arc {
    pub head: usize,
    pub word: usize,
    /// Sum of y(C) over the sets that the arc enters.
    pub entered: f64,
}

/// Where sets are in an order of the words in which each set is contiguous.
struct Order {
    words: Vec<u32>,
    begin: Vec<u32>,
    end: Vec<u32>,
}

impl Order {
    fn new(forest: &Forest, words: usize) -> Order {
        let mut order = Order { words: Vec::new(), begin: vec![0; forest.len()], end: vec![0; forest.len()] };
        // Each node twice: on the way in, and, as a negative number, on the way out.
        let mut pending: Vec<i64> =
            (1..forest.len()).filter(|&node| forest.parent[node] == 0).map(|node| node as i64).collect();
        while let Some(next) = pending.pop() {
            let node = next.unsigned_abs() as usize;
            let place = order.words.len() as u32;
            if next < 0 {
                order.end[node] = place;
                continue;
            }
            order.begin[node] = place;
            pending.push(-next);
            if node <= words {
                order.words.push(node as u32);
            } else {
                pending.extend(forest.children(node).map(|child| child as i64));
            }
        }
        order
    }
}

impl Workspace {
    /// y(C) for a node C of the forest.
    fn price(&self, node: usize) -> f64 {
        let from_root = self.forest.source[node] == 0;
        self.forest.value[node] - if from_root { self.root_price } else { 0.0 }
    }

    /// Visits all arcs, by dependent, in O(n²).
    pub(super) fn visit_arcs(&self, mut visit: impl FnMut(Arc)) {
        let order = Order::new(&self.forest, self.words);
        for word in 1..=self.words {
            let mut node = word;
            let mut entered = self.price(word);
            loop {
                let set = self.forest.parent[node] as usize;
                let (begin, end) =
                    if set == 0 { (0, self.words as u32) } else { (order.begin[set], order.end[set]) };
                for place in (begin..order.begin[node]).chain(order.end[node]..end) {
                    visit(Arc { head: order.words[place as usize] as usize, word, entered });
                }
                if set == 0 {
                    break;
                }
                entered += self.price(set).min(0.0);
                node = set;
            }
            visit(Arc { head: 0, word, entered });
        }
    }

    /// The depth of the forest: 1 for words alone.
    pub(super) fn depth(&self) -> usize {
        let mut depth = vec![1; self.forest.len()];
        // Sets come after what they contain.
        for node in (1..self.forest.len()).rev() {
            let parent = self.forest.parent[node] as usize;
            depth[node] = if parent == 0 { 1 } else { depth[parent] + 1 };
        }
        depth.into_iter().max().unwrap_or(1)
    }
}
