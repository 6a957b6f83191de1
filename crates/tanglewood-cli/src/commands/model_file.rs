//! Finding a model by name or path, and reading it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use tanglewood_models::{NamedModel, Place};
use tanglewood_nn::{About, FileError, Trained};

use crate::failure::Failure;
use crate::progress::say;

/// How every file begins that `tanglewood train` writes.
const START: &[u8] = b"tanglewood ";

/// The model that an argument stands for: one of that name, or the file at that path.
pub fn find_model(argument: &Path) -> Result<NamedModel, Failure> {
    if let Some(model) = argument.to_str().and_then(tanglewood_models::named) {
        return Ok(model);
    }
    if argument.as_os_str() == "-" {
        return Err(Failure::Other("the model is -; expected the name of a model, or a file".to_owned()));
    }
    match argument.is_file() || argument.is_dir() {
        true => Ok(NamedModel::in_file(argument)),
        false => Err(nothing_there(argument, "is not a model")),
    }
}

/// The model that the first of some arguments names, and the others, which are input. If the first one is
/// input, too, the model is the one that is built in, which is said on standard error.
pub fn split_model(arguments: &[PathBuf]) -> Result<(NamedModel, &[PathBuf]), Failure> {
    if let [first, files @ ..] = arguments {
        if first.to_str().and_then(tanglewood_models::named).is_some() || begins_as_model(first) {
            return Ok((find_model(first)?, files));
        }
        if first.as_os_str() != "-" && !first.exists() {
            return Err(nothing_there(first, "is neither a model nor a file"));
        }
    }
    let Some(model) = tanglewood_models::default() else {
        return Err(Failure::Other(
            "no model is named, and none is built in; name one that `tanglewood train` has written"
                .to_owned(),
        ));
    };
    say(format_args!("using the model {}, which is built in; `tanglewood models` lists others", model.name));
    Ok((model, arguments))
}

/// True if and only if it is a file that begins as those of `tanglewood train` do. A pipe is not read from.
fn begins_as_model(path: &Path) -> bool {
    let mut start = [0; START.len()];
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == START
}

fn nothing_there(argument: &Path, what: &str) -> Failure {
    let names: Vec<String> = tanglewood_models::known().into_iter().map(|model| model.name).collect();
    let known = match names.is_empty() {
        true => "no model is known by name".to_owned(),
        false => format!("models: {}", names.join(", ")),
    };
    let argument = argument.display().to_string();
    let near = tanglewood_models::nearest(&argument);
    let near = near.map_or_else(String::new, |name| format!("; did you mean {name}?"));
    Failure::Other(format!("{argument} {what}: there is no such file ({known}){near}"))
}

/// Reads a model, or a segmenter alone.
pub fn read_model(model: &NamedModel) -> Result<(Trained, About), Failure> {
    let name = &model.name;
    let failed = |doing| move |error| Failure::File { doing, file: name.clone(), error };
    if Path::new(name).is_dir() {
        return Err(Failure::Other(format!("{name} is a directory; expected a model")));
    }
    let read = match &model.place {
        Place::BuiltIn(bytes) => Trained::read_bytes(bytes),
        Place::File(_) => Trained::read(model.open().map_err(failed("open"))?),
    };
    match read {
        Ok(read) => Ok(read),
        Err(FileError::Io(error)) => Err(failed("read")(error)),
        Err(error @ FileError::OtherKind { .. }) => Err(Failure::Other(format!(
            "{name}: {error}; finish the training with `tanglewood train … --resume`, which makes a model of it"
        ))),
        Err(error @ FileError::Foreign(_)) => {
            Err(Failure::Other(format!("{name}: {error}, with `tanglewood train`")))
        }
        Err(error) => Err(Failure::Other(format!("{name}: {error}"))),
    }
}
