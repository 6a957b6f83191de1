//! Models with anything in them, with a checksum that fits: refused, or able to score.

#![no_main]

mod count;
mod forge;

use tanglewood::conllu::Sentences;
use tanglewood::sample::TREEBANK;
use tanglewood_nn::{Encoded, Trained};

counted_target!(|data: &[u8]| {
    let _ = Trained::read_bytes(data);
    let Ok((trained, _)) = Trained::read_bytes(&forge::container(data, b"tanglewood model")) else { return };
    let Some(model) = trained.model() else { return };
    let sentences: Vec<_> = Sentences::of(TREEBANK.as_bytes()).take(3).collect();
    let encoded: Vec<Encoded> = sentences.iter().map(|sentence| model.encode(sentence)).collect();
    let scores = model.scores(&encoded.iter().collect::<Vec<_>>());
    for (at, sentence) in encoded.iter().enumerate() {
        assert_eq!(scores.arcs(at).len(), sentence.len());
        for label in model.vocabulary().labels.iter() {
            assert!(!label.is_empty() && !label.contains(['\t', '\n']));
        }
    }
});
