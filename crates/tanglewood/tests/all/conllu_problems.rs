//! What the validator says about malformed input, word for word.

use std::collections::HashSet;

use tanglewood::conllu::{Kind, MAX_LINE_BYTES, MAX_PROBLEMS, Problem, Sentences, Validator};

use crate::conllu_problems_table::TABLE;

struct Case {
    name: String,
    input: Vec<u8>,
    messages: Vec<String>,
}

/// A row from `id:head`.
fn word(row: &str) -> String {
    let (id, head) = row.split_once(':').unwrap();
    let relation = match head {
        "0" => "root",
        "_" => "_",
        _ => "dep",
    };
    format!("{id}\tw\tw\tX\t_\t_\t{head}\t{relation}\t_\t_\n")
}

fn words(rows: &str) -> String {
    rows.split(' ').map(word).collect::<String>() + "\n"
}

/// A line as the table writes it.
fn literal(text: &str) -> Vec<u8> {
    let text = text.replace(' ', "\t").replace('·', " ").replace('∅', "");
    let mut pieces = text.split('\\');
    let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
    for piece in pieces {
        let (byte, length) = match piece.as_bytes()[0] {
            b'r' => (b'\r', 1),
            b'0' => (0, 1),
            b'x' => (u8::from_str_radix(&piece[1..3], 16).unwrap(), 3),
            other => panic!("no escape sequence: {other}"),
        };
        bytes.push(byte);
        bytes.extend_from_slice(&piece.as_bytes()[length..]);
    }
    bytes
}

fn case(name: &str, input: String, messages: &[&str]) -> Case {
    let messages = messages.iter().map(|&message| message.to_owned()).collect();
    Case { name: name.to_owned(), input: input.into_bytes(), messages }
}

/// Input that is too long to be written down.
fn long_cases() -> Vec<Case> {
    let line = |length| format!("1\t{}\tw\tX\t_\t_\t0\troot\t_\t_\n", "x".repeat(length - 21));
    let sentence =
        |length: usize| (1..=length).map(|id| word(&format!("{id}:{}", id - 1))).collect::<String>();
    vec![
        case("a line of a megabyte", line(MAX_LINE_BYTES), &[]),
        case(
            "a line of a megabyte and a byte",
            line(MAX_LINE_BYTES + 1),
            &["1:1: a line of 1048577 bytes; expected at most 1048576"],
        ),
        case(
            "a long excerpt",
            "😀".repeat(41),
            &[&format!("1:1: 1 column, `{}…`; expected 10 columns with tabs between them", "😀".repeat(40))],
        ),
        case(
            "a very long excerpt",
            "ä".repeat(100_000),
            &[&format!("1:1: 1 column, `{}…`; expected 10 columns with tabs between them", "ä".repeat(40))],
        ),
        case(
            "an excerpt that is just not too long",
            "😀".repeat(40),
            &[&format!("1:1: 1 column, `{}`; expected 10 columns with tabs between them", "😀".repeat(40))],
        ),
        case("100,000 words", sentence(100_000), &[]),
        Case {
            name: "a thousand problems and one".to_owned(),
            input: "x\n".repeat(MAX_PROBLEMS + 1).into_bytes(),
            messages: (1..=MAX_PROBLEMS)
                .map(|line| format!("{line}:1: 1 column, `x`; expected 10 columns with tabs between them"))
                .chain([format!("{MAX_PROBLEMS}:1: another problem in this sentence; expected none")])
                .collect(),
        },
        case(
            "100,001 words",
            sentence(100_001),
            &["1:1: a sentence of 100001 words; expected at most 100000"],
        ),
        case(
            "100,001 words and a bad head",
            sentence(100_001) + &word("100002:x"),
            &[
                "1:1: a sentence of 100002 words; expected at most 100000",
                "100002:18: head `x`; expected the number of a word, or 0 for the root",
            ],
        ),
    ]
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        let (sign, rest) = line.split_once(' ').unwrap();
        if sign == "*" {
            cases.push(case(rest, String::new(), &[]));
        }
        let case = cases.last_mut().unwrap();
        match sign {
            "*" => {}
            "w" => case.input.extend(words(rest).bytes()),
            "|" => case.input.extend(literal(rest).into_iter().chain(*b"\n")),
            "+" => case.input.extend(literal(rest)),
            ">" => case.messages.push(rest.to_owned()),
            _ => panic!("what is {sign}?"),
        }
    }
    cases.extend(long_cases());
    cases
}

/// The problems of each sentence, and the error of its tree.
fn judge(input: &[u8]) -> Vec<(Vec<Problem>, Option<Problem>)> {
    let mut validator = Validator::new();
    let sentences = Sentences::of(input).filter(|sentence| !sentence.is_blank());
    sentences.map(|sentence| (validator.problems(&sentence), validator.tree(&sentence).err())).collect()
}

