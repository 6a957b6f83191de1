//! Chores: `cargo xtask test` runs everything that has to hold, `cargo xtask wheel` builds the Python
//! package, and `cargo xtask package` and `cargo xtask release` are about what is published.

mod fuzz;
mod model;
mod package;
mod python;
mod sanitize;
mod site;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use python::Extent;

const USAGE: &str = "usage: cargo xtask test [--slow] [--torch] [--engines]
       cargo xtask python [--torch] [--engines]
       cargo xtask wheel
       cargo xtask model NAME
       cargo xtask site [TREEBANKS]
       cargo xtask fuzz MINUTES [TARGET]...
       cargo xtask sanitize [FILTER]
       cargo xtask package [--build|--order]
       cargo xtask release TAG

  test          formatting, lints, documentation, all tests
  test --slow   also the tests that take minutes
  test --torch  installs PyTorch (gigabytes) for the tests that need it
  test --engines
                installs Spark, Ray, spaCy, polars, DuckDB and Daft (a gigabyte) for the tests that need them, which
                take half an hour and Java 17
  python        the tests of the Python package alone
  wheel         the Python package, in target/wheels
  model         a model that is shipped, made anew from its treebank: en in two hours, af, fa, pt, uk in minutes
  site          the explorer as static files, in target/site, with a report of these treebanks or of the sample
  fuzz          all fuzz targets or these, MINUTES each; needs cargo-fuzz
  sanitize      tests of the libraries and of the Python package under AddressSanitizer; Linux on x86-64 with GCC only
  package       whether the crates that are published are complete; --build also compiles them from what would be
                published, --order prints their names in the order in which they are
  release       whether everything names this version, and what the changelog says about it";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["test", ref options @ ..]
            if options.iter().all(|option| ["--slow", "--torch", "--engines"].contains(option)) =>
        {
            test(extent(options))
        }
        ["python", ref options @ ..]
            if options.iter().all(|option| ["--torch", "--engines"].contains(option)) =>
        {
            python_alone(extent(options))
        }
        ["wheel"] => code(python::wheel()),
        ["model", name] => match model::make(name) {
            Ok(place) => {
                println!("{}", place.display());
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        },
        ["site"] => code(has_wasm() && site::make(None, false)),
        ["site", treebanks] => code(has_wasm() && site::make(Some(treebanks), false)),
        ["fuzz", minutes, ref targets @ ..] if minutes.parse::<u64>().is_ok() => {
            code(fuzz::all(minutes.parse().unwrap_or(1), targets))
        }
        ["sanitize"] => code(sanitize::all(None)),
        ["sanitize", filter] => code(sanitize::all(Some(filter))),
        ["package"] => code(package::check()),
        ["package", "--build"] => code(package::check() && package::build()),
        ["package", "--order"] => {
            println!("{}", package::ORDER.join("\n"));
            ExitCode::SUCCESS
        }
        ["release", tag] => match package::release(tag) {
            Ok(notes) => {
                println!("{notes}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn extent(options: &[&str]) -> Extent {
    let has = |option| options.contains(&option);
    Extent { torch: has("--torch"), slow: has("--slow"), engines: has("--engines") }
}

fn code(done: bool) -> ExitCode {
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds the program, which the package is compared with, and tests the package.
fn python_alone(extent: Extent) -> ExitCode {
    if !run("program", &mut cargo(&["build", "--package", "tanglewood-cli"])) {
        return ExitCode::FAILURE;
    }
    match python::test(extent) {
        python::Outcome::Passed => ExitCode::SUCCESS,
        python::Outcome::Failed => ExitCode::FAILURE,
        python::Outcome::Skipped(reason) => {
            println!("SKIPPED  {reason}");
            ExitCode::SUCCESS
        }
    }
}

/// Runs every check; stops at the first that fails.
fn test(extent: Extent) -> ExitCode {
    let checks: [(&str, &[&str]); 4] = [
        ("formatting", &["fmt", "--all", "--", "--check"]),
        ("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        ("documentation", &["doc", "--workspace", "--no-deps"]),
        ("tests", &["test", "--workspace"]),
    ];
    for (name, arguments) in checks {
        if !run(name, cargo(arguments).env("RUSTDOCFLAGS", "-D warnings")) {
            return ExitCode::FAILURE;
        }
    }
    if !package::check() {
        return ExitCode::FAILURE;
    }
    let mut skipped = Vec::new();
    match dependencies() {
        Ok(true) => {}
        Ok(false) => return ExitCode::FAILURE,
        Err(reason) => skipped.push(reason),
    }
    // Always the whole workspace, of which a filter leaves some tests: Cargo gives the packages that we
    // depend on the features that the selected ones ask for, so that another selection would compile them
    // anew.
    let ignored = ["test", "--workspace", "--", "--ignored"];
    let has_site = has_wasm();
    if has_site && !site::make(None, true) {
        return ExitCode::FAILURE;
    }
    if !has_site {
        skipped.push(format!("the explorer without a server: rustup target add {WASM}"));
    }
    match treebanks() {
        Some(folder) => {
            let arguments = [&ignored[..], &["real_treebanks"]].concat();
            let mut command = cargo(&arguments);
            if !run("tests on real treebanks", command.env("TANGLEWOOD_TREEBANKS", folder)) {
                return ExitCode::FAILURE;
            }
        }
        None => skipped.push(
            "tests on real treebanks: set TANGLEWOOD_TREEBANKS to a folder with ud-2.1 and ud-2.16"
                .to_owned(),
        ),
    }
    // They compare with the program, which is built by now.
    match python::test(extent) {
        python::Outcome::Passed => {
            let torch =
                "Python tests that need PyTorch, unless it was installed before: cargo xtask test --torch";
            let engines = "Python tests with Spark, Ray and spaCy: cargo xtask test --engines";
            let left_out = [(extent.torch, torch), (extent.engines, engines)].into_iter();
            skipped.extend(left_out.filter(|(run, _)| !run).map(|(_, reason)| reason.to_owned()));
        }
        python::Outcome::Failed => return ExitCode::FAILURE,
        python::Outcome::Skipped(reason) => skipped.push(reason),
    }
    match chromium() {
        Some(program) => {
            // One after the other: some of them measure time.
            let in_browser = ["--ignored", "--test-threads=1", "browser_"];
            let arguments = [&["test", "--workspace", "--test", "all", "--"][..], &in_browser].concat();
            let mut command = cargo(&arguments);
            command.env("TANGLEWOOD_CHROMIUM", program);
            if has_site {
                command.env("TANGLEWOOD_SITE", site::folder());
            }
            if !run("tests in a browser", &mut command) {
                return ExitCode::FAILURE;
            }
        }
        None => skipped.push(
            "tests in a browser: install chromium (Debian: apt-get install chromium), or set TANGLEWOOD_CHROMIUM"
                .to_owned(),
        ),
    }
    if extent.slow {
        if !run(
            "slow tests",
            &mut cargo(&[&ignored[..], &["--skip", "real_treebanks", "--skip", "browser_"]].concat()),
        ) {
            return ExitCode::FAILURE;
        }
        if !package::build() {
            return ExitCode::FAILURE;
        }
    } else {
        skipped.push("slow tests, and packages compiled by themselves: cargo xtask test --slow".to_owned());
    }
    for reason in skipped {
        println!("SKIPPED  {reason}");
    }
    println!("all checks passed");
    ExitCode::SUCCESS
}

/// Whether what we depend on keeps to `deny.toml`; an error says why that cannot be known.
fn dependencies() -> Result<bool, String> {
    let succeeds = |arguments: &[&str]| cargo(arguments).output().is_ok_and(|output| output.status.success());
    if !succeeds(&["deny", "--version"]) {
        return Err("advisories and licences of dependencies: cargo install cargo-deny".to_owned());
    }
    if !succeeds(&["deny", "fetch"]) {
        return Err(
            "advisories and licences of dependencies: the list of advisories cannot be fetched".to_owned()
        );
    }
    Ok(run("dependencies", &mut cargo(&["deny", "check"])))
}

/// The target of builds for the browser.
const WASM: &str = "wasm32-unknown-unknown";

/// True if and only if the compiler can build for the browser, after an attempt to install what that takes.
fn has_wasm() -> bool {
    let add = Command::new("rustup").args(["target", "add", WASM]).current_dir(workspace()).output();
    add.is_ok_and(|output| output.status.success())
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace());
    command
}

fn run(name: &str, command: &mut Command) -> bool {
    println!("== {name}");
    let start = Instant::now();
    match command.status() {
        Ok(status) if status.success() => {
            println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
            true
        }
        Ok(status) => {
            println!("== {name}: FAILED ({status})");
            false
        }
        Err(error) => {
            println!("== {name}: FAILED to start: {error}");
            false
        }
    }
}

/// The folder above this package.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Where real treebanks are: `$TANGLEWOOD_TREEBANKS`, or a folder `shared` beside the repository.
fn treebanks() -> Option<PathBuf> {
    let named = env::var_os("TANGLEWOOD_TREEBANKS").map(PathBuf::from);
    let folder = named.or_else(|| workspace().parent().map(|parent| parent.join("shared")))?;
    folder.join("ud-2.1").is_dir().then_some(folder)
}

/// The browser to test with: `$TANGLEWOOD_CHROMIUM`, or the first of the usual names that is in the path.
fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os("TANGLEWOOD_CHROMIUM") {
        return Some(named.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}
