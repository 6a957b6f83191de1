//! Any two annotations of a text score as the shared task defines.

use std::fmt::Write;

use proptest::prelude::*;
use tanglewood::Tree;
use tanglewood::conllu::{Column, Id, Row, Sentences, Validator};
use tanglewood::evaluation::{Evaluation, Metric, evaluate};

use crate::brute_force::Random;
use crate::evaluation::{compared, stretches};
use crate::shared_task::{self, File};

/// Some annotation of some characters: sentences, tokens, multiword tokens, trees and columns drawn at
/// random.
fn annotation(characters: &[char], random: &mut Random) -> String {
    let mut text = String::new();
    let mut rest = characters;
    while !rest.is_empty() {
        // Often the same cuts, or nothing would ever be aligned.
        let length = if random.below(2) == 0 { 4 } else { 1 + random.below(7) };
        let (mut sentence, others) = rest.split_at(length.min(rest.len()));
        rest = others;
        let mut rows: Vec<(Option<String>, Vec<String>)> = Vec::new();
        while !sentence.is_empty() {
            let length = if random.below(2) == 0 { 1 } else { 1 + random.below(3) };
            let (token, others) = sentence.split_at(length.min(sentence.len()));
            sentence = others;
            let form: String = token.iter().collect();
            if random.below(3) == 0 {
                let forms = ["a", "b", "A", "ab", "a b", "Σ"];
                let words = (0..2 + random.below(2)).map(|_| forms[random.below(forms.len())].to_owned());
                rows.push((Some(form), words.collect()));
            } else {
                let spaced: Vec<String> = token.iter().map(char::to_string).collect();
                rows.push((None, vec![if random.below(8) == 0 { spaced.join("\u{A0}") } else { form }]));
            }
        }
        let words = rows.iter().map(|(_, words)| words.len()).sum();
        let tree = random.tree(words);
        let mut id = 0;
        for (range, words) in rows {
            if let Some(form) = range {
                writeln!(text, "{}-{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_", id + 1, id + words.len()).unwrap();
            }
            for form in words {
                id += 1;
                let mut pick = |options: &[&'static str]| options[random.below(options.len())];
                let (lemma, upos, xpos) =
                    (pick(&["_", "l", "m"]), pick(&["N", "V", "N"]), pick(&["x", "x", "y"]));
                let features =
                    pick(&["_", "Number=Sing", "Case=Nom|Number=Sing", "Own=1", "Number=Sing|Case=Nom"]);
                let relation = pick(&["nsubj", "nsubj:pass", "case", "det", "punct", "obj", "own"]);
                let head = tree.head(id);
                writeln!(text, "{id}\t{form}\t{lemma}\t{upos}\t{xpos}\t{features}\t{head}\t{relation}\t_\t_")
                    .unwrap();
            }
        }
        text.push('\n');
    }
    text
}

/// Compares with the definition, written down plainly.
fn assert_same_as_definition(gold: &str, system: &str) {
    let evaluation = compared(gold, system);
    let (gold_file, system_file) = (File::read(gold), File::read(system));
    for (name, expected) in shared_task::scores(&gold_file, &system_file).unwrap() {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap();
        let score = evaluation.score(metric);
        assert_eq!([score.gold, score.system, score.correct, score.aligned], expected, "{name}");
    }
    let words = gold_file.words.len() as u64;
    assert_eq!(evaluation.labels().values().map(|score| score.gold).sum::<u64>(), words);
    let las = evaluation.score(Metric::Las).correct;
    assert_eq!(evaluation.labels().values().map(|score| score.correct).sum::<u64>(), las);
    assert_eq!(evaluation.lengths().iter().map(|counts| counts.right_arcs).sum::<u64>(), las);
    let clas = evaluation.score(Metric::Clas);
    let content = evaluation.lengths().iter().map(|counts| (counts.content_words, counts.right_content_arcs));
    assert_eq!(content.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1)), (clas.gold, clas.correct));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_two_annotations_of_a_text_score_as_the_shared_task_defines(length in 0usize..40, seed: u64) {
        let mut random = Random(seed);
        let characters: Vec<char> = (0..length).map(|_| ['a', 'b', 'Σ', 'é'][random.below(4)]).collect();
        let (gold, system) = (annotation(&characters, &mut random), annotation(&characters, &mut random));
        assert_same_as_definition(&gold, &system);
        assert_same_as_definition(&gold, &gold);
    }

    #[test]
    fn different_texts_are_never_aligned(a in "[ab]{0,12}", b in "[ab]{0,12}", seed: u64) {
        let mut random = Random(seed);
        let [gold, system] = [&a, &b].map(|text| annotation(&text.chars().collect::<Vec<_>>(), &mut random));
        prop_assert_eq!(evaluate(gold.as_bytes(), system.as_bytes()).is_ok(), a == b);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(changes in proptest::collection::vec((0usize..4000, any::<u8>()), 0..12), cut in 0usize..4000) {
        let gold = tanglewood::sample::TREEBANK.as_bytes()[..4000].to_vec();
        let mut system = gold.clone();
        for (place, byte) in changes {
            system[place] = if byte < 64 { b"\t\n -.0"[usize::from(byte) % 6] } else { byte };
        }
        system.truncate(cut);
        let _ = evaluate(&gold, &system);
        let mut evaluation = Evaluation::new();
        for stretch in stretches(&system, &gold).flatten() {
            evaluation.add(&stretch);
        }
    }
}

