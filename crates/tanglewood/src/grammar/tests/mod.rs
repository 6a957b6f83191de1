//! Grammars against their definition: every run of the generating process, one by one.

mod process;

use std::collections::HashMap;

use super::counts::Choice;
use super::network::Network;
use super::*;
use crate::{System, Tree};
use process::{End, Process};

const SYSTEMS: [&str; 11] = [
    "mh3",
    "mh4",
    "mh4+",
    "mh5",
    "arc-standard",
    "arc-hybrid+",
    "kuhlmann-2",
    "attardi",
    "all",
    "all-s0s1",
    "all-s0s1+",
];

/// A few sentences over two symbols, and their trees.
fn examples(symbols: &Symbols) -> Vec<Example> {
    let [a, b] = ["a", "b"].map(|name| symbols.number(name));
    let sentences: [(&[Symbol], &[usize]); 6] = [
        (&[a], &[0]),
        (&[a, b], &[2, 0]),
        (&[a, b, a], &[2, 0, 2]),
        (&[b, a, b], &[0, 1, 2]),
        (&[b, b, a, b], &[2, 4, 2, 0]),
        (&[a, a, b, Symbols::UNKNOWN], &[2, 0, 4, 2]),
    ];
    let with_tree = |&(words, heads): &(&[Symbol], &[usize])| {
        Example::with_tree(words.to_vec(), Tree::from_heads(heads).unwrap())
    };
    sentences.iter().map(with_tree).collect()
}

fn sum(examples: &[Example], expect: impl Fn(&Example) -> Expectations) -> Expectations {
    examples.iter().fold(Expectations::default(), |mut sum, example| {
        sum.add(&expect(example));
        sum
    })
}

fn grammar(name: &str, single_root: bool) -> (Grammar, Vec<Example>) {
    grammar_of(name, single_root, Conditionals::Multinomial)
}

fn grammar_of(name: &str, single_root: bool, conditionals: Conditionals) -> (Grammar, Vec<Example>) {
    let symbols = Symbols::new(["a", "b"]);
    let examples = examples(&symbols);
    let settings = Settings::new(System::named(name).unwrap());
    let settings = settings.single_root(single_root).with_conditionals(conditionals);
    let first = sum(&examples, |example| settings.expectations(example, Start::Harmonic).unwrap());
    (Grammar::first(settings, symbols, &first).unwrap(), examples)
}

#[test]
fn all_sentences_with_all_runs_and_what_is_lost_sum_to_one() {
    let neural = [("mh4+", Conditionals::Neural { seed: 1 }), ("all", Conditionals::Neural { seed: 2 })];
    for (name, conditionals) in
        SYSTEMS.map(|name| (name, Conditionals::Multinomial)).into_iter().chain(neural)
    {
        for single_root in [false, true] {
            let (grammar, _) = grammar_of(name, single_root, conditionals);
            let limit = 3;
            let (mut complete, mut lost, mut longer) = (HashMap::new(), 0.0, 0.0);
            let visit = |end: End<'_>, probability: f64| match end {
                End::Complete { words, .. } => *complete.entry(words.to_vec()).or_insert(0.0) += probability,
                End::Lost => lost += probability,
                End::Longer => longer += probability,
            };
            Process { grammar: &grammar, limit, sentence: None, visit }.run();
            let mass: f64 = complete.values().sum();
            let what = format!("{name}, single root {single_root}");
            assert!((mass + lost + longer - 1.0).abs() < 1e-9, "{what}: {mass} {lost} {longer}");
            assert!(mass > 0.0 && complete.len() == 3 + 9 + 27, "{what}: {}", complete.len());
            for (words, probability) in complete {
                let found = grammar.log_probability(&words).unwrap();
                assert!((found - probability.ln()).abs() < 1e-9, "{what}: {words:?} {found}");
            }
        }
    }
}

#[test]
fn sentences_of_up_to_four_words_have_at_most_all_of_the_probability() {
    for name in ["mh4", "mh4+", "arc-standard"] {
        let (grammar, _) = grammar(name, true);
        let (mut mass, mut sentences) = (0.0, 0);
        for length in 1..=4 {
            for mut number in 0..3_u32.pow(length) {
                let words: Vec<Symbol> = (0..length)
                    .map(|_| {
                        let symbol = Symbols::UNKNOWN + number % 3;
                        number /= 3;
                        symbol
                    })
                    .collect();
                mass += grammar.log_probability(&words).unwrap().exp();
                sentences += 1;
            }
        }
        assert_eq!(sentences, 120);
        assert!(mass > 0.3 && mass <= 1.0, "{name}: {mass}");
        let mut sampler = grammar.sample(7, 4);
        for _ in 0..20_000 {
            let Sample { words, tree } = sampler.draw().unwrap();
            assert!(words.len() == tree.len() && tree.has_single_root() && words.len() <= 4);
        }
        assert!(
            (sampler.complete_share() - mass).abs() < 0.02,
            "{name}: {mass} {}",
            sampler.complete_share()
        );
    }
}

