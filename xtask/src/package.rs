//! What is published: the crates, whether each is complete by itself, and whether everything names the same
//! version.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::{cargo, run, workspace};

/// The crates that are published, each after those it depends on.
pub const ORDER: [&str; 5] =
    ["tanglewood", "tanglewood-nn", "tanglewood-models", "tanglewood-explorer", "tanglewood-cli"];

/// What every crate has to contain.
const REQUIRED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "src/lib.rs"];

/// Checks what can be checked without compiling. Problems are printed.
pub fn check() -> bool {
    println!("== packages");
    let mut problems = Vec::new();
    for (at, name) in ORDER.iter().enumerate() {
        problems.extend(depends_on_later(name, &ORDER[at + 1..]));
        match files(name) {
            Ok(files) => problems.extend(missing(name, &files)),
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(version().and_then(|version| cited(&version)).err());
    for problem in &problems {
        println!("{problem}");
    }
    println!("== packages: {}", if problems.is_empty() { "passed" } else { "FAILED" });
    problems.is_empty()
}

/// Compiles each crate from what would be published, outside of the workspace and with the others as they
/// would be published. Cargo can do that for several crates at once since 1.90.
pub fn build() -> bool {
    let mut arguments = vec!["publish", "--dry-run", "--allow-dirty"];
    arguments.extend(ORDER.iter().flat_map(|name| ["--package", name]));
    run("packages, compiled", &mut cargo(&arguments))
}

/// The part of the changelog about this version, if everything is ready for its release.
pub fn release(tag: &str) -> Result<String, String> {
    let version = version()?;
    if tag.strip_prefix('v') != Some(&version) {
        return Err(format!("the tag is {tag}, and Cargo.toml has {version}; expected v{version}"));
    }
    cited(&version)?;
    notes(&read("CHANGELOG.md")?, &version)
}

/// The part of a changelog below the title `## [version] - date`, up to the next one.
fn notes(changelog: &str, version: &str) -> Result<String, String> {
    let title = format!("## [{version}] - ");
    let mut lines = changelog.lines().skip_while(|line| !line.starts_with(&title));
    lines
        .next()
        .ok_or_else(|| format!("CHANGELOG.md: no `{title}DATE`; expected what is new in this version"))?;
    let notes: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    let notes = notes.join("\n").trim().to_owned();
    if notes.is_empty() { Err(format!("CHANGELOG.md: nothing below `{title}…`")) } else { Ok(notes) }
}

/// The version of the workspace.
fn version() -> Result<String, String> {
    let manifest = read("Cargo.toml")?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    let version = version.ok_or("Cargo.toml: no version of the workspace")?;
    for name in ORDER {
        let expected = format!("{name} = {{ path = \"crates/{name}\", version = \"{version}\" }}");
        if !manifest.lines().any(|line| line == expected) {
            return Err(format!("Cargo.toml: the workspace's dependency on {name}; expected `{expected}`"));
        }
    }
    Ok(version.to_owned())
}

/// An error if the citation names another version.
fn cited(version: &str) -> Result<(), String> {
    let expected = format!("version: {version}");
    if read("CITATION.cff")?.lines().any(|line| line == expected) {
        Ok(())
    } else {
        Err(format!("CITATION.cff: another version; expected `{expected}`, as in Cargo.toml"))
    }
}

/// What a crate contains when it is published.
fn files(name: &str) -> Result<BTreeSet<PathBuf>, String> {
    let arguments = ["package", "--list", "--allow-dirty", "--quiet", "--package", name];
    let output = cargo(&arguments).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect())
}

/// Files that a crate needs and does not contain: licences, and what its sources include at compile time.
fn missing(name: &str, files: &BTreeSet<PathBuf>) -> Vec<String> {
    let required = REQUIRED.iter().map(PathBuf::from);
    let mut missing: Vec<String> = required
        .filter(|file| !files.contains(file))
        .map(|file| format!("{name}: {} is not part of the package", file.display()))
        .collect();
    let sources = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    for source in sources.filter(|file| file.starts_with("src")) {
        let text = fs::read_to_string(workspace().join("crates").join(name).join(source)).unwrap_or_default();
        let folder = source.parent().unwrap_or(Path::new(""));
        for included in included(&text) {
            if !plain(&folder.join(included)).is_some_and(|path| files.contains(&path)) {
                missing.push(format!(
                    "{name}: {} includes {included}, which is not part of the package",
                    source.display()
                ));
            }
        }
    }
    missing
}

/// The files that a source includes with `include_str!` or `include_bytes!`.
fn included(source: &str) -> impl Iterator<Item = &str> {
    let calls = ["include_str!(\"", "include_bytes!(\""];
    calls
        .into_iter()
        .flat_map(move |call| source.split(call).skip(1).filter_map(|rest| rest.split('"').next()))
}

/// A path without `..`, or nothing if it leads out of the folder that it starts in.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir if !plain.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// Crates that this one depends on although they are published after it.
fn depends_on_later(name: &str, later: &[&str]) -> Vec<String> {
    let manifest = read(&format!("crates/{name}/Cargo.toml")).unwrap_or_default();
    let depends = |other: &str| manifest.lines().any(|line| line.starts_with(&format!("{other}.workspace")));
    let wrong = later.iter().filter(|other| depends(other));
    wrong.map(|other| format!("{name} depends on {other}, which is published after it")).collect()
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(workspace().join(name)).map_err(|error| format!("cannot read {name}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    #[test]
    fn notes_are_what_is_below_the_version_s_title() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n- New.\n\n## [0.1.0] - 2026-12-01\n- Old.\n";
        assert_eq!(super::notes(changelog, "0.2.0").as_deref(), Ok("- New."));
        assert_eq!(super::notes(changelog, "0.1.0").as_deref(), Ok("- Old."));
        assert!(super::notes(changelog, "0.3.0").is_err());
    }

    #[test]
    fn a_path_that_leads_out_of_the_crate_is_none() {
        assert_eq!(super::plain(Path::new("src/a/../../data/x")), Some(PathBuf::from("data/x")));
        assert_eq!(super::plain(Path::new("src/../../x")), None);
    }

    #[test]
    fn included_files_are_found() {
        let source = "const A: &str = include_str!(\"a.txt\");\nconst B: &[u8] = include_bytes!(\"../b\");";
        assert_eq!(super::included(source).collect::<Vec<_>>(), ["a.txt", "../b"]);
    }
}
