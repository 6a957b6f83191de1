//! The text that CoNLL-U stands for.

use std::io::{self, Write};

use super::escape::unescape;
use crate::conllu::{Column, Id, Row, Sentence};

/// Writes the text that the sentences of one file stand for, from forms and MISC.
///
/// Lines that are not CoNLL-U are passed over; a [`Validator`](crate::conllu::Validator) says whether there
/// are any.
#[derive(Debug)]
pub struct TextRebuilder<W> {
    out: W,
    gap: Gap,
}

/// What comes after what has been written.
#[derive(Debug)]
enum Gap {
    /// Nothing has been written.
    Start,
    /// A space or nothing, unless the text or a paragraph ends here.
    Usual { space: bool },
    /// Exactly this.
    Exact(Vec<u8>),
}

impl<W: Write> TextRebuilder<W> {
    /// Begins a text.
    pub fn new(out: W) -> TextRebuilder<W> {
        TextRebuilder { out, gap: Gap::Start }
    }

    /// Takes the next sentence.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn push(&mut self, sentence: &Sentence<'_>) -> io::Result<()> {
        let mut tokens = tokens(sentence).peekable();
        if tokens.peek().is_none() {
            if let Some(spaces) = sentence.metadata("spaces") {
                self.write_gap(false)?;
                self.gap = Gap::Exact(unescape(spaces.as_bytes()));
            }
            return Ok(());
        }
        let mut paragraph = sentence.comments().any(begins_paragraph);
        for token in tokens {
            self.write_gap(std::mem::take(&mut paragraph))?;
            let mut text = None;
            let mut after = None;
            let mut space = true;
            for attribute in token.get(Column::Misc).split(|&byte| byte == b'|') {
                if let Some(value) = attribute.strip_prefix(b"SpacesBefore=") {
                    self.out.write_all(&unescape(value))?;
                } else if let Some(value) = attribute.strip_prefix(b"SpacesAfter=") {
                    after = Some(unescape(value));
                } else if let Some(value) = attribute.strip_prefix(b"SpacesInToken=") {
                    text = Some(unescape(value));
                } else if attribute == b"SpaceAfter=No" {
                    space = false;
                }
            }
            self.out.write_all(text.as_deref().unwrap_or(token.get(Column::Form)))?;
            self.gap = after.map_or(Gap::Usual { space }, Gap::Exact);
        }
        Ok(())
    }

    /// Ends the text, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        match &self.gap {
            Gap::Start => {}
            Gap::Usual { .. } => self.out.write_all(b"\n")?,
            Gap::Exact(gap) => self.out.write_all(gap)?,
        }
        Ok(self.out)
    }

    fn write_gap(&mut self, paragraph: bool) -> io::Result<()> {
        match &self.gap {
            Gap::Usual { .. } if paragraph => self.out.write_all(b"\n\n"),
            Gap::Usual { space: true } => self.out.write_all(b" "),
            Gap::Start | Gap::Usual { space: false } => Ok(()),
            Gap::Exact(gap) => self.out.write_all(gap),
        }
    }
}

/// The lines that are part of the text: no empty nodes, and no words inside multiword tokens.
fn tokens<'a>(sentence: &Sentence<'a>) -> impl Iterator<Item = Row<'a>> {
    let mut inside_until = 0;
    sentence.rows().filter(move |row| match row.id {
        Id::Range(_, last) => {
            inside_until = last;
            true
        }
        Id::Word(word) => word > inside_until,
        Id::Empty(..) => false,
    })
}

/// True for `# newpar` and `# newdoc`, with an id (also written `newpar_id`) or without.
fn begins_paragraph(comment: &[u8]) -> bool {
    [&b"newpar"[..], b"newdoc"].into_iter().any(|name| {
        comment
            .strip_prefix(name)
            .is_some_and(|rest| matches!(rest.first(), None | Some(b' ' | b'\t' | b'=' | b'_')))
    })
}
