//! A file with a header in JSON and numbers as safetensors, of which every change is noticed.
//!
//! | bytes | what |
//! | --- | --- |
//! | 16 | which kind of file it is, in letters |
//! | 4 | version of the format |
//! | 4 | 1 if header and numbers are compressed (zstd), 0 if not |
//! | 8 | length of the header, not compressed |
//! | 8 | length of the numbers, not compressed |
//! | 8 | checksum of header and numbers, not compressed |
//! | 8 | length of the header, compressed; only if it is |
//! | … | the header: JSON |
//! | … | the numbers: safetensors |
//!
//! Numbers are stored with the low byte first. A tensor is stored in single precision, or as small integers
//! (I8, or U8 with two of them in each byte) beside a tensor `NAME.scales` with a factor for each row.
//!
//! Header and numbers are compressed apart, so that they can be expanded and checked at the same time, and names
//! are one text in the header, see [`Names`](crate::vocabulary::Names). Up to version 2, both were compressed
//! together and had one checksum, and names were lists; version 1 had neither compression nor small integers.
//! All versions are read, and the last is written.

mod error;
mod reading;

use std::io::Write;

use safetensors::tensor::{Dtype, TensorView, serialize};
use serde::Serialize;

use crate::quantise::{Storage, pack};
pub use error::FileError;
pub use reading::{Contents, load, parts_of, read, read_bytes, storage};

/// The last version that can be read.
pub const VERSION: u32 = 3;

/// No file is longer than this when it is expanded; one that says so is damaged, or meant to do harm.
const LONGEST: u64 = 1 << 32;

/// How hard to try to compress: a model is written once and read often.
#[cfg(not(target_family = "wasm"))]
const LEVEL: i32 = 19;

/// Length in bytes of the prefix that precedes the header.
const PREFIX: usize = 48;

/// Kinds of files that share the container format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A model to parse with.
    Model,
    /// Training that can be gone on with.
    Checkpoint,
    /// A segmenter by itself.
    Segmenter,
}

impl Kind {
    fn magic(self) -> &'static [u8; 16] {
        match self {
            Kind::Model => b"tanglewood model",
            Kind::Checkpoint => b"tanglewood state",
            Kind::Segmenter => b"tanglewood words",
        }
    }

    /// True if and only if a file that begins like this is of this kind.
    pub fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic())
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Model => "a model",
            Kind::Checkpoint => "a checkpoint of training",
            Kind::Segmenter => "a segmenter",
        }
    }
}

/// A named tensor to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<'a> {
    /// Name of the tensor, unique within the file.
    pub name: &'a str,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// Values in row-major order.
    pub values: &'a [f32],
    /// How the values are stored in the file.
    pub storage: Storage,
}

impl<'a> Numbers<'a> {
    /// Numbers that are stored as they are.
    pub fn exact(name: &'a str, shape: [usize; 2], values: &'a [f32]) -> Numbers<'a> {
        Numbers { name, shape, values, storage: Storage::Exact }
    }
}

/// Whether a file is written for size or for exactness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every number as it is, without compression.
    Plain,
    /// As the `storage` of the numbers says, compressed.
    Compact,
}

/// The name of the factors of a tensor's rows.
fn scales_of(name: &str) -> String {
    format!("{name}.scales")
}

/// Writes a file.
///
/// # Errors
/// Those of the writer.
pub fn write<H: Serialize>(
    mut out: impl Write,
    kind: Kind,
    header: &H,
    numbers: &[Numbers<'_>],
    form: Form,
) -> Result<(), FileError> {
    let senseless = |error: &dyn std::fmt::Display| FileError::Senseless(error.to_string());
    let header = match form {
        Form::Plain => serde_json::to_vec_pretty(header),
        Form::Compact => serde_json::to_vec(header),
    };
    let header = header.map_err(|error| senseless(&error))?;
    let packed: Vec<Packed> = numbers.iter().flat_map(|numbers| Packed::of(numbers, form)).collect();
    let views: Vec<(&str, TensorView<'_>)> = packed
        .iter()
        .map(|tensor| {
            Ok((&tensor.name[..], TensorView::new(tensor.dtype, tensor.shape.to_vec(), &tensor.bytes)?))
        })
        .collect::<Result<_, safetensors::SafeTensorError>>()
        .map_err(|error| senseless(&error))?;
    let numbers = serialize(views, None).map_err(|error| senseless(&error))?;
    out.write_all(kind.magic())?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&u32::from(form == Form::Compact).to_le_bytes())?;
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    out.write_all(&checksum_of_both(checksum(&[&header]), checksum(&[&numbers])).to_le_bytes())?;
    match form {
        Form::Plain => {
            out.write_all(&header)?;
            out.write_all(&numbers)?;
        }
        Form::Compact => {
            #[cfg(not(target_family = "wasm"))]
            {
                let header = zstd::encode_all(&header[..], LEVEL)?;
                out.write_all(&(header.len() as u64).to_le_bytes())?;
                out.write_all(&header)?;
                out.write_all(&zstd::encode_all(&numbers[..], LEVEL)?)?;
            }
            #[cfg(target_family = "wasm")]
            return Err(FileError::Senseless("compact files are not written in a browser".to_owned()));
        }
    }
    out.flush()?;
    Ok(())
}

/// A tensor as it stands in the file.
struct Packed {
    name: String,
    dtype: Dtype,
    shape: [usize; 2],
    bytes: Vec<u8>,
}

impl Packed {
    /// The tensor, and its scales if it has any.
    fn of(numbers: &Numbers<'_>, form: Form) -> Vec<Packed> {
        let &Numbers { name, shape: [rows, columns], values, storage } = numbers;
        let storage = if form == Form::Plain || columns == 0 { Storage::Exact } else { storage };
        let mut bytes = Vec::with_capacity(rows * storage.row_bytes(columns));
        let scales: Vec<f32> =
            values.chunks(columns.max(1)).map(|row| pack(row, storage, &mut bytes)).collect();
        let tensor = |dtype, columns| Packed { name: name.to_owned(), dtype, shape: [rows, columns], bytes };
        let tensor = match storage {
            Storage::Exact => return vec![tensor(Dtype::F32, columns)],
            Storage::Byte => tensor(Dtype::I8, columns),
            Storage::HalfByte => tensor(Dtype::U8, columns.div_ceil(2)),
        };
        let bytes = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
        vec![tensor, Packed { name: scales_of(name), dtype: Dtype::F32, shape: [rows, 1], bytes }]
    }
}

/// Every step can be undone, so that any change to one word of eight bytes changes the result; others do with
/// a chance of 1 − 2⁻⁶⁴.
fn checksum(parts: &[&[u8]]) -> u64 {
    let mut sum = 0x9E37_79B9_7F4A_7C15u64;
    let mut add = |word: u64| {
        sum = (sum ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        sum ^= sum >> 32;
    };
    for part in parts {
        let (words, rest) = part.as_chunks::<8>();
        words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        add(u64::from_le_bytes(last));
        add(part.len() as u64);
    }
    sum
}

/// The checksum of a file from those of its two parts.
fn checksum_of_both(header: u64, numbers: u64) -> u64 {
    checksum(&[&header.to_le_bytes(), &numbers.to_le_bytes()])
}
