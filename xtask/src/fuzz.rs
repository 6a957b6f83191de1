//! `cargo xtask fuzz MINUTES`: every fuzz target, one after the other.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use super::{run, workspace};

/// All targets of `fuzz/`.
const TARGETS: [&str; 10] = [
    "read",
    "round_trip",
    "text",
    "decode",
    "model",
    "checkpoint",
    "grammar",
    "vectors",
    "questions",
    "arrow",
];

/// Gives each of these targets, or of all if there are none, the same number of minutes; stops at the first
/// that fails.
pub fn all(minutes: u64, chosen: &[&str]) -> bool {
    let Some(compiler) = Compiler::found() else {
        eprintln!("cargo-fuzz is missing: cargo install cargo-fuzz");
        return false;
    };
    if let Some(unknown) = chosen.iter().find(|target| !TARGETS.contains(target)) {
        eprintln!("there is no fuzz target {unknown}; expected some of {}", TARGETS.join(", "));
        return false;
    }
    let chosen = if chosen.is_empty() { &TARGETS[..] } else { chosen };
    chosen.iter().all(|target| fuzzed(&compiler, minutes, target))
}

fn fuzzed(compiler: &Compiler, minutes: u64, target: &str) -> bool {
    let time = format!("-max_total_time={}", minutes.saturating_mul(60));
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    // The fuzzer wants folders that exist; of several, it adds to the first.
    let made =
        [&corpus, &seeds, COUNTS].iter().all(|folder| fs::create_dir_all(workspace().join(folder)).is_ok());
    // Inputs larger than the seeds would only make each run slow.
    let options =
        ["--", &time, "-max_len=65536", "-timeout=30", "-rss_limit_mb=4096", "-print_final_stats=1"];
    let count = counted(target);
    let _ = fs::remove_file(&count);
    let mut fuzz = compiler.cargo();
    fuzz.args(["fuzz", "run", target, &corpus, &seeds]).args(options).env("TANGLEWOOD_FUZZ_COUNT", &count);
    let start = Instant::now();
    let passed = made && run(&format!("fuzz target {target}"), &mut fuzz);
    let text = fs::read_to_string(&count).unwrap_or_default();
    let (runs, bytes) = text.split_once(' ').unwrap_or(("few", "few"));
    println!("== fuzz target {target}: {runs} runs, {bytes} bytes in {:.0} s", start.elapsed().as_secs_f64());
    passed
}

/// Where targets count their runs.
const COUNTS: &str = "fuzz/target/counts";

fn counted(target: &str) -> PathBuf {
    workspace().join(COUNTS).join(target)
}

/// Fuzzing needs options that a stable compiler has, but admits only when it is told to be like a nightly
/// one.
enum Compiler {
    Nightly,
    Stable,
}

impl Compiler {
    /// The one to use, if cargo-fuzz is there.
    fn found() -> Option<Compiler> {
        let works = |compiler: &Compiler| {
            let version = compiler.cargo().args(["fuzz", "--version"]).output();
            version.is_ok_and(|output| output.status.success())
        };
        [Compiler::Nightly, Compiler::Stable].into_iter().find(works)
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        match self {
            Compiler::Nightly => cargo.arg("+nightly"),
            Compiler::Stable => cargo.env("RUSTC_BOOTSTRAP", "1"),
        };
        cargo.current_dir(workspace());
        cargo
    }
}
