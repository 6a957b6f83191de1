//! Where items are stored, and how much room they take.
//!
//! *Diagonal* items, h2 = h1, with the same i stand together, a row for each (j, h3), by j and then h3, with
//! a number for each h1 from 0 to i − 1. The other ones, h2 ≥ i, stand together by h2, again a row for each
//! (j, h3), with a number for each *pair* (h1, i), by i and then h1 from 1 to i − 1, since the root is never
//! removed. Rows with right ends below some j so are the first ones, without a gap; what is done for one pair
//! is done for its neighbours by the same vector instruction; and for one i, pairs are neighbours. There are
//! no holes.
//!
//! Where there are diagonal items only, they have rows of pairs, too: by h3 and then j, with a number for
//! each pair (h1, i) with i ≤ h3, by *descending* i and then h1 from 0 to i − 1. The pairs of smaller i so
//! are the last ones of a row, whatever its h3.

use crate::chart::lanes::triangle;

/// The shape of a degree-2 chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::chart) struct Layout {
    pub words: usize,
    /// Whether there are items with h2 ≠ h1.
    pub off_diagonal: bool,
    /// Where the diagonal items of i begin, or those of h3 if there are no others.
    diagonal: Vec<usize>,
    /// Where the items of h2 ≥ i begin, by h2.
    off: Vec<usize>,
    /// Numbers in all.
    pub items: usize,
}

impl Layout {
    pub fn new(words: usize, off_diagonal: bool) -> Layout {
        let nodes = words + 1;
        let mut layout = Layout { words, off_diagonal, diagonal: vec![0; nodes], off: Vec::new(), items: 0 };
        if !off_diagonal {
            for h3 in 1..nodes {
                layout.diagonal[h3] = layout.items;
                layout.items += triangle(h3) * (nodes - h3);
            }
            return layout;
        }
        for i in 1..nodes {
            layout.diagonal[i] = layout.items;
            layout.items += triangle(nodes - i) * i;
        }
        layout.off = vec![0; nodes];
        for h2 in 1..words {
            layout.off[h2] = layout.items;
            layout.items += triangle(words - h2) * Layout::pairs(h2);
        }
        layout
    }

    /// Where the row [·, ·, ·, h3, j] begins, by pairs, if there are diagonal items only.
    #[inline(always)]
    pub fn pair_row(&self, h3: usize, j: usize) -> usize {
        self.diagonal[h3] + (j - h3 - 1) * triangle(h3)
    }

    /// The place of (h1, i) in such a row.
    #[inline(always)]
    pub fn pair(h1: usize, i: usize, h3: usize) -> usize {
        triangle(h3) - triangle(i) + h1
    }

    /// Where the row [·, i, ·, h3, j] of diagonal items begins, by h1 from 0 on, if there are others.
    #[inline(always)]
    pub fn diagonal_row(&self, i: usize, j: usize, h3: usize) -> usize {
        self.diagonal[i] + (triangle(j - i - 1) + h3 - i) * i
    }

    /// Number of pairs (h1, i) with i ≤ h2, without the root.
    #[inline(always)]
    pub fn pairs(h2: usize) -> usize {
        h2 * (h2 - 1) / 2
    }

    /// The place of (1, i) among the pairs; those of larger h1 come next.
    #[inline(always)]
    pub fn first_pair(i: usize) -> usize {
        (i - 1) * (i - 2) / 2
    }

    /// A number for each pair from one for each h1.
    pub fn spread<S: Copy>(by_h1: impl Fn(usize) -> S, words: usize, by_pair: &mut [S]) {
        for (h1, i) in (2..=words).flat_map(|i| (1..i).map(move |h1| (h1, i))) {
            by_pair[Layout::first_pair(i) + h1 - 1] = by_h1(h1);
        }
    }

    /// Number of (k, h3) with h2 < h3 < k that come before this one.
    #[inline(always)]
    pub fn rank(h2: usize, k: usize, h3: usize) -> usize {
        triangle(k - h2 - 2) + h3 - h2 - 1
    }

    /// Where the row [·, ·, h2, h3, j] begins, by pairs.
    #[inline(always)]
    pub fn row(&self, h2: usize, j: usize, h3: usize) -> usize {
        self.off[h2] + Layout::rank(h2, j, h3) * Layout::pairs(h2)
    }

    /// The place of [h1, i, h1, h3, j].
    #[inline(always)]
    pub fn diagonal_item(&self, h1: usize, i: usize, h3: usize, j: usize) -> usize {
        if self.off_diagonal {
            self.diagonal_row(i, j, h3) + h1
        } else {
            self.pair_row(h3, j) + Layout::pair(h1, i, h3)
        }
    }

    /// Number of items of a chart for a sentence of `words` words; none if that does not fit a machine word.
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
                                    let pair = Layout::first_pair(i) + h1 - 1;
                                    (h2 + 1..j).for_each(|h3| used[layout.row(h2, j, h3) + pair] += 1);
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
