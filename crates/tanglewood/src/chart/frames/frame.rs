//! The nodes of an item or of a frame.

/// Up to five nodes, the last one the front of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chart) struct Frame {
    pub nodes: [u32; 5],
    pub length: u32,
}

impl Frame {
    #[inline(always)]
    pub fn of<const LENGTH: usize>(nodes: [usize; LENGTH]) -> Frame {
        let mut frame = Frame { nodes: [0; 5], length: LENGTH as u32 };
        (0..LENGTH).for_each(|at| frame.nodes[at] = nodes[at] as u32);
        frame
    }

    #[inline(always)]
    pub fn node(&self, number: usize) -> usize {
        self.nodes[number] as usize
    }

    #[inline(always)]
    pub fn length(&self) -> usize {
        self.length as usize
    }

    #[inline(always)]
    pub fn front(&self) -> usize {
        self.node(self.length() - 1)
    }

    /// With one more node before the one with this number.
    #[inline(always)]
    pub fn with(&self, number: usize, node: usize) -> Frame {
        let mut frame = Frame { nodes: self.nodes, length: self.length + 1 };
        (number + 1..5).for_each(|at| frame.nodes[at] = self.nodes[at - 1]);
        frame.nodes[number] = node as u32;
        frame
    }

    /// The nodes with these numbers.
    #[inline(always)]
    pub fn part(&self, first: usize, last: usize) -> Frame {
        let mut frame = Frame { nodes: [0; 5], length: (last - first + 1) as u32 };
        (first..=last).for_each(|at| frame.nodes[at - first] = self.nodes[at]);
        frame
    }

    /// The stack down to a node, the top first, and its size.
    #[inline(always)]
    pub fn stack(&self, deepest: usize) -> ([usize; 4], usize) {
        let size = self.length() - 1 - deepest;
        let mut stack = [0; 4];
        (0..size).for_each(|slot| stack[slot] = self.node(self.length() - 2 - slot));
        (stack, size)
    }
}
