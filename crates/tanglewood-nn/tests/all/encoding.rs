use tanglewood::conllu::Block;
use tanglewood_nn::internals::characters::{ngrams, normalised};
use tanglewood_nn::internals::encoding::{Encoded, UNKNOWN, universal};

use crate::sample;

#[test]
fn ranges_and_empty_nodes_are_skipped() {
    let (_, examples) = sample::examples(&sample::options());
    let lengths: Vec<usize> = examples.iter().map(|example| example.len()).collect();
    assert_eq!(lengths, [8, 2, 1, 4]);
}

#[test]
fn missing_and_unknown_tags_are_empty_bags() {
    let (vocabulary, examples) = sample::examples(&sample::options());
    assert!(examples[2].input.tags.iter().all(|bags| bags.get(0).is_empty()));
    let block = Block::of(b"1\tx\t_\tNEW\tNEW\tNew=Yes\t0\troot\t_\t_\n\n".to_vec());
    let sentence = block.sentences().next().expect("a sentence");
    let encoded = Encoded::new(&sentence, &vocabulary, &sample::options());
    assert!(encoded.tags.iter().all(|bags| bags.get(0).is_empty()));
    assert_eq!(encoded.words, [UNKNOWN]);
}

#[test]
fn features_are_taken_one_by_one() {
    let (_, examples) = sample::examples(&sample::options());
    assert_eq!(examples[0].input.tags[2].get(0).len(), 2);
    // `PronType=Art` is shared by "A" and "the".
    let (a, the) = (examples[0].input.tags[2].get(0), examples[0].input.tags[2].get(6));
    assert_eq!(a.iter().filter(|tag| the.contains(tag)).count(), 1);
}

#[test]
fn any_form_has_ngrams_within_range() {
    for form in ["", "a", "Ⅻ", "北京", "🙂", "e\u{301}", &"long".repeat(10_000)] {
        let found = ngrams(form, &normalised(form), 50);
        assert!(!found.is_empty() && found.len() < 200);
        assert!(found.iter().all(|&bucket| bucket < 50));
    }
}

#[test]
fn hashes_never_change() {
    let found = ngrams("Go", &normalised("Go"), 1 << 15);
    assert_eq!(found, [9567, 22316, 5171, 29496, 27808, 25395, 4000]);
}

#[test]
fn words_differ_in_case_by_their_shape_only() {
    let of = |form: &str| ngrams(form, &normalised(form), 1 << 15);
    assert_eq!(of("House")[1..], of("house")[1..]);
    assert_ne!(of("House")[0], of("house")[0]);
    assert_eq!(normalised("1984"), normalised("2026"));
}

#[test]
fn subtypes_are_cut_off() {
    assert_eq!((universal("nsubj:pass"), universal("root"), universal("")), ("nsubj", "root", ""));
}

#[test]
fn a_sentence_can_be_cut_into_pieces() {
    let (_, examples) = sample::examples(&sample::options());
    let whole = &examples[0].input;
    let pieces = whole.pieces(3);
    assert_eq!(pieces.iter().map(Encoded::len).collect::<Vec<_>>(), [3, 3, 2]);
    for (at, word) in (0..whole.len()).map(|word| (word / 3, word)) {
        assert_eq!(pieces[at].words[word % 3], whole.words[word]);
        assert_eq!(pieces[at].characters.get(word % 3), whole.characters.get(word));
        for column in 0..3 {
            assert_eq!(pieces[at].tags[column].get(word % 3), whole.tags[column].get(word));
        }
        assert_eq!(pieces[at].vectors.get(word % 3), whole.vectors.get(word));
    }
    assert!(Encoded::default().pieces(3).is_empty());
}
