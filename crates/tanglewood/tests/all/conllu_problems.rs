//! What the validator says about malformed input, word for word.

use std::collections::HashSet;

use tanglewood::conllu::{MAX_LINE_BYTES, Problem, Sentences, Validator};

struct Case {
    name: &'static str,
    input: Vec<u8>,
    messages: Vec<&'static str>,
}

fn case<const N: usize>(name: &'static str, input: impl Into<Vec<u8>>, messages: [&'static str; N]) -> Case {
    Case { name, input: input.into(), messages: messages.into() }
}

/// A sentence of rows `id:head`, with `root` where the head is 0.
fn words(rows: &str) -> String {
    let row = |row: &str| {
        let (id, head) = row.split_once(':').unwrap();
        let relation = match head {
            "0" => "root",
            "_" => "_",
            _ => "dep",
        };
        format!("{id}\tw\tw\tX\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    rows.split(' ').map(row).collect::<String>() + "\n"
}

/// Makes spaces tabs, `·` spaces and `∅` nothing.
fn tabs(text: &str) -> String {
    text.replace(' ', "\t").replace('·', " ").replace('∅', "")
}

/// One row of ten columns, made by [`tabs`], as a sentence.
fn row(columns: &str) -> String {
    tabs(columns) + "\n\n"
}

fn concat(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn columns_and_text() -> Vec<Case> {
    vec![
        case(
            "no tab at all",
            "word\n\n",
            ["1:1: 1 column, `word`; expected 10 columns with tabs between them"],
        ),
        case(
            "spaces for tabs",
            "1 w w X _ _ 0 root _ _\n\n",
            [
                "1:1: 1 column, `1 w w X _ _ 0 root _ _`; expected 10 columns with tabs, not spaces, between them",
            ],
        ),
        case(
            "9 columns",
            row("1 w w X _ _ 0 root _"),
            ["1:1: 9 columns; expected 10 columns with tabs between them"],
        ),
        case(
            "11 columns",
            row("1 w w X _ _ 0 root _ _ _"),
            ["1:1: 11 columns; expected 10 columns with tabs between them"],
        ),
        case(
            "a tab at the end",
            row("1 w w X _ _ 0 root _ _ "),
            ["1:1: 11 columns; expected 10 columns with tabs between them"],
        ),
        case(
            "a line of spaces instead of an empty one",
            words("1:0").trim_end().to_owned() + "\n  \n" + &words("1:0"),
            [
                "2:1: a line of white space; expected an empty line or 10 columns",
                "3:1: id 1 after 1; expected 2",
            ],
        ),
        case(
            "a line of spaces and tabs",
            words("1:0").trim_end().to_owned() + "\n \t \n\n",
            ["2:1: a line of white space; expected an empty line or 10 columns"],
        ),
        case(
            "the excerpt escapes what cannot be seen",
            "a\u{7}\u{1b}[31m\u{0}b\u{200b}\u{202e}c\u{85}\n\n",
            [
                r"1:1: 1 column, `a\u{7}\u{1b}[31m\0b\u{200b}\u{202e}c\u{85}`; expected 10 columns with tabs between them",
            ],
        ),
        case(
            "the excerpt of a long line is cut after 40 characters",
            "ä".repeat(41) + &"x".repeat(3000) + "\n\n",
            [
                "1:1: 1 column, `ääääääääääääääääääääääääääääääääääääääää…`; expected 10 columns with tabs between them",
            ],
        ),
        case(
            "the excerpt of a line of 40 characters is whole",
            "😀".repeat(40) + "\n\n",
            [
                "1:1: 1 column, `😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀`; \
              expected 10 columns with tabs between them",
            ],
        ),
        case(
            "empty columns",
            row("1 ∅ w ∅ _ _ 0 ∅ _ ∅"),
            [
                "1:3: nothing in column FORM; expected text, or `_` for none",
                "1:6: nothing in column UPOS; expected text, or `_` for none",
                "1:13: nothing in column DEPREL; expected text, or `_` for none",
                "1:16: nothing in column MISC; expected text, or `_` for none",
            ],
        ),
        case(
            "an empty HEAD",
            row("1 w w X _ _ ∅ root _ _"),
            ["1:13: nothing in column HEAD; expected the number of a word, or 0 for the root"],
        ),
        case(
            "an empty ID",
            row("∅ w w X _ _ 0 root _ _"),
            ["1:1: nothing in column ID; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "nothing but tabs",
            "\t\t\t\t\t\t\t\t\t\n\n",
            [
                "1:1: nothing in column ID; expected a word (3), a range (3-4) or an empty node (3.1)",
                "1:2: nothing in column FORM; expected text, or `_` for none",
                "1:3: nothing in column LEMMA; expected text, or `_` for none",
                "1:4: nothing in column UPOS; expected text, or `_` for none",
                "1:5: nothing in column XPOS; expected text, or `_` for none",
                "1:6: nothing in column FEATS; expected text, or `_` for none",
                "1:7: nothing in column HEAD; expected text, or `_` for none",
                "1:8: nothing in column DEPREL; expected text, or `_` for none",
                "1:9: nothing in column DEPS; expected text, or `_` for none",
                "1:10: nothing in column MISC; expected text, or `_` for none",
            ],
        ),
        case("spaces where they may be", row("1 New·York New·York X _ _ 0 root _ Gloss=big·city"), []),
        case(
            "spaces where they may not be",
            row("1 w w X·Y _ A=b·c 0 root _ _"),
            [
                "1:8: a space in column UPOS; expected spaces only in FORM, LEMMA and MISC",
                "1:15: a space in column FEATS; expected spaces only in FORM, LEMMA and MISC",
            ],
        ),
        case(
            "a space after the head",
            row("1 w w X _ _ 0· root _ _"),
            [
                "1:13: head `0 `; expected the number of a word, or 0 for the root",
                "1:14: a space in column HEAD; expected spaces only in FORM, LEMMA and MISC",
            ],
        ),
        case(
            "a comment in the middle",
            words("1:0").trim_end().to_owned() + "\n# here\n\n",
            ["2:1: a comment after the first token; expected comments before the first token"],
        ),
        case(
            "comments only",
            "# text = Hi\n# more\n\n",
            ["1:1: a sentence without words; expected at least one line with a word"],
        ),
        case(
            "an empty node only",
            words("0.1:_"),
            ["1:1: a sentence without words; expected at least one line with a word"],
        ),
        case(
            "not UTF-8 in a comment",
            concat(&[b"# caf\xe9\n", words("1:0").as_bytes()]),
            ["1:6: byte 0xe9; expected UTF-8 text"],
        ),
        case(
            "not UTF-8 in a sentence without words",
            b"# \xff\n# \xfe\n\n",
            [
                "1:1: a sentence without words; expected at least one line with a word",
                "1:3: byte 0xff; expected UTF-8 text",
                "2:3: byte 0xfe; expected UTF-8 text",
            ],
        ),
        case(
            "not UTF-8 in a word",
            b"1\tna\xefve\tw\tX\t_\t_\t0\troot\t_\t_\n\n",
            ["1:5: byte 0xef; expected UTF-8 text"],
        ),
        case(
            "columns are counted in characters",
            concat(&["1\täö😀".as_bytes(), b"\xff\tw\tX\t_\t_\tx\troot\t_\t_\n\n"]),
            [
                "1:6: byte 0xff; expected UTF-8 text",
                "1:16: head `x`; expected the number of a word, or 0 for the root",
            ],
        ),
        case(
            "a character cut off by the end of the file",
            b"# \xf0\x9f\x98",
            [
                "1:1: a sentence without words; expected at least one line with a word",
                "1:3: byte 0xf0; expected UTF-8 text",
            ],
        ),
        case(
            "a line of a megabyte and one byte",
            row(&format!("1 {} w X _ _ 0 root _ _", "x".repeat(MAX_LINE_BYTES + 1 - 22))),
            ["1:1: a line of 1048577 bytes; expected at most 1048576"],
        ),
        case(
            "a line of a megabyte",
            row(&format!("1 {} w X _ _ 0 root _ _", "x".repeat(MAX_LINE_BYTES - 22))),
            [],
        ),
        case("NUL bytes in a word", "1\tw\0\tw\tX\t_\t_\t0\troot\t_\t_\n\n", []),
        case(
            "a NUL byte in an id",
            "1\0\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n",
            [r"1:1: id `1\0`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case("nothing at all", "", []),
        case("blank lines", "\n\r\n\n", []),
        case("CRLF, no final newline", words("1:0 2:1").trim_end().replace('\n', "\r\n"), []),
        case(
            "CRLF and a problem",
            words("1:0 2:5").replace('\n', "\r\n"),
            ["2:13: head 5; expected a number from 0 to 2, the last word"],
        ),
        case(
            "CRLF at some lines only",
            words("1:0 2:x").replacen('\n', "\r\n", 1),
            ["2:13: head `x`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "CR without LF",
            words("1:0 2:1").replace('\n', "\r"),
            ["1:1: 19 columns; expected 10 columns with tabs between them"],
        ),
        case("byte-order mark", format!("\u{feff}{}", words("1:0")), []),
        case("byte-order mark on a line of its own", format!("\u{feff}\r\n{}", words("1:0")), []),
        case("byte-order mark and nothing else", "\u{feff}", []),
        case(
            "columns do not count the byte-order mark",
            format!("\u{feff}{}", words("1:x")),
            ["1:13: head `x`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "byte-order mark in the middle of the file",
            format!("{0}\u{feff}{0}", words("1:0")),
            [r"3:1: id `\u{feff}1`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "two byte-order marks",
            format!("\u{feff}\u{feff}# text\n{}", words("1:0")),
            [r"1:1: 1 column, `\u{feff}# text`; expected 10 columns with tabs, not spaces, between them"],
        ),
    ]
}

fn ids() -> Vec<Case> {
    vec![
        case(
            "letters for an id",
            words("a:0"),
            ["1:1: id `a`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case("id 0", words("0:0"), ["1:1: id `0`; expected 1"]),
        case("an id with leading zeros", words("1:0 02:1"), ["2:1: id `02`; expected 2"]),
        case(
            "a negative id",
            words("-1:0"),
            ["1:1: id `-1`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "a range without end",
            words("1-:_ 1:0"),
            ["1:1: id `1-`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "a range from 0",
            words("0-1:_ 1:0"),
            ["1:1: id `0-1`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "an empty node without word",
            words("1:0 .1:_"),
            ["2:1: id `.1`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "empty node 1.0",
            words("1:0 1.0:_"),
            ["2:1: id `1.0`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "a dash that is none",
            words("1–2:_ 1:0 2:1"),
            ["1:1: id `1–2`; expected a word (3), a range (3-4) or an empty node (3.1)"],
        ),
        case(
            "an id too large for a number",
            words("1:0 99999999999999999999:1"),
            ["2:1: id `99999999999999999999`; expected 2"],
        ),
        case("the largest id", words("1:0 999999999:1"), ["2:1: id 999999999 after 1; expected 2"]),
        case("the first word missing", words("2:0"), ["1:1: id 2 at the start; expected 1"]),
        case("a word missing", words("1:0 3:1 4:1"), ["2:1: id 3 after 1; expected 2"]),
        case("a word twice", words("1:0 2:1 2:1 3:1"), ["3:1: id 2 after 2; expected 3"]),
        case(
            "words out of order",
            words("1:0 3:1 2:1"),
            ["2:1: id 3 after 1; expected 2", "3:1: id 2 after 3; expected 4"],
        ),
        case(
            "two sentences without blank line between",
            words("1:0 2:1 1:0 2:1"),
            ["3:1: id 1 after 2; expected 3", "4:1: id 2 after 2; expected 3"],
        ),
        case(
            "a bad id and the next one",
            words("1:0 x:1 3:1"),
            [
                "2:1: id `x`; expected a word (3), a range (3-4) or an empty node (3.1)",
                "3:1: id 3 after 1; expected 2",
            ],
        ),
        case("ranges as they should be", words("1-2:_ 1:0 2:1 3:1 4-6:_ 4:1 5:1 6:1"), []),
        case(
            "a reversed range",
            words("2-1:_ 1:0 2:1"),
            ["1:1: range 2-1; expected a last word after the first"],
        ),
        case(
            "a range of one word",
            words("1-1:_ 1:0"),
            ["1:1: range 1-1; expected a last word after the first"],
        ),
        case(
            "overlapping ranges",
            words("1-2:_ 1:0 2-3:_ 2:1 3:1"),
            ["3:1: range 2-3 overlapping the range that ends at 2; expected ranges that do not overlap"],
        ),
        case(
            "the same range twice",
            words("1-2:_ 1-2:_ 1:0 2:1"),
            ["2:1: range 1-2 overlapping the range that ends at 2; expected ranges that do not overlap"],
        ),
        case(
            "a range beyond the sentence",
            words("1:0 2-4:_ 2:1 3:1"),
            ["2:1: range 2-4; expected an end of at most 3, the last word"],
        ),
        case("a range after its words", words("1:0 2:1 1-2:_"), ["3:1: id 1-2 after 2; expected 3"]),
        case(
            "a range before another, after both",
            words("1:0 2:1 3-4:_ 3:1 4:1 1-2:_"),
            ["6:1: id 1-2 after 4; expected 5"],
        ),
        case("a range too early", words("2-3:_ 1:0 2:1 3:1"), ["1:1: id 2-3 at the start; expected 1"]),
        case(
            "ranges only",
            words("1-2:_"),
            ["1:1: a sentence without words; expected at least one line with a word"],
        ),
        case("empty nodes as they should be", words("0.1:_ 0.2:_ 1:0 1.1:_ 2-3:_ 2:1 3:1 3.1:_ 3.2:_"), []),
        case(
            "empty nodes in the wrong order",
            words("1:0 1.2:_ 1.1:_"),
            ["2:1: id 1.2 after 1; expected 1.1 or 2", "3:1: id 1.1 after 1.2; expected 1.3 or 2"],
        ),
        case(
            "an empty node left out",
            words("0.2:_ 1:0 1.1:_ 1.3:_"),
            ["1:1: id 0.2 at the start; expected 0.1 or 1", "4:1: id 1.3 after 1.1; expected 1.2 or 2"],
        ),
        case("an empty node twice", words("1:0 1.1:_ 1.1:_"), ["3:1: id 1.1 after 1.1; expected 1.2 or 2"]),
        case(
            "empty nodes before their word",
            words("1:0 2.1:_ 2.2:_ 2:1"),
            ["2:1: id 2.1 after 1; expected 1.1 or 2", "3:1: id 2.2 after 1; expected 1.1 or 2"],
        ),
        case(
            "a word missing after an empty node",
            words("1:0 1.1:_ 3:1"),
            ["3:1: id 3 after 1.1; expected 2"],
        ),
        case(
            "an empty node of a word long past",
            words("1:0 2:1 1.1:_"),
            ["3:1: id 1.1 after 2; expected 2.1 or 3"],
        ),
    ]
}

fn heads() -> Vec<Case> {
    vec![
        case(
            "letters for a head",
            words("1:x"),
            ["1:13: head `x`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "no head",
            words("1:0 2:_"),
            ["2:13: no head, `_`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "a negative head",
            words("1:-1"),
            ["1:13: head `-1`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "a head with leading zeros",
            words("1:0 2:01"),
            ["2:13: head `01`; expected a number without leading zeros"],
        ),
        case(
            "an empty node for a head",
            words("1:0 1.1:_ 2:1.1"),
            ["3:13: head `1.1`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "a head too large for a number",
            words("1:0 2:4294967297"),
            ["2:13: head `4294967297`; expected the number of a word, or 0 for the root"],
        ),
        case(
            "heads beyond the sentence",
            words("1:3 2:0 3:2 4:5 5:999999999 6:7"),
            [
                "5:13: head 999999999; expected a number from 0 to 6, the last word",
                "6:13: head 7; expected a number from 0 to 6, the last word",
            ],
        ),
        case(
            "a head before a range, both beyond the sentence",
            words("1:0 2:9 3-4:_ 3:1"),
            [
                "2:13: head 9; expected a number from 0 to 3, the last word",
                "3:1: range 3-4; expected an end of at most 3, the last word",
            ],
        ),
        case(
            "a word that is its own head",
            words("1:0 2:2"),
            ["2:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0"],
        ),
        case(
            "a cycle of two",
            words("1:0 2:3 3:2"),
            ["2:13: the heads form a cycle: 2 → 3 → 2; expected every path of heads to end at 0"],
        ),
        case(
            "a cycle of three, and one more",
            words("1:0 2:4 3:2 4:3 5:6 6:5"),
            ["2:13: the heads form a cycle: 2 → 4 → 3 → 2; expected every path of heads to end at 0"],
        ),
        case(
            "a long cycle",
            words("1:10 2:1 3:2 4:3 5:4 6:5 7:6 8:7 9:8 10:9 11:0"),
            ["1:13: the heads form a cycle: 1 → 10 → 9 → 8 → 7 → 6 → 5 → 4 → … → 1; \
             expected every path of heads to end at 0"],
        ),
        case(
            "no root",
            words("1:2 2:1"),
            [
                "1:13: a sentence in which no word has head 0; expected one root",
                "1:13: the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0",
            ],
        ),
        case("two roots", words("1:0 2:0"), ["2:13: words 1 and 2 both with head 0; expected one root"]),
        case(
            "four roots",
            words("1:2 2:0 3:0 4:0 5:0"),
            ["3:13: 4 words with head 0 (2, 3, …); expected one root"],
        ),
        case(
            "two roots and a cycle",
            words("1:0 2:2 3:0"),
            [
                "2:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0",
                "3:13: words 1 and 3 both with head 0; expected one root",
            ],
        ),
        case(
            "root in the wrong place",
            words("1:0").trim_end().to_owned() + &tabs("\n2 w w X _ _ 1 root _ _\n"),
            ["2:15: relation `root` at a word with head 1; expected `root` only where the head is 0"],
        ),
        case(
            "another relation at the root",
            row("1 w w X _ _ 0 dep _ _"),
            ["1:15: relation `dep` at a word with head 0; expected `root` where the head is 0"],
        ),
        case(
            "no relation at the root",
            row("1 w w X _ _ 0 _ _ _"),
            ["1:15: relation `_` at a word with head 0; expected `root` where the head is 0"],
        ),
        case("a subtype of root", row("1 w w X _ _ 0 root:main _ _"), []),
        case(
            "HEAD and DEPREL of a range",
            row("1-2 w _ _ _ _ 1 dep _ _").trim_end().to_owned() + "\n" + &words("1:0 2:1"),
            ["1:15: HEAD `1` at a range; expected `_`", "1:17: DEPREL `dep` at a range; expected `_`"],
        ),
        case(
            "HEAD of an empty node",
            words("1:0 1.1:1"),
            [
                "2:15: HEAD `1` at an empty node; expected `_`",
                "2:17: DEPREL `dep` at an empty node; expected `_`",
            ],
        ),
        case(
            "an empty HEAD of an empty node",
            words("1:0 1.1:"),
            [
                "2:15: nothing in column HEAD; expected text, or `_` for none",
                "2:16: DEPREL `dep` at an empty node; expected `_`",
            ],
        ),
        case(
            "enhanced dependencies",
            tabs("1 w w X _ _ 0 root 0:root|1.1:x:y _\n1.1 w w X _ _ _ _ 1:dep _\n"),
            [],
        ),
        case(
            "enhanced dependencies without relation",
            row("1 w w X _ _ 0 root 0 _"),
            ["1:20: enhanced dependencies `0`; expected head:relation, with | between several"],
        ),
        case(
            "an enhanced dependency with an empty relation",
            row("1 w w X _ _ 0 root 0:|1:x _"),
            ["1:20: enhanced dependencies `0:|1:x`; expected head:relation, with | between several"],
        ),
        case(
            "enhanced dependencies that end with |",
            row("1 w w X _ _ 0 root 0:root| _"),
            ["1:20: enhanced dependencies `0:root|`; expected head:relation, with | between several"],
        ),
        case(
            "an enhanced head that is a range",
            row("1 w w X _ _ 0 root 1-2:dep _"),
            ["1:20: enhanced dependencies `1-2:dep`; expected head:relation, with | between several"],
        ),
        case(
            "an enhanced head beyond the sentence",
            row("1 w w X _ _ 0 root 0:root|2:dep _"),
            ["1:20: enhanced head 2; expected a word or empty node of this sentence"],
        ),
        case(
            "an enhanced head that is no empty node",
            row("1 w w X _ _ 0 root 0:root|1.1:dep _"),
            ["1:20: enhanced head 1.1; expected a word or empty node of this sentence"],
        ),
        case(
            "too many words",
            (1..=100_001).map(|id| format!("{id}\tw\tw\tX\t_\t_\t0\troot\t_\t_\n")).collect::<String>(),
            ["1:1: a sentence of 100001 words; expected at most 100000"],
        ),
        case(
            "several problems in several sentences",
            [
                "# one\n",
                &words("1:x 2:0 3:y"),
                &words("1:0"),
                "\n# four\n",
                &words("1:0 2:4 4:1"),
                &words("1:2 2:2 3:0"),
            ]
            .concat(),
            [
                "2:13: head `x`; expected the number of a word, or 0 for the root",
                "4:13: head `y`; expected the number of a word, or 0 for the root",
                "11:1: id 4 after 2; expected 3",
                "14:13: the heads form a cycle: 2 → 2; expected every path of heads to end at 0",
            ],
        ),
    ]
}

fn table() -> Vec<Case> {
    [columns_and_text(), ids(), heads()].into_iter().flatten().collect()
}

/// The problems of each sentence, and the error of its tree.
fn judge(input: &[u8]) -> Vec<(Vec<Problem>, Option<Problem>)> {
    let mut validator = Validator::new();
    let sentences = Sentences::of(input).filter(|sentence| !sentence.is_blank());
    sentences.map(|sentence| (validator.problems(&sentence), validator.tree(&sentence).err())).collect()
}

#[test]
fn malformed_input_is_described_word_for_word() {
    for Case { name, input, messages } in table() {
        let problems = judge(&input).into_iter().flat_map(|(problems, _)| problems);
        let found: Vec<String> = problems.map(|problem| problem.to_string()).collect();
        assert_eq!(found, messages, "{name}");
    }
}

#[test]
fn the_error_of_a_tree_is_the_first_problem_that_prevents_it() {
    for Case { name, input, .. } in table() {
        for (problems, error) in judge(&input) {
            let first = problems.into_iter().find(|problem| problem.kind.prevents_tree());
            assert_eq!(error, first, "{name}");
        }
    }
}

#[test]
fn every_kind_of_problem_is_in_the_table() {
    let kinds: HashSet<_> = table()
        .iter()
        .flat_map(|case| judge(&case.input))
        .flat_map(|(problems, _)| problems)
        .map(|problem| problem.kind)
        .collect();
    assert_eq!(kinds.len(), 20, "{kinds:?}");
}
