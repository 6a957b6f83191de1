//! Text from others that a terminal would obey: colours, moves of the cursor, new lines.

use crate::harness::{CROSSING, Folder, sentence};
use crate::trained;

/// Clears a screen, and begins a line of its own where it can.
const NASTY: &str = "x\u{1b}[2J\u{9b}31m";

/// A treebank with such forms, ids and text, one sentence of which is wrong.
fn nasty() -> String {
    let sentence = sentence(NASTY, CROSSING).replace("w2", NASTY).replace("w3", &format!("{NASTY}3"));
    format!("# text = {NASTY}\n{sentence}1\t{NASTY}\t_\t{NASTY}\t_\t{NASTY}\t0\troot\t_\t_\n\n")
}

/// Runs a command and looks for what a terminal would obey in what it prints.
fn is_clean(folder: &Folder, arguments: &[&str]) {
    let run = folder.run(arguments);
    let output = run.get_output();
    for printed in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(printed);
        // JSON is for programs, and leaves the second set of control characters as it is.
        let is_json = arguments.contains(&"json");
        let obeyed = |character: char| {
            let is_control = if is_json { character.is_ascii_control() } else { character.is_control() };
            is_control && !matches!(character, '\n' | '\t')
        };
        assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        assert!(!text.contains("\nforged"), "{arguments:?}: {text}");
    }
    assert!(!(output.stdout.is_empty() && output.stderr.is_empty()), "{arguments:?}");
}

#[cfg(unix)]
#[test]
fn no_text_of_others_reaches_a_terminal_as_it_is() {
    let name = "a\u{1b}[31m\nforged\t1\t1.conllu";
    let folder = Folder::with(name, nasty()).and("bad\u{7}\nforged.conllu", sentence("a", &[9]));
    let bad = "bad\u{7}\nforged.conllu";
    for command in [
        &["oracle", name, "--system", "all"][..],
        &["oracle", name, "--system", "all", "--proof"],
        &["oracle", name, "--system", "arc-standard"],
        &["oracle", name, "--system", "arc-standard", "--format", "json"],
        &["oracle", name, "--system", "all", "--sentence", NASTY],
        &["oracle", name, "--system", "all", "--sentence", "no\u{1b}[31m"],
        &["coverage", name],
        &["coverage", name, "--format", "tsv"],
        &["coverage", name, "--format", "json"],
        &["coverage", name, "--by", "treebank"],
        &["coverage", name, "--verify", "5"],
        &["coverage", bad],
        &["coverage", bad, "--skip-invalid"],
        &["check", name],
        &["check", name, bad],
        &["check", name, "--format", "json"],
        &["eval", name, name],
        &["eval", name, name, "--against", name, "--by", "label"],
        &["eval", name, bad],
        &["filter", bad, "--nonprojective"],
        &["filter", "\u{1b}[31m"],
        &["text", bad],
        &["info", name],
        &["parse", "\u{1b}[31m.model", name],
        &["train", name, "-o", "no\u{1b}[31m/x"],
        &["train", bad, "-o", "x"],
        &[
            "train",
            name,
            "--dev",
            name,
            "-o",
            "\u{1b}[31m",
            "--epochs",
            "1",
            "--size",
            "small",
            "--steps",
            "parse",
        ],
        &["decode", name, "--system", "all"],
        &["serve", bad, "--port", "1", "--host", "\u{1b}[31m"],
    ] {
        is_clean(&folder, command);
    }
    is_clean(&folder, &["parse", trained::name(), bad, "--output", "json"]);
}

#[test]
fn a_row_of_a_table_is_one_line() {
    let folder = Folder::with("a\nTOTAL\t9\t9.conllu", sentence("a", CROSSING));
    let run = folder.run(["coverage", ".", "--format", "tsv"]).success();
    let printed = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert_eq!(printed.lines().count(), 3, "{printed}");
    assert!(printed.contains("./a\\nTOTAL\\t9\\t9.conllu\t1\t1\t"), "{printed}");
}
