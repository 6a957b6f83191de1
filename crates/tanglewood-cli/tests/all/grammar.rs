//! `tanglewood grammar`

use std::fs;

use serde_json::Value;
use snapbox::str;

use crate::harness::{CROSSING, Folder, SAMPLE, invalid_sentence, root, sentence, stdout_of, text_of};

/// A folder with a grammar, and the sample treebank.
fn fitted(options: &[&str]) -> Folder {
    let folder = Folder::with("train.conllu", fs::read(root().join(SAMPLE)).unwrap());
    folder.run(["grammar", "fit", "train.conllu", "-o", "a.grammar"].iter().chain(options)).success();
    folder
}

/// The numbers after some words that `fit` tells on standard error, one for each iteration.
fn told(folder: &Folder, arguments: &[&str], words: &str) -> Vec<f64> {
    let run = folder.run(["grammar", "fit"].iter().chain(arguments)).success();
    let told = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    let number = |line: &str| {
        let rest = line.strip_prefix("iteration ")?.split_once(words)?.1;
        rest.split_whitespace().next()?.parse().ok()
    };
    told.lines().filter_map(number).collect()
}

#[test]
fn no_iteration_lowers_the_likelihood_with_trees_without_and_with_both() {
    let folder = Folder::with("train.conllu", fs::read(root().join(SAMPLE)).unwrap());
    for data in [
        &["train.conllu"][..],
        &["--raw", "train.conllu"],
        &["train.conllu", "--raw", "train.conllu"],
        &["--raw", "train.conllu", "--start", "random", "--seed", "7"],
        &["train.conllu", "--conditionals", "neural"],
        &["--raw", "train.conllu", "--conditionals", "neural"],
    ] {
        let options = ["-o", "a.grammar", "--em", "5", "--max-length", "12"];
        let found = told(&folder, &[data, &options[..]].concat(), "log-likelihood");
        assert_eq!(found.len(), 6, "{data:?}");
        assert!(found.windows(2).all(|pair| pair[1] >= pair[0] - 1e-3), "{data:?}: {found:?}");
        assert!(found[5] > found[0], "{data:?}: {found:?}");
    }
}

#[test]
fn networks_are_resumed_parse_score_and_sample() {
    let folder = fitted(&["--conditionals", "neural", "--em", "2", "--max-length", "12"]);
    let whole = folder.read("a.grammar");
    let options = ["--conditionals", "neural", "--max-length", "12", "-o", "b.grammar"];
    for em in ["1", "2"] {
        let arguments = ["grammar", "fit", "train.conllu", "--em", em, "--resume"];
        folder.run(arguments.iter().chain(&options)).success();
    }
    assert!(folder.read("b.grammar") == whole);
    folder.run(["grammar", "fit", "train.conllu", "--resume", "-o", "b.grammar"]).code(2);
    folder.run(["grammar", "parse", "a.grammar", "train.conllu", "-o", "parsed.conllu"]).success();
    folder.run(["check", "parsed.conllu"]).success();
    folder.run(["grammar", "score", "a.grammar", "train.conllu"]).success();
    folder.run(["grammar", "sample", "a.grammar", "--count", "3"]).success();
}

