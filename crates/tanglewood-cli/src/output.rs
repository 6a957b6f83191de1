//! Where data goes: standard output, or a file that appears only when it is complete.
//!
//! All that the program writes goes through here, so that these promises hold everywhere: an old file is
//! there until the new one is complete; what is read is not overwritten unless a command says that it edits
//! in place; links are followed; an ending that asks for compression gets it.

mod compression;
mod faults;
mod target;

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::failure::Failure;
use crate::interrupt::Unfinished;
use compression::{Method, Packer};
use target::Target;

/// A destination that has to be [finished](Output::finish).
pub struct Output {
    writer: Packer<BufWriter<Raw>>,
    /// The file as it is called in messages and where it is moved; none for standard output.
    target: Option<PathBuf>,
    /// Keeps a temporary file on the list of those that are removed when a signal ends the program.
    unfinished: Option<Unfinished>,
}

/// What bytes are given to.
enum Raw {
    Standard(io::StdoutLock<'static>),
    /// A device or a pipe with a name, written to as it is.
    Device(File),
    /// A temporary file that takes the target's place at the end.
    Temporary(NamedTempFile),
}

impl Output {
    /// Standard output.
    pub fn standard() -> Output {
        let raw = Raw::Standard(io::stdout().lock());
        let writer = Packer::Plain(BufWriter::with_capacity(1 << 16, raw));
        Output { writer, target: None, unfinished: None }
    }

    /// Standard output, or a temporary file beside `target` that replaces it at the end; compressed if its
    /// ending says so. It may not be one of the `inputs`: those that the command reads and does not edit.
    pub fn to<'a>(
        target: Option<&Path>,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Output, Failure> {
        let Some(path) = target.filter(|target| target.as_os_str() != "-") else {
            return Ok(Output::standard());
        };
        let target = Target::of(path)?;
        target.refuse_inputs(inputs)?;
        Output::create(target, Method::of(path), None)
    }

    /// The same for a model: it has a form of its own, which is not compressed once more.
    pub fn model<'a>(target: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<Output, Failure> {
        if Method::of(target).is_some() {
            let (file, without) = (target.display(), target.with_extension(""));
            let message = format!(
                "cannot write {file}: a model is not compressed as a whole; write {} and compress a copy of it",
                without.display()
            );
            return Err(Failure::Other(message));
        }
        let target = Target::of(target)?;
        target.refuse_inputs(inputs)?;
        Output::create(target, None, None)
    }

    /// A file that is written again and again. What it is written to first always has the same name, so that
    /// what a killed program leaves behind is used again.
    pub fn again(target: &Path, scratch: &Path) -> Result<Output, Failure> {
        Output::create(Target::of(target)?, None, Some(scratch))
    }

    fn create(target: Target, method: Option<Method>, scratch: Option<&Path>) -> Result<Output, Failure> {
        let failed = |error| Failure::File { doing: "write", file: target.path.display().to_string(), error };
        faults::step().map_err(failed)?;
        let (raw, unfinished) = if target.is_device() {
            (Raw::Device(File::options().write(true).open(&target.path).map_err(failed)?), None)
        } else {
            let create = || match scratch {
                Some(scratch) => {
                    let file = File::create(scratch)?;
                    Ok(NamedTempFile::from_parts(file, TempPath::try_from_path(scratch)?))
                }
                None => temporary_in(target.folder()),
            };
            let (file, unfinished) = Unfinished::create(create, NamedTempFile::path)
                .map_err(|error| cannot_create(&target, error))?;
            if let Some(metadata) = &target.existing {
                file.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
            }
            (Raw::Temporary(file), Some(unfinished))
        };
        let writer = Packer::new(BufWriter::new(raw), method).map_err(failed)?;
        Ok(Output { writer, target: Some(target.path), unfinished })
    }

    /// True if and only if a person sees the data as it is written.
    pub fn is_terminal(&self) -> bool {
        match self.writer.get_ref().get_ref() {
            Raw::Standard(out) => out.is_terminal(),
            Raw::Device(file) => file.is_terminal(),
            Raw::Temporary(_) => false,
        }
    }

    /// Everything has been written: flushes, and moves a file to its place.
    pub fn finish(self) -> Result<(), Failure> {
        let Output { writer, target, unfinished } = self;
        let failed = |error| match &target {
            None => Failure::Output(error),
            Some(path) => Failure::File { doing: "write", file: path.display().to_string(), error },
        };
        let buffer = writer.finish().map_err(failed)?;
        let mut raw = buffer.into_inner().map_err(|error| failed(error.into_error()))?;
        raw.flush().map_err(failed)?;
        if let (Raw::Temporary(file), Some(path)) = (raw, &target) {
            faults::step().and_then(|()| file.as_file().sync_all()).map_err(failed)?;
            faults::step().map_err(failed)?;
            file.persist(path).map_err(|error| failed(error.error))?;
        }
        drop(unfinished);
        Ok(())
    }

    /// An error of a file with the file's name; one of standard output stays what it is, so that a broken
    /// pipe is known.
    fn named(&self, error: io::Error) -> io::Error {
        match &self.target {
            None => error,
            Some(target) => io::Error::new(error.kind(), format!("{}: {error}", target.display())),
        }
    }
}

/// An error if a file that is going to be written is one of those that are read.
pub fn refuse<'a>(target: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    Target::of(target)?.refuse_inputs(inputs)
}

/// True if and only if two outputs are one file, or both are standard output.
pub fn are_the_same(first: &Path, second: &Path) -> Result<bool, Failure> {
    let is_standard = |path: &Path| path.as_os_str() == "-";
    if is_standard(first) || is_standard(second) {
        return Ok(is_standard(first) && is_standard(second));
    }
    let (first, second) = (Target::of(first)?, Target::of(second)?);
    Ok(!first.is_device() && first.identity() == second.identity())
}

/// A temporary file that can become the user's: such files are private otherwise.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tanglewood-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn cannot_create(target: &Target, error: io::Error) -> Failure {
    let (file, folder) = (target.path.display().to_string(), target.folder());
    if folder.is_dir() {
        return Failure::File { doing: "write", file, error };
    }
    Failure::Other(format!("cannot write {file}: there is no folder {}; make it first", folder.display()))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| self.named(error))
    }
}

impl Write for Raw {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        faults::step()?;
        match self {
            Raw::Standard(out) => out.write(bytes),
            Raw::Device(file) => file.write(bytes),
            Raw::Temporary(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Raw::Standard(out) => out.flush(),
            Raw::Device(file) => file.flush(),
            Raw::Temporary(file) => file.flush(),
        }
    }
}
