//! Where items are stored, and how much room they take.
//!
//! A chart is a list of layers, one for each right end j. A layer holds its items by descending h1, so that everything an item
//! needs from its own layer comes before it, then by descending i. With m = j − i, the items of one (h1, i) are a
//! *diagonal* row (h2 = h1, by h3 from i on) of m numbers and, if the deepest slot is ever removed, one row for each h2 from i on
//! (by h3 > h2) of m − 1, m − 2, …, 1 numbers. There are no holes.

/// The shape of a degree-2 chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub words: usize,
    /// Whether there are items with h2 ≠ h1.
    pub off_diagonal: bool,
}

/// m(m + 1)/2
fn triangle(m: usize) -> usize {
    m * (m + 1) / 2
}

/// 1 + 3 + 6 + … (m terms)
fn tetrahedron(m: usize) -> usize {
    m * (m + 1) * (m + 2) / 6
}

/// 1 + 4 + 10 + … (m terms)
fn pentatope(m: usize) -> usize {
    m * (m + 1) / 2 * ((m + 2) * (m + 3)) / 12
}

impl Layout {
    /// Where the items of (h1, i) begin in layer j.
    #[inline(always)]
    pub fn start(&self, j: usize, h1: usize, i: usize) -> usize {
        debug_assert!(h1 < i && i < j);
        let (before_h1, before_i) = (j - 2 - h1, j - 1 - i);
        if h1 == 0 {
            self.root_start(j) + triangle(before_i)
        } else if self.off_diagonal {
            pentatope(before_h1) + tetrahedron(before_i)
        } else {
            tetrahedron(before_h1) + triangle(before_i)
        }
    }

    /// Where the root's items begin in layer j.
    fn root_start(&self, j: usize) -> usize {
        if self.off_diagonal { pentatope(j - 2) } else { tetrahedron(j - 2) }
    }

    /// Where, after the beginning of (h1, i), the row of h2 ≥ i begins.
    #[inline(always)]
    pub fn row(&self, j: usize, i: usize, h2: usize) -> usize {
        let (m, above) = (j - i, h2 - i);
        m + above * (m - 1) - (above * above - above) / 2
    }

    /// Numbers in layer j, for j from 2 on.
    pub fn layer(&self, j: usize) -> usize {
        self.root_start(j) + triangle(j - 1)
    }

    /// Numbers in the whole chart; none if that does not fit a machine word.
    pub fn items(words: usize, off_diagonal: bool) -> Option<usize> {
        // Sums of the closed forms above, in 128 bits: C(n+3, 5) or C(n+2, 4), and the root's own rows.
        let binomial = |n: u128, k: u128| (0..k).fold(1u128, |product, at| product * (n - at) / (at + 1));
        let n = words as u128;
        let of_words = if off_diagonal { binomial(n + 3, 5) } else { binomial(n + 2, 4) };
        usize::try_from(of_words + binomial(n + 2, 3)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item has a place of its own, and no place is left over.
    #[test]
    fn items_fill_the_chart_without_holes() {
        for words in 1..9 {
            for off_diagonal in [false, true] {
                let layout = Layout { words, off_diagonal };
                let mut total = 0;
                for j in 2..=words + 1 {
                    let mut used = vec![0; layout.layer(j)];
                    for h1 in 0..j - 1 {
                        for i in h1 + 1..j {
                            let start = layout.start(j, h1, i);
                            (i..j).for_each(|h3| used[start + h3 - i] += 1);
                            if h1 > 0 && off_diagonal {
                                for h2 in i..j - 1 {
                                    let row = start + layout.row(j, i, h2);
                                    (h2 + 1..j).for_each(|h3| used[row + h3 - h2 - 1] += 1);
                                }
                            }
                        }
                    }
                    assert!(used.iter().all(|&times| times == 1), "{layout:?} layer {j}: {used:?}");
                    total += used.len();
                }
                assert_eq!(Layout::items(words, off_diagonal), Some(total));
            }
        }
    }
}
