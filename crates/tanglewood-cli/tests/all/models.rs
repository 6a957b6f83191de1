//! Models by name: the one that is built in, and those in folders.

use std::fs;

use snapbox::cmd::Command;

use crate::harness::{Folder, SAMPLE, tanglewood, text_of};
use crate::trained::{bare, name};

/// The program with nothing but these folders of models.
fn with_models<const N: usize>(folder: &Folder, arguments: [&str; N]) -> Command {
    let models = folder.path("models");
    folder.command(arguments).env("TANGLEWOOD_MODELS", &models).env("XDG_DATA_HOME", folder.path("none"))
}

#[test]
fn a_sentence_needs_no_model_and_no_file() {
    let run = tanglewood(["parse"]).stdin("A review has just appeared of her new novel.\n").assert();
    let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert_eq!(said, "using the model en, which is built in; `tanglewood models` lists others\n");
    let parsed = text_of(run);
    let words: Vec<Vec<&str>> =
        parsed.lines().filter(|line| line.contains('\t')).map(|line| line.split('\t').collect()).collect();
    let forms: Vec<&str> = words.iter().map(|columns| columns[1]).collect();
    assert_eq!(forms, ["A", "review", "has", "just", "appeared", "of", "her", "new", "novel", "."]);
    // Tags, lemmas and heads are there; the verb is the root, and the novel hangs from the review or the
    // verb.
    assert!(
        words.iter().all(|columns| columns[2] != "_" && columns[3] != "_" && columns[6] != "_"),
        "{parsed}"
    );
    assert_eq!((words[4][2], words[4][3], words[4][6], words[4][7]), ("appear", "VERB", "0", "root"));
    assert_eq!((words[1][6], words[1][7]), ("5", "nsubj"));
}

#[test]
fn the_built_in_model_can_be_named_and_described() {
    let said =
        tanglewood(["parse", "en"]).stdin("Hello there.").assert().success().get_output().stderr.clone();
    assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
    let info = text_of(tanglewood(["info", "en"]).assert());
    for part in ["segment, tag, lemma, parse", "CC BY-SA 4.0", "UD_English-EWT"] {
        assert!(info.contains(part), "{part} in {info}");
    }
    let models = text_of(tanglewood(["models"]).assert());
    assert!(models.lines().any(|line| line.starts_with("en ") && line.ends_with("built in")), "{models}");
}

#[test]
fn all_instructions_give_the_same_bytes() {
    let text = text_of(tanglewood(["text", SAMPLE]).assert());
    let text = format!(
        "{text}\nI'm not sure (yet) what U.S. \u{2018}cafés\u{2019} charge: $3.50? See http://a.b/c.\n"
    );
    let parsed = |instructions: &str, arguments: &[&str]| {
        let command = tanglewood([&["parse", "en", "--confidence"], arguments].concat()).stdin(&text);
        text_of(command.env("TANGLEWOOD_INSTRUCTIONS", instructions).assert().success())
    };
    for arguments in [&["--input", "text"][..], &["--input", "text", "--output", "json"], &[SAMPLE]] {
        let portable = parsed("portable", arguments);
        assert!(portable.lines().count() > 5);
        for instructions in ["avx2", "avx512", ""] {
            assert!(parsed(instructions, arguments) == portable, "{instructions} {arguments:?}");
        }
    }
    let wrong = tanglewood(["systems"]).env("TANGLEWOOD_INSTRUCTIONS", "mmx").assert().code(2);
    let said = String::from_utf8_lossy(&wrong.get_output().stderr).into_owned();
    assert!(said.contains("is mmx; expected one of portable, avx2, avx512"), "{said}");
}

#[test]
fn models_in_folders_have_names_that_work_wherever_a_path_does() {
    let folder = Folder::new().and("models/mine.model", fs::read(name()).unwrap()).and("models/not.txt", "");
    let folder = folder.and("models/broken.model", "nothing").and("input.conllu", bare(&["some", "words"]));
    let listed = text_of(with_models(&folder, ["models", "--format", "json"]).assert());
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let names: Vec<&str> =
        listed["models"].as_array().unwrap().iter().map(|model| model["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["en", "broken", "mine"]);
    assert!(listed["models"][1]["error"].as_str().unwrap().contains("this is not a model"));
    assert_eq!(listed["models"][2]["steps"], serde_json::json!(["parse"]));
    let by_name = text_of(with_models(&folder, ["parse", "mine", "input.conllu"]).assert().stderr_eq(""));
    let by_path = text_of(with_models(&folder, ["parse", name(), "input.conllu"]).assert().stderr_eq(""));
    assert_eq!(by_name, by_path);
    with_models(&folder, ["info", "mine"]).assert().success();
}

#[test]
fn an_argument_that_is_neither_model_nor_file_gets_help() {
    let run = tanglewood(["parse", "enn", SAMPLE]).assert().code(2);
    let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    for part in ["enn is neither a model nor a file", "models: en", "did you mean en?"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let run = tanglewood(["info", "nothing-of-the-kind"]).assert().code(2);
    let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(said.contains("is not a model: there is no such file"), "{said}");
}

#[test]
fn files_alone_are_parsed_with_the_built_in_model() {
    let folder = Folder::with("letter.txt", "Dear Sir,\n\nI write to you.\n").and("b.txt", "And more.\n");
    let both = text_of(folder.run(["parse", "letter.txt", "b.txt"]));
    let named = text_of(folder.run(["parse", "en", "letter.txt", "b.txt"]));
    assert_eq!(both, named);
    assert_eq!(both.matches("# newdoc").count(), 2);
    let rebuilt = folder.command(["text", "-"]).stdin(text_of(folder.run(["parse", "letter.txt"]))).assert();
    assert_eq!(text_of(rebuilt), "Dear Sir,\n\nI write to you.\n");
}
