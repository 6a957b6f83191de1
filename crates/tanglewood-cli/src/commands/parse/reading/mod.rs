//! Input of any kind as blocks of CoNLL-U, small enough to share among threads, without waiting for more than
//! is there.
//!
//! Running text, lines and tokens become CoNLL-U here, so that all that follows knows nothing else.

mod lines;
mod recognition;
mod running;
mod tokens;

use std::io::Read;
use std::time::{Duration, Instant};

use tanglewood::conllu::{Block, Blocks};
use tanglewood_nn::segmentation::Segmenter;

use crate::arguments::InputKind;
use crate::failure::Failure;
use crate::input::{Source, is_named_conllu};
use crate::progress::Progress;
use lines::SentenceLines;
use recognition::recognise;
use running::RunningText;
use tokens::TokenLines;

/// Some thousand words.
const BLOCK_BYTES: usize = 1 << 18;

/// What a sentence of lines or tokens may take. In CoNLL-U it takes up to six times as much, and both lines
/// of CoNLL-U and the words of a sentence are limited.
const SENTENCE_BYTES: usize = 1 << 16;

/// A block, the index of its source, and how long it took to read.
pub struct ReadBlock {
    pub source: usize,
    pub block: Block,
    /// Whether the source is CoNLL-U, and not text that has become CoNLL-U.
    pub is_conllu: bool,
    pub time: Duration,
}

/// How to read.
pub struct Reading<'a> {
    /// What all sources are; otherwise each is looked at.
    pub kind: Option<InputKind>,
    pub segmenter: Option<&'a Segmenter>,
    /// Whether places of tokens are wanted.
    pub ranges: bool,
}

/// A source that is being read.
enum Open<'a> {
    Conllu(Blocks<Box<dyn Read + Send>>),
    Text(Box<RunningText<'a>>),
    Lines(SentenceLines<'a>),
    Tokens(TokenLines),
}

impl Reading<'_> {
    /// The blocks of all sources in order. The first error is the last item.
    pub fn blocks<'a>(
        &'a self,
        sources: &'a [Source],
        progress: &'a Progress,
    ) -> impl Iterator<Item = Result<ReadBlock, Failure>> + Send + 'a {
        let mut sources = sources.iter().enumerate();
        let mut open: Option<(usize, &Source, Open<'a>)> = None;
        let mut failed = false;
        std::iter::from_fn(move || {
            while !failed {
                let begun = Instant::now();
                let read = match &mut open {
                    Some((index, source, opened)) => {
                        let is_conllu = matches!(opened, Open::Conllu(_));
                        opened.next(&source.name).map(|block| {
                            let block = block?;
                            Some(ReadBlock { source: *index, block, is_conllu, time: begun.elapsed() })
                        })
                    }
                    None => {
                        let (index, source) = sources.next()?;
                        match self.open(source, progress) {
                            Ok(opened) => {
                                open = Some((index, source, opened));
                                continue;
                            }
                            Err(failure) => Err(failure),
                        }
                    }
                };
                match read {
                    Ok(Some(block)) => return Some(Ok(block)),
                    Ok(None) => open = None,
                    Err(failure) => {
                        failed = true;
                        return Some(Err(failure));
                    }
                }
            }
            None
        })
    }

    fn open<'a>(&'a self, source: &Source, progress: &Progress) -> Result<Open<'a>, Failure> {
        let raw = source.open(progress)?;
        // A file is read in full blocks, so that they are always the same; of a pipe, whatever is there is
        // taken.
        let waits = !source.is_file();
        let raw: Box<dyn Read + Send> = if waits { raw } else { Box::new(Full(raw)) };
        let (kind, raw) = match self.kind {
            Some(kind) => (kind, raw),
            None => recognise(&source.name, raw, self.segmenter.is_some())?,
        };
        if self.kind.is_none() && kind == InputKind::Text && is_named_conllu(&source.name) {
            progress.say(format_args!(
                "{}: taken for text, since its first line does not have ten columns; --input conllu says what is \
                 wrong with it",
                source.name
            ));
        }
        let segmenter = || {
            self.segmenter.ok_or_else(|| {
                Failure::Other(format!(
                    "{}: this is not CoNLL-U but text, which the model has not learned to segment; \
                     train one with the step segment, or give words with --input tokens",
                    source.name
                ))
            })
        };
        Ok(match kind {
            InputKind::Conllu => Open::Conllu(Blocks::new(raw)),
            InputKind::Text => Open::Text(Box::new(RunningText::new(segmenter()?, raw, self.ranges, waits))),
            InputKind::Lines => Open::Lines(SentenceLines::new(segmenter()?, raw, self.ranges, waits)),
            InputKind::Tokens | InputKind::Vertical | InputKind::Horizontal => {
                Open::Tokens(TokenLines::new(kind, raw, self.ranges, waits))
            }
        })
    }
}

impl Open<'_> {
    /// The next block; nothing at the end.
    fn next(&mut self, name: &str) -> Result<Option<Block>, Failure> {
        let text = match self {
            Open::Conllu(blocks) => {
                let mut block = Block::default();
                let any = blocks.read_ready_into(&mut block, BLOCK_BYTES);
                let any = any.map_err(|error| Failure::reading(name, error))?;
                return Ok(any.then_some(block));
            }
            Open::Text(text) => text.next(),
            Open::Lines(lines) => lines.next(),
            Open::Tokens(tokens) => tokens.next(),
        };
        let failed = |error| Failure::File { doing: "read", file: name.to_owned(), error };
        Ok(Some(text.map_err(failed)?).filter(|text| !text.is_empty()).map(Block::of))
    }
}

/// Reads as much as is asked for, unless the end comes first.
struct Full<R>(R);

impl<R: Read> Read for Full<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.0.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}
