//! `cargo xtask fuzz MINUTES`: every fuzz target, one after the other.

use std::fs;
use std::process::Command;

use super::{run, workspace};

/// All targets of `fuzz/`.
const TARGETS: [&str; 8] =
    ["read", "round_trip", "text", "model", "checkpoint", "grammar", "vectors", "questions"];

/// Gives each target the same number of minutes; stops at the first that fails.
pub fn all(minutes: u64) -> bool {
    if !has_fuzzer() {
        eprintln!(
            "cargo-fuzz or a nightly compiler is missing: cargo install cargo-fuzz; rustup toolchain install nightly"
        );
        return false;
    }
    TARGETS.iter().all(|target| {
        let time = format!("-max_total_time={}", minutes.saturating_mul(60));
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        // The fuzzer wants folders that exist; of several, it adds to the first.
        let made =
            [&corpus, &seeds].iter().all(|folder| fs::create_dir_all(workspace().join(folder)).is_ok());
        // Inputs larger than the seeds would only make each run slow.
        let options =
            ["--", &time, "-max_len=65536", "-timeout=30", "-rss_limit_mb=4096", "-print_final_stats=1"];
        let mut fuzz = Command::new("cargo");
        fuzz.args(["+nightly", "fuzz", "run", target, &corpus, &seeds])
            .args(options)
            .current_dir(workspace());
        made && run(&format!("fuzz target {target}"), &mut fuzz)
    })
}

fn has_fuzzer() -> bool {
    let version =
        Command::new("cargo").args(["+nightly", "fuzz", "--version"]).current_dir(workspace()).output();
    version.is_ok_and(|output| output.status.success())
}
