//! `tanglewood man`

use crate::contract::COMMANDS;
use crate::harness::{Folder, text_of};

#[test]
fn there_is_a_page_for_the_program_and_for_each_command() {
    let folder = Folder::new();
    folder.run(["man", "share/man1"]).success().stdout_eq("").stderr_eq("");
    let mut found: Vec<String> = std::fs::read_dir(folder.path("share/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut expected: Vec<String> = COMMANDS.iter().map(|name| format!("tanglewood-{name}.1")).collect();
    expected.push("tanglewood.1".to_owned());
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_page_has_the_options_and_examples_of_the_help() {
    let folder = Folder::new();
    folder.run(["man", "."]).success();
    for command in COMMANDS {
        let page = String::from_utf8(folder.read(&format!("tanglewood-{command}.1"))).unwrap();
        let plain = page.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\");
        let help = text_of(folder.run([command, "--help"]));
        let options = help.split_whitespace().map(|word| word.trim_end_matches(','));
        let options = options.filter(|word| word.starts_with("--") && word.len() > 2);
        for option in options.filter(|option| option[2..].chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        {
            assert!(plain.contains(option), "{command}: {option}");
        }
        let (_, examples) = help.split_once("Example").unwrap();
        for line in examples.lines().skip(1) {
            assert!(plain.lines().any(|other| other == line), "{command}: {line}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = Folder::with("file", "");
    let run = folder.run(["man", "file/man1"]).code(2).stdout_eq("");
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("cannot make the folder file/man1"), "{stderr}");
}
