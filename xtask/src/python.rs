//! The Python package: built, installed into a virtual environment under `target`, and tested there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{run, workspace};

/// What tests need besides the package itself. All have wheels for common systems.
const PACKAGES: [&str; 4] = ["maturin>=1.7,<2", "numpy", "pandas", "pytest"];

/// How the tests went.
pub enum Outcome {
    Passed,
    Failed,
    /// Not run, and why.
    Skipped(String),
}

/// Builds the package as tests use it and runs its tests; PyTorch is installed for those that need it if wanted.
pub fn test(torch: bool) -> Outcome {
    let Some(python) = interpreter() else {
        let message = "Python tests: no Python found; install Python 3.9 or later with its modules venv and pip, or set PYTHON to it";
        return Outcome::Skipped(message.to_owned());
    };
    let Some(environment) = environment(&python) else {
        let message = "Python tests: what they need could not be installed, see above; they need the package index once";
        return Outcome::Skipped(message.to_owned());
    };
    // With what the other tests have compiled already: optimised, and with assertions.
    let wheels = target().join("python").join("wheels");
    let installed = (!torch || pip(&environment, "PyTorch", &["torch"]))
        && build(&environment, &wheels, &["--profile", "dev"])
        && install(&environment, &wheels);
    if !installed {
        return Outcome::Failed;
    }
    let mut tests = Command::new(in_environment(&environment, "python"));
    tests.args(["-m", "pytest", "-q"]).current_dir(package());
    if run("Python tests", &mut tests) { Outcome::Passed } else { Outcome::Failed }
}

/// Builds the wheel that users install.
pub fn wheel() -> bool {
    let Some(python) = interpreter() else {
        eprintln!(
            "no Python found; install Python 3.9 or later with its modules venv and pip, or set PYTHON to it"
        );
        return false;
    };
    let wheels = target().join("wheels");
    let built = environment(&python).is_some_and(|environment| build(&environment, &wheels, &["--release"]));
    if let Some(wheel) = only_file(&wheels).filter(|_| built) {
        println!("{}", wheel.display());
    }
    built
}

/// What is in a folder.
fn only_file(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).next()
}

/// `$PYTHON`, or what is called `python3` or `python`, if it is Python 3.9 or later and can make virtual environments.
fn interpreter() -> Option<PathBuf> {
    let named = env::var_os("PYTHON").map(PathBuf::from);
    let usual = ["python3", "python"].map(PathBuf::from);
    let works = |python: &PathBuf| {
        let check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
        let quiet =
            Command::new(python).args(["-c", check]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    named.into_iter().chain(usual).find(works)
}

/// The virtual environment, made if it is not there yet, with what tests need.
fn environment(python: &Path) -> Option<PathBuf> {
    let environment = target().join("python").join("environment");
    if !in_environment(&environment, "python").exists() {
        let mut make = Command::new(python);
        make.args(["-m", "venv"]).arg(&environment);
        if !run("Python environment", &mut make) {
            return None;
        }
    }
    // Kept as a note, so that nothing is asked for over the network twice.
    let note = environment.join("installed");
    let wanted = PACKAGES.join(" ");
    if fs::read_to_string(&note).is_ok_and(|installed| installed == wanted) {
        return Some(environment);
    }
    let complete = pip(&environment, "Python packages", &PACKAGES) && fs::write(&note, wanted).is_ok();
    complete.then_some(environment)
}

fn pip(environment: &Path, name: &str, arguments: &[&str]) -> bool {
    let mut pip = Command::new(in_environment(environment, "python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(arguments);
    run(name, &mut pip)
}

/// The wheel, alone in its folder.
fn build(environment: &Path, wheels: &Path, options: &[&str]) -> bool {
    // An older one would be installed along with it.
    if wheels.exists() && fs::remove_dir_all(wheels).is_err() {
        eprintln!("cannot remove {}", wheels.display());
        return false;
    }
    let mut maturin = Command::new(in_environment(environment, "python"));
    maturin.args(["-m", "maturin", "build", "--quiet", "--out"]).arg(wheels).args(options);
    maturin.arg("--interpreter").arg(in_environment(environment, "python")).current_dir(package());
    run("Python package", &mut maturin)
}

fn install(environment: &Path, wheels: &Path) -> bool {
    let Some(wheel) = only_file(wheels) else {
        eprintln!("no wheel in {}", wheels.display());
        return false;
    };
    let wheel = wheel.display().to_string();
    pip(environment, "Python installation", &["--force-reinstall", "--no-deps", &wheel])
}

fn in_environment(environment: &Path, program: &str) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts").join(format!("{program}.exe"))
    } else {
        environment.join("bin").join(program)
    }
}

fn package() -> PathBuf {
    workspace().join("crates").join("tanglewood-py")
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), |folder| workspace().join(folder))
}
