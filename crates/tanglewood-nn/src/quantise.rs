//! Rows of numbers as small integers with a scale for each row: a fraction of the size, and little is lost.
//!
//! A row is rounded to multiples of its scale, in one byte or in half a byte each. The scale is the one of a
//! few with the least squared error: a row with one large number among small ones is better cut off than
//! coarse.

use std::borrow::Cow;

/// How the numbers of a tensor are stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Single precision, unchanged.
    Exact,
    /// In a byte each, from −127 to 127 times the scale of the row.
    Byte,
    /// In half a byte each, from −7 to 7 times the scale of the row; two neighbours share a byte, the first
    /// in its low half. A row begins with a new byte.
    HalfByte,
}

impl Storage {
    /// The largest integer of this storage.
    fn limit(self) -> f32 {
        match self {
            Storage::Exact => f32::MAX,
            Storage::Byte => 127.0,
            Storage::HalfByte => 7.0,
        }
    }

    /// Number of bytes of a row, its scale apart.
    pub fn row_bytes(self, columns: usize) -> usize {
        match self {
            Storage::Exact => 4 * columns,
            Storage::Byte => columns,
            Storage::HalfByte => columns.div_ceil(2),
        }
    }
}

/// Shares of the largest number of a row that are tried as the largest one that is not cut off.
const SHARES: [f32; 7] = [1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64];

/// The bytes of one row, appended to `bytes`, and its scale. Numbers that are not finite become zero.
pub fn pack(row: &[f32], storage: Storage, bytes: &mut Vec<u8>) -> f32 {
    if storage == Storage::Exact {
        bytes.extend(row.iter().flat_map(|value| value.to_le_bytes()));
        return 1.0;
    }
    let limit = storage.limit();
    let largest =
        row.iter().filter(|value| value.is_finite()).fold(0.0f32, |most, value| most.max(value.abs()));
    let code = |value: f32, scale: f32| (value / scale).round().clamp(-limit, limit);
    let error = |scale: f32| -> f32 {
        row.iter()
            .map(|&value| (value - code(value, scale) * scale).powi(2))
            .filter(|error| !error.is_nan())
            .sum()
    };
    let scales = SHARES.map(|share| share * largest / limit).into_iter().filter(|scale| *scale > 0.0);
    let scale = scales.map(|scale| (error(scale), scale)).min_by(|a, b| a.0.total_cmp(&b.0));
    let scale = scale.map_or(0.0, |(_, scale)| scale);
    let codes = row.iter().map(|&value| if scale > 0.0 { code(value, scale) as i8 } else { 0 });
    match storage {
        Storage::HalfByte => {
            let codes: Vec<u8> = codes.map(|code| code as u8 & 15).collect();
            bytes.extend(codes.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |second| second << 4)));
        }
        _ => bytes.extend(codes.map(|code| code as u8)),
    }
    scale
}

/// The numbers of one row, from its bytes and its scale.
pub fn unpack(bytes: &[u8], scale: f32, storage: Storage, row: &mut [f32]) {
    match storage {
        Storage::Exact => {
            for (value, bytes) in row.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *value = f32::from_le_bytes(*bytes);
            }
        }
        Storage::Byte => {
            for (value, &byte) in row.iter_mut().zip(bytes) {
                *value = f32::from(byte as i8) * scale;
            }
        }
        Storage::HalfByte => {
            // Shifted to the top of a byte and back, so that the sign is kept.
            let (low, high) = (|byte: u8| (byte << 4) as i8 >> 4, |byte: u8| byte as i8 >> 4);
            for (pair, &byte) in row.chunks_mut(2).zip(bytes) {
                for (value, code) in pair.iter_mut().zip([low(byte), high(byte)]) {
                    *value = f32::from(code) * scale;
                }
            }
        }
    }
}

/// A matrix with a byte for each number, from −127 to 127 times the factor of its row.
#[derive(Clone, Debug)]
pub struct Codes<'a> {
    columns: usize,
    bytes: Cow<'a, [u8]>,
    scales: Vec<f32>,
}

impl<'a> Codes<'a> {
    /// A matrix, row after row, each byte with a sign.
    pub fn new(columns: usize, bytes: Cow<'a, [u8]>, scales: Vec<f32>) -> Codes<'a> {
        Codes { columns, bytes, scales }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// A row and its factor.
    pub fn row(&self, row: usize) -> (&[u8], f32) {
        // A matrix without columns has no factors, either.
        let scale = self.scales.get(row).copied().unwrap_or(0.0);
        (&self.bytes[row * self.columns..][..self.columns], scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back_within_half_a_scale() {
        let row: Vec<f32> = (0..37).map(|at| ((at * 29 % 37) as f32 - 18.0) / 7.0).collect();
        for (storage, levels) in [(Storage::Byte, 127.0), (Storage::HalfByte, 7.0), (Storage::Exact, 1e9)] {
            let mut bytes = Vec::new();
            let scale = pack(&row, storage, &mut bytes);
            assert_eq!(bytes.len(), storage.row_bytes(row.len()));
            let mut again = vec![f32::NAN; row.len()];
            unpack(&bytes, scale, storage, &mut again);
            // The largest may be cut off by a third.
            let worst = row.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(
                worst <= 18.0 / 7.0 * (0.5 / levels + 0.36 * f32::from(u8::from(levels < 1e9))),
                "{storage:?} {worst}"
            );
        }
    }

    #[test]
    fn rows_of_zeros_and_odd_numbers_are_stored() {
        for row in [vec![0.0; 5], vec![f32::NAN, f32::INFINITY, 0.0], vec![1e-45; 3], Vec::new()] {
            for storage in [Storage::Byte, Storage::HalfByte] {
                let (mut bytes, mut again) = (Vec::new(), vec![f32::NAN; row.len()]);
                let scale = pack(&row, storage, &mut bytes);
                unpack(&bytes, scale, storage, &mut again);
                assert!(again.iter().all(|value| value.is_finite()), "{row:?} {storage:?} {again:?}");
            }
        }
    }

    #[test]
    fn one_large_number_does_not_make_the_others_coarse() {
        let mut row = vec![0.1; 200];
        row[7] = 1.0;
        let mut bytes = Vec::new();
        assert!(pack(&row, Storage::HalfByte, &mut bytes) < 1.0 / 7.0);
    }
}
