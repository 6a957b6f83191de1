//! Sentences of different lengths as one matrix without padding.
//!
//! Sentences are sorted by length, the longest first. *Packed* rows go by time: the first words of all
//! sentences, then the second words of all that have one, and so on; so what a recurrent layer computes at a
//! time is a block of rows, and the sentences that are still running are the first ones of each block.
//! *Unpacked* rows go by sentence.

use crate::matrix::Matrix;
use crate::real::Real;

/// Order of the words of a batch: packed by time step, or sentence by sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    order: Vec<usize>,
    ranks: Vec<usize>,
    lengths: Vec<usize>,
    starts: Vec<usize>,
    blocks: Vec<usize>,
}

impl Packing {
    /// The packing of sentences of these lengths.
    pub fn new(lengths: &[usize]) -> Packing {
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by_key(|&sentence| std::cmp::Reverse(lengths[sentence]));
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, &sentence)| ranks[sentence] = rank);
        let lengths: Vec<usize> = order.iter().map(|&sentence| lengths[sentence]).collect();
        let mut starts = vec![0];
        starts.extend(lengths.iter().scan(0, |end, &length| {
            *end += length;
            Some(*end)
        }));
        let mut blocks = vec![0];
        for time in 0..lengths.first().copied().unwrap_or(0) {
            let running = lengths.partition_point(|&length| length > time);
            blocks.push(blocks[time] + running);
        }
        Packing { order, ranks, lengths, starts, blocks }
    }

    /// Number of words in the batch.
    pub fn words(&self) -> usize {
        self.starts[self.lengths.len()]
    }

    /// Number of sentences in the batch.
    pub fn sentences(&self) -> usize {
        self.lengths.len()
    }

    /// Which of the given sentences has the given rank.
    pub fn sentence(&self, rank: usize) -> usize {
        self.order[rank]
    }

    /// Rank of a sentence when sentences are ordered from the longest to the shortest.
    pub fn rank(&self, sentence: usize) -> usize {
        self.ranks[sentence]
    }

    /// The length of the longest sentence.
    pub fn times(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The packed rows of a time.
    pub fn block(&self, time: usize) -> std::ops::Range<usize> {
        self.blocks[time]..self.blocks[time + 1]
    }

    /// The unpacked rows of the sentence with the given rank.
    pub fn rows(&self, rank: usize) -> std::ops::Range<usize> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// (rank, time) of all packed rows in order.
    pub fn packed(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.times()).flat_map(|time| (0..self.block(time).len()).map(move |rank| (rank, time)))
    }

    /// The packed row of each unpacked row in order.
    pub fn unpacked(&self) -> impl Iterator<Item = usize> + '_ {
        let of_rank = move |rank| (0..self.lengths[rank]).map(move |time| self.blocks[time] + rank);
        (0..self.sentences()).flat_map(of_rank)
    }

    /// Rows in the order of sentences, from packed rows.
    pub fn unpack<T: Real>(&self, packed: &Matrix<T>) -> Matrix<T> {
        let mut unpacked = Matrix::zeros(packed.rows(), packed.columns());
        for (row, (rank, time)) in self.packed().enumerate() {
            unpacked.row_mut(self.starts[rank] + time).copy_from_slice(packed.row(row));
        }
        unpacked
    }

    /// Packed rows, from rows in the order of sentences.
    pub fn pack<T: Real>(&self, unpacked: &Matrix<T>) -> Matrix<T> {
        let mut packed = Matrix::zeros(unpacked.rows(), unpacked.columns());
        for (row, (rank, time)) in self.packed().enumerate() {
            packed.row_mut(row).copy_from_slice(unpacked.row(self.starts[rank] + time));
        }
        packed
    }
}
