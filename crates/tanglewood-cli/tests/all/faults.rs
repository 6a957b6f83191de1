//! A file system that fails, and kills: whatever happens, an output is the old one or the new one, whole.
#![cfg(debug_assertions)]

use std::fs;

use tanglewood::sample::TREEBANK;

use crate::harness::Folder;
use crate::trained;

/// Commands that write, and what they write.
const COMMANDS: [(&str, &str); 14] = [
    ("filter t.conllu -o out", "out"),
    ("filter t.conllu -o out.gz", "out.gz"),
    ("filter t.conllu -o out.xz", "out.xz"),
    ("filter t.conllu -o out.zst", "out.zst"),
    ("coverage t.conllu --format json -o out", "out"),
    ("text t.conllu -o out", "out"),
    ("eval t.conllu t.conllu --bootstrap 0 -o out", "out"),
    ("decode scores.jsonl --system all -o out", "out"),
    ("draw t.conllu -o out.html", "out.html"),
    ("parse a.model t.conllu -o out", "out"),
    ("parse a.model t.conllu -o t.conllu", "t.conllu"),
    ("grammar fit t.conllu --em 1 -o out", "out"),
    ("grammar parse a.grammar t.conllu -o out", "out"),
    ("train t.conllu --size small --epochs 1 --jobs 1 --steps parse -o out", "out"),
];

fn folder() -> Folder {
    let few: String = TREEBANK.split_inclusive("\n\n").take(4).collect();
    let folder = Folder::with("t.conllu", few).and("scores.jsonl", "{\"scores\": [[0, 1], [0, 0]]}\n");
    fs::copy(trained::model(), folder.path("a.model")).unwrap();
    folder.run(["grammar", "fit", "t.conllu", "-o", "a.grammar", "--em", "0"]).success();
    folder
}

/// The files that a run leaves which were not there before, but for what a killed program cannot remove.
fn left_behind(folder: &Folder, before: &[String]) -> Vec<String> {
    folder.names().into_iter().filter(|name| !before.contains(name)).collect()
}

/// Lets a command fail at its first step, at its second, and so on, until it has no more; returns how many it
/// has.
fn fails_at_every_step(command: &str, output: &str, kind: &str) -> usize {
    let folder = folder();
    let original = folder.read("t.conllu");
    let edits = output == "t.conllu";
    let put = |folder: &Folder| {
        fs::write(folder.path("t.conllu"), &original).unwrap();
        if !edits {
            fs::write(folder.path(output), "from last time").unwrap();
        }
    };
    put(&folder);
    let old = folder.read(output);
    folder.run(command.split(' ')).success();
    let new = folder.read(output);
    assert_ne!(old, new, "{command}");
    for step in 1.. {
        put(&folder);
        let before = folder.names();
        let run =
            folder.command(command.split(' ')).env("TANGLEWOOD_FAULT", format!("{kind}:{step}")).assert();
        let now = folder.read(output);
        if run.get_output().status.success() {
            assert_eq!(now, new, "{command}: {kind}:{step} was passed over");
            assert_eq!(left_behind(&folder, &before), [""; 0], "{command}");
            return step - 1;
        }
        // Fitting writes a grammar after each iteration, each of which is whole.
        let is_a_grammar = command.starts_with("grammar fit") && now.starts_with(&new[..20]);
        assert!(now == old || now == new || is_a_grammar, "{command}: {kind}:{step} left something else");
        if kind == "kill" {
            for name in left_behind(&folder, &before) {
                assert!(name.starts_with(".tanglewood-") || name.starts_with("out.checkpoint"), "{name}");
                fs::remove_file(folder.path(&name)).unwrap();
            }
        } else {
            assert_eq!(run.get_output().status.code(), Some(2), "{command}: {kind}:{step}");
            let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
            assert!(said.contains("error: cannot write"), "{command}: {kind}:{step}: {said}");
            let left = left_behind(&folder, &before);
            let checkpoint = |name: &String| name.starts_with("out.checkpoint") && !name.ends_with(".new");
            assert!(left.iter().all(checkpoint), "{command}: {kind}:{step} left {left:?}");
            left.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
        }
    }
    unreachable!("every command ends")
}

#[test]
fn a_full_disk_leaves_the_old_output_or_the_new_one() {
    for (command, output) in COMMANDS {
        for kind in ["once", "from"] {
            let steps = fails_at_every_step(command, output, kind);
            // Creating, writing, synchronising, moving.
            assert!(steps >= 4, "{command}: {steps}");
        }
    }
}

#[test]
fn a_killed_program_leaves_the_old_output_or_the_new_one() {
    for (command, output) in COMMANDS {
        assert!(fails_at_every_step(command, output, "kill") >= 4, "{command}");
    }
}
