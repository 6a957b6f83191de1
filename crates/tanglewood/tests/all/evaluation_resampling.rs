use tanglewood::evaluation::{
    Evaluation, Metric, RESAMPLED, Unit, bootstrap, compare, intervals, pair_units, paired_rounds,
};

use crate::evaluation::{GOLD, sentence, stretches};

/// Units of sentences of five words each, a given number of which have one wrong relation.
fn units(sentences: usize, wrong: usize) -> Vec<Unit> {
    let gold = sentence(GOLD).repeat(sentences);
    let system =
        sentence(GOLD).replace("nsubj", "obj").repeat(wrong) + &sentence(GOLD).repeat(sentences - wrong);
    let mut evaluation = Evaluation::new();
    stretches(&gold, &system).map(|stretch| evaluation.add(&stretch.unwrap())).collect()
}

#[test]
fn intervals_hold_the_score_and_are_the_same_every_time() {
    let units = units(200, 50);
    let rounds = bootstrap(&units, 7, 0..1000);
    assert_eq!(rounds, [bootstrap(&units, 7, 0..300), bootstrap(&units, 7, 300..1000)].concat());
    assert_ne!(rounds, bootstrap(&units, 8, 0..1000));
    let [uas, las, clas] = intervals(&rounds).unwrap();
    assert_eq!((uas.low, uas.high), (1.0, 1.0));
    // One relation in twenty is wrong, or 50 of 200 trials with 1/5 each: the deviation is sqrt(.25 * .75 /
    // 200) / 5.
    let deviation = (0.25f64 * 0.75 / 200.0).sqrt() / 5.0;
    assert!((las.low - (0.95 - 1.96 * deviation)).abs() < deviation / 3.0, "{las:?}");
    assert!((las.high - (0.95 + 1.96 * deviation)).abs() < deviation / 3.0, "{las:?}");
    assert!(clas.low < 1.0 - 0.25 / 3.0 && 1.0 - 0.25 / 3.0 < clas.high);
    assert_eq!(intervals(&[]), None);
}

#[test]
fn a_system_is_not_better_than_itself_and_is_better_than_a_worse_one() {
    let (good, bad) = (units(200, 10), units(200, 60));
    let test = |first: &[Unit], second: &[Unit]| {
        let pairs = pair_units(first, second);
        compare(&pairs, &paired_rounds(&pairs, 3, 0..999)).unwrap()[1]
    };
    let same = test(&good, &good);
    assert_eq!((same.difference, same.interval.low, same.interval.high, same.p), (0.0, 0.0, 0.0, 1.0));
    let better = test(&good, &bad);
    assert!((better.difference - 0.05).abs() < 1e-12 && better.interval.low > 0.0, "{better:?}");
    assert_eq!(better.p, 0.001);
    let worse = test(&bad, &good);
    assert_eq!((worse.difference, worse.p), (-better.difference, 0.001));
    assert_eq!(compare(&[], &[]), None);
}

#[test]
fn p_is_what_all_ways_of_swapping_give() {
    // The first is right in two sentences more: of the four ways to swap these, two give a difference as
    // large.
    let pairs = pair_units(&units(20, 3), &units(20, 5));
    let comparison = compare(&pairs, &paired_rounds(&pairs, 1, 0..20_000)).unwrap()[1];
    assert!((comparison.p - 0.5).abs() < 0.01, "{comparison:?}");
}

#[test]
fn systems_cut_differently_are_paired_by_gold_sentences() {
    let gold = sentence("a:0:root b:1:dep") + &sentence("c:0:root d:1:dep") + &sentence("e:0:root");
    let joined = sentence("a:0:root b:1:dep c:1:dep d:3:dep") + &sentence("e:0:root");
    let cycle = sentence("a:2:dep b:1:dep") + &gold[sentence("a:0:root b:1:dep").len()..];
    let units = |system: &str| -> Vec<Unit> {
        let mut evaluation = Evaluation::new();
        stretches(&gold, system).map(|stretch| evaluation.add(&stretch.unwrap())).collect()
    };
    let (same, joined, cycle) = (units(&gold), units(&joined), units(&cycle));
    assert_eq!((same.len(), joined.len(), cycle.len()), (3, 2, 3));
    assert_eq!(pair_units(&same, &joined).len(), 2);
    assert_eq!(pair_units(&joined, &same).len(), 2);
    // What was left out of one is left out of both.
    assert_eq!(pair_units(&same, &cycle).len(), 2);
    assert_eq!(pair_units(&joined, &cycle).len(), 1);
    assert_eq!(RESAMPLED.map(Metric::name), ["UAS", "LAS", "CLAS"]);
}
