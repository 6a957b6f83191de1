//! Running the program, and small treebanks to run it on.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, OutputAssert};
use tempfile::TempDir;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tanglewood");

/// The sample treebank, from the repository's root.
pub const SAMPLE: &str = "crates/tanglewood/sample/tangles.conllu";

/// Heads of four words with one crossing: 3→1 and 4→2.
pub const CROSSING: &[usize] = &[3, 4, 0, 3];

/// Heads of three words without one.
pub const PROJECTIVE: &[usize] = &[2, 0, 2];

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program with arguments, at the repository's root.
pub fn tanglewood<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    Command::new(PROGRAM).current_dir(root()).args(arguments)
}

/// The program for tests that send it signals. What ignores a signal hands that on to all it starts, and
/// these tests may have been started in the background, where SIGINT is ignored.
pub fn heeding_signals() -> std::process::Command {
    if cfg!(target_os = "linux") {
        let mut command = std::process::Command::new("env");
        command.args(["--default-signal=HUP,INT,TERM", PROGRAM]);
        command
    } else {
        std::process::Command::new(PROGRAM)
    }
}

/// A sentence of words w1, w2, … with the given heads.
pub fn sentence(id: &str, heads: &[usize]) -> String {
    let mut text = format!("# sent_id = {id}\n");
    for (at, head) in heads.iter().enumerate() {
        let relation = if *head == 0 { "root" } else { "dep" };
        text += &format!("{0}\tw{0}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1);
    }
    text + "\n"
}

/// A sentence whose second line has a head beyond the sentence, at column 14.
pub fn invalid_sentence(id: &str) -> String {
    format!("# sent_id = {id}\n1\tw1\t_\t_\t_\t_\t7\tdep\t_\t_\n2\tw2\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
}

/// A folder that goes away at the end of the test; the program is run inside it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with one file.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Folder {
        Folder::new().and(name, content)
    }

    /// One file more; the folders on the way to it are made.
    pub fn and(self, name: &str, content: impl AsRef<[u8]>) -> Folder {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files in it, hidden ones included.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        tanglewood(arguments).current_dir(self.0.path())
    }

    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> OutputAssert {
        self.command(arguments).assert()
    }
}

/// What a successful run printed, as bytes, for comparisons without any normalisation.
pub fn stdout_of(run: OutputAssert) -> Vec<u8> {
    run.success().get_output().stdout.clone()
}

/// What a successful run printed, as text.
pub fn text_of(run: OutputAssert) -> String {
    String::from_utf8(stdout_of(run)).unwrap()
}