#[test]
fn counts_of_parts_add_up() {
    let mut random = Random(5);
    let characters = ['a', 'b', 'a', 'a', 'b'].repeat(60);
    let (gold, system) = (annotation(&characters, &mut random), annotation(&characters, &mut random));
    let mut parts = [Evaluation::new(), Evaluation::new()];
    for (at, stretch) in stretches(&gold, &system).enumerate() {
        parts[at % 2].add(&stretch.unwrap());
    }
    let [mut sum, other] = parts;
    sum.merge(&other);
    assert_eq!(sum, compared(&gold, &system));
}

/// Some leaves hang from other words, and some relations are others.
fn damaged(text: &[u8], random: &mut Random) -> String {
    let mut validator = Validator::new();
    let mut out = Vec::with_capacity(text.len());
    for sentence in Sentences::of(text).filter(|sentence| !sentence.is_blank()) {
        let tree: Tree = validator.tree(&sentence).unwrap();
        let dependents = tree.dependent_counts();
        let replace = |row: &Row<'_>, column| {
            let Id::Word(word) = row.id else { return None };
            let word = word as usize;
            let is_leaf = dependents[word] == 0 && tree.head(word) != 0;
            let other = 1 + random.below(tree.len());
            match column {
                // Leaves may hang from leaves only if those come before: that makes no cycle.
                Column::Head if is_leaf && random.below(4) == 0 => {
                    (dependents[other] > 0 || other < word).then(|| other.to_string().into())
                }
                Column::Deprel if random.below(5) == 0 => {
                    Some(["nsubj", "case", "obl:agent", "own"][random.below(4)].into())
                }
                Column::Upos if random.below(9) == 0 => Some("X".into()),
                _ => None,
            }
        };
        sentence.write_edited(&mut out, replace).unwrap();
    }
    String::from_utf8(out).unwrap()
}

mod real_treebanks {
    use super::*;

    #[test]
    #[ignore = "needs the UD 2.16 treebanks"]
    fn damaged_treebanks_score_as_the_shared_task_defines() {
        let mut random = Random(11);
        for (name, text) in crate::real_treebanks::files("ud-2.16") {
            if name.contains("-train") {
                continue;
            }
            let system = damaged(&text, &mut random);
            let gold = std::str::from_utf8(&text).unwrap();
            assert_same_as_definition(gold, &system);
            let las = compared(gold, &system).score(Metric::Las).f1();
            assert!(0.5 < las && las < 0.95, "{name}: {las}");
        }
    }
}

#[test]
fn the_damaged_sample_scores_as_the_shared_task_defines() {
    let mut random = Random(12);
    let text = tanglewood::sample::TREEBANK;
    assert_same_as_definition(text, &damaged(text.as_bytes(), &mut random));
}
