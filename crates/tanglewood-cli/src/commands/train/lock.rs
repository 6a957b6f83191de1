//! One training at a time for each model: two would write the same checkpoint.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use crate::failure::Failure;
use crate::interrupt::Unfinished;

/// A file that is locked while a training is under way. The lock ends with the process, however that ends; a
/// file that a killed one leaves behind is used again.
#[derive(Debug)]
pub struct Lock {
    /// Locked until it is closed.
    _file: File,
    /// Removes it if a signal ends the program.
    unfinished: Unfinished,
}

/// How often to try again if the file was removed by a training that came to its end just now.
const TRIES: usize = 100;

impl Lock {
    /// Takes the lock of a model; an error if another training has it.
    pub fn take(path: &Path, model: &Path) -> Result<Lock, Failure> {
        let failed = |error| Failure::File { doing: "write", file: path.display().to_string(), error };
        for _ in 0..TRIES {
            let open = || File::options().write(true).create(true).truncate(false).open(path);
            let file = open().map_err(failed)?;
            // It is removed at the end, so it has to be one that a training has made.
            if file.metadata().is_ok_and(|metadata| metadata.len() > 0) {
                return Err(Failure::Other(format!(
                    "{} is needed as a lock, and has something in it; move it, or name another model after -o",
                    path.display()
                )));
            }
            match file.try_lock() {
                // Of file systems that know no locks nothing can be asked.
                Ok(()) | Err(TryLockError::Error(_)) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::Other(format!(
                        "another training of {} is under way, and has locked {}; \
                         wait for its end, or name another model after -o",
                        model.display(),
                        path.display()
                    )));
                }
            }
            if is_at(&file, path) {
                return Ok(Lock { _file: file, unfinished: Unfinished::new(path) });
            }
        }
        Err(failed(io::Error::other("it is removed again and again")))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked: whoever opens the file now finds it so, or makes a new one.
        let _ = fs::remove_file(self.unfinished.path());
    }
}

/// True if and only if the file is still the one at that path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(opened), Ok(there)) => identity(opened) == identity(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
