//! Work on blocks of sentences in several threads; results in input order.
//!
//! One thread reads, `jobs` threads work, and the calling thread takes the results one after the other. Blocks go round: a
//! fixed number of them exists, and one is read into again only when its result has been taken. That bounds memory, and makes
//! the reader wait when the others are slow.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tanglewood::conllu::{Block, Blocks};

use crate::failure::Failure;
use crate::input::Source;
use crate::progress::Progress;

struct Task {
    order: usize,
    source: usize,
    block: Block,
}

struct Done<T> {
    order: usize,
    source: usize,
    block: Block,
    result: Result<T, Failure>,
}

/// Threads to use: what was asked for, or one per core.
pub fn jobs(asked: Option<std::num::NonZeroUsize>) -> usize {
    asked.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Applies `work` to every block of every source, and `take` to the results in input order, with the source's index.
///
/// `state` makes the working memory of one thread. Stops at the first error of reading or of `take`.
pub fn for_each_block<S, T: Send>(
    sources: &[Source],
    jobs: usize,
    progress: &Progress,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &Block) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (to_reader, free_blocks) = channel();
    let (to_workers, tasks) = channel::<Task>();
    let (to_taker, finished) = channel::<Done<T>>();
    for _ in 0..2 * jobs + 2 {
        // The receiver is alive right here.
        let _ = to_reader.send(Block::default());
    }
    let tasks = Mutex::new(tasks);
    let outcome = thread::scope(|scope| {
        let (tasks, state, work) = (&tasks, &state, &work);
        for _ in 0..jobs {
            let to_taker = to_taker.clone();
            scope.spawn(move || {
                let mut state = state();
                loop {
                    let next = tasks.lock().map(|tasks| tasks.recv());
                    let Ok(Ok(Task { order, source, block })) = next else { return };
                    let result = Ok(work(&mut state, &block));
                    if to_taker.send(Done { order, source, block, result }).is_err() {
                        return;
                    }
                }
            });
        }
        scope.spawn(move || read_all(sources, progress, &free_blocks, &to_workers, &to_taker));

        let mut early: BTreeMap<usize, Done<T>> = BTreeMap::new();
        let mut next = 0;
        // Returning drops `finished` and `to_reader`, at which the other threads stop.
        let (finished, to_reader) = (finished, to_reader);
        for done in finished {
            early.insert(done.order, done);
            while let Some(done) = early.remove(&next) {
                take(done.source, done.result?)?;
                next += 1;
                // At the end of the input the reader has gone, and needs no more blocks.
                let _ = to_reader.send(done.block);
            }
        }
        Ok(())
    });
    progress.finish();
    outcome
}

/// Reads all sources into free blocks and passes them on; an error takes the place of the block it hit.
fn read_all<T>(
    sources: &[Source],
    progress: &Progress,
    free_blocks: &Receiver<Block>,
    to_workers: &Sender<Task>,
    to_taker: &Sender<Done<T>>,
) {
    let mut order = 0;
    let mut unused = None;
    for (index, source) in sources.iter().enumerate() {
        let mut reader = LazyReader { source, progress, blocks: None };
        loop {
            let Some(mut block) = unused.take().or_else(|| free_blocks.recv().ok()) else { return };
            match reader.read_into(&mut block) {
                Ok(true) => {
                    if to_workers.send(Task { order, source: index, block }).is_err() {
                        return;
                    }
                    order += 1;
                }
                Ok(false) => {
                    unused = Some(block);
                    break;
                }
                Err(failure) => {
                    // If nobody takes results any more, nobody needs to know.
                    let _ = to_taker.send(Done { order, source: index, block, result: Err(failure) });
                    return;
                }
            }
        }
    }
}

/// Opens its source when the first block is wanted, so that an error there comes in its turn.
struct LazyReader<'a> {
    source: &'a Source,
    progress: &'a Progress,
    blocks: Option<Blocks<Box<dyn Read + Send>>>,
}

impl LazyReader<'_> {
    fn read_into(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let blocks = match &mut self.blocks {
            Some(blocks) => blocks,
            none => none.insert(Blocks::new(self.source.open(self.progress)?)),
        };
        blocks.read_into(block).map_err(|error| Failure::reading(&self.source.name, error))
    }
}
