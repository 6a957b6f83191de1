//! The two systems of items: windows, and blocks and chains of frames. They differ in nothing but what is in
//! this file.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use super::proof::Item;
use super::rules::{Reduction, Rules};
use super::stacks::{Stack, Stacks};
use crate::scores::TransitionScores;
use crate::transition::stack_nodes_needed;

/// Names an item within its cell.
///
/// - Of a window \[h₁ … h_{D−1}, i, g₁ … g_D, j\], these are the numbers of h₁…h_{D−1} and of g₁…g_D.
/// - Of \[h₁ … h_m\], the right number is that of the inner nodes h₂…h_{m−1}, and the left one how many they
///   are, for a block plus [`BLOCK`]. So a cell has chains before blocks, and those with few nodes before
///   those with many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub left: u32,
    right: Stack,
}

/// More than a frame has nodes.
const BLOCK: u32 = 16;

/// The items and rules of a system, for one sentence.
pub(super) struct ItemSystem {
    pub rules: Rules,
    /// K, if items are blocks and chains.
    pub frame: Option<usize>,
    pub stacks: RefCell<Stacks>,
}

/// Two premises; their cells are (`start`, `middle`) and (`middle`, `end`).
pub(super) struct Pair {
    pub first: Key,
    pub second: Key,
    pub start: usize,
    pub middle: usize,
    pub end: usize,
}

/// Room for the nodes of a window or frame, and for what a reduce leaves of them; the top of the stack comes
/// first.
#[derive(Default)]
pub(super) struct Nodes {
    window: Vec<usize>,
    rest: Vec<usize>,
}

/// Where in a cell the items with this left part are.
fn with_left<S>(items: &[(Key, S)], left: u32) -> Range<usize> {
    let from = items.partition_point(|(key, _)| key.left < left);
    from..from + items[from..].partition_point(|(key, _)| key.left == left)
}

impl ItemSystem {
    /// The keys that shifts derive in cell (`position`, `position` + 1); `before` are the keys of items that
    /// end at `position`.
    pub fn axioms(&self, position: usize, before: impl Iterator<Item = Key>) -> Vec<Key> {
        if self.frame.is_some() {
            return vec![Key { left: BLOCK, right: Stacks::EMPTY }];
        }
        let mut stacks = self.stacks.borrow_mut();
        let mut tops: Vec<Stack> = before.map(|key| stacks.top(key.right)).collect();
        if position == 0 {
            tops.push(Stacks::EMPTY);
        }
        tops.sort_unstable();
        tops.dedup();
        let shifted = tops.into_iter().map(|left| {
            let nodes = [&[position], stacks.nodes(left)].concat();
            Key { left, right: stacks.number(&nodes) }
        });
        shifted.collect()
    }

    /// The key of the goal, in cell (0, n + 1).
    pub fn goal(&self) -> Key {
        match self.frame {
            None => Key { left: Stacks::EMPTY, right: self.stacks.borrow_mut().number(&[0]) },
            Some(_) => Key { left: BLOCK, right: Stacks::EMPTY },
        }
    }

    /// The top of the stack after the run of an item that starts at `start`.
    pub fn top(&self, key: Key, start: usize) -> Option<usize> {
        self.stacks.borrow().nodes(key.right).first().copied().or(self.frame.map(|_| start))
    }

    /// Where in a cell first premises are, of a certain conclusion if one is given: windows with its left
    /// nodes, or blocks.
    pub fn firsts<S>(&self, items: &[(Key, S)], conclusion: Option<Key>) -> Range<usize> {
        match (self.frame, conclusion) {
            (Some(_), _) => items.partition_point(|(key, _)| key.left < BLOCK)..items.len(),
            (None, Some(conclusion)) => with_left(items, conclusion.left),
            (None, None) => 0..items.len(),
        }
    }

    /// Where in a cell the second premises for a first one are: windows with its right nodes on the left, but
    /// for the deepest; or chains with so few nodes that the two are a frame.
    pub fn seconds<S>(&self, first: Key, items: &[(Key, S)]) -> Range<usize> {
        let Some(frame) = self.frame else { return with_left(items, self.stacks.borrow().top(first.right)) };
        let most = (frame as u32 + BLOCK).checked_sub(first.left + 3).filter(|&most| most < BLOCK);
        0..most.map_or(0, |most| items.partition_point(|(key, _)| key.left <= most))
    }

