//! Failures on purpose, for tests: of all that the program asks of the file system when it writes, one step
//! fails.
//!
//! In builds with assertions, `TANGLEWOOD_FAULT` says which: `once:K` lets the K-th step fail as on a full
//! disk, `from:K` all steps from the K-th on, and at `kill:K` the program ends there and then. Other builds
//! do not have it.

use std::io;

/// To be called before each step: creating a file, writing to it, synchronising it, moving it into place.
#[cfg(not(debug_assertions))]
pub fn step() -> io::Result<()> {
    Ok(())
}

/// To be called before each step: creating a file, writing to it, synchronising it, moving it into place.
#[cfg(debug_assertions)]
pub fn step() -> io::Result<()> {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static PLAN: OnceLock<Option<(String, u64)>> = OnceLock::new();
    static STEPS: AtomicU64 = AtomicU64::new(0);
    let plan = PLAN.get_or_init(|| {
        let plan = std::env::var("TANGLEWOOD_FAULT").ok()?;
        let (what, step) = plan.split_once(':')?;
        Some((what.to_owned(), step.parse().ok()?))
    });
    let Some((what, planned)) = plan else { return Ok(()) };
    let step = STEPS.fetch_add(1, Ordering::SeqCst) + 1;
    match what.as_str() {
        "once" if step == *planned => Err(io::ErrorKind::StorageFull.into()),
        "from" if step >= *planned => Err(io::ErrorKind::StorageFull.into()),
        "kill" if step == *planned => std::process::abort(),
        _ => Ok(()),
    }
}
