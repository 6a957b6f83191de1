//! Tells the program which commit it is built from, for `tanglewood --version --verbose`.
//!
//! Only release builds are told, so that a commit does not make everything compile anew while people work on
//! it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // A copy of the sources in somebody else's repository is not from that one's commit.
    if git(&["rev-parse", "--show-prefix"]).as_deref() != Some("crates/tanglewood-cli/") {
        return;
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=TANGLEWOOD_COMMIT={commit}");
    }
}

/// What a command of git prints; nothing if it fails, or there is no git.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
