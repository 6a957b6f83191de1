//! What a model says does not depend on the processor.

use std::sync::{Mutex, PoisonError};

use tanglewood::conllu::{Block, Sentence};
use tanglewood::scores::{HeadKind, TransitionScores, View, WindowPair};
use tanglewood::spanning::Spanning;
use tanglewood::{Direction, Tree};
use tanglewood_nn::segmentation::{Segmenter, SegmenterSettings};
use tanglewood_nn::{
    About, Encoded, Instructions, LearnedScores, Model, Options, RunScores, Vocabulary, WordTags,
};

use crate::sample;

/// All that a model says of the sample, numbers by their bits.
#[derive(Debug, PartialEq)]
struct Said {
    scores: Vec<u64>,
    labels: Vec<u32>,
    tags: Vec<WordTags>,
}

/// Runs something by these instructions, or the widest that the processor has if they are wider.
pub fn limited<T>(instructions: Instructions, run: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    Instructions::limit(instructions);
    run()
}

fn said(model: &Model, instructions: Instructions) -> Said {
    limited(instructions, || said_of(model))
}

fn said_of(model: &Model) -> Said {
    let block = sample::block();
    let encoded: Vec<Encoded> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
    let encoded: Vec<&Encoded> = encoded.iter().collect();
    let scores = model.scores(&encoded);
    let mut said = Said { scores: Vec::new(), labels: Vec::new(), tags: Vec::new() };
    let mut trees: Vec<Option<Tree>> = Vec::new();
    for (at, encoded) in encoded.iter().enumerate() {
        let arcs = scores.arcs(at);
        for head in 0..=arcs.len() {
            said.scores.extend(arcs.row(head).iter().map(|score| score.to_bits()));
        }
        trees.push(Spanning::new().best(&arcs).ok().map(|best| best.tree));
        said.tags.extend(scores.tags(at, encoded));
    }
    let labels = scores.labels_given(&trees);
    for (at, encoded) in encoded.iter().enumerate() {
        (1..=encoded.len()).for_each(|word| {
            said.labels.extend(labels.of(at, word).iter().map(|score| score.to_bits()));
        });
    }
    said
}

/// Models of odd sizes, with and without taggers, transitions and recurrent layers. They have learned
/// nothing, but their numbers are not zero.
fn models() -> Vec<Model> {
    let block = sample::block();
    let sentences: Vec<Sentence<'_>> = block.sentences().collect();
    let small = sample::options();
    let large = Options { word: 33, characters: 19, hidden: 37, arc: 50, label: 21, ..small.clone() };
    let tagging = Options { tagging: 29, lemmas: true, xpos: true, ..large.clone() };
    let direction = Direction::Either;
    let transitions = Options { transitions: 13, windows: true, direction, layers: 3, ..tagging.clone() };
    let flat = Options { layers: 0, ..small.clone() };
    [small, large, tagging, transitions, flat]
        .into_iter()
        .map(|options| {
            let vocabulary = Vocabulary::of(sentences.iter().copied(), [], &options);
            Model::new(options, vocabulary, 5).shaken(0.3)
        })
        .collect()
}

#[test]
fn all_instructions_give_the_same_bits() {
    for model in models() {
        let mut file = Vec::new();
        model.write_compact(&About::default(), &mut file).expect("written");
        let (compact, _) = Model::read(&file[..]).expect("read");
        for model in [&model, &compact] {
            let portable = said(model, Instructions::Portable);
            assert!(portable.scores.iter().any(|&score| score != 0));
            for instructions in Instructions::ALL {
                assert_eq!(said(model, instructions), portable, "{instructions:?}");
            }
        }
    }
}

