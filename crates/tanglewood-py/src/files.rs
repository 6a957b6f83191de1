//! Reading and writing whole files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The content of a file; gzip and xz are unpacked, by Python's own modules.
pub fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    let bytes = py.detach(|| fs::read(path)).map_err(|error| named(path, error))?;
    let module = match bytes[..] {
        [0x1F, 0x8B, ..] => "gzip",
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => "lzma",
        [0x28, 0xB5, 0x2F, 0xFD, ..] => {
            let message = format!(
                "{}: compressed with zstd; unpack it first, or use the program `tanglewood`",
                path.display()
            );
            return Err(PyValueError::new_err(message));
        }
        _ => return Ok(bytes),
    };
    let unpacked = py.import(module)?.call_method1("decompress", (PyBytes::new(py, &bytes),));
    unpacked.and_then(|unpacked| unpacked.extract()).map_err(|error: PyErr| {
        PyValueError::new_err(format!(
            "{}: its compressed data is damaged or cut short ({error})",
            path.display()
        ))
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
