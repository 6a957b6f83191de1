//! `tanglewood parse` on running text: any bytes in, valid CoNLL-U out, and the bytes back.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use snapbox::str;
use tanglewood::conllu::{Sentences, Validator};
use tanglewood::inference::Random;
use tanglewood::sample::TREEBANK;
use tanglewood::text::TextRebuilder;

use crate::harness::{Folder, PROGRAM, SAMPLE, stdout_of, tanglewood, text_of};
use crate::trained::{name, segmenter_name, text_name};

/// What becomes of some bytes.
fn parsed(text: &[u8], options: &[&str]) -> Vec<u8> {
    stdout_of(tanglewood(["parse", text_name()]).args(options).stdin(text).assert().stderr_eq(""))
}

/// What becomes of some bytes, which have to come back, as valid CoNLL-U.
fn whole(text: &[u8], options: &[&str]) -> String {
    let conllu = parsed(text, options);
    let mut rebuilder = TextRebuilder::new(Vec::new());
    let mut validator = Validator::new();
    for sentence in Sentences::of(&conllu) {
        let problems = validator.problems(&sentence);
        assert!(problems.is_empty(), "{}", problems[0]);
        rebuilder.push(&sentence).unwrap();
    }
    assert!(
        rebuilder.finish().unwrap() == text,
        "{:?}",
        String::from_utf8_lossy(&text[..text.len().min(99)])
    );
    String::from_utf8(conllu).unwrap()
}

/// The text of the sample.
fn sample_text() -> Vec<u8> {
    stdout_of(tanglewood(["text", SAMPLE]).assert())
}

