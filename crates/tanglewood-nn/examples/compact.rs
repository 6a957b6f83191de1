//! Writes a model in a sixth of its size, with rounded numbers, and notes its licence and what it was made
//! from: `cargo run --release -p tanglewood-nn --example compact -- MODEL COMPACT [LICENCE [SOURCE...]]`

use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;

use tanglewood_nn::Trained;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, rest @ ..] = &arguments[..] else {
        return Err("name a model, and the file to write".into());
    };
    let (trained, mut about) = Trained::read(File::open(from)?)?;
    let model = trained.model().ok_or("there is nothing but a segmenter in this file")?;
    if let [licence, sources @ ..] = rest {
        (about.licence, about.sources) = (licence.clone(), sources.to_vec());
    }
    model.write_compact(&about, BufWriter::new(File::create(to)?))?;
    println!("{} of {} bytes", fs::metadata(to)?.len(), fs::metadata(from)?.len());
    Ok(())
}
