//! Why a file cannot be read or written.

use super::{Kind, VERSION};

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file does not begin as files of this kind do.
    #[error("this is not {}: it does not begin with {:?}; name a file that Tanglewood has written", .0.name(), String::from_utf8_lossy(.0.magic()))]
    Foreign(Kind),
    /// A file of another kind than was asked for.
    #[error("this is {}, where {} is needed", found.name(), expected.name())]
    OtherKind {
        /// Kind of file that was found.
        found: Kind,
        /// Kind of file that was asked for.
        expected: Kind,
    },
    /// The file was written by a newer version of the format.
    #[error(
        "the file has format version {found}, and this program reads versions up to {VERSION}; use a newer Tanglewood"
    )]
    Newer {
        /// Version of the format that the file names.
        found: u32,
    },
    /// The file ends before the length that its prefix announces.
    #[error("the file is cut off: {found} bytes where {expected} are expected; copy or download it again")]
    Truncated {
        /// Number of bytes that were found, or more.
        found: u64,
        /// Number of bytes that the prefix announces.
        expected: u64,
    },
    /// It does not end where it should.
    #[error("the file goes on after its end, {expected} bytes; copy or download it again")]
    TooLong {
        /// Number of bytes that the prefix announces.
        expected: u64,
    },
    /// The checksum does not match the bytes.
    #[error(
        "the file is damaged: its checksum is {found:016x} and should be {expected:016x}; copy or download it again"
    )]
    Damaged {
        /// Checksum of the bytes that were read.
        found: u64,
        /// Checksum that the prefix announces.
        expected: u64,
    },
    /// The compressed part of the file cannot be decompressed.
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
