//! Reading and writing whole files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A file may unpack to this multiple of its size, and in any case to the number of bytes below: text is
/// packed to a tenth, and what is packed to less than a hundredth is there to fill the memory.
const MOST_TIMES: u64 = 100;
const MOST_BYTES: u64 = 256 << 20;

/// The content of a file; gzip, xz and zstd are unpacked.
pub fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    py.detach(|| {
        let failed = |error| named(path, error);
        let file = fs::File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let most = size.saturating_mul(MOST_TIMES).max(MOST_BYTES);
        let wrong = |message: String| PyValueError::new_err(format!("{}: {message}", path.display()));
        match tanglewood_cli::files::unpacked_content(file, most) {
            Ok(Some(content)) => Ok(content),
            Ok(None) => {
                Err(wrong(format!("unpacks to more than {most} bytes; if that is meant, unpack it first")))
            }
            Err(error) if error.raw_os_error().is_some() => Err(failed(error)),
            Err(error) => Err(wrong(error.to_string())),
        }
    })
}

/// Writes a file that appears only when it is complete.
pub fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), String>) -> PyResult<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| named(path, error);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tanglewood-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    let mut buffered = std::io::BufWriter::new(file.as_file_mut());
    write(&mut buffered).map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
    buffered.flush().map_err(failed)?;
    drop(buffered);
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// An error of the file system with the file's name, of the class that Python has for it.
fn named(path: &Path, error: std::io::Error) -> PyErr {
    let message = format!("{}: {error}", path.display());
    std::io::Error::new(error.kind(), message).into()
}

/// Files and folders, the latter searched for CoNLL-U files in a fixed order.
pub fn expanded(paths: &[PathBuf]) -> PyResult<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            search(path, &mut files)?;
            if files.len() == before {
                let message = format!("{}: no file named *.conllu in this folder", path.display());
                return Err(PyValueError::new_err(message));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn search(folder: &Path, files: &mut Vec<PathBuf>) -> PyResult<()> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries: Vec<PathBuf> =
        entries.map_err(|error| named(folder, error))?.into_iter().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_treebank =
            [".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zst"].iter().any(|end| name.ends_with(end));
        // A link to a folder could lead back to where it is.
        if path.is_dir() && !path.is_symlink() {
            search(&path, files)?;
        } else if is_treebank && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
