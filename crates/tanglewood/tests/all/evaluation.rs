use std::fmt::Write;

use tanglewood::conllu::{Kind, Sentences, Validator};
use tanglewood::evaluation::{
    Crossing, Difference, Evaluation, LENGTHS, Metric, Place, Reading, Side, Stretch, Stretches, Unaligned,
    evaluate,
};

/// A file of one sentence. A token is `form:head:relation`, or `form=form:head:relation+form:head:relation`
/// for a multiword token.
pub fn sentence(tokens: &str) -> String {
    let mut text = String::new();
    let mut id = 0;
    for token in tokens.split_whitespace() {
        let (range, words) =
            token.split_once('=').map_or((None, token), |(range, words)| (Some(range), words));
        let words: Vec<&str> = words.split('+').collect();
        if let Some(form) = range {
            writeln!(text, "{}-{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_", id + 1, id + words.len()).unwrap();
        }
        for word in words {
            id += 1;
            let [form, head, relation] = word.splitn(3, ':').collect::<Vec<_>>()[..] else {
                panic!("{word}")
            };
            writeln!(text, "{id}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_").unwrap();
        }
    }
    text + "\n"
}

pub fn compared(gold: &str, system: &str) -> Evaluation {
    evaluate(gold.as_bytes(), system.as_bytes()).unwrap()
}

/// (gold, system, correct).
fn counts(evaluation: &Evaluation, metric: Metric) -> (u64, u64, u64) {
    let score = evaluation.score(metric);
    (score.gold, score.system, score.correct)
}

pub const GOLD: &str = "the:2:det old:3:nsubj sleep:0:root well:3:advmod .:3:punct";

#[test]
fn identical_files_are_perfect() {
    let text = tanglewood::sample::TREEBANK;
    let evaluation = compared(text, text);
    for metric in Metric::ALL {
        let score = evaluation.score(metric);
        assert_eq!((score.precision(), score.recall(), score.f1()), (1.0, 1.0, 1.0), "{}", metric.name());
    }
    assert_eq!((evaluation.crossing().lenient().f1(), evaluation.crossing().strict().f1()), (1.0, 1.0));
    assert!(evaluation.labels().values().all(|score| score.f1() == 1.0));
}

#[test]
fn nothing_against_nothing_scores_nothing() {
    let evaluation = compared("", "\n\n");
    assert_eq!(evaluation, Evaluation::new());
    assert_eq!(evaluation.score(Metric::Las).f1(), 0.0);
}

#[test]
fn heads_relations_and_content_words_are_counted() {
    // One wrong head, at a function word; one wrong relation, at a content word, which becomes a function
    // word.
    let system = sentence("the:3:det old:3:nsubj:pass sleep:0:root well:3:aux .:3:punct");
    let evaluation = compared(&sentence(GOLD), &system);
    assert_eq!(counts(&evaluation, Metric::Uas), (5, 5, 4));
    assert_eq!(counts(&evaluation, Metric::Las), (5, 5, 3));
    assert_eq!(counts(&evaluation, Metric::Clas), (3, 2, 2));
    assert_eq!(counts(&evaluation, Metric::Relations), (5, 5, 4));
    assert_eq!(counts(&evaluation, Metric::ExactHeads), (1, 1, 0));
    // The function word of `old` went to `sleep`, and both miss or have one too many.
    assert_eq!(counts(&evaluation, Metric::Mlas), (3, 2, 0));
    let labels = evaluation.labels();
    let of = |label: &str| (labels[label].gold, labels[label].system, labels[label].correct);
    assert_eq!(
        (of("det"), of("nsubj"), of("advmod"), of("aux")),
        ((1, 1, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0))
    );
}

#[test]
fn relations_that_are_not_universal_are_no_content() {
    let text = sentence("a:0:root b:1:invented c:1:punct");
    assert_eq!(counts(&compared(&text, &text), Metric::Clas), (1, 1, 1));
}

#[test]
fn whole_trees_count_as_exact_with_heads_and_with_relations() {
    let gold = sentence(GOLD).repeat(2);
    let system = sentence(GOLD) + &sentence(GOLD).replace("advmod", "obl");
    let evaluation = compared(&gold, &system);
    assert_eq!(counts(&evaluation, Metric::ExactHeads), (2, 2, 2));
    assert_eq!(counts(&evaluation, Metric::ExactTrees), (2, 2, 1));
    let lengths = evaluation.lengths()[0];
    assert_eq!((lengths.sentences, lengths.exact, lengths.words, lengths.right_arcs), (2, 1, 10, 9));
}

#[test]
fn a_token_cut_in_two_is_aligned_with_neither_part() {
    let gold = sentence("can:3:aux not:3:advmod sleep:0:root");
    let system = sentence("cannot:2:aux sleep:0:root");
    let evaluation = compared(&gold, &system);
    assert_eq!(counts(&evaluation, Metric::Tokens), (3, 2, 1));
    assert_eq!(counts(&evaluation, Metric::Words), (3, 2, 1));
    assert_eq!(counts(&evaluation, Metric::Uas), (3, 2, 1));
    assert_eq!(evaluation.score(Metric::Las).f1(), 0.4);
    assert_eq!(counts(&evaluation, Metric::ExactHeads), (1, 1, 0));
}

