//! Ctrl-C while Rust is at work: Python hears of signals only when it is asked.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long Python is not asked again.
pub const PAUSE: Duration = Duration::from_millis(50);

/// Whether a call is to end before its time. Threads share it; that of the caller asks Python, which hears of
/// signals in its main thread only.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<State>);

#[derive(Debug)]
struct State {
    caller: Option<ThreadId>,
    start: Instant,
    /// When Python is asked next, in milliseconds since the start.
    next: AtomicU64,
    heard: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Interrupt {
    /// For a call by this thread.
    pub fn new() -> Interrupt {
        Interrupt::of(Some(thread::current().id()))
    }

    /// For work that ends soon.
    pub fn never() -> Interrupt {
        Interrupt::of(None)
    }

    fn of(caller: Option<ThreadId>) -> Interrupt {
        Interrupt(Arc::new(State {
            caller,
            start: Instant::now(),
            next: AtomicU64::new(PAUSE.as_millis() as u64),
            heard: AtomicBool::new(false),
            error: Mutex::new(None),
        }))
    }

    /// Whether to end. Cheap enough to be asked for every sentence.
    pub fn is_heard(&self) -> bool {
        let state = &*self.0;
        if state.heard.load(Ordering::Relaxed) {
            return true;
        }
        if state.caller != Some(thread::current().id()) {
            return false;
        }
        let now = state.start.elapsed().as_millis() as u64;
        if now < state.next.load(Ordering::Relaxed) {
            return false;
        }
        let asked = Python::attach(|py| py.check_signals());
        // Counted from here: others may have held Python for long.
        let now = state.start.elapsed().as_millis() as u64;
        state.next.store(now + PAUSE.as_millis() as u64, Ordering::Relaxed);
        let Err(error) = asked else { return false };
        *state.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        state.heard.store(true, Ordering::Relaxed);
        true
    }

    /// The exception of the signal, if there was one.
    pub fn check(&self) -> PyResult<()> {
        let error = self.0.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or(Ok(()), Err)
    }
}
