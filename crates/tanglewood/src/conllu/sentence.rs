//! A sentence as a slice of the input.

use std::borrow::Cow;
use std::io::{self, Write};

use memchr::memchr;

use super::row::Row;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines up to and including the blank line that ends a sentence, exactly as they stand in the file.
///
/// Nothing is known about the content: any bytes at all can be a sentence. A blank line that follows a blank
/// line is a sentence without content ([`Sentence::is_blank`]), so that nothing gets lost.
#[derive(Clone, Copy, Debug)]
pub struct Sentence<'a> {
    bytes: &'a [u8],
    first_line: u64,
    known_utf8: bool,
    may_have_returns: bool,
}

/// One line of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number in the file, counted from 1.
    pub number: u64,
    /// What stands before the content: a byte-order mark or nothing.
    pub mark: &'a [u8],
    /// The content, without byte-order mark and line end.
    pub content: &'a [u8],
    /// The line end: `\n`, `\r\n`, or nothing at the end of the file.
    pub ending: &'a [u8],
}

impl<'a> Sentence<'a> {
    /// The bytes, the closing blank line included.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Line number of the first line, counted from 1.
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// True if and only if there is nothing but line ends (and perhaps a byte-order mark).
    pub fn is_blank(&self) -> bool {
        self.lines().all(|line| line.content.is_empty())
    }

    /// True if and only if there is nothing but comments, and one of them is `# spaces = …`: a gap of a
    /// [text](crate::text) that no token carries.
    pub fn is_gap(&self) -> bool {
        self.metadata("spaces").is_some()
            && self.lines().all(|line| line.content.is_empty() || line.content.starts_with(b"#"))
    }

    /// True if it is already known that the bytes are UTF-8.
    pub(super) fn is_known_utf8(&self) -> bool {
        self.known_utf8
    }

    /// False if it is already known that there is no carriage return.
    pub(super) fn may_have_returns(&self) -> bool {
        self.may_have_returns
    }

    /// The byte-order mark at the start of the file, if this is the first sentence and it has one.
    pub(super) fn mark(&self) -> &'a [u8] {
        if self.first_line == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
            &self.bytes[..BYTE_ORDER_MARK.len()]
        } else {
            &[]
        }
    }

    /// The lines in order, the closing blank line included.
    pub fn lines(&self) -> impl Iterator<Item = Line<'a>> + use<'a> {
        let mut mark = self.mark();
        let mut rest = &self.bytes[mark.len()..];
        let mut number = self.first_line;
        std::iter::from_fn(move || {
            if rest.is_empty() && mark.is_empty() {
                return None;
            }
            let end = memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let (whole, others) = rest.split_at(end);
            let ending = line_ending(whole);
            let line = Line {
                number,
                mark,
                content: &whole[..whole.len() - ending],
                ending: &whole[whole.len() - ending..],
            };
            (rest, mark, number) = (others, &[], number + 1);
            Some(line)
        })
    }

    /// The comment lines, without `#` and surrounding spaces.
    pub fn comments(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.lines().filter_map(|line| line.content.strip_prefix(b"#")).map(<[u8]>::trim_ascii)
    }

    /// The value of the first comment of the form `# key = value`.
    pub fn metadata(&self, key: &str) -> Option<Cow<'a, str>> {
        self.comments().find_map(|comment| {
            let rest = comment.strip_prefix(key.as_bytes())?.trim_ascii_start();
            Some(String::from_utf8_lossy(rest.strip_prefix(b"=")?.trim_ascii()))
        })
    }

    /// The sentence's id, if it has one.
    pub fn sent_id(&self) -> Option<Cow<'a, str>> {
        self.metadata("sent_id")
    }

    /// The token lines that have ten columns and a well-formed id: words, multiword ranges and empty nodes.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        self.lines().filter_map(|line| Row::parse(line.content))
    }

    /// Writes the sentence as it was read.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(self.bytes)
    }
}

/// Length of the line end of a line.
pub(super) fn line_ending(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    }
}

/// The sentences of a text, in order.
#[derive(Clone, Debug)]
pub struct Sentences<'a> {
    rest: &'a [u8],
    line: u64,
    known_utf8: bool,
    may_have_returns: bool,
}

impl<'a> Sentences<'a> {
    /// The sentences of a whole file.
    pub fn of(text: &'a [u8]) -> Sentences<'a> {
        Sentences::from_line(text, 1)
    }

    /// The sentences of a part of a file that starts at the given line.
    pub(super) fn from_line(text: &'a [u8], line: u64) -> Sentences<'a> {
        // Two fast checks for the whole block; only if they fail does each sentence need its own.
        Sentences {
            rest: text,
            line,
            known_utf8: simdutf8::basic::from_utf8(text).is_ok(),
            may_have_returns: memchr(b'\r', text).is_some(),
        }
    }
}

impl<'a> Iterator for Sentences<'a> {
    type Item = Sentence<'a>;

    fn next(&mut self) -> Option<Sentence<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut end = 0;
        let mut lines = 0;
        let mut closed = false;
        for newline in memchr::memchr_iter(b'\n', self.rest) {
            let line = &self.rest[end..newline];
            end = newline + 1;
            lines += 1;
            closed = line.is_empty() || line == b"\r" || (self.line == 1 && lines == 1 && is_mark(line));
            if closed {
                break;
            }
        }
        if !closed {
            // The file ends without a blank line: everything left belongs to this sentence.
            end = self.rest.len();
        }
        let (bytes, rest) = self.rest.split_at(end);
        let sentence = Sentence {
            bytes,
            first_line: self.line,
            known_utf8: self.known_utf8,
            may_have_returns: self.may_have_returns,
        };
        self.rest = rest;
        self.line += lines;
        Some(sentence)
    }
}

/// A first line that consists of nothing but the byte-order mark is blank.
fn is_mark(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line) == BYTE_ORDER_MARK
}
