//! All parameters of a model: one long vector, and a table of what is where.
//!
//! An optimizer, a checkpoint or an average needs only the vector; a layer needs only its [`Tensor`]s.

use std::ops::Range;

use tanglewood::inference::Random;

use crate::container::Numbers;
use crate::matrix::{View, ViewMut, add};
use crate::quantise::Storage;
use crate::real::Real;

/// The place of a matrix among all parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Index of the tensor's entry in the layout.
    pub index: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    start: usize,
}

/// How a tensor starts, and how it is updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Initialised to zero.
    Zero,
    /// Starts uniformly distributed, with the deviation that keeps the size of activations (Glorot and Bengio
    /// 2010).
    Glorot,
    /// Biases of a bidirectional LSTM: zero, save for forget gates, which start open.
    Gates,
    /// A table of embeddings. A step changes only those rows that it used.
    Table,
    /// A table that is never changed.
    Frozen,
}

/// A tensor and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Unique; also its name in a model file.
    pub name: String,
    /// Place among the parameters.
    pub tensor: Tensor,
    /// How the tensor is initialised and updated.
    pub kind: Kind,
}

/// Names, places and shapes of all tensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    entries: Vec<Entry>,
    len: usize,
}

impl Layout {
    /// Makes room for one more tensor.
    pub fn add(&mut self, name: impl Into<String>, rows: usize, columns: usize, kind: Kind) -> Tensor {
        let tensor = Tensor { index: self.entries.len(), rows, columns, start: self.len };
        self.len += rows * columns;
        self.entries.push(Entry { name: name.into(), tensor, kind });
        tensor
    }

    /// All tensors in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if and only if there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All tensors for a file, with the storage that serves them where size matters: rows of a table are
    /// summed or stand for a whole word, so that half a byte suffices; biases are few.
    pub fn numbers<'a>(&'a self, parameters: &'a Parameters<f32>) -> Vec<Numbers<'a>> {
        let storage = |entry: &Entry| match entry.kind {
            Kind::Table | Kind::Frozen => Storage::HalfByte,
            _ if entry.tensor.rows > 1 => Storage::Byte,
            _ => Storage::Exact,
        };
        let numbers = |entry: &'a Entry| Numbers {
            name: &entry.name,
            shape: [entry.tensor.rows, entry.tensor.columns],
            values: parameters.slice(entry.tensor),
            storage: storage(entry),
        };
        self.entries.iter().map(numbers).collect()
    }

    /// Starting values; the same for the same seed.
    pub fn initial<T: Real>(&self, seed: u64) -> Parameters<T> {
        let mut random = Random::new(seed);
        let mut parameters = Parameters { values: vec![T::ZERO; self.len] };
        for Entry { tensor, kind, .. } in &self.entries {
            let values = &mut parameters.values[tensor.range()];
            let limit = match kind {
                Kind::Zero | Kind::Frozen => continue,
                Kind::Gates => {
                    let hidden = tensor.columns / 8;
                    for direction in values.chunks_exact_mut(4 * hidden) {
                        direction[hidden..2 * hidden].fill(T::ONE);
                    }
                    continue;
                }
                Kind::Glorot => (6.0 / (tensor.rows + tensor.columns) as f64).sqrt(),
                // Close to zero: a row that is hardly ever used then says hardly anything.
                Kind::Table => 0.1,
            };
            values.iter_mut().for_each(|value| *value = T::of((2.0 * random.uniform() - 1.0) * limit));
        }
        parameters
    }
}

impl Tensor {
    /// Range of the tensor within all parameters.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.rows * self.columns
    }

    /// Range of one row within all parameters.
    #[inline]
    pub fn row(&self, row: usize) -> Range<usize> {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        let start = self.start + row * self.columns;
        start..start + self.columns
    }
}

/// The values of all parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters<T> {
    /// Values in the order that a [`Layout`] gives.
    pub values: Vec<T>,
}

