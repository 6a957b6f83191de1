//! Where data goes: standard output, or a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::interrupt::Unfinished;

/// A destination that has to be [finished](Output::finish).
pub enum Output {
    Standard(BufWriter<io::StdoutLock<'static>>),
    /// A device or a pipe with a name: written to as it is, since putting a file in its place would destroy it.
    Device {
        target: PathBuf,
        file: BufWriter<File>,
    },
    File {
        target: PathBuf,
        file: BufWriter<NamedTempFile>,
        unfinished: Unfinished,
    },
}

impl Output {
    /// Standard output, or a temporary file beside `target` that replaces it at the end.
    pub fn to(target: Option<&Path>) -> Result<Output, Failure> {
        let Some(target) = target.filter(|target| target.as_os_str() != "-") else {
            return Ok(Output::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock())));
        };
        let failed = |error| Failure::File { doing: "write", file: target.display().to_string(), error };
        let existing = fs::metadata(target).ok();
        match &existing {
            Some(metadata) if metadata.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Some(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(target).map_err(failed)?;
                return Ok(Output::Device { target: target.to_owned(), file: BufWriter::new(file) });
            }
            _ => {}
        }
        // Through a link the file it leads to is replaced, not the link.
        let target =
            if existing.is_some() { fs::canonicalize(target).map_err(failed)? } else { target.to_owned() };
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tanglewood-").suffix(".tmp");
        // Temporary files are private by default; this one becomes the user's file.
        #[cfg(unix)]
        builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
        let (file, unfinished) = Unfinished::create(|| builder.tempfile_in(folder), |file| file.path())
            .map_err(|error| cannot_create(&target, folder, error))?;
        if let Some(metadata) = existing {
            file.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
        }
        Ok(Output::File { target, file: BufWriter::new(file), unfinished })
    }

    /// True if and only if a person sees the data as it is written.
    pub fn is_terminal(&self) -> bool {
        match self {
            Output::Standard(out) => out.get_ref().is_terminal(),
            Output::Device { file, .. } => file.get_ref().is_terminal(),
            Output::File { .. } => false,
        }
    }

    /// Everything has been written: flushes, and moves a file to its place.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        if let Output::File { target, file, unfinished } = self {
            let failed = |error| Failure::File { doing: "write", file: target.display().to_string(), error };
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            file.as_file().sync_all().map_err(failed)?;
            file.persist(&target).map_err(|error| failed(error.error))?;
            drop(unfinished);
        }
        Ok(())
    }

    /// An error of a file with the file's name; one of standard output stays what it is, so that a broken pipe is known.
    fn named(&self, error: io::Error) -> io::Error {
        match self {
            Output::Standard(_) => error,
            Output::Device { target, .. } | Output::File { target, .. } => {
                io::Error::new(error.kind(), format!("{}: {error}", target.display()))
            }
        }
    }
}

fn cannot_create(target: &Path, folder: &Path, error: io::Error) -> Failure {
    let file = target.display().to_string();
    if folder.is_dir() {
        return Failure::File { doing: "write", file, error };
    }
    Failure::Other(format!("cannot write {file}: there is no folder {}; make it first", folder.display()))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::Device { file, .. } => file.write(bytes),
            Output::File { file, .. } => file.write(bytes),
        }
        .map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::Device { file, .. } => file.flush(),
            Output::File { file, .. } => file.flush(),
        }
        .map_err(|error| self.named(error))
    }
}
