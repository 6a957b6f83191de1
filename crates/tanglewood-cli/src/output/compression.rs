//! Compressing what is written, as the ending of a file's name says.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Gzip,
    Xz,
    Zstd,
}

impl Method {
    /// By the ending of the name; none if it asks for no compression.
    pub fn of(path: &Path) -> Option<Method> {
        let ending = path.extension()?.to_ascii_lowercase();
        match ending.to_str()? {
            "gz" => Some(Method::Gzip),
            "xz" => Some(Method::Xz),
            "zst" => Some(Method::Zstd),
            _ => None,
        }
    }
}

/// Writes bytes as they are, or compressed.
pub enum Packer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Xz(XzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    pub fn new(out: W, method: Option<Method>) -> io::Result<Packer<W>> {
        Ok(match method {
            None => Packer::Plain(out),
            Some(Method::Gzip) => Packer::Gzip(GzEncoder::new(out, Compression::default())),
            Some(Method::Xz) => Packer::Xz(XzEncoder::new(out, 6)),
            Some(Method::Zstd) => Packer::Zstd(zstd::Encoder::new(out, 0)?),
        })
    }

    /// What is written to.
    pub fn get_ref(&self) -> &W {
        match self {
            Packer::Plain(out) => out,
            Packer::Gzip(out) => out.get_ref(),
            Packer::Xz(out) => out.get_ref(),
            Packer::Zstd(out) => out.get_ref(),
        }
    }

    /// Writes what ends compressed data.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Packer::Plain(out) => Ok(out),
            Packer::Gzip(out) => out.finish(),
            Packer::Xz(out) => out.finish(),
            Packer::Zstd(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(out) => out.write(bytes),
            Packer::Gzip(out) => out.write(bytes),
            Packer::Xz(out) => out.write(bytes),
            Packer::Zstd(out) => out.write(bytes),
        }
    }

    /// Of compressed data nobody sees a part: flushing it would only cost size.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(out) => out.flush(),
            Packer::Gzip(_) | Packer::Xz(_) | Packer::Zstd(_) => Ok(()),
        }
    }
}
