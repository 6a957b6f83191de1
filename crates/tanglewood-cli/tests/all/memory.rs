//! Too little memory: whatever is asked, the program ends with an exit code of its own, and leaves what was there.
#![cfg(target_os = "linux")]

use tanglewood::sample::TREEBANK;

use crate::harness::{Folder, PROGRAM};
use crate::trained::{bare, name};

/// Inputs that need much memory where it is not expected.
fn folder() -> Folder {
    let forms: Vec<String> = (0..3000).map(|at| format!("w{}", at % 11)).collect();
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    let row = |id: usize| {
        format!(
            "{id}\tw{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n",
            id % 11,
            id - 1,
            if id == 1 { "root" } else { "dep" }
        )
    };
    let endless: String = (1..=20_000).map(row).collect::<String>() + "\n";
    let matrix: Vec<Vec<f64>> =
        (0..=60).map(|head| (0..=60).map(|word| f64::from((head * 31 + word * 17) % 23)).collect()).collect();
    Folder::with("long.conllu", bare(&forms))
        .and("endless.conllu", endless)
        .and("sample.conllu", TREEBANK)
        .and("scores.jsonl", serde_json::json!({ "scores": matrix }).to_string())
        .and("out", "from last time")
}

#[test]
fn without_memory_there_is_an_error_and_nothing_else() {
    let folder = folder();
    let model = name();
    let commands: [&[&str]; 11] = [
        &["decode", "scores.jsonl", "--system", "all", "--marginals", "-o", "out"],
        &["decode", "scores.jsonl", "--system", "mh4+", "--marginals", "--k", "5", "-o", "out"],
        &["parse", model, "long.conllu", "-o", "out"],
        &["parse", "en", "long.conllu", "--decoder", "mst", "-o", "out"],
        &["parse", model, "long.conllu", "--decoder", "beam:8", "-o", "out"],
        &["train", "endless.conllu", "--steps", "parse", "--epochs", "1", "-o", "out"],
        &["train", "sample.conllu", "--epochs", "1", "-o", "out"],
        &["coverage", "endless.conllu", "-o", "out"],
        &["eval", "endless.conllu", "endless.conllu", "-o", "out"],
        &["check", "endless.conllu"],
        &["grammar", "fit", "sample.conllu", "--em", "1", "-o", "out"],
    ];
    for megabytes in [100, 200] {
        for command in commands {
            let limited = snapbox::cmd::Command::new("prlimit")
                .args([&format!("--as={megabytes}000000"), PROGRAM])
                .args(command)
                .args(["--jobs", "2"])
                .current_dir(folder.path(""));
            let run = limited.assert();
            let output = run.get_output();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let code = output.status.code();
            assert!(matches!(code, Some(0..=2)), "{megabytes} MB, {command:?}: {:?}: {said}", output.status);
            assert!(!said.contains("panicked"), "{megabytes} MB, {command:?}: {said}");
            if code == Some(2) {
                assert!(folder.read("out") == b"from last time", "{megabytes} MB, {command:?}");
            }
            std::fs::write(folder.path("out"), "from last time").unwrap();
            for name in folder.names().iter().filter(|name| name.starts_with("out.")) {
                std::fs::remove_file(folder.path(name)).unwrap();
            }
        }
    }
}
