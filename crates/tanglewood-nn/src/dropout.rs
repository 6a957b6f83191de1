//! Dropout with masks that stay the same throughout a sentence (Gal and Ghahramani 2016).

use tanglewood::inference::Random;

use crate::matrix::{Matrix, multiply_elements};
use crate::packing::Packing;
use crate::real::Real;

/// A mask for each sentence of a batch: zero, or what keeps the expected value.
#[derive(Clone, Debug)]
pub struct Mask<T>(Matrix<T>);

impl<T: Real> Mask<T> {
    /// Masks that drop each column with the given probability; none if that is 0.
    pub fn new(sentences: usize, columns: usize, drop: f64, random: &mut Random) -> Option<Mask<T>> {
        if drop <= 0.0 {
            return None;
        }
        let kept = T::of(1.0 / (1.0 - drop));
        let mut mask = Matrix::zeros(sentences, columns);
        // Sixteen bits are enough for a probability.
        let limit = (drop * 65536.0) as u64;
        for four in mask.values_mut().chunks_mut(4) {
            let mut bits = random.bits();
            for value in four {
                *value = if bits & 0xFFFF < limit { T::ZERO } else { kept };
                bits >>= 16;
            }
        }
        Some(Mask(mask))
    }

    /// The mask of the sentence with this rank.
    pub fn row(&self, rank: usize) -> &[T] {
        self.0.row(rank)
    }

    /// Applies it to packed rows; the same to their gradient.
    pub fn apply_packed(&self, packing: &Packing, matrix: &mut Matrix<T>) {
        for (row, (rank, _)) in packing.packed().enumerate() {
            multiply_elements(matrix.row_mut(row), self.row(rank));
        }
    }

    /// Applies it to unpacked rows; the same to their gradient.
    pub fn apply_unpacked(&self, packing: &Packing, matrix: &mut Matrix<T>) {
        for rank in 0..packing.sentences() {
            for row in packing.rows(rank) {
                multiply_elements(matrix.row_mut(row), self.row(rank));
            }
        }
    }
}
