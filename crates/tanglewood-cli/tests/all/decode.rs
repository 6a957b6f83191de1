use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;
use snapbox::str;

use crate::harness::{Folder, PROGRAM, tanglewood};

/// Two words that like each other: 1→2 scores 3, 2→1 scores 4.
const TWO_WORDS: &str = r#"{"scores":[[0,1,2],[0,0,3],[0,4,0]]}"#;

/// A line for n words with a function of head and dependent.
fn matrix(words: usize, score: impl Fn(usize, usize) -> f64) -> String {
    let row = |head| (0..=words).map(|dependent| score(head, dependent)).collect::<Vec<f64>>();
    json!({ "scores": (0..=words).map(row).collect::<Vec<_>>() }).to_string()
}

/// Scores without rhyme or reason.
fn noise(words: usize, seed: usize) -> String {
    matrix(words, |head, dependent| {
        ((head * 7919 + dependent * 104_729 + seed * 1_299_709) % 1009) as f64 / 100.0
    })
}

fn decode(input: impl AsRef<[u8]>, arguments: &[&str]) -> OutputAssert {
    tanglewood(["decode"]).args(arguments).stdin(input.as_ref().to_vec()).assert()
}

/// What was printed, line by line, whatever the exit code.
fn lines(run: &OutputAssert) -> Vec<Value> {
    let stdout = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn heads(line: &Value) -> Vec<usize> {
    serde_json::from_value(line["heads"].clone()).unwrap()
}

#[test]
fn the_best_tree_comes_with_its_score_and_how_it_was_found() {
    decode(TWO_WORDS, &["--system", "all"])
        .success()
        .stdout_eq(str![[r#"
{"heads":[2,0],"path":"certificate","score":6.0}

"#]])
        .stderr_eq("");
    decode(TWO_WORDS, &["-", "--system", "attardi:3"]).success().stdout_eq(str![[r#"
{"heads":[2,0],"path":"certificate","score":6.0}

"#]]);
}

#[test]
fn k_gives_the_best_trees_all_different_and_no_more_than_there_are() {
    decode(TWO_WORDS, &["--system", "all", "--k", "1"]).success().stdout_eq(str![[r#"
{"heads":[2,0],"path":"certificate","score":6.0,"trees":[{"heads":[2,0],"score":6.0}]}

"#]]);
    decode(TWO_WORDS, &["--system", "all", "--k", "9", "--multi-root"]).success().stdout_eq(str![[r#"
{"heads":[2,0],"path":"certificate","score":6.0,"trees":[{"heads":[2,0],"score":6.0},{"heads":[0,1],"score":4.0},{"heads":[0,0],"score":3.0}]}

"#]]);
    let line = &lines(&decode(noise(6, 3), &["--system", "mh4+", "--k", "50"]).success())[0];
    assert_eq!(line["trees"].as_array().map(Vec::len), Some(50));
    decode(TWO_WORDS, &["--system", "all", "--k", "0"]).code(2).stdout_eq("");
}

#[test]
fn marginals_are_probabilities_over_derivations() {
    // All scores 0: of arc-standard's three runs for two words and several roots, one builds each tree.
    let run = decode(
        r#"{"scores":[[0,0,0],[0,0,0],[0,0,0]]}"#,
        &["--system", "arc-standard", "--marginals", "--multi-root"],
    );
    let line = &lines(&run.success())[0];
    assert_eq!(line["over"], "derivations");
    assert!((line["log_partition"].as_f64().unwrap() - 3f64.ln()).abs() < 1e-12);
    let marginals: Vec<Vec<f64>> = serde_json::from_value(line["marginals"].clone()).unwrap();
    let expected = [[0.0, 2.0 / 3.0, 2.0 / 3.0], [0.0, 0.0, 1.0 / 3.0], [0.0, 1.0 / 3.0, 0.0]];
    for (found, expected) in marginals.iter().flatten().zip(expected.as_flattened()) {
        assert!((found - expected).abs() < 1e-12, "{marginals:?}");
    }
    for system in ["all", "all-s0s1+", "attardi:3", "mh4+", "mh6"] {
        for direction in ["ltr", "rtl", "either"] {
            let arguments = ["--system", system, "--direction", direction, "--marginals"];
            let line = &lines(&decode(noise(5, 3), &arguments).success())[0];
            let marginals: Vec<Vec<f64>> = serde_json::from_value(line["marginals"].clone()).unwrap();
            for word in 1..=5 {
                let sum: f64 = marginals.iter().map(|row| row[word]).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{system} {direction}: {sum}");
            }
        }
    }
}

/// Crossings to the left only: 4→2 crosses 3→1, and in the mirror image 1→3 crosses 2→4.
#[test]
fn either_direction_takes_the_better_one_and_says_which() {
    let wanted = [(0, 2), (2, 1), (1, 3), (2, 4)];
    let input = matrix(4, |head, dependent| f64::from(u8::from(wanted.contains(&(head, dependent)))));
    decode(&input, &["--system", "kuhlmann-2", "--direction", "either"]).success().stdout_eq(str![[r#"
{"direction":"rtl","heads":[2,0,1,2],"path":"certificate","score":4.0}

"#]]);
    let score = |direction| {
        let run = decode(&input, &["--system", "kuhlmann-2", "--direction", direction]);
        lines(&run.success())[0]["score"].as_f64().unwrap()
    };
    assert_eq!((score("ltr"), score("rtl")), (3.0, 4.0));
    let run = decode(&input, &["--system", "kuhlmann-2", "--direction", "either", "--k", "3"]).success();
    let trees = lines(&run)[0]["trees"].as_array().unwrap().clone();
    assert!(trees.len() == 3 && trees.iter().all(|tree| tree["direction"].is_string()));
}

#[test]
fn one_root_unless_several_are_allowed() {
    let input = r#"{"scores":[[0,5,5,5],[0,0,1,1],[0,1,0,1],[0,1,1,0]]}"#;
    let heads_with = |arguments: &[&str]| heads(&lines(&decode(input, arguments).success())[0]);
    assert_eq!(heads_with(&["--system", "all", "--multi-root"]), [0, 0, 0]);
    assert_eq!(heads_with(&["--system", "all"]).iter().filter(|&&head| head == 0).count(), 1);
}

#[test]
fn null_forbids_an_arc() {
    let input = r#"{"scores":[[null,1,2],[null,null,3],[null,null,null]]}"#;
    decode(input, &["--system", "all"]).success().stdout_eq(str![[r#"
{"heads":[0,1],"path":"certificate","score":4.0}

"#]]);
}

#[test]
fn a_line_without_an_answer_says_why_and_the_others_go_on() {
    let bad = [
        r#"{"scores":[[0,1,2],[0,0],[0,4,0]]}"#,
        r#"{"scores":[[0,1,2],[0,0,3]]}"#,
        r#"{"scores":[[0,1,2],[0,0,NaN],[0,4,0]]}"#,
        r#"{"scores":[[0,1,2],[0,0,Infinity],[0,4,0]]}"#,
        r#"{"scores":[[0,1,2],[0,0,1e999],[0,4,0]]}"#,
        r#"{"scores":[[0,1,2],[0,0,-1e305],[0,4,0]]}"#,
        r#"{"scores":[[0,null,null],[0,0,3],[0,4,0]]}"#,
        r#"{"scores":[[0]]}"#,
        r#"{"scores":[]}"#,
        r#"{"scores":[[0,1],[0,0]],"scores":[[0,1],[0,0]]}"#,
        r#"{"scores":[[0,"1"],[0,0]]}"#,
        r#"{"matrix":[[0,1],[0,0]]}"#,
        r#"{"scores":[[0,1],[0,0]]} more"#,
        r#"{"scores":[[0,1],[0,0]"#,
        "scores",
    ];
    let input: String = bad.iter().map(|line| format!("{TWO_WORDS}\n\n  \t\r\n{line}\r\n")).collect();
    let run = decode(input + TWO_WORDS, &["--system", "all"]).code(1).stderr_eq("");
    let lines = lines(&run);
    assert_eq!(lines.len(), 2 * bad.len() + 1);
    assert!(lines.iter().step_by(2).all(|line| heads(line) == [2, 0]), "the others are as alone");
    let errors =
        lines.iter().skip(1).step_by(2).map(|line| line["error"].as_str().unwrap().to_owned() + "\n");
    snapbox::assert_data_eq!(
        errors.collect::<String>(),
        str![[r#"
row 1 has 2 columns; expected 3, as many as there are rows
row 0 has 3 columns; expected 2, as many as there are rows
not what was expected, {"scores": [[…]…]}: expected value at column 25
not what was expected, {"scores": [[…]…]}: expected value at column 25
not what was expected, {"scores": [[…]…]}: number out of range at column 29
the score of 1 → 2 is -1e305; expected at most 1e300 in size
no tree of this system is possible with these scores; allow more arcs or choose a system with a larger class of trees
a matrix for no words; expected at least two rows, for the root and one word
the matrix is empty; expected n + 1 rows for n words
not what was expected, {"scores": [[…]…]}: duplicate field `scores` at column 32
not what was expected, {"scores": [[…]…]}: invalid type: string "1", expected f64 at column 17
not what was expected, {"scores": [[…]…]}: missing field `scores` at column 24
not what was expected, {"scores": [[…]…]}: trailing characters at column 26
not what was expected, {"scores": [[…]…]}: EOF while parsing a list at column 22
not what was expected, {"scores": [[…]…]}: expected value at column 1

"#]]
    );
}

#[test]
fn nesting_without_end_is_no_danger() {
    let deep = "[".repeat(1 << 20);
    for input in [
        deep.clone(),
        format!("{{\"scores\":{deep}"),
        format!("{{\"scores\":[[0,1],[0,0]],\"more\":{deep}"),
        "{\"scores\":".repeat(1 << 18),
    ] {
        let run = decode(format!("{input}\n{TWO_WORDS}\n"), &["--system", "all"]).code(1);
        let lines = lines(&run);
        assert!(lines[0]["error"].as_str().unwrap().starts_with("not what was expected"));
        assert_eq!(heads(&lines[1]), [2, 0]);
    }
}

#[test]
fn other_keys_are_left_alone() {
    let input = r#"{"id": 7, "words": ["a", {"b": []}], "scores": [[0, 2.5], [0, 0]]}"#;
    decode(input, &["--system", "all"]).success().stdout_eq(str![[r#"
{"heads":[0],"path":"certificate","score":2.5}

"#]]);
}

#[test]
fn numbers_are_read_and_written_exactly() {
    let run = decode(r#"{"scores":[[0,-153.99760496461641],[0,0]]}"#, &["--system", "all"]).success();
    let stdout = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(stdout.contains(r#""score":-153.99760496461641"#), "{stdout}");
}

#[test]
fn all_trees_need_no_system() {
    for name in ["any", "mst"] {
        decode(TWO_WORDS, &["--system", name]).success().stdout_eq(str![[r#"
{"heads":[2,0],"path":"spanning","score":6.0}

"#]]);
    }
}

/// The better tree has all of the weight, and two derivations, so that the entropy over derivations is ln 2.
#[test]
fn entropy_of_huge_scores_is_that_of_the_best_tree_s_derivations() {
    let input = r#"{"scores":[[0,1000001,3000000000000001],[0,0,1],[0,1,0]]}"#;
    let run = decode(input, &["--system", "mh4+", "--marginals"]).success();
    let entropy = lines(&run)[0]["entropy"].as_f64().unwrap();
    assert!((entropy - 2f64.ln()).abs() < 1e-9, "{entropy}");
}

#[test]
fn a_constant_on_every_arc_changes_no_order_of_the_k_best() {
    let rows =
        [[0.0, 32.0, 64.0, 32.0], [0.0, 0.0, 16.0, 32.0], [0.0, 32.0, 0.0, 32.0], [0.0, 64.0, 16.0, 0.0]];
    for direction in ["ltr", "either"] {
        let trees = |offset: f64| {
            let input = matrix(3, |head, dependent| rows[head][dependent] + offset);
            let arguments = ["--system", "arc-standard", "--k", "3", "--direction", direction];
            lines(&decode(input, &arguments).success())[0]["trees"].as_array().unwrap().clone()
        };
        let plain = trees(0.0);
        let scores: Vec<f64> = plain.iter().map(|tree| tree["score"].as_f64().unwrap()).collect();
        assert_eq!(scores, [128.0, 112.0, 112.0], "{direction}");
        let heads_of = |trees: &[Value]| trees.iter().map(heads).collect::<Vec<_>>();
        assert_eq!(heads_of(&plain), heads_of(&trees(1e17)), "{direction}");
    }
}

#[test]
fn deep_systems_refuse_long_sentences_soon_and_name_one_that_fits() {
    for (system, words, memory, seconds) in [("attardi:3", 200, "100M", 1), ("mh6+", 60, "4G", 5)] {
        let start = Instant::now();
        let run = decode(noise(words, 1), &["--system", system, "--max-memory", memory]).code(1);
        assert!(start.elapsed() < Duration::from_secs(seconds), "{system}: {:?}", start.elapsed());
        let error = lines(&run)[0]["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with(&format!("{words} words in `{system}` need ")), "{error}");
        assert!(error.contains("or choose `mh"), "{error}");
    }
}

#[test]
fn what_is_too_large_for_the_memory_is_refused_with_a_remedy() {
    let input = noise(400, 1) + "\n" + TWO_WORDS;
    let start = Instant::now();
    let run = decode(&input, &["--system", "all", "--max-memory", "1G"]).code(1);
    assert!(start.elapsed() < Duration::from_secs(5));
    let lines = lines(&run);
    let error = lines[0]["error"].as_str().unwrap();
    assert!(error.starts_with("400 words in `all` need "), "{error}");
    assert!(error.contains("more than the limit of 1.1 GB; allow more, or choose `mh4+`"), "{error}");
    assert_eq!(heads(&lines[1]), [2, 0]);
}

#[test]
fn sizes_are_written_in_the_usual_ways() {
    for (size, bytes) in [
        ("1000", "1.0 kB"),
        ("1k", "1.0 kB"),
        ("2KiB", "2.0 kB"),
        ("1M", "1.0 MB"),
        ("1.5mb", "1.6 MB"),
        ("0", "0 bytes"),
    ] {
        let run = decode(noise(80, 1), &["--system", "all", "--max-memory", size]).code(1);
        let lines = lines(&run);
        let error = lines[0]["error"].as_str().unwrap();
        assert!(error.contains(&format!("more than the limit of {bytes};")), "{size}: {error}");
    }
    decode(TWO_WORDS, &["--system", "all", "--max-memory", "2T"]).success();
    for size in ["", "G", "-1", "1X", "lots", "1 G", "NaN", "inf", "1e400"] {
        let argument = format!("--max-memory={size}");
        let run = decode(TWO_WORDS, &["--system", "all", &argument]).code(2).stdout_eq("");
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let expected = "is not a size; expected a number of bytes, or one with k, M, G or T such as 500M";
        assert!(stderr.contains(expected) || size.is_empty(), "{size}: {stderr}");
    }
}

/// Lines of all lengths, bad ones among them, in an order in which later ones are ready before earlier ones.
#[test]
fn answers_are_in_order_and_the_same_for_every_number_of_jobs() {
    let lengths = (0..120).map(|at| 1 + (at * 37) % 19);
    let line = |(seed, words): (usize, usize)| match seed % 11 {
        0 => "{}\n".to_owned(),
        _ => noise(words, seed) + "\n",
    };
    let input: String = lengths.enumerate().map(line).collect();
    // So little memory that the longest sentences do not fit, whether one thread asks for it or five.
    for more in [&["--max-memory", "200k"][..], &["--k", "3", "--direction", "either"], &["--marginals"]] {
        let outputs = ["1", "2", "5"].map(|jobs| {
            let run = tanglewood(["decode", "--system", "all-s0s1", "--jobs", jobs])
                .args(more)
                .stdin(input.as_bytes().to_vec())
                .assert()
                .code(1);
            run.get_output().stdout.clone()
        });
        assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2], "{more:?}");
        let text = String::from_utf8(outputs[0].clone()).unwrap();
        assert_eq!(text.lines().count(), 120);
        let too_large = text.lines().filter(|line| line.contains("more than the limit")).count();
        assert_eq!(too_large > 0, more.contains(&"200k"), "{too_large}");
    }
}

#[test]
fn o_writes_a_file_that_is_complete_or_not_there() {
    let folder = Folder::with("scores.jsonl", TWO_WORDS).and("old.jsonl", "from last time");
    folder
        .run(["decode", "scores.jsonl", "--system", "all", "-o", "new.jsonl"])
        .success()
        .stdout_eq("")
        .stderr_eq("");
    assert_eq!(folder.read("new.jsonl"), b"{\"heads\":[2,0],\"path\":\"certificate\",\"score\":6.0}\n");
    // Damaged at its end, after lines that were read and answered.
    let mut packed = zstd::encode_all((noise(6, 1) + "\n").repeat(2000).as_bytes(), 1).unwrap();
    packed.truncate(packed.len() - 5);
    let folder = folder.and("cut.jsonl.zst", packed);
    for target in ["none.jsonl", "old.jsonl"] {
        folder.run(["decode", "cut.jsonl.zst", "--system", "all", "-o", target]).code(2);
    }
    assert_eq!(folder.read("old.jsonl"), b"from last time");
    assert_eq!(folder.names(), ["cut.jsonl.zst", "new.jsonl", "old.jsonl", "scores.jsonl"]);
}

#[test]
fn lines_without_an_answer_are_no_reason_to_lose_the_file() {
    let folder = Folder::with("scores.jsonl", format!("{{}}\n{TWO_WORDS}\n"));
    folder.run(["decode", "scores.jsonl", "--system", "all", "-o", "out.jsonl"]).code(1).stdout_eq("");
    assert_eq!(String::from_utf8(folder.read("out.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let folder = Folder::with("one/a.conllu", "");
    folder.run(["decode", "gone.jsonl", "--system", "all"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot open gone.jsonl: No such file or directory

"#]]);
    folder.run(["decode", "one", "--system", "all"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: one is a directory; expected one file

"#]]);
    folder.run(["decode", "one/a.conllu", "--system", "al"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'al' for '--system <NAME>': no system is called `al`; did you mean `all`, `all+` or `all:3`?

For more information, try '--help'.

"#]]);
}

#[test]
fn no_lines_have_no_answers() {
    decode("", &["--system", "all"]).success().stdout_eq("").stderr_eq("");
    decode("\n \n\r\n", &["--system", "all"]).success().stdout_eq("").stderr_eq("");
}

#[test]
fn compressed_input_is_unpacked() {
    let text = format!("{TWO_WORDS}\n{}\n", noise(5, 2));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(text.as_bytes()).unwrap();
    let folder = Folder::with("a.jsonl", &text)
        .and("a.jsonl.gz", gzip.finish().unwrap())
        .and("a.jsonl.xz", xz.finish().unwrap())
        .and("a.jsonl.zst", zstd::encode_all(text.as_bytes(), 1).unwrap());
    let outputs = folder.names().into_iter().map(|name| {
        let run = folder.run(["decode", &name, "--system", "all-s0s1"]).success();
        run.get_output().stdout.clone()
    });
    let outputs: Vec<Vec<u8>> = outputs.collect();
    assert_eq!(outputs.len(), 4);
    assert!(outputs.iter().all(|output| *output == outputs[0] && !output.is_empty()));
}

/// What `decode` prints in a process whose address space is limited to 300 MB; it ends with an exit code of
/// its own, not by a signal, and reports every refusal as an error.
#[cfg(target_os = "linux")]
fn decode_in_300_megabytes(input: &str, arguments: &[&str]) {
    let limited =
        snapbox::cmd::Command::new("prlimit").args(["--as=300000000", PROGRAM, "decode", "--jobs", "1"]);
    let run = limited.args(arguments).stdin(input.as_bytes().to_vec()).assert();
    let output = run.get_output();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {:?} {error}", output.status);
    assert_eq!(error, "", "{arguments:?}");
    let line = &lines(&run)[0];
    assert!(line["heads"].is_array() || line["error"].is_string(), "{arguments:?}: {line}");
}

/// All named systems, and all trees, with each kind of question.
#[cfg(target_os = "linux")]
fn all_questions_in_300_megabytes(inputs: &[String]) {
    let systems = tanglewood(["systems", "--format", "json"]).assert().success().get_output().stdout.clone();
    let systems: Vec<Value> = serde_json::from_slice(&systems).unwrap();
    let names = systems.iter().map(|system| system["name"].as_str().unwrap());
    for name in names.chain(["any", "attardi:3", "mh6+"]) {
        for input in inputs {
            for question in [&[][..], &["--k", "3"], &["--marginals"]] {
                decode_in_300_megabytes(input, &[&["--system", name], question].concat());
            }
        }
    }
}

/// A random tree on top, so that the best tree needs no chart; `size` is that of all scores.
#[cfg(target_os = "linux")]
fn peaked(words: usize, size: f64) -> String {
    matrix(words, |head, dependent| {
        let gold = if dependent <= 1 { 0 } else { (dependent * 31 + 7) % dependent };
        size * (((head * 7919 + dependent * 104_729) % 1009) as f64 / 100.0
            + if head == gold { 15.0 } else { 0.0 })
    })
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_aborts_where_300_megabytes_are_all_there_is() {
    all_questions_in_300_megabytes(&[noise(9, 1), noise(500, 2)]);
    for words in [1000, 1500] {
        for question in [&[][..], &["--k", "3"], &["--marginals"]] {
            decode_in_300_megabytes(&noise(words, 3), &[&["--system", "any"], question].concat());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes minutes; cargo xtask test --slow runs it"]
fn nothing_aborts_where_300_megabytes_are_all_there_is_for_many_lengths() {
    let inputs = [20, 45, 90].into_iter().flat_map(|words| [noise(words, words), peaked(words, 1e7)]);
    all_questions_in_300_megabytes(&inputs.collect::<Vec<_>>());
}

#[test]
fn more_trees_than_can_be_counted_are_refused() {
    let run = tanglewood(["decode", "--system", "any", "--k", "18446744073709551615"]).assert().code(2);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("expected one from 1 to 100000"));
}
