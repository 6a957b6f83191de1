//! Input in blocks that are small enough to share among threads, without waiting for more than is there.

use std::io::Read;
use std::time::{Duration, Instant};

use tanglewood::conllu::{Block, Blocks};

use crate::failure::Failure;
use crate::input::Source;
use crate::progress::Progress;

/// Some thousand words.
const BLOCK_BYTES: usize = 1 << 18;

/// A block, the index of its source, and how long it took to read.
pub struct ReadBlock {
    pub source: usize,
    pub block: Block,
    pub time: Duration,
}

/// A source that is being read, and its index.
type Open<'a> = (usize, &'a Source, Blocks<Box<dyn Read + Send>>);

/// The blocks of all sources in order. The first error is the last item.
pub fn blocks<'a>(
    sources: &'a [Source],
    progress: &'a Progress,
) -> impl Iterator<Item = Result<ReadBlock, Failure>> + Send + 'a {
    let mut sources = sources.iter().enumerate();
    let mut open: Option<Open<'a>> = None;
    let mut failed = false;
    std::iter::from_fn(move || {
        while !failed {
            let begun = Instant::now();
            let (source, name, blocks) = match &mut open {
                Some((source, of, blocks)) => (*source, &of.name, blocks),
                None => {
                    let (source, of) = sources.next()?;
                    match reader(of, progress) {
                        Ok(reader) => {
                            open = Some((source, of, Blocks::new(reader)));
                            continue;
                        }
                        Err(failure) => {
                            failed = true;
                            return Some(Err(failure));
                        }
                    }
                }
            };
            let mut block = Block::default();
            match blocks.read_ready_into(&mut block, BLOCK_BYTES) {
                Ok(true) => return Some(Ok(ReadBlock { source, block, time: begun.elapsed() })),
                Ok(false) => open = None,
                Err(error) => {
                    failed = true;
                    return Some(Err(Failure::reading(name, error)));
                }
            }
        }
        None
    })
}

/// A file is read in full blocks, so that they are always the same; of a pipe, whatever is there is taken.
fn reader(source: &Source, progress: &Progress) -> Result<Box<dyn Read + Send>, Failure> {
    let raw = source.open(progress)?;
    Ok(if source.is_file() { Box::new(Full(raw)) } else { raw })
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
