use std::io::Write;

use snapbox::str;

use crate::harness::{CROSSING, Folder, PROJECTIVE, sentence, text_of};

const COVERAGE: [&str; 5] = ["coverage", "--systems", "all+", "--format", "tsv"];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// A way to compress.
type Pack = fn(&[u8]) -> Vec<u8>;

/// Each with its usual ending.
const METHODS: [(&str, Pack); 3] = [("gz", gzip), ("xz", xz), ("zst", zstd)];

/// Some sentences that do not compress to nothing.
fn treebank() -> String {
    let sentences = (0..300).map(|at| sentence(&format!("s{}", at * at * 7919), CROSSING));
    sentences.collect::<String>() + &sentence("last", PROJECTIVE)
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    for (ending, pack) in METHODS {
        let name = format!("a.conllu.{ending}");
        let folder = Folder::with(&name, pack(treebank().as_bytes()));
        assert_eq!(text_of(folder.run(["filter", &name])), treebank(), "{ending}");
    }
}

#[test]
fn compression_is_recognised_by_content_also_on_standard_input() {
    for (ending, pack) in METHODS {
        let packed = pack(treebank().as_bytes());
        let folder = Folder::with("misnamed.conllu", &packed);
        assert_eq!(text_of(folder.run(["filter", "misnamed.conllu"])), treebank(), "{ending}");
        let run = folder.command(["filter", "-"]).stdin(packed).assert();
        assert_eq!(text_of(run), treebank(), "{ending}");
    }
}

#[test]
fn several_compressed_parts_in_one_file_are_all_read() {
    for (ending, pack) in METHODS {
        let parts = [pack(sentence("a", CROSSING).as_bytes()), pack(sentence("b", PROJECTIVE).as_bytes())];
        let folder = Folder::with("parts.conllu", parts.concat());
        folder.run(["filter", "parts.conllu", "--count"]).success().stdout_eq("2\n");
        assert!(
            text_of(folder.run(["filter", "parts.conllu"])).ends_with(&sentence("b", PROJECTIVE)),
            "{ending}"
        );
    }
}

#[test]
fn a_truncated_compressed_file_is_an_error_that_says_so() {
    for (ending, pack) in METHODS {
        let packed = pack(treebank().as_bytes());
        let name = format!("cut.conllu.{ending}");
        let folder = Folder::with(&name, &packed[..packed.len() / 2]);
        folder
            .command(COVERAGE)
            .arg(&name)
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(format!("error: cannot read {name}: its [..] data is damaged or cut short ([..])\n"));
    }
}

#[test]
fn standard_input_is_called_a_dash() {
    Folder::new().command(COVERAGE).arg("-").stdin(treebank()).assert().success().stdout_eq(str![[r#"
file	sentences	nonprojective	all+
-	301	300	300
TOTAL	301	300	300

"#]]);
    let bad = "1\ta\t_\t_\t_\t_\tx\tdep\t_\t_\n";
    Folder::new().command(["check", "-"]).stdin(bad).assert().code(1).stdout_eq(str![[r#"
-:1:13: head `x`; expected the number of a word, or 0 for the root

"#]]);
}

#[test]
fn a_directory_is_searched_for_conllu_files_in_order_of_names() {
    let text = sentence("a", CROSSING);
    Folder::with("bank/b.conllu", &text)
        .and("bank/a/z.conllu.gz", gzip(text.as_bytes()))
        .and("bank/a/y.conllu.xz", xz(text.as_bytes()))
        .and("bank/c.conllu.zst", zstd(text.as_bytes()))
        .and("bank/README.txt", "not a treebank")
        .and("bank/stats.conllu.md", "not a treebank either")
        .command(COVERAGE)
        .arg("bank")
        .assert()
        .success()
        .stdout_eq(str![[r#"
file	sentences	nonprojective	all+
bank/a/y.conllu.xz	1	1	1
bank/a/z.conllu.gz	1	1	1
bank/b.conllu	1	1	1
bank/c.conllu.zst	1	1	1
TOTAL	4	4	4

"#]]);
}

#[test]
fn a_directory_without_conllu_files_is_an_error() {
    let folder = Folder::with("notes/README.txt", "");
    folder.command(COVERAGE).arg("notes").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: no CoNLL-U file in notes; expected *.conllu, *.conllu.gz, *.conllu.xz, *.conllu.zst

"#]]);
}

#[test]
fn a_missing_file_is_an_error_before_anything_is_read() {
    let folder = Folder::with("here.conllu", treebank());
    for command in [&["coverage"][..], &["check"], &["filter"]] {
        let run = folder.command(command).args(["here.conllu", "gone.conllu"]).assert();
        run.code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot open gone.conllu: No such file or directory

"#]]);
    }
    folder.run(["oracle", "gone.conllu", "--system", "all"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot open gone.conllu: No such file or directory

"#]]);
}

#[test]
fn a_file_that_is_no_text_is_an_error_with_a_place() {
    let folder = Folder::with("picture.conllu", b"\x89PNG\r\n\x1A\n\x00\x00\x00\rIHDR");
    folder.run(["coverage", "picture.conllu"]).code(2).stdout_eq("").stderr_eq(str![[r#"
picture.conllu:1:1: byte 0x89; expected UTF-8 text

"#]]);
}