#[test]
fn fitting_stops_when_the_perplexity_of_other_sentences_no_longer_falls() {
    let all = fs::read_to_string(root().join(SAMPLE)).unwrap();
    let (train, dev) = all.split_at(all.match_indices("\n\n").nth(39).unwrap().0 + 2);
    let folder = Folder::with("train.conllu", train).and("dev.conllu", dev).and("none.conllu", "");
    let fit = |dev: &str, rest: &[&str]| {
        let arguments = [&["train.conllu", "--dev", dev, "--em", "4"], rest].concat();
        told(&folder, &arguments, "perplexity of --dev")
    };
    let perplexity_of = |dev: &str| {
        let printed = text_of(folder.run(["grammar", "score", "a.grammar", dev, "--format", "json"]));
        let all: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        all["perplexity"].as_f64().unwrap()
    };

    // What is learned from becomes ever more probable.
    let found = fit("train.conllu", &["-o", "a.grammar", "--raw", "train.conllu", "--max-length", "1000"]);
    assert!(found.len() == 5 && found.windows(2).all(|pair| pair[1] < pair[0]), "{found:?}");
    assert!((perplexity_of("train.conllu") - found[4]).abs() < 1e-4, "{found:?}");

    // Of forty sentences, one iteration learns too much.
    let found = fit("dev.conllu", &["-o", "a.grammar", "--max-length", "1000"]);
    assert!(found.len() == 2 && found[1] >= found[0], "{found:?}");
    assert!((perplexity_of("dev.conllu") - found[0]).abs() < 1e-4, "{found:?}");

    // Going on changes nothing, and standard output gets the same.
    let kept = folder.read("a.grammar");
    fit("dev.conllu", &["-o", "a.grammar", "--max-length", "1000", "--resume"]);
    assert_eq!(folder.read("a.grammar"), kept);
    let arguments =
        ["grammar", "fit", "train.conllu", "--dev", "dev.conllu", "-o", "-", "--max-length", "1000"];
    assert_eq!(stdout_of(folder.run(arguments)), kept);
    folder.run(["grammar", "fit", "train.conllu", "--dev", "none.conllu", "-o", "b.grammar"]).code(2);
}

#[test]
fn a_grammar_is_the_same_for_any_number_of_threads_and_after_an_interruption() {
    let folder = fitted(&["--em", "4", "--jobs", "1"]);
    let options = ["grammar", "fit", "train.conllu", "-o", "b.grammar", "--jobs", "2"];
    folder.run(options.iter().chain(&["--em", "1"])).success();
    let resumed = folder.run(options.iter().chain(&["--em", "4", "--resume"])).success();
    let told = String::from_utf8(resumed.get_output().stderr.clone()).unwrap();
    assert!(told.contains("going on after iteration 1"), "{told}");
    assert_eq!(folder.read("a.grammar"), folder.read("b.grammar"));
    let other = folder.run(options.iter().chain(&["--resume", "--on", "form"])).code(2);
    let told = String::from_utf8(other.get_output().stderr.clone()).unwrap();
    assert!(told.contains("other data or with other options"), "{told}");
    assert_eq!(folder.read("a.grammar"), folder.read("b.grammar"));
}

#[test]
fn parsing_changes_heads_and_labels_alone_and_trees_are_those_of_the_system() {
    let folder = fitted(&["--em", "3"]);
    for decoder in ["run", "tree", "mbr"] {
        let file = format!("{decoder}.conllu");
        let arguments = ["grammar", "parse", "a.grammar", "train.conllu", "--decoder", decoder, "-o", &file];
        folder.run(arguments).success();
        let scores =
            text_of(folder.run(["eval", "train.conllu", &file, "--format", "json", "--bootstrap", "0"]));
        let scores: Value = serde_json::from_str(&scores).unwrap();
        let uas = scores["systems"][0]["scores"]["UAS"]["f1"].as_f64().unwrap_or_else(|| panic!("{scores}"));
        assert!(uas > 0.3, "{decoder}: {uas}");
        let covered = text_of(folder.run(["filter", &file, "--covered-by", "mh4", "--count"]));
        let all = text_of(folder.run(["filter", "train.conllu", "--count"]));
        assert_eq!(covered, all, "{decoder}");
        let before = String::from_utf8(folder.read("train.conllu")).unwrap();
        let after = String::from_utf8(folder.read(&file)).unwrap();
        let others = |text: &str| -> Vec<Vec<String>> {
            let columns = |line: &str| {
                let columns = line.split('\t').enumerate().filter(|(at, _)| !(6..8).contains(at));
                columns.map(|(_, column)| column.to_owned()).collect()
            };
            text.lines().map(columns).collect()
        };
        assert_eq!(others(&before), others(&after), "{decoder}");
    }
}

