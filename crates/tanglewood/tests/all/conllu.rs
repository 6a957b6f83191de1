//! Reading and writing: nothing is lost, whatever the input.

use std::borrow::Cow;

use proptest::prelude::*;
use tanglewood::conllu::{Block, Blocks, Column, EditError, Id, Kind, Row, Sentence, Sentences, Validator};

use crate::conllu_blocks::{Pieces, sentences_in_blocks};

const CRLF: &str = "\u{feff}# sent_id = a-1\r\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\r\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\r\n\
                    2\tle\tle\tDET\t_\t_\t0\troot\t_\t_\r\n2.1\t_\t_\t_\t_\t_\t_\t_\t1:x\t_\r\n\r\n3\tx";

/// Bytes that look like CoNLL-U here and there.
fn almost_conllu() -> impl Strategy<Value = Vec<u8>> {
    let id = prop_oneof![
        6 => (1..6u32).prop_map(|word| word.to_string()),
        1 => (0..6u32, 0..6u32).prop_map(|(first, last)| format!("{first}-{last}")),
        1 => (0..6u32, 0..3u32).prop_map(|(word, node)| format!("{word}.{node}")),
        1 => "[0-9.-]{0,11}",
    ];
    let column = prop_oneof![4 => Just("_".to_owned()), 2 => "[a-zä😀 ]{0,4}", 1 => "[0-9]:[a-z|:]{0,3}"];
    let row = (id, prop::collection::vec(column, 9), prop::option::weighted(0.8, 0..6u32)).prop_map(
        |(id, mut columns, head)| {
            if let Some(head) = head {
                columns[5] = head.to_string();
                columns[6] = if head == 0 { "root".into() } else { "dep".into() };
            }
            format!("{id}\t{}\n", columns.join("\t")).into_bytes()
        },
    );
    let sentence = prop::collection::vec(0..5u32, 1..5).prop_map(|heads| {
        let rows = (1..).zip(heads).map(|(word, head)| format!("{word}\tw\tw\tX\t_\t_\t{head}\tdep\t_\t_\n"));
        (rows.collect::<String>() + "\n").into_bytes()
    });
    let sign =
        prop::sample::select(vec!["\n", "\r\n", "\r", "\t", " ", "#", "_", "\n\n", "\r\n\r\n", "\u{feff}"]);
    let piece = prop_oneof![
        4 => row,
        2 => sentence,
        4 => sign.prop_map(|sign| sign.as_bytes().to_vec()),
        1 => "# [a-z]{1,3} ?= ?[a-z]{0,3}\r?\n".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    let mark = prop_oneof![4 => Just(""), 1 => Just("\u{feff}")];
    (mark, prop::collection::vec(piece, 0..24))
        .prop_map(|(mark, pieces)| [mark.as_bytes(), &pieces.concat()].concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..200), 5 => almost_conllu()]
}

/// The whole text again, with the columns replaced for which there is a text.
fn edited<'t>(text: &[u8], mut replace: impl FnMut(&Row<'_>, Column) -> Option<Cow<'t, str>>) -> Vec<u8> {
    let mut out = Vec::new();
    for sentence in Sentences::of(text) {
        sentence.write_edited(&mut out, &mut replace).unwrap();
    }
    out
}

fn replace_head<'t>(row: &Row<'_>, column: Column) -> Option<Cow<'t, str>> {
    (matches!(row.id, Id::Word(_)) && column == Column::Head).then(|| "77".into())
}

