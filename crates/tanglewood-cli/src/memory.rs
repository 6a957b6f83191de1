//! How much memory there is, and sharing it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The memory in bytes that the program may have: the machine's, or less where its address space is limited
/// (`ulimit -v`); a guess of eight gigabytes where it cannot be asked.
pub fn physical() -> u64 {
    let of_machine = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        kilobytes.checked_mul(1024)
    };
    let of_process = || {
        let text = std::fs::read_to_string("/proc/self/limits").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse().ok()
    };
    of_machine().unwrap_or(8 << 30).min(of_process().unwrap_or(u64::MAX))
}

/// Has large tables given back to the operating system as soon as they are freed. Otherwise the allocator of
/// many Linux systems keeps them, for each thread anew, in the hope that more are wanted: after an hour a
/// server would hold several times what it needs. To get fresh memory each time costs a command that uses one
/// table after the other a fifth of its time, so this is for what runs long and is mostly idle.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub fn give_back_at_once() {
    // SAFETY: the allocator takes its own lock, and may be told this at any time.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20) };
}

/// Other allocators are left to themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back_at_once() {}

/// Memory that several threads share.
///
/// Each takes what its work needs and waits until there is so much. To divide the memory among threads
/// beforehand would make it depend on their number what fits.
pub struct Budget {
    free: Mutex<u64>,
    returned: Condvar,
}

/// A part of the memory, until it is dropped.
pub struct Part<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    pub fn new(bytes: u64) -> Budget {
        Budget { free: Mutex::new(bytes), returned: Condvar::new() }
    }

    /// Waits for so much memory, which must not be more than there is in all.
    pub fn take(&self, bytes: u64) -> Part<'_> {
        let mut free = self.free();
        while *free < bytes {
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
        Part { budget: self, bytes }
    }

    /// The number is right whatever happened to the thread that changed it last.
    fn free(&self) -> MutexGuard<'_, u64> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        *self.budget.free() += self.bytes;
        self.budget.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn threads_never_hold_more_than_there_is() {
        let (budget, held) = (Budget::new(10), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (budget, held) = (&budget, &held);
                scope.spawn(move || {
                    for round in 0..200 {
                        let bytes = (thread * 7 + round * 3) % 11;
                        let _part = budget.take(bytes);
                        assert!(held.fetch_add(bytes, Ordering::SeqCst) + bytes <= 10);
                        held.fetch_sub(bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(*budget.free(), 10);
    }
}
