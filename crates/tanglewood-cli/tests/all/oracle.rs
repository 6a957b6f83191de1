use snapbox::str;

use crate::harness::{
    CROSSING, Folder, PROGRAM, PROJECTIVE, SAMPLE, invalid_sentence, sentence, tanglewood, text_of,
};

fn two_sentences() -> Folder {
    Folder::with("two.conllu", sentence("flat", PROJECTIVE) + &sentence("crossing", CROSSING))
}

#[test]
fn a_derivation_is_shown_step_by_step() {
    let run =
        tanglewood(["oracle", SAMPLE, "--system", "attardi", "--sentence", "en-preposition-stranding-1"])
            .assert();
    run.success()
        .stdout_eq(str![[r#"
sentence 18 (en-preposition-stranding-1): 9 words, attardi, 19 steps
Which drawer did you put the keys in?
  step  transition  arc             stack (top last)          buffer
  0                                                           ROOT Which drawer did you …
  1     shift                       ROOT                      Which drawer did you put …
  2     shift                       ROOT Which                drawer did you put the …
  3     shift                       ROOT Which drawer         did you put the keys …
  4     s0>s1       drawer → Which  ROOT drawer               did you put the keys …
  5     shift                       ROOT drawer did           you put the keys in …
  6     shift                       ROOT drawer did you       put the keys in ?
  7     shift                       ROOT drawer did you put   the keys in ?
  8     s0>s1       put → you       ROOT drawer did put       the keys in ?
  9     s0>s1       put → did       ROOT drawer put           the keys in ?
  10    shift                       ROOT drawer put the       keys in ?
  11    shift                       ROOT drawer put the keys  in ?
  12    s0>s1       keys → the      ROOT drawer put keys      in ?
  13    s1>s0       put → keys      ROOT drawer put           in ?
  14    shift                       ROOT drawer put in        ?
  15    s2>s0       drawer → in     ROOT drawer put           ?
  16    s0>s1       put → drawer    ROOT put                  ?
  17    shift                       ROOT put ?
  18    s1>s0       put → ?         ROOT put
  19    s1>s0       ROOT → put      ROOT

"#]])
        .stderr_eq("");
}

#[test]
fn a_sentence_is_found_by_id_and_by_index_from_0() {
    let folder = two_sentences();
    let show =
        |wanted: &str| text_of(folder.run(["oracle", "two.conllu", "--system", "all", "--sentence", wanted]));
    assert_eq!(show("1"), show("crossing"));
    assert!(show("0").starts_with("sentence 0 (flat): 3 words, all, 7 steps\n"));
}

#[test]
fn without_a_choice_all_sentences_are_shown_with_a_blank_line_between() {
    two_sentences().run(["oracle", "two.conllu", "--system", "all"]).success().stdout_eq(str![[r#"
sentence 0 (flat): 3 words, all, 7 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w1 w2 w3
  1     shift                  ROOT              w1 w2 w3
  2     shift                  ROOT w1           w2 w3
  3     b0>s0       w2 → w1    ROOT              w2 w3
  4     shift                  ROOT w2           w3
  5     shift                  ROOT w2 w3
  6     s1>s0       w2 → w3    ROOT w2
  7     s1>s0       ROOT → w2  ROOT

sentence 1 (crossing): 4 words, all, 9 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w1 w2 w3 w4
  1     shift                  ROOT              w1 w2 w3 w4
  2     shift                  ROOT w1           w2 w3 w4
  3     shift                  ROOT w1 w2        w3 w4
  4     b0>s1       w3 → w1    ROOT w2           w3 w4
  5     shift                  ROOT w2 w3        w4
  6     b0>s1       w4 → w2    ROOT w3           w4
  7     shift                  ROOT w3 w4
  8     s1>s0       w3 → w4    ROOT w3
  9     s1>s0       ROOT → w3  ROOT

"#]]);
}

#[test]
fn a_proof_in_a_system_with_frames_has_its_items() {
    let arguments =
        ["oracle", "two.conllu", "--system", "mh4+", "--proof", "--sentence", "crossing", "--format"];
    let folder = two_sentences();
    folder.command(arguments).arg("text").assert().success().stdout_eq(str![[r#"
sentence 1 (crossing): 4 words, mh4+, 9 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w1 w2 w3 w4
  1     shift                  ROOT              w1 w2 w3 w4
  2     shift                  ROOT w1           w2 w3 w4
  3     shift                  ROOT w1 w2        w3 w4
  4     b0>s1       w3 → w1    ROOT w2           w3 w4
  5     shift                  ROOT w2 w3        w4
  6     b0>s1       w4 → w2    ROOT w3           w4
  7     shift                  ROOT w3 w4
  8     s1>s0       w3 → w4    ROOT w3
  9     s1>s0       ROOT → w3  ROOT
  proof, item by item:
   1. [0, 1]        sh
   2. [1, 2]        sh
   3. [2, 3]        sh
   4. [1, 2, 3]     co         from 2, 3
   5. [0, 1, 2, 3]  co         from 1, 4
   6. [0, 2, 3]     re(b0,s1)  from 5
   7. [3, 4]        sh
   8. [0, 2, 3, 4]  co         from 6, 7
   9. [0, 3, 4]     re(b0,s1)  from 8
  10. [4, 5]        sh
  11. [0, 3, 4, 5]  co         from 9, 10
  12. [0, 3, 5]     re(s1,s0)  from 11
  13. [0, 5]        re(s1,s0)  from 12

"#]]);
    folder.command(arguments).arg("json").assert().success().stdout_eq(str![[r#"
{"arcs":[[3,1],[4,2],[3,4],[0,3]],"covered":true,"direction":"ltr","file":"two.conllu","index":1,"proof":[{"from":[],"item":"[0, 1]","rule":"sh"},{"from":[],"item":"[1, 2]","rule":"sh"},{"from":[],"item":"[2, 3]","rule":"sh"},{"from":[2,3],"item":"[1, 2, 3]","rule":"co"},{"from":[1,4],"item":"[0, 1, 2, 3]","rule":"co"},{"from":[5],"item":"[0, 2, 3]","rule":"re(b0,s1)"},{"from":[],"item":"[3, 4]","rule":"sh"},{"from":[6,7],"item":"[0, 2, 3, 4]","rule":"co"},{"from":[8],"item":"[0, 3, 4]","rule":"re(b0,s1)"},{"from":[],"item":"[4, 5]","rule":"sh"},{"from":[9,10],"item":"[0, 3, 4, 5]","rule":"co"},{"from":[11],"item":"[0, 3, 5]","rule":"re(s1,s0)"},{"from":[12],"item":"[0, 5]","rule":"re(s1,s0)"}],"sent_id":"crossing","system":"mh4+","transitions":["shift","shift","shift","b0>s1","shift","b0>s1","shift","s1>s0","s1>s0"],"words":4}

"#]]);
}

#[test]
fn json_gives_a_line_per_sentence() {
    let run = two_sentences().run(["oracle", "two.conllu", "--system", "all-s0s1", "--format", "json"]);
    run.success().stdout_eq(str![[r#"
{"arcs":[[2,1],[2,3],[0,2]],"covered":true,"direction":"ltr","file":"two.conllu","index":0,"sent_id":"flat","system":"all-s0s1","transitions":["shift","shift","b0>s0","shift","shift","s1>s0","s1>s0"],"words":3}
{"arcs":[[3,1],[4,2],[3,4],[0,3]],"covered":true,"direction":"ltr","file":"two.conllu","index":1,"sent_id":"crossing","system":"all-s0s1","transitions":["shift","shift","shift","b0>s1","shift","b0>s1","shift","s1>s0","s1>s0"],"words":4}

"#]]).stderr_eq("");
}

#[test]
fn from_right_to_left_words_keep_the_numbers_of_the_sentence() {
    let folder = two_sentences();
    let arguments =
        ["oracle", "two.conllu", "--system", "all", "--direction", "rtl", "--sentence", "crossing"];
    folder.run(arguments).success().stdout_eq(str![[r#"
sentence 1 (crossing): 4 words, all, right to left, 9 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w4 w3 w2 w1
  1     shift                  ROOT              w4 w3 w2 w1
  2     shift                  ROOT w4           w3 w2 w1
  3     shift                  ROOT w4 w3        w2 w1
  4     shift                  ROOT w4 w3 w2     w1
  5     s2>s0       w4 → w2    ROOT w4 w3        w1
  6     s0>s1       w3 → w4    ROOT w3           w1
  7     shift                  ROOT w3 w1
  8     s1>s0       w3 → w1    ROOT w3
  9     s1>s0       ROOT → w3  ROOT

"#]]);
    let json = text_of(folder.command(arguments).args(["--format", "json"]).assert());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut arcs: Vec<(u64, u64)> = serde_json::from_value(json["arcs"].clone()).unwrap();
    arcs.sort_by_key(|&(_, word)| word);
    assert_eq!(arcs, [(3, 1), (4, 2), (0, 3), (3, 4)]);
}

#[test]
fn a_tree_that_cannot_be_built_shows_how_far_it_got_and_who_can() {
    let folder = two_sentences();
    let arguments = ["oracle", "two.conllu", "--system", "arc-standard"];
    folder
        .run(arguments)
        .code(1)
        .stdout_eq(str![[r#"
sentence 0 (flat): 3 words, arc-standard, 7 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w1 w2 w3
  1     shift                  ROOT              w1 w2 w3
  2     shift                  ROOT w1           w2 w3
  3     shift                  ROOT w1 w2        w3
  4     s0>s1       w2 → w1    ROOT w2           w3
  5     shift                  ROOT w2 w3
  6     s1>s0       w2 → w3    ROOT w2
  7     s1>s0       ROOT → w2  ROOT

sentence 1 (crossing): 4 words, arc-standard, not covered
  step  transition  arc  stack (top last)  buffer
  0                                        ROOT w1 w2 w3 w4
  1     shift            ROOT              w1 w2 w3 w4
  2     shift            ROOT w1           w2 w3 w4
  3     shift            ROOT w1 w2        w3 w4
  4     shift            ROOT w1 w2 w3     w4
  5     shift            ROOT w1 w2 w3 w4
  stuck: the buffer is empty, and no node on the stack is complete with its head in reach
  covered by: arc-hybrid+, kuhlmann-2, attardi, all-deg1, all-deg1+, all, all+, all-s0s1, all-s0s1+, mh3+, mh4, mh4+, mh5, mh5+

"#]])
        .stderr_eq("");
    folder.command(arguments).args(["--format", "json"]).assert().code(1).stdout_eq(str![[r#"
{"arcs":[[2,1],[2,3],[0,2]],"covered":true,"direction":"ltr","file":"two.conllu","index":0,"sent_id":"flat","system":"arc-standard","transitions":["shift","shift","shift","s0>s1","shift","s1>s0","s1>s0"],"words":3}
{"arcs":[],"covered":false,"direction":"ltr","file":"two.conllu","index":1,"sent_id":"crossing","stack":[0,1,2,3,4],"system":"arc-standard","transitions":["shift","shift","shift","shift","shift"],"words":4}

"#]]);
}

#[test]
fn the_answer_is_about_the_sentences_shown() {
    let run = two_sentences().run(["oracle", "two.conllu", "--system", "arc-standard", "--sentence", "flat"]);
    run.success();
}

#[test]
fn an_unknown_sentence_is_an_error_that_says_which_there_are() {
    let run = two_sentences().run(["oracle", "two.conllu", "--system", "all", "--sentence", "7"]);
    run.code(2).stdout_eq("").stderr_eq(str![[r#"
error: no sentence `7` in two.conllu; expected a sent_id, or an index from 0 to 1

"#]]);
}

#[test]
fn a_file_without_sentences_has_none_to_show() {
    let run = Folder::with("empty.conllu", "\n").run([
        "oracle",
        "empty.conllu",
        "--system",
        "all",
        "--sentence",
        "0",
    ]);
    run.code(2).stderr_eq(str![[r#"
error: there is no sentence in empty.conllu

"#]]);
}

#[test]
fn an_invalid_sentence_ends_it_unless_skipped() {
    let folder = Folder::with("bad.conllu", invalid_sentence("a") + &sentence("b", PROJECTIVE));
    let arguments = ["oracle", "bad.conllu", "--system", "all", "--format", "json"];
    folder.run(arguments).code(2).stdout_eq("").stderr_eq(str![[r#"
bad.conllu:2:14: head 7; expected a number from 0 to 2, the last word

"#]]);
    folder.command(arguments).arg("--skip-invalid").assert().success().stdout_eq(str![[r#"
{"arcs":[[2,1],[2,3],[0,2]],"covered":true,"direction":"ltr","file":"bad.conllu","index":1,"sent_id":"b","system":"all","transitions":["shift","shift","b0>s0","shift","shift","s1>s0","s1>s0"],"words":3}

"#]]).stderr_eq(str![[r#"
skipped: bad.conllu:2:14: head 7; expected a number from 0 to 2, the last word
skipped 1 invalid sentence

"#]]);
}

#[test]
fn other_invalid_sentences_do_not_matter_when_one_is_chosen() {
    let folder = Folder::with("bad.conllu", invalid_sentence("a") + &sentence("b", PROJECTIVE));
    folder.run(["oracle", "bad.conllu", "--system", "all", "--sentence", "b"]).success().stderr_eq("");
}

#[test]
fn the_direction_has_to_be_one() {
    let run = tanglewood(["oracle", SAMPLE, "--system", "all", "--direction", "either"]).assert();
    run.code(2).stderr_eq(str![[r#"
error: invalid value 'either' for '--direction <ltr|rtl>': `either` is not one direction; expected ltr or rtl

For more information, try '--help'.

"#]]);
}

#[test]
fn a_directory_of_several_files_is_not_a_file() {
    let folder = two_sentences().and("three.conllu", "");
    folder.run(["oracle", ".", "--system", "all"]).code(2).stderr_eq(str![[r#"
error: . is a directory; expected one file

"#]]);
}

#[test]
fn a_proof_has_an_item_for_each_step() {
    let folder = two_sentences();
    folder
        .run(["oracle", "two.conllu", "--system", "attardi", "--sentence", "crossing", "--proof"])
        .success()
        .stdout_eq(str![[r#"
sentence 1 (crossing): 4 words, attardi, 9 steps
  step  transition  arc        stack (top last)  buffer
  0                                              ROOT w1 w2 w3 w4
  1     shift                  ROOT              w1 w2 w3 w4
  2     shift                  ROOT w1           w2 w3 w4
  3     shift                  ROOT w1 w2        w3 w4
  4     shift                  ROOT w1 w2 w3     w4
  5     s0>s2       w3 → w1    ROOT w2 w3        w4
  6     shift                  ROOT w2 w3 w4
  7     s0>s2       w4 → w2    ROOT w3 w4
  8     s1>s0       w3 → w4    ROOT w3
  9     s1>s0       ROOT → w3  ROOT
  proof, an item for each step:
  1. [ε, 0, ε, 0, 1]  sh
  2. [0, 1, 0, 1, 2]  sh
  3. [1, 2, 1, 2, 3]  sh
  4. [2, 3, 2, 3, 4]  sh
  5. [1, 2, 2, 3, 4]  re(s0,s2)  from 3, 4
  6. [3, 4, 3, 4, 5]  sh
  7. [1, 2, 3, 4, 5]  re(s0,s2)  from 5, 6
  8. [0, 1, 0, 3, 5]  re(s1,s0)  from 2, 7
  9. [ε, 0, ε, 0, 5]  re(s1,s0)  from 1, 8

"#]])
        .stderr_eq("");
}

#[test]
fn a_proof_in_json_is_a_list_of_items_rules_and_premises() {
    let folder = two_sentences();
    let arguments = ["oracle", "two.conllu", "--system", "arc-standard", "--proof", "--format", "json"];
    // The second sentence is not covered, and has no proof.
    folder.run(arguments).code(1).stdout_eq(str![[r#"
{"arcs":[[2,1],[2,3],[0,2]],"covered":true,"direction":"ltr","file":"two.conllu","index":0,"proof":[{"from":[],"item":"[0, 0, 1]","rule":"sh"},{"from":[],"item":"[1, 1, 2]","rule":"sh"},{"from":[],"item":"[2, 2, 3]","rule":"sh"},{"from":[2,3],"item":"[1, 2, 3]","rule":"re(s0,s1)"},{"from":[],"item":"[3, 3, 4]","rule":"sh"},{"from":[4,5],"item":"[1, 2, 4]","rule":"re(s1,s0)"},{"from":[1,6],"item":"[0, 0, 4]","rule":"re(s1,s0)"}],"sent_id":"flat","system":"arc-standard","transitions":["shift","shift","shift","s0>s1","shift","s1>s0","s1>s0"],"words":3}
{"arcs":[],"covered":false,"direction":"ltr","file":"two.conllu","index":1,"sent_id":"crossing","stack":[0,1,2,3,4],"system":"arc-standard","transitions":["shift","shift","shift","shift","shift"],"words":4}

"#]]);
}

#[test]
fn proofs_of_every_covered_sentence_fit_their_transitions() {
    for (system, direction) in [("all", "ltr"), ("all-s0s1+", "rtl"), ("attardi:3", "ltr")] {
        let arguments = ["oracle", SAMPLE, "--system", system, "--direction", direction, "--format", "json"];
        let run = tanglewood(arguments).arg("--proof").assert();
        let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        for line in text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
            if line["covered"] == false {
                assert!(line.get("proof").is_none());
                continue;
            }
            let rule = |transition: &str| match transition.split_once('>') {
                None => "sh".to_owned(),
                Some((head, dependent)) => format!("re({head},{dependent})"),
            };
            let transitions = line["transitions"].as_array().unwrap().iter();
            let expected: Vec<String> = transitions.map(|name| rule(name.as_str().unwrap())).collect();
            let proof = line["proof"].as_array().unwrap();
            let rules: Vec<&str> = proof.iter().map(|step| step["rule"].as_str().unwrap()).collect();
            assert_eq!(rules, expected);
            for (number, step) in (1..).zip(proof) {
                let premises: Vec<u64> = serde_json::from_value(step["from"].clone()).unwrap();
                assert_eq!(premises.len(), if step["rule"] == "sh" { 0 } else { 2 });
                assert!(premises.iter().all(|&premise| premise >= 1 && premise < number));
            }
        }
    }
}

#[test]
fn words_of_a_proof_from_right_to_left_are_counted_from_the_right() {
    let arguments = ["oracle", "two.conllu", "--system", "all", "--sentence", "0", "--proof"];
    let text = text_of(two_sentences().command(arguments).args(["--direction", "rtl"]).assert());
    assert!(text.contains("  proof, an item for each step (words are counted from the right):\n"));
}

/// Configurations of all steps together would take tens of gigabytes.
#[test]
#[cfg(target_os = "linux")]
fn a_star_of_a_hundred_thousand_words_takes_little_memory() {
    let words = 100_000;
    let mut heads = vec![words; words];
    heads[words - 1] = 0;
    for (name, heads) in [("root", vec![0; words]), ("last", heads)] {
        let folder = Folder::with("star.conllu", sentence(name, &heads));
        for format in ["text", "json"] {
            let run = std::process::Command::new("sh")
                .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", PROGRAM])
                .args(["oracle", "star.conllu", "--system", "mh6+", "--format", format])
                .current_dir(folder.path(""))
                .output()
                .unwrap();
            assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
            let lines = run.stdout.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(lines, if format == "text" { 2 * words + 4 } else { 1 }, "{name}");
        }
    }
}
