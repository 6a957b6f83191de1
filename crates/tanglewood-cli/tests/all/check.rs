use snapbox::str;

use crate::harness::{CROSSING, Folder, SAMPLE, sentence, tanglewood};

/// A cycle, a missing column, a head that is no number, two roots, and a sentence that is fine.
fn trouble() -> Folder {
    let bad = "\
# sent_id = cycle
1\ta\t_\t_\t_\t_\t2\tdep\t_\t_
2\tb\t_\t_\t_\t_\t1\tdep\t_\t_

# sent_id = columns
1\ta\t_\t_\t_\t_\t0\troot\t_
2\tb\t_\t_\t_\t_\tone\tdep\t_\t_

1\ta\t_\t_\t_\t_\t0\troot\t_\t_
2\tb\t_\t_\t_\t_\t0\troot\t_\t_

";
    Folder::with("bad.conllu", bad.to_owned() + &sentence("fine", CROSSING))
}

#[test]
fn a_valid_file_has_no_problem() {
    tanglewood(["check", SAMPLE]).assert().success().stdout_eq("").stderr_eq(str![[r#"
84 sentences in 1 file, no problem

"#]]);
    tanglewood(["check", SAMPLE, "--format", "json"]).assert().success().stdout_eq(str![[r#"
[]

"#]]);
}

#[test]
fn every_problem_is_listed_with_its_place_not_only_the_first() {
    trouble()
        .run(["check", "bad.conllu"])
        .code(1)
        .stdout_eq(str![[r#"
bad.conllu:2:13: a sentence in which no word has head 0; expected one root
bad.conllu:2:13: the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0
bad.conllu:6:1: 9 columns; expected 10 columns with tabs between them
bad.conllu:7:1: id 2 at the start; expected 1
bad.conllu:7:13: head `one`; expected the number of a word, or 0 for the root
bad.conllu:10:13: words 1 and 2 both with head 0; expected one root

"#]])
        .stderr_eq(str![[r#"
4 sentences in 1 file, 6 problems

"#]]);
}

#[test]
fn json_lists_the_same_problems() {
    trouble().run(["check", "bad.conllu", "--format", "json"]).code(1).stdout_eq(str![[r#"
[
  {"file":"bad.conllu","line":2,"column":13,"kind":"NoRoot","level":1,"found":"a sentence in which no word has head 0","expected":"one root"},
  {"file":"bad.conllu","line":2,"column":13,"kind":"Cycle","level":1,"found":"the heads form a cycle: 1 → 2 → 1","expected":"every path of heads to end at 0"},
  {"file":"bad.conllu","line":6,"column":1,"kind":"ColumnCount","level":1,"found":"9 columns","expected":"10 columns with tabs between them"},
  {"file":"bad.conllu","line":7,"column":1,"kind":"IdOrder","level":1,"found":"id 2 at the start","expected":"1"},
  {"file":"bad.conllu","line":7,"column":13,"kind":"BadHead","level":1,"found":"head `one`","expected":"the number of a word, or 0 for the root"},
  {"file":"bad.conllu","line":10,"column":13,"kind":"SeveralRoots","level":2,"found":"words 1 and 2 both with head 0","expected":"one root"}
]

"#]]).stderr_eq(str![[r#"
4 sentences in 1 file, 6 problems

"#]]);
}

#[test]
fn problems_of_several_files_come_in_the_order_of_the_files() {
    let bad = "1\ta\t_\t_\t_\t_\t9\tdep\t_\t_\n\n";
    Folder::with("b.conllu", bad)
        .and("a.conllu", bad)
        .run(["check", "b.conllu", "a.conllu"])
        .code(1)
        .stdout_eq(str![[r#"
b.conllu:1:13: head 9; expected a number from 0 to 1, the last word
a.conllu:1:13: head 9; expected a number from 0 to 1, the last word

"#]]);
}

#[test]
fn lines_are_counted_through_the_whole_file() {
    let mut text = sentence("a", CROSSING).repeat(40_000);
    let lines = text.lines().count();
    assert!(text.len() > 3 << 20, "more than one block");
    text += "1\ta\t_\t_\t_\t_\t9\tdep\t_\t_\n";
    let folder = Folder::with("long.conllu", text);
    let expected = format!("long.conllu:{}:13: head 9[..]\n", lines + 1);
    folder.run(["check", "long.conllu"]).code(1).stdout_eq(expected);
}

#[test]
fn the_usual_freedoms_of_files_are_no_problems() {
    let crlf = sentence("a", CROSSING).replace('\n', "\r\n");
    let no_newline = sentence("b", CROSSING).trim_end().to_owned();
    Folder::with("free.conllu", format!("\u{FEFF}\r\n{crlf}\r\n\r\n{no_newline}"))
        .run(["check", "free.conllu"])
        .success()
        .stdout_eq("")
        .stderr_eq(str![[r#"
2 sentences in 1 file, no problem

"#]]);
}

#[test]
fn level_1_is_what_makes_a_file_unreadable() {
    let odd = "1-1\tw\t_\t_\t_\t_\t_\t_\t_\t_\n1\tw\t_\tNN\t_\tfoo\t0\troot\t_\t_\n2\tv\t_\tX\t_\tA=B|A=C\t0\troot\t_\t_\n\n";
    let folder = Folder::with("odd.conllu", odd);
    folder.run(["check", "odd.conllu", "--level", "1"]).success().stdout_eq("");
    folder.run(["check", "odd.conllu"]).code(1).stdout_eq(str![[r#"
odd.conllu:1:1: range 1-1 of one word; expected a range of at least two words, or none
odd.conllu:2:7: UPOS `NN`; expected one of ADJ, ADP, ADV, AUX, CCONJ, DET, INTJ, NOUN, NUM, PART, PRON, PROPN, PUNCT, SCONJ, SYM, VERB, X, or `_`
odd.conllu:2:12: feature `foo`; expected Name=Value with letters and digits, the first a capital or a digit, and | between several
odd.conllu:3:15: feature `A` after `A`; expected features in the order of their names, each once
odd.conllu:3:19: words 1 and 2 both with head 0; expected one root

"#]]);
    trouble().run(["check", "bad.conllu", "--level", "1"]).code(1).stderr_eq(str![[r#"
4 sentences in 1 file, 5 problems

"#]]);
    folder.run(["check", "odd.conllu", "--level", "3"]).code(2);
}

/// As in the shared task.
#[test]
fn a_range_of_one_word_can_be_evaluated() {
    let range =
        |form: &str| format!("1-1\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n1\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    let folder = Folder::with("gold.conllu", range("w"));
    let run = folder.run(["eval", "gold.conllu", "gold.conllu", "--format", "json"]).success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("\"f1\": 1.0"));
}
