//! Tables of embeddings, looked up in bags.

use crate::matrix::{Matrix, add_scaled};
use crate::parameters::{Gradients, Kind, Layout, Parameters, Tensor};
use crate::real::Real;

/// For each word some rows of a table; perhaps none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bags {
    ids: Vec<u32>,
    ends: Vec<u32>,
}

impl Bags {
    /// Adds the bag of the next word.
    pub fn push(&mut self, ids: impl IntoIterator<Item = u32>) {
        self.ids.extend(ids);
        self.ends.push(self.ids.len() as u32);
    }

    /// Number of bags, one for each word.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of table rows that all bags refer to together.
    pub fn total(&self) -> usize {
        self.ids.len()
    }

    /// True if and only if there are no words.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bag of a word.
    pub fn get(&self, word: usize) -> &[u32] {
        &self.ids[self.range(word)]
    }

    /// Where the bag of a word is among the rows of all bags, in order.
    pub fn range(&self, word: usize) -> std::ops::Range<usize> {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        start as usize..self.ends[word] as usize
    }
}

/// A table. A bag of k rows stands for their sum divided by √k, whose size does not depend on k; an empty bag
/// for zero.
#[derive(Clone, Debug)]
pub struct Embedding {
    table: Tensor,
}

impl Embedding {
    /// Creates a table of `rows` rows.
    pub fn new(layout: &mut Layout, name: &str, rows: usize, columns: usize, frozen: bool) -> Embedding {
        let kind = if frozen { Kind::Frozen } else { Kind::Table };
        Embedding { table: layout.add(name, rows, columns, kind) }
    }

    /// Number of columns of an embedding.
    pub fn columns(&self) -> usize {
        self.table.columns
    }

    /// The table among the parameters.
    pub fn table(&self) -> Tensor {
        self.table
    }

    /// Adds row by row into the columns from `column` on.
    pub fn forward<T: Real>(
        &self,
        parameters: &Parameters<T>,
        bags: &Bags,
        to: &mut Matrix<T>,
        column: usize,
    ) {
        let table = parameters.slice(self.table);
        for word in 0..bags.len() {
            let bag = bags.get(word);
            let target = &mut to.row_mut(word)[column..][..self.table.columns];
            for &id in bag {
                let row = &table[id as usize * self.table.columns..][..self.table.columns];
                add_scaled(target, share(bag), row);
            }
        }
    }

    /// Adds to the gradient of the table.
    pub fn backward<T: Real>(
        &self,
        bags: &Bags,
        from: &Matrix<T>,
        column: usize,
        gradients: &mut Gradients<T>,
    ) {
        for word in 0..bags.len() {
            let bag = bags.get(word);
            let source = &from.row(word)[column..][..self.table.columns];
            for &id in bag {
                if let Some(row) = gradients.use_row(self.table, id as usize) {
                    add_scaled(row, share(bag), source);
                }
            }
        }
    }
}

/// Factor of each table row in a bag of this length.
pub(crate) fn share<T: Real>(bag: &[u32]) -> T {
    T::of(1.0 / (bag.len() as f64).sqrt())
}
