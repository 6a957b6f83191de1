//! The numbers of a model: as training has them, or as a compact file does, where they stay as small as they
//! are.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use safetensors::SafeTensors;

use crate::container::{self, FileError};
use crate::matrix::add_scaled;
use crate::parameters::{Entry, Layout, Parameters, Tensor};
use crate::quantise::{Codes, Storage, pack, unpack};
use crate::simd::vectorised;

/// Numbers, each tensor at its place in a [`Layout`].
#[derive(Clone, Debug)]
pub enum Store {
    /// All values in single precision.
    Exact(Parameters<f32>),
    /// Values as a compact file stores them.
    Compact(Compact),
}

/// Tensors in the bytes of a file.
#[derive(Clone, Debug)]
pub struct Compact {
    bytes: Arc<Vec<u8>>,
    /// Place of each tensor of the layout.
    tensors: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    storage: Storage,
    bytes: Range<usize>,
    scales: Vec<f32>,
}

impl Store {
    /// All tensors of a layout from a file. `numbers` are what `tensors` were found in.
    ///
    /// # Errors
    /// If one is missing, or has another shape.
    pub fn load(
        layout: &Layout,
        tensors: &SafeTensors<'_>,
        numbers: &Arc<Vec<u8>>,
    ) -> Result<Store, FileError> {
        // Before anything is allocated: every tensor has to be there, in full length.
        let mut storages = Vec::with_capacity(layout.entries().len());
        for Entry { name, tensor, .. } in layout.entries() {
            storages.push(container::storage(tensors, name, [tensor.rows, tensor.columns])?);
        }
        if storages.iter().all(|&storage| storage == Storage::Exact) {
            let mut parameters = Parameters { values: vec![0.0; layout.len()] };
            for Entry { name, tensor, .. } in layout.entries() {
                let to = &mut parameters.values[tensor.range()];
                container::load(tensors, name, [tensor.rows, tensor.columns], to)?;
            }
            return Ok(Store::Exact(parameters));
        }
        let place = |(entry, storage): (&Entry, Storage)| {
            let (data, scales) = container::parts_of(tensors, &entry.name, storage)?;
            let start = data.as_ptr().addr() - numbers.as_ptr().addr();
            Ok(Place { storage, bytes: start..start + data.len(), scales })
        };
        let places: Result<Vec<Place>, FileError> =
            layout.entries().iter().zip(storages).map(place).collect();
        Ok(Store::Compact(Compact { bytes: Arc::clone(numbers), tensors: places? }))
    }

    /// All values expanded to single precision.
    pub fn parameters(&self, layout: &Layout) -> Cow<'_, Parameters<f32>> {
        match self {
            Store::Exact(parameters) => Cow::Borrowed(parameters),
            Store::Compact(_) => {
                let mut values = Vec::with_capacity(layout.len());
                layout.entries().iter().for_each(|entry| values.extend(self.values(entry.tensor).iter()));
                Cow::Owned(Parameters { values })
            }
        }
    }

    /// The numbers of a tensor in single precision.
    pub fn values(&self, tensor: Tensor) -> Cow<'_, [f32]> {
        match self {
            Store::Exact(parameters) => Cow::Borrowed(parameters.slice(tensor)),
            Store::Compact(compact) => {
                let mut values = vec![0.0; tensor.rows * tensor.columns];
                for (at, row) in values.chunks_exact_mut(tensor.columns.max(1)).enumerate() {
                    compact.row(tensor, at, row);
                }
                Cow::Owned(values)
            }
        }
    }

    /// A tensor as codes of a byte each with a factor for each row. What is not stored like that is rounded
    /// as it would be for a compact file, so that a model and its compact file multiply with the same
    /// weights.
    pub fn codes(&self, tensor: Tensor) -> Codes<'_> {
        if let Store::Compact(Compact { bytes, tensors }) = self
            && let Place { storage: Storage::Byte, bytes: range, scales } = &tensors[tensor.index]
        {
            return Codes::new(tensor.columns, Cow::Borrowed(&bytes[range.clone()]), scales.clone());
        }
        let values = self.values(tensor);
        let mut codes = Vec::with_capacity(values.len());
        let rows = values.chunks_exact(tensor.columns.max(1));
        let scales = rows.map(|row| pack(row, Storage::Byte, &mut codes)).collect();
        Codes::new(tensor.columns, Cow::Owned(codes), scales)
    }

    /// Adds to `to`, for each row of a table that is in the bag, the row times `factor`.
    pub fn add_rows(&self, table: Tensor, bag: &[u32], factor: f32, to: &mut [f32]) {
        match self {
            Store::Exact(parameters) => {
                let table_values = parameters.slice(table);
                for &id in bag {
                    let row = &table_values[id as usize * table.columns..][..table.columns];
                    add_scaled(to, factor, row);
                }
            }
            Store::Compact(compact) => compact.add_rows(table, bag, factor, to),
        }
    }
}