#[test]
fn malformed_input_is_described_word_for_word() {
    for Case { name, input, messages } in cases() {
        let problems = judge(&input).into_iter().flat_map(|(problems, _)| problems);
        let found: Vec<String> = problems.map(|problem| problem.to_string()).collect();
        assert_eq!(found, messages, "{name}");
    }
}

#[test]
fn the_error_of_a_tree_is_the_first_problem_that_prevents_it() {
    for Case { name, input, .. } in cases() {
        for (problems, error) in judge(&input) {
            let first = problems.into_iter().find(|problem| problem.kind.prevents_tree());
            assert_eq!(error, first, "{name}");
        }
    }
}

#[test]
fn every_kind_of_problem_is_in_the_table() {
    let problems = cases().into_iter().flat_map(|case| judge(&case.input)).flat_map(|(problems, _)| problems);
    let kinds: HashSet<_> = problems.map(|problem| problem.kind).collect();
    assert_eq!(kinds.len(), 26, "{kinds:?}");
}

/// Every word points beyond the sentence: to find each again from the start would take minutes.
#[test]
fn a_hundred_thousand_problems_are_found_in_linear_time() {
    let input: String = (1..=100_000).map(|id| word(&format!("{id}:999999"))).collect();
    let (problems, _) = &judge(input.as_bytes())[0];
    let last = "1000:16: 99000 more problems in this sentence; expected none";
    assert_eq!((problems.len(), problems[MAX_PROBLEMS].to_string().as_str()), (MAX_PROBLEMS + 1, last));
}

/// Of a sentence as long as the reader takes them, nothing grows with its junk.
#[test]
fn sixteen_megabytes_of_junk_are_a_thousand_problems_and_a_number() {
    let junk = "a\n".repeat(8 << 20);
    let (problems, error) = judge(junk.as_bytes()).remove(0);
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    assert!(problems.capacity() < 2 * MAX_PROBLEMS);
    let last = problems.last().unwrap();
    assert_eq!((last.kind, last.kind.prevents_tree()), (Kind::More, false));
    assert_eq!(
        last.to_string(),
        format!("1000:1: {} more problems in this sentence; expected none", (8 << 20) - 1000)
    );
    assert_eq!(error.as_ref(), problems.first());
}

#[test]
fn what_prevents_a_tree_is_listed_even_if_it_comes_late() {
    // Each of the first lines breaks a convention only; the last one has no head, and everything after the
    // thousandth is late.
    let line = |id: usize, head: &str| format!("{id}\tw\t\tX\t_\t_\t{head}\tdep\t_\t_\n");
    let input: String = (1..=1500).map(|id| line(id, &(id % 1500 + 1).to_string())).collect();
    for (input, kinds) in [
        (input.clone() + &line(1501, "_"), vec![Kind::NoHead, Kind::More]),
        // Two at the same place, both found last.
        (input, vec![Kind::NoRoot, Kind::More]),
    ] {
        let (problems, error) = judge(input.as_bytes()).remove(0);
        let others = problems.iter().map(|problem| problem.kind).filter(|&kind| kind != Kind::EmptyColumn);
        assert_eq!(others.collect::<Vec<_>>(), kinds);
        assert_eq!(problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(error.as_ref(), problems.iter().find(|problem| problem.kind.prevents_tree()));
    }
}

#[test]
fn words_can_be_counted_whatever_their_heads_are() {
    let count = |text: &str| {
        Sentences::of(text.as_bytes()).next().map(|sentence| Validator::new().words(&sentence)).unwrap()
    };
    for rows in ["1:_ 2:_ 3:_", "1:2 2:1 3:3", "1:9 2:x 3:0", "1:0 2:0 3:0", "1:1 2:0 3:2"] {
        assert_eq!(count(&words(rows)), Ok(3), "{rows}");
    }
    let many: String = (1..=3000).map(|id| word(&format!("{id}:_"))).collect();
    assert_eq!(count(&many), Ok(3000));
    // What does not lie in HEAD is seen behind any number of missing heads.
    let error = count(&(many + &word("7:_"))).unwrap_err();
    assert_eq!(error.to_string(), "3001:1: id 7 after 3000; expected 3001");
    assert_eq!(count("# text\n\n").unwrap_err().kind, Kind::NoWords);
    assert_eq!(count("1\ta\n\n").unwrap_err().kind, Kind::ColumnCount);
}

#[test]
fn a_gap_of_a_text_has_no_words_and_no_problem() {
    let problems = |text: &str| {
        let sentence = Sentences::of(text.as_bytes()).next().unwrap();
        assert_eq!(Validator::new().words(&sentence).unwrap_err().kind, Kind::NoWords);
        Validator::new().problems(&sentence).len()
    };
    assert_eq!(problems("# spaces = \\s\n\n"), 0);
    assert_eq!(problems("# text = spaces\n\n"), 1);
}
