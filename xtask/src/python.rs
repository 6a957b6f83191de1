//! The Python package: built, installed into a virtual environment under `target`, and tested there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{run, treebanks, workspace};

/// What tests need besides the package itself. All have wheels for common systems.
const PACKAGES: [&str; 5] = ["maturin>=1.7,<2", "numpy", "pandas", "pyarrow", "pytest"];

/// Engines that the package works with, and what their tests need.
const ENGINES: [&str; 10] = [
    "numpy",
    "pandas",
    "pyarrow",
    "pytest",
    "pyspark>=4,<5",
    "ray[data]",
    "polars",
    "duckdb",
    "daft",
    "spacy>=3.8,<4",
];

/// What is installed and run besides the usual tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// PyTorch, and the tests that need it.
    pub torch: bool,
    /// The source distribution is installed.
    pub slow: bool,
    /// Spark, Ray, spaCy and others, with their tests; and the wheel where there is no Rust.
    pub engines: bool,
}

/// How the tests went.
pub enum Outcome {
    Passed,
    Failed,
    /// Not run, and why.
    Skipped(String),
}

/// What the source distribution has to contain: the crates that the package is made of, and data that they
/// include.
const IN_SOURCES: [&str; 7] = [
    "LICENSE-MIT",
    "crates/tanglewood/sample/tangles.conllu",
    "crates/tanglewood-explorer/src/assets/index.html",
    "crates/tanglewood-nn/src/lib.rs",
    "crates/tanglewood-py/src/lib.rs",
    "python/tanglewood/__main__.py",
    "python/tanglewood/py.typed",
];

/// Fails, with their names, if a source distribution lacks some of the files that are named after it.
const LACKS: &str = "import sys, tarfile
names = {name.partition('/')[2] for name in tarfile.open(sys.argv[1]).getnames()}
missing = [name for name in sys.argv[2:] if name not in names]
sys.exit(f'not in {sys.argv[1]}: {missing}' if missing else 0)";

/// Builds the package as tests use it and runs its tests. The source distribution is checked for
/// completeness.
pub fn test(extent: Extent) -> Outcome {
    let Some(python) = interpreter() else {
        let message = "Python tests: no Python found; install Python 3.9 or later with its modules venv and pip, or set PYTHON to it";
        return Outcome::Skipped(message.to_owned());
    };
    let Some(environment) = environment(&python, "environment", &PACKAGES) else {
        let message = "Python tests: what they need could not be installed, see above; they need the package index once";
        return Outcome::Skipped(message.to_owned());
    };
    // With what the other tests have compiled already, the library for every semiring included: optimised,
    // and with assertions.
    let as_tested = ["--profile", "dev", "--features", "tanglewood/all-semirings"];
    let wheels = target().join("python").join("wheels");
    let installed = (!extent.torch || pip(&environment, "PyTorch", &["torch"]))
        && build(&environment, &wheels, &as_tested)
        && install(&environment, &wheels);
    if !installed {
        return Outcome::Failed;
    }
    let mut tests = Command::new(in_environment(&environment, "python"));
    tests.args(["-m", "pytest", "-q", "--ignore", "tests/engines"]).current_dir(package());
    let passed = run("Python tests", &mut tests)
        && sources(&environment).is_some_and(|sources| !extent.slow || install_sources(&python, &sources))
        && (!extent.engines || test_engines(&python, &wheels) && test_without_rust(&python, &wheels));
    if passed { Outcome::Passed } else { Outcome::Failed }
}

/// The interpreter of the environment in which tests run.
pub fn for_tests() -> Option<PathBuf> {
    let environment = environment(&interpreter()?, "environment", &PACKAGES)?;
    Some(in_environment(&environment, "python"))
}

/// Runs the tests with real engines, in an environment of their own.
fn test_engines(python: &Path, wheels: &Path) -> bool {
    let Some(environment) = environment(python, "engines", &ENGINES) else { return false };
    let program = target().join("debug").join(format!("tanglewood{}", env::consts::EXE_SUFFIX));
    let command = |arguments: &[&str]| {
        let mut command = Command::new(in_environment(&environment, "python"));
        command.args(arguments).env("TANGLEWOOD_PROGRAM", &program).current_dir(package());
        command.envs(treebanks().map(|folder| ("TANGLEWOOD_TREEBANKS", folder)));
        command
    };
    install(&environment, wheels)
        && run("Python tests with engines", &mut command(&["-m", "pytest", "-q", "-s", "tests/engines"]))
        && run("what engines cost", &mut command(&["benchmarks/engines.py"]))
}

