//! Text to CoNLL-U and back.

use proptest::prelude::*;
use tanglewood::conllu::{Id, Sentences, Validator};
use tanglewood::text::{TextRebuilder, TextSentence, TextToken, TextWriter, escape, unescape};

fn conllu(sentences: &[TextSentence]) -> Vec<u8> {
    let mut writer = TextWriter::new(Vec::new()).ranges(true);
    sentences.iter().for_each(|sentence| writer.push(sentence.clone()).unwrap());
    writer.finish().unwrap()
}

pub fn rebuilt(conllu: &[u8]) -> Vec<u8> {
    let mut rebuilder = TextRebuilder::new(Vec::new());
    Sentences::of(conllu).for_each(|sentence| rebuilder.push(&sentence).unwrap());
    rebuilder.finish().unwrap()
}

/// Cuts a text: `marks` say by byte whether a token begins, goes on, or not, and whether a sentence begins.
fn cut(text: &[u8], marks: &[u8]) -> Vec<TextSentence> {
    let mut sentences = vec![(Vec::new(), Vec::<TextToken>::new())];
    let mut inside = false;
    for (&byte, mark) in text.iter().zip(marks) {
        if mark & 0b1110 == 0b1110 {
            sentences.push((Vec::new(), Vec::new()));
            inside = false;
        }
        let (bytes, tokens) = sentences.last_mut().unwrap();
        let at = bytes.len();
        bytes.push(byte);
        match (mark & 3, inside) {
            (0, _) => inside = false,
            (3, true) => tokens.last_mut().unwrap().span.end = at + 1,
            _ => {
                inside = true;
                let words = if mark & 16 > 0 { vec!["two".into(), "words\t".into()] } else { Vec::new() };
                tokens.push(TextToken { span: at..at + 1, words });
            }
        }
    }
    let sentences = sentences.into_iter().map(|(bytes, tokens)| TextSentence::new(bytes, tokens).unwrap());
    sentences.collect()
}

/// Bytes in which what is special is frequent.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let special = vec![
        " ", "\n", "\n\n", "\r\n", "\t", "\\", "|", "_", "#", "=", "\u{FEFF}", "\u{A0}", "\u{2028}", "\0",
        "a", "é", "字", "😀", "\\s", "\\u00A0", "\\x41",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(special).prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_bytes_cut_anywhere_come_back(text in bytes(), marks in prop::collection::vec(any::<u8>(), 256)) {
        let sentences = cut(&text, &marks);
        let kept: Vec<u8> = sentences.iter().flat_map(|sentence| sentence.bytes().to_vec()).collect();
        let conllu = conllu(&sentences);
        prop_assert_eq!(rebuilt(&conllu), kept, "{}", String::from_utf8_lossy(&conllu));
    }

    #[test]
    fn what_is_written_is_valid_conllu(text in bytes(), marks in prop::collection::vec(any::<u8>(), 256)) {
        let sentences = cut(&text, &marks);
        let conllu = conllu(&sentences);
        let mut with_tokens = sentences.iter().filter(|sentence| !sentence.tokens().is_empty());
        for sentence in Sentences::of(&conllu).filter(|sentence| sentence.rows().next().is_some()) {
            let words = Validator::new().words(&sentence).unwrap();
            let expected = with_tokens.next().unwrap();
            let count = |token: &TextToken| token.words.len().max(1);
            prop_assert_eq!(words, expected.tokens().iter().map(count).sum::<usize>());
        }
        prop_assert!(with_tokens.next().is_none());
    }

    #[test]
    fn escapes_are_undone(bytes in bytes()) {
        let mut escaped = String::new();
        escape(&bytes, &mut escaped);
        let is_special = |c: char| c.is_whitespace() || c.is_control() || c == '|';
        prop_assert!(!escaped.contains(is_special), "{}", escaped);
        prop_assert_eq!(unescape(escaped.as_bytes()), bytes);
    }

    #[test]
    fn rebuilding_takes_any_bytes(bytes in bytes()) {
        rebuilt(&bytes);
    }
}

/// A text cut at its spaces, one sentence per line.
fn by_spaces(text: &str) -> Vec<TextSentence> {
    let sentence = |line: &str| {
        let mut tokens = Vec::new();
        let mut at = 0;
        for piece in line.split_inclusive(char::is_whitespace) {
            let token = piece.trim_end();
            if !token.is_empty() {
                tokens.push(TextToken::new(at..at + token.len()));
            }
            at += piece.len();
        }
        TextSentence::new(line.as_bytes().to_vec(), tokens).unwrap()
    };
    let mut lines: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match lines.last_mut() {
            Some(last) if line.trim().is_empty() => last.push_str(line),
            _ => lines.push(line.to_owned()),
        }
    }
    lines.iter().map(|line| sentence(line)).collect()
}

