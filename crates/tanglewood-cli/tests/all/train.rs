//! `tanglewood train`: from a treebank to a model, whatever comes between.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use snapbox::cmd::OutputAssert;
use snapbox::str;
use tanglewood::sample::TREEBANK;

#[cfg(unix)]
use crate::harness::heeding_signals;
use crate::harness::{CROSSING, Folder, PROGRAM, SAMPLE, invalid_sentence, sentence, tanglewood};
use crate::trained::bare;

/// A folder with the sample treebank.
fn folder() -> Folder {
    Folder::with("sample.conllu", TREEBANK)
}

/// What every training here has in common: it is short, and learns nothing but to parse.
fn train<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["train", "--size", "small", "--jobs", "1", "--steps", "parse"], arguments].concat()
}

fn stderr_of(run: &OutputAssert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

/// The header of a model file.
fn header(model: &[u8]) -> Value {
    let length = u64::from_le_bytes(model[24..32].try_into().unwrap()) as usize;
    serde_json::from_slice(&model[48..48 + length]).unwrap()
}

/// Names of a model's header: one text, with `\u{7f}` behind each.
fn names(text: &Value) -> Vec<&str> {
    text.as_str().expect("a text").split_terminator('\u{7f}').collect()
}

#[test]
fn it_says_what_the_data_are_like_and_how_it_goes() {
    let folder = folder();
    let run =
        folder.run(train(&["sample.conllu", "--dev", "sample.conllu", "-o", "a.model", "--epochs", "2"]));
    run.success().stdout_eq("").stderr_eq(str![[r#"
training data: 1 file, 84 sentences, 710 words, 43 labels
  61 non-projective, 72.62 %; mh4+ read in either direction builds 84 of 84 trees, 100.00 %
development data: 1 file, 84 sentences, 710 words, 43 labels
  61 non-projective, 72.62 %; mh4+ read in either direction builds 84 of 84 trees, 100.00 %
model: [..] parameters; 1 thread
epoch 1/2  loss [..]  UAS [..]  LAS [..]  best  [..] words/s  [..] left
epoch 2/2  loss [..]  UAS [..]  LAS [..] words/s
a.model: UAS [..], LAS [..] on the development data; 2 epochs in 0:[..]

"#]]);
    assert_eq!(folder.names(), ["a.model", "sample.conllu"]);
}

#[test]
fn without_development_data_the_last_epoch_is_kept() {
    let folder = folder();
    let run = folder.run(train(&["sample.conllu", "-o", "a.model", "--epochs", "2", "--system", "attardi"]));
    run.success().stderr_eq(str![[r#"
training data: 1 file, 84 sentences, 710 words, 43 labels
  61 non-projective, 72.62 %; attardi read in either direction builds [..] of 84 trees, [..] %
  trees that it cannot build are learned from like all others
development data: none; the last epoch is kept, and nothing stops training early
model: [..] parameters; 1 thread
epoch 1/2  loss [..]  [..] words/s  [..] left
epoch 2/2  loss [..]  [..] words/s
a.model: the last epoch; 2 epochs in 0:[..]

"#]]);
}

#[test]
fn a_model_says_where_it_comes_from() {
    let folder = folder();
    let sample = folder.path("sample.conllu");
    let command = tanglewood(train(&["--epochs", "1", "--objective", "trees", "--seed", "5"]));
    let command = command.arg(&sample).arg("--dev").arg(&sample).arg("-o").arg(folder.path("a.model"));
    command.assert().success();
    let about = &header(&folder.read("a.model"))["about"];
    assert_eq!(about["program"], concat!("tanglewood ", env!("CARGO_PKG_VERSION")));
    assert_eq!(about["training_data"], "sample.conllu");
    assert_eq!(about["development_data"], "sample.conllu");
    assert_eq!(about["objective"], "trees");
    assert_eq!(about["settings"]["seed"], 5);
    assert_eq!(about["accuracy"]["words"], 710);
    let text = String::from_utf8_lossy(&folder.read("a.model")).into_owned();
    assert!(!text.contains(folder.path("").to_str().unwrap()), "no paths of this machine");
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    let trained = |name: &str, seed: &str, jobs: &str| {
        let arguments = ["train", "sample.conllu", "--size", "small", "--epochs", "2", "-o", name];
        folder.command(arguments).args(["--seed", seed, "--jobs", jobs]).assert().success();
        folder.read(name)
    };
    let one = trained("a", "1", "1");
    for jobs in ["1", "2", "7"] {
        assert_eq!(trained("b", "1", jobs), one, "--jobs {jobs}");
    }
    assert_ne!(trained("a", "1", "1"), trained("b", "2", "1"));
}

#[test]
fn silver_sentences_are_learned_from_and_named() {
    let silver = TREEBANK.replace("\t_\t_\n", "\t_\tHeads=0:1\n");
    let folder = folder().and("silver.conllu", silver);
    let arguments = ["sample.conllu", "--silver", "silver.conllu", "--epochs", "1", "-o", "a.model"];
    let run = folder.run(train(&arguments));
    let said = stderr_of(&run.success());
    assert!(said.contains("\nsilver data: 1 file, 84 sentences, 710 words, 43 labels\n"), "{said}");
    let about = header(&folder.read("a.model"))["about"].clone();
    assert_eq!(about["silver_data"], "silver.conllu");
    folder.run(["info", "a.model"]).success().stdout_eq(str![[r#"
...
and on, as silver  silver.conllu
...
"#]]);
    folder.run(train(&["sample.conllu", "-o", "b.model", "--epochs", "1"])).success();
    assert_ne!(folder.read("a.model"), folder.read("b.model"));
}

/// A treebank that takes a while.
fn long_training<'a>(model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments =
        ["sample.conllu", "--dev", "sample.conllu", "--epochs", "60", "--patience", "60", "-o", model];
    [&train(&arguments)[..], &["--checkpoint-every", "0.01s"], more].concat()
}

/// Starts a training, and waits until it has written some checkpoints.
fn started(folder: &Folder, arguments: &[&str], checkpoint: &Path) -> Child {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(folder.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = || std::fs::metadata(checkpoint).and_then(|metadata| metadata.modified()).ok();
    let (begun, mut last, mut times) = (Instant::now(), None, 0);
    while times < 4 {
        assert!(begun.elapsed() < Duration::from_secs(60), "checkpoints should have been written");
        assert_eq!(child.try_wait().unwrap(), None, "it should take longer");
        if written() != last {
            (last, times) = (written(), times + 1);
        }
        sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn training_that_was_killed_goes_on_as_if_nothing_had_been() {
    let folder = folder();
    folder.run(long_training("whole.model", &[])).success();
    let checkpoint = folder.path("a.model.checkpoint");
    let mut resume: &[&str] = &[];
    for _ in 0..2 {
        let mut child = started(&folder, &long_training("a.model", resume), &checkpoint);
        // SIGKILL, at any moment.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(checkpoint.exists() && !folder.path("a.model").exists());
        resume = &["--resume"];
    }
    let run = folder.run(long_training("a.model", resume)).success();
    assert!(stderr_of(&run).contains("\ngoing on after epoch "), "{}", stderr_of(&run));
    assert!(folder.read("a.model") == folder.read("whole.model"), "the same model to the last bit");
    assert_eq!(folder.names(), ["a.model", "sample.conllu", "whole.model"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_best_model_so_far() {
    use std::os::unix::process::ExitStatusExt;

    let folder = folder();
    folder.run(long_training("whole.model", &[])).success();
    let mut child = heeding_signals()
        .args(long_training("a.model", &[]))
        .current_dir(folder.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    assert!(lines.any(|line| line.starts_with("epoch  2/60")));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let stderr: String = lines.map(|line| format!("\n{line}")).chain(["\n".to_owned()]).collect();
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert!(stderr.contains("\na.model: UAS "), "{stderr}");
    assert!(stderr.ends_with("stopped early; --resume goes on from a.model.checkpoint\n"), "{stderr}");
    assert_eq!(folder.names(), ["a.model", "a.model.checkpoint", "sample.conllu", "whole.model"]);
    folder.run(["parse", "a.model", "sample.conllu"]).success();
    folder.run(long_training("a.model", &["--resume"])).success();
    assert!(folder.read("a.model") == folder.read("whole.model"));
}

#[test]
fn a_checkpoint_is_no_model_and_is_not_overwritten_by_accident() {
    let folder = folder();
    let checkpoint = folder.path("a.model.checkpoint");
    let mut child = started(&folder, &long_training("a.model", &[]), &checkpoint);
    child.kill().unwrap();
    child.wait().unwrap();
    folder.run(["parse", "a.model.checkpoint", "sample.conllu"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: a.model.checkpoint: this is a checkpoint of training, where a model is needed; finish the training with `tanglewood train … --resume`, which makes a model of it

"#]]);
    folder.run(long_training("a.model", &[])).code(2).stderr_eq(str![[r#"
error: a.model.checkpoint is there, so training of a.model was interrupted; go on with --resume, or remove the checkpoint to start anew

"#]]);
    folder.run(long_training("a.model", &["--resume", "--seed", "9"])).code(2).stderr_eq(str![[r#"
error: a.model.checkpoint was written with --seed 1, and this is --seed 9; give the same as before, or remove the checkpoint to start anew

"#]]);
    folder.run(long_training("a.model", &["--resume", "--no-tags"])).code(2).stderr_eq(str![[r#"
error: a.model.checkpoint was written with --tags upos,feats, and this is no --tags; give the same as before, or remove the checkpoint to start anew

"#]]);
    // The same name, and other sentences.
    std::fs::write(folder.path("sample.conllu"), TREEBANK.replace("Mann", "Frau")).unwrap();
    let run = folder.run(long_training("a.model", &["--resume"])).code(2);
    let expected = "error: a.model.checkpoint belongs to other data; name the same files as before, with the same content, or remove the checkpoint to start anew\n";
    assert!(stderr_of(&run).ends_with(expected), "{}", stderr_of(&run));
    std::fs::write(folder.path("sample.conllu"), TREEBANK).unwrap();
    let whole = folder.read("a.model.checkpoint");
    std::fs::write(&checkpoint, &whole[..whole.len() / 2]).unwrap();
    let run = folder.run(long_training("a.model", &["--resume"])).code(2);
    assert!(
        stderr_of(&run).contains("cannot go on from a.model.checkpoint: the file is cut off"),
        "{}",
        stderr_of(&run)
    );
}

#[test]
fn there_has_to_be_a_checkpoint_to_go_on_from() {
    folder().run(train(&["sample.conllu", "-o", "a.model", "--resume"])).code(2).stdout_eq("").stderr_eq(
        str![[r#"
error: there is no checkpoint a.model.checkpoint to go on from; leave out --resume to start anew

"#]],
    );
}

#[test]
fn time_can_be_limited_instead_of_epochs() {
    let folder = folder();
    let begun = Instant::now();
    folder.run(train(&["sample.conllu", "-o", "a.model", "--time-limit", "1s"])).success();
    assert!((0.9..20.0).contains(&begun.elapsed().as_secs_f64()));
    assert!(header(&folder.read("a.model"))["about"]["epochs"].as_u64().unwrap() > 1);
    folder.run(train(&["sample.conllu", "-o", "b.model", "--time-limit", "1x"])).code(2).stderr_eq(str![[r#"
error: invalid value '1x' for '--time-limit <T>': `1x` is not a length of time; expected a number with s, m or h such as 90s, 30m or 2h

For more information, try '--help'.

"#]]);
}

#[test]
fn time_before_an_interruption_counts() {
    let folder = folder();
    let limited: &[&str] =
        &["sample.conllu", "-o", "a.model", "--time-limit", "3s", "--checkpoint-every", "0.01s"];
    let arguments = train(limited);
    let mut child = started(&folder, &arguments, &folder.path("a.model.checkpoint"));
    sleep(Duration::from_millis(1500));
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = Instant::now();
    let run = folder.run([&arguments[..], &["--resume"]].concat()).success();
    assert!(begun.elapsed() < Duration::from_millis(2900), "the limit is for all of it: {}", stderr_of(&run));
}

#[test]
fn data_that_nothing_can_be_learned_from_are_refused() {
    let folder = Folder::with("empty.conllu", "")
        .and("blank.conllu", "\n\n")
        .and("bare.conllu", bare(&["Hi"]))
        .and("bad.conllu", sentence("a", CROSSING) + &invalid_sentence("b"));
    for file in ["empty.conllu", "blank.conllu"] {
        folder.run(train(&[file, "-o", "a.model"])).code(2).stderr_eq(str![[r#"
error: the training data has no sentence; expected a treebank in CoNLL-U

"#]]);
    }
    folder.run(train(&["bare.conllu", "-o", "a.model"])).code(2).stderr_eq(str![[r#"
bare.conllu:1:14: no head, `_`; expected the number of a word, or 0 for the root

"#]]);
    folder.run(train(&["bad.conllu", "-o", "a.model"])).code(2).stderr_eq(str![[r#"
bad.conllu:8:14: head 7; expected a number from 0 to 2, the last word

"#]]);
    let run =
        folder.run(train(&["bad.conllu", "-o", "a.model", "--skip-invalid", "--epochs", "1"])).success();
    assert!(stderr_of(&run).contains("  left out: 1 invalid sentence\n"), "{}", stderr_of(&run));
    assert!(folder.names().contains(&"a.model".to_owned()));
}

#[test]
fn unusual_data_are_named_and_learned_from() {
    let several = sentence("a", &[0, 0, 1]);
    let elsewhere = sentence("b", &[0, 1]).replace("dep", "root");
    let missing = sentence("c", &[0, 1]).replace("dep", "_");
    let folder = Folder::with("odd.conllu", several + &elsewhere + &missing);
    let run = folder.run(train(&["odd.conllu", "-o", "a.model", "--epochs", "1"])).success();
    let stderr = stderr_of(&run);
    for line in [
        "  1 sentence with several roots, the first at odd.conllu:3:14\n",
        "  1 sentence with `root` elsewhere than at the root, or another relation there, the first at odd.conllu:8:16\n",
        "  1 sentence with words without a relation, the first at odd.conllu:10\n",
    ] {
        assert!(stderr.contains(line), "{line}{stderr}");
    }
}

#[test]
fn labels_that_only_the_development_data_have_are_named() {
    let folder = Folder::with("train.conllu", sentence("a", CROSSING))
        .and("dev.conllu", sentence("b", CROSSING).replace("dep", "obl:new"));
    let run = folder.run(train(&["train.conllu", "--dev", "dev.conllu", "-o", "a.model", "--epochs", "2"]));
    let stderr = stderr_of(&run.success());
    assert!(stderr.contains("  1 label not in the training data, so never right: obl:new\n"), "{stderr}");
}

#[test]
fn one_sentence_without_tags_is_a_treebank() {
    for text in [
        sentence("a", CROSSING),
        sentence("a", &[0]),
        sentence("a", &[0, 1]).replace("root", "_").replace("dep", "_"),
        sentence("a", &[0, 1]).replace("root", "").replace("dep", ""),
    ] {
        let folder = Folder::with("one.conllu", text);
        folder.run(train(&["one.conllu", "--dev", "one.conllu", "-o", "a.model", "--epochs", "3"])).success();
        folder.run(["parse", "a.model", "one.conllu"]).success();
    }
}

#[test]
fn every_objective_and_column_of_tags_trains_a_parser() {
    let folder = folder();
    for options in [
        &["--objective", "heads", "--no-tags"][..],
        &["--objective", "trees", "--tags", "xpos"],
        &["--objective", "system", "--system", "mh3+", "--direction", "ltr", "--tags", "upos,xpos,feats"],
    ] {
        let arguments = [&train(&["sample.conllu", "-o", "a.model", "--epochs", "1"])[..], options].concat();
        folder.run(arguments).success();
        let read = header(&folder.read("a.model"))["options"].clone();
        let reads = |column: &str| options.last().unwrap().contains(column);
        for column in ["upos", "xpos", "feats"] {
            assert_eq!(read[column], reads(column), "{options:?}");
        }
        folder.run(["parse", "a.model", "sample.conllu"]).success();
    }
}

#[test]
fn windows_are_pairs_if_asked_for_and_then_every_decoder_takes_them() {
    let folder = folder();
    for objective in ["transitions", "transition-hinge", "transition-likelihood"] {
        let options = [
            "sample.conllu",
            "-o",
            "a.model",
            "--epochs",
            "2",
            "--windows",
            "pairs",
            "--objective",
            objective,
        ];
        folder.run(train(&options)).success();
        assert_eq!(header(&folder.read("a.model"))["options"]["windows"], true);
        for decoder in ["exact", "greedy", "beam:3", "mst"] {
            let arguments = ["parse", "a.model", "sample.conllu", "--decoder", decoder, "-o", "b.conllu"];
            folder.run(arguments).success().stdout_eq("");
            folder.run(["check", "b.conllu"]).success();
        }
        folder.run(["parse", "a.model", "sample.conllu", "--confidence"]).success();
    }
    folder.run(train(&["sample.conllu", "-o", "b.model", "--windows", "pairs"])).code(2).stderr_eq(str![[r#"
error: --windows is about scores of transitions, which --objective heads does not learn; choose transitions, transition-hinge or transition-likelihood

"#]]);
}

#[test]
fn models_of_transitions_parse_with_every_decoder() {
    let folder = folder();
    for objective in ["transitions", "transition-hinge", "transition-likelihood"] {
        let options = ["sample.conllu", "-o", "a.model", "--epochs", "3", "--objective", objective];
        let run = folder.run(train(&options)).success();
        assert!(stderr_of(&run).contains("mh4 read from left to right builds"), "{}", stderr_of(&run));
        let about = &header(&folder.read("a.model"))["about"];
        assert_eq!(about["objective"], format!("{objective}, mh4 ltr"));
        for decoder in ["exact", "greedy", "beam:3", "mst"] {
            let run =
                folder.run(["parse", "a.model", "sample.conllu", "--decoder", decoder, "-o", "b.conllu"]);
            run.success().stdout_eq("");
            folder.run(["check", "b.conllu"]).success();
        }
        let run =
            folder.run(["parse", "a.model", "sample.conllu", "--confidence", "--format", "json"]).success();
        for line in String::from_utf8_lossy(&run.get_output().stdout).lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            assert_eq!(object["over"], "derivations of mh4");
            let probabilities = object["arc_probs"].as_array().unwrap().iter();
            assert!(
                probabilities.map(|value| value.as_f64().unwrap()).all(|value| (0.0..=1.0).contains(&value))
            );
            assert!(object["tree_log_prob"].as_f64().unwrap() <= 0.0);
            // Learned one by one, they are decoded so.
            let path = if objective == "transitions" { "search" } else { "chart" };
            assert_eq!(object["path"], path);
        }
        if objective != "transitions" {
            long_sentences_are_parsed_in_a_narrow_system(&folder);
        }
        folder.run(["parse", "a.model", "sample.conllu", "--nbest", "2"]).failure().code(2);
        folder.run(["parse", "a.model", "sample.conllu", "--direction", "rtl"]).code(2).stderr_eq(str![[
            r#"
error: this is a model of transitions, which learned to read ltr; leave out --direction rtl

"#
        ]]);
    }
}

/// Where the chart of a model's own system would not fit, frames of three nodes do, by the same scores.
fn long_sentences_are_parsed_in_a_narrow_system(folder: &Folder) {
    let parsed = |options: &[&str]| -> Vec<Value> {
        let arguments = [&["parse", "a.model", "sample.conllu", "--format", "json"], options].concat();
        let run = folder.run(arguments).success();
        let lines = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let narrow = parsed(&["--system", "mh3", "--confidence"]);
    let little = parsed(&["--max-memory", "20K", "--confidence"]);
    let same = little.iter().zip(&narrow).filter(|(little, _)| little["path"] == "narrow-too-large");
    for (little, narrow) in same.clone() {
        assert_eq!(little["heads"], narrow["heads"]);
        // In so little memory there may be no room for probabilities.
        assert!(["derivations of mh3", ""].contains(&little["over"].as_str().unwrap()));
    }
    assert!(same.count() > 0);
}

#[test]
fn models_of_transitions_learn_to_read_in_every_direction() {
    let folder = folder();
    let heads = |options: &[&str]| {
        let arguments = [&["parse", "a.model", "sample.conllu", "--format", "json"], options].concat();
        let run = folder.run(arguments).success();
        let lines = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        let objects = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.collect::<Vec<Value>>()
    };
    for (direction, read, over) in [
        ("rtl", "from right to left", "derivations of mh4 from right to left"),
        ("either", "in either direction", "derivations of mh4 in both directions, half each"),
    ] {
        for objective in ["transitions", "transition-hinge", "transition-likelihood"] {
            let data = ["sample.conllu", "-o", "a.model", "--epochs", "2", "--objective", objective];
            let run = folder.run(train(&[&data[..], &["--direction", direction]].concat())).success();
            assert!(stderr_of(&run).contains(&format!("mh4 read {read} builds")), "{}", stderr_of(&run));
            let header = header(&folder.read("a.model"));
            assert_eq!(header["options"]["direction"], direction);
            let run = folder.run(["info", "a.model"]).success();
            let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
            assert!(said.contains(&format!("{objective}, mh4 {direction}")), "{said}");
            for decoder in ["exact", "greedy", "beam:3", "mst"] {
                heads(&["--decoder", decoder, "--confidence"]);
            }
            for object in heads(&["--decoder", "exact", "--confidence"]) {
                assert_eq!(object["over"], over);
                assert!(object["tree_log_prob"].as_f64().unwrap() <= 0.0);
            }
            folder.run(["parse", "a.model", "sample.conllu", "--nbest", "2"]).code(2).stderr_eq(str![[r#"
error: this is a model of transitions, for which there is no --nbest; take --decoder mst

"#]]);
        }
    }
    // A model of both can be asked for one of them.
    let [ltr, rtl] = ["ltr", "rtl"].map(|direction| heads(&["--direction", direction]));
    assert_ne!(ltr, rtl);
    assert_ne!(heads(&[]), ltr);
    folder.run(train(&["sample.conllu", "-o", "b.model", "--direction", "inwards"])).code(2).stderr_eq(str![[r#"
error: invalid value 'inwards' for '--direction <ltr|rtl|either>': `inwards` is not a direction; expected ltr, rtl or either

For more information, try '--help'.

"#]]);
}

#[test]
fn a_model_of_both_directions_does_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let trained = |jobs: &str| {
        let data = ["train", "sample.conllu", "--dev", "sample.conllu", "-o", "a.model", "--jobs", jobs];
        let size = ["--size", "small", "--epochs", "2", "--steps", "parse"];
        let options = ["--objective", "transition-likelihood", "--direction", "either", "--windows", "pairs"];
        folder.run([&data[..], &size, &options].concat()).success();
        folder.read("a.model")
    };
    assert_eq!(trained("1"), trained("2"));
}

#[test]
fn pretrained_vectors_become_part_of_the_model() {
    let folder = folder().and("vectors.txt", "2 3\nMann 1 2 3\nFrau 3 2 1\n").and("bad.txt", "a 1 2\nb 1\n");
    let arguments = train(&["sample.conllu", "-o", "a.model", "--epochs", "1", "--vectors", "vectors.txt"]);
    let stderr = stderr_of(&folder.run(arguments).success());
    assert!(stderr.contains("vectors: 2 of 3 numbers\n"), "{stderr}");
    let header = header(&folder.read("a.model"));
    assert_eq!(header["options"]["vectors"], 3);
    assert_eq!(names(&header["vocabulary"]["vectors"]), ["Mann", "Frau"]);
    let run = folder.run(train(&["sample.conllu", "-o", "b.model", "--vectors", "bad.txt"])).code(2);
    assert!(stderr_of(&run).contains("error: bad.txt:2:1: found 1 numbers; expected"), "{}", stderr_of(&run));
}

#[test]
fn lemmas_of_a_list_are_used_for_forms_that_the_treebank_lacks() {
    let folder = folder().and("list.tsv", "xyzzy\tNOUN\tplugh\n").and("bad.tsv", "xyzzy\tNOUN\n");
    let short =
        ["train", "sample.conllu", "-o", "a.model", "--epochs", "1", "--size", "small", "--jobs", "1"];
    let list = |file, steps| [&short[..], &["--lemmas", file, "--steps", steps]].concat();
    let stderr = stderr_of(&folder.run(list("list.tsv", "tag,lemma,parse")).success());
    assert!(stderr.contains("list: 1 lemma\n"), "{stderr}");
    let lemmas = &header(&folder.read("a.model"))["vocabulary"]["lemmas"];
    let pairs = names(&lemmas["lexicon"][0]);
    let pair = pairs.iter().position(|pair| *pair == "xyzzy\tNOUN").expect("it is in the lexicon");
    let script = lemmas["lexicon"][1][pair].as_u64().expect("a number");
    assert_eq!(names(&lemmas["scripts"])[script as usize], "=plugh");
    assert!(script >= lemmas["learned"].as_u64().expect("a number"));
    let run = folder.run(list("bad.tsv", "tag,lemma,parse")).code(2);
    let message = "error: bad.tsv:1:1: found `xyzzy\\tNOUN`; expected a form, its UPOS and its lemma";
    assert!(stderr_of(&run).contains(message), "{}", stderr_of(&run));
    let run = folder.run(list("list.tsv", "parse")).code(2);
    assert!(
        stderr_of(&run).contains("error: --lemmas is given, but no lemmas are learned"),
        "{}",
        stderr_of(&run)
    );
}

#[test]
fn a_treebank_may_come_from_several_files_or_a_pipe() {
    let folder =
        Folder::with("parts/a.conllu", sentence("a", CROSSING)).and("parts/b.conllu", sentence("b", &[0]));
    let stderr = stderr_of(&folder.run(train(&["parts", "-o", "a.model", "--epochs", "1"])).success());
    assert!(stderr.starts_with("training data: 2 files, 2 sentences, 5 words"), "{stderr}");
    assert_eq!(header(&folder.read("a.model"))["about"]["training_data"], "a.conllu, b.conllu");
    let piped =
        folder.command(train(&["-", "-o", "b.model", "--epochs", "1"])).stdin(sentence("a", CROSSING));
    piped.assert().success();
    let twice = folder.run(train(&["-", "--dev", "-", "-o", "c.model"])).code(2);
    assert!(stderr_of(&twice).contains("standard input can be read only once"));
}

#[test]
fn places_that_cannot_be_written_to_are_known_before_the_work() {
    let folder = folder();
    folder.run(train(&["sample.conllu", "-o", "gone/a.model"])).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot write gone/a.model: there is no folder gone; make it first

"#]]);
    folder.run(train(&["sample.conllu", "-o", "-"])).code(2).stdout_eq("").stderr_eq(str![[r#"
error: the model is -; expected the name of a file

"#]]);
    assert_eq!(folder.names(), ["sample.conllu"]);
}

#[test]
fn training_and_parsing_take_the_paths_that_other_commands_take() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(sentence("a", CROSSING).as_bytes()).unwrap();
    let folder = Folder::with("a.conllu.gz", packed.finish().unwrap());
    folder.run(train(&["a.conllu.gz", "-o", "a.model", "--epochs", "1"])).success();
    tanglewood(["train", SAMPLE]).assert().code(2).stderr_eq(str![[r#"
error: the following required arguments were not provided:
  --output <MODEL>

Usage: tanglewood train --output <MODEL> <TRAIN>...

For more information, try '--help'.

"#]]);
}

#[test]
fn all_that_the_treebank_has_is_learned() {
    let folder = folder();
    let arguments = ["train", "sample.conllu", "--dev", "sample.conllu", "-o", "a.model", "--epochs", "1"];
    folder.command(arguments).args(["--size", "small", "--jobs", "1"]).assert().success().stderr_eq(str![[r#"
...
segment 1/1  loss [..]  tokens [..]  words [..]  sentences [..]  best
model: [..] parameters; 1 thread
epoch 1/1  loss [..]  UPOS [..]  FEATS [..]  lemmas [..]  UAS [..]  LAS [..]  best  [..] words/s
a.model: tokens [..]  words [..]  sentences [..]; UPOS [..], FEATS [..], lemmas [..], UAS [..], LAS [..] on the development data; 1 epoch in 0:[..]

"#]]);
    assert_eq!(folder.names(), ["a.model", "sample.conllu"]);
    assert!(header(&folder.read("a.model"))["segmenter"].is_object());
    // Nothing is known of the text.
    let folder = Folder::with("bare.conllu", sentence("a", CROSSING));
    let bare = ["train", "bare.conllu", "-o", "b.model", "--epochs", "1", "--size", "small"];
    folder.run(bare).success();
    assert!(header(&folder.read("b.model"))["segmenter"].is_null());
    folder.command(bare).args(["--steps", "segment"]).assert().code(2).stderr_eq(str![[r#"
error: the training data has neither `# text` nor SpaceAfter, so that nothing is known of its text; leave out the step segment

"#]]);
    folder.command(bare).args(["--steps", "tag"]).assert().code(2).stderr_eq(str![[r#"
error: the step tag is learned together with parse; name both, and leave out parse when you use the model

"#]]);
}

#[test]
fn a_file_after_that_of_dev_is_not_learned_from_without_a_word() {
    let folder = folder();
    for option in ["--dev", "--silver"] {
        let run =
            folder.run(["train", "sample.conllu", option, "a.conllu", "b.conllu", "-o", "a.model"]).code(2);
        let said = stderr_of(&run);
        let expected = format!("b.conllu follows `{option} a.conllu`, so it is not clear what it is for");
        assert!(said.contains(&expected), "{said}");
        assert!(said.contains(&format!("`{option} a.conllu {option} b.conllu`")), "{said}");
    }
    // With nothing before it there is no doubt.
    let run =
        folder.run(train(&["--dev", "sample.conllu", "sample.conllu", "-o", "a.model", "--epochs", "1"]));
    assert!(stderr_of(&run.success()).contains("training data: 1 file"));
}

#[test]
fn development_data_may_be_several_files() {
    let folder = folder().and("few.conllu", sentence("a", CROSSING));
    let files = ["sample.conllu", "--dev", "sample.conllu", "--dev", "few.conllu"];
    let run = folder.command(train(&files)).args(["-o", "a.model", "--epochs", "1"]).assert();
    assert!(stderr_of(&run.success()).contains("development data: 2 files, 85 sentences"));
}

#[test]
fn two_trainings_of_one_model_do_not_get_in_each_other_s_way() {
    let folder = folder();
    let mut first = Command::new(PROGRAM)
        .args(train(&["-", "-o", "a.model", "--epochs", "1"]))
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !folder.path("a.model.checkpoint.lock").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "the lock should have appeared");
        sleep(Duration::from_millis(5));
    }
    let second = || folder.run(train(&["sample.conllu", "-o", "a.model", "--epochs", "1"]));
    second().code(2).stderr_eq(str![[r#"
error: another training of a.model is under way, and has locked a.model.checkpoint.lock; wait for its end, or name another model after -o

"#]]);
    // A killed one leaves the file, and no lock.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(folder.path("a.model.checkpoint.lock").exists());
    second().success();
    assert_eq!(folder.names(), ["a.model", "sample.conllu"]);
    // A file of that name that no training has made is not taken for a lock, which is removed at the end.
    std::fs::write(folder.path("a.model.checkpoint.lock"), "mine").unwrap();
    second().code(2).stderr_eq(str![[r#"
error: a.model.checkpoint.lock is needed as a lock, and has something in it; move it, or name another model after -o

"#]]);
    assert_eq!(folder.read("a.model.checkpoint.lock"), b"mine");
}
