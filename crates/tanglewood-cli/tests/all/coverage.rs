use snapbox::str;
use tanglewood::classes::Class;
use tanglewood::conllu::{Sentences, Validator};
use tanglewood::coverage::Survey;
use tanglewood::{Direction, System};

use crate::harness::{CROSSING, Folder, PROJECTIVE, SAMPLE, invalid_sentence, sentence, tanglewood, text_of};

/// Two sentences, one with a crossing.
fn two_sentences() -> Folder {
    Folder::with("two.conllu", sentence("a", PROJECTIVE) + &sentence("b", CROSSING))
}

fn header(text: &str) -> Vec<&str> {
    text.lines().next().unwrap().split('\t').collect()
}

#[test]
fn the_table_has_the_share_on_top_and_percentages_below() {
    tanglewood(["coverage", SAMPLE]).assert().success().stdout_eq(str![[r#"
61 of 84 sentences are non-projective: 72.62 %; 33.24 % of arcs cross
Of the non-projective ones, covered:

file                                     sentences  non-projective       attardi      all-deg1           all      all-s0s1
crates/tanglewood/sample/tangles.conllu         84    61   72.62 %  51   83.61 %  54   88.52 %  58   95.08 %  54   88.52 %

"#]]).stderr_eq("");
}

#[test]
fn several_files_get_a_row_each_and_a_total() {
    two_sentences()
        .and("one.conllu", sentence("c", PROJECTIVE))
        .run(["coverage", "two.conllu", "one.conllu", "two.conllu"])
        .success()
        .stdout_eq(str![[r#"
2 of 5 sentences are non-projective: 40.00 %; 35.29 % of arcs cross
Of the non-projective ones, covered:

file        sentences  non-projective      attardi     all-deg1          all     all-s0s1
two.conllu          2     1   50.00 %  1  100.00 %  1  100.00 %  1  100.00 %  1  100.00 %
one.conllu          1     0    0.00 %  0         –  0         –  0         –  0         –
two.conllu          2     1   50.00 %  1  100.00 %  1  100.00 %  1  100.00 %  1  100.00 %
TOTAL               5     2   40.00 %  2  100.00 %  2  100.00 %  2  100.00 %  2  100.00 %

"#]]);
}

#[test]
fn tsv_has_the_promised_header_and_ends_with_the_total() {
    tanglewood(["coverage", SAMPLE, "--format", "tsv"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
file	sentences	nonprojective	attardi	all-deg1	all	all-s0s1
crates/tanglewood/sample/tangles.conllu	84	61	51	54	58	54
TOTAL	84	61	51	54	58	54

"#]])
        .stderr_eq("");
}

#[test]
fn tsv_counts_are_those_of_the_library() {
    let systems = System::all();
    for direction in [Direction::Ltr, Direction::Rtl, Direction::Either] {
        let classes = &Class::ALL[1..];
        let survey = Survey::new(&systems, direction, classes);
        let mut counts = survey.counts();
        for sentence in Sentences::of(tanglewood::sample::TREEBANK.as_bytes()) {
            survey.add(&Validator::new().tree(&sentence).unwrap(), &mut counts);
        }
        let numbers = [counts.sentences, counts.nonprojective].into_iter();
        let numbers = numbers.chain(counts.covered).chain(counts.members);
        let expected: Vec<String> = numbers.map(|number| number.to_string()).collect();

        let name = direction.to_string();
        let arguments = ["coverage", SAMPLE, "--systems", "all", "--classes", "--direction", &name];
        let text = text_of(tanglewood(arguments).args(["--format", "tsv"]).assert());
        let total: Vec<&str> = text.lines().last().unwrap().split('\t').collect();
        assert_eq!(total[0], "TOTAL");
        assert_eq!(total[1..], expected, "{direction}");
    }
}

#[test]
fn json_has_rows_a_total_and_how_many_were_skipped() {
    two_sentences()
        .run(["coverage", "two.conllu", "--systems", "arc-standard,all", "--classes", "--format", "json"])
        .success()
        .stdout_eq(str![[r#"
{
  "direction": "ltr",
  "rows": [
    {
      "arcs": {
        "all": 7,
        "crossing": 3,
        "crossing_pairs": 2,
        "longest": 3,
        "total_length": 12
      },
      "classes": {
        "1-endpoint-crossing": 1,
        "2-planar": 1,
        "gap<=1": 1,
        "planar": 0,
        "well-nested": 1,
        "well-nested-gap<=1": 1
      },
      "covered": {
        "all": 1,
        "arc-standard": 0
      },
      "file": "two.conllu",
      "nonprojective": 1,
      "sentences": 2
    }
  ],
  "skipped": 0,
  "total": {
    "arcs": {
      "all": 7,
      "crossing": 3,
      "crossing_pairs": 2,
      "longest": 3,
      "total_length": 12
    },
    "classes": {
      "1-endpoint-crossing": 1,
      "2-planar": 1,
      "gap<=1": 1,
      "planar": 0,
      "well-nested": 1,
      "well-nested-gap<=1": 1
    },
    "covered": {
      "all": 1,
      "arc-standard": 0
    },
    "file": "TOTAL",
    "nonprojective": 1,
    "sentences": 2
  }
}

"#]])
        .stderr_eq("");
}

#[test]
fn a_direction_other_than_ltr_is_part_of_the_column_name() {
    for (direction, expected) in [
        ("ltr", ["attardi", "all+"]),
        ("rtl", ["attardi@rtl", "all+@rtl"]),
        ("either", ["attardi@either", "all+@either"]),
    ] {
        let arguments = ["coverage", "two.conllu", "--systems", "attardi,all+", "--direction", direction];
        let text = text_of(two_sentences().command(arguments).args(["--format", "tsv"]).assert());
        assert_eq!(header(&text)[3..], expected);
    }
}

#[test]
fn classes_are_columns_after_the_systems() {
    let arguments = ["coverage", "two.conllu", "--systems", "all+", "--classes", "--format", "tsv"];
    two_sentences().run(arguments).success().stdout_eq(str![[r#"
file	sentences	nonprojective	all+	planar	2-planar	gap<=1	well-nested	well-nested-gap<=1	1-endpoint-crossing
two.conllu	2	1	1	0	1	1	1	1	1
TOTAL	2	1	1	0	1	1	1	1	1

"#]]);
}

#[test]
fn rows_can_stand_for_treebanks_or_languages() {
    let folder = Folder::with("en_ewt-ud-train.conllu", sentence("a", CROSSING))
        .and("en_ewt-ud-dev.conllu", sentence("b", CROSSING))
        .and("en_gum-ud-test.conllu", sentence("c", PROJECTIVE))
        .and("de-ud-test.conllu", sentence("d", PROJECTIVE))
        .and("notes.conllu", sentence("e", PROJECTIVE));
    let by = |unit: &str| folder.run(["coverage", ".", "--by", unit, "--systems", "all,", "--format", "tsv"]);
    by("file").success().stdout_eq(str![[r#"
file	sentences	nonprojective	all
./de-ud-test.conllu	1	0	0
./en_ewt-ud-dev.conllu	1	1	1
./en_ewt-ud-train.conllu	1	1	1
./en_gum-ud-test.conllu	1	0	0
./notes.conllu	1	0	0
TOTAL	5	2	2

"#]]);
    by("treebank").success().stdout_eq(str![[r#"
treebank	sentences	nonprojective	all
de	1	0	0
en_ewt	2	2	2
en_gum	1	0	0
notes	1	0	0
TOTAL	5	2	2

"#]]);
    by("language").success().stdout_eq(str![[r#"
language	sentences	nonprojective	all
de	1	0	0
en	3	2	2
notes	1	0	0
TOTAL	5	2	2

"#]]);
}

#[test]
fn a_list_may_mix_names_and_inventories() {
    for (list, expected) in [
        ("attardi:3,s0>s1 s1>s0 b0>s1,all", &["attardi:3", "s1>s0 s0>s1 b0>s1", "all"][..]),
        // Pairs next to each other are one inventory, also between commas.
        ("s0>s1,s1>s0,all", &["s1>s0 s0>s1", "all"]),
        ("s0>s1 s1>s0,s1>s0 b0>s0", &["s1>s0 s0>s1", "s1>s0 b0>s0"]),
        (" kuhlmann-2 , all-s:3+ ", &["kuhlmann-2", "all-s:3+"]),
        ("paper", &["attardi", "all-deg1", "all", "all-s0s1"]),
        ("all+,paper,all", &["all+", "attardi", "all-deg1", "all", "all-s0s1"]),
    ] {
        let arguments = ["coverage", "two.conllu", "--format", "tsv", "--systems", list];
        assert_eq!(header(&text_of(two_sentences().run(arguments)))[3..], *expected, "{list}");
    }
}

#[test]
fn all_alone_means_every_named_system() {
    let text = text_of(tanglewood(["coverage", SAMPLE, "--systems", "all", "--format", "tsv"]).assert());
    let systems = System::all();
    let expected: Vec<&str> = systems.iter().map(System::name).collect();
    assert_eq!(header(&text)[3..], expected);
}

#[test]
fn a_wrong_name_in_a_list_gets_the_nearest_ones_suggested() {
    let run = tanglewood(["coverage", SAMPLE, "--systems", "all-deg1,al-s0s1"]).assert();
    run.code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'all-deg1,al-s0s1' for '--systems <paper|all|LIST>': no system is called `al-s0s1`; did you mean `all-s0s1` or `all-s0s1+`?

For more information, try '--help'.

"#]]);
}

#[test]
fn the_first_invalid_sentence_ends_it_with_its_place() {
    let text = sentence("a", PROJECTIVE) + &invalid_sentence("b") + &invalid_sentence("c");
    Folder::with("bad.conllu", text).run(["coverage", "bad.conllu"]).code(2).stdout_eq("").stderr_eq(str![[
        r#"
bad.conllu:7:14: head 7; expected a number from 0 to 2, the last word

"#
    ]]);
}

#[test]
fn skipped_sentences_are_listed_and_counted() {
    let text = invalid_sentence("a") + &sentence("b", CROSSING) + &invalid_sentence("c");
    let folder = Folder::with("bad.conllu", text);
    folder
        .run(["coverage", "bad.conllu", "--skip-invalid", "--format", "tsv"])
        .success()
        .stdout_eq(str![[r#"
file	sentences	nonprojective	attardi	all-deg1	all	all-s0s1
bad.conllu	1	1	1	1	1	1
TOTAL	1	1	1	1	1	1

"#]])
        .stderr_eq(str![[r#"
skipped: bad.conllu:2:14: head 7; expected a number from 0 to 2, the last word
skipped: bad.conllu:12:14: head 7; expected a number from 0 to 2, the last word
skipped 2 invalid sentences

"#]]);
    let json = text_of(folder.run(["coverage", "bad.conllu", "--skip-invalid", "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["skipped"].as_u64(), json["total"]["sentences"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn several_roots_are_allowed() {
    let folder = Folder::with("roots.conllu", sentence("a", &[0, 4, 0, 3]));
    let run = folder.run(["coverage", "roots.conllu", "--format", "tsv"]);
    run.success().stdout_eq(str![[r#"
file	sentences	nonprojective	attardi	all-deg1	all	all-s0s1
roots.conllu	1	1	1	1	1	1
TOTAL	1	1	1	1	1	1

"#]]);
}

#[test]
fn an_input_without_sentences_says_so() {
    let folder = Folder::with("empty.conllu", "");
    folder.run(["coverage", "empty.conllu"]).success().stdout_eq(str![[r#"
There is no sentence in the input.

"#]]);
    folder.run(["coverage", "empty.conllu", "--format", "tsv"]).success().stdout_eq(str![[r#"
file	sentences	nonprojective	attardi	all-deg1	all	all-s0s1
empty.conllu	0	0	0	0	0	0
TOTAL	0	0	0	0	0	0

"#]]);
}

#[test]
fn without_crossings_there_is_no_share_to_give() {
    Folder::with("flat.conllu", sentence("a", PROJECTIVE))
        .run(["coverage", "flat.conllu"])
        .success()
        .stdout_eq(str![[r#"
0 of 1 sentences are non-projective: 0.00 %; 0.00 % of arcs cross
Of the non-projective ones, covered:

file         sentences  non-projective      attardi     all-deg1          all     all-s0s1
flat.conllu          1     0    0.00 %  0         –  0         –  0         –  0         –

"#]]);
}

#[test]
fn verify_says_that_oracle_and_deduction_agree_and_changes_nothing_else() {
    for (systems, direction) in [("paper", "ltr"), ("all", "either"), ("attardi:3,s0>s2 s1>s0 b0>s1", "rtl")]
    {
        let arguments =
            ["coverage", SAMPLE, "--systems", systems, "--direction", direction, "--format", "tsv"];
        let expected = text_of(tanglewood(arguments).assert().stderr_eq(""));
        let run = tanglewood(arguments).args(["--verify", "12"]).assert().success().stdout_eq(expected);
        run.stderr_eq("verified 78 sentences of up to 12 words: oracle and deduction agree\n");
    }
}

#[test]
fn verify_looks_at_sentences_up_to_its_length_in_all_files() {
    let folder = two_sentences().and("one.conllu", sentence("c", CROSSING));
    for (words, expected) in [
        ("3", "verified 1 sentence of up to 3 words"),
        ("4", "verified 3 sentences of up to 4 words"),
        ("1000000", "verified 3 sentences of up to 1000000 words"),
    ] {
        let run = folder.run(["coverage", ".", "--verify", words, "--jobs", "2"]).success();
        run.stderr_eq(format!("{expected}: oracle and deduction agree\n"));
    }
    folder.run(["coverage", ".", "--verify", "many"]).code(2).stdout_eq("");
}

#[test]
fn verify_leaves_invalid_sentences_to_the_usual_report() {
    let folder = Folder::with("bad.conllu", invalid_sentence("a") + &sentence("b", CROSSING));
    folder.run(["coverage", "bad.conllu", "--verify", "9"]).code(2).stdout_eq("");
    let run = folder.run(["coverage", "bad.conllu", "--verify", "9", "--skip-invalid"]);
    run.success().stderr_eq(str![[r#"
skipped: bad.conllu:2:14: head 7; expected a number from 0 to 2, the last word
verified 1 sentence of up to 9 words: oracle and deduction agree
skipped 1 invalid sentence

"#]]);
}

#[test]
fn all_trees_are_a_system_that_covers_everything() {
    let folder = Folder::with("a.conllu", sentence("a", CROSSING) + &sentence("b", PROJECTIVE));
    for name in ["any", "mst"] {
        let systems = format!("arc-standard,{name}");
        let run =
            folder.run(["coverage", "a.conllu", "--systems", &systems, "--format", "tsv", "--verify", "9"]);
        let text = text_of(run);
        let expected =
            "file\tsentences\tnonprojective\tarc-standard\tany\na.conllu\t2\t1\t0\t1\nTOTAL\t2\t1\t0\t1\n";
        assert_eq!(text, expected);
    }
    let page = text_of(folder.run(["coverage", "a.conllu", "--systems", "paper,any", "--format", "html"]));
    assert!(page.contains("any 100.00 %"), "{page}");
}

#[test]
fn to_verify_sentences_of_no_words_is_refused() {
    tanglewood(["coverage", SAMPLE, "--verify", "0"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value '0' for '--verify <N>': `0` is not a number of words; expected 1 or more

For more information, try '--help'.

"#]]);
}

#[test]
fn more_threads_than_make_sense_are_fewer_and_said_so() {
    for jobs in ["20000", "18446744073709551615"] {
        let run = tanglewood(["coverage", SAMPLE, "--jobs", jobs]).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(
            said.contains("is more than makes sense here: using ") && said.lines().count() == 1,
            "{said}"
        );
        let expected = tanglewood(["coverage", SAMPLE, "--jobs", "1"]).assert().success();
        assert_eq!(run.get_output().stdout, expected.get_output().stdout);
    }
}
