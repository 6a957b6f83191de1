//! Blocks of right ends, for arc scores in long sentences: almost all time of a chart for frames of four
//! nodes goes into frames [a, x, y, d], which read L\[a,x,y\] anew for each d. Those with y below a whole
//! block are done for all of its right ends together, from tables in which the numbers of the block's right
//! ends stand side by side.

use std::ops::Range;

use super::layout::{Group, add};
use super::{ArcTables, Items, Layer};
use crate::chart::lanes::LANES;
use crate::memory::{OutOfMemory, table};
use crate::semiring::Semiring;

/// Number of right ends in a block.
pub(super) const BLOCK: usize = 8;

/// From this number of words on, charts for frames of four nodes are filled in blocks of right ends.
const LONG: usize = 192;

/// Number of y that are done for all right ends of a block before the next x: L\[·,x,y\] and the items that
/// are added to stay in the fastest cache meanwhile.
const TILE: usize = 32;

/// Number of right ends that are done at once: as many as there are registers for.
const ENDS: usize = 2;

/// Tables of [`Layer`]s for the right ends of a block.
pub(super) struct Block<S> {
    nodes: usize,
    /// The first right end; y are below it.
    d: usize,
    triples: Vec<[Group<S>; BLOCK]>,
    pairs: Vec<[S; BLOCK]>,
    near: Vec<[S; BLOCK]>,
    joined: Vec<[S; BLOCK]>,
}

/// Whether a chart is filled in blocks, and the number of numbers that takes beside the layers of its right
/// ends.
pub(super) fn numbers(frame: usize, words: usize) -> Option<usize> {
    let nodes = words + 1;
    (frame == 4 && words >= LONG).then_some(BLOCK * nodes * (2 * nodes + 1 + LANES))
}

impl<S: Semiring> Block<S> {
    pub fn new(nodes: usize) -> Result<Block<S>, OutOfMemory> {
        let squares = || table(nodes * nodes, [S::ZERO; BLOCK]);
        let (triples, pairs) = (table(nodes, [[S::ZERO; LANES]; BLOCK])?, table(nodes, [S::ZERO; BLOCK])?);
        Ok(Block { nodes, d: 0, triples, pairs, near: squares()?, joined: squares()? })
    }

    /// Begins with the right end d and those after it.
    pub fn start(&mut self, d: usize) {
        self.d = d;
    }

    /// Takes what is known of frames [x, …] with one of the right ends, after [`Items::close`].
    #[inline(always)]
    pub fn take(&mut self, x: usize, layer: &Layer<S>) {
        let end = layer.d - self.d;
        if x < self.d {
            self.pairs[x][end] = layer.pairs[x];
        }
        for at in x * self.nodes + x + 1..x * self.nodes + self.d {
            self.near[at][end] = layer.near[at];
            self.joined[at][end] = layer.joined[at];
        }
    }

    /// Gives L\[·, y, d\] of the group at hand, as far as they are known, to the layers.
    #[inline(always)]
    pub fn give(&self, beyond: usize, layers: &mut [Layer<S>]) {
        for (end, layer) in layers.iter_mut().enumerate() {
            (beyond..self.d).for_each(|y| layer.triples[y] = self.triples[y][end]);
        }
    }
}

impl<S: Semiring> Items<S> {
    /// [`Items::spread4`] for a block of right ends, for all x from `beyond` on and all y that are below the
    /// first right end.
    #[inline(always)]
    pub(super) fn spread4_block(
        &self,
        beyond: usize,
        group: usize,
        block: &mut Block<S>,
        arcs: &ArcTables<S>,
    ) {
        let last = block.d;
        block.triples[beyond.min(last)..last].fill([[S::ZERO; LANES]; BLOCK]);
        for tile in (beyond + 1..last).step_by(TILE) {
            let tile = tile..last.min(tile + TILE);
            for x in beyond..tile.end - 1 {
                for end in (0..BLOCK).step_by(ENDS) {
                    self.spread4_ends(x, group, tile.start.max(x + 1)..tile.end, end, block, arcs);
                }
            }
        }
    }

