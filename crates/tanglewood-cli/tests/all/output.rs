use std::fs;

use snapbox::str;

use crate::harness::{CROSSING, Folder, invalid_sentence, sentence, stdout_of};

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

// A pipe in a folder of its own stands for all devices: should this ever fail, nothing like /dev/null is lost.
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
