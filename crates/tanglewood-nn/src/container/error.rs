//! Why a file cannot be read or written.

use super::{Kind, VERSION};

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
