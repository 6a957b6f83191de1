//! Each word in turn as the only one left, in O(n³) for all of them together.
//!
//! When all words but m have been taken out ([`elimination`](super::elimination)), what is known of each word h is where the walk from h goes. Let u(h) be the weight with
//! which it ends at the root before it comes to m: u(root) = 1, u(m) = 0, and for the words taken out, the last one first,
//!
//! > u(k) = Σ u(h) · w(h → k) / D(k) over the heads that were left when k was taken out.
//!
//! Then the trees in which m has head h weigh w(h → m) · u(h), times the product of all D: h must lead to the root and not to m. (This is the all-minors form
//! of the theorem; G(m, m) − G(m, h) in terms of the inverse matrix, where the difference is what loses digits. Here all terms are positive.)
//!
//! To take out all words but m, for each m, would take O(n⁴) one by one. But half of the words can be taken out for all m of the other half at
//! once, then half of what is left, and so on. With c · s³ for half of s words that is c · n³ · (1 + 1/4 + 1/16 + …).
//!
//! A visitor may fix the head of m when it is visited. Later words then see that: this is how trees are drawn.

use super::elimination::System;
use super::number::Number;

/// What a visitor learns: the word, and u(h) for the root and all words.
pub(super) type Visitor<'v, N> = dyn FnMut(usize, &[N]) -> Option<usize> + 'v;

/// One halving: the words in an order in which those come last that were taken out.
struct Halving<N> {
    /// The numbers, in the whole system, of the words of this part.
    words: Vec<usize>,
    kept: usize,
    /// After taking out.
    system: System<N>,
}

struct Traversal<'v, N> {
    /// From the whole to the part that is looked at.
    halvings: Vec<Halving<N>>,
    /// The parts before halving, with the numbers of their words.
    parts: Vec<(System<N>, Vec<usize>)>,
    visit: &'v mut Visitor<'v, N>,
    /// For each node of the whole system.
    reach: Vec<N>,
    buffer: Vec<N>,
}

/// Visits all words of a system. Nothing if numbers left their range.
pub(super) fn leave_one_out<'v, N: Number>(system: System<N>, visit: &'v mut Visitor<'v, N>) -> Option<()> {
    let nodes = system.size + 1;
    if nodes == 1 {
        return Some(());
    }
    let mut traversal = Traversal {
        halvings: Vec::new(),
        parts: Vec::new(),
        visit,
        reach: vec![N::ZERO; nodes],
        buffer: vec![N::ZERO; nodes],
    };
    traversal.descend(system, (0..nodes).collect(), N::ONE)
}

impl<N: Number> Traversal<'_, N> {
    /// Visits the words of a part; `product` is that of all D so far.
    fn descend(&mut self, part: System<N>, words: Vec<usize>, product: N) -> Option<()> {
        let size = part.size;
        if size == 1 {
            let total = product.times(part.heads(1)[0]);
            return (product.is_safe() && total.is_safe()).then(|| self.arrive(words[1]));
        }
        self.parts.push((part, words));
        let half = size / 2;
        for kept in [1..half + 1, half + 1..size + 1] {
            let (part, words) = self.parts.last()?;
            let others = (1..=size).filter(|word| !kept.contains(word));
            let order: Vec<usize> = std::iter::once(0).chain(kept.clone()).chain(others).collect();
            let words: Vec<usize> = order.iter().map(|&word| words[word]).collect();
            let mut system = part.reordered(&order);
            let kept = kept.len();
            let product = product.times(system.eliminate(kept));
            let (rest, rest_words) = (system.first(kept), words[..=kept].to_vec());
            self.halvings.push(Halving { words, kept, system });
            self.descend(rest, rest_words, product)?;
            self.halvings.pop();
        }
        self.parts.pop();
        Some(())
    }

    /// One word is left.
    fn arrive(&mut self, word: usize) {
        self.reach[0] = N::ONE;
        self.reach[word] = N::ZERO;
        for Halving { words, kept, system } in self.halvings.iter().rev() {
            for (value, &known) in self.buffer.iter_mut().zip(&words[..=*kept]) {
                *value = self.reach[known];
            }
            for (out, &word) in words.iter().enumerate().skip(kept + 1) {
                self.buffer[out] = N::dot(&system.heads(out)[..out], &self.buffer[..out]);
                self.reach[word] = self.buffer[out];
            }
        }
        if let Some(head) = (self.visit)(word, &self.reach) {
            self.fix(word, head);
        }
    }

    /// Gives a word a head for good, in all parts that it is in: there, the head is where the walk from `head` comes to.
    fn fix(&mut self, word: usize, head: usize) {
        self.reach.fill(N::ZERO);
        self.reach[head] = N::ONE;
        for ((part, part_words), halving) in self.parts.iter_mut().zip(&self.halvings) {
            let place = part_words.iter().position(|&other| other == word).unwrap_or(0);
            for (weight, &from) in part.heads_mut(place).iter_mut().zip(part_words.iter()) {
                *weight = if from == word { N::ZERO } else { self.reach[from] };
            }
            for (value, &node) in self.buffer.iter_mut().zip(&halving.words) {
                *value = self.reach[node];
            }
            for out in (halving.kept + 1..halving.words.len()).rev() {
                let (before, value) = self.buffer.split_at_mut(out);
                N::add_scaled(before, value[0], &halving.system.heads(out)[..out]);
            }
            for (&value, &node) in self.buffer.iter().zip(&halving.words[..=halving.kept]) {
                self.reach[node] = value;
            }
        }
    }
}