#[test]
fn words_of_multiword_tokens_are_aligned_by_their_forms() {
    let gold = sentence("vámonos=vamos:0:root+nos:1:obj al=a:5:case+el:5:det mar:1:obl");
    // One multiword token is not known to be one; the other has the same words in capitals.
    let system = sentence("vámonos:0:root al=A:4:case+EL:4:det mar:1:obl");
    let evaluation = compared(&gold, &system);
    assert_eq!(counts(&evaluation, Metric::Tokens), (3, 3, 3));
    assert_eq!(counts(&evaluation, Metric::Words), (5, 4, 3));
    // `mar` hangs from a word that is not aligned.
    assert_eq!(counts(&evaluation, Metric::Uas), (5, 4, 2));
    assert_eq!(evaluation.score(Metric::Uas).f1(), 4.0 / 9.0);
}

#[test]
fn multiword_tokens_that_overlap_are_one_region() {
    let gold = sentence("abc=a:0:root+b:1:dep+c:1:dep de=d:1:dep+e:1:dep");
    let system = sentence("a:0:root bcd=b:1:dep+c:1:dep+d:1:dep e:1:dep");
    let evaluation = compared(&gold, &system);
    assert_eq!(counts(&evaluation, Metric::Words), (5, 5, 5));
    assert_eq!(counts(&evaluation, Metric::Tokens), (2, 3, 0));
}

#[test]
fn of_words_before_a_multiword_token_only_one_is_left_out() {
    // `c` is no part of the token `xy`, but is aligned with its first word all the same: so does the shared
    // task.
    let gold = sentence("abc:0:root xy=c:1:dep+y:1:dep");
    let system = sentence("a:0:root b:1:dep c:1:dep xy=c:1:dep+y:1:dep");
    assert_eq!(counts(&compared(&gold, &system), Metric::Words), (3, 5, 2));
    // Even in another sentence.
    let gold = sentence("abc:0:root") + &sentence("xy=c:0:root+y:1:dep");
    let system = sentence("a:0:root b:1:dep c:1:dep") + &sentence("xy=z:0:root+y:1:dep");
    assert_eq!(counts(&compared(&gold, &system), Metric::Words), (3, 5, 2));
}

#[test]
fn sentences_may_be_split_differently() {
    let gold = sentence("a:0:root b:1:dep") + &sentence("c:0:root d:1:dep") + &sentence("e:0:root");
    let system = sentence("a:0:root b:1:dep c:1:dep d:3:dep") + &sentence("e:0:root");
    let evaluation = compared(&gold, &system);
    assert_eq!(counts(&evaluation, Metric::Sentences), (3, 2, 1));
    assert_eq!(counts(&evaluation, Metric::Words), (5, 5, 5));
    // `c` is no root in the system's tree.
    assert_eq!(counts(&evaluation, Metric::Uas), (5, 5, 4));
    assert_eq!(counts(&evaluation, Metric::ExactTrees), (3, 2, 1));
}

#[test]
fn spaces_inside_tokens_do_not_matter() {
    let gold = sentence("a:0:root 10000:1:nummod");
    let system = gold.replace("10000", "10\u{A0}000");
    assert_eq!(counts(&compared(&gold, &system), Metric::Words), (2, 2, 2));
}

#[test]
fn empty_nodes_are_passed_over_even_inside_a_multiword_token() {
    let plain = sentence("al=a:3:case+el:3:det mar:0:root");
    let with_node = plain.replace("2\tel", "1.1\tx\t_\t_\t_\t_\t_\t_\t3:dep\t_\n2\tel");
    assert_ne!(plain, with_node);
    assert_eq!(counts(&compared(&plain, &with_node), Metric::Las), (3, 3, 3));
}

#[test]
fn crossing_arcs_are_counted_leniently_and_strictly() {
    // 3→1 and 4→2 cross, and 4→2 crosses the root arc: three crossing arcs.
    let gold = sentence("a:3:dep b:4:dep c:0:root d:3:dep");
    // The head of `a` is right, but its arc crosses nothing any more.
    let projective = sentence("a:3:dep b:3:dep c:0:root d:3:dep");
    let crossing = *compared(&gold, &projective).crossing();
    let expected = Crossing { gold: 3, system: 0, right_of_gold: 2, right_of_system: 0, right_of_both: 0 };
    assert_eq!(crossing, expected);
    assert_eq!((crossing.lenient().recall, crossing.lenient().precision), (2.0 / 3.0, 0.0));
    let same = *compared(&gold, &gold).crossing();
    assert_eq!((same.gold, same.right_of_both, same.strict().f1()), (3, 3, 1.0));
    let nonprojective = counts(&compared(&gold, &projective), Metric::Nonprojective);
    assert_eq!(nonprojective, (1, 0, 0));
}

