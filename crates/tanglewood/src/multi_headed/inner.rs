//! The nodes of an item between its ends.

use crate::System;

/// A few nodes, from right to left: as they are on the stack, the top first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Inner {
    len: u8,
    nodes: [u32; Inner::MOST],
}

impl Inner {
    /// Items have fewer nodes than frames may have, and two of them are ends.
    pub const MOST: usize = *System::FRAMES.end() - 3;

    pub const NONE: Inner = Inner { len: 0, nodes: [0; Inner::MOST] };

    pub fn len(&self) -> usize {
        self.len.into()
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.nodes[..self.len()].iter().map(|&node| node as usize)
    }

    /// What is left of the nodes when one of them is removed.
    pub fn without(window: &[usize], removed: usize) -> Inner {
        let rest = window[..removed].iter().chain(&window[removed + 1..]);
        Inner::collect(rest.copied())
    }

    /// As many nodes as there are, up to [`Inner::MOST`].
    pub fn collect(nodes: impl Iterator<Item = usize>) -> Inner {
        let mut inner = Inner::NONE;
        for (place, node) in inner.nodes.iter_mut().zip(nodes) {
            *place = node as u32;
            inner.len += 1;
        }
        inner
    }
}
