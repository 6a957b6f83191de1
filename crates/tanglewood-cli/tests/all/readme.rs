//! The examples of the README and of the commands' pages, run.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::{Data, IntoData, assert_data_eq};

use crate::contract::COMMANDS;
use crate::harness::{PROGRAM, root};

/// What a command of a page prints at the repository's root, with standard error among it, as on a terminal.
fn output_of(command: &str) -> String {
    let folder = Path::new(PROGRAM).parent().unwrap().to_owned();
    let rest = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([folder].into_iter().chain(env::split_paths(&rest))).unwrap();
    let script = format!("exec 2>&1\n{command}");
    let output =
        Command::new("sh").args(["-c", &script]).env("PATH", path).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The text with everything after a line of a console block that runs tanglewood replaced by what that
/// command prints.
fn with_real_outputs(text: &str) -> (String, usize) {
    let mut result = String::new();
    let mut commands = 0;
    let mut in_console = false;
    let mut replacing = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
            replacing = false;
        }
        let command = line.strip_prefix("$ ").filter(|_| in_console);
        if command.is_some() || !replacing {
            result += line;
            result.push('\n');
        }
        if let Some(command) = command {
            replacing = command.contains("tanglewood ");
            if replacing {
                result += &output_of(command);
                commands += 1;
            }
        }
    }
    (result, commands)
}

/// The README and the pages of the commands.
fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("docs/commands")).unwrap();
    let mut pages: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn every_example_of_the_readme_and_of_the_commands_pages_prints_what_it_says() {
    let mut total = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let (expected, commands) = with_real_outputs(&text);
        total += commands;
        assert_data_eq!(expected.into_data().raw(), Data::read_from(&path, None).raw());
    }
    assert!(total >= 24, "{total} examples are left");
}

#[test]
fn every_command_has_a_page_and_the_index_leads_there() {
    let index = fs::read_to_string(root().join("docs/commands/README.md")).unwrap();
    let commands = COMMANDS.into_iter().map(|command| format!("{command}.md"));
    let expected: BTreeSet<String> = commands.chain(["README.md".to_owned()]).collect();
    let names = fs::read_dir(root().join("docs/commands")).unwrap();
    let found: BTreeSet<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(found, expected);
    for command in COMMANDS {
        assert!(index.contains(&format!("[`{command}`]({command}.md)")), "{command}");
    }
}

#[test]
fn links_of_the_pages_lead_to_files() {
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("https://")) {
            let file = link.split('#').next().unwrap();
            assert!(path.parent().unwrap().join(file).exists(), "{}: {link}", path.display());
        }
    }
}

#[test]
fn the_readme_can_be_read_in_one_sitting() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

#[test]
fn the_library_s_example_is_the_one_that_the_library_tests() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let library = fs::read_to_string(root().join("crates/tanglewood/src/lib.rs")).unwrap();
    let (_, example) = readme.split_once("```rust\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (_, body) = example.split_once("{\n").unwrap();
    let (body, _) = body.split_once("    Ok(())").unwrap();
    for line in body.lines().map(str::trim) {
        assert!(library.lines().any(|tested| tested.trim_start_matches("//!").trim() == line), "{line}");
    }
}
