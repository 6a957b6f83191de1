use std::fs;

use snapbox::str;
use tanglewood::sample::TREEBANK;

use crate::harness::{CROSSING, Folder, invalid_sentence, sentence, stdout_of};
use crate::trained;

/// A folder with a good file, a bad one and a result of last time.
fn folder() -> Folder {
    Folder::with("good.conllu", sentence("a", CROSSING))
        .and("bad.conllu", sentence("a", CROSSING) + &invalid_sentence("b"))
        .and("old.txt", "from last time")
}

/// The commands that take `-o`, with arguments that make them need trees.
const COMMANDS: [&[&str]; 2] = [&["coverage", "--format", "tsv"], &["filter", "--nonprojective"]];

#[test]
fn o_writes_what_standard_output_would_get_and_nothing_else() {
    for command in COMMANDS {
        let folder = folder();
        let expected = stdout_of(folder.command(command).arg("good.conllu").assert());
        for target in ["new.txt", "old.txt"] {
            let run = folder.command(command).args(["good.conllu", "-o", target]).assert();
            run.success().stdout_eq("").stderr_eq("");
            assert_eq!(folder.read(target), expected);
        }
        assert_eq!(folder.names(), ["bad.conllu", "good.conllu", "new.txt", "old.txt"]);
    }
}

#[test]
fn o_with_a_dash_is_standard_output() {
    let folder = folder();
    let run = folder.run(["filter", "good.conllu", "-o", "-"]);
    assert_eq!(stdout_of(run), sentence("a", CROSSING).as_bytes());
}

#[test]
fn a_failing_run_leaves_no_file_and_changes_none() {
    for command in COMMANDS {
        let folder = folder();
        for target in ["new.txt", "old.txt"] {
            folder.command(command).args(["bad.conllu", "-o", target]).assert().code(2);
        }
        assert_eq!(folder.names(), ["bad.conllu", "good.conllu", "old.txt"]);
        assert_eq!(folder.read("old.txt"), b"from last time");
    }
}

#[test]
fn a_file_may_be_filtered_into_itself() {
    let folder = Folder::with("a.conllu", sentence("a", CROSSING) + &sentence("b", &[0]));
    folder.run(["filter", "a.conllu", "--nonprojective", "-o", "a.conllu"]).success();
    assert_eq!(folder.read("a.conllu"), sentence("a", CROSSING).as_bytes());
}

#[test]
fn a_missing_folder_is_an_error_before_the_work() {
    for command in COMMANDS {
        let run = folder().command(command).args(["bad.conllu", "-o", "no/such/folder.txt"]).assert();
        run.code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot write no/such/folder.txt: there is no folder no/such; make it first

"#]]);
    }
}

