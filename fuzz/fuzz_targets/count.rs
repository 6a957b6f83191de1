//! Counts what was executed, since a fuzzer tells the number of runs and not how long their inputs were.

use std::fs;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the file is written; what comes after the last time is not counted.
const RUNS: u64 = 256;

static COUNTED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Where `cargo xtask fuzz` wants runs and bytes to be written.
static PLACE: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("TANGLEWOOD_FUZZ_COUNT").ok());

/// Counts a run.
pub fn add(data: &[u8]) {
    let Some(place) = &*PLACE else { return };
    let [runs, bytes] = &COUNTED;
    let bytes = bytes.fetch_add(data.len() as u64, Ordering::Relaxed) + data.len() as u64;
    let runs = runs.fetch_add(1, Ordering::Relaxed) + 1;
    if runs.is_multiple_of(RUNS) {
        // Nobody dies for a count.
        let _ = fs::write(place, format!("{runs} {bytes}"));
    }
}

/// A fuzz target whose runs are counted.
#[macro_export]
macro_rules! counted_target {
    (|$data:ident: &[u8]| $body:block) => {
        libfuzzer_sys::fuzz_target!(|$data: &[u8]| {
            $crate::count::add($data);
            run($data);
        });

        fn run($data: &[u8]) $body
    };
}
