//! Text with one sentence a line, as CoNLL-U.

use std::io::{self, BufRead, BufReader, Read};

use tanglewood::text::{Following, TextSentence, TextToken, TextWriter};
use tanglewood_nn::segmentation::Segmenter;

use super::{BLOCK_BYTES, SENTENCE_BYTES};

/// A gap of this number of bytes is written even if there is no token to carry it yet.
const GAP_BYTES: usize = 1 << 14;

/// Lines that are being cut into words.
pub struct SentenceLines<'a> {
    segmenter: &'a Segmenter,
    lines: Lines,
    writer: TextWriter<Vec<u8>>,
    /// Blank lines before the next sentence.
    gap: Vec<u8>,
    line: Vec<u8>,
}

impl<'a> SentenceLines<'a> {
    pub fn new(
        segmenter: &'a Segmenter,
        source: Box<dyn Read + Send>,
        ranges: bool,
        waits: bool,
    ) -> SentenceLines<'a> {
        let writer = TextWriter::new(Vec::new()).ranges(ranges);
        SentenceLines {
            segmenter,
            lines: Lines::new(source, waits),
            writer,
            gap: Vec::new(),
            line: Vec::new(),
        }
    }

    /// The next sentences; nothing at the end.
    pub fn next(&mut self) -> io::Result<Vec<u8>> {
        while self.lines.next(&mut self.line)? {
            let sentence = self.sentence()?;
            if sentence.tokens().is_empty() {
                self.gap = sentence.bytes().to_vec();
                self.writer.begin_paragraph();
                if self.gap.len() >= GAP_BYTES {
                    self.write_gap(Following::Gap)?;
                }
            } else {
                self.writer.push_before(&sentence, Following::Gap)?;
            }
            let written = self.writer.get_mut().len();
            if written >= BLOCK_BYTES || (written > 0 && self.lines.must_wait()) {
                return Ok(std::mem::take(self.writer.get_mut()));
            }
        }
        self.write_gap(Following::End)?;
        Ok(std::mem::take(self.writer.get_mut()))
    }

    /// The line with the gap before it. Tokens are found as in running text, and all belong to one sentence.
    fn sentence(&mut self) -> io::Result<TextSentence> {
        let mut bytes = std::mem::take(&mut self.gap);
        let mut tokens: Vec<TextToken> = Vec::new();
        for part in self.segmenter.segment(&self.line[..]) {
            let part = part?;
            let start = bytes.len();
            tokens.extend(part.tokens().iter().map(|TextToken { span, words }| TextToken {
                span: start + span.start..start + span.end,
                words: words.clone(),
            }));
            bytes.extend_from_slice(part.bytes());
        }
        TextSentence::new(bytes, tokens).map_err(io::Error::other)
    }

    fn write_gap(&mut self, following: Following) -> io::Result<()> {
        let gap = std::mem::take(&mut self.gap);
        match TextSentence::new(gap, Vec::new()) {
            Ok(gap) if !gap.bytes().is_empty() => self.writer.push_before(&gap, following),
            _ => Ok(()),
        }
    }
}

/// Lines of any source. Those that are too long are cut, at a space if there is one.
pub struct Lines {
    source: BufReader<Box<dyn Read + Send>>,
    /// Whether somebody may be waiting for the answer before there is another line.
    waits: bool,
    /// What was cut off the line before.
    rest: Vec<u8>,
}

impl Lines {
    pub fn new(source: Box<dyn Read + Send>, waits: bool) -> Lines {
        Lines { source: BufReader::with_capacity(1 << 16, source), waits, rest: Vec::new() }
    }

    /// The next line with its end; false if there is none.
    pub fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        line.append(&mut self.rest);
        let room = SENTENCE_BYTES.saturating_sub(line.len());
        self.source.by_ref().take(room as u64).read_until(b'\n', line)?;
        if line.len() >= SENTENCE_BYTES && !line.ends_with(b"\n") {
            let half = line.len() / 2;
            let space = line[half..].iter().rposition(u8::is_ascii_whitespace);
            // Without a space, the cut is not inside of a character.
            let cut = space.map_or_else(|| character_start(line), |space| half + space + 1);
            self.rest = line.split_off(cut);
        }
        Ok(!line.is_empty())
    }

    /// True if the next line is not there yet, and may not come before an answer.
    pub fn must_wait(&self) -> bool {
        self.waits && !self.source.buffer().contains(&b'\n')
    }
}

/// Where the last character begins, if it may not be whole; otherwise the end.
fn character_start(line: &[u8]) -> usize {
    let last = line.iter().rev().take(4).position(|byte| byte & 0xC0 != 0x80);
    last.map_or(line.len(), |back| line.len() - 1 - back).max(line.len() / 2)
}
