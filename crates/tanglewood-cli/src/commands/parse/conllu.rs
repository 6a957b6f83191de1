//! Answers as CoNLL-U: the input with some columns replaced.

use std::io::Write;

use tanglewood::conllu::{Column, Id, Row, Sentence};

use super::answer::{Answer, Confidence};

/// Keys of MISC that `--confidence` writes.
const KEYS: [&[u8]; 2] = [b"ArcProb=", b"LabelProb="];

/// Keys of comments that are written; what an earlier run has said under the same key is left out.
const COMMENTS: [&str; 3] = ["nbest", "tree_score", "tree_log_prob"];

/// Appends a sentence with its answer; as one of several, with its place among them.
pub fn write(out: &mut Vec<u8>, sentence: &Sentence<'_>, answer: &Answer, place: Option<(usize, usize)>) {
    let comments = comments(answer, place);
    let mut begun = false;
    let mut ending: &[u8] = b"\n";
    let mut closed = false;
    for line in sentence.lines() {
        // A byte-order mark is at the start of a file, and not between sentences.
        if place.is_none_or(|(rank, _)| rank == 1) {
            out.extend_from_slice(line.mark);
        }
        if !line.ending.is_empty() {
            ending = line.ending;
        }
        closed = line.content.is_empty();
        match Row::parse(line.content) {
            None if is_replaced(line.content, &comments) => continue,
            None => out.extend_from_slice(line.content),
            Some(row) => {
                if !std::mem::replace(&mut begun, true) {
                    for (key, value) in &comments {
                        // Writing to memory does not fail.
                        let _ = write!(out, "# {key} = {value}");
                        out.extend_from_slice(ending);
                    }
                }
                write_row(out, &row, answer);
            }
        }
        out.extend_from_slice(line.ending);
    }
    // What follows is another sentence, so the last one of a file needs its end.
    if let Some((rank, count)) = place.filter(|_| !closed)
        && rank < count
    {
        if !out.ends_with(b"\n") {
            out.extend_from_slice(ending);
        }
        out.extend_from_slice(ending);
    }
}

fn comments(answer: &Answer, place: Option<(usize, usize)>) -> Vec<(&'static str, String)> {
    let [nbest, tree_score, tree_log_prob] = COMMENTS;
    let mut comments = Vec::new();
    if let Some((rank, count)) = place {
        comments.push((nbest, format!("{rank}/{count}")));
        comments.push((tree_score, format!("{:.4}", answer.score)));
    }
    if let Some(log) = answer.confidence.as_ref().and_then(|confidence| confidence.log_tree) {
        comments.push((tree_log_prob, format!("{log:.4}")));
    }
    comments
}

fn is_replaced(content: &[u8], comments: &[(&str, String)]) -> bool {
    let Some(comment) = content.strip_prefix(b"#") else { return false };
    comments.iter().any(|(key, _)| {
        let rest = comment.trim_ascii_start().strip_prefix(key.as_bytes());
        rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"="))
    })
}

fn write_row(out: &mut Vec<u8>, row: &Row<'_>, answer: &Answer) {
    let word = match row.id {
        Id::Word(word) => Some(word as usize).filter(|&word| word <= answer.tree.len()),
        Id::Range(..) | Id::Empty(..) => None,
    };
    for column in Column::ALL {
        if column != Column::Id {
            out.push(b'\t');
        }
        match (column, word) {
            (Column::Head, Some(word)) => drop(write!(out, "{}", answer.tree.head(word))),
            (Column::Deprel, Some(word)) => out.extend_from_slice(answer.labels[word - 1].as_bytes()),
            (Column::Misc, Some(word)) => match &answer.confidence {
                Some(confidence) => write_misc(out, row.get(Column::Misc), confidence, word),
                None => out.extend_from_slice(row.get(column)),
            },
            _ => out.extend_from_slice(row.get(column)),
        }
    }
}

/// What is there stays, except what an earlier run has said.
fn write_misc(out: &mut Vec<u8>, misc: &[u8], confidence: &Confidence, word: usize) {
    let begin = out.len();
    let separate = |out: &mut Vec<u8>| {
        if out.len() > begin {
            out.push(b'|');
        }
    };
    let kept = misc.split(|&byte| byte == b'|').filter(|item| !KEYS.iter().any(|key| item.starts_with(key)));
    for item in kept.filter(|_| !matches!(misc, b"_" | b"")) {
        separate(out);
        out.extend_from_slice(item);
    }
    for (key, value) in KEYS.iter().zip([confidence.arcs[word - 1], confidence.labels[word - 1]]) {
        if let Some(value) = value {
            separate(out);
            out.extend_from_slice(key);
            let _ = write!(out, "{value:.4}");
        }
    }
    if out.len() == begin {
        out.push(b'_');
    }
}
