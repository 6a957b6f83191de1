//! A file with a header in JSON and numbers as safetensors, of which every change is noticed.
//!
//! | bytes | what |
//! | --- | --- |
//! | 16 | which kind of file it is, in letters |
//! | 4 | version of the format |
//! | 4 | zero |
//! | 8 | length of the header |
//! | 8 | length of the numbers |
//! | 8 | checksum of all that follows |
//! | … | the header: JSON |
//! | … | the numbers: safetensors |
//!
//! Numbers are stored with the low byte first.

use std::io::{Read, Write};

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version that is written, and the last one that can be read.
pub const VERSION: u32 = 1;

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
) -> Result<(), FileError> {
    let senseless = |error: &dyn std::fmt::Display| FileError::Senseless(error.to_string());
    let header = serde_json::to_vec_pretty(header).map_err(|error| senseless(&error))?;
    let bytes: Vec<Vec<u8>> = numbers
        .iter()
        .map(|numbers| numbers.values.iter().flat_map(|value| value.to_le_bytes()).collect())
        .collect();
    let views: Vec<(&str, TensorView<'_>)> = numbers
        .iter()
        .zip(&bytes)
        .map(|(numbers, bytes)| {
            Ok((numbers.name, TensorView::new(Dtype::F32, numbers.shape.to_vec(), bytes)?))
        })
        .collect::<Result<_, safetensors::SafeTensorError>>()
        .map_err(|error| senseless(&error))?;
    let numbers = serialize(views, None).map_err(|error| senseless(&error))?;
    out.write_all(kind.magic())?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&0u32.to_le_bytes())?;
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    out.write_all(&checksum(&[&header, &numbers]).to_le_bytes())?;
    out.write_all(&header)?;
    out.write_all(&numbers)?;
    out.flush()?;
    Ok(())
}

/// Reads a file: its header, and its numbers for [`tensors`].
///
/// # Errors
/// If the source fails, or the file is not what it should be, down to the last bit.
pub fn read<H: DeserializeOwned>(input: impl Read, kind: Kind) -> Result<(H, Vec<u8>), FileError> {
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
    let (header_length, numbers_length) = (number(24), number(32));
    let expected = (PREFIX as u64).saturating_add(header_length).saturating_add(numbers_length);
    // Lengths may be damaged, too: nothing is allocated before it has been read.
    let (mut header, mut numbers) = (Vec::new(), Vec::new());
    input.by_ref().take(header_length).read_to_end(&mut header)?;
    input.by_ref().take(numbers_length).read_to_end(&mut numbers)?;
    let found = (PREFIX + header.len() + numbers.len()) as u64;
    if found < expected {
        return Err(FileError::Truncated { found, expected });
    }
    if input.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(FileError::TooLong { expected });
    }
    let (found, expected) = (checksum(&[&header, &numbers]), number(40));
    if found != expected {
        return Err(FileError::Damaged { found, expected });
    }
    let header = serde_json::from_slice(&header).map_err(|error| FileError::Senseless(error.to_string()))?;
    Ok((header, numbers))
}

/// The tensors of a file.
///
/// # Errors
/// If they are not in the format.
pub fn tensors(numbers: &[u8]) -> Result<SafeTensors<'_>, FileError> {
    SafeTensors::deserialize(numbers).map_err(|error| FileError::Senseless(error.to_string()))
}

/// Copies a tensor to its place.
///
/// # Errors
/// If there is none of that name and shape.
pub fn load(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: [usize; 2],
    to: &mut [f32],
) -> Result<(), FileError> {
    let found = tensors.tensor(name).map_err(|error| FileError::Senseless(error.to_string()))?;
    if found.shape() != shape || found.dtype() != Dtype::F32 || found.data().len() != 4 * to.len() {
        let message =
            format!("{name} is {:?} of {:?}, and should be {shape:?} of F32", found.shape(), found.dtype());
        return Err(FileError::Senseless(message));
    }
    for (value, bytes) in to.iter_mut().zip(found.data().as_chunks::<4>().0) {
        *value = f32::from_le_bytes(*bytes);
    }
    Ok(())
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
