//! Threads over a batch.
//!
//! A process that was forked from this one has no threads but the one that called `fork`, and would wait for
//! the others for ever. Data loaders do that. So the pool belongs to a process, and a child makes its own.

use std::mem;
use std::num::NonZeroUsize;
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use pyo3::PyResult;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::Whole;
use crate::interrupt::{Interrupt, PAUSE};

struct Owned {
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Owned>> = Mutex::new(None);

/// How many cores there are. The system is asked once, since it takes longer to answer than a short sentence
/// to parse.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Number of threads to use: what was asked for, or one for each core, and never more than there are cores.
pub fn threads(asked: Option<Whole>) -> PyResult<usize> {
    let asked = asked.map(|threads| threads.size_of("threads")).transpose()?;
    Ok(asked.unwrap_or_else(cores).clamp(1, cores()))
}

/// This process's threads; none if they cannot be started.
fn pool() -> Option<Arc<ThreadPool>> {
    let mut owned = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(here) = owned.as_ref().filter(|owned| owned.process == process::id()) {
        return Some(here.pool.clone());
    }
    let builder = ThreadPoolBuilder::new().num_threads(cores()).thread_name(|at| format!("tanglewood-{at}"));
    let pool = Arc::new(builder.build().ok()?);
    let before = owned.replace(Owned { process: process::id(), pool: pool.clone() });
    // Its threads are in another process; ending them would be waiting for them.
    mem::forget(before);
    Some(pool)
}

/// The answers for 0..count, in order, computed by at most `threads` threads; none if there was an interrupt.
/// Which thread answers makes no difference.
pub fn map<T: Send>(
    count: usize,
    threads: usize,
    interrupt: &Interrupt,
    answer: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let answer = |at| if interrupt.is_heard() { None } else { Some(answer(at)) };
    let threads = threads.min(count);
    let shared = if threads > 1 { pool() } else { None };
    let Some(pool) = shared else { return (0..count).map(answer).collect() };
    // With fewer threads than the pool has, each takes one long piece; otherwise pieces are small, so that
    // nobody waits for the longest sentences.
    let piece = if threads < pool.current_num_threads() { count.div_ceil(threads) } else { 1 };
    let (to_caller, answers) = mpsc::channel();
    let all = || (0..count).into_par_iter().with_min_len(piece).map(&answer).collect();
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| drop(to_caller.send(all())));
        loop {
            match answers.recv_timeout(PAUSE) {
                Ok(answers) => return answers,
                Err(RecvTimeoutError::Timeout) => drop(interrupt.is_heard()),
                // A thread has panicked, which the scope passes on.
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    })
}
