//! Work in several threads; results in input order.
//!
//! One thread reads, `jobs` threads work, and the calling thread takes the results one after the other. Only
//! a bounded number of things is under way at once: the next one is read when a result has been taken. That
//! bounds memory, and makes the reader wait when the others are slow.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::mpsc::channel;
use std::sync::{Mutex, Once};
use std::thread;

use tanglewood::conllu::{Block, Blocks};

use crate::failure::Failure;
use crate::input::Source;
use crate::progress::{Progress, say};
use crate::text::grouped;

/// Threads that may be asked for on every machine, and for each of its cores: more would take memory and do
/// no more work.
const MOST_THREADS: usize = 16;
const MOST_PER_CORE: usize = 4;

/// Threads to use: what was asked for, or one per core. If that is more than makes sense, it is less, and
/// said so.
pub fn jobs(asked: Option<std::num::NonZeroUsize>) -> usize {
    static SAID: Once = Once::new();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let Some(asked) = asked.map(usize::from) else { return cores };
    let most = MOST_THREADS.max(MOST_PER_CORE.saturating_mul(cores));
    if asked > most {
        let (asked, most) = (grouped(asked as u64), grouped(most as u64));
        SAID.call_once(|| {
            say(format_args!("--jobs {asked} is more than makes sense here: using {most} threads"))
        });
    }
    asked.min(most)
}

/// Applies `work` to every item, and `take` to the results in order.
///
/// `state` makes the working memory of one thread. Stops at the first error among the items or of `take`.
pub fn in_order<I: Send, S, T: Send>(
    items: impl Iterator<Item = Result<I, Failure>> + Send,
    jobs: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (permit_next, permits) = channel();
    let (to_workers, tasks) = channel::<(usize, I)>();
    let (to_taker, finished) = channel::<(usize, Result<T, Failure>)>();
    for _ in 0..2 * jobs + 2 {
        // The receiver is alive right here.
        let _ = permit_next.send(());
    }
    let tasks = Mutex::new(tasks);
    thread::scope(|scope| {
        let (tasks, state, work) = (&tasks, &state, &work);
        for started in 0..jobs {
            let to_taker = to_taker.clone();
            let working = move || {
                let mut state = state();
                loop {
                    let next = tasks.lock().map(|tasks| tasks.recv());
                    let Ok(Ok((order, item))) = next else { return };
                    if to_taker.send((order, Ok(work(&mut state, item)))).is_err() {
                        return;
                    }
                }
            };
            match thread::Builder::new().spawn_scoped(scope, working) {
                Ok(_) => {}
                Err(error) if started == 0 => return Err(no_thread(&error)),
                // Fewer do the same work.
                Err(_) => break,
            }
        }
        let reading = move || {
            // A send fails when nobody takes results any more; then there is nothing left to do here.
            for (order, item) in items.enumerate() {
                let sent = match item {
                    Ok(item) => to_workers.send((order, item)).is_ok(),
                    Err(failure) => {
                        // It takes the place of the item it hit, and is the last.
                        let _ = to_taker.send((order, Err(failure)));
                        false
                    }
                };
                if !sent || permits.recv().is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn_scoped(scope, reading).map_err(|error| no_thread(&error))?;
        let mut early: BTreeMap<usize, Result<T, Failure>> = BTreeMap::new();
        let mut next = 0;
        // Returning drops `finished` and `permit_next`, at which the other threads stop.
        let (finished, permit_next) = (finished, permit_next);
        for (order, result) in finished {
            early.insert(order, result);
            while let Some(result) = early.remove(&next) {
                take(result?)?;
                next += 1;
                // At the end of the input the reader has gone and waits for no permit.
                let _ = permit_next.send(());
            }
        }
        Ok(())
    })
}

/// What to say where the system gives no thread.
pub fn no_thread(error: &std::io::Error) -> Failure {
    Failure::Other(format!(
        "cannot start a thread ({error}); end other programs, or raise the limits of this one"
    ))
}

/// Applies `work` to every block of every source, and `take` to the results in input order, with the source's
/// index.
pub fn for_each_block<S, T: Send>(
    sources: &[Source],
    jobs: usize,
    progress: &Progress,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &Block) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let blocks = sources
        .iter()
        .enumerate()
        .flat_map(|(index, source)| blocks_of(source, progress).map(move |block| Ok((index, block?))));
    let work = |state: &mut S, (source, block): (usize, Block)| (source, work(state, &block));
    let outcome = in_order(blocks, jobs, state, work, |(source, result)| take(source, result));
    progress.finish();
    outcome
}

/// The blocks of a source, which is opened when the first is wanted. The first error is the last item.
pub fn blocks_of<'a>(
    source: &'a Source,
    progress: &'a Progress,
) -> impl Iterator<Item = Result<Block, Failure>> + Send + 'a {
    let mut reader = LazyReader { source, progress, blocks: None, failed: false };
    std::iter::from_fn(move || reader.next())
}

/// Opens its source when the first block is wanted, so that an error there comes in its turn.
struct LazyReader<'a> {
    source: &'a Source,
    progress: &'a Progress,
    blocks: Option<Blocks<Box<dyn Read + Send>>>,
    failed: bool,
}

impl LazyReader<'_> {
    fn next(&mut self) -> Option<Result<Block, Failure>> {
        if self.failed {
            return None;
        }
        let mut block = Block::default();
        match self.read_into(&mut block) {
            Ok(true) => Some(Ok(block)),
            Ok(false) => None,
            Err(failure) => {
                self.failed = true;
                Some(Err(failure))
            }
        }
    }

    fn read_into(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let blocks = match &mut self.blocks {
            Some(blocks) => blocks,
            none => none.insert(Blocks::new(self.source.open(self.progress)?)),
        };
        blocks.read_into(block).map_err(|error| Failure::reading(&self.source.name, error))
    }
}
