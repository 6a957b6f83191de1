//! `cargo xtask model NAME`: makes a model of a treebank that can be redistributed, as it is shipped.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{cargo, run, treebanks, workspace};

/// A model that is shipped.
struct Recipe {
    /// What it is called.
    name: &'static str,
    /// Where its treebank is, below the folder of treebanks, and how its files begin.
    files: &'static str,
    /// What it is made from, with the licence.
    source: &'static str,
    /// The licence of the numbers.
    licence: &'static str,
    /// Where the compact file goes, from the repository's root.
    place: &'static str,
}

const RECIPES: [Recipe; 1] = [Recipe {
    name: "en",
    files: "ud-2.16/en_ewt",
    source: "UD_English-EWT 2.16 (Universal Dependencies), CC BY-SA 4.0",
    licence: "CC BY-SA 4.0",
    place: "crates/tanglewood-models/en.model",
}];

/// Trains the model of a name with the default settings on one thread, so that the result does not depend on the number of cores, and makes
/// it compact. An interrupted training goes on where it was.
pub fn make(name: &str) -> Result<PathBuf, String> {
    let known = || RECIPES.iter().map(|recipe| recipe.name).collect::<Vec<_>>().join(", ");
    let recipe = RECIPES.iter().find(|recipe| recipe.name == name);
    let recipe = recipe.ok_or_else(|| format!("no recipe for {name}; expected one of {}", known()))?;
    let treebanks = treebanks().ok_or("no treebanks: set TANGLEWOOD_TREEBANKS to a folder with them")?;
    let part = |part: &str| {
        let path = treebanks.join(format!("{}-ud-{part}.conllu", recipe.files));
        if path.is_file() { Ok(path) } else { Err(format!("{}: no such file", path.display())) }
    };
    let (train, dev) = (part("train")?, part("dev")?);
    let folder = workspace().join("target/models");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let whole = folder.join(format!("{name}.model"));
    let place = workspace().join(recipe.place);
    let mut training = cargo(&["run", "--release", "--package", "tanglewood-cli", "--", "train"]);
    training.arg(&train).arg("--dev").arg(&dev).arg("-o").arg(&whole).args(["--jobs", "1", "--seed", "1"]);
    if has_checkpoint(&whole) {
        training.arg("--resume");
    }
    let mut compacting =
        cargo(&["run", "--release", "--package", "tanglewood-nn", "--example", "compact", "--"]);
    compacting.arg(&whole).arg(&place).args([recipe.licence, recipe.source]);
    if run("training", &mut training) && run("compact model", &mut compacting) {
        Ok(place)
    } else {
        Err(format!("{name} was not made"))
    }
}

fn has_checkpoint(model: &Path) -> bool {
    let mut name = model.as_os_str().to_owned();
    name.push(".checkpoint");
    Path::new(&name).exists()
}
