//! Pieces of stack as numbers.
//!
//! Items are made of pieces of stack, and the same pieces occur in many items. Each different piece is stored
//! once and called by its number. An item is then two numbers however many nodes it has, and whether two
//! items fit together is a comparison of numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a piece of stack.
pub(super) type Stack = u32;

/// All pieces of stack met so far.
pub(super) struct Stacks {
    degree: usize,
    numbers: HashMap<Box<[usize]>, Stack, Repeatable>,
    /// Entry s: the nodes of stack s, its top first, and the number of their topmost D − 1.
    stacks: Vec<(Box<[usize]>, Stack)>,
}

impl Stacks {
    /// The piece without nodes.
    pub const EMPTY: Stack = 0;

    /// For items of a given degree D.
    pub fn new(degree: usize) -> Stacks {
        let mut stacks = Stacks { degree, numbers: HashMap::default(), stacks: Vec::new() };
        stacks.number(&[]);
        stacks
    }

    /// The number of a piece with these nodes, its top first.
    pub fn number(&mut self, nodes: &[usize]) -> Stack {
        if let Some(&known) = self.numbers.get(nodes) {
            return known;
        }
        let top = if nodes.len() < self.degree { None } else { Some(self.number(&nodes[..self.degree - 1])) };
        let new = self.stacks.len() as Stack;
        self.numbers.insert(nodes.into(), new);
        self.stacks.push((nodes.into(), top.unwrap_or(new)));
        new
    }

    /// The nodes of a piece, its top first.
    pub fn nodes(&self, stack: Stack) -> &[usize] {
        &self.stacks[stack as usize].0
    }

    /// The topmost D − 1 nodes of a piece.
    pub fn top(&self, stack: Stack) -> Stack {
        self.stacks[stack as usize].1
    }
}

/// A hash function that is the same in every run: multiply and rotate.
#[derive(Clone, Copy, Default)]
pub(super) struct Multiplying(u64);

pub(super) type Repeatable = BuildHasherDefault<Multiplying>;

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
