//! Models by name: those that are built in, and those found in folders.
//!
//! A file `NAME.model` in one of the [`folders`] is a model of that name. A model that is built in comes
//! first, then the folders in their order; of several models with one name, the first one counts.
//!
//! ```
//! let names: Vec<String> = tanglewood_models::known().into_iter().map(|model| model.name).collect();
//! # #[cfg(feature = "en")]
//! assert!(names.contains(&"en".to_owned()));
//! ```

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The ending of files that are models.
const ENDING: &str = "model";

/// The models that are built in, by name.
const BUILT_IN: &[(&str, &[u8])] = &[
    #[cfg(feature = "en")]
    ("en", include_bytes!("../en.model")),
];

/// The model to use where none is named.
pub fn default() -> Option<NamedModel> {
    BUILT_IN.first().map(|&(name, bytes)| NamedModel::built_in(name, bytes))
}

/// A model that has a name.
#[derive(Clone, Debug)]
pub struct NamedModel {
    /// What it is called: the name of its file without the ending, or its language.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

/// Where a model is.
#[derive(Clone, Debug)]
pub enum Place {
    /// Part of the program.
    BuiltIn(&'static [u8]),
    /// A file.
    File(PathBuf),
}

impl NamedModel {
    fn built_in(name: &str, bytes: &'static [u8]) -> NamedModel {
        NamedModel { name: name.to_owned(), place: Place::BuiltIn(bytes) }
    }

    /// A model in a file, called by its path.
    pub fn in_file(path: &Path) -> NamedModel {
        NamedModel { name: path.display().to_string(), place: Place::File(path.to_owned()) }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match &self.place {
            Place::BuiltIn(bytes) => Box::new(*bytes),
            Place::File(path) => Box::new(BufReader::new(File::open(path)?)),
        })
    }

    /// Number of bytes.
    ///
    /// # Errors
    /// If nothing can be found out about the file.
    pub fn bytes(&self) -> io::Result<u64> {
        match &self.place {
            Place::BuiltIn(bytes) => Ok(bytes.len() as u64),
            Place::File(path) => Ok(path.metadata()?.len()),
        }
    }

    /// The file it is in; none if it is built in.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::BuiltIn(_) => None,
            Place::File(path) => Some(path),
        }
    }

    /// Its place in words: a path, or that it is built in.
    pub fn place_name(&self) -> String {
        match &self.place {
            Place::BuiltIn(_) => "built in".to_owned(),
            Place::File(path) => path.display().to_string(),
        }
    }
}

/// The folders in which models are looked for: those of `$TANGLEWOOD_MODELS`, separated as in `$PATH`, then
/// `tanglewood/models` among the user's data.
pub fn folders() -> Vec<PathBuf> {
    folders_by(|name| env::var_os(name).filter(|value| !value.is_empty()))
}

fn folders_by(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let named = variable("TANGLEWOOD_MODELS").unwrap_or_default();
    let home = |below: &str| variable("HOME").map(|home| Path::new(&home).join(below));
    let data = if cfg!(windows) {
        variable("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").map(PathBuf::from).or_else(|| home(".local/share"))
    };
    let named = env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
    named.chain(data.map(|data| data.join("tanglewood").join("models"))).collect()
}

/// All models that can be named. A folder that is missing, or cannot be read, has none.
pub fn known() -> Vec<NamedModel> {
    known_in(&folders())
}

fn known_in(folders: &[PathBuf]) -> Vec<NamedModel> {
    let mut models: Vec<NamedModel> =
        BUILT_IN.iter().map(|&(name, bytes)| NamedModel::built_in(name, bytes)).collect();
    for folder in folders {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = entries
            .filter(|path| path.extension().is_some_and(|ending| ending == ENDING) && path.is_file())
            .collect();
        paths.sort();
        for path in paths {
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            if models.iter().all(|model| model.name != name) {
                models.push(NamedModel { name: name.to_owned(), place: Place::File(path.clone()) });
            }
        }
    }
    models
}

/// The model of a name.
pub fn named(name: &str) -> Option<NamedModel> {
    known().into_iter().find(|model| model.name == name)
}

/// The name of a model that is most like a name, if any is like it.
pub fn nearest(name: &str) -> Option<String> {
    let likeness = |model: &NamedModel| strsim::jaro_winkler(name, &model.name);
    let models = known().into_iter().map(|model| (likeness(&model), model.name));
    let nearest = models.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    nearest.filter(|(likeness, _)| *likeness > 0.7).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_named_and_the_users_own() {
        let named = env::join_paths(["/a", "/b"]).expect("a list of paths");
        let folders = folders_by(|name| match name {
            "TANGLEWOOD_MODELS" => Some(named.clone()),
            "XDG_DATA_HOME" | "APPDATA" | "HOME" => Some("/data".into()),
            _ => None,
        });
        assert_eq!(folders[..2], [PathBuf::from("/a"), PathBuf::from("/b")]);
        assert!(folders[2].ends_with("tanglewood/models"), "{folders:?}");
        assert_eq!(folders_by(|_| None), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_first_model_of_a_name_counts() {
        let (first, second) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        for (folder, name) in
            [(&first, "b.model"), (&second, "a.model"), (&second, "b.model"), (&second, "c.txt")]
        {
            fs::write(folder.path().join(name), name).expect("written");
        }
        let missing = PathBuf::from("no such folder");
        let folders = [first.path().to_owned(), missing, second.path().to_owned()];
        let found = known_in(&folders);
        let found: Vec<(String, String)> = found
            .iter()
            .filter(|model| matches!(model.place, Place::File(_)))
            .map(|model| (model.name.clone(), model.place_name()))
            .collect();
        let path = |folder: &tempfile::TempDir, name: &str| folder.path().join(name).display().to_string();
        assert_eq!(
            found,
            [("b".to_owned(), path(&first, "b.model")), ("a".to_owned(), path(&second, "a.model"))]
        );
    }
}
