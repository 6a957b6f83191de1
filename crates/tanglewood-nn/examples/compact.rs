//! Writes a model in a sixth of its size, with rounded numbers, and notes its licence and what it was made
//! from: `cargo run --release -p tanglewood-nn --example compact -- MODEL COMPACT [lemmas=LIST train=FILE]
//! [segmenter=MODEL] [LICENCE [SOURCE...]]`
//!
//! With a list of lemmas and the treebank that the model learned from, lemmas of the list are added for forms
//! that the treebank lacks. A segmenter of another model takes the place of the model's own.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};

use tanglewood::conllu::Block;
use tanglewood_nn::{LemmaList, Trained};

fn main() -> Result<(), Box<dyn Error>> {
    let (settings, arguments): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|argument| {
        ["lemmas=", "train=", "segmenter="].iter().any(|key| argument.starts_with(key))
    });
    let [from, to, rest @ ..] = &arguments[..] else {
        return Err("name a model, and the file to write".into());
    };
    let setting = |key: &str| settings.iter().find_map(|setting| setting.strip_prefix(key));
    let (trained, mut about) = Trained::read(File::open(from)?)?;
    let mut model = trained.model().ok_or("there is nothing but a segmenter in this file")?.clone();
    match (setting("lemmas="), setting("train=")) {
        (Some(list), Some(treebank)) => {
            let read = LemmaList::read(BufReader::new(File::open(list)?));
            let read = read.map_err(|error| format!("{list}:{error}"))?;
            model = model.with_lemmas(&read, Block::of(fs::read(treebank)?).sentences());
        }
        (None, None) => {}
        _ => return Err("lemmas= and train= go together".into()),
    }
    if let Some(path) = setting("segmenter=") {
        let (other, of_other) = Trained::read(File::open(path)?)?;
        model = model.with_segmenter(other.segmenter().ok_or("this model does not segment")?.clone());
        about.segmentation = of_other.segmentation.or(about.segmentation);
    }
    if let [licence, sources @ ..] = rest {
        (about.licence, about.sources) = (licence.clone(), sources.to_vec());
    }
    model.write_compact(&about, BufWriter::new(File::create(to)?))?;
    println!("{} of {} bytes", fs::metadata(to)?.len(), fs::metadata(from)?.len());
    Ok(())
}
