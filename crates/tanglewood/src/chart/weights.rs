//! Scores as weights, seen through an inventory: single reduces, and sums over the heads in the buffer.
//!
//! The buffer is always the last words of the sentence, so sums over heads ahead are suffix sums, made once
//! for the sentence if scores have an [arc part](crate::scores::TransitionScores::arc_part). Without one,
//! every head is asked for in every window.

use super::structure::Step;
use crate::memory::{OutOfMemory, table};
use crate::scores::{HeadKind, KeptScores, View};
use crate::semiring::Semiring;
use crate::system::{Address, Inventory, System};

/// A sentence's scores as seen through an inventory.
pub struct Weights<'a, S> {
    pub(super) inventory: Inventory,
    pub(super) scores: KeptScores<'a>,
    words: usize,
    /// Whether exactly one word hangs from the root. All others are then its descendants and gone when it is
    /// removed, so **an arc from the root is the last step of the run**, with nothing else on the stack and
    /// an empty buffer; it is forbidden elsewhere.
    pub(super) single_root: bool,
    /// If there are arc scores and nothing else: the weight of each arc, a row per dependent, by head.
    /// Without the root if it may be a head in the last step only.
    pub(super) arcs: Option<Vec<S>>,
    /// If s2 is ever removed, and there is more than arc scores: the part of that weight that depends on head
    /// and dependent, a row per dependent, by head.
    deepest: Vec<S>,
    /// If there is an arc part: for s0 and s1, by front and then node, the sum over the arcs from the buffer.
    ahead: Option<[Vec<S>; 2]>,
}

impl<'a, S: Semiring> Weights<'a, S> {
    pub(super) fn new(
        system: &System,
        scores: KeptScores<'a>,
        single_root: bool,
    ) -> Result<Weights<'a, S>, OutOfMemory> {
        let (inventory, words) = (system.inventory().clone(), scores.words());
        let nodes = words + 1;
        let kept = scores.clone();
        let mut weights = Weights {
            inventory,
            scores: kept,
            words,
            single_root,
            arcs: None,
            deepest: Vec::new(),
            ahead: None,
        };
        if let Some(part) = scores.arc_part() {
            let weight = |head, node| S::from_score(part.get(head, node));
            weights.ahead = Some([weights.sums_ahead(0, weight)?, weights.sums_ahead(1, weight)?]);
        }
        if let Some(arcs) = scores.as_arcs() {
            let first = usize::from(single_root);
            weights.arcs = Some(by_dependent(nodes, first, |head, dependent| arcs.get(head, dependent))?);
        }
        if weights.inventory.deepest_dependent() == 2 && weights.arcs.is_none() {
            weights.deepest = by_dependent(nodes, 1, |head, s2| scores.deepest(head, s2))?;
        }
        Ok(weights)
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The weight of shifting.
    pub(super) fn shift(&self, top: Option<usize>, front: usize) -> S {
        S::from_score(self.scores.shift(top, front))
    }

    /// By front and then node: the sum over the heads in the buffer that may remove the node from a slot.
    pub(super) fn sums_ahead(
        &self,
        slot: usize,
        weight: impl Fn(usize, usize) -> S,
    ) -> Result<Vec<S>, OutOfMemory> {
        let nodes = self.words() + 1;
        let mut sums = table((nodes + 1) * nodes, S::ZERO)?;
        let all = self.inventory.reach_of_heads(slot) == usize::MAX;
        for front in (1..nodes).rev().filter(|&front| self.reach(front, slot) > 0) {
            let (heads, rest) = if all { (1, front + 1) } else { (self.reach(front, slot), nodes) };
            for node in 1..front {
                let permitted =
                    (0..heads).filter(|&place| self.inventory.permits(Address::Buffer(place), slot));
                let first = permitted.fold(S::ZERO, |sum, place| sum.plus(weight(front + place, node)));
                sums[front * nodes + node] = first.plus(sums[rest * nodes + node]);
            }
        }
        Ok(sums)
    }

    /// The number of places in the buffer that may be heads of a node in a slot.
    fn reach(&self, front: usize, slot: usize) -> usize {
        (self.words() + 1).saturating_sub(front).min(self.inventory.reach_of_heads(slot))
    }

    /// The sums over heads ahead for s0 or s1 with one front, by node; for arc scores.
    #[inline(always)]
    pub(super) fn ahead(&self, slot: usize, front: usize) -> &[S] {
        let nodes = self.words() + 1;
        self.ahead.as_ref().map_or(&[], |ahead| &ahead[slot][front * nodes..][..nodes])
    }

