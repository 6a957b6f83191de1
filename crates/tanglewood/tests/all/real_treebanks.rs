//! Checks on real treebanks. They are not part of the repository: `cargo xtask test` runs these tests when it
//! finds a folder with them, and says that it skips them when it does not.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use tanglewood::classes::Class;
use tanglewood::conllu::{Column, Id, Sentences, Validator};
use tanglewood::{Oracle, System, Tree};

/// The folder with the treebanks: `$TANGLEWOOD_TREEBANKS`, set by `cargo xtask test`.
fn folder(name: &str) -> PathBuf {
    let root = std::env::var_os("TANGLEWOOD_TREEBANKS")
        .expect("TANGLEWOOD_TREEBANKS names the folder with treebanks");
    PathBuf::from(root).join(name)
}

/// (file name, content) of every CoNLL-U file there.
pub fn files(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let conllu =
        paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "conllu"));
    let files: Vec<_> = conllu
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect();
    assert!(!files.is_empty());
    files
}

fn trees(name: &str, text: &[u8]) -> Vec<Tree> {
    let mut validator = Validator::new();
    let sentences = Sentences::of(text).filter(|sentence| !sentence.is_blank());
    sentences
        .map(|sentence| validator.tree(&sentence).unwrap_or_else(|problem| panic!("{name}:{problem}")))
        .collect()
}

/// Calls `then` with each tree of a folder and the name of its file.
pub fn each_tree(folder: &str, mut then: impl FnMut(&str, Tree)) {
    for (name, text) in files(folder) {
        trees(&name, &text).into_iter().for_each(|tree| then(&name, tree));
    }
}

#[test]
#[ignore = "needs the UD 2.1 treebanks"]
fn ud_2_1_coverage_agrees_with_the_reference_on_every_sentence() {
    let reference = fs::read_to_string(folder("ud-2.1/reference_coverage.tsv")).unwrap();
    let mut expected: HashMap<&str, Vec<[bool; 5]>> = HashMap::new();
    for line in reference.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let answers: Vec<bool> = fields[3..].iter().map(|&field| field == "1").collect();
        let of_file = expected.entry(fields[0]).or_default();
        assert_eq!(fields[1].parse(), Ok(of_file.len()), "the reference lists sentences in order");
        of_file.push(answers.try_into().unwrap());
    }
    let oracles: Vec<Oracle> = System::paper().iter().map(Oracle::new).collect();
    let mut compared = 0;
    for (name, text) in files("ud-2.1") {
        let trees = trees(&name, &text);
        assert_eq!(trees.len(), expected[&*name].len(), "{name}");
        for (index, (tree, answers)) in trees.iter().zip(&expected[&*name]).enumerate() {
            assert_eq!(Class::Projective.contains(tree), answers[0], "{name} sentence {index}: projective");
            for (system, (oracle, &answer)) in System::paper().iter().zip(oracles.iter().zip(&answers[1..])) {
                assert_eq!(oracle.covers(tree), answer, "{name} sentence {index}: {system}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, reference.lines().count() - 1);
}

#[test]
#[ignore = "needs the UD 2.1 and 2.16 treebanks"]
fn real_files_come_back_byte_for_byte() {
    for (name, text) in files("ud-2.1").into_iter().chain(files("ud-2.16")) {
        let mut copied = Vec::with_capacity(text.len());
        let mut rebuilt = Vec::with_capacity(text.len());
        for sentence in Sentences::of(&text) {
            sentence.write(&mut copied).unwrap();
            let keep = |row: &tanglewood::conllu::Row<'_>, column| {
                Some(String::from_utf8(row.get(column).to_vec()).unwrap().into())
            };
            sentence.write_edited(&mut rebuilt, keep).unwrap();
        }
        assert!(copied == text, "{name} changed when copied");
        assert!(rebuilt == text, "{name} changed when rebuilt column by column");
    }
}

#[test]
#[ignore = "needs the UD 2.1 treebanks"]
fn derivations_of_real_trees_rebuild_them() {
    for system in System::all() {
        let oracle = Oracle::new(&system);
        for (name, text) in files("ud-2.1").into_iter().filter(|(name, _)| name.contains("-dev")) {
            for tree in trees(&name, &text) {
                if let Ok(derivation) = oracle.derivation(&tree) {
                    assert_eq!(derivation.tree_in_system(&system), Ok(tree), "{name} {system}");
                }
            }
        }
    }
}

/// Running text by its definition: what `# text` says, a blank line before each paragraph, and spaces as
/// `SpaceAfter` says.
fn text_of_comments(conllu: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut gap: &[u8] = b"";
    for sentence in Sentences::of(conllu).filter(|sentence| sentence.rows().next().is_some()) {
        let paragraph = |comment: &[u8]| comment.starts_with(b"newpar") || comment.starts_with(b"newdoc");
        if !text.is_empty() && sentence.comments().any(paragraph) {
            gap = b"\n\n";
        }
        text.extend_from_slice(gap);
        text.extend_from_slice(sentence.metadata("text").unwrap().as_bytes());
        let mut inside_until = 0;
        for row in sentence.rows() {
            match row.id {
                Id::Range(_, last) => inside_until = last,
                Id::Word(word) if word > inside_until => {}
                _ => continue,
            }
            let misc = row.get(Column::Misc);
            let together = misc.split(|&byte| byte == b'|').any(|attribute| attribute == b"SpaceAfter=No");
            gap = if together { b"" } else { b" " };
        }
    }
    text.push(b'\n');
    text
}

#[test]
#[ignore = "needs the UD treebanks"]
fn real_text_is_rebuilt_from_columns() {
    let mut all: Vec<(String, Vec<u8>)> = files("ud-2.1");
    all.extend(files("ud-2.16"));
    // The larger collection may be absent.
    let folders = fs::read_dir(folder("ud")).into_iter().flatten().filter_map(Result::ok);
    for entry in folders.filter(|entry| entry.path().is_dir()) {
        all.extend(files(&format!("ud/{}", entry.file_name().to_string_lossy())));
    }
    let (mut sentences, mut other_spaces) = (0, 0);
    for (name, conllu) in all {
        let before = other_spaces;
        for sentence in Sentences::of(&conllu).filter(|sentence| !sentence.is_blank()) {
            let expected = sentence.metadata("text").unwrap();
            let rebuilt = String::from_utf8(crate::text::rebuilt(sentence.bytes())).unwrap();
            sentences += 1;
            if rebuilt.trim_end() != expected {
                // Some treebanks have spaces in `# text` that the columns do not know of: two in a row, or
                // others than U+0020.
                other_spaces += 1;
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(words(&rebuilt), words(&expected), "{name}");
            }
        }
        if other_spaces == before {
            assert!(crate::text::rebuilt(&conllu) == text_of_comments(&conllu), "{name}");
        }
    }
    assert!(sentences > 20_000 && other_spaces * 1000 < sentences, "{other_spaces} of {sentences}");
}
