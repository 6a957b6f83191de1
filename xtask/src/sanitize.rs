//! `cargo xtask sanitize`: tests under AddressSanitizer, of the libraries that have unsafe code and of the
//! Python package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{cargo, python, run, workspace};

/// The only target that this is done for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Runs the tests, or those with this in their names; stops at the first that fails.
pub fn all(filter: Option<&str>) -> bool {
    let tests = ["test", "--package", "tanglewood", "--package", "tanglewood-nn", "--lib", "--test", "all"];
    let mut libraries = sanitized(&tests);
    libraries.args(filter);
    run("tests under AddressSanitizer", &mut libraries) && package(filter)
}

/// A command of cargo with the sanitizer, which a stable compiler admits when it is told to be like a nightly
/// one. What it builds has a place of its own.
fn sanitized(arguments: &[&str]) -> Command {
    let (command, rest) = arguments.split_first().unwrap_or((&"build", &[]));
    let mut cargo = cargo(&[command, "--target", TARGET]);
    cargo
        .args(rest)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // C is not ours, and the runtime of rustc misreads what GCC marks its constants with.
        .env("CFLAGS", "-fno-sanitize=address")
        .env("CARGO_TARGET_DIR", folder())
        .env("ASAN_OPTIONS", OPTIONS);
    cargo
}

/// Much memory is refused by some of the tests on purpose, and Python keeps things until its end.
const OPTIONS: &str = "detect_leaks=0:allocator_may_return_null=1";

fn folder() -> PathBuf {
    workspace().join("target").join("sanitize")
}

/// The tests of the Python package. Python itself is not sanitized, so that the runtime has to be loaded
/// before it: that of GCC, which fits.
fn package(filter: Option<&str>) -> bool {
    let Some(runtime) = runtime() else {
        eprintln!("libasan.so of GCC is missing (Debian: apt-get install gcc)");
        return false;
    };
    let Some(interpreter) = python::for_tests() else {
        eprintln!("what Python tests need could not be installed, see above");
        return false;
    };
    let built = run("the program", &mut cargo(&["build", "--package", "tanglewood-cli"]))
        && run("Python module", &mut sanitized(&["build", "--package", "tanglewood-py"]))
        && assembled().is_ok();
    let mut tests = Command::new(interpreter);
    tests
        .args(["-m", "pytest", "-q", "-x", "--ignore", "tests/engines"])
        .args(filter.iter().flat_map(|filter| ["-k", filter]))
        .current_dir(workspace().join("crates/tanglewood-py"))
        .env("PYTHONPATH", folder().join("python"))
        .env("PYTHONMALLOC", "malloc")
        .env("LD_PRELOAD", runtime)
        .env("ASAN_OPTIONS", OPTIONS);
    built && run("Python tests under AddressSanitizer", &mut tests)
}

/// Puts the package together as it would be installed.
fn assembled() -> std::io::Result<()> {
    let (sources, package) =
        (workspace().join("crates/tanglewood-py/python/tanglewood"), folder().join("python/tanglewood"));
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(sources)? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, package.join(name))?;
        }
    }
    let module = folder().join(TARGET).join("debug").join("lib_tanglewood.so");
    fs::copy(module, package.join("_tanglewood.abi3.so")).map(drop)
}

/// Where GCC has the runtime.
fn runtime() -> Option<PathBuf> {
    let compiler = env::var_os("CC").unwrap_or_else(|| "gcc".into());
    let found = Command::new(compiler).arg("-print-file-name=libasan.so").output().ok()?;
    let path = String::from_utf8(found.stdout).ok()?;
    // Only its name, if it is not there.
    Some(Path::new(path.trim()).to_owned()).filter(|path| path.is_absolute())
}
