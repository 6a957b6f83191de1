//! A file with a header in JSON and numbers as safetensors, of which every change is noticed.
//!
//! | bytes | what |
//! | --- | --- |
//! | 16 | which kind of file it is, in letters |
//! | 4 | version of the format |
//! | 4 | 1 if all that follows these numbers is compressed (zstd), 0 if not |
//! | 8 | length of the header, not compressed |
//! | 8 | length of the numbers, not compressed |
//! | 8 | checksum of all that follows, not compressed |
//! | … | the header: JSON |
//! | … | the numbers: safetensors |
//!
//! Numbers are stored with the low byte first. A tensor is stored in single precision, or as small integers (I8, or
//! U8 with two of them in each byte) beside a tensor `NAME.scales` with a factor for each row. Files that are neither
//! compressed nor have such tensors are written as version 1.

use std::cmp::Ordering;
use std::io::{Read, Write};
use std::sync::Arc;

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::quantise::{Storage, pack, unpack};

/// The last version that can be read.
pub const VERSION: u32 = 2;

/// The version without compression and small integers.
const PLAIN: u32 = 1;

/// No file is longer than this when it is expanded; one that says so is damaged, or meant to do harm.
const LONGEST: u64 = 1 << 32;

/// How hard to try to compress: a model is written once and read often.
#[cfg(not(target_family = "wasm"))]
const LEVEL: i32 = 19;

/// Bytes before the header.
const PREFIX: usize = 48;

/// What a file is for.
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

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The source or target failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Something else altogether.
    #[error("this is not {}: it does not begin with {:?}; name a file that Tanglewood has written", .0.name(), String::from_utf8_lossy(.0.magic()))]
    Foreign(Kind),
    /// The other kind of file.
    #[error("this is {}, where {} is needed", found.name(), expected.name())]
    OtherKind {
        /// What it is.
        found: Kind,
        /// What was wanted.
        expected: Kind,
    },
    /// From the future.
    #[error(
        "the file has format version {found}, and this program reads versions up to {VERSION}; use a newer Tanglewood"
    )]
    Newer {
        /// Its version.
        found: u32,
    },
    /// It ends too early.
    #[error("the file is cut off: {found} bytes where {expected} are expected; copy or download it again")]
    Truncated {
        /// How many bytes there are, at least.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// It does not end where it should.
    #[error("the file goes on after its end, {expected} bytes; copy or download it again")]
    TooLong {
        /// How many bytes there should be.
        expected: u64,
    },
    /// Bytes have changed.
    #[error(
        "the file is damaged: its checksum is {found:016x} and should be {expected:016x}; copy or download it again"
    )]
    Damaged {
        /// What the checksum is.
        found: u64,
        /// What it should be.
        expected: u64,
    },
    /// What is compressed cannot be expanded.
    #[error("the file is damaged or cut off: {0}; copy or download it again")]
    Unreadable(std::io::Error),
    /// The file is as it was written, but makes no sense.
    #[error(
        "the file does not make sense: {0}; it was written by a program that is not Tanglewood, or has a bug"
    )]
    Senseless(String),
    /// A checkpoint of training with other data.
    #[error(
        "the checkpoint belongs to other training data; name the same files as before, in the same order"
    )]
    OtherData,
}

/// Numbers by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<'a> {
    /// Unique.
    pub name: &'a str,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// Row after row.
    pub values: &'a [f32],
    /// How they are stored.
    pub storage: Storage,
}

impl<'a> Numbers<'a> {
    /// Numbers that are stored as they are.
    pub fn exact(name: &'a str, shape: [usize; 2], values: &'a [f32]) -> Numbers<'a> {
        Numbers { name, shape, values, storage: Storage::Exact }
    }
}