impl Compact {
    fn row_bytes(&self, tensor: Tensor, row: usize) -> (&Place, &[u8]) {
        let place = &self.tensors[tensor.index];
        let length = place.storage.row_bytes(tensor.columns);
        (place, &self.bytes[place.bytes.clone()][row * length..][..length])
    }

    fn row(&self, tensor: Tensor, row: usize, to: &mut [f32]) {
        let (place, bytes) = self.row_bytes(tensor, row);
        unpack(bytes, place.scales.get(row).copied().unwrap_or(1.0), place.storage, to);
    }

    fn add_rows(&self, table: Tensor, bag: &[u32], factor: f32, to: &mut [f32]) {
        let place = &self.tensors[table.index];
        if place.storage == Storage::HalfByte {
            let bytes = &self.bytes[place.bytes.clone()];
            return add_half_bytes(bytes, &place.scales, bag, factor, to);
        }
        let mut values = vec![0.0; table.columns];
        for &id in bag {
            self.row(table, id as usize, &mut values);
            add_scaled(to, factor, &values);
        }
    }
}

/// Bytes that are summed at once.
const CHUNK: usize = 64;

vectorised! {
    /// Adds rows of half bytes, which are as long as `to`.
    fn add_half_bytes(table: &[u8], scales: &[f32], bag: &[u32], factor: f32, to: &mut [f32]) {
        let row_bytes = to.len().div_ceil(2);
        for (chunk, to) in to.chunks_mut(2 * CHUNK).enumerate() {
            // Low and high halves of bytes apart, so that both are plain loops.
            let (mut low, mut high) = ([0.0f32; CHUNK], [0.0f32; CHUNK]);
            for &id in bag {
                let scale = scales[id as usize] * factor;
                let start = id as usize * row_bytes + chunk * CHUNK;
                let bytes = &table[start..start + to.len().div_ceil(2)];
                // Rows may be short: the rest of sixteens in fours, and the rest of these one by one.
                add_halves::<16>(&mut low, &mut high, bytes, scale);
                let done = bytes.len() / 16 * 16;
                add_halves::<4>(&mut low[done..], &mut high[done..], &bytes[done..], scale);
                let done = bytes.len() / 4 * 4;
                add_halves::<1>(&mut low[done..], &mut high[done..], &bytes[done..], scale);
            }
            for (pair, (low, high)) in to.chunks_mut(2).zip(low.iter().zip(&high)) {
                pair[0] += low;
                if let Some(second) = pair.get_mut(1) {
                    *second += high;
                }
            }
        }
    }
}

/// Adds both halves of each byte, N at a time as far as that goes.
#[inline(always)]
fn add_halves<const N: usize>(low: &mut [f32], high: &mut [f32], bytes: &[u8], scale: f32) {
    let halves = low.as_chunks_mut::<N>().0.iter_mut().zip(high.as_chunks_mut::<N>().0);
    for ((low, high), bytes) in halves.zip(bytes.as_chunks::<N>().0) {
        for lane in 0..N {
            // Shifted to the top of a byte and back, so that the sign is kept.
            low[lane] += f32::from((bytes[lane] << 4) as i8 >> 4) * scale;
            high[lane] += f32::from(bytes[lane] as i8 >> 4) * scale;
        }
    }
}
