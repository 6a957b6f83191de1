//! Goes on with the training of a model, on a treebank and on silver sentences, with other settings than
//! `tanglewood train` has: a model that a teacher has annotated many sentences for needs less dropout.
//!
//! `cargo run --release -p tanglewood-nn --example student -- MODEL OUT train=FILE dev=FILE [silver=FILE…]
//! [epochs=N | minutes=M] [seed=N] [batch=WORDS] [rate=R] [share=WORDS] [layer=P] [recurrent=P] [hidden=P]
//! [word=P] [average=D]`
//!
//! Words, labels and the segmenter stay those of the model. Without silver sentences it learns from the
//! treebank alone. The best epoch on the development data is kept.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::time::Instant;

use tanglewood::conllu::{Block, Sentence};
use tanglewood_nn::training::{Data, Settings, Trainer};
use tanglewood_nn::{About, Dropout, Model};

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings { patience: u64::MAX, ..Settings::default() };
    settings.dropout = Dropout { layer: 0.2, recurrent: 0.1, hidden: 0.2, ..Dropout::with_own_tags() };
    settings.schedule.rate = 1.5e-3;
    settings.schedule.decay_from = 0.1;
    settings.silver = 3.0;
    settings.epochs = 12;
    let mut minutes = None;
    let (mut places, mut names, mut blocks) =
        (Vec::new(), [const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    for argument in std::env::args().skip(1) {
        let Some((key, value)) = argument.split_once('=') else {
            places.push(argument);
            continue;
        };
        if let Some(part) = ["train", "silver", "dev"].iter().position(|&name| name == key) {
            blocks[part].push(Block::of(fs::read(value).map_err(|error| format!("{value}: {error}"))?));
            let path = std::path::Path::new(value);
            names[part]
                .push(path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()));
            continue;
        }
        let number: f64 = value.parse().map_err(|_| format!("{key}: `{value}` is not a number"))?;
        let dropout = &mut settings.dropout;
        *match key {
            "epochs" => {
                settings.epochs = number as u64;
                continue;
            }
            "seed" => {
                settings.seed = number as u64;
                continue;
            }
            "batch" => {
                settings.batch_words = number as usize;
                continue;
            }
            "minutes" => {
                minutes = Some(number);
                continue;
            }
            "rate" => &mut settings.schedule.rate,
            "share" => &mut settings.silver,
            "average" => &mut settings.average,
            "layer" => &mut dropout.layer,
            "recurrent" => &mut dropout.recurrent,
            "hidden" => &mut dropout.hidden,
            "word" => &mut dropout.word,
            _ => return Err(format!("unknown setting {key}").into()),
        } = number;
    }
    let [from, to] = &places[..] else {
        return Err("name a model, and the file to write".into());
    };
    if minutes.is_some() {
        settings.epochs = u64::MAX;
    }
    let (model, about) = Model::read(File::open(from)?)?;
    let [train, silver, dev] = &blocks;
    let (train, silver, dev) = (sentences(train), mixed(sentences(silver)), sentences(dev));
    println!("{} sentences, {} silver ones", train.len(), silver.len());
    println!("{settings:?}");
    let data = Data { train: &train, silver: &silver, dev: &dev };
    let mut trainer = Trainer::of(model, data, settings.clone())?;
    let start = Instant::now();
    let seconds = || start.elapsed().as_secs_f64();
    loop {
        let mut progress = 0.0;
        while progress < 1.0 {
            progress = minutes.map_or_else(|| trainer.progress(), |minutes| seconds() / (60.0 * minutes));
            if trainer.step(progress).is_none() {
                break;
            }
        }
        let words = trainer.position().words as f64;
        let epoch = trainer.end_epoch();
        let columns = epoch.accuracy.columns().map(|share| share.unwrap_or(f64::NAN));
        println!(
            "{:5.0} s  epoch {:2}  {:6.0} words/s  loss {:.4}  UAS {:.2}  LAS {:.2}  tags and lemmas {columns:.2?}",
            seconds(),
            epoch.number,
            words / seconds(),
            epoch.losses.mean(),
            epoch.accuracy.uas(),
            epoch.accuracy.las(),
        );
        let (model, accuracy) = trainer.best();
        if epoch.best {
            let [training_data, silver_data, development_data] =
                names.each_ref().map(|names| names.join(" "));
            // What it learned from before is part of it.
            let silver_data = if silver_data.is_empty() { about.silver_data.clone() } else { silver_data };
            let epochs = about.epochs + epoch.number;
            let settings = Some(Settings { epochs, ..settings.clone() });
            let about = About {
                training_data,
                silver_data,
                development_data,
                settings,
                accuracy,
                epochs,
                ..about.clone()
            };
            let unfinished = format!("{to}.unfinished");
            model.write(&about, BufWriter::new(File::create(&unfinished)?))?;
            fs::rename(&unfinished, to)?;
        }
        if epoch.last || progress >= 1.0 {
            return Ok(());
        }
    }
}

fn sentences(blocks: &[Block]) -> Vec<Sentence<'_>> {
    blocks.iter().flat_map(Block::sentences).filter(|sentence| !sentence.is_blank()).collect()
}

/// The same sentences in another order, so that each epoch gets some of each file.
fn mixed(sentences: Vec<Sentence<'_>>) -> Vec<Sentence<'_>> {
    let place = |at: usize| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by_key(|&at| place(at));
    order.into_iter().map(|at| sentences[at]).collect()
}