fn only(text: &[u8]) -> Sentence<'_> {
    Sentences::of(text).next().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sentences_one_after_the_other_are_the_input(text in bytes()) {
        let (mut copied, mut from_lines) = (Vec::new(), Vec::new());
        for sentence in Sentences::of(&text) {
            sentence.write(&mut copied).unwrap();
            for line in sentence.lines() {
                from_lines.extend([line.mark, line.content, line.ending].concat());
            }
        }
        prop_assert_eq!(&copied, &text);
        prop_assert_eq!(&from_lines, &text);
        prop_assert_eq!(edited(&text, |_, _| None), text);
    }

    #[test]
    fn a_column_replaced_by_itself_changes_nothing(text in bytes()) {
        // Only what could be written is written.
        let same = |row: &Row<'_>, column| {
            let text = String::from_utf8(row.get(column).to_vec()).ok()?;
            (!text.is_empty() && !text.contains('\r')).then(|| text.into())
        };
        prop_assert_eq!(edited(&text, same), text);
    }

    #[test]
    fn sentences_end_at_blank_lines_and_know_their_line(text in bytes()) {
        let mut before = Vec::new();
        let mut sentences = Sentences::of(&text).peekable();
        while let Some(sentence) = sentences.next() {
            prop_assert_eq!(sentence.first_line(), 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64);
            let lines: Vec<_> = sentence.lines().collect();
            let (last, others) = lines.split_last().unwrap();
            prop_assert!(others.iter().all(|line| !line.content.is_empty()));
            prop_assert!(sentences.peek().is_none() || last.content.is_empty());
            prop_assert!(lines.iter().map(|line| line.number).eq((sentence.first_line()..).take(lines.len())));
            before.extend_from_slice(sentence.bytes());
        }
    }

    #[test]
    fn blocks_give_the_same_sentences(text in bytes(), sizes in prop::collection::vec(0..7usize, 1..20)) {
        let expected: Vec<_> = Sentences::of(&text).map(|sentence| (sentence.first_line(), sentence.bytes().to_vec())).collect();
        prop_assert_eq!(sentences_in_blocks(Pieces::new(&text, &sizes)), expected);
    }

    #[test]
    fn there_is_a_tree_exactly_if_no_problem_prevents_it(text in bytes()) {
        let mut validator = Validator::new();
        for sentence in Sentences::of(&text) {
            let problems = validator.problems(&sentence);
            prop_assert!(problems.iter().all(|problem| problem.line >= sentence.first_line() && problem.column >= 1));
            prop_assert!(problems.is_sorted_by_key(|problem| (problem.line, problem.column)));
            let tree = validator.tree(&sentence);
            if sentence.is_blank() {
                prop_assert_eq!(problems, []);
                prop_assert_eq!(tree.unwrap_err().kind, Kind::NoWords);
            } else {
                prop_assert_eq!(tree.err(), problems.into_iter().find(|problem| problem.kind.prevents_tree()));
            }
        }
    }

    #[test]
    fn a_tree_has_the_heads_of_its_rows(heads in prop::collection::vec(0..6usize, 1..6)) {
        let rows = (1..).zip(&heads).map(|(word, head)| format!("{word}\tw\tw\tX\t_\t_\t{head}\tdep\t_\t_\n"));
        let text: String = rows.collect();
        let tree = Validator::new().tree(&only(text.as_bytes()));
        prop_assert_eq!(tree.ok(), tanglewood::Tree::from_heads(&heads).ok());
    }

    #[test]
    fn replaced_heads_are_read_again_and_all_else_is_kept(text in bytes()) {
        let changed = edited(&text, replace_head);
        let (old, new) = (Sentences::of(&text), Sentences::of(&changed));
        prop_assert_eq!(old.clone().count(), new.clone().count());
        for (old, new) in old.zip(new) {
            prop_assert_eq!(old.first_line(), new.first_line());
            prop_assert_eq!(old.lines().count(), new.lines().count());
            for (old, new) in old.lines().zip(new.lines()) {
                prop_assert_eq!((old.mark, old.ending), (new.mark, new.ending));
                match (Row::parse(old.content), Row::parse(new.content)) {
                    (Some(old), Some(new)) => {
                        for column in Column::ALL {
                            let is_head = column == Column::Head && matches!(old.id, Id::Word(_));
                            prop_assert_eq!(new.get(column), if is_head { b"77" } else { old.get(column) });
                        }
                    }
                    _ => prop_assert_eq!(old.content, new.content),
                }
            }
        }
    }
}

#[test]
fn editing_keeps_line_ends_byte_order_mark_and_a_missing_final_newline() {
    let changed = edited(CRLF.as_bytes(), |row, column| match (row.id, column) {
        (Id::Word(1), Column::Head) => Some("0".into()),
        (Id::Word(1), Column::Deprel) => Some("root".into()),
        (Id::Word(2), Column::Head) => Some("1".into()),
        (Id::Word(2), Column::Deprel) => Some("fixed".into()),
        _ => None,
    });
    let expected =
        CRLF.replace("\t2\tcase\t", "\t0\troot\t").replace("\tDET\t_\t_\t0\troot", "\tDET\t_\t_\t1\tfixed");
    assert_eq!(String::from_utf8(changed).unwrap(), expected);
    assert!(expected.starts_with("\u{feff}#") && expected.ends_with("\r\n\r\n3\tx"));
}

#[test]
fn any_column_can_be_replaced_also_the_last_of_the_last_line() {
    let row = b"1\ta\tb\tc\td\te\tf\tg\th\ti";
    assert_eq!(
        edited(row, |_, column| Some(column.name().into())),
        b"ID\tFORM\tLEMMA\tUPOS\tXPOS\tFEATS\tHEAD\tDEPREL\tDEPS\tMISC"
    );
}

