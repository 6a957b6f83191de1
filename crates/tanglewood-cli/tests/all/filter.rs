use snapbox::str;
use tanglewood::classes::is_projective;
use tanglewood::conllu::{Sentence, Sentences, Validator};
use tanglewood::sample::TREEBANK;
use tanglewood::{Oracle, System, Tree};

use crate::harness::{
    CROSSING, Folder, PROJECTIVE, SAMPLE, invalid_sentence, sentence, stdout_of, tanglewood, text_of,
};

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The sample's sentences that meet a condition, one after the other.
fn expected(condition: impl Fn(&Tree) -> bool) -> Vec<u8> {
    let meets = |sentence: &Sentence<'_>| condition(&Validator::new().tree(sentence).unwrap());
    Sentences::of(TREEBANK.as_bytes()).filter(meets).flat_map(|sentence| sentence.bytes().to_vec()).collect()
}

#[track_caller]
fn assert_filters(arguments: &[&str], condition: impl Fn(&Tree) -> bool) {
    let expected = expected(condition);
    assert!(!expected.is_empty() && expected.len() < TREEBANK.len(), "the condition matters");
    let actual = stdout_of(tanglewood(["filter", SAMPLE]).args(arguments).assert().stderr_eq(""));
    assert!(actual == expected, "{arguments:?}");
    let count = text_of(tanglewood(["filter", SAMPLE, "--count"]).args(arguments).assert().stderr_eq(""));
    assert_eq!(count, format!("{}\n", Sentences::of(&expected).count()));
}

fn covers(system: &str, tree: &Tree) -> bool {
    Oracle::new(&System::named(system).unwrap()).covers(tree)
}

#[test]
fn without_a_condition_every_file_comes_back_byte_for_byte() {
    let plain = sentence("a", CROSSING) + &sentence("b", PROJECTIVE);
    let cases: [(&str, Vec<u8>); 12] = [
        ("nothing", b"".to_vec()),
        ("plain", plain.clone().into()),
        ("a byte-order mark", [MARK, plain.as_bytes()].concat()),
        ("a byte-order mark and nothing else", MARK.to_vec()),
        ("a byte-order mark on a line of its own", [MARK, b"\n", plain.as_bytes()].concat()),
        ("CRLF", plain.replace('\n', "\r\n").into()),
        ("no final newline", plain.trim_end().into()),
        ("no final blank line", format!("{}\n", plain.trim_end()).into()),
        ("extra blank lines", format!("\n\n\r\n{}\n\r\n\n", plain.replace("\n\n", "\n\n\n")).into()),
        ("only blank lines", b"\n\r\n\n".to_vec()),
        ("no CoNLL-U at all", b"\xFF\x00 what\tis\nthis\r\r\n\n\t\n".to_vec()),
        // Long enough for several blocks, with what looks like a byte-order mark wherever one may begin.
        ("byte-order marks inside", [MARK, sentence("a", CROSSING).as_bytes()].concat().repeat(30_000)),
    ];
    for (name, content) in cases {
        let folder = Folder::with("in.conllu", &content);
        assert!(stdout_of(folder.run(["filter", "in.conllu"]).stderr_eq("")) == content, "{name}");
        folder.run(["filter", "in.conllu", "-o", "out.conllu"]).success();
        assert!(folder.read("out.conllu") == content, "{name}, into a file");
    }
    assert!(stdout_of(tanglewood(["filter", SAMPLE]).assert()) == TREEBANK.as_bytes());
}

#[test]
fn nonprojective_keeps_the_sentences_with_crossing_arcs() {
    assert_filters(&["--nonprojective"], |tree| !is_projective(tree));
}

#[test]
fn covered_by_keeps_what_a_system_can_build() {
    assert_filters(&["--covered-by", "attardi"], |tree| covers("attardi", tree));
    assert_filters(&["--covered-by", "mh4"], |tree| covers("mh4", tree));
    assert_filters(&["--covered-by", "s0>s1 s1>s0"], |tree| covers("arc-standard", tree));
}

#[test]
fn not_covered_by_keeps_what_a_system_cannot_build() {
    assert_filters(&["--not-covered-by", "all-s0s1"], |tree| !covers("all-s0s1", tree));
}

#[test]
fn all_conditions_have_to_be_met() {
    assert_filters(&["--covered-by", "all", "--not-covered-by", "attardi", "--length", "..9"], |tree| {
        covers("all", tree) && !covers("attardi", tree) && tree.len() <= 9
    });
    assert_filters(&["--covered-by", "kuhlmann-2", "--covered-by", "attardi", "--nonprojective"], |tree| {
        covers("kuhlmann-2", tree) && covers("attardi", tree) && !is_projective(tree)
    });
}

#[test]
fn direction_says_how_coverage_is_meant() {
    let rtl = |tree: &Tree| covers("attardi", &tree.mirrored());
    assert_filters(&["--not-covered-by", "attardi", "--direction", "rtl"], |tree| !rtl(tree));
    assert_filters(&["--not-covered-by", "attardi", "--direction", "either"], |tree| {
        !covers("attardi", tree) && !rtl(tree)
    });
}

