//! Segmenting any bytes, and rebuilding them from CoNLL-U.

#![no_main]

mod count;

use std::sync::LazyLock;

use tanglewood::conllu::{Kind, Sentences, Validator};
use tanglewood::sample::TREEBANK;
use tanglewood::text::{TextRebuilder, TextSentence, TextWriter};
use tanglewood_nn::segmentation::{Segmenter, SegmenterOptions, SegmenterSettings};

/// Small, so that many inputs are tried, and hardly trained, so that it cuts in odd places.
static SEGMENTER: LazyLock<Segmenter> = LazyLock::new(|| {
    let sentences: Vec<_> = Sentences::of(TREEBANK.as_bytes()).collect();
    let options = SegmenterOptions {
        character_buckets: 256,
        character_embedding: 4,
        character_hidden: 8,
        token_buckets: 256,
        token_embedding: 4,
        token_hidden: 8,
    };
    let settings = SegmenterSettings { options, epochs: 1, ..SegmenterSettings::default() };
    Segmenter::train(&sentences, &[], &settings, |_| true).expect("a treebank")
});

counted_target!(|text: &[u8]| {
    let sentences: Vec<TextSentence> =
        SEGMENTER.segment(text).collect::<Result<_, _>>().expect("memory never fails");
    let together: Vec<u8> = sentences.iter().flat_map(|sentence| sentence.bytes().to_vec()).collect();
    assert_eq!(together, text);

    // In pieces of any size, and written as soon as a sentence is there, it is the same.
    let mut segments = SEGMENTER.segment_in_pieces(text, 1 + text.len() % 17, 1 + text.len() % 5);
    let mut at_once = TextWriter::new(Vec::new()).ranges(true);
    while let Some(sentence) = segments.next() {
        let sentence = sentence.expect("memory never fails");
        at_once.push_before(&sentence, segments.following()).expect("memory never fails");
    }
    let mut writer = TextWriter::new(Vec::new()).ranges(true);
    for sentence in sentences {
        writer.push(sentence).expect("memory never fails");
    }
    let conllu = writer.finish().expect("memory never fails");
    assert_eq!(at_once.finish().expect("memory never fails"), conllu);

    let mut rebuilder = TextRebuilder::new(Vec::new());
    let mut validator = Validator::new();
    for sentence in Sentences::of(&conllu) {
        // There are no trees yet.
        let problems = validator.problems(&sentence);
        assert!(problems.iter().all(|problem| matches!(problem.kind, Kind::NoHead | Kind::RootRelation)));
        rebuilder.push(&sentence).expect("memory never fails");
    }
    assert_eq!(rebuilder.finish().expect("memory never fails"), text);
});
