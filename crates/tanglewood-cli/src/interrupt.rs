//! Ctrl-C and termination: unfinished files are removed, then the signal does what it always does.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files that are being written and not in their final place yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Keeps a file on the list of unfinished ones while it lives.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    pub fn new(path: &Path) -> Unfinished {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.push(path.to_owned());
        }
        Unfinished(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.0);
        }
    }
}

/// Starts a thread that waits for the signals. A thread can do what a signal handler must not, and works also while the
/// rest of the program waits for input.
#[cfg(unix)]
pub fn clean_up_when_interrupted() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // Held until the end, so that no file is moved into place or begun after this.
            if let Ok(unfinished) = UNFINISHED.lock() {
                for path in unfinished.iter() {
                    let _ = std::fs::remove_file(path);
                }
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            std::process::exit(2);
        }
    });
}

/// Elsewhere an interrupt ends the program at once.
#[cfg(not(unix))]
pub fn clean_up_when_interrupted() {}
