//! Answers as CoNLL-U: the input with some columns replaced.

use std::io::Write;

use tanglewood::conllu::{Column, Id, Row, Sentence};
use tanglewood_nn::WordTags;

use super::answer::{Answer, Confidence};

/// Keys of MISC that `--confidence` writes.
const KEYS: [&[u8]; 2] = [b"ArcProb=", b"LabelProb="];

/// Keys of comments that are written; what an earlier run has said under the same key is left out.
const COMMENTS: [&str; 3] = ["nbest", "tree_score", "tree_log_prob"];

/// What columns besides HEAD and DEPREL become.
#[derive(Clone, Copy)]
pub struct Tags<'a> {
    /// Of each word; empty if the columns stay as they are.
    pub tags: &'a [WordTags],
    /// Whether what is in the input stays.
    pub keep: bool,
}

impl<'a> Tags<'a> {
    /// What a column of a word, counted from 1, becomes: what was found, or what is there.
    pub fn value(&self, row: &Row<'a>, word: usize, column: Column) -> &'a [u8] {
        let given = row.get(column);
        let found = self.tags.get(word - 1).and_then(|tags| match column {
            Column::Upos => tags.upos.as_ref(),
            Column::Xpos => tags.xpos.as_ref(),
            Column::Feats => tags.feats.as_ref(),
            Column::Lemma => tags.lemma.as_ref(),
            _ => None,
        });
        match found {
            Some(found) if !self.keep || matches!(given, b"_" | b"") => found.as_bytes(),
            _ => given,
        }
    }
}

/// Appends a sentence with its tags and its tree; as one of several, with its place among them.
pub fn write<'a>(
    out: &mut Vec<u8>,
    sentence: &Sentence<'a>,
    tags: Tags<'a>,
    answer: Option<&Answer>,
    place: Option<(usize, usize)>,
) {
    if answer.is_none() && tags.tags.is_empty() {
        return out.extend_from_slice(sentence.bytes());
    }
    let comments = answer.map(|answer| comments(answer, place)).unwrap_or_default();
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
                write_row(out, &row, tags, answer);
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

fn write_row<'a>(out: &mut Vec<u8>, row: &Row<'a>, tags: Tags<'a>, answer: Option<&Answer>) {
    let word = match row.id {
        Id::Word(word) => Some(word as usize),
        Id::Range(..) | Id::Empty(..) => None,
    };
    for column in Column::ALL {
        if column != Column::Id {
            out.push(b'\t');
        }
        let Some(word) = word else {
            out.extend_from_slice(row.get(column));
            continue;
        };
        let answer = answer.filter(|answer| word <= answer.tree.len());
        match (column, answer) {
            (Column::Head, Some(answer)) => drop(write!(out, "{}", answer.tree.head(word))),
            (Column::Deprel, Some(answer)) => out.extend_from_slice(answer.labels[word - 1].as_bytes()),
            (Column::Misc, Some(Answer { confidence: Some(confidence), .. })) => {
                write_misc(out, row.get(Column::Misc), confidence, word);
            }
            _ => out.extend_from_slice(tags.value(row, word, column)),
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
