//! Reading files, and what is in them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::io::Read;
use std::sync::Arc;

use safetensors::tensor::{Dtype, SafeTensors};
use serde::de::DeserializeOwned;

use super::{FileError, Kind, LONGEST, PREFIX, VERSION, checksum, checksum_of_both, scales_of};
use crate::quantise::{Storage, unpack};

/// The numbers of a file, expanded.
#[derive(Clone, Debug)]
pub struct Contents {
    bytes: Arc<Vec<u8>>,
}

impl Contents {
    /// The bytes that the tensors are in.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// The tensors.
    ///
    /// # Errors
    /// If they are not in the format.
    pub fn tensors(&self) -> Result<SafeTensors<'_>, FileError> {
        SafeTensors::deserialize(&self.bytes).map_err(|error| FileError::Senseless(error.to_string()))
    }
}

/// The numbers at the beginning of a file.
struct Prefix {
    version: u32,
    compressed: bool,
    /// Lengths of header and numbers when they are expanded.
    header: usize,
    numbers: usize,
    checksum: u64,
}

impl Prefix {
    fn of(file: &[u8], kind: Kind) -> Result<Prefix, FileError> {
        for found in [Kind::Model, Kind::Checkpoint, Kind::Segmenter] {
            if found != kind && found.begins(file) {
                return Err(FileError::OtherKind { found, expected: kind });
            }
        }
        if !kind.begins(file) {
            return Err(FileError::Foreign(kind));
        }
        let Some(prefix) = file.first_chunk::<PREFIX>() else {
            return Err(FileError::Truncated { found: file.len() as u64, expected: PREFIX as u64 });
        };
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&prefix[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let (version, compression) = (number(16) as u32, (number(16) >> 32) as u32);
        if version > VERSION {
            return Err(FileError::Newer { found: version });
        }
        // What no version had is refused, so that a later one can give it a meaning.
        if !matches!((version, compression), (1, 0) | (2..=VERSION, 0 | 1)) {
            let message = format!("its format version is {version}, and its compression {compression}");
            return Err(FileError::Senseless(message));
        }
        let [header, numbers] = [number(24), number(32)];
        let all = (PREFIX as u64).saturating_add(header).saturating_add(numbers);
        if all > LONGEST {
            return Err(FileError::Senseless(format!("it would have {all} bytes")));
        }
        let [header, numbers] = [header as usize, numbers as usize];
        Ok(Prefix { version, compressed: compression == 1, header, numbers, checksum: number(40) })
    }

    fn check(&self, found: u64) -> Result<(), FileError> {
        let expected = self.checksum;
        if found == expected { Ok(()) } else { Err(FileError::Damaged { found, expected }) }
    }
}

/// Reads a file: its header, and all that it contains.
///
/// # Errors
/// If the source fails, or the file is not what it should be, down to the last bit.
pub fn read<H: DeserializeOwned>(mut input: impl Read, kind: Kind) -> Result<(H, Contents), FileError> {
    let mut file = Vec::new();
    input.by_ref().take(PREFIX as u64).read_to_end(&mut file)?;
    // No more is read of a file of another kind. Lengths may be damaged: nothing is allocated for what is not
    // there.
    Prefix::of(&file, kind)?;
    input.take(LONGEST).read_to_end(&mut file)?;
    read_bytes(Cow::Owned(file), kind)
}

/// The same for a file that is in memory.
///
/// # Errors
/// If the file is not what it should be, down to the last bit.
pub fn read_bytes<H: DeserializeOwned>(file: Cow<'_, [u8]>, kind: Kind) -> Result<(H, Contents), FileError> {
    let prefix = Prefix::of(&file, kind)?;
    let (header, bytes) = match (prefix.version, prefix.compressed) {
        (3.., true) => read_apart(&file, &prefix)?,
        _ => read_together(file, &prefix)?,
    };
    let header = header.map_err(|error| FileError::Senseless(error.to_string()))?;
    Ok((header, Contents { bytes: Arc::new(bytes) }))
}

/// Header and numbers of a file in which they are compressed apart.
fn read_apart<H: DeserializeOwned>(
    file: &[u8],
    prefix: &Prefix,
) -> Result<(serde_json::Result<H>, Vec<u8>), FileError> {
    let compressed = file[PREFIX..]
        .split_first_chunk()
        .and_then(|(length, rest)| rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?));
    let Some((header, numbers)) = compressed else {
        return Err(FileError::Unreadable(std::io::ErrorKind::UnexpectedEof.into()));
    };
    let numbers = || expanded(numbers, prefix.numbers).map(|bytes| (checksum(&[&bytes]), bytes));
    let header =
        || expanded(header, prefix.header).map(|bytes| (checksum(&[&bytes]), serde_json::from_slice(&bytes)));
    let (numbers, header) = both(numbers, header);
    let ((of_numbers, numbers), (of_header, header)) = (numbers?, header?);
    prefix.check(checksum_of_both(of_header, of_numbers))?;
    Ok((header, numbers))
}

