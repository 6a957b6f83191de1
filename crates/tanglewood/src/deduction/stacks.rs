//! Stack tops as numbers.
//!
//! Items are made of pieces of stack of up to D nodes, and the same pieces occur in many items. Each different piece is stored
//! once and called by its number. An item is then two numbers whatever D is, and whether two items fit together is a comparison
//! of numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a piece of stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Stack(u32);

/// All pieces of stack met so far.
pub(super) struct Stacks {
    degree: usize,
    numbers: HashMap<Box<[usize]>, Stack, Repeatable>,
    /// Entry s: the nodes of stack s, its top first, and the number of their topmost D − 1.
    stacks: Vec<(Box<[usize]>, Stack)>,
}

impl Stacks {
    /// The piece without nodes.
    pub const EMPTY: Stack = Stack(0);

    /// For items of a given degree D.
    pub fn new(degree: usize) -> Stacks {
        let mut stacks = Stacks { degree, numbers: HashMap::default(), stacks: Vec::new() };
        stacks.number(&[]);
        stacks
    }

    /// The number of a piece with these nodes, its top first.
    pub fn number(&mut self, nodes: &[usize]) -> Stack {
        if let Some(known) = self.find(nodes) {
            return known;
        }
        let top = if nodes.len() < self.degree { None } else { Some(self.number(&nodes[..self.degree - 1])) };
        let new = Stack(self.stacks.len() as u32);
        self.numbers.insert(nodes.into(), new);
        self.stacks.push((nodes.into(), top.unwrap_or(new)));
        new
    }

    /// The number of a piece, if it was met.
    pub fn find(&self, nodes: &[usize]) -> Option<Stack> {
        self.numbers.get(nodes).copied()
    }

    /// The nodes of a piece, its top first.
    pub fn nodes(&self, stack: Stack) -> &[usize] {
        &self.stacks[stack.0 as usize].0
    }

    /// The topmost D − 1 nodes of a piece.
    pub fn top(&self, stack: Stack) -> Stack {
        self.stacks[stack.0 as usize].1
    }

    /// Writes down the D + 1 nodes g₁ d₁…d_D, top first, that are on top of the stack when a run to σ|d₁…d_D has followed a run
    /// to σ|g₁…g_D; fewer at the bottom.
    pub fn write_window(&self, first: Stack, second: Stack, window: &mut Vec<usize>) {
        window.clear();
        window.extend_from_slice(self.nodes(second));
        window.extend(self.nodes(first).get(self.degree - 1));
    }
}

/// A hash function that is the same in every run: multiply and rotate.
#[derive(Clone, Copy, Default)]
pub(crate) struct Multiplying(u64);

pub(crate) type Repeatable = BuildHasherDefault<Multiplying>;

impl Multiplying {
    #[inline]
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}

impl Hasher for Multiplying {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(padded));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        // The table takes its position from the low bits, which the multiplication mixes least.
        self.0.rotate_left(26)
    }
}
