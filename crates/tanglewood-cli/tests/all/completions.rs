//! `tanglewood completions`

use std::process::Command;

use crate::contract::COMMANDS;
use crate::harness::{PROGRAM, tanglewood, text_of};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_s_script_names_every_command() {
    for shell in SHELLS {
        let script = text_of(tanglewood(["completions", shell]).assert().stderr_eq(""));
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

/// What bash offers for the last of the words, or nothing if there is no bash here.
fn offered(words: &[&str]) -> Option<Vec<String>> {
    let script = r#"
        source <("$0" completions bash)
        COMP_WORDS=(tanglewood "$@")
        COMP_CWORD=$#
        _tanglewood tanglewood "${COMP_WORDS[$#]}" "${COMP_WORDS[$# - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash").args(["-c", script, PROGRAM]).args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_options_and_values() {
    let cases: [(&[&str], &[&str]); 4] = [
        (&["cov"], &["coverage"]),
        (&["coverage", "--cl"], &["--classes"]),
        (&["coverage", "--format", "t"], &["table", "tsv"]),
        (&["completions", "z"], &["zsh"]),
    ];
    for (words, expected) in cases {
        let Some(offered) = offered(words) else { return };
        assert_eq!(offered, expected, "{words:?}");
    }
}

#[test]
fn another_shell_is_answered_with_those_that_there_are() {
    let run = tanglewood(["completions", "tcsh"]).assert().code(2).stdout_eq("");
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{stderr}");
}