#[test]
fn length_takes_a_range_open_at_either_end_or_a_number() {
    assert_filters(&["--length", "5..7"], |tree| (5..=7).contains(&tree.len()));
    assert_filters(&["--length", "..6"], |tree| tree.len() <= 6);
    assert_filters(&["--length", "10.."], |tree| tree.len() >= 10);
    assert_filters(&["--length", "8"], |tree| tree.len() == 8);
    assert!(stdout_of(tanglewood(["filter", SAMPLE, "--length", ".."]).assert()) == TREEBANK.as_bytes());
}

#[test]
fn a_range_that_is_none_is_explained() {
    tanglewood(["filter", SAMPLE, "--length", "7..5"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value '7..5' for '--length <MIN..MAX>': `7..5` is empty; expected MIN to be at most MAX

For more information, try '--help'.

"#]]);
    tanglewood(["filter", SAMPLE, "--length", "short"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'short' for '--length <MIN..MAX>': `short` is not a range of lengths; expected MIN..MAX, MIN.., ..MAX or one number

For more information, try '--help'.

"#]]);
}

#[test]
fn count_without_conditions_counts_the_sentences() {
    tanglewood(["filter", SAMPLE, "--count"]).assert().success().stdout_eq("84\n").stderr_eq("");
}

#[test]
fn joined_files_stay_apart() {
    let (a, b) = (sentence("a", CROSSING), sentence("b", PROJECTIVE));
    for ending in ["", "\n", "\n\n", "\r\n\r\n"] {
        let first = a.trim_end().to_owned() + ending;
        let folder = Folder::with("1.conllu", first).and("2.conllu", &b).and("3.conllu", &a);
        let joined = stdout_of(folder.run(["filter", "1.conllu", "2.conllu", "3.conllu"]));
        assert_eq!(Sentences::of(&joined).filter(|sentence| !sentence.is_blank()).count(), 3, "{ending:?}");
        assert!(
            !joined.windows(3).any(|bytes| bytes == b"\n\n\n"),
            "no blank line too many after {ending:?}"
        );
    }
}

#[test]
fn only_the_first_byte_order_mark_is_kept_when_files_are_joined() {
    let (a, b) = (sentence("a", CROSSING), sentence("b", PROJECTIVE));
    let marked = |text: &str| [MARK, text.as_bytes()].concat();
    let folder = Folder::with("1.conllu", marked(&a)).and("2.conllu", marked(&b)).and("3.conllu", MARK);
    let all = ["filter", "1.conllu", "2.conllu", "3.conllu"];
    assert_eq!(stdout_of(folder.run(all)), [marked(&a), b.clone().into()].concat());
    // The mark belongs to the sentence it stands before: it comes along when that is the first to be kept.
    assert_eq!(stdout_of(folder.command(all).args(["--length", "3"]).assert()), marked(&b));
}

#[test]
fn a_condition_on_the_tree_stops_at_the_first_invalid_sentence() {
    let folder = Folder::with("bad.conllu", sentence("a", CROSSING) + &invalid_sentence("b"));
    folder.run(["filter", "bad.conllu", "--nonprojective"]).code(2).stderr_eq(str![[r#"
bad.conllu:8:14: head 7; expected a number from 0 to 2, the last word

"#]]);
}

#[test]
fn a_condition_on_length_alone_does_not_need_a_tree() {
    let folder = Folder::with("bad.conllu", sentence("a", CROSSING) + &invalid_sentence("b"));
    let kept = text_of(folder.run(["filter", "bad.conllu", "--length", "2"]).stderr_eq(""));
    assert_eq!(kept, invalid_sentence("b"));
}

#[test]
fn skipped_sentences_are_listed_and_counted() {
    let folder = Folder::with("bad.conllu", invalid_sentence("a") + &sentence("b", CROSSING));
    let run = folder.run(["filter", "bad.conllu", "--nonprojective", "--skip-invalid"]);
    assert_eq!(
        text_of(run.stderr_eq(str![[r#"
skipped: bad.conllu:2:14: head 7; expected a number from 0 to 2, the last word
skipped 1 invalid sentence

"#]])),
        sentence("b", CROSSING)
    );
}

#[test]
fn a_wrong_system_is_not_accepted() {
    tanglewood(["filter", SAMPLE, "--covered-by", "all_s0s1"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'all_s0s1' for '--covered-by <NAME>': no system is called `all_s0s1`; did you mean `all-s0s1`, `all-s0s1+` or `all-s:3`?

For more information, try '--help'.

"#]]);
}

#[test]
fn any_is_the_system_of_all_trees() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING) + &sentence("y", PROJECTIVE));
    for name in ["any", "mst"] {
        for (condition, count) in [("--covered-by", "2\n"), ("--not-covered-by", "0\n")] {
            folder.run(["filter", "a.conllu", condition, name, "--count"]).success().stdout_eq(count);
        }
        // Where transitions are needed, the name is known, and what is missing is said.
        for command in [&["oracle", "a.conllu", "--system"][..], &["draw", "a.conllu", "--derivation"]] {
            let output = folder.run(command.iter().chain(&[name])).code(2).get_output().stderr.clone();
            let message = String::from_utf8(output).unwrap();
            assert!(message.contains("stands for all trees, which no transitions build"), "{message}");
        }
    }
}