#[test]
fn expected_counts_are_those_of_all_runs() {
    for name in SYSTEMS {
        for single_root in [false, true] {
            let (grammar, examples) = grammar(name, single_root);
            for example in
                examples.iter().flat_map(|example| [example.clone(), Example::raw(example.words().to_vec())])
            {
                let mut expected: HashMap<(Choice, u32), f64> = HashMap::new();
                let mut total = 0.0;
                let visit = |end: End<'_>, probability: f64| {
                    if let End::Complete { tree, events, .. } = end {
                        if example.tree().is_some_and(|wanted| *wanted != tree) {
                            return;
                        }
                        total += probability;
                        events.iter().for_each(|&event| *expected.entry(event).or_default() += probability);
                    }
                };
                let sentence = Some(example.words().to_vec());
                Process { grammar: &grammar, limit: 5, sentence, visit }.run();
                let what = format!("{name}, single root {single_root}: {example:?}");
                let found = grammar.expectations(&example).unwrap();
                assert!((found.log_likelihood - total.ln()).abs() < 1e-9, "{what}");
                let mut keys: Vec<_> =
                    expected.iter().map(|(key, count)| (key.0.event(key.1), count / total)).collect();
                keys.sort_unstable_by_key(|&(event, _)| event);
                let events = found.events();
                assert_eq!(events.len(), keys.len(), "{what}");
                for (found, expected) in events.iter().zip(&keys) {
                    assert_eq!(found.0, expected.0, "{what}");
                    assert!((found.1 - expected.1).abs() < 1e-9, "{what}: {found:?} {expected:?}");
                }
            }
        }
    }
}

#[test]
fn no_iteration_lowers_the_likelihood() {
    let neural = ["mh4", "all-s0s1+"].map(|name| (name, Conditionals::Neural { seed: 1 }));
    for (name, conditionals) in
        SYSTEMS.map(|name| (name, Conditionals::Multinomial)).into_iter().chain(neural)
    {
        for (single_root, raw) in [(true, 0), (true, 3), (false, 6), (true, 6)] {
            let (first, mut examples) = grammar_of(name, single_root, conditionals);
            // The first ones lose their trees.
            examples[..raw].iter_mut().for_each(|example| *example = Example::raw(example.words().to_vec()));
            let expect = |grammar: &Grammar| sum(&examples, |example| grammar.expectations(example).unwrap());
            let mut grammar = first.restarted(&expect(&first)).unwrap();
            let mut before = f64::NEG_INFINITY;
            for iteration in 0..25 {
                let expected = expect(&grammar);
                let now = expected.log_likelihood;
                assert!(now >= before - 1e-9 * now.abs(), "{name}, {raw} raw, {iteration}: {before} {now}");
                before = now;
                grammar = grammar.updated(&expected);
            }
        }
    }
}

#[test]
fn decoders_find_what_they_promise() {
    for name in SYSTEMS {
        let (grammar, examples) = grammar(name, true);
        for words in examples.iter().map(Example::words) {
            let mut trees: HashMap<Vec<usize>, (Tree, f64, f64)> = HashMap::new();
            let visit = |end: End<'_>, probability: f64| {
                if let End::Complete { tree, .. } = end {
                    let entry = trees.entry(tree.heads().collect()).or_insert((tree, 0.0, 0.0));
                    entry.1 += probability;
                    entry.2 = f64::max(entry.2, probability);
                }
            };
            Process { grammar: &grammar, limit: 5, sentence: Some(words.to_vec()), visit }.run();
            let total: f64 = trees.values().map(|(_, sum, _)| sum).sum();
            let right = |tree: &Tree| -> f64 {
                let same =
                    |other: &Tree| tree.heads().zip(other.heads()).filter(|(a, b)| a == b).count() as f64;
                trees.values().map(|(other, sum, _)| sum / total * same(other)).sum()
            };
            let best =
                |value: &dyn Fn(&(Tree, f64, f64)) -> f64| trees.values().map(value).fold(0.0, f64::max);
            let (by_run, by_tree) = (best(&|tree| tree.2), best(&|tree| tree.1));
            let by_heads = best(&|tree| right(&tree.0));
            let of = |parse: &GrammarParse| trees[&parse.tree.heads().collect::<Vec<_>>()].clone();
            let run = grammar.parse(words, Decoder::Run, 1).unwrap();
            assert!(of(&run).2 >= by_run * (1.0 - 1e-9), "{name}");
            assert!((run.log_probability - total.ln()).abs() < 1e-9, "{name}");
            assert!((run.log_posterior - (of(&run).1 / total).ln()).abs() < 1e-9, "{name}");
            let tree = grammar.parse(words, Decoder::Tree, 1).unwrap();
            assert!(of(&tree).1 >= by_tree * (1.0 - 1e-9) || !tree.is_proven_best, "{name}");
            let mbr = grammar.parse(words, Decoder::Mbr, 1).unwrap();
            assert!(right(&mbr.tree) >= by_heads - 1e-9, "{name}");
        }
    }
}

