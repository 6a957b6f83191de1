//! Trains a segmenter, or segments text with one: experiments without the command line.
//!
//! ```console
//! $ cargo run --release -p tanglewood-nn --example segment -- train TRAIN DEV MODEL [SETTING=VALUE]...
//! $ cargo run --release -p tanglewood-nn --example segment -- run MODEL TEXT > TEXT.conllu
//! $ cargo run --release -p tanglewood-nn --example segment -- time MODEL TEXT
//! ```
//!
//! Settings are `epochs`, `seed`, `rate`, `drop`, `hide`, `least` and `words`, as in [`SegmenterSettings`],
//! and `embedding` and `hidden`, the sizes of the network over characters. `like=MODEL` takes the thresholds
//! of another segmenter, so that the development data can be learned from, too. `TRAIN` may name several
//! files, separated by commas.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, stdout};
use std::time::Instant;

use tanglewood::conllu::Block;
use tanglewood::text::TextWriter;
use tanglewood_nn::Trained;
use tanglewood_nn::segmentation::{Segmenter, SegmenterSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["train", train, development, model, ref more @ ..] => {
            let mut settings = SegmenterSettings::default();
            for option in more {
                match option.split_once('=') {
                    Some(("like", value)) => settings.thresholds = Some(of_file(value)?.thresholds()),
                    Some(("epochs", value)) => settings.epochs = value.parse()?,
                    Some(("seed", value)) => settings.seed = value.parse()?,
                    Some(("rate", value)) => settings.rate = value.parse()?,
                    Some(("drop", value)) => settings.drop = value.parse()?,
                    Some(("hide", value)) => settings.hide = value.parse()?,
                    Some(("least", value)) => settings.least = value.parse()?,
                    Some(("words", value)) => settings.words = value.parse()?,
                    Some(("embedding", value)) => settings.options.character_embedding = value.parse()?,
                    Some(("hidden", value)) => settings.options.character_hidden = value.parse()?,
                    _ => return Err(format!("{option} is not a setting").into()),
                }
            }
            let train: Result<Vec<Vec<u8>>, _> = train.split(',').map(std::fs::read).collect();
            let (train, development) = (Block::of(train?.concat()), Block::of(std::fs::read(development)?));
            let (train, development): (Vec<_>, Vec<_>) =
                (train.sentences().collect(), development.sentences().collect());
            let start = Instant::now();
            let segmenter = Segmenter::train(&train, &development, &settings, |epoch| {
                eprintln!(
                    "epoch {}: loss {:.4} {:.4}, tokens {:.2}, words {:.2}, sentences {:.2}{}, {:.0} s",
                    epoch.number,
                    epoch.loss[0],
                    epoch.loss[1],
                    100.0 * epoch.score.tokens,
                    100.0 * epoch.score.words,
                    100.0 * epoch.score.sentences,
                    if epoch.best { " (best)" } else { "" },
                    start.elapsed().as_secs_f64()
                );
                true
            })?;
            segmenter.write(BufWriter::new(File::create(model)?))?;
        }
        ["run", model, text] => {
            let segmenter = of_file(model)?;
            let mut writer = TextWriter::new(BufWriter::new(stdout()));
            for sentence in segmenter.segment(File::open(text)?) {
                writer.push(sentence?)?;
            }
            writer.finish()?;
        }
        ["time", model, text] => {
            let segmenter = of_file(model)?;
            let start = Instant::now();
            let (mut sentences, mut words) = (0, 0);
            for sentence in segmenter.segment(File::open(text)?) {
                sentences += 1;
                words += sentence?.tokens().iter().map(|token| token.words.len().max(1)).sum::<usize>();
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{sentences} sentences, {words} words, {seconds:.3} s, {:.0} words/s",
                words as f64 / seconds
            );
        }
        _ => {
            return Err(
                "expected train TRAIN DEV MODEL [SETTING=VALUE...], run MODEL TEXT, or time MODEL TEXT"
                    .into(),
            );
        }
    }
    Ok(())
}

/// The segmenter of a file, which may have a parser, too.
fn of_file(path: &str) -> Result<Segmenter, Box<dyn Error>> {
    let (trained, _) = Trained::read(File::open(path)?)?;
    Ok(trained.segmenter().ok_or("this model does not segment")?.clone())
}