#[test]
fn scores_of_moves_and_windows_are_those_of_the_network_up_to_rounding() {
    let block = sample::block();
    let models = models();
    let model = models.iter().find(|model| model.options().scores_windows()).expect("one with windows");
    let encoded: Vec<Encoded> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
    let encoded: Vec<&Encoded> = encoded.iter().collect();
    let exact = model.network().forward(&model.parameters(), &encoded);
    let scores = model.scores(&encoded);
    let (mut squares, mut errors) = (0.0, 0.0);
    for (at, sentence) in encoded.iter().enumerate() {
        let exact = LearnedScores::new(&exact.scores[exact.input.packing.rank(at)]);
        let found = scores.sentence(at);
        let both = exact.readings(Direction::Either).into_iter().zip(found.readings(Direction::Either));
        let both: Vec<_> = both.collect();
        assert_eq!(both.len(), 2);
        let mut compare = |value: &dyn Fn(&RunScores<'_, f32>) -> f64| {
            for (exact, found) in &both {
                assert_eq!(exact.direction(), found.direction());
                squares += value(exact).powi(2);
                errors += (value(exact) - value(found)).powi(2);
            }
        };
        let words = sentence.len();
        for (top, front) in (2..=words + 1).flat_map(|front| (1..front).map(move |top| (top, front))) {
            if front <= words {
                compare(&|scores| scores.shift(Some(top), front));
            }
            for (slot, deeper) in (0..3).flat_map(|slot| (0..top).map(move |deeper| (slot, deeper))) {
                compare(&|scores| scores.context(View { stack: &[top], front }, HeadKind::Ahead, slot));
                for pair in WindowPair::ALL {
                    let other = if pair == WindowPair::S1B0 { front } else { top };
                    compare(&|scores| scores.pair_context(pair, [deeper, other], slot));
                }
            }
        }
    }
    assert!(squares > 1.0, "{squares}");
    assert!(errors < 3e-3 * squares, "{errors} {squares}");
}

#[test]
fn scores_are_those_of_the_network_up_to_rounding() {
    let block = sample::block();
    for model in models() {
        let encoded: Vec<Encoded> = block.sentences().map(|sentence| model.encode(&sentence)).collect();
        let encoded: Vec<&Encoded> = encoded.iter().collect();
        let exact = model.network().forward(&model.parameters(), &encoded);
        let scores = model.scores(&encoded);
        let packing = &exact.input.packing;
        let mut errors = (0.0, 0.0);
        for at in 0..encoded.len() {
            let exact = &exact.scores[packing.rank(at)].arcs;
            let arcs = scores.arcs(at);
            for word in 0..exact.rows() {
                // Up to a constant for each word, so what counts are differences from the mean.
                let heads = || (0..exact.columns()).filter(|&head| head != word + 1);
                let mean = |of: &dyn Fn(usize) -> f64| heads().map(of).sum::<f64>() / heads().count() as f64;
                let (exact, found) =
                    (|head: usize| f64::from(exact.row(word)[head]), |head: usize| arcs.get(head, word + 1));
                let (mean_exact, mean_found) = (mean(&exact), mean(&found));
                for head in heads() {
                    let exact = exact(head) - mean_exact;
                    errors.0 += (found(head) - mean_found - exact).powi(2);
                    errors.1 += exact.powi(2);
                }
            }
        }
        assert!(errors.1 > 0.0 && errors.0 < 3e-3 * errors.1, "{errors:?}");
    }
}

#[test]
fn text_is_cut_alike_by_all_instructions() {
    let row = |id: u32, form: &str, misc: &str| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
    let sentence = row(1, "Hello", "_") + &row(2, "world", "SpaceAfter=No") + &row(3, "!", "_") + "\n";
    let block = Block::of(sentence.repeat(10).into_bytes());
    let treebank: Vec<Sentence<'_>> = block.sentences().collect();
    let settings = SegmenterSettings { epochs: 1, ..SegmenterSettings::default() };
    let segmenter = Segmenter::train(&treebank, &treebank, &settings, |_| true).expect("a treebank");
    let text = "Hello world! No, wait (again) \u{4e2d}\u{6587} 3.14 e.g. this... Hello! ".repeat(20);
    let cut = |instructions| {
        limited(instructions, || {
            segmenter.segment(text.as_bytes()).collect::<Result<Vec<_>, _>>().expect("text")
        })
    };
    let portable = cut(Instructions::Portable);
    Instructions::ALL.into_iter().for_each(|instructions| assert_eq!(cut(instructions), portable));
}
