//! `tanglewood parse`: what it writes, whatever the input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use snapbox::str;
use tanglewood::Tree;
use tanglewood::sample::TREEBANK;

use crate::harness::{CROSSING, Folder, PROGRAM, SAMPLE, root, sentence, stdout_of, tanglewood, text_of};
use crate::trained::{arcs, bare, model, name};

/// What becomes of a text.
fn parsed(text: &str, options: &[&str]) -> String {
    text_of(tanglewood(["parse", name()]).args(options).stdin(text).assert())
}

fn objects(text: &str, options: &[&str]) -> Vec<Value> {
    let text = parsed(text, &[&["--format", "json"], options].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All sentences of an output have trees with one root and the relation `root` there.
fn assert_trees(text: &str) {
    for sentence in arcs(text) {
        let heads: Vec<usize> = sentence.iter().map(|(head, _)| *head).collect();
        assert!(Tree::from_heads(&heads).unwrap().has_single_root(), "{heads:?}");
        assert!(sentence.iter().all(|(head, label)| (*head == 0) == (label == "root")), "{sentence:?}");
    }
}

/// Everything but HEAD and DEPREL of words.
fn rest(text: &str) -> String {
    let line = |line: &str| {
        let mut columns: Vec<&str> = line.split('\t').collect();
        if columns.len() == 10 && columns[0].bytes().all(|byte| byte.is_ascii_digit()) {
            (columns[6], columns[7]) = ("", "");
        }
        columns.join("\t")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_sentence_gets_a_tree_and_nothing_else_changes() {
    for decoder in ["exact", "greedy", "beam:4", "mst"] {
        let text = parsed(TREEBANK, &["--decoder", decoder]);
        assert_trees(&text);
        assert_eq!(rest(&text), rest(TREEBANK));
        assert_ne!(arcs(&text), arcs(TREEBANK), "it has not learned so much");
    }
}

#[test]
fn what_it_writes_passes_the_check() {
    let folder = Folder::with("parsed.conllu", parsed(TREEBANK, &["--confidence"]));
    folder.run(["check", "parsed.conllu"]).success();
}

#[test]
fn every_byte_outside_of_head_and_deprel_is_kept() {
    let odd = "\u{FEFF}# sent_id = a\r\n# odd  = x\r\n1-2\tam\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n\
               1\ta\tlemma with space\tDET\tX\tA=1\t_\t_\t0:root|2:x\tK=v|\r\n2\tm\t_\t_\t_\t_\t1\tdep\t_\t_\r\n\
               2.1\te\t_\t_\t_\t_\t_\t_\t1:y\t_\r\n3\tn\t_\t_\t_\t_\t9\tfoo\t_\t_\r\n\r\n\r\n# id = b\n1\tx\t_\t_\t_\t_\t_\t_\t_\t_";
    let text = parsed(odd, &[]);
    let kept = |text: &str| rest(text).replace("\t\r\n", "\t_\r\n");
    assert_eq!(kept(&text), kept(odd));
    assert!(text.starts_with('\u{FEFF}') && !text.ends_with('\n'));
}

#[test]
fn files_are_joined_such_that_sentences_stay_apart() {
    let one = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_";
    let folder = Folder::with("a.conllu", one).and("b.conllu", format!("\u{FEFF}{one}\n\n"));
    let text = text_of(folder.run(["parse", name(), "a.conllu", "b.conllu"]));
    assert_eq!(text, "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
}

#[test]
fn the_bytes_are_the_same_for_every_number_of_jobs_and_through_a_pipe() {
    let folder = Folder::with("a.conllu", TREEBANK.repeat(12));
    for options in [&["--confidence"][..], &["--format", "json", "--nbest", "2"], &["--decoder", "beam:2"]] {
        let file =
            |jobs| folder.command(["parse", name(), "a.conllu", "--jobs", jobs]).args(options).assert();
        let one = text_of(file("1"));
        assert!(one.len() > 500_000);
        assert_eq!(one, text_of(file("2")), "{options:?}");
        assert_eq!(one, text_of(file("5")), "{options:?}");
        let piped = tanglewood(["parse", name(), "-"]).args(options).stdin(TREEBANK.repeat(12));
        let piped = text_of(piped.assert()).replace("\"file\":\"-\"", "\"file\":\"a.conllu\"");
        assert_eq!(one, piped, "{options:?}");
    }
}

#[test]
fn an_answer_comes_while_the_pipe_stays_open() {
    let mut child = Command::new(PROGRAM)
        .args(["parse", name()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for form in ["Hi", "Ho"] {
        // A blank line ends a sentence; what follows is not waited for.
        stdin.write_all(bare(&[form]).as_bytes()).unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), format!("1\t{form}\t_\t_\t_\t_\t0\troot\t_\t_"));
        assert_eq!(lines.next().unwrap().unwrap(), "");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn confidence_goes_to_misc_and_a_comment() {
    tanglewood(["parse", name(), "--confidence"])
        .stdin("# text = Hi\n1\tHi\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|ArcProb=0.5|X=y\n\n")
        .assert()
        .success()
        .stdout_eq(str![[r#"
# text = Hi
# tree_log_prob = 0.0000
1	Hi	_	_	_	_	0	root	_	SpaceAfter=No|X=y|ArcProb=1.0000|LabelProb=[..]


"#]]);
}

#[test]
fn confidence_replaces_what_it_said_before() {
    let once = parsed(TREEBANK, &["--confidence"]);
    assert_eq!(parsed(&once, &["--confidence"]), once);
    assert_eq!(once.matches("# tree_log_prob = -").count(), 84);
    let rows = TREEBANK.lines().filter(|line| line.split('\t').next().unwrap().parse::<u32>().is_ok());
    assert_eq!(once.matches("ArcProb=").count(), rows.count());
}

#[test]
fn probabilities_are_those_of_an_enumeration() {
    // Two words have two trees with one root: their probabilities sum to one, and an arc's is that of the
    // trees that have it.
    let object = &objects(&bare(&["Mann", "spricht"]), &["--nbest", "5", "--confidence"])[0];
    let trees = object["trees"].as_array().unwrap();
    assert_eq!(trees.len(), 2);
    let probability = |tree: &Value| tree["tree_log_prob"].as_f64().unwrap().exp();
    assert!((trees.iter().map(probability).sum::<f64>() - 1.0).abs() < 1e-3);
    for tree in trees {
        for arc in tree["arc_probs"].as_array().unwrap() {
            assert!((arc.as_f64().unwrap() - probability(tree)).abs() < 1e-3);
        }
    }
    assert_eq!(object["over"], "all trees");
}

#[test]
fn probabilities_are_over_the_system_s_trees_where_each_has_one_derivation() {
    let over = |options: &[&str]| {
        let options = [&["--confidence"], options].concat();
        objects(&bare(&["a", "b", "c"]), &options)[0]["over"].as_str().unwrap().to_owned()
    };
    assert_eq!(over(&[]), "all trees");
    assert_eq!(over(&["--system", "mh3", "--direction", "ltr"]), "trees of mh3");
    assert_eq!(over(&["--system", "mh3", "--decoder", "mst"]), "all trees");
    assert_eq!(over(&["--system", "mh3", "--decoder", "greedy"]), "all trees");
    // Three words have seven projective trees with one root, of nine trees in all.
    let logs = |system: &str, direction: &str, decoder: &str| {
        let options = ["--nbest", "20", "--confidence", "--system", system, "--decoder", decoder];
        let options = [&options[..], &["--direction", direction]].concat();
        let trees = objects(&bare(&["a", "b", "c"]), &options)[0]["trees"].as_array().unwrap().clone();
        trees.iter().map(|tree| tree["tree_log_prob"].as_f64().unwrap().exp()).collect::<Vec<f64>>()
    };
    for (system, decoder, count) in [("mh3", "exact", 7), ("mh4+", "mst", 9)] {
        let probabilities = logs(system, "ltr", decoder);
        assert_eq!(probabilities.len(), count, "{system}");
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    }
}

#[test]
fn the_best_trees_are_different_and_come_in_order() {
    for options in [&[][..], &["--decoder", "mst"], &["--system", "arc-standard"]] {
        for object in objects(TREEBANK, &[&["--nbest", "4"], options].concat()) {
            let trees = object["trees"].as_array().unwrap();
            assert_eq!(trees[0]["heads"], object["heads"]);
            let scores: Vec<f64> = trees.iter().map(|tree| tree["score"].as_f64().unwrap()).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
            for (at, tree) in trees.iter().enumerate() {
                assert!(trees[..at].iter().all(|other| other["heads"] != tree["heads"]));
            }
        }
    }
}

#[test]
fn the_best_trees_are_consecutive_sentences() {
    let one = "# sent_id = a\n1\tMann\t_\t_\t_\t_\t_\t_\t_\t_\n2\tspricht\t_\t_\t_\t_\t_\t_\t_\t_";
    tanglewood(["parse", name(), "--nbest", "3"]).stdin(one).assert().success().stdout_eq(str![[r#"
# sent_id = a
# nbest = 1/2
# tree_score = -[..]
1	Mann	_	_	_	_	[..]	[..]	_	_
2	spricht	_	_	_	_	[..]	[..]	_	_

# sent_id = a
# nbest = 2/2
# tree_score = -[..]
1	Mann	_	_	_	_	[..]	[..]	_	_
2	spricht	_	_	_	_	[..]	[..]	_	_
"#]]);
    tanglewood(["parse", name(), "--nbest", "3", "--decoder", "greedy"])
        .stdin(one)
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
error: --nbest needs a decoder that knows what is best; take --decoder exact or mst

"#]]);
}

/// Sentences that make no sense: the words of several ones of the sample, one from each in turn.
fn nonsense() -> String {
    let forms = |sentence: &'static str| sentence.lines().filter_map(|line| line.split('\t').nth(1));
    let sentences: Vec<Vec<&str>> =
        TREEBANK.split("\n\n").map(|sentence| forms(sentence).collect()).collect();
    let mixed = sentences.chunks(4).map(|few| {
        let most = few.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|at| few.iter().filter_map(move |forms| forms.get(at).copied())).collect()
    });
    mixed.filter(|forms: &Vec<&str>| !forms.is_empty()).map(|forms| bare(&forms)).collect()
}

#[test]
fn decoders_are_ordered_by_what_they_search() {
    let text = nonsense();
    let scores = |options: &[&str]| {
        let scores = objects(&text, options).into_iter().map(|object| object["score"].as_f64().unwrap());
        scores.collect::<Vec<f64>>()
    };
    let mst = scores(&["--decoder", "mst"]);
    let exact = scores(&["--direction", "ltr"]);
    for smaller in [&["--decoder", "beam:8"][..], &["--decoder", "greedy"], &["--system", "arc-standard"]] {
        let found = scores(smaller);
        for at in 0..mst.len() {
            assert!(mst[at] >= exact[at] - 1e-3 && exact[at] >= found[at] - 1e-3, "{smaller:?}");
        }
        assert!(found.iter().sum::<f64>() < exact.iter().sum::<f64>() - 0.1, "{smaller:?} finds less");
    }
}

#[test]
fn given_heads_and_their_relations_are_kept() {
    // All are given: nothing is left to parse.
    assert_eq!(parsed(TREEBANK, &["--keep-heads"]), TREEBANK);
    // Every other one is.
    let half: String = TREEBANK
        .lines()
        .map(|line| {
            let mut columns: Vec<&str> = line.split('\t').collect();
            if columns.len() == 10 && columns[0].parse::<u32>().is_ok_and(|id| id % 2 == 0) {
                (columns[6], columns[7]) = ("_", "_");
            }
            columns.join("\t") + "\n"
        })
        .collect();
    for decoder in ["exact", "mst", "greedy", "beam:3"] {
        let text = parsed(&half, &["--keep-heads", "--decoder", decoder]);
        assert_trees(&text);
        for (found, gold) in arcs(&text).iter().zip(arcs(TREEBANK)) {
            assert!(found.iter().zip(&gold).step_by(2).all(|(found, gold)| found == gold), "{decoder}");
        }
    }
}

#[test]
fn a_given_head_without_a_relation_gets_one() {
    let text = parsed("1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\tfoo\t_\t_\n\n", &["--keep-heads"]);
    let arcs = &arcs(&text)[0];
    assert_eq!((arcs[0].0, &arcs[1]), (2, &(0, "root".to_owned())));
    assert_ne!(arcs[0].1, "_");
}

#[test]
fn given_heads_that_contradict_each_other_are_an_error() {
    let folder = Folder::with(
        "cycle.conllu",
        "# sent_id = s1\n1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n\n",
    )
    .and("roots.conllu", "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    .and("far.conllu", "# sent_id = s1\n1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n\n");
    folder.run(["parse", name(), "cycle.conllu", "--keep-heads"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cycle.conllu:1: sentence s1: the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0

"#]]);
    folder.run(["parse", name(), "roots.conllu", "--keep-heads"]).code(2).stdout_eq("").stderr_eq(str![[
        r#"
error: roots.conllu:2: sentence at line 1: words 1 and 2 both have head 0; expected one root at most

"#
    ]]);
    folder.run(["parse", name(), "far.conllu", "--keep-heads"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: far.conllu:2: sentence s1: head `7` of word 1; expected `_` or the number of another word of 1, or 0

"#]]);
}

#[test]
fn given_heads_that_only_the_system_cannot_have_are_kept_all_the_same() {
    let given = sentence("crossing", CROSSING);
    let run = tanglewood(["parse", name(), "--keep-heads", "--system", "arc-standard", "--stats"]);
    let run = run.stdin(&*given).assert().success().stderr_eq(str![[r#"
-:1: sentence crossing: arc-standard cannot build a tree with the given heads; this is the best of all trees with them
1 sentence, 4 words in [..] s with [..]: [..] words/s
  1 by mst, with given heads that the system cannot have, 100.00 %
  reading [..] s, encoding [..] s, scoring [..] s, decoding [..] s, labelling [..] s, writing [..] s

"#]]);
    assert_eq!(text_of(run), given);
}

#[test]
fn json_has_one_object_per_sentence() {
    let text = "# sent_id = a\n1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n# no id\n1\tHo\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    tanglewood(["parse", name(), "--format", "json"]).stdin(text).assert().success().stdout_eq(str![[r#"
{"deprels":["root"],"file":"-","forms":["Hi"],"heads":[0],"line":1,"path":"certificate","score":0.0,"sent_id":"a"}
{"deprels":["root"],"file":"-","forms":["Ho"],"heads":[0],"line":4,"path":"certificate","score":0.0,"sent_id":null}

"#]]);
}

#[test]
fn statistics_say_how_and_where_the_time_went() {
    tanglewood(["parse", name(), SAMPLE, "--stats", "-j", "2", "-o", "/dev/null"])
        .assert()
        .success()
        .stderr_eq(str![[r#"
84 sentences, 710 words in [..] s with 2 threads: [..] words/s
  [..] by certificate, [..] %
...
  reading [..] s, encoding [..] s, scoring [..] s, decoding [..] s, labelling [..] s, writing [..] s

"#]]);
}

#[test]
fn what_does_not_fit_in_memory_is_the_best_of_all_trees() {
    let run =
        tanglewood(["parse", name(), SAMPLE, "--stats", "--system", "arc-standard", "--max-memory", "1"]);
    let run = run.assert().success().stderr_eq(str![[r#"
84 sentences, 710 words in [..]
  [..] by certificate, [..] %
  [..] by mst, being too long for --max-memory, [..] %
  reading [..]

"#]]);
    let mst = tanglewood(["parse", name(), SAMPLE, "--decoder", "mst"]).assert();
    assert_eq!(text_of(run), text_of(mst));
}

#[test]
fn odd_sentences_are_parsed() {
    for text in [
        bare(&["Hi"]),
        bare(&["北京", "是", "首都"]),
        bare(&["\u{0}\u{FFFD}🙂", "ܫܠܡܐ"]),
        bare(&vec!["the"; 2000]),
    ] {
        let result = parsed(&text, &[]);
        assert_trees(&result);
        assert_eq!(rest(&result), rest(&text));
    }
}

#[test]
fn a_sentence_too_long_for_all_pairs_of_words_is_cut() {
    let text = bare(&vec!["the"; 7000]);
    let run = tanglewood(["parse", name(), "--stats"]).stdin(&*text).assert().success();
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("  1 cut into pieces, being too long for any decoder\n"), "{stderr}");
    let result = text_of(run);
    assert_trees(&result);
    assert_eq!(arcs(&result)[0].len(), 7000);
    let error = tanglewood(["parse", name(), "--keep-heads"]).stdin(text.replacen(
        "_\t_\t_\t_\n",
        "0\troot\t_\t_\n",
        1,
    ));
    let error = error.assert().code(2);
    let stderr = String::from_utf8_lossy(&error.get_output().stderr).into_owned();
    assert!(stderr.contains("7000 words with given heads; expected at most 3000"), "{stderr}");
}

#[test]
fn empty_input_is_no_error() {
    for text in ["", "\n", "\n\n\n"] {
        assert_eq!(parsed(text, &[]), text);
    }
    assert_eq!(parsed("\n", &["--format", "json"]), "");
}

#[test]
fn input_that_is_not_conllu_is_refused_with_its_place() {
    let bad = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n3\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    let folder = Folder::with("bad.conllu", bare(&["x"]) + bad + "# nothing\n\n");
    folder.run(["parse", name(), "bad.conllu"]).code(2).stdout_eq("").stderr_eq(str![[r#"
bad.conllu:4:1: id 3 after 1; expected 2

"#]]);
    folder
        .run(["parse", name(), "bad.conllu", "--skip-invalid"])
        .success()
        .stdout_eq(str![[r#"
1	x	_	_	_	_	0	root	_	_


"#]])
        .stderr_eq(str![[r#"
skipped: bad.conllu:4:1: id 3 after 1; expected 2
skipped: bad.conllu:6:1: a sentence without words; expected at least one line with a word
skipped 2 invalid sentences

"#]]);
}

#[test]
fn a_file_given_with_o_is_as_before_after_an_error() {
    let folder = Folder::with("bad.conllu", bare(&["x"]) + "oops\n\n").and("old.conllu", "from last time");
    folder.run(["parse", name(), "bad.conllu", "-o", "old.conllu"]).code(2);
    assert_eq!(folder.read("old.conllu"), b"from last time");
}

#[test]
fn what_is_not_a_model_is_said_to_be_none() {
    let whole = std::fs::read(model()).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let folder = Folder::with("text", TREEBANK)
        .and("cut", &whole[..whole.len() / 2])
        .and("damaged", damaged)
        .and("tiny", &whole[..20])
        .and("empty", "");
    let error = |command: &str, file: &str| {
        let run = folder.command([command, file]).stdin("").assert().code(2).stdout_eq("");
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    // To parse, such files are input.
    for file in ["text", "empty"] {
        let error = error("info", file);
        assert!(error.starts_with(&format!("error: {file}: this is not a model")), "{error}");
        assert!(error.contains("tanglewood train"), "{error}");
    }
    let expected = [
        ("parse", "cut", "the file is cut off"),
        ("parse", "tiny", "the file is cut off"),
        ("parse", "damaged", "the file is damaged"),
        ("parse", "gone", "gone is neither a model nor a file: there is no such file"),
        ("info", "gone", "gone is not a model: there is no such file"),
        ("info", ".", "is a directory"),
    ];
    for (command, file, message) in expected {
        let error = error(command, file);
        assert!(error.contains(message), "{command} {file}: {error}");
    }
}

#[test]
fn wrong_decoders_are_answered_with_the_right_ones() {
    tanglewood(["parse", name(), "--decoder", "beam:0"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'beam:0' for '--decoder <exact|greedy|beam:K|mst>': `beam:0` is not a decoder; expected exact, greedy, mst, or beam and its width such as beam:8

For more information, try '--help'.

"#]]);
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(PROGRAM)
        .args(["parse", name(), SAMPLE])
        .current_dir(root())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn compressed_input_is_unpacked() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(TREEBANK.as_bytes()).unwrap();
    let folder = Folder::with("a.conllu.gz", packed.finish().unwrap());
    let text = stdout_of(folder.run(["parse", name(), "a.conllu.gz"]));
    assert_eq!(text, parsed(TREEBANK, &[]).into_bytes());
}

/// Peak memory of the program in kB after it has read a number of copies of the sample.
#[cfg(target_os = "linux")]
fn peak_memory(copies: usize) -> u64 {
    let mut child = Command::new(PROGRAM)
        .args(["parse", name(), "--jobs", "2", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..copies {
        stdin.write_all(TREEBANK.as_bytes()).unwrap();
    }
    // It waits for more, so it can still be asked.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let (some, more) = (peak_memory(60), peak_memory(600));
    assert!(more < some + 10_000, "{some} kB, {more} kB");
}

#[test]
#[ignore = "needs the UD 2.16 treebanks"]
fn real_treebanks_come_back_whole_and_valid() {
    let folder = std::env::var_os("TANGLEWOOD_TREEBANKS")
        .expect("TANGLEWOOD_TREEBANKS names the folder with treebanks");
    let folder = std::path::PathBuf::from(folder).join("ud-2.16");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let result = parsed(&text, &["--keep-heads"]);
        assert!(result == text, "all heads are given");
        let result = parsed(&text, &[]);
        assert_trees(&result);
        assert!(rest(&result) == rest(&text));
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn what_would_never_end_is_refused() {
    for (option, value, expected) in [
        ("--nbest", "18446744073709551615", "expected one from 1 to 1000"),
        ("--nbest", "0", "expected one from 1 to 1000"),
        ("--decoder", "beam:1000000", "expected a beam of at most 1000"),
        ("--decoder", "beam:0", "is not a decoder"),
    ] {
        let run = tanglewood(["parse", name(), SAMPLE, option, value]).assert().code(2);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn the_cost_of_confidence_has_a_limit() {
    let long: Vec<String> = (0..1001).map(|at| format!("w{}", at % 7)).collect();
    let forms: Vec<&str> = long.iter().map(String::as_str).collect();
    let folder = Folder::with("long.conllu", bare(&forms) + &bare(&forms[..20]));
    let run = folder.run(["parse", name(), "long.conllu", "--confidence", "--decoder", "mst"]).success();
    let output = run.get_output();
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed.matches("LabelProb=").count(), 1021);
    assert_eq!(printed.matches("ArcProb=").count(), 20);
    assert_eq!(
        said,
        "long.conllu:1: sentence at line 1: 1001 words; arcs get probabilities in sentences of up to 1000\n"
    );
}
