//! Bytes as characters, any bytes at all, and every byte accounted for.

use std::io::{self, Read};

/// How much is read at once.
const READ_BYTES: usize = 1 << 14;

/// True for what no token begins with: white space, control characters, the byte-order mark.
pub fn is_blank(character: char) -> bool {
    if character.is_ascii() {
        return character <= ' ' || character == '\x7F';
    }
    character.is_whitespace() || character.is_control() || character == '\u{FEFF}'
}

/// Characters of a stream that has been read so far and not yet given away.
#[derive(Debug, Default)]
pub struct CharacterBuffer {
    bytes: Vec<u8>,
    /// How many of the bytes have been decoded.
    decoded: usize,
    characters: Vec<char>,
    /// Length of each character in bytes.
    lengths: Vec<u8>,
    at_end: bool,
}

impl CharacterBuffer {
    /// The characters.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// True if and only if there is nothing more to read.
    pub fn at_end(&self) -> bool {
        self.at_end
    }

    /// Length of each character in bytes.
    pub fn lengths(&self) -> &[u8] {
        &self.lengths
    }

    /// The bytes of all characters, and perhaps the beginning of another one.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads until there are at least `wanted` characters, or the source ends.
    ///
    /// # Errors
    /// Those of the source.
    pub fn fill(&mut self, source: &mut impl Read, wanted: usize) -> io::Result<()> {
        while self.characters.len() < wanted && !self.at_end {
            let before = self.bytes.len();
            self.bytes.resize(before + READ_BYTES, 0);
            let read = match source.read(&mut self.bytes[before..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    self.bytes.truncate(before);
                    continue;
                }
                Err(error) => {
                    self.bytes.truncate(before);
                    return Err(error);
                }
            };
            self.bytes.truncate(before + read);
            self.at_end = read == 0;
            self.decode();
        }
        Ok(())
    }

    /// Forgets the first characters; returns their length in bytes.
    pub fn forget(&mut self, characters: usize) -> usize {
        let length = self.lengths[..characters].iter().map(|&length| usize::from(length)).sum();
        self.characters.drain(..characters);
        self.lengths.drain(..characters);
        self.bytes.drain(..length);
        self.decoded -= length;
        length
    }

    /// Decodes what has been read. A byte that is not part of valid UTF-8 is U+FFFD; the beginning of a
    /// character waits for its end.
    fn decode(&mut self) {
        let fresh = &self.bytes[self.decoded..];
        let mut chunks = fresh.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for character in chunk.valid().chars() {
                self.characters.push(character);
                self.lengths.push(character.len_utf8() as u8);
            }
            self.decoded += chunk.valid().len();
            let may_go_on = chunks.peek().is_none() && !self.at_end && is_beginning(chunk.invalid());
            if !may_go_on {
                for _ in chunk.invalid() {
                    self.characters.push(char::REPLACEMENT_CHARACTER);
                    self.lengths.push(1);
                }
                self.decoded += chunk.invalid().len();
            }
        }
    }
}

/// True if more bytes may make these a character.
fn is_beginning(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => false,
        Err(error) => error.error_len().is_none(),
    }
}