#[test]
fn scores_are_one_object_per_sentence_and_one_for_all() {
    let folder = fitted(&["--em", "2"]);
    let printed = text_of(folder.run(["grammar", "score", "a.grammar", "train.conllu", "--format", "json"]));
    let objects: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, sentences) = objects.split_last().unwrap();
    let sum: f64 = sentences.iter().map(|sentence| sentence["log_prob"].as_f64().unwrap()).sum();
    let words: u64 = sentences.iter().map(|sentence| sentence["words"].as_u64().unwrap()).sum();
    assert_eq!(sentences.len(), 84);
    assert!((last["log_prob"].as_f64().unwrap() - sum).abs() < 1e-6);
    let perplexity = last["perplexity"].as_f64().unwrap();
    assert!((perplexity - (-sum / words as f64).exp()).abs() < 1e-6 && perplexity > 1.0);
    let table = text_of(folder.run(["grammar", "score", "a.grammar", "train.conllu"]));
    assert!(table.lines().last().unwrap().contains(&format!("perplexity {perplexity:.4}")), "{table}");
}

#[test]
fn more_iterations_make_what_was_learned_from_more_probable() {
    let folder = fitted(&["--em", "0"]);
    let perplexity = |folder: &Folder| -> f64 {
        let printed =
            text_of(folder.run(["grammar", "score", "a.grammar", "train.conllu", "--format", "json"]));
        let last: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        last["perplexity"].as_f64().unwrap()
    };
    let before = perplexity(&folder);
    let after = perplexity(&fitted(&["--em", "10"]));
    assert!(after < before, "{before} {after}");
}

#[test]
fn samples_are_valid_and_repeat() {
    let folder = fitted(&["--em", "2"]);
    let arguments = ["grammar", "sample", "a.grammar", "--count", "20", "--seed", "5"];
    let drawn = stdout_of(folder.run(arguments));
    assert_eq!(drawn, stdout_of(folder.run(arguments)));
    let folder = folder.and("drawn.conllu", &drawn);
    assert_eq!(text_of(folder.run(["filter", "drawn.conllu", "--covered-by", "mh4", "--count"])), "20\n");
    folder.run(["check", "drawn.conllu"]).success();
}

#[test]
fn words_can_be_generated_and_unknown_ones_have_a_probability() {
    let folder = fitted(&["--em", "1", "--on", "form", "--system", "mh4+"])
        .and("new.conllu", sentence("new", CROSSING));
    let printed = text_of(folder.run(["grammar", "score", "a.grammar", "new.conllu", "--format", "json"]));
    let first: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
    assert!(first["log_prob"].as_f64().unwrap() < 0.0, "{printed}");
    folder.run(["grammar", "parse", "a.grammar", "new.conllu"]).success();
}

#[test]
fn what_cannot_be_used_is_explained() {
    let folder = fitted(&["--em", "0"]).and("empty.conllu", "").and("bad.conllu", invalid_sentence("bad"));
    folder.run(["grammar", "fit", "empty.conllu", "-o", "b.grammar"]).code(2).stderr_eq(str![[r#"
error: there is no sentence of up to 40 words to learn from; name files with some, or raise --max-length

"#]]);
    folder.run(["grammar", "fit", "train.conllu", "-o", "b.grammar", "--system", "attardi:3"]).code(2).stderr_eq(
        str![[r#"
error: no grammar can be made for `attardi:3`: it has no dense chart; choose one such as `mh4`, `mh4+` or `all-s0s1`

"#]],
    );
    folder.run(["grammar", "fit", "bad.conllu", "-o", "b.grammar"]).code(2);
    folder.run(["grammar", "fit", "-o", "b.grammar"]).code(2);
    folder.run(["grammar", "score", "a.grammar", "bad.conllu"]).success();
    folder.run(["grammar", "score", "train.conllu", "train.conllu"]).code(2).stderr_eq(str![[r#"
error: train.conllu: line 1: no grammar; expected a file that `tanglewood grammar fit` has written

"#]]);
    let mut damaged = folder.read("a.grammar");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let folder = folder.and("damaged.grammar", damaged);
    folder.run(["grammar", "sample", "damaged.grammar"]).code(2);
    folder.run(["grammar", "sample", "none.grammar"]).code(2).stderr_eq(str![[r#"
error: cannot open none.grammar: No such file or directory

"#]]);
    assert!(!folder.names().contains(&"b.grammar".to_owned()));
    // A sentence that is too long for the memory is left as it is, and others go on.
    let long = folder.run(["grammar", "parse", "a.grammar", "train.conllu", "--max-memory", "10k"]).code(1);
    let told = String::from_utf8(long.get_output().stderr.clone()).unwrap();
    assert!(told.contains("not parsed: train.conllu:"), "{told}");
}
