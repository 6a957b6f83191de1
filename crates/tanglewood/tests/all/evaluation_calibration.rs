//! Calibration against its definition, computed from all words at once.

use tanglewood::draw::{Style, reliability};
use tanglewood::evaluation::{BINS, Evaluation};

use crate::brute_force::Random;
use crate::evaluation::{compared, sentence};

/// Sentences whose heads are sometimes wrong, and what the system thinks of each: probability, if it says
/// any, and whether the head is right.
fn parsed(sentences: usize, seed: u64) -> (String, String, Vec<(f64, bool)>) {
    let mut random = Random(seed);
    let (mut gold, mut system, mut words) = (String::new(), String::new(), Vec::new());
    for _ in 0..sentences {
        let length = 1 + random.below(7);
        let tokens = |heads: &dyn Fn(usize) -> usize| {
            (1..=length).map(|word| format!("w{word}:{}:x", heads(word))).collect::<Vec<_>>().join(" ")
        };
        gold += &sentence(&tokens(&|word| word - 1));
        let wrong: Vec<bool> = (0..=length).map(|word| word > 2 && random.below(3) == 0).collect();
        let text = sentence(&tokens(&|word| if wrong[word] { word - 2 } else { word - 1 }));
        for (line, &wrong) in text.lines().filter(|line| !line.is_empty()).zip(&wrong[1..]) {
            let probability = match random.below(12) {
                0 => 0.0,
                1 => 1.0,
                _ => random.below(10_000) as f64 / 10_000.0,
            };
            let misc = match random.below(8) {
                0 => "SpaceAfter=No".to_owned(),
                1 => format!("ArcProb={probability:.4}|LabelProb=0.2000"),
                _ => format!("Gloss=x|ArcProb={probability:.4}"),
            };
            if misc.contains("ArcProb") {
                words.push((probability, !wrong));
            }
            system += &format!("{}{misc}\n", line.strip_suffix('_').unwrap());
        }
        system += "\n";
    }
    (gold, system, words)
}

/// For each bin the words in it, as the definition has it.
fn expected_error(words: &[(f64, bool)]) -> f64 {
    let mut sum = 0.0;
    for bin in 0..BINS {
        let [low, high] = [bin, bin + 1].map(|at| at as f64 / BINS as f64);
        let inside: Vec<_> = words
            .iter()
            .filter(|(probability, _)| {
                (low..high).contains(probability) || bin + 1 == BINS && *probability == 1.0
            })
            .collect();
        if !inside.is_empty() {
            let confidence =
                inside.iter().map(|(probability, _)| probability).sum::<f64>() / inside.len() as f64;
            let right = inside.iter().filter(|(_, right)| *right).count() as f64 / inside.len() as f64;
            sum += inside.len() as f64 / words.len() as f64 * (confidence - right).abs();
        }
    }
    sum
}

#[test]
fn the_expected_error_is_that_of_its_definition() {
    for seed in 1..20 {
        let (gold, system, words) = parsed(40, seed);
        let evaluation = compared(&gold, &system);
        let calibration = evaluation.calibration();
        assert_eq!(calibration.words(), words.len() as u64);
        let error = calibration.expected_error().unwrap();
        assert!((error - expected_error(&words)).abs() < 1e-9, "{error} {}", expected_error(&words));
        let right = words.iter().filter(|(_, right)| *right).count() as u64;
        assert_eq!(calibration.total().right, right);
    }
}

#[test]
fn counts_of_parts_add_up_to_those_of_the_whole() {
    let (one, other) = (parsed(10, 1), parsed(10, 2));
    let whole = compared(&(one.0.clone() + &other.0), &(one.1.clone() + &other.1));
    let mut sum = Evaluation::new();
    sum.merge(&compared(&other.0, &other.1));
    sum.merge(&compared(&one.0, &one.1));
    assert_eq!(sum.calibration(), whole.calibration());
}

#[test]
fn words_that_are_not_in_the_gold_standard_are_wrong_and_nonsense_is_not_counted() {
    let gold = sentence("ab:0:root c:1:x d:1:x e:1:x");
    let system = sentence("a:0:root b:1:x c:1:x d:1:x e:1:x");
    let numbers = ["0.95", "0.95", "0.95", "1.5", "NaN"];
    let rows = system.lines().zip(numbers);
    let system: String =
        rows.map(|(row, number)| format!("{}ArcProb={number}\n", row.strip_suffix('_').unwrap())).collect();
    let evaluation = compared(&gold, &(system + "\n"));
    let bin = evaluation.calibration().bins()[BINS - 1];
    assert_eq!((evaluation.calibration().words(), bin.words, bin.right), (3, 3, 0));
    let without = compared(&gold, &gold);
    assert_eq!((without.calibration().words(), without.calibration().expected_error()), (0, None));
}

#[test]
fn the_plot_has_a_point_for_each_bin_with_words() {
    let (gold, system, _) = parsed(60, 5);
    let evaluation = compared(&gold, &system);
    let calibration = evaluation.calibration();
    let points = calibration.bins().iter().filter(|bin| bin.words > 0).count();
    let svg = reliability(&[("a < b", calibration), ("c", calibration)], &Style::default());
    // And one of each kind in the legend.
    assert_eq!(svg.matches("<circle class=\"dot\"").count(), points + 1);
    assert_eq!(svg.matches("<circle class=\"ring\"").count(), points + 1);
    assert!(svg.contains("a &lt; b:"));
}
