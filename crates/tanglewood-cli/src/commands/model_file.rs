//! Opening what `tanglewood train` has written.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use tanglewood_nn::{About, FileError, Trained};

use crate::failure::Failure;

/// Reads a model, or a segmenter alone.
pub fn read_model(path: &Path) -> Result<(Trained, About), Failure> {
    let name = path.display().to_string();
    if name == "-" {
        return Err(Failure::Other("the model is -; expected a file".to_owned()));
    }
    if path.is_dir() {
        return Err(Failure::Other(format!("{name} is a directory; expected a model")));
    }
    let file = File::open(path);
    let file = file.map_err(|error| Failure::File { doing: "open", file: name.clone(), error })?;
    match Trained::read(BufReader::new(file)) {
        Ok(read) => Ok(read),
        Err(FileError::Io(error)) => Err(Failure::File { doing: "read", file: name, error }),
        Err(error @ FileError::OtherKind { .. }) => Err(Failure::Other(format!(
            "{name}: {error}; finish the training with `tanglewood train … --resume`, which makes a model of it"
        ))),
        Err(error @ FileError::Foreign(_)) => {
            Err(Failure::Other(format!("{name}: {error}, with `tanglewood train`")))
        }
        Err(error) => Err(Failure::Other(format!("{name}: {error}"))),
    }
}