#[test]
fn a_grammar_is_the_same_after_writing_and_reading_and_damage_is_noticed() {
    let neural = Conditionals::Neural { seed: 3 };
    for (name, single_root, conditionals) in [
        ("mh4+", true, Conditionals::Multinomial),
        ("all", false, Conditionals::Multinomial),
        ("mh4", true, neural),
    ] {
        let (mut grammar, examples) = grammar_of(name, single_root, conditionals);
        grammar.set_note("on", "upos");
        let labels = [(3, 4, true, "nsubj"), (3, 4, true, "obj"), (3, 4, true, "obj"), (4, 0, false, "root")];
        let grammar = grammar.with_labels(Labels::learn(labels));
        let text = grammar.to_text();
        let again = Grammar::from_text(text.as_bytes()).unwrap();
        assert_eq!(again.to_text(), text);
        assert_eq!(again.note("on"), Some("upos"));
        assert_eq!([again.labels().get(3, 4, true), again.labels().get(4, 3, true)], ["obj", "root"]);
        for example in &examples {
            let [before, after] = [&grammar, &again].map(|grammar| grammar.log_probability(example.words()));
            assert_eq!(before.unwrap(), after.unwrap());
        }
        let expected = examples.iter().map(|example| again.expectations(example).unwrap());
        let expected = expected.fold(Expectations::default(), |mut sum, one| {
            sum.add(&one);
            sum
        });
        assert_eq!(again.updated(&expected).to_text(), grammar.updated(&expected).to_text());
        for at in (0..text.len()).step_by(1 + text.len() / 10_000) {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = if damaged[at] == b'7' { b'8' } else { b'7' };
            assert!(Grammar::from_text(&damaged).is_err(), "byte {at}");
            assert!(Grammar::from_text(&text.as_bytes()[..at]).is_err(), "{at} bytes");
        }
    }
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let settings = Settings::new(System::named("mh4").unwrap());
    let nothing = Expectations::default();
    let refused = Grammar::first(settings.clone(), Symbols::new(["a"]), &nothing);
    assert_eq!(refused.unwrap_err(), GrammarError::NoSentences);
    let empty = settings.expectations(&Example::raw(Vec::new()), Start::Uniform);
    assert_eq!(empty.unwrap_err(), GrammarError::NoWords);
    for name in ["attardi:3", "all+", "b1>s0 s1>s0 s0>s1"] {
        let settings = Settings::new(System::named(name).unwrap());
        let refused = settings.expectations(&Example::raw(vec![3]), Start::Uniform);
        assert!(matches!(refused, Err(GrammarError::Unsupported { .. })), "{name}");
    }
    let small = settings.memory(1000).expectations(&Example::raw(vec![3; 50]), Start::Uniform);
    assert!(matches!(small, Err(GrammarError::Inference(_))));
}

#[test]
fn networks_that_would_give_no_probabilities_are_refused() {
    let Network { parameters, .. } = Network::new(4, 3, 1);
    for (number, is_taken) in [(-1e100, true), (1e308, false), (-1e308, false), (f64::NAN, false)] {
        let parameters = vec![number; parameters.len()];
        assert_eq!(Network::with(4, 3, parameters).is_some(), is_taken, "{number}");
    }
}

#[test]
fn symbols_that_were_never_seen_have_a_probability() {
    let (grammar, _) = grammar("mh4", true);
    let words = ["z", "a", "y"].map(|name| grammar.symbols().number(name));
    assert_eq!(words[0], Symbols::UNKNOWN);
    assert!(grammar.log_probability(&words).unwrap().is_finite());
    assert_eq!(grammar.log_probability(&[]), Err(GrammarError::NoWords));
}
