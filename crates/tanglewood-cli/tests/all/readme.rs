//! The README's examples, run.
#![cfg(unix)]

use std::env;
use std::path::Path;
use std::process::Command;

use snapbox::{Data, IntoData, assert_data_eq};

use crate::harness::{PROGRAM, root};

/// What a command of the README prints at the repository's root, with standard error among it, as on a terminal.
fn output_of(command: &str) -> String {
    let folder = Path::new(PROGRAM).parent().unwrap().to_owned();
    let rest = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([folder].into_iter().chain(env::split_paths(&rest))).unwrap();
    let script = format!("exec 2>&1\n{command}");
    let output =
        Command::new("sh").args(["-c", &script]).env("PATH", path).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The text with everything after a line of a console block that runs tanglewood replaced by what that command prints.
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

#[test]
fn every_example_of_the_readme_prints_what_it_says() {
    let path = root().join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (expected, commands) = with_real_outputs(&text);
    assert!(commands >= 7, "an example for every command");
    assert_data_eq!(expected.into_data().raw(), Data::read_from(&path, None).raw());
}

#[test]
fn the_library_s_example_is_the_one_that_the_library_tests() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let library = std::fs::read_to_string(root().join("crates/tanglewood/src/lib.rs")).unwrap();
    let (_, example) = readme.split_once("```rust\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (_, body) = example.split_once("{\n").unwrap();
    let (body, _) = body.split_once("    Ok(())").unwrap();
    for line in body.lines().map(str::trim) {
        assert!(library.lines().any(|tested| tested.trim_start_matches("//!").trim() == line), "{line}");
    }
}
