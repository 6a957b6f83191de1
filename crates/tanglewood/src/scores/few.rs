//! Arc scores with few heads for each word.

use std::ops::Range;

use super::{ArcScores, TransitionScores, View};
use crate::system::Address;

/// Arc scores that know how far a word's heads are. They serve the sparse deduction where most arcs are
/// forbidden: for each item it asks for heads ahead, which would otherwise be all words of the buffer.
pub(crate) struct FewHeads<'a> {
    arcs: &'a ArcScores,
    /// For each node, from the first head that is allowed to the last one.
    heads: Vec<Range<usize>>,
}

impl<'a> FewHeads<'a> {
    pub fn new(arcs: &'a ArcScores) -> FewHeads<'a> {
        let mut heads = vec![0..0; arcs.len() + 1];
        for (head, word) in arcs.arcs().filter(|&(head, word)| arcs.get(head, word) > f64::NEG_INFINITY) {
            let known: &mut Range<usize> = &mut heads[word];
            *known =
                if known.end == 0 { head..head + 1 } else { known.start.min(head)..known.end.max(head + 1) };
        }
        FewHeads { arcs, heads }
    }
}

impl TransitionScores for FewHeads<'_> {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.arcs.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.arcs.reduce(view, head, dependent)
    }

    fn as_arcs(&self) -> Option<&ArcScores> {
        Some(self.arcs)
    }

    fn heads_ahead(&self, dependent: usize, front: usize) -> Range<usize> {
        let Range { start, end } = self.heads[dependent];
        start.max(front)..end.max(front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_ahead_are_those_that_are_allowed() -> Result<(), super::super::ScoresError> {
        let mut arcs = ArcScores::new(6);
        for (head, word) in ArcScores::new(6).arcs() {
            if ![(0, 3), (3, 1), (4, 1), (6, 1), (5, 6)].contains(&(head, word)) {
                arcs.set(head, word, f64::NEG_INFINITY)?;
            }
        }
        let few = FewHeads::new(&arcs);
        assert_eq!(few.heads_ahead(1, 2), 3..7);
        assert_eq!(few.heads_ahead(1, 5), 5..7);
        assert_eq!(few.heads_ahead(3, 4), 4..4, "the root is not ahead");
        assert!(few.heads_ahead(2, 3).is_empty(), "no head is allowed");
        assert!(few.heads_ahead(1, 7).is_empty(), "the buffer is empty");
        Ok(())
    }
}
