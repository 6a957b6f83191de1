//! Ending work whose result is not wanted any more.
//!
//! A large chart takes minutes, deep in loops that know nothing but numbers. So who starts the work has it
//! [watched](Stop::watch), for as long as the watch lives and in its thread alone, and the outer loops ask
//! now and then whether [to stop](is_asked). A loop that is told so ends at once, with numbers that are not
//! to be looked at: whoever called it [checks](check) before it does. Within a watch, the answer never
//! changes back.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

/// Says, when it is asked, whether to stop.
type Question = Arc<dyn Fn() -> bool + Send + Sync>;

/// The result is not wanted any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// When to stop; never, unless told otherwise.
#[derive(Clone, Default)]
pub(crate) struct Stop(Option<Question>);

thread_local! {
    /// The question of the innermost watch.
    static QUESTION: RefCell<Option<Question>> = const { RefCell::new(None) };
    /// Whether there is one: quickly known, since that is asked often.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    /// Whether the innermost watch has been told to stop.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

impl Stop {
    /// Stops when the answer is true.
    pub(crate) fn when(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(is_wanted)))
    }

    /// Has the work of this thread watched until the watch is dropped.
    ///
    /// # Errors
    /// If it is time to stop already.
    pub(crate) fn watch(&self) -> Result<Watch, Stopped> {
        let outer = self.0.clone().map(|question| {
            WATCHED.set(true);
            (QUESTION.replace(Some(question)), TOLD.replace(false))
        });
        let watch = Watch { outer };
        check().map(|()| watch)
    }
}

/// While it lives, work of this thread asks.
pub(crate) struct Watch {
    /// What was asked before, and whether it was told; nothing if this is no watch.
    outer: Option<(Option<Question>, bool)>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((question, told)) = self.outer.take() {
            WATCHED.set(question.is_some());
            QUESTION.replace(question);
            TOLD.set(told);
        }
    }
}

/// Whether the work of this thread is to stop.
#[inline]
pub(crate) fn is_asked() -> bool {
    WATCHED.get() && is_told()
}

#[cold]
fn is_told() -> bool {
    if !TOLD.get() {
        // Taken out, since the answer may be found by work that is watched itself.
        let question = QUESTION.with_borrow(Clone::clone);
        if question.is_some_and(|stop| stop()) {
            TOLD.set(true);
        }
    }
    TOLD.get()
}

/// An error if the work of this thread is to stop.
pub(crate) fn check() -> Result<(), Stopped> {
    if is_asked() { Err(Stopped) } else { Ok(()) }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop" } else { "Never" })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn what_is_told_holds_for_the_watch_and_no_longer() {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        let outer = Stop::when(move || asked.load(Ordering::Relaxed));
        let watch = outer.watch().expect("not yet");
        assert!(!is_asked());
        {
            let inner = Stop::when(|| true);
            assert!(inner.watch().is_err());
            assert!(!is_asked());
            let _none = Stop::default().watch().expect("never");
            stop.store(true, Ordering::Relaxed);
            assert!(is_asked());
        }
        stop.store(false, Ordering::Relaxed);
        assert_eq!(check(), Err(Stopped));
        drop(watch);
        assert!(!is_asked());
        assert!(outer.watch().is_ok());
    }
}