    /// The same for one x, a range of y and some right ends of the block.
    #[inline(always)]
    fn spread4_ends(
        &self,
        x: usize,
        group: usize,
        inner: Range<usize>,
        end: usize,
        block: &mut Block<S>,
        arcs: &ArcTables<S>,
    ) {
        let (nodes, from, length) = (self.nodes, inner.start, inner.len());
        let row = x * nodes + from;
        let (rest, near) = (&block.joined[row..][..length], &block.near[row..][..length]);
        let last = &block.pairs[from..][..length];
        let two = &self.triples.row(group, [x])[from - x - 1..][..length];
        let (x_by_y, y_by_a) = (&arcs.to(x)[inner.clone()], &arcs.by_group(group)[inner]);
        let (before, y_stays) = block.triples.split_at_mut(from);
        let first = self.shifted[group * nodes + x];
        let mut x_goes = [arcs.by_group(group)[x]; ENDS];
        for (at, weights) in x_goes.iter_mut().enumerate() {
            add(weights, [arcs.ahead(block.d + end + at, x); LANES]);
        }
        let mut x_stays = [[S::ZERO; LANES]; ENDS];
        for (at, y_stays) in y_stays[..length].iter_mut().enumerate() {
            for q in 0..ENDS {
                let (rest, near, last) = (rest[at][end + q], near[at][end + q], last[at][end + q]);
                let mut y_term = [S::ZERO; LANES];
                for lane in 0..LANES {
                    let parted_at_y = two[at][lane].times(last);
                    let frame = first[lane].times(rest).plus(parted_at_y);
                    y_term[lane] = frame.times(x_goes[q][lane].plus(x_by_y[at]));
                    let x_term = frame.times(y_by_a[at][lane]).plus(parted_at_y.times(near));
                    x_stays[q][lane] = x_stays[q][lane].plus(x_term);
                }
                add(&mut y_stays[end + q], y_term);
            }
        }
        for q in 0..ENDS {
            add(&mut before[x][end + q], x_stays[q]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::frames::FrameSettings;
    use crate::scores::ArcScores;
    use crate::semiring::{Count, Viterbi};

    fn filled<S: Semiring>(words: usize, in_blocks: bool) -> Items<S> {
        let mut scores = ArcScores::new(words);
        for (head, dependent) in scores.arcs() {
            scores.put(head, dependent, ((head * 7 + dependent * 11) % 23) as f64 / 7.0);
        }
        let settings = FrameSettings { frame: 4, lookahead: words.is_multiple_of(2) };
        let arcs = ArcTables::new(&scores, settings, true).expect("little memory");
        let mut items = Items::new(4, words).expect("little memory");
        let mut block = Block::new(words + 1).expect("little memory");
        let layer = |_| Layer::new(words + 1, 4).expect("little memory");
        let mut layers: Vec<Layer<S>> = (0..BLOCK).map(layer).collect();
        items.fill(&mut layers, in_blocks.then_some((&mut block, &arcs)), &arcs);
        items
    }

    fn blocks_change_nothing<S: Semiring>() {
        for words in [6, 7, 8, 15, 24, 27] {
            let (one, other) = (filled::<S>(words, false), filled::<S>(words, true));
            assert!(one.pairs == other.pairs, "{words} words");
            for (x, a) in (1..words).flat_map(|x| (0..x).map(move |a| (x, a))) {
                for d in x + 1..=words + 1 {
                    let items = [&one, &other].map(|items| items.triples.get(a, [x], d));
                    assert_eq!(items[0], items[1], "{words} words: {a} {x} {d}");
                }
            }
        }
    }

    #[test]
    fn blocks_of_right_ends_change_no_item() {
        blocks_change_nothing::<Viterbi<f64>>();
        blocks_change_nothing::<Count>();
    }
}
