//! Checkpoints of which any bytes were changed, with a checksum that fits: refused, or good for a step and an
//! epoch's end.

#![no_main]

mod count;
mod forge;

use std::sync::LazyLock;

use tanglewood::conllu::{Sentence, Sentences};
use tanglewood::sample::TREEBANK;
use tanglewood_nn::Options;
use tanglewood_nn::training::{Data, Settings, Trainer, note_of};

fn sentences() -> Vec<Sentence<'static>> {
    Sentences::of(TREEBANK.as_bytes()).take(2).collect()
}

/// A training of a model as small as can be.
static CHECKPOINT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let options = Options {
        word: 2,
        characters: 2,
        buckets: 4,
        tags: 2,
        layers: 1,
        hidden: 2,
        arc: 2,
        label: 2,
        ..Options::default()
    };
    let sentences = sentences();
    let trainer = Trainer::new(Data::new(&sentences, &[]), options, Settings::default()).expect("a treebank");
    let mut file = Vec::new();
    trainer.save(&mut file).expect("memory never fails");
    file
});

// Three bytes are a change: where, and to what.
counted_target!(|data: &[u8]| {
    let mut file = CHECKPOINT.clone();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % file.len();
        file[at] = change[2];
    }
    let file = forge::container(&file, b"tanglewood state");
    let _ = note_of(&file[..]);
    let sentences = sentences();
    let Ok(mut trainer) = Trainer::resume(&file[..], Data::new(&sentences, &[])) else { return };
    trainer.step(trainer.progress());
    trainer.end_epoch();
});