/// Installs the wheel into an empty environment and uses it where no program but Python's can be found.
fn test_without_rust(python: &Path, wheels: &Path) -> bool {
    let environment = target().join("python").join("empty");
    let mut make = Command::new(python);
    make.args(["-m", "venv", "--clear"]).arg(&environment);
    let Some(wheel) = only_file(wheels) else { return false };
    let bin = in_environment(&environment, "python");
    let alone = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(in_environment(&environment, program));
        command.args(arguments).env("PATH", bin.parent().unwrap_or(Path::new(""))).current_dir(&environment);
        command
    };
    let wheel = wheel.display().to_string();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &wheel];
    let sample = workspace().join("crates/tanglewood/sample/tangles.conllu").display().to_string();
    let import = "import tanglewood; print(tanglewood.Parser.load('en').parse('It works.').conllu)";
    run("Python environment", &mut make)
        && run("installation without Rust", &mut alone("python", &pip))
        && run(
            "the program without Rust",
            alone("tanglewood", &["parse", "en", &sample]).stdout(Stdio::null()),
        )
        && run("the package without Rust", &mut alone("python", &["-c", import]))
}

/// Makes the source distribution and checks that nothing is missing.
fn sources(environment: &Path) -> Option<PathBuf> {
    let folder = target().join("python").join("sources");
    if folder.exists() {
        fs::remove_dir_all(&folder).ok()?;
    }
    let python = in_environment(environment, "python");
    let mut maturin = Command::new(&python);
    maturin.args(["-m", "maturin", "sdist", "--out"]).arg(&folder).current_dir(package());
    if !run("Python source distribution", &mut maturin) {
        return None;
    }
    let sources = only_file(&folder)?;
    let mut check = Command::new(&python);
    check.args(["-c", LACKS]).arg(&sources).args(IN_SOURCES);
    run("Python source distribution, its files", &mut check).then_some(sources)
}

/// Installs the source distribution into an environment of its own, and starts the program that comes with
/// it.
fn install_sources(python: &Path, sources: &Path) -> bool {
    let environment = target().join("python").join("clean");
    let mut make = Command::new(python);
    make.args(["-m", "venv", "--clear"]).arg(&environment);
    let mut install = Command::new(in_environment(&environment, "python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).arg(sources);
    let mut program = Command::new(in_environment(&environment, "tanglewood"));
    program.arg("--version");
    run("Python environment", &mut make)
        && run("installation from the source distribution", &mut install)
        && run("the program of the Python package", &mut program)
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
    let built = environment(&python, "environment", &PACKAGES)
        .is_some_and(|environment| build(&environment, &wheels, &["--release"]));
    if let Some(wheel) = only_file(&wheels).filter(|_| built) {
        println!("{}", wheel.display());
    }
    built
}

/// The interpreter of an environment of its own, with these packages and this one, as it is released.
pub fn with_package(name: &str, packages: &[&str]) -> Option<PathBuf> {
    let environment = environment(&interpreter()?, name, packages)?;
    let wheels = target().join("wheels");
    (wheel() && install(&environment, &wheels)).then(|| in_environment(&environment, "python"))
}

/// What is in a folder.
fn only_file(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).next()
}

/// `$PYTHON`, or what is called `python3` or `python`, if it is Python 3.9 or later and can make virtual
/// environments.
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

/// The virtual environment of this name, made if it is not there yet, with these packages.
fn environment(python: &Path, name: &str, packages: &[&str]) -> Option<PathBuf> {
    let environment = target().join("python").join(name);
    if !in_environment(&environment, "python").exists() {
        let mut make = Command::new(python);
        make.args(["-m", "venv"]).arg(&environment);
        if !run("Python environment", &mut make) {
            return None;
        }
    }
    // Kept as a note, so that nothing is asked for over the network twice.
    let note = environment.join("installed");
    let wanted = packages.join(" ");
    if fs::read_to_string(&note).is_ok_and(|installed| installed == wanted) {
        return Some(environment);
    }
    let complete = pip(&environment, "Python packages", packages) && fs::write(&note, wanted).is_ok();
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
