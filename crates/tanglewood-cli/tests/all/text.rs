use snapbox::str;

use crate::harness::{Folder, SAMPLE, invalid_sentence, stdout_of, tanglewood, text_of};

/// A word's line.
fn row(id: &str, form: &str, misc: &str) -> String {
    format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n")
}

#[test]
fn text_is_rebuilt_from_columns() {
    let text = [
        "# newdoc\n# text = something else\n".to_owned(),
        row("1", "Tangled", "_"),
        row("2", "words", "SpaceAfter=No"),
        row("3", ".", r"SpacesAfter=\s\s"),
        "\n".to_owned(),
        row("1-2", "Cannot", "_"),
        row("1", "Can", "SpaceAfter=No"),
        row("2", "not", "_"),
        row("3", "stop", "SpaceAfter=No"),
        "\n# newpar\n".to_owned(),
        row("1", "End", "SpaceAfter=No"),
        "\n".to_owned(),
    ];
    let folder = Folder::with("a.conllu", text.concat());
    folder.run(["text", "a.conllu"]).success().stderr_eq("").stdout_eq(str![[r#"
Tangled words.  Cannot stop

End

"#]]);
    folder.run(["text", "a.conllu", "-o", "a.txt"]).success().stdout_eq("");
    assert_eq!(folder.read("a.txt"), b"Tangled words.  Cannot stop\n\nEnd\n");
    let twice = stdout_of(folder.run(["text", "a.conllu", "a.conllu"]));
    assert_eq!(twice, b"Tangled words.  Cannot stop\n\nEnd\n".repeat(2));
}

#[test]
fn the_sample_has_the_text_of_its_comments() {
    let text = text_of(tanglewood(["text", SAMPLE]).assert().stderr_eq(""));
    let comments = text_of(tanglewood(["filter", SAMPLE]).assert());
    for line in comments.lines().filter_map(|line| line.strip_prefix("# text = ")) {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn any_byte_can_come_back() {
    let misc = r"SpacesBefore=\uFEFF|SpacesInToken=caf\xE9\u0000\p|SpacesAfter=\t\r\n\\";
    let folder = Folder::with("a.conllu", row("1", "caf", misc) + "\n# spaces = \\s\\n\n\n");
    assert_eq!(stdout_of(folder.run(["text", "a.conllu"])), b"\xEF\xBB\xBFcaf\xE9\0|\t\r\n\\ \n");
}

#[test]
fn heads_do_not_matter_and_other_problems_do() {
    let folder = Folder::with("heads.conllu", invalid_sentence("a")).and("lines.conllu", "1\tHi\n\n");
    folder.run(["text", "heads.conllu"]).success().stdout_eq("w1 w2\n").stderr_eq("");
    folder.run(["text", "lines.conllu"]).code(2).stdout_eq("").stderr_eq(str![[r#"
lines.conllu:1:1: 2 columns; expected 10 columns with tabs between them

"#]]);
}

#[test]
fn nothing_gives_nothing() {
    let folder = Folder::with("empty.conllu", "").and("blank.conllu", "\n\n");
    assert_eq!(stdout_of(folder.run(["text", "empty.conllu", "blank.conllu"])), b"");
}
