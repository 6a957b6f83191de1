use tanglewood_nn::internals::encoding::Example;
use tanglewood_nn::training::Batches;

use crate::sample;

fn many() -> Vec<Example> {
    let (_, examples) = sample::examples(&sample::options());
    examples.iter().cycle().take(50).cloned().collect()
}

#[test]
fn each_sentence_is_in_one_batch_of_an_epoch() {
    let examples = many();
    let mut all: Vec<usize> = Batches::new(20, 1).epoch(&examples, &[], 0.0, 3).concat();
    all.sort_unstable();
    assert_eq!(all, (0..50).collect::<Vec<_>>());
}

#[test]
fn batches_keep_to_their_size_unless_one_sentence_is_longer() {
    let examples = many();
    for words in [1, 5, 20, 100] {
        for batch in Batches::new(words, 1).epoch(&examples, &[], 0.0, 0) {
            let sum: usize = batch.iter().map(|&at| examples[at].len()).sum();
            assert!(sum <= words || batch.len() == 1);
        }
    }
}

#[test]
fn epochs_differ_and_seeds_repeat() {
    let examples = many();
    let batches = Batches::new(20, 1);
    assert_eq!(batches.epoch(&examples, &[], 0.0, 0), Batches::new(20, 1).epoch(&examples, &[], 0.0, 0));
    assert_ne!(batches.epoch(&examples, &[], 0.0, 0), batches.epoch(&examples, &[], 0.0, 1));
    assert_ne!(batches.epoch(&examples, &[], 0.0, 0), Batches::new(20, 2).epoch(&examples, &[], 0.0, 0));
}

#[test]
fn silver_sentences_are_gone_through_in_equal_portions() {
    let (gold, silver) = (many(), many());
    let of_silver = |share, epoch| {
        let mut chosen = Batches::new(20, 1).epoch(&gold[..8], &silver[..48], share, epoch).concat();
        chosen.sort_unstable();
        assert_eq!(chosen[..8], (0..8).collect::<Vec<_>>(), "all of the training data in each epoch");
        chosen.split_off(8)
    };
    assert!(of_silver(0.0, 0).is_empty());
    assert_eq!(of_silver(9.0, 7), (8..56).collect::<Vec<_>>(), "no sentence twice");
    let mut seen: Vec<usize> = (0..6).flat_map(|epoch| of_silver(1.0, epoch)).collect();
    seen.sort_unstable();
    assert_eq!(seen, (8..56).collect::<Vec<_>>(), "six epochs with a sixth each");
    assert_eq!(of_silver(1.0, 0), of_silver(1.0, 6));
}
