//! Where items are stored, and how much room they take.
//!
//! Items with the same i and h2 stand together, a row for each (j, h3), by j and then h3, with a number for each h1. The rows with right ends
//! below some j so are the first ones, without a gap; and what is done for one h1 is done for its neighbours by the same vector instruction.
//! *Diagonal* rows, h2 = h1, have a number for each h1 from 0 to i − 1; the other ones, h2 ≥ i, for each from 1 to i − 1, since
//! the root is never removed. There are no holes.

/// m(m + 1)/2
#[inline(always)]
fn triangle(m: usize) -> usize {
    m * (m + 1) / 2
}

/// The shape of a degree-2 chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub words: usize,
    /// Whether there are items with h2 ≠ h1.
    pub off_diagonal: bool,
    /// Where the diagonal items of i begin.
    diagonal: Vec<usize>,
    /// Where the items of (i, h2) begin, by i and h2.
    off: Vec<usize>,
    /// Numbers in all.
    pub items: usize,
}

impl Layout {
    pub fn new(words: usize, off_diagonal: bool) -> Layout {
        let nodes = words + 1;
        let mut layout = Layout { words, off_diagonal, diagonal: vec![0; nodes], off: Vec::new(), items: 0 };
        for i in 1..nodes {
            layout.diagonal[i] = layout.items;
            layout.items += triangle(nodes - i) * i;
        }
        if off_diagonal {
            layout.off = vec![0; nodes * nodes];
            for i in 1..nodes {
                for h2 in i..words {
                    layout.off[i * nodes + h2] = layout.items;
                    layout.items += triangle(words - h2) * (i - 1);
                }
            }
        }
        layout
    }

    /// Where the row [·, i, ·, h3, j] of diagonal items begins, by h1 from 0 on.
    #[inline(always)]
    pub fn diagonal_row(&self, i: usize, j: usize, h3: usize) -> usize {
        self.diagonal[i] + (triangle(j - i - 1) + h3 - i) * i
    }

    /// Where the row [·, i, h2, h3, j] begins, by h1 from 1 on.
    #[inline(always)]
    pub fn row(&self, i: usize, h2: usize, j: usize, h3: usize) -> usize {
        self.off[i * (self.words + 1) + h2] + (triangle(j - h2 - 2) + h3 - h2 - 1) * (i - 1)
    }

    /// The place of [h1, i, h1, h3, j].
    #[inline(always)]
    pub fn diagonal_item(&self, h1: usize, i: usize, h3: usize, j: usize) -> usize {
        self.diagonal_row(i, j, h3) + h1
    }

    /// The place of [h1, i, h2, h3, j].
    #[inline(always)]
    pub fn item(&self, h1: usize, i: usize, h2: usize, h3: usize, j: usize) -> usize {
        self.row(i, h2, j, h3) + h1 - 1
    }

    /// Numbers in a chart for so many words; none if that does not fit a machine word.
    pub fn items(words: usize, off_diagonal: bool) -> Option<usize> {
        let choose =
            |n: u128, k: u128| (0..k).fold(1u128, |product, at| product * n.saturating_sub(at) / (at + 1));
        let n = words as u128;
        let off = if off_diagonal { choose(n + 2, 5) } else { 0 };
        usize::try_from(choose(n + 3, 4) + off).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item has a place of its own, and no place is left over.
    #[test]
    fn items_fill_the_chart_without_holes() {
        for words in 0..9 {
            for off_diagonal in [false, true] {
                let layout = Layout::new(words, off_diagonal);
                let mut used = vec![0; layout.items];
                for i in 1..=words {
                    for j in i + 1..=words + 1 {
                        for h1 in 0..i {
                            (i..j).for_each(|h3| used[layout.diagonal_item(h1, i, h3, j)] += 1);
                            if off_diagonal && h1 > 0 {
                                for h2 in i..j - 1 {
                                    (h2 + 1..j).for_each(|h3| used[layout.item(h1, i, h2, h3, j)] += 1);
                                }
                            }
                        }
                    }
                }
                assert!(used.iter().all(|&times| times == 1), "{layout:?}: {used:?}");
                assert_eq!(Layout::items(words, off_diagonal), Some(layout.items), "{words} {off_diagonal}");
            }
        }
    }
}