    /// Calls `conclude` with each conclusion from two premises, and with the reduce that is the last step of
    /// its run, if it is one.
    pub fn combine(
        &self,
        Nodes { window, rest }: &mut Nodes,
        Pair { first, second, start, middle, end }: Pair,
        scores: &dyn TransitionScores,
        mut conclude: impl FnMut(Key, Option<Reduction>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let above = self.window(window, [first, second], [start, middle]);
        let Some(frame) = self.frame else {
            return self.rules.reductions(window, end, scores).try_for_each(|reduction| {
                let right = self.without(window, reduction.dependent, rest);
                conclude(Key { left: first.left, right }, Some(reduction))
            });
        };
        self.links(window, rest, end, above, scores, &mut conclude)?;
        // Largest frames are no items: something has to be removed from them at once.
        if window.len() + 1 < frame {
            let inner = &window[..window.len() - 1];
            let right = self.stacks.borrow_mut().number(inner);
            conclude(Key { left: inner.len() as u32, right }, None)?;
        }
        ControlFlow::Continue(())
    }

    /// Writes down the stack nodes that two premises show together, the top first; gives the number of those
    /// that belong to what follows the first one.
    pub fn window(
        &self,
        window: &mut Vec<usize>,
        [first, second]: [Key; 2],
        [start, middle]: [usize; 2],
    ) -> usize {
        let stacks = self.stacks.borrow();
        window.clear();
        window.extend_from_slice(stacks.nodes(second.right));
        if self.frame.is_none() {
            window.extend(stacks.nodes(first.right).get(self.rules.degree() - 1));
            return window.len();
        }
        window.push(middle);
        let above = window.len();
        window.extend_from_slice(stacks.nodes(first.right));
        window.push(start);
        above
    }

    /// Writes down the stack nodes of a block, the top first.
    pub fn window_of_block(&self, window: &mut Vec<usize>, block: Key, start: usize) {
        window.clear();
        window.extend_from_slice(self.stacks.borrow().nodes(block.right));
        window.push(start);
    }

    /// Reduces in a frame with the stack nodes of `window` and front `end`, and in no smaller one: `above` of
    /// the nodes belong to what follows the first block.
    fn links(
        &self,
        window: &[usize],
        rest: &mut Vec<usize>,
        end: usize,
        above: usize,
        scores: &dyn TransitionScores,
        conclude: &mut impl FnMut(Key, Option<Reduction>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let smallest = |head, dependent| stack_nodes_needed(head, dependent) > above;
        self.rules.reductions_if(window, end, smallest, scores).try_for_each(|link| {
            let right = self.without(&window[..window.len() - 1], link.dependent, rest);
            conclude(Key { left: BLOCK + rest.len() as u32, right }, Some(link))
        })
    }

    /// The number of what is left of some nodes without one of them.
    fn without(&self, nodes: &[usize], removed: usize, rest: &mut Vec<usize>) -> Stack {
        rest.clear();
        rest.extend_from_slice(&nodes[..removed]);
        rest.extend_from_slice(&nodes[removed + 1..]);
        self.stacks.borrow_mut().number(rest)
    }

    /// Left parts of items from which steps lead to others of the same cell, in the opposite of the order in
    /// which they are taken.
    pub fn inside_order(&self) -> Range<u32> {
        self.frame.map_or(0..0, |frame| BLOCK..BLOCK + frame as u32 - 2)
    }

    /// Where in a cell the premises of steps inside it are; of a certain conclusion, if one is given.
    pub fn inside_premises<S>(&self, items: &[(Key, S)], conclusion: Option<Key>) -> Range<usize> {
        match conclusion {
            _ if self.frame.is_none() => 0..0,
            None => self.firsts(items, None),
            Some(block) if block.left >= BLOCK => with_left(items, block.left + 1),
            Some(Key { left, right }) => {
                let block = Key { left: left + BLOCK, right };
                items.binary_search_by_key(&block, |&(key, _)| key).map_or(0..0, |at| at..at + 1)
            }
        }
    }

    /// As [`ItemSystem::combine`], for steps from a block to others of its cell: a reduce in a frame of a
    /// single block; and every block is a chain.
    pub fn inside(
        &self,
        Nodes { window, rest }: &mut Nodes,
        block: Key,
        [start, end]: [usize; 2],
        scores: &dyn TransitionScores,
        mut conclude: impl FnMut(Key, Option<Reduction>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.window_of_block(window, block, start);
        self.links(window, rest, end, 0, scores, &mut conclude)?;
        conclude(Key { left: block.left - BLOCK, ..block }, None)
    }

    /// The item as it is printed.
    pub fn item(&self, key: Key, [start, end]: [usize; 2]) -> Item {
        let stacks = self.stacks.borrow();
        let nodes = |stack: Stack| stacks.nodes(stack).iter().rev().copied();
        if self.frame.is_some() {
            return Item::Frame([start].into_iter().chain(nodes(key.right)).chain([end]).collect());
        }
        let padded = |stack: Stack, len: usize| {
            let missing = std::iter::repeat_n(None, len - nodes(stack).len());
            missing.chain(nodes(stack).map(Some)).collect()
        };
        let degree = self.rules.degree();
        Item::Window { left: padded(key.left, degree - 1), start, right: padded(key.right, degree), end }
    }
}
