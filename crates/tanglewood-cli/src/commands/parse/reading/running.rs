//! Running text as CoNLL-U.

use std::io::{self, Read};

use tanglewood::text::{TextSentence, TextWriter};
use tanglewood_nn::segmentation::{Segmenter, Segments};

use super::BLOCK_BYTES;

/// A text that is being segmented.
pub struct RunningText<'a> {
    segments: Segments<'a, Box<dyn Read + Send>>,
    writer: TextWriter<Vec<u8>>,
    /// Whether somebody may be waiting for the answer before there is more text.
    waits: bool,
}

impl<'a> RunningText<'a> {
    pub fn new(
        segmenter: &'a Segmenter,
        source: Box<dyn Read + Send>,
        ranges: bool,
        waits: bool,
    ) -> RunningText<'a> {
        let writer = TextWriter::new(Vec::new()).ranges(ranges);
        RunningText { segments: segmenter.segment(source), writer, waits }
    }

    /// The next sentences; nothing at the end.
    pub fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            while !self.is_full()
                && let Some(sentence) = self.segments.next_ready()
            {
                self.write(&sentence)?;
            }
            if self.is_full() || (self.waits && !self.writer.get_mut().is_empty()) {
                return Ok(std::mem::take(self.writer.get_mut()));
            }
            match self.segments.next() {
                Some(sentence) => self.write(&sentence?)?,
                None => return Ok(std::mem::take(self.writer.get_mut())),
            }
        }
    }

    /// True if and only if there is enough for a block.
    fn is_full(&mut self) -> bool {
        self.writer.get_mut().len() >= BLOCK_BYTES
    }

    fn write(&mut self, sentence: &TextSentence) -> io::Result<()> {
        self.writer.push_before(sentence, self.segments.following())
    }
}