impl<T: Real> Parameters<T> {
    /// A tensor as a matrix.
    pub fn view(&self, tensor: Tensor) -> View<'_, T> {
        View::of(&self.values[tensor.range()], tensor.columns, 0..tensor.rows, 0..tensor.columns)
    }

    /// The values of a tensor.
    pub fn slice(&self, tensor: Tensor) -> &[T] {
        &self.values[tensor.range()]
    }
}

/// Derivatives with respect to all parameters. Of tables it knows which rows have any.
#[derive(Clone, Debug)]
pub struct Gradients<T> {
    values: Vec<T>,
    /// Which rows of each tensor have a gradient.
    rows: Vec<Rows>,
}

#[derive(Clone, Debug)]
enum Rows {
    All(Range<usize>),
    Some { tensor: Tensor, used: Vec<u32>, is_used: Vec<bool> },
    None,
}

impl<T: Real> Gradients<T> {
    /// Gradients of zero.
    pub fn new(layout: &Layout) -> Gradients<T> {
        let rows = layout.entries().iter().map(|entry| match entry.kind {
            Kind::Table => {
                Rows::Some { tensor: entry.tensor, used: Vec::new(), is_used: vec![false; entry.tensor.rows] }
            }
            Kind::Frozen => Rows::None,
            Kind::Zero | Kind::Glorot | Kind::Gates => Rows::All(entry.tensor.range()),
        });
        Gradients { values: vec![T::ZERO; layout.len()], rows: rows.collect() }
    }

    /// All gradients; those of unused rows are zero.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The gradient of a dense tensor as a matrix.
    pub fn view_mut(&mut self, tensor: Tensor) -> ViewMut<'_, T> {
        ViewMut::of(&mut self.values[tensor.range()], tensor.columns, 0..tensor.rows, 0..tensor.columns)
    }

    /// The gradient of a dense tensor.
    pub fn slice_mut(&mut self, tensor: Tensor) -> &mut [T] {
        &mut self.values[tensor.range()]
    }

    /// A row of a table; nothing if the table is frozen.
    pub fn use_row(&mut self, tensor: Tensor, row: usize) -> Option<&mut [T]> {
        if let Rows::Some { used, is_used, .. } = &mut self.rows[tensor.index] {
            if !std::mem::replace(&mut is_used[row], true) {
                used.push(row as u32);
            }
            return Some(&mut self.values[tensor.row(row)]);
        }
        None
    }

    /// All ranges that may hold something else than zero, in a fixed order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.rows.iter().flat_map(|rows| {
            let (all, tensor, some): (_, _, &[u32]) = match rows {
                Rows::All(range) => (Some(range.clone()), None, &[]),
                Rows::Some { tensor, used, .. } => (None, Some(tensor), used),
                Rows::None => (None, None, &[]),
            };
            let some = some.iter().filter_map(move |&row| tensor.map(|tensor| tensor.row(row as usize)));
            all.into_iter().chain(some)
        })
    }

    /// Adds what another part of a batch gave.
    pub fn add(&mut self, other: &Gradients<T>) {
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            if let (Rows::Some { used, is_used, .. }, Rows::Some { used: more, .. }) = (mine, theirs) {
                used.extend(more.iter().filter(|&&row| !std::mem::replace(&mut is_used[row as usize], true)));
            }
        }
        for range in other.ranges() {
            add(&mut self.values[range.clone()], &other.values[range]);
        }
    }

    /// Back to zero, in time that depends on what was used.
    pub fn clear(&mut self) {
        for rows in &mut self.rows {
            match rows {
                Rows::All(range) => self.values[range.clone()].fill(T::ZERO),
                Rows::Some { tensor, used, is_used } => {
                    for row in used.drain(..) {
                        is_used[row as usize] = false;
                        self.values[tensor.row(row as usize)].fill(T::ZERO);
                    }
                }
                Rows::None => {}
            }
        }
    }

    /// The square of the Euclidean norm.
    pub fn squared_norm(&self) -> f64 {
        self.ranges()
            .map(|range| crate::matrix::dot(&self.values[range.clone()], &self.values[range]).wide())
            .sum()
    }
}
