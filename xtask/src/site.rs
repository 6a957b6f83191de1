//! `cargo xtask site`: the explorer without a server, as a folder of static files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{WASM, cargo, run, workspace};

/// Files of the site that are not written by `tanglewood-site`.
const MODEL: &str = "crates/tanglewood-models/en.model";
const SAMPLE: &str = "crates/tanglewood/sample/tangles.conllu";

/// What all that a reader fetches may have in all, compressed by `gzip -9`: the page, the library and the
/// model.
const MOST_BYTES: u64 = 6_000_000;

/// Endings of the files that the page fetches at once.
const PAGE: [&str; 5] = ["html", "css", "js", "svg", "wasm"];

/// Where the site is.
pub fn folder() -> PathBuf {
    workspace().join("target/site")
}

/// Makes the site, with a report of some treebanks, or of the sample. The programs that write its pages are
/// compiled first, unless the tests have just been run, which leaves the same programs.
pub fn make(treebanks: Option<&str>, tested: bool) -> bool {
    let site = folder();
    let mut module =
        cargo(&["build", "--profile", "web", "--package", "tanglewood-web", "--lib", "--target", WASM]);
    // All browsers have had vectors of 128 bits since 2023.
    module.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    let mut pages = program("tanglewood-site");
    pages.arg(workspace()).arg(&site);
    let mut report = program("tanglewood");
    report.args(["coverage", treebanks.unwrap_or(SAMPLE), "--systems", "all", "--direction", "either"]);
    report.args(["--classes", "--format", "html", "-o"]).arg(site.join("report.html"));
    if fs::remove_dir_all(&site).is_err() && site.exists() {
        println!("cannot empty {}", site.display());
        return false;
    }
    let made = run("library for the browser", &mut module)
        && (tested || run("programs", &mut cargo(&["build", "--workspace", "--bins"])))
        && run("pages of the site", &mut pages)
        && run("report of the site", &mut report)
        && copied(&site);
    if made {
        println!("{}", site.display());
    }
    made
}

/// A program of the workspace, as it was compiled last.
fn program(name: &str) -> Command {
    let name = format!("target/debug/{name}{}", env::consts::EXE_SUFFIX);
    let mut command = Command::new(workspace().join(name));
    command.current_dir(workspace());
    command
}

/// Puts the library and the model there, and says how large they are.
fn copied(site: &Path) -> bool {
    let module = workspace().join("target").join(WASM).join("web/tanglewood_web.wasm");
    for (from, to) in [(module, "tanglewood.wasm"), (workspace().join(MODEL), "en.model")] {
        if let Err(error) = fs::copy(&from, site.join(to)) {
            println!("cannot copy {}: {error}", from.display());
            return false;
        }
    }
    match (transferred(site, &PAGE), transferred(site, &["model"])) {
        (Some(page), Some(model)) => println!(
            "by gzip -9, the explorer has {page} bytes, and its model, which is fetched when it is needed, {model}; at most {MOST_BYTES} are wanted in all"
        ),
        _ => println!("how large the explorer is when it is compressed: gzip is needed to tell"),
    }
    true
}

/// Bytes of the files with these endings beside the explorer's page, each file by itself compressed.
fn transferred(site: &Path, endings: &[&str]) -> Option<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(site).ok()? {
        let path = entry.ok()?.path();
        let is_wanted = path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted));
        // Other pages are not fetched with it.
        if is_wanted
            && (path.ends_with("index.html") || path.extension().is_none_or(|ending| ending != "html"))
        {
            let output = Command::new("gzip").arg("-9c").arg(&path).output().ok()?;
            bytes += output.stdout.len() as u64;
        }
    }
    Some(bytes)
}