/// The same if they are not compressed, or in one piece.
fn read_together<H: DeserializeOwned>(
    file: Cow<'_, [u8]>,
    prefix: &Prefix,
) -> Result<(serde_json::Result<H>, Vec<u8>), FileError> {
    let mut bytes = if prefix.compressed {
        expanded(&file[PREFIX..], prefix.header + prefix.numbers)?
    } else {
        let mut bytes = file.into_owned();
        bytes.drain(..PREFIX);
        check_length(bytes.len(), prefix.header + prefix.numbers)?;
        bytes
    };
    let (header, numbers) = bytes.split_at(prefix.header);
    let sum = || match prefix.version {
        ..3 => checksum(&[header, numbers]),
        _ => checksum_of_both(checksum(&[header]), checksum(&[numbers])),
    };
    let (found, header) = both(sum, || serde_json::from_slice(header));
    prefix.check(found)?;
    bytes.drain(..prefix.header);
    Ok((header, bytes))
}

/// Two results, the first of them computed beside the second where there can be another thread.
fn both<A: Send, B>(first: impl Fn() -> A + Sync, second: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().spawn_scoped(scope, &first).ok();
        let second = second();
        (beside.and_then(|thread| thread.join().ok()).unwrap_or_else(&first), second)
    })
}

/// A part of a file that should have `length` bytes when it is expanded.
fn expanded(compressed: &[u8], length: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    // Lengths may be damaged. Memory that is reserved costs nothing until it is written to.
    if bytes.try_reserve_exact(length).is_err() {
        return Err(FileError::Io(std::io::ErrorKind::OutOfMemory.into()));
    }
    advise_large_pages(&mut bytes);
    decompress(compressed, &mut bytes).map_err(FileError::Unreadable)?;
    check_length(bytes.len(), length)?;
    Ok(bytes)
}

/// Asks for large pages of memory, which the kernel hands out in a fraction of the time: a model is some
/// megabytes, and small pages take longer than expanding what is written to them.
#[cfg(target_os = "linux")]
fn advise_large_pages(bytes: &mut Vec<u8>) {
    const PAGE: usize = 4096;
    let spare = bytes.spare_capacity_mut();
    let skipped = spare.as_ptr().align_offset(PAGE);
    if let Some(length) = spare.len().checked_sub(skipped) {
        let start = spare[skipped..].as_mut_ptr();
        // SAFETY: the range is within memory that belongs to the vector, and this advice changes nothing that a
        // program can see. It may be refused, which makes no difference either.
        unsafe { libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_large_pages(_: &mut Vec<u8>) {}

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

fn check_length(found: usize, expected: usize) -> Result<(), FileError> {
    let [found, expected] = [found, expected].map(|length| (PREFIX + length) as u64);
    match found.cmp(&expected) {
        Ordering::Less => Err(FileError::Truncated { found, expected }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(FileError::TooLong { expected }),
    }
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
/// If there is none of that name, or a number in single precision is infinite or none: nothing could be
/// computed with it.
pub fn parts_of<'n>(
    tensors: &SafeTensors<'n>,
    name: &str,
    storage: Storage,
) -> Result<(&'n [u8], Vec<f32>), FileError> {
    let tensor = |name: &str| tensors.tensor(name).map_err(|error| FileError::Senseless(error.to_string()));
    let bytes = tensor(name)?.data();
    if storage == Storage::Exact {
        check_finite(name, bytes)?;
        return Ok((bytes, Vec::new()));
    }
    let scales = tensor(&scales_of(name))?.data();
    check_finite(&scales_of(name), scales)?;
    let (scales, _) = scales.as_chunks::<4>();
    Ok((bytes, scales.iter().map(|scale| f32::from_le_bytes(*scale)).collect()))
}

fn check_finite(name: &str, numbers: &[u8]) -> Result<(), FileError> {
    let (numbers, _) = numbers.as_chunks::<4>();
    match numbers.iter().map(|number| f32::from_le_bytes(*number)).find(|number| !number.is_finite()) {
        Some(number) => Err(FileError::Senseless(format!("there is {number} among the numbers of {name}"))),
        None => Ok(()),
    }
}
