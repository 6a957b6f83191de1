//! What PATH arguments stand for, and opening it.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use liblzma::read::XzDecoder;
use tanglewood::shown::shown;
use walkdir::WalkDir;

use crate::failure::Failure;
use crate::progress::Progress;

/// One file to read, or standard input.
#[derive(Clone, Debug)]
pub struct Source {
    /// How it is called in results and messages: its path, in which what a terminal would obey is escaped.
    pub name: String,
    /// `-` for standard input.
    path: PathBuf,
    /// Its size on disk, if known.
    pub bytes: u64,
}

/// Endings a file in a searched directory may have.
const ENDINGS: [&str; 4] = [".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zst"];

/// True if and only if a file of this name is CoNLL-U, whatever is in it.
pub fn is_named_conllu(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The files that PATH arguments stand for: directories are searched, in order of names.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            sources.push(Source { name: "-".to_owned(), path: path.clone(), bytes: 0 });
        } else if path.is_dir() {
            let before = sources.len();
            for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                let entry = entry.map_err(|error| {
                    let file = error.path().unwrap_or(path).display().to_string();
                    Failure::File { doing: "read", file, error: error.into() }
                })?;
                let name = entry.file_name().to_string_lossy();
                if entry.file_type().is_file() && is_named_conllu(&name) {
                    sources.push(source(entry.path())?);
                }
            }
            if sources.len() == before {
                let message =
                    format!("no CoNLL-U file in {}; expected *{}", path.display(), ENDINGS.join(", *"));
                return Err(Failure::Other(message));
            }
        } else {
            sources.push(source(path)?);
        }
    }
    Ok(sources)
}

fn source(path: &Path) -> Result<Source, Failure> {
    let name = shown(&path.display().to_string()).into_owned();
    match path.metadata() {
        Ok(metadata) => Ok(Source { name, path: path.to_owned(), bytes: metadata.len() }),
        Err(error) => Err(Failure::File { doing: "open", file: name, error }),
    }
}

impl Source {
    /// True if and only if it is a file: all of it is there, and nobody waits for an answer.
    pub fn is_file(&self) -> bool {
        !self.is_standard() && self.path.is_file()
    }

    /// Where it is; `-` for standard input.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn is_standard(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Opens it; compressed content (gzip, xz, zstd) is recognised by its first bytes and unpacked on the
    /// way.
    pub fn open(&self, progress: &Progress) -> Result<Box<dyn Read + Send>, Failure> {
        let failed = |error| Failure::File { doing: "open", file: self.name.clone(), error };
        let raw: Box<dyn Read + Send> = match self.is_standard() {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(&self.path).map_err(failed)?),
        };
        unpacked(progress.watch(raw)).map_err(failed)
    }
}

/// The content of a file that is in memory, unpacked if it is compressed; none if that is more than `most`
/// bytes.
pub fn unpacked_bytes(bytes: Vec<u8>, most: u64) -> io::Result<Option<Vec<u8>>> {
    unpacked_content(Cursor::new(bytes), most)
}

/// What is read, unpacked if it is compressed; none if that is more than `most` bytes.
pub fn unpacked_content(raw: impl Read + Send + 'static, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    unpacked(raw)?.take(most.saturating_add(1)).read_to_end(&mut content)?;
    Ok((content.len() as u64 <= most).then_some(content))
}

/// Says of an error that it is the compressed data that is damaged, unless it comes from the file system.
struct Unpacked<R> {
    method: &'static str,
    unpacker: R,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.unpacker.read(bytes).map_err(|error| match error.raw_os_error() {
            Some(_) => error,
            None => {
                let message = format!("its {} data is damaged or cut short ({error})", self.method);
                io::Error::new(error.kind(), message)
            }
        })
    }
}

fn unpacked(mut raw: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::with_capacity(6);
    raw.by_ref().take(6).read_to_end(&mut start)?;
    let whole = Cursor::new(start.clone()).chain(raw);
    Ok(match start[..] {
        [0x1F, 0x8B, ..] => {
            let unpacker = MultiGzDecoder::new(BufReader::new(whole));
            Box::new(Unpacked { method: "gzip", unpacker })
        }
        [0xFD, b'7', b'z', b'X', b'Z', 0] => {
            Box::new(Unpacked { method: "xz", unpacker: XzDecoder::new_multi_decoder(whole) })
        }
        [0x28, 0xB5, 0x2F, 0xFD, ..] => {
            Box::new(Unpacked { method: "zstd", unpacker: zstd::Decoder::new(whole)? })
        }
        _ => Box::new(whole),
    })
}