#[test]
fn a_text_that_would_break_its_line_is_refused_and_nothing_is_written() {
    for text in ["", "a\tb", "a\n", "\r", "\n\n"] {
        let mut out = b"before".to_vec();
        let replace =
            |row: &Row<'_>, column| (row.id == Id::Word(2) && column == Column::Misc).then(|| text.into());
        let error = only(CRLF.as_bytes()).write_edited(&mut out, replace).unwrap_err();
        assert_eq!(error, EditError { column: Column::Misc, text: text.to_owned() });
        assert_eq!(out, b"before");
    }
    let error = EditError { column: Column::Head, text: "1\t".to_owned() };
    assert_eq!(
        error.to_string(),
        r#""1\t" cannot be written to column HEAD; expected some text without tab or line end"#
    );
}

#[test]
fn only_well_formed_rows_are_offered_for_editing() {
    let text =
        "# 1\tb\tc\td\te\tf\tg\th\ti\tj\nx\t_\t_\t_\t_\t_\t_\t_\t_\t_\n1\t_\n1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n";
    let mut offered = Vec::new();
    edited(text.as_bytes(), |row, column| {
        offered.push((row.id, column));
        None
    });
    assert_eq!(offered, Column::ALL.map(|column| (Id::Word(1), column)));
}

#[test]
fn rows_are_words_ranges_and_empty_nodes() {
    let ids: Vec<Id> = only(CRLF.as_bytes()).rows().map(|row| row.id).collect();
    assert_eq!(ids, [Id::Range(1, 2), Id::Word(1), Id::Word(2), Id::Empty(2, 1)]);
    let forms: Vec<&[u8]> = only(CRLF.as_bytes()).rows().map(|row| row.get(Column::Form)).collect();
    assert_eq!(forms, [b"du", b"de", b"le", &b"_"[..]]);
    assert!(Row::parse(b"1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n").is_none(), "a line end is not part of a row");
}

#[test]
fn metadata_are_read_from_comments() {
    let text =
        "#\n# text_en = no\n#text=a = b \r\n# text = second\n# newdoc id = d\n#  sent_id\t= s 1\n# flag\n\n";
    let sentence = only(text.as_bytes());
    assert_eq!(sentence.sent_id().as_deref(), Some("s 1"));
    assert_eq!(sentence.metadata("text").as_deref(), Some("a = b"));
    assert_eq!(sentence.metadata("newdoc id").as_deref(), Some("d"));
    assert_eq!(sentence.metadata("newdoc"), None);
    assert_eq!(sentence.metadata("flag"), None);
    let comments: Vec<&[u8]> = sentence.comments().collect();
    assert_eq!(
        comments,
        [
            &b""[..],
            b"text_en = no",
            b"text=a = b",
            b"text = second",
            b"newdoc id = d",
            b"sent_id\t= s 1",
            b"flag"
        ]
    );
    assert_eq!(only(CRLF.as_bytes()).sent_id().as_deref(), Some("a-1"));
    assert_eq!(only(b"# sent_id = \xff\n").sent_id().as_deref(), Some("\u{fffd}"));
}

#[test]
fn blank_lines_are_blank_sentences_and_a_line_of_spaces_is_not() {
    for (text, blank) in [
        ("\n\r\n\n", &[true, true, true][..]),
        ("\u{feff}", &[true]),
        ("\u{feff}\n\n", &[true, true]),
        ("\n\u{feff}\n\n", &[true, false]),
        (" \n\n", &[false]),
        ("# a\n\n\n# b", &[false, true, false]),
        ("\r", &[false]),
    ] {
        let found: Vec<bool> = Sentences::of(text.as_bytes()).map(|sentence| sentence.is_blank()).collect();
        assert_eq!(found, blank, "{text:?}");
    }
    assert_eq!(Sentences::of(b"").count(), 0);
}

#[test]
fn ids_are_read_and_shown_alike() {
    for text in ["1", "10", "999999999", "1-2", "10-11", "0.1", "3.12"] {
        assert_eq!(Id::parse(text.as_bytes()).unwrap().to_string(), text);
    }
    for text in [
        "",
        "0",
        "01",
        "1000000000",
        "-1",
        "1-",
        "0-1",
        "1-02",
        "1.0",
        ".1",
        "1.",
        "1.1.1",
        "1-2-3",
        "+1",
        "1 ",
        "١",
    ] {
        assert_eq!(Id::parse(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_block_of_a_whole_text_has_its_sentences() {
    let block = Block::of(CRLF.as_bytes().to_vec());
    assert_eq!(block.bytes(), CRLF.as_bytes());
    assert_eq!(block.sentences().map(|sentence| sentence.first_line()).collect::<Vec<_>>(), [1, 7]);
    let mut blocks = Blocks::new(&b""[..]);
    assert!(!blocks.read_into(&mut Block::default()).unwrap());
}
