//! Cutting a stream into blocks of whole sentences.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use super::sentence::{Sentence, Sentences};

/// How much is read before a block is handed out, unless a sentence is longer.
const BLOCK_BYTES: usize = 1 << 20;

/// The longest sentence, comments included, that is read.
pub const MAX_SENTENCE_BYTES: usize = 16 << 20;

/// Some whole sentences, as bytes.
#[derive(Clone, Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
    first_line: u64,
}

/// Why a stream cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No blank line for too long.
    #[error("{line}:1: a sentence of more than {} MB starts here; expected a blank line after each sentence", MAX_SENTENCE_BYTES >> 20)]
    SentenceTooLong {
        /// Where it starts, counted from 1.
        line: u64,
    },
}

/// Reads a stream block by block.
///
/// Blocks are filled into buffers of the caller's, so that several can be worked on at once while memory
/// stays bounded.
#[derive(Debug)]
pub struct Blocks<R> {
    source: R,
    /// The beginning of a sentence whose end has not been read yet.
    carry: Vec<u8>,
    line: u64,
    at_end: bool,
}

impl<R: Read> Blocks<R> {
    /// Starts at the beginning of a file.
    pub fn new(source: R) -> Blocks<R> {
        Blocks { source, carry: Vec::new(), line: 1, at_end: false }
    }

    /// Fills `block` with the next sentences; false at the end of the stream, when there was nothing left.
    ///
    /// # Errors
    /// If the source fails, or a sentence is longer than [`MAX_SENTENCE_BYTES`].
    pub fn read_into(&mut self, block: &mut Block) -> Result<bool, ReadError> {
        let bytes = &mut block.bytes;
        bytes.clear();
        bytes.append(&mut self.carry);
        block.first_line = self.line;
        let mut searched = 0;
        let mut wanted = BLOCK_BYTES;
        while !self.at_end {
            self.fill(bytes, wanted)?;
            if self.at_end {
                break;
            }
            // Only one byte was read beyond the limit, after no blank line was found up to there.
            if bytes.len() > MAX_SENTENCE_BYTES {
                return Err(ReadError::SentenceTooLong { line: self.line });
            }
            if let Some(end) = last_sentence_end(bytes, searched) {
                self.carry.extend_from_slice(&bytes[end..]);
                bytes.truncate(end);
                break;
            }
            searched = bytes.len();
            wanted = (bytes.len() * 2).min(MAX_SENTENCE_BYTES);
        }
        self.line += memchr_iter(b'\n', bytes).count() as u64;
        Ok(!bytes.is_empty())
    }

    /// Fills `block` with the next sentences that are there, without waiting for more than the end of the
    /// first; at most `most` bytes unless a sentence is longer. False at the end of the stream, when there
    /// was nothing left.
    ///
    /// # Errors
    /// As [`Blocks::read_into`].
    pub fn read_ready_into(&mut self, block: &mut Block, most: usize) -> Result<bool, ReadError> {
        let bytes = &mut block.bytes;
        bytes.clear();
        bytes.append(&mut self.carry);
        block.first_line = self.line;
        let mut searched = 0;
        while !self.at_end {
            if let Some(end) = last_sentence_end(bytes, searched) {
                self.carry.extend_from_slice(&bytes[end..]);
                bytes.truncate(end);
                break;
            }
            if bytes.len() > MAX_SENTENCE_BYTES {
                return Err(ReadError::SentenceTooLong { line: self.line });
            }
            searched = bytes.len();
            let wanted = most.max(bytes.len() + bytes.len() / 2).min(MAX_SENTENCE_BYTES + 1);
            bytes.resize(wanted, 0);
            match self.source.read(&mut bytes[searched..]) {
                Ok(read) => {
                    bytes.truncate(searched + read);
                    self.at_end = read == 0;
                }
                Err(error) => {
                    bytes.truncate(searched);
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error.into());
                    }
                }
            }
        }
        self.line += memchr_iter(b'\n', bytes).count() as u64;
        Ok(!bytes.is_empty())
    }

    /// Reads until `bytes` has the wanted length or the source is exhausted.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<(), ReadError> {
        let mut filled = bytes.len();
        bytes.resize(wanted.max(filled + 1), 0);
        while filled < bytes.len() {
            match self.source.read(&mut bytes[filled..]) {
                Ok(0) => {
                    self.at_end = true;
                    break;
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        bytes.truncate(filled);
        Ok(())
    }
}

impl Block {
    /// A block made of a whole text.
    pub fn of(bytes: Vec<u8>) -> Block {
        Block { bytes, first_line: 1 }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The sentences in order.
    pub fn sentences(&self) -> Sentences<'_> {
        Sentences::from_line(&self.bytes, self.first_line)
    }
}

/// The end of the last blank line; none if there is no blank line that ends after `from`.
fn last_sentence_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut newline = memrchr(b'\n', bytes)?;
    loop {
        let before = memrchr(b'\n', &bytes[..newline]);
        let line = &bytes[before.map_or(0, |at| at + 1)..newline];
        if matches!(line, b"" | b"\r") {
            return Some(newline + 1);
        }
        newline = before.filter(|&at| at >= from)?;
    }
}

/// Reads a whole stream and hands over one sentence at a time; stops early when told to.
///
/// # Errors
/// Those of [`Blocks::read_into`], and whatever `visit` returns.
pub fn for_each_sentence<E: From<ReadError>>(
    source: impl Read,
    mut visit: impl FnMut(&Sentence<'_>) -> Result<std::ops::ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut blocks = Blocks::new(source);
    let mut block = Block::default();
    while blocks.read_into(&mut block)? {
        for sentence in block.sentences() {
            if visit(&sentence)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
