//! Where a training writes, and what it finds there.

use std::path::PathBuf;

use super::checkpoint::Checkpoint;
use super::plan::Note;
use crate::arguments::TrainArguments;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::output::{self, Output};

/// Whether all that will be written can be, and is not what is read, before the work.
pub fn check(arguments: &TrainArguments, checkpoint: &Checkpoint) -> Result<(), Failure> {
    if arguments.model.as_os_str() == "-" {
        return Err(Failure::Other("the model is -; expected the name of a file".to_owned()));
    }
    let inputs = arguments.train.iter().chain(&arguments.silver).chain(&arguments.dev);
    if inputs.clone().filter(|path| path.as_os_str() == "-").count() > 1 {
        let message = "two files are -; expected at most one, since standard input can be read only once";
        return Err(Failure::Other(message.to_owned()));
    }
    let lists = arguments.vectors.iter().chain(&arguments.lemmas);
    let read: Vec<PathBuf> = inputs.chain(lists).cloned().collect();
    let read = input::sources(&read)?;
    drop(Output::model(&arguments.model, read.iter().map(Source::path))?);
    checkpoint.files().iter().try_for_each(|file| output::refuse(file, read.iter().map(Source::path)))
}

/// What the checkpoint says, if it is to be gone on from.
pub fn note(arguments: &TrainArguments, checkpoint: &Checkpoint) -> Result<Option<Note>, Failure> {
    if arguments.resume {
        return checkpoint.note().map(Some);
    }
    if checkpoint.exists() {
        return Err(Failure::Other(format!(
            "{} is there, so training of {} was interrupted; \
             go on with --resume, or remove the checkpoint to start anew",
            checkpoint.name(),
            arguments.model.display()
        )));
    }
    Ok(None)
}