#[test]
fn text_becomes_trees() {
    let text =
        "Ich habe gestern einen Mann getroffen, der sieben Sprachen spricht.  Er kommt.\r\n\r\nEin Satz.";
    tanglewood(["parse", text_name(), "--ranges"]).stdin(text).assert().success().stderr_eq("").stdout_eq(
        str![[r#"
# newdoc
# newpar
# sent_id = 1
# text = Ich habe gestern einen Mann getroffen, der sieben Sprachen spricht.
1	Ich	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=0:3
2	habe	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=4:8
3	gestern	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=9:16
4	einen	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=17:22
5	Mann	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=23:27
6	getroffen	[..]	[..]	_	[..]	[..]	[..]	_	SpaceAfter=No|TokenRange=28:37
7	,	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=37:38
8	der	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=39:42
9	sieben	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=43:49
10	Sprachen	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=50:58
11	spricht	[..]	[..]	_	[..]	[..]	[..]	_	SpaceAfter=No|TokenRange=59:66
12	.	[..]	[..]	_	[..]	[..]	[..]	_	SpacesAfter=/s/s|TokenRange=66:67

# sent_id = 2
# text = Er kommt.
1	Er	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=69:71
2	kommt	[..]	[..]	_	[..]	[..]	[..]	_	SpaceAfter=No|TokenRange=72:77
3	.	[..]	[..]	_	[..]	[..]	[..]	_	SpacesAfter=/r/n/r/n|TokenRange=77:78

# newpar
# sent_id = 3
# text = Ein Satz.
1	Ein	[..]	[..]	_	[..]	[..]	[..]	_	TokenRange=82:85
2	Satz	[..]	[..]	_	[..]	[..]	[..]	_	SpaceAfter=No|TokenRange=86:90
3	.	[..]	[..]	_	[..]	[..]	[..]	_	SpaceAfter=No|SpacesAfter=|TokenRange=90:91


"#]],
    );
}

#[test]
fn every_text_comes_back_and_its_trees_are_valid() {
    let sample = sample_text();
    let spaceless = "ab".repeat(1 << 19);
    let endless = "word ".repeat(20_000);
    for text in [
        &b""[..],
        b" ",
        b"\n",
        b"\n\n \t\n",
        b"\xEF\xBB\xBFMarked.\r\nText.\r\n",
        b"\xEF\xBB\xBF",
        b"NUL \0 and \x07 bell\0.\x1B[0m",
        b"caf\xE9 \xFF\xFE \xC3( half a character \xE2\x82",
        "Слово за слово. 言葉。ܫܠܡܐ 🙂👍🏽 e\u{301}".as_bytes(),
        "no-break\u{A0}space\u{2028}line\u{85}end\u{3000}".as_bytes(),
        b"# not a comment\n1\t2\t3\n\n_\n-\n\\n | \\\\ |\n",
        b"just words without an end",
        &sample,
        spaceless.as_bytes(),
        endless.as_bytes(),
    ] {
        whole(text, &["--input", "text"]);
        whole(text, &["--input", "lines", "--ranges"]);
    }
}

#[test]
fn arbitrary_bytes_come_back() {
    let alphabet: [&[u8]; 24] = [
        b"a",
        b"Mann",
        b".",
        b" ",
        b"  ",
        b"\n",
        b"\r\n",
        b"\r",
        b"\t",
        b"\0",
        b"\xFF",
        b"\xC3",
        b"\xE2\x82",
        b"|",
        b"\\",
        b"#",
        b"_",
        b"1\t",
        b"\xEF\xBB\xBF",
        "é".as_bytes(),
        "語".as_bytes(),
        "\u{2028}".as_bytes(),
        "\u{A0}".as_bytes(),
        b"\n\n",
    ];
    let mut random = Random::new(7);
    let mut below = |limit: usize| (random.uniform() * limit as f64) as usize;
    for round in 0..40 {
        let length = below(200);
        let text: Vec<u8> = match round % 2 {
            0 => (0..length).flat_map(|_| alphabet[below(alphabet.len())].to_vec()).collect(),
            _ => (0..length).map(|_| below(256) as u8).collect(),
        };
        whole(&text, &["--input", "text"]);
        whole(&text, &["--input", "lines"]);
    }
}

#[test]
fn the_bytes_are_the_same_for_every_number_of_jobs_through_a_pipe_and_in_any_pieces() {
    let text = sample_text().repeat(30);
    let folder = Folder::with("a.txt", &text);
    for options in [&["--input", "text"][..], &["--input", "lines"], &["--output", "json", "--ranges"]] {
        let file = |jobs| {
            let command = folder.command(["parse", text_name(), "a.txt", "--jobs", jobs]).args(options);
            text_of(command.assert()).replace("\"file\":\"a.txt\"", "\"file\":\"-\"")
        };
        let one = file("1");
        assert!(one.len() > 300_000);
        assert!(one == file("2"));
        for piece in [1 << 20, 4099, 61] {
            let mut child = Command::new(PROGRAM)
                .args(["parse", text_name()])
                .args(options)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            let pieces = text.clone();
            let writing = std::thread::spawn(move || {
                pieces.chunks(piece).for_each(|piece| stdin.write_all(piece).unwrap());
            });
            let output = child.wait_with_output().unwrap();
            writing.join().unwrap();
            assert!(output.stdout == one.as_bytes(), "{piece} bytes at a time, {options:?}");
        }
    }
}

/// A program with an open pipe to talk to.
fn conversation(
    options: &[&str],
) -> (std::process::Child, std::process::ChildStdin, impl Iterator<Item = String>) {
    let mut child = Command::new(PROGRAM)
        .args(["parse", text_name()])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    (child, stdin, lines)
}

#[test]
fn an_answer_comes_while_the_pipe_stays_open() {
    for (options, question) in [
        (&["--input", "lines"][..], "Er kommt.\n".to_owned()),
        (&["--input", "tokens"], "Er kommt .\n".to_owned()),
        (&["--input", "vertical"], "Er\nkommt\n.\n\n".to_owned()),
        // Sixteen words and 61 characters more.
        (&[], "Er kommt.\n\n".to_owned() + &"w ".repeat(16) + &"z".repeat(61) + "\n"),
    ] {
        let (mut child, mut stdin, mut lines) = conversation(options);
        stdin.write_all(question.as_bytes()).unwrap();
        let answer: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        assert!(answer.iter().any(|line| line.starts_with("3\t.\t")), "{answer:?}");
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn sentences_that_are_longer_than_what_is_read_at_once_are_not_held_until_the_end() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&vec![b'a'; 600_000]).unwrap();
    let mut packed = packed.finish().unwrap();
    // The end is missing, which is an error; what comes before it has been answered by then.
    packed.truncate(packed.len() - 4);
    let folder = Folder::with("long.txt.gz", packed);
    let run = folder.run(["parse", text_name(), "long.txt.gz", "--input", "text", "--jobs", "1"]).code(2);
    let printed = run.get_output().stdout.len();
    assert!(printed > 600_000, "{printed} bytes were printed before the error");
}

#[test]
fn a_line_is_a_sentence() {
    let conllu = whole(b"\n\nEr kommt. Er geht.\nNein!\n\n\r\nEnde\n \n", &["--input", "lines"]);
    let texts: Vec<&str> = conllu.lines().filter_map(|line| line.strip_prefix("# text = ")).collect();
    assert_eq!(texts, ["Er kommt. Er geht.", "Nein!", "Ende"]);
    assert_eq!(conllu.matches("# newpar").count(), 2);
}

#[test]
fn tokens_are_words_as_they_are() {
    let forms = |text: &str, kind: &str| {
        let vertical = parsed(text.as_bytes(), &["--input", kind, "--output", "vertical"]);
        let text = String::from_utf8(vertical).unwrap();
        let sentences = text.trim_end().split("\n\n");
        let forms = |sentence: &str| {
            let forms: Vec<&str> = sentence.lines().filter_map(|line| line.split('\t').next()).collect();
            forms.join("·")
        };
        sentences.map(forms).collect::<Vec<_>>()
    };
    assert_eq!(forms("Er kommt. !\n\nNein .\n", "tokens"), ["Er·kommt.·!", "Nein·."]);
    assert_eq!(
        forms("Er\n\u{FEFF}kommt.\r\n10 000\tNUM\n\n\nNein\n", "tokens"),
        ["Er·kommt.·10 000", "Nein"]
    );
    assert_eq!(forms("Ja\nEr kommt\n", "horizontal"), ["Ja", "Er·kommt"]);
    assert_eq!(forms("New York\nist\n", "vertical"), ["New York·ist"]);
    // A model that cannot segment takes them, too.
    let run = tanglewood(["parse", name(), "--input", "tokens"]).stdin("Er kommt .\n").assert();
    let conllu = text_of(run);
    assert!(conllu.contains("# text = Er kommt .\n") && conllu.contains("\n3\t.\t"), "{conllu}");
}

#[test]
fn text_and_conllu_are_told_apart() {
    let folder = Folder::with("a.txt", "Er kommt.\n")
        .and("b.data", TREEBANK)
        .and("c.data", "# Titel\n\nEr kommt.\n")
        .and("d.conllu", "")
        .and("e.conllu", "Er kommt.\n");
    let of = |file: &str| text_of(folder.run(["parse", text_name(), file]));
    assert!(of("a.txt").starts_with("# newdoc\n"));
    assert!(of("c.data").starts_with("# newdoc\n"));
    assert!(of("b.data").starts_with("# sent_id = de-extraposed-relative-1\n"));
    assert_eq!(of("d.conllu"), "");
    let run = folder.run(["parse", text_name(), "e.conllu"]).success().stderr_eq(str![[r#"
e.conllu: taken for text, since its first line does not have ten columns; --input conllu says what is wrong with it

"#]]);
    assert!(text_of(run).starts_with("# newdoc\n"));
    folder.run(["parse", text_name(), "e.conllu", "--input", "conllu"]).code(2).stderr_eq(str![[r#"
e.conllu:1:1: 1 column, `Er kommt.`; expected 10 columns with tabs, not spaces, between them

"#]]);
    // Ten columns make CoNLL-U, even if it is not valid.
    let invalid = Folder::with("f.txt", "x\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    invalid.run(["parse", text_name(), "f.txt"]).code(2).stdout_eq("");
    assert!(
        text_of(folder.run(["parse", text_name(), "b.data", "--input", "text"])).starts_with("# newdoc\n")
    );
}

#[test]
fn conllu_keeps_everything_but_heads_and_relations() {
    let with = text_of(tanglewood(["parse", text_name(), SAMPLE]).assert());
    for (before, after) in TREEBANK.lines().zip(with.lines()) {
        let columns = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (columns(before), columns(after));
        assert_eq!(before[..before.len().min(6)], after[..after.len().min(6)]);
    }
    let untouched = stdout_of(tanglewood(["parse", text_name(), SAMPLE, "--steps", "segment"]).assert());
    assert!(untouched == TREEBANK.as_bytes());
}

#[test]
fn a_model_without_a_segmenter_says_so() {
    tanglewood(["parse", name()]).stdin("Er kommt.\n").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: -: this is not CoNLL-U but text, which the model has not learned to segment; train one with the step segment, or give words with --input tokens

"#]]);
    tanglewood(["parse", name(), "--steps", "segment,parse"]).stdin("").assert().code(2).stderr_eq(str![[
        r#"
error: the model has not learned the step segment; it can do parse

"#
    ]]);
}

#[test]
fn a_segmenter_alone_is_a_model() {
    let run = tanglewood(["parse", segmenter_name()]).stdin("Er kommt.\n").assert().success();
    run.stdout_eq(str![[r#"
# newdoc
# newpar
# sent_id = 1
# text = Er kommt.
1	Er	_	_	_	_	_	_	_	_
2	kommt	_	_	_	_	_	_	_	SpaceAfter=No
3	.	_	_	_	_	_	_	_	_


"#]]);
    let vertical = ["--output", "vertical", "--steps", "segment"];
    let run = tanglewood(["parse", segmenter_name()]).args(vertical).stdin("Er kommt.\n").assert();
    assert_eq!(text_of(run), "Er\nkommt\n.\n\n");
    tanglewood(["parse", segmenter_name(), SAMPLE]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: crates/tanglewood/sample/tangles.conllu: this is CoNLL-U, which has its words, and the model has learned nothing but to segment text

"#]]);
}

#[test]
fn json_has_text_and_tokens() {
    let text = parsed(b"Er kommt.\n", &["--output", "json", "--ranges"]);
    let object: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(object["text"], "Er kommt.");
    assert_eq!(object["forms"], serde_json::json!(["Er", "kommt", "."]));
    assert_eq!(object["tokens"][2], serde_json::json!({"form": ".", "range": [8, 9], "words": [3, 3]}));
    assert_eq!(object["heads"].as_array().unwrap().len(), 3);
    let text = parsed(b"Er kommt.\n", &["--output", "json", "--steps", "segment"]);
    let object: Value = serde_json::from_slice(&text).unwrap();
    assert!(object.get("heads").is_none());
}

#[test]
fn a_model_describes_itself() {
    tanglewood(["info", text_name()]).assert().success().stdout_eq(str![[r#"
model        [..]text.model, [..] bytes
steps        segment, tag, lemma, parse
size         [..] parameters, [..] of them to segment
trained on   tangles.conllu
measured on  tangles.conllu
segment      tokens [..]  words [..]  sentences [..]
tag          UPOS [..]  FEATS [..]
lemma        LEMMA [..]
parse        UAS [..]  LAS [..]
reads        words, upos, feats; its own tags unless others are kept
knows        [..] words, 43 labels
objective    heads
training     3 epochs, seed 1
written by   tanglewood [..]

"#]]);
    let json = |model: &str| -> Value {
        serde_json::from_slice(&stdout_of(tanglewood(["info", model, "--format", "json"]).assert())).unwrap()
    };
    assert_eq!(json(text_name())["steps"], serde_json::json!(["segment", "tag", "lemma", "parse"]));
    assert_eq!(json(segmenter_name())["steps"], serde_json::json!(["segment"]));
    assert_eq!(json(name())["parameters"]["segment"], 0);
}

/// The texts of all sentences of a CoNLL-U file, a line each.
fn lines_of_text(conllu: &str) -> String {
    let texts = conllu.lines().filter_map(|line| line.strip_prefix("# text = "));
    texts.flat_map(|text| [text, "\n"]).collect()
}

#[test]
#[ignore = "needs the UD treebanks"]
fn every_text_of_real_treebanks_comes_back() {
    let folder = std::env::var_os("TANGLEWOOD_TREEBANKS")
        .expect("TANGLEWOOD_TREEBANKS names the folder with treebanks");
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let (mut files, mut lines) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            if !name.ends_with(".conllu") {
                continue;
            }
            let text = lines_of_text(&std::fs::read_to_string(&path).unwrap());
            for kind in ["text", "lines"] {
                let conllu = parsed(text.as_bytes(), &["--input", kind, "--steps", "segment"]);
                let mut rebuilder = TextRebuilder::new(Vec::new());
                Sentences::of(&conllu).for_each(|sentence| rebuilder.push(&sentence).unwrap());
                assert!(rebuilder.finish().unwrap() == text.as_bytes(), "{name} as {kind}");
            }
            if name.contains("test") {
                whole(text.as_bytes(), &["--input", "text", "--ranges"]);
            }
            files += 1;
            lines += text.lines().count();
        }
    }
    assert!(files > 50 && lines > 100_000, "{files} files, {lines} lines");
}
