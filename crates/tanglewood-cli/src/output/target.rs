//! Which file an output goes to, and whether it may: not into a directory, and not over what is read.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Longest chain of links that is followed; a longer one is taken for a cycle.
const MOST_LINKS: usize = 40;

/// Where an output goes.
#[derive(Debug)]
pub struct Target {
    /// The file itself: links have been followed, so that what they lead to is replaced and not they.
    pub path: PathBuf,
    /// What is there now.
    pub existing: Option<Metadata>,
}

impl Target {
    /// The file that a path stands for; an error if it is a directory.
    pub fn of(path: &Path) -> Result<Target, Failure> {
        let failed = |error| Failure::File { doing: "write", file: path.display().to_string(), error };
        let path = followed(path).map_err(failed)?;
        let existing = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        Ok(Target { path, existing })
    }

    /// True if and only if it is a device or a pipe with a name: putting a file in its place would destroy
    /// it.
    pub fn is_device(&self) -> bool {
        self.existing.as_ref().is_some_and(|metadata| !metadata.is_file())
    }

    /// An error if it is one of the files that are read: what was in it would be lost.
    pub fn refuse_inputs<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
        if self.existing.is_none() || self.is_device() {
            return Ok(());
        }
        let Ok(target) = fs::canonicalize(&self.path) else { return Ok(()) };
        for input in inputs {
            let is_standard = input.as_os_str() == "-";
            let opened = if is_standard { Path::new("/dev/stdin") } else { input };
            if fs::canonicalize(opened).is_ok_and(|input| input == target) {
                let read = if is_standard { "standard input".into() } else { input.to_string_lossy() };
                return Err(Failure::Other(format!(
                    "the output {} is the same file as {read}, which is read and would be lost; \
                     name another file after -o",
                    self.path.display(),
                )));
            }
        }
        Ok(())
    }

    /// The file by the only name that begins at the root and has no links in it.
    pub fn identity(&self) -> Option<PathBuf> {
        Some(fs::canonicalize(self.folder()).ok()?.join(self.path.file_name()?))
    }

    /// The folder that the file is in.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }
}

/// The file that links lead to, also if it is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&path) else { return Ok(path) };
        // A link that is not absolute is meant from the folder it is in.
        path = match path.parent() {
            Some(folder) => folder.join(link),
            None => link,
        };
    }
    Err(io::Error::other("its links lead round in a circle"))
}
