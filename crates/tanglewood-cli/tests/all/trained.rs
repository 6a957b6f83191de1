//! A small model, trained once for all tests that need one.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::harness::{SAMPLE, tanglewood};

/// A model that has seen the sample treebank a few times.
pub fn model() -> &'static Path {
    static MODEL: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = MODEL.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.model");
        let command = tanglewood(["train", SAMPLE, "--size", "small", "--epochs", "12", "--jobs", "1"]);
        command.args(["--steps", "parse", "-o"]).arg(&path).assert().success();
        (folder, path)
    });
    path
}

/// The name of a model that has learned to segment text, too.
pub fn text_name() -> &'static str {
    static MODEL: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = MODEL.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.model");
        let command = tanglewood(["train", SAMPLE, "--size", "small", "--epochs", "3", "--jobs", "1"]);
        command.args(["--dev", SAMPLE, "-o"]).arg(&path).assert().success();
        (folder, path)
    });
    path.to_str().unwrap()
}

/// The name of a model that can do nothing but segment text.
pub fn segmenter_name() -> &'static str {
    static MODEL: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = MODEL.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.model");
        let command = tanglewood(["train", SAMPLE, "--size", "small", "--epochs", "1", "--steps", "segment"]);
        command.arg("-o").arg(&path).assert().success();
        (folder, path)
    });
    path.to_str().unwrap()
}

/// Its name, for arguments.
pub fn name() -> &'static str {
    model().to_str().unwrap()
}

/// Words without anything, to be parsed.
pub fn bare(forms: &[&str]) -> String {
    let rows = forms.iter().enumerate();
    let rows: String =
        rows.map(|(at, form)| format!("{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n", at + 1)).collect();
    rows + "\n"
}

/// (HEAD, DEPREL) of all words of the sentences of a text.
pub fn arcs(text: &str) -> Vec<Vec<(usize, String)>> {
    let word = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let is_word = columns.len() == 10 && columns[0].bytes().all(|byte| byte.is_ascii_digit());
        is_word.then(|| (columns[6].parse().unwrap(), columns[7].to_owned()))
    };
    let sentences = text.trim_end().split("\n\n").filter(|sentence| !sentence.trim().is_empty());
    sentences.map(|sentence| sentence.lines().filter_map(word).collect()).collect()
}
