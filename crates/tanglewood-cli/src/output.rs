//! Where data goes: standard output, or a file that appears only when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::interrupt::Unfinished;

/// A destination that has to be [finished](Output::finish).
pub enum Output {
    Standard(BufWriter<io::StdoutLock<'static>>),
    File { target: PathBuf, file: BufWriter<NamedTempFile>, unfinished: Unfinished },
}

impl Output {
    /// Standard output, or a temporary file beside `target` that replaces it at the end.
    pub fn to(target: Option<&Path>) -> Result<Output, Failure> {
        let Some(target) = target.filter(|target| target.as_os_str() != "-") else {
            return Ok(Output::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock())));
        };
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tanglewood-").suffix(".tmp");
        // Temporary files are private by default; this one becomes the user's file.
        #[cfg(unix)]
        builder.permissions(<std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| failed_to("write", target, error))?;
        let unfinished = Unfinished::new(file.path());
        Ok(Output::File { target: target.to_owned(), file: BufWriter::new(file), unfinished })
    }

    /// Everything has been written: flushes, and moves a file to its place.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Standard(mut out) => Ok(out.flush()?),
            Output::File { target, file, unfinished } => {
                let file =
                    file.into_inner().map_err(|error| failed_to("write", &target, error.into_error()))?;
                file.as_file().sync_all().map_err(|error| failed_to("write", &target, error))?;
                file.persist(&target).map_err(|error| failed_to("write", &target, error.error))?;
                drop(unfinished);
                Ok(())
            }
        }
    }
}

fn failed_to(doing: &'static str, target: &Path, error: io::Error) -> Failure {
    Failure::File { doing, file: target.display().to_string(), error }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File { file, .. } => file.flush(),
        }
    }
}