/// Whether a file is written for size.
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
    let (version, compressed) = match form {
        Form::Plain => (PLAIN, 0),
        Form::Compact => (VERSION, 1u32),
    };
    out.write_all(kind.magic())?;
    out.write_all(&version.to_le_bytes())?;
    out.write_all(&compressed.to_le_bytes())?;
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    out.write_all(&checksum(&[&header, &numbers]).to_le_bytes())?;
    match form {
        Form::Plain => {
            out.write_all(&header)?;
            out.write_all(&numbers)?;
        }
        Form::Compact => {
            #[cfg(not(target_family = "wasm"))]
            {
                let mut encoder = zstd::Encoder::new(&mut out, LEVEL)?;
                encoder.write_all(&header)?;
                encoder.write_all(&numbers)?;
                encoder.finish()?;
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

/// All that follows the first numbers of a file, expanded.
#[derive(Clone, Debug)]
pub struct Contents {
    bytes: Arc<Vec<u8>>,
    /// Length of the header.
    header: usize,
}

impl Contents {
    /// All bytes, those of the header first.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// The tensors.
    ///
    /// # Errors
    /// If they are not in the format.
    pub fn tensors(&self) -> Result<SafeTensors<'_>, FileError> {
        let numbers = &self.bytes[self.header..];
        SafeTensors::deserialize(numbers).map_err(|error| FileError::Senseless(error.to_string()))
    }
}

/// Reads a file: its header, and all that it contains.
///
/// # Errors
/// If the source fails, or the file is not what it should be, down to the last bit.
pub fn read<H: DeserializeOwned>(input: impl Read, kind: Kind) -> Result<(H, Contents), FileError> {
    let mut input = input;
    let mut prefix = Vec::with_capacity(PREFIX);
    input.by_ref().take(PREFIX as u64).read_to_end(&mut prefix)?;
    for found in [Kind::Model, Kind::Checkpoint, Kind::Segmenter] {
        if found != kind && prefix.starts_with(found.magic()) {
            return Err(FileError::OtherKind { found, expected: kind });
        }
    }
    if !prefix.starts_with(kind.magic()) {
        return Err(FileError::Foreign(kind));
    }
    let Ok(prefix): Result<[u8; PREFIX], _> = prefix.as_slice().try_into() else {
        return Err(FileError::Truncated { found: prefix.len() as u64, expected: PREFIX as u64 });
    };
    let number = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&prefix[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    let version = number(16) as u32;
    if version > VERSION {
        return Err(FileError::Newer { found: version });
    }
    let lengths = [number(24), number(32)];
    let all = lengths.iter().fold(PREFIX as u64, |sum, &length| sum.saturating_add(length));
    if all > LONGEST {
        return Err(FileError::Senseless(format!("it would have {all} bytes")));
    }
    let bytes = match (number(16) >> 32) as u32 {
        0 => plain(input, all)?,
        1 => expanded(input, all)?,
        other => return Err(FileError::Senseless(format!("its compression is {other}"))),
    };
    // Not longer than the file, which is in memory.
    let (header, numbers) = bytes.split_at(lengths[0] as usize);
    let (found, expected) = (checksum(&[header, numbers]), number(40));
    if found != expected {
        return Err(FileError::Damaged { found, expected });
    }
    let found = serde_json::from_slice(header).map_err(|error| FileError::Senseless(error.to_string()))?;
    let header = header.len();
    Ok((found, Contents { bytes: Arc::new(bytes), header }))
}

/// The rest of a file that has `all` bytes and is not compressed.
fn plain(mut input: impl Read, all: u64) -> Result<Vec<u8>, FileError> {
    // Lengths may be damaged, too: nothing is allocated before it has been read.
    let mut bytes = Vec::new();
    input.by_ref().take(all - PREFIX as u64).read_to_end(&mut bytes)?;
    let found = (PREFIX + bytes.len()) as u64;
    if found < all {
        return Err(FileError::Truncated { found, expected: all });
    }
    if input.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(FileError::TooLong { expected: all });
    }
    Ok(bytes)
}

/// The rest of a file that has `all` bytes when it is expanded.
fn expanded(mut input: impl Read, all: u64) -> Result<Vec<u8>, FileError> {
    let mut compressed = Vec::new();
    input.read_to_end(&mut compressed)?;
    let mut bytes = Vec::new();
    // Lengths may be damaged, too. Memory that is reserved costs nothing until it is written to.
    if bytes.try_reserve_exact((all - PREFIX as u64) as usize).is_err() {
        return Err(FileError::Senseless(format!("it would have {all} bytes")));
    }
    decompress(&compressed, &mut bytes).map_err(FileError::Unreadable)?;
    let found = (PREFIX + bytes.len()) as u64;
    match found.cmp(&all) {
        Ordering::Less => Err(FileError::Truncated { found, expected: all }),
        Ordering::Equal => Ok(bytes),
        Ordering::Greater => Err(FileError::TooLong { expected: all }),
    }
}

/// Fills a vector, whose capacity is never exceeded by more than a byte.
#[cfg(not(target_family = "wasm"))]
fn decompress(compressed: &[u8], bytes: &mut Vec<u8>) -> std::io::Result<()> {
    zstd::bulk::Decompressor::new()?.decompress_to_buffer(compressed, bytes).map(drop)
}

/// The same by a library that is written in Rust alone, since there is no C compiler for the browser.
#[cfg(target_family = "wasm")]
fn decompress(compressed: &[u8], bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(compressed)
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    let most = bytes.capacity() as u64 + 1;
    decoder.take(most).read_to_end(bytes).map(drop)
}

/// How a tensor is stored; to be asked for all tensors before memory is allocated for any of them.
///
/// # Errors
/// If there is none of that name and shape.
pub fn storage(
    tensors: &SafeTensors<'_>,
    name: &str,
    [rows, columns]: [usize; 2],
) -> Result<Storage, FileError> {
    let found = tensors.tensor(name).map_err(|error| FileError::Senseless(error.to_string()))?;
    let storage = match found.dtype() {
        Dtype::F32 => Some((Storage::Exact, columns)),
        Dtype::I8 => Some((Storage::Byte, columns)),
        Dtype::U8 => Some((Storage::HalfByte, columns.div_ceil(2))),
        _ => None,
    };
    let fits = |&(storage, columns): &(Storage, usize)| {
        let scales = tensors.tensor(&scales_of(name));
        let has_scales =
            || scales.is_ok_and(|scales| (scales.shape(), scales.dtype()) == (&[rows, 1], Dtype::F32));
        found.shape() == [rows, columns] && (storage == Storage::Exact || has_scales())
    };
    storage.filter(fits).map(|(storage, _)| storage).ok_or_else(|| {
        let (shape, dtype) = (found.shape(), found.dtype());
        FileError::Senseless(format!("{name} is {shape:?} of {dtype:?}, and should be {:?}", [rows, columns]))
    })
}

/// Copies a tensor to its place.
///
/// # Errors
/// If there is none of that name and shape.
pub fn load(
    tensors: &SafeTensors<'_>,
    name: &str,
    [rows, columns]: [usize; 2],
    to: &mut [f32],
) -> Result<(), FileError> {
    let storage = storage(tensors, name, [rows, columns])?;
    let (bytes, scales) = parts_of(tensors, name, storage)?;
    if storage == Storage::Exact {
        unpack(bytes, 1.0, storage, to);
        return Ok(());
    }
    let bytes = bytes.chunks_exact(storage.row_bytes(columns).max(1));
    for ((row, bytes), scale) in to.chunks_exact_mut(columns.max(1)).zip(bytes).zip(scales) {
        unpack(bytes, scale, storage, row);
    }
    Ok(())
}

/// The bytes of a tensor that is stored like this, and the factors of its rows, if it has any.
///
/// # Errors
/// If there is none of that name.
pub fn parts_of<'n>(
    tensors: &SafeTensors<'n>,
    name: &str,
    storage: Storage,
) -> Result<(&'n [u8], Vec<f32>), FileError> {
    let tensor = |name: &str| tensors.tensor(name).map_err(|error| FileError::Senseless(error.to_string()));
    let bytes = tensor(name)?.data();
    if storage == Storage::Exact {
        return Ok((bytes, Vec::new()));
    }
    let (scales, _) = tensor(&scales_of(name))?.data().as_chunks::<4>();
    Ok((bytes, scales.iter().map(|scale| f32::from_le_bytes(*scale)).collect()))
}

/// Every step can be undone, so that any change to one word of eight bytes changes the result; others do with a chance of 1 − 2⁻⁶⁴.
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
