//! Answers with a word per line, for programs that work on columns of words.

use std::io::Write;

use tanglewood::conllu::{Column, Id, Sentence};

use super::answer::Answer;
use super::conllu::Tags;

/// Columns after FORM and before HEAD.
const TAGS: [Column; 4] = [Column::Lemma, Column::Upos, Column::Xpos, Column::Feats];

/// Appends the words of a sentence, one a line, and a blank line. If there are tags or a tree, the columns
/// are FORM, LEMMA, UPOS, XPOS, FEATS, HEAD and DEPREL; otherwise FORM alone.
pub fn write<'a>(out: &mut Vec<u8>, sentence: &Sentence<'a>, tags: Tags<'a>, answer: Option<&Answer>) {
    for row in sentence.rows() {
        let Id::Word(word) = row.id else { continue };
        let word = word as usize;
        out.extend_from_slice(row.get(Column::Form));
        if answer.is_some() || !tags.tags.is_empty() {
            for column in TAGS {
                out.push(b'\t');
                out.extend_from_slice(tags.value(&row, word, column));
            }
            match answer.filter(|answer| word <= answer.tree.len()) {
                // Writing to memory does not fail.
                Some(answer) => {
                    let _ = write!(out, "\t{}\t{}", answer.tree.head(word), answer.labels[word - 1]);
                }
                None => {
                    for column in [Column::Head, Column::Deprel] {
                        out.push(b'\t');
                        out.extend_from_slice(row.get(column));
                    }
                }
            }
        }
        out.push(b'\n');
    }
    out.push(b'\n');
}
