//! What holds for every command.

use std::io::Write;
use std::process::{Command, Stdio};

use snapbox::str;
use tanglewood::sample::TREEBANK;

use crate::harness::{
    CROSSING, Folder, PROGRAM, SAMPLE, invalid_sentence, root, sentence, stdout_of, tanglewood, text_of,
};

/// Every command.
pub const COMMANDS: [&str; 17] = [
    "systems",
    "coverage",
    "check",
    "filter",
    "text",
    "oracle",
    "decode",
    "train",
    "parse",
    "models",
    "info",
    "eval",
    "grammar",
    "draw",
    "serve",
    "completions",
    "tour",
];

/// Every way to get an answer from the sample.
const ANSWERS: [&[&str]; 25] = [
    &["systems"],
    &["systems", "--format", "json"],
    &["coverage", SAMPLE],
    &["coverage", SAMPLE, "--format", "tsv"],
    &["coverage", SAMPLE, "--format", "json", "--systems", "all", "--classes"],
    &["check", SAMPLE],
    &["check", SAMPLE, "--format", "json"],
    &["filter", SAMPLE],
    &["filter", SAMPLE, "--nonprojective"],
    &["filter", SAMPLE, "--count"],
    &["text", SAMPLE],
    &["oracle", SAMPLE, "--system", "all-s0s1+", "--sentence", "0"],
    &["oracle", SAMPLE, "--system", "all-s0s1+", "--sentence", "0", "--format", "json"],
    &["oracle", SAMPLE, "--system", "attardi"],
    &["oracle", SAMPLE, "--system", "all", "--sentence", "0", "--format", "json", "--proof"],
    &["eval", SAMPLE, SAMPLE, "--against", SAMPLE, "--by", "label,length"],
    &["eval", SAMPLE, SAMPLE, "--format", "json"],
    &["draw", SAMPLE, "--sentence", "0"],
    &["draw", SAMPLE, "--sentence", "0", "--derivation", "all"],
    &["coverage", SAMPLE, "--format", "html"],
    &["systems", "--format", "html"],
    &["completions", "bash"],
    &["models"],
    &["models", "--format", "json"],
    &["tour"],
];

/// A treebank of several blocks, with an invalid sentence in each thousand.
fn large_treebank() -> String {
    let mut text = String::new();
    for round in 0..60 {
        text += TREEBANK;
        text += &invalid_sentence(&format!("bad{round}"));
    }
    text
}