fn difference(gold: &str, system: &str) -> Difference {
    match evaluate(gold.as_bytes(), system.as_bytes()) {
        Err(Unaligned::Difference(difference)) => difference,
        other => panic!("{other:?}"),
    }
}

fn place(line: u64, characters: &str) -> Option<Place> {
    Some(Place { line, characters: characters.to_owned() })
}

#[test]
fn the_first_difference_is_found_with_its_place_in_both_files() {
    let gold = sentence("a:0:root b:1:dep") + &sentence("cé:0:root d:1:dep");
    let system = sentence("a:0:root b:1:dep cè:1:dep d:1:dep");
    assert_eq!(difference(&gold, &system), Difference { gold: place(4, "éd"), system: place(3, "èd") });
}

#[test]
fn a_file_that_ends_early_is_a_difference() {
    let (one, two) = (sentence("a:0:root"), sentence("a:0:root") + &sentence("b:0:root"));
    let longer = sentence("a:0:root b:1:dep");
    assert_eq!(difference(&one, &two), Difference { gold: None, system: place(3, "b") });
    assert_eq!(difference(&two, &one), Difference { gold: place(3, "b"), system: None });
    assert_eq!(difference(&one, &longer), Difference { gold: None, system: place(2, "b") });
    assert_eq!(difference("", &one), Difference { gold: None, system: place(1, "a") });
}

#[test]
fn a_sentence_that_is_not_valid_is_an_error_with_its_side() {
    let bad = sentence("a:2:dep b:1:dep");
    let result = evaluate(sentence("a:0:root b:1:dep").as_bytes(), bad.as_bytes());
    assert!(
        matches!(result, Err(Unaligned::Source((Side::System, problem))) if problem.kind == Kind::NoRoot)
    );
    let empty = sentence("a:0:root \u{A0}:1:dep").replace("\u{A0}", " ");
    let result = evaluate(empty.as_bytes(), empty.as_bytes());
    assert!(
        matches!(result, Err(Unaligned::Source((Side::Gold, problem))) if problem.kind == Kind::EmptyColumn)
    );
}

pub type Readings = std::vec::IntoIter<Result<Reading, ()>>;

pub fn stretches(gold: impl AsRef<[u8]>, system: impl AsRef<[u8]>) -> Stretches<Readings, Readings> {
    let readings = |text: &[u8]| -> Readings {
        let mut validator = Validator::new();
        let readings = Sentences::of(text).map(|sentence| Ok(Reading::of(&sentence, &mut validator)));
        readings.collect::<Vec<_>>().into_iter()
    };
    Stretches::new(readings(gold.as_ref()), readings(system.as_ref()))
}

#[test]
fn invalid_sentences_can_be_left_out_with_the_same_text_of_the_other_file() {
    let fine = sentence("a:0:root b:1:dep");
    let cycle = sentence("c:2:dep d:1:dep");
    let split = sentence("c:0:root") + &sentence("d:0:root");
    let broken = "1\te\t_\t_\n2\tf\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    let whole = sentence("e:0:root f:1:dep");
    let gold = [&fine[..], &cycle, &fine, broken, &fine].concat();
    let system = [&fine[..], &split, &fine, &whole, &fine].concat();
    let mut evaluation = Evaluation::new();
    let mut problems = Vec::new();
    for stretch in stretches(&gold, &system) {
        let stretch: Stretch = stretch.unwrap();
        problems.extend(stretch.problems().map(|(side, problem)| (side, problem.kind)));
        evaluation.add(&stretch);
    }
    assert_eq!(problems, [(Side::Gold, Kind::NoRoot), (Side::Gold, Kind::ColumnCount)]);
    assert_eq!(counts(&evaluation, Metric::Las), (6, 6, 6));
}

#[test]
fn tokens_that_are_hidden_amid_sentences_split_differently_are_an_error() {
    let broken = "1\tc\t_\t_\n2\td\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    let gold = sentence("a:0:root b:1:dep") + broken;
    let system = sentence("a:0:root b:1:dep c:1:dep d:1:dep");
    let last = stretches(&gold, &system).last().unwrap();
    assert!(matches!(last, Err(Unaligned::Unreadable(Side::Gold, problem)) if problem.line == 4));
}

#[test]
fn groups_of_lengths_start_at_one_word_and_grow() {
    assert_eq!(LENGTHS[0], 1);
    assert!(LENGTHS.is_sorted());
    let text = sentence(&(1..=70).map(|word| format!("w:{}:dep ", word - 1)).collect::<String>());
    assert_eq!(compared(&text, &text).lengths().last().unwrap().sentences, 1);
}

/// A region of multiword tokens as large as a sentence may be is aligned without a table of all its pairs.
#[test]
fn a_multiword_token_of_thousands_of_words_is_aligned() {
    let token = |offset: usize| {
        let words: Vec<String> =
            (0..4000).map(|word| format!("w{}:{word}:dep", (word + offset) % 7)).collect();
        sentence(&format!("x={}", words.join("+")))
    };
    assert_eq!(counts(&compared(&token(0), &token(3)), Metric::Words), (4000, 4000, 3997));
}