#[test]
fn text_becomes_documents_paragraphs_and_sentences() {
    let written = String::from_utf8(conllu(&by_spaces("A  b\nc\n\nd\n"))).unwrap();
    let misc = |misc: &str| format!("_\t_\t_\t_\t_\t_\t_\t{misc}\n");
    let expected = [
        "# newdoc\n# newpar\n# sent_id = 1\n# text = A b\n",
        &format!("1\tA\t{}", misc(r"SpacesAfter=\s\s|TokenRange=0:1")),
        &format!("2\tb\t{}", misc(r"SpacesAfter=\n|TokenRange=3:4")),
        "\n# sent_id = 2\n# text = c\n",
        &format!("1\tc\t{}", misc("TokenRange=5:6")),
        "\n# newpar\n# sent_id = 3\n# text = d\n",
        &format!("1\td\t{}\n", misc("TokenRange=8:9")),
    ];
    assert_eq!(written, expected.concat());
}

#[test]
fn what_a_form_cannot_hold_is_in_misc() {
    let tokens = vec![TextToken::new(3..10), TextToken::new(11..16)];
    let sentence = TextSentence::new(b"\xEF\xBB\xBFa\xFF\0 \n b\tc\xC2\xA0d|".to_vec(), tokens).unwrap();
    let written = String::from_utf8(conllu(&[sentence])).unwrap();
    let rows: Vec<&str> = written.lines().filter(|line| !line.starts_with('#')).collect();
    let misc = r"SpacesAfter=\t|SpacesBefore=\uFEFF|SpacesInToken=a\xFF\u0000\s\n\sb|TokenRange=1:8";
    assert_eq!(rows[0], format!("1\ta\u{FFFD}\u{FFFD} b\t_\t_\t_\t_\t_\t_\t_\t{misc}"));
    let misc = "SpaceAfter=No|SpacesAfter=|TokenRange=9:13";
    assert_eq!(rows[1], format!("2\tc\u{A0}d|\t_\t_\t_\t_\t_\t_\t_\t{misc}"));
}

#[test]
fn a_text_without_tokens_is_a_comment() {
    for text in ["", " ", "\n\n", "\u{FEFF}"] {
        let sentence = TextSentence::new(text.as_bytes().to_vec(), Vec::new()).unwrap();
        assert_eq!(rebuilt(&conllu(&[sentence])), text.as_bytes());
    }
    let spaces = TextSentence::new(b" \t".to_vec(), Vec::new()).unwrap();
    assert_eq!(conllu(&[spaces]), b"# spaces = \\s\\t\n\n");
}

#[test]
fn multiword_tokens_count_once_and_empty_nodes_not_at_all() {
    let row = |id: &str, form: &str, misc: &str| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
    let text = [
        "# newdoc id = x\n".to_owned(),
        row("1", "I", "_"),
        row("2-3", "don't", "SpaceAfter=No"),
        row("2", "do", "SpacesAfter=\\n"),
        row("3", "not", "_"),
        row("3.1", "know", "_"),
        row("4", ".", "SpaceAfter=No"),
        "\n# newpar\n".to_owned(),
        row("1", "No", "SpaceAfter=No"),
        "\n".to_owned(),
        row("1", "newparagraph", "_"),
        "\n# newpartner\n".to_owned(),
        row("1", "End", "SpaceAfter=No"),
    ];
    assert_eq!(rebuilt(text.concat().as_bytes()), b"I don't.\n\nNonewparagraph End\n");
    let crlf = text.concat().replace('\n', "\r\n");
    assert_eq!(rebuilt(crlf.as_bytes()), b"I don't.\n\nNonewparagraph End\n");
}

#[test]
fn ranges_are_places_in_the_text() {
    let text = "Ein  Käse—\r\nzwei\n";
    let written = conllu(&by_spaces(text));
    let characters: Vec<char> = text.chars().collect();
    let mut ranges = 0;
    for row in Sentences::of(&written).flat_map(|sentence| sentence.rows().collect::<Vec<_>>()) {
        assert!(matches!(row.id, Id::Word(_)));
        let misc = String::from_utf8_lossy(row.get(tanglewood::conllu::Column::Misc)).into_owned();
        let (_, range) = misc.split_once("TokenRange=").unwrap();
        let (start, end) = range.split_once(':').unwrap();
        let piece: String = characters[start.parse().unwrap()..end.parse().unwrap()].iter().collect();
        assert_eq!(piece.as_bytes(), row.get(tanglewood::conllu::Column::Form));
        ranges += 1;
    }
    assert_eq!(ranges, 3);
}
