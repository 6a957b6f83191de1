//! Ctrl-C and termination: unfinished files are removed, then the signal does what it always does. A command
//! may ask to be told first. A signal that was ignored when the program started stays ignored.

#[cfg(unix)]
mod ignored;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// Files that are being written and not in their final place yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a command wants to end by itself when it is told of a signal.
static GENTLE: AtomicBool = AtomicBool::new(false);

/// The signal it was told of; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Keeps a file on the list of unfinished ones while it lives.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Puts a file on the list that is going to be created.
    pub fn new(path: &Path) -> Unfinished {
        if let Ok(mut list) = UNFINISHED.lock() {
            list.push(path.to_owned());
        }
        Unfinished(path.to_owned())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Creates a file and puts it on the list. A signal that comes in between waits until it is on it.
    pub fn create<F, E>(
        create: impl FnOnce() -> Result<F, E>,
        path: impl Fn(&F) -> &Path,
    ) -> Result<(F, Unfinished), E> {
        let list = UNFINISHED.lock();
        let file = create()?;
        let path = path(&file).to_owned();
        if let Ok(mut list) = list {
            list.push(path.clone());
        }
        Ok((file, Unfinished(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.0);
        }
    }
}

/// While it lives, the first signal is for the command to see. A second one ends the program as always.
#[derive(Debug)]
pub struct Gentle(());

impl Gentle {
    pub fn new() -> Gentle {
        GENTLE.store(true, Ordering::SeqCst);
        Gentle(())
    }

    /// The signal that has come, if one has.
    pub fn signal(&self) -> Option<i32> {
        Some(SIGNAL.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Ends the program as the signal would have.
    pub fn end(self, signal: i32) -> ! {
        end(signal)
    }
}

impl Drop for Gentle {
    fn drop(&mut self) {
        GENTLE.store(false, Ordering::SeqCst);
    }
}

/// Where memory is refused that has to be had, the standard library says so and aborts; the program ends with
/// exit code 2 then, as with all errors.
#[cfg(unix)]
pub fn end_with_an_error_when_aborted() {
    use std::sync::Arc;
    let always = Arc::new(AtomicBool::new(true));
    let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 2, always);
}

#[cfg(not(unix))]
pub fn end_with_an_error_when_aborted() {}

/// Starts a thread that waits for the signals. A thread can do what a signal handler must not, and works also
/// while the rest of the program waits for input.
#[cfg(unix)]
pub fn clean_up_when_interrupted() {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(endings()) else { return };
    let waiting = move || {
        for signal in signals.forever() {
            if GENTLE.load(Ordering::SeqCst) && SIGNAL.swap(signal, Ordering::SeqCst) == 0 {
                continue;
            }
            end(signal);
        }
    };
    // Where no thread can be had, nothing else can, either, and the program ends with an error soon.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(waiting);
}

/// Removes unfinished files, and ends the program as a signal does.
fn end(signal: i32) -> ! {
    // Held until the end, so that no file is moved into place or begun after this.
    if let Ok(unfinished) = UNFINISHED.lock() {
        for path in unfinished.iter() {
            let _ = std::fs::remove_file(path);
        }
        #[cfg(unix)]
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        #[cfg(not(unix))]
        let _ = signal;
    }
    std::process::exit(2);
}

/// The signals that end the program, but for those that were ignored when it started.
#[cfg(unix)]
pub fn endings() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !ignored::is_ignored(signal)).collect()
}

/// Elsewhere an interrupt ends the program at once.
#[cfg(not(unix))]
pub fn clean_up_when_interrupted() {}