    /// Removing the node in a slot with one head, if that is permitted.
    #[inline]
    pub(super) fn step(&self, view: View<'_>, head: Address, slot: usize) -> Option<Step<S>> {
        let arc = (view.node(head), view.stack[slot]);
        let last_step = view.front > self.words() && view.stack.len() == 2;
        let at_bottom = view.stack[view.stack.len() - 1] == 0;
        if !self.inventory.permits(head, slot) || self.single_root && at_bottom && (arc.0 == 0) != last_step {
            return None;
        }
        let weight = match &self.arcs {
            Some(arcs) if arc.0 != 0 => arcs[arc.1 * (self.words() + 1) + arc.0],
            _ => S::from_score(self.scores.reduce(view, head, slot)),
        };
        Some(Step::Reduce { head, slot, arc, weight })
    }

    /// Every permitted way to remove the node in a stack slot by a stack node, from the top.
    fn by_stack<'v>(&'v self, view: View<'v>, slot: usize) -> impl Iterator<Item = Step<S>> + 'v {
        let places = (0..view.stack.len()).filter(move |&place| place != slot);
        places.filter_map(move |place| self.step(view, Address::Stack(place), slot))
    }

    /// The same by a node of the buffer.
    pub(super) fn by_buffer<'v>(&'v self, view: View<'v>, slot: usize) -> impl Iterator<Item = Step<S>> + 'v {
        let places = 0..self.reach(view.front, slot);
        places.filter_map(move |place| self.step(view, Address::Buffer(place), slot))
    }

    /// Every permitted way to remove the node in a stack slot.
    pub(super) fn reduces<'v>(&'v self, view: View<'v>, slot: usize) -> impl Iterator<Item = Step<S>> + 'v {
        self.by_stack(view, slot).chain(self.by_buffer(view, slot))
    }

    /// The weight of removing the node in slot 0 or 1, summed over heads.
    #[inline(always)]
    pub(super) fn reduce(&self, stack: &[usize], front: usize, slot: usize) -> S {
        match &self.arcs {
            // Only the last step may have an arc that is not in the table.
            Some(arcs) if stack.len() > 2 || front <= self.words => {
                let arcs = &arcs[stack[slot] * (self.words + 1)..][..self.words + 1];
                let mut sum = self.ahead(slot, front)[stack[slot]];
                for (place, &head) in stack.iter().enumerate() {
                    let permitted = self.inventory.permits(Address::Stack(place), slot);
                    sum = if permitted { sum.plus(arcs[head]) } else { sum };
                }
                sum
            }
            _ => self.reduce_with_each(View { stack, front }, slot),
        }
    }

    /// The same, asking for the score of each head.
    fn reduce_with_each(&self, view: View<'_>, slot: usize) -> S {
        let by_stack = self.by_stack(view, slot).fold(S::ZERO, |sum, step| sum.plus(step.weight()));
        let by_buffer = match self.ahead(slot, view.front).get(view.stack[slot]) {
            Some(&arcs) if self.arcs.is_some() || arcs == S::ZERO => arcs,
            Some(&arcs) => arcs.times(S::from_score(self.scores.context(view, HeadKind::Ahead, slot))),
            None => self.by_buffer(view, slot).fold(S::ZERO, |sum, step| sum.plus(step.weight())),
        };
        by_stack.plus(by_buffer)
    }

    /// Removing the deepest node of a window with a given head, without the part of the weight that depends
    /// on the other nodes.
    #[inline(always)]
    pub(super) fn deepest(&self, head: usize, dependent: usize) -> S {
        self.deepest_heads(dependent)[head]
    }

    /// The same by head.
    #[inline(always)]
    pub(super) fn deepest_heads(&self, dependent: usize) -> &[S] {
        let nodes = self.words() + 1;
        &self.arcs.as_ref().unwrap_or(&self.deepest)[dependent * nodes..][..nodes]
    }

    /// The same with each head in the buffer.
    pub(super) fn deepest_reduces(
        &self,
        dependent: usize,
        front: usize,
        slot: usize,
    ) -> impl Iterator<Item = Step<S>> + '_ {
        let places = (0..self.reach(front, slot)).map(Address::Buffer);
        places.filter(move |&head| self.inventory.permits(head, slot)).map(move |head| {
            let arc = (View { stack: &[], front }.node(head), dependent);
            Step::Reduce { head, slot, arc, weight: self.deepest(arc.0, dependent) }
        })
    }
}

/// Weights of arcs, a row per dependent, by head from `first` on.
fn by_dependent<S: Semiring>(
    nodes: usize,
    first: usize,
    score: impl Fn(usize, usize) -> f64,
) -> Result<Vec<S>, OutOfMemory> {
    let mut weights = table(nodes * nodes, S::ZERO)?;
    for (dependent, row) in weights.chunks_exact_mut(nodes).enumerate().skip(1) {
        for head in (first..nodes).filter(|&head| head != dependent) {
            row[head] = S::from_score(score(head, dependent));
        }
    }
    Ok(weights)
}