#[test]
fn a_directory_is_no_place_to_write_to() {
    let run = folder().and("results/x", "").run(["filter", "good.conllu", "-o", "results"]);
    run.code(2).stderr_eq(str![[r#"
error: cannot write results: is a directory

"#]]);
}

// A pipe in a folder of its own stands for all devices: should this ever fail, nothing like /dev/null is
// lost.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Opened for reading and writing, so that neither side waits for the other.
    let mut reader = fs::File::options().read(true).write(true).open(&pipe).unwrap();
    folder.run(["filter", "good.conllu", "-o", "pipe"]).success();
    let mut written = vec![0; sentence("a", CROSSING).len()];
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    std::io::Read::read_exact(&mut reader, &mut written).unwrap();
    assert_eq!(written, sentence("a", CROSSING).as_bytes());
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_an_existing_file_survive() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    symlink("old.txt", folder.path("link.txt")).unwrap();
    fs::set_permissions(folder.path("old.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.run(["filter", "good.conllu", "-o", "link.txt"]).success();
    assert!(fs::symlink_metadata(folder.path("link.txt")).unwrap().is_symlink());
    assert_eq!(folder.read("old.txt"), sentence("a", CROSSING).as_bytes());
    assert_eq!(fs::metadata(folder.path("old.txt")).unwrap().permissions().mode() & 0o777, 0o600);
}

/// A model, a grammar, and whatever else commands read.
fn inputs() -> Folder {
    let folder = Folder::with("t.conllu", TREEBANK)
        .and("t.svg", sentence("a", CROSSING))
        .and("scores.jsonl", "{\"scores\": [[0, 1], [0, 0]]}\n")
        .and("vectors.txt", "the 1 2\n")
        .and("lemmas.tsv", "went\tVERB\tgo\n");
    fs::copy(trained::model(), folder.path("a.model")).unwrap();
    folder.run(["grammar", "fit", "t.conllu", "-o", "a.grammar", "--em", "0"]).success();
    folder
}

#[test]
fn an_output_that_is_an_input_is_refused_and_left_alone() {
    let folder = inputs();
    let before: Vec<(String, Vec<u8>)> =
        folder.names().into_iter().map(|name| (name.clone(), folder.read(&name))).collect();
    for (arguments, lost) in [
        ("train t.conllu -o t.conllu", "t.conllu"),
        ("train a.grammar --dev t.conllu -o t.conllu", "t.conllu"),
        ("train t.conllu --silver t.svg -o t.svg", "t.svg"),
        ("train t.conllu --vectors vectors.txt -o vectors.txt", "vectors.txt"),
        ("train t.conllu --lemmas lemmas.tsv -o lemmas.tsv", "lemmas.tsv"),
        ("train . -o t.conllu", "t.conllu"),
        ("coverage t.conllu -o t.conllu", "t.conllu"),
        ("coverage . -o t.conllu", "t.conllu"),
        ("draw t.svg -o t.svg", "t.svg"),
        ("text t.conllu -o ./t.conllu", "t.conllu"),
        ("eval t.conllu t.conllu -o t.conllu", "t.conllu"),
        ("eval t.conllu t.conllu --against t.svg -o t.svg", "t.svg"),
        ("eval t.conllu t.conllu --plot t.conllu", "t.conllu"),
        ("eval t.conllu t.conllu --against t.svg --plot t.svg", "t.svg"),
        ("decode scores.jsonl --system all -o scores.jsonl", "scores.jsonl"),
        ("parse a.model t.conllu -o a.model", "a.model"),
        ("grammar fit t.conllu -o t.conllu", "t.conllu"),
        ("grammar fit --raw t.conllu -o t.conllu", "t.conllu"),
        ("grammar fit a.grammar --dev t.conllu -o t.conllu", "t.conllu"),
        ("grammar parse a.grammar t.conllu -o a.grammar", "a.grammar"),
        ("grammar score a.grammar t.conllu -o a.grammar", "a.grammar"),
        ("grammar score a.grammar t.conllu -o t.conllu", "t.conllu"),
        ("grammar sample a.grammar -o a.grammar", "a.grammar"),
    ] {
        let run = folder.run(arguments.split(' ')).code(2);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let expected = format!("{lost} is the same file as");
        assert!(
            said.contains(&expected) && said.contains("name another file after -o"),
            "{arguments}: {said}"
        );
        for (name, content) in &before {
            assert!(folder.read(name) == *content, "{arguments} changed {name}");
        }
        assert_eq!(folder.names().len(), before.len(), "{arguments}: {:?}", folder.names());
    }
}

#[test]
fn a_table_and_its_picture_do_not_go_to_one_place() {
    let folder = inputs();
    for more in ["--plot new.svg -o new.svg", "--plot new.svg -o ./new.svg", "--plot -", "--plot - -o -"] {
        let run = folder.run(format!("eval t.conllu t.conllu {more}").split(' ')).code(2).stdout_eq("");
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("have the same place"), "{more}: {said}");
    }
    // Nor is there a table if there is nothing to draw.
    folder.run("eval t.conllu t.conllu --plot new.svg".split(' ')).code(2).stdout_eq("");
    assert!(!folder.path("new.svg").exists());
}

#[cfg(unix)]
#[test]
fn an_input_is_known_by_any_of_its_names() {
    let folder = Folder::with("a.conllu", sentence("a", CROSSING));
    std::os::unix::fs::symlink("a.conllu", folder.path("link.conllu")).unwrap();
    for arguments in ["coverage a.conllu -o link.conllu", "coverage link.conllu -o a.conllu"] {
        folder.run(arguments.split(' ')).code(2);
    }
    assert_eq!(folder.read("a.conllu"), sentence("a", CROSSING).as_bytes());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_standard_input_is_an_input() {
    let folder = Folder::with("a.conllu", sentence("a", CROSSING));
    let command = std::process::Command::new(crate::harness::PROGRAM)
        .args(["coverage", "-", "-o", "a.conllu"])
        .current_dir(folder.path(""))
        .stdin(fs::File::open(folder.path("a.conllu")).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&command.stderr).into_owned();
    assert!(command.status.code() == Some(2) && said.contains("the same file as standard input"), "{said}");
}

#[test]
fn commands_that_edit_may_edit_in_place() {
    let folder = inputs();
    for arguments in [
        "filter t.conllu -o t.conllu",
        "parse a.model t.conllu -o t.conllu",
        "grammar parse a.grammar t.conllu -o t.conllu",
    ] {
        folder.run(arguments.split(' ')).success();
        assert!(folder.read("t.conllu").starts_with(b"#"), "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_yet_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder().and("deep/x", "");
    symlink("deep/new.txt", folder.path("link.txt")).unwrap();
    symlink("link.txt", folder.path("second.txt")).unwrap();
    folder.run(["filter", "good.conllu", "-o", "second.txt"]).success();
    assert!(fs::symlink_metadata(folder.path("link.txt")).unwrap().is_symlink());
    assert_eq!(folder.read("deep/new.txt"), sentence("a", CROSSING).as_bytes());
    symlink("round.txt", folder.path("round.txt")).unwrap();
    folder.run(["filter", "good.conllu", "-o", "round.txt"]).code(2);
    symlink("no/such/folder.txt", folder.path("far.txt")).unwrap();
    folder.run(["filter", "good.conllu", "-o", "far.txt"]).code(2).stderr_eq(str![[r#"
error: cannot write no/such/folder.txt: there is no folder no/such; make it first

"#]]);
}

#[test]
fn an_ending_that_asks_for_compression_gets_it() {
    let starts: [(&str, &[u8]); 4] =
        [("gz", b"\x1F\x8B"), ("xz", b"\xFD7zXZ\0"), ("zst", b"\x28\xB5\x2F\xFD"), ("GZ", b"\x1F\x8B")];
    for (ending, start) in starts {
        let folder = folder();
        let name = format!("new.conllu.{ending}");
        folder.run(["filter", "good.conllu", "-o", &name]).success();
        assert!(folder.read(&name).starts_with(start), "{ending}");
        assert_eq!(stdout_of(folder.run(["filter", &name])), sentence("a", CROSSING).as_bytes());
        // The same bytes again: no time and no name of this machine is in them.
        let once = folder.read(&name);
        folder.run(["filter", "good.conllu", "-o", &name]).success();
        assert_eq!(folder.read(&name), once);
    }
}

#[test]
fn models_and_grammars_can_be_read_again_whatever_their_ending() {
    let folder = Folder::with("t.conllu", TREEBANK);
    folder.run(["grammar", "fit", "t.conllu", "-o", "a.grammar.gz", "--em", "0"]).success();
    assert!(folder.read("a.grammar.gz").starts_with(b"\x1F\x8B"));
    folder.run(["grammar", "score", "a.grammar.gz", "t.conllu"]).success();
    folder.run(["train", "t.conllu", "-o", "a.model.gz"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot write a.model.gz: a model is not compressed as a whole; write a.model and compress a copy of it

"#]]);
    assert_eq!(folder.names(), ["a.grammar.gz", "t.conllu"]);
}
