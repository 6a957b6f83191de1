use std::io::Write;

use snapbox::str;
use tanglewood::sample::TREEBANK;

use crate::harness::{CROSSING, Folder, PROJECTIVE, SAMPLE, invalid_sentence, sentence, stdout_of, text_of};

/// The gold standard has a crossing; `good` has a wrong relation, and `bad` a wrong head, which undoes the
/// crossing, besides.
fn parses() -> Folder {
    let gold = sentence("a", CROSSING) + &sentence("b", PROJECTIVE).replace("dep", "nsubj");
    let good = gold.replacen("nsubj", "obj", 1);
    let bad = good.replace("2\tw2\t_\t_\t_\t_\t4", "2\tw2\t_\t_\t_\t_\t3");
    Folder::with("gold.conllu", gold).and("good.conllu", good).and("bad.conllu", bad)
}

#[test]
fn scores_are_a_table_with_intervals() {
    parses().run(["eval", "gold.conllu", "bad.conllu"]).success().stderr_eq("").stdout_eq(str![[r#"
bad.conllu against gold.conllu: 2 sentences, 7 words

percent          precision  recall      F1    95 % interval
UAS                  85.71   85.71   85.71  75.00 to 100.00
LAS                  71.43   71.43   71.43   66.67 to 75.00
CLAS                 71.43   71.43   71.43   66.67 to 75.00
MLAS                 71.43   71.43   71.43
BLEX                 71.43   71.43   71.43
relations            85.71   85.71   85.71
exact heads          50.00   50.00   50.00
exact trees           0.00    0.00    0.00
crossing arcs            –   66.67    0.00
  in both trees          –    0.00    0.00
non-projective           –    0.00    0.00
UPOS                100.00  100.00  100.00
XPOS                100.00  100.00  100.00
UFeats              100.00  100.00  100.00
AllTags             100.00  100.00  100.00
Lemmas              100.00  100.00  100.00
Words               100.00  100.00  100.00
Tokens              100.00  100.00  100.00
Sentences           100.00  100.00  100.00

"#]]);
}

#[test]
fn two_systems_are_compared() {
    let arguments = ["eval", "gold.conllu", "good.conllu", "--against", "bad.conllu"];
    parses().run(arguments).success().stderr_eq("").stdout_eq(str![[r#"
good.conllu against gold.conllu: 2 sentences, 7 words

percent          precision  recall      F1     95 % interval
UAS                 100.00  100.00  100.00  100.00 to 100.00
LAS                  85.71   85.71   85.71   66.67 to 100.00
CLAS                 85.71   85.71   85.71   66.67 to 100.00
MLAS                 85.71   85.71   85.71
BLEX                 85.71   85.71   85.71
relations            85.71   85.71   85.71
exact heads         100.00  100.00  100.00
exact trees          50.00   50.00   50.00
crossing arcs       100.00  100.00  100.00
  in both trees     100.00  100.00  100.00
non-projective      100.00  100.00  100.00
UPOS                100.00  100.00  100.00
XPOS                100.00  100.00  100.00
UFeats              100.00  100.00  100.00
AllTags             100.00  100.00  100.00
Lemmas              100.00  100.00  100.00
Words               100.00  100.00  100.00
Tokens              100.00  100.00  100.00
Sentences           100.00  100.00  100.00

bad.conllu against gold.conllu: 2 sentences, 7 words

percent          precision  recall      F1    95 % interval
UAS                  85.71   85.71   85.71  75.00 to 100.00
LAS                  71.43   71.43   71.43   66.67 to 75.00
CLAS                 71.43   71.43   71.43   66.67 to 75.00
MLAS                 71.43   71.43   71.43
BLEX                 71.43   71.43   71.43
relations            85.71   85.71   85.71
exact heads          50.00   50.00   50.00
exact trees           0.00    0.00    0.00
crossing arcs            –   66.67    0.00
  in both trees          –    0.00    0.00
non-projective           –    0.00    0.00
UPOS                100.00  100.00  100.00
XPOS                100.00  100.00  100.00
UFeats              100.00  100.00  100.00
AllTags             100.00  100.00  100.00
Lemmas              100.00  100.00  100.00
Words               100.00  100.00  100.00
Tokens              100.00  100.00  100.00
Sentences           100.00  100.00  100.00

good.conllu less bad.conllu:

F1    difference    95 % interval       p
UAS       +14.29  +0.00 to +25.00  1.0000
LAS       +14.29  +0.00 to +25.00  1.0000
CLAS      +14.29  +0.00 to +25.00  1.0000

p by approximate randomisation, two-sided, 1,000 rounds

"#]]);
}

#[test]
fn tables_by_relation_and_length_come_on_request() {
    let arguments = ["eval", "gold.conllu", "good.conllu", "--by", "label,length", "--bootstrap", "0"];
    parses().run(arguments).success().stdout_eq(str![[r#"
good.conllu against gold.conllu: 2 sentences, 7 words

percent          precision  recall      F1
UAS                 100.00  100.00  100.00
LAS                  85.71   85.71   85.71
CLAS                 85.71   85.71   85.71
MLAS                 85.71   85.71   85.71
BLEX                 85.71   85.71   85.71
relations            85.71   85.71   85.71
exact heads         100.00  100.00  100.00
exact trees          50.00   50.00   50.00
crossing arcs       100.00  100.00  100.00
  in both trees     100.00  100.00  100.00
non-projective      100.00  100.00  100.00
UPOS                100.00  100.00  100.00
XPOS                100.00  100.00  100.00
UFeats              100.00  100.00  100.00
AllTags             100.00  100.00  100.00
Lemmas              100.00  100.00  100.00
Words               100.00  100.00  100.00
Tokens              100.00  100.00  100.00
Sentences           100.00  100.00  100.00

relation  gold  system  correct  precision  recall      F1
dep          3       3        3     100.00  100.00  100.00
nsubj        2       1        1     100.00   50.00   66.67
root         2       2        2     100.00  100.00  100.00
obj          0       1        0       0.00       –    0.00

words  sentences     UAS    LAS   CLAS  exact trees
1-5            2  100.00  85.71  85.71        50.00

"#]]);
}

#[test]
fn json_has_everything() {
    let pair = ["eval", "gold.conllu", "good.conllu", "--against", "bad.conllu"];
    let run = parses().command(pair).args(["--format", "json", "--bootstrap", "100"]).assert();
    let json: serde_json::Value = serde_json::from_slice(&stdout_of(run)).unwrap();
    let keys =
        |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "bootstrap comparison gold systems");
    assert_eq!(json["bootstrap"], serde_json::json!({ "level": 0.95, "rounds": 100, "seed": 1 }));
    assert_eq!(keys(&json["comparison"]), "CLAS LAS UAS");
    assert_eq!(json["comparison"]["UAS"]["interval"], serde_json::json!([0.0, 0.25]));
    assert_eq!(json["comparison"]["UAS"]["p"], 1.0);
    let [good, bad] = &json["systems"].as_array().unwrap()[..] else { panic!("two systems") };
    assert_eq!(keys(good), "crossing labels lengths scores skipped system");
    assert_eq!((&good["system"], &bad["system"]), (&"good.conllu".into(), &"bad.conllu".into()));
    assert_eq!(
        keys(&good["scores"]),
        "AllTags BLEX CLAS LAS Lemmas MLAS Sentences Tokens UAS UFeats UPOS Words XPOS exact_heads exact_trees \
         nonprojective relations"
    );
    let las = serde_json::json!({
        "gold": 7, "system": 7, "correct": 5, "aligned": 7,
        "precision": 5.0 / 7.0, "recall": 5.0 / 7.0, "f1": 5.0 / 7.0, "interval": [2.0 / 3.0, 0.75],
    });
    assert_eq!(bad["scores"]["LAS"], las);
    let rates = |precision: f64, recall: f64, f1: f64| serde_json::json!({ "precision": precision, "recall": recall, "f1": f1 });
    let crossing = serde_json::json!({
        "gold": 3, "system": 0, "right_of_gold": 2, "right_of_system": 0, "right_of_both": 0,
        "lenient": rates(0.0, 2.0 / 3.0, 0.0), "strict": rates(0.0, 0.0, 0.0),
    });
    assert_eq!(bad["crossing"], crossing);
    assert_eq!(keys(&bad["labels"]), "dep nsubj obj root");
    assert_eq!(bad["labels"]["nsubj"]["f1"], 2.0 / 3.0);
    let length = serde_json::json!({
        "words": "1-5", "sentences": 2, "exact_trees": 0, "gold": 7, "right_heads": 6, "right_arcs": 5,
        "gold_content": 7, "right_content_arcs": 5,
    });
    assert_eq!((&bad["lengths"][0], &bad["lengths"][6]["words"]), (&length, &"61+".into()));
}

/// [`parses`], with probabilities: 0.95 for the head that `bad` has wrong, 0.8 for all others.
fn sure_parses() -> Folder {
    let folder = parses();
    let sure = |file: &str| {
        let text = String::from_utf8(folder.read(file)).unwrap();
        let rows = text.lines().map(|row| match row.strip_suffix('_') {
            Some(start) if row.starts_with("2\tw2") => format!("{start}ArcProb=0.9500\n"),
            Some(start) => format!("{start}ArcProb=0.8000\n"),
            None => format!("{row}\n"),
        });
        rows.collect::<String>()
    };
    let (good, bad) = (sure("good.conllu"), sure("bad.conllu"));
    folder.and("good.conllu", good).and("bad.conllu", bad)
}

#[test]
fn calibration_is_a_table_and_a_plot() {
    let folder = sure_parses();
    let arguments = ["eval", "gold.conllu", "bad.conllu", "--calibration", "--bootstrap", "0"];
    let table = text_of(folder.run(arguments).stderr_eq(""));
    let row = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).expect(name);
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("80-90"), ["5", "80.00", "100.00"]);
    assert_eq!(row("90-100"), ["2", "95.00", "50.00"]);
    assert_eq!(row("all"), ["7", "84.29", "85.71"]);
    assert!(table.ends_with("\nexpected calibration error 27.14\n"), "{table}");
    let arguments = ["eval", "gold.conllu", "good.conllu", "--against", "bad.conllu", "--plot", "plot.svg"];
    folder.run(arguments).success();
    let plot = String::from_utf8(folder.read("plot.svg")).unwrap();
    assert!(plot.contains("good.conllu: 7 words, expected calibration error 0.1571"), "{plot}");
    let json = stdout_of(folder.run(["eval", "gold.conllu", "bad.conllu", "--format", "json"]).success());
    let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(report["systems"][0]["calibration"]["bins"][9]["right"], 1);
}

#[test]
fn without_probabilities_there_is_no_calibration() {
    let folder = parses();
    let table = text_of(folder.run(["eval", "gold.conllu", "good.conllu", "--calibration"]).success());
    assert!(table.contains("No word has ArcProb in MISC"), "{table}");
    let arguments = ["eval", "gold.conllu", "good.conllu", "--plot", "plot.svg"];
    folder.run(arguments).code(2).stderr_eq(str![[r#"
error: good.conllu: no word has ArcProb in MISC, so there is nothing to draw; expected what `tanglewood parse --confidence` writes

"#]]);
    assert!(!folder.path("plot.svg").exists());
}

#[test]
fn the_same_seed_gives_the_same_and_another_does_not() {
    let folder = Folder::with("gold.conllu", TREEBANK).and("system.conllu", TREEBANK.replace("obl", "nmod"));
    let run = |seed: &str, jobs: &str| {
        stdout_of(folder.run([
            "eval",
            "gold.conllu",
            "system.conllu",
            "--seed",
            seed,
            "--jobs",
            jobs,
            "--format",
            "json",
        ]))
    };
    assert_eq!(run("5", "1"), run("5", "4"));
    assert_ne!(run("5", "1"), run("6", "1"));
}

#[test]
fn many_sentences_give_the_same_for_every_number_of_jobs() {
    let gold = TREEBANK.repeat(60);
    let folder = Folder::with("gold.conllu", &gold).and("system.conllu", gold.replace("obl", "nmod"));
    let run = |jobs: &str| {
        text_of(folder.run(["eval", "gold.conllu", "system.conllu", "--jobs", jobs, "--bootstrap", "50"]))
    };
    assert_eq!(run("1"), run("5"));
    assert!(run("3").contains("5,040 sentences, 42,600 words"));
}

#[test]
fn texts_that_differ_are_a_no_with_the_place() {
    let folder = parses().and("other.conllu", sentence("a", CROSSING) + &sentence("b", &[0]));
    folder.run(["eval", "gold.conllu", "other.conllu"]).code(1).stdout_eq("").stderr_eq(str![[r#"
other.conllu: the file ends; expected `w2w3`, as in gold.conllu:9
The files cannot be aligned: apart from spaces, both must have the same characters in the same order.

"#]]);
    folder.run(["eval", "other.conllu", "gold.conllu"]).code(1).stdout_eq("").stderr_eq(str![[r#"
gold.conllu:9: `w2w3`; expected the end, as in other.conllu
The files cannot be aligned: apart from spaces, both must have the same characters in the same order.

"#]]);
    let folder = folder.and("changed.conllu", sentence("a", CROSSING).replace("w2", "v2"));
    folder.run(["eval", "gold.conllu", "changed.conllu"]).code(1).stdout_eq("").stderr_eq(str![[r#"
changed.conllu:3: `v2w3w4`; expected `w2w3w4`, as in gold.conllu:3
The files cannot be aligned: apart from spaces, both must have the same characters in the same order.

"#]]);
}

#[test]
fn a_no_leaves_the_output_file_as_it_was() {
    let folder = parses().and("changed.conllu", sentence("a", PROJECTIVE)).and("scores.json", "before");
    folder.run(["eval", "gold.conllu", "changed.conllu", "-o", "scores.json"]).code(1);
    assert_eq!(folder.read("scores.json"), b"before");
    folder
        .run(["eval", "gold.conllu", "good.conllu", "-o", "scores.json", "--format", "json"])
        .success()
        .stdout_eq("");
    assert!(folder.read("scores.json").starts_with(b"{"));
}

#[test]
fn invalid_sentences_are_errors_or_skipped_on_both_sides() {
    let gold = sentence("a", CROSSING) + &sentence("b", &[2, 0]) + &sentence("c", PROJECTIVE);
    let system = sentence("a", CROSSING) + &invalid_sentence("b") + &sentence("c", PROJECTIVE);
    let folder = Folder::with("gold.conllu", gold).and("system.conllu", system);
    folder.run(["eval", "gold.conllu", "system.conllu"]).code(2).stdout_eq("").stderr_eq(str![[r#"
system.conllu:8:14: head 7; expected a number from 0 to 2, the last word

"#]]);
    let run = folder.run(["eval", "gold.conllu", "system.conllu", "--skip-invalid", "--bootstrap", "0"]);
    run.success()
        .stderr_eq(str![[r#"
skipped: system.conllu:8:14: head 7; expected a number from 0 to 2, the last word
skipped 1 invalid sentence, with the same text in the other file

"#]])
        .stdout_eq(str![[r#"
system.conllu against gold.conllu: 2 sentences, 7 words

...
UAS                 100.00  100.00  100.00
...

"#]]);
}

#[test]
fn compressed_files_and_standard_input_are_read() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(TREEBANK.as_bytes()).unwrap();
    let folder = Folder::with("gold.conllu.gz", packed.finish().unwrap());
    let run = folder.command(["eval", "gold.conllu.gz", "-"]).stdin(TREEBANK).assert();
    assert!(text_of(run).contains("84 sentences, 710 words"));
}

#[test]
fn standard_input_is_read_only_once() {
    let folder = parses();
    folder.run(["eval", "-", "-"]).code(2).stderr_eq(str![[r#"
error: two files are -; expected at most one, since standard input can be read only once

"#]]);
    folder.run(["eval", "-", "good.conllu", "--against", "bad.conllu"]).code(2).stderr_eq(str![[r#"
error: GOLD is -, but --against reads it twice; expected a file

"#]]);
    folder.run(["eval", "gold.conllu", "."]).code(2).stderr_eq(str![[r#"
error: . is a directory; expected one file

"#]]);
    folder.run(["eval", "gold.conllu", "gone.conllu"]).code(2).stderr_eq(str![[r#"
error: cannot open gone.conllu: No such file or directory

"#]]);
}

#[test]
fn empty_files_are_said_to_be_empty() {
    Folder::with("empty.conllu", "\n").run(["eval", "empty.conllu", "empty.conllu"]).success().stdout_eq(
        str![[r#"
There is no sentence in the input.

"#]],
    );
}

#[test]
fn a_file_against_itself_has_no_mistakes() {
    let json = stdout_of(crate::harness::tanglewood(["eval", SAMPLE, SAMPLE, "--format", "json"]).assert());
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    for (name, score) in json["systems"][0]["scores"].as_object().unwrap() {
        assert_eq!(score["f1"], 1.0, "{name}");
    }
}

/// Units for the bootstrap take a few bytes for a sentence; nothing else grows.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    use std::process::{Command, Stdio};
    let gold = TREEBANK.repeat(1000);
    let folder = Folder::with("gold.conllu", &gold);
    let mut child = Command::new(crate::harness::PROGRAM)
        .args(["eval", "gold.conllu", "-", "--jobs", "2"])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(gold.as_bytes()).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("84,000 sentences"));
    assert!(gold.len() > 30 << 20 && peak < 60_000, "{} bytes, {peak} kB", gold.len());
}