#[test]
fn every_help_has_an_example() {
    for command in COMMANDS {
        let help = text_of(tanglewood([command, "--help"]).assert().stderr_eq(""));
        assert!(
            help.contains(&format!("Example:\n  tanglewood {command}"))
                || help.contains(&format!("Examples:\n  tanglewood {command}")),
            "{help}"
        );
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

#[test]
fn examples_in_help_fit_a_terminal_of_80_columns() {
    for command in COMMANDS {
        let help = text_of(tanglewood([command, "--help"]).assert());
        let (_, examples) = help.split_once("Example").unwrap();
        assert!(examples.lines().all(|line| line.chars().count() <= 80), "{examples}");
    }
}

#[test]
fn the_overview_names_every_command_and_the_exit_codes() {
    let help = text_of(tanglewood(["--help"]).assert());
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(help.contains("Exit codes: 0 done; 1 done, and the answer is no; 2 error."));
    tanglewood(["--version"]).assert().success().stdout_eq("tanglewood [..]\n");
}

#[test]
fn without_a_command_there_is_help_and_exit_code_2() {
    let run = tanglewood::<&str>([]).assert().code(2).stdout_eq("");
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("Run `tanglewood tour`"));
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    tanglewood(["coverge", SAMPLE]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: unrecognized subcommand 'coverge'

  tip: some similar subcommands exist: 'serve', 'coverage'

Usage: tanglewood <COMMAND>

For more information, try '--help'.

"#]]);
}

#[test]
fn a_mistyped_option_gets_a_suggestion() {
    tanglewood(["coverage", SAMPLE, "--system", "all"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: unexpected argument '--system' found

  tip: a similar argument exists: '--systems'

Usage: tanglewood coverage --systems <paper|all|LIST> <PATH>...

For more information, try '--help'.

"#]]);
}

#[test]
fn wrong_values_are_answered_with_the_right_ones() {
    tanglewood(["coverage", SAMPLE, "--direction", "up"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'up' for '--direction <ltr|rtl|either>': `up` is not a direction; expected ltr, rtl or either

For more information, try '--help'.

"#]]);
    tanglewood(["coverage", SAMPLE, "--format", "xml"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'xml' for '--format <FORMAT>'
  [possible values: table, tsv, json, html]

  tip: a similar value exists: 'html'

For more information, try '--help'.

"#]]);
    tanglewood(["coverage", SAMPLE, "--by", "year"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'year' for '--by <UNIT>'
  [possible values: file, treebank, language]

For more information, try '--help'.

"#]]);
    tanglewood(["coverage", SAMPLE, "--jobs", "0"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value '0' for '--jobs <N>': `0` is not a number of threads; expected 1 or more

For more information, try '--help'.

"#]]);
    tanglewood(["oracle", SAMPLE, "--system", "atardi"]).assert().code(2).stderr_eq(str![[r#"
error: invalid value 'atardi' for '--system <NAME>': no system is called `atardi`; did you mean `attardi` or `attardi:3`?

For more information, try '--help'.

"#]]);
}

#[test]
fn numbers_out_of_bounds_are_answered_with_the_bounds() {
    for (command, value, expected) in [
        ("train x -o y --epochs", "0", "is not a number of epochs; expected 1 or more"),
        ("train x -o y --patience", "0", "is not a number of epochs; expected 1 or more"),
        ("eval x y --bootstrap", "18446744073709551615", "expected one from 0 to 1000000"),
        ("eval x y --bootstrap", "4294967295", "expected one from 0 to 1000000"),
        ("grammar sample x --max-length", "0", "expected one from 1 to 100000"),
        ("grammar sample x --max-length", "18446744073709551615", "expected one from 1 to 100000"),
    ] {
        let run = tanglewood(command.split(' ')).arg(value).assert().code(2);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(&format!("`{value}` is not a number of")) && said.contains(expected), "{said}");
    }
}

#[test]
fn missing_arguments_are_named() {
    tanglewood(["oracle", SAMPLE]).assert().code(2).stderr_eq(str![[r#"
error: the following required arguments were not provided:
  --system <NAME>

Usage: tanglewood oracle --system <NAME> <FILE>

For more information, try '--help'.

"#]]);
    tanglewood(["coverage"]).assert().code(2).stderr_eq(str![[r#"
error: the following required arguments were not provided:
  <PATH>...

Usage: tanglewood coverage <PATH>...

For more information, try '--help'.

"#]]);
}

#[test]
fn nothing_is_said_beside_the_data_but_the_summary_of_check() {
    for arguments in ANSWERS {
        let run = tanglewood(arguments).assert();
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let expected = if arguments[0] == "check" { "84 sentences in 1 file, no problem\n" } else { "" };
        assert_eq!(stderr, expected, "{arguments:?}");
    }
}

#[test]
fn there_is_no_colour_in_a_pipe() {
    let errors: [&[&str]; 3] = [&["coverage", "gone.conllu"], &["coverge"], &["systems", "atardi"]];
    let helps = COMMANDS.map(|command| [command, "--help"]);
    let helps = helps.iter().map(|help| &help[..]);
    for arguments in ANSWERS.into_iter().chain(errors).chain(helps) {
        let run = tanglewood(arguments).assert();
        let output = run.get_output();
        assert!(!output.stdout.contains(&0x1B) && !output.stderr.contains(&0x1B), "{arguments:?}");
    }
}

#[test]
fn results_are_the_same_for_every_number_of_jobs() {
    let folder = Folder::with("a.conllu", large_treebank())
        .and("b.conllu", sentence("b", CROSSING))
        .and("c.conllu", large_treebank());
    for command in [
        &[
            "coverage",
            "--systems",
            "all",
            "--classes",
            "--direction",
            "either",
            "--format",
            "json",
            "--skip-invalid",
        ][..],
        &["check", "--format", "json"],
        &["check"],
        &["filter"],
        &["filter", "--not-covered-by", "attardi", "--skip-invalid"],
    ] {
        let outputs = ["1", "2", "5"].map(|jobs| {
            let run = folder.command(command).args([".", "--jobs", jobs]).assert();
            let output = run.get_output();
            (output.status.code(), output.stdout.clone(), output.stderr.clone())
        });
        assert!(outputs[0].1.len() + outputs[0].2.len() > 1000, "there is something to compare: {command:?}");
        assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2], "{command:?}");
    }
}

#[test]
fn the_first_error_is_the_first_for_every_number_of_jobs() {
    let folder = Folder::with("a.conllu", large_treebank());
    let first = TREEBANK.lines().count() + 2;
    for jobs in ["1", "2", "5"] {
        let run = folder.run(["coverage", "a.conllu", "--jobs", jobs]).code(2).stdout_eq("");
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.starts_with(&format!("a.conllu:{first}:14: ")), "{stderr}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    for arguments in ANSWERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(root())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        // A check without problems has no data to lose, and gives its summary.
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.is_empty() || arguments == ["check", SAMPLE], "{arguments:?}: {stderr}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_stops_after_a_line_is_no_error() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::with("a.conllu", sentence("first", CROSSING).repeat(40_000));
    let mut child = Command::new(PROGRAM)
        .args(["filter", "a.conllu"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "# sent_id = first\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_an_error() {
    for arguments in ["--help", "parse --help", "--version", "--version --verbose", "systems", "models"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(PROGRAM).args(arguments.split(' ')).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert_eq!(said, "error: cannot write: No space left on device\n", "{arguments}");
    }
}

#[test]
fn a_closed_standard_error_changes_nothing() {
    let folder = Folder::with("bad.conllu", invalid_sentence("a") + &sentence("b", CROSSING));
    for (arguments, code) in [
        (&["coverage", "bad.conllu", "--skip-invalid", "--format", "tsv"][..], 0),
        (&["check", "bad.conllu"], 1),
        (&["coverage", "bad.conllu"], 2),
    ] {
        let expected = stdout_of_any(folder.command(arguments).assert());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(folder.path(""))
            .stderr(writer)
            .output()
            .unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(code), expected), "{arguments:?}");
    }
}

fn stdout_of_any(run: snapbox::cmd::OutputAssert) -> Vec<u8> {
    run.get_output().stdout.clone()
}

#[test]
fn json_is_valid_json() {
    for arguments in ANSWERS.iter().filter(|arguments| arguments.contains(&"json")) {
        let text = stdout_of(tanglewood(*arguments).assert());
        serde_json::from_slice::<serde_json::Value>(&text).unwrap();
    }
}

/// The largest resident set a process has had, in kB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let piece = TREEBANK.repeat(16);
    let pieces = (200 << 20) / piece.len();
    let mut child = Command::new(PROGRAM)
        .args(["coverage", "-", "--format", "tsv", "--jobs", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..pieces {
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    // It waits for more, so it can still be asked.
    let peak = peak_memory(child.id());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let total = format!("TOTAL\t{}\t", pieces * 16 * 84);
    assert!(String::from_utf8(output.stdout).unwrap().contains(&total));
    assert!(peak < 60_000, "{peak} kB");
}

#[test]
fn the_version_in_detail_says_what_this_build_is() {
    for arguments in [["--version", "--verbose"], ["--verbose", "-V"]] {
        let printed = text_of(tanglewood(arguments).assert());
        let keys: Vec<&str> =
            printed.lines().skip(1).filter_map(|line| Some(line.split_once(": ")?.0)).collect();
        assert_eq!(keys, ["commit", "build", "features", "instructions", "models built in"], "{printed}");
        assert!(printed.starts_with(concat!("tanglewood ", env!("CARGO_PKG_VERSION"), "\n")), "{printed}");
        assert!(printed.ends_with("models built in: en\n"), "{printed}");
    }
    let limited = tanglewood(["--version", "--verbose"]).env("TANGLEWOOD_INSTRUCTIONS", "portable");
    assert!(text_of(limited.assert()).contains("instructions: portable"));
    assert_eq!(text_of(tanglewood(["--version"]).assert()).lines().count(), 1);
}
