//! The file beside the model from which training can go on.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tanglewood_nn::FileError;
use tanglewood_nn::training::{Data, ResumeError, Trainer, note_of};

use super::plan::Note;
use crate::failure::Failure;
use crate::output::Output;

/// Saving may take no more than this share of the time.
const SHARE: u32 = 10;

/// Where a checkpoint is, and when it was last written.
pub struct Checkpoint {
    path: PathBuf,
    saved: Instant,
    /// How long it took.
    took: Duration,
}

impl Checkpoint {
    /// The checkpoint of a model.
    pub fn beside(model: &Path) -> Checkpoint {
        Checkpoint { path: with_ending(model, ".checkpoint"), saved: Instant::now(), took: Duration::ZERO }
    }

    /// The file beside it with the segmenter, which is learned first.
    pub fn segmenter(&self) -> PathBuf {
        with_ending(&self.path, ".segmenter")
    }

    /// What it is written to first.
    fn scratch(&self) -> PathBuf {
        with_ending(&self.path, ".new")
    }

    /// The file that is locked while it may be written.
    pub fn lock(&self) -> PathBuf {
        with_ending(&self.path, ".lock")
    }

    /// All files that are written beside the model.
    pub fn files(&self) -> [PathBuf; 4] {
        [self.path.clone(), self.scratch(), self.segmenter(), self.lock()]
    }

    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// What was noted in it.
    pub fn note(&self) -> Result<Note, Failure> {
        let note = note_of(self.open()?).map_err(|error| self.unreadable(&error))?;
        serde_json::from_str(&note).map_err(|_| {
            let message = "it was not written by `tanglewood train`; remove it to start anew";
            Failure::Other(format!("cannot go on from {}: {message}", self.name()))
        })
    }

    /// The training it was written in the middle of.
    pub fn resume(&self, data: Data<'_>) -> Result<Trainer, Failure> {
        Trainer::resume(self.open()?, data).map_err(|error| match error {
            ResumeError::File(FileError::OtherData) => Failure::Other(format!(
                "{} belongs to other data; name the same files as before, with the same content, \
                 or remove the checkpoint to start anew",
                self.name()
            )),
            error => self.unreadable(&error),
        })
    }

    fn open(&self) -> Result<BufReader<File>, Failure> {
        match File::open(&self.path) {
            Ok(file) => Ok(BufReader::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Other(format!(
                "there is no checkpoint {} to go on from; leave out --resume to start anew",
                self.name()
            ))),
            Err(error) => Err(Failure::File { doing: "open", file: self.name(), error }),
        }
    }

    fn unreadable(&self, error: &dyn std::error::Error) -> Failure {
        Failure::Other(format!("cannot go on from {}: {error}", self.name()))
    }

    /// True if the last one is so old.
    pub fn is_older_than(&self, age: Duration) -> bool {
        self.saved.elapsed() >= age
    }

    /// True unless writing another one would mean writing all the time.
    pub fn is_due(&self) -> bool {
        self.is_older_than(self.took * SHARE)
    }

    /// Writes it to a file of its own, which then takes its place.
    pub fn save(&mut self, trainer: &Trainer, note: &Note) -> Result<(), Failure> {
        let begun = Instant::now();
        let failed = |error: io::Error| Failure::File { doing: "write", file: self.name(), error };
        let note = serde_json::to_string(note).map_err(|error| failed(error.into()))?;
        let mut out = Output::again(&self.path, &self.scratch())?;
        trainer.save_with_note(&mut out, &note).map_err(|error| match error {
            FileError::Io(error) => Failure::Output(error),
            error => Failure::Other(format!("cannot write {}: {error}", self.name())),
        })?;
        out.finish()?;
        (self.saved, self.took) = (Instant::now(), begun.elapsed());
        Ok(())
    }

    /// Training is complete.
    pub fn remove(&self) -> Result<(), Failure> {
        for path in [self.path.clone(), self.scratch(), self.segmenter()] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Failure::File { doing: "remove", file: path.display().to_string(), error });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
