//! Learning to segment, before learning to parse.
//!
//! The segmenter is kept beside the checkpoint of the parser, so that training that goes on need not learn it
//! again. If it has got lost, it is learned again: the same seed gives the same segmenter.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use tanglewood::conllu::Sentence;
use tanglewood_nn::segmentation::{
    SegmentationScore, Segmenter, SegmenterError, SegmenterEvent, SegmenterOptions, SegmenterSettings,
};
use tanglewood_nn::{About, FileError};

use super::Clock;
use super::report::SegmenterReport;
use crate::arguments::{Size, TrainArguments};
use crate::failure::Failure;
use crate::interrupt::Gentle;
use crate::output::Output;
use crate::progress::say;

/// The share of a time limit that is spent on it at most.
const SHARE_OF_TIME: f64 = 0.2;

/// A segmenter and how good it is on the development data, if there are any.
pub struct Learned {
    pub segmenter: Segmenter,
    pub score: Option<SegmentationScore>,
}

/// The segmenter of an earlier run that is gone on with, or else a new one. A signal ends the program: there
/// is nothing yet that would have to be saved.
pub fn learn(
    arguments: &TrainArguments,
    (train, dev): (&[Sentence<'_>], &[Sentence<'_>]),
    clock: &Clock,
) -> Result<Learned, Failure> {
    let settings = settings(arguments);
    let mut report = SegmenterReport::new(settings.epochs, !arguments.dev.is_empty());
    let most_time = arguments.time_limit.map(|limit| limit.0.mul_f64(SHARE_OF_TIME));
    let mut score = None;
    let mut epochs = 0;
    let gentle = Gentle::new();
    let learned = Segmenter::train_in_steps(train, dev, &settings, |event| {
        match event {
            SegmenterEvent::Step(progress) => report.step(progress, clock.elapsed()),
            SegmenterEvent::Epoch(epoch) => {
                epochs += 1;
                report.epoch(&epoch);
                if epoch.best {
                    score = Some(epoch.score);
                }
            }
        }
        // One epoch has to be, whatever the limit.
        let in_time = epochs == 0 || most_time.is_none_or(|most| clock.elapsed() < most);
        gentle.signal().is_none() && in_time
    });
    report.finish();
    if let Some(signal) = gentle.signal() {
        say("stopped while learning to segment: there is no model yet");
        gentle.end(signal)
    }
    let segmenter = learned.map_err(|error: SegmenterError| Failure::Other(error.to_string()))?;
    Ok(Learned { segmenter, score: score.filter(|_| !arguments.dev.is_empty()) })
}

fn settings(arguments: &TrainArguments) -> SegmenterSettings {
    let usual = SegmenterSettings::default();
    let epochs = usize::try_from(arguments.epochs.get()).unwrap_or(usize::MAX);
    let options = match arguments.size {
        Size::Default | Size::Compact => SegmenterOptions::default(),
        Size::Small => SegmenterOptions {
            character_buckets: 1 << 12,
            character_embedding: 16,
            character_hidden: 24,
            token_buckets: 1 << 11,
            token_embedding: 16,
            token_hidden: 24,
        },
    };
    SegmenterSettings { options, epochs: usual.epochs.min(epochs), seed: arguments.seed, ..usual }
}

/// What an earlier run has left; nothing if it cannot be used.
pub fn read(path: &Path) -> Option<Learned> {
    let (segmenter, about) = Segmenter::read_with_about(BufReader::new(File::open(path).ok()?)).ok()?;
    Some(Learned { segmenter, score: about.segmentation })
}

/// Writes a segmenter as a file of its own.
pub fn write(learned: &Learned, about: About, path: &Path) -> Result<(), Failure> {
    let about = About { segmentation: learned.score, ..about };
    let mut out = Output::model(path, [])?;
    learned.segmenter.write_with_about(&about, &mut out).map_err(|error| match error {
        FileError::Io(error) => Failure::File { doing: "write", file: path.display().to_string(), error },
        error => Failure::Other(format!("cannot write {}: {error}", path.display())),
    })?;
    out.finish()
}
